//! The formulas of SM2's curve for [`Portable32`](crate::arith::backend::Portable32), whose numbers
//! modulo SM2's prime stay in limbs between two operations.
//!
//! In the comments are the bounds of numbers, in multiples of `p`: they must be so small that
//! columns do not overflow, and that `store` reduces them.

use crate::arith::backend::portable32::sm2p::{
    Number, add, carry, difference_of_products, factor, load, mul, square, store, sub, sum,
};
use crate::arith::u256::Limbs;
use crate::sm2::curve::P;

/// `2·(X, Y, Z)`, as in [`Jacobian`](crate::curve::Jacobian), with `4X₃` and `8Y₃`: the halving of
/// the tangent's numerator is left to `store`.
#[inline(never)]
pub(super) fn double([x, y, z]: [&mut Limbs; 3]) {
    let (big_x, big_y, big_z) = (load(x), load(y), load(z));
    let yy = square(&big_y);
    let zz = square(&big_z);
    *z = store::<P, 5>(&sum([(1, &mul(&big_y, &big_z))]));
    // X + Z² is in (0, 2.1), X − Z² in (−1.1, 1.1), their product in (−0.1, 1.1), three in
    // (−0.3, 3.3).
    let third = mul(&add(&big_x, &zz), &sub(&big_x, &zz));
    let m = carry(&sum([(3, &third)]));
    let s = mul(&yy, &big_x);
    let mm = square(&m);
    // 4X₃ = M² − 8S is in (−8.4, 1.4), 4S − 4X₃ in (−1.4, 12.6), their product in (−0.2, 2.4).
    *x = store::<P, 7>(&sum([(1, &mm), (-8, &s)]));
    let difference = carry(&sum([(12, &s), (-1, &mm)]));
    // In (−8.7, 2.4).
    *y = store::<P, 8>(&sum([(1, &mul(&m, &difference)), (-8, &square(&yy))]));
}

/// Of a mixed addition, given `X`, `Y` and the other point's coordinates `U₂` and `S₂` with the
/// same denominators, in (0, 2.1): writes `X₃` and `Y₃`, and gives `H = U₂ − X`, `H²` and `H³`.
#[inline(always)]
fn add_numerators(x: &mut Limbs, y: &mut Limbs, u2: &Number, s2: &Number) -> [Number; 3] {
    let (big_x, big_y) = (load(x), load(y));
    // In (−1.1, 2.1); H² in (0, 1.2), H³ in (−0.1, 1.1), V in (−0.1, 1.1), R² in (0, 1.2).
    let h = sub(u2, &big_x);
    let r = sub(s2, &big_y);
    let hh = square(&h);
    let hhh = mul(&h, &hh);
    let v = mul(&big_x, &hh);
    let rr = square(&r);
    // X₃ = R² − H³ − 2V is in (−3.3, 1.5), V − X₃ in (−1.6, 4.4).
    *x = store::<P, 5>(&sum([(1, &rr), (-1, &hhh), (-2, &v)]));
    let difference = carry(&sum([(3, &v), (1, &hhh), (-1, &rr)]));
    let y3 = difference_of_products([&r, &difference], [&big_y, &hhh]);
    *y = store::<P, 5>(&sum([(1, &y3)]));
    [h, hh, hhh]
}

/// `(X, Y, Z) + (x, y)`, as in [`Jacobian`](crate::curve::Jacobian).
#[inline(never)]
pub(super) fn add_jacobian([x, y, z]: [&mut Limbs; 3], other: [&Limbs; 2]) {
    let big_z = load(z);
    let zz = square(&big_z);
    let u2 = mul(&factor(other[0]), &zz);
    let s2 = mul(&factor(other[1]), &mul(&zz, &big_z));
    let [h, _, _] = add_numerators(x, y, &u2, &s2);
    *z = store::<P, 5>(&sum([(1, &mul(&big_z, &h))]));
}

/// `(X, Y, ZZ, ZZZ) + (x, y)`, as in [`Xyzz`](crate::curve::Xyzz).
#[inline(never)]
pub(super) fn add_xyzz([x, y, zz, zzz]: [&mut Limbs; 4], other: [&Limbs; 2]) {
    let (big_zz, big_zzz) = (load(zz), load(zzz));
    let u2 = mul(&factor(other[0]), &big_zz);
    let s2 = mul(&factor(other[1]), &big_zzz);
    let [_, hh, hhh] = add_numerators(x, y, &u2, &s2);
    *zz = store::<P, 5>(&sum([(1, &mul(&big_zz, &hh))]));
    *zzz = store::<P, 5>(&sum([(1, &mul(&big_zzz, &hhh))]));
}
