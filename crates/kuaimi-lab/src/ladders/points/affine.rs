//! Affine coordinates: the slope of the chord or of the tangent needs an inversion each time, 1I +
//! 2M + 1S for an addition and 1I + 2M + 2S for a doubling.

use kuaimi_math::arith::Field;
use kuaimi_math::curve::{Affine, Curve};

/// `a + b` for points with different x-coordinates.
#[inline]
pub(crate) fn add<C: Curve>(a: &Affine<C>, b: &Affine<C>) -> Affine<C> {
    third(a, b, &((b.y - a.y) * (b.x - a.x).invert()))
}

/// `2a`.
#[inline]
pub(crate) fn double<C: Curve>(a: &Affine<C>) -> Affine<C> {
    third(a, a, &(C::tangent(&a.x) * a.y.double().invert()))
}

/// The third point on a line through `a` and `b`, reflected.
#[inline(always)]
fn third<C: Curve>(a: &Affine<C>, b: &Affine<C>, slope: &C::Field) -> Affine<C> {
    let x = slope.square() - a.x - b.x;
    Affine {
        x,
        y: *slope * (a.x - x) - a.y,
    }
}
