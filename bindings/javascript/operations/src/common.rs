//! What every engine does.

use crate::Result;
use crate::object::Handle;

/// Wipes what a handle holds.
pub fn dispose(object: &Handle) -> Result<()> {
    object.dispose();
    Ok(())
}

/// Seeds the generator of a host whose own one only answers later.
pub fn random_seed(seed: &[u8]) -> Result<()> {
    crate::random::reseed(seed)
}
