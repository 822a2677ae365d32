//! Four lanes as the coefficients of one element of `F[v]/(v⁴ + 2)`, an extension of degree 4.
//!
//! The product of `a = Σ aᵢvⁱ` and `x` is `Σ aᵢ·(vⁱx)`: four products of a number and a vector. The
//! vector `vⁱx` is `x` with its lanes rotated up by `i`, where the lanes that wrap around are
//! multiplied by −2. So a sum of products in this field, and in towers over it, is a sum of
//! products of a factor, which is one lane of a vector copied to all lanes, and a vector:
//! [`Quartic::dot`], with one reduction.

use core::ops::Index;

use super::Lanes;
use crate::arith::modulus::Modulus;

/// `x, vx, v²x, v³x, v⁴x = −2x`. The index is the exponent of `v`.
pub struct VMultiples<'a, L: Lanes> {
    x: &'a L::Vector,
    /// `vx` to `v⁴x`.
    multiples: [L::Vector; 4],
}

impl<L: Lanes> Index<usize> for VMultiples<'_, L> {
    type Output = L::Vector;

    #[inline(always)]
    fn index(&self, exponent: usize) -> &L::Vector {
        match exponent {
            0 => self.x,
            i => &self.multiples[i - 1],
        }
    }
}

/// An engine of four lanes with products in `F[v]/(v⁴ + 2)`. The contract is that of [`Lanes`].
pub trait Quartic: Lanes {
    /// `Σ aᵢ·xᵢ` with one reduction, for at most twelve factors `aᵢ`, given as a tight vector and
    /// the number of a lane, and tight vectors `xᵢ`.
    ///
    /// If the products of magnitudes sum up to at most `16·j ≤ 96`, the result has magnitude
    /// `j + 1`. Loose, of weight 4.
    fn dot<M: Modulus, const K: usize>(
        factors: &[(&Self::Vector, usize); K],
        vectors: &[&Self::Vector; K],
    ) -> Self::Vector;

    /// `v^I·x` for `I` from 1 to 3, where `minus_twice` is `−2x`.
    fn mul_v<const I: usize>(x: &Self::Vector, minus_twice: &Self::Vector) -> Self::Vector;

    /// The multiples of a tight `x` of magnitude at most 2 by powers of `v`. Tight, of magnitude 4.
    #[inline(always)]
    fn v_multiples<M: Modulus>(x: &Self::Vector) -> VMultiples<'_, Self> {
        let minus_twice = Self::carry(&Self::sub::<M, 4>(&Self::zero(), &Self::add(x, x)));
        VMultiples {
            x,
            multiples: [
                Self::mul_v::<1>(x, &minus_twice),
                Self::mul_v::<2>(x, &minus_twice),
                Self::mul_v::<3>(x, &minus_twice),
                minus_twice,
            ],
        }
    }
}
