//! What contexts of GCM and CCM have in common: nonces, tags, and the associated data of records of
//! TLS.

use std::ops::RangeInclusive;

use zeroize::Zeroizing;

use super::tls_aead::{self, HEADER_LEN, Parts};
use crate::abi::cipher::Direction;
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};

/// The parameters that can be read, and those that can be set. The first of each list is GCM's
/// alone.
pub(super) const GETTABLE: &[Param] = &[
    Param::known(c"tlsivgen", Kind::Octets),
    Param::known(c"keylen", Kind::Unsigned),
    Param::known(c"ivlen", Kind::Unsigned),
    Param::known(c"taglen", Kind::Unsigned),
    Param::known(c"iv", Kind::Octets),
    Param::known(c"updated-iv", Kind::Octets),
    Param::known(c"tag", Kind::Octets),
    Param::known(c"tlsaadpad", Kind::Unsigned),
    Param::END,
];
pub(super) const SETTABLE: &[Param] = &[
    Param::known(c"tlsivinv", Kind::Octets),
    Param::known(c"keylen", Kind::Unsigned),
    Param::known(c"ivlen", Kind::Unsigned),
    Param::known(c"padding", Kind::Unsigned),
    Param::known(c"tag", Kind::Octets),
    Param::known(c"tlsaad", Kind::Octets),
    Param::known(c"tlsivfixed", Kind::Octets),
    Param::END,
];

#[derive(Clone)]
pub(super) struct State {
    pub(super) direction: Direction,
    /// The lengths that a nonce may have, and the one that it has.
    nonce_lens: RangeInclusive<usize>,
    pub(super) nonce_len: usize,
    /// The nonce, until its message has begun, so that none is used twice by chance.
    pub(super) nonce: Option<Vec<u8>>,
    /// A copy of it, for programs that read it; if nonces are counted, the next one.
    pub(super) shown_nonce: Vec<u8>,
    /// The tag to compare with, or the one that was computed.
    pub(super) tag: Option<Zeroizing<Vec<u8>>>,
    /// The associated data of the record of TLS that comes next.
    header: Option<[u8; HEADER_LEN]>,
}

impl State {
    pub(super) fn new(nonce_lens: RangeInclusive<usize>, nonce_len: usize) -> Self {
        Self {
            direction: Direction::Encrypt,
            nonce_lens,
            nonce_len,
            nonce: None,
            shown_nonce: Vec::new(),
            tag: None,
            header: None,
        }
    }

    /// Begins a message. Returns whether there is a new nonce.
    #[inline]
    pub(super) fn init(
        &mut self,
        direction: Direction,
        nonce: Option<&[u8]>,
    ) -> Result<bool, Failure> {
        if direction != self.direction || nonce.is_some() && direction == Direction::Encrypt {
            self.tag = None;
        }
        self.direction = direction;
        let Some(nonce) = nonce else {
            return Ok(false);
        };
        self.check_nonce_len(nonce.len())?;
        self.nonce_len = nonce.len();
        // Read once: if the memory changes meanwhile, the shown nonce must still be the one that is
        // used.
        self.shown_nonce = nonce.to_vec();
        self.nonce = Some(self.shown_nonce.clone());
        Ok(true)
    }

    fn check_nonce_len(&self, length: usize) -> Result<(), Failure> {
        if self.nonce_lens.contains(&length) {
            Ok(())
        } else {
            Err(Reason::WrongIvLength.into())
        }
    }

    /// The nonce, which is not used again.
    pub(super) fn take_nonce(&mut self) -> Result<Vec<u8>, Failure> {
        self.nonce
            .take()
            .ok_or_else(|| Reason::NotInitialised.into())
    }

    /// Takes the length of nonces from parameters. Returns whether it has changed.
    #[inline]
    pub(super) fn set_nonce_len(&mut self, params: &Params<'_>) -> Result<bool, Failure> {
        let Some(param) = params.find(c"ivlen") else {
            return Ok(false);
        };
        let length = param.size()?;
        self.check_nonce_len(length)?;
        let other = length != self.nonce_len;
        if other {
            self.nonce_len = length;
            self.nonce = None;
        }
        Ok(other)
    }

    /// Takes a tag to compare with.
    pub(super) fn expect_tag(&mut self, tag: &[u8]) -> Result<(), Failure> {
        if self.direction != Direction::Decrypt {
            return Err(Reason::WrongTagLength.into());
        }
        self.tag = Some(Zeroizing::new(tag.to_vec()));
        Ok(())
    }

    /// Takes the associated data of a record from parameters.
    #[inline]
    pub(super) fn set_header(
        &mut self,
        params: &Params<'_>,
        tag_len: usize,
    ) -> Result<(), Failure> {
        if let Some(param) = params.find(c"tlsaad") {
            let header = tls_aead::header(param.octets()?, self.direction, tag_len)?;
            self.header = Some(header);
        }
        Ok(())
    }

    /// The length of a record with an input of `length` bytes, if a record comes next.
    pub(super) fn record_len(&self, length: usize) -> Option<usize> {
        self.header.map(|_| length)
    }

    /// The associated data and the parts of a record.
    #[inline]
    pub(super) fn take_record<'a>(
        &mut self,
        record: &'a mut [u8],
        tag_len: usize,
    ) -> Result<([u8; HEADER_LEN], Parts<'a>), Failure> {
        let header = self.header.take().ok_or_else(Failure::internal)?;
        Ok((header, Parts::new(record, tag_len)?))
    }

    /// Writes the values that are requested. `tag_len` is the length of tags of records,
    /// `shown_tag_len` that of the message's.
    pub(super) fn answer(
        &self,
        requests: &mut Requests<'_>,
        tag_len: usize,
        shown_tag_len: usize,
    ) -> Result<(), Failure> {
        requests.answer(c"ivlen", |param| param.set_unsigned(self.nonce_len as u64))?;
        requests.answer(c"taglen", |param| param.set_unsigned(shown_tag_len as u64))?;
        for name in [c"iv", c"updated-iv"] {
            requests.answer(name, |param| param.set_kept_octets(&self.shown_nonce))?;
        }
        requests.answer(c"tlsaadpad", |param| {
            let length = self.header.map_or(0, |_| tag_len);
            param.set_unsigned(length as u64)
        })?;
        requests.answer(c"tag", |param| match &self.tag {
            Some(tag) if self.direction == Direction::Encrypt => param.set_prefix(tag),
            _ => Err(Reason::NoTag.into()),
        })
    }
}
