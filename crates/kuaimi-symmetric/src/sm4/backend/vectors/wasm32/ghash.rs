//! GHASH without carry-less multiplication: products by look-ups of four bits in registers.
//!
//! In GCM the coefficient of `Xⁱ` is bit `i`, counted from the highest bit of the first byte. So a
//! block is the sum of `X⁸ᵐ·(h + X⁴·l)` for the two halves `h` and `l` of byte `m`. For a power `P`
//! of the key, table `b` of 32 has byte `b` of `h·P`, or of `X⁴·l·P`, for the sixteen halves. Look
//! up all halves of a block in table `b`: that is byte `b` of sixteen products, and the one of byte
//! `m` belongs at place `m + b` of the sum. The tables depend on the key, and each is read as a
//! whole.
//!
//! A run of blocks is the sum of products of blocks and falling powers, with one reduction: with
//! `X¹²⁸ = 1 + X + X² + X⁷`, each half above place 15 is two bytes below, from fixed tables.

use core::arch::wasm32::*;

use super::super::super::super::{BLOCK_LEN, Block};
use super::super::vector::Vector;
use super::vectors::V128;

/// Blocks of a run.
const RUN: usize = 2;

/// The tables of a power: 16 for the high halves, 16 for the low ones.
type Tables = [[u8; 16]; 32];

/// The tables of powers of the key, the highest first.
#[derive(Clone, Default)]
pub(in super::super::super) struct Powers([Tables; RUN]);

/// The bytes of a vector from any place on, below or above others that are zero.
static PLACES: [u8; 48] = {
    let (mut places, mut i) = ([0x80; 48], 0);
    while i < 16 {
        places[16 + i] = i as u8;
        i += 1;
    }
    places
};

/// `(1 + X + X² + X⁷)·h` for the high halves `h` of a byte, the first byte and the second, and for
/// the low halves.
static REDUCTION: [[u8; 16]; 4] = {
    let (mut tables, mut i) = ([[0; 16]; 4], 0);
    while i < 32 {
        let byte = if i < 16 { i << 12 } else { (i - 16) << 8 } as u16;
        let product = byte ^ byte >> 1 ^ byte >> 2 ^ byte >> 7;
        tables[i / 16 * 2][i % 16] = (product >> 8) as u8;
        tables[i / 16 * 2 + 1][i % 16] = product as u8;
        i += 1;
    }
    tables
};

#[inline(always)]
fn load(bytes: &[u8; 16]) -> V128 {
    // SAFETY: 16 bytes are readable.
    unsafe { V128::load(bytes.as_ptr()) }
}

/// Moves the bytes of `x` up by `by` places; from 16 on, it moves them down by `32 - by` places.
#[inline(always)]
fn shifted(x: V128, by: usize) -> V128 {
    // SAFETY: the array has 16 bytes from each place up to 32 on.
    let places = unsafe { V128::load(PLACES.as_ptr().add(16 - by % 16 + by / 16 * 16)) };
    x.shuffle(places)
}

/// The sum of the products of `N` blocks and powers. The sum so far is added to the first.
#[inline(always)]
fn run<const N: usize>(tables: &[Tables; N], sum: V128, blocks: &[[u8; BLOCK_LEN]; N]) -> V128 {
    let mut halves = [[sum; 2]; N];
    for (n, (halves, block)) in halves.iter_mut().zip(blocks).enumerate() {
        let block = load(block);
        *halves = if n == 0 { block.xor(sum) } else { block }.nibbles();
    }
    let (mut low, mut high) = (V128::splat(0), V128::splat(0));
    for b in 0..16 {
        let mut bytes = V128::splat(0);
        for (tables, [low_half, high_half]) in tables.iter().zip(halves) {
            let high_half = load(&tables[b]).shuffle(high_half);
            bytes = bytes.xor3(high_half, load(&tables[16 + b]).shuffle(low_half));
        }
        low = low.xor(shifted(bytes, b));
        high = high.xor(shifted(bytes, 16 + b));
    }
    let [low_half, high_half] = high.nibbles();
    let [h0, h1, l0, l1] = &REDUCTION;
    let first = V128::constant(h0).shuffle(high_half);
    let second = V128::constant(h1).shuffle(high_half);
    let first = first.xor(V128::constant(l0).shuffle(low_half));
    let second = second.xor(V128::constant(l1).shuffle(low_half));
    // No second byte of the last place: there are fifteen above.
    low.xor3(first, shifted(second, 1))
}

/// A step of the transposition of a matrix of bytes: it moves the highest bit of the number of the
/// row below the number of the column. Four steps are all of it.
#[inline(always)]
fn step(from: &[V128; 16], to: &mut [V128; 16]) {
    for i in 0..8 {
        let (x, y) = (from[i].0, from[i + 8].0);
        to[2 * i] = V128(u8x16_shuffle::<
            0,
            16,
            1,
            17,
            2,
            18,
            3,
            19,
            4,
            20,
            5,
            21,
            6,
            22,
            7,
            23,
        >(x, y));
        to[2 * i + 1] = V128(u8x16_shuffle::<
            8,
            24,
            9,
            25,
            10,
            26,
            11,
            27,
            12,
            28,
            13,
            29,
            14,
            30,
            15,
            31,
        >(x, y));
    }
}

fn to_bytes(x: V128) -> [u8; 16] {
    let mut bytes = [0; 16];
    // SAFETY: the array has 16 bytes.
    unsafe { x.store(bytes.as_mut_ptr()) }
    bytes
}

/// The tables of the key itself.
#[inline(always)]
fn key(tables: &[Tables; RUN]) -> &[Tables; 1] {
    core::array::from_ref(&tables[RUN - 1])
}

/// The tables of a power.
#[inline(never)]
fn set_tables(tables: &mut Tables, power: &[u8; BLOCK_LEN]) {
    let mut power = u128::from_be_bytes(*power);
    let (mut rows, mut other) = ([V128::splat(0); 16], [V128::splat(0); 16]);
    for tables in tables.as_chunks_mut::<16>().0 {
        // Row `n` is the product of the half `n`: a sum of rows that one bit stands for.
        for bit in [8, 4, 2, 1] {
            rows[bit] = load(&power.to_be_bytes());
            // Times X: if X¹²⁷ is shifted out, 1 + X + X² + X⁷ is added.
            let carry = kuaimi_platform::value_barrier((power as u64 & 1).wrapping_neg());
            power = power >> 1 ^ u128::from(carry & 0xe100_0000_0000_0000) << 64;
        }
        rows[0] = V128::splat(0);
        for bit in [2, 4, 8] {
            for i in 1..bit {
                rows[bit + i] = rows[bit].xor(rows[i]);
            }
        }
        step(&rows, &mut other);
        step(&other, &mut rows);
        step(&rows, &mut other);
        step(&other, &mut rows);
        for (table, row) in tables.iter_mut().zip(rows) {
            // SAFETY: a table has 16 bytes.
            unsafe { row.store(table.as_mut_ptr()) }
        }
    }
}

/// The powers of a key.
pub(in super::super::super) fn powers(h: &[u8; BLOCK_LEN]) -> Powers {
    let mut powers = Powers::default();
    let mut power = *h;
    set_tables(&mut powers.0[RUN - 1], h);
    for i in (0..RUN - 1).rev() {
        power = to_bytes(run::<1>(key(&powers.0), V128::splat(0), &[power]));
        set_tables(&mut powers.0[i], &power);
    }
    powers
}

/// Absorbs blocks.
pub(in super::super::super) fn update(
    Powers(tables): &Powers,
    sum: &mut [u8; BLOCK_LEN],
    blocks: &[Block],
) {
    let mut state = load(sum);
    let (runs, rest) = Block::cast_slice_to_core(blocks).as_chunks::<RUN>();
    for blocks in runs {
        state = run(tables, state, blocks);
    }
    for block in rest {
        state = run::<1>(key(tables), state, core::array::from_ref(block));
    }
    *sum = to_bytes(state);
}

/// The hash of a sum.
pub(in super::super::super) fn hash(sum: &[u8; BLOCK_LEN]) -> [u8; BLOCK_LEN] {
    *sum
}
