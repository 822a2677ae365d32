//! `P, 3P, 5P, …` in affine form, for a point met once.
//!
//! Co-Z additions (Nicolas Meloni, *New point addition formulae for ECC applications*, WAIFI 2007): two points with the
//! same `Z` are added with 4M + 2S, and the first operand comes out again with the `Z` of the sum. So `2P` is carried
//! along from sum to sum. As each new `Z` is the old one times the difference `d` of the two x-coordinates, one inversion
//! of the last `Z` gives all the others by walking back through the differences.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::{Affine, Curve, Entry};
use crate::arith::{Field, batch_invert};

/// `P, 3P, 5P, …`. Variable time; the order of `P` must exceed twice the last multiple.
#[inline(never)]
pub fn odd_multiples_vartime<C: Curve, const N: usize>(p: &Affine<C>) -> [Entry<C>; N] {
    let mut unfinished = Unfinished::new(p);
    let inverse = unfinished.z.invert_vartime();
    unfinished.finish(&inverse)
}

/// `P, 3P, 5P, …` of a point that may be secret; the order of `P` must exceed twice the last multiple. Constant time: the sums meet no
/// exceptional case, whatever the point. What is computed besides the multiples is wiped.
#[inline(never)]
pub fn odd_multiples<C: Curve, const N: usize>(p: &Affine<C>) -> [Entry<C>; N]
where
    C::Field: Zeroize,
{
    let mut unfinished = Unfinished::new(p);
    let mut inverse = unfinished.z.invert();
    let multiples = unfinished.finish(&inverse);
    inverse.zeroize();
    unfinished.points.iter_mut().zeroize();
    unfinished.differences.iter_mut().zeroize();
    unfinished.z.zeroize();
    multiples
}

/// As [`odd_multiples_vartime`], of many points, with one inversion for all of them.
pub fn odd_multiples_many_vartime<C: Curve, const N: usize>(
    points: impl Iterator<Item = Affine<C>>,
) -> Vec<[Entry<C>; N]> {
    let unfinished: Vec<Unfinished<C, N>> = points.map(|p| Unfinished::new(&p)).collect();
    let mut inverses: Vec<C::Field> = unfinished.iter().map(|u| u.z).collect();
    let mut scratch = inverses.clone();
    batch_invert(&mut inverses, &mut scratch, C::Field::invert_vartime);
    unfinished
        .into_iter()
        .zip(&inverses)
        .map(|(mut u, inverse)| u.finish(inverse))
        .collect()
}

/// Odd multiples that lack the inverse of the last one's `Z`.
struct Unfinished<C: Curve, const N: usize> {
    points: [Affine<C>; N],
    differences: [C::Field; N],
    z: C::Field,
}

impl<C: Curve, const N: usize> Unfinished<C, N> {
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

    fn finish(&mut self, z_inverse: &C::Field) -> [Entry<C>; N] {
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
