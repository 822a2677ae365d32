//! Integers modulo the order `n`, as plain integers, not in Montgomery form.
//!
//! Arguments must be below `n` unless the documentation says otherwise. Functions are constant time
//! unless their name ends in `_vartime`.

use subtle::ConditionallySelectable;
use zeroize::Zeroize;

use crate::arith::backend::with_backend;
use crate::arith::u256::Limbs;
use crate::arith::{Fe, Field, Modulus, PrimeField, U256, integers};
use crate::sm2::curve::{N, Scalar};

/// The order `n`.
pub const ORDER: U256 = N::MODULUS;

/// `a mod n` for any 256-bit `a`. As `n > 2²⁵⁵`, one subtraction is sufficient.
pub fn scalar_reduce(a: &U256) -> U256 {
    let (reduced, _) = a.overflowing_sub(&ORDER);
    U256::conditional_select(&reduced, a, a.ct_lt(&ORDER))
}

/// `a + b mod n`.
#[inline]
pub fn scalar_add(a: &U256, b: &U256) -> U256 {
    integers::add::<N>(a, b)
}

/// `a − b mod n`.
#[inline]
pub fn scalar_sub(a: &U256, b: &U256) -> U256 {
    integers::sub::<N>(a, b)
}

/// `a·b mod n`.
pub fn scalar_mul(a: &U256, b: &U256) -> U256 {
    integers::mul::<N>(a, b)
}

/// `1/a mod n`, and 0 for 0.
pub fn scalar_invert(a: &U256) -> U256 {
    integers::invert::<N>(a)
}

/// `1/a mod n`, and 0 for 0, for public `a`.
pub fn scalar_invert_vartime(a: &U256) -> U256 {
    integers::invert_vartime::<N>(a)
}

/// Replaces each number by its inverse modulo `n`, and 0 by 0, with one inversion for all. Constant
/// time.
pub fn scalar_invert_many(a: &mut [U256]) {
    integers::invert_many::<N>(a);
}

/// A secret factor of many products, such as `(1 + d)⁻¹` in signatures. Wiped on drop.
///
/// It is in Montgomery form, so that a product with a plain integer is one Montgomery
/// multiplication.
#[derive(Clone)]
pub struct Factor(Limbs);

impl Factor {
    /// The factor `1/a mod n` for `a` other than zero.
    pub fn inverse_of(a: &U256) -> Self {
        with_backend!(B => Self(Scalar::<B>::from_u256_reduced(a).invert().to_montgomery()))
    }

    /// The product with `a` modulo `n`, as a plain integer.
    #[inline]
    pub fn times(&self, a: &U256) -> U256 {
        with_backend!(B => Fe::<N, B>::from_montgomery(self.0).mul_plain(a))
    }
}

impl Drop for Factor {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
