//! Montgomery multiplication word by word: after each row of the product, a multiple of `p` makes
//! the lowest limb zero, and the sum moves down by a limb (Peter Montgomery, *Modular
//! multiplication without trial division*, 1985; the order of the steps is CIOS of Koç, Acar and
//! Kaliski, *Analyzing and comparing Montgomery multiplication algorithms*, 1996). For any odd
//! modulus: the multiple is found by a product with `−1/p mod 2⁶⁴`.

use kuaimi_math::arith::modulus::neg_inverse;
use kuaimi_math::arith::u256::{Limbs, adc};
use kuaimi_platform::value_barrier;

use super::Arithmetic;
use super::prime::{P, R, subtract_once};
use crate::ladders::multiplication::digit::Digit;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MontgomeryCios;

/// `−1/p mod 2⁶⁴`.
const NEGATIVE_INVERSE: u64 = neg_inverse(P[0]);

impl Arithmetic for MontgomeryCios {
    const ONE: Limbs = R;

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        // The compiler is to know neither the modulus nor its inverse, as with any other modulus.
        let inverse = value_barrier(NEGATIVE_INVERSE);
        let modulus = P.map(value_barrier);
        let mut t = [0_u64; 5];
        for limb in b {
            let (row, top) = add_row(&t, *limb, a);
            let (row, over) = add_row(&row, row[0].wrapping_mul(inverse), &modulus);
            t = [row[1], row[2], row[3], row[4], top + over];
        }
        subtract_once(&[t[0], t[1], t[2], t[3]], t[4] != 0)
    }
}

/// `t + a·b`, five limbs of it and the sixth.
#[inline(always)]
fn add_row(t: &[u64; 5], a: u64, b: &Limbs) -> ([u64; 5], u64) {
    let mut out = *t;
    let mut carry = 0;
    for i in 0..4 {
        [out[i], carry] = a.multiply_add(b[i], t[i], carry);
    }
    let (top, over) = adc(t[4], carry, false);
    out[4] = top;
    (out, u64::from(over))
}
