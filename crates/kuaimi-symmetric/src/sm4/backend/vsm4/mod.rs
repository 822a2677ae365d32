//! SM4 with the instructions of x86-64 (Intel since Lunar Lake and Arrow Lake).
//!
//! `VSM4RNDS4` computes four rounds of the one or two blocks of a vector, `VSM4KEY4` four rounds of
//! the key schedule. Both take words in the order of their numbers, with the bits as in registers.
//! After eight instructions, the words of a block are in reverse order. An instruction takes
//! several cycles, but others start meanwhile, so that eight vectors are computed at the same time.
//!
//! | module | what it is |
//! | --- | --- |
//! | `x86_64` | the vectors and the instructions |
//! | `model` | both in plain Rust, for the tests |
//!
//! No branch and no address depends on data.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, `VSM4KEY4` and
//! `VSM4RNDS4`.

#![allow(unsafe_code, reason = "vector instructions")]

#[cfg(test)]
mod model;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64;

use cipher::InOutBuf;
use zeroize::optimization_barrier;

use super::super::schedule::{CK, FK};
use super::super::{BLOCK_LEN, Block, KEY_LEN, ROUNDS};
use super::masks::MasksAt;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::zero_with;
use super::{Chaining, Direction, Masks, RoundKeys};
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) use x86_64::{chain, crypt, ctr32, fill_tweaks, mac, round_keys, round_keys_and_zero};

/// Vectors at a time.
const GROUP: usize = 8;

/// The words of `BLOCKS` blocks and the instructions on them. Values occur only in functions with
/// these instructions, into which all methods are inlined.
trait Words: Copy {
    /// One or two.
    const BLOCKS: usize;

    /// # Safety
    /// `BLOCKS` blocks must be readable at `at`.
    unsafe fn load(at: *const u8) -> Self;
    /// # Safety
    /// `BLOCKS` blocks must be writable at `at`.
    unsafe fn store(self, at: *mut u8);
    /// The same four words for each block.
    fn repeat(words: &[u32; 4]) -> Self;
    /// The number of the block in its last word, zero in the others.
    fn numbers() -> Self;
    fn xor(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    /// The bytes of each word in reverse order: from the order of memory to that of registers.
    fn swap_bytes(self) -> Self;
    /// The words of each block in reverse order.
    fn reverse(self) -> Self;
    /// `VSM4KEY4`: the next four round keys, with four words of `CK`.
    fn four_keys(self, ck: Self) -> Self;
    /// `VSM4RNDS4`: the next four words, with four round keys.
    fn four_rounds(self, keys: Self) -> Self;
}

/// The round keys in the order of their use.
type Keys<W> = [W; ROUNDS / 4];

#[inline(always)]
fn ordered<W: Words>(keys: &RoundKeys, direction: Direction) -> Keys<W> {
    let mut ordered = [W::numbers(); ROUNDS / 4];
    for (i, four) in keys.as_chunks::<4>().0.iter().enumerate() {
        let four = W::repeat(four);
        match direction {
            Direction::Encrypt => ordered[i] = four,
            Direction::Decrypt => ordered[ROUNDS / 4 - 1 - i] = four.reverse(),
        }
    }
    ordered
}

/// All rounds of `N` vectors, with the reversal after them.
#[inline(always)]
fn rounds<W: Words, const N: usize>(keys: &Keys<W>, words: &mut [W; N]) {
    for &four in keys {
        for words in &mut *words {
            *words = words.four_rounds(four);
        }
    }
    for words in words {
        *words = words.reverse();
    }
}

/// The round keys of `key`, as numbers.
#[inline(always)]
fn key_schedule<W: Words>(key: &[u8; KEY_LEN]) -> RoundKeys {
    const { assert!(W::BLOCKS == 1) };
    // SAFETY: a key has as many bytes as a block.
    let key = unsafe { W::load(key.as_ptr()) };
    let mut last = key.swap_bytes().xor(W::repeat(&FK));
    let mut keys = [0; ROUNDS];
    let fours = keys.as_chunks_mut::<4>().0.iter_mut();
    for (four, ck) in fours.zip(CK.as_chunks::<4>().0) {
        last = last.four_keys(W::repeat(ck));
        // SAFETY: four words have as many bytes as a block.
        unsafe { last.store(four.as_mut_ptr().cast()) }
    }
    keys
}

/// Encrypts or decrypts the blocks of `N` vectors, and adds masks.
///
/// # Safety
/// `N·BLOCKS` blocks must be readable at `from` and writable at `to`, and so many masks be
/// readable.
#[inline(always)]
unsafe fn crypt_group<W: Words, const N: usize>(
    keys: &Keys<W>,
    masks: MasksAt,
    from: *const u8,
    to: *mut u8,
) {
    let mut group = [W::numbers(); N];
    for (i, words) in group.iter_mut().enumerate() {
        // SAFETY: by the contract of this function.
        *words = unsafe { W::load(from.add(BLOCK_LEN * W::BLOCKS * i)) };
    }
    // SAFETY: as above.
    unsafe { add_masks(&mut group, masks.before) }
    for words in &mut group {
        *words = words.swap_bytes();
    }
    rounds(keys, &mut group);
    for words in &mut group {
        *words = words.swap_bytes();
    }
    // SAFETY: as above.
    unsafe { add_masks(&mut group, masks.after) }
    for (i, words) in group.iter().enumerate() {
        // SAFETY: as above.
        unsafe { words.store(to.add(BLOCK_LEN * W::BLOCKS * i)) }
    }
}

/// # Safety
/// `N·BLOCKS` blocks must be readable at `masks`, if there are any.
#[inline(always)]
unsafe fn add_masks<W: Words, const N: usize>(group: &mut [W; N], masks: Option<*const u8>) {
    if let Some(masks) = masks {
        for (i, words) in group.iter_mut().enumerate() {
            // SAFETY: by the contract of this function.
            *words = words.xor(unsafe { W::load(masks.add(BLOCK_LEN * W::BLOCKS * i)) });
        }
    }
}

/// Encrypts or decrypts every block, and adds masks: groups of long vectors, then the vectors that
/// are left, which the processor computes at the same time by itself, then a last block.
#[inline(always)]
fn crypt_all<Long: Words, One: Words>(
    keys: &RoundKeys,
    direction: Direction,
    masks: Option<Masks<'_>>,
    blocks: InOutBuf<'_, '_, Block>,
) {
    const { assert!(Long::BLOCKS == 2 && One::BLOCKS == 1) };
    let mut left = blocks.len();
    let mut masks = MasksAt::new(masks, left);
    let (from, to) = blocks.into_raw();
    let (mut from, mut to) = (from.cast::<u8>(), to.cast::<u8>());
    if left >= Long::BLOCKS {
        let keys = ordered::<Long>(keys, direction);
        macro_rules! crypt_all {
            ($vectors:expr) => {
                let blocks = $vectors * Long::BLOCKS;
                while left >= blocks {
                    // SAFETY: at least so many blocks and masks are left, and input and output are
                    // the same or do not overlap.
                    unsafe {
                        crypt_group::<Long, { $vectors }>(&keys, masks, from, to);
                        (from, to) = (from.add(BLOCK_LEN * blocks), to.add(BLOCK_LEN * blocks));
                    }
                    masks = masks.skip(BLOCK_LEN * blocks);
                    left -= blocks;
                }
            };
        }
        crypt_all!(GROUP);
        crypt_all!(1);
    }
    if left > 0 {
        let keys = ordered::<One>(keys, direction);
        // SAFETY: one block and mask is left.
        unsafe { crypt_group::<One, 1>(&keys, masks, from, to) }
    }
}

/// Encrypts blocks one after the other. The chain stays in the form of the instructions.
#[inline(always)]
fn encrypt_chain<W: Words>(
    keys: &RoundKeys,
    mode: Chaining,
    chain: &mut [u8; BLOCK_LEN],
    blocks: &mut [Block],
) {
    const { assert!(W::BLOCKS == 1) };
    let keys = ordered::<W>(keys, Direction::Encrypt);
    // SAFETY: it is a block.
    let mut now = [unsafe { W::load(chain.as_ptr()) }.swap_bytes()];
    for block in blocks {
        // SAFETY: as above.
        let data = unsafe { W::load(block.as_ptr()) }.swap_bytes();
        let result = match mode {
            Chaining::Cbc => {
                now[0] = now[0].xor(data);
                rounds(&keys, &mut now);
                now[0]
            }
            Chaining::Cfb => {
                rounds(&keys, &mut now);
                now[0] = now[0].xor(data);
                now[0]
            }
            Chaining::Ofb => {
                rounds(&keys, &mut now);
                now[0].xor(data)
            }
        };
        // SAFETY: as above.
        unsafe { result.swap_bytes().store(block.as_mut_ptr()) }
    }
    // SAFETY: as above.
    unsafe { now[0].swap_bytes().store(chain.as_mut_ptr()) }
}

/// CBC-MAC.
#[inline(always)]
fn cbc_mac<W: Words>(keys: &RoundKeys, chain: &mut [u8; BLOCK_LEN], blocks: &[Block]) {
    const { assert!(W::BLOCKS == 1) };
    let keys = ordered::<W>(keys, Direction::Encrypt);
    // SAFETY: it is a block.
    let mut now = [unsafe { W::load(chain.as_ptr()) }.swap_bytes()];
    for block in blocks {
        // SAFETY: as above.
        now[0] = now[0].xor(unsafe { W::load(block.as_ptr()) }.swap_bytes());
        rounds(&keys, &mut now);
    }
    // SAFETY: as above.
    unsafe { now[0].swap_bytes().store(chain.as_mut_ptr()) }
}

/// The key stream of the blocks of `N` vectors from a counter on, in the order of memory.
#[inline(always)]
fn key_stream<W: Words, const N: usize>(keys: &Keys<W>, counter: W) -> [W; N] {
    let mut group = [counter; N];
    for (i, words) in group.iter_mut().enumerate() {
        *words = words.add(W::repeat(&[0, 0, 0, (W::BLOCKS * i) as u32]));
    }
    rounds(keys, &mut group);
    for words in &mut group {
        *words = words.swap_bytes();
    }
    group
}

/// XORs the key stream of a counter into data of any length. The last 32 bits of the counter count
/// modulo 2³².
#[inline(always)]
fn counter_mode<W: Words>(keys: &RoundKeys, counter: &[u8; BLOCK_LEN], data: InOutBuf<'_, '_, u8>) {
    const { assert!(W::BLOCKS <= 2) };
    let keys = ordered::<W>(keys, Direction::Encrypt);
    let words = counter.as_chunks::<4>().0;
    let mut first = [0; 4];
    for (word, bytes) in first.iter_mut().zip(words) {
        *word = u32::from_be_bytes(*bytes);
    }
    let mut counter = W::repeat(&first).add(W::numbers());
    let size = BLOCK_LEN * W::BLOCKS;
    let mut left = data.len();
    let (mut from, mut to) = data.into_raw();
    macro_rules! add_all {
        ($vectors:expr) => {
            while left >= $vectors * size {
                for stream in key_stream::<W, { $vectors }>(&keys, counter) {
                    // SAFETY: so many bytes are left, and input and output are the same or do not
                    // overlap.
                    unsafe {
                        stream.xor(W::load(from)).store(to);
                        (from, to) = (from.add(size), to.add(size));
                    }
                }
                counter = counter.add(W::repeat(&[0, 0, 0, ($vectors * W::BLOCKS) as u32]));
                left -= $vectors * size;
            }
        };
    }
    add_all!(GROUP);
    add_all!(1);
    if left > 0 {
        let [stream] = key_stream::<W, 1>(&keys, counter);
        let mut last = [[0; BLOCK_LEN]; 2];
        let at = last.as_mut_ptr().cast::<u8>();
        // SAFETY: the buffer has room for a vector, of which fewer bytes are left.
        unsafe {
            at.copy_from_nonoverlapping(from, left);
            stream.xor(W::load(at)).store(at);
            to.copy_from_nonoverlapping(at, left);
        }
        // What follows the data in the buffer is key stream.
        last = [[0; BLOCK_LEN]; 2];
        optimization_barrier(&last);
    }
}
