//! Affine points `(x, y)`. The point at infinity has no affine form.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::{Coefficient, Curve};
use crate::arith::Field;

/// A point on the curve other than infinity.
#[derive(Clone, Copy, Debug, Default)]
pub struct Affine<C: Curve> {
    /// The x-coordinate.
    pub x: C::Field,
    /// The y-coordinate.
    pub y: C::Field,
}

/// The coordinates of an affine point in a table, in Montgomery form: the same for every backend.
pub type Entry<C> = [<<C as Curve>::Field as Field>::Limbs; 2];

impl<C: Curve> Affine<C> {
    /// Whether `y² = x³ + ax + b`. Constant time.
    pub fn is_on_curve(&self) -> Choice {
        self.y.square().ct_eq(&right_side::<C>(&self.x))
    }

    /// Whether `y² = x³ + ax + b`, for public points.
    pub fn is_on_curve_vartime(&self) -> bool {
        bool::from(self.is_on_curve())
    }

    /// `−P`.
    #[inline]
    pub fn neg(&self) -> Self {
        Self {
            x: self.x,
            y: -self.y,
        }
    }

    /// `−P` where `choice` is set, else `P`.
    #[inline]
    pub fn conditional_neg(&self, choice: Choice) -> Self {
        Self {
            x: self.x,
            y: C::Field::conditional_select(&self.y, &-self.y, choice),
        }
    }

    /// The point of a table's entry.
    #[inline(always)]
    pub fn from_entry(entry: &Entry<C>) -> Self {
        Self {
            x: C::Field::from_limbs(entry[0]),
            y: C::Field::from_limbs(entry[1]),
        }
    }

    /// The point as a table's entry.
    pub fn to_entry(self) -> Entry<C> {
        [self.x.to_limbs(), self.y.to_limbs()]
    }

    /// The entry at a secret `index`. Constant time: the whole table is read.
    #[inline]
    pub fn from_table(table: &[Entry<C>], index: u32) -> Self {
        Self::from_entry(&C::Field::look_up(table, index))
    }
}

impl<C: Curve> Zeroize for Affine<C>
where
    C::Field: Zeroize,
{
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
    }
}

/// `x³ + ax + b`.
pub fn right_side<C: Curve>(x: &C::Field) -> C::Field {
    let xx = x.square();
    let sum = match C::A {
        Coefficient::MinusThree => xx - (C::Field::ONE.double() + C::Field::ONE),
        Coefficient::Zero => xx,
    };
    sum * *x + C::B
}
