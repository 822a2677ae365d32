//! Sums of rows of affine points, one row in each lane, by affine additions with shared inversions.
//!
//! The method is that of [`batch_affine`](crate::curve::batch_affine), and the explanation there
//! why only the last pass needs complete additions applies to each lane. An addition costs 6
//! products of vectors. A pass has one chain of products for each vector of rows, and one inversion
//! for all lanes of all vectors.
//!
//! Public rows may have any points. If the operands of an addition are equal or opposite, the
//! product of the denominators of that lane is zero. The lane is marked as exceptional, and its sum
//! has no meaning. The other lanes are correct.

use crate::arith::lanes::vectorize;
use alloc::vec;
use alloc::vec::Vec;

use super::Affine;
use super::inverses::invert;
use crate::arith::lanes::{Lanes, wipe};
use crate::arith::{Backend, Fe, Modulus};

/// Rows of vectors of points, to be summed. Wiped on drop.
pub struct BatchAffineSums<L: Lanes> {
    /// One row after another.
    points: Vec<Affine<L>>,
    /// For each addition of a pass, the product of the denominators of all later additions of its
    /// row.
    products: Vec<L::Vector>,
    /// The length of a row before the first pass.
    stride: usize,
}

impl<L: Lanes> BatchAffineSums<L> {
    /// Memory for `rows` rows of `stride` points, two or more.
    pub fn new(rows: usize, stride: usize) -> Self {
        let zero = vectorize!(L, L::zero());
        Self {
            points: vec![Affine { x: zero, y: zero }; rows * stride],
            products: vec![zero; rows * (stride / 2)],
            stride,
        }
    }

    /// Leaves the first `rows` rows, for a last call with fewer of them.
    pub fn keep(&mut self, rows: usize) {
        let end = (rows * self.stride).min(self.points.len());
        wipe_points::<L>(&mut self.points[end..]);
        self.points.truncate(end);
    }

    /// The rows, to be filled: every point of them, before each call of [`sum`](Self::sum) or
    /// [`sum_vartime`](Self::sum_vartime).
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [Affine<L>]> {
        self.points.chunks_exact_mut(self.stride)
    }

    /// The sums of rows of multiples from fixed-base tables, from the lowest window up, in constant
    /// time. Infinity becomes `(0, 0)`.
    pub fn sum<M: Modulus, B: Backend>(
        &mut self,
        inversion: fn(&Fe<M, B>) -> Fe<M, B>,
    ) -> impl Iterator<Item = &Affine<L>> {
        let mut width = self.stride;
        while width > 2 {
            width = self.halve(width, inversion, &mut []);
        }
        self.last_pass(inversion);
        self.points.iter().step_by(self.stride)
    }

    /// The sums of rows of any points, in variable time, each with the bits of the exceptional
    /// lanes.
    pub fn sum_vartime<M: Modulus, B: Backend>(
        &mut self,
        inversion: fn(&Fe<M, B>) -> Fe<M, B>,
    ) -> impl Iterator<Item = (&Affine<L>, u64)> {
        let mut exceptional = vec![0; self.points.len() / self.stride];
        let mut width = self.stride;
        while width > 1 {
            width = self.halve(width, inversion, &mut exceptional);
        }
        self.points.iter().step_by(self.stride).zip(exceptional)
    }

    /// One pass over rows of `width` points: the sum of points `2i` and `2i + 1` becomes point `i`.
    /// Returns the new width. The exceptional lanes of each row are marked in `exceptional`, unless
    /// that is empty.
    fn halve<M: Modulus, B: Backend>(
        &mut self,
        width: usize,
        inversion: fn(&Fe<M, B>) -> Fe<M, B>,
        exceptional: &mut [u64],
    ) -> usize {
        let (pairs, stride) = (width / 2, self.stride);
        let rows = self.points.len() / stride;
        let mut running = vec![vectorize!(L, L::splat::<M>(&M::R)); rows];
        // From the last addition to the first. So the sums are computed from the first to the last,
        // and can overwrite points that are no longer needed.
        vectorize!(L, {
            for i in (0..pairs).rev() {
                for (row, running) in running.iter_mut().enumerate() {
                    let pair = &self.points[row * stride + 2 * i..][..2];
                    self.products[i * rows + row] = *running;
                    multiply_difference::<L, M>(running, &pair[0], &pair[1]);
                }
            }
        });
        vectorize!(L, {
            for (exceptional, running) in exceptional.iter_mut().zip(&running) {
                *exceptional |= L::bits(L::is_zero::<M>(running));
            }
        });
        invert::<L, M, B>(&mut running, inversion);
        vectorize!(L, {
            for i in 0..pairs {
                for (row, running) in running.iter_mut().enumerate() {
                    let points = &mut self.points[row * stride..][..stride];
                    let later = &self.products[i * rows + row];
                    points[i] = add::<L, M>(&points[2 * i], &points[2 * i + 1], running, later);
                }
            }
        });
        wipe::<L>(&mut running);
        if width % 2 == 1 {
            for row in self.rows_mut() {
                row[pairs] = row[width - 1];
            }
        }
        width.div_ceil(2)
    }

    /// The pass over rows of two points: equal ones are doubled, opposite ones give `(0, 0)`.
    fn last_pass<M: Modulus, B: Backend>(&mut self, inversion: fn(&Fe<M, B>) -> Fe<M, B>) {
        let rows = self.points.len() / self.stride;
        let denominators = &mut self.products[..rows];
        for (row, place) in self
            .points
            .chunks_exact(self.stride)
            .zip(denominators.iter_mut())
        {
            *place = vectorize!(L, slope::<L, M>(&row[0], &row[1]).denominator);
        }
        invert::<L, M, B>(denominators, inversion);
        for (row, inverse) in self
            .points
            .chunks_exact_mut(self.stride)
            .zip(denominators.iter())
        {
            vectorize!(L, {
                let (a, b) = (row[0], row[1]);
                let slope = slope::<L, M>(&a, &b);
                let quotient = L::mul::<M>(&slope.numerator, inverse);
                let sum = sum_from_slope::<L, M>(&quotient, &a, &b);
                row[0] = Affine {
                    x: L::select(slope.infinity, &L::zero(), &sum.x),
                    y: L::select(slope.infinity, &L::zero(), &sum.y),
                };
            });
        }
    }
}

impl<L: Lanes> Drop for BatchAffineSums<L> {
    fn drop(&mut self) {
        wipe_points::<L>(&mut self.points);
        wipe::<L>(&mut self.products);
    }
}

fn wipe_points<L: Lanes>(points: &mut [Affine<L>]) {
    for point in points {
        wipe::<L>(core::slice::from_mut(&mut point.x));
        wipe::<L>(core::slice::from_mut(&mut point.y));
    }
}

/// `running·(x₂ − x₁)`.
#[inline(always)]
fn multiply_difference<L: Lanes, M: Modulus>(
    running: &mut L::Vector,
    a: &Affine<L>,
    b: &Affine<L>,
) {
    let difference = L::carry(&L::sub::<M, 2>(&b.x, &a.x));
    *running = L::mul::<M>(running, &difference);
}

/// `a + b` for points that are neither equal nor opposite. `running` is the inverse of the product
/// of this and all later denominators of the row, and is multiplied by this one. `later` is the
/// product of the later ones.
#[inline(always)]
fn add<L: Lanes, M: Modulus>(
    a: &Affine<L>,
    b: &Affine<L>,
    running: &mut L::Vector,
    later: &L::Vector,
) -> Affine<L> {
    let difference = L::carry(&L::sub::<M, 2>(&b.x, &a.x));
    let inverse = L::mul::<M>(running, later);
    *running = L::mul::<M>(running, &difference);
    let rise = L::carry(&L::sub::<M, 2>(&b.y, &a.y));
    sum_from_slope::<L, M>(&L::mul::<M>(&rise, &inverse), a, b)
}

/// `a + b`, where `slope` is the slope of the line through them.
#[inline(always)]
fn sum_from_slope<L: Lanes, M: Modulus>(
    slope: &L::Vector,
    a: &Affine<L>,
    b: &Affine<L>,
) -> Affine<L> {
    let x = L::sub::<M, 4>(&L::square::<M>(slope), &L::add(&a.x, &b.x));
    let x = L::reduce::<M>(&x);
    let y = L::mul::<M>(slope, &L::carry(&L::sub::<M, 2>(&a.x, &x)));
    Affine {
        x,
        y: L::reduce::<M>(&L::sub::<M, 2>(&y, &a.y)),
    }
}

/// The slope of the line through two points, or of the tangent if they are equal, and where they
/// are opposite.
struct Slope<L: Lanes> {
    numerator: L::Vector,
    denominator: L::Vector,
    infinity: L::Mask,
}

#[inline(always)]
fn slope<L: Lanes, M: Modulus>(a: &Affine<L>, b: &Affine<L>) -> Slope<L> {
    let run = L::reduce::<M>(&L::sub::<M, 2>(&b.x, &a.x));
    let rise = L::reduce::<M>(&L::sub::<M, 2>(&b.y, &a.y));
    let same_x = L::bits(L::is_zero::<M>(&run));
    let same_y = L::bits(L::is_zero::<M>(&rise));
    let equal = L::mask(same_x & same_y);
    // 3x² − 3 over 2y
    let xx = L::sub::<M, 2>(&L::square::<M>(&a.x), &L::splat::<M>(&M::R));
    let tangent = L::reduce::<M>(&L::add(&L::add(&xx, &xx), &xx));
    let twice = L::reduce::<M>(&L::add(&a.y, &a.y));
    Slope {
        numerator: L::select(equal, &tangent, &rise),
        denominator: L::select(equal, &twice, &run),
        infinity: L::mask(same_x & !same_y),
    }
}
