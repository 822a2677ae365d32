//! GCM (NIST SP 800-38D; RFC 8998).
//!
//! Decryption hands out the message before its tag was compared, as OpenSSL's interface wants it: programs must not use it
//! before `EVP_DecryptFinal_ex` has succeeded.

use kuaimi::sm4::{Sm4Gcm, Sm4GcmStream};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{Direction, Info, KEY_LEN, Mode, key, refuse_tls_records};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};

/// The longest nonce, as OpenSSL's.
const MAX_NONCE_LEN: usize = 128;

#[derive(Clone)]
pub(crate) struct Gcm {
    cipher: Option<Sm4Gcm>,
    nonce_len: usize,
    /// The nonce, until the message has begun, so that none is used twice by chance.
    nonce: Option<Vec<u8>>,
    /// A copy of it, for those who ask.
    shown_nonce: Vec<u8>,
    message: Option<Sm4GcmStream>,
    direction: Direction,
    /// The tag to compare with, or the one that was computed.
    tag: Option<Zeroizing<Vec<u8>>>,
}

impl Gcm {
    /// The message, which begins with the first byte of associated data or of text.
    fn message(&mut self) -> Result<&mut Sm4GcmStream, Failure> {
        if let Some(nonce) = self.nonce.take() {
            let cipher = self.cipher.as_ref().ok_or(Reason::NotInitialised)?;
            self.message = Some(Sm4GcmStream::new(cipher, &nonce)?);
        }
        self.message
            .as_mut()
            .ok_or_else(|| Reason::NotInitialised.into())
    }
}

impl Mode for Gcm {
    const INFO: Info = Info {
        number: 6,
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
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"ivlen", Kind::Unsigned),
        Param::known(c"padding", Kind::Unsigned),
        Param::known(c"tag", Kind::Octets),
        Param::END,
    ];

    fn new() -> Self {
        Self {
            cipher: None,
            nonce_len: Self::INFO.iv_len,
            nonce: None,
            shown_nonce: Vec::new(),
            message: None,
            direction: Direction::Encrypt,
            tag: None,
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
            self.cipher = Some(Sm4Gcm::new(key(bytes)?));
            self.message = None;
        }
        if let Some(iv) = iv {
            if iv.is_empty() || iv.len() > MAX_NONCE_LEN {
                return Err(Reason::WrongIvLength.into());
            }
            self.nonce_len = iv.len();
            self.nonce = Some(iv.to_vec());
            self.shown_nonce = iv.to_vec();
            self.message = None;
        }
        Ok(())
    }

    fn process(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        let direction = self.direction;
        let message = self.message()?;
        Ok(match direction {
            Direction::Encrypt => message.encrypt(buffer),
            Direction::Decrypt => message.decrypt_unverified(buffer),
        }?)
    }

    fn associate(&mut self, data: &[u8]) -> Result<(), Failure> {
        Ok(self.message()?.associated_data(data)?)
    }

    fn finish(&mut self, _out: &mut [u8]) -> Result<usize, Failure> {
        if self.direction == Direction::Decrypt && self.tag.is_none() {
            return Err(Reason::NoTag.into());
        }
        self.message()?;
        let message = self.message.take().ok_or(Reason::NotInitialised)?;
        let computed = message.tag();
        match (self.direction, self.tag.take()) {
            (Direction::Decrypt, Some(expected)) => {
                if bool::from(computed[..expected.len()].ct_eq(&expected)) {
                    Ok(0)
                } else {
                    Err(Reason::DecryptionFailed.into())
                }
            }
            _ => {
                self.tag = Some(Zeroizing::new(computed.to_vec()));
                Ok(0)
            }
        }
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        refuse_tls_records(params)?;
        if let Some(param) = params.find(c"ivlen") {
            let length = param.size()?;
            if length == 0 || length > MAX_NONCE_LEN {
                return Err(Reason::WrongIvLength.into());
            }
            if length != self.nonce_len {
                self.nonce_len = length;
                self.nonce = None;
            }
        }
        if let Some(param) = params.find(c"tag") {
            let tag = param.octets()?;
            if self.direction != Direction::Decrypt || !(1..=Sm4Gcm::TAG_LEN).contains(&tag.len()) {
                return Err(Reason::WrongTagLength.into());
            }
            self.tag = Some(Zeroizing::new(tag.to_vec()));
        }
        Ok(())
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"ivlen", |param| param.set_unsigned(self.nonce_len as u64))?;
        requests.answer(c"taglen", |param| {
            let length = self.tag.as_ref().map_or(Sm4Gcm::TAG_LEN, |tag| tag.len());
            param.set_unsigned(length as u64)
        })?;
        for name in [c"iv", c"updated-iv"] {
            requests.answer(name, |param| param.set_octets(&self.shown_nonce))?;
        }
        requests.answer(c"tag", |param| match &self.tag {
            Some(tag) if self.direction == Direction::Encrypt => param.set_prefix(tag),
            _ => Err(Reason::NoTag.into()),
        })
    }
}
