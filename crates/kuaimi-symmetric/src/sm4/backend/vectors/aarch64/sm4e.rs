//! The cipher with the instructions for SM4 of ARMv8.2.
//!
//! `SM4E` computes four rounds of one block, and `SM4EKEY` four rounds of the key schedule. Both
//! take words in the order of their numbers, with the bits as in registers. Several blocks are
//! computed at the same time, as the rounds of one depend on each other.

use core::arch::aarch64::*;
use core::arch::asm;

use cipher::InOutBuf;

use super::super::super::super::schedule::{CK, FK};
use super::super::super::super::{BLOCK_LEN, Block, KEY_LEN, ROUNDS};
use super::super::super::{
    Chaining, Direction, Masks, RoundKeys, chain_with, ctr32_with, mac_with, masked_with, zero_with,
};

/// Blocks at a time.
const GROUP: usize = 8;

/// The four words after `words`, with four round keys.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn four_rounds(mut words: uint32x4_t, keys: uint32x4_t) -> uint32x4_t {
    // SAFETY: the CPU has the instruction, by the features of this function; it changes one
    // register.
    unsafe {
        asm!("sm4e {0:v}.4s, {1:v}.4s", inout(vreg) words, in(vreg) keys, options(pure, nomem, nostack, preserves_flags));
    }
    words
}

/// The next four round keys after `keys`, with four words of `CK`.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn four_keys(keys: uint32x4_t, ck: uint32x4_t) -> uint32x4_t {
    let next;
    // SAFETY: as above.
    unsafe {
        asm!("sm4ekey {0:v}.4s, {1:v}.4s, {2:v}.4s", lateout(vreg) next, in(vreg) keys, in(vreg) ck, options(pure, nomem, nostack, preserves_flags));
    }
    next
}

/// The round keys of `key`, as numbers.
#[target_feature(enable = "neon,sm4")]
pub(in super::super::super) fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
    let mut keys = [0; ROUNDS];
    // SAFETY: the arrays have four words, or 16 bytes.
    let mut last = unsafe {
        let key = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(key.as_ptr())));
        veorq_u32(key, vld1q_u32(FK.as_ptr()))
    };
    for (keys, ck) in keys
        .as_chunks_mut::<4>()
        .0
        .iter_mut()
        .zip(CK.as_chunks::<4>().0)
    {
        // SAFETY: the arrays have four words.
        unsafe {
            last = four_keys(last, vld1q_u32(ck.as_ptr()));
            vst1q_u32(keys.as_mut_ptr(), last);
        }
    }
    keys
}

/// The round keys in vectors, in the order in which they are used.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn ordered(keys: &RoundKeys, direction: Direction) -> [uint32x4_t; ROUNDS / 4] {
    let mut ordered = [vdupq_n_u32(0); ROUNDS / 4];
    for (i, four) in keys.as_chunks::<4>().0.iter().enumerate() {
        // SAFETY: the array has four words.
        let four = unsafe { vld1q_u32(four.as_ptr()) };
        match direction {
            Direction::Encrypt => ordered[i] = four,
            Direction::Decrypt => ordered[ROUNDS / 4 - 1 - i] = reversed(four),
        }
    }
    ordered
}

/// Four words in reverse order.
#[inline]
#[target_feature(enable = "neon")]
fn reversed(words: uint32x4_t) -> uint32x4_t {
    let swapped = vrev64q_u32(words);
    vextq_u32::<2>(swapped, swapped)
}

/// Encrypts or decrypts `N` blocks.
///
/// # Safety
/// `N` blocks must be readable at `from` and writable at `to`.
#[inline]
#[target_feature(enable = "neon,sm4")]
unsafe fn crypt_blocks<const N: usize>(
    keys: &[uint32x4_t; ROUNDS / 4],
    from: *const u8,
    to: *mut u8,
) {
    let mut words = [vdupq_n_u32(0); N];
    for (i, words) in words.iter_mut().enumerate() {
        // SAFETY: by the contract of this function.
        *words = vreinterpretq_u32_u8(vrev32q_u8(unsafe { vld1q_u8(from.add(BLOCK_LEN * i)) }));
    }
    for &keys in keys {
        for words in &mut words {
            *words = four_rounds(*words, keys);
        }
    }
    for (i, words) in words.iter().enumerate() {
        let bytes = vrev32q_u8(vreinterpretq_u8_u32(reversed(*words)));
        // SAFETY: by the contract of this function.
        unsafe { vst1q_u8(to.add(BLOCK_LEN * i), bytes) }
    }
}

/// The same, and the encryption of a block of zeros.
#[target_feature(enable = "neon,sm4")]
pub(in super::super::super) fn round_keys_and_zero(
    key: &[u8; KEY_LEN],
) -> (RoundKeys, [u8; BLOCK_LEN]) {
    zero_with(round_keys(key), |keys, block| {
        crypt(keys, Direction::Encrypt, None, block);
    })
}

/// Encrypts or decrypts every block, and adds masks.
#[target_feature(enable = "neon,sm4")]
pub(in super::super::super) fn crypt(
    keys: &RoundKeys,
    direction: Direction,
    masks: Option<Masks<'_>>,
    blocks: InOutBuf<'_, '_, Block>,
) {
    masked_with(masks, blocks, |blocks| crypt_all(keys, direction, blocks));
}

/// Encrypts or decrypts every block.
#[target_feature(enable = "neon,sm4")]
fn crypt_all(keys: &RoundKeys, direction: Direction, blocks: InOutBuf<'_, '_, Block>) {
    let keys = ordered(keys, direction);
    let mut left = blocks.len();
    let (from, to) = blocks.into_raw();
    let (mut from, mut to) = (from.cast::<u8>(), to.cast::<u8>());
    while left >= GROUP {
        // SAFETY: at least so many blocks are left, and input and output are the same or do not
        // overlap.
        unsafe {
            crypt_blocks::<GROUP>(&keys, from, to);
            (from, to) = (from.add(GROUP * BLOCK_LEN), to.add(GROUP * BLOCK_LEN));
        }
        left -= GROUP;
    }
    while left > 0 {
        // SAFETY: as above.
        unsafe {
            crypt_blocks::<1>(&keys, from, to);
            (from, to) = (from.add(BLOCK_LEN), to.add(BLOCK_LEN));
        }
        left -= 1;
    }
}

/// Encrypts blocks one after the other.
#[target_feature(enable = "neon,sm4")]
pub(in super::super::super) fn chain(
    keys: &RoundKeys,
    mode: Chaining,
    chain: &mut [u8; BLOCK_LEN],
    blocks: &mut [Block],
) {
    let keys = ordered(keys, Direction::Encrypt);
    chain_with(mode, chain, blocks, |block| encrypt_one(&keys, block));
}

/// CBC-MAC.
#[target_feature(enable = "neon,sm4")]
pub(in super::super::super) fn mac(
    keys: &RoundKeys,
    chain: &mut [u8; BLOCK_LEN],
    blocks: &[Block],
) {
    let keys = ordered(keys, Direction::Encrypt);
    mac_with(chain, blocks, |block| encrypt_one(&keys, block));
}

#[inline]
#[target_feature(enable = "neon,sm4")]
fn encrypt_one(keys: &[uint32x4_t; ROUNDS / 4], block: &mut Block) {
    let at = block.as_mut_ptr();
    // SAFETY: it is a block.
    unsafe { crypt_blocks::<1>(keys, at, at) }
}

pub(in super::super::super) use super::super::neon::fill_tweaks;

/// XORs the key stream of a counter into data of any length. The last 32 bits of the counter count
/// modulo 2³².
#[target_feature(enable = "neon,sm4")]
pub(in super::super::super) fn ctr32(
    keys: &RoundKeys,
    counter: &[u8; BLOCK_LEN],
    data: InOutBuf<'_, '_, u8>,
) {
    ctr32_with::<GROUP>(counter, data, |blocks| {
        crypt_all(keys, Direction::Encrypt, blocks.into());
    });
}
