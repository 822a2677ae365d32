//! Prepared keys: a public key with a table of its multiples, from which `[k]P` takes additions alone.
//!
//! A product of an unknown point is bound by its 256 doublings. The table holds, for each of 52 windows of five signs, the
//! multiples `1, 3, …, 31` of `2^(5i)·P` (see `curve::comb`): a product is then one addition a window and no doubling.

use core::fmt;

use alloc::sync::Arc;
use rand_core::TryCryptoRng;

use super::encrypt::{Session, encrypt_for};
use super::verify::equation;
use super::{Ciphertext, Error, PublicKey, Signature, VerifyingKey};
use crate::sm3::Sm3;
use kuaimi_math::sm2::group::{self, KeyTable};

/// A [`PublicKey`] with a table of its multiples: for recipients and signers met again and again.
///
/// Cloning shares the table. The table is computed from public data, in variable time; encryption with it is constant time in
/// the nonce and the message, and reads each of its windows whole.
///
/// *Cost.* [`TABLE_BYTES`](Self::TABLE_BYTES) bytes on the heap, and about as much time as three verifications without a table.
/// Verification is then about three times as fast, and encryption of short messages twice. A [`KeyCache`](super::KeyCache) does
/// this by itself for keys that come back.
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
    /// This key with a table of its multiples; see [`PreparedPublicKey`] for what that costs and is worth.
    pub fn prepare(&self) -> PreparedPublicKey {
        PreparedPublicKey {
            public: *self,
            table: Arc::new(KeyTable::build_vartime(&self.to_point())),
        }
    }
}

impl PreparedPublicKey {
    /// Bytes of a table on the heap: 52 windows of 16 points of 64 bytes.
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

/// A [`VerifyingKey`] with a table of its point's multiples: the same verdicts in about a third of the time. See
/// [`PreparedPublicKey`] for what it costs.
///
/// Verifying allocates nothing, and runs in variable time: all of it is public.
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
    /// This key with a table of its point's multiples; see [`PreparedPublicKey`] for what that costs and is worth.
    pub fn prepare(&self) -> PreparedVerifyingKey {
        PreparedVerifyingKey {
            prepared: self.public_key().prepare(),
            key: self.clone(),
        }
    }
}

impl PreparedVerifyingKey {
    /// Verifies under the default identity, [`DEFAULT_ID`](super::DEFAULT_ID).
    pub fn new(prepared: PreparedPublicKey) -> Self {
        Self {
            key: VerifyingKey::new(prepared.public),
            prepared,
        }
    }

    /// Verifies under `id`. One table serves any number of identities: clone `prepared`, which shares it.
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
    pub fn public_key(&self) -> &PublicKey {
        &self.prepared.public
    }

    /// The key without its table.
    pub fn verifying_key(&self) -> &VerifyingKey {
        &self.key
    }

    /// The table, without the identity.
    pub fn prepared_public_key(&self) -> &PreparedPublicKey {
        &self.prepared
    }

    /// As [`VerifyingKey::message_hash`].
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
