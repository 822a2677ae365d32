//! Products: 81 multiplications (`VPMULUDQ`), or 45 for a square, column by column. Each column is
//! reduced as soon as it is summed.
//!
//! Column `k` of a product is `Σ aᵢ·bₖ₋ᵢ`. For each of the first nine columns, Montgomery reduction
//! computes from the low limb the digit `q` for which the column plus `q·m` is divisible by `2²⁹`;
//! the quotient is carried to the next column. The last eight columns and the last carry are the
//! result.
//!
//! Modulo SM2's prime, there are other products: `sm2p`.
//!
//! *Bounds.* Tight limbs are below `2²⁹`. The products in a column are below `18·2⁵⁸` if two
//! products are summed, the reduction adds less than `9·2⁵⁸ + 2⁵³`, and the sum is below `2⁶³`. If
//! the products of magnitudes are at most 16, the result is below `m + 16m²/2²⁶¹ < 1.5·m`.

use super::Limbs29;
use super::carry::{add, negate, reduce};
use super::constants::{BITS, Constants, LIMBS, MASK};
use super::sm2p::Sm2Products;
use crate::arith::lanes::inlined_array;
use crate::arith::lanes::words::Simd;
use crate::arith::modulus::{Modulus, Reduction};

/// Column `k` of `a·b`.
#[inline(always)]
pub(super) fn product_column<S: Simd>(a: &Limbs29<S>, b: &Limbs29<S>, k: usize) -> S {
    let (mut i, last) = if k < LIMBS { (0, k) } else { (k - 8, 8) };
    let mut sum = a[i].mul32(b[k - i]);
    while i < last {
        i += 1;
        sum = sum.add(a[i].mul32(b[k - i]));
    }
    sum
}

/// Column `k` of `a²`, with `twice = 2a`.
#[inline(always)]
pub(super) fn square_column<S: Simd>(a: &Limbs29<S>, twice: &Limbs29<S>, k: usize) -> S {
    let mut i = if k < LIMBS { 0 } else { k - 8 };
    let mut sum = if k.is_multiple_of(2) {
        a[k / 2].mul32(a[k / 2])
    } else {
        S::zero()
    };
    while 2 * i < k {
        sum = sum.add(a[i].mul32(twice[k - i]));
        i += 1;
    }
    sum
}

/// `2a`, limb by limb.
#[inline(always)]
pub(super) fn twice<S: Simd>(a: &Limbs29<S>) -> Limbs29<S> {
    inlined_array!(9, |i| a[i].add(a[i]))
}

/// Column `k` of `a₀·b₀ + a₁·b₁`.
#[inline(always)]
pub(super) fn sum_column<S: Simd>(a: &[&Limbs29<S>; 2], b: &[&Limbs29<S>; 2], k: usize) -> S {
    product_column(a[0], b[0], k).add(product_column(a[1], b[1], k))
}

/// Expands a macro for all columns of a product, in order. The compiler unrolls a column only if
/// its number is a constant.
macro_rules! each_column {
    ($column:ident) => {
        $column!(0);
        $column!(1);
        $column!(2);
        $column!(3);
        $column!(4);
        $column!(5);
        $column!(6);
        $column!(7);
        $column!(8);
        $column!(9);
        $column!(10);
        $column!(11);
        $column!(12);
        $column!(13);
        $column!(14);
        $column!(15);
        $column!(16);
    };
}
pub(super) use each_column;

/// The reduced number with these columns.
#[inline(always)]
#[allow(unused_assignments, reason = "a column does not take all branches")]
fn reduce_columns<S: Simd, M: Modulus>(column: impl Fn(usize) -> S) -> Limbs29<S> {
    let m = &const { Constants::<M>::MODULUS };
    let (mask, m0_neg_inv) = (S::splat(MASK), S::splat(Constants::<M>::M0_NEG_INV));
    let zero = S::zero();
    // The digits, and the carry to the next column.
    let mut q = [zero; LIMBS];
    let mut carry = zero;
    let mut out = [zero; LIMBS];
    macro_rules! step {
        ($k:literal) => {
            let mut t = column($k).add(carry);
            // The digits computed so far; those of later columns are still zero.
            let mut i = if $k < LIMBS { 0 } else { $k - 8 };
            while i < LIMBS && i != $k {
                t = t.add(q[i].mul32(S::splat(m[$k - i])));
                i += 1;
            }
            if $k < LIMBS {
                let digit = t.mul32(m0_neg_inv).and(mask);
                q[$k % LIMBS] = digit;
                t = t.add(digit.mul32(S::splat(m[0])));
            } else {
                out[($k + 9) % LIMBS] = t.and(mask);
            }
            carry = t.shr::<BITS>();
        };
    }
    each_column!(step);
    out[LIMBS - 1] = carry;
    out
}

/// `a·b/2²⁶¹ mod m`, for magnitudes as in the contract of `Lanes::mul`.
#[inline(always)]
pub fn mul<S: Sm2Products, M: Modulus>(a: &Limbs29<S>, b: &Limbs29<S>) -> Limbs29<S> {
    match M::REDUCTION {
        Reduction::Sm2Prime => S::mul_sm2p(a, b),
        Reduction::Montgomery => S::call(
            #[inline(always)]
            || {
                reduce_columns::<S, M>(
                    #[inline(always)]
                    |k| product_column(a, b, k),
                )
            },
        ),
    }
}

/// `a²/2²⁶¹ mod m`.
#[inline(always)]
pub fn square<S: Sm2Products, M: Modulus>(a: &Limbs29<S>) -> Limbs29<S> {
    match M::REDUCTION {
        Reduction::Sm2Prime => S::square_sm2p(a),
        Reduction::Montgomery => S::call(
            #[inline(always)]
            || {
                let twice = twice(a);
                reduce_columns::<S, M>(
                    #[inline(always)]
                    |k| square_column(a, &twice, k),
                )
            },
        ),
    }
}

/// `(a₀·b₀ + a₁·b₁)/2²⁶¹ mod m`.
#[inline(always)]
pub fn mul_add<S: Sm2Products, M: Modulus>(
    a: &[&Limbs29<S>; 2],
    b: &[&Limbs29<S>; 2],
) -> Limbs29<S> {
    match M::REDUCTION {
        Reduction::Sm2Prime => S::mul_add_sm2p(a, b),
        Reduction::Montgomery => S::call(
            #[inline(always)]
            || {
                reduce_columns::<S, M>(
                    #[inline(always)]
                    |k| sum_column(a, b, k),
                )
            },
        ),
    }
}

/// `(a·b − c²)/2²⁶¹ mod m`, tight, of magnitude 3.
#[inline(always)]
pub fn mul_sub_square<S: Sm2Products, M: Modulus>(
    a: &Limbs29<S>,
    b: &Limbs29<S>,
    c: &Limbs29<S>,
) -> Limbs29<S> {
    match M::REDUCTION {
        Reduction::Sm2Prime => S::mul_sub_square_sm2p(a, b, c),
        Reduction::Montgomery => {
            let square = negate::<S, M, 2>(&square::<S, M>(c));
            reduce::<S, M>(&add(&mul::<S, M>(a, b), &square))
        }
    }
}
