//! Every sum against the library's, on random scalars and at the edges.

use kuaimi_math::arith::backend::{Portable, Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::arith::{Backend, Modulus, PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve};
use kuaimi_math::sm2::curve::{N, Scalar, Sm2};
use kuaimi_math::sm2::group::{
    Equation, Point, double_scalar_mul_vartime, generator_mul, point_coordinates,
    point_decompress_vartime, point_mul, point_mul_add_vartime, scalar_reduce, verify_vartime,
};
use num_bigint::BigUint;

use super::half_gcd::{Quotient, half_gcd};
use super::{
    Sum, equations, half_length, interleaved_wnaf, interleaved_wnaf_11, one_after_the_other, straus,
};
use crate::ladders::tests::{big, from_big, pairs_below};

/// Pairs of scalars: zero is among them.
fn scalars() -> Vec<(U256, U256)> {
    let pairs = pairs_below(&N::MODULUS.0);
    let (edges, near) = (pairs.iter().take(100), pairs.iter().rev().take(81));
    let random = pairs.iter().skip(100).step_by(997);
    let all = edges.chain(near).chain(random);
    all.map(|(s, t)| (U256(*s), U256(*t))).collect()
}

struct Sums;

impl Visitor for Sums {
    fn visit<B: Backend>(&mut self) {
        let sums: [(&str, Sum<B>); 4] = [
            ("one-after-the-other", one_after_the_other::mul),
            ("straus", straus::mul),
            ("interleaved-wnaf-5", interleaved_wnaf::mul),
            ("interleaved-wnaf-11", interleaved_wnaf_11::<B>),
        ];
        // The generator itself, its opposite, and another point: sums with equal and with opposite
        // points.
        let minus_one = U256([
            N::MODULUS.0[0] - 1,
            N::MODULUS.0[1],
            N::MODULUS.0[2],
            N::MODULUS.0[3],
        ]);
        let points: [Point; 3] =
            [U256::ONE, minus_one, U256([5, 6, 7, 8])].map(|k| generator_mul(&k));
        for (i, (s, t)) in scalars().into_iter().enumerate() {
            let point = &points[i % 3];
            let expected = double_scalar_mul_vartime(&s, &t, point);
            let scalar = |k: &U256| Scalar::<B>::from_u256_reduced(k);
            for (name, sum) in sums {
                let p = Affine::from_entry(point);
                let sum = sum(&scalar(&s), &Sm2::GENERATOR, &scalar(&t), &p);
                let result = sum.to_affine_vartime().map(Affine::to_entry);
                assert!(
                    result == expected,
                    "{name} on {}: {:x?}, {:x?}",
                    B::NAME,
                    s.0,
                    t.0
                );
            }
        }
    }
}

#[test]
fn sums() {
    for_each(&mut Sums);
}

/// What is measured are equations that hold.
#[test]
fn equations_hold() {
    let equations = equations();
    assert_eq!(equations.len(), 64);
    let mut valid = vec![false; 64];
    kuaimi_math::sm2::group::verify_many_vartime(&equations, &mut valid);
    assert!(valid.iter().all(|&valid| valid));
}

/// `v` and `w` have half the length, and `±w/v` is the number.
#[test]
fn quotients() {
    let n = big(&N::MODULUS.0);
    let mut numbers: Vec<Limbs> = pairs_below(&N::MODULUS.0)
        .iter()
        .map(|pair| pair.0)
        .collect();
    // Numbers whose remainders stop at the bound or beside it, and ones with large quotients.
    let power = BigUint::from(1_u8) << 128_u32;
    for k in 1..50_u8 {
        for number in [
            &power - k,
            &power + k,
            &n / k,
            &n / k + 1_u8,
            &n - &power * k,
            &power * k,
        ] {
            numbers.push(from_big(&(number % &n)));
        }
    }
    for t in numbers {
        let Quotient { v, w, negative } = half_gcd(&U256(t));
        assert_ne!(v, 0, "{t:x?}");
        let product = BigUint::from(v) * big(&t) % &n;
        let w = BigUint::from(w);
        let expected = if negative { (&n - w) % &n } else { w };
        assert_eq!(product, expected, "{t:x?}");
    }
}

struct HalfLength;

impl Visitor for HalfLength {
    fn visit<B: Backend>(&mut self) {
        let tables = half_length::Tables::<B>::new();
        let minus_one = from_big(&(big(&N::MODULUS.0) - 1_u8));
        let points: [Point; 3] =
            [U256::ONE, U256(minus_one), U256([5, 6, 7, 8])].map(|k| generator_mul(&k));
        let mut seen = [0; 2];
        for (i, (s, t)) in scalars().into_iter().enumerate() {
            let point = points[i % 3];
            let p = Affine::from_entry(&point);
            let verify = |x: &U256| half_length::verify(&tables, [&s, &t, x], &p);
            let Some(sum) = double_scalar_mul_vartime(&s, &t, &point) else {
                // Infinity has no x-coordinate.
                assert!(!verify(&U256::default()) && !verify(&U256::ONE));
                continue;
            };
            let [x, y] = point_coordinates(&sum);
            let parity = y.0[0] & 1 == 1;
            seen[usize::from(parity)] += 1;
            let r = scalar_reduce(&x);
            assert!(verify(&r), "{}: {:x?}, {:x?}", B::NAME, s.0, t.0);
            let with_parity = |odd| half_length::verify_with_parity(&tables, [&s, &t, &x], odd, &p);
            assert!(with_parity(parity) && !with_parity(!parity));
            // Another x-coordinate: of no point, or of other points.
            let other = U256([r.0[0] ^ (1 << (i % 64)), r.0[1], r.0[2], r.0[3]]);
            assert!(!verify(&other), "{}: {:x?}, {:x?}", B::NAME, s.0, t.0);
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    }
}

#[test]
fn half_length_scalars() {
    for_each(&mut HalfLength);
}

/// An x-coordinate of n or more, which is told as its remainder: a point that has one is made from
/// it, and the key from the point.
#[test]
fn half_length_scalars_of_a_large_coordinate() {
    type C = Sm2<Portable>;
    let n = big(&N::MODULUS.0);
    let tables = half_length::Tables::<Portable>::new();
    let mut found = 0;
    for small in 1..40_u8 {
        let x = U256(from_big(&(&n + small)));
        for odd in [false, true] {
            let Ok(r) = point_decompress_vartime(&x, odd) else {
                continue;
            };
            found += 1;
            // P = R − [s]G, and t = 1; or P = (R − [s]G)/2, and t = 2.
            let s = U256([9, 8, 7, 6]);
            let minus_s = U256(from_big(&(&n - big(&s.0))));
            let p = point_mul_add_vartime(&minus_s, &C::GENERATOR.to_entry(), &r).unwrap();
            let half = U256(from_big(&((&n + 1_u8) / 2_u8)));
            let halved = point_mul(&half, &p);
            for (t, p) in [(U256::ONE, p), (U256([2, 0, 0, 0]), halved)] {
                let told = U256([u64::from(small), 0, 0, 0]);
                let equation = Equation {
                    s,
                    t,
                    x: told,
                    p: &p,
                };
                assert!(verify_vartime(&equation));
                let p = Affine::<C>::from_entry(&p);
                assert!(half_length::verify(&tables, [&s, &t, &told], &p), "{small}");
                let wrong = U256([u64::from(small) + 1, 0, 0, 0]);
                assert!(
                    !half_length::verify(&tables, [&s, &t, &wrong], &p),
                    "{small}"
                );
            }
        }
    }
    assert!(found > 10, "{found}");
}
