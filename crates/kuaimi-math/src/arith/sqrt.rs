//! The power of a square root modulo SM2's prime, by an addition chain.

use super::Field;

/// `a^((p+1)/4)` for SM2's prime `p`, a square root of `a` if there is one: 252 squares and 13
/// products.
///
/// `(p + 1)/4 = 2²⁵⁴ − 2²²² − 2⁹⁴ + 2⁶² = (2³² − 1)·(2¹⁶⁰ − 1)·2⁶²`.
pub(super) fn sm2_root<F: Field>(a: &F) -> F {
    // a^(2^32 − 1)
    let ones = (0..5).fold(*a, |power, i| squares(&power, 1 << i) * power);
    // Of that, the powers 2^5 − 1 and 2^160 − 1.
    let four = (0..2).fold(ones, |power, i| squares(&power, 1 << i) * power);
    let five = four.square() * ones;
    let power = (0..5).fold(five, |power, i| squares(&power, 5 << i) * power);
    squares(&power, 62)
}

/// `a^(2^count)`.
fn squares<F: Field>(a: &F, count: usize) -> F {
    (0..count).fold(*a, |power, _| power.square())
}
