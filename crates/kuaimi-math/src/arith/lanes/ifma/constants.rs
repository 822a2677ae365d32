//! The constants of a modulus in limbs of 52 bits, computed by the compiler.

use super::super::super::modulus::Modulus;
use super::super::super::radix52::{BITS, Limbs52, MASK, split};
use super::super::super::u256::{add_limbs, sub_limbs};

/// The constants of a modulus above `2²⁵⁵`.
pub(super) trait Radix52: Modulus {
    /// `m`.
    const M: Limbs52 = split(&Self::MODULUS.0);
    /// `2²⁶⁰ − m`: adding it subtracts `m`, and sets bit 260 if there is no borrow.
    const NEGATED: Limbs52 = {
        let mut limbs = [0; 5];
        let (mut i, mut carry) = (0, 1);
        while i < 5 {
            let sum = (MASK ^ Self::M[i]) + carry;
            limbs[i] = sum & MASK;
            carry = sum >> BITS;
            i += 1;
        }
        limbs
    };
    /// `−m⁻¹ mod 2⁵²`.
    const NEG_INVERSE: u64 = Self::M0_NEG_INV & MASK;
    /// `2²⁵⁶ mod m`: the Montgomery product with it converts `a·2²⁶⁰` to `a·2²⁵⁶`.
    const TO_SCALAR_FORM: Limbs52 = split(&Self::R);
    /// `⌊2²⁹⁰/m⌋`, for the estimate of a quotient.
    const RECIPROCAL: u64 = {
        let (mut quotient, mut rest, mut i) = (0, [1, 0, 0, 0], 0);
        while i < 290 {
            let (doubled, carry) = add_limbs(&rest, &rest);
            let (less, borrow) = sub_limbs(&doubled, &Self::MODULUS.0);
            let fits = carry || !borrow;
            rest = if fits { less } else { doubled };
            quotient = 2 * quotient + fits as u64;
            i += 1;
        }
        assert!(
            Self::MODULUS.0[3] >> 63 == 1 && quotient <= MASK,
            "lanes are for moduli above 2^255"
        );
        quotient
    };
}

impl<M: Modulus> Radix52 for M {}

/// The constant `K·m`, carried.
pub(super) struct Multiple<M, const K: u64>(core::marker::PhantomData<M>);

impl<M: Modulus, const K: u64> Multiple<M, K> {
    pub(super) const LIMBS: Limbs52 = {
        assert!(K <= 16, "magnitudes are at most 16");
        let mut limbs = [0; 5];
        let (mut i, mut carry) = (0, 0);
        while i < 5 {
            // Below 2⁵⁷.
            let sum = K * M::M[i] + carry;
            limbs[i] = sum & MASK;
            carry = sum >> BITS;
            i += 1;
        }
        limbs
    };
}
