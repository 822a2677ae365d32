//! Any of SM9's six kinds of keys.

use core::fmt;

use der::asn1::ObjectIdentifier;

use crate::encoding::oid;
use crate::sm9::{
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
    UserEncryptionKey, UserSigningKey,
};

/// A key that was read, whatever it is for. `Debug` shows nothing secret.
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
    UserSigning(UserSigningKey),
    /// A user's key for decryption or key exchange.
    UserEncryption(UserEncryptionKey),
}

/// The kinds of keys.
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
    UserEncryption,
}

impl Key {
    /// What it is.
    pub fn kind(&self) -> KeyKind {
        match self {
            Self::MasterSigning(_) => KeyKind::MasterSigning,
            Self::MasterEncryption(_) => KeyKind::MasterEncryption,
            Self::MasterSigningPublic(_) => KeyKind::MasterSigningPublic,
            Self::MasterEncryptionPublic(_) => KeyKind::MasterEncryptionPublic,
            Self::UserSigning(_) => KeyKind::UserSigning,
            Self::UserEncryption(_) => KeyKind::UserEncryption,
        }
    }
}

impl KeyKind {
    /// Whether it is kept from everyone but its owner.
    pub const fn is_secret(self) -> bool {
        !matches!(
            self,
            Self::MasterSigningPublic | Self::MasterEncryptionPublic
        )
    }

    /// Whether it is for signatures.
    pub const fn is_for_signatures(self) -> bool {
        matches!(
            self,
            Self::MasterSigning | Self::MasterSigningPublic | Self::UserSigning
        )
    }

    /// The algorithm that its wrapper names, and that algorithm's parameter, of which a user's key has none.
    pub(super) fn algorithm(self) -> (ObjectIdentifier, Option<ObjectIdentifier>) {
        match self {
            Self::MasterSigning | Self::MasterSigningPublic => (oid::SM9, Some(oid::SM9_SIGN)),
            Self::MasterEncryption | Self::MasterEncryptionPublic => {
                (oid::SM9, Some(oid::SM9_ENCRYPT))
            }
            Self::UserSigning => (oid::SM9_SIGN, None),
            Self::UserEncryption => (oid::SM9_ENCRYPT, None),
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
            Self::UserEncryption => "user's encryption key",
        })
    }
}
