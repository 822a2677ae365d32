//! Kuaimi (快密): the ShangMi algorithms — SM2 signatures, encryption and key exchange, SM3, SM4, SM9 — constant time on secrets.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(unsafe_code)]

extern crate alloc;

mod batch;
#[cfg(feature = "std")]
mod cache;
pub mod encoding;
mod nonce;
pub mod sm2;
#[cfg(feature = "sm9")]
pub mod sm9;
mod stored;
#[cfg(feature = "std")]
mod two_pass;

pub use kuaimi_platform::backend::{Report as Backend, UnknownBackend};
pub use kuaimi_symmetric::{sm3, sm4};

/// What this process computes with: the selected backend, and the implementation of each kind of operation.
///
/// The fastest that the CPU can run is chosen at the first operation. The environment variable `KUAIMI_BACKEND` (feature
/// `std`) or [`set_backend`] selects another of [`backends`]. Results are the same with each.
///
/// ```
/// let backend = kuaimi::backend();
/// assert!(kuaimi::backends().any(|name| name == backend.name()));
/// println!("{backend}");
/// ```
pub fn backend() -> Backend {
    kuaimi_platform::backend::report()
}

/// The names of the backends that this machine can run, from slow to fast. Each uses the implementations of the ones before it
/// where it has none of its own. `portable` is a name, too: it stands for the one of `portable32` and `portable64` that fits
/// the machine.
pub fn backends() -> impl Iterator<Item = &'static str> {
    kuaimi_platform::backend::names()
}

/// Selects a backend for the whole process, from the next operation on: for tests and measurements.
///
/// ```
/// kuaimi::set_backend("portable")?;
/// assert!(kuaimi::backend().name().starts_with("portable"));
/// assert!(kuaimi::set_backend("abacus").is_err());
/// # Ok::<(), kuaimi::UnknownBackend>(())
/// ```
///
/// # Errors
/// [`UnknownBackend`] for a name that is not among [`backends`].
pub fn set_backend(name: &str) -> Result<(), UnknownBackend> {
    kuaimi_platform::backend::select(name)
}

/// Whether the environment variable `KUAIMI_BACKEND` is unset or names one of [`backends`]. The library ignores another name,
/// with a warning on standard error; a program should report it as an error.
///
/// # Errors
/// [`UnknownBackend`] for another name.
pub fn check_backend_variable() -> Result<(), UnknownBackend> {
    kuaimi_platform::backend::check_environment()
}
