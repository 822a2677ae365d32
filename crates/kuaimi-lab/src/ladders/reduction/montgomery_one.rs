//! Montgomery multiplication with the constant 1: `p ≡ −1 (mod 2⁶⁴)`, so `−1/p mod 2⁶⁴` is 1, and
//! the factor of the multiple that makes the lowest limb zero is that limb itself. Its product with
//! `p = 2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴ − 1` needs no multiplication: for `q = t₀`,
//!
//! ```text
//! (t + q·p)/2⁶⁴ = (t₁, t₂, t₃, t₄) + q + q·2¹⁹² − (q·2³² + q·2¹⁶⁰).
//! ```
//!
//! Source of the observation: Shay Gueron and Vlad Krasnov, *Fast prime field elliptic-curve
//! cryptography with 256-bit primes*, 2015, who call such moduli Montgomery-friendly.

use kuaimi_math::arith::u256::{Limbs, adc, sbb};

use super::Arithmetic;
use super::prime::{R, subtract_once};
use crate::ladders::multiplication::digit::Digit;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MontgomeryOne;

impl Arithmetic for MontgomeryOne {
    const ONE: Limbs = R;

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        let mut t = [0_u64; 5];
        for limb in b {
            let mut row = t;
            let mut carry = 0;
            for i in 0..4 {
                [row[i], carry] = limb.multiply_add(a[i], t[i], carry);
            }
            // As t < 2p and p < 2²⁵⁶ − 2²²³, the sum is below (2⁶⁴ + 2)·p < 2³²⁰.
            row[4] = t[4] + carry;
            t = step(&row);
        }
        subtract_once(&[t[0], t[1], t[2], t[3]], t[4] != 0)
    }
}

/// `(t + q·p)/2⁶⁴` with `q = t₀`.
#[inline(always)]
fn step(t: &[u64; 5]) -> [u64; 5] {
    let q = t[0];
    let (low, high) = (q << 32, q >> 32);
    let (t1, c) = adc(t[1], q, false);
    let (t2, c) = adc(t[2], 0, c);
    let (t3, c) = adc(t[3], 0, c);
    let (t4, c) = adc(t[4], q, c);
    let (t1, b) = sbb(t1, low, false);
    let (t2, b) = sbb(t2, high, b);
    let (t3, b) = sbb(t3, low, b);
    let (t4, b) = sbb(t4, high, b);
    // The result is not negative, and below 2p.
    [t1, t2, t3, t4, u64::from(c).wrapping_sub(u64::from(b))]
}
