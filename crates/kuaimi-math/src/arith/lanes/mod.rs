//! Several field elements in the lanes of vector registers.
//!
//! A [`Lanes`] engine computes with [`LANES`](Lanes::LANES) independent integers at once: lane `i` of a result depends on
//! lane `i` of the operands and on nothing else. The form of the limbs is private to the engine. What the code above it
//! relies on is written here, and checked by the portable model that the tests run everything on as well.
//!
//! **Montgomery form.** An engine has its own `R′`, a power of two of at least `2²⁶⁰` (`2²⁶⁰` for five limbs of 52 bits, `2²⁶¹` for
//! nine of 29), and holds the element `a` as a number congruent to `a·R′`. The scalar form has `R = 2²⁵⁶`, so that entering an engine is
//! a multiplication by 16 or 32, for which the shifts of the change of radix suffice, and leaving it is a division, for which
//! a multiple of the modulus is added that makes the low bits vanish.
//!
//! **Magnitude.** A value of *magnitude* `k` is at most `k·m`, and no magnitude is over 16. A Montgomery product of magnitudes `j` and
//! `k` is below `m·(j·k/16 + 1)`, so that factors with `j·k ≤ 16` give a result of magnitude 2. All moduli are between `2²⁵⁵` and
//! `2²⁵⁶`.
//!
//! **Tight and loose.** Sums and differences leave the carries between limbs where they are: they are *loose*. A loose value has
//! a *weight*: the sum of its summands' weights, where tight ones weigh 1, and a subtraction adds 1 for the multiple of the modulus
//! that keeps it from going below zero. A weight may reach 16. Products take *tight* values, which are results of products,
//! [`load`](Lanes::load), [`splat`](Lanes::splat), [`look_up`](Lanes::look_up), [`carry`](Lanes::carry) and [`reduce`](Lanes::reduce),
//! and what was selected among such.
//!
//! | operation | takes | gives |
//! | --- | --- | --- |
//! | `mul`, `square`, `mul_add` | tight; products of magnitudes at most 16 in all | tight, magnitude 2 |
//! | `mul_loose`, `square_loose` | the same | loose, weight 4, magnitude 2 |
//! | `mul_sub_square` | tight; a product of magnitudes at most 16, and at most 4 | tight, magnitude 3 |
//! | `add` | anything; magnitudes `j + k ≤ 16` | loose, `j + k` |
//! | `sub::<M, K>` | anything; `j + K ≤ 16`, `k ≤ K` | loose, `j + K` |
//! | `carry` | anything | tight, same magnitude |
//! | `reduce` | anything | tight, magnitude 2 |
//! | `store`, `is_zero`, `select` | anything | |
//!
//! Everything is constant time: no branch and no address depends on the value in a lane.
//!
//! Every method but [`enter`](Lanes::enter) must be called within `vectorize!`: only there are the engine's instructions known
//! to be available, and only there can the compiler inline them.

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub mod avx2;
pub mod ifma;
#[cfg(test)]
pub(crate) mod model;
pub mod quartic;
#[cfg(test)]
mod tests;

use core::fmt::Debug;

use super::modulus::Modulus;
use super::u256::Limbs;

/// The coordinates of an affine point, as tables hold them: `R = 2²⁵⁶`, reduced.
pub type Coordinates = [Limbs; 2];

/// The most lanes that any engine has.
pub const MAX_LANES: usize = 8;

/// An engine: see the [module](self) for magnitudes, tight and loose.
pub trait Lanes: Copy + Default + Debug + Send + Sync + 'static {
    /// The name by which `KUAIMI_BACKEND` knows it.
    const NAME: &'static str;
    /// How many integers a vector holds, at most [`MAX_LANES`].
    const LANES: usize;
    /// How many entries of a table a [`Block`](Self::Block) holds.
    const BLOCK: usize;

    /// One integer a lane.
    type Vector: Copy;
    /// One condition a lane. May be secret.
    type Mask: Copy;
    /// [`BLOCK`](Self::BLOCK) entries of a shared table in the engine's own form, turned so that a look-up with another index in
    /// each lane is done within registers.
    type Block: Copy + Send + Sync + 'static;

    /// Runs `f` compiled with this engine's instructions, if `f` is inlined. For `vectorize!` alone, which makes sure of that.
    ///
    /// The CPU must have the instructions. Engines are types private to this crate, which only the rows of the table name, and
    /// a row's functions are called on CPUs that can run it.
    fn enter<T>(f: impl FnOnce() -> T) -> T;

    /// Zero in all lanes: tight, magnitude 0.
    fn zero() -> Self::Vector;

    /// From reduced Montgomery forms with `R = 2²⁵⁶`, one a lane; lanes past the end of `values` become zero. Tight,
    /// magnitude 2.
    fn load<M: Modulus>(values: &[Limbs]) -> Self::Vector;

    /// To reduced Montgomery forms with `R = 2²⁵⁶`: as many lanes as `out` has room for.
    fn store<M: Modulus>(v: &Self::Vector, out: &mut [Limbs]);

    /// The same element, a public constant given as [`load`](Self::load) takes it, in every lane. Tight, magnitude 2.
    fn splat<M: Modulus>(value: &Limbs) -> Self::Vector;

    /// `a·b`, of tight values whose magnitudes have a product of at most 16. Tight, magnitude 2.
    fn mul<M: Modulus>(a: &Self::Vector, b: &Self::Vector) -> Self::Vector;

    /// `a²`, of a tight value of magnitude at most 4. Tight, magnitude 2.
    fn square<M: Modulus>(a: &Self::Vector) -> Self::Vector;

    /// `a·b + c·d` with one reduction, of tight values; the two products of magnitudes are at most 16 together. Tight,
    /// magnitude 2.
    fn mul_add<M: Modulus>(
        a: &Self::Vector,
        b: &Self::Vector,
        c: &Self::Vector,
        d: &Self::Vector,
    ) -> Self::Vector {
        Self::reduce::<M>(&Self::add(&Self::mul::<M>(a, b), &Self::mul::<M>(c, d)))
    }

    /// As [`mul`](Self::mul), for results that only go into sums: loose, of weight 4.
    fn mul_loose<M: Modulus>(a: &Self::Vector, b: &Self::Vector) -> Self::Vector {
        Self::mul::<M>(a, b)
    }

    /// As [`square`](Self::square), for results that only go into sums: loose, of weight 4.
    fn square_loose<M: Modulus>(a: &Self::Vector) -> Self::Vector {
        Self::square::<M>(a)
    }

    /// `a·b − c²` with one reduction, of tight values; `c` has a magnitude of at most 4, `a` and `b` as for [`mul`](Self::mul).
    /// Tight, magnitude 3.
    fn mul_sub_square<M: Modulus>(
        a: &Self::Vector,
        b: &Self::Vector,
        c: &Self::Vector,
    ) -> Self::Vector {
        let difference = Self::sub::<M, 2>(&Self::mul::<M>(a, b), &Self::square::<M>(c));
        Self::reduce::<M>(&difference)
    }

    /// `a + b`. Loose; magnitudes add up.
    fn add(a: &Self::Vector, b: &Self::Vector) -> Self::Vector;

    /// `a − b + K·m`, where `b` has a magnitude of at most `K`. Loose; `K` is added to the magnitude of `a`.
    fn sub<M: Modulus, const K: u64>(a: &Self::Vector, b: &Self::Vector) -> Self::Vector;

    /// `K·m − a` where the mask is set, else `a`; `a` has a magnitude of at most `K`. Loose, of magnitude `K`; weighs one
    /// more than `a`.
    fn negate_where<M: Modulus, const K: u64>(mask: Self::Mask, a: &Self::Vector) -> Self::Vector;

    /// The same value, tight.
    fn carry(a: &Self::Vector) -> Self::Vector;

    /// The same element, tight and of magnitude 2.
    fn reduce<M: Modulus>(a: &Self::Vector) -> Self::Vector;

    /// Where the element is zero.
    fn is_zero<M: Modulus>(a: &Self::Vector) -> Self::Mask;

    /// `a` where the mask is set, else `b`.
    fn select(mask: Self::Mask, a: &Self::Vector, b: &Self::Vector) -> Self::Vector;

    /// A mask from bits: bit `i` for lane `i`; bits past the last lane are ignored.
    fn mask(bits: u64) -> Self::Mask;

    /// The bits of a mask; those past the last lane are zero.
    fn bits(mask: Self::Mask) -> u64;

    /// A block of a shared table, from at most [`BLOCK`](Self::BLOCK) entries. Missing entries are zero.
    fn block<M: Modulus>(entries: &[Coordinates]) -> Self::Block;

    /// The coordinates of the entry with index `indices[i]` in lane `i`, where entry `j` of block `b` has the index
    /// `b·BLOCK + j`. The indices are secret, below `blocks.len()·BLOCK`, one for each lane (missing ones count as zero): the whole
    /// of `blocks` is read, and no address depends on them. Tight, magnitude 2.
    fn look_up(blocks: &[Self::Block], indices: &[u32]) -> (Self::Vector, Self::Vector);
}

/// Evaluates an expression with an engine's instructions: `vectorize!(L, expression)`.
///
/// A closure that the compiler leaves out of line is compiled without the instructions, and then each of them is a call:
/// right, and ten times slower. So the expression is put into a closure that is always inlined; no other code calls
/// [`Lanes::enter`]. Closures within the expression must be marked `#[inline(always)]`, too: `scripts/check-inlined` finds
/// every instruction of an engine that became a call.
macro_rules! vectorize {
    ($engine:ty, $body:expr) => {
        <$engine as $crate::arith::lanes::Lanes>::enter(
            #[inline(always)]
            || $body,
        )
    };
}
pub(crate) use vectorize;

/// `[f(0), f(1), …]`, of three to five elements, for the code of engines: `inlined_array!(5, |i| expression)`.
///
/// `core::array::from_fn` and `map` are functions that the compiler may leave out of line, and with them the closure, without
/// the engine's instructions (see [`vectorize`]).
macro_rules! inlined_array {
    (3, |$i:ident| $body:expr) => {
        $crate::arith::lanes::inlined_array!(@ |$i| $body, 0 1 2)
    };
    (4, |$i:ident| $body:expr) => {
        $crate::arith::lanes::inlined_array!(@ |$i| $body, 0 1 2 3)
    };
    (5, |$i:ident| $body:expr) => {
        $crate::arith::lanes::inlined_array!(@ |$i| $body, 0 1 2 3 4)
    };
    (@ |$i:ident| $body:expr, $($index:literal)+) => {
        [$({
            let $i: usize = $index;
            $body
        }),+]
    };
}
pub(crate) use inlined_array;

/// Overwrites vectors that held secrets.
#[allow(unsafe_code, reason = "a write that the optimiser must keep")]
pub fn wipe<L: Lanes>(vectors: &mut [L::Vector]) {
    vectorize!(L, {
        for vector in vectors {
            // SAFETY: a write to what is borrowed mutably, of a type without a destructor.
            unsafe { core::ptr::write_volatile(vector, L::zero()) };
        }
    });
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
}

/// Runs a generic function once for every engine that this machine can run, and for the portable model.
#[cfg(test)]
macro_rules! on_every_engine {
    // Three lanes: a number that no engine has, so that nothing relies on theirs.
    ($test:ident) => {
        $crate::arith::lanes::on_engines!($test, models [3, 8], avx512 Ifma)
    };
}
#[cfg(test)]
pub(crate) use on_every_engine;

/// As [`on_every_engine`], for the engines of four lanes.
#[cfg(test)]
macro_rules! on_every_quartic {
    ($test:ident) => {
        $crate::arith::lanes::on_engines!($test, models [4], avx512 HalfIfma)
    };
}
#[cfg(test)]
pub(crate) use on_every_quartic;

/// Runs a generic function for models of so many lanes, and for the engines, of which one is AVX-512's.
#[cfg(test)]
macro_rules! on_engines {
    ($test:ident, models [$($lanes:literal),+], avx512 $avx512:ident) => {{
        $($test::<$crate::arith::lanes::model::Model<$lanes>>();)+
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            use $crate::arith::lanes::{avx2::Avx2, ifma::$avx512, ifma::AvxIfma};
            if Avx2::available() {
                $test::<Avx2>();
            } else {
                eprintln!("not tested: this machine has no AVX2");
            }
            if $avx512::available() {
                $test::<$avx512>();
            } else {
                eprintln!("not tested: this machine has no AVX-512 IFMA");
            }
            if AvxIfma::available() {
                $test::<AvxIfma>();
            } else {
                eprintln!("not tested: this machine has no AVX-IFMA");
            }
        }
    }};
}
#[cfg(test)]
pub(crate) use on_engines;
