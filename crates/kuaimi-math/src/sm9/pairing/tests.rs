//! Pairings: bilinearity, precomputed lines, products, and the final exponentiation compared with a
//! plain power.

use num_bigint::BigUint;

use super::*;
use crate::arith::{Backend, Modulus, PrimeField, U256};
use crate::curve::{Affine, Curve, scalar_mul};
use crate::sm9::curve::{N, Q, Scalar, Sm9G1, Sm9G2};
use crate::sm9::gt;
use crate::sm9::tower::Fq12;
use crate::testing::{Repeatable, big, from_big, on_every_backend, rounds};

use final_exponentiation::{
    easy_part, final_exponentiation, hard_part, plain_hard_part, published_hard_part,
};
use miller::{Arguments, miller, miller_mixed};
use walk::Walk;

/// `e(P, Q)`.
pub(crate) fn pairing<B: Backend, F: Walk<B>>(p: &Affine<Sm9G1<B>>, q: &Affine<Sm9G2<B>>) -> F {
    final_exponentiation(&miller_mixed(&[(*p, *q)], &[]))
}

pub(super) fn points<B: Backend>(a: &U256, b: &U256) -> Arguments<B> {
    let a = Scalar::<B>::from_u256_reduced(a);
    let b = Scalar::<B>::from_u256_reduced(b);
    (
        scalar_mul::mul_vartime(&a, &Sm9G1::GENERATOR).to_affine(),
        scalar_mul::mul_vartime(&b, &Sm9G2::GENERATOR).to_affine(),
    )
}

fn bilinear<B: Backend>() {
    let mut rng = Repeatable(111);
    let n = big(&N::MODULUS);
    let e = pairing::<B, Fq12<B>>;
    let g: Fq12<B> = pairing(&Sm9G1::GENERATOR, &Sm9G2::GENERATOR);
    assert!(g != Fq12::ONE, "not degenerate");
    assert!(
        gt::power::pow_binary_vartime(&g, &N::MODULUS) == Fq12::ONE,
        "of order N"
    );
    for _ in 0..rounds(4) {
        let (a, b) = (U256(rng.number()), U256(rng.number()));
        let (p, q) = points::<B>(&a, &b);
        let exponent = from_big(&(big(&a) * big(&b) % &n));
        let expected = gt::power::pow_binary_vartime(&g, &exponent);
        assert!(
            pairing::<B, Fq12<B>>(&p, &q) == expected,
            "e([a]P, [b]Q) = e(P, Q)^(ab)"
        );
        // A sum as the first or the second argument.
        let (p2, q2) = points::<B>(&b, &a);
        let sum = crate::curve::Jacobian::from(p)
            .add_affine_vartime(&p2)
            .to_affine();
        assert!(e(&sum, &q) == e(&p, &q) * e(&p2, &q));
        let sum = crate::curve::Jacobian::from(q)
            .add_affine_vartime(&q2)
            .to_affine();
        assert!(e(&p, &sum) == e(&p, &q) * e(&p, &q2));
        assert!(e(&p.neg(), &q) == e(&p, &q).conjugate());
    }
}

#[test]
fn pairings_are_bilinear() {
    on_every_backend!(B => bilinear::<B>());
}

fn precomputed_lines_and_products<B: Backend>() {
    let mut rng = Repeatable(112);
    for _ in 0..rounds(3) {
        let pairs: Vec<Arguments<B>> = (0..3)
            .map(|_| points(&U256(rng.number()), &U256(rng.number())))
            .collect();
        let tables: Vec<LineTable> = pairs.iter().map(|(_, q)| LineTable::new(q)).collect();
        let precomputed: Vec<_> = pairs
            .iter()
            .zip(&tables)
            .map(|((p, _), t)| (*p, t.lines()))
            .collect();
        let single: Vec<Fq12<B>> = pairs.iter().map(|(p, q)| pairing(p, q)).collect();
        for (precomputed, single) in precomputed.iter().zip(&single) {
            assert!(
                final_exponentiation::<B, Fq12<B>>(&miller_mixed(&[], &[*precomputed])) == *single
            );
        }
        let product = single[0] * single[1] * single[2];
        assert!(final_exponentiation(&miller(&pairs)) == product);
        assert!(final_exponentiation::<B, Fq12<B>>(&miller_mixed(&[], &precomputed)) == product);
        let mixed: Fq12<B> = miller_mixed(&pairs[..1], &precomputed[1..]);
        assert!(final_exponentiation(&mixed) == product);
        assert!(final_exponentiation(&miller_mixed::<B, Fq12<B>>(&[], &[])) == Fq12::ONE);
    }
}

#[test]
fn pairings_with_precomputed_lines_and_products_of_pairings() {
    on_every_backend!(B => precomputed_lines_and_products::<B>());
}

/// `f^k` by squaring and multiplying, for an exponent of any length.
fn plain_power<B: Backend>(f: &Fq12<B>, k: &BigUint) -> Fq12<B> {
    (0..k.bits()).rev().fold(Fq12::ONE, |power, i| {
        let square = power * power;
        if k.bit(i) { square * *f } else { square }
    })
}

fn exponents<B: Backend>() {
    let (p, q) = points::<B>(&U256([3, 0, 0, 0]), &U256([5, 7, 0, 0]));
    let f = miller(&[(p, q)]);
    let (q, n) = (big(&Q::MODULUS), big(&N::MODULUS));
    let easy = plain_power(&f, &((q.pow(6) - 1u32) * (q.pow(2) + 1u32)));
    assert!(easy_part(&f) == easy);
    let exponent = (q.pow(4) + 1u32 - q.pow(2)) / n;
    let hard = plain_power(&easy, &exponent);
    assert!(hard_part(&easy) == hard);
    assert!(plain_hard_part(&easy) == hard);
    assert!(published_hard_part(&easy) == hard);
    assert!(final_exponentiation(&f) == hard);
}

#[test]
fn the_final_exponentiation_is_a_power() {
    on_every_backend!(B => exponents::<B>());
}

#[test]
fn there_are_77_lines() {
    assert_eq!(steps::LINES, 77);
    let sum = steps::DIGITS
        .iter()
        .fold(0i128, |sum, &digit| 2 * sum + i128::from(digit));
    assert_eq!(sum, 6 * i128::from(crate::sm9::curve::T) + 2);
}
