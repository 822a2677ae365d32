//! CCM (NIST SP 800-38C; RFC 8998). The message comes in one piece, as its length is part of what is authenticated.

use kuaimi::sm4::Sm4Ccm;
use zeroize::Zeroizing;

use super::tls_aead::{self, EXPLICIT_LEN, FIXED_LEN, HEADER_LEN, NONCE_LEN, Parts};
use super::{KEY_LEN, key};
use crate::abi::cipher::{Cipher, Direction, Info};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};

/// What OpenSSL takes where a program says nothing.
const DEFAULT_NONCE_LEN: usize = 7;
const DEFAULT_TAG_LEN: usize = 12;

#[derive(Clone)]
pub(crate) struct Ccm {
    cipher: Option<Sm4Ccm>,
    nonce_len: usize,
    /// The nonce, until the message was processed, so that none is used twice by chance.
    nonce: Option<Vec<u8>>,
    shown_nonce: Vec<u8>,
    associated_data: Vec<u8>,
    announced: Option<usize>,
    direction: Direction,
    tag_len: usize,
    /// The tag to compare with, or the one that was computed.
    tag: Option<Zeroizing<Vec<u8>>>,
    /// The part of the nonces of records of TLS that is the same in all of them, and the associated data of the next record.
    fixed: [u8; FIXED_LEN],
    header: Option<[u8; HEADER_LEN]>,
}

impl Cipher for Ccm {
    const INFO: Info = Info {
        mode: 7,
        key_len: KEY_LEN,
        iv_len: 12,
        block_len: 1,
        aead: true,
        custom_iv: true,
    };
    const GETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"ivlen", Kind::Unsigned),
        Param::known(c"taglen", Kind::Unsigned),
        Param::known(c"iv", Kind::Octets),
        Param::known(c"updated-iv", Kind::Octets),
        Param::known(c"tag", Kind::Octets),
        Param::known(c"tlsaadpad", Kind::Unsigned),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"ivlen", Kind::Unsigned),
        Param::known(c"padding", Kind::Unsigned),
        Param::known(c"tag", Kind::Octets),
        Param::known(c"tlsaad", Kind::Octets),
        Param::known(c"tlsivfixed", Kind::Octets),
        Param::END,
    ];

    fn new() -> Self {
        Self {
            cipher: None,
            nonce_len: DEFAULT_NONCE_LEN,
            nonce: None,
            shown_nonce: Vec::new(),
            associated_data: Vec::new(),
            announced: None,
            direction: Direction::Encrypt,
            tag_len: DEFAULT_TAG_LEN,
            tag: None,
            fixed: [0; FIXED_LEN],
            header: None,
        }
    }

    fn init(
        &mut self,
        direction: Direction,
        key_bytes: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Failure> {
        if direction != self.direction || iv.is_some() && direction == Direction::Encrypt {
            self.tag = None;
        }
        self.direction = direction;
        if let Some(bytes) = key_bytes {
            self.cipher = Some(Sm4Ccm::new(key(bytes)?));
        }
        if let Some(iv) = iv {
            if !(7..=13).contains(&iv.len()) {
                return Err(Reason::WrongIvLength.into());
            }
            self.nonce_len = iv.len();
            // Read once: who changes it meanwhile must not be shown another nonce than the one that is used.
            self.shown_nonce = iv.to_vec();
            self.nonce = Some(self.shown_nonce.clone());
            self.associated_data.clear();
            self.announced = None;
        }
        Ok(())
    }

    fn announce(&mut self, length: usize) -> Result<(), Failure> {
        self.announced = Some(length);
        Ok(())
    }

    fn associate(&mut self, data: &[u8]) -> Result<(), Failure> {
        self.associated_data.extend_from_slice(data);
        Ok(())
    }

    fn process(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        if self.announced.is_some_and(|length| length != buffer.len()) {
            return Err(Failure::with(
                Reason::InvalidParameter,
                "the message comes in one piece, of the length that was announced",
            ));
        }
        let cipher = self.cipher.as_ref().ok_or(Reason::NotInitialised)?;
        match self.direction {
            Direction::Encrypt => {
                let nonce = self.nonce.take().ok_or(Reason::NotInitialised)?;
                let mut tag = Zeroizing::new(vec![0; self.tag_len]);
                cipher.seal_in_place(&nonce, &self.associated_data, buffer, &mut tag)?;
                self.tag = Some(tag);
                Ok(())
            }
            Direction::Decrypt => {
                let tag = self.tag.take().ok_or(Reason::NoTag)?;
                let nonce = self.nonce.take().ok_or(Reason::NotInitialised)?;
                cipher
                    .open_in_place(&nonce, &self.associated_data, buffer, &tag)
                    .map_err(|_| {
                        // What is in the output was never the message, but leave nothing there.
                        buffer.fill(0);
                        Reason::DecryptionFailed.into()
                    })
            }
        }
    }

    fn record_len(&self, length: usize) -> Result<Option<usize>, Failure> {
        Ok(self.header.map(|_| length))
    }

    /// The explicit part of the nonce is the sequence number, with which the associated data begins.
    fn process_record(&mut self, record: &mut [u8], _length: usize) -> Result<usize, Failure> {
        let header = self.header.take().ok_or_else(Failure::internal)?;
        let cipher = self.cipher.as_ref().ok_or(Reason::NotInitialised)?;
        if self.nonce_len != NONCE_LEN {
            return Err(Reason::WrongIvLength.into());
        }
        let whole = record.len();
        let parts = Parts::new(record, self.tag_len)?;
        let nonce = match self.direction {
            // Not out of the record, which the caller could change meanwhile.
            Direction::Encrypt => {
                parts.explicit.copy_from_slice(&header[..EXPLICIT_LEN]);
                [&self.fixed[..], &header[..EXPLICIT_LEN]].concat()
            }
            Direction::Decrypt => [&self.fixed[..], parts.explicit].concat(),
        };
        self.shown_nonce.clone_from(&nonce);
        match self.direction {
            Direction::Encrypt => {
                cipher.seal_in_place(&nonce, &header, parts.contents, parts.tag)?;
                Ok(whole)
            }
            Direction::Decrypt => {
                cipher
                    .open_in_place(&nonce, &header, parts.contents, parts.tag)
                    .map_err(|_| Reason::DecryptionFailed)?;
                Ok(parts.contents.len())
            }
        }
    }

    /// An empty message has no data that could have come before.
    fn finish(&mut self, _out: &mut [u8]) -> Result<usize, Failure> {
        if self.nonce.is_some() && self.announced.is_none_or(|length| length == 0) {
            self.process(&mut [])?;
        }
        Ok(0)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        if let Some(param) = params.find(c"ivlen") {
            let length = param.size()?;
            if !(7..=13).contains(&length) {
                return Err(Reason::WrongIvLength.into());
            }
            if length != self.nonce_len {
                self.nonce_len = length;
                self.nonce = None;
            }
        }
        if let Some(param) = params.find(c"tag") {
            let (tag, length) = param.octets_or_length()?;
            if !(4..=16).contains(&length) || length % 2 != 0 {
                return Err(Reason::WrongTagLength.into());
            }
            self.tag_len = length;
            match (tag, self.direction) {
                (Some(tag), Direction::Decrypt) => {
                    self.tag = Some(Zeroizing::new(tag.to_vec()));
                }
                (Some(_), Direction::Encrypt) => return Err(Reason::WrongTagLength.into()),
                (None, _) => {}
            }
        }
        if let Some(param) = params.find(c"tlsaad") {
            let header = tls_aead::header(param.octets()?, self.direction, self.tag_len)?;
            self.header = Some(header);
        }
        if let Some(param) = params.find(c"tlsivfixed") {
            let fixed = param.octets()?.try_into();
            self.fixed = fixed.map_err(|_| Reason::WrongIvLength)?;
        }
        Ok(())
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"ivlen", |param| param.set_unsigned(self.nonce_len as u64))?;
        requests.answer(c"taglen", |param| param.set_unsigned(self.tag_len as u64))?;
        for name in [c"iv", c"updated-iv"] {
            requests.answer(name, |param| param.set_kept_octets(&self.shown_nonce))?;
        }
        requests.answer(c"tlsaadpad", |param| {
            let length = self.header.map_or(0, |_| self.tag_len);
            param.set_unsigned(length as u64)
        })?;
        requests.answer(c"tag", |param| match &self.tag {
            Some(tag) if self.direction == Direction::Encrypt => param.set_prefix(tag),
            _ => Err(Reason::NoTag.into()),
        })
    }
}
