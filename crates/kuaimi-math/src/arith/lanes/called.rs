//! An engine whose operations are calls, for tests: inlined, the plain words of one pairing are
//! megabytes of code, and minutes of compilation. Instruction sets need the inlining, so this is
//! for engines in plain integers.

use core::marker::PhantomData;

use super::quartic::Quartic;
use super::wide::Wide;
use super::{Lanes, MAX_LANES, Pair};
use crate::arith::Modulus;
use crate::arith::u256::Limbs;

/// The engine `L`, with a call for each operation.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Called<L>(PhantomData<L>);

impl<L: Lanes> Lanes for Called<L> {
    const NAME: &'static str = L::NAME;
    const LANES: usize = L::LANES;
    const BLOCK: usize = L::BLOCK;

    type Vector = L::Vector;
    type Mask = L::Mask;
    type Block = L::Block;

    fn with_target_features<T>(f: impl FnOnce() -> T) -> T {
        L::with_target_features(f)
    }
    #[inline(never)]
    fn zero() -> L::Vector {
        L::zero()
    }
    #[inline(never)]
    fn load<M: Modulus>(values: &[Limbs]) -> L::Vector {
        L::load::<M>(values)
    }
    #[inline(never)]
    fn store<M: Modulus>(v: &L::Vector, out: &mut [Limbs]) {
        L::store::<M>(v, out)
    }
    #[inline(never)]
    fn splat<M: Modulus>(value: &Limbs) -> L::Vector {
        L::splat::<M>(value)
    }
    #[inline(never)]
    fn mul<M: Modulus>(a: &L::Vector, b: &L::Vector) -> L::Vector {
        L::mul::<M>(a, b)
    }
    #[inline(never)]
    fn square<M: Modulus>(a: &L::Vector) -> L::Vector {
        L::square::<M>(a)
    }
    #[inline(never)]
    fn mul_add<M: Modulus>(
        a: &L::Vector,
        b: &L::Vector,
        c: &L::Vector,
        d: &L::Vector,
    ) -> L::Vector {
        L::mul_add::<M>(a, b, c, d)
    }
    #[inline(never)]
    fn mul_loose<M: Modulus>(a: &L::Vector, b: &L::Vector) -> L::Vector {
        L::mul_loose::<M>(a, b)
    }
    #[inline(never)]
    fn square_loose<M: Modulus>(a: &L::Vector) -> L::Vector {
        L::square_loose::<M>(a)
    }
    #[inline(never)]
    fn mul_sub_square<M: Modulus>(a: &L::Vector, b: &L::Vector, c: &L::Vector) -> L::Vector {
        L::mul_sub_square::<M>(a, b, c)
    }
    #[inline(never)]
    fn add(a: &L::Vector, b: &L::Vector) -> L::Vector {
        L::add(a, b)
    }
    #[inline(never)]
    fn sub<M: Modulus, const K: u64>(a: &L::Vector, b: &L::Vector) -> L::Vector {
        L::sub::<M, K>(a, b)
    }
    #[inline(never)]
    fn negate_where<M: Modulus, const K: u64>(mask: L::Mask, a: &L::Vector) -> L::Vector {
        L::negate_where::<M, K>(mask, a)
    }
    #[inline(never)]
    fn carry(a: &L::Vector) -> L::Vector {
        L::carry(a)
    }
    #[inline(never)]
    fn reduce<M: Modulus>(a: &L::Vector) -> L::Vector {
        L::reduce::<M>(a)
    }
    #[inline(never)]
    fn is_zero<M: Modulus>(a: &L::Vector) -> L::Mask {
        L::is_zero::<M>(a)
    }
    #[inline(never)]
    fn select(mask: L::Mask, a: &L::Vector, b: &L::Vector) -> L::Vector {
        L::select(mask, a, b)
    }
    #[inline(never)]
    fn mask(bits: u64) -> L::Mask {
        L::mask(bits)
    }
    #[inline(never)]
    fn bits(mask: L::Mask) -> u64 {
        L::bits(mask)
    }
    #[inline(never)]
    fn block<M: Modulus>(entries: &[Pair]) -> L::Block {
        L::block::<M>(entries)
    }
    #[inline(never)]
    fn permute(a: &L::Vector, from: &[u64; MAX_LANES]) -> L::Vector {
        L::permute(a, from)
    }
    #[inline(never)]
    fn load_pairs<M: Modulus>(pairs: &[&Pair]) -> (L::Vector, L::Vector) {
        L::load_pairs::<M>(pairs)
    }
    #[inline(never)]
    fn look_up_each<M: Modulus>(tables: &[&[Pair]], indices: &[u32]) -> (L::Vector, L::Vector) {
        L::look_up_each::<M>(tables, indices)
    }
    #[inline(never)]
    fn look_up(blocks: &[L::Block], indices: &[u32]) -> (L::Vector, L::Vector) {
        L::look_up(blocks, indices)
    }
}

impl<L: Wide> Wide for Called<L> {
    type Wide = L::Wide;

    #[inline(never)]
    fn wide_product(a: &L::Vector, b: &L::Vector) -> L::Wide {
        L::wide_product(a, b)
    }
    #[inline(never)]
    fn wide_accumulate(t: &mut L::Wide, a: &L::Vector, b: &L::Vector) {
        L::wide_accumulate(t, a, b);
    }
    #[inline(never)]
    fn wide_add(a: &L::Wide, b: &L::Wide) -> L::Wide {
        L::wide_add(a, b)
    }
    #[inline(never)]
    fn wide_sub(a: &L::Wide, b: &L::Wide) -> L::Wide {
        L::wide_sub(a, b)
    }
    #[inline(never)]
    fn wide_reduce<M: Modulus, const K: u64>(a: &L::Wide) -> L::Vector {
        L::wide_reduce::<M, K>(a)
    }
}

impl<L: Quartic> Quartic for Called<L> {
    #[inline(never)]
    fn dot<M: Modulus, const K: usize>(
        factors: &[(&L::Vector, usize); K],
        vectors: &[&L::Vector; K],
    ) -> L::Vector {
        L::dot::<M, K>(factors, vectors)
    }
    #[inline(never)]
    fn mul_v<const I: usize>(x: &L::Vector, minus_twice: &L::Vector) -> L::Vector {
        L::mul_v::<I>(x, minus_twice)
    }
}
