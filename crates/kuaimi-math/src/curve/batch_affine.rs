//! Sums of many affine points, by affine additions that share their inversions.
//!
//! The sum of two affine points is `λ = (y₂ − y₁)/(x₂ − x₁)`, `x₃ = λ² − x₁ − x₂`, `y₃ = λ·(x₁ − x₃) − y₁`: 2M + 1S and an
//! inversion. Where many sums are wanted at once, Montgomery's trick makes of all their inversions one and 3M each: 6 field
//! multiplications an addition, where the cheapest without inversions, a mixed one, has 10.
//!
//! The points stand in rows, a row for each sum. Each pass halves all rows by adding neighbours, with one inversion for all of
//! them; what is left of a row when only a few points are, the last passes no longer pay for, and [`BatchAffineSums::sum_vartime`]
//! adds up by mixed additions. A product `[k]P` from a fixed-base table is such a row: one multiple a window. So many products together,
//! or even one with many windows, are cheaper than window after window.
//!
//! *Why the passes on secrets need not look for exceptions.* A fixed-base table of windows of `W` bits has `L` signs in all, where `2^L`
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

use super::{Affine, Curve, Jacobian, Xyzz};
use crate::arith::{Field, batch_invert};

/// How many multiplications an inversion costs, about, in constant and in variable time.
const INVERSION: usize = 80;
const INVERSION_VARTIME: usize = 60;
/// How many multiplications an addition saves by sharing an inversion.
const SAVED: usize = 4;
/// How many more a complete mixed addition costs than an incomplete one.
const COMPLETE: usize = 1;

/// Rows of affine points to be summed. Their memory is wiped when this is dropped, as a secret scalar shows in its multiples,
/// unless they were summed in variable time.
///
/// The point at infinity is `(0, 0)` here, which is on no curve with `b ≠ 0`.
pub struct BatchAffineSums<'a, C: Curve>
where
    C::Field: Zeroize,
{
    points: &'a mut [Affine<C>],
    /// For every addition of a pass, the product of the denominators of all later ones.
    products: &'a mut [C::Field],
    stride: usize,
    /// Whether the points are to be wiped.
    secret: bool,
}

/// How much memory the sums of `rows` rows of `stride` points take: the points, and field elements.
pub const fn memory(rows: usize, stride: usize) -> (usize, usize) {
    (rows * stride, rows * stride.div_ceil(2))
}

impl<'a, C: Curve> BatchAffineSums<'a, C>
where
    C::Field: Zeroize,
{
    /// As many rows of `stride` points as `points` has room for, in memory of which [`memory`] tells the lengths.
    pub fn new(points: &'a mut [Affine<C>], products: &'a mut [C::Field], stride: usize) -> Self {
        let (_, needed) = memory(points.len() / stride, stride);
        debug_assert!(products.len() >= needed);
        Self {
            points,
            products,
            stride,
            secret: true,
        }
    }

    fn rows(&self) -> usize {
        self.points.len() / self.stride
    }

    /// The rows, to be filled.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [Affine<C>]> {
        self.points.chunks_exact_mut(self.stride)
    }

    /// The sums of all rows, in constant time. A row must be the multiples of a fixed-base table from the lowest window up; a product that
    /// is infinity becomes `(0, 0)`.
    pub fn sum(&mut self) -> impl Iterator<Item = &Affine<C>> {
        let rows = self.rows();
        let mut width = self.stride;
        while width > 1 {
            let levels = width.next_power_of_two().trailing_zeros() as usize;
            let to_the_end = (levels - 1) * INVERSION <= rows * ((width - 1) * SAVED + COMPLETE);
            if !to_the_end && rows * (width / 2) * SAVED <= INVERSION {
                self.finish(width);
                break;
            }
            width = if width > 2 {
                self.halve(width, &Incomplete)
            } else {
                self.halve(width, &Complete)
            };
        }
        self.points.iter().step_by(self.stride)
    }

    /// Adds up the first `width` points of every row by mixed additions.
    fn finish(&mut self, width: usize) {
        for row in self.points.chunks_exact_mut(self.stride) {
            let mut sum = if width < 3 {
                Xyzz::from(row[0])
            } else {
                Xyzz::sum_incomplete(&row[0], &row[1])
            };
            for point in row[..width - 1].iter().skip(2) {
                sum = sum.add_affine_incomplete(point);
            }
            sum = sum.add_affine_complete(&row[width - 1]);
            row[0] = sum.to_affine();
            sum.zeroize();
        }
    }

    /// The sums of all rows, of any points but infinity, in variable time. Nothing is wiped afterwards.
    pub fn sum_vartime(&mut self) -> impl Iterator<Item = Xyzz<C>> {
        self.secret = false;
        let rows = self.rows();
        let mut width = self.stride;
        // Equal and opposite points hardly ever meet. When they do, the product of all denominators is zero; from then on, as
        // sums may be infinity, each addition looks at its operands.
        let mut usual = true;
        while width > 1 && rows * (width / 2) * SAVED > INVERSION_VARTIME {
            let product = self.multiply_out(width, &Incomplete);
            usual &= !product.is_zero_vartime();
            width = if usual {
                self.add_neighbours(width, &Incomplete, product.invert_vartime())
            } else {
                let product = self.multiply_out(width, &Vartime);
                self.add_neighbours(width, &Vartime, product.invert_vartime())
            };
        }
        self.points.chunks_exact(self.stride).map(move |row| {
            let points = row[..width].iter().copied();
            Xyzz::sum_vartime(points.filter(|point| !is_infinity_vartime(point)))
        })
    }

    /// One pass over rows of `width` points, in constant time if the additions are. Gives the new width.
    fn halve<A: Addition<C>>(&mut self, width: usize, addition: &A) -> usize {
        let mut product = self.multiply_out(width, addition);
        let inverse = product.invert();
        product.zeroize();
        self.add_neighbours(width, addition, inverse)
    }

    /// The product of the denominators of one pass.
    fn multiply_out<A: Addition<C>>(&mut self, width: usize, addition: &A) -> C::Field {
        // From the last addition to the first, so that the sums come out from the first to the last and can be put where
        // points were that are no longer needed.
        let pairs = self.points.chunks_exact(self.stride).rev();
        let pairs = pairs.flat_map(|row| row[..width & !1].chunks_exact(2).rev());
        let mut product = C::Field::ONE;
        for (pair, place) in pairs.zip(self.products.iter_mut()) {
            *place = product;
            product = addition.multiply(&product, &pair[0], &pair[1]);
        }
        product
    }

    /// Adds neighbours, given the inverse of the product of their denominators: what was `2i` and `2i + 1` becomes `i`. Gives the
    /// new width.
    fn add_neighbours<A: Addition<C>>(
        &mut self,
        width: usize,
        addition: &A,
        mut inverse: C::Field,
    ) -> usize {
        let pairs = width / 2;
        let mut products = self.products[..self.points.len() / self.stride * pairs]
            .iter()
            .rev();
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

/// `sums[i] + addends[i]` into `sums`, neither equal nor opposite points, nor infinity, with one inversion. Constant time
/// where `invert` is.
pub fn add_each<C: Curve>(
    sums: &mut [Affine<C>],
    addends: &[Affine<C>],
    products: &mut [C::Field],
    invert: fn(&C::Field) -> C::Field,
) {
    let mut product = C::Field::ONE;
    for ((sum, addend), place) in sums.iter().zip(addends).zip(products.iter_mut()) {
        *place = product;
        product = Incomplete.multiply(&product, sum, addend);
    }
    let mut inverse = invert(&product);
    for ((sum, addend), others) in sums.iter_mut().zip(addends).zip(products.iter()).rev() {
        let next = Incomplete.multiply(&inverse, sum, addend);
        *sum = Incomplete.add(sum, addend, &(inverse * *others));
        inverse = next;
    }
}

impl<C: Curve> Drop for BatchAffineSums<'_, C>
where
    C::Field: Zeroize,
{
    fn drop(&mut self) {
        if !self.secret {
            return;
        }
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
}

/// All points but infinity. Constant time.
struct Complete;

impl Complete {
    /// `y₂ − y₁` over `x₂ − x₁`; for equal points the tangent's `3x² + a` over `2y`; for opposite ones `0/0`.
    #[inline(always)]
    fn slope<C: Curve>(a: &Affine<C>, b: &Affine<C>) -> (C::Field, C::Field) {
        let equal = a.x.ct_eq(&b.x) & a.y.ct_eq(&b.y);
        (
            C::Field::conditional_select(&(b.y - a.y), &C::tangent(&a.x), equal),
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
        .map(|(point, inverse)| point.affine_with(inverse))
        .collect();
    inverses.iter_mut().zeroize();
    products.iter_mut().zeroize();
    affine
}
