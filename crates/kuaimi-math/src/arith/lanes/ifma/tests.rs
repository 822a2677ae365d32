//! Proof of the bounds: the kernels are run with intervals.

use super::super::super::modulus::Modulus;
use super::super::super::radix52::{BITS, MASK};
use super::super::words::Simd;
use super::super::words::interval::Interval;
use super::constants::Radix52;
use super::field::{self, Limb5};
use crate::arith::tests::{Sm9N, Sm9Q};
use crate::sm2::curve::{N, P};

/// All numbers with carried limbs.
const CARRIED: Limb5<Interval> = [Interval(0, MASK as i128); 5];

/// All limbs but the top one are carried. The magnitude bounds the top limb.
#[track_caller]
fn assert_carried(r: &Limb5<Interval>) {
    for limb in &r[..4] {
        assert!(limb.0 >= 0 && limb.1 <= MASK.into(), "{r:?}");
    }
}

fn no_word_overflows<M: Modulus>() {
    let a = &CARRIED;
    assert_carried(&field::mul::<_, M>(a, a));
    assert_carried(&field::square::<_, M>(a));
    assert_carried(&field::mul_add::<_, M>(a, a, a, a));
    let sum = field::dot::<_, M, 12>(&[(a, 0); 12], &[a; 12]);
    assert_carried(&field::carry(&sum));
    assert_carried(&field::reduce::<_, M>(&sum));
    assert_carried(&field::carry(&field::mul_sub_square_loose::<_, M>(a, a, a)));
    assert_carried(&field::reduce::<_, M>(a));
    assert_carried(&field::reduce_once::<_, M>(a));
    // Loose numbers of more weight than the contract allows, with negative limbs.
    let product = field::mul_loose::<_, M>(a, a);
    let mut loose = field::square_loose::<_, M>(a);
    for _ in 0..8 {
        loose = field::sub::<_, M, 16>(&field::add(&loose, &product), &product);
    }
    assert_carried(&field::carry(&loose));
    assert_carried(&field::reduce::<_, M>(&loose));
    assert!(loose[0].0 < 0 && loose[0].1 > MASK.into(), "it is loose");
}

/// As many wide products as may be added up, and fewer where three times the reduction of their sum
/// is needed.
fn no_column_overflows<M: Modulus>() {
    let product = field::product(&CARRIED, &CARRIED);
    let reduced = |count: usize| {
        let mut sum = [Interval(0, 0); 10];
        for i in 0..count {
            for (sum, column) in sum.iter_mut().zip(product) {
                *sum = if i % 2 == 0 {
                    sum.add(column)
                } else {
                    sum.sub(column)
                };
            }
        }
        field::redc_signed::<_, M, 16>(&sum)
    };
    assert_carried(&field::reduce::<_, M>(&reduced(80)));
    let few = reduced(20);
    assert_carried(&field::reduce::<_, M>(&field::add(
        &field::add(&few, &few),
        &few,
    )));
}

#[test]
fn bounds_hold_for_all_values() {
    no_column_overflows::<Sm9Q>();
    no_word_overflows::<P>();
    no_word_overflows::<N>();
    no_word_overflows::<Sm9Q>();
    no_word_overflows::<Sm9N>();
}

#[test]
fn constants_are_right() {
    fn check<M: Modulus>() {
        let mut carry = 0;
        let sum = core::array::from_fn(|i| {
            let limb = M::M[i] + M::NEGATED[i] + carry;
            carry = limb >> BITS;
            limb & MASK
        });
        assert_eq!((sum, carry), ([0; 5], 1), "m + (2^260 − m)");
        assert_eq!(M::M[0].wrapping_mul(M::NEG_INVERSE) & MASK, MASK);
        // 2³⁵ > ⌊2²⁹⁰/m⌋ ≥ 2³⁴, as m is between 2²⁵⁵ and 2²⁵⁶.
        assert_eq!(M::RECIPROCAL >> 34, 1);
    }
    check::<P>();
    check::<N>();
    check::<Sm9Q>();
    check::<Sm9N>();
}
