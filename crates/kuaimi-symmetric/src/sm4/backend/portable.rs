//! SM4 on bit planes (bitslicing), in plain Rust, for every target: no table, and no index and no
//! branch depends on data. One block alone is left to [`serial`].
//!
//! A word of 16 blocks is eight planes of 64 bits. Plane `b` has bit `b` of every byte, and byte
//! `m` of block `j`, `m = 0` the most significant, is at position `16·m + j`. The S-box is a
//! [circuit](super::circuit) on planes, which serves 64 bytes at a time. Moving all bytes of a word
//! by one place is a rotation of a plane by 16. In
//!
//! ```text
//! L(B) = U(B) + (V(B)<<<24) + (W(B)<<<8) + (W(B)<<<16)
//! ```
//!
//! (see `field.rs`) `W` rotates bytes by two bits, which is a renaming of planes. With
//! AVX2, several sets of planes are computed at the same time, so that compilers use vector
//! instructions for them.
//!
//! # Constants
//! The circuit omits the two constants of the S-box, and the round keys compensate for them. The
//! constant before the inversion is added to each key. The other constant, `c` in each byte,
//! becomes `κ = c<<<2` in each byte after `L`, and each round's result lacks it:
//! see [`lacks_constant`](schedule::lacks_constant).

#![forbid(unsafe_code)]

use core::array::from_fn;
use core::ops::{BitAnd, BitOr, BitXor};

use cipher::InOutBuf;
use cipher::consts::{U16, U64};

use super::super::schedule;
use super::super::{BLOCK_LEN, Block, KEY_LEN, ROUNDS};
use super::circuit::{INPUT_CONSTANT, OUTPUT_CONSTANT, sbox_without_constants};
use super::serial::{self, Circuit};
use super::{
    Chaining, Direction, Masks, RoundKeys, chain_with, ctr32_with, mac_with, masked_with, zero_with,
};

/// One plane of each of `N` sets of 16 blocks.
#[derive(Clone, Copy)]
struct Plane<const N: usize>([u64; N]);

macro_rules! lane_by_lane {
    ($($trait:ident $name:ident $operator:tt),*) => {$(
        impl<const N: usize> $trait for Plane<N> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(from_fn(|i| self.0[i] $operator other.0[i]))
            }
        }
    )*};
}
lane_by_lane!(BitXor bitxor ^, BitAnd bitand &, BitOr bitor |);

impl<const N: usize> Plane<N> {
    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self([x; N])
    }

    #[inline(always)]
    fn rotate_left(self, by: u32) -> Self {
        Self(self.0.map(|x| x.rotate_left(by)))
    }

    /// Exchanges the bits of `self << by` and `other` that are set in the mask.
    #[inline(always)]
    fn exchange(&mut self, other: &mut Self, by: u32, mask: u64) {
        for (x, y) in self.0.iter_mut().zip(&mut other.0) {
            let t = (*x >> by ^ *y) & mask;
            *y ^= t;
            *x ^= t << by;
        }
    }
}

/// Moves bit `b` of byte `k` of `q[j]` to position `8·k + j` of plane `b`. It is its own inverse.
#[inline(always)]
fn transpose<const N: usize>(q: &mut [Plane<N>; 8]) {
    const STAGES: [(usize, u64); 3] = [
        (1, 0x5555_5555_5555_5555),
        (2, 0x3333_3333_3333_3333),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
    ];
    for (distance, mask) in STAGES {
        for i in 0..8 {
            if i & distance == 0 {
                let (low, high) = q.split_at_mut(i + distance);
                low[i].exchange(&mut high[0], distance as u32, mask);
            }
        }
    }
}

/// Moves byte `m` of a word to position `16·m`.
#[inline(always)]
fn spread(word: u32) -> u64 {
    let x = u64::from(word);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// The inverse of [`spread`]; ignores the bytes that it does not fill.
#[inline(always)]
fn gather(x: u64) -> u32 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// The round keys, with the constants of the S-box added.
pub(super) fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
    let keys = schedule::round_keys::<Circuit>(key);
    from_fn(|i| {
        let kappa = OUTPUT_CONSTANT.rotate_left(2) * u8::from(schedule::lacks_constant(i));
        keys[i] ^ u32::from_ne_bytes([INPUT_CONSTANT ^ kappa; 4])
    })
}

pub(super) fn round_keys_and_zero(key: &[u8; KEY_LEN]) -> (RoundKeys, [u8; BLOCK_LEN]) {
    zero_with(round_keys(key), |keys, block| {
        crypt(keys, Direction::Encrypt, None, block);
    })
}

/// Plane `b` of a round key, the same for all blocks.
#[inline(always)]
fn key_planes<const N: usize>(key: u32) -> [Plane<N>; 8] {
    // The most significant byte is at position 0.
    let bits = spread(key.swap_bytes());
    from_fn(|b| {
        let ones = bits >> b & 0x0001_0001_0001_0001;
        Plane::splat((ones << 16).wrapping_sub(ones))
    })
}

/// The planes of the four words of `16·N` blocks.
#[inline(always)]
fn load<const N: usize>(blocks: &[Block]) -> [[Plane<N>; 8]; 4] {
    from_fn(|word| {
        let mut q = from_fn(|j| {
            Plane(from_fn(|set| {
                let [low, high] = [j, j + 8].map(|j| {
                    let words = blocks[16 * set + j].as_chunks::<4>().0;
                    spread(u32::from_le_bytes(words[word]))
                });
                low | high << 8
            }))
        });
        transpose(&mut q);
        q
    })
}

/// The inverse of [`load`].
#[inline(always)]
fn store<const N: usize>(blocks: &mut [Block], words: [[Plane<N>; 8]; 4]) {
    for (word, mut q) in words.into_iter().enumerate() {
        transpose(&mut q);
        for (j, Plane(sets)) in q.into_iter().enumerate() {
            for (set, x) in sets.into_iter().enumerate() {
                for (j, x) in [(j, x), (j + 8, x >> 8)] {
                    blocks[16 * set + j].as_chunks_mut::<4>().0[word] = gather(x).to_le_bytes();
                }
            }
        }
    }
}

/// `x[0] + L(S(x[1] + x[2] + x[3] + key))`, without the constants of `S`.
#[inline(always)]
fn round<const N: usize>(x0: &mut [Plane<N>; 8], others: [&[Plane<N>; 8]; 3], key: u32) {
    let key = key_planes::<N>(key);
    let s = sbox_without_constants(from_fn(|b| {
        others[0][b] ^ others[1][b] ^ others[2][b] ^ key[b]
    }));
    for b in 0..8 {
        // U = 1 + P, V = 1 + Q, and W = P + Q is a rotation of the byte.
        let u = if b >= 2 { s[b] ^ s[b - 2] } else { s[b] };
        let v = if b < 2 { s[b] ^ s[b + 6] } else { s[b] };
        let w = s[(b + 6) % 8];
        // The most significant byte is at position 0, so rotating a word left moves bytes to lower
        // positions.
        let moved = v.rotate_left(16) ^ w.rotate_left(48) ^ w.rotate_left(32);
        x0[b] = x0[b] ^ u ^ moved;
    }
}

#[inline(always)]
fn rounds<const N: usize>(
    keys: &RoundKeys,
    direction: Direction,
    words: [[Plane<N>; 8]; 4],
) -> [[Plane<N>; 8]; 4] {
    let [mut a, mut b, mut c, mut d] = words;
    for i in (0..ROUNDS).step_by(4) {
        let key = |j| keys[direction.index(i + j)];
        round(&mut a, [&b, &c, &d], key(0));
        round(&mut b, [&c, &d, &a], key(1));
        round(&mut c, [&d, &a, &b], key(2));
        round(&mut d, [&a, &b, &c], key(3));
    }
    [d, c, b, a]
}

/// Whether compilers use vector instructions for several sets, and gain: half as much again with
/// AVX2. With vectors of 128 bits four sets take longer than one after the other, as with none. On
/// machines of 32 bits with SSE2 it was not measured.
const WIDE: bool = cfg!(any(target_feature = "avx2", target_arch = "x86"));

/// So many blocks are computed faster one after the other than as a set.
const FEW: usize = 2;

/// See [`Implementation::crypt`](super::Implementation::crypt).
pub(super) fn crypt(
    keys: &RoundKeys,
    direction: Direction,
    masks: Option<Masks<'_>>,
    blocks: InOutBuf<'_, '_, Block>,
) {
    masked_with(masks, blocks, |blocks| {
        crypt_blocks(keys, direction, blocks);
    });
}

/// Encrypts or decrypts every block: sets of 16 blocks, four at a time where that is faster, then a
/// set that is not full, or few blocks one after the other.
fn crypt_blocks(keys: &RoundKeys, direction: Direction, blocks: InOutBuf<'_, '_, Block>) {
    let mut rest = blocks;
    if WIDE {
        let (wide, others) = rest.into_chunks::<U64>();
        for mut chunk in wide {
            let words = rounds::<4>(keys, direction, load(chunk.get_in()));
            store(chunk.get_out(), words);
        }
        rest = others;
    }
    let (sets, mut rest) = rest.into_chunks::<U16>();
    for mut chunk in sets {
        let words = rounds::<1>(keys, direction, load(chunk.get_in()));
        store(chunk.get_out(), words);
    }
    let count = rest.len();
    if count <= FEW {
        for mut block in rest {
            let result = serial::crypt(keys, direction, block.get_in());
            *block.get_out() = result;
        }
    } else {
        let mut set = [Block::default(); 16];
        set[..count].copy_from_slice(rest.get_in());
        let words = rounds::<1>(keys, direction, load(&set));
        store(&mut set, words);
        rest.get_out().copy_from_slice(&set[..count]);
    }
}

pub(super) use super::super::tweaks::fill_eights as fill_tweaks;

/// See [`Implementation::chain`](super::Implementation::chain).
pub(super) fn chain(
    keys: &RoundKeys,
    mode: Chaining,
    chain: &mut [u8; BLOCK_LEN],
    blocks: &mut [Block],
) {
    chain_with(mode, chain, blocks, |block| encrypt_one(keys, block));
}

/// See [`Implementation::mac`](super::Implementation::mac).
pub(super) fn mac(keys: &RoundKeys, chain: &mut [u8; BLOCK_LEN], blocks: &[Block]) {
    mac_with(chain, blocks, |block| encrypt_one(keys, block));
}

fn encrypt_one(keys: &RoundKeys, block: &mut Block) {
    *block = serial::crypt(keys, Direction::Encrypt, block);
}

/// See [`Implementation::ctr32`](super::Implementation::ctr32).
pub(super) fn ctr32(keys: &RoundKeys, counter: &[u8; 16], data: InOutBuf<'_, '_, u8>) {
    ctr32_with::<64>(counter, data, |blocks| {
        crypt_blocks(keys, Direction::Encrypt, blocks.into());
    });
}
