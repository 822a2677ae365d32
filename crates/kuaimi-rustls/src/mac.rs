//! HMAC-SM3 with a key that is used several times: what HKDF (RFC 5869) of the suites stands on.

use kuaimi::external::digest::{KeyInit, Mac};
use kuaimi::sm3::{BLOCK_LEN, DIGEST_LEN, HmacSm3, digest};
use zeroize::Zeroizing;

/// A key, absorbed.
pub(crate) struct MacKey(HmacSm3);

impl MacKey {
    /// RFC 2104, section 2: a key that is longer than a block is hashed, a shorter one is padded
    /// with zeros. A key of one block cannot be refused.
    pub(crate) fn new(key: &[u8]) -> Self {
        let mut block = Zeroizing::new([0; BLOCK_LEN]);
        match block.get_mut(..key.len()) {
            Some(start) => start.copy_from_slice(key),
            None => block[..DIGEST_LEN].copy_from_slice(&digest(key)),
        }
        Self(HmacSm3::new((&*block).into()))
    }

    /// The tag of the parts, one after the other.
    pub(crate) fn tag<'a>(&self, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; DIGEST_LEN] {
        let mut mac = self.0.clone();
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kuaimi::sm3::hmac_sm3;

    #[test]
    fn keys_of_all_lengths() {
        for length in [0, 1, 31, 32, 63, 64, 65, 200] {
            let key = vec![7; length];
            let found = MacKey::new(&key).tag([b"ab".as_slice(), b"", b"c"]);
            assert_eq!(found, hmac_sm3(&key, b"abc"), "{length}");
        }
    }
}
