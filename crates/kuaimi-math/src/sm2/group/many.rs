//! Many operations at once, for batches and for nonces that are computed in advance.
//!
//! Each function takes slices of equal length, with one element for each operation, and gives the
//! same results as single operations. An [`Implementation`] is a list of such functions. Those of
//! `serial` compute one operation after another with a scalar backend, and share the inversions.
//! Those of `lanes` compute as many operations at once as an engine has lanes. A call may have any
//! number of operations. [`chunk`] is the recommended number.

use alloc::vec::Vec;

use kuaimi_platform::backend::Lanes;

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::lanes::{self, Adx, Avx2, Avx512, AvxIfma, Engine, Ifma};
use super::{Equation, KeyTable, Point, serial};
use crate::arith::backend::{Visitor, for_each, with_backend};
use crate::arith::{Backend, U256};

/// The type of [`double_scalar_mul_many_vartime`].
type SumsOfTwoProducts = fn(&[U256], &[U256], &[Point], &mut [Option<Point>]);
/// The type of [`point_mul_add_many_vartime`].
type ProductsAndSums = fn(&[U256], &[Point], &[Point], &mut [Option<Point>]);

/// An implementation of this module's functions of the same names.
#[derive(Clone, Copy)]
pub struct Implementation {
    /// The names of the engine and of the backend.
    pub name: [&'static str; 2],
    /// See [`chunk`].
    pub chunk: usize,
    /// See [`worth_a_table`].
    pub worth_a_table: usize,
    /// See [`one_by_one`].
    pub together: usize,
    /// See [`generator_mul_many`].
    pub generator_mul_many: fn(&[U256], &mut [Point]),
    /// See [`prepared_mul_many`].
    pub prepared_mul_many: fn(&[U256], &[&KeyTable], &mut [Point]),
    /// See [`point_mul_many`].
    pub point_mul_many: fn(&[U256], &[Point], &mut [Point]),
    /// See [`verify_many_vartime`].
    pub verify_many_vartime: fn(&[Equation<Point>], &mut [bool]),
    /// See [`verify_prepared_many_vartime`].
    pub verify_prepared_many_vartime: fn(&[Equation<&KeyTable>], &mut [bool]),
    /// See [`double_scalar_mul_many_vartime`].
    pub double_scalar_mul_many_vartime: SumsOfTwoProducts,
    /// See [`point_mul_add_many_vartime`].
    pub point_mul_add_many_vartime: ProductsAndSums,
    /// See [`KeyTable::build_vartime`].
    pub key_table_vartime: fn(&Point) -> KeyTable,
}

/// One operation after another, with the backend `B`.
const fn serial<B: Backend>() -> Implementation {
    Implementation {
        name: ["serial", B::NAME],
        chunk: serial::CHUNK,
        worth_a_table: serial::WORTH_A_TABLE,
        together: 2,
        generator_mul_many: serial::generator_mul_many::<B>,
        prepared_mul_many: serial::prepared_mul_many::<B>,
        point_mul_many: serial::point_mul_many::<B>,
        verify_many_vartime: serial::verify_many_vartime::<B>,
        verify_prepared_many_vartime: serial::verify_prepared_many_vartime::<B>,
        double_scalar_mul_many_vartime: serial::double_scalar_mul_many_vartime::<B>,
        point_mul_add_many_vartime: serial::point_mul_add_many_vartime::<B>,
        key_table_vartime: serial::key_table_vartime::<B>,
    }
}

/// In the lanes of the engine `L`. The backend `B` computes the few single operations.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const fn in_lanes<L: Engine, B: Backend>() -> Implementation {
    Implementation {
        name: [L::NAME, B::NAME],
        chunk: L::CHUNK,
        worth_a_table: L::WORTH_A_TABLE,
        together: if L::ONE_FILLS { L::DOUBLINGS.all } else { 2 },
        generator_mul_many: lanes::generator_mul_many::<L, B>,
        prepared_mul_many: lanes::prepared_mul_many::<L, B>,
        point_mul_many: lanes::point_mul_many::<L, B>,
        verify_many_vartime: lanes::verify_many_vartime::<L, B>,
        verify_prepared_many_vartime: lanes::verify_prepared_many_vartime::<L, B>,
        double_scalar_mul_many_vartime: lanes::double_scalar_mul_many_vartime::<L, B>,
        point_mul_add_many_vartime: lanes::point_mul_add_many_vartime::<L, B>,
        key_table_vartime: lanes::key_table_vartime::<L, B>,
    }
}

/// The lanes of AVX2 where they are faster than MULX and ADX. For sums of precomputed multiples
/// they are slower: `cargo bench --bench many` measures it.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const AVX2: Implementation = Implementation {
    generator_mul_many: serial::generator_mul_many::<Adx>,
    prepared_mul_many: serial::prepared_mul_many::<Adx>,
    verify_prepared_many_vartime: serial::verify_prepared_many_vartime::<Adx>,
    key_table_vartime: serial::key_table_vartime::<Adx>,
    ..in_lanes::<Avx2, Adx>()
};

/// All implementations that this CPU can run, for tests and measurements. That of AVX2 uses its
/// lanes for every function.
pub fn implementations() -> impl Iterator<Item = &'static Implementation> {
    struct Serial(Vec<&'static Implementation>);

    impl Visitor for Serial {
        fn visit<B: Backend>(&mut self) {
            self.0.push(const { &serial::<B>() });
        }
    }

    let mut scalar = Serial(Vec::new());
    for_each(&mut scalar);
    let lanes = Lanes::available().filter_map(|lanes| match lanes.get() {
        Lanes::None => None,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Lanes::Avx2 => Some(const { &in_lanes::<Avx2, Adx>() }),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Lanes::AvxIfma => Some(const { &in_lanes::<AvxIfma, Adx>() }),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Lanes::Avx512 => Some(const { &in_lanes::<Avx512, Adx>() }),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Lanes::Ifma => Some(const { &in_lanes::<Ifma, Adx>() }),
    });
    scalar.0.into_iter().chain(lanes)
}

/// The implementation that this process uses now.
pub(super) fn selected() -> &'static Implementation {
    match Lanes::selected().get() {
        Lanes::None => with_backend!(B => const { &serial::<B>() }),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Lanes::Avx2 => &AVX2,
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Lanes::AvxIfma => const { &in_lanes::<AvxIfma, Adx>() },
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Lanes::Avx512 => const { &in_lanes::<Avx512, Adx>() },
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Lanes::Ifma => const { &in_lanes::<Ifma, Adx>() },
    }
}

/// The recommended number of operations in one call: it fills the lanes, and many operations share
/// an inversion.
pub fn chunk() -> usize {
    selected().chunk
}

/// The recommended number of operations in one call of [`generator_mul_many`] or
/// [`verify_prepared_many_vartime`]: they use the memory of a chunk again for the next one.
pub fn several_chunks() -> usize {
    4 * chunk()
}

/// The number of equations with the same point from which it is faster to build the table of that
/// point.
pub fn worth_a_table() -> usize {
    selected().worth_a_table
}

/// Whether so few operations are faster as single ones, each with one inversion for a product of
/// the generator and another.
pub fn one_by_one(count: usize) -> bool {
    count < selected().together
}

/// `[k]G` for secret `k` other than zero. Constant time.
pub fn generator_mul_many(k: &[U256], out: &mut [Point]) {
    (selected().generator_mul_many)(k, out);
}

/// `[k]P` for secret `k` other than zero, given the tables of the points. Constant time.
pub fn prepared_mul_many(k: &[U256], tables: &[&KeyTable], out: &mut [Point]) {
    (selected().prepared_mul_many)(k, tables, out);
}

/// `[k]P` for secret `k` other than zero. Constant time.
pub fn point_mul_many(k: &[U256], points: &[Point], out: &mut [Point]) {
    (selected().point_mul_many)(k, points, out);
}

/// Whether the equations hold. For public values.
pub fn verify_many_vartime(equations: &[Equation<Point>], out: &mut [bool]) {
    (selected().verify_many_vartime)(equations, out);
}

/// [`verify_many_vartime`] with the tables of the points.
pub fn verify_prepared_many_vartime(equations: &[Equation<&KeyTable>], out: &mut [bool]) {
    (selected().verify_prepared_many_vartime)(equations, out);
}

/// `[s]G + [t]P`, or `None` for infinity. For public values.
pub fn double_scalar_mul_many_vartime(
    s: &[U256],
    t: &[U256],
    points: &[Point],
    out: &mut [Option<Point>],
) {
    (selected().double_scalar_mul_many_vartime)(s, t, points, out);
}

/// `[k]P + Q`, or `None` for infinity. For public values. Numbers below 2¹³⁰, as the key exchange
/// has, take half of the doublings in lanes.
pub fn point_mul_add_many_vartime(k: &[U256], p: &[Point], q: &[Point], out: &mut [Option<Point>]) {
    (selected().point_mul_add_many_vartime)(k, p, q, out);
}
