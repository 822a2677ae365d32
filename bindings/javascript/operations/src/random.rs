//! The random generator of all operations.
//!
//! Node's addon draws from the operating system. In WebAssembly the host gives random bytes: from
//! `crypto.getRandomValues`, or, where it has only a function that answers later (WeChat's
//! mini-programs), as a seed for `drbg` before the first use. Where there is neither, every
//! operation that needs randomness fails.

// Its tests run with the addon's features, too, as those of a workspace are united.
#[cfg(any(test, not(feature = "native")))]
#[cfg_attr(feature = "native", allow(dead_code, reason = "tests alone"))]
mod drbg;
#[cfg(not(feature = "native"))]
mod host;

#[cfg(not(feature = "native"))]
pub use host::{Host, Random, reseed, set_host};

#[cfg(feature = "native")]
pub use getrandom::SysRng as Random;
#[cfg(feature = "native")]
pub use native::reseed;

#[cfg(feature = "native")]
mod native {
    use crate::Result;

    /// The operating system's generator takes no seed.
    ///
    /// # Errors
    /// Always.
    pub fn reseed(_seed: &[u8]) -> Result<()> {
        Err(argument!(
            "the operating system's random generator is used: it takes no seed",
        ))
    }
}
