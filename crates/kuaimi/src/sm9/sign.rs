//! Signing (GB/T 38635.2-2020, clause 6.2).

mod checked;

#[cfg(feature = "batch")]
use alloc::{vec, vec::Vec};

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1Table, Gt, GtTable};
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

pub use checked::CheckedSigningKey;

#[cfg(feature = "batch")]
use super::hash::h2_many;
use super::hash::{h2, h2_message};
use super::scalar::ORDER;
use super::{Error, G1Point, Signature, SigningKey};
#[cfg(all(feature = "getrandom", feature = "batch"))]
use crate::batch::Threads;
use crate::nonce::NonceSource;
use crate::sm3::Sm3;

/// The hash of a message for signing and verifying, which takes the message in pieces of any
/// length: the state of SM3 in `H2` after the message.
///
/// One pass over the message serves both signing and verifying, under any number of keys. The value
/// is a state of SM3 and not a digest, as SM9 hashes the message first, and then a value `w` of the
/// signature.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{MasterSigningKey, MessageHash};
///
/// let alice = MasterSigningKey::generate()?.extract("alice")?;
/// let mut message = MessageHash::new();
/// message.update(b"a message ");
/// message.update(b"in pieces");
/// let signature = alice.sign_hash(&message)?;
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

    /// `H2(M ‖ w)` of each item.
    #[cfg(feature = "batch")]
    pub(super) fn h2_many(messages: &[&Self], w: &[Gt]) -> Vec<U256> {
        let messages: Vec<&Sm3> = messages.iter().map(|message| &message.0).collect();
        let mut bytes = Zeroizing::new(vec![[0; 384]; w.len()]);
        for (bytes, w) in bytes.iter_mut().zip(w) {
            *bytes = group::gt_to_bytes(w);
        }
        h2_many(&messages, &bytes)
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

/// The tables of `g` and of `ds`, if they were made.
pub(super) type SigningTables<'a> = (Option<&'a GtTable>, Option<&'a G1Table>);

/// Signs with nonces from this source.
pub(super) fn sign_from(
    key: &SigningKey,
    tables: SigningTables<'_>,
    nonces: &mut impl NonceSource,
    message: &MessageHash,
) -> Result<Signature, Error> {
    loop {
        // A2: r ∈ [1, N − 1]
        let r = nonces.next_below(&ORDER)?;
        if let Some(signature) = steps(key, tables, &r, message) {
            return Ok(signature);
        }
    }
}

/// Steps A3 to A7 of clause 6.2.1; nothing where another nonce is needed.
fn steps(
    key: &SigningKey,
    (g_table, ds_table): SigningTables<'_>,
    r: &U256,
    message: &MessageHash,
) -> Option<Signature> {
    // A1, A3: w = g^r with g = e(P1, Ppub-s)
    let w = key.master_public_key().g_power(g_table, r);
    // A4: h = H2(M ‖ w), a part of the signature
    let h = message.h2(&w);
    let l = l(r, &h)?;
    // A6: S = [l]ds; A7
    let s = match ds_table {
        Some(table) => table.mul(&l),
        None => group::g1_mul(&l, key.point()),
    };
    Some(Signature::new(&h, G1Point(s)))
}

/// Step A5, after A4: `l`, or nothing where another nonce is needed.
pub(super) fn l(r: &U256, h: &U256) -> Option<Zeroizing<U256>> {
    // A5: l = (r − h) mod N; again when l = 0
    let l = Zeroizing::new(group::scalar_sub(r, h));
    // A nonce for which this holds is thrown away, so the result may be known.
    let again = declassify(l.ct_is_zero());
    (!again).then_some(l)
}

impl SigningKey {
    /// Signs `message`, with a hedged nonce from the operating system's random generator.
    ///
    /// The nonce is *hedged*: it is derived from the key, the master public key, the message and
    /// fresh randomness together. So a broken random generator does not reveal the key. Constant
    /// time in the key, the nonce and the message.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let alice = master.extract("alice")?;
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
    /// let alice = master.extract("alice")?;
    /// let signature = alice.sign_with_rng(&mut getrandom::SysRng, b"a message")?;
    /// # master.public_key().verifying_key("alice")?.verify(b"a message", &signature)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        self.sign_hash_with_rng(rng, &MessageHash::of(message))
    }

    /// As [`sign`](Self::sign), for a message that is already hashed.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, MessageHash};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let alice = master.extract("alice")?;
    /// let signature = alice.sign_hash(&MessageHash::of(b"a message"))?;
    /// # master.public_key().verifying_key("alice")?.verify(b"a message", &signature)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn sign_hash(&self, message: &MessageHash) -> Result<Signature, Error> {
        self.sign_hash_with_rng(&mut getrandom::SysRng, message)
    }

    /// As [`sign_hash`](Self::sign_hash), with a hedged nonce from `rng`.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, MessageHash};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let alice = master.extract("alice")?;
    /// let hash = MessageHash::of(b"a message");
    /// let signature = alice.sign_hash_with_rng(&mut getrandom::SysRng, &hash)?;
    /// # master.public_key().verifying_key("alice")?.verify(b"a message", &signature)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn sign_hash_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &MessageHash,
    ) -> Result<Signature, Error> {
        let digest = message.digest();
        let mut nonces = self.nonce_key().hedged(&digest, rng);
        sign_from(self, self.used_tables(), &mut nonces, message)
    }

    /// Signs many messages; see [`sign_batch`](crate::sm9::batch::sign_batch).
    ///
    /// # Errors
    /// For an item, [`Error::Random`] if the generator fails.
    ///
    /// ```
    /// # use kuaimi::Threads;
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let alice = master.extract("alice")?;
    /// let signatures = alice.sign_batch(&["one", "two", "three"], Threads::One);
    /// # master.public_key().verifying_key("alice")?.verify(b"two", signatures[1].as_ref().unwrap())?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(all(feature = "getrandom", feature = "batch"))]
    pub fn sign_batch<M: AsRef<[u8]>>(
        &self,
        messages: &[M],
        threads: Threads,
    ) -> Vec<Result<Signature, Error>> {
        use crate::sm9::batch::{self, SignItem};

        let items: Vec<SignItem<'_>> = messages
            .iter()
            .map(|message| SignItem::new(self, message.as_ref()))
            .collect();
        batch::sign_batch(&items, threads)
    }
}

impl SigningKey {
    /// Signs `message` with the nonce `r`, 32 bytes, most significant first.
    ///
    /// **Dangerous**: for test vectors only. Anyone who learns `r`, or who sees two signatures with
    /// the same `r`, can compute the signing key.
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
        steps(self, self.used_tables(), &r, &MessageHash::of(message)).ok_or(Error::Nonce)
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

    /// `r = h` would make `S` infinity, and give `r` away to everyone: such a nonce is not used. It
    /// does not occur by chance, so `w` is made up.
    #[test]
    fn a_nonce_that_is_the_hash_cannot_be_used() {
        let message = MessageHash::of(b"a message");
        let w = group::pairing(&group::g1_generator(), &group::g2_generator());
        let h = message.h2(&w);
        assert!(l(&h, &h).is_none());
        let next = group::scalar_add(&h, &U256::ONE);
        assert!(l(&next, &h).is_some_and(|l| *l == U256::ONE));
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

    /// With a stuck generator, one user's key that signs one message under two master public keys:
    /// were the nonce the same, `S1 − S2 = [h2 − h1]ds` would give the key away.
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
