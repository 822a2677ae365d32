//! GCM (NIST SP 800-38D; RFC 8998).
//!
//! Decryption hands out the message before its tag was compared, as OpenSSL's interface wants it: programs must not use it
//! before `EVP_DecryptFinal_ex` has succeeded. A record of TLS comes in one piece, and is wiped if it was altered.

use kuaimi::sm4::{Sm4Gcm, Sm4GcmStream};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::tls_aead::{self, EXPLICIT_LEN, FIXED_LEN, HEADER_LEN, Parts};
use super::{KEY_LEN, key};
use crate::abi::cipher::{Cipher, Direction, Info};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};
use crate::random;

/// The longest nonce, as OpenSSL's.
const MAX_NONCE_LEN: usize = 128;

#[derive(Clone)]
pub(crate) struct Gcm {
    cipher: Option<Sm4Gcm>,
    nonce_len: usize,
    /// The nonce, until the message has begun, so that none is used twice by chance.
    nonce: Option<Vec<u8>>,
    /// A copy of it, for those who ask; where nonces are counted, the next one.
    shown_nonce: Vec<u8>,
    /// Whether nonces are counted: a fixed part was set, and what follows it is a counter, or comes with each record.
    counts: bool,
    message: Option<Sm4GcmStream>,
    direction: Direction,
    /// The tag to compare with, or the one that was computed.
    tag: Option<Zeroizing<Vec<u8>>>,
    /// The associated data of the record of TLS that comes next.
    header: Option<[u8; HEADER_LEN]>,
}

impl Gcm {
    /// Takes the fixed part of the nonces, or, of their whole length, the first of them. A counter begins with a random number.
    fn set_fixed(&mut self, fixed: &[u8]) -> Result<(), Failure> {
        let counter_len = self.nonce_len.checked_sub(fixed.len());
        let mut nonce = fixed.to_vec();
        match counter_len {
            Some(0) => {}
            Some(EXPLICIT_LEN..) if fixed.len() >= FIXED_LEN => {
                nonce.resize(self.nonce_len, 0);
                if self.direction == Direction::Encrypt {
                    random::fill(&mut nonce[fixed.len()..])?;
                }
            }
            _ => return Err(Reason::WrongIvLength.into()),
        }
        // A message begins with a nonce that was counted, never with this one as it is, which the counter gives once more.
        self.nonce = None;
        self.message = None;
        self.shown_nonce = nonce;
        self.counts = true;
        Ok(())
    }

    /// The nonces that are counted, if they are.
    fn counted(&mut self) -> Result<&mut Vec<u8>, Failure> {
        if self.counts && self.cipher.is_some() {
            Ok(&mut self.shown_nonce)
        } else {
            Err(Reason::NotInitialised.into())
        }
    }

    /// Gives the end of the next nonce to `give`, and begins a message with it.
    fn next_nonce(
        &mut self,
        give: impl FnOnce(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let nonce = self.counted()?;
        give(nonce)?;
        let used = nonce.clone();
        if let Some(counter) = nonce.last_chunk_mut() {
            *counter = u64::from_be_bytes(*counter).wrapping_add(1).to_be_bytes();
        }
        self.nonce = Some(used);
        self.message = None;
        Ok(())
    }

    /// Begins a message that has a nonce with this end.
    fn use_nonce(&mut self, end: &[u8]) -> Result<(), Failure> {
        if self.direction == Direction::Encrypt {
            return Err(Reason::NotInitialised.into());
        }
        let nonce = self.counted()?;
        let start = nonce
            .len()
            .checked_sub(end.len())
            .ok_or(Reason::WrongIvLength)?;
        nonce[start..].copy_from_slice(end);
        self.nonce = Some(nonce.clone());
        self.message = None;
        Ok(())
    }

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

impl Cipher for Gcm {
    const INFO: Info = Info {
        mode: 6,
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
        Param::known(c"tlsivgen", Kind::Octets),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"ivlen", Kind::Unsigned),
        Param::known(c"padding", Kind::Unsigned),
        Param::known(c"tag", Kind::Octets),
        Param::known(c"tlsaad", Kind::Octets),
        Param::known(c"tlsivfixed", Kind::Octets),
        Param::known(c"tlsivinv", Kind::Octets),
        Param::END,
    ];

    fn new() -> Self {
        Self {
            cipher: None,
            nonce_len: Self::INFO.iv_len,
            nonce: None,
            shown_nonce: Vec::new(),
            counts: false,
            message: None,
            direction: Direction::Encrypt,
            tag: None,
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
            self.cipher = Some(Sm4Gcm::new(key(bytes)?));
            self.message = None;
        }
        if let Some(iv) = iv {
            if iv.is_empty() || iv.len() > MAX_NONCE_LEN {
                return Err(Reason::WrongIvLength.into());
            }
            self.nonce_len = iv.len();
            // Read once: who changes it meanwhile must not be shown another nonce than the one that is used.
            self.shown_nonce = iv.to_vec();
            self.nonce = Some(self.shown_nonce.clone());
            self.counts = false;
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

    fn record_len(&self, length: usize) -> Result<Option<usize>, Failure> {
        Ok(self.header.map(|_| length))
    }

    fn process_record(&mut self, record: &mut [u8], _length: usize) -> Result<usize, Failure> {
        let header = self.header.take().ok_or_else(Failure::internal)?;
        let whole = record.len();
        let parts = Parts::new(record, Sm4Gcm::TAG_LEN)?;
        match self.direction {
            Direction::Encrypt => self.next_nonce(|nonce| {
                parts
                    .explicit
                    .copy_from_slice(&nonce[nonce.len() - EXPLICIT_LEN..]);
                Ok(())
            })?,
            Direction::Decrypt => self.use_nonce(parts.explicit)?,
        }
        let nonce = self.nonce.take().ok_or(Reason::NotInitialised)?;
        let cipher = self.cipher.as_ref().ok_or(Reason::NotInitialised)?;
        match self.direction {
            Direction::Encrypt => {
                let tag = cipher.seal_in_place(&nonce, &header, parts.contents)?;
                parts.tag.copy_from_slice(&tag);
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
        if let Some(param) = params.find(c"ivlen") {
            let length = param.size()?;
            if length == 0 || length > MAX_NONCE_LEN {
                return Err(Reason::WrongIvLength.into());
            }
            if length != self.nonce_len {
                self.nonce_len = length;
                self.nonce = None;
                self.counts = false;
            }
        }
        if let Some(param) = params.find(c"tag") {
            let tag = param.octets()?;
            if self.direction != Direction::Decrypt || !(1..=Sm4Gcm::TAG_LEN).contains(&tag.len()) {
                return Err(Reason::WrongTagLength.into());
            }
            self.tag = Some(Zeroizing::new(tag.to_vec()));
        }
        if let Some(param) = params.find(c"tlsaad") {
            let header = tls_aead::header(param.octets()?, self.direction, Sm4Gcm::TAG_LEN)?;
            self.header = Some(header);
        }
        if let Some(param) = params.find(c"tlsivfixed") {
            self.set_fixed(param.octets_or_all(self.nonce_len)?)?;
        }
        if let Some(param) = params.find(c"tlsivinv") {
            self.use_nonce(param.octets()?)?;
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
            requests.answer(name, |param| param.set_kept_octets(&self.shown_nonce))?;
        }
        requests.answer(c"tlsaadpad", |param| {
            let length = self.header.map_or(0, |_| Sm4Gcm::TAG_LEN);
            param.set_unsigned(length as u64)
        })?;
        requests.answer(c"tag", |param| match &self.tag {
            Some(tag) if self.direction == Direction::Encrypt => param.set_prefix(tag),
            _ => Err(Reason::NoTag.into()),
        })
    }

    fn give_next_nonce(&mut self, param: &mut Param) -> Result<(), Failure> {
        self.next_nonce(|nonce| param.set_suffix(nonce))
    }
}
