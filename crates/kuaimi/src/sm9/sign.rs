//! Signing (GB/T 38635.2-2020, clause 6.2).

mod checked;

#[cfg(feature = "getrandom")]
use alloc::vec::Vec;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1, G1Table, Gt, GtTable};
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

pub use checked::CheckedSigningKey;

use super::hash::{h2, h2_message};
use super::scalar::ORDER;
use super::{Error, G1Point, PreparedSigningKey, Signature, SigningKey};
use crate::nonce::{NonceKey, NonceSource};
use crate::sm3::Sm3;

/// The hash of a message for signing and verifying, which takes the message in pieces of any length: the state of SM3 in `H2` after the
/// message.
///
/// One pass over the message serves both signing and verifying, under any number of keys. The value is a state of SM3 and not a digest,
/// as SM9 hashes the message first, and then a value `w` of the signature.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{MasterSigningKey, MessageHash};
///
/// let alice = MasterSigningKey::generate()?.extract("alice")?;
/// let mut message = MessageHash::new();
/// message.update(b"a message ");
/// message.update(b"in pieces");
/// let signature = alice.sign_prehash(&message)?;
/// alice.verifying_key().verify(b"a message in pieces", &signature)?;
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clause 5.3.2.3.
#[derive(Clone, Debug)]
pub struct MessageHash(Sm3);

impl MessageHash {
    /// The hash of the empty message.
    ///
    /// ```
    /// let message = kuaimi::sm9::MessageHash::new();
    /// ```
    pub fn new() -> Self {
        Self(h2_message())
    }

    /// The hash of this message.
    ///
    /// ```
    /// let message = kuaimi::sm9::MessageHash::of(b"a message");
    /// ```
    pub fn of(message: &[u8]) -> Self {
        let mut hash = Self::new();
        hash.update(message);
        hash
    }

    /// Adds the next piece of the message.
    ///
    /// ```
    /// let mut message = kuaimi::sm9::MessageHash::new();
    /// message.update(b"a message ");
    /// message.update(b"in pieces");
    /// ```
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// `H2(M ‖ w)`.
    pub(super) fn h2(&self, w: &Gt) -> U256 {
        let bytes = Zeroizing::new(group::gt_to_bytes(w));
        h2(&self.0, bytes.as_ref())
    }

    /// 32 bytes that stand for the message.
    pub(super) fn digest(&self) -> [u8; 32] {
        self.0.clone().finalize()
    }
}

impl Default for MessageHash {
    fn default() -> Self {
        Self::new()
    }
}

/// What signing needs of a key, prepared or not.
pub(super) trait SignOps {
    /// What the key's hedged nonces are derived from.
    fn nonce_key(&self) -> NonceKey;
    /// `g^r`.
    fn w(&self, r: &U256) -> Zeroizing<Gt>;
    /// `[l]ds`.
    fn s(&self, l: &U256) -> G1;
    /// The tables of `g` and of `ds`, if they were made.
    fn tables(&self) -> Option<(&GtTable, &G1Table)> {
        None
    }
}

impl SignOps for SigningKey {
    /// The master public key goes in because the hash depends on it, through `w = e(P1, Ppub-s)^r`: with one `r` and two hashes,
    /// `S1 − S2 = [h2 − h1]ds` gives the key away.
    fn nonce_key(&self) -> NonceKey {
        let (ds, master) = (self.to_bytes(), self.master_public_key().to_bytes());
        NonceKey::new(b"Kuaimi SM9 nonce key", &[ds.as_ref(), &master])
    }

    fn w(&self, r: &U256) -> Zeroizing<Gt> {
        self.master_public_key().g_power(r)
    }

    fn s(&self, l: &U256) -> G1 {
        match self.used_table() {
            Some(table) => table.mul(l),
            None => group::g1_mul(l, self.point()),
        }
    }

    fn tables(&self) -> Option<(&GtTable, &G1Table)> {
        Some((
            self.master_public_key().known_g_table()?,
            self.known_table()?,
        ))
    }
}

/// Signs with nonces from `rng`.
pub(super) fn sign<R: TryCryptoRng + ?Sized>(
    key: &dyn SignOps,
    rng: &mut R,
    message: &MessageHash,
) -> Result<Signature, Error> {
    let (nonce_key, digest) = (key.nonce_key(), message.digest());
    sign_from(key, &mut nonce_key.hedged(&digest, rng), message)
}

/// Signs with nonces from random bytes that were drawn before.
pub(super) fn sign_with_random(
    key: &dyn SignOps,
    random: &[u8; crate::nonce::RANDOM_LEN],
    message: &MessageHash,
) -> Result<Signature, Error> {
    let (nonce_key, digest) = (key.nonce_key(), message.digest());
    sign_from(key, &mut nonce_key.hedged_with(&digest, random), message)
}

fn sign_from(
    key: &dyn SignOps,
    nonces: &mut impl NonceSource,
    message: &MessageHash,
) -> Result<Signature, Error> {
    loop {
        // A2: r ∈ [1, N − 1]
        let r = nonces.next_below(&ORDER)?;
        if let Some(signature) = steps(key, message, &r) {
            return Ok(signature);
        }
    }
}

/// Steps A3 to A7 of clause 6.2.1; nothing where another nonce is needed.
fn steps(key: &dyn SignOps, message: &MessageHash, r: &U256) -> Option<Signature> {
    // A1, A3: w = g^r with g = e(P1, Ppub-s)
    let w = key.w(r);
    // A4: h = H2(M ‖ w), a part of the signature
    let h = message.h2(&w);
    // A5: l = (r − h) mod N; again when l = 0
    let l = Zeroizing::new(group::scalar_sub(r, &h));
    // A nonce for which this holds is thrown away, so the result may be known.
    if declassify(l.ct_is_zero()) {
        return None;
    }
    // A6: S = [l]ds; A7
    Some(Signature::new(&h, G1Point(key.s(&l))))
}

/// The methods that sign, of a key that is prepared or not.
macro_rules! signing_methods {
    ($key:ident, $alice:literal) => {
        impl $key {
            /// Signs `message`, with a hedged nonce from the operating system's random generator.
            ///
            /// The nonce is *hedged*: it is derived from the key, the master public key, the message and fresh randomness together. So a
            /// broken random generator does not reveal the key. Constant time in the key, the nonce and the message.
            ///
            /// # Errors
            /// [`Error::Random`] if the generator fails.
            ///
            /// ```
            /// # use kuaimi::sm9::MasterSigningKey;
            /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
            #[doc = concat!("let alice = ", $alice, ";")]
            /// let signature = alice.sign(b"a message")?;
            /// # master.public_key().verifying_key("alice")?.verify(b"a message", &signature)?;
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            ///
            /// Source: GB/T 38635.2-2020, clause 6.2.
            #[cfg(feature = "getrandom")]
            pub fn sign(&self, message: &[u8]) -> Result<Signature, Error> {
                self.sign_with_rng(&mut getrandom::SysRng, message)
            }

            /// As [`sign`](Self::sign), with a hedged nonce from `rng`.
            ///
            /// # Errors
            /// [`Error::Random`] if the generator fails.
            ///
            /// ```
            /// # use kuaimi::sm9::MasterSigningKey;
            /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
            #[doc = concat!("let alice = ", $alice, ";")]
            /// let signature = alice.sign_with_rng(&mut getrandom::SysRng, b"a message")?;
            /// # master.public_key().verifying_key("alice")?.verify(b"a message", &signature)?;
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &[u8],
            ) -> Result<Signature, Error> {
                self.sign_prehash_with_rng(rng, &MessageHash::of(message))
            }

            /// As [`sign`](Self::sign), for a message that is already hashed.
            ///
            /// # Errors
            /// [`Error::Random`] if the generator fails.
            ///
            /// ```
            /// # use kuaimi::sm9::{MasterSigningKey, MessageHash};
            /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
            #[doc = concat!("let alice = ", $alice, ";")]
            /// let signature = alice.sign_prehash(&MessageHash::of(b"a message"))?;
            /// # master.public_key().verifying_key("alice")?.verify(b"a message", &signature)?;
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            #[cfg(feature = "getrandom")]
            pub fn sign_prehash(&self, message: &MessageHash) -> Result<Signature, Error> {
                self.sign_prehash_with_rng(&mut getrandom::SysRng, message)
            }

            /// As [`sign_prehash`](Self::sign_prehash), with a hedged nonce from `rng`.
            ///
            /// # Errors
            /// [`Error::Random`] if the generator fails.
            ///
            /// ```
            /// # use kuaimi::sm9::{MasterSigningKey, MessageHash};
            /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
            #[doc = concat!("let alice = ", $alice, ";")]
            /// let hash = MessageHash::of(b"a message");
            /// let signature = alice.sign_prehash_with_rng(&mut getrandom::SysRng, &hash)?;
            /// # master.public_key().verifying_key("alice")?.verify(b"a message", &signature)?;
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn sign_prehash_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                message: &MessageHash,
            ) -> Result<Signature, Error> {
                sign(self, rng, message)
            }

            /// Signs many messages; see [`sign_batch`](crate::sm9::batch::sign_batch).
            ///
            /// # Errors
            /// For an item, [`Error::Random`] if the generator fails.
            ///
            /// ```
            /// # use kuaimi::sm9::MasterSigningKey;
            /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
            #[doc = concat!("let alice = ", $alice, ";")]
            /// let signatures = alice.sign_batch(&["one", "two", "three"]);
            /// # master.public_key().verifying_key("alice")?.verify(b"two", signatures[1].as_ref().unwrap())?;
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            #[cfg(feature = "getrandom")]
            pub fn sign_batch<M: AsRef<[u8]>>(
                &self,
                messages: &[M],
            ) -> Vec<Result<Signature, Error>> {
                use crate::sm9::batch::{self, SignItem};

                let items: Vec<SignItem<'_>> = messages
                    .iter()
                    .map(|message| SignItem::new(self, message.as_ref()))
                    .collect();
                batch::sign_batch(&items)
            }
        }
    };
}

signing_methods!(SigningKey, "master.extract(\"alice\")?");
signing_methods!(PreparedSigningKey, "master.extract(\"alice\")?.prepare()");

impl SigningKey {
    /// Signs `message` with the nonce `r`, 32 bytes, most significant first.
    ///
    /// **Dangerous**: for test vectors only. Anyone who learns `r`, or who sees two signatures with the same `r`, can compute the signing
    /// key.
    ///
    /// # Errors
    /// [`Error::Nonce`] for an `r` that is zero, not below `N`, or leads to no signature.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let signature = alice.sign_with_nonce(b"a message", &[7; 32])?;
    /// assert_eq!(signature, alice.sign_with_nonce(b"a message", &[7; 32])?);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "hazmat")]
    pub fn sign_with_nonce(&self, message: &[u8], r: &[u8; 32]) -> Result<Signature, Error> {
        let r = super::scalar::given(r)?;
        steps(self, &MessageHash::of(message), &r).ok_or(Error::Nonce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm9::MasterSigningKey;
    use kuaimi_testing::Stuck;

    fn master(seed: u8) -> MasterSigningKey {
        MasterSigningKey::from_bytes(&[seed; 32]).expect("a master key")
    }

    /// `r = h` would make `S` infinity, and give `r` away to everyone: such a nonce is not used. It does not occur by chance, so `w`
    /// is made up.
    #[test]
    fn a_nonce_that_is_the_hash_does_not_serve() {
        struct Fixed(Gt);
        impl SignOps for Fixed {
            fn nonce_key(&self) -> NonceKey {
                NonceKey::new(b"none", &[])
            }
            fn w(&self, _: &U256) -> Zeroizing<Gt> {
                Zeroizing::new(self.0)
            }
            fn s(&self, l: &U256) -> G1 {
                group::g1_generator_mul(l)
            }
        }
        let message = MessageHash::of(b"a message");
        let w = group::pairing(&group::g1_generator(), &group::g2_generator());
        let h = message.h2(&w);
        assert_eq!(steps(&Fixed(w), &message, &h), None);
        let next = group::scalar_add(&h, &U256::ONE);
        let signature = Signature::new(&h, G1Point(group::g1_generator()));
        assert_eq!(steps(&Fixed(w), &message, &next), Some(signature));
    }

    /// With a stuck generator, each of user's key, master public key and message changes the nonce.
    #[test]
    fn nonces_depend_on_all_that_the_hash_depends_on() {
        let (alice, bob) = (master(1).extract("Alice"), master(1).extract("Bob"));
        let (alice, bob) = (alice.expect("a key"), bob.expect("a key"));
        let moved = moved(&alice, &master(2));
        let (one, two) = (MessageHash::of(b"one"), MessageHash::of(b"two"));
        let mut nonces = Vec::new();
        for (key, message) in [(&alice, &one), (&bob, &one), (&moved, &one), (&alice, &two)] {
            let (nonce_key, digest) = (key.nonce_key(), message.digest());
            let nonce = nonce_key.hedged(&digest, &mut Stuck(0)).next();
            nonces.push(nonce.expect("a nonce").0);
        }
        nonces.sort_unstable();
        nonces.dedup();
        assert_eq!(nonces.len(), 4);
    }

    /// A user's key with another master public key, as no constructor gives it.
    fn moved(key: &SigningKey, master: &MasterSigningKey) -> SigningKey {
        let identity = key.verifying_key().key_identity().clone();
        SigningKey::new(*key.point(), identity, master.public_key().clone())
    }

    /// With a stuck generator, one user's key that signs one message under two master public keys: were the nonce the same,
    /// `S1 − S2 = [h2 − h1]ds` would give the key away.
    #[test]
    fn two_master_public_keys_do_not_give_the_key_away() {
        let key = master(1).extract("Alice").expect("a key");
        let moved = moved(&key, &master(2));
        let sign = |key: &SigningKey| {
            key.sign_with_rng(&mut Stuck(0), b"a message")
                .expect("a signature")
        };
        let (one, two) = (sign(&key), sign(&moved));
        let sum = group::g1_add_vartime(&one.s().0, &group::g1_neg(&two.s().0));
        let difference = group::scalar_sub(&two.h_integer(), &one.h_integer());
        let recovered = group::g1_mul(&group::scalar_invert(&difference), &sum.expect("not 0"));
        assert_ne!(&recovered, key.point());
    }
}
