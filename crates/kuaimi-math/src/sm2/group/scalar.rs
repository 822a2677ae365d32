//! Integers modulo the order `n`, as plain integers, not in Montgomery form.
//!
//! Arguments must be below `n` unless the documentation says otherwise. Functions are constant time unless their name
//! ends in `_vartime`.

use alloc::vec::Vec;

use subtle::ConditionallySelectable;
use zeroize::{Zeroize, Zeroizing};

use crate::arith::backend::{Portable, with_backend};
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Fe, Field, Modulus, PrimeField, U256, batch_invert};
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
    U256(Portable::add::<N>(&a.0, &b.0))
}

/// `a − b mod n`.
#[inline]
pub fn scalar_sub(a: &U256, b: &U256) -> U256 {
    U256(Portable::sub::<N>(&a.0, &b.0))
}

/// `a·b mod n`.
pub fn scalar_mul(a: &U256, b: &U256) -> U256 {
    with_backend!(B => Scalar::<B>::from_u256_reduced(a).mul_plain(b))
}

/// `1/a mod n`, and 0 for 0.
pub fn scalar_invert(a: &U256) -> U256 {
    with_backend!(B => Scalar::<B>::from_u256_reduced(a).invert().to_u256())
}

/// `1/a mod n`, and 0 for 0, for public `a`.
pub fn scalar_invert_vartime(a: &U256) -> U256 {
    with_backend!(B => Scalar::<B>::from_u256_reduced(a).invert_vartime().to_u256())
}

/// Replaces each number by its inverse modulo `n`, and 0 by 0, with one inversion for all. Constant time.
pub fn scalar_invert_many(a: &mut [U256]) {
    with_backend!(B => {
        let mut elements: Zeroizing<Vec<Scalar<B>>> =
            Zeroizing::new(a.iter().map(Scalar::<B>::from_u256_reduced).collect());
        let mut scratch = elements.clone();
        batch_invert(&mut elements, &mut scratch, Field::invert);
        for (a, element) in a.iter_mut().zip(elements.iter()) {
            *a = element.to_u256();
        }
    })
}

/// A secret factor of many products, such as `(1 + d)⁻¹` in signatures. Wiped on drop.
///
/// It is in Montgomery form, so that a product with a plain integer is one Montgomery multiplication.
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
