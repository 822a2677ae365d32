//! Points of short Weierstrass curves `y² = x³ + ax + b` with `a = −3` or `a = 0`, in groups of
//! prime order, over any field.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`affine`] | points as `(x, y)`, never at infinity |
//! | [`jacobian`] | points as `(X, Y, Z)`: addition and doubling |
//! | [`xyzz`] | points as `(X, Y, Z², Z³)`: sums without doublings, with one squaring less for each addition |
//! | [`formulas`] | doublings and mixed additions, for machines that have them in one piece |
//! | [`recode`] | scalars as digits: odd signed windows (constant time) and wNAF (variable time) |
//! | [`scalar_mul`] | variable-base multiplication `[k]P`, for secret or public `k` |
//! | [`odd_multiples`] | its table: `P, 3P, 5P, …` in affine form |
//! | [`fixed_base`] | fixed-base multiplication `[k]G` from a precomputed table, for secret `k` |
//! | [`double_scalar`] | `[s]G + [t]P` for public values |
//! | [`batch_affine`] | many sums of affine points at once, with shared inversions |
//! | [`lanes`] | many products at once, one in each lane of vector registers |
//! | [`summation`] | how one fixed-base product is summed: one after another, or in lanes |
//! | `stored_table` | the generators' tables, from files of this crate |
//! | `computed_table` | the same, computed at their first use, for WebAssembly |
//!
//! Functions are constant time in the scalars unless their name ends in `_vartime`. Points are
//! public unless the documentation says otherwise.

pub mod affine;
pub mod batch_affine;
#[cfg(any(test, target_family = "wasm"))]
pub mod computed_table;
pub mod double_scalar;
pub mod fixed_base;
pub mod formulas;
pub mod jacobian;
pub mod lanes;
pub mod odd_multiples;
pub mod recode;
pub mod scalar_mul;
#[cfg(not(target_family = "wasm"))]
pub mod stored_table;
pub mod summation;
pub mod xyzz;

pub use affine::{Affine, Entry};
pub use batch_affine::{BatchAffineSums, to_affine_many};
pub use double_scalar::{OddMultiples, double_scalar_mul_vartime};
pub use fixed_base::FixedBaseTable;
pub use formulas::Formulas;
pub use jacobian::Jacobian;
pub use xyzz::Xyzz;

use crate::arith::{Field, PrimeField};

/// The affine form of a product, whose projective form is then wiped: the point may be public, but
/// its denominators depend on the factor.
macro_rules! wiped_after_entry {
    ($product:expr) => {{
        let mut product = $product;
        let entry = product.to_affine().to_entry();
        zeroize::Zeroize::zeroize(&mut product);
        entry
    }};
}
pub(crate) use wiped_after_entry;

/// The coefficient `a` of a curve: one of the two values for which doubling is cheapest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coefficient {
    /// `a = −3`, for SM2.
    MinusThree,
    /// `a = 0`, for SM9.
    Zero,
}

/// A curve `y² = x³ + ax + b` over `Field`, with a group of prime order. The order is the modulus
/// of `Scalar`.
pub trait Curve:
    Formulas + Copy + Clone + Default + core::fmt::Debug + Send + Sync + 'static
{
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

    /// `3x² + a`, the numerator of a tangent's slope. The denominator is `2y`.
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
