//! All rungs against a library of long numbers.

use kuaimi_math::arith::Backend;
use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;
use num_bigint::BigUint;

use super::{comba_32, comba_64, karatsuba_32, karatsuba_64, schoolbook_32, schoolbook_64};
use crate::ladders::tests::{big, pairs};

/// A way to multiply: the lower and the upper half of the product.
type Multiply = fn(&Limbs, &Limbs) -> [Limbs; 2];

const ALL: [(&str, Multiply); 6] = [
    ("schoolbook-32", schoolbook_32),
    ("comba-32", comba_32),
    ("karatsuba-32", karatsuba_32),
    ("comba-64", comba_64),
    ("karatsuba-64", karatsuba_64),
    ("schoolbook-64", schoolbook_64),
];

#[test]
fn products() {
    for (a, b) in pairs() {
        let expected = big(&a) * big(&b);
        for (name, multiply) in ALL {
            let [low, high] = multiply(&a, &b);
            assert!(
                big(&low) + (big(&high) << 256_u32) == expected,
                "{name}: {a:x?}·{b:x?}"
            );
        }
    }
}

#[test]
fn products_of_the_library() {
    struct Products;
    impl Visitor for Products {
        fn visit<B: Backend>(&mut self) {
            for (a, b) in pairs() {
                let [low, high] = B::product(&a, &b);
                let product: BigUint = big(&low) + (big(&high) << 256_u32);
                assert!(product == big(&a) * big(&b), "{}: {a:x?}·{b:x?}", B::NAME);
            }
        }
    }
    for_each(&mut Products);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn eight_products_at_once() {
    let Some(ifma) = super::ifma::Ifma::new() else {
        eprintln!("note: nothing was tested with AVX-512 IFMA, which this CPU lacks");
        return;
    };
    for chunk in pairs().chunks_exact(8) {
        let a = core::array::from_fn(|i| chunk[i].0);
        let b = core::array::from_fn(|i| chunk[i].1);
        let products = ifma.multiply(&a, &b);
        for ((a, b), [low, high]) in chunk.iter().zip(products) {
            assert!(
                big(&low) + (big(&high) << 256_u32) == big(a) * big(b),
                "{a:x?}·{b:x?}"
            );
        }
    }
}
