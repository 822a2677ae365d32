//! What holds for all rows: keys and identities that no column has, how values are written, and the
//! threads.

use kuaimi::Threads;
use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::PublicKey;

/// How bytes that have a structure are written: keys, signatures, digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// In whichever way gives something well-formed; refused where more than one does.
    #[default]
    Auto,
    /// In hexadecimal.
    Hex,
    /// In Base64.
    Base64,
    /// As they are, in a column of bytes.
    Binary,
}

/// How bytes that can be anything are written: messages, identities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlainEncoding {
    /// As they stand.
    #[default]
    Text,
    /// In hexadecimal.
    Hex,
    /// In Base64.
    Base64,
}

/// How the values of a table are read. The default looks for what keys, digests and signatures are,
/// takes messages and identities as they stand, and gives rows without an identity the usual one.
///
/// ```
/// use kuaimi_bulk::{Encoding, Options, PlainEncoding};
///
/// let options = Options::new()
///     .signature_encoding(Encoding::Base64)
///     .message_encoding(PlainEncoding::Hex)
///     .id(b"alice@example.com");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(crate) key: Option<PublicKey>,
    pub(crate) id: Option<Vec<u8>>,
    pub(crate) empty_id_is_none: bool,
    pub(crate) key_encoding: Encoding,
    pub(crate) signature_encoding: Encoding,
    pub(crate) signature_form: Option<SignatureForm>,
    pub(crate) digest_encoding: Encoding,
    pub(crate) message_encoding: PlainEncoding,
    pub(crate) id_encoding: PlainEncoding,
    pub(crate) threads: Threads,
}

impl Options {
    /// The default.
    pub fn new() -> Self {
        Self::default()
    }

    /// One key for all rows. The column is not read.
    #[must_use]
    pub fn key(mut self, key: PublicKey) -> Self {
        self.key = Some(key);
        self
    }

    /// One identity for all rows, of at most 8191 bytes. The column is not read.
    #[must_use]
    pub fn id(mut self, id: &[u8]) -> Self {
        self.id = Some(id.to_vec());
        self
    }

    /// Whether an empty identity stands for none, as in CSV, which cannot tell them apart.
    #[must_use]
    pub fn empty_id_is_none(mut self, is_none: bool) -> Self {
        self.empty_id_is_none = is_none;
        self
    }

    /// How keys are written.
    #[must_use]
    pub fn key_encoding(mut self, encoding: Encoding) -> Self {
        self.key_encoding = encoding;
        self
    }

    /// How signatures are written.
    #[must_use]
    pub fn signature_encoding(mut self, encoding: Encoding) -> Self {
        self.signature_encoding = encoding;
        self
    }

    /// The structure that all signatures have.
    #[must_use]
    pub fn signature_form(mut self, form: SignatureForm) -> Self {
        self.signature_form = Some(form);
        self
    }

    /// How digests are written.
    #[must_use]
    pub fn digest_encoding(mut self, encoding: Encoding) -> Self {
        self.digest_encoding = encoding;
        self
    }

    /// How messages are written.
    #[must_use]
    pub fn message_encoding(mut self, encoding: PlainEncoding) -> Self {
        self.message_encoding = encoding;
        self
    }

    /// Which threads verify the signatures of a part: the calling one, if nothing else is said.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// How identities are written.
    #[must_use]
    pub fn id_encoding(mut self, encoding: PlainEncoding) -> Self {
        self.id_encoding = encoding;
        self
    }
}
