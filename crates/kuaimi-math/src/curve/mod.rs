//! Points of short Weierstrass curves `y² = x³ + ax + b`, `a` −3 or 0, in groups of prime order, over any field.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`affine`] | points as `(x, y)`, never at infinity; what protocols pass around |
//! | [`jacobian`] | points as `(X, Y, Z)`; addition and doubling |
//! | [`stored_table`] | tables of the generators in files of this crate |
//! | [`xyzz`] | points as `(X, Y, Z², Z³)`: for sums without doublings, a squaring less each |
//! | [`recode`] | scalars as digits: odd signed windows (constant time) and wNAF (variable time) |
//! | [`odd_multiples`] | `P, 3P, 5P, …` in affine form, for the windows of a point met once |
//! | [`fixed_base`] | `[k]G` for secret `k` from a precomputed table, in constant time |
//! | [`scalar_mul`] | `[k]P` for secret `k` and public `P`, in constant time; `[k]P` for public `k` |
//! | [`double_scalar`] | `[s]G + [t]P` for public values |
//! | [`lanes`] | many products at once, one in each lane of vector registers |
//! | [`batch_affine`] | many sums of affine points with shared inversions: products from fixed-base tables, many at a time |
//!
//! A function may see a secret scalar unless its name ends in `_vartime`; points given from outside are public.

pub mod affine;
pub mod batch_affine;
pub mod double_scalar;
pub mod fixed_base;
pub mod jacobian;
pub mod lanes;
pub mod odd_multiples;
pub mod recode;
pub mod scalar_mul;
pub mod stored_table;
pub mod xyzz;

pub use affine::{Affine, Entry};
pub use batch_affine::{BatchAffineSums, to_affine_many};
pub use double_scalar::{OddMultiples, double_scalar_mul_vartime};
pub use fixed_base::FixedBaseTable;
pub use jacobian::Jacobian;
pub use xyzz::Xyzz;

use crate::arith::{Field, PrimeField};

/// The coefficient `a` of a curve: the two for which doubling is cheapest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coefficient {
    /// `a = −3`, as SM2 has it.
    MinusThree,
    /// `a = 0`, as SM9 has it.
    Zero,
}

/// A curve `y² = x³ + ax + b` over `Field`, and in it a group of prime order: the modulus of `Scalar`.
pub trait Curve: Copy + Clone + Default + core::fmt::Debug + Send + Sync + 'static {
    /// The field of the coordinates.
    type Field: Field;
    /// The integers modulo the order.
    type Scalar: PrimeField;

    /// The coefficient `a`.
    const A: Coefficient;
    /// The coefficient `b`.
    const B: Self::Field;
    /// The generator `G`.
    const GENERATOR: Affine<Self>;

    /// `3x² + a`: what a tangent's slope has above `2y`.
    #[inline(always)]
    fn tangent(x: &Self::Field) -> Self::Field {
        let xx = x.square();
        let three_xx = xx.double() + xx;
        match Self::A {
            Coefficient::MinusThree => three_xx - (Self::Field::ONE.double() + Self::Field::ONE),
            Coefficient::Zero => three_xx,
        }
    }
}

#[cfg(test)]
mod tests;
