//! Four lanes with AVX2.
//!
//! AVX2 has four products of 32-bit numbers an instruction, with 64 bits each. A number of up to
//! 261 bits has nine limbs of 29 bits, each limb in its own vector. A column of eighteen products
//! of such limbs fits 64 bits, so there are no carries while products are summed. An element `a` is
//! represented by `a·2²⁶¹ mod m`.
//!
//! | module | what it does |
//! | --- | --- |
//! | `mul` | products and squares, reduced column by column |
//! | `columns` | the columns of products, as text for assembly |
//! | `sm2p` | products modulo SM2's prime |
//! | `carry` | sums, differences, carries, comparison with zero |
//! | `convert` | conversions from and to 64-bit limbs |
//! | `table` | constant-time look-up within registers |
//! | `quartic` | sums of products of a lane and a vector |
//! | `constants` | the constants of a modulus, in limbs of 29 bits |
//!
//! Tight limbs have 29 bits, except the top one, which has the rest. Loose limbs are signed.

#![allow(unsafe_code, reason = "vector instructions")]

mod carry;
#[macro_use]
mod columns;
mod constants;
mod convert;
mod mul;
mod quartic;
mod sm2p;
mod table;
#[cfg(test)]
mod tests;

use core::arch::x86_64::{
    __m256i, _mm256_blendv_epi8, _mm256_castsi256_pd, _mm256_movemask_pd,
    _mm256_permutevar8x32_epi32, _mm256_set_epi64x, _mm256_setr_epi32, _mm256_setzero_si256,
};

use constants::{Constants, LIMBS};
pub(super) use quartic::rotate_lanes;

use super::{Lanes, MAX_LANES, Pair};
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// Nine limbs of 29 bits, a number a lane.
pub type Limbs29 = [__m256i; LIMBS];

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Avx2;

#[cfg(test)]
impl Avx2 {
    /// Whether this CPU can run the engine.
    pub(crate) fn available() -> bool {
        use kuaimi_platform::backend::Lanes;
        Lanes::available().any(|lanes| lanes.get() == Lanes::Avx2)
    }
}

/// `a` in the lanes where `mask` is all ones, else `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn select(mask: __m256i, a: &Limbs29, b: &Limbs29) -> Limbs29 {
    core::array::from_fn(|i| _mm256_blendv_epi8(b[i], a[i], mask))
}

/// Lane `from[i]` of `x` in lane `i`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn permute_words(x: __m256i, from: &[u64; MAX_LANES]) -> __m256i {
    // Each word is two words of 32 bits.
    let low = |i: usize| 2 * from[i] as i32;
    let halves = _mm256_setr_epi32(
        low(0),
        low(0) + 1,
        low(1),
        low(1) + 1,
        low(2),
        low(2) + 1,
        low(3),
        low(3) + 1,
    );
    _mm256_permutevar8x32_epi32(x, halves)
}

#[inline]
#[target_feature(enable = "avx2")]
fn permute(a: &Limbs29, from: &[u64; MAX_LANES]) -> Limbs29 {
    core::array::from_fn(|i| permute_words(a[i], from))
}

#[target_feature(enable = "avx2")]
fn run<T>(f: impl FnOnce() -> T) -> T {
    f()
}

#[inline]
#[target_feature(enable = "avx2")]
fn load<M: Modulus>(values: &[Limbs]) -> Limbs29 {
    let number = |i: usize| values.get(i).unwrap_or(&[0; 4]);
    carry::reduce::<M>(&convert::load([number(0), number(1), number(2), number(3)]))
}

#[inline]
#[target_feature(enable = "avx2")]
fn store<M: Modulus>(v: &Limbs29, out: &mut [Limbs]) {
    let one = carry::splat(&Constants::<M>::TO_SCALAR_FORM);
    let left = mul::mul::<M>(&carry::reduce::<M>(v), &one);
    let numbers = convert::store(&carry::subtract_modulus_once::<M>(&left));
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = number;
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask(bits: u64) -> __m256i {
    let lane = |i: u32| -((bits >> i & 1) as i64);
    _mm256_set_epi64x(lane(3), lane(2), lane(1), lane(0))
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits(mask: __m256i) -> u64 {
    _mm256_movemask_pd(_mm256_castsi256_pd(mask)) as u64
}

// SAFETY (of all blocks below): by the contract of `Lanes`, these methods are called only within
// `vectorize!`, and only on CPUs with AVX2. The functions called need nothing else.
impl Lanes for Avx2 {
    const NAME: &'static str = "avx2";
    const LANES: usize = 4;
    const BLOCK: usize = table::ENTRIES;

    type Vector = Limbs29;
    type Mask = __m256i;
    type Block = table::Block;

    #[inline(always)]
    fn with_target_features<T>(f: impl FnOnce() -> T) -> T {
        // SAFETY: see above.
        unsafe { run(f) }
    }

    #[inline(always)]
    fn zero() -> Limbs29 {
        // SAFETY: see above.
        unsafe { [_mm256_setzero_si256(); LIMBS] }
    }

    #[inline(always)]
    fn load<M: Modulus>(values: &[Limbs]) -> Limbs29 {
        // SAFETY: see above.
        unsafe { load::<M>(values) }
    }

    #[inline(always)]
    fn store<M: Modulus>(v: &Limbs29, out: &mut [Limbs]) {
        // SAFETY: see above.
        unsafe { store::<M>(v, out) }
    }

    #[inline(always)]
    fn splat<M: Modulus>(value: &Limbs) -> Limbs29 {
        // SAFETY: see above.
        unsafe { load::<M>(&[*value; Self::LANES]) }
    }

    #[inline(always)]
    fn mul<M: Modulus>(a: &Limbs29, b: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { mul::mul::<M>(a, b) }
    }

    #[inline(always)]
    fn square<M: Modulus>(a: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { mul::square::<M>(a) }
    }

    #[inline(always)]
    fn mul_add<M: Modulus>(a: &Limbs29, b: &Limbs29, c: &Limbs29, d: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { mul::mul_add::<M>(&[a, c], &[b, d]) }
    }

    #[inline(always)]
    fn mul_sub_square<M: Modulus>(a: &Limbs29, b: &Limbs29, c: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { mul::mul_sub_square::<M>(a, b, c) }
    }

    #[inline(always)]
    fn add(a: &Limbs29, b: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { carry::add(a, b) }
    }

    #[inline(always)]
    fn sub<M: Modulus, const K: u64>(a: &Limbs29, b: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { carry::add(a, &carry::negate::<M, K>(b)) }
    }

    #[inline(always)]
    fn negate_where<M: Modulus, const K: u64>(mask: __m256i, a: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { select(mask, &carry::negate::<M, K>(a), a) }
    }

    #[inline(always)]
    fn carry(a: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { carry::carry(a) }
    }

    #[inline(always)]
    fn reduce<M: Modulus>(a: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { carry::reduce::<M>(a) }
    }

    #[inline(always)]
    fn is_zero<M: Modulus>(a: &Limbs29) -> __m256i {
        // SAFETY: see above.
        unsafe { carry::is_zero::<M>(a) }
    }

    #[inline(always)]
    fn select(mask: __m256i, a: &Limbs29, b: &Limbs29) -> Limbs29 {
        // SAFETY: see above.
        unsafe { select(mask, a, b) }
    }

    #[inline(always)]
    fn mask(bits: u64) -> __m256i {
        // SAFETY: see above.
        unsafe { mask(bits) }
    }

    #[inline(always)]
    fn bits(mask: __m256i) -> u64 {
        // SAFETY: see above.
        unsafe { bits(mask) }
    }

    #[inline(always)]
    fn permute(a: &Limbs29, from: &[u64; MAX_LANES]) -> Limbs29 {
        // SAFETY: see above.
        unsafe { permute(a, from) }
    }

    #[inline(always)]
    fn block<M: Modulus>(entries: &[Pair]) -> table::Block {
        table::Block::new::<M>(entries)
    }

    #[inline(always)]
    fn look_up(blocks: &[table::Block], indices: &[u32]) -> (Limbs29, Limbs29) {
        let index = |i: usize| indices.get(i).copied().unwrap_or(0);
        // SAFETY: see above.
        unsafe { table::look_up(blocks, [index(0), index(1), index(2), index(3)]) }
    }
}
