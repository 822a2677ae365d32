//! Integers modulo the order `N`, as plain integers below it, not in Montgomery form. Constant
//! time.

use crate::arith::{U256, integers};
use crate::sm9::curve::N;

/// `a + b mod N`.
#[inline]
pub fn scalar_add(a: &U256, b: &U256) -> U256 {
    integers::add::<N>(a, b)
}

/// `a − b mod N`.
#[inline]
pub fn scalar_sub(a: &U256, b: &U256) -> U256 {
    integers::sub::<N>(a, b)
}

/// `a·b mod N`.
pub fn scalar_mul(a: &U256, b: &U256) -> U256 {
    integers::mul::<N>(a, b)
}

/// `1/a mod N`, and 0 for 0.
pub fn scalar_invert(a: &U256) -> U256 {
    integers::invert::<N>(a)
}

/// Replaces each number by its inverse modulo `N`, and 0 by 0, with one inversion for all.
pub fn scalar_invert_many(a: &mut [U256]) {
    integers::invert_many::<N>(a);
}
