//! The generator's tables, computed when the crate is built (`build.rs`).

use super::curve::{COMB_WIDTH, Sm2, WIDE_COMB_WIDTH, WNAF_WIDTH};
use crate::arith::Backend;
use crate::curve::{Comb, OddMultiples};

/// Keeps each 64-byte entry within one cache line.
#[repr(align(64))]
struct Aligned<T>(T);

include!(concat!(env!("OUT_DIR"), "/sm2_tables.rs"));

/// For `[k]G` with secret `k`.
#[inline]
pub const fn generator_comb<B: Backend>() -> Comb<'static, Sm2<B>> {
    Comb::new(COMB_WIDTH, &GENERATOR_COMB.0)
}

/// The entries of [`generator_comb`].
#[inline]
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
pub const fn generator_comb_entries() -> &'static [[[u64; 4]; 2]] {
    &GENERATOR_COMB.0
}

/// The entries of [`generator_wide_comb`].
#[inline]
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
pub const fn generator_wide_comb_entries() -> &'static [[[u64; 4]; 2]] {
    &GENERATOR_WIDE_COMB.0
}

/// For `[s]G` in verification.
#[inline]
pub const fn generator_odd_multiples<B: Backend>() -> OddMultiples<'static, Sm2<B>> {
    OddMultiples::new(WNAF_WIDTH, &GENERATOR_ODD_MULTIPLES.0)
}

/// For `[s]G` in verification with a prepared key.
#[inline]
pub const fn generator_wide_comb<B: Backend>() -> Comb<'static, Sm2<B>> {
    Comb::new(WIDE_COMB_WIDTH, &GENERATOR_WIDE_COMB.0)
}
