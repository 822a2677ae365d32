//! A user's signing key.

use core::fmt;

use kuaimi_math::sm9::group::{self, G1, G1Table};
use kuaimi_platform::declassify;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::identity::KeyIdentity;
use super::lazy::Lazy;
use super::{Error, G1Point, HID_SIGN, Identity, MasterSigningPublicKey, VerifyingKey};

/// A user's signing key `ds`, a point of `G1`, with the user's identity and the master public key that it is used with. The key
/// generation centre makes it, by [`MasterSigningKey::extract`](super::MasterSigningKey::extract).
///
/// A key that is read from bytes is checked: `e(ds, [H1(ID ‖ hid)]P2 + Ppub-s)` must be `e(P1, Ppub-s)`. This takes a pairing, about as
/// long as a verification, once; a key that was made for another identity, or under another master key, is
/// [`Error::UserKeyMismatch`].
///
/// Signing is constant time. At the second signature a table of multiples of `ds` is made (52 KiB), which the clones share, and the
/// master public key [makes another](MasterSigningPublicKey). [`prepare`](Self::prepare) does so in advance. Wiped when dropped, the
/// table with the last clone; `Debug` shows the public parts only.
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
pub struct SigningKey {
    ds: G1,
    verifying: VerifyingKey,
    /// Of `ds`, and as secret.
    table: Lazy<G1Table>,
}

impl SigningKey {
    pub(super) fn new(ds: G1, identity: KeyIdentity, master: MasterSigningPublicKey) -> Self {
        Self {
            ds,
            verifying: VerifyingKey::from_parts(identity, master),
            table: Lazy::new(),
        }
    }

    /// From `x ‖ y`, 64 bytes, each number 32, most significant first; for this identity (with [`HID_SIGN`] by default) under this
    /// master public key. Constant time apart from the result.
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

    /// As [`from_bytes`](Self::from_bytes), from `x ‖ y`, from `04 ‖ x ‖ y`, or compressed, `02 ‖ x` or `03 ‖ x`: the compressed form
    /// takes a time that depends on the key.
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
        let p = key.verifying.point().ok_or(Error::UserKeyMismatch)?;
        let pairing = Zeroizing::new(group::pairing(&key.ds, &p));
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
        Zeroizing::new(group::g1_to_bytes(&self.ds))
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
        self.verifying.identity()
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
        self.verifying.hid()
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
        self.verifying.master_public_key()
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
        &self.verifying
    }

    /// The same key with this master public key, for programs that tell valgrind what is public.
    #[cfg(feature = "memcheck")]
    #[doc(hidden)]
    pub fn under(&self, master: &MasterSigningPublicKey) -> Self {
        let mut key = self.clone();
        key.verifying = key.verifying.under(master);
        key
    }

    /// `ds`.
    pub(super) fn point(&self) -> &G1 {
        &self.ds
    }

    /// The table of `ds`, which is made at the second use.
    pub(super) fn used_table(&self) -> Option<&G1Table> {
        self.table.used(|| G1Table::new(&self.ds))
    }

    /// The table of `ds`, if it was made.
    pub(super) fn known_table(&self) -> Option<&G1Table> {
        self.table.peek()
    }

    /// The table of `ds`, shared.
    pub(super) fn shared_table(&self) -> Lazy<G1Table> {
        self.table.get(|| G1Table::new(&self.ds));
        self.table.clone()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("verifying", &self.verifying)
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
        self.verifying == other.verifying && declassify(self.ct_eq(other))
    }
}

impl Eq for SigningKey {}

impl Drop for SigningKey {
    fn drop(&mut self) {
        self.ds.zeroize();
    }
}

impl ZeroizeOnDrop for SigningKey {}
