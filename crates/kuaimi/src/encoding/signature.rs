//! Signatures in DER: `SEQUENCE { r INTEGER, s INTEGER }` (GM/T 0009-2012, clause 7.3).

use alloc::vec::Vec;
use core::fmt;

use der::asn1::{AnyRef, BitString};
use spki::{AlgorithmIdentifier, SignatureAlgorithmIdentifier, SignatureBitStringEncoding};

use super::tlv::{Reader, Rules, SEQUENCE, Writer, integer_len};
use super::{Error, FileKind, TextEncoding, oid};
use crate::sm2::{self, Signature, SigningKey, VerifyingKey};

impl Signature {
    /// From strict DER: minimal lengths and integers, no negative integers, nothing after the end.
    /// Variable time. Allocates nothing.
    ///
    /// ```
    /// # use kuaimi::sm2::Signature;
    /// let signature = Signature::from_der(&[0x30, 0x06, 0x02, 0x01, 0x05, 0x02, 0x01, 0x07])?;
    /// assert_eq!((signature.r()[31], signature.s()[31]), (5, 7));
    /// # Ok::<(), kuaimi::encoding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`],
    /// [`Error::NonMinimalLength`], [`Error::NonMinimalInteger`] and [`Error::NegativeInteger`] for
    /// bytes that are not strict DER; [`Error::Sm2`] with the errors of
    /// [`from_bytes`](Self::from_bytes) for `r` and `s` out of range.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        read(bytes, Rules::Strict)
    }

    /// As [`from_der`](Self::from_der), and accepts what some vendors write: bytes after the DER,
    /// integers padded with zero bytes or without the zero byte that makes them positive, lengths
    /// that are not minimal.
    ///
    /// One signature then has many encodings. Do not use this function if a signature's bytes
    /// identify something.
    ///
    /// ```
    /// # use kuaimi::sm2::Signature;
    /// let padded = [0x30, 0x07, 0x02, 0x02, 0x00, 0x05, 0x02, 0x01, 0x07];
    /// assert!(Signature::from_der(&padded).is_err());
    /// assert_eq!(Signature::from_der_lenient(&padded)?.r()[31], 5);
    /// # Ok::<(), kuaimi::encoding::Error>(())
    /// ```
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
///
/// ```
/// assert_eq!(kuaimi::encoding::SignatureForm::Der.to_string(), "der");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// From DER or the 64 bytes `r ‖ s`, with the form that was found.
    ///
    /// ```
    /// use kuaimi::encoding::SignatureForm;
    /// # use kuaimi::sm2::Signature;
    ///
    /// let (signature, form) = Signature::from_any_form(&[0x11; 64])?;
    /// assert_eq!(form, SignatureForm::Raw);
    /// # Ok::<(), kuaimi::encoding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Text`] for hexadecimal or Base64 text, [`Error::Other`] for a device's structure,
    /// [`Error::NotASignature`] for other bytes that neither are 64 nor begin as DER; else the
    /// errors of [`from_der`](Self::from_der) and [`from_bytes`](Self::from_bytes).
    pub fn from_any_form(bytes: &[u8]) -> Result<(Self, SignatureForm), Error> {
        match (Self::from_der(bytes), bytes.first(), bytes.len()) {
            (Ok(signature), ..) => Ok((signature, SignatureForm::Der)),
            (_, _, 64) => Ok((Self::from_slice(bytes)?, SignatureForm::Raw)),
            (Err(error), Some(&SEQUENCE), _)
                if TextEncoding::detect(bytes) == TextEncoding::Binary =>
            {
                Err(error)
            }
            _ => Err(no_signature(bytes)),
        }
    }

    /// From bytes in the form `form`; DER must be strict.
    ///
    /// ```
    /// use kuaimi::encoding::SignatureForm;
    /// # use kuaimi::sm2::Signature;
    ///
    /// let signature = Signature::from_form(SignatureForm::Raw, &[0x11; 64])?;
    /// assert!(Signature::from_form(SignatureForm::Der, &[0x11; 64]).is_err());
    /// # Ok::<(), kuaimi::encoding::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`from_der`](Self::from_der), or of [`from_slice`](Self::from_slice) in
    /// [`Error::Sm2`].
    pub fn from_form(form: SignatureForm, bytes: &[u8]) -> Result<Self, Error> {
        match form {
            SignatureForm::Raw => Ok(Self::from_slice(bytes)?),
            SignatureForm::Der => Self::from_der(bytes),
        }
    }

    /// In the form `form`.
    ///
    /// ```
    /// use kuaimi::encoding::SignatureForm;
    /// # use kuaimi::sm2::Signature;
    ///
    /// let signature = Signature::from_bytes(&[0x11; 64])?;
    /// assert_eq!(signature.to_form(SignatureForm::Raw), [0x11; 64]);
    /// assert_eq!(signature.to_form(SignatureForm::Der).len(), 70);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn to_form(&self, form: SignatureForm) -> Vec<u8> {
        match form {
            SignatureForm::Raw => self.to_bytes().to_vec(),
            SignatureForm::Der => self.to_der().as_bytes().to_vec(),
        }
    }
}

#[cfg(feature = "batch")]
impl From<Result<Signature, Error>> for sm2::batch::SignatureInput {
    /// An error in the DER becomes [`sm2::Error::SignatureEncoding`].
    fn from(decoded: Result<Signature, Error>) -> Self {
        decoded
            .map_err(|error| match error {
                Error::Sm2(reason) => reason,
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

/// SM2 with SM3 (GM/T 0006-2012), without parameters.
const ALGORITHM: AlgorithmIdentifier<AnyRef<'static>> = AlgorithmIdentifier {
    oid: oid::SM2_WITH_SM3,
    parameters: None,
};

impl SignatureAlgorithmIdentifier for SigningKey {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = ALGORITHM;
}

impl SignatureAlgorithmIdentifier for VerifyingKey {
    type Params = AnyRef<'static>;

    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = ALGORITHM;
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
    // A number of more than 256 bits is not below n.
    let r = r.ok_or(sm2::Error::SignatureR)?;
    let s = s.ok_or(sm2::Error::SignatureS)?;
    Ok(Signature::from_scalars(&r, &s)?)
}

/// What these bytes are that are no signature.
fn no_signature(bytes: &[u8]) -> Error {
    match (TextEncoding::detect(bytes), FileKind::of_device(bytes)) {
        (_, Some(kind)) => Error::Other(kind),
        (TextEncoding::Binary | TextEncoding::Pem, None) => Error::NotASignature,
        (encoding, None) => Error::Text(encoding),
    }
}

/// A signature in DER: at most 72 bytes, without an allocation.
///
/// ```
/// # use kuaimi::sm2::Signature;
/// let signature = Signature::from_bytes(&[0x11; 64])?;
/// let der: Vec<u8> = signature.to_der().as_bytes().to_vec();
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct DerSignature {
    bytes: [u8; Self::MAX_LEN],
    len: usize,
}

impl DerSignature {
    /// The maximum length in bytes of a signature in DER.
    ///
    /// ```
    /// use kuaimi::encoding::DerSignature;
    /// use kuaimi::sm2::Signature;
    ///
    /// let der = Signature::from_scalars(&[0xF0; 32], &[0xF1; 32])?.to_der();
    /// assert_eq!(der.as_bytes().len(), DerSignature::MAX_LEN);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub const MAX_LEN: usize = 2 + 2 * (2 + 33);

    /// The bytes.
    ///
    /// ```
    /// # use kuaimi::sm2::Signature;
    /// let der = Signature::from_bytes(&[0x11; 64])?.to_der();
    /// assert_eq!(der.as_bytes().len(), 70);
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
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
