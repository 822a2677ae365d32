//! The reduction of 40 bytes of a hash to a scalar in `[1, N − 1]`: `(Ha mod (N − 1)) + 1` (GB/T
//! 38635.2-2020, 5.3.2.2).
//!
//! `N − 1` is even, so Montgomery's reduction cannot be used. The quotient of 65 bits is estimated
//! with a reciprocal of `N − 1` (Barrett's reduction), and is too small by at most three. There is
//! no division, and no branch depends on the hash, as a message may be secret before its signature
//! is published.

use zeroize::Zeroize;

use crate::arith::u256::{Limbs, adc, mask, mask_limbs, sbb};
use crate::arith::{Modulus, U256};
use crate::sm9::curve::N;

/// `m = N − 1`.
const ORDER_LESS_ONE: U256 = N::MODULUS.overflowing_sub(&U256::ONE).0;

/// `⌊2³²⁰ / m⌋ − 2⁶⁴`, which has at most 64 bits, as `2²⁵⁵ < m < 2²⁵⁶`.
const RECIPROCAL: u64 = reciprocal(&ORDER_LESS_ONE);

/// `⌊2³²⁰ / m⌋ − 2⁶⁴` by long division, at compile time. The first bit of the quotient, which is
/// `2⁶⁴`, is left out.
const fn reciprocal(m: &U256) -> u64 {
    // The remainder after the first bit: 2²⁵⁶ − m, which is below m.
    let (mut remainder, _) = U256::ZERO.overflowing_sub(m);
    let mut quotient = 0u64;
    let mut i = 0;
    while i < 64 {
        let (doubled, carry) = remainder.overflowing_add(&remainder);
        let (reduced, borrow) = doubled.overflowing_sub(m);
        let one = carry || !borrow;
        remainder = if one { reduced } else { doubled };
        quotient = (quotient << 1) | one as u64;
        i += 1;
    }
    quotient
}

/// `(Ha mod (N − 1)) + 1` for the number `Ha` in 40 bytes, most significant first. Constant time.
pub fn scalar_from_hash(bytes: &[u8; 40]) -> U256 {
    let mut limbs = [0u64; 5];
    for (limb, bytes) in limbs.iter_mut().rev().zip(bytes.as_chunks::<8>().0) {
        *limb = u64::from_be_bytes(*bytes);
    }
    let h = to_scalar(&limbs);
    limbs.zeroize();
    h
}

/// `(a mod (N − 1)) + 1` for a number of 320 bits, least significant limb first.
fn to_scalar(a: &[u64; 5]) -> U256 {
    let m = &ORDER_LESS_ONE.0;
    // Let a = hi·2²⁵⁶ + lo and q = hi + ⌊hi·RECIPROCAL / 2⁶⁴⌋. Then q is at most ⌊a / m⌋, and at
    // least ⌊a / m⌋ − 3, as lo / m < 2, and each of the two roundings loses less than 1.
    let hi = a[4];
    let q = u128::from(hi) + ((u128::from(hi) * u128::from(RECIPROCAL)) >> 64);
    let (q0, q1) = (q as u64, (q >> 64) as u64);
    // a − q·m, which is below 4m. Two passes, as q may have 65 bits.
    let mut r = *a;
    subtract_product(&mut r, m, q0, 0);
    subtract_product(&mut r, m, q1, 1);
    for _ in 0..3 {
        subtract_once(&mut r, m);
    }
    U256([r[0], r[1], r[2], r[3]]).overflowing_add(&U256::ONE).0
}

/// `r − q·m·2^(64·shift)`, which must not be negative.
fn subtract_product(r: &mut [u64; 5], m: &Limbs, q: u64, shift: usize) {
    let mut carry = 0u64;
    let mut borrow = false;
    for (r, m) in r.iter_mut().skip(shift).zip(m.iter().chain(&[0])) {
        let product = u128::from(q) * u128::from(*m) + u128::from(carry);
        carry = (product >> 64) as u64;
        (*r, borrow) = sbb(*r, product as u64, borrow);
    }
}

/// `r − m` if that is not negative, else `r`.
fn subtract_once(r: &mut [u64; 5], m: &Limbs) {
    let mut borrow = false;
    for (r, m) in r.iter_mut().zip(m.iter().chain(&[0])) {
        (*r, borrow) = sbb(*r, *m, borrow);
    }
    let correction = mask_limbs(m, mask(borrow));
    let mut carry = false;
    for (r, m) in r.iter_mut().zip(correction.iter().chain(&[0])) {
        (*r, carry) = adc(*r, *m, carry);
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::*;
    use crate::testing::{Repeatable, big, from_big, rounds};

    fn limbs_of(a: &BigUint) -> [u64; 5] {
        let mut bytes = a.to_bytes_le();
        bytes.resize(40, 0);
        core::array::from_fn(|i| {
            let mut limb = [0; 8];
            limb.copy_from_slice(&bytes[8 * i..8 * i + 8]);
            u64::from_le_bytes(limb)
        })
    }

    /// Compared with big integers: random numbers, numbers next to multiples of `m`, and the
    /// largest quotients.
    #[test]
    fn reduction_agrees_with_big_integers() {
        let m = big(&ORDER_LESS_ONE);
        let top = BigUint::from(1u8) << 320u32;
        let check = |a: &BigUint| {
            let expected = from_big(&(a % &m + 1u8));
            assert_eq!(to_scalar(&limbs_of(a)), expected, "{a:x}");
        };
        let mut numbers = Repeatable(41);
        for _ in 0..rounds(2000) {
            let low = big(&U256(numbers.number()));
            let high = BigUint::from(match numbers.word() % 4 {
                0 => 0,
                1 => u64::MAX,
                2 => u64::MAX - numbers.word() % 4,
                _ => numbers.word(),
            });
            let a = (high << 256u32) + low;
            check(&a);
            // A multiple of m, and the numbers next to it.
            let multiple = &a - &a % &m;
            check(&multiple);
            check(&(&multiple + 1u8));
            if multiple > BigUint::ZERO {
                check(&(&multiple - 1u8));
            }
        }
        for a in [BigUint::ZERO, top - 1u8, m.clone(), &m * 2u8, &m * 3u8] {
            check(&a);
        }
    }
}
