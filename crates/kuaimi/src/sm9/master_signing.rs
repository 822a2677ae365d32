//! The key generation centre's side of signatures: master keys, and users' keys made from them (GB/T 38635.2-2020, clause 6.1).

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::master::{self, derive_many};
use super::points::{self, G2, G2Lines, Gt, Lines};
use super::scalar::random_scalar;
use super::shared::Shared;
use super::{Error, G1Point, HID_SIGN, Identity, UserSigningKey};
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

/// A master key for signatures: an integer `ks` in `[1, N − 1]`, with its public key `Ppub-s = [ks]P2`.
///
/// Whoever has it can sign for every user: it belongs to the key generation centre alone. Wiped when dropped; `Debug` shows the
/// public key only; comparing and all that is done with it takes constant time.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{Error, MasterSigningKey};
///
/// let master = MasterSigningKey::generate()?;
/// let alice = master.user_key("alice@example.com")?;
/// let signature = alice.sign(b"a message")?;
/// master.public_key().verify("alice@example.com", b"a message", &signature)?;
///
/// assert_eq!(MasterSigningKey::from_bytes(&master.to_bytes())?, master);
/// assert_eq!(MasterSigningKey::from_bytes(&[0; 32]), Err(Error::MasterKeyRange));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clause 6.1.
#[derive(Clone)]
pub struct MasterSigningKey {
    ks: U256,
    public: MasterSigningPublicKey,
}

impl MasterSigningKey {
    /// A new master key from the operating system's random generator.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, Error> {
        Self::generate_with_rng(&mut getrandom::SysRng)
    }

    /// A new master key from `rng`: numbers of 32 bytes are drawn until one is in range.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails, or is stuck at numbers out of range.
    pub fn generate_with_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Ok(Self::new(&*random_scalar(rng)?))
    }

    /// The master key that is the integer in `bytes`, most significant byte first.
    ///
    /// # Errors
    /// [`Error::MasterKeyRange`] unless the integer is in `[1, N − 1]`.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        Ok(Self::new(&*master::integer(bytes)?))
    }

    /// As [`from_bytes`](Self::from_bytes), from a slice of 32 bytes.
    ///
    /// # Errors
    /// [`Error::MasterKeyLength`] for another length, [`Error::MasterKeyRange`] for an integer out of range.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(
            bytes
                .try_into()
                .map_err(|_| Error::MasterKeyLength(bytes.len()))?,
        )
    }

    fn new(ks: &U256) -> Self {
        Self {
            ks: *ks,
            public: MasterSigningPublicKey::new(points::g2_generator_mul(ks)),
        }
    }

    /// The integer `ks`, most significant byte first.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.ks.to_be_bytes())
    }

    /// The public key, which users and verifiers need.
    pub fn public_key(&self) -> &MasterSigningPublicKey {
        &self.public
    }

    /// The signing key of a user: `ds = [t2]P1` with `t2 = ks / (H1(ID ‖ hid) + ks)`. The `hid` is [`HID_SIGN`] by default.
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`]; [`Error::UnusableMasterKey`] where `H1(ID ‖ hid) + ks` is a multiple of `N`.
    pub fn user_key<'a>(&self, identity: impl Into<Identity<'a>>) -> Result<UserSigningKey, Error> {
        let h1 = identity.into().h1(HID_SIGN)?;
        let t2 = master::derive(&self.ks, &h1)?;
        Ok(UserSigningKey::new(
            points::g1_generator_mul(&t2),
            self.public.clone(),
        ))
    }

    /// The signing keys of many users, each as [`user_key`](Self::user_key) gives it, in order: some hundreds at a time
    /// share one inversion modulo `N`, and their points another. With the feature `rayon` they spread over the threads of the current pool.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm9::{Error, MasterSigningKey};
    ///
    /// let master = MasterSigningKey::generate()?;
    /// let keys = master.user_keys(&["alice".into(), "bob".into(), "".into()]);
    /// assert_eq!(keys[1], master.user_key("bob"));
    /// assert_eq!(keys[2], Err(Error::EmptyIdentity));
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn user_keys(&self, identities: &[Identity<'_>]) -> Vec<Result<UserSigningKey, Error>> {
        derive_many(
            &self.ks,
            identities,
            HID_SIGN,
            points::g1_generator_mul_many,
            |ds| UserSigningKey::new(*ds, self.public.clone()),
        )
    }
}

impl fmt::Debug for MasterSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MasterSigningKey")
            .field("public", &self.public)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for MasterSigningKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.ks.ct_eq(&other.ks)
    }
}

impl PartialEq for MasterSigningKey {
    /// In constant time; whether they are equal may be known, as their public keys tell it.
    fn eq(&self, other: &Self) -> bool {
        declassify(self.ct_eq(other))
    }
}

impl Eq for MasterSigningKey {}

impl Drop for MasterSigningKey {
    fn drop(&mut self) {
        self.ks.zeroize();
    }
}

impl ZeroizeOnDrop for MasterSigningKey {}

/// A master public key for signatures, `Ppub-s`: a point of `G2` other than infinity. It is what a verifier needs beside an identity,
/// and what a signer needs beside the signing key.
///
/// As bytes it is `x ‖ y`, 128 bytes, each coordinate an element of `Fq2` with the coefficient of `u` first, each number 32 bytes,
/// most significant first. Reading one shows that it is on the twist *and* in the group of order `N`.
///
/// What signing and verifying under the key have in common is computed at its first use and kept: `g = e(P1, Ppub-s)`, of which every
/// signature takes a power (384 bytes), and the lines that a Miller loop draws through `Ppub-s`, for verifying (9.6 KiB). Clones, and
/// users' keys made with this one, share both.
///
/// ```
/// use kuaimi::sm9::{Error, MasterSigningPublicKey};
///
/// assert_eq!(MasterSigningPublicKey::from_bytes(&[0; 128]), Err(Error::PointAtInfinity));
/// assert_eq!(MasterSigningPublicKey::from_bytes(&[1; 128]), Err(Error::NotOnCurve));
/// ```
///
/// Source: GB/T 38635.2-2020, clause 6.1.
#[derive(Clone)]
pub struct MasterSigningPublicKey {
    point: G2,
    g: Shared<Gt>,
    lines: Shared<G2Lines>,
}

impl MasterSigningPublicKey {
    fn new(point: G2) -> Self {
        Self {
            point,
            g: Shared::new(),
            lines: Shared::new(),
        }
    }

    /// `Ppub-s`.
    pub(super) fn point(&self) -> &G2 {
        &self.point
    }

    /// `g = e(P1, Ppub-s)`.
    pub(super) fn g(&self) -> &Gt {
        self.g
            .get(|| points::pairing(&points::g1_generator(), &self.point))
    }

    /// The lines through `Ppub-s`.
    pub(super) fn lines(&self) -> &Lines {
        self.lines.get(|| G2Lines::new(&self.point)).lines()
    }

    /// From `x ‖ y`.
    ///
    /// # Errors
    /// [`Error::PointAtInfinity`] where all bytes are zero, as some write infinity; [`Error::CoordinateRange`],
    /// [`Error::NotOnCurve`], [`Error::NotInSubgroup`].
    pub fn from_bytes(xy: &[u8; 128]) -> Result<Self, Error> {
        Ok(Self::new(master::g2_from_bytes(xy)?))
    }

    /// From `x ‖ y`, from `04 ‖ x ‖ y`, or compressed, `02 ‖ x` or `03 ‖ x`. Variable time.
    ///
    /// # Errors
    /// [`Error::PointLength`], [`Error::PointFormat`], and those of [`from_bytes`](Self::from_bytes).
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(master::g2_from_slice(bytes)?))
    }

    /// `x ‖ y`.
    pub fn to_bytes(&self) -> [u8; 128] {
        points::g2_to_bytes(&self.point)
    }

    /// The pairing itself, `e(P, Ppub-s)`: for protocols of one's own, and for measuring. 384 bytes, in the order in which the
    /// standard prints elements of `GT`. Constant time.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm9::{G1Point, MasterEncryptionKey, MasterSigningKey};
    ///
    /// // e([a]P1, [b]P2) = e([b]P1, [a]P2)
    /// let (a, b) = ([5; 32], [6; 32]);
    /// let point = |k| G1Point::from_bytes(&MasterEncryptionKey::from_bytes(k)?.public_key().to_bytes());
    /// let pair = |p, q| Ok::<_, kuaimi::sm9::Error>(MasterSigningKey::from_bytes(q)?.public_key().pair_with(&point(p)?));
    /// assert_eq!(pair(&a, &b)?, pair(&b, &a)?);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.1-2020, clause 6.
    pub fn pair_with(&self, p: &G1Point) -> [u8; 384] {
        points::gt_to_bytes(&points::pairing(&p.0, &self.point))
    }

    /// `04 ‖ x ‖ y`.
    pub fn to_sec1_bytes(&self) -> [u8; 129] {
        master::g2_to_sec1(&self.point)
    }
}

// The point is the key; whether what follows from it was computed yet is of no account.

impl PartialEq for MasterSigningPublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.point == other.point
    }
}

impl Eq for MasterSigningPublicKey {}

impl Hash for MasterSigningPublicKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.point.hash(state);
    }
}

impl fmt::Debug for MasterSigningPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterSigningPublicKey(")?;
        super::write_hex(f, &self.to_bytes())?;
        f.write_str(")")
    }
}
