//! Why a connection fails, and what the peer is told.

use core::fmt;

use kuaimi_pki::ErrorKind;
use kuaimi_pki::chain::{Refusal, Rule};

use crate::AlertDescription;

/// Why a connection failed. [`alert`](Self::alert) is what the peer was told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A message is malformed; the value is its name.
    Decode(&'static str),
    /// A message has a value that is not possible there; the value says which.
    IllegalParameter(&'static str),
    /// A message, which the second value names, came where the first was expected.
    UnexpectedMessage(&'static str, &'static str),
    /// The other side does not speak TLCP; the value says what it seems to speak.
    NotTlcp(&'static str),
    /// Another version of the protocol.
    ProtocolVersion(u16),
    /// A record is longer than the standard permits.
    RecordOverflow,
    /// A handshake message is longer than is accepted; the value is its length.
    MessageTooLong(usize),
    /// A record was altered, or protected under other keys. Which part of it is wrong is not said.
    BadRecordMac,
    /// A connection has sent or received 2⁶⁴ − 1 records.
    RecordCounter,
    /// Many records or warnings that say nothing; the value says which.
    TooMany(&'static str),
    /// The two sides have no cipher suite in common.
    NoCommonSuite,
    /// The two sides have no protocol of ALPN in common.
    NoApplicationProtocol,
    /// The server chose an extension that was not offered; the value is its number.
    UnsupportedExtension(u16),
    /// The peer sent no certificates.
    NoCertificate,
    /// A certificate of the peer is malformed.
    MalformedCertificate(kuaimi_pki::Error),
    /// A certificate of the peer has another kind of key than SM2's.
    UnsupportedCertificate,
    /// The chain of a certificate of the peer is refused.
    Certificate(Half, Refusal),
    /// A verifier of the caller's refuses the peer.
    Refused(AlertDescription),
    /// A signature of the peer's is wrong; the value is the message that it is in.
    Signature(&'static str),
    /// The other side's Finished is wrong: the two sides saw different handshakes.
    Finished,
    /// The key exchange failed.
    KeyExchange,
    /// The peer wanted another handshake on this connection, twice.
    Renegotiation,
    /// The peer sent a fatal alert.
    AlertReceived(AlertDescription),
    /// The connection ended during the handshake.
    Closed,
    /// The holder of a private key failed; the value says why.
    PrivateKey(kuaimi_pki::Error),
    /// A certificate of the caller's own, or of an authority to trust, cannot be read.
    OwnCertificate(kuaimi_pki::Error),
    /// The caller's arguments do not fit; the value says which and why.
    Config(&'static str),
    /// The operating system's random generator failed.
    Random,
}

/// Which certificate of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The signing certificate.
    Signing,
    /// The encrypting certificate.
    Encryption,
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Signing => "signing",
            Self::Encryption => "encrypting",
        })
    }
}

impl Error {
    /// The fatal alert that the peer is sent for this error, where it is sent one.
    pub fn alert(&self) -> Option<AlertDescription> {
        use AlertDescription as A;
        Some(match self {
            Self::Decode(_) => A::DECODE_ERROR,
            Self::IllegalParameter(_) | Self::MessageTooLong(_) => A::ILLEGAL_PARAMETER,
            Self::UnexpectedMessage(..) | Self::TooMany(_) => A::UNEXPECTED_MESSAGE,
            Self::NotTlcp(_) | Self::ProtocolVersion(_) => A::PROTOCOL_VERSION,
            Self::RecordOverflow => A::RECORD_OVERFLOW,
            Self::BadRecordMac => A::BAD_RECORD_MAC,
            Self::NoCommonSuite | Self::NoCertificate | Self::KeyExchange => A::HANDSHAKE_FAILURE,
            Self::NoApplicationProtocol => A::NO_APPLICATION_PROTOCOL,
            Self::UnsupportedExtension(_) => A::UNSUPPORTED_EXTENSION,
            Self::MalformedCertificate(_) => A::BAD_CERTIFICATE,
            Self::UnsupportedCertificate => A::UNSUPPORTED_CERTIFICATE,
            Self::Certificate(_, refusal) => alert_of(refusal.rule()),
            Self::Refused(alert) => *alert,
            Self::Signature(_) | Self::Finished => A::DECRYPT_ERROR,
            Self::Renegotiation => A::NO_RENEGOTIATION,
            Self::PrivateKey(_)
            | Self::OwnCertificate(_)
            | Self::Config(_)
            | Self::Random
            | Self::RecordCounter => A::INTERNAL_ERROR,
            Self::AlertReceived(_) | Self::Closed => return None,
        })
    }

    /// Whether the connection failed, by what the peer did or by its own keys: and not by the
    /// caller's arguments and certificates, the generator of random numbers, or a certificate that
    /// a verifier of [`kuaimi_pki::chain`] refuses.
    pub fn is_of_connection(&self) -> bool {
        !matches!(
            self,
            Self::Certificate(..)
                | Self::NoCertificate
                | Self::OwnCertificate(_)
                | Self::Config(_)
                | Self::Random
        )
    }

    /// What the error is about.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::MalformedCertificate(error)
            | Self::PrivateKey(error)
            | Self::OwnCertificate(error) => error.kind(),
            Self::Certificate(..) | Self::Refused(_) | Self::NoCertificate => {
                ErrorKind::CertificateRefused
            }
            Self::UnsupportedCertificate => ErrorKind::OtherAlgorithm,
            Self::BadRecordMac => ErrorKind::DecryptionFailed,
            Self::Signature(_) => ErrorKind::InvalidSignature,
            Self::Finished => ErrorKind::ConfirmationFailed,
            Self::Config(_) => ErrorKind::InvalidArgument,
            Self::Random => ErrorKind::Random,
            _ => ErrorKind::Malformed,
        }
    }
}

fn alert_of(rule: &Rule) -> AlertDescription {
    use AlertDescription as A;
    match rule {
        Rule::NotYetValid(_) | Rule::Expired(_) => A::CERTIFICATE_EXPIRED,
        Rule::UnknownIssuer | Rule::SelfSigned => A::UNKNOWN_CA,
        Rule::Revoked(..) => A::CERTIFICATE_REVOKED,
        Rule::RevocationUnknown(_) | Rule::Limit(_) => A::CERTIFICATE_UNKNOWN,
        Rule::Algorithm(_) | Rule::WeakKey | Rule::KeyUsage(_) | Rule::ExtendedKeyUsage(_) => {
            A::UNSUPPORTED_CERTIFICATE
        }
        _ => A::BAD_CERTIFICATE,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decode(what) => write!(f, "the peer's {what} is malformed"),
            Self::IllegalParameter(what) => write!(f, "the peer sent {what}"),
            Self::UnexpectedMessage(expected, found) => {
                write!(f, "the peer sent {found} where {expected} was expected")
            }
            Self::NotTlcp(what) => write!(f, "the peer does not speak TLCP, but {what}"),
            Self::ProtocolVersion(version) => {
                write!(f, "the peer speaks version {version:04x} and not TLCP 1.1")
            }
            Self::RecordOverflow => f.write_str("the peer sent a record that is too long"),
            Self::MessageTooLong(length) => {
                write!(f, "the peer sent a handshake message of {length} bytes")
            }
            Self::BadRecordMac => f.write_str("a record was altered or has other keys"),
            Self::RecordCounter => f.write_str("the connection has had its last record"),
            Self::TooMany(what) => write!(f, "the peer sent too many {what}"),
            Self::NoCommonSuite => f.write_str("client and server have no cipher suite in common"),
            Self::NoApplicationProtocol => {
                f.write_str("client and server have no application protocol (ALPN) in common")
            }
            Self::UnsupportedExtension(number) => {
                write!(
                    f,
                    "the server answered the extension {number}, which was not sent"
                )
            }
            Self::NoCertificate => f.write_str("the peer sent no certificate"),
            Self::MalformedCertificate(error) => write!(f, "the peer's certificate: {error}"),
            Self::UnsupportedCertificate => f.write_str("the peer's certificate has no SM2 key"),
            Self::Certificate(half, refusal) => write!(f, "the {half} certificate: {refusal}"),
            Self::Refused(alert) => write!(f, "the peer is refused: {alert}"),
            Self::Signature(what) => write!(f, "the signature of the peer's {what} is wrong"),
            Self::Finished => f.write_str("the two sides saw different handshakes (Finished)"),
            Self::KeyExchange => f.write_str("the key exchange failed"),
            Self::Renegotiation => f.write_str("the peer wanted another handshake"),
            Self::AlertReceived(alert) => write!(f, "the peer sent the alert {alert}"),
            Self::Closed => f.write_str("the peer closed the connection during the handshake"),
            Self::PrivateKey(error) => write!(f, "the private key: {error}"),
            Self::OwnCertificate(error) => write!(f, "the certificate: {error}"),
            Self::Config(what) => f.write_str(what),
            Self::Random => f.write_str(ErrorKind::Random.as_str()),
        }
    }
}

impl core::error::Error for Error {}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        let kind = match error {
            Error::Closed => std::io::ErrorKind::UnexpectedEof,
            Error::Config(_) | Error::OwnCertificate(_) => std::io::ErrorKind::InvalidInput,
            _ => std::io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}
