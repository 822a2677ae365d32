//! `[s]G + [t]P` for public values: two interleaved wNAFs with one chain of doublings (Bodo Möller,
//! *Algorithms for multi-exponentiation*, SAC 2001). `G` has a large precomputed table; the small
//! table of `P` is computed each time.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::batch_affine::to_affine_many;
use super::odd_multiples::odd_multiples_vartime;
use super::recode::wnaf_vartime;
use super::{Affine, Curve, Entry, Jacobian};
use crate::arith::{Field, PrimeField};

/// The width of the digits for `P`: a table of eight multiples, and an addition for every six
/// doublings on average.
const WIDTH: usize = 5;

/// A table for wNAF of a width: the odd multiples `P, 3P, …, (2^(width−1) − 1)P` of a point.
#[derive(Clone, Copy, Debug)]
pub struct OddMultiples<'a, C: Curve> {
    width: usize,
    entries: &'a [Entry<C>],
}

impl<'a, C: Curve> OddMultiples<'a, C> {
    /// The table that [`build_vartime`](Self::build_vartime) made with the same width.
    pub const fn new(width: usize, entries: &'a [Entry<C>]) -> Self {
        Self { width, entries }
    }

    /// The table of a public point.
    pub fn build_vartime(p: &Affine<C>, width: usize) -> Vec<Entry<C>>
    where
        C::Field: Zeroize,
    {
        let base = Jacobian::from(*p);
        let twice = base.double();
        let points: Vec<_> = core::iter::successors(Some(base), |m| Some(m.add_vartime(&twice)))
            .take(1 << (width - 2))
            .collect();
        to_affine_many(&points, C::Field::invert_vartime)
            .into_iter()
            .map(Affine::to_entry)
            .collect()
    }
}

/// `[digit]P` from the table of the odd multiples.
#[inline]
pub(super) fn entry_vartime<C: Curve>(table: &[Entry<C>], digit: i16) -> Affine<C> {
    let point = Affine::from_entry(&table[usize::from(digit.unsigned_abs() >> 1)]);
    if digit < 0 { point.neg() } else { point }
}

/// The table of `P` for [`double_scalar_mul_table_vartime`]: its odd multiples.
pub type Multiples<C> = [Entry<C>; 1 << (WIDTH - 2)];

/// `[s]G + [t]P`, where `g` is the table of `G`.
pub fn double_scalar_mul_vartime<C: Curve>(
    s: &C::Scalar,
    g: &OddMultiples<'_, C>,
    t: &C::Scalar,
    p: &Affine<C>,
) -> Jacobian<C> {
    double_scalar_mul_table_vartime(s, g, t, &odd_multiples_vartime(p))
}

/// [`double_scalar_mul_vartime`] with a given table of the odd multiples of `P`.
pub fn double_scalar_mul_table_vartime<C: Curve>(
    s: &C::Scalar,
    g: &OddMultiples<'_, C>,
    t: &C::Scalar,
    table: &Multiples<C>,
) -> Jacobian<C> {
    let (s_digits, s_length) = wnaf_vartime(&s.to_u256(), g.width);
    let (t_digits, t_length) = wnaf_vartime(&t.to_u256(), WIDTH);
    let mut sum = Jacobian::INFINITY;
    for i in (0..s_length.max(t_length)).rev() {
        sum.double_in_place();
        // A loop, so that the code of the addition is there only once. With the code of the
        // doubling it just fits into the CPU's cache of decoded instructions.
        for (digit, entries) in [(t_digits[i], &table[..]), (s_digits[i], g.entries)] {
            if digit != 0 {
                sum.add_affine_in_place_vartime(&entry_vartime(entries, digit));
            }
        }
    }
    sum
}
