//! Writing an octet string in pieces.

use alloc::vec::Vec;

use crate::Error;
use crate::ber::{OCTET_STRING, header};

/// The content of an octet string whose header was written: of a known length, or else in pieces of
/// which each is an octet string.
#[derive(Clone, Copy)]
pub(crate) struct Octets {
    /// What is still to come.
    left: Option<u64>,
}

impl Octets {
    pub(crate) fn new(length: Option<u64>) -> Self {
        Self { left: length }
    }

    pub(crate) fn is_known(self) -> bool {
        self.left.is_some()
    }

    pub(crate) fn write(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.count(bytes.len())?;
        if self.left.is_none() {
            if bytes.is_empty() {
                return Ok(());
            }
            out.extend(header(OCTET_STRING, bytes.len() as u64));
        }
        out.extend_from_slice(bytes);
        Ok(())
    }

    pub(crate) fn count(&mut self, bytes: usize) -> Result<(), Error> {
        if let Some(left) = &mut self.left {
            *left = left
                .checked_sub(bytes as u64)
                .ok_or(Error::Argument("the content is longer than was said"))?;
        }
        Ok(())
    }

    pub(crate) fn check(self) -> Result<(), Error> {
        match self.left {
            None | Some(0) => Ok(()),
            Some(_) => Err(Error::Argument("the content is shorter than was said")),
        }
    }
}

/// Refuses lengths with which the headers around a content could not be computed.
pub(crate) fn check_length(length: Option<u64>) -> Result<(), Error> {
    match length {
        Some(length) if length > 1 << 60 => Err(Error::Limit("a content of more than 2^60 bytes")),
        _ => Ok(()),
    }
}
