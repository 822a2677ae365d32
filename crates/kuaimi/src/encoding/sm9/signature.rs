//! Signatures in DER: `SEQUENCE { h OCTET STRING, S BIT STRING }` (GB/T 41389-2022).

use alloc::vec::Vec;

use super::{bit_string, to_bit_string};
use crate::encoding::Error;
use crate::encoding::tlv::{OCTET_STRING, Reader, Rules, SEQUENCE, element};
use crate::sm9::{self, G1Point, Signature};

impl Signature {
    /// From strict DER. `S` may be compressed.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm9::{MasterSigningKey, Signature};
    ///
    /// let signature = MasterSigningKey::generate()?.extract("alice")?.sign(b"a message")?;
    /// let der = signature.to_der();
    /// assert_eq!(der.len(), 104);
    /// assert_eq!(Signature::from_der(&der)?, signature);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`],
    /// [`Error::NonMinimalLength`] and [`Error::Der`] for what is not strict DER; [`Error::Sm9`]
    /// with [`SignatureH`](sm9::Error::SignatureH) for an `h` that has other than 32 bytes or is
    /// out of range, and with the reasons of [`G1Point::from_sec1_bytes`] for `S`.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let mut outer = Reader::new(bytes, Rules::Strict);
        let mut body = Reader::new(outer.value(SEQUENCE)?, Rules::Strict);
        outer.finish()?;
        let h = body.value(OCTET_STRING)?;
        let s = bit_string(&mut body)?;
        body.finish()?;
        let h = h.try_into().map_err(|_| sm9::Error::SignatureH)?;
        Ok(Self::from_parts(h, G1Point::from_sec1_bytes(s)?)?)
    }

    /// In DER, 104 bytes.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm9::{MasterSigningKey, Signature};
    ///
    /// let signature = MasterSigningKey::generate()?.extract("alice")?.sign(b"a message")?;
    /// let der = signature.to_der();
    /// assert_eq!(der.len(), 104);
    /// assert_eq!(Signature::from_der(&der)?, signature);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_der(&self) -> Vec<u8> {
        element(
            SEQUENCE,
            &[
                &element(OCTET_STRING, &[&self.h()]),
                &to_bit_string(&self.s().to_sec1_bytes()),
            ],
        )
    }
}

#[cfg(feature = "batch")]
impl From<Result<Signature, Error>> for sm9::batch::SignatureInput {
    /// What is not DER becomes [`sm9::Error::SignatureEncoding`].
    fn from(decoded: Result<Signature, Error>) -> Self {
        decoded
            .map_err(|error| match error {
                Error::Sm9(reason) => reason,
                _ => sm9::Error::SignatureEncoding,
            })
            .into()
    }
}
