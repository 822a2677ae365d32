//! The kernels, over any [`Simd`].
//!
//! # Representation
//!
//! A number has five limbs of 52 bits, each in its own vector. It is below `16m < 2²⁶⁰` and
//! represents `a·R′ mod m` with `R′ = 2²⁶⁰`. Factors must have *carried* limbs, below `2⁵²`, as the
//! fused multiplication ignores the bits from 52 on. Sums and differences are *loose*: their limbs
//! are wider, and signed.
//!
//! # Products
//!
//! There are 25 products of limbs, or 15 for a square. Separate instructions compute the low and
//! the high half of a product: the low half is added to column `i + j`, the high half to column
//! `i + j + 1`. A column is the sum of at most ten halves, below `2⁵⁶`, so there are no carries
//! until the end.
//!
//! # Reduction modulo SM2's prime
//!
//! As `p ≡ −1 (mod 2⁵²)`, the digit `q` of a step is the low 52 bits of the column. To add `q·p`,
//! these bits are removed, `q·(p + 1)` is added, and the upper bits of the column are carried. And
//! `p + 1` has a factorization:
//!
//! ```text
//! p + 1 = 2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴ = 2⁶⁴·(2³² − 1)·(2¹⁶⁰ − 1),   q·(p + 1) = 2⁵²·(q·c)·(2¹⁶⁰ − 1),   c = 2⁴⁴ − 2¹²
//! ```
//!
//! For the digits `q₀ … q₄`, let `D_j = lo(q_j·c) + hi(q_(j−1)·c)`. Then `D_j` is subtracted from
//! column `j + 1`, and, as `2¹⁶⁰ = 2⁴·2^(3·52)`, `2⁴·D_j` is added to column `j + 4`. That is two
//! multiplications a digit, ten in all, where a general modulus needs fifty.
//!
//! No column may become negative, as the shifts are unsigned. `D_j ≤ 2·(2⁵² − 1)`, so columns 1 to
//! 8 start from `2⁵³`, and 2 is subtracted from the next column for each. Starting from a constant
//! instead of zero costs nothing.
//!
//! # Reduction modulo any other modulus
//!
//! `q = lo(t·(−m⁻¹ mod 2⁵²))`, and adding `q·m` makes the low 52 bits of the column zero. The
//! product that does this is not computed, as its only effect is a carry of one if those bits were
//! not zero. The column starts from `2⁵² − 1` instead, which gives the same carry. The accumulator
//! of `q` starts from `−m⁻¹`, which removes the effect of that start on the digit.
//!
//! # Bounds
//!
//! A product of magnitudes `k·l ≤ 16` is `(k·l·m² + Q·m)/R′ < 16m·m/R′ + m < 2m`, as `Q < R′` and
//! `16m < R′`. Columns stay below `18·2⁵² + 2⁵³ + 2·2⁵⁶ + carry < 2⁵⁸`, also for a sum of two
//! products, and loose limbs of weight 16 below `2⁵⁶`. The tests run every kernel with intervals
//! instead of words. This proves for all values that no column overflows, and that no negative word
//! is shifted as an unsigned one.

use super::super::super::modulus::{Modulus, Reduction};
use super::super::super::radix52::{BITS, Limbs52, MASK};
use super::super::inlined_array;
use super::super::words::{FourWords, Fused, Simd};
use super::constants::{Multiple, Radix52};

/// A number a lane: five limbs, least significant first.
pub(super) type Limb5<S> = [S; 5];

/// The ten columns of a product.
type Columns<S> = [S; 10];

/// A constant in every lane.
#[inline(always)]
pub(super) fn splat<S: Simd>(limbs: &Limbs52) -> Limb5<S> {
    inlined_array!(5, |i| S::splat(limbs[i]))
}

/// The same number with carried limbs. It is 11 instructions, most of them dependent, so it is done
/// only before a multiplication.
#[inline(always)]
pub(super) fn carry<S: Simd>(a: &Limb5<S>) -> Limb5<S> {
    let mask = S::splat(MASK);
    let [mut r0, mut r1, mut r2, mut r3, mut r4] = *a;
    r1 = r1.add(r0.shr_signed::<BITS>());
    r0 = r0.and(mask);
    r2 = r2.add(r1.shr_signed::<BITS>());
    r1 = r1.and(mask);
    r3 = r3.add(r2.shr_signed::<BITS>());
    r2 = r2.and(mask);
    r4 = r4.add(r3.shr_signed::<BITS>());
    r3 = r3.and(mask);
    [r0, r1, r2, r3, r4]
}

/// `a + b`, loose.
#[inline(always)]
pub(super) fn add<S: Simd>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
    inlined_array!(5, |i| a[i].add(b[i]))
}

/// `a − b + K·m`, loose, for `b` of magnitude at most `K`.
#[inline(always)]
pub(super) fn sub<S: Simd, M: Modulus, const K: u64>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
    let multiple: Limb5<S> = splat(&Multiple::<M, K>::LIMBS);
    inlined_array!(5, |i| a[i].add(multiple[i]).sub(b[i]))
}

/// `K·m − a` where the mask is set, else `a`: loose, for `a` of magnitude at most `K`.
#[inline(always)]
pub(super) fn negate_where<S: Simd, M: Modulus, const K: u64>(
    mask: S::Mask,
    a: &Limb5<S>,
) -> Limb5<S> {
    let multiple: Limb5<S> = splat(&Multiple::<M, K>::LIMBS);
    inlined_array!(5, |i| S::blend(mask, multiple[i].sub(a[i]), a[i]))
}

/// The constants that the columns start from, so that the reduction needs no signs: see the head of
/// the module.
#[inline(always)]
fn start<S: Simd, M: Modulus>() -> Columns<S> {
    let zero = S::zero();
    match M::REDUCTION {
        Reduction::Sm2Prime => {
            let (first, middle) = (S::splat(1 << 53), S::splat((1 << 53) - 2));
            let last = S::splat(0u64.wrapping_sub(2));
            [
                zero, first, middle, middle, middle, middle, middle, middle, middle, last,
            ]
        }
        Reduction::Montgomery => {
            let max = S::splat(MASK);
            [max, max, max, max, max, zero, zero, zero, zero, zero]
        }
    }
}

/// Adds the columns of `a·b`.
#[inline(always)]
pub(super) fn accumulate<S: Fused>(t: &mut Columns<S>, a: &Limb5<S>, b: &Limb5<S>) {
    for i in 0..5 {
        for j in 0..5 {
            t[i + j] = t[i + j].madd_lo(a[i], b[j]);
            t[i + j + 1] = t[i + j + 1].madd_hi(a[i], b[j]);
        }
    }
}

/// The columns of `a·b`, for carried factors.
#[inline(always)]
pub(super) fn product<S: Fused>(a: &Limb5<S>, b: &Limb5<S>) -> Columns<S> {
    let mut t = [S::zero(); 10];
    accumulate(&mut t, a, b);
    t
}

/// Twice the products of `a²` off the diagonal. The columns, 1 to 8, are doubled, not the single
/// products.
#[inline(always)]
fn twice_cross<S: Fused>(a: &Limb5<S>) -> Columns<S> {
    let mut t = [S::zero(); 10];
    for i in 0..5 {
        for j in i + 1..5 {
            t[i + j] = t[i + j].madd_lo(a[i], a[j]);
            t[i + j + 1] = t[i + j + 1].madd_hi(a[i], a[j]);
        }
    }
    // A loop, as the compiler does not inline a closure over ten columns.
    for column in &mut t[1..9] {
        *column = column.add(*column);
    }
    t
}

/// Adds the columns of the diagonal of `a²`.
#[inline(always)]
fn accumulate_diagonal<S: Fused>(t: &mut Columns<S>, a: &Limb5<S>) {
    for i in 0..5 {
        t[2 * i] = t[2 * i].madd_lo(a[i], a[i]);
        t[2 * i + 1] = t[2 * i + 1].madd_hi(a[i], a[i]);
    }
}

/// The number with these columns, divided by `R′` modulo `m`. Loose.
#[inline(always)]
fn redc<S: Fused, M: Modulus>(t: Columns<S>) -> Limb5<S> {
    match M::REDUCTION {
        Reduction::Sm2Prime => redc_sm2_prime(t),
        Reduction::Montgomery => redc_any::<S, M>(t),
    }
}

#[inline(always)]
fn redc_sm2_prime<S: Fused>(mut t: Columns<S>) -> Limb5<S> {
    let c = S::splat((1 << 44) - (1 << 12));
    let mut d = S::zero();
    for j in 0..5 {
        d = d.madd_lo(t[j], c);
        t[j + 1] = t[j + 1].add(t[j].shr::<BITS>()).sub(d);
        t[j + 4] = t[j + 4].add(d.shl::<4>());
        d = S::zero().madd_hi(t[j], c);
    }
    t[6] = t[6].sub(d);
    t[9] = t[9].add(d.shl::<4>());
    [t[5], t[6], t[7], t[8], t[9]]
}

#[inline(always)]
fn redc_any<S: Fused, M: Modulus>(mut t: Columns<S>) -> Limb5<S> {
    let inverse = S::splat(M::NEG_INVERSE);
    let m: Limb5<S> = splat(&M::M);
    for j in 0..5 {
        let q = inverse.madd_lo(t[j], inverse);
        t[j + 1] = t[j + 1].add(t[j].shr::<BITS>());
        for i in 0..5 {
            if i > 0 {
                t[i + j] = t[i + j].madd_lo(q, m[i]);
            }
            t[i + j + 1] = t[i + j + 1].madd_hi(q, m[i]);
        }
    }
    [t[5], t[6], t[7], t[8], t[9]]
}

/// `t/R′ + K·m`, loose, for signed columns, modulo a modulus without a form of its own. The digits
/// are those of [`redc_any`], and the carries are signed.
#[inline(always)]
pub(super) fn redc_signed<S: Fused, M: Modulus, const K: u64>(t: &Columns<S>) -> Limb5<S> {
    const { assert!(matches!(M::REDUCTION, Reduction::Montgomery)) };
    let (inverse, max) = (S::splat(M::NEG_INVERSE), S::splat(MASK));
    let (m, raised): (Limb5<S>, Limb5<S>) = (splat(&M::M), splat(&Multiple::<M, K>::LIMBS));
    let mut t = *t;
    for i in 0..5 {
        t[i] = t[i].add(max);
        if K > 0 {
            t[i + 5] = t[i + 5].add(raised[i]);
        }
    }
    for j in 0..5 {
        let q = inverse.madd_lo(t[j], inverse);
        t[j + 1] = t[j + 1].add(t[j].shr_signed::<BITS>());
        for i in 0..5 {
            if i > 0 {
                t[i + j] = t[i + j].madd_lo(q, m[i]);
            }
            t[i + j + 1] = t[i + j + 1].madd_hi(q, m[i]);
        }
    }
    [t[5], t[6], t[7], t[8], t[9]]
}

/// `a·b/R′` below `2m`, loose, for carried factors of magnitudes `k·l ≤ 16`.
#[inline(always)]
pub(super) fn mul_loose<S: Fused, M: Modulus>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
    let mut t = start::<S, M>();
    accumulate(&mut t, a, b);
    redc::<S, M>(t)
}

/// `a²/R′` below `2m`, loose, for a carried factor of magnitude at most 4.
#[inline(always)]
pub(super) fn square_loose<S: Fused, M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
    let (start, mut t) = (start::<S, M>(), twice_cross(a));
    for i in 0..10 {
        t[i] = t[i].add(start[i]);
    }
    accumulate_diagonal(&mut t, a);
    redc::<S, M>(t)
}

/// `(a·b − c²)/R' + m` below `3m`, loose, for carried factors of magnitudes as in [`mul_loose`] and
/// [`square_loose`].
#[inline(always)]
pub(super) fn mul_sub_square_loose<S: Fused, M: Modulus>(
    a: &Limb5<S>,
    b: &Limb5<S>,
    c: &Limb5<S>,
) -> Limb5<S> {
    let mut square = twice_cross(c);
    accumulate_diagonal(&mut square, c);
    // A column of a square is below 9·2⁵². So each column but the last starts from 2⁵⁶, and 16 is
    // subtracted from the next. The modulus, which keeps the result from being negative, is added
    // to the columns of the result.
    let m: Limb5<S> = splat(&M::M);
    let (borrow, repay) = (S::splat(1 << 56), S::splat(16));
    let mut t = start::<S, M>();
    for i in 0..10 {
        if i < 9 {
            t[i] = t[i].add(borrow);
        }
        if i > 0 {
            t[i] = t[i].sub(repay);
        }
        if i > 4 {
            t[i] = t[i].add(m[i - 5]);
        }
    }
    accumulate(&mut t, a, b);
    for i in 0..10 {
        t[i] = t[i].sub(square[i]);
    }
    redc::<S, M>(t)
}

/// `a·b/R′`, carried.
#[inline(always)]
pub(super) fn mul<S: Fused, M: Modulus>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
    carry(&mul_loose::<S, M>(a, b))
}

/// `a²/R′`, carried.
#[inline(always)]
pub(super) fn square<S: Fused, M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
    carry(&square_loose::<S, M>(a))
}

/// `(a·b + c·d)/R′`, carried, for carried factors whose products of magnitudes sum up to at most
/// 16.
#[inline(always)]
pub(super) fn mul_add<S: Fused, M: Modulus>(
    a: &Limb5<S>,
    b: &Limb5<S>,
    c: &Limb5<S>,
    d: &Limb5<S>,
) -> Limb5<S> {
    let mut t = start::<S, M>();
    accumulate(&mut t, a, b);
    accumulate(&mut t, c, d);
    carry(&redc::<S, M>(t))
}

/// `Σ aᵢ·xᵢ/R′`, loose. Each factor `aᵢ` is a lane of a carried vector, copied to all lanes. The
/// bounds are those of [`Quartic::dot`](crate::arith::lanes::quartic::Quartic::dot).
///
/// The low and the high halves are summed in separate columns, so that successive fused
/// multiplications are independent.
#[inline(always)]
pub(super) fn dot<S: FourWords + Fused, M: Modulus, const K: usize>(
    factors: &[(&Limb5<S>, usize); K],
    vectors: &[&Limb5<S>; K],
) -> Limb5<S> {
    let mut t = start::<S, M>();
    let mut high = [S::zero(); 9];
    for ((a, lane), x) in factors.iter().zip(vectors) {
        for i in 0..5 {
            let a = S::spread(&a[i], *lane);
            for j in 0..5 {
                t[i + j] = t[i + j].madd_lo(a, x[j]);
                high[i + j] = high[i + j].madd_hi(a, x[j]);
            }
        }
    }
    for i in 0..9 {
        t[i + 1] = t[i + 1].add(high[i]);
    }
    redc::<S, M>(t)
}

/// The same residue as loose `a`, below `2m`, carried.
#[inline(always)]
pub(super) fn reduce<S: Fused, M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
    match M::REDUCTION {
        // The bits from 256 on are reduced by 2²⁵⁶ ≡ 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1. The limbs are not
        // carried before. So the number is split at bit 256 without the carry into the top limb,
        // which is between −2⁸ and 2⁸, as limbs are below 2⁶⁰. The high part is therefore between
        // −1 and 16, and the result is below 2²⁵⁶ + 16·2²²⁵ + 2²¹⁶ < 2p. Nor is the result
        // negative: if the part below bit 256 is zero, the high part is at least 1, and adds 2²²⁴.
        Reduction::Sm2Prime => {
            let [r0, r1, r2, r3, r4] = *a;
            let high = r4.shr_signed::<48>();
            carry(&[
                r0.add(high),
                r1.add(high.shl::<44>()).sub(high.shl::<12>()),
                r2,
                r3,
                r4.and(S::splat(MASK >> 4)).add(high.shl::<16>()),
            ])
        }
        // The estimate of the quotient is too small by less than 2⁻²⁸ before it is rounded down, so
        // the result is below 2m.
        Reduction::Montgomery => {
            let mut r = carry(a);
            let quotient = S::zero().madd_hi(r[4], S::splat(M::RECIPROCAL)).shr::<30>();
            let negated: Limb5<S> = splat(&M::NEGATED);
            for i in 0..5 {
                r[i] = r[i].madd_lo(quotient, negated[i]);
                if i < 4 {
                    r[i + 1] = r[i + 1].madd_hi(quotient, negated[i]);
                }
            }
            let mut r = carry(&r);
            r[4] = r[4].and(S::splat(MASK));
            r
        }
    }
}

/// `a mod m` for carried `a` below `2m`.
#[inline(always)]
pub(super) fn reduce_once<S: Simd, M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
    let mut difference = carry(&add(a, &splat(&M::NEGATED)));
    // Bit 260 is set where a is not below m.
    let below = difference[4].shr::<BITS>().eq(S::zero());
    difference[4] = difference[4].and(S::splat(MASK));
    select(below, a, &difference)
}

/// Where loose `a` of any magnitude is a multiple of `m`.
#[inline(always)]
pub(super) fn is_zero<S: Fused, M: Modulus>(a: &Limb5<S>) -> S::Mask {
    let [r0, r1, r2, r3, r4] = reduce::<S, M>(a);
    let zero = r0.or(r1).or(r2.or(r3)).or(r4);
    let m: Limb5<S> = splat(&M::M);
    let modulus = r0
        .xor(m[0])
        .or(r1.xor(m[1]))
        .or(r2.xor(m[2]).or(r3.xor(m[3])))
        .or(r4.xor(m[4]));
    S::mask_or(zero.eq(S::zero()), modulus.eq(S::zero()))
}

/// `a` where the mask is set, `b` elsewhere.
#[inline(always)]
pub(super) fn select<S: Simd>(mask: S::Mask, a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
    inlined_array!(5, |i| S::blend(mask, a[i], b[i]))
}
