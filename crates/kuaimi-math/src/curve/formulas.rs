//! The formulas in which products of points spend most of their time.
//!
//! By default a formula is computed an operation of the field at a time. A machine may have
//! formulas of a curve in one piece: then a number between two operations stays in registers, and
//! is reduced only where the next one needs that. Both ways give the same limbs.
//!
//! A point is changed in place: a copy would cost some of the time that a formula takes.

use super::{Affine, Curve, Jacobian, Xyzz};

/// The formulas of a curve on a machine. A curve whose machine has none of its own implements the
/// trait without any function.
///
/// All are constant time.
pub trait Formulas: Sized {
    /// `point ← 2·point`, for every point.
    #[inline(always)]
    fn double(point: &mut Jacobian<Self>)
    where
        Self: Curve,
    {
        *point = point.double_by_operations();
    }

    /// `sum ← sum + other`, for `sum` not at infinity and not equal to `other`.
    ///
    /// Opposite points give infinity, correctly. Equal points give `X = Z = 0`, and no others do:
    /// `X₃ = R² − H³ − 2V` and `Z₃ = Z₁·H`, where `H` and `R` are the differences of the
    /// coordinates.
    #[inline(always)]
    fn add_affine(sum: &mut Jacobian<Self>, other: &Affine<Self>)
    where
        Self: Curve,
    {
        *sum = sum.add_affine_by_operations(other);
    }

    /// The same in extended Jacobian coordinates. Equal points give `X = ZZ = 0`, and no others do.
    #[inline(always)]
    fn add_affine_xyzz(sum: &mut Xyzz<Self>, other: &Affine<Self>)
    where
        Self: Curve,
    {
        *sum = sum.add_affine_by_operations(other);
    }
}
