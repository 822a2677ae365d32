//! Jacobian coordinates with `a = −3`, `dbl-2001-b` of the Explicit-Formulas Database: 3M + 5S. The
//! product `2·Y·Z` becomes `(Y + Z)² − Y² − Z²`.

use kuaimi_math::arith::Field;
use kuaimi_math::curve::{Curve, Jacobian};

/// `2a`, for every point of a curve with `a = −3`.
#[inline]
pub(crate) fn double<C: Curve>(a: &Jacobian<C>) -> Jacobian<C> {
    let delta = a.z.square();
    let gamma = a.y.square();
    let beta = a.x * gamma;
    let product = (a.x - delta) * (a.x + delta);
    let alpha = product.double() + product;
    let beta4 = beta.double().double();
    let x = alpha.square() - beta4.double();
    let z = (a.y + a.z).square() - gamma - delta;
    let y = alpha * (beta4 - x) - gamma.square().double().double().double();
    Jacobian { x, y, z }
}
