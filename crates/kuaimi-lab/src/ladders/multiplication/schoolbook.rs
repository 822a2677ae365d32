//! Row by row: each digit of `a` times all of `b`, added to the sum of the rows before. A step adds
//! a product of two digits, a digit of the sum and the carry, which together fit into two digits
//! (Knuth, *The Art of Computer Programming*, volume 2, 4.3.1, algorithm M).

use super::digit::Digit;

/// The lower and the upper half of `a·b`.
#[inline(always)]
pub(crate) fn multiply<D: Digit, const N: usize>(a: &[D; N], b: &[D; N]) -> [[D; N]; 2] {
    let mut product = [[D::default(); N]; 2];
    let digits = product.as_flattened_mut();
    for i in 0..N {
        let mut carry = D::default();
        for j in 0..N {
            [digits[i + j], carry] = a[i].multiply_add(b[j], digits[i + j], carry);
        }
        digits[i + N] = carry;
    }
    product
}
