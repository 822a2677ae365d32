//! Variable-base multiplication `[k]P`, in constant and in variable time.

use super::odd_multiples::odd_multiples_vartime;
use super::recode::{OddWindows, window_count, wnaf_vartime};
use super::{Affine, Curve, Entry, Jacobian};
use crate::arith::PrimeField;

/// Bits of a window of the constant-time product: a table of 16 multiples, and 51 additions for a
/// 256-bit scalar.
const WINDOW: usize = 5;

/// `[k]P` in constant time, for a secret `k` other than zero and a public point `P`. (Zero gives
/// infinity.)
///
/// The odd windows of `k` are processed from the top, each with five doublings and one addition.
/// Before the last window the sum is an odd multiple of `P`, and after five more doublings its
/// factor is still below the order less 32 in absolute value. So the operands of all additions but
/// the last are finite and different. The last addition is complete.
pub fn mul<C: Curve>(k: &C::Scalar, p: &Affine<C>) -> Jacobian<C> {
    mul_table(k, &odd_multiples_vartime(p))
}

/// The table of [`mul_table`]: the odd multiples of a point.
pub type Multiples<C> = [Entry<C>; 1 << (WINDOW - 1)];

/// [`mul`] with a given table of the odd multiples of `P`.
pub fn mul_table<C: Curve>(k: &C::Scalar, table: &Multiples<C>) -> Jacobian<C> {
    let windows = OddWindows::new(k, WINDOW);
    let multiple = |i: usize| -> Affine<C> {
        let (index, negative) = windows.digit(i);
        Affine::from_table(table, index).conditional_neg(negative)
    };
    let top = window_count(C::Scalar::MODULUS.bit_length_vartime(), WINDOW) - 1;
    let mut sum = Jacobian::from(multiple(top));
    for i in (0..top).rev() {
        for _ in 0..WINDOW {
            sum.double_in_place();
        }
        if i != 0 {
            sum.add_affine_in_place(&multiple(i));
        }
    }
    sum.add_affine_complete(&multiple(0))
}

/// `[k]P` for a public `k`, with wNAF of width 5.
pub fn mul_vartime<C: Curve>(k: &C::Scalar, p: &Affine<C>) -> Jacobian<C> {
    let table: [Entry<C>; 8] = odd_multiples_vartime(p);
    let (digits, length) = wnaf_vartime(&k.to_u256(), 5);
    let mut sum = Jacobian::INFINITY;
    for &digit in digits[..length].iter().rev() {
        sum.double_in_place();
        if digit != 0 {
            sum.add_affine_in_place_vartime(&super::double_scalar::entry_vartime(&table, digit));
        }
    }
    sum
}
