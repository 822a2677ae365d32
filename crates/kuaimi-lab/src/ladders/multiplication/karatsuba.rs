//! Three products of half the length in place of four (Karatsuba and Ofman, *Multiplication of
//! many-digital numbers by automatic computers*, 1962), in the subtractive form: with
//! `a = a₁·H + a₀` and `b = b₁·H + b₀`,
//!
//! ```text
//! a·b = a₁b₁·H² + (a₁b₁ + a₀b₀ + (a₁ − a₀)·(b₀ − b₁))·H + a₀b₀.
//! ```
//!
//! The product of the differences is computed of their absolute values, and its sign is kept as a
//! mask. No branch depends on the numbers. The products of half the length are schoolbook products.

use super::digit::Digit;
use super::schoolbook;

/// The lower and the upper half of `a·b`, each number as its lower and its upper half.
#[inline(always)]
pub(crate) fn multiply<D: Digit, const H: usize>(
    a: &[[D; H]; 2],
    b: &[[D; H]; 2],
) -> [[[D; H]; 2]; 2] {
    let low = schoolbook::multiply(&a[0], &b[0]);
    let high = schoolbook::multiply(&a[1], &b[1]);
    let (a_difference, a_negative) = difference(&a[1], &a[0]);
    let (b_difference, b_negative) = difference(&b[0], &b[1]);
    let cross = schoolbook::multiply(&a_difference, &b_difference);

    // The middle term, which is not negative: a₁b₀ + a₀b₁.
    let (middle, carry) = add(&low, &high);
    let sign = D::mask(a_negative ^ b_negative);
    // Two's complement: the sign is the carry into the lowest digit, and what its mask stands for
    // beyond the highest.
    let (middle, over) = add_masked(&middle, &cross, sign, a_negative ^ b_negative);
    let top = D::default().add(D::default(), carry).0;
    let top = top.add(sign, over).0;

    let zero = D::default();
    let mut result = [low, high];
    let digits = result.as_flattened_mut().as_flattened_mut();
    let mut carry = false;
    for (digit, term) in digits[H..].iter_mut().zip(middle.as_flattened()) {
        (*digit, carry) = digit.add(*term, carry);
    }
    (digits[3 * H], carry) = digits[3 * H].add(top, carry);
    for digit in &mut digits[3 * H + 1..] {
        (*digit, carry) = digit.add(zero, carry);
    }
    result
}

/// `|a − b|`, and whether the difference is negative.
#[inline(always)]
fn difference<D: Digit, const H: usize>(a: &[D; H], b: &[D; H]) -> ([D; H], bool) {
    let mut out = [D::default(); H];
    let mut borrow = false;
    for i in 0..H {
        (out[i], borrow) = a[i].subtract(b[i], borrow);
    }
    let negative = borrow;
    let mask = D::mask(negative);
    let mut carry = negative;
    for digit in &mut out {
        (*digit, carry) = digit.xor(mask).add(D::default(), carry);
    }
    (out, negative)
}

/// `a + b` and the carry.
#[inline(always)]
fn add<D: Digit, const H: usize>(a: &[[D; H]; 2], b: &[[D; H]; 2]) -> ([[D; H]; 2], bool) {
    add_masked(a, b, D::default(), false)
}

/// `a + (b ⊕ mask) + carry`, and the carry.
#[inline(always)]
fn add_masked<D: Digit, const H: usize>(
    a: &[[D; H]; 2],
    b: &[[D; H]; 2],
    mask: D,
    mut carry: bool,
) -> ([[D; H]; 2], bool) {
    let mut out = *a;
    for (digit, b) in out.as_flattened_mut().iter_mut().zip(b.as_flattened()) {
        (*digit, carry) = digit.add(b.xor(mask), carry);
    }
    (out, carry)
}
