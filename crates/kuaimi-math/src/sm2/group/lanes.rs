//! Many products of points in the lanes of an engine.
//!
//! The functions are those of [`serial`](super::serial), which also computes single results for
//! them.
//!
//! | function | method |
//! | --- | --- |
//! | the table of a key | the multiples of a window in each lane |
//! | products of the generator and of prepared keys | sums of multiples from fixed-base tables with shared inversions |
//! | products of other points | tables and doublings in lanes, with windows of 5 bits |
//! | `[s]G + [t]P` | `[s]G` from the generator's wide table, `[t]P` as the product of another point, and one addition |
//! | `[k]P + Q` for short `k` | `[k]P` as the product of another point with half of the windows, and one addition |
//!
//! If the number of operations is no multiple of the lanes, the last vector is only partly used.
//! With few operations in it ([`Least`]), one operation after another is faster: where one product
//! from a table fills the lanes, as in [`single`](super::single), else by
//! [`serial`](super::serial).
//!
//! Sums of public values may have exceptional additions, of equal or opposite points. An attacker
//! who chooses keys and signatures can cause them. The lanes with such an addition are known at the
//! end, and [`serial`](super::serial) computes them again.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use once_cell::race::OnceBox;
use zeroize::Zeroize;

use super::{Equation, KeyTable, Point, key_table, serial, single};
pub(super) use crate::arith::backend::Adx;
pub(super) use crate::arith::lanes::ifma::{AvxIfma, Ifma};
use crate::arith::lanes::least::Least;
pub(super) use crate::arith::lanes::radix29::{Avx2, Avx512};
use crate::arith::lanes::shared_table::SharedTable;
use crate::arith::lanes::{Lanes, MAX_LANES, vectorize, wipe};
use crate::arith::{Backend, Fe, Field, Modulus, PrimeField, U256};
use crate::curve::lanes::Affine;
use crate::curve::lanes::inverses::invert;
use crate::curve::lanes::multiples::{WIDTH, tables_vartime};
use crate::curve::lanes::point;
use crate::curve::lanes::products::{
    load, mul_many, mul_windows_many, multiples, multiples_vartime, shared_multiples, with_signs,
};
use crate::curve::lanes::sums::BatchAffineSums;
use crate::curve::recode::{OddWindowRecoder, OddWindows, window_count};
use crate::curve::summation::{InLanes, products};
use crate::curve::{self, FixedBaseTable};
use crate::sm2::curve::{Fp, N, P, Scalar, Sm2, WIDE_WINDOW_BITS, WINDOW_BITS};
use crate::sm2::tables::{generator_entries, generator_table, generator_wide_entries};

/// Entries of a window of the generator's fixed-base tables.
const PER_WINDOW: usize = 1 << (WINDOW_BITS - 1);
const PER_WIDE_WINDOW: usize = 1 << (WIDE_WINDOW_BITS - 1);

/// An engine with the generator's fixed-base table in its own form.
pub trait Engine: Lanes {
    /// The recommended number of operations in a call: a multiple of the lanes, whose rows fit into
    /// the second-level cache.
    const CHUNK: usize;
    /// From how many operations on lanes are faster: products of the generator, of points with
    /// tables, verification with tables, and products of other points.
    const GENERATOR: Least;
    const PREPARED: Least;
    const VERIFY_PREPARED: Least;
    const DOUBLINGS: Least;
    /// Whether one product from a table fills the lanes, and is faster so.
    const ONE_FILLS: bool;
    /// See [`worth_a_table`](super::worth_a_table).
    const WORTH_A_TABLE: usize;

    /// The generator's table for secret scalars. It is made at its first use.
    fn generator() -> &'static SharedTable<Self, 1, PER_WINDOW>;
}

/// Implements [`Engine`].
macro_rules! engine {
    ($engine:ty, $chunk:literal, $least:expr, $one_fills:literal, $worth_a_table:literal) => {
        impl Engine for $engine {
            const CHUNK: usize = $chunk;
            const GENERATOR: Least = $least[0];
            const PREPARED: Least = $least[1];
            const VERIFY_PREPARED: Least = $least[2];
            const DOUBLINGS: Least = $least[3];
            const ONE_FILLS: bool = $one_fills;
            const WORTH_A_TABLE: usize = $worth_a_table;

            fn generator() -> &'static SharedTable<Self, 1, PER_WINDOW> {
                static TABLE: OnceBox<SharedTable<$engine, 1, PER_WINDOW>> = OnceBox::new();
                TABLE.get_or_init(|| {
                    let words = generator_entries().as_flattened().as_flattened();
                    Box::new(SharedTable::new::<P>(words))
                })
            }
        }
    };
}

const THREE: Least = Least::new(3, 3);
engine!(Avx2, 32, [Least::new(4, 4); 4], false, 6);
// From the times of an operation in batches of 64, on Zen 4.
engine!(
    Avx512,
    64,
    [
        Least::new(6, 5),
        Least::new(7, 7),
        Least::new(6, 6),
        Least::new(5, 5)
    ],
    false,
    8
);
// From predicted cycles: see docs/performance.md.
engine!(AvxIfma, 32, [THREE; 4], false, 10);
// Measured on Zen 4.
engine!(
    Ifma,
    64,
    [Least::new(7, 4), Least::new(9, 5), Least::new(15, 7), THREE],
    true,
    14
);

/// The table of a public point, a window in each lane. The doublings between the windows are
/// scalar.
pub(super) fn key_table_vartime<L: Engine, B: Backend>(point: &Point) -> KeyTable {
    const { assert!(WIDTH == key_table::WIDTH) };
    let bases = FixedBaseTable::<Sm2<B>>::bases_vartime(&curve::Affine::from_entry(point), WIDTH);
    let bases: Vec<Point> = bases.iter().map(|base| base.to_entry()).collect();
    let bases: Vec<Affine<L>> = bases.chunks(L::LANES).map(load::<L, P>).collect();
    let mut entries = vec![Point::default(); key_table::WINDOWS * key_table::PER_WINDOW];
    for (windows, multiples) in entries
        .chunks_mut(L::LANES * key_table::PER_WINDOW)
        .zip(&tables_vartime::<L, P, B>(&bases))
    {
        for (i, multiple) in multiples.iter().enumerate() {
            let mut points = [Point::default(); MAX_LANES];
            store(multiple, &mut points[..L::LANES]);
            let windows = windows.chunks_exact_mut(key_table::PER_WINDOW);
            for (window, point) in windows.zip(points) {
                window[i] = point;
            }
        }
    }
    KeyTable::from_entries(entries)
}

/// Stores the points of all lanes.
fn store<L: Lanes>(p: &Affine<L>, out: &mut [Point]) {
    let (mut x, mut y) = ([[0; 4]; MAX_LANES], [[0; 4]; MAX_LANES]);
    vectorize!(L, {
        L::store::<P>(&p.x, &mut x[..L::LANES]);
        L::store::<P>(&p.y, &mut y[..L::LANES]);
    });
    for ((out, x), y) in out.iter_mut().zip(&x).zip(&y) {
        *out = [*x, *y];
    }
    x.zeroize();
    y.zeroize();
}

fn windows<'a, B: Backend>(k: impl Iterator<Item = &'a U256>, width: usize) -> Vec<OddWindows> {
    let recoder = OddWindowRecoder::<Scalar<B>>::new(width);
    k.map(|k| recoder.windows(k)).collect()
}

pub(super) fn generator_mul_many<L: Engine, B: Backend>(k: &[U256], out: &mut [Point]) {
    let (k, k_rest) = k.split_at(L::GENERATOR.of::<L>(k.len()));
    let (out, out_rest) = out.split_at_mut(k.len());
    if L::ONE_FILLS {
        products::<B, InLanes<L>, _, _>(k_rest, |_| generator_table(), out_rest);
    } else {
        serial::generator_mul_many::<B>(k_rest, out_rest);
    }
    if out.is_empty() {
        return;
    }

    let mut sums = rows::<L>(k.len(), window_count(256, WINDOW_BITS));
    for (k, out) in k.chunks(L::CHUNK).zip(out.chunks_mut(L::CHUNK)) {
        let windows = windows::<B>(k.iter(), WINDOW_BITS);
        sums.keep(k.len().div_ceil(L::LANES));
        for (row, k) in sums.rows_mut().zip(windows.chunks(L::LANES)) {
            shared_multiples::<L, P, _>(L::generator(), k, row);
        }
        store_sums::<L, B>(&mut sums, out);
    }
}

/// Memory for the rows of so many operations, or of those of a chunk: it is filled and used again
/// for each chunk, as making it and wiping it take as long as storing the points.
fn rows<L: Engine>(operations: usize, stride: usize) -> BatchAffineSums<L> {
    BatchAffineSums::new(operations.min(L::CHUNK).div_ceil(L::LANES), stride)
}

pub(super) fn prepared_mul_many<L: Engine, B: Backend>(
    k: &[U256],
    tables: &[&KeyTable],
    out: &mut [Point],
) {
    let (k, k_rest) = k.split_at(L::PREPARED.of::<L>(k.len()));
    let (tables, tables_rest) = tables.split_at(k.len());
    let (out, out_rest) = out.split_at_mut(k.len());
    if L::ONE_FILLS {
        let table = |i: usize| tables_rest[i].fixed_base_table::<B>();
        products::<B, InLanes<L>, _, _>(k_rest, table, out_rest);
    } else {
        serial::prepared_mul_many::<B>(k_rest, tables_rest, out_rest);
    }
    if out.is_empty() {
        return;
    }

    let windows = windows::<B>(k.iter(), key_table::WIDTH);
    let mut sums = BatchAffineSums::<L>::new(k.len().div_ceil(L::LANES), key_table::WINDOWS);
    for ((row, k), tables) in sums
        .rows_mut()
        .zip(windows.chunks(L::LANES))
        .zip(tables.chunks(L::LANES))
    {
        let tables: Vec<&[Point]> = tables.iter().map(|table| table.entries()).collect();
        multiples::<L, P, B>(&tables, key_table::PER_WINDOW, k, row);
    }
    store_sums::<L, B>(&mut sums, out);
}

fn store_sums<L: Lanes, B: Backend>(sums: &mut BatchAffineSums<L>, out: &mut [Point]) {
    let sums = sums.sum::<P, B>(Fe::invert);
    for (sum, out) in sums.zip(out.chunks_mut(L::LANES)) {
        store(sum, out);
    }
}

pub(super) fn point_mul_many<L: Engine, B: Backend>(
    k: &[U256],
    points: &[Point],
    out: &mut [Point],
) {
    let (k, k_rest) = k.split_at(L::DOUBLINGS.of::<L>(k.len()));
    let (points, points_rest) = points.split_at(k.len());
    let (out, out_rest) = out.split_at_mut(k.len());
    serial::point_mul_many::<B>(k_rest, points_rest, out_rest);
    if out.is_empty() {
        return;
    }

    let mut products = mul_many::<L, P, B, Scalar<B>>(k, points);
    store_products::<L, B>(&products, out, Fe::invert);
    for product in &mut products {
        product.wipe();
    }
}

/// Stores the affine forms of points. The results of lanes at infinity have no meaning.
fn store_products<L: Lanes, B: Backend>(
    products: &[point::Point<L, P>],
    out: &mut [Point],
    inversion: fn(&Fp<B>) -> Fp<B>,
) {
    let mut inverses: Vec<L::Vector> = products.iter().map(|product| product.z).collect();
    invert::<L, P, B>(&mut inverses, inversion);
    let half = Fp::<B>::ONE.half().to_montgomery();
    let half = vectorize!(L, L::splat::<P>(&half));
    for ((product, inverse), out) in products.iter().zip(&inverses).zip(out.chunks_mut(L::LANES)) {
        store(&product.affine_with(inverse, &half), out);
    }
    wipe::<L>(&mut inverses);
}

/// `[s]G + [t]P` in Jacobian coordinates, each vector with the bits of its exceptional lanes.
fn double_scalar_products_vartime<'a, L: Engine, B: Backend>(
    s: impl Iterator<Item = &'a U256>,
    t: &[U256],
    points: &[Point],
) -> Vec<(point::Point<L, P>, u64)> {
    let windows = windows::<B>(s, WIDE_WINDOW_BITS);
    let rows = windows.len().div_ceil(L::LANES);
    let mut sums = BatchAffineSums::<L>::new(rows, window_count(256, WIDE_WINDOW_BITS));
    let generator = [generator_wide_entries(); MAX_LANES];
    for (row, s) in sums.rows_mut().zip(windows.chunks(L::LANES)) {
        multiples_vartime::<L, P>(&generator[..s.len()], PER_WIDE_WINDOW, s, row);
    }
    let sums = sums.sum_vartime::<P, B>(Fe::invert_vartime);
    mul_many::<L, P, B, Scalar<B>>(t, points)
        .into_iter()
        .zip(sums)
        .map(|(mut product, (sum, exceptional))| {
            product.add_incomplete(sum, 0);
            let infinity = product.infinity();
            (product, exceptional | infinity)
        })
        .collect()
}

pub(super) fn double_scalar_mul_many_vartime<L: Engine, B: Backend>(
    s: &[U256],
    t: &[U256],
    points: &[Point],
    out: &mut [Option<Point>],
) {
    let (s, s_rest) = s.split_at(L::DOUBLINGS.of::<L>(s.len()));
    let (t, t_rest) = t.split_at(s.len());
    let (points, points_rest) = points.split_at(s.len());
    let (out, out_rest) = out.split_at_mut(s.len());
    if L::ONE_FILLS {
        for (((out, s), t), p) in out_rest.iter_mut().zip(s_rest).zip(t_rest).zip(points_rest) {
            *out = single::double_scalar_mul_with::<B, InLanes<L>>(s, t, p);
        }
    } else {
        serial::double_scalar_mul_many_vartime::<B>(s_rest, t_rest, points_rest, out_rest);
    }
    if out.is_empty() {
        return;
    }

    let sums = double_scalar_products_vartime::<L, B>(s.iter(), t, points);
    store_sums_vartime::<L, B>(sums, out, |i, out| {
        serial::double_scalar_mul_many_vartime::<B>(&s[i..=i], &t[i..=i], &points[i..=i], out);
    });
}

/// Stores the affine forms of sums, each vector with the bits of its exceptional lanes: these are
/// computed again.
fn store_sums_vartime<L: Lanes, B: Backend>(
    sums: Vec<(point::Point<L, P>, u64)>,
    out: &mut [Option<Point>],
    again: impl Fn(usize, &mut [Option<Point>]),
) {
    let (sums, exceptional): (Vec<_>, Vec<u64>) = sums.into_iter().unzip();
    let mut affine = vec![[[0; 4]; 2]; out.len()];
    store_products::<L, B>(&sums, &mut affine, Fe::invert_vartime);
    for (i, (out, sum)) in out.iter_mut().zip(affine).enumerate() {
        if exceptional[i / L::LANES] >> (i % L::LANES) & 1 == 0 {
            *out = Some(sum);
        } else {
            again(i, core::slice::from_mut(out));
        }
    }
}

/// The windows of a short number, and the bits of all of them.
const SHORT_WINDOWS: usize = window_count(128, WIDTH);
const SHORT_BITS: usize = SHORT_WINDOWS * WIDTH;

/// The signed bits of `k`, or of `k + 1` if `k` is even: an odd number below 2^L is
/// `Σ (2bⱼ − 1)·2ʲ` with `b = (k + 2^L − 1)/2`.
fn short_windows_vartime(k: &U256) -> OddWindows {
    debug_assert!(k.bit_length_vartime() <= SHORT_BITS);
    let mut bits = k.shr1(false);
    bits.0[(SHORT_BITS - 1) / 64] |= 1 << ((SHORT_BITS - 1) % 64);
    OddWindows::from_signs(bits, WIDTH)
}

pub(super) fn point_mul_add_many_vartime<L: Engine, B: Backend>(
    k: &[U256],
    p: &[Point],
    q: &[Point],
    out: &mut [Option<Point>],
) {
    let short = k.iter().all(|k| k.bit_length_vartime() <= SHORT_BITS);
    let in_lanes = if short {
        L::DOUBLINGS.of::<L>(k.len())
    } else {
        0
    };
    let (k, k_rest) = k.split_at(in_lanes);
    let (p, p_rest) = p.split_at(in_lanes);
    let (q, q_rest) = q.split_at(in_lanes);
    let (out, out_rest) = out.split_at_mut(in_lanes);
    serial::point_mul_add_many_vartime::<B>(k_rest, p_rest, q_rest, out_rest);
    if out.is_empty() {
        return;
    }

    // For even k it is [k + 1]P + (Q − P).
    let mut differences = BatchAffineSums::<L>::new(k.len().div_ceil(L::LANES), 2);
    for ((row, p), q) in differences
        .rows_mut()
        .zip(p.chunks(L::LANES))
        .zip(q.chunks(L::LANES))
    {
        row[0] = load::<L, P>(q);
        row[1] = with_signs::<L, P>(&load::<L, P>(p), u64::MAX);
    }
    let differences = differences.sum_vartime::<P, B>(Fe::invert_vartime);
    let windows: Vec<OddWindows> = k.iter().map(short_windows_vartime).collect();
    let sums = mul_windows_many::<L, P, B>(&windows, SHORT_WINDOWS, p)
        .into_iter()
        .zip(differences)
        .zip(k.chunks(L::LANES).zip(q.chunks(L::LANES)))
        .map(|((mut product, (difference, exceptional)), (k, q))| {
            let even = k
                .iter()
                .enumerate()
                .fold(0, |even, (lane, k)| even | (!k.0[0] & 1) << lane);
            let q = load::<L, P>(q);
            let addend = vectorize!(L, {
                let even = L::mask(even);
                Affine {
                    x: L::select(even, &difference.x, &q.x),
                    y: L::select(even, &difference.y, &q.y),
                }
            });
            product.add_incomplete(&addend, 0);
            let infinity = product.infinity();
            (product, exceptional & even | infinity)
        })
        .collect();
    store_sums_vartime::<L, B>(sums, out, |i, out| {
        serial::point_mul_add_many_vartime::<B>(&k[i..=i], &p[i..=i], &q[i..=i], out);
    });
}

/// Whether `x + n` is below `p`, so that it is another possible x-coordinate that is `x` modulo
/// `n`. The probability is 2⁻³².
fn has_second_candidate_vartime(x: &U256) -> bool {
    let (sum, carry) = x.overflowing_add(&N::MODULUS);
    !carry && sum.lt_vartime(&P::MODULUS)
}

pub(super) fn verify_many_vartime<L: Engine, B: Backend>(
    equations: &[Equation<Point>],
    out: &mut [bool],
) {
    let (equations, rest) = equations.split_at(L::DOUBLINGS.of::<L>(equations.len()));
    let (out, out_rest) = out.split_at_mut(equations.len());
    if L::ONE_FILLS {
        for (out, e) in out_rest.iter_mut().zip(rest) {
            *out = single::verify_with::<B, InLanes<L>>([&e.s, &e.t, &e.x], &e.p);
        }
    } else {
        serial::verify_many_vartime::<B>(rest, out_rest);
    }
    if out.is_empty() {
        return;
    }

    let t: Vec<U256> = equations.iter().map(|e| e.t).collect();
    let points: Vec<Point> = equations.iter().map(|e| e.p).collect();
    let sums = double_scalar_products_vartime::<L, B>(equations.iter().map(|e| &e.s), &t, &points);
    for (((sum, exceptional), equations), out) in sums
        .iter()
        .zip(equations.chunks(L::LANES))
        .zip(out.chunks_mut(L::LANES))
    {
        let mut x = [[0; 4]; MAX_LANES];
        for (x, equation) in x.iter_mut().zip(equations) {
            *x = Fp::<B>::from_u256_reduced(&equation.x).to_montgomery();
        }
        let holds = sum.x_is(&vectorize!(L, L::load::<P>(&x[..L::LANES])));
        for (lane, (out, equation)) in out.iter_mut().zip(equations).enumerate() {
            *out = holds >> lane & 1 == 1;
            let unknown = exceptional >> lane & 1 == 1
                || (!*out && has_second_candidate_vartime(&equation.x));
            if unknown {
                let equation = core::slice::from_ref(equation);
                serial::verify_many_vartime::<B>(equation, core::slice::from_mut(out));
            }
        }
    }
}

/// A table that so many verifications in a row look into is read in order before: where there are
/// many keys, it comes from far away, and the CPU fetches lines ahead of such a reading, but not
/// ahead of look-ups.
const WORTH_A_READING: usize = 8;

pub(super) fn verify_prepared_many_vartime<L: Engine, B: Backend>(
    equations: &[Equation<&KeyTable>],
    out: &mut [bool],
) {
    let (equations, rest) = equations.split_at(L::VERIFY_PREPARED.of::<L>(equations.len()));
    let (out, out_rest) = out.split_at_mut(equations.len());
    if L::ONE_FILLS {
        for (out, equation) in out_rest.iter_mut().zip(rest) {
            *out = single::verify_prepared_with::<B, InLanes<L>>(equation);
        }
    } else {
        serial::verify_prepared_many_vartime::<B>(rest, out_rest);
    }
    if out.is_empty() {
        return;
    }

    let split = window_count(256, WIDE_WINDOW_BITS);
    let mut sums = rows::<L>(equations.len(), split + key_table::WINDOWS);
    for (equations, out) in equations.chunks(L::CHUNK).zip(out.chunks_mut(L::CHUNK)) {
        for run in equations.chunk_by(|a, b| core::ptr::eq(a.p, b.p)) {
            if let (Some(equation), true) = (run.first(), run.len() >= WORTH_A_READING) {
                equation.p.read();
            }
        }
        let s = windows::<B>(equations.iter().map(|e| &e.s), WIDE_WINDOW_BITS);
        let t = windows::<B>(equations.iter().map(|e| &e.t), key_table::WIDTH);
        sums.keep(equations.len().div_ceil(L::LANES));
        let generator = [generator_wide_entries(); MAX_LANES];
        for (((row, s), t), equations) in sums
            .rows_mut()
            .zip(s.chunks(L::LANES))
            .zip(t.chunks(L::LANES))
            .zip(equations.chunks(L::LANES))
        {
            let tables: Vec<&[Point]> = equations.iter().map(|e| e.p.entries()).collect();
            let (s_part, t_part) = row.split_at_mut(split);
            multiples_vartime::<L, P>(&generator[..s.len()], PER_WIDE_WINDOW, s, s_part);
            multiples_vartime::<L, P>(&tables, key_table::PER_WINDOW, t, t_part);
        }
        verdicts_of::<L, B>(&mut sums, equations, out);
    }
}

/// What the sums of these equations give, with exceptional lanes computed again.
fn verdicts_of<L: Engine, B: Backend>(
    sums: &mut BatchAffineSums<L>,
    equations: &[Equation<&KeyTable>],
    out: &mut [bool],
) {
    let results = sums.sum_vartime::<P, B>(Fe::invert_vartime);
    for (((sum, exceptional), equations), out) in results
        .zip(equations.chunks(L::LANES))
        .zip(out.chunks_mut(L::LANES))
    {
        let mut x = [[0; 4]; MAX_LANES];
        vectorize!(L, L::store::<P>(&sum.x, &mut x[..L::LANES]));
        for (lane, ((out, equation), x)) in out.iter_mut().zip(equations).zip(x).enumerate() {
            if exceptional >> lane & 1 == 1 {
                *out = serial::verify_prepared_vartime::<B>(equation);
                continue;
            }
            let x = Fp::<B>::from_montgomery(x).to_u256();
            // As p < 2n, one subtraction reduces the x-coordinate modulo n.
            let (difference, below) = x.overflowing_sub(&N::MODULUS);
            *out = equation.x == if below { x } else { difference };
        }
    }
}
