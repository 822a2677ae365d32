//! Sums of many affine points, by affine additions that share their inversions.
//!
//! The sum of two affine points is `λ = (y₂ − y₁)/(x₂ − x₁)`, `x₃ = λ² − x₁ − x₂`, `y₃ = λ·(x₁ − x₃) − y₁`: 2M + 1S and an
//! inversion. Where many sums are wanted at once, Montgomery's trick makes of all their inversions one and 3M each: 6 field
//! multiplications an addition, where the cheapest without inversions, a mixed one, has 11.
//!
//! The points stand in rows, a row for each sum. Each pass halves all rows by adding neighbours, with one inversion for all of
//! them; what is left of a row when only a few points are, the last passes no longer pay for, and [`RowSums::sum_vartime`]
//! adds up by mixed additions. A product `[k]P` from a comb is such a row: one multiple a window. So many products together,
//! or even one with many windows, are cheaper than window after window.
//!
//! *Why the passes on secrets need not look for exceptions.* A comb of windows of `W` signs has `L` signs in all, where `2^L`
//! is below `2^W` times the order `n`. In a row of its multiples from the lowest window up, a pass adds the sum of the windows
//! from `i` to `j − 1` to that of the windows from `j` to `k − 1`: `a·P` and `b·P`, where `2^(W·i)` is the highest power of 2 in
//! `a`, and a lower one than in `b`. So `a ± b` is not zero, `2^(W·i)` is the highest power of 2 in it, too, and it is below
//! `2^(W·k)` in absolute value. Were it `m·n`, then `m` would be a multiple of `2^(W·i)` other than zero, as `n` is odd, and
//! below `2^W`: hence `i = 0`. And where `i = 0` and the top window is not among them, `|a ± b| < 2^(L − W) < n`. Only the last
//! addition of a row, of its lowest windows to its highest, can meet equal or opposite points, and that one is complete.

use alloc::vec;
use alloc::vec::Vec;

use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::{Affine, Curve, Jacobian};
use crate::arith::{Field, batch_invert};

/// How many multiplications an inversion costs, about: fewer additions are not worth one.
const INVERSION: usize = 60;
/// How many multiplications an addition saves by sharing an inversion.
const SAVED: usize = 5;

/// Rows of affine points to be summed, and the memory for it. Wiped when dropped, as a secret scalar shows in its multiples.
///
/// The point at infinity is `(0, 0)` here, which is on no curve with `b ≠ 0`.
pub struct RowSums<C: Curve>
where
    C::Field: Zeroize,
{
    points: Vec<Affine<C>>,
    /// Products of the denominators of all later additions of a pass.
    products: Vec<C::Field>,
    stride: usize,
}

impl<C: Curve> RowSums<C>
where
    C::Field: Zeroize,
{
    /// `rows` rows of `stride` points.
    pub fn new(rows: usize, stride: usize) -> Self {
        Self {
            points: vec![Affine::default(); rows * stride],
            products: vec![C::Field::ZERO; rows * stride.div_ceil(2)],
            stride,
        }
    }

    /// The rows, to be filled.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [Affine<C>]> {
        self.points.chunks_exact_mut(self.stride)
    }

    /// The first points of the rows: the sums, once they are made.
    pub fn sums(&self) -> impl Iterator<Item = &Affine<C>> {
        self.points.iter().step_by(self.stride)
    }

    /// Sums up every row, in constant time. A row must be the multiples of a comb from the lowest window up; a product that
    /// is infinity becomes `(0, 0)`.
    pub fn sum(&mut self) {
        let mut width = self.stride;
        while width > 2 {
            width = self.halve(width, &Incomplete);
        }
        if width == 2 {
            self.halve(width, &Complete);
        }
    }

    /// Sums up every row, of any points, in variable time.
    pub fn sum_vartime(&mut self) {
        let rows = self.points.len() / self.stride.max(1);
        let mut width = self.stride;
        while width > 1 && rows * (width / 2) * SAVED > INVERSION {
            width = self.halve(width, &Vartime);
        }
        if width > 1 {
            self.finish_vartime(width);
        }
    }

    /// Adds up the first `width` points of every row by mixed additions.
    fn finish_vartime(&mut self, width: usize) {
        let sums: Vec<Jacobian<C>> = self
            .points
            .chunks_exact(self.stride)
            .map(|row| {
                row[..width]
                    .iter()
                    .filter(|point| !is_infinity_vartime(*point))
                    .fold(Jacobian::INFINITY, |sum, point| {
                        sum.add_affine_vartime(point)
                    })
            })
            .collect();
        let sums = to_affine_many(&sums, C::Field::invert_vartime);
        for (row, sum) in self.rows_mut().zip(sums) {
            row[0] = sum;
        }
    }

    /// One pass over rows of `width` points: neighbours are added, and what was `2i` and `2i + 1` becomes `i`. Gives the new
    /// width.
    fn halve<A: Addition<C>>(&mut self, width: usize, addition: &A) -> usize {
        let pairs = width / 2;
        // From the last addition to the first, so that the sums come out from the first to the last and can be put where
        // points were that are no longer needed.
        let mut product = C::Field::ONE;
        let mut products = self.products.iter_mut();
        for row in self.points.chunks_exact(self.stride).rev() {
            for pair in row[..2 * pairs].chunks_exact(2).rev() {
                if let Some(place) = products.next() {
                    *place = product;
                }
                product = addition.multiply(&product, &pair[0], &pair[1]);
            }
        }
        let mut inverse = A::invert(&product);
        product.zeroize();
        let used = self.points.len() / self.stride * pairs;
        let mut products = self.products[..used].iter().rev();
        for row in self.points.chunks_exact_mut(self.stride) {
            for i in 0..pairs {
                let (a, b) = (row[2 * i], row[2 * i + 1]);
                let others = products.next().copied().unwrap_or_default();
                let next = addition.multiply(&inverse, &a, &b);
                row[i] = addition.add(&a, &b, &(inverse * others));
                inverse = next;
            }
            if width % 2 == 1 {
                row[pairs] = row[width - 1];
            }
        }
        inverse.zeroize();
        pairs + width % 2
    }
}

impl<C: Curve> Drop for RowSums<C>
where
    C::Field: Zeroize,
{
    fn drop(&mut self) {
        self.points.iter_mut().zeroize();
        self.products.iter_mut().zeroize();
    }
}

/// How two affine points are added, given the inverse of their denominator.
trait Addition<C: Curve> {
    /// `product` times the denominator of `a + b`, unless that is zero.
    fn multiply(&self, product: &C::Field, a: &Affine<C>, b: &Affine<C>) -> C::Field;
    /// `a + b`, given the inverse of its denominator.
    fn add(&self, a: &Affine<C>, b: &Affine<C>, inverse: &C::Field) -> Affine<C>;
    /// The inversion of the product of all denominators.
    fn invert(product: &C::Field) -> C::Field;
}

/// The third point on the line of slope `λ` through `a` and another point with x-coordinate `x2`, reflected.
#[inline(always)]
fn through<C: Curve>(slope: C::Field, a: &Affine<C>, x2: &C::Field) -> Affine<C> {
    let x = slope.square() - a.x - *x2;
    Affine {
        x,
        y: slope * (a.x - x) - a.y,
    }
}

/// Neither equal nor opposite points, nor infinity. Constant time.
struct Incomplete;

impl<C: Curve> Addition<C> for Incomplete {
    #[inline(always)]
    fn multiply(&self, product: &C::Field, a: &Affine<C>, b: &Affine<C>) -> C::Field {
        *product * (b.x - a.x)
    }

    #[inline(always)]
    fn add(&self, a: &Affine<C>, b: &Affine<C>, inverse: &C::Field) -> Affine<C> {
        through((b.y - a.y) * *inverse, a, &b.x)
    }

    fn invert(product: &C::Field) -> C::Field {
        product.invert()
    }
}

/// All points but infinity. Constant time.
struct Complete;

impl Complete {
    /// `y₂ − y₁` over `x₂ − x₁`; for equal points the tangent's `3x² − 3` over `2y`; for opposite ones `0/0`.
    #[inline(always)]
    fn slope<C: Curve>(a: &Affine<C>, b: &Affine<C>) -> (C::Field, C::Field) {
        let three = C::Field::ONE.double() + C::Field::ONE;
        let xx = a.x.square();
        let equal = a.x.ct_eq(&b.x) & a.y.ct_eq(&b.y);
        (
            C::Field::conditional_select(&(b.y - a.y), &(xx.double() + xx - three), equal),
            C::Field::conditional_select(&(b.x - a.x), &a.y.double(), equal),
        )
    }
}

impl<C: Curve> Addition<C> for Complete {
    #[inline(always)]
    fn multiply(&self, product: &C::Field, a: &Affine<C>, b: &Affine<C>) -> C::Field {
        let (_, denominator) = Self::slope(a, b);
        C::Field::conditional_select(&(*product * denominator), product, denominator.is_zero())
    }

    #[inline(always)]
    fn add(&self, a: &Affine<C>, b: &Affine<C>, inverse: &C::Field) -> Affine<C> {
        let (numerator, denominator) = Self::slope(a, b);
        let sum = through(numerator * *inverse, a, &b.x);
        let infinity = denominator.is_zero();
        Affine {
            x: C::Field::conditional_select(&sum.x, &C::Field::ZERO, infinity),
            y: C::Field::conditional_select(&sum.y, &C::Field::ZERO, infinity),
        }
    }

    fn invert(product: &C::Field) -> C::Field {
        product.invert()
    }
}

/// All points. Variable time.
struct Vartime;

#[inline(always)]
fn is_infinity_vartime<C: Curve>(a: &Affine<C>) -> bool {
    a.x.is_zero_vartime() && a.y.is_zero_vartime()
}

impl Vartime {
    /// The denominator, unless the sum needs none.
    #[inline(always)]
    fn denominator<C: Curve>(a: &Affine<C>, b: &Affine<C>) -> Option<C::Field> {
        let difference = b.x - a.x;
        if is_infinity_vartime(a) || is_infinity_vartime(b) {
            return None;
        }
        if !difference.is_zero_vartime() {
            return Some(difference);
        }
        // Equal, or else opposite: no point has y = 0.
        (a.y - b.y).is_zero_vartime().then(|| a.y.double())
    }
}

impl<C: Curve> Addition<C> for Vartime {
    #[inline(always)]
    fn multiply(&self, product: &C::Field, a: &Affine<C>, b: &Affine<C>) -> C::Field {
        match Self::denominator(a, b) {
            Some(denominator) => *product * denominator,
            None => *product,
        }
    }

    #[inline(always)]
    fn add(&self, a: &Affine<C>, b: &Affine<C>, inverse: &C::Field) -> Affine<C> {
        if is_infinity_vartime(a) {
            return *b;
        }
        if is_infinity_vartime(b) {
            return *a;
        }
        if (b.x - a.x).is_zero_vartime() {
            if !(b.y - a.y).is_zero_vartime() {
                return Affine::default();
            }
            let (numerator, _) = Complete::slope(a, b);
            return through(numerator * *inverse, a, &b.x);
        }
        through((b.y - a.y) * *inverse, a, &b.x)
    }

    fn invert(product: &C::Field) -> C::Field {
        product.invert_vartime()
    }
}

/// The affine forms of points with one inversion; infinity becomes `(0, 0)`. Constant time where `invert` is.
pub fn to_affine_many<C: Curve>(
    points: &[Jacobian<C>],
    invert: fn(&C::Field) -> C::Field,
) -> Vec<Affine<C>>
where
    C::Field: Zeroize,
{
    let mut inverses: Vec<C::Field> = points.iter().map(|point| point.z).collect();
    let mut products = vec![C::Field::ZERO; points.len()];
    batch_invert(&mut inverses, &mut products, invert);
    let affine = points
        .iter()
        .zip(&inverses)
        .map(|(point, inverse)| point.to_affine_with(inverse))
        .collect();
    inverses.iter_mut().zeroize();
    products.iter_mut().zeroize();
    affine
}
