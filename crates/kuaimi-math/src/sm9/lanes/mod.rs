//! Many pairings and powers at once: an independent one in each lane of an engine's vectors (see
//! [`crate::arith::lanes`]).
//!
//! Where lanes compute one element of `Fq12` together ([`Fq12x4`](super::tower::Fq12x4)), every
//! product takes all of its coefficients with all of the other's. Where each lane has an element of
//! its own, Karatsuba's method saves half of the products, and its additions run beside them.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`fq2`], [`fq6`], [`fq12`] | the tower of fields, in each lane |
//! | [`miller`] | Miller's loop |
//! | [`power`] | powers from precomputed tables |
//! | [`one_power`] | one power from a precomputed table, in all lanes |
//! | [`g2`] | one product from a fixed-base table in `G2`, in all lanes |
//! | [`sums`], `products` | sums of rows of points, and products from fixed-base tables, which they are |
//!
//! Functions take any number of operations up to the lanes, and [`powers_of_one`] any number; the
//! last operation fills the lanes that are left. They are constant time, as the functions for one
//! operation are.

mod fq12;
mod fq2;
mod fq6;
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
pub(super) mod g2;
mod miller;
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
pub(super) mod one_power;
pub(super) mod power;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) mod products;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod sums;
#[cfg(test)]
mod tests;

use zeroize::Zeroize;

use crate::arith::lanes::MAX_LANES;
use crate::arith::lanes::wide::Wide;
use crate::arith::{Backend, U256};
use crate::sm9::group::{G1, G2, Gt};
use crate::sm9::gt::fixed_base::GtFixedBaseTable;
use crate::sm9::pairing::Lines;
use crate::sm9::pairing::final_exponentiation::final_exponentiation;
use fq12::Fq12s;
use power::SharedGtTable;

/// One value a lane, the last in the lanes that are left.
fn fill<T: Copy>(values: &[T]) -> Option<[T; MAX_LANES]> {
    let last = values.last()?;
    Some(core::array::from_fn(|lane| {
        *values.get(lane).unwrap_or(last)
    }))
}

/// Writes the first results.
fn store<L: Wide>(mut elements: Fq12s<L>, out: &mut [Gt]) {
    let mut lanes = elements.store();
    for (out, element) in out.iter_mut().zip(&lanes) {
        *out = *element;
    }
    lanes.iter_mut().zeroize();
    elements.zeroize();
}

/// `e(P, Q)` of at most as many pairs as there are lanes.
pub(super) fn pairings<L: Wide, B: Backend>(p: &[G1], q: &[G2], out: &mut [Gt]) {
    let (Some(mut p), Some(mut q)) = (fill(p), fill(q)) else {
        return;
    };
    let mut f = miller::miller::<L, B>(&p, &q);
    store(final_exponentiation::<B, _>(&f), out);
    f.zeroize();
    p.zeroize();
    q.zeroize();
}

/// `e(P, Q)` of at most as many pairs as there are lanes, given the precomputed lines of each `Q`.
pub(super) fn pairings_with<L: Wide, B: Backend>(p: &[G1], lines: &[&Lines], out: &mut [Gt]) {
    let (Some(mut p), Some(lines)) = (fill(p), fill(lines)) else {
        return;
    };
    let mut f = miller::miller_with_lines::<L, B>(&p, &lines);
    store(final_exponentiation::<B, _>(&f), out);
    f.zeroize();
    p.zeroize();
}

/// `g^k` of at most as many numbers as there are lanes, each from a table.
pub(super) fn powers<L: Wide, B: Backend>(
    tables: &[&GtFixedBaseTable],
    k: &[U256],
    out: &mut [Gt],
) {
    let (Some(tables), Some(mut k)) = (fill(tables), fill(k)) else {
        return;
    };
    store(power::pow::<L, B>(&tables, &k), out);
    k.zeroize();
}

/// `g^k` of any number of `k`, from one table.
pub(super) fn powers_of_one<L: Wide, B: Backend>(
    table: &SharedGtTable<L>,
    k: &[U256],
    out: &mut [Gt],
) {
    for (k, out) in k.chunks(L::LANES).zip(out.chunks_mut(L::LANES)) {
        if let Some(mut k) = fill(k) {
            store(power::pow_shared::<L, B>(table, &k), out);
            k.zeroize();
        }
    }
}
