//! The kernels, over any [`Simd`].
//!
//! # Representation
//!
//! A number is five limbs of 52 bits, a vector a limb; it is below `16m < 2²⁶⁰` and stands for `a·R' mod m` with
//! `R' = 2²⁶⁰`. Limbs are *carried*, that is below 2⁵², wherever they are factors, as the fused multiplication drops what
//! is above bit 51. Between factors, sums and differences are *loose*: the same number with limbs that are wider and have a sign.
//!
//! # Products
//!
//! The 25 (squares: 15) products of limbs are halved by the instruction itself, the low half going to column `i + j`, the
//! high half to column `i + j + 1`. A column gathers at most ten halves, less than 2⁵⁶, so nothing is carried until the
//! end.
//!
//! # Reduction modulo SM2's prime
//!
//! `p ≡ −1 (mod 2⁵²)`, so the digit `q` of a step is the low 52 bits of the column, and adding `q·p` leaves
//! `q·(p + 1)` to be added and the column's upper bits to be carried. And `p + 1` has factors:
//!
//! ```text
//! p + 1 = 2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴ = 2⁶⁴·(2³² − 1)·(2¹⁶⁰ − 1),   q·(p + 1) = 2⁵²·(q·c)·(2¹⁶⁰ − 1),   c = 2⁴⁴ − 2¹²
//! ```
//!
//! With the digits `q₀ … q₄`, let column `D_j = lo(q_j·c) + hi(q_(j−1)·c)`: then `D_j` is subtracted from column `j + 1`,
//! and as `2¹⁶⁰ = 2⁴·2^(3·52)`, `2⁴·D_j` is added to column `j + 4`. Two multiplications a digit, ten in all, instead of the
//! fifty of a general modulus; no product is cut in two twice.
//!
//! Nothing may become negative, as shifts are without a sign. `D_j ≤ 2·(2⁵² − 1)`, so columns 1 to 8 start from 2⁵³ and
//! each gives the 2 that it got too much back to the next; columns start from a constant instead of zero, which costs
//! nothing.
//!
//! # Reduction modulo any other modulus
//!
//! `q = lo(t·(−m⁻¹ mod 2⁵²))`; adding `q·m` makes the column's low 52 bits zero: its own low product is not computed, for all
//! it does is to carry one if those bits were not zero before. That carry comes from starting the column at 2⁵² − 1, and
//! starting `q`'s accumulator at `−m⁻¹` takes that start out of the digit again.
//!
//! # Bounds
//!
//! A product of magnitudes `k·l ≤ 16` leaves `(k·l·m² + Q·m)/R' < 16m·m/R' + m < 2m`, as `Q < R'` and `16m < R'`. Columns stay
//! below `18·2⁵² + 2⁵³ + 2·2⁵⁶ + carry < 2⁵⁸`, for a sum of two products as well, and loose limbs of weight 16 below `2⁵⁶`. The tests run every kernel over intervals instead of words, which proves for
//! all values at once that no column wraps and nothing that is shifted is negative.

use super::super::super::modulus::{Modulus, Reduction};
use super::super::inlined_array;
use super::constants::{Limbs52, Multiple, Radix52};
use super::simd::{BITS, FourWords, MASK, Simd};

/// A number a lane: five limbs, least significant first.
pub(super) type Limb5<S> = [S; 5];

/// The ten columns of a product.
type Columns<S> = [S; 10];

/// A constant in every lane.
#[inline(always)]
pub(super) fn splat<S: Simd>(limbs: &Limbs52) -> Limb5<S> {
    inlined_array!(5, |i| S::splat(limbs[i]))
}

/// Loose limbs carried: 11 instructions, most of them one after another, and so done only before a multiplication.
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

/// What the columns start from, so that the reduction needs no signs: see the module's words.
#[inline(always)]
fn start<S: Simd, M: Modulus>() -> Columns<S> {
    let zero = S::zero();
    match M::REDUCTION {
        Reduction::Sm2Prime => {
            let (lend, pass) = (S::splat(1 << 53), S::splat((1 << 53) - 2));
            let back = S::splat(0u64.wrapping_sub(2));
            [zero, lend, pass, pass, pass, pass, pass, pass, pass, back]
        }
        Reduction::Montgomery => {
            let up = S::splat(MASK);
            [up, up, up, up, up, zero, zero, zero, zero, zero]
        }
    }
}

/// Adds the columns of `a·b`.
#[inline(always)]
fn accumulate<S: Simd>(t: &mut Columns<S>, a: &Limb5<S>, b: &Limb5<S>) {
    for i in 0..5 {
        for j in 0..5 {
            t[i + j] = t[i + j].madd_lo(a[i], b[j]);
            t[i + j + 1] = t[i + j + 1].madd_hi(a[i], b[j]);
        }
    }
}

/// The columns of `a²` above the diagonal, doubled: the sums are, columns 1 to 8, not the products.
#[inline(always)]
fn twice_cross<S: Simd>(a: &Limb5<S>) -> Columns<S> {
    let mut t = [S::zero(); 10];
    for i in 0..5 {
        for j in i + 1..5 {
            t[i + j] = t[i + j].madd_lo(a[i], a[j]);
            t[i + j + 1] = t[i + j + 1].madd_hi(a[i], a[j]);
        }
    }
    // A loop, as the compiler leaves a closure over ten columns out of line.
    for column in &mut t[1..9] {
        *column = column.add(*column);
    }
    t
}

/// Adds the columns of the diagonal of `a²`.
#[inline(always)]
fn accumulate_diagonal<S: Simd>(t: &mut Columns<S>, a: &Limb5<S>) {
    for i in 0..5 {
        t[2 * i] = t[2 * i].madd_lo(a[i], a[i]);
        t[2 * i + 1] = t[2 * i + 1].madd_hi(a[i], a[i]);
    }
}

/// The columns of a product, divided by `R'` modulo `m`: loose.
#[inline(always)]
fn redc<S: Simd, M: Modulus>(t: Columns<S>) -> Limb5<S> {
    match M::REDUCTION {
        Reduction::Sm2Prime => redc_sm2_prime(t),
        Reduction::Montgomery => redc_any::<S, M>(t),
    }
}

#[inline(always)]
fn redc_sm2_prime<S: Simd>(mut t: Columns<S>) -> Limb5<S> {
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
fn redc_any<S: Simd, M: Modulus>(mut t: Columns<S>) -> Limb5<S> {
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

/// `a·b/R'` below `2m`, loose, for carried factors of magnitudes `k·l ≤ 16`.
#[inline(always)]
pub(super) fn mul_loose<S: Simd, M: Modulus>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
    let mut t = start::<S, M>();
    accumulate(&mut t, a, b);
    redc::<S, M>(t)
}

/// `a²/R'` below `2m`, loose, for a carried factor of magnitude at most 4.
#[inline(always)]
pub(super) fn square_loose<S: Simd, M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
    let (start, mut t) = (start::<S, M>(), twice_cross(a));
    for i in 0..10 {
        t[i] = t[i].add(start[i]);
    }
    accumulate_diagonal(&mut t, a);
    redc::<S, M>(t)
}

/// `(a·b − c²)/R' + m` below `3m`, loose, for carried factors of magnitudes as in [`mul_loose`] and [`square_loose`].
#[inline(always)]
pub(super) fn mul_sub_square_loose<S: Simd, M: Modulus>(
    a: &Limb5<S>,
    b: &Limb5<S>,
    c: &Limb5<S>,
) -> Limb5<S> {
    let mut less = twice_cross(c);
    accumulate_diagonal(&mut less, c);
    // A column of a square is below 9·2⁵²: each starts from 2⁵⁶, and gives the 16 that it got too much back to the next. The
    // modulus that keeps the whole from going below zero is added where the result will be.
    let m: Limb5<S> = splat(&M::M);
    let (lend, back) = (S::splat(1 << 56), S::splat(16));
    let mut t = start::<S, M>();
    for i in 0..10 {
        if i < 9 {
            t[i] = t[i].add(lend);
        }
        if i > 0 {
            t[i] = t[i].sub(back);
        }
        if i > 4 {
            t[i] = t[i].add(m[i - 5]);
        }
    }
    accumulate(&mut t, a, b);
    for i in 0..10 {
        t[i] = t[i].sub(less[i]);
    }
    redc::<S, M>(t)
}

/// `a·b/R'`, carried.
#[inline(always)]
pub(super) fn mul<S: Simd, M: Modulus>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
    carry(&mul_loose::<S, M>(a, b))
}

/// `a²/R'`, carried.
#[inline(always)]
pub(super) fn square<S: Simd, M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
    carry(&square_loose::<S, M>(a))
}

/// `(a·b + c·d)/R'`, carried, for carried factors whose products of magnitudes are at most 16 together.
#[inline(always)]
pub(super) fn mul_add<S: Simd, M: Modulus>(
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

/// `Σ aᵢ·xᵢ/R'`, loose: each `aᵢ` one lane of a carried vector, spread over all lanes; the bounds are those of
/// [`Quartic::dot`](crate::arith::lanes::quartic::Quartic::dot).
///
/// The low halves and the high halves have columns of their own until all products are summed: so no two fused
/// multiplications that follow each other wait for the same column.
#[inline(always)]
pub(super) fn dot<S: FourWords, M: Modulus, const K: usize>(
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

/// Loose `a` of any magnitude brought below `2m`, carried.
#[inline(always)]
pub(super) fn reduce<S: Simd, M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
    match M::REDUCTION {
        // 2²⁵⁶ ≡ 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1: the bits above come down. As the limbs are not carried before, what is split at bit 256 is
        // the number less what the other limbs will carry into the top one: that is between −2⁸ and 2⁸ (limbs are below 2⁶⁰), so
        // the bits above are between −1 and 16, and what is left is below 2²⁵⁶ + 16·2²²⁵ + 2²¹⁶ < 2p; nor is it negative, as
        // that takes a part below bit 256 of zero, and then the part above is at least 1 and brings 2²²⁴ down.
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
        // The quotient is underestimated by less than 2⁻²⁸ before it is rounded down: what is left is below 2m.
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

/// Carried `a` below `2m` brought below `m`.
#[inline(always)]
pub(super) fn reduce_once<S: Simd, M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
    let mut less = carry(&add(a, &splat(&M::NEGATED)));
    // Bit 260 is set where a is not below m.
    let below = less[4].shr::<BITS>().eq(S::zero());
    less[4] = less[4].and(S::splat(MASK));
    select(below, a, &less)
}

/// Where loose `a` of any magnitude is a multiple of `m`.
#[inline(always)]
pub(super) fn is_zero<S: Simd, M: Modulus>(a: &Limb5<S>) -> S::Mask {
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
