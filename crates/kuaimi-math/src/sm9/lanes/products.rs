//! Many products from fixed-base tables, in `G1` and in `G2`, one in each lane: rows of multiples, and their sums.

use alloc::boxed::Box;
use alloc::vec::Vec;

use once_cell::race::OnceBox;
use zeroize::Zeroize;

use super::fq2::Fq2s;
use super::sums::{Coordinate, Fqs, Point, memory, sum_rows};
use crate::arith::lanes::ifma::Ifma;
use crate::arith::lanes::{Coordinates, Lanes, vectorize};
use crate::arith::{Backend, U256};
use crate::curve::lanes::Digits;
use crate::curve::recode::{OddWindowRecoder, OddWindows, window_count};
use crate::sm9::curve::{G1_WINDOW_BITS, G2_WINDOW_BITS, Q, Scalar};
use crate::sm9::group::{G1, G2};
use crate::sm9::tables::{g1_generator_entries, g2_generator_entries};

/// The products whose multiples `multiple` looks up, given a window and the digits of all lanes in it.
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

/// Windows of a table that all lanes share, in the engine's form.
fn blocks(windows: impl Iterator<Item = Vec<Coordinates>>) -> Vec<<Ifma as Lanes>::Block> {
    let mut blocks = Vec::new();
    for window in windows {
        for entries in window.chunks(Ifma::BLOCK) {
            blocks.push(vectorize!(Ifma, Ifma::block::<Q>(entries)));
        }
    }
    blocks
}

const G1_PER_WINDOW: usize = 1 << (G1_WINDOW_BITS - 1);
const G2_PER_WINDOW: usize = 1 << (G2_WINDOW_BITS - 1);
const G1_BLOCKS: usize = G1_PER_WINDOW / Ifma::BLOCK;
const G2_BLOCKS: usize = G2_PER_WINDOW / Ifma::BLOCK;

/// `[k]P1` for each `k`. Constant time.
pub(in crate::sm9) fn g1_generator<B: Backend>(k: &[U256], out: &mut [G1]) {
    static BLOCKS: OnceBox<Vec<<Ifma as Lanes>::Block>> = OnceBox::new();
    let blocks = BLOCKS.get_or_init(|| {
        let windows = g1_generator_entries().chunks(G1_PER_WINDOW);
        Box::new(blocks(windows.map(<[_]>::to_vec)))
    });
    products::<Fqs<Ifma>, B>(G1_WINDOW_BITS, k, out, |i, digits| {
        let window = &blocks[i * G1_BLOCKS..][..G1_BLOCKS];
        vectorize!(Ifma, {
            let (x, y) = Ifma::look_up(window, &digits.indices);
            with_signs(
                Point {
                    x: Fqs(x),
                    y: Fqs(y),
                },
                digits.negative,
            )
        })
    });
}

/// `[k]P2` for each `k`. Constant time.
pub(in crate::sm9) fn g2_generator<B: Backend>(k: &[U256], out: &mut [G2]) {
    /// For each window the blocks of `x`, then those of `y`, as if the two numbers of a coordinate were those of a point.
    static BLOCKS: OnceBox<Vec<<Ifma as Lanes>::Block>> = OnceBox::new();
    let blocks = BLOCKS.get_or_init(|| {
        let windows = g2_generator_entries().chunks(G2_PER_WINDOW);
        Box::new(blocks(windows.flat_map(|window| {
            [0, 1].map(|coordinate| {
                window
                    .iter()
                    .map(|entry| pair(&entry[coordinate]))
                    .collect()
            })
        })))
    });
    products::<Fq2s<Ifma>, B>(G2_WINDOW_BITS, k, out, |i, digits| {
        let (x, y) = blocks[2 * i * G2_BLOCKS..][..2 * G2_BLOCKS].split_at(G2_BLOCKS);
        vectorize!(Ifma, {
            let (x0, x1) = Ifma::look_up(x, &digits.indices);
            let (y0, y1) = Ifma::look_up(y, &digits.indices);
            let (x, y) = (Fq2s { c0: x0, c1: x1 }, Fq2s { c0: y0, c1: y1 });
            with_signs(Point { x, y }, digits.negative)
        })
    });
}

/// The two numbers of an element of `Fq2`.
fn pair([a0, a1, a2, a3, b0, b1, b2, b3]: &[u64; 8]) -> Coordinates {
    [[*a0, *a1, *a2, *a3], [*b0, *b1, *b2, *b3]]
}
