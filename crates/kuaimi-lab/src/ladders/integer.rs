//! Numbers of 256 bits as the ladders take them: 64-bit limbs, the least significant first, or 32-bit words in the same order.

use kuaimi_math::arith::U256;
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::sm2::group::scalar_mul;

/// Two numbers below SM2's `p` and `n` with nothing special about them: the fractional parts of √2 and √3.
pub(super) const A: Limbs = [
    0xED17_AC85_8333_9915,
    0x1D6F_60BA_893B_A84C,
    0xB2FB_1366_EA95_7D3E,
    0x6A09_E667_F3BC_C908,
];
pub(super) const B: Limbs = [
    0xBEE8_B390_43F7_E5C5,
    0xA9DA_2A6C_1F0B_3CD5,
    0xB7AB_F82A_9A4E_7BC0,
    0x3B67_AE85_84CA_A73B,
];

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
