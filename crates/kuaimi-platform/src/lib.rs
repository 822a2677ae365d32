//! What Kuaimi's code needs of the machine and of the compiler. Users of the library need the crate `kuaimi`, not this one.
//!
//! | room | what it does |
//! | --- | --- |
//! | [`backend`] | the table of implementations, and the choice among them by what the CPU can do and `KUAIMI_BACKEND` says |
//! | [`barrier`] | values that the optimiser knows nothing about, so that masks stay masks |
//! | [`declassify`] | the outcome of a computation on secrets becomes public |
//! | `fork` | whether this process is a copy of another (feature `std`) |
//! | `memcheck` | requests to valgrind, for `make constant-time` (feature `memcheck`) |

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

pub mod backend;
pub mod barrier;
pub mod declassify;
#[cfg(feature = "std")]
pub mod fork;
#[cfg(feature = "memcheck")]
pub mod memcheck;

pub use barrier::{value_after, value_barrier};
pub use declassify::declassify;
