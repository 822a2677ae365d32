//! Mixed coordinates, `madd-2007-bl` of the Explicit-Formulas Database: a Jacobian and an affine
//! point, 7M + 4S. For different points, the first not at infinity.

use kuaimi_math::arith::Field;
use kuaimi_math::curve::{Affine, Curve, Jacobian};

/// `a + b`.
#[inline]
pub(crate) fn add<C: Curve>(a: &Jacobian<C>, b: &Affine<C>) -> Jacobian<C> {
    let z1z1 = a.z.square();
    let u2 = b.x * z1z1;
    let s2 = b.y * a.z * z1z1;
    let h = u2 - a.x;
    let hh = h.square();
    let i = hh.double().double();
    let j = h * i;
    let r = (s2 - a.y).double();
    let v = a.x * i;
    let x = r.square() - j - v.double();
    let y = r * (v - x) - (a.y * j).double();
    let z = (a.z + h).square() - z1z1 - hh;
    Jacobian { x, y, z }
}
