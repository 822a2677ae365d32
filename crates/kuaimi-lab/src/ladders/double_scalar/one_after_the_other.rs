//! Leaks: takes public numbers only, as a verification does.
//!
//! Two products bit by bit, and their sum: 512 doublings and 257 additions on average.

use kuaimi_math::curve::{Affine, Curve, Jacobian};

use crate::ladders::generator::double_and_add;

/// `[s]G + [t]P`.
pub(crate) fn mul<C: Curve>(
    s: &C::Scalar,
    g: &Affine<C>,
    t: &C::Scalar,
    p: &Affine<C>,
) -> Jacobian<C> {
    double_and_add::mul(s, g).add_vartime(&double_and_add::mul(t, p))
}
