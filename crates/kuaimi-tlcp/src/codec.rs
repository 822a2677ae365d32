//! The presentation language: numbers and vectors with their lengths before them (6.2).

use crate::Error;

/// Bytes that are read from the front; `what` names the message in errors.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    what: &'static str,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], what: &'static str) -> Self {
        Self { bytes, what }
    }

    pub(crate) fn malformed(&self) -> Error {
        Error::Decode(self.what)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (head, rest) = self
            .bytes
            .split_at_checked(length)
            .ok_or(Error::Decode(self.what))?;
        self.bytes = rest;
        Ok(head)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (head, rest) = self
            .bytes
            .split_first_chunk()
            .ok_or(Error::Decode(self.what))?;
        self.bytes = rest;
        Ok(*head)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Error> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(crate) fn u24(&mut self) -> Result<usize, Error> {
        let [a, b, c] = self.array()?;
        Ok(u32::from_be_bytes([0, a, b, c]) as usize)
    }

    /// A vector with a length of 8 bits.
    pub(crate) fn vec8(&mut self) -> Result<Self, Error> {
        let length = self.u8()?.into();
        self.vector(length)
    }

    /// A vector with a length of 16 bits.
    pub(crate) fn vec16(&mut self) -> Result<Self, Error> {
        let length = self.u16()?.into();
        self.vector(length)
    }

    /// A vector with a length of 24 bits.
    pub(crate) fn vec24(&mut self) -> Result<Self, Error> {
        let length = self.u24()?;
        self.vector(length)
    }

    fn vector(&mut self, length: usize) -> Result<Self, Error> {
        Ok(Self {
            bytes: self.take(length)?,
            what: self.what,
        })
    }

    pub(crate) fn rest(self) -> &'a [u8] {
        self.bytes
    }

    /// Nothing may follow.
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self.bytes {
            [] => Ok(()),
            _ => Err(Error::Decode(self.what)),
        }
    }
}

/// Writes a vector with a length of `N` bytes before it. What is written is the library's own, and
/// fits: configurations are checked when they are made.
pub(crate) fn vector<const N: usize>(out: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend([0; N]);
    content(out);
    let length = (out.len() - start - N).to_be_bytes();
    out[start..start + N].copy_from_slice(&length[length.len() - N..]);
}
