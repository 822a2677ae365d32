//! Many pairings and powers at once: each function takes slices of equal length and gives the
//! results of single operations.
//!
//! With AVX-512 IFMA each lane computes a pairing or a power of its own. Elsewhere lanes compute
//! one operation together, or none do, and the operations come one after another.

use alloc::vec;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use alloc::vec::Vec;

use zeroize::Zeroizing;

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::g2_generator_mul;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::table::PER_WINDOW;
use super::table::fixed_base_mul_many;
use super::{G1, G1Table, G2, Gt, GtTable, Lines, g1, pairing, pairing_with};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::backend::Adx;
use crate::arith::backend::with_backend;
use crate::arith::lanes::least::Least;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::lanes::{Lanes as _, ifma::Ifma};
use crate::arith::{Field, U256};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::curve::summation::{InLanes, products};
use crate::curve::{Affine, BatchAffineSums, batch_affine};
use crate::sm9::curve::{Fq, Sm9G1, Sm9G2};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::sm9::gt::fixed_base::GtFixedBaseTable;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::sm9::lanes;
use crate::sm9::tables;

/// From how many operations on a lane for each is faster than single ones, which have lanes inside.
/// Measured on Zen 4.
mod least {
    use crate::arith::lanes::least::Least;

    pub(super) const PAIRING: Least = Least::new(5, 5);
    pub(super) const PAIRING_WITH_LINES: Least = Least::new(5, 5);
    pub(super) const POWER: Least = Least::new(5, 4);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub(super) const G1_GENERATOR: Least = Least::new(8, 5);
    /// The table is put into the form that lanes share, which takes as long as a few products.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub(super) const G1_TABLE: Least = Least::new(16, 5);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    pub(super) const G2_GENERATOR: Least = Least::new(5, 4);
    /// Single verifications have the lines of two points, and one final exponentiation.
    pub(super) const VERIFICATION: Least = Least::new(6, 6);
    pub(super) const VERIFICATION_WITH_LINES: Least = Least::new(5, 5);
}

/// How many verifications, of `count`, with the point of an identity each, are faster with a
/// pairing a lane.
pub fn verifications_in_lanes(count: usize) -> usize {
    in_lanes(count, &least::VERIFICATION)
}

/// The same with the lines of each identity.
pub fn verifications_with_lines_in_lanes(count: usize) -> usize {
    in_lanes(count, &least::VERIFICATION_WITH_LINES)
}

/// How many operations, of `count`, are computed in lanes: none, unless there are an engine and
/// enough operations for it.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn in_lanes(count: usize, least: &Least) -> usize {
    if has_lanes() {
        least.of::<Ifma>(count)
    } else {
        0
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn in_lanes(_: usize, _: &Least) -> usize {
    0
}

/// Whether there is an engine with a lane for each operation. Then a single product from a table
/// fills its lanes, too, and a few of them one by one are faster than together without lanes.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) fn has_lanes() -> bool {
    use kuaimi_platform::backend::Lanes;

    Lanes::selected().get() == Lanes::Ifma
}

/// `e(P, Q)` of each pair.
pub fn pairing_many(p: &[G1], q: &[G2], out: &mut [Gt]) {
    let (p, p_rest) = p.split_at(in_lanes(p.len(), &least::PAIRING));
    let (q, q_rest) = q.split_at(p.len());
    let (out, out_rest) = out.split_at_mut(p.len());
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for ((p, q), out) in p
        .chunks(Ifma::LANES)
        .zip(q.chunks(Ifma::LANES))
        .zip(out.chunks_mut(Ifma::LANES))
    {
        lanes::pairings::<Ifma, Adx>(p, q, out);
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    debug_assert!(q.is_empty() && out.is_empty());
    for ((p, q), out) in p_rest.iter().zip(q_rest).zip(out_rest) {
        *out = pairing(p, q);
    }
}

/// `e(P, Q)` of each pair, given the precomputed lines of each `Q`.
pub fn pairing_with_many(p: &[G1], lines: &[&Lines], out: &mut [Gt]) {
    let (p, p_rest) = p.split_at(in_lanes(p.len(), &least::PAIRING_WITH_LINES));
    let (lines, lines_rest) = lines.split_at(p.len());
    let (out, out_rest) = out.split_at_mut(p.len());
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for ((p, lines), out) in p
        .chunks(Ifma::LANES)
        .zip(lines.chunks(Ifma::LANES))
        .zip(out.chunks_mut(Ifma::LANES))
    {
        lanes::pairings_with::<Ifma, Adx>(p, lines, out);
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    debug_assert!(lines.is_empty() && out.is_empty());
    for ((p, lines), out) in p_rest.iter().zip(lines_rest).zip(out_rest) {
        *out = pairing_with(p, lines);
    }
}

/// `g^k` of each number and the element of a table.
pub fn gt_table_pow_many(tables: &[&GtTable], k: &[U256], out: &mut [Gt]) {
    let (k, k_rest) = k.split_at(in_lanes(k.len(), &least::POWER));
    let (tables, tables_rest) = tables.split_at(k.len());
    let (out, out_rest) = out.split_at_mut(k.len());
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    match tables {
        // One master key for all is the usual case, and its look-ups are much faster.
        [first, rest @ ..]
            if let Some(shared) = first.shared()
                && rest.iter().all(|table| core::ptr::eq(*table, *first)) =>
        {
            lanes::powers_of_one::<Ifma, Adx>(shared, k, out);
        }
        _ => {
            for ((tables, k), out) in tables
                .chunks(Ifma::LANES)
                .zip(k.chunks(Ifma::LANES))
                .zip(out.chunks_mut(Ifma::LANES))
            {
                let tables: Vec<&GtFixedBaseTable> =
                    tables.iter().map(|table| table.table()).collect();
                lanes::powers::<Ifma, Adx>(&tables, k, out);
            }
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    debug_assert!(tables.is_empty() && out.is_empty());
    for ((table, k), out) in tables_rest.iter().zip(k_rest).zip(out_rest) {
        *out = table.pow(k);
    }
}

/// `[k]P1` for each `k`.
pub fn g1_generator_mul_many(k: &[U256], out: &mut [G1]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if has_lanes() {
        let (k, k_rest) = k.split_at(in_lanes(k.len(), &least::G1_GENERATOR));
        let (out, out_rest) = out.split_at_mut(k.len());
        lanes::products::g1_generator::<Adx>(k, out);
        return products::<Adx, InLanes<Ifma>, _, _>(
            k_rest,
            |_| tables::g1_generator_table(),
            out_rest,
        );
    }
    with_backend!(B => {
        fixed_base_mul_many::<Sm9G1<B>>(k, |_| tables::g1_generator_table(), out);
    });
}

/// `[k]P2` for each `k`.
pub fn g2_generator_mul_many(k: &[U256], out: &mut [G2]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if has_lanes() {
        let (k, k_rest) = k.split_at(in_lanes(k.len(), &least::G2_GENERATOR));
        let (out, out_rest) = out.split_at_mut(k.len());
        lanes::products::g2_generator::<Adx>(k, out);
        return (out_rest.iter_mut().zip(k_rest)).for_each(|(out, k)| *out = g2_generator_mul(k));
    }
    with_backend!(B => {
        fixed_base_mul_many::<Sm9G2<B>>(k, |_| tables::g2_generator_table(), out);
    });
}

/// `[k]T` of each number and the point of a table.
pub fn g1_table_mul_many(tables: &[&G1Table], k: &[U256], out: &mut [G1]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if has_lanes() {
        // One table for all is the usual case: it is put into the form that lanes share.
        let in_lanes = match tables {
            [first, rest @ ..] if rest.iter().all(|table| core::ptr::eq(*table, *first)) => {
                in_lanes(k.len(), &least::G1_TABLE)
            }
            _ => 0,
        };
        let (k, k_rest) = k.split_at(in_lanes);
        let (out, out_rest) = out.split_at_mut(in_lanes);
        if in_lanes != 0 {
            lanes::products::g1_table::<Adx, PER_WINDOW>(tables[0].entries(), k, out);
        }
        // The lanes have one product after another: each table is read at other places, which is
        // slow with a product a lane.
        let rest = &tables[in_lanes..];
        return products::<Adx, InLanes<Ifma>, _, _>(
            k_rest,
            |i| rest[i].fixed_base_table(),
            out_rest,
        );
    }
    with_backend!(B => {
        fixed_base_mul_many::<Sm9G1<B>>(k, |i| tables[i].fixed_base_table(), out);
    });
}

/// `[a]P1 + [b]T` of each two numbers and the point of a table. Infinity becomes zeros.
pub fn g1_generator_table_mul_many(a: &[U256], b: &[U256], tables: &[&G1Table], out: &mut [G1]) {
    if out.is_empty() {
        return;
    }
    let mut products = Zeroizing::new(vec![G1::default(); out.len()]);
    g1_generator_mul_many(a, out);
    g1_table_mul_many(tables, b, &mut products);
    with_backend!(B => {
        let (points, denominators) = batch_affine::memory(out.len(), 2);
        let mut points = vec![Affine::<Sm9G1<B>>::default(); points];
        let mut denominators = vec![Fq::ZERO; denominators];
        let mut rows = BatchAffineSums::new(&mut points, &mut denominators, 2);
        for (row, (a, b)) in rows.rows_mut().zip(out.iter().zip(products.iter())) {
            row.copy_from_slice(&[g1(a), g1(b)]);
        }
        for (out, sum) in out.iter_mut().zip(rows.sum()) {
            *out = sum.to_entry();
        }
    });
}

#[cfg(test)]
mod tests;
