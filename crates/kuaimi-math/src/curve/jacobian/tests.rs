//! A backend's doubling in one piece against the doubling by operations of the field, on any three coordinates, as the formula needs no
//! point of the curve.

use super::Jacobian;
use crate::arith::{Backend, Field, Modulus, PrimeField, U256};
use crate::sm2::curve::{Fp, P, Sm2};
use crate::testing::{Repeatable, on_every_backend, rounds};

/// Numbers below `p` at which a carry, a borrow or a comparison with `p` may go wrong. `2²⁵⁶ − p` is `1` in Montgomery form.
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

fn one_piece_and_operations<B: Backend>() {
    let check = |x: Fp<B>, y: Fp<B>, z: Fp<B>| {
        let point = Jacobian::<Sm2<B>> { x, y, z };
        let (one_piece, operations) = (point.double(), point.double_by_operations());
        for (a, b) in [
            (one_piece.x, operations.x),
            (one_piece.y, operations.y),
            (one_piece.z, operations.z),
        ] {
            assert_eq!(
                a.to_limbs(),
                b.to_limbs(),
                "{:?}",
                [x, y, z].map(|c| c.to_limbs())
            );
            assert!(U256(a.to_limbs()).lt_vartime(&P::MODULUS));
        }
    };
    let edges = edges::<B>();
    for x in &edges {
        for y in &edges {
            for z in [&edges[0], &edges[1], &edges[edges.len() - 1], y] {
                check(*x, *y, *z);
            }
        }
    }
    // 3(1 − X²) near p, 2²⁵⁶ and their multiples: the three is not reduced below p.
    let third = (Fp::<B>::ONE + Fp::ONE + Fp::ONE).invert();
    for m in &edges {
        if let Some(x) = (Fp::ONE - *m * third).sqrt_vartime() {
            check(x, edges[1], Fp::ONE);
            check(-x, *m, Fp::ONE);
        }
    }
    let mut random = Repeatable(27);
    for _ in 0..rounds(2_000) {
        let mut number = || Fp::<B>::from_u256_reduced(&U256(random.number()));
        check(number(), number(), number());
    }
}

#[test]
fn doubling_in_one_piece() {
    on_every_backend!(B => one_piece_and_operations::<B>());
}
