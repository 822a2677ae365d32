//! Numbers of 256 bits as the ladders take them: 64-bit limbs, the least significant first, or
//! 32-bit words in the same order.

use kuaimi_math::arith::U256;
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::sm2::group::scalar_mul;

use crate::ours::integers::FACTORS;

/// Two numbers below SM2's `p` and `n` with nothing special about them.
pub(super) const A: Limbs = FACTORS[0];
pub(super) const B: Limbs = FACTORS[1];

/// The words of the limbs.
#[inline(always)]
pub(super) fn to_words(a: &Limbs) -> [u32; 8] {
    core::array::from_fn(|i| (a[i / 2] >> (32 * (i % 2))) as u32)
}

/// The limbs of the words.
#[inline(always)]
pub(super) fn from_words(a: &[u32; 8]) -> Limbs {
    core::array::from_fn(|i| u64::from(a[2 * i]) | (u64::from(a[2 * i + 1]) << 32))
}

/// Scalars below SM2's `n`, other than zero, that are as good as random: the powers of one of them.
pub(super) fn scalars() -> Vec<U256> {
    let powers = std::iter::successors(Some(U256(A)), |k| Some(scalar_mul(k, &U256(B))));
    powers.take(64).collect()
}
