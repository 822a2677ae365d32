//! Leaks: takes public numbers only, as a verification does.
//!
//! Both scalars bit by bit with one chain of doublings, and a table of `G`, `P` and `G + P`
//! (Straus, *Addition chains of vectors*, 1964): 256 doublings and 192 additions on average.

use kuaimi_math::arith::PrimeField;
use kuaimi_math::curve::{Affine, Curve, Jacobian};

/// `[s]G + [t]P`.
pub(crate) fn mul<C: Curve>(
    s: &C::Scalar,
    g: &Affine<C>,
    t: &C::Scalar,
    p: &Affine<C>,
) -> Jacobian<C> {
    let (s, t) = (s.to_u256(), t.to_u256());
    let both = Jacobian::from(*g).add_affine_vartime(p).to_affine_vartime();
    let mut sum = Jacobian::INFINITY;
    for bit in (0..s.bit_length_vartime().max(t.bit_length_vartime())).rev() {
        sum = sum.double();
        let addend = match (s.bits(bit, 1), t.bits(bit, 1)) {
            (0, 0) => None,
            (1, 0) => Some(*g),
            (0, _) => Some(*p),
            _ => both,
        };
        if let Some(addend) = addend {
            sum = sum.add_affine_vartime(&addend);
        }
    }
    sum
}
