//! Column by column: all products of digits whose places have the same sum, in an accumulator of
//! three digits (Paul Comba, *Exponentiation cryptosystems on the IBM PC*, 1990). Each digit of the
//! result is written once.

use super::digit::Digit;

/// The lower and the upper half of `a·b`.
#[inline(always)]
pub(crate) fn multiply<D: Digit, const N: usize>(a: &[D; N], b: &[D; N]) -> [[D; N]; 2] {
    let mut product = [[D::default(); N]; 2];
    let digits = product.as_flattened_mut();
    let mut sum = D::Sum::default();
    for (column, digit) in digits.iter_mut().enumerate() {
        // A loop of fixed length, which the compiler unrolls.
        for (i, a) in a.iter().enumerate() {
            if let Some(b) = column.checked_sub(i).and_then(|j| b.get(j)) {
                sum = D::accumulate(sum, *a, *b);
            }
        }
        (*digit, sum) = D::shift(sum);
    }
    product
}
