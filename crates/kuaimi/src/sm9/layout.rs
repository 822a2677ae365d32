//! What `C2` consists of: the initial value where the mode has one, the encrypted message, and
//! padding (PKCS#7) where the mode needs whole blocks. The stream mode has neither.

use super::Mode;

/// Bytes of a block of SM4.
pub(super) const BLOCK_LEN: usize = 16;
/// Bytes of a key of SM4.
#[cfg(feature = "sm4")]
pub(super) const KEY_LEN: usize = 16;

/// The initial value, where the mode has one.
pub(super) const fn iv_len(mode: Mode) -> usize {
    match mode {
        Mode::Stream => 0,
        #[cfg(feature = "sm4")]
        Mode::Ecb => 0,
        #[cfg(feature = "sm4")]
        Mode::Cbc | Mode::Ofb | Mode::Cfb => BLOCK_LEN,
    }
}

/// Bytes of padding after a message of `length` bytes: 1 to 16 (PKCS#7) where the mode needs whole
/// blocks.
#[cfg(any(feature = "std", feature = "sm4"))]
pub(super) const fn padding_len(mode: Mode, length: u64) -> usize {
    let _ = length;
    #[cfg(feature = "sm4")]
    let surplus = (length % BLOCK_LEN as u64) as usize;
    match mode {
        Mode::Stream => 0,
        #[cfg(feature = "sm4")]
        Mode::Ofb | Mode::Cfb => 0,
        #[cfg(feature = "sm4")]
        Mode::Ecb | Mode::Cbc => BLOCK_LEN - surplus,
    }
}

/// The initial value before the rest of `C2`; zeros, which are not looked at, where the mode has
/// none.
#[cfg(any(feature = "std", feature = "sm4"))]
pub(super) fn split_iv(mode: Mode, c2: &[u8]) -> Option<([u8; BLOCK_LEN], &[u8])> {
    let (front, body) = c2.split_at_checked(iv_len(mode))?;
    Some((front.try_into().unwrap_or([0; BLOCK_LEN]), body))
}

/// Whether a message can have become `length` bytes, the initial value apart.
#[cfg(any(feature = "std", feature = "sm4"))]
pub(super) const fn fits(mode: Mode, length: u64) -> bool {
    length != 0 && (padding_len(mode, 0) == 0 || length.is_multiple_of(BLOCK_LEN as u64))
}
