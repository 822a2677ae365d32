//! Prepared keys: a public key with a table of its multiples, so that `[k]P` needs additions only.
//!
//! Without a table, most of the time of `[k]P` goes into 256 doublings. The table has, for each of 52 windows of five bits,
//! the multiples `1, 3, …, 31` of `2^(5i)·P` (see `curve::fixed_base` of `kuaimi-math`). With it, a product is one addition
//! for each window and no doubling.

use core::fmt;

use alloc::sync::Arc;
use rand_core::TryCryptoRng;

use super::encrypt::{Session, encrypt_for};
use super::verify::equation;
use super::{Ciphertext, Error, PublicKey, Signature, VerifyingKey};
use crate::sm3::Sm3;
use kuaimi_math::sm2::group::{self, KeyTable};

/// A [`PublicKey`] with a table of its multiples, for a recipient or a signer that is met often.
///
/// A clone shares the table. The table is computed from public data, in variable time. Encryption with it is constant time in
/// the nonce and the message: each look-up reads all entries of its window.
///
/// *Cost.* [`TABLE_BYTES`](Self::TABLE_BYTES) bytes on the heap, and about the time of three verifications without a table.
/// Verification is then about three times as fast, and encryption of short messages about twice. A
/// [`KeyCache`](super::KeyCache) prepares keys that come back by itself.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{PreparedPublicKey, SecretKey};
///
/// let secret = SecretKey::generate()?;
/// let recipient: PreparedPublicKey = secret.public_key().prepare();
/// for text in [b"the first secret".as_slice(), b"the second"] {
///     assert_eq!(*secret.decrypt(&recipient.encrypt(text)?)?, text);
/// }
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone)]
pub struct PreparedPublicKey {
    public: PublicKey,
    table: Arc<KeyTable>,
}

impl PublicKey {
    /// This key with a table of its multiples. [`PreparedPublicKey`] says what the table costs and gains.
    ///
    /// ```
    /// use kuaimi::sm2::SecretKey;
    ///
    /// let key = *SecretKey::from_bytes(&[7; 32])?.public_key();
    /// assert_eq!(*key.prepare().public_key(), key);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn prepare(&self) -> PreparedPublicKey {
        PreparedPublicKey {
            public: *self,
            table: Arc::new(KeyTable::build_vartime(&self.to_point())),
        }
    }
}

impl PreparedPublicKey {
    /// Bytes of a table on the heap: 52 windows of 16 points of 64 bytes.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm2::PreparedPublicKey::TABLE_BYTES, 52 * 16 * 64);
    /// ```
    pub const TABLE_BYTES: usize = KeyTable::BYTES;

    /// The key without its table.
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    pub(super) fn table(&self) -> &KeyTable {
        &self.table
    }

    /// As [`PublicKey::encrypt`]: the same ciphertexts, in less time.
    ///
    /// # Errors
    /// As [`PublicKey::encrypt`].
    #[cfg(feature = "getrandom")]
    pub fn encrypt(&self, message: &[u8]) -> Result<Ciphertext, Error> {
        self.encrypt_with_rng(&mut getrandom::SysRng, message)
    }

    /// As [`PublicKey::encrypt_with_rng`].
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm2::SecretKey;
    ///
    /// let secret = SecretKey::from_bytes(&[7; 32])?;
    /// let recipient = secret.public_key().prepare();
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
        encrypt_for(rng, message, |k| Session::for_prepared(self, k))
    }
}

impl fmt::Debug for PreparedPublicKey {
    /// The key, without its table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PreparedPublicKey")
            .field(&self.public)
            .finish()
    }
}

impl PartialEq for PreparedPublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.public == other.public
    }
}

impl Eq for PreparedPublicKey {}

impl From<&PublicKey> for PreparedPublicKey {
    fn from(key: &PublicKey) -> Self {
        key.prepare()
    }
}

/// A [`VerifyingKey`] with a table of the multiples of its point: the same verdicts in about a third of the time.
/// [`PreparedPublicKey`] says what the table costs.
///
/// Verifying allocates nothing, and runs in variable time: all that it reads is public.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{Error, SecretKey, SigningKey};
///
/// let signer = SigningKey::new(SecretKey::generate()?);
/// let key = signer.verifying_key().prepare();
/// for message in [b"one message".as_slice(), b"another"] {
///     let signature = signer.sign(message)?;
///     key.verify(message, &signature)?;
///     assert_eq!(key.verify(b"a third", &signature), Err(Error::InvalidSignature));
/// }
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparedVerifyingKey {
    key: VerifyingKey,
    prepared: PreparedPublicKey,
}

impl VerifyingKey {
    /// This key with a table of the multiples of its point. [`PreparedPublicKey`] says what the table costs and gains.
    ///
    /// ```
    /// use kuaimi::sm2::{SecretKey, SigningKey};
    ///
    /// let signer = SigningKey::with_id(SecretKey::from_bytes(&[7; 32])?, b"alice")?;
    /// let key = signer.verifying_key().prepare();
    /// assert_eq!(key.verify(b"a message", &signer.sign_deterministic(b"a message")), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn prepare(&self) -> PreparedVerifyingKey {
        PreparedVerifyingKey {
            prepared: self.public_key().prepare(),
            key: self.clone(),
        }
    }
}

impl PreparedVerifyingKey {
    /// A key that verifies under the default identity, [`DEFAULT_ID`](super::DEFAULT_ID).
    ///
    /// ```
    /// use kuaimi::sm2::{PreparedVerifyingKey, SecretKey, SigningKey};
    ///
    /// let signer = SigningKey::new(SecretKey::from_bytes(&[7; 32])?);
    /// let key = PreparedVerifyingKey::new(signer.public_key().prepare());
    /// assert_eq!(key.verify(b"a message", &signer.sign_deterministic(b"a message")), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn new(prepared: PreparedPublicKey) -> Self {
        Self {
            key: VerifyingKey::new(prepared.public),
            prepared,
        }
    }

    /// A key that verifies under `id`. One table serves any number of identities: a clone of `prepared` shares it.
    ///
    /// ```
    /// use kuaimi::sm2::{PreparedVerifyingKey, SecretKey, SigningKey};
    ///
    /// let secret = SecretKey::from_bytes(&[7; 32])?;
    /// let table = secret.public_key().prepare();
    /// for id in [b"at home", b"at work"] {
    ///     let signature = SigningKey::with_id(secret.clone(), id)?.sign_deterministic(b"a message");
    ///     let key = PreparedVerifyingKey::with_id(table.clone(), id)?;
    ///     assert_eq!(key.verify(b"a message", &signature), Ok(()));
    /// }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::IdTooLong`] for an identity over 8191 bytes.
    pub fn with_id(prepared: PreparedPublicKey, id: &[u8]) -> Result<Self, Error> {
        Ok(Self {
            key: VerifyingKey::with_id(prepared.public, id)?,
            prepared,
        })
    }

    /// The public key.
    ///
    /// ```
    /// use kuaimi::sm2::{PreparedVerifyingKey, SecretKey};
    ///
    /// let secret = SecretKey::from_bytes(&[7; 32])?;
    /// let key = PreparedVerifyingKey::new(secret.public_key().prepare());
    /// assert_eq!(*key.public_key(), *secret.public_key());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn public_key(&self) -> &PublicKey {
        &self.prepared.public
    }

    /// The key without its table.
    ///
    /// ```
    /// use kuaimi::sm2::{PreparedVerifyingKey, SecretKey};
    ///
    /// let secret = SecretKey::from_bytes(&[7; 32])?;
    /// let key = PreparedVerifyingKey::new(secret.public_key().prepare());
    /// assert_eq!(key.verifying_key().public_key(), secret.public_key());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.key
    }

    /// The table, without the identity.
    ///
    /// ```
    /// use kuaimi::sm2::{PreparedVerifyingKey, SecretKey};
    ///
    /// let secret = SecretKey::from_bytes(&[7; 32])?;
    /// let key = PreparedVerifyingKey::new(secret.public_key().prepare());
    /// assert_eq!(key.prepared_public_key().public_key(), secret.public_key());
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn prepared_public_key(&self) -> &PreparedPublicKey {
        &self.prepared
    }

    /// As [`VerifyingKey::message_hash`].
    ///
    /// ```
    /// use kuaimi::sm2::{SecretKey, SigningKey};
    ///
    /// let signer = SigningKey::new(SecretKey::from_bytes(&[7; 32])?);
    /// let key = signer.verifying_key().prepare();
    /// let mut hash = key.message_hash();
    /// hash.update(b"a message ");
    /// hash.update(b"in pieces");
    /// let signature = signer.sign_deterministic(b"a message in pieces");
    /// assert_eq!(key.verify_prehash(&hash.finalize(), &signature), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn message_hash(&self) -> Sm3 {
        self.key.message_hash()
    }

    /// Verifies `signature` over `message`.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it is not this key's signature over this message under this identity.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_prehash(&self.key.digest(message), signature)
    }

    /// Verifies `signature` over the 32-byte digest `e = SM3(Z ‖ M)`.
    ///
    /// ```
    /// use kuaimi::sm2::{SecretKey, SigningKey};
    ///
    /// let signer = SigningKey::new(SecretKey::from_bytes(&[7; 32])?);
    /// let key = signer.verifying_key().prepare();
    /// let mut hash = key.message_hash();
    /// hash.update(b"a message ");
    /// hash.update(b"in pieces");
    /// let signature = signer.sign_deterministic(b"a message in pieces");
    /// assert_eq!(key.verify_prehash(&hash.finalize(), &signature), Ok(()));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it is not this key's signature over this digest.
    pub fn verify_prehash(&self, e: &[u8; 32], signature: &Signature) -> Result<(), Error> {
        self.prepared.verify_prehash(e, signature)
    }
}

impl PreparedPublicKey {
    /// As [`PreparedVerifyingKey::verify_prehash`], which no identity enters.
    pub(super) fn verify_prehash(&self, e: &[u8; 32], signature: &Signature) -> Result<(), Error> {
        let equation = equation(e, signature, self.table());
        if group::verify_prepared_vartime(&equation) {
            Ok(())
        } else {
            Err(Error::InvalidSignature)
        }
    }
}
