//! Modes of whole blocks, with PKCS#7's padding unless it is turned off: ECB and CBC; and records
//! of TLS, with its own padding.

use kuaimi::sm4::{Sm4, Sm4Cbc};
use zeroize::Zeroize;

use super::tls_record::{self, MAX_MAC_LEN};
use super::{BLOCK_LEN, KEY_LEN, NO_IV, block_iv, key};
use crate::abi::cipher::{Cipher, Direction, Info};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};
use crate::random;

/// What a mode of whole blocks does with them.
pub(crate) trait Blocks: Clone + Sync + 'static {
    const NUMBER: u64;
    const IV_LEN: usize;

    fn new(key: &[u8; KEY_LEN]) -> Self;

    /// Encrypts or decrypts whole blocks, and leaves the IV for the next ones.
    fn crypt(
        &self,
        direction: Direction,
        iv: &mut [u8; BLOCK_LEN],
        blocks: &mut [u8],
    ) -> Result<(), Failure>;
}

impl Blocks for Sm4 {
    const NUMBER: u64 = 1;
    const IV_LEN: usize = 0;

    fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::new(key)
    }

    fn crypt(
        &self,
        direction: Direction,
        _iv: &mut [u8; BLOCK_LEN],
        blocks: &mut [u8],
    ) -> Result<(), Failure> {
        Ok(match direction {
            Direction::Encrypt => self.encrypt_ecb(blocks),
            Direction::Decrypt => self.decrypt_ecb(blocks),
        }?)
    }
}

impl Blocks for Sm4Cbc {
    const NUMBER: u64 = 2;
    const IV_LEN: usize = BLOCK_LEN;

    fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::new(key)
    }

    fn crypt(
        &self,
        direction: Direction,
        iv: &mut [u8; BLOCK_LEN],
        blocks: &mut [u8],
    ) -> Result<(), Failure> {
        let last = |blocks: &[u8]| blocks.last_chunk().copied();
        let next = match direction {
            Direction::Encrypt => {
                self.encrypt(iv, blocks)?;
                last(blocks)
            }
            Direction::Decrypt => {
                let next = last(blocks);
                self.decrypt(iv, blocks)?;
                next
            }
        };
        *iv = next.unwrap_or(*iv);
        Ok(())
    }
}

pub(crate) type Ecb = Padded<Sm4>;
pub(crate) type Cbc = Padded<Sm4Cbc>;

/// A mode of whole blocks over a message of any length.
#[derive(Clone)]
pub(crate) struct Padded<B> {
    blocks: Option<B>,
    direction: Direction,
    padding: bool,
    /// The IV of the message, and that of the next block.
    first_iv: Option<[u8; BLOCK_LEN]>,
    iv: [u8; BLOCK_LEN],
    held: [u8; BLOCK_LEN],
    held_len: usize,
    records: Records,
}

/// How records of TLS are processed.
#[derive(Clone)]
struct Records {
    /// Whether they begin with a block for the IV; none if the data is not records.
    explicit_iv: Option<bool>,
    mac: [u8; MAX_MAC_LEN],
    mac_len: usize,
}

impl<B> Drop for Padded<B> {
    fn drop(&mut self) {
        self.held.zeroize();
        self.records.mac.zeroize();
    }
}

impl<B: Blocks> Cipher for Padded<B> {
    const INFO: Info = Info {
        mode: B::NUMBER,
        key_len: KEY_LEN,
        iv_len: B::IV_LEN,
        block_len: BLOCK_LEN,
        aead: false,
        custom_iv: false,
    };
    const GETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"ivlen", Kind::Unsigned),
        Param::known(c"padding", Kind::Unsigned),
        Param::known(c"iv", Kind::Octets),
        Param::known(c"updated-iv", Kind::Octets),
        Param::known(c"tls-mac", Kind::OctetPointer),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::known(c"keylen", Kind::Unsigned),
        Param::known(c"padding", Kind::Unsigned),
        Param::known(c"tls-version", Kind::Unsigned),
        Param::known(c"tls-mac-size", Kind::Unsigned),
        Param::END,
    ];

    fn new() -> Self {
        Self {
            blocks: None,
            direction: Direction::Encrypt,
            padding: true,
            first_iv: (B::IV_LEN == 0).then_some([0; BLOCK_LEN]),
            iv: [0; BLOCK_LEN],
            held: [0; BLOCK_LEN],
            held_len: 0,
            records: Records {
                explicit_iv: None,
                mac: [0; MAX_MAC_LEN],
                mac_len: 0,
            },
        }
    }

    fn init(
        &mut self,
        direction: Direction,
        key_bytes: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Failure> {
        self.direction = direction;
        self.held.zeroize();
        self.held_len = 0;
        if let Some(iv) = iv.filter(|_| B::IV_LEN != 0) {
            self.first_iv = Some(block_iv(iv)?);
        }
        self.iv = self.first_iv.unwrap_or_default();
        if let Some(bytes) = key_bytes {
            self.blocks = Some(B::new(key(bytes)?));
        }
        Ok(())
    }

    fn held(&self) -> &[u8] {
        &self.held[..self.held_len]
    }

    /// Whole blocks. When a padded message is decrypted, the last block is held, as it may be the
    /// end.
    fn ready(&self, total: usize) -> usize {
        let waits = self.padding && self.direction == Direction::Decrypt;
        match total % BLOCK_LEN {
            0 if waits => total.saturating_sub(BLOCK_LEN),
            rest => total - rest,
        }
    }

    fn process(&mut self, buffer: &mut [u8]) -> Result<(), Failure> {
        let blocks = self.blocks.as_ref().ok_or(Reason::NotInitialised)?;
        if self.first_iv.is_none() {
            return Err(Reason::NotInitialised.into());
        }
        blocks.crypt(self.direction, &mut self.iv, buffer)
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.held[..bytes.len()].copy_from_slice(bytes);
        self.held_len = bytes.len();
    }

    fn record_len(&self, length: usize) -> Result<Option<usize>, Failure> {
        match (self.records.explicit_iv, self.direction) {
            (None, _) => Ok(None),
            (Some(_), Direction::Decrypt) => Ok(Some(length)),
            (Some(_), Direction::Encrypt) => match tls_record::padded_len(length) {
                None => Err(Reason::MessageTooLong.into()),
                some => Ok(some),
            },
        }
    }

    fn process_record(&mut self, record: &mut [u8], length: usize) -> Result<usize, Failure> {
        if self.direction == Direction::Encrypt {
            tls_record::pad(record, length);
            self.process(record)?;
            return Ok(record.len());
        }
        self.process(record)?;
        let Records {
            explicit_iv,
            mac,
            mac_len,
        } = &mut self.records;
        let skipped = if *explicit_iv == Some(true) {
            BLOCK_LEN
        } else {
            0
        };
        let mac = &mut mac[..*mac_len];
        random::fill(mac)?;
        record
            .get(skipped..)
            .and_then(|record| tls_record::open(record, mac))
            .ok_or_else(|| Reason::BadTlsRecord.into())
    }

    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Failure> {
        if self.records.explicit_iv.is_some() {
            return Err(Failure::with(
                Reason::InvalidParameter,
                "a record of TLS comes in one piece, and nothing after it",
            ));
        }
        if self.padding && out.len() < BLOCK_LEN {
            return Err(Reason::OutputTooSmall.into());
        }
        let held = std::mem::take(&mut self.held_len);
        if self.padding && self.direction == Direction::Encrypt {
            let mut last = self.held;
            last[held..].fill((BLOCK_LEN - held) as u8);
            self.process(&mut last)?;
            out[..BLOCK_LEN].copy_from_slice(&last);
            return Ok(BLOCK_LEN);
        }
        if !self.padding {
            return if held == 0 {
                Ok(0)
            } else {
                Err(Reason::WrongFinalBlockLength.into())
            };
        }
        if held != BLOCK_LEN {
            return Err(Reason::WrongFinalBlockLength.into());
        }
        let mut last = self.held;
        self.process(&mut last)?;
        let padding = usize::from(last[BLOCK_LEN - 1]);
        let right = (1..=BLOCK_LEN).contains(&padding)
            && last[BLOCK_LEN - padding..]
                .iter()
                .all(|&byte| usize::from(byte) == padding);
        let result = if right {
            let length = BLOCK_LEN - padding;
            out[..length].copy_from_slice(&last[..length]);
            Ok(length)
        } else {
            Err(Reason::BadPadding)
        };
        last.zeroize();
        Ok(result?)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        if let Some(param) = params.find(c"padding") {
            self.padding = param.unsigned()? != 0;
        }
        if let Some(param) = params.find(c"tls-version") {
            let version = param.unsigned()?;
            self.records.explicit_iv = tls_record::explicit_iv(version);
            if version != 0 && (B::IV_LEN == 0 || self.records.explicit_iv.is_none()) {
                self.records.explicit_iv = None;
                return Err(Reason::UnsupportedTlsVersion.into());
            }
        }
        if let Some(param) = params.find(c"tls-mac-size") {
            let length = param.size()?;
            if length > MAX_MAC_LEN {
                return Err(Failure::with(Reason::InvalidParameter, "tls-mac-size"));
            }
            self.records.mac_len = length;
        }
        Ok(())
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"ivlen", |param| param.set_unsigned(B::IV_LEN as u64))?;
        requests.answer(c"padding", |param| param.set_unsigned(self.padding.into()))?;
        let first = self.first_iv.as_ref().unwrap_or(&NO_IV);
        requests.answer(c"iv", |param| param.set_kept_octets(&first[..B::IV_LEN]))?;
        requests.answer(c"updated-iv", |param| {
            param.set_kept_octets(&self.iv[..B::IV_LEN])
        })?;
        requests.answer(c"tls-mac", |param| {
            param.set_pointer(&self.records.mac[..self.records.mac_len])
        })
    }
}
