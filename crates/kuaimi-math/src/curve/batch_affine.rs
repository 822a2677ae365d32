//! Sums of many affine points at once, by affine additions with shared inversions.
//!
//! The sum of two affine points is `λ = (y₂ − y₁)/(x₂ − x₁)`, `x₃ = λ² − x₁ − x₂`,
//! `y₃ = λ·(x₁ − x₃) − y₁`: 2M + 1S and an inversion. Montgomery's trick replaces the inversions of
//! many additions by one inversion and 3M for each. So an addition costs 6 field multiplications,
//! and the cheapest one without inversions, a mixed addition, costs 10.
//!
//! The points are in rows, one row for each sum. A pass halves all rows by adding neighbours, with
//! one inversion for all of them. If only few points remain, another inversion would cost more than
//! it saves, and mixed additions sum up the rest. A product `[k]P` from a fixed-base table is the
//! sum of such a row, one multiple for each window.
//!
//! *Why the passes on secrets need no check for exceptional cases.* The scalar is recoded as
//! windows of `W` bits, `L` bits in all, where `2^L` is below `2^W` times the order `n`. A row has
//! the multiples from the lowest window up. A pass adds the sum `a·P` of the windows from `i` to
//! `j − 1` and the sum `b·P` of the windows from `j` to `k − 1`. The highest power of 2 that
//! divides `a` is `2^(W·i)`, and a higher one divides `b`. So `a ± b` is not zero, the highest
//! power of 2 that divides it is `2^(W·i)`, and it is below `2^(W·k)` in absolute value. Assume
//! that it is `m·n`. Then `m` is a multiple of `2^(W·i)` other than zero, as `n` is odd, and below
//! `2^W`, so `i = 0`. If `i = 0` and the top window is not included, `|a ± b| < 2^(L − W) < n`, a
//! contradiction. So only the last addition of a row, of its lowest windows to its highest, can
//! have equal or opposite operands, and that one is complete.

use alloc::vec;
use alloc::vec::Vec;

use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::{Affine, Curve, Jacobian, Xyzz};
use crate::arith::{Field, batch_invert};

/// The approximate cost of an inversion in multiplications, in constant and in variable time.
const INVERSION: usize = 80;
const INVERSION_VARTIME: usize = 60;
/// The multiplications that an affine addition saves, apart from the inversion.
const SAVED: usize = 4;
/// The additional multiplications of a complete mixed addition.
const COMPLETE: usize = 1;

/// Rows of affine points to be summed.
///
/// The memory is wiped on drop, as the multiples reveal a secret scalar, unless the rows were
/// summed in variable time. The point at infinity is `(0, 0)` here, which is not on a curve with
/// `b ≠ 0`.
pub struct BatchAffineSums<'a, C: Curve>
where
    C::Field: Zeroize,
{
    points: &'a mut [Affine<C>],
    /// For each addition of a pass, the product of the denominators of all later additions.
    products: &'a mut [C::Field],
    /// The length of a row before the first pass.
    stride: usize,
    /// Whether the memory must be wiped.
    secret: bool,
}

/// The memory for the sums of `rows` rows of `stride` points: the number of points, and of field
/// elements.
pub const fn memory(rows: usize, stride: usize) -> (usize, usize) {
    (rows * stride, rows * stride.div_ceil(2))
}

impl<'a, C: Curve> BatchAffineSums<'a, C>
where
    C::Field: Zeroize,
{
    /// Rows of `stride` points in the given memory, of the lengths that [`memory`] gives.
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

    /// The sums of all rows, in constant time. A row must have the multiples that
    /// [`FixedBaseTable::multiples`] gives. Infinity becomes `(0, 0)`.
    ///
    /// [`FixedBaseTable::multiples`]: super::FixedBaseTable::multiples
    pub fn sum(&mut self) -> impl Iterator<Item = &Affine<C>> {
        let rows = self.rows();
        let mut width = self.stride;
        while width > 1 {
            let levels = width.next_power_of_two().trailing_zeros() as usize;
            let all_passes = (levels - 1) * INVERSION <= rows * ((width - 1) * SAVED + COMPLETE);
            if !all_passes && rows * (width / 2) * SAVED <= INVERSION {
                self.add_mixed(width);
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

    /// Sums up the first `width` points of each row by mixed additions.
    fn add_mixed(&mut self, width: usize) {
        for row in self.points.chunks_exact_mut(self.stride) {
            let mut sum = if width < 3 {
                Xyzz::from(row[0])
            } else {
                Xyzz::sum_incomplete(&row[0], &row[1])
            };
            for point in row[..width - 1].iter().skip(2) {
                sum.add_affine_in_place(point);
            }
            sum = sum.add_affine_complete(&row[width - 1]);
            row[0] = sum.to_affine();
            sum.zeroize();
        }
    }

    /// The sums of all rows, of any points but infinity, in variable time. The memory is not wiped
    /// afterwards.
    pub fn sum_vartime(&mut self) -> impl Iterator<Item = Xyzz<C>> {
        self.secret = false;
        let rows = self.rows();
        let mut width = self.stride;
        // Equal and opposite operands are very rare. If there are any, the product of all
        // denominators is zero. From then on sums can be infinity, so each addition checks its
        // operands.
        let mut regular = true;
        while width > 1 && rows * (width / 2) * SAVED > INVERSION_VARTIME {
            let product = self.denominator_product(width, &Incomplete);
            regular &= !product.is_zero_vartime();
            width = if regular {
                self.add_neighbours(width, &Incomplete, product.invert_vartime())
            } else {
                let product = self.denominator_product(width, &CompleteVartime);
                self.add_neighbours(width, &CompleteVartime, product.invert_vartime())
            };
        }
        self.points.chunks_exact(self.stride).map(move |row| {
            let points = row[..width].iter().copied();
            Xyzz::sum_vartime(points.filter(|point| !is_infinity_vartime(point)))
        })
    }

    /// One pass over rows of `width` points, in constant time if the additions are. Returns the new
    /// width.
    fn halve<A: Addition<C>>(&mut self, width: usize, addition: &A) -> usize {
        let mut product = self.denominator_product(width, addition);
        let inverse = product.invert();
        product.zeroize();
        self.add_neighbours(width, addition, inverse)
    }

    /// The product of the denominators of one pass.
    fn denominator_product<A: Addition<C>>(&mut self, width: usize, addition: &A) -> C::Field {
        // From the last addition to the first. So the sums are computed from the first to the last,
        // and can overwrite points that are no longer needed.
        let pairs = self.points.chunks_exact(self.stride).rev();
        let pairs = pairs.flat_map(|row| row[..width & !1].chunks_exact(2).rev());
        let mut product = C::Field::ONE;
        for (pair, place) in pairs.zip(self.products.iter_mut()) {
            *place = product;
            product = addition.multiply_denominator(&product, &pair[0], &pair[1]);
        }
        product
    }

    /// Adds neighbours, given the inverse of the product of their denominators: the sum of points
    /// `2i` and `2i + 1` becomes point `i`. Returns the new width.
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
                let next = addition.multiply_denominator(&inverse, &a, &b);
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

/// Adds `addends[i]` to `sums[i]` with one inversion. The points must be neither equal nor opposite
/// nor infinity. Constant time if `invert` is.
pub fn add_each<C: Curve>(
    sums: &mut [Affine<C>],
    addends: &[Affine<C>],
    products: &mut [C::Field],
    invert: fn(&C::Field) -> C::Field,
) {
    let mut product = C::Field::ONE;
    for ((sum, addend), place) in sums.iter().zip(addends).zip(products.iter_mut()) {
        *place = product;
        product = Incomplete.multiply_denominator(&product, sum, addend);
    }
    let mut inverse = invert(&product);
    for ((sum, addend), others) in sums.iter_mut().zip(addends).zip(products.iter()).rev() {
        let next = Incomplete.multiply_denominator(&inverse, sum, addend);
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

/// An addition of two affine points, given the inverse of its denominator.
trait Addition<C: Curve> {
    /// `product` multiplied by the denominator of `a + b`, unless that is zero.
    fn multiply_denominator(&self, product: &C::Field, a: &Affine<C>, b: &Affine<C>) -> C::Field;
    /// `a + b`, given the inverse of its denominator.
    fn add(&self, a: &Affine<C>, b: &Affine<C>, inverse: &C::Field) -> Affine<C>;
}

/// The sum of `a` and another point with x-coordinate `x2`, where `slope` is the slope of the line
/// through them.
#[inline(always)]
fn sum_from_slope<C: Curve>(slope: C::Field, a: &Affine<C>, x2: &C::Field) -> Affine<C> {
    let x = slope.square() - a.x - *x2;
    Affine {
        x,
        y: slope * (a.x - x) - a.y,
    }
}

/// For points that are neither equal nor opposite nor infinity. Constant time.
struct Incomplete;

impl<C: Curve> Addition<C> for Incomplete {
    #[inline(always)]
    fn multiply_denominator(&self, product: &C::Field, a: &Affine<C>, b: &Affine<C>) -> C::Field {
        *product * (b.x - a.x)
    }

    #[inline(always)]
    fn add(&self, a: &Affine<C>, b: &Affine<C>, inverse: &C::Field) -> Affine<C> {
        sum_from_slope((b.y - a.y) * *inverse, a, &b.x)
    }
}

/// For all points but infinity. Constant time.
struct Complete;

impl Complete {
    /// Numerator and denominator of the slope: `y₂ − y₁` and `x₂ − x₁`; for equal points those of
    /// the tangent, `3x² + a` and `2y`. For opposite points the denominator is zero.
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
    fn multiply_denominator(&self, product: &C::Field, a: &Affine<C>, b: &Affine<C>) -> C::Field {
        let (_, denominator) = Self::slope(a, b);
        C::Field::conditional_select(&(*product * denominator), product, denominator.is_zero())
    }

    #[inline(always)]
    fn add(&self, a: &Affine<C>, b: &Affine<C>, inverse: &C::Field) -> Affine<C> {
        let (numerator, denominator) = Self::slope(a, b);
        let sum = sum_from_slope(numerator * *inverse, a, &b.x);
        let infinity = denominator.is_zero();
        Affine {
            x: C::Field::conditional_select(&sum.x, &C::Field::ZERO, infinity),
            y: C::Field::conditional_select(&sum.y, &C::Field::ZERO, infinity),
        }
    }
}

/// For all points. Variable time.
struct CompleteVartime;

#[inline(always)]
fn is_infinity_vartime<C: Curve>(a: &Affine<C>) -> bool {
    a.x.is_zero_vartime() && a.y.is_zero_vartime()
}

impl CompleteVartime {
    /// The denominator, or `None` if the sum needs none.
    #[inline(always)]
    fn denominator<C: Curve>(a: &Affine<C>, b: &Affine<C>) -> Option<C::Field> {
        let difference = b.x - a.x;
        if is_infinity_vartime(a) || is_infinity_vartime(b) {
            return None;
        }
        if !difference.is_zero_vartime() {
            return Some(difference);
        }
        // Equal or opposite. No point has y = 0.
        (a.y - b.y).is_zero_vartime().then(|| a.y.double())
    }
}

impl<C: Curve> Addition<C> for CompleteVartime {
    #[inline(always)]
    fn multiply_denominator(&self, product: &C::Field, a: &Affine<C>, b: &Affine<C>) -> C::Field {
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
            return sum_from_slope(numerator * *inverse, a, &b.x);
        }
        sum_from_slope((b.y - a.y) * *inverse, a, &b.x)
    }
}

/// The affine forms of points, with one inversion. Infinity becomes `(0, 0)`. Constant time if
/// `invert` is.
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
