//! A signing key with its tables.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{G1, G1Table, Gt, GtTable};
use zeroize::Zeroizing;

use super::tag_key;
use crate::nonce::NonceKey;
use crate::sm9::lazy::Lazy;
use crate::sm9::sign::SignOps;
use crate::sm9::{Error, Identity, SigningKey, VerifyingKey};
use crate::stored;

/// A [`SigningKey`] with a table of multiples of `ds` and one of powers of `g = e(P1, Ppub-s)`: a signature then takes
/// neither squares in `GT` nor doublings of points.
///
/// The table of `ds` is as secret as `ds`: it is read whole, in constant time, and wiped with the last clone of this key and of the
/// [`SigningKey`], which have it in common. The table of `g` is the master public key's. Together they take about as long as a few
/// dozen signatures.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::MasterSigningKey;
///
/// let alice = MasterSigningKey::generate()?.extract("alice")?.prepare();
/// for message in [b"one", b"two"] {
///     alice.verifying_key().verify(message, &alice.sign(message)?)?;
/// }
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct PreparedSigningKey(Arc<Inner>);

struct Inner {
    key: SigningKey,
    /// The key's, or read from bytes.
    ds: Lazy<G1Table>,
    /// The master public key's, or read from bytes.
    g: Lazy<GtTable>,
    nonces: NonceKey,
}

impl SigningKey {
    /// This key with its tables; see [`PreparedSigningKey`].
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let signatures = alice.prepare().sign_batch(&["one", "two", "three"]);
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) -> PreparedSigningKey {
        let g = self.master_public_key().shared_g_table();
        PreparedSigningKey::new(self, self.shared_table(), g)
    }
}

/// Kind and version.
const KIND: &[u8; 8] = b"KM9-psk2";

fn tag_key_of(key: &SigningKey) -> Zeroizing<[u8; 32]> {
    tag_key(key.to_bytes().as_ref(), &key.master_public_key().to_bytes())
}

impl PreparedSigningKey {
    /// The length of the tables in bytes, in memory and written.
    ///
    /// ```
    /// assert!(kuaimi::sm9::PreparedSigningKey::TABLE_BYTES < 128 << 10);
    /// ```
    pub const TABLE_BYTES: usize = G1Table::BYTES + GtTable::BYTES;

    fn new(key: &SigningKey, ds: Lazy<G1Table>, g: Lazy<GtTable>) -> Self {
        Self(Arc::new(Inner {
            key: key.clone(),
            ds,
            g,
            nonces: key.nonce_key(),
        }))
    }

    /// The tables as bytes, to store beside the key: [`TABLE_BYTES`](Self::TABLE_BYTES) bytes and 40 more. **Secret**, like the key.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, PreparedSigningKey};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let tables = alice.prepare().to_bytes();
    /// assert_eq!(tables.len(), PreparedSigningKey::TABLE_BYTES + 40);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let tables = [
            &self.ds_table().to_bytes()[..],
            &self.g_table().to_bytes()[..],
        ];
        stored::write(KIND, &tables, tag_key_of(&self.0.key).as_ref())
    }

    /// Reads the tables that [`to_bytes`](Self::to_bytes) wrote, for the key that they belong to. They serve no other key.
    ///
    /// # Errors
    /// [`Error::TableFormat`]; [`Error::TableAltered`] if they belong to another key, or were altered by someone without the key.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, MasterSigningKey, PreparedSigningKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// # let (alice, bob) = (master.extract("alice")?, master.extract("bob")?);
    /// let tables = alice.prepare().to_bytes();
    /// let prepared = PreparedSigningKey::from_bytes(&tables, &alice)?;
    /// let mistaken = PreparedSigningKey::from_bytes(&tables, &bob);
    /// assert_eq!(mistaken.err(), Some(Error::TableAltered));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn from_bytes(bytes: &[u8], key: &SigningKey) -> Result<Self, Error> {
        let mut tables = stored::read(KIND, bytes, tag_key_of(key).as_ref())?;
        let ds = G1Table::from_bytes(tables.bytes(G1Table::BYTES)?)?;
        let g = GtTable::from_bytes(tables.bytes(GtTable::BYTES)?)?;
        tables.end()?;
        Ok(Self::new(key, Lazy::with(ds), Lazy::with(g)))
    }

    /// The key without its tables.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// assert_eq!(*alice.prepare().key(), alice);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn key(&self) -> &SigningKey {
        &self.0.key
    }

    /// As [`SigningKey::identity`].
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// assert_eq!(alice.prepare().identity().id(), b"alice");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn identity(&self) -> Identity<'_> {
        self.0.key.identity()
    }

    /// As [`SigningKey::verifying_key`].
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// assert_eq!(alice.prepare().verifying_key(), alice.verifying_key());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn verifying_key(&self) -> &VerifyingKey {
        self.0.key.verifying_key()
    }

    fn ds_table(&self) -> &G1Table {
        self.0.ds.get(|| G1Table::new(self.0.key.point()))
    }

    fn g_table(&self) -> &GtTable {
        let master = self.0.key.master_public_key();
        self.0.g.get(|| GtTable::new(master.g()))
    }
}

impl SignOps for PreparedSigningKey {
    fn nonce_key(&self) -> NonceKey {
        self.0.nonces.clone()
    }

    fn w(&self, r: &U256) -> Zeroizing<Gt> {
        Zeroizing::new(self.g_table().pow(r))
    }

    fn s(&self, l: &U256) -> G1 {
        self.ds_table().mul(l)
    }

    fn tables(&self) -> Option<(&GtTable, &G1Table)> {
        Some((self.g_table(), self.ds_table()))
    }
}

impl fmt::Debug for PreparedSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("key", &self.0.key)
            .finish_non_exhaustive()
    }
}
