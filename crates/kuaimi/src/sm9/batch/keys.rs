//! The keys of others that items are about: a key, or an identity under a master public key.

use alloc::borrow::Cow;

use crate::sm9::{
    EncryptionKey, Error, Identity, MasterEncryptionPublicKey, MasterSigningPublicKey, VerifyingKey,
};

impl<'a> From<&'a VerifyingKey> for Signer<'a> {
    fn from(key: &'a VerifyingKey) -> Self {
        Self::Key(key)
    }
}

impl<'a> From<&'a EncryptionKey> for Recipient<'a> {
    fn from(key: &'a EncryptionKey) -> Self {
        Self::Key(key)
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
    /// The two parts (with [`HID_ENCRYPT`](crate::sm9::HID_ENCRYPT) by default).
    Identity {
        /// The master public key.
        master: &'a MasterEncryptionPublicKey,
        /// The identity.
        identity: Identity<'a>,
    },
}

impl<'a> Recipient<'a> {
    /// The key, which is made of the two parts if need be.
    pub(in crate::sm9) fn key(&self) -> Result<Cow<'a, EncryptionKey>, Error> {
        Ok(match *self {
            Self::Key(key) => Cow::Borrowed(key),
            Self::Identity { master, identity } => {
                Cow::Owned(EncryptionKey::new(master, identity)?)
            }
        })
    }
}
