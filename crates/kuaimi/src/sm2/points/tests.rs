//! Many products against one at a time.

use super::*;
use crate::arith::backend::Portable64;
use crate::arith::{Field, Modulus, PrimeField};
use crate::curve::{Affine, Curve, Jacobian, multiply};
use crate::sm2::curve::{Fn, N, Sm2};
use crate::sm2::tables::generator_comb;
use crate::testing::{Repeatable, rounds};

type B = Portable64;
type C = Sm2<B>;

fn scalar(k: &U256) -> Fn<B> {
    Fn::<B>::from_u256_reduced(k)
}

/// `[k]G`, by another algorithm than the one under test.
fn generator_mul(k: &U256) -> Point {
    let product = multiply::mul_vartime(&scalar(k), &C::GENERATOR);
    product.to_affine().to_entry()
}

/// Numbers below `n`, those at both ends of the range among them.
fn numbers(rng: &mut Repeatable, count: usize) -> Vec<U256> {
    let edges = [1, 2, 3, 31, 32, 33, 63, 64].into_iter().flat_map(|small| {
        let small = U256([small, 0, 0, 0]);
        [small, N::MODULUS.overflowing_sub(&small).0]
    });
    edges
        .chain(core::iter::repeat_with(|| scalar(&rng.number()).to_u256()))
        .filter(|k| *k != U256::ZERO)
        .take(count)
        .collect()
}

/// How many at a time: every small number, and more than a chunk.
fn sizes() -> impl Iterator<Item = usize> {
    (0..=rounds(40)).chain([chunk(), chunk() + 1, 2 * chunk() + 3])
}

#[test]
fn products_of_the_generator() {
    let mut rng = Repeatable(21);
    for size in sizes() {
        let k = numbers(&mut rng, size);
        let mut out = vec![Point::default(); size];
        generator_mul_many(&k, &mut out);
        let expected: Vec<Point> = k.iter().map(generator_mul).collect();
        assert!(out == expected, "{size} at a time");
    }
}

#[test]
fn products_of_points() {
    let mut rng = Repeatable(22);
    for size in sizes().step_by(5) {
        let (k, j) = (numbers(&mut rng, size), numbers(&mut rng, size));
        let points: Vec<Point> = j.iter().rev().map(generator_mul).collect();
        let tables: Vec<KeyTable> = points.iter().map(KeyTable::build_vartime).collect();
        let expected: Vec<Point> = k
            .iter()
            .zip(j.iter().rev())
            .map(|(k, j)| generator_mul(&(scalar(k) * scalar(j)).to_u256()))
            .collect();
        let mut out = vec![Point::default(); size];
        point_mul_many(&k, &points, &mut out);
        assert!(out == expected, "{size} at a time");
        out.fill(Point::default());
        let tables: Vec<&KeyTable> = tables.iter().collect();
        prepared_mul_many(&k, &tables, &mut out);
        assert!(out == expected, "{size} at a time, prepared");
    }
}

/// Sums that are infinity, one of the two products the other, its opposite, or a multiple that meets it on the way: what a
/// signature's maker who knows the private key can bring about.
#[test]
fn sums_of_two_products_with_exceptions() {
    let mut rng = Repeatable(23);
    let mut s = Vec::new();
    let mut t = Vec::new();
    let mut points = Vec::new();
    let mut sums = Vec::new();
    for (i, j) in numbers(&mut rng, 24).into_iter().enumerate() {
        let a = scalar(&rng.number());
        let j = scalar(&j);
        // [s]G + [t]([j]G), where s is −t·j, t·j, a power of two times that, zero or anything.
        for (s_i, t_i) in [
            (-(a * j), a),
            (a * j, a),
            (a * j * Fn::<B>::power_of_two(i), a),
            (Fn::<B>::ZERO, a),
            (a, Fn::<B>::ZERO),
            (Fn::<B>::ZERO, Fn::<B>::ZERO),
            (a, j),
        ] {
            s.push(s_i.to_u256());
            t.push(t_i.to_u256());
            points.push(generator_mul(&j.to_u256()));
            let sum = generator_comb::<B>().mul_vartime(&(s_i + t_i * j));
            sums.push(sum.to_affine_vartime().map(Affine::to_entry));
        }
    }
    assert!(sums.iter().filter(|sum| sum.is_none()).count() >= 24);
    let mut out = vec![None; s.len()];
    double_scalar_mul_many_vartime(&s, &t, &points, &mut out);
    assert!(out == sums);

    let tables: Vec<KeyTable> = points.iter().map(KeyTable::build_vartime).collect();
    // The right x, a wrong one, and zero, which infinity must not pass for.
    for right in [Some(true), Some(false), None] {
        let x = |sum: &Option<Point>| match (sum, right) {
            (Some(sum), Some(right)) => {
                let x = Jacobian::from(Affine::<C>::from_entry(sum)).x.to_u256();
                let x = scalar(&x) + if right { Fn::<B>::ZERO } else { Fn::<B>::ONE };
                x.to_u256()
            }
            _ => U256::ZERO,
        };
        let equation = |i: usize| Equation {
            s: s[i],
            t: t[i],
            x: x(&sums[i]),
            p: (),
        };
        let expected: Vec<bool> = sums
            .iter()
            .map(|sum| sum.is_some() && right == Some(true))
            .collect();
        for size in [s.len(), 3, 1] {
            let range = || {
                (0..s.len())
                    .step_by(size)
                    .map(|i| i..(i + size).min(s.len()))
            };
            for range in range() {
                let mut out = vec![right != Some(true); range.len()];
                let equations: Vec<_> = range
                    .clone()
                    .map(|i| with(equation(i), points[i]))
                    .collect();
                verify_many_vartime(&equations, &mut out);
                assert_eq!(out, expected[range.clone()], "{size} at a time");
                out.fill(right != Some(true));
                let equations: Vec<_> = range
                    .clone()
                    .map(|i| with(equation(i), &tables[i]))
                    .collect();
                verify_prepared_many_vartime(&equations, &mut out);
                assert_eq!(out, expected[range], "{size} at a time, prepared");
            }
        }
    }
}

fn with<P>(equation: Equation<()>, p: P) -> Equation<P> {
    let Equation { s, t, x, p: () } = equation;
    Equation { s, t, x, p }
}

#[test]
fn inverses() {
    let mut rng = Repeatable(24);
    for size in sizes() {
        let mut a = numbers(&mut rng, size);
        if let Some(first) = a.get_mut(size / 2) {
            *first = U256::ZERO;
        }
        let expected: Vec<U256> = a.iter().map(|a| scalar(a).invert().to_u256()).collect();
        invert_many(&mut a);
        assert!(a == expected, "{size} at a time");
    }
}
