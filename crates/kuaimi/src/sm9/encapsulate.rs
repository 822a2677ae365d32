//! Key encapsulation (GB/T 38635.2-2020, clause 8): a sender makes a key that only the holder of an identity's key can make again.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::points::{self, G1, Gt};
use super::scalar::random_scalar;
use super::{Error, G1Point, HID_ENCRYPT, Identity, MasterEncryptionPublicKey, UserEncryptionKey};
use crate::sm3::{Kdf, Sm3};
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

/// How many nonces are tried for a key that is not all zero. A single byte's is in one of 256 cases: as many in a row come from a
/// generator that is stuck, and asking it for ever would not help.
pub(super) const MAX_ZERO_KEYS: usize = 64;

/// What a sender makes of a nonce `r`: `C = [r]Q` and `w = g^r`.
pub(super) type Session = (G1, Zeroizing<Gt>);

impl MasterEncryptionPublicKey {
    /// A key of `length` bytes for the holder of `identity` (with [`HID_ENCRYPT`] by default), and the point `C` to send, from which
    /// [`UserEncryptionKey::decapsulate`] makes the key again.
    ///
    /// The point authenticates nobody: anyone can make one, and a `C` that was altered gives another key and no error.
    ///
    /// # Errors
    /// [`Error::KeyLength`] for a length of zero or over [`MAX_KEY_LEN`](super::MAX_KEY_LEN); [`Error::EmptyIdentity`];
    /// [`Error::UnusableMasterKey`]; [`Error::Random`] if the operating system's generator fails.
    #[cfg(feature = "getrandom")]
    pub fn encapsulate<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        length: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        self.encapsulate_with_rng(&mut getrandom::SysRng, identity, length)
    }

    /// As [`encapsulate`](Self::encapsulate), with nonces from `rng`.
    ///
    /// # Errors
    /// As [`encapsulate`](Self::encapsulate).
    pub fn encapsulate_with_rng<'a, R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        identity: impl Into<Identity<'a>>,
        length: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        let identity = identity.into();
        let q = self.point_of(&identity, HID_ENCRYPT)?;
        encapsulate(rng, identity.id(), length, |r| self.session(&q, r))
    }

    /// As [`encapsulate`](Self::encapsulate), with the nonce `r`, 32 bytes, most significant first.
    ///
    /// **Dangerous.** Whoever learns `r` has the key. For test vectors.
    ///
    /// # Errors
    /// As [`encapsulate`](Self::encapsulate), and [`Error::Nonce`] for an `r` that is zero, not below `N`, or leads to a key of zeros.
    #[cfg(feature = "hazmat")]
    pub fn encapsulate_with_nonce<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        length: usize,
        r: &[u8; 32],
    ) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        let identity = identity.into();
        let q = self.point_of(&identity, HID_ENCRYPT)?;
        let (c, w) = self.session(&q, &*super::scalar::given(r)?);
        let key = key(&c, &w, identity.id(), length)?.ok_or(Error::Nonce)?;
        Ok((key, G1Point(c)))
    }

    /// `Q = [H1(ID ‖ hid)]P1 + Ppub-e`.
    pub(super) fn point_of(&self, identity: &Identity<'_>, hid: u8) -> Result<G1, Error> {
        self.point_for(&identity.h1(hid)?)
    }

    /// `[h1]P1 + Ppub-e`.
    pub(super) fn point_for(&self, h1: &U256) -> Result<G1, Error> {
        points::g1_generator_mul_add_vartime(h1, self.point()).ok_or(Error::UnusableMasterKey)
    }

    /// `C = [r]Q` and `w = g^r`.
    pub(super) fn session(&self, q: &G1, r: &U256) -> Session {
        (points::g1_mul(r, q), self.g_power(r))
    }

    /// `g^r`.
    pub(super) fn g_power(&self, r: &U256) -> Zeroizing<Gt> {
        Zeroizing::new(points::gt_pow(self.g(), r))
    }
}

/// Clause 8.2, with the way to steps A3 to A5.
pub(super) fn encapsulate<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    id: &[u8],
    length: usize,
    session: impl Fn(&U256) -> Session,
) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
    check_length(length)?;
    for _ in 0..MAX_ZERO_KEYS {
        // A2: r ∈ [1, N − 1]
        let r = random_scalar(rng)?;
        // A3 to A5: C = [r]Q, w = g^r
        let (c, w) = session(&r);
        check_point(&c)?;
        // A6: K = KDF(C ‖ w ‖ ID, klen); again when K is all zero
        if let Some(key) = key(&c, &w, id, length)? {
            return Ok((key, G1Point(c)));
        }
    }
    Err(Error::Random)
}

impl UserEncryptionKey {
    /// The key of `length` bytes that the sender of the point `c` made for `identity`, which must be the one that this key is for.
    ///
    /// A wrong identity, key or point gives a wrong key and no error. Constant time. Who decapsulates more than once should
    /// [`prepare`](Self::prepare).
    ///
    /// # Errors
    /// [`Error::KeyLength`] for a length of zero or over [`MAX_KEY_LEN`](super::MAX_KEY_LEN); [`Error::EmptyIdentity`];
    /// [`Error::DecryptionFailed`] where the key is all zero, which no sender's is.
    pub fn decapsulate<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        c: &G1Point,
        length: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let id = identity.into().checked()?;
        decapsulate(c, &self.pair(c), id, length)
    }

    /// `e(C, de)`.
    pub(super) fn pair(&self, c: &G1Point) -> Zeroizing<Gt> {
        Zeroizing::new(points::pairing(&c.0, self.point()))
    }
}

/// Clause 8.3 from B3 on, with `w' = e(C, de)`. That `C` is in `G1` (B1), a `G1Point` is proof of.
pub(super) fn decapsulate(
    c: &G1Point,
    w: &Gt,
    id: &[u8],
    length: usize,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    key(&c.0, w, id, length)?.ok_or(Error::DecryptionFailed)
}

/// A prepared sender does not see `Q`, and has zeros for `[r]Q` where that is infinity.
pub(super) fn check_point(c: &G1) -> Result<(), Error> {
    let [x, y] = c.map(|coordinate| U256(coordinate).ct_is_zero());
    // The point is sent.
    if declassify(x & y) {
        Err(Error::UnusableMasterKey)
    } else {
        Ok(())
    }
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
    z.update(&points::g1_to_bytes(c));
    z.update(Zeroizing::new(points::gt_to_bytes(w)).as_ref());
    z.update(id);
    Kdf::from_prefix(&z)
}

/// `K = KDF(C ‖ w ‖ ID, klen)`, unless it is all zero.
fn key(c: &G1, w: &Gt, id: &[u8], length: usize) -> Result<Option<Zeroizing<Vec<u8>>>, Error> {
    check_length(length)?;
    let mut key = zeros(length)?;
    let mut stream = key_stream(c, w, id);
    stream.fill(&mut key).map_err(|_| Error::KeyLength)?;
    // Thrown away if it is, or refused, so that it may be known to be.
    Ok((!declassify(stream.all_zero())).then_some(key))
}

/// Room for a key of a length that the caller names: there may not be that much memory.
pub(super) fn zeros(length: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut key = Zeroizing::new(Vec::new());
    key.try_reserve_exact(length)
        .map_err(|_| Error::KeyLength)?;
    key.resize(length, 0);
    Ok(key)
}
