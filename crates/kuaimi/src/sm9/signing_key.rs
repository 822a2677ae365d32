//! A user's signing key.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use kuaimi_math::sm9::group::{self, G1, G1Table, GtTable};
use kuaimi_platform::declassify;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::identity::KeyIdentity;
use super::sign::SigningTables;
use super::{Error, G1Point, HID_SIGN, Identity, MasterSigningPublicKey, VerifyingKey};
use crate::nonce::NonceKey;
use crate::precompute::{Precompute, Slot};
use once_cell::race::OnceBox;

/// A user's signing key `ds`, a point of `G1`, with the user's identity and the master public key
/// that it is used with. The key generation centre makes it, by
/// [`MasterSigningKey::extract`](super::MasterSigningKey::extract).
///
/// A key that is read from bytes is checked: `e(ds, [H1(ID ‖ hid)]P2 + Ppub-s)` must be
/// `e(P1, Ppub-s)`. This takes a pairing, about as long as a verification, once; a key that was
/// made for another identity, or under another master key, is [`Error::UserKeyMismatch`].
///
/// Signing is constant time. At the second signature the key makes a table of multiples of `ds`,
/// and the master public key one of powers of `g`: a signature then takes neither squares in `GT`
/// nor doublings of points. See [`precompute`](crate::precompute). The table is as secret as `ds`,
/// and is read whole, in constant time. Clones share the key and its table, which are wiped with
/// the last of them; `Debug` shows the public parts only.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{Error, MasterSigningKey, SigningKey};
///
/// let master = MasterSigningKey::generate()?;
/// let alice = master.extract("alice")?;
/// // The user stores the key, and reads it again:
/// let bytes = alice.to_bytes();
/// assert_eq!(SigningKey::from_bytes(&bytes, "alice", master.public_key())?, alice);
/// let wrong = SigningKey::from_bytes(&bytes, "bob", master.public_key());
/// assert_eq!(wrong.err(), Some(Error::UserKeyMismatch));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clause 6.1.
#[derive(Clone)]
pub struct SigningKey(Arc<Inner>);

/// In a box that does not move, since a move leaves a copy that nobody wipes.
struct Inner {
    ds: G1,
    verifying: VerifyingKey,
    /// What the hedged nonces are derived from.
    nonce_key: OnceBox<NonceKey>,
    /// Of `ds`, and as secret.
    table: Slot<G1Table>,
    /// Read from bytes, and for this key alone: who has the key can store what they like.
    stored_g_table: Option<GtTable>,
}

impl SigningKey {
    pub(super) fn new(ds: G1, identity: KeyIdentity, master: MasterSigningPublicKey) -> Self {
        let verifying = VerifyingKey::from_parts(identity, master);
        Self::in_slot(ds, verifying, Slot::new(Precompute::default()), None)
    }

    pub(super) fn in_slot(
        ds: G1,
        verifying: VerifyingKey,
        table: Slot<G1Table>,
        stored_g_table: Option<GtTable>,
    ) -> Self {
        Self(Arc::new(Inner {
            ds,
            verifying,
            nonce_key: OnceBox::new(),
            table,
            stored_g_table,
        }))
    }

    /// The same key, with no table yet, which makes its own by this policy.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey};
    /// use kuaimi::precompute::Precompute;
    ///
    /// # let key = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// assert!(key.with_precompute(Precompute::AtOnce).is_prepared());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[must_use]
    pub fn with_precompute(&self, policy: Precompute) -> Self {
        let verifying = self.0.verifying.clone();
        let key = Self::in_slot(self.0.ds, verifying, Slot::new(policy), None);
        if policy == Precompute::AtOnce {
            key.prepare();
        }
        key
    }

    /// Makes the table now, for this key and its clones, and the master public key's table of
    /// powers of `g`. Together they take about as long as a few dozen signatures.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::Threads;
    /// # use kuaimi::sm9::MasterSigningKey;
    /// let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// alice.prepare();
    /// let signatures = alice.sign_batch(&["one", "two", "three"], Threads::One);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) {
        self.g_table();
        self.table();
    }

    /// Whether both tables were made.
    pub fn is_prepared(&self) -> bool {
        let (g_table, table) = self.known_tables();
        g_table.is_some() && table.is_some()
    }

    /// From `x ‖ y`, 64 bytes, each number 32, most significant first; for this identity (with
    /// [`HID_SIGN`] by default) under this master public key. Constant time apart from the result.
    ///
    /// # Errors
    /// [`Error::UserKeyMismatch`]; [`Error::EmptyIdentity`]; and those of [`G1Point::from_bytes`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, SigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let bytes = master.extract("alice")?.to_bytes();
    /// let key = SigningKey::from_bytes(&bytes, "alice", master.public_key())?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_bytes<'a>(
        xy: &[u8; 64],
        identity: impl Into<Identity<'a>>,
        master: &MasterSigningPublicKey,
    ) -> Result<Self, Error> {
        Self::checked(G1Point::from_bytes(xy)?, identity.into(), master)
    }

    /// As [`from_bytes`](Self::from_bytes), from `x ‖ y`, from `04 ‖ x ‖ y`, or compressed,
    /// `02 ‖ x` or `03 ‖ x`: the compressed form takes a time that depends on the key.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes), and [`Error::PointLength`], [`Error::PointFormat`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, SigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let bytes = [&[4], &master.extract("alice")?.to_bytes()[..]].concat();
    /// let key = SigningKey::from_slice(&bytes, "alice", master.public_key())?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_slice<'a>(
        bytes: &[u8],
        identity: impl Into<Identity<'a>>,
        master: &MasterSigningPublicKey,
    ) -> Result<Self, Error> {
        Self::checked(G1Point::from_slice(bytes)?, identity.into(), master)
    }

    fn checked(
        G1Point(ds): G1Point,
        identity: Identity<'_>,
        master: &MasterSigningPublicKey,
    ) -> Result<Self, Error> {
        let identity = KeyIdentity::new(identity, HID_SIGN)?;
        let key = Self::new(ds, identity, master.clone());
        let p = key.0.verifying.point().ok_or(Error::UserKeyMismatch)?;
        let pairing = Zeroizing::new(group::pairing(&key.0.ds, &p));
        // The error tells whether they are equal.
        if declassify(pairing.as_flattened().ct_eq(master.g().as_flattened())) {
            Ok(key)
        } else {
            Err(Error::UserKeyMismatch)
        }
    }

    /// `x ‖ y`, 64 bytes.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// assert_ne!(master.extract("alice")?.to_bytes(), master.extract("bob")?.to_bytes());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<[u8; 64]> {
        Zeroizing::new(group::g1_to_bytes(&self.0.ds))
    }

    /// The identity that the key is for, with its `hid`.
    ///
    /// ```
    /// # use kuaimi::sm9::{Identity, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let identity = Identity::new(b"alice").with_hid(9);
    /// assert_eq!(master.extract(identity)?.identity(), identity);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn identity(&self) -> Identity<'_> {
        self.0.verifying.identity()
    }

    /// The function identifier of the key, [`HID_SIGN`] unless another was set.
    ///
    /// ```
    /// # use kuaimi::sm9::{HID_SIGN, MasterSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// assert_eq!(master.extract("alice")?.hid(), HID_SIGN);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn hid(&self) -> u8 {
        self.0.verifying.hid()
    }

    /// The master public key that the key is used with.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// assert_eq!(master.extract("alice")?.master_public_key(), master.public_key());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn master_public_key(&self) -> &MasterSigningPublicKey {
        self.0.verifying.master_public_key()
    }

    /// The key that verifies this key's signatures: the identity and the master public key.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// alice.verifying_key().verify(b"a message", &alice.sign(b"a message")?)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.0.verifying
    }

    /// The same key with this master public key, for programs that tell valgrind what is public.
    #[cfg(feature = "memcheck")]
    #[doc(hidden)]
    pub fn under(&self, master: &MasterSigningPublicKey) -> Self {
        let verifying = self.0.verifying.under(master);
        Self::in_slot(self.0.ds, verifying, Slot::new(Precompute::default()), None)
    }

    /// `ds`.
    pub(super) fn point(&self) -> &G1 {
        &self.0.ds
    }

    /// The master public key goes in because the hash depends on it, through `w = e(P1, Ppub-s)^r`:
    /// with one `r` and two hashes, `S1 − S2 = [h2 − h1]ds` gives the key away.
    pub(super) fn nonce_key(&self) -> &NonceKey {
        self.0.nonce_key.get_or_init(|| {
            let (ds, master) = (self.to_bytes(), self.master_public_key().to_bytes());
            let key = NonceKey::new(b"Kuaimi SM9 nonce key", &[ds.as_ref(), &master]);
            Box::new(key)
        })
    }

    /// The tables of `g` and of `ds`, by the policies of the two keys. This counts as a use of
    /// both.
    pub(super) fn used_tables(&self) -> SigningTables<'_> {
        let g_table = self.0.stored_g_table.as_ref();
        let g_table = g_table.or_else(|| self.master_public_key().used_g_table(1));
        (g_table, self.0.table.used(|| Some(self.make_table())))
    }

    /// The tables that were made.
    pub(super) fn known_tables(&self) -> SigningTables<'_> {
        let g_table = self.0.stored_g_table.as_ref();
        let g_table = g_table.or_else(|| self.master_public_key().known_g_table());
        (g_table, self.0.table.peek())
    }

    /// The table of `g`, which is made if it is not there.
    pub(super) fn g_table(&self) -> &GtTable {
        let g_table = self.0.stored_g_table.as_ref();
        g_table.unwrap_or_else(|| self.master_public_key().g_table())
    }

    /// The table of `ds`, which is made if it is not there.
    pub(super) fn table(&self) -> &G1Table {
        self.0.table.get(|| self.make_table())
    }

    fn make_table(&self) -> G1Table {
        G1Table::new(&self.0.ds)
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying", &self.0.verifying)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for SigningKey {
    /// Of the secret point alone.
    fn ct_eq(&self, other: &Self) -> Choice {
        self.to_bytes()
            .as_slice()
            .ct_eq(other.to_bytes().as_slice())
    }
}

impl PartialEq for SigningKey {
    /// In constant time; the identity and the master public key count, too.
    fn eq(&self, other: &Self) -> bool {
        self.0.verifying == other.0.verifying && declassify(self.ct_eq(other))
    }
}

impl Eq for SigningKey {}

impl Drop for Inner {
    fn drop(&mut self) {
        self.ds.zeroize();
    }
}

// With the last clone.
impl ZeroizeOnDrop for SigningKey {}
