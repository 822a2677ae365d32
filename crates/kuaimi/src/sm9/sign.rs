//! Signing (GB/T 38635.2-2020, clause 6.2).

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::hash::{h2, h2_message};
use super::points::{self, G1, Gt};
use super::scalar::ORDER;
use super::{Error, G1Point, Signature, UserSigningKey};
use crate::nonce::{NonceKey, NonceSource};
use crate::sm3::Sm3;
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

/// A message on its way into a signature, in pieces of any length: SM3 over what `H2` hashes before `w`.
///
/// One pass over the message serves signing and verifying alike, and under any number of keys.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{MasterSigningKey, MessageHash};
///
/// let master = MasterSigningKey::generate()?;
/// let mut message = MessageHash::new();
/// message.update(b"a message ");
/// message.update(b"in pieces");
/// let signature = master.user_key("alice")?.sign_hashed(&message)?;
/// master.public_key().verify("alice", b"a message in pieces", &signature)?;
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MessageHash(Sm3);

impl MessageHash {
    /// Of the empty message so far.
    pub fn new() -> Self {
        Self(h2_message())
    }

    /// Of this message.
    pub fn of(message: &[u8]) -> Self {
        let mut hash = Self::new();
        hash.update(message);
        hash
    }

    /// Absorbs the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// `H2(M ‖ w)`.
    pub(super) fn h2(&self, w: &Gt) -> U256 {
        let bytes = Zeroizing::new(points::gt_to_bytes(w));
        h2(&self.0, bytes.as_ref())
    }

    /// 32 bytes that stand for the message.
    fn digest(&self) -> [u8; 32] {
        self.0.clone().finalize()
    }
}

impl Default for MessageHash {
    fn default() -> Self {
        Self::new()
    }
}

impl UserSigningKey {
    /// Signs `message`, with the operating system's random generator in the nonce.
    ///
    /// The nonce is *hedged*: derived from the key, the message and fresh randomness together, so that a broken random generator does
    /// not give the key away. Constant time in key, nonce and message.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn sign(&self, message: &[u8]) -> Result<Signature, Error> {
        self.sign_with_rng(&mut getrandom::SysRng, message)
    }

    /// As [`sign`](Self::sign), with `rng` in the nonce.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        self.sign_hashed_with_rng(rng, &MessageHash::of(message))
    }

    /// As [`sign`](Self::sign), of a message in pieces.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn sign_hashed(&self, message: &MessageHash) -> Result<Signature, Error> {
        self.sign_hashed_with_rng(&mut getrandom::SysRng, message)
    }

    /// As [`sign_hashed`](Self::sign_hashed), with `rng` in the nonce.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn sign_hashed_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &MessageHash,
    ) -> Result<Signature, Error> {
        let nonces = self.nonce_key();
        sign(
            &nonces,
            rng,
            message,
            |r| self.w(r),
            |l| points::g1_mul(l, self.point()),
        )
    }

    /// Signs `message` with the nonce `r`, 32 bytes, most significant first.
    ///
    /// **Dangerous.** Whoever learns `r`, or sees two signatures with one `r`, has the signing key. For test vectors.
    ///
    /// # Errors
    /// [`Error::Nonce`] for an `r` that is zero, not below `N`, or leads to no signature.
    #[cfg(feature = "hazmat")]
    pub fn sign_with_nonce(&self, message: &[u8], r: &[u8; 32]) -> Result<Signature, Error> {
        let r = super::scalar::given(r)?;
        let message = MessageHash::of(message);
        steps(
            &message,
            &r,
            |r| self.w(r),
            |l| points::g1_mul(l, self.point()),
        )
        .ok_or(Error::Nonce)
    }

    /// What this key's hedged nonces are derived from. The master public key goes in because the hash depends on it, through
    /// `w = e(P1, Ppub-s)^r`: with one `r` and two hashes, `S1 − S2 = [h2 − h1]ds` gives the key away.
    pub(super) fn nonce_key(&self) -> NonceKey {
        let (ds, master) = (self.to_bytes(), self.master_public_key().to_bytes());
        NonceKey::new(b"Kuaimi SM9 nonce key", &[ds.as_ref(), &master])
    }

    /// `g^r`.
    fn w(&self, r: &U256) -> Zeroizing<Gt> {
        Zeroizing::new(points::gt_pow(self.master_public_key().g(), r))
    }
}

/// Signs, with the ways to compute `g^r` and `[l]ds`.
pub(super) fn sign<R: TryCryptoRng + ?Sized>(
    nonces: &NonceKey,
    rng: &mut R,
    message: &MessageHash,
    w: impl Fn(&U256) -> Zeroizing<Gt>,
    s: impl Fn(&U256) -> G1,
) -> Result<Signature, Error> {
    let digest = message.digest();
    let mut nonces = nonces.hedged(&digest, rng);
    loop {
        // A2: r ∈ [1, N − 1]
        let r = nonces.next_below(&ORDER)?;
        if let Some(signature) = steps(message, &r, &w, &s) {
            return Ok(signature);
        }
    }
}

/// Steps A3 to A7 of clause 6.2.1; nothing where the nonce does not serve.
fn steps(
    message: &MessageHash,
    r: &U256,
    w: impl Fn(&U256) -> Zeroizing<Gt>,
    s: impl Fn(&U256) -> G1,
) -> Option<Signature> {
    // A1, A3: w = g^r with g = e(P1, Ppub-s)
    let w = w(r);
    // A4: h = H2(M ‖ w), a part of the signature
    let h = message.h2(&w);
    // A5: l = (r − h) mod N; again when l = 0
    let l = Zeroizing::new(points::scalar_sub(r, &h));
    // A nonce for which this holds is thrown away, so that it may be known to hold.
    if declassify(l.ct_is_zero()) {
        return None;
    }
    // A6: S = [l]ds; A7
    Some(Signature::new(&h, G1Point(s(&l))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm9::MasterSigningKey;
    use kuaimi_testing::Stuck;

    /// `r = h` would give `S` = infinity, and `r` away to whoever sees it: such a nonce is for nothing. Chance does not lead there, so `w` is
    /// made up.
    #[test]
    fn a_nonce_that_is_the_hash_does_not_serve() {
        let message = MessageHash::of(b"a message");
        let w = points::pairing(&points::g1_generator(), &points::g2_generator());
        let h = message.h2(&w);
        let with = |r: &U256| steps(&message, r, |_| Zeroizing::new(w), points::g1_generator_mul);
        assert_eq!(with(&h), None);
        let next = points::scalar_add(&h, &U256::ONE);
        let signature = Signature::new(&h, G1Point(points::g1_generator()));
        assert_eq!(with(&next), Some(signature));
    }

    /// With a stuck generator, one user's key that signs one message under two master public keys: were the nonce the same,
    /// `S1 − S2 = [h2 − h1]ds` would give the key away.
    #[test]
    fn two_master_public_keys_do_not_give_the_key_away() {
        let master = |seed| MasterSigningKey::from_bytes(&[seed; 32]).expect("a master key");
        let key = master(1).user_key("Alice").expect("a key");
        let other = master(2);
        let moved = UserSigningKey::from_bytes(&key.to_bytes(), other.public_key()).expect("a key");
        let sign = |key: &UserSigningKey| {
            key.sign_with_rng(&mut Stuck(0), b"a message")
                .expect("a signature")
        };
        let (one, two) = (sign(&key), sign(&moved));
        let sum = points::g1_add_vartime(&one.s().0, &points::g1_neg(&two.s().0));
        let difference = points::scalar_sub(&two.h_integer(), &one.h_integer());
        let recovered = points::g1_mul(&points::scalar_invert(&difference), &sum.expect("not 0"));
        assert_ne!(&recovered, key.point());
    }
}
