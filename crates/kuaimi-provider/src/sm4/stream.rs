//! Modes of single bytes: CTR, CFB and OFB.

use kuaimi::sm4::{Sm4, Sm4Cfb, Sm4Ctr, Sm4Ofb};

use super::{BLOCK_LEN, KEY_LEN, NO_IV, block_iv, key};
use crate::abi::cipher::{Cipher, Direction, Info};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};

/// What a mode of single bytes does with them.
pub(crate) trait Bytes: Clone + Sync + 'static {
    const NUMBER: u64;
    /// Whether another message without a new IV begins with the same IV.
    const REWINDS: bool = true;

    fn new(cipher: Sm4, iv: &[u8; BLOCK_LEN]) -> Self;

    fn crypt(&mut self, direction: Direction, data: &mut [u8]);

    /// The IV with which the rest of the message would go on, and how many bytes of its block were
    /// used.
    fn position(&self) -> ([u8; BLOCK_LEN], usize);
}

impl Bytes for Sm4Ctr {
    const NUMBER: u64 = 5;
    // No counter is used twice, unless the program sets it.
    const REWINDS: bool = false;

    fn new(cipher: Sm4, iv: &[u8; BLOCK_LEN]) -> Self {
        Self::with_cipher(cipher, iv)
    }

    fn crypt(&mut self, _direction: Direction, data: &mut [u8]) {
        self.apply(data);
    }

    fn position(&self) -> ([u8; BLOCK_LEN], usize) {
        self.position()
    }
}

impl Bytes for Sm4Cfb {
    const NUMBER: u64 = 3;

    fn new(cipher: Sm4, iv: &[u8; BLOCK_LEN]) -> Self {
        Self::with_cipher(cipher, iv)
    }

    fn crypt(&mut self, direction: Direction, data: &mut [u8]) {
        match direction {
            Direction::Encrypt => self.encrypt(data),
            Direction::Decrypt => self.decrypt(data),
        }
    }

    fn position(&self) -> ([u8; BLOCK_LEN], usize) {
        self.position()
    }
}

impl Bytes for Sm4Ofb {
    const NUMBER: u64 = 4;

    fn new(cipher: Sm4, iv: &[u8; BLOCK_LEN]) -> Self {
        Self::with_cipher(cipher, iv)
    }

    fn crypt(&mut self, _direction: Direction, data: &mut [u8]) {
        self.apply(data);
    }

    fn position(&self) -> ([u8; BLOCK_LEN], usize) {
        self.position()
    }
}

pub(crate) type Ctr = Streamed<Sm4Ctr>;
pub(crate) type Cfb = Streamed<Sm4Cfb>;
pub(crate) type Ofb = Streamed<Sm4Ofb>;

/// A mode of single bytes over a message of any length.
#[derive(Clone)]
pub(crate) struct Streamed<B> {
    cipher: Option<Sm4>,
    iv: Option<[u8; BLOCK_LEN]>,
    stream: Option<B>,
    direction: Direction,
}

impl<B: Bytes> Cipher for Streamed<B> {
    const INFO: Info = Info {
        mode: B::NUMBER,
        key_len: KEY_LEN,
        iv_len: BLOCK_LEN,
        block_len: 1,
        aead: false,
        custom_iv: false,
    };
    const GETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"ivlen", Kind::Unsigned),
        Param::known(c"num", Kind::Unsigned),
        Param::known(c"iv", Kind::Octets),
        Param::known(c"updated-iv", Kind::Octets),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        // For programs that turn padding off with any cipher.
        Param::known(c"padding", Kind::Unsigned),
        Param::END,
    ];

    fn new() -> Self {
        Self {
            cipher: None,
            iv: None,
            stream: None,
            direction: Direction::Encrypt,
        }
    }

    fn init(
        &mut self,
        direction: Direction,
        key_bytes: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Failure> {
        self.direction = direction;
        if let Some(bytes) = key_bytes {
            self.cipher = Some(Sm4::new(key(bytes)?));
        }
        let next = self.stream.as_ref().map(|stream| stream.position().0);
        if let Some(iv) = iv {
            self.iv = Some(block_iv(iv)?);
        }
        let first = match next {
            Some(next) if iv.is_none() && !B::REWINDS => Some(next),
            _ => self.iv,
        };
        self.stream = match (&self.cipher, &first) {
            (Some(cipher), Some(iv)) => Some(B::new(cipher.clone(), iv)),
            _ => None,
        };
        Ok(())
    }

    fn process(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        let stream = self.stream.as_mut().ok_or(Reason::NotInitialised)?;
        stream.crypt(self.direction, buffer);
        Ok(())
    }

    fn finish(&mut self, _out: &mut [u8]) -> Result<usize, Failure> {
        Ok(0)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        // The position within a block cannot be set, so a program that asks for another one gets an
        // error.
        let used = self.stream.as_ref().map_or(0, |stream| stream.position().1);
        match params.find(c"num") {
            Some(param) if param.size()? != used => {
                Err(Failure::with(Reason::InvalidParameter, "num"))
            }
            _ => Ok(()),
        }
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        let iv = self.iv.as_ref().unwrap_or(&NO_IV);
        let (updated, used) = self.stream.as_ref().map_or((*iv, 0), B::position);
        requests.answer(c"ivlen", |param| param.set_unsigned(BLOCK_LEN as u64))?;
        requests.answer(c"num", |param| param.set_unsigned(used as u64))?;
        requests.answer(c"iv", |param| param.set_kept_octets(iv))?;
        requests.answer(c"updated-iv", |param| param.set_octets(&updated))
    }
}
