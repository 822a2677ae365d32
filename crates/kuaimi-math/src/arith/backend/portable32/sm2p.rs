//! Numbers modulo SM2's prime `p` that stay in limbs: between the operations of a formula they are
//! neither reduced nor put together.
//!
//! Limbs are signed, so that a difference needs no multiple of `p`. A column must stay below `2⁶³`:
//! the largest limbs of the two factors of a product may multiply to `2^59.8`, and to half of that
//! where two products are summed. Results of products, and of [`carry`], have limbs below `2²⁹`.
//!
//! A number is `R′ = 2²⁶¹` times what it stands for, as nine steps of a reduction divide by that.
//! Then a product of numbers below `a·p` and `b·p` in absolute value is in
//! `(−a·b/32·p, (1 + a·b/32)·p)`. A stored number has `R = 2²⁵⁶`: [`load`] multiplies by `2⁵`, and
//! [`store`] divides by it. A larger power of two in the division halves for free.

use super::columns::sm2_steps;
use super::columns::{BITS, COUNT, Columns, LIMB, Split, add_product, split, square as columns_of};
use crate::arith::backend::value_barrier;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::{Limbs, add_limbs, mask_limbs};

/// A number in signed limbs.
pub(crate) type Number = [i32; COUNT];

/// The same with wider limbs, for sums of many numbers.
pub(crate) type Wide = Split<i64>;

#[inline(always)]
fn wide(a: &Number) -> Wide {
    a.map(i64::from)
}

/// The stored number, as a factor only: its absolute value is up to `32p`.
#[inline(always)]
pub(crate) fn factor(a: &Limbs) -> Number {
    split::<5>(a).map(|limb| limb as i32)
}

/// The stored number: in `(−0.01p, 1.01p)`, with limbs below `2^29.2`.
#[inline(always)]
pub(crate) fn load(a: &Limbs) -> Number {
    let mut limbs = factor(a);
    // 2²⁵⁶ = 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1 modulo p.
    let over = limbs[8] >> 24;
    limbs[8] &= (1 << 24) - 1;
    limbs[7] += over << 21;
    limbs[3] += over << 9;
    limbs[2] -= over << 6;
    limbs[0] += over;
    limbs
}

/// The number with limbs below `2²⁹`, but for the signed one at the top.
#[inline(always)]
pub(crate) fn carry(a: &Wide) -> Number {
    let mut limbs = [0; COUNT];
    let mut sum = 0;
    for i in 0..COUNT - 1 {
        sum += a[i];
        limbs[i] = (sum & LIMB as i64) as i32;
        sum >>= BITS;
    }
    limbs[COUNT - 1] = (sum + a[COUNT - 1]) as i32;
    limbs
}

/// The stored form of `a/2^(HALVINGS − 5)`, for `a` in `(−9p, 4p)`. With `M = p`.
#[inline(always)]
pub(crate) fn store<M: Modulus, const HALVINGS: usize>(a: &Wide) -> Limbs {
    const { assert!(matches!(M::REDUCTION, Reduction::Sm2Prime)) };
    // a + 9p is positive. As p = −1 modulo 2⁶⁴, (a + 9p + q·p)/2^HALVINGS is an integer for these
    // low bits q of a + 9p, and it is below 2p. With p less, its sign tells if that was too much.
    let low = (1 << HALVINGS) - 1;
    let q = (a[0] - 9) & low;
    let count = 9 + q - (low + 1);
    let mut a = *a;
    a[0] -= count;
    a[2] += count << 6;
    a[3] -= count << 9;
    a[7] -= count << 21;
    a[8] += count << 24;
    for i in 1..COUNT {
        a[i] += a[i - 1] >> BITS;
        a[i - 1] &= LIMB as i64;
    }
    let negative = value_barrier((a[COUNT - 1] >> 63) as u64);
    add_limbs(
        &join_shifted::<HALVINGS>(&a),
        &mask_limbs(&M::MODULUS.0, negative),
    )
    .0
}

/// `a/2^SHIFT` modulo `2²⁵⁶`, for carried limbs and a multiple of `2^SHIFT`.
#[inline(always)]
fn join_shifted<const SHIFT: usize>(a: &Wide) -> Limbs {
    // Not a loop: the compiler would keep it, with checks of the indices.
    let a = a.map(|limb| limb as u64);
    [
        (a[0] >> SHIFT) | (a[1] << (29 - SHIFT)) | (a[2] << (58 - SHIFT)),
        (a[2] >> (6 + SHIFT)) | (a[3] << (23 - SHIFT)) | (a[4] << (52 - SHIFT)),
        (a[4] >> (12 + SHIFT)) | (a[5] << (17 - SHIFT)) | (a[6] << (46 - SHIFT)),
        (a[6] >> (18 + SHIFT)) | (a[7] << (11 - SHIFT)) | (a[8] << (40 - SHIFT)),
    ]
}

/// `columns/R′`, with carried limbs.
#[inline(always)]
fn reduce(columns: Columns<i64>) -> Number {
    carry(&sm2_steps(columns))
}

/// `a·b`.
#[inline(never)]
pub(crate) fn mul(a: &Number, b: &Number) -> Number {
    let mut columns = [0; 2 * COUNT];
    add_product(&mut columns, &wide(a), &wide(b));
    reduce(columns)
}

/// `a·b − c·d`.
#[inline(never)]
pub(crate) fn difference_of_products([a, b]: [&Number; 2], [c, d]: [&Number; 2]) -> Number {
    let mut columns = [0; 2 * COUNT];
    add_product(&mut columns, &wide(a), &wide(b));
    add_product(&mut columns, &wide(c).map(|limb| -limb), &wide(d));
    reduce(columns)
}

/// `a²`.
#[inline(never)]
pub(crate) fn square(a: &Number) -> Number {
    let a = wide(a);
    reduce(columns_of(&a, &a, &a.map(|limb| limb << 1)))
}

/// `a + b`, limb by limb.
#[inline(always)]
pub(crate) fn add(a: &Number, b: &Number) -> Number {
    core::array::from_fn(|i| a[i] + b[i])
}

/// `a − b`, limb by limb.
#[inline(always)]
pub(crate) fn sub(a: &Number, b: &Number) -> Number {
    core::array::from_fn(|i| a[i] - b[i])
}

/// `Σ factor·number`, with small factors, in wide limbs.
#[inline(always)]
pub(crate) fn sum<const N: usize>(terms: [(i64, &Number); N]) -> Wide {
    core::array::from_fn(|i| {
        terms
            .iter()
            .map(|(factor, a)| factor * i64::from(a[i]))
            .sum()
    })
}
