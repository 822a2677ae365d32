//! Fermat's little theorem by an addition chain: 255 squarings and 14 multiplications. The exponent
//! is
//!
//! ```text
//! p − 2 = 1³¹ 0 1¹²⁸ 0³² 1⁶² 0 1
//! ```
//!
//! in bits, where `1ⁿ` are `n` ones. With `xₙ = a^(2ⁿ − 1)`, `xₘ₊ₙ = xₘ^(2ⁿ)·xₙ` puts two runs of
//! ones together. The powers `x₃₁^(2²)` and `x₃₁^(2³³)`, which the chain goes through, also make
//! `x₆₄` without a squaring of its own.

use kuaimi_math::arith::Field;

/// `1/a`, and 0 for 0. Constant time.
pub(crate) fn invert<F: Field>(a: &F) -> F {
    let x2 = a.square() * *a;
    let x3 = x2.square() * *a;
    let x6 = squares(&x3, 3) * x3;
    let x6_shifted = x6.square();
    let x7 = x6_shifted * *a;
    let x12 = squares(&x6_shifted, 5) * x6;
    let x24 = squares(&x12, 12) * x12;
    let x31 = squares(&x24, 7) * x7;
    let by_2 = squares(&x31, 2);
    let by_31 = squares(&by_2, 29);
    let by_33 = squares(&by_31, 2);
    let x62 = by_31 * x31;
    let x64 = by_33 * by_2 * x2;
    // 1³¹ 0 1⁶⁴, then 1⁶⁴ more, then 0³² 1⁶², then 0 1.
    let power = squares(&by_33, 32) * x64;
    let power = squares(&power, 64) * x64;
    let power = squares(&power, 94) * x62;
    squares(&power, 2) * *a
}

/// `a^(2^count)`.
#[inline(always)]
fn squares<F: Field>(a: &F, count: usize) -> F {
    (0..count).fold(*a, |power, _| power.square())
}
