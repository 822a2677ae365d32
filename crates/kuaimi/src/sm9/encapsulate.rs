//! Key encapsulation (GB/T 38635.2-2020, clause 8): a sender makes a key, and sends a point from
//! which only the holder of the recipient's decryption key can compute it.

#[cfg(feature = "batch")]
use alloc::vec;
use alloc::vec::Vec;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1, G2, Gt, Lines};
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
#[cfg(feature = "batch")]
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::encryption_key::SendingTables;
use super::scalar::random_scalar;
use super::{DecryptionKey, EncryptionKey, Error, G1Point};
use crate::memory::zeroed;
#[cfg(feature = "batch")]
use crate::sm3::{DIGEST_LEN, hash_many};
use crate::sm3::{Kdf, Sm3};
use crate::stack::{PAIRING_WORDS, wiped_after};

/// A key that was encapsulated, which is wiped when dropped, and the point to send.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::sm9::{Encapsulated, MasterEncryptionKey};
///
/// let master = MasterEncryptionKey::generate()?;
/// let (key, point): Encapsulated = master.public_key().encryption_key("bob")?.encapsulate(16)?;
/// assert_eq!(master.extract("bob")?.decapsulate(&point, 16)?, key);
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub type Encapsulated = (Zeroizing<Vec<u8>>, G1Point);

/// How many nonces are tried for a key that is not all zero. A key of one byte is in one of 256
/// cases: as many in a row come from a generator that is stuck.
pub(super) const MAX_ZERO_KEYS: usize = 64;

/// What a sender computes from a nonce `r`: `C = [r]Q` and `w = g^r`.
pub(super) type Session = (G1, Zeroizing<Gt>);

impl EncryptionKey {
    /// The bytes of the identity.
    pub(super) fn id(&self) -> &[u8] {
        self.key_identity().id()
    }

    /// `C = [r]Q` and `w = g^r`.
    pub(super) fn session(
        &self,
        (g_table, q_table): SendingTables<'_>,
        r: &U256,
    ) -> Result<Session, Error> {
        let w = self.master_public_key().g_power(g_table, r);
        Ok((self.multiple(q_table, r)?, w))
    }
}

/// The second argument of a pairing.
#[derive(Clone, Copy)]
pub(super) enum Argument<'a> {
    Point(&'a G2),
    Lines(&'a Lines),
}

/// Clause 8.2.
pub(super) fn encapsulate<R: TryCryptoRng + ?Sized>(
    key: &EncryptionKey,
    rng: &mut R,
    length: usize,
) -> Result<Encapsulated, Error> {
    check_length(length)?;
    for _ in 0..MAX_ZERO_KEYS {
        // A2: r ∈ [1, N − 1]
        let r = random_scalar(rng)?;
        if let Some(made) = encapsulate_with(key, &r, length)? {
            return Ok(made);
        }
    }
    Err(Error::Random)
}

/// Steps A3 to A6; nothing where `K` is all zero and another nonce is needed.
pub(super) fn encapsulate_with(
    key: &EncryptionKey,
    r: &U256,
    length: usize,
) -> Result<Option<Encapsulated>, Error> {
    check_length(length)?;
    let session = key.session(key.used_tables(), r)?;
    encapsulate_in(&session, key.id(), length)
}

/// Step A6, after A3 to A5: `C = [r]Q`, `w = g^r`.
pub(super) fn encapsulate_in(
    (c, w): &Session,
    id: &[u8],
    length: usize,
) -> Result<Option<Encapsulated>, Error> {
    // A6: K = KDF(C ‖ w ‖ ID, klen)
    let derived = derive(c, w, id, length)?;
    Ok(derived.map(|derived| (derived, G1Point(*c))))
}

/// Clause 8.3. A `G1Point` is in `G1` (B1).
pub(super) fn decapsulate(
    key: &DecryptionKey,
    c: &G1Point,
    length: usize,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    check_length(length)?;
    // B2: w' = e(C, de)
    wiped_after::<PAIRING_WORDS, _>(|| decapsulate_in(c, &key.0.pair(c), key.0.id(), length))
}

/// Step B3, after B2: `w' = e(C, de)`.
pub(super) fn decapsulate_in(
    c: &G1Point,
    w: &Gt,
    id: &[u8],
    length: usize,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    check_length(length)?;
    // B3: K' = KDF(C ‖ w' ‖ ID, klen)
    derive(&c.0, w, id, length)?.ok_or(Error::DecryptionFailed)
}

pub(super) fn check_length(length: usize) -> Result<(), Error> {
    if length == 0 || length as u64 > Kdf::MAX_LEN {
        Err(Error::KeyLength)
    } else {
        Ok(())
    }
}

/// The key stream `KDF(C ‖ w ‖ ID)`.
pub(super) fn key_stream(c: &G1, w: &Gt, id: &[u8]) -> Kdf {
    let mut z = Sm3::new();
    z.update(&group::g1_to_bytes(c));
    z.update(Zeroizing::new(group::gt_to_bytes(w)).as_ref());
    z.update(id);
    Kdf::from_prefix(&z)
}

/// What a key is derived from, and its length.
#[cfg(feature = "batch")]
pub(super) struct Derivation<'a> {
    pub(super) c: &'a G1,
    pub(super) w: &'a Gt,
    pub(super) id: &'a [u8],
    pub(super) length: usize,
}

/// `K = KDF(C ‖ w ‖ ID, klen)` of each item, unless it is all zero. Keys of up to 32 bytes, which
/// are one digest of SM3, are computed in its lanes.
#[cfg(feature = "batch")]
pub(super) fn derive_many(
    items: &[Derivation<'_>],
) -> Vec<Result<Option<Zeroizing<Vec<u8>>>, Error>> {
    let start = Sm3::new();
    let mut c_w = Zeroizing::new(vec![[0; 64 + 384]; items.len()]);
    for (bytes, item) in c_w.iter_mut().zip(items) {
        let (c, w) = bytes.split_at_mut(64);
        c.copy_from_slice(&group::g1_to_bytes(item.c));
        w.copy_from_slice(Zeroizing::new(group::gt_to_bytes(item.w)).as_ref());
    }
    let short = |item: &Derivation<'_>| (1..=DIGEST_LEN).contains(&item.length);
    let mut digests = Zeroizing::new(vec![[0; DIGEST_LEN]; items.len()]);
    let places: Vec<usize> = (0..items.len()).filter(|&i| short(&items[i])).collect();
    let inputs = places.iter().map(|&place| {
        let counter: &[u8] = &[0, 0, 0, 1];
        (&start, [c_w[place].as_slice(), items[place].id, counter])
    });
    hash_many(inputs, |i, digest| digests[places[i]] = digest);
    let derive = |(item, digest): (&Derivation<'_>, &[u8; DIGEST_LEN])| {
        check_length(item.length)?;
        if !short(item) {
            return derive(item.c, item.w, item.id, item.length);
        }
        let mut key = zeroed(item.length).ok_or(Error::KeyLength)?;
        key.copy_from_slice(&digest[..item.length]);
        let seen = key.iter().fold(0, |seen, byte| seen | byte);
        Ok((!declassify(seen.ct_eq(&0))).then_some(key))
    };
    items.iter().zip(digests.iter()).map(derive).collect()
}

/// `K = KDF(C ‖ w ‖ ID, klen)`, unless it is all zero.
fn derive(c: &G1, w: &Gt, id: &[u8], length: usize) -> Result<Option<Zeroizing<Vec<u8>>>, Error> {
    let mut key = zeroed(length).ok_or(Error::KeyLength)?;
    let mut stream = key_stream(c, w, id);
    stream.fill(&mut key).map_err(|_| Error::KeyLength)?;
    // A key of zeros is thrown away or refused, so the result may be known.
    Ok((!declassify(stream.all_zero())).then_some(key))
}

impl EncryptionKey {
    /// A key of `length` bytes, and the point `C` to send, from which
    /// [`DecryptionKey::decapsulate`] computes the key.
    ///
    /// The point does not authenticate the sender: anyone can make one. A `C` that was altered
    /// gives another key, and no error. Constant time in the key and the nonce.
    ///
    /// # Errors
    /// [`Error::KeyLength`] for a length of zero or over [`MAX_KEY_LEN`](super::MAX_KEY_LEN);
    /// [`Error::UnusableMasterKey`]; [`Error::Random`] if the operating system's random generator
    /// fails.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.public_key().encryption_key("bob")?;
    /// let (key, c) = bob.encapsulate(32)?;
    /// assert_eq!(master.extract("bob")?.decapsulate(&c, 32)?, key);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.2-2020, clause 8.2.
    #[cfg(feature = "getrandom")]
    pub fn encapsulate(&self, length: usize) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        self.encapsulate_with_rng(&mut getrandom::SysRng, length)
    }

    /// As [`encapsulate`](Self::encapsulate), with nonces from `rng`.
    ///
    /// # Errors
    /// As [`encapsulate`](Self::encapsulate).
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.public_key().encryption_key("bob")?;
    /// let (key, c) = bob.encapsulate_with_rng(&mut getrandom::SysRng, 32)?;
    /// assert_eq!(master.extract("bob")?.decapsulate(&c, 32)?, key);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn encapsulate_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        length: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        encapsulate(self, rng, length)
    }
}

impl EncryptionKey {
    /// As [`encapsulate`](Self::encapsulate), with the nonce `r`, 32 bytes, most significant first.
    ///
    /// **Dangerous**: for test vectors only. Anyone who learns `r` can compute the key.
    ///
    /// # Errors
    /// As [`encapsulate`](Self::encapsulate), and [`Error::Nonce`] for an `r` that is zero, not
    /// below `N`, or leads to a key of zeros.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
    /// assert_eq!(bob.encapsulate_with_nonce(32, &[7; 32])?, bob.encapsulate_with_nonce(32, &[7; 32])?);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "hazmat")]
    pub fn encapsulate_with_nonce(
        &self,
        length: usize,
        r: &[u8; 32],
    ) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        let r = super::scalar::given(r)?;
        encapsulate_with(self, &r, length)?.ok_or(Error::Nonce)
    }
}

impl DecryptionKey {
    /// The key of `length` bytes that the sender of the point `c` made.
    ///
    /// A point that was made for another identity, or altered, gives another key and no error.
    /// Constant time.
    ///
    /// # Errors
    /// [`Error::KeyLength`] for a length of zero or over [`MAX_KEY_LEN`](super::MAX_KEY_LEN);
    /// [`Error::DecryptionFailed`] where the key is all zero, which no sender's is.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.extract("bob")?;
    /// let (key, c) = master.public_key().encryption_key("bob")?.encapsulate(32)?;
    /// assert_eq!(bob.decapsulate(&c, 32)?, key);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.2-2020, clause 8.3.
    pub fn decapsulate(&self, c: &G1Point, length: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
        decapsulate(self, c, length)
    }
}

#[cfg(all(test, feature = "batch"))]
mod tests {
    use super::*;

    /// Lengths of one digest, of more, and those that are refused; keys of one byte, some of which
    /// are zero; identities that end at all places in a block.
    #[test]
    fn many_keys_are_the_single_ones() {
        let w = group::pairing(&group::g1_generator(), &group::g2_generator());
        let (id, mut zeros) = ([7; 130], 0);
        let points: Vec<G1> = (1..=600)
            .map(|r| group::g1_generator_mul(&U256([r, 0, 0, 0])))
            .collect();
        let items: Vec<Derivation<'_>> = points
            .iter()
            .enumerate()
            .map(|(i, c)| Derivation {
                c,
                w: &w,
                id: &id[..i % 130],
                length: [1, 16, 1, 32, 0, 33, 1, 100, usize::MAX][i % 9],
            })
            .collect();
        let keys = derive_many(&items);
        assert_eq!(keys.len(), items.len());
        for (key, item) in keys.into_iter().zip(&items) {
            let expected = check_length(item.length)
                .and_then(|()| derive(item.c, item.w, item.id, item.length));
            zeros += usize::from(matches!(key, Ok(None)));
            assert_eq!(key, expected, "{} bytes", item.length);
        }
        assert!(zeros > 0, "no key was zero");
    }
}
