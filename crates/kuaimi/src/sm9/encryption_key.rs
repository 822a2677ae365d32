//! The key that encrypts for a user: the user's identity and the master public key.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use core::hash::{Hash, Hasher};

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1, G1Table, GtTable};
use kuaimi_platform::declassify;
use zeroize::Zeroizing;

use super::identity::KeyIdentity;
use super::{Error, HID_ENCRYPT, Identity, MasterEncryptionPublicKey};
use crate::precompute::{Precompute, Slot};
use once_cell::race::OnceBox;

/// The key that encrypts and encapsulates for a user: an identity, with its `hid`, and a master
/// public key. The user need not have a private key yet.
///
/// The tables that the [master public key](MasterEncryptionPublicKey) makes at its second use serve
/// all recipients. A key that is used for the second time makes a table of multiples of its
/// `Q = [H1(ID ‖ hid)]P1 + Ppub-e` ([`TABLE_BYTES`](Self::TABLE_BYTES) bytes): an encapsulation
/// then takes no doubling of a point and no square in `GT`. See [`precompute`](crate::precompute).
/// Clones share the table.
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
pub struct EncryptionKey(Arc<Inner>);

struct Inner {
    identity: KeyIdentity,
    master: MasterEncryptionPublicKey,
    /// `Q = [H1(ID ‖ hid)]P1 + Ppub-e`; nothing where that is infinity.
    q: OnceBox<Option<G1>>,
    /// Of multiples of `Q`.
    table: Slot<G1Table>,
}

/// The tables of powers of `g` and of multiples of `Q`, if they were made.
pub(super) type SendingTables<'a> = (Option<&'a GtTable>, Option<QTable<'a>>);

/// A table of multiples of `Q`, or what they are computed from: `[r]Q = [r·h1]P1 + [r]Ppub-e`.
#[derive(Clone, Copy)]
pub(super) enum QTable<'a> {
    Q(&'a G1Table),
    Master { h1: &'a U256, ppub: &'a G1Table },
}

impl EncryptionKey {
    /// Bytes of the table on the heap.
    ///
    /// ```
    /// assert!(kuaimi::sm9::EncryptionKey::TABLE_BYTES < 64 << 10);
    /// ```
    pub const TABLE_BYTES: usize = G1Table::BYTES;

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
        let identity = KeyIdentity::new(identity.into(), HID_ENCRYPT)?;
        Ok(Self::from_parts(identity, master.clone()))
    }

    pub(super) fn from_parts(identity: KeyIdentity, master: MasterEncryptionPublicKey) -> Self {
        Self::with_policy(identity, master, Precompute::default())
    }

    fn with_policy(
        identity: KeyIdentity,
        master: MasterEncryptionPublicKey,
        policy: Precompute,
    ) -> Self {
        Self(Arc::new(Inner {
            identity,
            master,
            q: OnceBox::new(),
            table: Slot::new(policy),
        }))
    }

    /// The same key, with no table yet, which makes its own by this policy.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// use kuaimi::precompute::Precompute;
    ///
    /// # let key = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
    /// assert!(key.with_precompute(Precompute::AtOnce).is_prepared());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[must_use]
    pub fn with_precompute(&self, policy: Precompute) -> Self {
        let (identity, master) = (self.0.identity.clone(), self.0.master.clone());
        let key = Self::with_policy(identity, master, policy);
        if policy == Precompute::AtOnce {
            key.prepare();
        }
        key
    }

    /// Makes the table now, for this key and its clones, and the master public key's table of
    /// powers of `g`.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// bob.encryption_key().prepare();
    /// assert_eq!(*bob.decrypt(&bob.encryption_key().encrypt(b"a secret")?)?, b"a secret");
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) {
        self.0.master.g_table();
        self.0.table.try_get(|| self.make_table());
    }

    /// Whether the table was made.
    pub fn is_prepared(&self) -> bool {
        self.0.table.peek().is_some()
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
        self.0.identity.identity()
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
        self.0.identity.hid()
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
        &self.0.master
    }

    /// The same identity with this master public key.
    #[cfg(feature = "memcheck")]
    pub(super) fn under(&self, master: &MasterEncryptionPublicKey) -> Self {
        Self::from_parts(self.0.identity.clone(), master.clone())
    }

    pub(super) fn key_identity(&self) -> &KeyIdentity {
        &self.0.identity
    }

    /// `Q`; an error where it is infinity, as the master key has no key for this identity then.
    pub(super) fn point(&self) -> Result<G1, Error> {
        let Inner {
            identity, master, ..
        } = &*self.0;
        let compute = || group::g1_generator_mul_add_vartime(identity.h1(), master.point());
        let q = self.0.q.get_or_init(|| Box::new(compute()));
        q.ok_or(Error::UnusableMasterKey)
    }

    /// The tables, by the policies of this key and of its master public key. This counts as a use
    /// of both.
    pub(super) fn used_tables(&self) -> SendingTables<'_> {
        (self.0.master.used_g_table(), self.used_q_table())
    }

    /// What multiples of `Q` are computed from. This counts as a use.
    pub(super) fn used_q_table(&self) -> Option<QTable<'_>> {
        if let Some(table) = self.0.table.used(|| self.make_table()) {
            return Some(QTable::Q(table));
        }
        let (h1, ppub) = (self.0.identity.h1(), self.0.master.used_table()?);
        Some(QTable::Master { h1, ppub })
    }

    fn make_table(&self) -> Option<G1Table> {
        self.point().ok().map(|q| G1Table::new(&q))
    }

    /// `[r]Q`, for a secret `r` other than zero. Constant time in `r`.
    pub(super) fn multiple(&self, table: Option<QTable<'_>>, r: &U256) -> Result<G1, Error> {
        match table {
            None => Ok(group::g1_mul(r, &self.point()?)),
            Some(QTable::Q(table)) => Ok(table.mul(r)),
            Some(QTable::Master { h1, ppub }) => {
                let product = Zeroizing::new(group::scalar_mul(r, h1));
                let point = group::g1_generator_table_mul(&product, r, ppub);
                // Zeros where Q is infinity. The point is sent, and so may be known.
                let [x, y] = point.map(|coordinate| U256(coordinate).ct_is_zero());
                if declassify(x & y) {
                    return Err(Error::UnusableMasterKey);
                }
                Ok(point)
            }
        }
    }
}

impl PartialEq for EncryptionKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.identity == other.0.identity && self.0.master == other.0.master
    }
}

impl Eq for EncryptionKey {}

impl Hash for EncryptionKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.identity.hash(state);
        self.0.master.hash(state);
    }
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncryptionKey")
            .field("identity", &self.0.identity)
            .field("master", &self.0.master)
            .finish()
    }
}
