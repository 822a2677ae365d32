//! SM4's modes as ciphertexts have them: padded (PKCS#7) where the mode needs whole blocks, and behind the initial value where it has
//! one (GB/T 17964-2021, clauses 5 to 8).

use alloc::vec::Vec;

use subtle::{Choice, ConstantTimeEq, ConstantTimeGreater};
use zeroize::Zeroizing;

use super::Mode;
use crate::arith::backend::verdict;
use crate::sm4::{BLOCK_LEN, Sm4, Sm4Cbc};

/// The initial value, where the mode has one.
pub(super) const fn iv_len(mode: Mode) -> usize {
    match mode {
        Mode::Stream | Mode::Ecb => 0,
        Mode::Cbc | Mode::Ofb | Mode::Cfb => BLOCK_LEN,
    }
}

/// `C2` of a message. Not for the stream mode, in which it is not SM4's.
pub(super) fn encrypt(mode: Mode, cipher: Sm4, iv: &[u8; BLOCK_LEN], message: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(iv_len(mode) + message.len() + BLOCK_LEN);
    match mode {
        Mode::Stream | Mode::Ecb => {
            let padding = BLOCK_LEN - message.len() % BLOCK_LEN;
            out.extend_from_slice(message);
            out.resize(message.len() + padding, padding as u8);
            // Whole blocks, by the padding.
            let whole = cipher.encrypt_ecb(&mut out);
            debug_assert!(whole.is_ok());
        }
        Mode::Cbc => {
            out.extend_from_slice(iv);
            out.extend_from_slice(&Sm4Cbc::with_cipher(cipher).encrypt_padded(iv, message));
        }
        Mode::Ofb => {
            out.extend_from_slice(iv);
            out.extend_from_slice(message);
            add_output_feedback(&cipher, iv, &mut out[BLOCK_LEN..]);
        }
        Mode::Cfb => {
            out.extend_from_slice(iv);
            let mut chain = *iv;
            for piece in message.chunks(BLOCK_LEN) {
                cipher.encrypt(&mut chain);
                for (chain, byte) in chain.iter_mut().zip(piece) {
                    *chain ^= byte;
                }
                out.extend_from_slice(&chain[..piece.len()]);
            }
        }
    }
    out
}

/// The message in `C2`; nothing where it has a length or a padding that no message has. Not for the stream mode.
pub(super) fn decrypt(mode: Mode, cipher: Sm4, c2: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    if mode == Mode::Ecb {
        let mut data = Zeroizing::new(c2.to_vec());
        cipher.decrypt_ecb(&mut data).ok()?;
        let length = unpadded_len(&data)?;
        data.truncate(length);
        return Some(data);
    }
    let (iv, body) = c2.split_first_chunk::<BLOCK_LEN>()?;
    if body.is_empty() {
        return None;
    }
    match mode {
        Mode::Stream | Mode::Ecb => None,
        Mode::Cbc => Sm4Cbc::with_cipher(cipher)
            .decrypt_padded(iv, body)
            .ok()
            .map(Zeroizing::new),
        Mode::Ofb => {
            let mut data = Zeroizing::new(body.to_vec());
            add_output_feedback(&cipher, iv, &mut data);
            Some(data)
        }
        Mode::Cfb => {
            // What is added to a block is the block before it, encrypted: all of them at once.
            let whole = body.len().next_multiple_of(BLOCK_LEN);
            let mut data = Zeroizing::new(c2.get(..whole)?.to_vec());
            cipher.encrypt_ecb(&mut data).ok()?;
            data.truncate(body.len());
            for (key, byte) in data.iter_mut().zip(body) {
                *key ^= byte;
            }
            Some(data)
        }
    }
}

fn add_output_feedback(cipher: &Sm4, iv: &[u8; BLOCK_LEN], data: &mut [u8]) {
    let mut key = Zeroizing::new(*iv);
    for piece in data.chunks_mut(BLOCK_LEN) {
        cipher.encrypt(&mut key);
        for (byte, key) in piece.iter_mut().zip(key.iter()) {
            *byte ^= key;
        }
    }
}

/// How long whole blocks are without their padding. Constant time but for the answer.
fn unpadded_len(data: &[u8]) -> Option<usize> {
    let last = data.last_chunk::<BLOCK_LEN>()?;
    // The value of the last byte, in that many last bytes.
    let padding = last[BLOCK_LEN - 1];
    let mut right = !padding.ct_eq(&0) & !padding.ct_gt(&(BLOCK_LEN as u8));
    for (i, byte) in last.iter().rev().enumerate() {
        let inside: Choice = padding.ct_gt(&(i as u8));
        right &= !inside | byte.ct_eq(&padding);
    }
    if !verdict(right) {
        return None;
    }
    // How long the message is shows in what is returned.
    let padding = (1..=BLOCK_LEN).find(|&n| verdict(padding.ct_eq(&(n as u8))))?;
    data.len().checked_sub(padding)
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
