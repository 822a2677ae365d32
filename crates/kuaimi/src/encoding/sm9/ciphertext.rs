//! Ciphertexts in DER (GB/T 41389-2022):
//! `SEQUENCE { EnType INTEGER, C1 BIT STRING, C3 OCTET STRING, CipherText OCTET STRING }`.

use alloc::vec::Vec;

use super::bit_string;
use crate::encoding::Error;
use crate::encoding::tlv::{
    BIT_STRING, MAX_HEADER_LEN, OCTET_STRING, Reader, Rules, SEQUENCE, Writer, element_len,
    integer_len,
};
use crate::sm9::{Ciphertext, G1Point, Mode};

impl Ciphertext {
    /// From strict DER. `EnType` gives the mode. `C1` may be compressed. Source: GB/T 41389-2022.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm9::{Ciphertext, MasterEncryptionKey};
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// let ciphertext = master.public_key().encryption_key("bob")?.encrypt(b"a secret")?;
    /// assert_eq!(Ciphertext::from_der(&ciphertext.to_der())?, ciphertext);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`],
    /// [`Error::NonMinimalLength`], [`Error::NonMinimalInteger`], [`Error::NegativeInteger`] and
    /// [`Error::Der`] for what is not strict DER; [`Error::UnknownEnType`];
    /// [`Error::DigestLength`]; [`Error::Sm9`] with the reasons of [`G1Point::from_sec1_bytes`] for
    /// `C1`, and for a ciphertext of nothing.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let (header, header_len) = DerHeader::read(bytes, bytes.len() as u64)?;
        // All that follows the header, as it says itself.
        let c2 = bytes.get(header_len..).ok_or(Error::Truncated)?;
        let DerHeader { mode, c1, c3, .. } = header;
        Ok(Self::from_parts(mode, c1, c3, c2.to_vec())?)
    }

    /// In DER: 110 to 130 bytes more than `C2`.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm9::{Ciphertext, MasterEncryptionKey};
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// let ciphertext = master.public_key().encryption_key("bob")?.encrypt(b"a secret")?;
    /// assert_eq!(Ciphertext::from_der(&ciphertext.to_der())?, ciphertext);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_der(&self) -> Vec<u8> {
        let header = DerHeader {
            mode: self.mode,
            c1: self.c1,
            c3: self.c3,
            c2_len: self.c2.len() as u64,
        };
        let (before, after) = header.write_around_c3();
        [before.as_slice(), &self.c3, after.as_slice(), &self.c2].concat()
    }
}

/// All of a ciphertext in DER that comes before `C2`.
pub(crate) struct DerHeader {
    pub(crate) mode: Mode,
    pub(crate) c1: G1Point,
    pub(crate) c3: [u8; 32],
    pub(crate) c2_len: u64,
}

/// Bytes of `C1` in a BIT STRING.
const C1_LEN: u64 = 1 + 65;

impl DerHeader {
    /// The most bytes it takes in strict DER.
    pub(crate) const MAX_LEN: usize = 2 * MAX_HEADER_LEN + (2 + 33) + (2 + 1 + 65) + (2 + 32);

    /// From the first bytes of an encoding of `total` bytes; the length of the header too.
    pub(crate) fn read(head: &[u8], total: u64) -> Result<(Self, usize), Error> {
        let mut reader = Reader::new(head, Rules::Strict);
        let body_len = reader.header(SEQUENCE)?;
        let at = |reader: &Reader<'_>| (head.len() - reader.remaining()) as u64;
        let end = at(&reader).checked_add(body_len).ok_or(Error::Truncated)?;
        if end > total {
            return Err(Error::Truncated);
        }
        if end < total {
            return Err(Error::TrailingBytes);
        }
        let en_type = reader.unsigned()?;
        let c1 = bit_string(&mut reader)?;
        let c3 = reader.value(OCTET_STRING)?;
        let c2_len = reader.header(OCTET_STRING)?;
        // C2 must fill the sequence to its end.
        match at(&reader).checked_add(c2_len) {
            Some(found) if found == end => {}
            Some(found) if found < end => return Err(Error::TrailingBytes),
            _ => return Err(Error::Truncated),
        }
        let mode = Mode::ALL
            .iter()
            .copied()
            .find(|&mode| en_type == Some(number(mode)))
            .ok_or(Error::UnknownEnType)?;
        let c3 = c3
            .try_into()
            .map_err(|_| Error::DigestLength(c3.len() as u64))?;
        let c1 = G1Point::from_sec1_bytes(c1)?;
        let header = Self {
            mode,
            c1,
            c3,
            c2_len,
        };
        Ok((header, head.len() - reader.remaining()))
    }

    /// The bytes before `C3`, and those between it and `C2`.
    pub(crate) fn write_around_c3(&self) -> (Writer<{ Self::MAX_LEN }>, Writer<MAX_HEADER_LEN>) {
        let mode = number(self.mode);
        let mut before = Writer::new();
        before.header(
            SEQUENCE,
            integer_len(&mode) + element_len(C1_LEN) + element_len(32) + element_len(self.c2_len),
        );
        before.unsigned(&mode);
        before.header(BIT_STRING, C1_LEN);
        before.bytes(&[0]);
        before.bytes(&self.c1.to_sec1_bytes());
        before.header(OCTET_STRING, 32);
        let mut after = Writer::new();
        after.header(OCTET_STRING, self.c2_len);
        (before, after)
    }
}

/// `EnType`.
fn number(mode: Mode) -> [u8; 32] {
    let mut number = [0; 32];
    number[31] = mode.en_type();
    number
}
