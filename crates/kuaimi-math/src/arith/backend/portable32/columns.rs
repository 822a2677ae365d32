//! Numbers in limbs of 29 bits, columns of products, and their reduction.
//!
//! The functions are made of words, unsigned (`u64`) or signed (`i64`).

use core::ops::{Add, AddAssign, Mul};

use crate::arith::backend::value_barrier;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::{Limbs, add_limbs, mask_limbs};

/// The bits of a limb.
pub const BITS: usize = 29;
pub const LIMB: u64 = (1 << BITS) - 1;
/// The limbs of a number.
pub const COUNT: usize = 9;

/// A number in limbs, from the lowest.
pub type Split<W = u64> = [W; COUNT];
/// The columns of a product; the last one has only a carry.
pub type Columns<W = u64> = [W; 2 * COUNT];

/// What limbs and columns are made of.
pub trait Word: Copy + Default + Add<Output = Self> + AddAssign + Mul<Output = Self> {}

impl<W: Copy + Default + Add<Output = W> + AddAssign + Mul<Output = W>> Word for W {}

/// The limbs of `a·2^SHIFT`, which must be below `2²⁶¹`.
#[inline(always)]
pub const fn split<const SHIFT: usize>(a: &Limbs) -> Split {
    let mut out = [0; COUNT];
    out[0] = (a[0] << SHIFT) & LIMB;
    let mut i = 1;
    while i < COUNT {
        let position = BITS * i - SHIFT;
        let (limb, bit) = (position / 64, position % 64);
        out[i] = a[limb] >> bit;
        if bit > 64 - BITS && limb < 3 {
            out[i] |= a[limb + 1] << (64 - bit);
        }
        out[i] &= LIMB;
        i += 1;
    }
    out
}

/// The number of these limbs modulo `2²⁵⁶`.
#[inline(always)]
pub const fn join(a: &Split) -> Limbs {
    [
        a[0] | (a[1] << 29) | (a[2] << 58),
        (a[2] >> 6) | (a[3] << 23) | (a[4] << 52),
        (a[4] >> 12) | (a[5] << 17) | (a[6] << 46),
        (a[6] >> 18) | (a[7] << 11) | (a[8] << 40),
    ]
}

/// Adds the columns of `a·b`.
#[rustfmt::skip]
#[inline(always)]
pub fn add_product<W: Word>(columns: &mut Columns<W>, a: &Split<W>, b: &Split<W>) {
    columns[0] += a[0] * b[0];
    columns[1] += a[0] * b[1] + a[1] * b[0];
    columns[2] += a[0] * b[2] + a[1] * b[1] + a[2] * b[0];
    columns[3] += a[0] * b[3] + a[1] * b[2] + a[2] * b[1] + a[3] * b[0];
    columns[4] += a[0] * b[4] + a[1] * b[3] + a[2] * b[2] + a[3] * b[1] + a[4] * b[0];
    columns[5] += a[0] * b[5] + a[1] * b[4] + a[2] * b[3] + a[3] * b[2] + a[4] * b[1] + a[5] * b[0];
    columns[6] += a[0] * b[6] + a[1] * b[5] + a[2] * b[4] + a[3] * b[3] + a[4] * b[2]
        + a[5] * b[1] + a[6] * b[0];
    columns[7] += a[0] * b[7] + a[1] * b[6] + a[2] * b[5] + a[3] * b[4] + a[4] * b[3]
        + a[5] * b[2] + a[6] * b[1] + a[7] * b[0];
    columns[8] += a[0] * b[8] + a[1] * b[7] + a[2] * b[6] + a[3] * b[5] + a[4] * b[4]
        + a[5] * b[3] + a[6] * b[2] + a[7] * b[1] + a[8] * b[0];
    columns[9] += a[1] * b[8] + a[2] * b[7] + a[3] * b[6] + a[4] * b[5] + a[5] * b[4]
        + a[6] * b[3] + a[7] * b[2] + a[8] * b[1];
    columns[10] += a[2] * b[8] + a[3] * b[7] + a[4] * b[6] + a[5] * b[5] + a[6] * b[4]
        + a[7] * b[3] + a[8] * b[2];
    columns[11] += a[3] * b[8] + a[4] * b[7] + a[5] * b[6] + a[6] * b[5] + a[7] * b[4]
        + a[8] * b[3];
    columns[12] += a[4] * b[8] + a[5] * b[7] + a[6] * b[6] + a[7] * b[5] + a[8] * b[4];
    columns[13] += a[5] * b[8] + a[6] * b[7] + a[7] * b[6] + a[8] * b[5];
    columns[14] += a[6] * b[8] + a[7] * b[7] + a[8] * b[6];
    columns[15] += a[7] * b[8] + a[8] * b[7];
    columns[16] += a[8] * b[8];
}

/// The columns of `a²`, given `a` and `2a`; or of `2·a²`, given `2a` and `4a`, limb by limb.
#[rustfmt::skip]
#[inline(always)]
pub fn square<W: Word>(a: &Split<W>, once: &Split<W>, twice: &Split<W>) -> Columns<W> {
    let mut columns = [W::default(); 2 * COUNT];
    columns[0] = a[0] * once[0];
    columns[1] = a[0] * twice[1];
    columns[2] = a[0] * twice[2] + a[1] * once[1];
    columns[3] = a[0] * twice[3] + a[1] * twice[2];
    columns[4] = a[0] * twice[4] + a[1] * twice[3] + a[2] * once[2];
    columns[5] = a[0] * twice[5] + a[1] * twice[4] + a[2] * twice[3];
    columns[6] = a[0] * twice[6] + a[1] * twice[5] + a[2] * twice[4] + a[3] * once[3];
    columns[7] = a[0] * twice[7] + a[1] * twice[6] + a[2] * twice[5] + a[3] * twice[4];
    columns[8] = a[0] * twice[8] + a[1] * twice[7] + a[2] * twice[6] + a[3] * twice[5]
        + a[4] * once[4];
    columns[9] = a[1] * twice[8] + a[2] * twice[7] + a[3] * twice[6] + a[4] * twice[5];
    columns[10] = a[2] * twice[8] + a[3] * twice[7] + a[4] * twice[6] + a[5] * once[5];
    columns[11] = a[3] * twice[8] + a[4] * twice[7] + a[5] * twice[6];
    columns[12] = a[4] * twice[8] + a[5] * twice[7] + a[6] * once[6];
    columns[13] = a[5] * twice[8] + a[6] * twice[7];
    columns[14] = a[6] * twice[8] + a[7] * once[7];
    columns[15] = a[7] * twice[8];
    columns[16] = a[8] * once[8];
    columns
}

/// Adds the multiple of `m` that makes column `i` zero, and carries it to the next.
#[inline(always)]
fn step<M: Modulus>(columns: &mut Columns, i: usize) {
    let m = const { split::<0>(&M::MODULUS.0) };
    let q = u64::from((columns[i] as u32).wrapping_mul(M::M0_NEG_INV as u32)) & LIMB;
    columns[i + 1] += (columns[i] + q * m[0]) >> BITS;
    for j in 1..COUNT {
        columns[i + j] += q * m[j];
    }
}

/// Nine steps for SM2's prime `p`, with signed columns.
///
/// As `−p⁻¹ = 1` modulo `2⁶⁴`, the quotient's digits are the columns' own limbs. The term `−q` of
/// `q·p` makes a column a multiple of `2²⁹`. The others are
/// `q·(2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴) = q·2⁶⁴·(1 − 2³²)·(1 − 2¹⁶⁰)`, where `2³²` is the next limb and
/// three bits, and `2¹⁶⁰` is five limbs and fifteen bits.
#[inline(always)]
pub fn sm2_steps(mut columns: Columns<i64>) -> Split<i64> {
    let mut last = 0;
    for i in 0..COUNT {
        let q = columns[i] & LIMB as i64;
        let v = q - (last << 3);
        columns[i + 1] += columns[i] >> BITS;
        columns[i + 2] += v << 6;
        columns[i + 7] -= v << 21;
        last = q;
    }
    columns[COUNT + 2] -= last << 9;
    columns[COUNT + 7] += last << 24;
    core::array::from_fn(|i| columns[COUNT + i])
}

/// `columns·2⁻²⁶¹ mod m`, not reduced: below `columns·2⁻²⁶¹ + m`. Its limbs may be of 64 bits,
/// signed for SM2's prime.
#[inline(always)]
fn montgomery_steps<M: Modulus>(mut columns: Columns) -> Split {
    let () = M::CHECKED;
    match M::REDUCTION {
        Reduction::Montgomery => {
            // Not a loop: the compiler would keep it, and the columns in memory.
            step::<M>(&mut columns, 0);
            step::<M>(&mut columns, 1);
            step::<M>(&mut columns, 2);
            step::<M>(&mut columns, 3);
            step::<M>(&mut columns, 4);
            step::<M>(&mut columns, 5);
            step::<M>(&mut columns, 6);
            step::<M>(&mut columns, 7);
            step::<M>(&mut columns, 8);
            core::array::from_fn(|i| columns[COUNT + i])
        }
        Reduction::Sm2Prime => {
            sm2_steps(columns.map(|column| column as i64)).map(|limb| limb as u64)
        }
    }
}

/// `a − count·m`, or `m` more if that is negative. Limbs of `a` are signed.
#[inline(always)]
fn subtract_multiple<M: Modulus>(a: &Split, count: u64) -> Limbs {
    let m = const { split::<0>(&M::MODULUS.0) };
    let mut limbs = [0; COUNT];
    let mut sum = 0u64;
    for i in 0..COUNT {
        sum = sum.wrapping_add(a[i]).wrapping_sub(count * m[i]);
        limbs[i] = sum & LIMB;
        sum = (sum as i64 >> BITS) as u64;
    }
    let negative = value_barrier((sum as i64 >> 63) as u64);
    add_limbs(&join(&limbs), &mask_limbs(&M::MODULUS.0, negative)).0
}

/// `columns·2⁻²⁶¹ mod m` for `columns ≤ m·2²⁶¹`.
#[inline(always)]
pub fn reduce<M: Modulus>(columns: Columns) -> Limbs {
    subtract_multiple::<M>(&montgomery_steps::<M>(columns), 1)
}

/// The same for six times as large columns, for a modulus without a reduction of its own.
#[inline(always)]
pub fn reduce_sum<M: Modulus>(columns: Columns) -> Limbs {
    let mut limbs = montgomery_steps::<M>(columns);
    for i in 1..COUNT {
        limbs[i] += limbs[i - 1] >> BITS;
        limbs[i - 1] &= LIMB;
    }
    // The quotient by m, or one less: a larger divisor and a smaller inverse make it too small, by
    // less than a sixteenth before it is rounded.
    let inverse = const { (1 << 32) / ((M::MODULUS.0[3] >> 40) + 1) };
    let quotient = (limbs[COUNT - 1] * inverse) >> 32;
    subtract_multiple::<M>(&limbs, quotient + 1)
}
