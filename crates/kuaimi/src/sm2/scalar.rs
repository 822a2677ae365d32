//! Integers modulo the order `n` in plain form, as the protocols' formulas have them.

use subtle::ConditionallySelectable;

use super::curve::N;
use crate::arith::backend::verdict;
use crate::arith::{Backend, Modulus, U256};

/// How many random numbers of 256 bits are drawn for one in range. One in 2³² is not: as many in a row come from a generator
/// that is stuck, and asking it for ever would not help.
pub(super) const MAX_DRAWS: usize = 8;

/// `a mod n`, for any 256-bit `a`: as `n > 2²⁵⁵`, one subtraction is enough.
pub(super) fn reduce(a: &U256) -> U256 {
    let (reduced, _) = a.overflowing_sub(&N::MODULUS);
    U256::conditional_select(&reduced, a, a.ct_lt(&N::MODULUS))
}

/// `a + b mod n`, of numbers below `n`.
#[inline]
pub(super) fn add<B: Backend>(a: &U256, b: &U256) -> U256 {
    U256(B::add::<N>(&a.0, &b.0))
}

/// `a − b mod n`, of numbers below `n`.
#[inline]
pub(super) fn sub<B: Backend>(a: &U256, b: &U256) -> U256 {
    U256(B::sub::<N>(&a.0, &b.0))
}

/// Whether `0 < a < n`. May be known, as a candidate that is not in range is thrown away.
pub(super) fn is_nonzero_scalar(a: &U256) -> bool {
    verdict(a.ct_lt(&N::MODULUS) & !a.ct_is_zero())
}
