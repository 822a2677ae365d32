//! The keys that items are about: prepared or not, or an identity under a master public key.

use crate::sm9::encapsulate::{ReceiveOps, SendOps};
use crate::sm9::sign::SignOps;
use crate::sm9::{
    DecryptionKey, EncryptionKey, Error, Identity, MasterEncryptionPublicKey,
    MasterSigningPublicKey, PreparedDecryptionKey, PreparedEncryptionKey, PreparedSigningKey,
    PreparedVerifyingKey, SigningKey, VerifyingKey,
};

macro_rules! from_key {
    ($($reference:ident::$variant:ident($key:ident)),*) => {$(
        impl<'a> From<&'a $key> for $reference<'a> {
            fn from(key: &'a $key) -> Self {
                Self::$variant(key)
            }
        }
    )*};
}

from_key!(
    SigningKeyRef::Key(SigningKey),
    SigningKeyRef::Prepared(PreparedSigningKey),
    Signer::Key(VerifyingKey),
    Signer::Prepared(PreparedVerifyingKey),
    Recipient::Key(EncryptionKey),
    Recipient::Prepared(PreparedEncryptionKey),
    DecryptionKeyRef::Key(DecryptionKey),
    DecryptionKeyRef::Prepared(PreparedDecryptionKey)
);

/// The key that signs.
///
/// ```
/// # use kuaimi::sm9::{MasterSigningKey, batch::SigningKeyRef};
/// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
/// assert!(matches!(SigningKeyRef::from(&alice), SigningKeyRef::Key(_)));
/// assert!(matches!(SigningKeyRef::from(&alice.prepare()), SigningKeyRef::Prepared(_)));
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SigningKeyRef<'a> {
    /// A key.
    Key(&'a SigningKey),
    /// A key with its tables, which is faster.
    Prepared(&'a PreparedSigningKey),
}

impl<'a> SigningKeyRef<'a> {
    pub(super) fn ops(self) -> &'a dyn SignOps {
        match self {
            Self::Key(key) => key,
            Self::Prepared(key) => key,
        }
    }
}

/// Whose signature it should be.
///
/// ```
/// # use kuaimi::sm9::{MasterSigningKey, batch::Signer};
/// # let master = MasterSigningKey::from_bytes(&[7; 32])?.public_key().clone();
/// let known = master.verifying_key("alice")?;
/// assert!(matches!(Signer::from(&known), Signer::Key(_)));
/// let by_name = Signer::Identity { master: &master, identity: "alice".into() };
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Signer<'a> {
    /// An identity under a master public key.
    Key(&'a VerifyingKey),
    /// The same with its lines, which is faster.
    Prepared(&'a PreparedVerifyingKey),
    /// The two parts (with [`HID_SIGN`](crate::sm9::HID_SIGN) by default).
    Identity {
        /// The master public key.
        master: &'a MasterSigningPublicKey,
        /// The identity.
        identity: Identity<'a>,
    },
}

/// Whom a message or a key is for.
///
/// ```
/// # use kuaimi::sm9::{MasterEncryptionKey, batch::Recipient};
/// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().clone();
/// let known = master.encryption_key("bob")?;
/// assert!(matches!(Recipient::from(&known), Recipient::Key(_)));
/// let by_name = Recipient::Identity { master: &master, identity: "bob".into() };
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Recipient<'a> {
    /// An identity under a master public key.
    Key(&'a EncryptionKey),
    /// The same with its table, which is faster.
    Prepared(&'a PreparedEncryptionKey),
    /// The two parts (with [`HID_ENCRYPT`](crate::sm9::HID_ENCRYPT) by default).
    Identity {
        /// The master public key.
        master: &'a MasterEncryptionPublicKey,
        /// The identity.
        identity: Identity<'a>,
    },
}

impl Recipient<'_> {
    /// Calls `f` with the recipient's key.
    pub(in crate::sm9) fn with<T, E: From<Error>>(
        &self,
        f: impl FnOnce(&dyn SendOps) -> Result<T, E>,
    ) -> Result<T, E> {
        f(self.key()?.ops())
    }
}

impl<'a> Recipient<'a> {
    /// The recipient's key.
    pub(super) fn key(&self) -> Result<RecipientKey<'a>, Error> {
        Ok(match *self {
            Self::Key(key) => RecipientKey::Given(key),
            Self::Prepared(key) => RecipientKey::Given(key),
            Self::Identity { master, identity } => {
                RecipientKey::Made(EncryptionKey::new(master, identity)?)
            }
        })
    }
}

/// A recipient's key that was given, or made of an identity.
pub(super) enum RecipientKey<'a> {
    Given(&'a dyn SendOps),
    Made(EncryptionKey),
}

impl RecipientKey<'_> {
    pub(super) fn ops(&self) -> &dyn SendOps {
        match self {
            Self::Given(key) => *key,
            Self::Made(key) => key,
        }
    }
}

/// The key that decrypts or decapsulates.
///
/// ```
/// # use kuaimi::sm9::{MasterEncryptionKey, batch::DecryptionKeyRef};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// assert!(matches!(DecryptionKeyRef::from(&bob), DecryptionKeyRef::Key(_)));
/// assert!(matches!(DecryptionKeyRef::from(&bob.prepare()), DecryptionKeyRef::Prepared(_)));
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum DecryptionKeyRef<'a> {
    /// A key.
    Key(&'a DecryptionKey),
    /// A key with its lines, which is faster.
    Prepared(&'a PreparedDecryptionKey),
}

impl<'a> DecryptionKeyRef<'a> {
    pub(in crate::sm9) fn ops(self) -> &'a dyn ReceiveOps {
        match self {
            Self::Key(key) => key,
            Self::Prepared(key) => key,
        }
    }
}
