//! Miller's loop, a pairing a lane: the steps are those of [`miller`](crate::sm9::pairing::miller),
//! whose mathematics is in [`steps`](crate::sm9::pairing::steps).

use zeroize::Zeroize;

use super::fq2::{Fq2s, product};
use super::fq12::{Fq12s, Slopes};
use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{MAX_LANES, vectorize, wipe};
use crate::arith::{Backend, Fe, Field};
use crate::curve::lanes::inverses::invert;
use crate::curve::{Affine, Entry};
use crate::sm9::curve::{Fq, Q, Sm9G2};
use crate::sm9::group::{G1, G2};
use crate::sm9::pairing::Lines;
use crate::sm9::pairing::steps::{Step, for_each_step, frobenius, minus_frobenius2};

/// A point of `G2` in each lane.
#[derive(Clone, Copy)]
struct Points<L: Wide> {
    x: Fq2s<L>,
    y: Fq2s<L>,
}

impl<L: Wide> Points<L> {
    fn load(points: &[G2; MAX_LANES]) -> Self {
        let (x, y) = (points.map(|[x, _]| x), points.map(|[_, y]| y));
        vectorize!(L, {
            Self {
                x: Fq2s::load(&x),
                y: Fq2s::load(&y),
            }
        })
    }

    /// The images of points.
    fn of<B: Backend>(
        points: &[G2; MAX_LANES],
        map: impl Fn(&Affine<Sm9G2<B>>) -> Affine<Sm9G2<B>>,
    ) -> Self {
        let mut images: [Entry<Sm9G2<B>>; MAX_LANES] =
            points.map(|point| map(&Affine::from_entry(&point)).to_entry());
        let loaded = Self::load(&images);
        images.zeroize();
        loaded
    }

    fn wipe(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
    }
}

/// The points `T` of the loop, homogeneous.
#[derive(Clone, Copy)]
struct RunningPoints<L: Wide> {
    x: Fq2s<L>,
    y: Fq2s<L>,
    z: Fq2s<L>,
}

/// The lines of a step, before they are evaluated at `P`: see
/// [`Coefficients`](crate::sm9::pairing::steps::Coefficients).
struct LineCoefficients<L: Wide> {
    y: Fq2s<L>,
    one: Fq2s<L>,
    x: Fq2s<L>,
}

impl<L: Wide> RunningPoints<L> {
    fn new<B: Backend>(q: &Points<L>) -> Self {
        let z = Fq12s::<L>::one::<B>().a[0];
        Self { x: q.x, y: q.y, z }
    }

    #[inline(never)]
    fn double(&mut self, half: &L::Vector) -> LineCoefficients<L> {
        vectorize!(L, {
            let Self { x, y, z } = &*self;
            let (b, c) = (y.square(), z.square());
            // E = 15u·Z², F = 3E.
            let c4 = c.add(&c).plus(&c.add(&c));
            let c15 = c4.add(&c4).plus(&c4.add(&c4)).sub(&c);
            let e = c15.mul_u();
            let f = e.plus(&e).add(&e);
            let yz = y.mul(z);
            let h = yz.add(&yz);
            let xx = x.square();
            let a = x.mul(y).scale(half);
            let g = b.add(&f).scale(half);
            let ee = e.square();
            let minus_3ee = ee.plus(&ee).add(&ee).neg();
            *self = Self {
                x: a.mul(&b.sub(&f)),
                y: g.square().add(&minus_3ee),
                z: b.mul(&h),
            };
            LineCoefficients {
                y: h.mul_u(),
                one: b.sub(&e),
                x: xx.plus(&xx).add(&xx).neg(),
            }
        })
    }

    #[inline(never)]
    fn add(&mut self, q: &Points<L>) -> LineCoefficients<L> {
        vectorize!(L, {
            let Self { x, y, z } = &*self;
            let theta = y.sub(&q.y.mul(z));
            let lambda = x.sub(&q.x.mul(z));
            // θx − λy: at least −8 − 4 and −8.
            let one = product(&theta, &q.x).minus(&product(&lambda, &q.y));
            let one = one.reduced::<1, 1>();
            let d = lambda.square();
            let e = lambda.mul(&d);
            let f = z.mul(&theta.square());
            let g = x.mul(&d);
            let h = e.add(&f).sub(&g.plus(&g));
            let ey = product(&e, y);
            *self = Self {
                x: lambda.mul(&h),
                y: product(&theta, &g.sub(&h)).minus(&ey).reduced::<1, 1>(),
                z: z.mul(&e),
            };
            LineCoefficients {
                y: lambda.mul_u(),
                one,
                x: theta.neg(),
            }
        })
    }

    fn wipe(&mut self) {
        for coordinate in [&mut self.x, &mut self.y, &mut self.z] {
            coordinate.zeroize();
        }
    }
}

/// Miller's functions of `(P, Q)` in each lane, before the final exponentiation.
pub(super) fn miller<L: Wide, B: Backend>(p: &[G1; MAX_LANES], q: &[G2; MAX_LANES]) -> Fq12s<L> {
    let half = Fq::<B>::ONE.half().to_limbs();
    let (px, py) = (p.map(|[x, _]| x), p.map(|[_, y]| y));
    let [mut x, mut y, half] = vectorize!(L, {
        [
            L::load::<Q>(&px[..L::LANES]),
            L::load::<Q>(&py[..L::LANES]),
            L::splat::<Q>(&half),
        ]
    });
    let mut points = [
        Points::load(q),
        Points::of::<B>(q, Affine::neg),
        Points::of::<B>(q, frobenius),
        Points::of::<B>(q, minus_frobenius2),
    ];
    let mut t = RunningPoints::new::<B>(&points[0]);
    let mut f = Fq12s::one::<B>();
    let mut next = f;
    let mut first = true;
    for_each_step(|step| {
        let line = match step {
            Step::Double => t.double(&half),
            Step::Add => t.add(&points[0]),
            Step::Subtract => t.add(&points[1]),
            Step::Frobenius => t.add(&points[2]),
            Step::Frobenius2 => t.add(&points[3]),
        };
        if step == Step::Double && !first {
            f.square_into(&mut next);
        } else {
            next = f;
        }
        first = false;
        let (l0, slopes) = vectorize!(L, {
            let l0 = line.y.scale(&y);
            (l0, Slopes::new(&line.one, &line.x.scale(&x)))
        });
        next.times_line(Some(&l0), &slopes, &mut f);
    });
    points.iter_mut().for_each(Points::wipe);
    t.wipe();
    wipe::<L>(core::slice::from_mut(&mut x));
    wipe::<L>(core::slice::from_mut(&mut y));
    f
}

/// As [`miller`], given the precomputed lines of each `Q`.
pub(super) fn miller_with_lines<L: Wide, B: Backend>(
    p: &[G1; MAX_LANES],
    lines: &[&Lines; MAX_LANES],
) -> Fq12s<L> {
    let (px, py) = (p.map(|[x, _]| x), p.map(|[_, y]| y));
    let mut one_over_y = [vectorize!(L, L::load::<Q>(&py[..L::LANES]))];
    invert::<L, Q, B>(&mut one_over_y, Fe::invert);
    let [mut one_over_y] = one_over_y;
    let mut x_over_y = vectorize!(L, {
        L::mul::<Q>(&L::load::<Q>(&px[..L::LANES]), &one_over_y)
    });
    let mut f = Fq12s::one::<B>();
    let mut next = f;
    let mut index = 0;
    for_each_step(|step| {
        if step == Step::Double && index != 0 {
            f.square_into(&mut next);
        } else {
            next = f;
        }
        let slopes = slopes::<L>(lines, index, &one_over_y, &x_over_y);
        next.times_line(None, &slopes, &mut f);
        index += 1;
    });
    wipe::<L>(core::slice::from_mut(&mut one_over_y));
    wipe::<L>(core::slice::from_mut(&mut x_over_y));
    f
}

/// The values at `P` of the lines with this index.
#[inline(never)]
fn slopes<L: Wide>(
    lines: &[&Lines; MAX_LANES],
    index: usize,
    one_over_y: &L::Vector,
    x_over_y: &L::Vector,
) -> Slopes<L> {
    let (c3, c5) = (
        lines.map(|lines| lines[index][0]),
        lines.map(|lines| lines[index][1]),
    );
    vectorize!(L, {
        let (c3, c5) = (Fq2s::load(&c3), Fq2s::load(&c5));
        Slopes::new(&c3.scale(one_over_y), &c5.scale(x_over_y))
    })
}
