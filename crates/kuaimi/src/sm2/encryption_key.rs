//! The key of a recipient.

#[cfg(feature = "getrandom")]
use getrandom::SysRng;
use rand_core::TryCryptoRng;

use super::encrypt::{Session, encrypt_for};
use super::point_with_table::PointWithTable;
use super::{Ciphertext, Error, PublicKey, VerifyingKey};
use crate::precompute::Precompute;
use kuaimi_math::sm2::group::KeyTable;

/// A recipient's public key, which keeps a table of its multiples: encryption of short messages
/// takes about half the time with it.
///
/// The table takes [`TABLE_BYTES`](Self::TABLE_BYTES) bytes, and is made when the key is used for
/// the second time: see [`precompute`](crate::precompute). Clones share it. It is computed from
/// public data, in variable time. Encryption with it is constant time in the nonce and the message:
/// each look-up reads all entries of its window.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{EncryptionKey, PrivateKey};
///
/// let secret = PrivateKey::generate()?;
/// let recipient = EncryptionKey::new(*secret.public_key());
/// for text in [b"the first secret".as_slice(), b"the second"] {
///     assert_eq!(*secret.decrypt(&recipient.encrypt(text)?)?, text);
/// }
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct EncryptionKey(PointWithTable);

impl EncryptionKey {
    /// Bytes of the table on the heap: 52 windows of 16 points of 64 bytes.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm2::EncryptionKey::TABLE_BYTES, 52 * 16 * 64);
    /// ```
    pub const TABLE_BYTES: usize = KeyTable::BYTES;

    /// The key of the recipient who has this public key.
    ///
    /// ```
    /// use kuaimi::sm2::{EncryptionKey, PrivateKey};
    ///
    /// let public = *PrivateKey::from_bytes(&[7; 32])?.public_key();
    /// assert_eq!(*EncryptionKey::new(public).public_key(), public);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn new(public: PublicKey) -> Self {
        Self(PointWithTable::new(public))
    }

    pub(super) fn from_point(point: PointWithTable) -> Self {
        Self(point)
    }

    /// The same key, with no table yet, which makes its table by this policy.
    ///
    /// ```
    /// use kuaimi::precompute::Precompute;
    /// use kuaimi::sm2::{EncryptionKey, PrivateKey};
    ///
    /// let key = EncryptionKey::new(*PrivateKey::from_bytes(&[7; 32])?.public_key());
    /// assert!(key.with_precompute(Precompute::AtOnce).is_prepared());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    #[must_use]
    pub fn with_precompute(&self, policy: Precompute) -> Self {
        Self(PointWithTable::with_precompute(*self.0.public(), policy))
    }

    /// The public key.
    pub fn public_key(&self) -> &PublicKey {
        self.0.public()
    }

    /// Makes the table now, for this key and its clones.
    ///
    /// ```
    /// use kuaimi::sm2::{EncryptionKey, PrivateKey};
    ///
    /// let key = EncryptionKey::new(*PrivateKey::from_bytes(&[7; 32])?.public_key());
    /// let clone = key.clone();
    /// key.prepare();
    /// assert!(clone.is_prepared());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn prepare(&self) {
        self.0.prepare();
    }

    /// Whether the table was made.
    pub fn is_prepared(&self) -> bool {
        self.0.known_table().is_some()
    }

    /// The key that verifies this public key's signatures under the default identity,
    /// [`DEFAULT_ID`](super::DEFAULT_ID). It shares the table.
    ///
    /// ```
    /// use kuaimi::sm2::{EncryptionKey, PrivateKey, SigningKey};
    ///
    /// let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
    /// let key = EncryptionKey::new(*signer.public_key());
    /// key.prepare();
    /// assert!(key.verifying_key().is_prepared());
    /// key.verifying_key().verify(b"a message", &signer.sign_deterministic(b"a message"))?;
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey::from_point(self.0.clone())
    }

    /// As [`verifying_key`](Self::verifying_key), under `id`.
    ///
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn verifying_key_with_id(&self, id: &[u8]) -> Result<VerifyingKey, Error> {
        VerifyingKey::from_point_with_id(self.0.clone(), id)
    }

    /// Encrypts `message`, with a nonce from the operating system's random generator; as
    /// [`PublicKey::encrypt`].
    ///
    /// # Errors
    /// As [`PublicKey::encrypt`].
    #[cfg(feature = "getrandom")]
    pub fn encrypt(&self, message: &[u8]) -> Result<Ciphertext, Error> {
        self.encrypt_with_rng(&mut SysRng, message)
    }

    /// As [`encrypt`](Self::encrypt), with a nonce from `rng`.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm2::{EncryptionKey, PrivateKey};
    ///
    /// let secret = PrivateKey::from_bytes(&[7; 32])?;
    /// let recipient = EncryptionKey::new(*secret.public_key());
    /// let ciphertext = recipient.encrypt_with_rng(&mut getrandom::SysRng, b"a secret")?;
    /// assert_eq!(*secret.decrypt(&ciphertext)?, b"a secret");
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PublicKey::encrypt_with_rng`].
    pub fn encrypt_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Ciphertext, Error> {
        match self.0.used_table() {
            Some(table) => encrypt_for(rng, message, |k| Session::with_table(table, k)),
            None => self.public_key().encrypt_with_rng(rng, message),
        }
    }

    /// The table, by the policy of this key; `uses` uses together.
    #[cfg(feature = "batch")]
    pub(super) fn used_table_times(&self, uses: usize) -> Option<&KeyTable> {
        self.0.used_table_times(uses)
    }
}

impl PartialEq for EncryptionKey {
    /// Of the public keys alone.
    fn eq(&self, other: &Self) -> bool {
        self.public_key() == other.public_key()
    }
}

impl Eq for EncryptionKey {}

impl From<&PublicKey> for EncryptionKey {
    fn from(key: &PublicKey) -> Self {
        Self::new(*key)
    }
}
