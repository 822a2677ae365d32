//! All rungs against a library of long numbers.

use kuaimi_math::arith::u256::Limbs;
use num_bigint::BigUint;

use super::Arithmetic;
use super::barrett::{Barrett, MU};
use super::division::Division;
use super::folding_32::Folding32;
use super::folding_64::Folding64;
use super::folding_64_shifts::Folding64Shifts;
use super::montgomery_cios::MontgomeryCios;
use super::montgomery_one::MontgomeryOne;
use super::prime::{P, R, R_SQUARED};
use crate::ladders::tests::{big, pairs_below};

/// What the product in Montgomery form differs by: `2²⁵⁶ mod p`, or 1 for the other forms.
fn check<M: Arithmetic>() {
    let p = big(&P);
    for (a, b) in pairs_below(&P) {
        let product = M::multiply(&a, &b);
        let expected = big(&a) * big(&b) % &p;
        assert!(
            big(&product) < p,
            "{a:x?}·{b:x?} is not reduced: {product:x?}"
        );
        assert!(
            big(&product) * big(&M::ONE) % &p == expected,
            "{a:x?}·{b:x?} gives {product:x?}"
        );
    }
}

#[test]
fn division() {
    check::<Division>();
}

#[test]
fn barrett() {
    check::<Barrett>();
    let mut mu = [[0; 4]; 2];
    mu.as_flattened_mut()[..5].copy_from_slice(&MU);
    let mu: BigUint = big(&mu[0]) + (big(&mu[1]) << 256_u32);
    assert!(mu == (BigUint::from(1_u8) << 512_u32) / big(&P));
}

#[test]
fn montgomery() {
    check::<MontgomeryCios>();
    check::<MontgomeryOne>();
    // A number in Montgomery form, back and forth.
    let one: Limbs = [1, 0, 0, 0];
    assert_eq!(MontgomeryCios::multiply(&R_SQUARED, &one), R);
    assert_eq!(MontgomeryOne::multiply(&R, &one), one);
}

#[test]
fn folding() {
    check::<Folding32>();
    check::<Folding64>();
    check::<Folding64Shifts>();
}

/// Every multiple of the tables is needed by some pair of operands among those that the tests above
/// use.
#[test]
fn folding_leaves_every_multiple() {
    let mut seen = [false; 14];
    for (a, b) in pairs_below(&P) {
        let product = crate::ladders::multiplication::schoolbook::multiply(&a, &b);
        seen[super::folding_64::fold(&product).1 as usize] = true;
    }
    assert!(seen[..12].iter().all(|&seen| seen), "{seen:?}");
}
