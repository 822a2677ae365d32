//! SM4 as the standard writes it: the model in the tests of every implementation. Slow, and not
//! constant time.

#![forbid(unsafe_code)]

use std::sync::OnceLock;

use super::affine::{A, C};
use super::maps::{SM4_POLYNOMIAL, multiply};
use super::schedule::{CK, FK};

/// `S`: an inversion in the field (the 254th power) between two affine maps.
pub(super) fn sbox(x: u8) -> u8 {
    static TABLE: OnceLock<[u8; 256]> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        core::array::from_fn(|x| {
            let inside = A.apply(x as u8) ^ C;
            let inverse = (0..254).fold(1, |power, _| multiply(power, inside, SM4_POLYNOMIAL));
            A.apply(inverse) ^ C
        })
    });
    table[usize::from(x)]
}

fn tau(word: u32) -> u32 {
    u32::from_be_bytes(word.to_be_bytes().map(sbox))
}

/// `T` (6.2).
fn t(word: u32) -> u32 {
    let b = tau(word);
    b ^ b.rotate_left(2) ^ b.rotate_left(10) ^ b.rotate_left(18) ^ b.rotate_left(24)
}

fn words(block: &[u8; 16]) -> [u32; 4] {
    core::array::from_fn(|i| u32::from_be_bytes(block.as_chunks::<4>().0[i]))
}

/// The key schedule (7.3).
pub(super) fn round_keys(key: &[u8; 16]) -> [u32; 32] {
    let mut k = words(key).to_vec();
    k.iter_mut().zip(FK).for_each(|(k, fk)| *k ^= fk);
    for i in 0..32 {
        let b = tau(k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ CK[i]);
        k.push(k[i] ^ b ^ b.rotate_left(13) ^ b.rotate_left(23));
    }
    core::array::from_fn(|i| k[i + 4])
}

/// The rounds (7.1) with the round keys in the order given, and the reversal at their end.
fn crypt(round_keys: impl Iterator<Item = u32>, block: &[u8; 16]) -> [u8; 16] {
    let mut x = words(block).to_vec();
    for rk in round_keys {
        let i = x.len();
        x.push(x[i - 4] ^ t(x[i - 3] ^ x[i - 2] ^ x[i - 1] ^ rk));
    }
    let last: Vec<u8> = x
        .iter()
        .rev()
        .take(4)
        .flat_map(|x| x.to_be_bytes())
        .collect();
    last.try_into().expect("four words")
}

pub(super) fn encrypt(key: &[u8; 16], block: &[u8; 16]) -> [u8; 16] {
    crypt(round_keys(key).into_iter(), block)
}

pub(super) fn decrypt(key: &[u8; 16], block: &[u8; 16]) -> [u8; 16] {
    crypt(round_keys(key).into_iter().rev(), block)
}

#[test]
fn the_standards_first_round_key_and_sbox() {
    // GB/T 32907-2016, table 1 (first and last row) and annex A.1.
    assert_eq!(
        [0x00, 0x01, 0x0e, 0xf0, 0xff].map(sbox),
        [0xd6, 0x90, 0x2c, 0x18, 0x48]
    );
    let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
    assert_eq!(round_keys(&key)[0], 0xf121_86f9);
    assert_eq!(round_keys(&key)[31], 0x9124_a012);
}
