//! Ciphertexts in their five forms. DER is that of GM/T 0009-2012, clause 7.2:
//! `SEQUENCE { x INTEGER, y INTEGER, hash OCTET STRING, cipherText OCTET STRING }`.

use alloc::vec::Vec;

use super::Error;
use super::tlv::{
    MAX_HEADER_LEN, OCTET_STRING, Reader, Rules, SEQUENCE, Writer, element_len, integer_len,
};
use crate::sm2::{self, Ciphertext, CiphertextForm, PublicKey};

impl Ciphertext {
    /// From bytes in the form `form`; DER must be strict.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{Ciphertext, CiphertextForm, PrivateKey};
    ///
    /// let key = PrivateKey::generate()?;
    /// let made = key.public_key().encrypt(b"a secret")?;
    /// let bytes = made.to_bytes(CiphertextForm::C1C3C2);
    /// assert_eq!(Ciphertext::from_bytes(CiphertextForm::C1C3C2, &bytes)?, made);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Sm2`] for a point or a length that no ciphertext has; for DER, the errors of
    /// [`from_der`](Self::from_der).
    pub fn from_bytes(form: CiphertextForm, bytes: &[u8]) -> Result<Self, Error> {
        match form.raw_layout(bytes.first().copied().unwrap_or_default()) {
            Some(layout) => Ok(Self::from_raw(&layout, bytes)?),
            None => Self::from_der(bytes),
        }
    }

    /// In the form `form`. It is 97 bytes longer than the message; 96 without the leading `04`, and
    /// 104 to 124 in DER.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{CiphertextForm, PrivateKey};
    ///
    /// let ciphertext = PrivateKey::generate()?.public_key().encrypt(b"a secret")?;
    /// assert_eq!(ciphertext.to_bytes(CiphertextForm::C1C3C2).len(), 97 + 8);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn to_bytes(&self, form: CiphertextForm) -> Vec<u8> {
        match form {
            CiphertextForm::C1C3C2 => self.to_raw(false, true),
            CiphertextForm::C1C2C3 => self.to_raw(false, false),
            CiphertextForm::BareC1C3C2 => self.to_raw(true, true),
            CiphertextForm::BareC1C2C3 => self.to_raw(true, false),
            CiphertextForm::Der => self.to_der(),
        }
    }

    /// From strict DER.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{Ciphertext, PrivateKey};
    ///
    /// let made = PrivateKey::generate()?.public_key().encrypt(b"a secret")?;
    /// assert_eq!(Ciphertext::from_der(&made.to_der())?, made);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`],
    /// [`Error::NonMinimalLength`], [`Error::NonMinimalInteger`] and [`Error::NegativeInteger`] for
    /// bytes that are not strict DER; [`Error::DigestLength`]; [`Error::Sm2`] for a point off the
    /// curve, a coordinate not below `p`, or an empty `C2`.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        read(bytes, Rules::Strict)
    }

    /// As [`from_der`](Self::from_der), and accepts what some vendors write: bytes after the DER,
    /// integers padded with zero bytes or without the zero byte that makes them positive, lengths
    /// that are not minimal.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{Ciphertext, PrivateKey};
    ///
    /// let made = PrivateKey::generate()?.public_key().encrypt(b"a secret")?;
    /// let padded = [made.to_der(), vec![0; 16]].concat();
    /// assert!(Ciphertext::from_der(&padded).is_err());
    /// assert_eq!(Ciphertext::from_der_lenient(&padded)?, made);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_der`](Self::from_der), less what is accepted.
    pub fn from_der_lenient(bytes: &[u8]) -> Result<Self, Error> {
        read(bytes, Rules::Lenient)
    }

    /// In DER (GM/T 0009-2012).
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let der = PrivateKey::generate()?.public_key().encrypt(b"a secret")?.to_der();
    /// assert_eq!(der[0], 0x30);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn to_der(&self) -> Vec<u8> {
        let header = DerHeader {
            point: self.c1,
            digest: self.c3,
            c2_len: self.c2.len() as u64,
        };
        let header = header.write();
        let mut out = Vec::with_capacity(header.as_slice().len() + self.c2.len());
        out.extend_from_slice(header.as_slice());
        out.extend_from_slice(&self.c2);
        out
    }
}

fn read(bytes: &[u8], rules: Rules) -> Result<Ciphertext, Error> {
    let (header, header_len) = DerHeader::read(bytes, bytes.len() as u64, rules)?;
    let c2 = bytes
        .get(header_len..)
        .and_then(|rest| rest.get(..usize::try_from(header.c2_len).ok()?))
        .ok_or(Error::Truncated)?;
    Ok(Ciphertext::from_parts(
        header.point,
        header.digest,
        c2.to_vec(),
    )?)
}

/// The part of a ciphertext in DER that precedes the content of `cipherText`, which is `C2`.
pub(crate) struct DerHeader {
    pub(crate) point: PublicKey,
    pub(crate) digest: [u8; 32],
    pub(crate) c2_len: u64,
}

impl DerHeader {
    /// The most bytes that it takes in strict DER.
    pub(crate) const MAX_LEN: usize = 2 * MAX_HEADER_LEN + 2 * (2 + 33) + (2 + 32);

    /// From the first bytes of an encoding of `total` bytes, with the header's own length.
    pub(crate) fn read(head: &[u8], total: u64, rules: Rules) -> Result<(Self, usize), Error> {
        let mut reader = Reader::new(head, rules);
        let body_len = reader.header(SEQUENCE)?;
        // The bytes after the sequence's header, in the whole encoding.
        let available = total.saturating_sub((head.len() - reader.remaining()) as u64);
        if body_len > available {
            return Err(Error::Truncated);
        }
        if body_len < available && rules == Rules::Strict {
            return Err(Error::TrailingBytes);
        }
        let body_start = head.len() - reader.remaining();

        let x = reader.unsigned()?;
        let y = reader.unsigned()?;
        let digest = reader.value(OCTET_STRING)?;
        let c2_len = reader.header(OCTET_STRING)?;

        // C2 must fill the sequence to its end.
        let header_len = head.len() - reader.remaining();
        let left = body_len.checked_sub((header_len - body_start) as u64);
        match left.map(|left| left.cmp(&c2_len)) {
            None | Some(core::cmp::Ordering::Less) => return Err(Error::Truncated),
            Some(core::cmp::Ordering::Greater) => return Err(Error::TrailingBytes),
            Some(core::cmp::Ordering::Equal) => {}
        }

        let digest = digest
            .try_into()
            .map_err(|_| Error::DigestLength(digest.len() as u64))?;
        // A number of more than 256 bits is not below p.
        let (x, y) = x.zip(y).ok_or(sm2::Error::CoordinateRange)?;
        let mut xy = [0; 64];
        xy[..32].copy_from_slice(&x);
        xy[32..].copy_from_slice(&y);
        let header = Self {
            point: PublicKey::from_xy_bytes(&xy)?,
            digest,
            c2_len,
        };
        Ok((header, header_len))
    }

    /// The bytes that precede `C2`.
    pub(crate) fn write(&self) -> Writer<{ Self::MAX_LEN }> {
        let (before, after) = self.write_around_digest();
        let mut whole = Writer::new();
        for part in [before.as_slice(), &self.digest, after.as_slice()] {
            whole.bytes(part);
        }
        whole
    }

    /// The bytes before the digest, and those between it and `C2`.
    pub(crate) fn write_around_digest(
        &self,
    ) -> (Writer<{ Self::MAX_LEN }>, Writer<MAX_HEADER_LEN>) {
        let [x, y] = self.coordinates();
        let mut before = Writer::new();
        before.header(
            SEQUENCE,
            integer_len(&x) + integer_len(&y) + element_len(32) + element_len(self.c2_len),
        );
        before.unsigned(&x);
        before.unsigned(&y);
        before.header(OCTET_STRING, 32);
        let mut after = Writer::new();
        after.header(OCTET_STRING, self.c2_len);
        (before, after)
    }

    fn coordinates(&self) -> [[u8; 32]; 2] {
        let xy = self.point.to_xy_bytes();
        let mut out = [[0; 32]; 2];
        out.as_flattened_mut().copy_from_slice(&xy);
        out
    }
}

impl CiphertextForm {
    /// The forms that `bytes` may have, the most likely first; none if this is no SM2 ciphertext.
    /// Variable time.
    ///
    /// The header of DER must be valid, and in the other forms the point must be on the curve. Only
    /// decryption can tell `C1C3C2` from `C1C2C3`: both are in the list, the standard's order
    /// first.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{CiphertextForm, PrivateKey};
    ///
    /// let ciphertext = PrivateKey::generate()?.public_key().encrypt(b"a secret")?;
    /// assert_eq!(CiphertextForm::detect(&ciphertext.to_der())[0], CiphertextForm::Der);
    /// let raw = ciphertext.to_bytes(CiphertextForm::C1C3C2);
    /// assert_eq!(CiphertextForm::detect(&raw), [CiphertextForm::C1C3C2, CiphertextForm::C1C2C3]);
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn detect(bytes: &[u8]) -> Vec<Self> {
        Self::detect_from(bytes, bytes.len() as u64)
    }

    /// As [`detect`](Self::detect), from at least the first [`DerHeader::MAX_LEN`] bytes of
    /// `total`.
    pub(crate) fn detect_from(head: &[u8], total: u64) -> Vec<Self> {
        let mut forms = Vec::new();
        if DerHeader::read(head, total, Rules::Strict).is_ok_and(|(der, _)| der.c2_len != 0) {
            forms.push(Self::Der);
        }
        for form in [
            Self::C1C3C2,
            Self::C1C2C3,
            Self::BareC1C3C2,
            Self::BareC1C2C3,
        ] {
            let layout = head.first().and_then(|&first| form.raw_layout(first));
            if layout.is_some_and(|layout| {
                total > layout.point as u64 + 32
                    && head
                        .get(..layout.point)
                        .is_some_and(|point| sm2::point_from_raw(point).is_ok())
            }) {
                forms.push(form);
            }
        }
        forms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm2::{MAX_MESSAGE_LEN, PrivateKey};

    /// Lengths too large for a whole ciphertext in a test.
    #[test]
    fn headers_of_every_length() {
        let point = *PrivateKey::from_bytes(&[7; 32])
            .expect("a private key")
            .public_key();
        let mut header_lens = Vec::new();
        for c2_len in [
            1,
            0x7f,
            0x80,
            0xff,
            0x100,
            0xffff,
            0x1_0000,
            0xffff_ff00,
            0xffff_ffff,
            0x1_0000_0000,
            MAX_MESSAGE_LEN,
            u64::MAX >> 8,
        ] {
            let written = DerHeader {
                point,
                digest: [9; 32],
                c2_len,
            }
            .write();
            let head = written.as_slice();
            let total = head.len() as u64 + c2_len;
            let (read, header_len) = DerHeader::read(head, total, Rules::Strict).expect("a header");
            assert_eq!(header_len, head.len());
            assert_eq!(
                (read.point, read.digest, read.c2_len),
                (point, [9; 32], c2_len)
            );
            // The length of the file must be the one that the header says.
            let read = |total, rules| DerHeader::read(head, total, rules).map(|_| ());
            assert_eq!(read(total - 1, Rules::Strict), Err(Error::Truncated));
            assert_eq!(read(total - 1, Rules::Lenient), Err(Error::Truncated));
            assert_eq!(read(total + 1, Rules::Strict), Err(Error::TrailingBytes));
            assert_eq!(read(total + 1, Rules::Lenient), Ok(()));
            for length in 0..head.len() {
                let cut = DerHeader::read(&head[..length], total, Rules::Strict);
                assert!(cut.is_err(), "cut to {length} bytes");
            }
            header_lens.push(head.len());
        }
        // By hand: a length of 4 GiB takes 6 bytes where one below 128 takes 1, and it is there
        // twice.
        assert_eq!(header_lens[9] - header_lens[0], 2 * 5);
        let header = DerHeader {
            point,
            digest: [0; 32],
            c2_len: 0x1_0000_0000,
        };
        let header = header.write();
        assert_eq!(header.as_slice()[..2], [0x30, 0x85]);
        assert!(header.as_slice().ends_with(&[4, 0x85, 1, 0, 0, 0, 0]));
    }

    /// The two lengths of a header must agree with each other.
    #[test]
    fn c2_fills_the_sequence() {
        let point = *PrivateKey::from_bytes(&[7; 32])
            .expect("a private key")
            .public_key();
        let header = DerHeader {
            point,
            digest: [0; 32],
            c2_len: 100,
        };
        let written = header.write();
        let mut bytes = written.as_slice().to_vec();
        let total = bytes.len() as u64 + 100;
        let last = bytes.len() - 1;
        for (c2_len, reason) in [(99, Error::TrailingBytes), (101, Error::Truncated)] {
            bytes[last] = c2_len;
            for rules in [Rules::Strict, Rules::Lenient] {
                let read = DerHeader::read(&bytes, total, rules);
                assert_eq!(read.map(|_| ()), Err(reason.clone()));
            }
        }
    }
}
