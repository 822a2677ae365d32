//! Key encapsulation (GB/T 38635.2-2020, clause 8).

use kuaimi::sm9::G1Point;

use super::decryption_key::kuaimi_sm9_decryption_key;
use super::encryption_key::kuaimi_sm9_encryption_key;
use crate::error::kuaimi_error;

/// The length of a point with its first byte 04, as encapsulation and key exchange write it.
pub const KUAIMI_SM9_POINT_LEN: usize = 65;

/// A fresh key of `derived_len` bytes at `derived`, and what the recipient needs to get the same
/// key: the 65 bytes at `c`.
///
/// `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `derived_len` is zero or too large. `KUAIMI_ERROR_RANDOM`:
/// the random generator failed.
///
/// Source: GB/T 38635.2-2020, clause 8.2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_encapsulate(
    key: *const kuaimi_sm9_encryption_key,
    derived: *mut u8,
    derived_len: usize,
    c: *mut u8,
) -> kuaimi_error {
    call!(key = handle(key), derived = region(derived, derived_len), c = array_out(c) => {
        let (fresh, point) = key.encapsulate(derived.len())?;
        derived.copy_from_slice(&fresh);
        c.put(point.to_sec1_bytes());
        Ok(())
    })
}

/// The key of `derived_len` bytes that was encapsulated in `c` (33, 64 or 65 bytes), at `derived`.
/// Another key or an altered `c` gives another result: nothing here detects it.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: `c` is no point, or no key can come of it.
/// `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: `derived_len` is zero or too large.
///
/// Source: GB/T 38635.2-2020, clause 8.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_decapsulate(
    key: *const kuaimi_sm9_decryption_key,
    c: *const u8,
    c_len: usize,
    derived: *mut u8,
    derived_len: usize,
) -> kuaimi_error {
    call!(key = handle(key), #[once] c = input(c, c_len), derived = region(derived, derived_len) => {
        let c = encapsulation(c)?;
        derived.copy_from_slice(&key.decapsulate(&c, derived.len())?);
        Ok(())
    })
}

/// An encapsulation that is to be opened.
pub(crate) fn encapsulation(bytes: &[u8]) -> Result<G1Point, crate::error::Error> {
    G1Point::from_slice(bytes).map_err(|_| crate::error::Error::KUAIMI_ERROR_DECRYPTION_FAILED)
}
