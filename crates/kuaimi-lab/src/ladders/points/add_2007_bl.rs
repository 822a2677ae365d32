//! Jacobian coordinates, `add-2007-bl` of the Explicit-Formulas Database: 11M + 5S. A product
//! `2·Z₁·Z₂` becomes `(Z₁ + Z₂)² − Z₁² − Z₂²`, since both squares are computed already. For
//! different points, neither at infinity.

use kuaimi_math::arith::Field;
use kuaimi_math::curve::{Curve, Jacobian};

/// `a + b`.
#[inline]
pub(crate) fn add<C: Curve>(a: &Jacobian<C>, b: &Jacobian<C>) -> Jacobian<C> {
    let z1z1 = a.z.square();
    let z2z2 = b.z.square();
    let u1 = a.x * z2z2;
    let u2 = b.x * z1z1;
    let s1 = a.y * b.z * z2z2;
    let s2 = b.y * a.z * z1z1;
    let h = u2 - u1;
    let i = h.double().square();
    let j = h * i;
    let r = (s2 - s1).double();
    let v = u1 * i;
    let x = r.square() - j - v.double();
    let y = r * (v - x) - (s1 * j).double();
    let z = ((a.z + b.z).square() - z1z1 - z2z2) * h;
    Jacobian { x, y, z }
}
