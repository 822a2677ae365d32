//! Ciphertexts in DER (GB/T 41389-2022):
//! `SEQUENCE { EnType INTEGER, C1 BIT STRING, C3 OCTET STRING, CipherText OCTET STRING }`.

use alloc::vec::Vec;

use super::{bit_string, to_bit_string};
use crate::encoding::Error;
use crate::encoding::tlv::{OCTET_STRING, Reader, Rules, SEQUENCE, element, integer};
use crate::sm9::{Ciphertext, G1Point, Mode};

impl Ciphertext {
    /// From strict DER, which says the mode. `C1` may be compressed.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`], [`Error::NonMinimalLength`],
    /// [`Error::NonMinimalInteger`], [`Error::NegativeInteger`] and [`Error::Der`] for what is not strict DER; [`Error::EncryptionType`];
    /// [`Error::DigestLength`]; [`Error::Sm9`] with the reasons of [`G1Point::from_sec1_bytes`] for `C1`, and for a ciphertext of nothing.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let mut outer = Reader::new(bytes, Rules::Strict);
        let mut body = Reader::new(outer.value(SEQUENCE)?, Rules::Strict);
        outer.finish()?;
        let en_type = body.unsigned()?;
        let c1 = bit_string(&mut body)?;
        let c3 = body.value(OCTET_STRING)?;
        let c2 = body.value(OCTET_STRING)?;
        body.finish()?;
        let mode = Mode::ALL
            .into_iter()
            .find(|mode| {
                let mut number = [0; 32];
                number[31] = mode.en_type();
                en_type == Some(number)
            })
            .ok_or(Error::EncryptionType)?;
        let c3 = c3
            .try_into()
            .map_err(|_| Error::DigestLength(c3.len() as u64))?;
        let c1 = G1Point::from_sec1_bytes(c1)?;
        Ok(Self::from_parts(mode, c1, c3, c2.to_vec())?)
    }

    /// In DER: 110 to 130 bytes more than `C2`.
    pub fn to_der(&self) -> Vec<u8> {
        element(
            SEQUENCE,
            &[
                &integer(self.mode.en_type().into()),
                &to_bit_string(&self.c1.to_sec1_bytes()),
                &element(OCTET_STRING, &[&self.c3]),
                &element(OCTET_STRING, &[&self.c2]),
            ],
        )
    }
}
