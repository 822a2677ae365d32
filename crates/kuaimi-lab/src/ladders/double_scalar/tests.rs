//! Every sum against the library's, on random scalars and at the edges.

use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::{Backend, Modulus, PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve};
use kuaimi_math::sm2::curve::{N, Scalar, Sm2};
use kuaimi_math::sm2::group::{Point, double_scalar_mul_vartime, generator_mul};

use super::{Sum, equations, interleaved_wnaf, one_after_the_other, straus};
use crate::ladders::tests::pairs_below;

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
        let sums: [(&str, Sum<B>); 3] = [
            ("one-after-the-other", one_after_the_other::mul),
            ("straus", straus::mul),
            ("interleaved-wnaf-5", interleaved_wnaf::mul),
        ];
        // The generator itself, its opposite, and another point: sums with equal and with opposite points.
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
