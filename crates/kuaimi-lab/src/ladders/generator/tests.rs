//! Every product against the library's, on random scalars and at the edges.

use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::{Backend, Modulus, PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve, Jacobian, scalar_mul};
use kuaimi_math::sm2::curve::{N, Scalar, Sm2};
use kuaimi_math::sm2::group::{Point, generator_mul, implementations};
use kuaimi_math::sm2::tables::{generator_table, generator_wide_table};

use super::comb::Combs;
use super::double_and_add::to_affine;
use super::{double_and_add, naf};
use crate::ladders::tests::pairs_below;

/// Scalars other than zero; the edges are 1, 2, 3, n − 1, n − 2, n − 3, runs of ones and of zeros.
fn scalars() -> Vec<U256> {
    let pairs = pairs_below(&N::MODULUS.0);
    let (first, last) = (pairs.iter().take(100), pairs.iter().rev().take(81));
    let random = pairs.iter().skip(100).step_by(211);
    let mut scalars: Vec<U256> = first
        .chain(last)
        .chain(random)
        .map(|(k, _)| U256(*k))
        .collect();
    scalars.retain(|k| *k != U256::ZERO);
    scalars.sort_by_key(|k| k.0);
    scalars.dedup();
    scalars
}

struct Products;

impl Visitor for Products {
    fn visit<B: Backend>(&mut self) {
        let g = Sm2::<B>::GENERATOR;
        let combs = Combs::<Sm2<B>>::new(&g);
        for k in scalars() {
            let expected = generator_mul(&k);
            let s = Scalar::<B>::from_u256_reduced(&k);
            let jacobian = |p: Jacobian<Sm2<B>>| to_affine(&p);
            let results: [(&str, Affine<Sm2<B>>); 8] = [
                ("double-and-add", jacobian(double_and_add::mul(&s, &g))),
                ("naf", jacobian(naf::mul(&s, &g))),
                ("signed-windows-5", jacobian(scalar_mul::mul(&s, &g))),
                ("comb-2x16", jacobian(combs.mul(&s))),
                ("comb-2x16-direct", jacobian(combs.mul_vartime(&s))),
                (
                    "windows-32-tables-direct",
                    generator_wide_table::<B>().mul_vartime(&s).to_affine(),
                ),
                (
                    "windows-32-tables",
                    generator_wide_table::<B>().mul(&s).to_affine(),
                ),
                (
                    "windows-43-tables",
                    generator_table::<B>().mul(&s).to_affine(),
                ),
            ];
            for (name, result) in results {
                assert!(
                    result.to_entry() == expected,
                    "{name} on {}: {:x?}",
                    B::NAME,
                    k.0
                );
            }
        }
    }
}

#[test]
fn single_products() {
    for_each(&mut Products);
}

#[test]
fn many_products() {
    let scalars = scalars();
    let expected: Vec<Point> = scalars.iter().map(generator_mul).collect();
    for implementation in implementations() {
        let mut out = vec![Point::default(); scalars.len()];
        (implementation.generator_mul_many)(&scalars, &mut out);
        assert!(out == expected, "{:?}", implementation.name);
    }
}
