//! Memory for secrets, of a length that the caller names.

use alloc::vec::Vec;

use zeroize::Zeroizing;

/// `length` bytes of zeros, which are wiped when they are dropped; nothing if there is not that
/// much memory.
pub(crate) fn zeroed(length: usize) -> Option<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::new(Vec::new());
    bytes.try_reserve_exact(length).ok()?;
    bytes.resize(length, 0);
    Some(bytes)
}
