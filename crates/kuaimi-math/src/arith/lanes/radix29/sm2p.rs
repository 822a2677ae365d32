//! Products modulo SM2's prime.
//!
//! As `p ≡ −1 (mod 2²⁹)`, the digit `q` of a column is its low limb itself. Adding `q·p` at column
//! `k` removes this limb and adds `q·(2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴)`: `q·2⁶` at column `k + 2`, `−q·2⁹`
//! at `k + 3`, `−q·2²¹` at `k + 7` and `q·2²⁴` at `k + 8`. With `vₖ = qₖ − 8qₖ₋₁`, these terms are
//! `2⁶·vₖ₋₂ − 2²¹·vₖ₋₇` in column `k`: no multiplication, and two shifts a column.
//!
//! Columns are signed. With sixteen registers the compiler makes twice as many loads and stores as
//! are needed, so AVX2, which has no signed shift either, has products in assembly: `avx2`.
//!
//! *Bounds.* Tight limbs are below `2²⁹`. The products in a column are below `18·2⁵⁸` if two
//! products are summed, the reduction changes it by less than `2⁵⁵`, and the absolute value of the
//! sum is below `2⁶³`. If the products of magnitudes are at most 16, the result is below
//! `m + 16m²/2²⁶¹ < 1.5·m`. For `a·b − c²`, where `c² ≤ 16m²`, the result is above `−m/2`; with `m`
//! added to it, it is between 0 and `2.5·m`.

use super::Limbs29;
use super::constants::{BITS, Constants, LIMBS, MASK};
use super::mul::{each_column, product_column, square_column, sum_column, twice};
use crate::arith::lanes::words::Simd;
use crate::sm2::curve::P;

/// Vectors with products modulo SM2's prime: the functions of `mul`.
pub trait Sm2Products: Simd {
    /// `a·b/2²⁶¹ mod p`.
    #[inline(always)]
    fn mul_sm2p(a: &Limbs29<Self>, b: &Limbs29<Self>) -> Limbs29<Self> {
        Self::call(
            #[inline(always)]
            || {
                reduce_columns(
                    #[inline(always)]
                    |k| product_column(a, b, k),
                )
            },
        )
    }

    /// `a²/2²⁶¹ mod p`.
    #[inline(always)]
    fn square_sm2p(a: &Limbs29<Self>) -> Limbs29<Self> {
        Self::call(
            #[inline(always)]
            || {
                let twice = twice(a);
                reduce_columns(
                    #[inline(always)]
                    |k| square_column(a, &twice, k),
                )
            },
        )
    }

    /// `(a₀·b₀ + a₁·b₁)/2²⁶¹ mod p`.
    #[inline(always)]
    fn mul_add_sm2p(a: &[&Limbs29<Self>; 2], b: &[&Limbs29<Self>; 2]) -> Limbs29<Self> {
        Self::call(
            #[inline(always)]
            || {
                reduce_columns(
                    #[inline(always)]
                    |k| sum_column(a, b, k),
                )
            },
        )
    }

    /// `(a·b − c²)/2²⁶¹ mod p`.
    #[inline(always)]
    fn mul_sub_square_sm2p(
        a: &Limbs29<Self>,
        b: &Limbs29<Self>,
        c: &Limbs29<Self>,
    ) -> Limbs29<Self> {
        Self::call(
            #[inline(always)]
            || {
                let twice = twice(c);
                let p = &const { Constants::<P>::MODULUS };
                let mut out = reduce_columns(
                    #[inline(always)]
                    |k| {
                        let column = product_column(a, b, k).sub(square_column(c, &twice, k));
                        if k < LIMBS {
                            column
                        } else {
                            column.add(Self::splat(p[k - LIMBS]))
                        }
                    },
                );
                out[LIMBS - 1] = out[LIMBS - 1].add(Self::splat(p[LIMBS - 1]));
                out
            },
        )
    }
}

/// The reduced number with these columns.
#[inline(always)]
#[allow(unused_assignments, reason = "a column does not take all branches")]
fn reduce_columns<S: Simd>(column: impl Fn(usize) -> S) -> Limbs29<S> {
    let (mask, zero) = (S::splat(MASK), S::zero());
    // v, of which the first ten are used, and 8 times the last digit.
    let mut v = [zero; 2 * LIMBS - 1];
    let mut digit_times_8 = zero;
    let mut carry = zero;
    let mut out = [zero; LIMBS];
    macro_rules! step {
        ($k:literal) => {
            let mut t = column($k);
            if $k >= 7 {
                t = t.sub(v[$k - 7].shl::<21>());
            }
            if $k >= 2 && $k - 2 <= LIMBS {
                t = t.add(v[$k - 2].shl::<6>());
            }
            t = t.add(carry);
            carry = t.shr_signed::<BITS>();
            let low = t.and(mask);
            if $k < LIMBS {
                v[$k] = low.sub(digit_times_8);
                digit_times_8 = low.shl::<3>();
                if $k + 1 == LIMBS {
                    v[LIMBS] = zero.sub(digit_times_8);
                }
            } else {
                out[$k - LIMBS] = low;
            }
        };
    }
    each_column!(step);
    out[LIMBS - 1] = carry;
    out
}
