//! Engines with the fused 52-bit multiplication (VPMADD52): five limbs of 52 bits, `R′ = 2²⁶⁰`.
//!
//! | module | what it does |
//! | --- | --- |
//! | `constants` | the constants of a modulus |
//! | `field` | the kernels: products, reductions, carries; with their bounds |
//!
//! The numbers of vector instructions of eight lanes for SM2's prime, and of cycles on Zen 4 by
//! `llvm-mca`, for a sequence of independent operations (throughput), and for a single one
//! (latency). The table of `llvm-mca` has half the true rate for the fused multiplication, so an
//! instruction with the same units and latency was put in its place.
//!
//! | | instructions | fused multiplications | throughput | latency |
//! | --- | ---: | ---: | ---: | ---: |
//! | product | 100 | 60 | 77 | 107 |
//! | square | 103 | 40 | 63 | 83 |
//! | product modulo another prime | 122 | 100 | 110 | 143 |
//! | reduction of a sum | 21 | | 10 | 41 |
//! | doubling of a point | 900 | 390 | 548 | 557 |

mod constants;
mod field;
#[cfg(test)]
mod tests;

use core::marker::PhantomData;

use zeroize::Zeroize;

use super::super::modulus::Modulus;
use super::super::radix52::MASK;
use super::super::u256::Limbs;
use super::quartic::Quartic;
use super::wide::Wide;
#[cfg(test)]
pub use super::words::PlainWords;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::words::x86;
use super::words::{FourWords, Fused, Simd};
use super::{Lanes, MAX_LANES, Pair, inlined_array, numbers};
use constants::Radix52;
use field::Limb5;

/// The engine with a type of vectors of words.
#[derive(Clone, Copy, Debug)]
pub struct Engine<S>(PhantomData<S>);

/// Eight lanes with AVX-512 IFMA.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) type Ifma = Engine<x86::ZmmIfma>;

/// Four lanes with AVX-IFMA.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) type AvxIfma = Engine<x86::YmmIfma>;

/// Four lanes with AVX-512 IFMA, in half a register: for elements with four coefficients.
#[cfg(all(any(feature = "sm9", test), target_arch = "x86_64", not(miri)))]
pub(crate) type HalfIfma = Engine<x86::HalfZmmIfma>;

#[cfg(all(test, target_arch = "x86_64", not(miri)))]
mod available {
    use kuaimi_platform::backend::Lanes;

    use super::{AvxIfma, HalfIfma, Ifma};

    impl Ifma {
        /// Whether this CPU can run the engine.
        pub(crate) fn available() -> bool {
            Lanes::available().any(|lanes| lanes.get() == Lanes::Ifma)
        }
    }

    impl HalfIfma {
        /// Whether this CPU can run the engine.
        pub(crate) fn available() -> bool {
            Ifma::available()
        }
    }

    impl AvxIfma {
        /// Whether this CPU can run the engine.
        pub(crate) fn available() -> bool {
            Lanes::available().any(|lanes| lanes.get() == Lanes::AvxIfma)
        }
    }
}

impl<S> Default for Engine<S> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// Sixteen entries of a table: for each limb of `x`, then of `y`, the limbs of all entries. One
/// permutation of words selects among them.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Block([[u64; 16]; 10]);

impl Zeroize for Block {
    fn zeroize(&mut self) {
        self.0.as_flattened_mut().zeroize();
    }
}

/// `16·a` in limbs of 52 bits, for `a` in limbs of 64 bits.
#[inline(always)]
fn to_radix52<S: Simd>([w0, w1, w2, w3]: [S; 4]) -> Limb5<S> {
    let mask = S::splat(MASK);
    [
        w0.shl::<4>().and(mask),
        w0.shr::<48>().or(w1.shl::<16>()).and(mask),
        w1.shr::<36>().or(w2.shl::<28>()).and(mask),
        w2.shr::<24>().or(w3.shl::<40>()).and(mask),
        w3.shr::<12>(),
    ]
}

/// A number below `2²⁵⁶` in limbs of 64 bits, for carried limbs of 52 bits.
#[inline(always)]
fn from_radix52<S: Simd>([r0, r1, r2, r3, r4]: Limb5<S>) -> [S; 4] {
    [
        r0.or(r1.shl::<52>()),
        r1.shr::<12>().or(r2.shl::<40>()),
        r2.shr::<24>().or(r3.shl::<28>()),
        r3.shr::<36>().or(r4.shl::<16>()),
    ]
}

/// The two numbers of pairs, given by their words.
#[inline(always)]
fn from_words<S: Fused, M: Modulus>(words: [S; 8]) -> (Limb5<S>, Limb5<S>) {
    let [x0, x1, x2, x3, y0, y1, y2, y3] = words;
    (
        field::reduce::<S, M>(&to_radix52([x0, x1, x2, x3])),
        field::reduce::<S, M>(&to_radix52([y0, y1, y2, y3])),
    )
}

impl<S: Fused> Lanes for Engine<S> {
    const NAME: &'static str = S::NAME;
    const LANES: usize = S::LANES;
    const BLOCK: usize = 16;

    type Vector = Limb5<S>;
    type Mask = S::Mask;
    type Block = Block;

    #[inline(always)]
    fn with_target_features<T>(f: impl FnOnce() -> T) -> T {
        S::with_target_features(f)
    }

    #[inline(always)]
    fn zero() -> Limb5<S> {
        [S::zero(); 5]
    }

    #[inline(always)]
    fn load<M: Modulus>(values: &[Limbs]) -> Limb5<S> {
        field::reduce::<S, M>(&to_radix52(S::load_numbers(&numbers(values))))
    }

    #[inline(always)]
    fn store<M: Modulus>(v: &Limb5<S>, out: &mut [Limbs]) {
        let left = field::mul::<S, M>(&field::carry(v), &field::splat(&M::TO_SCALAR_FORM));
        let numbers = S::store_numbers(from_radix52(field::reduce_once::<S, M>(&left)));
        for (out, number) in out.iter_mut().take(S::LANES).zip(numbers) {
            *out = number;
        }
    }

    #[inline(always)]
    fn splat<M: Modulus>(value: &Limbs) -> Limb5<S> {
        field::reduce::<S, M>(&to_radix52(inlined_array!(4, |i| S::splat(value[i]))))
    }

    #[inline(always)]
    fn mul<M: Modulus>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
        field::mul::<S, M>(a, b)
    }

    #[inline(always)]
    fn square<M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
        field::square::<S, M>(a)
    }

    #[inline(always)]
    fn mul_add<M: Modulus>(a: &Limb5<S>, b: &Limb5<S>, c: &Limb5<S>, d: &Limb5<S>) -> Limb5<S> {
        field::mul_add::<S, M>(a, b, c, d)
    }

    #[inline(always)]
    fn mul_loose<M: Modulus>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
        field::mul_loose::<S, M>(a, b)
    }

    #[inline(always)]
    fn square_loose<M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
        field::square_loose::<S, M>(a)
    }

    #[inline(always)]
    fn mul_sub_square<M: Modulus>(a: &Limb5<S>, b: &Limb5<S>, c: &Limb5<S>) -> Limb5<S> {
        field::carry(&field::mul_sub_square_loose::<S, M>(a, b, c))
    }

    #[inline(always)]
    fn add(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
        field::add(a, b)
    }

    #[inline(always)]
    fn sub<M: Modulus, const K: u64>(a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
        field::sub::<S, M, K>(a, b)
    }

    #[inline(always)]
    fn negate_where<M: Modulus, const K: u64>(mask: S::Mask, a: &Limb5<S>) -> Limb5<S> {
        field::negate_where::<S, M, K>(mask, a)
    }

    #[inline(always)]
    fn carry(a: &Limb5<S>) -> Limb5<S> {
        field::carry(a)
    }

    #[inline(always)]
    fn reduce<M: Modulus>(a: &Limb5<S>) -> Limb5<S> {
        field::reduce::<S, M>(a)
    }

    #[inline(always)]
    fn is_zero<M: Modulus>(a: &Limb5<S>) -> S::Mask {
        field::is_zero::<S, M>(a)
    }

    #[inline(always)]
    fn select(mask: S::Mask, a: &Limb5<S>, b: &Limb5<S>) -> Limb5<S> {
        field::select(mask, a, b)
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
    fn permute(a: &Limb5<S>, from: &[u64; MAX_LANES]) -> Limb5<S> {
        inlined_array!(5, |i| a[i].permute(from))
    }

    #[inline(always)]
    fn load_pairs<M: Modulus>(pairs: &[&Pair]) -> (Limb5<S>, Limb5<S>) {
        from_words::<S, M>(S::load_entries(pairs))
    }

    #[inline(always)]
    fn look_up_each<M: Modulus>(tables: &[&[Pair]], indices: &[u32]) -> (Limb5<S>, Limb5<S>) {
        from_words::<S, M>(S::look_up_entries(tables, indices))
    }

    #[inline(always)]
    fn block<M: Modulus>(entries: &[Pair]) -> Block {
        let mut block = Block([[0; 16]; 10]);
        for (chunk, pairs) in entries[..entries.len().min(16)]
            .chunks(S::LANES)
            .enumerate()
        {
            for number in 0..2 {
                let mut values = [[0; 4]; MAX_LANES];
                for (value, pair) in values.iter_mut().zip(pairs) {
                    *value = pair[number];
                }
                let limbs = Self::load::<M>(&values[..pairs.len()]);
                let mut row = [0; MAX_LANES];
                for (i, limb) in limbs.iter().enumerate() {
                    limb.store(&mut row);
                    block.0[5 * number + i][chunk * S::LANES..][..pairs.len()]
                        .copy_from_slice(&row[..pairs.len()]);
                }
            }
        }
        block
    }

    #[inline(always)]
    fn look_up(blocks: &[Block], indices: &[u32]) -> (Limb5<S>, Limb5<S>) {
        let mut index = [0; MAX_LANES];
        for (word, &i) in index.iter_mut().zip(indices) {
            *word = u64::from(i);
        }
        let index = S::load(&index);
        let wanted = index.shr::<4>();
        let mut found = [S::zero(); 10];
        for (b, block) in blocks.iter().enumerate() {
            let here = wanted.eq(S::splat(b as u64));
            for (limb, row) in found.iter_mut().zip(&block.0) {
                *limb = S::blend(here, S::permute16(row, index), *limb);
            }
        }
        let [x0, x1, x2, x3, x4, y0, y1, y2, y3, y4] = found;
        ([x0, x1, x2, x3, x4], [y0, y1, y2, y3, y4])
    }
}

impl<S: FourWords + Fused> Quartic for Engine<S> {
    #[inline(always)]
    fn dot<M: Modulus, const K: usize>(
        factors: &[(&Limb5<S>, usize); K],
        vectors: &[&Limb5<S>; K],
    ) -> Limb5<S> {
        field::dot::<S, M, K>(factors, vectors)
    }

    #[inline(always)]
    fn mul_v<const I: usize>(x: &Limb5<S>, minus_twice: &Limb5<S>) -> Limb5<S> {
        inlined_array!(5, |i| x[i].rotate_lanes::<I>(minus_twice[i]))
    }
}

impl<S: Fused> Wide for Engine<S> {
    type Wide = [S; 10];

    #[inline(always)]
    fn wide_product(a: &Limb5<S>, b: &Limb5<S>) -> [S; 10] {
        field::product(a, b)
    }

    #[inline(always)]
    fn wide_accumulate(t: &mut [S; 10], a: &Limb5<S>, b: &Limb5<S>) {
        field::accumulate(t, a, b);
    }

    #[inline(always)]
    fn wide_add(a: &[S; 10], b: &[S; 10]) -> [S; 10] {
        let mut sum = *a;
        for i in 0..10 {
            sum[i] = sum[i].add(b[i]);
        }
        sum
    }

    #[inline(always)]
    fn wide_sub(a: &[S; 10], b: &[S; 10]) -> [S; 10] {
        let mut difference = *a;
        for i in 0..10 {
            difference[i] = difference[i].sub(b[i]);
        }
        difference
    }

    #[inline(always)]
    fn wide_reduce<M: Modulus, const K: u64>(a: &[S; 10]) -> Limb5<S> {
        field::redc_signed::<S, M, K>(a)
    }
}
