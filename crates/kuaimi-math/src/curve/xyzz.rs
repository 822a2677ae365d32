//! Points in extended Jacobian coordinates: `(X, Y, ZZ, ZZZ)` with `ZZ³ = ZZZ²` is the point
//! `(X/ZZ, Y/ZZZ)`, or infinity if `ZZ = 0`.
//!
//! They are for sums without doublings. A mixed addition costs 8M + 2S, as `Z²` and `Z³` are
//! operands and results; with Jacobian coordinates it computes them from `Z`, and costs 8M + 3S. A
//! doubling would cost two products more than a Jacobian one. The formulas are from the
//! Explicit-Formulas Database: `madd-2008-s`, `mmadd-2008-s` (4M + 2S) for two affine points, and
//! `add-2008-s` (12M + 2S) for two sums.
//!
//! An addition formula has exceptional cases: an operand at infinity, equal operands, and opposite
//! operands. The documentation of each function says which of them are allowed. For opposite
//! operands every formula gives `ZZ = 0`, correctly.

use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

use super::{Affine, Coefficient, Curve, Jacobian};
use crate::arith::Field;

/// A point in extended Jacobian coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Xyzz<C: Curve> {
    /// `x·ZZ`.
    pub x: C::Field,
    /// `y·ZZZ`.
    pub y: C::Field,
    /// The denominator of `x`; zero at infinity.
    pub zz: C::Field,
    /// The denominator of `y`.
    pub zzz: C::Field,
}

/// The slope `R/P` of the line through two points, multiplied by the denominators of the first one.
/// (`P` and `R` are the names of the formulas' source.)
struct Slope<C: Curve> {
    p: C::Field,
    r: C::Field,
}

impl<C: Curve> Slope<C> {
    /// The slope of the line through two affine points. `P` and `R` are both zero if and only if
    /// the points are equal.
    #[inline(always)]
    fn chord(a: &Affine<C>, b: &Affine<C>) -> Self {
        Self {
            p: b.x - a.x,
            r: b.y - a.y,
        }
    }

    /// Whether the two points were equal.
    #[inline(always)]
    fn points_are_equal(&self) -> Choice {
        self.p.is_zero() & self.r.is_zero()
    }

    /// The sum of two points, of which the first has the numerators `x` and `y`:
    /// `X₃ = R² − P³ − 2Q`, `Y₃ = R(Q − X₃) − y·P³` with `Q = x·P²`, and `P²` and `P³`, the factors
    /// of its denominators. For a `tangent`, `X₃` is without `P³`, as there `P` is not the
    /// difference of the x-coordinates.
    #[inline(always)]
    fn sum(&self, x: &C::Field, y: &C::Field, tangent: Option<Choice>) -> Xyzz<C> {
        let pp = self.p.square();
        let ppp = self.p * pp;
        let q = *x * pp;
        let difference = match tangent {
            None => ppp,
            Some(tangent) => C::Field::conditional_select(&ppp, &C::Field::ZERO, tangent),
        };
        let x = self.r.square() - (difference + q.double());
        let y = C::Field::difference_of_products([&self.r, &(q - x)], [y, &ppp]);
        Xyzz {
            x,
            y,
            zz: pp,
            zzz: ppp,
        }
    }
}

impl<C: Curve> Xyzz<C> {
    /// The point at infinity.
    pub const INFINITY: Self = Self {
        x: <C::Field as Field>::ONE,
        y: <C::Field as Field>::ONE,
        zz: <C::Field as Field>::ZERO,
        zzz: <C::Field as Field>::ZERO,
    };

    /// Whether this is the point at infinity.
    #[inline]
    pub fn is_infinity(&self) -> Choice {
        self.zz.is_zero()
    }

    /// `a + b` for different points. Constant time.
    #[inline(always)]
    pub fn sum_incomplete(a: &Affine<C>, b: &Affine<C>) -> Self {
        Slope::chord(a, b).sum(&a.x, &a.y, None)
    }

    /// The slope of the line through `self` and `other`. `P` and `R` are both zero if and only if
    /// the points are equal.
    #[inline(always)]
    fn slope_to(&self, other: &Affine<C>) -> Slope<C> {
        Slope {
            p: other.x * self.zz - self.x,
            r: other.y * self.zzz - self.y,
        }
    }

    #[inline(always)]
    fn add_with_slope(&self, slope: &Slope<C>, tangent: Option<Choice>) -> Self {
        let sum = slope.sum(&self.x, &self.y, tangent);
        Self {
            zz: self.zz * sum.zz,
            zzz: self.zzz * sum.zzz,
            ..sum
        }
    }

    /// `self + other`, for `self` not at infinity and not equal to `other`. Constant time.
    #[inline(always)]
    pub fn add_affine_incomplete(&self, other: &Affine<C>) -> Self {
        let mut sum = *self;
        sum.add_affine_in_place(other);
        sum
    }

    /// [`add_affine_incomplete`](Self::add_affine_incomplete), for loops: see
    /// [`Formulas::add_affine_xyzz`](super::Formulas::add_affine_xyzz).
    #[inline(always)]
    pub fn add_affine_in_place(&mut self, other: &Affine<C>) {
        C::add_affine_xyzz(self, other);
    }

    /// [`add_affine_in_place`](Self::add_affine_in_place), an operation of the field at a time.
    #[inline(always)]
    pub(crate) fn add_affine_by_operations(&self, other: &Affine<C>) -> Self {
        self.add_with_slope(&self.slope_to(other), None)
    }

    /// `self + other` for every `self`. Constant time.
    pub fn add_affine_complete(&self, other: &Affine<C>) -> Self {
        let chord = self.slope_to(other);
        let equal = chord.points_are_equal();
        // Equal points: the first operand is `other`, whose denominators are 1, and the slope that
        // of its tangent.
        let select = |a: &C::Field, b: &C::Field| C::Field::conditional_select(a, b, equal);
        let start = Self::conditional_select(self, &Self::from(*other), equal);
        let slope = Slope {
            p: select(&chord.p, &other.y.double()),
            r: select(&chord.r, &C::tangent(&other.x)),
        };
        let sum = start.add_with_slope(&slope, Some(equal));
        Self::conditional_select(&sum, &Self::from(*other), self.is_infinity())
    }

    /// `self + other` for all points. Constant time.
    pub fn add_complete(&self, other: &Self) -> Self {
        // `self` with the product of the denominators.
        let common = Self {
            x: self.x * other.zz,
            y: self.y * other.zzz,
            zz: self.zz * other.zz,
            zzz: self.zzz * other.zzz,
        };
        let chord = Slope::<C> {
            p: other.x * self.zz - common.x,
            r: other.y * self.zzz - common.y,
        };
        let equal = chord.points_are_equal();
        let select = |a: &C::Field, b: &C::Field| C::Field::conditional_select(a, b, equal);
        let slope = Slope {
            p: select(&chord.p, &self.y.double()),
            r: select(&chord.r, &self.tangent()),
        };
        let start = Self::conditional_select(&common, self, equal);
        let sum = start.add_with_slope(&slope, Some(equal));
        let sum = Self::conditional_select(&sum, other, self.is_infinity());
        Self::conditional_select(&sum, self, other.is_infinity())
    }

    /// `3X² + a·ZZ²`, the numerator of the tangent's slope. The denominator is `2Y`.
    #[inline(always)]
    fn tangent(&self) -> C::Field {
        let third = match C::A {
            Coefficient::MinusThree => (self.x + self.zz) * (self.x - self.zz),
            Coefficient::Zero => self.x.square(),
        };
        third.double() + third
    }

    /// `self + other` for every `self`, for public values.
    #[inline(always)]
    pub fn add_affine_vartime(&self, other: &Affine<C>) -> Self {
        let mut sum = *self;
        sum.add_affine_in_place_vartime(other);
        sum
    }

    /// [`add_affine_vartime`](Self::add_affine_vartime), for loops: see
    /// [`add_affine_in_place`](Self::add_affine_in_place).
    #[inline(always)]
    pub fn add_affine_in_place_vartime(&mut self, other: &Affine<C>) {
        if self.zz.is_zero_vartime() {
            *self = Self::from(*other);
            return;
        }
        self.add_affine_in_place(other);
        if self.zz.is_zero_vartime() && self.x.is_zero_vartime() {
            *self = Self::from(*other).add_affine_out_of_line(other);
        }
    }

    /// [`add_affine_complete`](Self::add_affine_complete), not inlined: for rare cases, so that the
    /// code of loops stays small.
    #[cold]
    #[inline(never)]
    fn add_affine_out_of_line(&self, other: &Affine<C>) -> Self {
        self.add_affine_complete(other)
    }

    /// The sum of points, for public values.
    #[inline(always)]
    pub fn sum_vartime(mut points: impl Iterator<Item = Affine<C>>) -> Self {
        let Some(a) = points.next() else {
            return Self::INFINITY;
        };
        let Some(b) = points.next() else {
            return Self::from(a);
        };
        let slope = Slope::chord(&a, &b);
        let sum = if slope.p.is_zero_vartime() {
            Self::from(a).add_affine_out_of_line(&b)
        } else {
            slope.sum(&a.x, &a.y, None)
        };
        let mut sum = sum;
        for point in points {
            sum.add_affine_in_place_vartime(&point);
        }
        sum
    }

    /// The affine form. Infinity becomes `(0, 0)`, which is not on a curve with `b ≠ 0`. Constant
    /// time.
    pub fn to_affine(self) -> Affine<C> {
        self.affine_with(&self.zzz.invert())
    }

    /// The affine form, or `None` for infinity, for public points.
    pub fn to_affine_vartime(self) -> Option<Affine<C>> {
        (!self.zz.is_zero_vartime()).then(|| self.affine_with(&self.zzz.invert_vartime()))
    }

    /// `ZZZ`, whose inverse is the operand of [`affine_with`](Self::affine_with).
    #[inline]
    pub fn denominator(&self) -> &C::Field {
        &self.zzz
    }

    /// The affine form, given `1/ZZZ`. As `ZZ³ = ZZZ²`, `1/Z = ZZ/ZZZ`.
    #[inline]
    pub fn affine_with(self, zzz_inverse: &C::Field) -> Affine<C> {
        let z_inverse = self.zz * *zzz_inverse;
        Affine {
            x: self.x * z_inverse.square(),
            y: self.y * *zzz_inverse,
        }
    }
}

impl<C: Curve> From<Affine<C>> for Xyzz<C> {
    #[inline]
    fn from(p: Affine<C>) -> Self {
        Self {
            x: p.x,
            y: p.y,
            zz: C::Field::ONE,
            zzz: C::Field::ONE,
        }
    }
}

impl<C: Curve> From<Jacobian<C>> for Xyzz<C> {
    #[inline]
    fn from(p: Jacobian<C>) -> Self {
        let zz = p.z.square();
        Self {
            x: p.x,
            y: p.y,
            zz,
            zzz: zz * p.z,
        }
    }
}

impl<C: Curve> ConditionallySelectable for Xyzz<C> {
    #[inline]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: C::Field::conditional_select(&a.x, &b.x, choice),
            y: C::Field::conditional_select(&a.y, &b.y, choice),
            zz: C::Field::conditional_select(&a.zz, &b.zz, choice),
            zzz: C::Field::conditional_select(&a.zzz, &b.zzz, choice),
        }
    }
}

impl<C: Curve> Zeroize for Xyzz<C>
where
    C::Field: Zeroize,
{
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
        self.zz.zeroize();
        self.zzz.zeroize();
    }
}

#[cfg(test)]
mod tests;
