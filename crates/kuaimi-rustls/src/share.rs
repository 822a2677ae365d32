//! The key exchange `curveSM2` (RFC 8998, clauses 3.2.2 and 3.3.1): plain Diffie–Hellman on SM2's
//! curve, with fresh keys. A share is the uncompressed point (RFC 8446, clause 4.2.8.2), the secret
//! its x-coordinate.

use kuaimi::sm2::{Error, PrivateKey, PublicKey};
use zeroize::Zeroizing;

/// The length of a share: `04 ‖ x ‖ y`.
pub(crate) const SHARE_LEN: usize = 65;

/// A fresh key.
pub(crate) struct Ephemeral {
    secret: PrivateKey,
    share: [u8; SHARE_LEN],
}

/// A peer's share that is no point, or a point in another form.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InvalidShare;

impl Ephemeral {
    /// # Errors
    /// [`Error::Random`] if the random generator fails.
    pub(crate) fn generate() -> Result<Self, Error> {
        let secret = PrivateKey::generate()?;
        let share = secret.public_key().to_sec1_bytes();
        Ok(Self { secret, share })
    }

    pub(crate) fn share(&self) -> &[u8; SHARE_LEN] {
        &self.share
    }

    /// The shared secret. The curve has no small subgroups, so each of its points will do.
    pub(crate) fn agree(&self, peer: &[u8]) -> Result<Zeroizing<[u8; 32]>, InvalidShare> {
        // No other form has this length and this first byte.
        if peer.len() != SHARE_LEN || peer[0] != 4 {
            return Err(InvalidShare);
        }
        let peer = PublicKey::from_sec1_bytes(peer).map_err(|_| InvalidShare)?;
        Ok(self.secret.diffie_hellman(&peer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_agree() {
        let (one, two) = (
            Ephemeral::generate().unwrap(),
            Ephemeral::generate().unwrap(),
        );
        assert_eq!(one.agree(two.share()), two.agree(one.share()));
        assert_ne!(one.share(), two.share());
    }

    #[test]
    fn other_forms_and_other_points_are_refused() {
        let key = Ephemeral::generate().unwrap();
        let peer = PrivateKey::generate().unwrap();
        let mut off = peer.public_key().to_sec1_bytes();
        off[64] ^= 1;
        let mut hybrid = peer.public_key().to_sec1_bytes();
        hybrid[0] = 6 + (hybrid[64] & 1);
        let shares: [&[u8]; 8] = [
            b"",
            &[0],
            &[4; 64],
            &[4; 66],
            &[0; 65],
            &off,
            &hybrid,
            &peer.public_key().to_compressed_bytes(),
        ];
        for share in shares {
            assert_eq!(key.agree(share), Err(InvalidShare), "{share:02x?}");
        }
    }
}
