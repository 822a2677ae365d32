//! Any of SM9's six kinds of keys.

use core::fmt;

use der::asn1::ObjectIdentifier;

use super::{UnboundDecryptionKey, UnboundSigningKey};
use crate::encoding::{Error, oid};
use crate::sm9::{
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
};

/// A key of any kind, as [`read_key`](super::read_key) finds it. `Debug` shows nothing secret.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::EncodePrivateKey;
/// use kuaimi::encoding::sm9::{Key, KeyKind, read_key};
/// use kuaimi::sm9::MasterSigningKey;
///
/// let master = MasterSigningKey::generate()?;
/// let (key, _) = read_key(master.to_pkcs8_der()?.as_bytes(), None)?;
/// assert_eq!(key.kind(), KeyKind::MasterSigning);
/// assert_eq!(MasterSigningKey::try_from(key)?, master);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Key {
    /// A master key for signatures.
    MasterSigning(MasterSigningKey),
    /// A master key for encryption and key exchange.
    MasterEncryption(MasterEncryptionKey),
    /// A master public key for signatures.
    MasterSigningPublic(MasterSigningPublicKey),
    /// A master public key for encryption and key exchange.
    MasterEncryptionPublic(MasterEncryptionPublicKey),
    /// A user's signing key.
    UserSigning(UnboundSigningKey),
    /// A user's key for decryption or key exchange.
    UserDecryption(UnboundDecryptionKey),
}

/// The kinds of keys.
///
/// ```
/// use kuaimi::encoding::sm9::KeyKind;
///
/// assert!(KeyKind::UserSigning.is_secret() && KeyKind::UserSigning.is_for_signatures());
/// assert_eq!(KeyKind::MasterSigningPublic.to_string(), "signing master public key");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyKind {
    /// A master key for signatures.
    MasterSigning,
    /// A master key for encryption and key exchange.
    MasterEncryption,
    /// A master public key for signatures.
    MasterSigningPublic,
    /// A master public key for encryption and key exchange.
    MasterEncryptionPublic,
    /// A user's signing key.
    UserSigning,
    /// A user's key for decryption or key exchange.
    UserDecryption,
}

impl Key {
    /// What it is.
    ///
    /// ```
    /// # use kuaimi::encoding::sm9::{Key, KeyKind};
    /// # use kuaimi::sm9::MasterSigningKey;
    /// let key = Key::MasterSigning(MasterSigningKey::from_bytes(&[7; 32])?);
    /// assert_eq!(key.kind(), KeyKind::MasterSigning);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn kind(&self) -> KeyKind {
        match self {
            Self::MasterSigning(_) => KeyKind::MasterSigning,
            Self::MasterEncryption(_) => KeyKind::MasterEncryption,
            Self::MasterSigningPublic(_) => KeyKind::MasterSigningPublic,
            Self::MasterEncryptionPublic(_) => KeyKind::MasterEncryptionPublic,
            Self::UserSigning(_) => KeyKind::UserSigning,
            Self::UserDecryption(_) => KeyKind::UserDecryption,
        }
    }
}

impl KeyKind {
    /// Whether it must be kept secret.
    ///
    /// ```
    /// assert!(!kuaimi::encoding::sm9::KeyKind::MasterSigningPublic.is_secret());
    /// ```
    pub const fn is_secret(self) -> bool {
        !matches!(
            self,
            Self::MasterSigningPublic | Self::MasterEncryptionPublic
        )
    }

    /// Whether it is for signatures.
    ///
    /// ```
    /// assert!(!kuaimi::encoding::sm9::KeyKind::UserDecryption.is_for_signatures());
    /// ```
    pub const fn is_for_signatures(self) -> bool {
        matches!(
            self,
            Self::MasterSigning | Self::MasterSigningPublic | Self::UserSigning
        )
    }

    /// The algorithm that its wrapper names, and that algorithm's parameter, of which a user's key
    /// has none.
    pub(super) fn algorithm(self) -> (ObjectIdentifier, Option<ObjectIdentifier>) {
        match self {
            Self::MasterSigning | Self::MasterSigningPublic => (oid::SM9, Some(oid::SM9_SIGN)),
            Self::MasterEncryption | Self::MasterEncryptionPublic => {
                (oid::SM9, Some(oid::SM9_ENCRYPT))
            }
            Self::UserSigning => (oid::SM9_SIGN, None),
            Self::UserDecryption => (oid::SM9_ENCRYPT, None),
        }
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::MasterSigning => "signing master key",
            Self::MasterEncryption => "encryption master key",
            Self::MasterSigningPublic => "signing master public key",
            Self::MasterEncryptionPublic => "encryption master public key",
            Self::UserSigning => "user's signing key",
            Self::UserDecryption => "user's key for decryption or key exchange",
        })
    }
}

macro_rules! only {
    ($($kind:ident($key:ident)),*) => {$(
        impl TryFrom<Key> for $key {
            type Error = Error;

            /// [`Error::OtherSm9Key`] for a key of another kind.
            fn try_from(key: Key) -> Result<Self, Error> {
                match key {
                    Key::$kind(key) => Ok(key),
                    other => Err(Error::OtherSm9Key(other.kind())),
                }
            }
        }
    )*};
}

only!(
    MasterSigning(MasterSigningKey),
    MasterEncryption(MasterEncryptionKey),
    MasterSigningPublic(MasterSigningPublicKey),
    MasterEncryptionPublic(MasterEncryptionPublicKey),
    UserSigning(UnboundSigningKey),
    UserDecryption(UnboundDecryptionKey)
);
