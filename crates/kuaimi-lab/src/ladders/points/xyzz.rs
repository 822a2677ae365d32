//! Extended Jacobian coordinates `(X, Y, ZZ, ZZZ)` with `a = −3`: `dbl-2008-s-1` of the
//! Explicit-Formulas Database, with `3X² − 3ZZ²` as `3(X − ZZ)(X + ZZ)`, 7M + 2S; and `add-2008-s`
//! for two such points, 12M + 2S. For different points, neither at infinity.

use kuaimi_math::arith::Field;
use kuaimi_math::curve::{Curve, Xyzz};

/// `2a`, for every point of a curve with `a = −3`.
#[inline]
pub(crate) fn double<C: Curve>(a: &Xyzz<C>) -> Xyzz<C> {
    let u = a.y.double();
    let v = u.square();
    let w = u * v;
    let s = a.x * v;
    let product = (a.x - a.zz) * (a.x + a.zz);
    let m = product.double() + product;
    let x = m.square() - s.double();
    Xyzz {
        x,
        y: m * (s - x) - w * a.y,
        zz: v * a.zz,
        zzz: w * a.zzz,
    }
}

/// `a + b`.
#[inline]
pub(crate) fn add<C: Curve>(a: &Xyzz<C>, b: &Xyzz<C>) -> Xyzz<C> {
    let u1 = a.x * b.zz;
    let s1 = a.y * b.zzz;
    let p = b.x * a.zz - u1;
    let r = b.y * a.zzz - s1;
    let pp = p.square();
    let ppp = p * pp;
    let q = u1 * pp;
    let x = r.square() - ppp - q.double();
    Xyzz {
        x,
        y: r * (q - x) - s1 * ppp,
        zz: a.zz * b.zz * pp,
        zzz: a.zzz * b.zzz * ppp,
    }
}
