//! The native half of the Java provider `Kuaimi`: what the class `io.github.kuaimi.internal.Native`
//! calls.
//!
//! | room | what it does |
//! | --- | --- |
//! | `load` | what the JVM calls first: all tables of functions are registered |
//! | `call` | the border: no panic crosses it, and failures become Java's exceptions |
//! | `bytes` | Java's arrays and direct buffers as Rust's slices |
//! | `remembered` | keys that were used last, in bounded stores |
//! | `frames`, `columns` | lists of bytes in one array; the rows' parts of direct buffers |
//! | `sm2`, `sm3`, `sm4`, `sm9`, `batch`, `sm4_batch`, `cms`, `cfca` | the functions by area, each with its table for the JVM |
//!
//! No object of Java owns memory here: keys and the states of ciphers and hashes are byte arrays of
//! Java's.

#![deny(unsafe_code)]

mod batch;
mod bytes;
mod call;
mod cfca;
mod cms;
mod columns;
mod frames;
mod load;
mod remembered;
mod sm2;
mod sm3;
mod sm4;
mod sm4_batch;
mod sm9;
