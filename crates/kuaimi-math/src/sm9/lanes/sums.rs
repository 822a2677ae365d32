//! Sums of rows of affine points in lanes, for products from fixed-base tables, in `G1` and in
//! `G2`: `a = 0`.
//!
//! The method, and why only the last pass needs complete additions, are explained in
//! [`batch_affine`](crate::curve::batch_affine). All additions of a pass, of all rows and all
//! lanes, share one inversion.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use super::fq2::Fq2s;
use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{MAX_LANES, vectorize, wipe};
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Fe, Field};
use crate::curve::lanes::inverses;
use crate::sm9::curve::Q;

/// A field of coordinates, an element in each lane. What is said of lanes holds: elements are
/// reduced, the results as well.
pub(super) trait Coordinate: Copy + Zeroize {
    /// The engine.
    type Lanes: Wide;
    /// An element in tables.
    type Limbs: Copy + Default + Zeroize;

    fn load(elements: &[Self::Limbs; MAX_LANES]) -> Self;
    fn store(&self) -> [Self::Limbs; MAX_LANES];
    fn one<B: Backend>() -> Self;
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn square(&self) -> Self;
    /// The bits of the lanes with zero.
    fn zeros(&self) -> u64;
    fn select(mask: u64, a: &Self, b: &Self) -> Self;
    /// `1/self`, for `self` other than zero. Called outside of `vectorize!`.
    fn inverse<B: Backend>(&self) -> Self;
}

/// An element of `Fq` in each lane.
#[derive(Clone, Copy)]
pub(super) struct Fqs<L: Wide>(pub(super) L::Vector);

impl<L: Wide> Zeroize for Fqs<L> {
    fn zeroize(&mut self) {
        wipe::<L>(core::slice::from_mut(&mut self.0));
    }
}

impl<L: Wide> Coordinate for Fqs<L> {
    type Lanes = L;
    type Limbs = Limbs;

    #[inline(always)]
    fn load(elements: &[Limbs; MAX_LANES]) -> Self {
        Self(L::load::<Q>(&elements[..L::LANES]))
    }
    #[inline(always)]
    fn store(&self) -> [Limbs; MAX_LANES] {
        let mut elements = [[0; 4]; MAX_LANES];
        L::store::<Q>(&self.0, &mut elements[..L::LANES]);
        elements
    }
    #[inline(always)]
    fn one<B: Backend>() -> Self {
        Self(L::splat::<Q>(&<Q as crate::arith::Modulus>::R))
    }
    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        Self(L::reduce::<Q>(&L::add(&self.0, &other.0)))
    }
    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        Self(L::reduce::<Q>(&L::sub::<Q, 4>(&self.0, &other.0)))
    }
    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        Self(L::mul::<Q>(&self.0, &other.0))
    }
    #[inline(always)]
    fn square(&self) -> Self {
        Self(L::square::<Q>(&self.0))
    }
    #[inline(always)]
    fn zeros(&self) -> u64 {
        L::bits(L::is_zero::<Q>(&self.0))
    }
    #[inline(always)]
    fn select(mask: u64, a: &Self, b: &Self) -> Self {
        Self(L::select(L::mask(mask), &a.0, &b.0))
    }
    fn inverse<B: Backend>(&self) -> Self {
        let mut inverse = [self.0];
        inverses::invert::<L, Q, B>(&mut inverse, Fe::invert);
        Self(inverse[0])
    }
}

impl<L: Wide> Coordinate for Fq2s<L> {
    type Lanes = L;
    type Limbs = [u64; 8];

    #[inline(always)]
    fn load(elements: &[[u64; 8]; MAX_LANES]) -> Self {
        Self::load(elements)
    }
    #[inline(always)]
    fn store(&self) -> [[u64; 8]; MAX_LANES] {
        self.store()
    }
    #[inline(always)]
    fn one<B: Backend>() -> Self {
        Self::constant(&<Q as crate::arith::Modulus>::R)
    }
    #[inline(always)]
    fn add(&self, other: &Self) -> Self {
        self.add(other)
    }
    #[inline(always)]
    fn sub(&self, other: &Self) -> Self {
        self.sub(other)
    }
    #[inline(always)]
    fn mul(&self, other: &Self) -> Self {
        self.mul(other)
    }
    #[inline(always)]
    fn square(&self) -> Self {
        self.square()
    }
    #[inline(always)]
    fn zeros(&self) -> u64 {
        L::bits(L::is_zero::<Q>(&self.c0)) & L::bits(L::is_zero::<Q>(&self.c1))
    }
    #[inline(always)]
    fn select(mask: u64, a: &Self, b: &Self) -> Self {
        Self::select(L::mask(mask), a, b)
    }
    fn inverse<B: Backend>(&self) -> Self {
        let mut inverse = *self;
        super::fq12::invert_fq2::<L, B>(&mut inverse);
        inverse
    }
}

/// An affine point in each lane.
#[derive(Clone, Copy)]
pub(super) struct Point<F> {
    pub(super) x: F,
    pub(super) y: F,
}

/// A sum of two points, before the denominator of its slope is inverted.
struct Addition<F> {
    numerator: F,
    denominator: F,
    /// Where the points are opposite.
    infinity: u64,
}

/// `a + b` for points that are neither equal nor opposite.
#[inline(always)]
fn incomplete<F: Coordinate>(a: &Point<F>, b: &Point<F>) -> Addition<F> {
    Addition {
        numerator: b.y.sub(&a.y),
        denominator: b.x.sub(&a.x),
        infinity: 0,
    }
}

/// `a + b` for all points but infinity.
#[inline(always)]
fn complete<F: Coordinate, B: Backend>(a: &Point<F>, b: &Point<F>) -> Addition<F> {
    let chord = incomplete(a, b);
    let (same_x, same_y) = (chord.denominator.zeros(), chord.numerator.zeros());
    let (equal, opposite) = (same_x & same_y, same_x & !same_y);
    // 3x² over 2y
    let xx = a.x.square();
    let denominator = F::select(equal, &a.y.add(&a.y), &chord.denominator);
    Addition {
        numerator: F::select(equal, &xx.add(&xx).add(&xx), &chord.numerator),
        denominator: F::select(opposite, &F::one::<B>(), &denominator),
        infinity: opposite,
    }
}

/// The sum of each row of `stride` points, two or more, which become the first of the row. The
/// points are multiples from a fixed-base table, from the lowest window up, in every lane: a lane's
/// rows share an inversion. Infinity becomes `(0, 0)`. Constant time.
pub(super) fn sum_rows<F: Coordinate, B: Backend>(points: &mut [Point<F>], stride: usize) {
    let mut width = stride;
    // What the denominators are multiplied with, one after another.
    let mut products: Vec<F> = Vec::with_capacity(points.len().div_ceil(2));
    while width > 1 {
        products.clear();
        let last = width == 2;
        let mut product = vectorize!(F::Lanes, F::one::<B>());
        for row in points.chunks_exact(stride) {
            for pair in row[..width & !1].chunks_exact(2) {
                products.push(product);
                product = vectorize!(F::Lanes, {
                    product.mul(&addition::<F, B>(&pair[0], &pair[1], last).denominator)
                });
            }
        }
        let mut inverse = product.inverse::<B>();
        let mut before = products.iter().rev();
        for row in points.chunks_exact_mut(stride).rev() {
            for i in (0..width / 2).rev() {
                let Some(before) = before.next() else { break };
                let (a, b) = (row[2 * i], row[2 * i + 1]);
                row[2 * i] = vectorize!(F::Lanes, {
                    let addition = addition::<F, B>(&a, &b, last);
                    let quotient = inverse.mul(before).mul(&addition.numerator);
                    inverse = inverse.mul(&addition.denominator);
                    finish(&addition, &quotient, &a, &b)
                });
            }
            for i in 1..width.div_ceil(2) {
                row[i] = row[2 * i];
            }
        }
        product.zeroize();
        inverse.zeroize();
        width = width.div_ceil(2);
    }
    // All of its memory: the passes before the last had more products.
    products.zeroize();
}

#[inline(always)]
fn addition<F: Coordinate, B: Backend>(a: &Point<F>, b: &Point<F>, last: bool) -> Addition<F> {
    if last {
        complete::<F, B>(a, b)
    } else {
        incomplete(a, b)
    }
}

#[inline(always)]
fn finish<F: Coordinate>(
    addition: &Addition<F>,
    slope: &F,
    a: &Point<F>,
    b: &Point<F>,
) -> Point<F> {
    let x = slope.square().sub(&a.x).sub(&b.x);
    let y = slope.mul(&a.x.sub(&x)).sub(&a.y);
    let zero = x.sub(&x);
    Point {
        x: F::select(addition.infinity, &zero, &x),
        y: F::select(addition.infinity, &zero, &y),
    }
}

/// Memory for rows, of zeros.
pub(super) fn memory<F: Coordinate>(count: usize) -> Vec<Point<F>> {
    let zero = vectorize!(F::Lanes, F::load(&[F::Limbs::default(); MAX_LANES]));
    vec![Point { x: zero, y: zero }; count]
}
