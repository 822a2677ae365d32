//! The tables that are made give right products.

use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::{Backend, Field, PrimeField};
use kuaimi_math::curve::{Affine, FixedBaseTable, OddMultiples, double_scalar_mul_vartime};
use kuaimi_math::sm2::curve::{Scalar, Sm2};
use kuaimi_math::sm2::group::{KeyTable, point_mul};

use super::{odd_multiples, points, windows};
use crate::ladders::generator::comb::Combs;
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::integer::scalars;

struct Tables;

impl Visitor for Tables {
    fn visit<B: Backend>(&mut self) {
        for (point, k) in points().iter().zip(scalars().iter().skip(1)).take(5) {
            let expected = point_mul(k, point);
            let p = Affine::<Sm2<B>>::from_entry(point);
            let s = Scalar::<B>::from_u256_reduced(k);
            for width in [8, 6] {
                let table = windows(&p, width);
                let table = FixedBaseTable::<Sm2<B>>::new(width, &table);
                let product = table.mul(&s).to_affine();
                assert!(
                    product.to_entry() == expected,
                    "windows-{width} on {}",
                    B::NAME
                );
            }
            let table = KeyTable::build_vartime(point);
            let product = table.fixed_base_table::<B>().mul(&s).to_affine();
            assert!(product.to_entry() == expected, "windows-5 on {}", B::NAME);
            let product = to_affine(&Combs::new(&p).mul(&s));
            assert!(product.to_entry() == expected, "comb-2x16 on {}", B::NAME);
            let table = odd_multiples(&p);
            let table = OddMultiples::<Sm2<B>>::new(5, &table);
            let zero = Scalar::<B>::ZERO;
            let product = to_affine(&double_scalar_mul_vartime(&s, &table, &zero, &p));
            assert!(
                product.to_entry() == expected,
                "odd-multiples-8 on {}",
                B::NAME
            );
        }
    }
}

#[test]
fn products() {
    for_each(&mut Tables);
}
