//! CCM (NIST SP 800-38C; RFC 8998). The message comes in one piece, as its length is part of what
//! is authenticated.

use kuaimi::sm4::Sm4Ccm;
use zeroize::Zeroizing;

use super::aead::{self, State};
use super::tls_aead::{EXPLICIT_LEN, FIXED_LEN, NONCE_LEN};
use super::{KEY_LEN, key};
use crate::abi::cipher::{Cipher, Direction, Info};
use crate::abi::param::{Param, Params, Requests};
use crate::failure::{Failure, Reason};

/// OpenSSL's lengths where a program sets none.
const DEFAULT_NONCE_LEN: usize = 7;
const DEFAULT_TAG_LEN: usize = 12;

#[derive(Clone)]
pub(crate) struct Ccm {
    cipher: Option<Sm4Ccm>,
    state: State,
    associated_data: Vec<u8>,
    announced: Option<usize>,
    tag_len: usize,
    /// The part of the nonces of records of TLS that is the same in all of them.
    fixed: [u8; FIXED_LEN],
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
    const GETTABLE: &'static [Param] = aead::GETTABLE.split_at(1).1;
    const SETTABLE: &'static [Param] = aead::SETTABLE.split_at(1).1;

    fn new() -> Self {
        Self {
            cipher: None,
            state: State::new(7..=13, DEFAULT_NONCE_LEN),
            associated_data: Vec::new(),
            announced: None,
            tag_len: DEFAULT_TAG_LEN,
            fixed: [0; FIXED_LEN],
        }
    }

    fn init(
        &mut self,
        direction: Direction,
        key_bytes: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Failure> {
        if let Some(bytes) = key_bytes {
            self.cipher = Some(Sm4Ccm::new(key(bytes)?));
        }
        if self.state.init(direction, iv)? {
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
        match self.state.direction {
            Direction::Encrypt => {
                let nonce = self.state.take_nonce()?;
                let mut tag = Zeroizing::new(vec![0; self.tag_len]);
                cipher.seal_in_place(&nonce, &self.associated_data, buffer, &mut tag)?;
                self.state.tag = Some(tag);
                Ok(())
            }
            Direction::Decrypt => {
                let tag = self.state.tag.take().ok_or(Reason::NoTag)?;
                let nonce = self.state.take_nonce()?;
                cipher
                    .open_in_place(&nonce, &self.associated_data, buffer, &tag)
                    .map_err(|_| {
                        // The output does not hold the message, but nothing of it shall stay.
                        buffer.fill(0);
                        Reason::DecryptionFailed.into()
                    })
            }
        }
    }

    fn record_len(&self, length: usize) -> Result<Option<usize>, Failure> {
        Ok(self.state.record_len(length))
    }

    /// The explicit part of the nonce is the sequence number, with which the associated data
    /// begins.
    fn process_record(&mut self, record: &mut [u8], length: usize) -> Result<usize, Failure> {
        let (header, parts) = self.state.take_record(record, self.tag_len)?;
        let cipher = self.cipher.as_ref().ok_or(Reason::NotInitialised)?;
        if self.state.nonce_len != NONCE_LEN {
            return Err(Reason::WrongIvLength.into());
        }
        let nonce = match self.state.direction {
            // Not read back from the record, which another thread could change meanwhile.
            Direction::Encrypt => {
                parts.explicit.copy_from_slice(&header[..EXPLICIT_LEN]);
                [&self.fixed[..], &header[..EXPLICIT_LEN]].concat()
            }
            Direction::Decrypt => [&self.fixed[..], parts.explicit].concat(),
        };
        self.state.shown_nonce.clone_from(&nonce);
        match self.state.direction {
            Direction::Encrypt => {
                cipher.seal_in_place(&nonce, &header, parts.contents, parts.tag)?;
                Ok(length)
            }
            Direction::Decrypt => {
                cipher
                    .open_in_place(&nonce, &header, parts.contents, parts.tag)
                    .map_err(|_| Reason::DecryptionFailed)?;
                Ok(parts.contents.len())
            }
        }
    }

    /// An empty message is processed here, as no data came before.
    fn finish(&mut self, _out: &mut [u8]) -> Result<usize, Failure> {
        if self.state.nonce.is_some() && self.announced.is_none_or(|length| length == 0) {
            self.process(&mut [])?;
        }
        Ok(0)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        self.state.set_nonce_len(params)?;
        if let Some(param) = params.find(c"tag") {
            let (tag, length) = param.octets_or_length()?;
            if !(4..=16).contains(&length) || length % 2 != 0 {
                return Err(Reason::WrongTagLength.into());
            }
            self.tag_len = length;
            if let Some(tag) = tag {
                self.state.expect_tag(tag)?;
            }
        }
        self.state.set_header(params, self.tag_len)?;
        if let Some(param) = params.find(c"tlsivfixed") {
            let fixed = param.octets()?.try_into();
            self.fixed = fixed.map_err(|_| Reason::WrongIvLength)?;
        }
        Ok(())
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        self.state.answer(requests, self.tag_len, self.tag_len)
    }
}
