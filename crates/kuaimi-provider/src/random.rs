//! The operating system's random generator.

use crate::failure::{Failure, Reason};

/// Fills with random bytes.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), Failure> {
    getrandom::fill(bytes).map_err(|_| Reason::RandomFailed.into())
}
