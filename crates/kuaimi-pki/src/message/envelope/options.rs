//! How a message is encrypted.

use super::super::types::{Dialect, Kind};

/// The cipher of a content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContentCipher {
    /// SM4 in CBC mode: what GM/T 0010 has. It does not show alterations.
    #[default]
    Sm4Cbc,
    /// The same, named `1.2.156.10197.1.104` without a mode, as CFCA's SADK names it.
    Sm4CbcNamedSm4,
    /// SM4 in GCM mode: the message is authEnvelopedData.
    Sm4Gcm,
}

/// How a message is encrypted: after GM/T 0010, in CBC mode, with recipients named by issuer and
/// serial number, unless something else is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncryptOptions {
    pub(super) dialect: Dialect,
    pub(super) cipher: ContentCipher,
    pub(super) by_key: bool,
}

impl EncryptOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// With the object identifiers of `dialect`.
    #[must_use]
    pub fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// With this cipher for the content.
    #[must_use]
    pub fn with_cipher(mut self, cipher: ContentCipher) -> Self {
        self.cipher = cipher;
        self
    }

    /// Names recipients by key identifier, as CFCA's SADK does, and not by issuer and serial
    /// number.
    #[must_use]
    pub fn by_key_identifier(mut self) -> Self {
        self.by_key = true;
        self
    }

    pub(super) fn kind(self) -> Kind {
        match self.cipher {
            ContentCipher::Sm4Gcm => Kind::AuthEnveloped,
            _ => Kind::Enveloped,
        }
    }
}
