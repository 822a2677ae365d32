//! Leaks: the number of corrections, and on many processors the time of a division, depend on the
//! operands.
//!
//! Division of the product by the modulus, digit by digit (Knuth, *The Art of Computer
//! Programming*, volume 2, 4.3.1, algorithm D). A digit of the quotient is estimated by dividing
//! the two leading limbs of what is left by the leading limb of `p`, and made smaller as long as
//! the next limb shows that it is too large. After that it is too large by at most one, and then
//! `p` is added back. The highest bit of `p` is set, so nothing has to be shifted.

use kuaimi_math::arith::u256::{Limbs, adc, sbb};

use super::Arithmetic;
use super::prime::P;
use crate::ladders::multiplication::schoolbook;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Division;

impl Arithmetic for Division {
    const ONE: Limbs = [1, 0, 0, 0];

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        remainder(&schoolbook::multiply(a, b))
    }
}

/// `x mod p` for `x < p·2²⁵⁶`.
#[inline(always)]
fn remainder(x: &[Limbs; 2]) -> Limbs {
    let mut rest = *x;
    let rest = rest.as_flattened_mut();
    for place in (0..4).rev() {
        let digit = estimate(rest[place + 4], rest[place + 3], rest[place + 2]);
        let (mut carry, mut borrow) = (0, false);
        for (i, limb) in P.iter().enumerate() {
            let product = u128::from(digit) * u128::from(*limb) + u128::from(carry);
            carry = (product >> 64) as u64;
            (rest[place + i], borrow) = sbb(rest[place + i], product as u64, borrow);
        }
        (rest[place + 4], borrow) = sbb(rest[place + 4], carry, borrow);
        if borrow {
            let mut carry = false;
            for (i, limb) in P.iter().enumerate() {
                (rest[place + i], carry) = adc(rest[place + i], *limb, carry);
            }
            (rest[place + 4], _) = adc(rest[place + 4], 0, carry);
        }
    }
    [rest[0], rest[1], rest[2], rest[3]]
}

/// The digit of the quotient, or one more, from the three leading limbs of what is left.
fn estimate(high: u64, middle: u64, low: u64) -> u64 {
    let divisor = u128::from(P[3]);
    let leading = (u128::from(high) << 64) | u128::from(middle);
    let (mut digit, mut rest) = (leading / divisor, leading % divisor);
    while digit >> 64 != 0 || digit * u128::from(P[2]) > (rest << 64) | u128::from(low) {
        digit -= 1;
        rest += divisor;
        if rest >> 64 != 0 {
            break;
        }
    }
    digit as u64
}
