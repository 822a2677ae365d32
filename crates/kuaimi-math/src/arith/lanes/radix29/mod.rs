//! Engines with products of 32-bit numbers (VPMULUDQ): nine limbs of 29 bits, `R′ = 2²⁶¹`.
//!
//! An instruction multiplies a number of 32 bits in each lane, and gives 64 bits. A number of up to
//! 261 bits has nine limbs of 29 bits, each limb in its own vector. A column of eighteen products
//! of such limbs fits 64 bits, so there are no carries while products are summed. An element `a` is
//! represented by `a·2²⁶¹ mod m`.
//!
//! | module | what it does |
//! | --- | --- |
//! | `mul` | products and squares, reduced column by column |
//! | `sm2p` | products modulo SM2's prime |
//! | `avx2` | these in assembly, for sixteen registers of AVX2 |
//! | `columns` | the columns of products, as text for assembly |
//! | `carry` | sums, differences, carries, comparison with zero |
//! | `convert` | conversions from and to words of 64 bits |
//! | `table` | constant-time look-up within registers |
//! | `quartic` | sums of products of a lane and a vector |
//! | `constants` | the constants of a modulus, in limbs of 29 bits |
//!
//! Tight limbs have 29 bits, except the top one, which has the rest. Loose limbs are signed.
//!
//! AVX-512 has the same multiplication for eight lanes, and 32 registers: a product modulo SM2's
//! prime, which is 300 instructions for four lanes of AVX2, is 273 for eight.

mod carry;
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[macro_use]
mod columns;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
mod constants;
mod convert;
mod mul;
mod quartic;
mod sm2p;
mod table;
#[cfg(test)]
mod tests;

use core::marker::PhantomData;

use constants::{Constants, LIMBS};
use sm2p::Sm2Products;

#[cfg(test)]
use super::words::PlainWords;
use super::words::Simd;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::words::x86;
use super::{Lanes, MAX_LANES, Pair, inlined_array, numbers};
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// Nine limbs of 29 bits, a number a lane.
pub type Limbs29<S> = [S; LIMBS];

/// The engine with a type of vectors of words.
#[derive(Clone, Copy, Debug)]
pub struct Engine<S>(PhantomData<S>);

/// Four lanes with AVX2.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) type Avx2 = Engine<x86::Ymm>;

/// Eight lanes with AVX-512.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) type Avx512 = Engine<x86::Zmm>;

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Sm2Products for x86::Zmm {}

#[cfg(test)]
impl<const N: usize> Sm2Products for PlainWords<N> {}

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
mod available {
    use kuaimi_platform::backend::Lanes;

    use super::{Avx2, Avx512};

    impl Avx2 {
        /// Whether this CPU can run the engine.
        pub(crate) fn available() -> bool {
            Lanes::available().any(|lanes| lanes.get() == Lanes::Avx2)
        }
    }

    impl Avx512 {
        /// Whether this CPU can run the engine.
        pub(crate) fn available() -> bool {
            Lanes::available().any(|lanes| lanes.get() == Lanes::Avx512)
        }
    }
}

impl<S> Default for Engine<S> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// The two numbers of pairs, given by their words.
#[inline(always)]
fn from_words<S: Simd, M: Modulus>(words: [S; 8]) -> (Limbs29<S>, Limbs29<S>) {
    let [x0, x1, x2, x3, y0, y1, y2, y3] = words;
    (
        carry::reduce::<S, M>(&convert::to_limbs([x0, x1, x2, x3])),
        carry::reduce::<S, M>(&convert::to_limbs([y0, y1, y2, y3])),
    )
}

impl<S: Sm2Products> Lanes for Engine<S> {
    const NAME: &'static str = S::NAME;
    const LANES: usize = S::LANES;
    const BLOCK: usize = table::ENTRIES;

    type Vector = Limbs29<S>;
    type Mask = S::Mask;
    type Block = table::Block;

    #[inline(always)]
    fn with_target_features<T>(f: impl FnOnce() -> T) -> T {
        S::with_target_features(f)
    }

    #[inline(always)]
    fn zero() -> Limbs29<S> {
        [S::zero(); LIMBS]
    }

    #[inline(always)]
    fn load<M: Modulus>(values: &[Limbs]) -> Limbs29<S> {
        carry::reduce::<S, M>(&convert::to_limbs(S::load_numbers(&numbers(values))))
    }

    #[inline(always)]
    fn store<M: Modulus>(v: &Limbs29<S>, out: &mut [Limbs]) {
        let one = carry::splat(&Constants::<M>::TO_SCALAR_FORM);
        let left = mul::mul::<S, M>(&carry::reduce::<S, M>(v), &one);
        let reduced = carry::subtract_modulus_once::<S, M>(&left);
        let numbers = S::store_numbers(convert::to_words(&reduced));
        for (out, number) in out.iter_mut().take(S::LANES).zip(numbers) {
            *out = number;
        }
    }

    #[inline(always)]
    fn splat<M: Modulus>(value: &Limbs) -> Limbs29<S> {
        let words = inlined_array!(4, |i| S::splat(value[i]));
        carry::reduce::<S, M>(&convert::to_limbs(words))
    }

    #[inline(always)]
    fn mul<M: Modulus>(a: &Limbs29<S>, b: &Limbs29<S>) -> Limbs29<S> {
        mul::mul::<S, M>(a, b)
    }

    #[inline(always)]
    fn square<M: Modulus>(a: &Limbs29<S>) -> Limbs29<S> {
        mul::square::<S, M>(a)
    }

    #[inline(always)]
    fn mul_add<M: Modulus>(
        a: &Limbs29<S>,
        b: &Limbs29<S>,
        c: &Limbs29<S>,
        d: &Limbs29<S>,
    ) -> Limbs29<S> {
        mul::mul_add::<S, M>(&[a, c], &[b, d])
    }

    #[inline(always)]
    fn mul_sub_square<M: Modulus>(a: &Limbs29<S>, b: &Limbs29<S>, c: &Limbs29<S>) -> Limbs29<S> {
        mul::mul_sub_square::<S, M>(a, b, c)
    }

    #[inline(always)]
    fn add(a: &Limbs29<S>, b: &Limbs29<S>) -> Limbs29<S> {
        carry::add(a, b)
    }

    #[inline(always)]
    fn sub<M: Modulus, const K: u64>(a: &Limbs29<S>, b: &Limbs29<S>) -> Limbs29<S> {
        carry::add(a, &carry::negate::<S, M, K>(b))
    }

    #[inline(always)]
    fn negate_where<M: Modulus, const K: u64>(mask: S::Mask, a: &Limbs29<S>) -> Limbs29<S> {
        carry::select(mask, &carry::negate::<S, M, K>(a), a)
    }

    #[inline(always)]
    fn carry(a: &Limbs29<S>) -> Limbs29<S> {
        carry::carry(a)
    }

    #[inline(always)]
    fn reduce<M: Modulus>(a: &Limbs29<S>) -> Limbs29<S> {
        carry::reduce::<S, M>(a)
    }

    #[inline(always)]
    fn is_zero<M: Modulus>(a: &Limbs29<S>) -> S::Mask {
        carry::is_zero::<S, M>(a)
    }

    #[inline(always)]
    fn select(mask: S::Mask, a: &Limbs29<S>, b: &Limbs29<S>) -> Limbs29<S> {
        carry::select(mask, a, b)
    }

    #[inline(always)]
    fn mask(bits: u64) -> S::Mask {
        S::mask(bits)
    }

    #[inline(always)]
    fn bits(mask: S::Mask) -> u64 {
        S::bits(mask)
    }

    #[inline(always)]
    fn permute(a: &Limbs29<S>, from: &[u64; MAX_LANES]) -> Limbs29<S> {
        inlined_array!(9, |i| a[i].permute(from))
    }

    #[inline(always)]
    fn load_pairs<M: Modulus>(pairs: &[&Pair]) -> (Limbs29<S>, Limbs29<S>) {
        from_words::<S, M>(S::load_entries(pairs))
    }

    #[inline(always)]
    fn look_up_each<M: Modulus>(tables: &[&[Pair]], indices: &[u32]) -> (Limbs29<S>, Limbs29<S>) {
        from_words::<S, M>(S::look_up_entries(tables, indices))
    }

    #[inline(always)]
    fn block<M: Modulus>(entries: &[Pair]) -> table::Block {
        table::Block::new::<M>(entries)
    }

    #[inline(always)]
    fn look_up(blocks: &[table::Block], indices: &[u32]) -> (Limbs29<S>, Limbs29<S>) {
        table::look_up(blocks, indices)
    }
}
