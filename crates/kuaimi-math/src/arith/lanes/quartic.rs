//! Four lanes as the coefficients of one element of `F[v]/(v⁴ + 2)`.
//!
//! The product of `a = Σ aᵢvⁱ` and `x` is `Σ aᵢ·(vⁱx)`: number times vector, four times. `vⁱx` is `x` with its lanes turned by `i`
//! places, those that come out at the top coming in again at the bottom times −2. So a sum of products in such a field, and in
//! towers over it, is a sum of products of one lane, spread over all, and a vector: [`Quartic::dot`], with one reduction.

use core::ops::Index;

use super::Lanes;
use crate::arith::modulus::Modulus;

/// `x, vx, v²x, v³x, v⁴x = −2x`, by their exponents of `v`.
pub struct Turns<'a, L: Lanes> {
    x: &'a L::Vector,
    turned: [L::Vector; 4],
}

impl<L: Lanes> Index<usize> for Turns<'_, L> {
    type Output = L::Vector;

    #[inline(always)]
    fn index(&self, exponent: usize) -> &L::Vector {
        match exponent {
            0 => self.x,
            i => &self.turned[i - 1],
        }
    }
}

/// An engine of four lanes. The contract of [`Lanes`] holds.
pub trait Quartic: Lanes {
    /// `Σ aᵢ·xᵢ` of at most twelve tight vectors `xᵢ` and factors `aᵢ`, each a lane of a tight vector, with one reduction.
    ///
    /// If the products of magnitudes are at most `16·j ≤ 96` in all, the result has magnitude `j + 1`. Loose, of weight 4.
    fn dot<M: Modulus, const K: usize>(
        factors: &[(&Self::Vector, usize); K],
        vectors: &[&Self::Vector; K],
    ) -> Self::Vector;

    /// `vⁱ·x` for `i = R`, 1 to 3, where `minus_twice` is `−2x`.
    fn turn<const R: usize>(x: &Self::Vector, minus_twice: &Self::Vector) -> Self::Vector;

    /// All turns of a tight `x` of magnitude at most 2. Tight, of magnitude 4.
    #[inline(always)]
    fn turns<M: Modulus>(x: &Self::Vector) -> Turns<'_, Self> {
        let minus_twice = Self::carry(&Self::sub::<M, 4>(&Self::zero(), &Self::add(x, x)));
        Turns {
            x,
            turned: [
                Self::turn::<1>(x, &minus_twice),
                Self::turn::<2>(x, &minus_twice),
                Self::turn::<3>(x, &minus_twice),
                minus_twice,
            ],
        }
    }
}
