//! `Fq6 = Fq2[s]/(s³ − u)`, an element in each lane: products by Karatsuba's method, six products in `Fq2`.
//!
//! The operands of products have magnitudes 2 or 4, with a product of at most 16. So the three sums of a product are in units of `m²`
//! at least `−160` in the constant terms and `−64` in the coefficients of `u`, and at most 48 and 96.

use super::fq2::{self, Fq2s, Wide2};
use crate::arith::lanes::inlined_array;
use crate::arith::lanes::wide::Wide;

/// `c[0] + c[1]·s + c[2]·s²` in each lane.
pub(super) type Fq6s<L> = [Fq2s<L>; 3];

/// `a + b`, of the sum of the magnitudes.
#[inline(always)]
pub(super) fn plus<L: Wide>(a: &Fq6s<L>, b: &Fq6s<L>) -> Fq6s<L> {
    inlined_array!(3, |i| a[i].plus(&b[i]))
}

/// `a + s·b` for products of elements, or the sums of a product of `Fq12`: in units of `m²` at least −88 and −40, at most 24 and 48.
#[inline(always)]
pub(super) fn plus_s<L: Wide>(a: &[Wide2<L>; 3], b: &[Wide2<L>; 3]) -> Fq6s<L> {
    [
        a[0].plus_u(&b[2]).reduced::<6, 3>(),
        a[1].plus(&b[0]).reduced::<6, 3>(),
        a[2].plus(&b[1]).reduced::<6, 3>(),
    ]
}

/// `a − s·b`, where the difference is such a sum.
#[inline(always)]
pub(super) fn minus_s<L: Wide>(a: &[Wide2<L>; 3], b: &[Wide2<L>; 3]) -> Fq6s<L> {
    [
        a[0].minus_u(&b[2]).reduced::<6, 3>(),
        a[1].minus(&b[0]).reduced::<6, 3>(),
        a[2].minus(&b[1]).reduced::<6, 3>(),
    ]
}

/// `aᵢbⱼ + aⱼbᵢ`, given all `aᵢbᵢ`.
#[inline(always)]
fn cross<L: Wide>(a: &Fq6s<L>, b: &Fq6s<L>, t: &[Wide2<L>; 3], i: usize, j: usize) -> Wide2<L> {
    let both = fq2::product(&a[i].plus(&a[j]), &b[i].plus(&b[j]));
    both.minus(&t[i]).minus(&t[j])
}

/// `a·b`, not reduced.
#[inline(always)]
pub(super) fn product<L: Wide>(a: &Fq6s<L>, b: &Fq6s<L>) -> [Wide2<L>; 3] {
    let t: [Wide2<L>; 3] = inlined_array!(3, |i| fq2::product(&a[i], &b[i]));
    [
        t[0].plus_u(&cross(a, b, &t, 1, 2)),
        cross(a, b, &t, 0, 1).plus_u(&t[2]),
        cross(a, b, &t, 0, 2).plus(&t[1]),
    ]
}

/// `a·b`, reduced.
#[inline(always)]
pub(super) fn mul<L: Wide>(a: &Fq6s<L>, b: &Fq6s<L>) -> Fq6s<L> {
    let product = product(a, b);
    inlined_array!(3, |i| product[i].reduced::<10, 4>())
}

/// `a·b + d`, reduced, for elements, of magnitude 2.
#[inline(always)]
pub(super) fn mul_add<L: Wide>(a: &Fq6s<L>, b: &Fq6s<L>, d: &Fq6s<L>) -> Fq6s<L> {
    let product = product(a, b);
    inlined_array!(3, |i| product[i].reduced_with::<3, 1>(&d[i]))
}

/// `a·(l₁s + l₂s²)`, not reduced, given `l₁ + l₂`: five products in `Fq2`. For elements, the three sums are at least −32 and −16, at
/// most 16 and 20.
#[inline(always)]
pub(super) fn mul_sparse<L: Wide>(
    [a0, a1, a2]: &Fq6s<L>,
    [l1, l2, both]: [&Fq2s<L>; 3],
) -> [Wide2<L>; 3] {
    let (p01, p12) = (fq2::product(a0, l1), fq2::product(a1, l2));
    let (p21, p22) = (fq2::product(a2, l1), fq2::product(a2, l2));
    let cross = fq2::product(&a0.plus(a1), both).minus(&p01).minus(&p12);
    let sum = p12.plus(&p21);
    [sum.times_u(), p01.plus_u(&p22), cross]
}
