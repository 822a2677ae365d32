//! One fixed-base product, or one sum of such products, in all lanes of an engine.
//!
//! A product from a fixed-base table is a sum of independent multiples, one from each window. The
//! lanes sum a part of them each, and then half of the lanes are added to the other half until one
//! is left. With 43 windows and eight lanes, six rows of multiples and three rounds cost as much as
//! ten additions in lanes, in place of 42 scalar ones.
//!
//! *Why incomplete additions are sufficient for secret scalars, except for the last.* A partial sum
//! of the windows `i₁ < i₂ < …` is `c·P` with `c = d₁·2^(W·i₁) + d₂·2^(W·i₂) + …` and odd `dⱼ`. So
//! `2^(W·i₁)` is the highest power of two that divides `c`, and `c` is not zero. Two partial sums
//! `a·P` and `b·P` that are added have no window in common. So `a` and `b` are divided by different
//! powers of two, and `a ≠ ±b`. Without the last window, `a`, `b`, `a + b` and `a − b` are below
//! `2^(W·last)` in absolute value, which is below the order. So the points are finite, and neither
//! equal nor opposite. Only the last window's multiple can be such a point, so it is added after
//! all others, with a complete addition.

use zeroize::Zeroize;

use super::xyzz::{Coordinates, Xyzz};
use super::{Affine, Digits};
use crate::arith::lanes::{self, Lanes, MAX_LANES, vectorize};
use crate::arith::{Backend, Fe, Field, Modulus};
use crate::curve::recode::OddWindows;
use crate::curve::{self, Curve, FixedBaseTable};

/// `[k]P` for a secret `k` other than zero: see [`FixedBaseTable::mul`]. Constant time.
pub fn mul<L: Lanes, M: Modulus, B: Backend, C: Curve<Field = Fe<M, B>>>(
    table: &FixedBaseTable<'_, C>,
    k: &C::Scalar,
) -> curve::Xyzz<C> {
    let windows = OddWindows::new(k, table.width());
    let last = table.windows() - 1;
    let sum = sum::<L, M>(last, |first, count, points| {
        let digits = Digits::of_scalar(&windows, first, count);
        let mut tables = [&[][..]; MAX_LANES];
        for (i, place) in tables[..count].iter_mut().enumerate() {
            *place = table.window(first + i);
        }
        vectorize!(L, {
            (points.x, points.y) = L::look_up_each::<M>(&tables[..count], &digits.indices[..count]);
        });
        digits.negative
    });
    let (index, negative) = windows.digit(last);
    let multiple = curve::Affine::from_table(table.window(last), index);
    let mut sum = scalar_form(sum);
    let product = sum.add_affine_complete(&multiple.conditional_neg(negative));
    sum.zeroize();
    product
}

/// The sum of `count` public multiples of points, one or more: entries of tables, each with 1 if
/// its opposite is meant, else 0. `None` if an addition had equal or opposite operands: then the
/// sum is to be computed in another way.
pub fn sum_vartime<'a, L: Lanes, M: Modulus, B: Backend, C: Curve<Field = Fe<M, B>>>(
    count: usize,
    mut multiples: impl Iterator<Item = (&'a lanes::Pair, u32)>,
) -> Option<curve::Xyzz<C>> {
    let sum = sum::<L, M>(count, |_, count, row| {
        let mut points = [&[[0; 4]; 2]; MAX_LANES];
        let mut signs = 0;
        for (lane, (place, (point, negative))) in
            points[..count].iter_mut().zip(&mut multiples).enumerate()
        {
            *place = point;
            signs |= u64::from(negative) << lane;
        }
        vectorize!(L, (row.x, row.y) = L::load_pairs::<M>(&points[..count]));
        signs
    });
    let sum = scalar_form::<M, B, C>(sum);
    (!sum.zz.is_zero_vartime()).then_some(sum)
}

/// The sum of `count` points. `row` gets the number of the first point and the number of points
/// that are wanted, one a lane, writes them, and gives the bits of the lanes where the opposite
/// point is meant.
fn sum<L: Lanes, M: Modulus>(
    count: usize,
    mut row: impl FnMut(usize, usize, &mut Affine<L>) -> u64,
) -> Coordinates {
    let zero = vectorize!(L, L::zero());
    let mut points = Affine { x: zero, y: zero };
    let negative = row(0, L::LANES.min(count), &mut points);
    let mut sum = Xyzz::<L, M>::from_affine(&points, negative);
    for first in (L::LANES..count).step_by(L::LANES) {
        let lanes = L::LANES.min(count - first);
        let negative = row(first, lanes, &mut points);
        let lanes = (1 << lanes) - 1;
        if first == L::LANES {
            sum.add_to_affine_incomplete(&points, negative, lanes);
        } else {
            sum.add_incomplete(&points, negative, lanes);
        }
    }
    sum.sum_of_lanes_incomplete(L::LANES.min(count))
}

fn scalar_form<M: Modulus, B: Backend, C: Curve<Field = Fe<M, B>>>(
    mut sum: Coordinates,
) -> curve::Xyzz<C> {
    let [x, y, zz, zzz] = sum.xyzz.map(Fe::from_montgomery);
    sum.xyzz.zeroize();
    let y = if sum.negated { -y } else { y };
    curve::Xyzz { x, y, zz, zzz }
}

#[cfg(test)]
mod tests;
