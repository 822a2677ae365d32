//! Formulas in one piece against those by operations of the field, on any coordinates, as the
//! formulas need no point of the curve.

use crate::arith::{Backend, Field, Modulus, PrimeField, U256};
use crate::curve::{Affine, Curve, Jacobian, Xyzz};
use crate::sm2::curve::{Fp, P, Sm2};
use crate::testing::{Repeatable, on_every_backend, rounds};

/// Numbers below `p` at which a carry, a borrow or a comparison with `p` may go wrong. `2²⁵⁶ − p`
/// is `1` in Montgomery form.
fn edges<B: Backend>() -> Vec<Fp<B>> {
    let one = Fp::<B>::ONE;
    let plain = |limbs| Fp::<B>::from_limbs(limbs);
    let mut edges = vec![Fp::ZERO, one, -one, one + one, one.half()];
    for small in 1..=12 {
        let small = plain([small, 0, 0, 0]);
        // p − small, 2²⁵⁶ − p ± small; the middle, where 2a is near p; where 3a is near p.
        edges.extend([
            small,
            -small,
            one + small,
            one - small,
            small.half(),
            (-small).half(),
        ]);
    }
    // Doubled, these are near 2²⁵⁶.
    edges.extend([
        plain([u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 1]),
        plain([0, 0, 0, 1 << 63]),
        plain([0, u64::MAX, 0, u64::MAX << 33]),
    ]);
    // Their squares are the small numbers, which a reduction can leave as small + p.
    edges.extend((1..=12).filter_map(|small| plain([small, 0, 0, 0]).sqrt_vartime()));
    edges
}

/// Asserts that two results have the same limbs, below `p`.
fn same<B: Backend, const N: usize>(found: [Fp<B>; N], expected: [Fp<B>; N], operands: &[Fp<B>]) {
    let limbs = |numbers: &[Fp<B>]| numbers.iter().map(Field::to_limbs).collect::<Vec<_>>();
    assert_eq!(limbs(&found), limbs(&expected), "{:x?}", limbs(operands));
    assert!(
        found
            .iter()
            .all(|c| U256(c.to_limbs()).lt_vartime(&P::MODULUS))
    );
}

fn doublings<B: Backend>() {
    let check = |x: Fp<B>, y: Fp<B>, z: Fp<B>| {
        let point = Jacobian::<Sm2<B>> { x, y, z };
        let coordinates = |p: Jacobian<Sm2<B>>| [p.x, p.y, p.z];
        let (one_piece, operations) = (point.double(), point.double_by_operations());
        same(coordinates(one_piece), coordinates(operations), &[x, y, z]);
    };
    let edges = edges::<B>();
    for x in &edges {
        for y in &edges {
            for z in [&edges[0], &edges[1], &edges[edges.len() - 1], y] {
                check(*x, *y, *z);
            }
        }
    }
    // 3(1 − X²)/2 near p, 2²⁵⁶ and their multiples, and a third and two thirds of it: numbers that
    // are not compared with p.
    let third = (Fp::<B>::ONE + Fp::ONE + Fp::ONE).invert();
    for m in &edges {
        for factor in [Fp::ONE, third, third.double()] {
            if let Some(x) = (Fp::ONE - *m * factor).sqrt_vartime() {
                check(x, edges[1], Fp::ONE);
                check(-x, *m, Fp::ONE);
            }
        }
    }
    let mut random = Repeatable(27);
    for _ in 0..rounds(2_000) {
        let mut number = || Fp::<B>::from_u256_reduced(&U256(random.number()));
        check(number(), number(), number());
    }
}

/// Both mixed additions: `point` is the numbers `X`, `Y` and `Z`, or `X`, `Y`, `ZZ` and `ZZZ`.
fn check_sums<B: Backend>(point: [Fp<B>; 4], other: [Fp<B>; 2]) {
    let [x, y, z, zzz] = point;
    let [ox, oy] = other;
    let affine = Affine::<Sm2<B>> { x: ox, y: oy };
    let operands = [x, y, z, zzz, ox, oy];

    let sum = Jacobian::<Sm2<B>> { x, y, z };
    let (found, expected) = (
        sum.add_affine_incomplete(&affine),
        sum.add_affine_by_operations(&affine),
    );
    same(
        [found.x, found.y, found.z],
        [expected.x, expected.y, expected.z],
        &operands,
    );

    let sum = Xyzz::<Sm2<B>> { x, y, zz: z, zzz };
    let (found, expected) = (
        sum.add_affine_incomplete(&affine),
        sum.add_affine_by_operations(&affine),
    );
    let coordinates = |p: Xyzz<Sm2<B>>| [p.x, p.y, p.zz, p.zzz];
    same(coordinates(found), coordinates(expected), &operands);
}

fn sums<B: Backend>() {
    let edges = edges::<B>();
    let last = edges[edges.len() - 1];
    for a in &edges {
        for b in &edges {
            let one = Fp::ONE;
            check_sums([*a, *b, one, one], [*b, *a]);
            check_sums([*a, last, *b, *a], [last, *b]);
            check_sums([last, *a, *b, last], [*a, *b]);
            // H = a and R = b, so that H², R² and the products are at the edges, with V = X₁·a².
            check_sums([*b, *a, one, one], [*a + *b, *b + *a]);
            check_sums([one, -one, one, one], [one + *a, *b - one]);
            // Equal and opposite points.
            check_sums([*a, *b, one, one], [*a, *b]);
            check_sums([*a, *b, one, one], [*a, -*b]);
        }
    }
    let mut random = Repeatable(28);
    for _ in 0..rounds(2_000) {
        let mut number = || Fp::<B>::from_u256_reduced(&U256(random.number()));
        check_sums(
            [number(), number(), number(), number()],
            [number(), number()],
        );
    }
}

/// What the callers rely on to find equal points: `X = Z = 0` for these and for no others.
fn equal_points<B: Backend>() {
    let generator = Sm2::<B>::GENERATOR;
    let p = Jacobian::from(generator).double().double();
    let affine = p.to_affine();
    let zero = |x: Fp<B>, z: Fp<B>| (x.is_zero_vartime(), z.is_zero_vartime());
    for (other, expected) in [
        (affine, (true, true)),
        (affine.neg(), (false, true)),
        (generator, (false, false)),
    ] {
        let sum = p.add_affine_incomplete(&other);
        assert_eq!(zero(sum.x, sum.z), expected);
        let sum = Xyzz::from(p).add_affine_incomplete(&other);
        assert_eq!(zero(sum.x, sum.zz), expected);
    }
}

#[test]
fn doubling_in_one_piece() {
    on_every_backend!(B => doublings::<B>());
}

#[test]
fn mixed_additions_in_one_piece() {
    on_every_backend!(B => sums::<B>());
}

#[test]
fn equal_points_are_known_by_their_sum() {
    on_every_backend!(B => equal_points::<B>());
}
