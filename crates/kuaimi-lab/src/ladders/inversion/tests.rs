//! All inverses against each other, and times the number.

use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::arith::{Backend, Field, PrimeField, U256};
use kuaimi_math::sm2::curve::Fp;

use super::{binary_euclid, extended_euclid, fermat, fermat_chain};
use crate::ladders::reduction::prime::P;
use crate::ladders::tests::{big, from_big, pairs_below};

/// Of the pairs one number each, and fewer of them, as inverses are slow.
fn numbers() -> impl Iterator<Item = Limbs> {
    let pairs = pairs_below(&P);
    let edges = [[0; 4], [1, 0, 0, 0], [2, 0, 0, 0]];
    let near = (1..4_u8).map(|k| from_big(&(big(&P) - k)));
    let random = pairs.into_iter().map(|(a, _)| a).step_by(29);
    edges
        .into_iter()
        .chain(near.collect::<Vec<_>>())
        .chain(random)
}

#[test]
fn euclid() {
    for a in numbers() {
        let inverse = extended_euclid::invert(&a);
        assert_eq!(inverse, binary_euclid::invert(&a), "{a:x?}");
        let product = big(&inverse) * big(&a) % big(&P);
        assert!(product == big(&[u64::from(a != [0; 4]), 0, 0, 0]), "{a:x?}");
        assert!(big(&inverse) < big(&P));
    }
}

#[test]
fn powers_and_the_library() {
    struct Inverses;
    impl Visitor for Inverses {
        fn visit<B: Backend>(&mut self) {
            for a in numbers() {
                let expected = binary_euclid::invert(&a);
                let element = Fp::<B>::from_u256_reduced(&U256(a));
                for (name, invert) in [
                    ("fermat", fermat::invert as fn(&Fp<B>) -> Fp<B>),
                    ("fermat-chain", fermat_chain::invert),
                    ("division-steps", Field::invert),
                    ("lehmer", Field::invert_vartime),
                ] {
                    assert!(
                        invert(&element).to_u256().0 == expected,
                        "{name} on {}: {a:x?}",
                        B::NAME
                    );
                }
            }
        }
    }
    for_each(&mut Inverses);
}
