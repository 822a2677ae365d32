//! Fixed-base multiplication from a precomputed table, in constant time.
//!
//! The scalar is recoded as odd signed windows of `W` bits (see [`recode`](super::recode)). For
//! each window `i` the table has the odd multiples `1, 3, …, 2^W − 1` of `2^(W·i)·P`. A product is
//! the sum of one multiple from each window; there are no doublings. Each look-up reads the whole
//! window of the table.
//!
//! *Why incomplete additions are sufficient, except for the last.* Before window `i`, the sum is
//! `c·P` with odd `c` and `0 < |c| < 2^(W·i)`. The addend is `d·2^(W·i)·P` with odd `d`. For all
//! windows but the last, both factors, their sum and their difference are below the order in
//! absolute value, and `|c| < |d|·2^(W·i)`. So the points are finite, and neither equal nor
//! opposite. Only in the last window can the factors be above the order, so its addition is
//! complete.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use super::batch_affine::{add_each, to_affine_many};
use super::recode::{OddWindows, window_count};
use super::{Affine, Curve, Entry, Jacobian, Xyzz};
use crate::arith::{Field, PrimeField};

/// A table of multiples of one point: `window_count` windows of `2^(W−1)` entries each.
#[derive(Clone, Copy, Debug)]
pub struct FixedBaseTable<'a, C: Curve> {
    width: usize,
    entries: &'a [Entry<C>],
}

impl<'a, C: Curve> FixedBaseTable<'a, C> {
    /// The table that [`build_vartime`](Self::build_vartime) made with the same width.
    pub const fn new(width: usize, entries: &'a [Entry<C>]) -> Self {
        Self { width, entries }
    }

    /// `[k]P` for a secret `k` other than zero. (Zero gives infinity.) Constant time.
    pub fn mul(&self, k: &C::Scalar) -> Xyzz<C> {
        let windows = OddWindows::new(k, self.width);
        let last = window_count(C::Scalar::MODULUS.bit_length_vartime(), self.width) - 1;
        let mut tables = self.entries.chunks_exact(1 << (self.width - 1));
        let mut next = |i: usize| -> Affine<C> {
            let (index, negative) = windows.digit(i);
            let table = tables.next().unwrap_or_default();
            Affine::from_table(table, index).conditional_neg(negative)
        };
        let mut sum = if last < 2 {
            Xyzz::from(next(0))
        } else {
            Xyzz::sum_incomplete(&next(0), &next(1))
        };
        for i in 2..last {
            sum.add_affine_in_place(&next(i));
        }
        sum.add_affine_complete(&next(last))
    }

    /// `[k]P` for a public `k`.
    pub fn mul_vartime(&self, k: &C::Scalar) -> Xyzz<C> {
        let windows = OddWindows::new(k, self.width);
        let tables = self.entries.chunks_exact(1 << (self.width - 1));
        Xyzz::sum_vartime(tables.enumerate().map(|(i, table)| {
            let (index, negative) = windows.digit(i);
            Affine::from_entry(&table[index as usize]).conditional_neg(negative)
        }))
    }

    /// The bits of a window.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The multiples of window `i`.
    #[inline]
    pub fn window(&self, i: usize) -> &'a [Entry<C>] {
        let per_window = 1 << (self.width - 1);
        &self.entries[i * per_window..][..per_window]
    }

    /// The number of windows: one more than the additions of a product.
    pub const fn windows(&self) -> usize {
        window_count(C::Scalar::MODULUS.bit_length_vartime(), self.width)
    }

    /// Fills `row` with one multiple for each window, from the lowest. Their sum is `[k]P`.
    /// Constant time.
    ///
    /// `row` must have as many points as there are [`windows`](Self::windows).
    pub fn multiples(&self, k: &C::Scalar, row: &mut [Affine<C>]) {
        let windows = OddWindows::new(k, self.width);
        let tables = self.entries.chunks_exact(1 << (self.width - 1));
        for (i, (place, table)) in row.iter_mut().zip(tables).enumerate() {
            let (index, negative) = windows.digit(i);
            *place = Affine::from_table(table, index).conditional_neg(negative);
        }
    }

    /// [`multiples`](Self::multiples) for a public `k`.
    pub fn multiples_vartime(&self, k: &C::Scalar, row: &mut [Affine<C>]) {
        let windows = OddWindows::new(k, self.width);
        let tables = self.entries.chunks_exact(1 << (self.width - 1));
        for (i, (place, table)) in row.iter_mut().zip(tables).enumerate() {
            let (index, negative) = windows.digit(i);
            *place = Affine::from_entry(&table[index as usize]).conditional_neg(negative);
        }
    }

    /// The terms of `[k]P` for a public `k`, from the lowest window: entries, each with 1 if its
    /// opposite is meant, else 0.
    pub fn terms_vartime(
        &self,
        k: &C::Scalar,
    ) -> impl Iterator<Item = (&'a Entry<C>, u32)> + use<'a, C> {
        let windows = OddWindows::new(k, self.width);
        let tables = self.entries.chunks_exact(1 << (self.width - 1));
        tables.enumerate().map(move |(i, table)| {
            let (index, negative) = windows.digit_vartime(i);
            (&table[index as usize], negative)
        })
    }

    /// The table of a public point. The order of the curve, of `bits` bits, must be above
    /// `2^(bits − 1) + 2^width`.
    pub fn build_vartime(p: &Affine<C>, width: usize) -> Vec<Entry<C>>
    where
        C::Field: Zeroize,
    {
        Self::build_with(p, width, C::Field::invert_vartime)
    }

    /// The table of a secret point, in constant time. The order must be as for
    /// [`build_vartime`](Self::build_vartime). The caller wipes the table.
    pub fn build(p: &Affine<C>, width: usize) -> Vec<Entry<C>>
    where
        C::Field: Zeroize,
    {
        Self::build_with(p, width, C::Field::invert)
    }

    /// `2^(W·i)·P` of a public point for each window: its multiples with the digit 1.
    pub fn bases_vartime(p: &Affine<C>, width: usize) -> Vec<Affine<C>>
    where
        C::Field: Zeroize,
    {
        let count = window_count(C::Scalar::MODULUS.bit_length_vartime(), width);
        let mut chain = Vec::with_capacity(count);
        let mut base = Jacobian::from(*p);
        chain.push(base);
        for _ in 1..count {
            for _ in 0..width {
                base = base.double();
            }
            chain.push(base);
        }
        to_affine_many(&chain, C::Field::invert_vartime)
    }

    fn build_with(p: &Affine<C>, width: usize, invert: fn(&C::Field) -> C::Field) -> Vec<Entry<C>>
    where
        C::Field: Zeroize,
    {
        let count = window_count(C::Scalar::MODULUS.bit_length_vartime(), width);
        // 2^(W·i)·P for each window, then twice that for each window.
        let mut chain = vec![Jacobian::from(*p); 2 * count];
        let mut base = Jacobian::from(*p);
        for i in 0..count {
            chain[i] = base;
            base = base.double();
            chain[count + i] = base;
            for _ in 1..width {
                base = base.double();
            }
        }
        let mut affine = to_affine_many(&chain, invert);
        let (sums, twice) = affine.split_at_mut(count);
        // The next odd multiple of all windows at once, by affine additions with one inversion.
        let per_window = 1 << (width - 1);
        let mut products = vec![C::Field::ZERO; count];
        let mut entries = vec![Entry::<C>::default(); count * per_window];
        for j in 0..per_window {
            if j != 0 {
                add_each(sums, twice, &mut products, invert);
            }
            for (window, sum) in entries.chunks_exact_mut(per_window).zip(sums.iter()) {
                window[j] = sum.to_entry();
            }
        }
        chain.iter_mut().zeroize();
        affine.iter_mut().zeroize();
        products.iter_mut().zeroize();
        entries
    }
}
