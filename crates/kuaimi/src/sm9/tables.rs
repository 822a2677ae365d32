//! The generators' tables, computed when the crate is built (`build.rs`).

use super::curve::{G1_COMB_WIDTH, G2_COMB_WIDTH, Sm9G1, Sm9G2};
use crate::arith::Backend;
use crate::curve::Comb;
use crate::sm9::pairing::kept::Lines;

/// Keeps each entry within its cache lines.
#[repr(align(64))]
struct Aligned<T>(T);

include!(concat!(env!("OUT_DIR"), "/sm9_tables.rs"));

/// For `[k]P1`.
#[inline]
pub const fn g1_comb<B: Backend>() -> Comb<'static, Sm9G1<B>> {
    Comb::new(G1_COMB_WIDTH, &G1_COMB.0)
}

/// For `e(P, P2)`.
#[inline]
pub const fn g2_lines() -> &'static Lines {
    &G2_LINES.0
}

/// For `[k]P2`.
#[inline]
pub const fn g2_comb<B: Backend>() -> Comb<'static, Sm9G2<B>> {
    Comb::new(G2_COMB_WIDTH, &G2_COMB.0)
}
