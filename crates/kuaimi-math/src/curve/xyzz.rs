//! Points `(X, Y, ZZ, ZZZ)` with `ZZ³ = ZZZ²`: `(X/ZZ, Y/ZZZ)`, and `ZZ = 0` for the point at infinity.
//!
//! For sums without doublings: a mixed addition takes `Z²` and `Z³` and gives them again, 8M + 2S, where a Jacobian one computes
//! them from `Z`, 8M + 3S. A doubling would cost two products more than a Jacobian one. The formulas are `madd-2008-s` of the
//! Explicit-Formulas Database and, with 1 for all denominators, `mmadd-2008-s` (4M + 2S); `add-2008-s`
//! (12M + 2S) for two sums.
//!
//! An addition formula is wrong in four cases — either operand at infinity, equal operands, opposite operands — and each
//! function here says which of them it covers. Opposite points give `ZZ = 0`, as they should, by every formula.

use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

use super::{Affine, Coefficient, Curve, Jacobian};
use crate::arith::Field;

/// A point whose denominators `Z²` and `Z³` are kept apart.
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

/// The line through the operands, `R` up for `P` sideways, over the first one's denominators.
struct Line<C: Curve> {
    p: C::Field,
    r: C::Field,
}

impl<C: Curve> Line<C> {
    /// Of two points with denominator 1. Both numbers are zero exactly for equal points.
    #[inline(always)]
    fn through(a: &Affine<C>, b: &Affine<C>) -> Self {
        Self {
            p: b.x - a.x,
            r: b.y - a.y,
        }
    }

    /// Whether the two points were equal.
    #[inline(always)]
    fn is_none(&self) -> Choice {
        self.p.is_zero() & self.r.is_zero()
    }

    /// The sum of the operands, of which the first is `(x, y)`: `X₃ = R² − P³ − 2Q`, `Y₃ = R(Q − X₃) − y·P³` with `Q = x·P²`;
    /// and `P²` and `P³`, by which its denominators grow. On a `tangent` the operands' x-coordinates do not differ by `P`, and
    /// `X₃` lacks `P³`.
    #[inline(always)]
    fn sum(&self, x: &C::Field, y: &C::Field, tangent: Option<Choice>) -> Xyzz<C> {
        let pp = self.p.square();
        let ppp = self.p * pp;
        let q = *x * pp;
        let apart = match tangent {
            None => ppp,
            Some(tangent) => C::Field::conditional_select(&ppp, &C::Field::ZERO, tangent),
        };
        let x = self.r.square() - (apart + q.double());
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

    /// `a + b`, which are not equal. Constant time.
    #[inline(always)]
    pub fn sum_incomplete(a: &Affine<C>, b: &Affine<C>) -> Self {
        Line::through(a, b).sum(&a.x, &a.y, None)
    }

    /// Both numbers of the line are zero exactly for equal points.
    #[inline(always)]
    fn line_to(&self, other: &Affine<C>) -> Line<C> {
        Line {
            p: other.x * self.zz - self.x,
            r: other.y * self.zzz - self.y,
        }
    }

    #[inline(always)]
    fn add_along(&self, line: &Line<C>, tangent: Option<Choice>) -> Self {
        let sum = line.sum(&self.x, &self.y, tangent);
        Self {
            zz: self.zz * sum.zz,
            zzz: self.zzz * sum.zzz,
            ..sum
        }
    }

    /// `self + other`, where `self` is neither infinity nor equal to `other`. Constant time.
    #[inline(always)]
    pub fn add_affine_incomplete(&self, other: &Affine<C>) -> Self {
        self.add_along(&self.line_to(other), None)
    }

    /// `self + other` for every `self`. Constant time.
    pub fn add_affine_complete(&self, other: &Affine<C>) -> Self {
        let chord = self.line_to(other);
        let equal = chord.is_none();
        // For equal points, from `other`, whose denominators are 1, along its tangent.
        let select = |a: &C::Field, b: &C::Field| C::Field::conditional_select(a, b, equal);
        let start = Self::conditional_select(self, &Self::from(*other), equal);
        let line = Line {
            p: select(&chord.p, &other.y.double()),
            r: select(&chord.r, &C::tangent(&other.x)),
        };
        let sum = start.add_along(&line, Some(equal));
        Self::conditional_select(&sum, &Self::from(*other), self.is_infinity())
    }

    /// `self + other` for all points. Constant time.
    pub fn add_complete(&self, other: &Self) -> Self {
        // Over their common denominators.
        let common = Self {
            x: self.x * other.zz,
            y: self.y * other.zzz,
            zz: self.zz * other.zz,
            zzz: self.zzz * other.zzz,
        };
        let chord = Line::<C> {
            p: other.x * self.zz - common.x,
            r: other.y * self.zzz - common.y,
        };
        let equal = chord.is_none();
        let select = |a: &C::Field, b: &C::Field| C::Field::conditional_select(a, b, equal);
        let line = Line {
            p: select(&chord.p, &self.y.double()),
            r: select(&chord.r, &self.tangent()),
        };
        let start = Self::conditional_select(&common, self, equal);
        let sum = start.add_along(&line, Some(equal));
        let sum = Self::conditional_select(&sum, other, self.is_infinity());
        Self::conditional_select(&sum, self, other.is_infinity())
    }

    /// `3X² + a·ZZ²`: what the tangent's slope has above `2Y`.
    #[inline(always)]
    fn tangent(&self) -> C::Field {
        let third = match C::A {
            Coefficient::MinusThree => (self.x + self.zz) * (self.x - self.zz),
            Coefficient::Zero => self.x.square(),
        };
        third.double() + third
    }

    /// `self + other`, for every `self`, for public values.
    #[inline(always)]
    pub fn add_affine_vartime(&self, other: &Affine<C>) -> Self {
        if self.zz.is_zero_vartime() {
            return Self::from(*other);
        }
        let line = self.line_to(other);
        if line.p.is_zero_vartime() {
            return self.add_aside(other);
        }
        self.add_along(&line, None)
    }

    /// As [`add_affine_complete`](Self::add_affine_complete): for the cases that hardly ever occur, so that they take no room
    /// in the loops.
    #[cold]
    #[inline(never)]
    fn add_aside(&self, other: &Affine<C>) -> Self {
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
        let line = Line::through(&a, &b);
        let sum = if line.p.is_zero_vartime() {
            Self::from(a).add_aside(&b)
        } else {
            line.sum(&a.x, &a.y, None)
        };
        points.fold(sum, |sum, point| sum.add_affine_vartime(&point))
    }

    /// The affine form; infinity becomes `(0, 0)`, which is on no curve with `b ≠ 0`. Constant time.
    pub fn to_affine(self) -> Affine<C> {
        self.affine_with(&self.zzz.invert())
    }

    /// The affine form, or nothing at infinity, for public points.
    pub fn to_affine_vartime(self) -> Option<Affine<C>> {
        (!self.zz.is_zero_vartime()).then(|| self.affine_with(&self.zzz.invert_vartime()))
    }

    /// What [`affine_with`](Self::affine_with) needs the inverse of.
    #[inline]
    pub fn denominator(&self) -> &C::Field {
        &self.zzz
    }

    /// The affine form given `1/ZZZ`: as `ZZ³ = ZZZ²`, `ZZ/ZZZ` is `1/Z`.
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
