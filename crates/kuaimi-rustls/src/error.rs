//! Why files cannot be used for TLS.

use core::fmt;

use kuaimi::{ErrorKind, encoding};

/// Why a key or certificates cannot be used.
///
/// ```
/// use kuaimi_rustls::{Error, Sm2Key};
///
/// let error = Sm2Key::read(b"-----BEGIN CERTIFICATE-----\nMIIB", None).unwrap_err();
/// assert!(matches!(error, Error::Key(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The private key cannot be read.
    Key(encoding::Error),
    /// A certificate cannot be read.
    Certificate(kuaimi_pki::Error),
    /// There is no certificate.
    NoCertificate,
    /// The first certificate has another key than the private key. The value is the place of the
    /// certificate that has this key, counted from 0, if there is one: it has to be the first.
    KeyMismatch(Option<usize>),
    /// The first certificate is the encrypting one of a pair: its keyUsage does not permit
    /// signatures, which TLS 1.3 needs.
    EncryptingCertificate,
}

impl Error {
    /// What the error is about.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Key(error) => error.kind(),
            Self::Certificate(error) => error.kind(),
            Self::NoCertificate => ErrorKind::InvalidArgument,
            Self::KeyMismatch(_) | Self::EncryptingCertificate => ErrorKind::OtherKey,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => write!(f, "the private key: {error}"),
            Self::Certificate(error) => write!(f, "the certificates: {error}"),
            Self::NoCertificate => f.write_str("there is no certificate"),
            Self::KeyMismatch(None) => {
                f.write_str("the private key belongs to none of the certificates")
            }
            Self::KeyMismatch(Some(place)) => write!(
                f,
                "the private key belongs to certificate {}, which has to come first",
                place + 1
            ),
            Self::EncryptingCertificate => f.write_str(
                "this is the encrypting certificate of a pair; TLS 1.3 needs the signing one",
            ),
        }
    }
}

impl core::error::Error for Error {}

impl From<encoding::Error> for Error {
    fn from(error: encoding::Error) -> Self {
        Self::Key(error)
    }
}

impl From<kuaimi_pki::Error> for Error {
    fn from(error: kuaimi_pki::Error) -> Self {
        Self::Certificate(error)
    }
}
