//! The formulas against the library's complete ones, on many points, and through points that share a coordinate's edge.

use kuaimi_math::arith::Modulus;
use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::{Backend, PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve, Jacobian, Xyzz, scalar_mul};
use kuaimi_math::sm2::curve::{N, Scalar, Sm2};

use super::{add_2007_bl, affine, dbl_2001_b, madd_2007_bl};
use crate::ladders::tests::pairs_below;

/// Two different points that are not opposite, for each pair of numbers that gives such points.
fn points<B: Backend>() -> Vec<[Affine<Sm2<B>>; 2]> {
    let point = |k: &_| {
        let k = Scalar::<B>::from_u256_reduced(&U256(*k));
        scalar_mul::mul_vartime::<Sm2<B>>(&k, &Sm2::GENERATOR).to_affine_vartime()
    };
    let numbers = pairs_below(&N::MODULUS.0).into_iter().step_by(97);
    numbers
        .filter_map(|(a, b)| Some([point(&a)?, point(&b)?]))
        .filter(|[a, b]| a.x != b.x)
        .collect()
}

struct Formulas;

impl Visitor for Formulas {
    fn visit<B: Backend>(&mut self) {
        let points = points::<B>();
        assert!(points.len() > 100, "{} points", points.len());
        for [a, b] in points {
            let (ja, jb) = (Jacobian::from(a).double(), Jacobian::from(b).double());
            let (aa, bb) = (ja.to_affine(), jb.to_affine());
            let same = |name: &str, expected: Affine<Sm2<B>>, result: Affine<Sm2<B>>| {
                assert!(
                    expected.x == result.x && expected.y == result.y,
                    "{name} on {}",
                    B::NAME
                );
            };
            let twice = Jacobian::from(a).add_affine_complete(&a).to_affine();
            same("affine doubling", twice, affine::double(&a));
            same("4M + 4S", twice, ja.to_affine());
            let four = Jacobian::from(aa).add_affine_complete(&aa).to_affine();
            same("dbl-2001-b", four, dbl_2001_b::double(&ja).to_affine());
            same("4M + 4S again", four, ja.double().to_affine());
            let sum = ja.add_affine_complete(&bb).to_affine();
            same("affine addition", sum, affine::add(&aa, &bb));
            same("add-2007-bl", sum, add_2007_bl::add(&ja, &jb).to_affine());
            same("12M + 4S", sum, ja.add_vartime(&jb).to_affine());
            same("madd-2007-bl", sum, madd_2007_bl::add(&ja, &bb).to_affine());
            same("8M + 3S", sum, ja.add_affine_incomplete(&bb).to_affine());
            same(
                "xyzz",
                sum,
                Xyzz::from(ja).add_affine_incomplete(&bb).to_affine(),
            );
        }
        // Infinity doubled is infinity.
        assert!(bool::from(
            dbl_2001_b::double(&Jacobian::<Sm2<B>>::INFINITY).is_infinity()
        ));
    }
}

#[test]
fn formulas() {
    for_each(&mut Formulas);
}
