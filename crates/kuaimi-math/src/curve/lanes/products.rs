//! Variable-base products, `[k]P` of a different point in each lane, and rows of multiples from
//! fixed-base tables.

use crate::arith::lanes::vectorize;
use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use super::multiples::{Multiples, WIDTH, look_up, tables_vartime};
use super::point::Point;
use super::{Affine, Digits};
use crate::arith::lanes::shared_table::SharedTable;
use crate::arith::lanes::{Lanes, MAX_LANES, Pair};
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Field, Modulus, PrimeField, U256};
use crate::curve::recode::{OddWindowRecoder, OddWindows, window_count};

/// A field of scalars with four limbs.
pub trait Scalars: PrimeField + Field<Limbs = Limbs> {}
impl<S: PrimeField + Field<Limbs = Limbs>> Scalars for S {}

/// One affine point for each lane, before it is loaded into vectors.
#[derive(Default)]
struct PointBuffer {
    x: [Limbs; MAX_LANES],
    y: [Limbs; MAX_LANES],
}

impl PointBuffer {
    #[inline]
    fn set(&mut self, lane: usize, point: &Pair) {
        if let (Some(x), Some(y)) = (self.x.get_mut(lane), self.y.get_mut(lane)) {
            [*x, *y] = *point;
        }
    }

    #[inline]
    fn load<L: Lanes, M: Modulus>(&self) -> Affine<L> {
        vectorize!(
            L,
            Affine {
                x: L::load::<M>(&self.x[..L::LANES]),
                y: L::load::<M>(&self.y[..L::LANES]),
            }
        )
    }

    /// [`with_signs`] of [`load`](Self::load), which makes no copies on the way to its place.
    #[inline]
    fn load_with_signs<L: Lanes, M: Modulus>(&self, negative: u64, place: &mut Affine<L>) {
        vectorize!(L, {
            place.x = L::load::<M>(&self.x[..L::LANES]);
            place.y = signed::<L, M>(&L::load::<M>(&self.y[..L::LANES]), negative);
        });
    }
}

impl Zeroize for PointBuffer {
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
    }
}

/// One affine point in each lane. If there are fewer points than lanes, the other lanes get the
/// first point. There must be at least one point.
pub fn load<L: Lanes, M: Modulus>(points: &[Pair]) -> Affine<L> {
    let mut buffer = PointBuffer::default();
    for lane in 0..L::LANES {
        buffer.set(lane, points.get(lane).unwrap_or(&points[0]));
    }
    buffer.load::<L, M>()
}

/// `−P` in the lanes whose bits are set, `P` in the others.
#[inline]
pub fn with_signs<L: Lanes, M: Modulus>(p: &Affine<L>, negative: u64) -> Affine<L> {
    vectorize!(
        L,
        Affine {
            x: p.x,
            y: signed::<L, M>(&p.y, negative),
        }
    )
}

/// `−y` in the lanes whose bits are set, `y` in the others.
#[inline(always)]
fn signed<L: Lanes, M: Modulus>(y: &L::Vector, negative: u64) -> L::Vector {
    L::carry(&L::negate_where::<M, 2>(L::mask(negative), y))
}

/// `[k]P` of the table's points for secret `k`, one in each lane, other than zero, of so many
/// windows. The results of lanes without a scalar have no meaning.
///
/// As in [`scalar_mul::mul`](crate::curve::scalar_mul::mul), only the last addition can have equal
/// or opposite operands.
fn mul<L: Lanes, M: Modulus>(
    k: &[OddWindows],
    windows: usize,
    table: &Multiples<L>,
) -> Point<L, M> {
    let top = windows - 1;
    let digits = Digits::of_window(k, top);
    let mut sum = Point::from_affine(&look_up(table, &digits.indices), digits.negative);
    for i in (0..top).rev() {
        let digits = Digits::of_window(k, i);
        let multiple = look_up(table, &digits.indices);
        sum.double_times(WIDTH);
        if i > 0 {
            sum.add_incomplete(&multiple, digits.negative);
        } else {
            sum.add_last(&multiple, digits.negative);
        }
    }
    sum
}

/// `[k]P` of many secret scalars and as many points: a vector for every [`LANES`](Lanes::LANES) of
/// them.
pub fn mul_many<L: Lanes, M: Modulus, B: Backend, S: Scalars>(
    k: &[U256],
    points: &[Pair],
) -> Vec<Point<L, M>> {
    let recoder = OddWindowRecoder::<S>::new(WIDTH);
    let k: Vec<OddWindows> = k.iter().map(|k| recoder.windows(k)).collect();
    let windows = window_count(S::MODULUS.bit_length_vartime(), WIDTH);
    mul_windows_many::<L, M, B>(&k, windows, points)
}

/// [`mul_many`] with scalars that are given as windows of [`WIDTH`] bits, so many each.
pub fn mul_windows_many<L: Lanes, M: Modulus, B: Backend>(
    k: &[OddWindows],
    windows: usize,
    points: &[Pair],
) -> Vec<Point<L, M>> {
    let vectors: Vec<Affine<L>> = points.chunks(L::LANES).map(load::<L, M>).collect();
    let tables = tables_vartime::<L, M, B>(&vectors);
    k.chunks(L::LANES)
        .zip(&tables)
        .map(|(k, table)| mul::<L, M>(k, windows, table))
        .collect()
}

/// Fills `row` with the multiples from one fixed-base table for all lanes, one of each window.
/// Secret scalars: the whole table is read.
pub fn shared_multiples<L: Lanes, M: Modulus, const PER_WINDOW: usize>(
    table: &SharedTable<L, 1, PER_WINDOW>,
    k: &[OddWindows],
    row: &mut [Affine<L>],
) {
    for (i, place) in row.iter_mut().enumerate() {
        let digits = Digits::of_window(k, i);
        let (x, y) = vectorize!(L, table.look_up(i, 0, &digits.indices[..L::LANES]));
        *place = with_signs::<L, M>(&Affine { x, y }, digits.negative);
    }
}

/// Fills `row` with the multiples from a different fixed-base table in each lane, with `per_window`
/// entries a window. Secret scalars: the whole of each table is read.
pub fn multiples<L: Lanes, M: Modulus, B: Backend>(
    tables: &[&[Pair]],
    per_window: usize,
    k: &[OddWindows],
    row: &mut [Affine<L>],
) {
    let mut buffer = Zeroizing::new(PointBuffer::default());
    for (i, place) in row.iter_mut().enumerate() {
        let digits = Digits::of_window(k, i);
        for (lane, (table, index)) in tables.iter().zip(digits.indices).enumerate() {
            buffer.set(
                lane,
                &B::look_up(&table[i * per_window..][..per_window], index),
            );
        }
        buffer.load_with_signs::<L, M>(digits.negative, place);
    }
}

/// [`multiples`] for public scalars.
pub fn multiples_vartime<L: Lanes, M: Modulus>(
    tables: &[&[Pair]],
    per_window: usize,
    k: &[OddWindows],
    row: &mut [Affine<L>],
) {
    let mut buffer = PointBuffer::default();
    for (i, place) in row.iter_mut().enumerate() {
        let digits = Digits::of_window_vartime(k, i);
        for (lane, (table, &index)) in tables.iter().zip(&digits.indices).enumerate() {
            buffer.set(lane, &table[i * per_window + index as usize]);
        }
        buffer.load_with_signs::<L, M>(digits.negative, place);
    }
}
