//! Points in Jacobian coordinates: `(X, Y, Z)` is the point `(X/Z², Y/Z³)`, or infinity if `Z = 0`.
//!
//! The formulas are from the Explicit-Formulas Database. Doubling is `dbl-2001-b` for `a = −3` (as
//! 4M + 4S, and with half of the tangent's numerator, so that `Z₃` is `Y·Z`: fewer additions), and
//! the same with `3X²` for the tangent for `a = 0` (3M + 4S). Additions are `madd` (8M + 3S) and
//! `add` (12M + 4S). An addition formula has exceptional cases: an operand at infinity, equal
//! operands, and opposite operands. The documentation of each function says which of them are
//! allowed.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::{Affine, Coefficient, Curve};
use crate::arith::Field;

/// A point in Jacobian coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Jacobian<C: Curve> {
    /// `x·Z²`.
    pub x: C::Field,
    /// `y·Z³`.
    pub y: C::Field,
    /// The denominator; zero at infinity.
    pub z: C::Field,
}

impl<C: Curve> Jacobian<C> {
    /// The point at infinity.
    pub const INFINITY: Self = Self {
        x: <C::Field as Field>::ONE,
        y: <C::Field as Field>::ONE,
        z: <C::Field as Field>::ZERO,
    };

    /// Whether this is the point at infinity.
    #[inline]
    pub fn is_infinity(&self) -> Choice {
        self.z.is_zero()
    }

    /// `2·self`, for every point.
    #[inline(always)]
    pub fn double(&self) -> Self {
        let mut point = *self;
        point.double_in_place();
        point
    }

    /// [`double`](Self::double), for loops: see [`Formulas`](super::Formulas).
    #[inline(always)]
    pub fn double_in_place(&mut self) {
        C::double(self);
    }

    /// [`double`](Self::double), an operation of the field at a time.
    #[inline(always)]
    pub(crate) fn double_by_operations(&self) -> Self {
        let yy = self.y.square();
        let z = self.y * self.z;
        let third = match C::A {
            Coefficient::MinusThree => {
                let zz = self.z.square();
                (self.x + zz) * (self.x - zz)
            }
            Coefficient::Zero => self.x.square(),
        };
        let m = (third.double() + third).half();
        let s = yy * self.x;
        let x = m.square() - s.double();
        let y = m * (s - x) - yy.square();
        Self { x, y, z }
    }

    /// [`double`](Self::double), not inlined: for rare cases, so that the code of loops stays
    /// small.
    #[inline(never)]
    fn double_out_of_line(&self) -> Self {
        self.double()
    }

    /// `self + other`, for `self` not at infinity and not equal to `other`. Constant time.
    #[inline(always)]
    pub fn add_affine_incomplete(&self, other: &Affine<C>) -> Self {
        let mut sum = *self;
        sum.add_affine_in_place(other);
        sum
    }

    /// [`add_affine_incomplete`](Self::add_affine_incomplete), for loops: see
    /// [`Formulas::add_affine`](super::Formulas::add_affine).
    #[inline(always)]
    pub fn add_affine_in_place(&mut self, other: &Affine<C>) {
        C::add_affine(self, other);
    }

    /// [`add_affine_in_place`](Self::add_affine_in_place), an operation of the field at a time.
    #[inline(always)]
    pub(crate) fn add_affine_by_operations(&self, other: &Affine<C>) -> Self {
        let z1z1 = self.z.square();
        let u2 = other.x * z1z1;
        let s2 = other.y * (z1z1 * self.z);
        let h = u2 - self.x;
        let r = s2 - self.y;
        let hh = h.square();
        let hhh = hh * h;
        let v = self.x * hh;
        let x = r.square() - (hhh + v.double());
        let y = C::Field::difference_of_products([&r, &(v - x)], [&self.y, &hhh]);
        let z = self.z * h;
        Self { x, y, z }
    }

    /// `self + other` for every `self`. Constant time.
    pub fn add_affine_complete(&self, other: &Affine<C>) -> Self {
        let sum = self.add_affine_incomplete(other);
        // Also true where `self` is infinity, which is dealt with after it.
        let equal = sum.x.is_zero() & sum.z.is_zero();
        let sum = Self::conditional_select(&sum, &self.double_out_of_line(), equal);
        Self::conditional_select(&sum, &Self::from(*other), self.is_infinity())
    }

    /// `self + other` for every `self`, for public values.
    #[inline(always)]
    pub fn add_affine_vartime(&self, other: &Affine<C>) -> Self {
        let mut sum = *self;
        sum.add_affine_in_place_vartime(other);
        sum
    }

    /// [`add_affine_vartime`](Self::add_affine_vartime), for loops: see
    /// [`double_in_place`](Self::double_in_place).
    #[inline(always)]
    pub fn add_affine_in_place_vartime(&mut self, other: &Affine<C>) {
        if self.z.is_zero_vartime() {
            *self = Self::from(*other);
            return;
        }
        self.add_affine_in_place(other);
        if self.z.is_zero_vartime() {
            *self = if self.x.is_zero_vartime() {
                Self::from(*other).double_out_of_line()
            } else {
                Self::INFINITY
            };
        }
    }

    /// `self + other` for all points, for public values.
    pub fn add_vartime(&self, other: &Self) -> Self {
        if self.z.is_zero_vartime() {
            return *other;
        }
        if other.z.is_zero_vartime() {
            return *self;
        }
        let z1z1 = self.z.square();
        let z2z2 = other.z.square();
        let u1 = self.x * z2z2;
        let u2 = other.x * z1z1;
        let s1 = self.y * (z2z2 * other.z);
        let s2 = other.y * (z1z1 * self.z);
        let h = u2 - u1;
        let r = s2 - s1;
        if h.is_zero_vartime() {
            return if r.is_zero_vartime() {
                self.double_out_of_line()
            } else {
                Self::INFINITY
            };
        }
        let hh = h.square();
        let hhh = hh * h;
        let v = u1 * hh;
        let x = r.square() - hhh - v - v;
        let y = C::Field::difference_of_products([&r, &(v - x)], [&s1, &hhh]);
        let z = self.z * other.z * h;
        Self { x, y, z }
    }

    /// The affine form, given `1/Z`.
    #[inline]
    pub fn affine_with(self, z_inverse: &C::Field) -> Affine<C> {
        let zz = z_inverse.square();
        Affine {
            x: self.x * zz,
            y: self.y * (zz * *z_inverse),
        }
    }

    /// The affine form. Infinity becomes `(0, 0)`, which is not on a curve with `b ≠ 0`. Constant
    /// time.
    pub fn to_affine(self) -> Affine<C> {
        self.affine_with(&self.z.invert())
    }

    /// The affine form, or `None` for infinity, for public points.
    pub fn to_affine_vartime(self) -> Option<Affine<C>> {
        (!self.z.is_zero_vartime()).then(|| self.affine_with(&self.z.invert_vartime()))
    }
}

impl<C: Curve> From<Affine<C>> for Jacobian<C> {
    #[inline]
    fn from(p: Affine<C>) -> Self {
        Self {
            x: p.x,
            y: p.y,
            z: C::Field::ONE,
        }
    }
}

impl<C: Curve> ConstantTimeEq for Jacobian<C> {
    /// Whether they are the same point, which may have different `Z`.
    fn ct_eq(&self, other: &Self) -> Choice {
        let (z1z1, z2z2) = (self.z.square(), other.z.square());
        let x = (self.x * z2z2).ct_eq(&(other.x * z1z1));
        let y = (self.y * (z2z2 * other.z)).ct_eq(&(other.y * (z1z1 * self.z)));
        let (i1, i2) = (self.is_infinity(), other.is_infinity());
        (i1 & i2) | (!i1 & !i2 & x & y)
    }
}

impl<C: Curve> ConditionallySelectable for Jacobian<C> {
    #[inline]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            x: C::Field::conditional_select(&a.x, &b.x, choice),
            y: C::Field::conditional_select(&a.y, &b.y, choice),
            z: C::Field::conditional_select(&a.z, &b.z, choice),
        }
    }
}

impl<C: Curve> Zeroize for Jacobian<C>
where
    C::Field: Zeroize,
{
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
        self.z.zeroize();
    }
}
