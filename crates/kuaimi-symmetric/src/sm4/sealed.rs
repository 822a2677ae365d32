//! A ciphertext followed by its tag, as one piece of memory: what GCM and CCM make of a whole
//! message.

#![forbid(unsafe_code)]

use alloc::vec::Vec;
use core::mem;

use zeroize::Zeroizing;

use super::Error;

/// The bytes of a tag.
pub(super) const TAG_LEN: usize = 16;

/// `encrypt` encrypts the message in place and returns the tag. If it fails, the copy of the
/// message is wiped.
pub(super) fn seal(
    message: &[u8],
    encrypt: impl FnOnce(&mut [u8]) -> Result<[u8; TAG_LEN], Error>,
) -> Result<Vec<u8>, Error> {
    let mut sealed = Zeroizing::new(Vec::with_capacity(message.len() + TAG_LEN));
    sealed.extend_from_slice(message);
    let tag = encrypt(&mut sealed)?;
    sealed.extend_from_slice(&tag);
    Ok(mem::take(&mut *sealed))
}

/// `decrypt` decrypts the ciphertext in place if the tag is right.
pub(super) fn open(
    sealed: &[u8],
    decrypt: impl FnOnce(&mut [u8], &[u8; TAG_LEN]) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let (ciphertext, tag) = sealed
        .split_last_chunk::<TAG_LEN>()
        .ok_or(Error::DecryptionFailed)?;
    let mut message = ciphertext.to_vec();
    decrypt(&mut message, tag)?;
    Ok(message)
}
