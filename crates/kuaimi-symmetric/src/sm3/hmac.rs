//! HMAC (RFC 2104; GB/T 15852.2) with SM3: a 32-byte tag. OID 1.2.156.10197.1.401.2.

#![forbid(unsafe_code)]

use digest::{KeyInit, Mac};

use super::{BLOCK_LEN, DIGEST_LEN, Sm3};

/// HMAC-SM3 with the type of the `hmac` crate, for messages that come in pieces and for the
/// verification of tags.
///
/// Keys may have any length. `verify_slice` and the other `verify` methods compare in constant
/// time.
///
/// ```
/// use hmac::{KeyInit, Mac};
/// use kuaimi::sm3::{HmacSm3, hmac_sm3};
///
/// let mut mac = HmacSm3::new_from_slice(b"key")?;
/// mac.update(b"mess");
/// mac.update(b"age");
/// mac.verify_slice(&hmac_sm3(b"key", b"message"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type HmacSm3 = hmac::Hmac<Sm3>;

/// The 32-byte HMAC-SM3 tag of `data` under `key`, which may have any length.
///
/// Constant time in the content of both. To verify a tag, use [`HmacSm3`] and its `verify_slice`: a
/// comparison with `==` tells a forger how many bytes of a guess were right.
///
/// ```
/// assert_eq!(kuaimi::sm3::hmac_sm3(b"key", b"message").len(), 32);
/// ```
pub fn hmac_sm3(key: &[u8], data: &[u8]) -> [u8; DIGEST_LEN] {
    // A key of exactly one block, as the trait's constructor for it cannot fail. RFC 2104, section
    // 2: a longer key is hashed, a shorter one is padded with zeros.
    let mut block = [0u8; BLOCK_LEN];
    if key.len() > BLOCK_LEN {
        block[..DIGEST_LEN].copy_from_slice(&super::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let mut mac = HmacSm3::new((&block).into());
    block = [0; BLOCK_LEN];
    zeroize::optimization_barrier(&block);
    mac.update(data);
    mac.finalize().into_bytes().into()
}
