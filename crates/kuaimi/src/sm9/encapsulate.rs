//! Key encapsulation (GB/T 38635.2-2020, clause 8): a sender makes a key, and sends a point from
//! which only the holder of the recipient's decryption key can compute it.

use alloc::vec::Vec;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1, G2, Gt, Lines};
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::encryption_key::SendingTables;
use super::scalar::random_scalar;
use super::{DecryptionKey, EncryptionKey, Error, G1Point};
use crate::memory::zeroed;
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
