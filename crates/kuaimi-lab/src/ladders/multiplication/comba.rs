//! Column by column: all products of digits whose places have the same sum, in an accumulator of three digits (Paul Comba,
//! *Exponentiation cryptosystems on the IBM PC*, 1990). Each digit of the result is written once.

use super::digit::Digit;

/// The lower and the upper half of `a·b`.
#[inline(always)]
pub(crate) fn multiply<D: Digit, const N: usize>(a: &[D; N], b: &[D; N]) -> [[D; N]; 2] {
    let zero = D::default();
    let mut product = [[zero; N]; 2];
    let digits = product.as_flattened_mut();
    let (mut low, mut middle, mut high) = (zero, zero, zero);
    for (column, digit) in digits.iter_mut().enumerate().take(2 * N - 1) {
        for i in (column + 1).saturating_sub(N)..N.min(column + 1) {
            let [l, h] = a[i].multiply_add(b[column - i], zero, zero);
            let carry;
            (low, carry) = low.add(l, false);
            let (sum, carry) = middle.add(h, carry);
            middle = sum;
            high = high.add(zero, carry).0;
        }
        *digit = low;
        (low, middle, high) = (middle, high, zero);
    }
    digits[2 * N - 1] = low;
    product
}
