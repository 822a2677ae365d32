//! Signatures in DER: `SEQUENCE { r INTEGER, s INTEGER }` (GM/T 0009-2012, clause 7.3).

use alloc::vec::Vec;
use core::fmt;

use der::asn1::BitString;
use spki::SignatureBitStringEncoding;

use super::Error;
use super::tlv::{Reader, Rules, SEQUENCE, Writer, integer_len};
use crate::sm2::{self, Signature};

impl Signature {
    /// From strict DER: minimal lengths and integers, no negative integers, nothing after it. Allocates nothing.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`], [`Error::NonMinimalLength`],
    /// [`Error::NonMinimalInteger`] and [`Error::NegativeInteger`] for what is not strict DER; [`Error::Content`] with
    /// the reasons of [`from_bytes`](Self::from_bytes) for `r` and `s` out of range.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        read(bytes, Rules::Strict)
    }

    /// As [`from_der`](Self::from_der), and accepts what some vendors emit: bytes after the DER, integers padded with
    /// zero bytes or without the one that makes them positive, lengths longer than need be.
    ///
    /// One signature then has many encodings: do not use this where a signature's bytes serve as its identity.
    ///
    /// # Errors
    /// As [`from_der`](Self::from_der), less what is accepted.
    pub fn from_der_lenient(bytes: &[u8]) -> Result<Self, Error> {
        read(bytes, Rules::Lenient)
    }

    /// In DER, 8 to 72 bytes. Allocates nothing.
    ///
    /// ```
    /// # use kuaimi::sm2::Signature;
    /// let signature = Signature::from_bytes(&[0x11; 64])?;
    /// let der = signature.to_der();
    /// assert_eq!(der.as_ref()[..4], [0x30, 68, 0x02, 32]);
    /// assert_eq!(Signature::from_der(der.as_ref())?, signature);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_der(&self) -> DerSignature {
        let (r, s) = (self.r(), self.s());
        let mut writer = Writer::<{ DerSignature::MAX_LEN }>::new();
        writer.header(SEQUENCE, integer_len(&r) + integer_len(&s));
        writer.unsigned(&r);
        writer.unsigned(&s);
        let (bytes, len) = writer.into_parts();
        DerSignature { bytes, len }
    }
}

/// How a signature is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignatureForm {
    /// The 64 bytes `r ‖ s`.
    Raw,
    /// `SEQUENCE { r INTEGER, s INTEGER }`.
    Der,
}

impl fmt::Display for SignatureForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Raw => "raw",
            Self::Der => "der",
        })
    }
}

impl Signature {
    /// From DER or the 64 bytes `r ‖ s`, and which of the two it was.
    ///
    /// # Errors
    /// [`Error::NotASignature`] for what neither has the length of the one nor begins as the other; else those of
    /// [`from_der`](Self::from_der) and [`from_bytes`](Self::from_bytes).
    pub fn from_any_form(bytes: &[u8]) -> Result<(Self, SignatureForm), Error> {
        match (Self::from_der(bytes), bytes.first(), bytes.len()) {
            (Ok(signature), ..) => Ok((signature, SignatureForm::Der)),
            (_, _, 64) => Ok((Self::from_slice(bytes)?, SignatureForm::Raw)),
            (Err(error), Some(&SEQUENCE), _) => Err(error),
            _ => Err(Error::NotASignature),
        }
    }

    /// In the form `form`.
    pub fn to_any_form(&self, form: SignatureForm) -> Vec<u8> {
        match form {
            SignatureForm::Raw => self.to_bytes().to_vec(),
            SignatureForm::Der => self.to_der().as_bytes().to_vec(),
        }
    }
}

impl From<Result<Signature, Error>> for sm2::batch::SignatureInput {
    /// What is not DER becomes [`sm2::Error::SignatureEncoding`].
    fn from(decoded: Result<Signature, Error>) -> Self {
        decoded
            .map_err(|error| match error {
                Error::Content(reason) => reason,
                _ => sm2::Error::SignatureEncoding,
            })
            .into()
    }
}

impl SignatureBitStringEncoding for Signature {
    /// In DER, as in certificates.
    fn to_bitstring(&self) -> der::Result<BitString> {
        BitString::from_bytes(self.to_der().as_bytes())
    }
}

fn read(bytes: &[u8], rules: Rules) -> Result<Signature, Error> {
    let mut outer = Reader::new(bytes, rules);
    let mut body = Reader::new(outer.value(SEQUENCE)?, rules);
    if rules == Rules::Strict {
        outer.finish()?;
    }
    let r = body.unsigned()?;
    let s = body.unsigned()?;
    body.finish()?;
    // More than 256 bits are certainly not below n.
    let r = r.ok_or(sm2::Error::SignatureR)?;
    let s = s.ok_or(sm2::Error::SignatureS)?;
    Ok(Signature::from_scalars(&r, &s)?)
}

/// A signature in DER, at most 72 bytes, without a heap.
#[derive(Clone, Copy)]
pub struct DerSignature {
    bytes: [u8; Self::MAX_LEN],
    len: usize,
}

impl DerSignature {
    /// The most bytes a signature has in DER.
    pub const MAX_LEN: usize = 2 + 2 * (2 + 33);

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl AsRef<[u8]> for DerSignature {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for DerSignature {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for DerSignature {}

impl fmt::Debug for DerSignature {
    /// The bytes in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DerSignature(")?;
        for byte in self.as_bytes() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}
