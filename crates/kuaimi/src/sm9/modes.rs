//! SM4's modes as ciphertexts have them: padded (PKCS#7) where the mode needs whole blocks, and
//! behind the initial value where it has one (GB/T 17964-2021, clauses 5 to 8).

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::Mode;
use super::layout::{BLOCK_LEN, fits, iv_len, padding_len, split_iv};
use crate::sm4::{Sm4, Sm4Cbc, Sm4Cfb, Sm4Ofb, padding_length};

/// SM4 in a mode, for data that comes in pieces: whole blocks, but for the last piece where the
/// mode needs no padding.
pub(super) enum Chained {
    Ecb(Sm4),
    /// The block that is added to the next one.
    Cbc(Sm4Cbc, [u8; BLOCK_LEN]),
    Ofb(Sm4Ofb),
    Cfb(Sm4Cfb),
}

impl Chained {
    /// From the initial value, where the mode has one. Not for the stream mode, which is not SM4's.
    pub(super) fn new(mode: Mode, cipher: Sm4, iv: &[u8; BLOCK_LEN]) -> Self {
        match mode {
            Mode::Stream | Mode::Ecb => Self::Ecb(cipher),
            Mode::Cbc => Self::Cbc(Sm4Cbc::with_cipher(cipher), *iv),
            Mode::Ofb => Self::Ofb(Sm4Ofb::with_cipher(cipher, iv)),
            Mode::Cfb => Self::Cfb(Sm4Cfb::with_cipher(cipher, iv)),
        }
    }

    /// Encrypts the next piece.
    pub(super) fn encrypt(&mut self, data: &mut [u8]) {
        match self {
            Self::Ecb(cipher) => {
                let whole = cipher.encrypt_ecb(data);
                debug_assert!(whole.is_ok(), "padding is the caller's");
            }
            Self::Cbc(cipher, chain) => {
                let whole = cipher.encrypt(chain, data);
                debug_assert!(whole.is_ok(), "padding is the caller's");
                *chain = data.last_chunk().copied().unwrap_or(*chain);
            }
            Self::Ofb(stream) => stream.apply(data),
            Self::Cfb(state) => state.encrypt(data),
        }
    }

    /// Decrypts the next piece; padding is left in it.
    pub(super) fn decrypt(&mut self, data: &mut [u8]) {
        match self {
            Self::Ecb(cipher) => {
                let whole = cipher.decrypt_ecb(data);
                debug_assert!(whole.is_ok(), "the caller has looked");
            }
            Self::Cbc(cipher, chain) => {
                let next = data.last_chunk().copied().unwrap_or(*chain);
                let whole = cipher.decrypt(chain, data);
                debug_assert!(whole.is_ok(), "the caller has looked");
                *chain = next;
            }
            Self::Ofb(stream) => stream.apply(data),
            Self::Cfb(state) => state.decrypt(data),
        }
    }
}

/// `C2` of a message. Not for the stream mode, in which it is not SM4's.
pub(super) fn encrypt(mode: Mode, cipher: Sm4, iv: &[u8; BLOCK_LEN], message: &[u8]) -> Vec<u8> {
    let start = iv_len(mode);
    let padding = padding_len(mode, message.len() as u64);
    let mut out = Vec::with_capacity(start + message.len() + padding);
    out.extend_from_slice(&iv[..start]);
    out.extend_from_slice(message);
    out.resize(out.len() + padding, padding as u8);
    Chained::new(mode, cipher, iv).encrypt(&mut out[start..]);
    out
}

/// The message in `C2`; nothing where it has a length or a padding that no message has. Not for the
/// stream mode.
pub(super) fn decrypt(mode: Mode, cipher: Sm4, c2: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (iv, body) = split_iv(mode, c2)?;
    if !fits(mode, body.len() as u64) {
        return None;
    }
    let mut data = Zeroizing::new(body.to_vec());
    Chained::new(mode, cipher, &iv).decrypt(&mut data);
    if padding_len(mode, 0) != 0 {
        let padding = padding_length(data.last_chunk()?)?;
        let length = data.len().checked_sub(padding)?;
        data.truncate(length);
    }
    Some(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cipher() -> Sm4 {
        Sm4::new(&[7; 16])
    }

    #[test]
    fn every_mode_gives_back_what_it_took_at_every_length() {
        for mode in [Mode::Ecb, Mode::Cbc, Mode::Ofb, Mode::Cfb] {
            for length in 1..70 {
                let message: Vec<u8> = (0..length).collect();
                let c2 = encrypt(mode, cipher(), &[9; 16], &message);
                let padded = matches!(mode, Mode::Ecb | Mode::Cbc);
                let expected = match padded {
                    true => message.len() / 16 * 16 + 16,
                    false => message.len(),
                };
                assert_eq!(c2.len(), iv_len(mode) + expected, "{mode}, {length}");
                let back = decrypt(mode, cipher(), &c2).expect("it was encrypted");
                assert_eq!(*back, message, "{mode}, {length}");
            }
        }
    }

    #[test]
    fn pieces_make_the_same_as_the_whole() {
        let message: Vec<u8> = (0..3000).map(|i| (i * i) as u8).collect();
        for mode in [Mode::Ecb, Mode::Cbc, Mode::Ofb, Mode::Cfb] {
            let iv = [9; 16];
            let whole = encrypt(mode, cipher(), &iv, &message);
            for size in [16, 48, 1024, 1040] {
                let mut data = message.clone();
                let padding = padding_len(mode, data.len() as u64);
                data.resize(data.len() + padding, padding as u8);
                let mut chained = Chained::new(mode, cipher(), &iv);
                data.chunks_mut(size)
                    .for_each(|piece| chained.encrypt(piece));
                assert_eq!(data, whole[iv_len(mode)..], "{mode}, {size}");
                let mut chained = Chained::new(mode, cipher(), &iv);
                data.chunks_mut(size)
                    .for_each(|piece| chained.decrypt(piece));
                assert_eq!(data[..message.len()], message, "{mode}, {size}");
            }
        }
    }

    /// The definitions, written out block by block.
    #[test]
    fn feedback_is_that_of_the_definitions() {
        let (iv, message) = ([3u8; 16], [5u8; 40]);
        let encrypted = |block: &[u8; 16]| {
            let mut block = *block;
            cipher().encrypt(&mut block);
            block
        };
        let first = encrypted(&iv).map(|key| key ^ 5);
        let cfb = encrypt(Mode::Cfb, cipher(), &iv, &message);
        assert_eq!(cfb[..16], iv);
        assert_eq!(cfb[16..32], first);
        assert_eq!(cfb[32..48], encrypted(&first).map(|key| key ^ 5));
        let ofb = encrypt(Mode::Ofb, cipher(), &iv, &message);
        assert_eq!(ofb[16..32], first);
        assert_eq!(ofb[32..48], encrypted(&encrypted(&iv)).map(|key| key ^ 5));
    }

    #[test]
    fn wrong_padding_and_lengths_are_refused() {
        let sealed = |data: [u8; 16]| {
            let mut block = data;
            cipher().encrypt(&mut block);
            block
        };
        for (last, ok) in [
            (0, false),
            (1, true),
            (17, false),
            (16, false),
            (255, false),
        ] {
            let mut block = [7; 16];
            block[15] = last;
            let found = decrypt(Mode::Ecb, cipher(), &sealed(block));
            assert_eq!(found.is_some(), ok, "{last}");
        }
        // A block of padding and nothing else.
        let nothing = decrypt(Mode::Ecb, cipher(), &sealed([16; 16]));
        assert_eq!(nothing.as_deref(), Some(&Vec::new()));
        assert!(decrypt(Mode::Ecb, cipher(), &[0; 15]).is_none());
        assert!(decrypt(Mode::Ecb, cipher(), &[]).is_none());
        for mode in [Mode::Cbc, Mode::Ofb, Mode::Cfb] {
            for length in 0..=16 {
                assert!(decrypt(mode, cipher(), &[0; 16][..length]).is_none());
            }
        }
        assert!(decrypt(Mode::Cbc, cipher(), &[0; 31]).is_none());
    }
}
