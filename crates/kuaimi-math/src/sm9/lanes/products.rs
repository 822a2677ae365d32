//! Many products from fixed-base tables, in `G1` and in `G2`, one in each lane: rows of multiples,
//! and their sums.

use alloc::boxed::Box;
use alloc::vec::Vec;

use once_cell::race::OnceBox;
use zeroize::Zeroize;

use super::fq2::Fq2s;
use super::sums::{Coordinate, Fqs, Point, memory, sum_rows};
use crate::arith::lanes::ifma::Ifma;
use crate::arith::lanes::shared_table::SharedTable;
use crate::arith::lanes::{Lanes, vectorize};
use crate::arith::{Backend, U256};
use crate::curve::lanes::Digits;
use crate::curve::recode::{OddWindowRecoder, OddWindows, window_count};
use crate::sm9::curve::{G1_WINDOW_BITS, G2_WINDOW_BITS, Q, Scalar};
use crate::sm9::group::{G1, G2};
use crate::sm9::tables::{g1_generator_entries, g2_generator_entries};

/// The products whose multiples `multiple` looks up, given a window and the digits of all lanes in
/// it.
fn products<F: Coordinate, B: Backend>(
    width: usize,
    k: &[U256],
    out: &mut [[F::Limbs; 2]],
    multiple: impl Fn(usize, &Digits) -> Point<F>,
) {
    // Even without a row each pass of the sums would compute an inversion.
    if k.is_empty() {
        return;
    }
    let recoder = OddWindowRecoder::<Scalar<B>>::new(width);
    let windows: Vec<OddWindows> = k.iter().map(|k| recoder.windows(k)).collect();
    let stride = window_count(256, width);
    let lanes = F::Lanes::LANES;
    let mut points = memory::<F>(k.len().div_ceil(lanes) * stride);
    let rows = points.chunks_exact_mut(stride).zip(windows.chunks(lanes));
    for (row, windows) in rows {
        for (i, place) in row.iter_mut().enumerate() {
            *place = multiple(i, &Digits::of_window(windows, i));
        }
    }
    sum_rows::<F, B>(&mut points, stride);
    for (sum, out) in points.chunks_exact(stride).zip(out.chunks_mut(lanes)) {
        let (mut x, mut y) = vectorize!(F::Lanes, (sum[0].x.store(), sum[0].y.store()));
        for ((out, x), y) in out.iter_mut().zip(&x).zip(&y) {
            *out = [*x, *y];
        }
        x.zeroize();
        y.zeroize();
    }
    for point in &mut points {
        point.x.zeroize();
        point.y.zeroize();
    }
}

/// `−P` in the lanes whose bits are set.
#[inline(always)]
fn with_signs<F: Coordinate>(point: Point<F>, negative: u64) -> Point<F> {
    let minus_y = point.y.sub(&point.y).sub(&point.y);
    Point {
        x: point.x,
        y: F::select(negative, &minus_y, &point.y),
    }
}

const G1_PER_WINDOW: usize = 1 << (G1_WINDOW_BITS - 1);
const G2_PER_WINDOW: usize = 1 << (G2_WINDOW_BITS - 1);

/// `[k]P1` for each `k`. Constant time.
pub(in crate::sm9) fn g1_generator<B: Backend>(k: &[U256], out: &mut [G1]) {
    static TABLE: OnceBox<SharedTable<Ifma, 1, G1_PER_WINDOW>> = OnceBox::new();
    let table = TABLE.get_or_init(|| {
        let words = g1_generator_entries().as_flattened().as_flattened();
        Box::new(SharedTable::new::<Q>(words))
    });
    g1_products::<B, _>(table, k, out);
}

/// `[k]P` for each `k`, with the entries of a table of `P`, which may be secret. Constant time.
pub(in crate::sm9) fn g1_table<B: Backend, const PER_WINDOW: usize>(
    entries: &[G1],
    k: &[U256],
    out: &mut [G1],
) {
    let words = entries.as_flattened().as_flattened();
    let table = SharedTable::<Ifma, 1, PER_WINDOW>::new::<Q>(words);
    g1_products::<B, _>(&table, k, out);
}

/// The windows have as many bits as their number of entries says.
fn g1_products<B: Backend, const PER_WINDOW: usize>(
    table: &SharedTable<Ifma, 1, PER_WINDOW>,
    k: &[U256],
    out: &mut [G1],
) {
    let width = PER_WINDOW.ilog2() as usize + 1;
    products::<Fqs<Ifma>, B>(width, k, out, |i, digits| {
        vectorize!(Ifma, {
            let (x, y) = table.look_up(i, 0, &digits.indices);
            let (x, y) = (Fqs(x), Fqs(y));
            with_signs(Point { x, y }, digits.negative)
        })
    });
}

/// `[k]P2` for each `k`. Constant time.
pub(in crate::sm9) fn g2_generator<B: Backend>(k: &[U256], out: &mut [G2]) {
    /// The two numbers of a coordinate are a pair.
    static TABLE: OnceBox<SharedTable<Ifma, 2, G2_PER_WINDOW>> = OnceBox::new();
    let table = TABLE.get_or_init(|| {
        let words = g2_generator_entries().as_flattened().as_flattened();
        Box::new(SharedTable::new::<Q>(words))
    });
    products::<Fq2s<Ifma>, B>(G2_WINDOW_BITS, k, out, |i, digits| {
        vectorize!(Ifma, {
            let (x0, x1) = table.look_up(i, 0, &digits.indices);
            let (y0, y1) = table.look_up(i, 1, &digits.indices);
            let (x, y) = (Fq2s { c0: x0, c1: x1 }, Fq2s { c0: y0, c1: y1 });
            with_signs(Point { x, y }, digits.negative)
        })
    });
}
