//! An encryption key with its tables.

use alloc::sync::Arc;
use core::fmt;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::G1Table;
use zeroize::Zeroizing;

use crate::sm9::encapsulate::{QTable, SendOps, SendTables, Session};
use crate::sm9::{EncryptionKey, Error, Identity};

/// An [`EncryptionKey`] with a table of multiples of its identity's point `Q`: an encapsulation or encryption then takes no doubling of
/// a point and no square in `GT`.
///
/// The table takes [`TABLE_BYTES`](Self::TABLE_BYTES) bytes. That of powers of `g = e(Ppub-e, P2)` is the master public key's, computed at the
/// first use and shared.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::MasterEncryptionKey;
///
/// let master = MasterEncryptionKey::generate()?;
/// let bob = master.public_key().encryption_key("bob")?.prepare();
/// for message in [b"one", b"two"] {
///     let ciphertext = bob.encrypt(message)?;
///     assert_eq!(*master.extract("bob")?.decrypt(&ciphertext)?, message);
/// }
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct PreparedEncryptionKey(Arc<Inner>);

struct Inner {
    key: EncryptionKey,
    /// Nothing where `Q` is infinity: the master key cannot serve the identity.
    q: Option<G1Table>,
}

impl EncryptionKey {
    /// This key with its table; see [`PreparedEncryptionKey`].
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// let prepared = bob.encryption_key().prepare();
    /// assert_eq!(*bob.decrypt(&prepared.encrypt(b"a secret")?)?, b"a secret");
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) -> PreparedEncryptionKey {
        self.master_public_key().g_table();
        PreparedEncryptionKey(Arc::new(Inner {
            key: self.clone(),
            q: self.point().ok().map(|q| G1Table::new(&q)),
        }))
    }
}

impl PreparedEncryptionKey {
    /// Bytes of the table in memory.
    ///
    /// ```
    /// assert!(kuaimi::sm9::PreparedEncryptionKey::TABLE_BYTES < 64 << 10);
    /// ```
    pub const TABLE_BYTES: usize = G1Table::BYTES;

    /// The key without its table.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
    /// assert_eq!(*bob.prepare().encryption_key(), bob);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn encryption_key(&self) -> &EncryptionKey {
        &self.0.key
    }

    /// As [`EncryptionKey::identity`].
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
    /// assert_eq!(bob.prepare().identity().id(), b"bob");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn identity(&self) -> Identity<'_> {
        self.0.key.identity()
    }
}

impl SendOps for PreparedEncryptionKey {
    fn id(&self) -> &[u8] {
        SendOps::id(&self.0.key)
    }

    fn session(&self, r: &U256) -> Result<Session, Error> {
        let q = self.0.q.as_ref().ok_or(Error::UnusableMasterKey)?;
        let w = self.0.key.master_public_key().g_table().pow(r);
        Ok((q.mul(r), Zeroizing::new(w)))
    }

    fn tables(&self) -> Option<SendTables<'_>> {
        let q = self.0.q.as_ref()?;
        Some((self.0.key.master_public_key().g_table(), QTable::Q(q)))
    }
}

impl fmt::Debug for PreparedEncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedEncryptionKey")
            .field("key", &self.0.key)
            .finish_non_exhaustive()
    }
}
