//! Many products of points at a time: what batches, prepared keys and nonces ahead of time are made of.
//!
//! Every function takes slices of equal length, one element an operation, and gives the same results as the operations one by
//! one. Numbers are plain integers below `n`; points are affine, two coordinates in Montgomery form (`R = 2²⁵⁶`, fully
//! reduced), never infinity unless a contract says so. Functions may see secret numbers unless their name ends in `_vartime`;
//! points are public everywhere.
//!
//! This is the one place where the code for many operations is chosen. A [`Way`] is a function for each of them: `serial`
//! computes them one after another with a scalar backend and shares the inversions, `lanes` computes as many at once as the
//! vectors of an engine have lanes. [`ways`] lists what this CPU can do, and a CPU's vectors are used for what they are faster
//! at. How many operations a call should bring is `chunk`'s to say; the caller cuts longer batches, and may give any number.

mod key_table;
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
mod lanes;
mod serial;

pub use key_table::KeyTable;
pub(super) use serial::x_is_vartime;

use crate::arith::backend::{LanesKind, selected_lanes, with_backend};
use crate::arith::u256::Limbs;
use crate::arith::{Backend, U256};
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
use lanes::{Adx, Avx2, AvxIfma, Engine, Ifma};

/// An affine point: x and y in Montgomery form.
pub type Point = [Limbs; 2];

/// What a signature must satisfy: that the x-coordinate of `[s]G + [t]P` is `x` modulo `n`.
#[derive(Clone, Copy)]
pub struct Equation<P> {
    /// Below `n`.
    pub s: U256,
    /// Below `n`.
    pub t: U256,
    /// Below `n`.
    pub x: U256,
    /// The point `P`, or its table.
    pub p: P,
}

/// The type of [`double_scalar_mul_many_vartime`].
type SumsOfTwoProducts = fn(&[U256], &[U256], &[Point], &mut [Option<Point>]);

/// A way to compute many: the functions below, each for any number of operations.
#[derive(Clone, Copy)]
pub struct Way {
    /// The engine and the backend.
    #[cfg_attr(not(any(test, feature = "internals")), allow(dead_code))]
    pub name: [&'static str; 2],
    /// How many operations fill a call: enough for the lanes, and for what is shared to be shared by many.
    pub chunk: usize,
    /// From how many equations with the same point on it pays to build that point's table.
    pub worth_a_table: usize,
    /// See `generator_mul_many`.
    pub generator_mul_many: fn(&[U256], &mut [Point]),
    /// See `prepared_mul_many`.
    pub prepared_mul_many: fn(&[U256], &[&KeyTable], &mut [Point]),
    /// See `point_mul_many`.
    pub point_mul_many: fn(&[U256], &[Point], &mut [Point]),
    /// See `verify_many_vartime`.
    pub verify_many_vartime: fn(&[Equation<Point>], &mut [bool]),
    /// See `verify_prepared_many_vartime`.
    pub verify_prepared_many_vartime: fn(&[Equation<&KeyTable>], &mut [bool]),
    /// See `double_scalar_mul_many_vartime`.
    pub double_scalar_mul_many_vartime: SumsOfTwoProducts,
}

/// One after another.
const fn serial<B: Backend>() -> Way {
    Way {
        name: ["serial", B::NAME],
        chunk: serial::CHUNK,
        worth_a_table: serial::WORTH_A_TABLE,
        generator_mul_many: serial::generator_mul_many::<B>,
        prepared_mul_many: serial::prepared_mul_many::<B>,
        point_mul_many: serial::point_mul_many::<B>,
        verify_many_vartime: serial::verify_many_vartime::<B>,
        verify_prepared_many_vartime: serial::verify_prepared_many_vartime::<B>,
        double_scalar_mul_many_vartime: serial::double_scalar_mul_many_vartime::<B>,
    }
}

/// In the lanes of an engine; `B` computes the few single numbers beside them.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
const fn in_lanes<L: Engine, B: Backend>() -> Way {
    Way {
        name: [L::NAME, B::NAME],
        chunk: L::CHUNK,
        worth_a_table: L::WORTH_A_TABLE,
        generator_mul_many: lanes::generator_mul_many::<L, B>,
        prepared_mul_many: lanes::prepared_mul_many::<L, B>,
        point_mul_many: lanes::point_mul_many::<L, B>,
        verify_many_vartime: lanes::verify_many_vartime::<L, B>,
        verify_prepared_many_vartime: lanes::verify_prepared_many_vartime::<L, B>,
        double_scalar_mul_many_vartime: lanes::double_scalar_mul_many_vartime::<L, B>,
    }
}

/// The lanes of AVX2 for what they are faster at than MULX and ADX, which for sums of comb multiples they are not: `cargo bench
/// -p kuaimi-bench --features internals --bench ways` measures it.
#[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
const AVX2: Way = Way {
    generator_mul_many: serial::generator_mul_many::<Adx>,
    prepared_mul_many: serial::prepared_mul_many::<Adx>,
    verify_prepared_many_vartime: serial::verify_prepared_many_vartime::<Adx>,
    ..in_lanes::<Avx2, Adx>()
};

/// All ways that this CPU can go, for tests and measurements.
#[cfg(any(test, feature = "internals"))]
pub fn ways() -> impl Iterator<Item = &'static Way> {
    use crate::arith::backend::{Portable32, Portable64};
    const PORTABLE: &[Way] = &[serial::<Portable64>(), serial::<Portable32>()];
    #[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
    let vectors = {
        const ADX: &[Way] = &[
            serial::<Adx>(),
            in_lanes::<Avx2, Adx>(),
            in_lanes::<AvxIfma, Adx>(),
            in_lanes::<Ifma, Adx>(),
        ];
        let available = [
            Adx::is_available,
            Avx2::available,
            AvxIfma::available,
            Ifma::available,
        ];
        ADX.iter()
            .zip(available)
            .filter(|(_, available)| Adx::is_available() && available())
            .map(|(way, _)| way)
    };
    #[cfg(not(all(feature = "std", target_arch = "x86_64", not(miri))))]
    let vectors = [].iter();
    PORTABLE.iter().chain(vectors)
}

/// One after another, with the selected backend.
fn selected_serial() -> &'static Way {
    with_backend!(B => const { &serial::<B>() })
}

/// The way of this process.
fn selected() -> &'static Way {
    match selected_lanes() {
        LanesKind::None => selected_serial(),
        #[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
        LanesKind::Avx2 => &AVX2,
        #[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
        LanesKind::Ifma if Ifma::available() => const { &in_lanes::<Ifma, Adx>() },
        #[cfg(all(feature = "std", target_arch = "x86_64", not(miri)))]
        LanesKind::Ifma => const { &in_lanes::<AvxIfma, Adx>() },
        #[cfg(not(all(feature = "std", target_arch = "x86_64", not(miri))))]
        _ => selected_serial(),
    }
}

/// How many operations fill a call.
pub(crate) fn chunk() -> usize {
    selected().chunk
}

/// From how many equations with the same point on it pays to build that point's table, in a batch of some size.
pub(crate) fn worth_a_table() -> usize {
    selected().worth_a_table
}

/// `[k]G` for secret `k` other than zero.
pub(crate) fn generator_mul_many(k: &[U256], out: &mut [Point]) {
    (selected().generator_mul_many)(k, out);
}

/// `[k]P` for secret `k` other than zero and keys with tables.
pub(crate) fn prepared_mul_many(k: &[U256], tables: &[&KeyTable], out: &mut [Point]) {
    (selected().prepared_mul_many)(k, tables, out);
}

/// `[k]P` for secret `k` other than zero.
pub(crate) fn point_mul_many(k: &[U256], points: &[Point], out: &mut [Point]) {
    (selected().point_mul_many)(k, points, out);
}

/// Whether the equations hold.
pub(crate) fn verify_many_vartime(equations: &[Equation<Point>], out: &mut [bool]) {
    (selected().verify_many_vartime)(equations, out);
}

/// As [`verify_many_vartime`], for keys with tables.
pub(crate) fn verify_prepared_many_vartime(equations: &[Equation<&KeyTable>], out: &mut [bool]) {
    (selected().verify_prepared_many_vartime)(equations, out);
}

/// As [`verify_prepared_many_vartime`], of one equation. Allocates nothing.
pub(crate) fn verify_prepared_vartime(equation: &Equation<&KeyTable>) -> bool {
    with_backend!(B => serial::verify_prepared_vartime::<B>(equation))
}

/// `[s]G + [t]P`; nothing for infinity.
pub(crate) fn double_scalar_mul_many_vartime(
    s: &[U256],
    t: &[U256],
    points: &[Point],
    out: &mut [Option<Point>],
) {
    (selected().double_scalar_mul_many_vartime)(s, t, points, out);
}

/// `1/a mod n`, and 0 for 0, for secret `a`, in place.
pub(crate) fn invert_many(a: &mut [U256]) {
    with_backend!(B => serial::invert_many::<B>(a))
}

#[cfg(test)]
mod tests;
