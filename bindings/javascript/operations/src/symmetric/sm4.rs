//! SM4 in its modes, at once and in pieces.

use alloc::vec::Vec;

use kuaimi::sm4::{
    BLOCK_LEN, Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4Ofb, Sm4Xts, XtsStandard,
    padding_length,
};
use zeroize::{Zeroize, Zeroizing};

use crate::object::{Handle, Object, other};
use crate::{Failure, Result};

/// Bits of `settings`.
const DECRYPT: u32 = 1;
const PADDING: u32 = 2;
const IEEE: u32 = 4;

/// A mode with its key, and what it remembers from piece to piece.
enum Mode {
    Ecb(Sm4),
    Cbc(Sm4Cbc, [u8; BLOCK_LEN]),
    Ctr(Sm4Ctr),
    Cfb(Sm4Cfb),
    Ofb(Sm4Ofb),
    Xts(Sm4Xts, [u8; BLOCK_LEN]),
}

/// A message that is encrypted or decrypted in pieces.
pub struct Stream {
    mode: Mode,
    decrypt: bool,
    padding: bool,
    /// The beginning of a block; when padding is to be removed, at most one block.
    rest: Zeroizing<Vec<u8>>,
    /// XTS takes one piece, the sector.
    finished: bool,
}

impl Stream {
    fn new(key: &[u8], mode: u32, iv: &[u8], settings: u32) -> Result<Self> {
        let block = || {
            iv.try_into()
                .map_err(|_| argument!("the iv, counter or tweak has 16 bytes"))
        };
        let takes_padding = mode < 2;
        let mode = if mode == 5 {
            let standard = match settings & IEEE {
                0 => XtsStandard::Gb,
                _ => XtsStandard::Ieee,
            };
            Mode::Xts(Sm4Xts::from_slice(key, standard)?, block()?)
        } else {
            let cipher = Sm4::from_slice(key)?;
            let block = if mode == 0 { [0; BLOCK_LEN] } else { block()? };
            match mode {
                0 => Mode::Ecb(cipher),
                1 => Mode::Cbc(Sm4Cbc::with_cipher(cipher), block),
                2 => Mode::Ctr(Sm4Ctr::with_cipher(cipher, &block)),
                3 => Mode::Cfb(Sm4Cfb::with_cipher(cipher, &block)),
                4 => Mode::Ofb(Sm4Ofb::with_cipher(cipher, &block)),
                _ => return Err(argument!("this is no mode of SM4")),
            }
        };
        Ok(Self {
            mode,
            decrypt: settings & DECRYPT != 0,
            padding: takes_padding && settings & PADDING != 0,
            rest: Zeroizing::new(Vec::with_capacity(BLOCK_LEN)),
            finished: false,
        })
    }

    /// Whether pieces are cut into blocks.
    fn in_blocks(&self) -> bool {
        matches!(self.mode, Mode::Ecb(_) | Mode::Cbc(..))
    }

    /// Whole blocks in ECB and CBC, the whole sector in XTS, any bytes in the others.
    fn apply(&mut self, data: &mut [u8]) -> Result<()> {
        match (&mut self.mode, self.decrypt) {
            (Mode::Ecb(cipher), false) => cipher.encrypt_ecb(data)?,
            (Mode::Ecb(cipher), true) => cipher.decrypt_ecb(data)?,
            (Mode::Cbc(cipher, chain), false) => {
                cipher.encrypt(chain, data)?;
                *chain = data.last_chunk().copied().unwrap_or(*chain);
            }
            (Mode::Cbc(cipher, chain), true) => {
                let next = data.last_chunk().copied().unwrap_or(*chain);
                cipher.decrypt(chain, data)?;
                *chain = next;
            }
            (Mode::Ctr(stream), _) => stream.apply(data),
            (Mode::Cfb(cipher), false) => cipher.encrypt(data),
            (Mode::Cfb(cipher), true) => cipher.decrypt(data),
            (Mode::Ofb(stream), _) => stream.apply(data),
            (Mode::Xts(cipher, tweak), false) => cipher.encrypt(tweak, data)?,
            (Mode::Xts(cipher, tweak), true) => cipher.decrypt(tweak, data)?,
        }
        Ok(())
    }

    fn update(&mut self, data: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        if matches!(self.mode, Mode::Xts(..)) {
            if self.finished {
                return Err(finished!(
                    "XTS takes a sector as one piece: make a cipher for each sector",
                ));
            }
            self.finished = true;
        }
        let total = self.rest.len() + data.len();
        let keep = match (self.in_blocks(), self.padding && self.decrypt) {
            (false, _) => 0,
            (true, false) => total % BLOCK_LEN,
            // The last block may be padding.
            (true, true) => total.min((total + BLOCK_LEN - 1) % BLOCK_LEN + 1),
        };
        let mut out = Zeroizing::new(Vec::with_capacity(total));
        out.extend_from_slice(&self.rest);
        out.extend_from_slice(data);
        self.rest.zeroize();
        self.rest.extend_from_slice(&out[total - keep..]);
        out.truncate(total - keep);
        self.apply(&mut out)?;
        Ok(out)
    }

    fn finish(&mut self) -> Result<Zeroizing<Vec<u8>>> {
        let mut last = core::mem::take(&mut self.rest);
        let left = last.len();
        match (self.padding, self.decrypt) {
            (true, false) => {
                let padding = BLOCK_LEN - left;
                last.resize(BLOCK_LEN, padding as u8);
                self.apply(&mut last)?;
            }
            (true, true) => {
                if left != BLOCK_LEN {
                    return Err(Failure::decryption());
                }
                self.apply(&mut last)?;
                let length = last.last_chunk().and_then(padding_length);
                let length = length.ok_or_else(Failure::decryption)?;
                last.truncate(BLOCK_LEN - length);
            }
            (false, _) if left != 0 => {
                return Err(kuaimi::sm4::Error::PartialBlock(left).into());
            }
            (false, _) => {}
        }
        Ok(last)
    }
}

/// A cipher in a mode without authentication, for a message in pieces.
pub fn sm4_new(key: &[u8], mode: u32, iv: &[u8], settings: u32) -> Result<Object> {
    Ok(Stream::new(key, mode, iv, settings)?.into())
}

/// The next piece.
pub fn sm4_update(stream: &Handle, data: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    stream.with(|object| match object {
        Object::Stream(stream) => stream.update(data),
        _ => Err(other()),
    })
}

/// The end; the cipher is used up.
pub fn sm4_finish(stream: &Handle) -> Result<Zeroizing<Vec<u8>>> {
    match stream.take(|object| matches!(object, Object::Stream(_)))? {
        Object::Stream(mut stream) => stream.finish(),
        _ => Err(other()),
    }
}

/// A whole message.
pub fn sm4_crypt(
    key: &[u8],
    mode: u32,
    iv: &[u8],
    settings: u32,
    data: &[u8],
) -> Result<Zeroizing<Vec<u8>>> {
    let mut stream = Stream::new(key, mode, iv, settings)?;
    let mut out = Zeroizing::new(Vec::with_capacity(data.len() + BLOCK_LEN));
    out.extend_from_slice(data);
    if stream.padding && !stream.decrypt {
        let padding = BLOCK_LEN - data.len() % BLOCK_LEN;
        out.resize(data.len() + padding, padding as u8);
    }
    match stream.apply(&mut out) {
        // What is not whole blocks was not encrypted so.
        Err(_) if stream.padding && stream.decrypt => return Err(Failure::decryption()),
        result => result?,
    }
    if stream.padding && stream.decrypt {
        let length = out.last_chunk().and_then(padding_length);
        let length = length.ok_or_else(Failure::decryption)?;
        let rest = out.len() - length;
        out.truncate(rest);
    }
    Ok(out)
}

/// GCM (0) or CCM (1) under a key.
pub fn sm4_aead_new(key: &[u8], mode: u32, tag_length: u32) -> Result<Object> {
    let tag_length = tag_length as usize;
    match mode {
        0 if tag_length == Sm4Gcm::TAG_LEN => Ok(Sm4Gcm::from_slice(key)?.into()),
        1 if (4..=16).contains(&tag_length) && tag_length.is_multiple_of(2) => {
            Ok(Object::Ccm(Sm4Ccm::from_slice(key)?.into(), tag_length))
        }
        0 | 1 => Err(kuaimi::sm4::Error::TagLength(tag_length).into()),
        _ => Err(argument!("this is no authenticated mode of SM4")),
    }
}

/// The ciphertext, with the tag at its end.
pub fn sm4_aead_seal(
    cipher: &Handle,
    nonce: &[u8],
    associated: &[u8],
    data: &[u8],
) -> Result<Vec<u8>> {
    cipher.with(|object| match object {
        Object::Gcm(cipher) => Ok(cipher.seal(nonce, associated, data)?),
        Object::Ccm(cipher, tag_length) => {
            let mut out = Zeroizing::new(Vec::with_capacity(data.len() + *tag_length));
            out.extend_from_slice(data);
            let mut tag = [0; 16];
            let tag = &mut tag[..*tag_length];
            cipher.seal_in_place(nonce, associated, &mut out, tag)?;
            out.extend_from_slice(tag);
            Ok(core::mem::take(&mut *out))
        }
        _ => Err(other()),
    })
}

/// The message of a ciphertext with the tag at its end.
pub fn sm4_aead_open(
    cipher: &Handle,
    nonce: &[u8],
    associated: &[u8],
    data: &[u8],
) -> Result<Zeroizing<Vec<u8>>> {
    cipher.with(|object| match object {
        Object::Gcm(cipher) => Ok(cipher.open(nonce, associated, data)?.into()),
        Object::Ccm(cipher, tag_length) => {
            let Some(length) = data.len().checked_sub(*tag_length) else {
                return Err(Failure::decryption());
            };
            let (message, tag) = data.split_at(length);
            let mut out = Zeroizing::new(message.to_vec());
            cipher.open_in_place(nonce, associated, &mut out, tag)?;
            Ok(out)
        }
        _ => Err(other()),
    })
}
