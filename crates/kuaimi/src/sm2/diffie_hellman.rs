//! Diffie–Hellman on SM2's curve (SEC 1, clause 3.3.1), as TLS 1.3 uses it under the name
//! `curveSM2` (RFC 8998).

use zeroize::{Zeroize, Zeroizing};

use super::{PrivateKey, PublicKey};
use crate::stack::{POINT_WORDS, wiped_after};
use kuaimi_math::sm2::group;

impl PrivateKey {
    /// The shared secret of plain Diffie–Hellman: the x-coordinate of `[d]P`, 32 bytes, most
    /// significant first.
    ///
    /// This is what TLS 1.3 does with the group `curveSM2`. The key exchange of the standard, which
    /// authenticates both parties, is [`exchange`](super::exchange). Use a fresh private key for
    /// each exchange, and derive keys from the secret with a KDF that also takes in both public
    /// keys.
    ///
    /// Constant time in the private key. The point is never the point at infinity, as the curve's
    /// order is prime. Source: SEC 1 (2009), clause 3.3.1; RFC 8998, clause 3.2.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let (client, server) = (PrivateKey::generate()?, PrivateKey::generate()?);
    /// assert_eq!(
    ///     client.diffie_hellman(server.public_key()),
    ///     server.diffie_hellman(client.public_key())
    /// );
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn diffie_hellman(&self, peer: &PublicKey) -> Zeroizing<[u8; 32]> {
        let mut x = [0; 32];
        self.multiple_of(peer, |xy| x.copy_from_slice(&xy[..32]));
        // A copy that is returned; a move would leave the other one, which is above what was
        // overwritten.
        let shared = Zeroizing::new(x);
        x.zeroize();
        shared
    }

    /// The whole point `[d]P`, as `x ‖ y`, 32 bytes each, most significant first. What else holds
    /// for [`diffie_hellman`](Self::diffie_hellman) holds here.
    ///
    /// **Dangerous**: only for protocols that use both coordinates. The point is secret: it
    /// decrypts every ciphertext whose first part, C₁, is the peer's point.
    ///
    /// ```
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let (a, b) = (PrivateKey::from_bytes(&[7; 32])?, PrivateKey::from_bytes(&[8; 32])?);
    /// let point = a.diffie_hellman_point(b.public_key());
    /// assert_eq!(point, b.diffie_hellman_point(a.public_key()));
    /// assert_eq!(point[..32], a.diffie_hellman(b.public_key())[..]);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    #[cfg(feature = "hazmat")]
    pub fn diffie_hellman_point(&self, peer: &PublicKey) -> Zeroizing<[u8; 64]> {
        let mut point = [0; 64];
        self.multiple_of(peer, |xy| point = *xy);
        let shared = Zeroizing::new(point);
        point.zeroize();
        shared
    }

    /// Gives `[d]P` to `take`, and wipes it.
    fn multiple_of(&self, peer: &PublicKey, take: impl FnOnce(&[u8; 64])) {
        wiped_after::<POINT_WORDS, _>(|| {
            let d = Zeroizing::new(self.integer());
            let mut shared = group::point_mul(&d, &peer.to_point());
            take(&group::point_to_bytes(&shared));
            shared.zeroize();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_x_of_the_multiple() {
        let mut number = [0; 32];
        number[31] = 5;
        let five = PrivateKey::from_bytes(&number).unwrap();
        let secret = PrivateKey::from_bytes(&[0x2a; 32]).unwrap();
        // [5][d]G in both orders, and by the public key of 5d.
        let shared = secret.diffie_hellman(five.public_key());
        assert_eq!(shared, five.diffie_hellman(secret.public_key()));
        let product = PrivateKey::from_bytes(&[0xd2; 32]).unwrap(); // 5 · 2a… = d2…, without a carry
        assert_eq!(shared[..], product.public_key().to_xy_bytes()[..32]);
        let point = secret.diffie_hellman_point(five.public_key());
        assert_eq!(*point, product.public_key().to_xy_bytes());
    }
}
