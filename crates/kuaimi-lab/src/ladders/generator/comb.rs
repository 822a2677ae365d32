//! Two combs of 16 entries, interleaved by 32 bits (Lim and Lee, *More flexible exponentiation with
//! precomputation*, CRYPTO 1994; with two tables as in OpenSSL's curves of fixed size). Table `j`
//! has the sums of `2^(32j + 64t)·P` for each set of teeth `t` from 0 to 3. So 31 doublings and 64
//! additions are left.
//!
//! [`Combs::mul_vartime`] takes an entry directly and skips what is zero: it leaks. [`Combs::mul`]
//! reads a whole table for each entry, adds always, and keeps the sum of before if the entry is
//! none: constant time.

use kuaimi_math::arith::{PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve, Entry, Jacobian};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::double_and_add::to_affine;

/// Bits between the two tables, and the number of columns.
const COLUMNS: usize = 32;
/// Bits between two teeth of a table.
const TEETH: usize = 64;

/// The tables of a point. Entry 0, infinity, is there with zeros, so that the index is the digit.
pub(crate) struct Combs<C: Curve>([[Entry<C>; 16]; 2]);

impl<C: Curve> Combs<C> {
    /// The tables of a public point.
    pub(crate) fn new(p: &Affine<C>) -> Self {
        let mut power = Jacobian::from(*p);
        let mut powers = Vec::new();
        // 2^(32i)·P for i from 0 to 7: even ones are teeth of the first table, odd ones of the
        // second.
        for _ in 0..8 {
            powers.push(power);
            power = (0..COLUMNS).fold(power, |power, _| power.double());
        }
        let mut tables = [[Entry::<C>::default(); 16]; 2];
        for (j, table) in tables.iter_mut().enumerate() {
            for (set, entry) in table.iter_mut().enumerate().skip(1) {
                let teeth = (0..4).filter(|t| (set >> t) & 1 == 1);
                let sum = teeth.fold(Jacobian::INFINITY, |sum, t| {
                    sum.add_vartime(&powers[2 * t + j])
                });
                // No sum is infinity, as its factor is below the order.
                *entry = to_affine(&sum).to_entry();
            }
        }
        Self(tables)
    }

    /// `[k]P`, for a public `k`.
    pub(crate) fn mul_vartime(&self, k: &C::Scalar) -> Jacobian<C> {
        let k = k.to_u256();
        let mut sum = Jacobian::INFINITY;
        for column in (0..COLUMNS).rev() {
            sum = sum.double();
            for (j, table) in self.0.iter().enumerate() {
                let digit = digit(&k, j, column);
                if digit != 0 {
                    sum = sum.add_affine_vartime(&Affine::from_entry(&table[digit as usize]));
                }
            }
        }
        sum
    }

    /// `[k]P` in constant time.
    pub(crate) fn mul(&self, k: &C::Scalar) -> Jacobian<C> {
        let k = k.to_u256();
        let mut sum = Jacobian::INFINITY;
        for column in (0..COLUMNS).rev() {
            sum = sum.double();
            for (j, table) in self.0.iter().enumerate() {
                let digit = digit(&k, j, column);
                let next = sum.add_affine_complete(&Affine::from_table(table, digit));
                let none: Choice = digit.ct_eq(&0);
                sum = Jacobian::conditional_select(&next, &sum, none);
            }
        }
        sum
    }
}

/// The bits of a column: one for each tooth of table `j`.
#[inline(always)]
fn digit(k: &U256, j: usize, column: usize) -> u32 {
    (0..4).fold(0, |digit, t| {
        digit | (k.bits(column + COLUMNS * j + TEETH * t, 1) << t)
    })
}
