//! Leaks: takes public numbers only, as a verification does.
//!
//! One chain of doublings, and for each scalar a wNAF of width 5 with a table of eight odd
//! multiples, both made each time (Möller, *Algorithms for multi-exponentiation*, SAC 2001): 256
//! doublings and 86 additions on average.

use kuaimi_math::curve::odd_multiples::odd_multiples_vartime;
use kuaimi_math::curve::{Affine, Curve, Entry, Jacobian, OddMultiples, double_scalar_mul_vartime};

/// `[s]G + [t]P`.
pub(crate) fn mul<C: Curve>(
    s: &C::Scalar,
    g: &Affine<C>,
    t: &C::Scalar,
    p: &Affine<C>,
) -> Jacobian<C> {
    let table: [Entry<C>; 8] = odd_multiples_vartime(g);
    double_scalar_mul_vartime(s, &OddMultiples::new(5, &table), t, p)
}
