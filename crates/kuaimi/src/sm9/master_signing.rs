//! Signing master keys, from which the key generation centre makes users' signing keys (GB/T
//! 38635.2-2020, clause 6.1).

use alloc::boxed::Box;
use alloc::sync::Arc;
#[cfg(feature = "batch")]
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G2, G2Lines, Gt, GtTable, Lines};
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::extract;
#[cfg(feature = "batch")]
use super::extract::extract_batch;
use super::identity::KeyIdentity;
use super::point::{g2_from_bytes, g2_from_slice, g2_to_sec1};
use super::scalar::random_scalar;
use super::{Error, G1Point, HID_SIGN, Identity, SigningKey, VerifyingKey};
#[cfg(feature = "batch")]
use crate::batch::Threads;
use crate::precompute::{Precompute, Slot};
use once_cell::race::OnceBox;

/// A signing master key: an integer `ks` in `[1, N − 1]`, with its public key `Ppub-s = [ks]P2`.
///
/// Its holder can sign for every user, so only the key generation centre may have it. Wiped when
/// dropped. `Debug` shows only the public key. All operations with it are constant time, comparison
/// included.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{Error, MasterSigningKey};
///
/// let master = MasterSigningKey::generate()?;
/// let alice = master.extract("alice@example.com")?;
/// let signature = alice.sign(b"a message")?;
/// let verifier = master.public_key().verifying_key("alice@example.com")?;
/// verifier.verify(b"a message", &signature)?;
///
/// assert_eq!(MasterSigningKey::from_bytes(&master.to_bytes())?, master);
/// assert_eq!(MasterSigningKey::from_bytes(&[0; 32]), Err(Error::MasterKeyRange));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clause 6.1.
#[derive(Clone)]
pub struct MasterSigningKey(Arc<Secret>);

/// In a box that does not move, since a move leaves a copy that nobody wipes. Clones share it.
struct Secret {
    ks: U256,
    public: MasterSigningPublicKey,
}

impl MasterSigningKey {
    /// A new master key from the operating system's random generator.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    ///
    /// ```
    /// use kuaimi::sm9::MasterSigningKey;
    ///
    /// let master = MasterSigningKey::generate()?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, Error> {
        Self::generate_with_rng(&mut getrandom::SysRng)
    }

    /// A new master key from `rng`: numbers of 32 bytes are drawn until one is in range.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails, or is stuck at numbers out of range.
    ///
    /// ```
    /// use kuaimi::sm9::MasterSigningKey;
    ///
    /// let master = MasterSigningKey::generate_with_rng(&mut getrandom::SysRng)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn generate_with_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Ok(Self::new(&*random_scalar(rng)?))
    }

    /// The master key that is the integer in `bytes`, most significant byte first.
    ///
    /// # Errors
    /// [`Error::MasterKeyRange`] unless the integer is in `[1, N − 1]`.
    ///
    /// ```
    /// use kuaimi::sm9::MasterSigningKey;
    ///
    /// assert_eq!(*MasterSigningKey::from_bytes(&[7; 32])?.to_bytes(), [7; 32]);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        Ok(Self::new(&*extract::master_key(bytes)?))
    }

    /// As [`from_bytes`](Self::from_bytes), from a slice of 32 bytes.
    ///
    /// # Errors
    /// [`Error::MasterKeyLength`] for another length, [`Error::MasterKeyRange`] for an integer out
    /// of range.
    ///
    /// ```
    /// use kuaimi::sm9::{Error, MasterSigningKey};
    ///
    /// assert_eq!(MasterSigningKey::from_slice(&[7; 31]), Err(Error::MasterKeyLength(31)));
    /// ```
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(
            bytes
                .try_into()
                .map_err(|_| Error::MasterKeyLength(bytes.len()))?,
        )
    }

    fn new(ks: &U256) -> Self {
        Self(Arc::new(Secret {
            ks: *ks,
            public: MasterSigningPublicKey::new(group::g2_generator_mul(ks)),
        }))
    }

    /// The integer `ks`, 32 bytes, most significant first.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// assert_eq!(*MasterSigningKey::from_bytes(&[7; 32])?.to_bytes(), [7; 32]);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0.ks.to_be_bytes())
    }

    /// The public key, which users and verifiers need.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let published: [u8; 128] = master.public_key().to_bytes();
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn public_key(&self) -> &MasterSigningPublicKey {
        &self.0.public
    }

    /// The signing key of a user (with [`HID_SIGN`] by default): `ds = [t2]P1` with
    /// `t2 = ks / (H1(ID ‖ hid) + ks)`.
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`]; [`Error::UnusableMasterKey`] where `H1(ID ‖ hid) + ks` is a
    /// multiple of `N`.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let alice = master.extract("alice")?;
    /// assert_eq!(alice.identity().id(), b"alice");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn extract<'a>(&self, identity: impl Into<Identity<'a>>) -> Result<SigningKey, Error> {
        let identity = KeyIdentity::new(identity.into(), HID_SIGN)?;
        let ds = group::g1_generator_mul(&*extract::t2(&self.0.ks, &identity)?);
        Ok(SigningKey::new(ds, identity, self.0.public.clone()))
    }

    /// The signing keys of many users, each as [`extract`](Self::extract) gives it, in order: up to
    /// 256 at a time share one inversion modulo `N`, and their points another.
    ///
    /// # Errors
    /// For an item, as [`extract`](Self::extract).
    ///
    /// ```
    /// # use kuaimi::Threads;
    /// # use kuaimi::sm9::{Error, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let keys = master.extract_batch(&["alice".into(), "bob".into(), "".into()], Threads::One);
    /// assert_eq!(keys[1], master.extract("bob"));
    /// assert_eq!(keys[2], Err(Error::EmptyIdentity));
    /// # Ok::<(), Error>(())
    /// ```
    #[cfg(feature = "batch")]
    pub fn extract_batch(
        &self,
        identities: &[Identity<'_>],
        threads: Threads,
    ) -> Vec<Result<SigningKey, Error>> {
        extract_batch(
            threads,
            &self.0.ks,
            identities,
            HID_SIGN,
            group::g1_generator_mul_many,
            |ds, identity| SigningKey::new(*ds, identity, self.0.public.clone()),
        )
    }
}

impl fmt::Debug for MasterSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MasterSigningKey")
            .field("public", &self.0.public)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for MasterSigningKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ks.ct_eq(&other.0.ks)
    }
}

impl PartialEq for MasterSigningKey {
    /// In constant time. The result may be known, as the public keys tell it.
    fn eq(&self, other: &Self) -> bool {
        declassify(self.ct_eq(other))
    }
}

impl Eq for MasterSigningKey {}

impl Drop for Secret {
    fn drop(&mut self) {
        self.ks.zeroize();
    }
}

// With the last clone.
impl ZeroizeOnDrop for MasterSigningKey {}

/// A signing master public key, `Ppub-s`: a point of `G2` other than infinity. Verifiers need it
/// together with an identity, and signers together with the signing key.
///
/// As bytes it is `x ‖ y`, 128 bytes. Each coordinate is an element of `Fq2` with the coefficient
/// of `u` first, and each number has 32 bytes, most significant first. Reading checks that the
/// point is on the twist and in the group of order `N`.
///
/// What signing and verifying under the key have in common is computed when it is needed, and
/// shared by clones, by users' keys and by threads: at the first use `g = e(P1, Ppub-s)` for
/// signing, and the lines of Miller's loop through `Ppub-s` for verifying; when the key is used for
/// the second time, a table of powers of `g`. See [`precompute`](crate::precompute); the sizes are
/// there.
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
pub struct MasterSigningPublicKey(Arc<Public>);

struct Public {
    point: G2,
    g: OnceBox<Gt>,
    g_table: Slot<GtTable>,
    lines: OnceBox<G2Lines>,
}

impl MasterSigningPublicKey {
    fn new(point: G2) -> Self {
        Self::with_policy(point, Precompute::default())
    }

    fn with_policy(point: G2, policy: Precompute) -> Self {
        Self(Arc::new(Public {
            point,
            g: OnceBox::new(),
            g_table: Slot::uncounted(policy),
            lines: OnceBox::new(),
        }))
    }

    /// From `x ‖ y`, 128 bytes. Constant time apart from the result.
    ///
    /// # Errors
    /// [`Error::PointAtInfinity`] where all bytes are zero, as some write infinity;
    /// [`Error::CoordinateRange`], [`Error::NotOnCurve`], [`Error::NotInSubgroup`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, MasterSigningPublicKey};
    /// # let public = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(MasterSigningPublicKey::from_bytes(&public.to_bytes())?, public);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_bytes(xy: &[u8; 128]) -> Result<Self, Error> {
        Ok(Self::new(g2_from_bytes(xy)?))
    }

    /// From `x ‖ y`, from `04 ‖ x ‖ y`, or compressed, `02 ‖ x` or `03 ‖ x`. Variable time.
    ///
    /// # Errors
    /// [`Error::PointLength`], [`Error::PointFormat`], and those of
    /// [`from_bytes`](Self::from_bytes).
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, MasterSigningPublicKey};
    /// # let public = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(MasterSigningPublicKey::from_slice(&public.to_sec1_bytes())?, public);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(g2_from_slice(bytes)?))
    }

    /// `x ‖ y`.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let public = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(public.to_bytes(), public.to_sec1_bytes()[1..]);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_bytes(&self) -> [u8; 128] {
        group::g2_to_bytes(&self.0.point)
    }

    /// `04 ‖ x ‖ y`.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let public = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(public.to_sec1_bytes()[0], 4);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_sec1_bytes(&self) -> [u8; 129] {
        g2_to_sec1(&self.0.point)
    }

    /// The key that verifies a user's signatures (with [`HID_SIGN`] by default): the same as
    /// [`VerifyingKey::new`].
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`].
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let public = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(public.verifying_key("alice")?.identity().id(), b"alice");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn verifying_key<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<VerifyingKey, Error> {
        VerifyingKey::new(self, identity)
    }

    /// The same master public key, with no table yet, which makes its own by this policy. Users'
    /// keys that are made from it share them.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// use kuaimi::precompute::Precompute;
    ///
    /// # let key = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert!(key.with_precompute(Precompute::AtOnce).is_prepared());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[must_use]
    pub fn with_precompute(&self, policy: Precompute) -> Self {
        let key = Self::with_policy(self.0.point, policy);
        if policy == Precompute::AtOnce {
            key.prepare();
        }
        key
    }

    /// Makes the tables now, for this key, its clones and the users' keys that were made from it.
    /// This takes about a millisecond.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// master.public_key().prepare();
    /// let alice = master.extract("alice")?;
    /// alice.verifying_key().verify(b"a message", &alice.sign(b"a message")?)?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn prepare(&self) {
        self.g_table();
        self.lines();
    }

    /// Whether the tables were made.
    pub fn is_prepared(&self) -> bool {
        self.known_g_table().is_some()
    }

    /// The pairing `e(P, Ppub-s)`: for other protocols, and for measurements. 384 bytes, in the
    /// order in which the standard prints elements of `GT`. Constant time.
    ///
    /// ```
    /// use kuaimi::sm9::{G1Point, MasterEncryptionKey, MasterSigningKey};
    ///
    /// // e([a]P1, [b]P2) = e([b]P1, [a]P2)
    /// let (a, b) = ([5; 32], [6; 32]);
    /// let point = |k| G1Point::from_bytes(&MasterEncryptionKey::from_bytes(k)?.public_key().to_bytes());
    /// let pair = |p, q| Ok::<_, kuaimi::sm9::Error>(MasterSigningKey::from_bytes(q)?.public_key().pair_with(&point(p)?));
    /// assert_eq!(pair(&a, &b)?, pair(&b, &a)?);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.1-2020, clause 6.
    pub fn pair_with(&self, p: &G1Point) -> [u8; 384] {
        group::gt_to_bytes(&group::pairing(&p.0, &self.0.point))
    }

    /// `Ppub-s`.
    pub(super) fn point(&self) -> &G2 {
        &self.0.point
    }

    /// `g = e(P1, Ppub-s)`.
    pub(super) fn g(&self) -> &Gt {
        let compute = || group::pairing(&group::g1_generator(), &self.0.point);
        self.0.g.get_or_init(|| Box::new(compute()))
    }

    /// The table of powers of `g`.
    pub(super) fn g_table(&self) -> &GtTable {
        self.0.g_table.get(|| GtTable::new(self.g()))
    }

    /// The table of powers of `g`, if it was made.
    pub(super) fn known_g_table(&self) -> Option<&GtTable> {
        self.0.g_table.peek()
    }

    /// The table of powers of `g`, by the policy of this key, after so many uses together.
    pub(super) fn used_g_table(&self, uses: usize) -> Option<&GtTable> {
        let make = || Some(GtTable::new(self.g()));
        self.0.g_table.used_times(uses, make)
    }

    /// `g^r`, from the table if there is one.
    pub(super) fn g_power(&self, table: Option<&GtTable>, r: &U256) -> Zeroizing<Gt> {
        Zeroizing::new(match table {
            Some(table) => table.pow(r),
            None => group::gt_pow(self.g(), r),
        })
    }

    /// The lines through `Ppub-s`.
    pub(super) fn lines(&self) -> &Lines {
        let compute = || Box::new(G2Lines::new(&self.0.point));
        self.0.lines.get_or_init(compute).lines()
    }
}

// The point is the key; what was computed of it does not count.

impl PartialEq for MasterSigningPublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.point == other.0.point
    }
}

impl Eq for MasterSigningPublicKey {}

impl Hash for MasterSigningPublicKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.point.hash(state);
    }
}

impl fmt::Debug for MasterSigningPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterSigningPublicKey(")?;
        super::write_hex(f, &self.to_bytes())?;
        f.write_str(")")
    }
}
