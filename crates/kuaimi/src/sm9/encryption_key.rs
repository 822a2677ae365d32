//! The key that encrypts for a user: the user's identity and the master public key.

use core::fmt;
use core::hash::{Hash, Hasher};

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1};
use kuaimi_platform::declassify;
use zeroize::Zeroizing;

use super::identity::KeyIdentity;
use super::lazy::Lazy;
use super::{Error, HID_ENCRYPT, Identity, MasterEncryptionPublicKey};

/// The key that encrypts and encapsulates for a user: an identity, with its `hid`, and a master public key. The user need not have a
/// private key yet.
///
/// The tables that the [master public key](MasterEncryptionPublicKey) makes at its second use serve all recipients.
/// [`prepare`](Self::prepare) the key of one that you encrypt for often. Clones share the identity and the precomputation.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{EncryptionKey, MasterEncryptionKey};
///
/// let master = MasterEncryptionKey::generate()?;
/// let bob = EncryptionKey::new(master.public_key(), "bob")?;
/// let ciphertext = bob.encrypt(b"a secret")?;
/// assert_eq!(*master.extract("bob")?.decrypt(&ciphertext)?, b"a secret");
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clauses 8.2 and 9.2.
#[derive(Clone)]
pub struct EncryptionKey {
    identity: KeyIdentity,
    master: MasterEncryptionPublicKey,
    /// `Q = [H1(ID ‖ hid)]P1 + Ppub-e`; nothing where that is infinity.
    q: Lazy<Option<G1>>,
}

impl EncryptionKey {
    /// The key for this identity (with [`HID_ENCRYPT`] by default) under this master public key.
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`].
    ///
    /// ```
    /// # use kuaimi::sm9::{EncryptionKey, Error, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = EncryptionKey::new(master.public_key(), "bob")?;
    /// assert_eq!(EncryptionKey::new(master.public_key(), ""), Err(Error::EmptyIdentity));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new<'a>(
        master: &MasterEncryptionPublicKey,
        identity: impl Into<Identity<'a>>,
    ) -> Result<Self, Error> {
        Self::with_default_hid(master, identity.into(), HID_ENCRYPT)
    }

    /// As [`new`](Self::new), with another `hid` by default.
    pub(super) fn with_default_hid(
        master: &MasterEncryptionPublicKey,
        identity: Identity<'_>,
        hid: u8,
    ) -> Result<Self, Error> {
        let identity = KeyIdentity::new(identity, hid)?;
        Ok(Self::from_parts(identity, master.clone()))
    }

    pub(super) fn from_parts(identity: KeyIdentity, master: MasterEncryptionPublicKey) -> Self {
        Self {
            identity,
            master,
            q: Lazy::new(),
        }
    }

    /// The identity of the recipient, with its `hid`.
    ///
    /// ```
    /// # use kuaimi::sm9::{EncryptionKey, Identity, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let identity = Identity::new(b"bob").with_hid(9);
    /// assert_eq!(EncryptionKey::new(master.public_key(), identity)?.identity(), identity);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn identity(&self) -> Identity<'_> {
        self.identity.identity()
    }

    /// The function identifier, [`HID_ENCRYPT`] unless another was set.
    ///
    /// ```
    /// # use kuaimi::sm9::{EncryptionKey, HID_ENCRYPT, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// assert_eq!(EncryptionKey::new(master.public_key(), "bob")?.hid(), HID_ENCRYPT);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn hid(&self) -> u8 {
        self.identity.hid()
    }

    /// The master public key.
    ///
    /// ```
    /// # use kuaimi::sm9::{EncryptionKey, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = EncryptionKey::new(master.public_key(), "bob")?;
    /// assert_eq!(bob.master_public_key(), master.public_key());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn master_public_key(&self) -> &MasterEncryptionPublicKey {
        &self.master
    }

    /// The same identity with this master public key.
    #[cfg(feature = "memcheck")]
    pub(super) fn under(&self, master: &MasterEncryptionPublicKey) -> Self {
        Self::from_parts(self.identity.clone(), master.clone())
    }

    pub(super) fn key_identity(&self) -> &KeyIdentity {
        &self.identity
    }

    /// `Q = [H1(ID ‖ hid)]P1 + Ppub-e`.
    pub(super) fn point(&self) -> Result<G1, Error> {
        let compute =
            || group::g1_generator_mul_add_vartime(self.identity.h1(), self.master.point());
        self.q.get(compute).ok_or(Error::UnusableMasterKey)
    }

    /// `[r]Q`: as `[r·h1]P1 + [r]Ppub-e`, where the master public key has a table.
    pub(super) fn multiple(&self, r: &U256) -> Result<G1, Error> {
        let Some(table) = self.master.table() else {
            return Ok(group::g1_mul(r, &self.point()?));
        };
        let product = Zeroizing::new(group::scalar_mul(r, self.identity.h1()));
        let point = group::g1_generator_table_mul(&product, r, table);
        // Zeros where Q is infinity. The point is sent, and so may be known.
        let [x, y] = point.map(|coordinate| U256(coordinate).ct_is_zero());
        if declassify(x & y) {
            return Err(Error::UnusableMasterKey);
        }
        Ok(point)
    }
}

impl PartialEq for EncryptionKey {
    fn eq(&self, other: &Self) -> bool {
        self.identity == other.identity && self.master == other.master
    }
}

impl Eq for EncryptionKey {}

impl Hash for EncryptionKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity.hash(state);
        self.master.hash(state);
    }
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncryptionKey")
            .field("identity", &self.identity)
            .field("master", &self.master)
            .finish()
    }
}
