//! Several field elements at once, in the lanes of vector registers.
//!
//! An *engine* is a type with the trait [`Lanes`]. It computes with [`LANES`](Lanes::LANES)
//! independent integers at once: lane `i` of a result depends only on lane `i` of the operands. The
//! form of the limbs is private to the engine. This page is the contract between the engines and
//! the code that uses them. The tests also run all code on a portable model, which checks the
//! contract.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`radix29`] | four or eight lanes of 29-bit limbs |
//! | [`ifma`] | four or eight lanes of 52-bit limbs |
//! | `words` | vectors of 64-bit words, for both |
//! | `model`, `called` | the portable model, and an engine whose operations are calls, in tests |
//! | [`shared_table`] | a table that all lanes share |
//! | [`quartic`] | four lanes as an element of an extension of degree 4 |
//! | [`wide`] | products whose sums are reduced once |
//! | [`least`] | from how many operations on lanes are faster |
//!
//! **Montgomery form.** Each engine has a constant `R′`, a power of two of at least `2²⁶⁰` (`2²⁶⁰`
//! for five limbs of 52 bits, `2²⁶¹` for nine limbs of 29), and represents the element `a` by a
//! number congruent to `a·R′`. The scalar form has `R = 2²⁵⁶`. So loading a value into an engine
//! multiplies it by 16 or 32, which is part of the shifts that change the radix. Storing it divides
//! it, after a multiple of the modulus is added that makes the low bits zero.
//!
//! **Magnitude.** A value of *magnitude* `k` is at most `k·m`. The maximum is 16. A Montgomery
//! product of magnitudes `j` and `k` is below `m·(j·k/16 + 1)`, so factors with `j·k ≤ 16` give a
//! result of magnitude 2. All moduli are between `2²⁵⁵` and `2²⁵⁶`.
//!
//! **Tight and loose.** Sums and differences do not carry between limbs: their results are *loose*.
//! A loose value has a *weight*, which bounds its limbs: a tight value has weight 1; a sum has the
//! sum of the weights; a difference has the sum of the weights plus 1, for the multiple of the
//! modulus that keeps it from becoming negative. The maximum is 16. The factors of products must be
//! *tight*. Tight values are the results of products, [`load`](Lanes::load),
//! [`splat`](Lanes::splat), [`look_up`](Lanes::look_up), [`carry`](Lanes::carry) and
//! [`reduce`](Lanes::reduce), and selections among tight values.
//!
//! | operation | operands | result |
//! | --- | --- | --- |
//! | `mul`, `square`, `mul_add` | tight; the products of magnitudes sum up to at most 16 | tight, magnitude 2 |
//! | `mul_loose`, `square_loose` | the same | loose, weight 4, magnitude 2 |
//! | `mul_sub_square` | tight; `a`, `b`: magnitudes `j·k ≤ 16`; `c`: at most 4 | tight, magnitude 3 |
//! | `add` | any; magnitudes `j + k ≤ 16` | loose, `j + k` |
//! | `sub::<M, K>` | any; `j + K ≤ 16`, `k ≤ K` | loose, `j + K` |
//! | `carry` | any | tight, same magnitude |
//! | `reduce` | any | tight, magnitude 2 |
//! | `store`, `is_zero`, `select`, `permute` | any | |
//!
//! Everything is constant time: no branch and no address depends on the value in a lane.
//!
//! All methods but [`with_target_features`](Lanes::with_target_features) must be called within
//! `vectorize!`. Only there are the engine's instructions known to be available, and only there can
//! the compiler inline them.
//!
//! Engines that need CPU features are private to this crate. [`for_each`] gives access to those
//! that the CPU can run.

#[cfg(test)]
pub(crate) mod called;
pub mod ifma;
pub mod least;
#[cfg(test)]
pub(crate) mod model;
pub mod quartic;
pub mod radix29;
pub mod shared_table;
#[cfg(test)]
mod tests;
pub mod wide;
mod words;

use core::fmt::Debug;

use kuaimi_platform::backend;
use zeroize::Zeroize;

use super::backend::look_up;
use super::modulus::Modulus;
use super::u256::Limbs;

/// Two numbers of an entry of a table, such as the coordinates of a point: in Montgomery form with
/// `R = 2²⁵⁶`, reduced.
pub type Pair = [Limbs; 2];

/// The maximum number of lanes of an engine.
pub const MAX_LANES: usize = 8;

/// An engine: see the [module](self) for magnitudes, tight and loose.
pub trait Lanes: Copy + Default + Debug + Send + Sync + 'static {
    /// Its name among the implementations.
    const NAME: &'static str;
    /// The number of integers in a vector, at most [`MAX_LANES`].
    const LANES: usize;
    /// The number of entries of a table in a [`Block`](Self::Block).
    const BLOCK: usize;

    /// One integer a lane.
    type Vector: Copy;
    /// One condition a lane. May be secret.
    type Mask: Copy;
    /// [`BLOCK`](Self::BLOCK) entries of a table that all lanes share, in a form that is private to
    /// the engine: transposed, so that a look-up with a different index in each lane is done within
    /// registers.
    type Block: Copy + Zeroize + Send + Sync + 'static;

    /// Calls `f` in a function that is compiled with the engine's instructions. If `f` is inlined,
    /// it is compiled with them, too. Only `vectorize!`, which makes sure of that, calls this.
    ///
    /// The CPU must have the instructions. Engines that need any are types private to this crate,
    /// which are used only where their implementation was chosen.
    fn with_target_features<T>(f: impl FnOnce() -> T) -> T;

    /// Zero in all lanes: tight, magnitude 0.
    fn zero() -> Self::Vector;

    /// Loads reduced Montgomery forms with `R = 2²⁵⁶`, one a lane. Lanes past the end of `values`
    /// become zero. Tight, magnitude 2.
    fn load<M: Modulus>(values: &[Limbs]) -> Self::Vector;

    /// Stores reduced Montgomery forms with `R = 2²⁵⁶`: as many lanes as `out` has places.
    fn store<M: Modulus>(v: &Self::Vector, out: &mut [Limbs]);

    /// The same element in every lane: a public constant, in the form that [`load`](Self::load)
    /// takes. Tight, magnitude 2.
    fn splat<M: Modulus>(value: &Limbs) -> Self::Vector;

    /// `a·b`, for tight values whose magnitudes have a product of at most 16. Tight, magnitude 2.
    fn mul<M: Modulus>(a: &Self::Vector, b: &Self::Vector) -> Self::Vector;

    /// `a²`, for a tight value of magnitude at most 4. Tight, magnitude 2.
    fn square<M: Modulus>(a: &Self::Vector) -> Self::Vector;

    /// `a·b + c·d` with one reduction, for tight values. The two products of magnitudes sum up to
    /// at most 16. Tight, magnitude 2.
    fn mul_add<M: Modulus>(
        a: &Self::Vector,
        b: &Self::Vector,
        c: &Self::Vector,
        d: &Self::Vector,
    ) -> Self::Vector {
        Self::reduce::<M>(&Self::add(&Self::mul::<M>(a, b), &Self::mul::<M>(c, d)))
    }

    /// As [`mul`](Self::mul), for results that are only used in sums: loose, of weight 4.
    fn mul_loose<M: Modulus>(a: &Self::Vector, b: &Self::Vector) -> Self::Vector {
        Self::mul::<M>(a, b)
    }

    /// As [`square`](Self::square), for results that are only used in sums: loose, of weight 4.
    fn square_loose<M: Modulus>(a: &Self::Vector) -> Self::Vector {
        Self::square::<M>(a)
    }

    /// `a·b − c²` with one reduction, for tight values. `a` and `b` have magnitudes as for
    /// [`mul`](Self::mul), `c` of at most 4. Tight, magnitude 3.
    fn mul_sub_square<M: Modulus>(
        a: &Self::Vector,
        b: &Self::Vector,
        c: &Self::Vector,
    ) -> Self::Vector {
        let difference = Self::sub::<M, 2>(&Self::mul::<M>(a, b), &Self::square::<M>(c));
        Self::reduce::<M>(&difference)
    }

    /// `a + b`. Loose; the magnitude is the sum of the magnitudes.
    fn add(a: &Self::Vector, b: &Self::Vector) -> Self::Vector;

    /// `a − b + K·m`, where `b` has a magnitude of at most `K`. Loose; the magnitude is that of `a`
    /// plus `K`.
    fn sub<M: Modulus, const K: u64>(a: &Self::Vector, b: &Self::Vector) -> Self::Vector;

    /// `K·m − a` where the mask is set, else `a`; `a` has a magnitude of at most `K`. Loose, of
    /// magnitude `K`; the weight is that of `a` plus 1.
    fn negate_where<M: Modulus, const K: u64>(mask: Self::Mask, a: &Self::Vector) -> Self::Vector;

    /// The same value, tight.
    fn carry(a: &Self::Vector) -> Self::Vector;

    /// The same element, tight and of magnitude 2.
    fn reduce<M: Modulus>(a: &Self::Vector) -> Self::Vector;

    /// Where the element is zero.
    fn is_zero<M: Modulus>(a: &Self::Vector) -> Self::Mask;

    /// `a` where the mask is set, else `b`.
    fn select(mask: Self::Mask, a: &Self::Vector, b: &Self::Vector) -> Self::Vector;

    /// The mask with these bits: bit `i` for lane `i`. Bits past the last lane are ignored.
    fn mask(bits: u64) -> Self::Mask;

    /// The bits of a mask; those past the last lane are zero.
    fn bits(mask: Self::Mask) -> u64;

    /// The block of at most [`BLOCK`](Self::BLOCK) entries. Missing entries are zero.
    fn block<M: Modulus>(entries: &[Pair]) -> Self::Block;

    /// Lane `from[i]` of `a` in lane `i`. The positions are public and below
    /// [`LANES`](Self::LANES); those past the last lane are ignored. The weight and the magnitude
    /// stay.
    fn permute(a: &Self::Vector, from: &[u64; MAX_LANES]) -> Self::Vector;

    /// One pair a lane: the vectors of the first and of the second numbers. Lanes past the end of
    /// `pairs` become zero. Tight, magnitude 2.
    fn load_pairs<M: Modulus>(pairs: &[&Pair]) -> (Self::Vector, Self::Vector) {
        let mut found = [[[0; 4]; 2]; MAX_LANES];
        for (found, pair) in found.iter_mut().zip(pairs) {
            *found = **pair;
        }
        load_both::<Self, M>(&found)
    }

    /// The pair with index `indices[i]` of table `i` in lane `i`. The indices are secret and below
    /// the lengths. Lanes past the last table become zero. All of every table is read, and no
    /// address depends on the indices. Tight, magnitude 2.
    fn look_up_each<M: Modulus>(
        tables: &[&[Pair]],
        indices: &[u32],
    ) -> (Self::Vector, Self::Vector) {
        let mut found = [[[0; 4]; 2]; MAX_LANES];
        for ((found, table), index) in found.iter_mut().zip(tables).zip(indices) {
            *found = look_up(table, *index);
        }
        let both = load_both::<Self, M>(&found);
        found.zeroize();
        both
    }

    /// The pair with index `indices[i]` in lane `i`, where pair `j` of block `b` has the index
    /// `b·BLOCK + j`. The indices are secret and below `blocks.len()·BLOCK`, one for each lane;
    /// missing ones count as zero. All of `blocks` is read, and no address depends on the indices.
    /// Tight, magnitude 2.
    fn look_up(blocks: &[Self::Block], indices: &[u32]) -> (Self::Vector, Self::Vector);
}

/// The first numbers of `values`, and zeros.
#[inline(always)]
fn numbers(values: &[Limbs]) -> [&Limbs; MAX_LANES] {
    let mut numbers = [&[0; 4]; MAX_LANES];
    for (number, value) in numbers.iter_mut().zip(values) {
        *number = value;
    }
    numbers
}

/// Pairs as the vectors of their first and of their second numbers.
#[inline(always)]
fn load_both<L: Lanes, M: Modulus>(pairs: &[Pair; MAX_LANES]) -> (L::Vector, L::Vector) {
    let (mut x, mut y) = ([[0; 4]; MAX_LANES], [[0; 4]; MAX_LANES]);
    for ((x, y), pair) in x.iter_mut().zip(&mut y).zip(pairs) {
        [*x, *y] = *pair;
    }
    let vectors = (L::load::<M>(&x[..L::LANES]), L::load::<M>(&y[..L::LANES]));
    x.zeroize();
    y.zeroize();
    vectors
}

/// Evaluates an expression with an engine's instructions: `vectorize!(L, expression)`.
///
/// If the compiler does not inline a closure, it compiles the closure without the instructions, and
/// each of them becomes a call: the results are right, but it is ten times slower. So this macro
/// puts the expression into a closure that is always inlined, and no other code calls
/// [`Lanes::with_target_features`]. Closures within the expression must be marked
/// `#[inline(always)]`, too. `scripts/check-inlined` finds all instructions that became calls.
#[macro_export]
#[doc(hidden)]
macro_rules! vectorize {
    ($engine:ty, $body:expr) => {
        <$engine as $crate::arith::lanes::Lanes>::with_target_features(
            #[inline(always)]
            || $body,
        )
    };
}
pub use vectorize;

/// A generic function that [`for_each`] calls.
pub trait Visitor {
    /// Called with each engine that this CPU can run.
    fn visit<L: Lanes>(&mut self);
}

/// Calls `visitor` with every engine that this CPU can run, from slow to fast: for tests and
/// measurements.
#[cfg_attr(
    not(all(target_arch = "x86_64", not(miri))),
    expect(unused_variables, reason = "there are no engines")
)]
pub fn for_each(visitor: &mut impl Visitor) {
    for engine in backend::Lanes::available() {
        match engine.get() {
            backend::Lanes::None => {}
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            backend::Lanes::Avx2 => visitor.visit::<radix29::Avx2>(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            backend::Lanes::AvxIfma => visitor.visit::<ifma::AvxIfma>(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            backend::Lanes::Avx512 => visitor.visit::<radix29::Avx512>(),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            backend::Lanes::Ifma => visitor.visit::<ifma::Ifma>(),
        }
    }
}

/// `[f(0), f(1), …]` with 3, 4, 5 or 9 elements, for the code of engines:
/// `inlined_array!(5, |i| expression)`.
///
/// `core::array::from_fn` and `map` are functions that the compiler may not inline. Their closure
/// would then be compiled without the engine's instructions (see [`vectorize`]).
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
    (9, |$i:ident| $body:expr) => {
        $crate::arith::lanes::inlined_array!(@ |$i| $body, 0 1 2 3 4 5 6 7 8)
    };
    (@ |$i:ident| $body:expr, $($index:literal)+) => {
        [$({
            let $i: usize = $index;
            $body
        }),+]
    };
}
pub(crate) use inlined_array;

/// Overwrites secret vectors with zeros.
#[allow(unsafe_code, reason = "a write that the optimiser must keep")]
pub fn wipe<L: Lanes>(vectors: &mut [L::Vector]) {
    vectorize!(L, {
        for vector in vectors {
            // SAFETY: the target is borrowed mutably, and its type has no destructor.
            unsafe { core::ptr::write_volatile(vector, L::zero()) };
        }
    });
    core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
}

/// Runs a generic function for every engine that this CPU can run, and for the model.
#[cfg(test)]
macro_rules! on_every_engine {
    // No engine has three lanes, so no code may rely on the number of lanes.
    ($test:ident) => {
        $crate::arith::lanes::on_engines!(
            $test,
            models [3, 8],
            engines [radix29::Avx2, radix29::Avx512, ifma::Ifma, ifma::AvxIfma]
        )
    };
}
#[cfg(test)]
pub(crate) use on_every_engine;

/// As [`on_every_engine`], for the engines of four lanes.
#[cfg(test)]
macro_rules! on_every_quartic {
    ($test:ident) => {
        $crate::arith::lanes::on_engines!(
            $test,
            models [4],
            engines [radix29::Avx2, ifma::HalfIfma, ifma::AvxIfma]
        )
    };
}
#[cfg(test)]
pub(crate) use on_every_quartic;

/// Runs a generic function for models with these numbers of lanes, and for these engines.
#[cfg(test)]
macro_rules! on_engines {
    ($test:ident, models [$($lanes:literal),+], engines [$($module:ident::$engine:ident),+]) => {{
        $($test::<$crate::arith::lanes::model::Model<$lanes>>();)+
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            use $crate::arith::lanes::{Lanes as _, ifma, radix29};
            $(
                if $module::$engine::available() {
                    $test::<$module::$engine>();
                } else {
                    eprintln!(
                        "note: nothing was tested with {}, which this CPU lacks",
                        $module::$engine::NAME
                    );
                }
            )+
        }
    }};
}
#[cfg(test)]
pub(crate) use on_engines;
