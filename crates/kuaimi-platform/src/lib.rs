//! What the other Kuaimi crates share: what they need to know about the CPU and the compiler, and
//! the kinds of errors. Users of the library need the crate `kuaimi`, not this one.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`backend`] | the list of backends, and the choice among them by CPU features and `KUAIMI_BACKEND` |
//! | [`barrier`] | hides values from the optimiser, so that masks stay masks |
//! | [`mod@declassify`] | makes the result of a computation on secrets public |
//! | [`error_kind`] | what an error is about, for all errors of the library |
//! | `fork` | detects that this process is a copy of another, and locks that hang no such copy (feature `std`) |
//! | `memcheck` | requests to valgrind, for `make constant-time` (feature `memcheck`) |

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

// The vector code that Rust 1.95 makes of SM9's decomposition of scalars computes wrong numbers
// under QEMU, the only place where it could be run (docs/targets.md).
#[cfg(all(target_arch = "loongarch64", target_feature = "lsx"))]
compile_error!(
    "with LoongArch's vector instructions tests fail, so they are not supported: build with RUSTFLAGS=\"-C target-feature=-lsx\""
);

pub mod backend;
pub mod barrier;
pub mod declassify;
pub mod error_kind;
#[cfg(feature = "std")]
pub mod fork;
#[cfg(feature = "memcheck")]
pub mod memcheck;

pub use barrier::{value_after, value_barrier};
pub use declassify::declassify;
pub use error_kind::ErrorKind;
