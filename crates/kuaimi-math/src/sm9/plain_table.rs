//! For measurements and tests: fixed-base multiplication with a plain table, in variable time.
//!
//! For each of the 32 bytes of a scalar the table has all 255 multiples of `2^(8i)·P`, 8,160 points
//! in all. A [`FixedBaseTable`](crate::curve::FixedBaseTable) with windows of six bits has 1,376
//! points, and is constant time.

use alloc::vec::Vec;

use zeroize::Zeroize;

use crate::arith::{Field, PrimeField, U256};
use crate::curve::{Affine, Curve, Jacobian, scalar_mul, to_affine_many};

/// The multiples of a window.
const MULTIPLES: usize = 255;
/// The number of windows: one for each byte of a scalar.
const WINDOWS: usize = 32;

/// `m·2^(8i)·P` for `m` from 1 to 255 and `i` below 32.
pub struct PlainTable<C: Curve> {
    points: Vec<Affine<C>>,
}

impl<C: Curve> PlainTable<C>
where
    C::Field: Zeroize,
{
    /// The table of a public point: 4,096 doublings and 4,064 additions, one for each entry, and
    /// one inversion.
    pub fn generate_vartime(p: &Affine<C>) -> Self {
        let mut points: Vec<Jacobian<C>> = Vec::with_capacity(WINDOWS * MULTIPLES);
        let mut base = Jacobian::from(*p);
        for _ in 0..WINDOWS {
            let start = points.len();
            points.push(base);
            for m in 2..=MULTIPLES {
                let half = points[start + m / 2 - 1];
                points.push(if m % 2 == 0 {
                    half.double()
                } else {
                    points[start + m - 2].add_vartime(&base)
                });
            }
            base = points[start + 127].double();
        }
        Self {
            points: to_affine_many(&points, C::Field::invert_vartime),
        }
    }

    /// The same table, computed naively: one multiplication and one inversion for each entry.
    pub fn generate_naively_vartime(p: &Affine<C>) -> Self {
        let mut points = Vec::with_capacity(WINDOWS * MULTIPLES);
        for i in 0..WINDOWS {
            for m in 1..=MULTIPLES as u64 {
                let mut k = [0; 4];
                k[i / 8] = m << (8 * (i % 8));
                let k = C::Scalar::from_u256_reduced(&U256(k));
                points.push(
                    scalar_mul::mul_vartime(&k, p)
                        .to_affine_vartime()
                        .unwrap_or_default(),
                );
            }
        }
        Self { points }
    }

    /// `[k]P` for a public `k`, with one addition for each byte that is not zero.
    pub fn mul_vartime(&self, k: &U256) -> Jacobian<C> {
        let mut sum = Jacobian::INFINITY;
        for i in 0..WINDOWS {
            if let Some(digit) = (k.bits(8 * i, 8) as usize).checked_sub(1) {
                sum = sum.add_affine_vartime(&self.points[MULTIPLES * i + digit]);
            }
        }
        sum
    }

    /// The points, from the lowest window.
    pub fn points(&self) -> &[Affine<C>] {
        &self.points
    }
}
