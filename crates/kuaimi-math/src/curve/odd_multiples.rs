//! `P, 3P, 5P, …` in affine form, the table of a variable-base multiplication.
//!
//! They are computed with co-Z additions (Nicolas Meloni, *New point addition formulae for ECC
//! applications*, WAIFI 2007). Two points with the same `Z` are added with 4M + 2S, which also
//! gives the first operand with the `Z` of the sum. That operand is always `2P`. Each new `Z` is
//! the old one multiplied by the difference `d` of the two x-coordinates. So the inverses of all
//! `Z` follow from the inverse of the last one by multiplications with the differences.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::{Affine, Curve, Entry};
use crate::arith::{Field, batch_invert};

/// The odd multiples `P, 3P, …, (2N − 1)P` of a public point. The order of `P` must be larger than
/// `2(2N − 1)`.
#[inline(never)]
pub fn odd_multiples_vartime<C: Curve, const N: usize>(p: &Affine<C>) -> [Entry<C>; N] {
    let mut co_z = CoZMultiples::new(p);
    let inverse = co_z.z.invert_vartime();
    co_z.normalize(&inverse)
}

/// The odd multiples `P, 3P, …, (2N − 1)P`, in constant time: `P` may be secret. Its order must be
/// larger than `2(2N − 1)`: then no addition is exceptional. Intermediate values are wiped.
#[inline(never)]
pub fn odd_multiples<C: Curve, const N: usize>(p: &Affine<C>) -> [Entry<C>; N]
where
    C::Field: Zeroize,
{
    let mut co_z = CoZMultiples::new(p);
    let mut inverse = co_z.z.invert();
    let multiples = co_z.normalize(&inverse);
    inverse.zeroize();
    co_z.points.iter_mut().zeroize();
    co_z.differences.iter_mut().zeroize();
    co_z.z.zeroize();
    multiples
}

/// [`odd_multiples_vartime`] of many points, with one inversion for all of them.
pub fn odd_multiples_many_vartime<C: Curve, const N: usize>(
    points: impl Iterator<Item = Affine<C>>,
) -> Vec<[Entry<C>; N]> {
    let co_z: Vec<CoZMultiples<C, N>> = points.map(|p| CoZMultiples::new(&p)).collect();
    let mut inverses: Vec<C::Field> = co_z.iter().map(|u| u.z).collect();
    let mut scratch = inverses.clone();
    batch_invert(&mut inverses, &mut scratch, C::Field::invert_vartime);
    co_z.into_iter()
        .zip(&inverses)
        .map(|(mut u, inverse)| u.normalize(inverse))
        .collect()
}

/// The odd multiples in Jacobian coordinates, before the inversion of the last `Z`.
struct CoZMultiples<C: Curve, const N: usize> {
    /// `X` and `Y` of each multiple.
    points: [Affine<C>; N],
    /// The quotients of successive `Z`.
    differences: [C::Field; N],
    /// The last `Z`.
    z: C::Field,
}

impl<C: Curve, const N: usize> CoZMultiples<C, N> {
    fn new(p: &Affine<C>) -> Self {
        let mut points = [Affine::<C>::default(); N];
        let mut differences = [C::Field::ZERO; N];

        // 2P and P with the common Z = 2y.
        let yy = p.y.square();
        let m = C::tangent(&p.x);
        let s = (p.x * yy).double().double();
        let yyyy8 = yy.square().double().double().double();
        let x2 = m.square() - s - s;
        let mut twice = Affine::<C> {
            x: x2,
            y: m * (s - x2) - yyyy8,
        };
        let mut last = Affine::<C> { x: s, y: yyyy8 };
        let mut z = p.y.double();

        points[0] = *p;
        for i in 1..N {
            let d = twice.x - last.x;
            let c = d.square();
            let w1 = twice.x * c;
            let w2 = last.x * c;
            let r = twice.y - last.y;
            let a1 = twice.y * (w1 - w2);
            let x = r.square() - w1 - w2;
            last = Affine {
                x,
                y: r * (w1 - x) - a1,
            };
            twice = Affine { x: w1, y: a1 };
            z = z * d;
            points[i] = last;
            differences[i] = d;
        }
        Self {
            points,
            differences,
            z,
        }
    }

    fn normalize(&mut self, z_inverse: &C::Field) -> [Entry<C>; N] {
        let Self {
            points,
            differences,
            ..
        } = self;
        let mut z_inverse = *z_inverse;
        for i in (1..N).rev() {
            let zz = z_inverse.square();
            points[i].x = points[i].x * zz;
            points[i].y = points[i].y * (zz * z_inverse);
            z_inverse = z_inverse * differences[i];
        }
        let mut entries = [Entry::<C>::default(); N];
        for (entry, point) in entries.iter_mut().zip(points) {
            *entry = point.to_entry();
        }
        entries
    }
}
