//! GCM (NIST SP 800-38D; RFC 8998).
//!
//! Decryption hands out the message before its tag was compared, as OpenSSL's interface requires:
//! programs must not use it before `EVP_DecryptFinal_ex` has succeeded. A record of TLS comes in
//! one piece, and is wiped if it was altered.

use kuaimi::sm4::{Sm4Gcm, Sm4GcmStream};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::aead::{self, State};
use super::tls_aead::{EXPLICIT_LEN, FIXED_LEN};
use super::{KEY_LEN, key};
use crate::abi::cipher::{Cipher, Direction, Info};
use crate::abi::param::{Param, Params, Requests};
use crate::failure::{Failure, Reason};
use crate::random;

#[derive(Clone)]
pub(crate) struct Gcm {
    cipher: Option<Sm4Gcm>,
    state: State,
    /// Whether nonces are counted: a fixed part was set, and the rest is a counter, or is read from
    /// each record.
    counts: bool,
    message: Option<Sm4GcmStream>,
}

impl Gcm {
    /// Takes the fixed part of the nonces, or the first nonce, if it has the whole length. A
    /// counter begins with a random number.
    fn set_fixed(&mut self, fixed: &[u8]) -> Result<(), Failure> {
        let counter_len = self.state.nonce_len.checked_sub(fixed.len());
        let mut nonce = fixed.to_vec();
        match counter_len {
            Some(0) => {}
            Some(EXPLICIT_LEN..) if fixed.len() >= FIXED_LEN => {
                nonce.resize(self.state.nonce_len, 0);
                if self.state.direction == Direction::Encrypt {
                    random::fill(&mut nonce[fixed.len()..])?;
                }
            }
            _ => return Err(Reason::WrongIvLength.into()),
        }
        // No message begins with this nonce directly, as the counter will give it.
        self.state.nonce = None;
        self.message = None;
        self.state.shown_nonce = nonce;
        self.counts = true;
        Ok(())
    }

    /// The next counted nonce, if nonces are counted.
    fn counted(&mut self) -> Result<&mut Vec<u8>, Failure> {
        if self.counts && self.cipher.is_some() {
            Ok(&mut self.state.shown_nonce)
        } else {
            Err(Reason::NotInitialised.into())
        }
    }

    /// Passes the next nonce to `give`, and begins a message with it.
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
        self.state.nonce = Some(used);
        self.message = None;
        Ok(())
    }

    /// Begins a message whose nonce has this end.
    fn use_nonce(&mut self, end: &[u8]) -> Result<(), Failure> {
        if self.state.direction == Direction::Encrypt {
            return Err(Reason::NotInitialised.into());
        }
        let nonce = self.counted()?;
        let start = nonce
            .len()
            .checked_sub(end.len())
            .ok_or(Reason::WrongIvLength)?;
        nonce[start..].copy_from_slice(end);
        self.state.nonce = Some(nonce.clone());
        self.message = None;
        Ok(())
    }

    /// The message, which begins with the first byte of associated data or of the message.
    fn message(&mut self) -> Result<&mut Sm4GcmStream, Failure> {
        if let Some(nonce) = self.state.nonce.take() {
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
    const GETTABLE: &'static [Param] = aead::GETTABLE;
    const SETTABLE: &'static [Param] = aead::SETTABLE;

    fn new() -> Self {
        Self {
            cipher: None,
            // OpenSSL's longest nonce.
            state: State::new(1..=128, Self::INFO.iv_len),
            counts: false,
            message: None,
        }
    }

    fn init(
        &mut self,
        direction: Direction,
        key_bytes: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Failure> {
        if let Some(bytes) = key_bytes {
            self.cipher = Some(Sm4Gcm::new(key(bytes)?));
            self.message = None;
        }
        if self.state.init(direction, iv)? {
            self.counts = false;
            self.message = None;
        }
        Ok(())
    }

    fn process(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        let direction = self.state.direction;
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
        Ok(self.state.record_len(length))
    }

    fn process_record(&mut self, record: &mut [u8], length: usize) -> Result<usize, Failure> {
        let (header, parts) = self.state.take_record(record, Sm4Gcm::TAG_LEN)?;
        let direction = self.state.direction;
        match direction {
            Direction::Encrypt => self.next_nonce(|nonce| {
                parts
                    .explicit
                    .copy_from_slice(&nonce[nonce.len() - EXPLICIT_LEN..]);
                Ok(())
            })?,
            Direction::Decrypt => self.use_nonce(parts.explicit)?,
        }
        let nonce = self.state.take_nonce()?;
        let cipher = self.cipher.as_ref().ok_or(Reason::NotInitialised)?;
        match direction {
            Direction::Encrypt => {
                let tag = cipher.seal_in_place(&nonce, &header, parts.contents)?;
                parts.tag.copy_from_slice(&tag);
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

    fn finish(&mut self, _out: &mut [u8]) -> Result<usize, Failure> {
        if self.state.direction == Direction::Decrypt && self.state.tag.is_none() {
            return Err(Reason::NoTag.into());
        }
        self.message()?;
        let message = self.message.take().ok_or(Reason::NotInitialised)?;
        let computed = message.tag();
        match (self.state.direction, self.state.tag.take()) {
            (Direction::Decrypt, Some(expected)) => {
                if bool::from(computed[..expected.len()].ct_eq(&expected)) {
                    Ok(0)
                } else {
                    Err(Reason::DecryptionFailed.into())
                }
            }
            _ => {
                self.state.tag = Some(Zeroizing::new(computed.to_vec()));
                Ok(0)
            }
        }
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        if self.state.set_nonce_len(params)? {
            self.counts = false;
        }
        if let Some(param) = params.find(c"tag") {
            let tag = param.octets()?;
            if !(1..=Sm4Gcm::TAG_LEN).contains(&tag.len()) {
                return Err(Reason::WrongTagLength.into());
            }
            self.state.expect_tag(tag)?;
        }
        self.state.set_header(params, Sm4Gcm::TAG_LEN)?;
        if let Some(param) = params.find(c"tlsivfixed") {
            self.set_fixed(param.octets_or_all(self.state.nonce_len)?)?;
        }
        if let Some(param) = params.find(c"tlsivinv") {
            self.use_nonce(param.octets()?)?;
        }
        Ok(())
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        let shown = self
            .state
            .tag
            .as_ref()
            .map_or(Sm4Gcm::TAG_LEN, |tag| tag.len());
        self.state.answer(requests, Sm4Gcm::TAG_LEN, shown)
    }

    fn give_next_nonce(&mut self, param: &mut Param) -> Result<(), Failure> {
        self.next_nonce(|nonce| param.set_suffix(nonce))
    }
}
