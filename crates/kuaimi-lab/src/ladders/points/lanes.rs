//! The rungs in vector registers, for every engine of the library that this CPU can run: a point a
//! lane, and two lanes inside one operation ([`two_lanes`]).

use std::hint::black_box;

use kuaimi_math::arith::lanes::{Lanes, Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::curve::lanes::Affine;
use kuaimi_math::curve::lanes::point::Point;
use kuaimi_math::curve::lanes::products::load;
use kuaimi_math::curve::lanes::xyzz::Xyzz;
use kuaimi_math::sm2::curve::P;

use super::two_lanes;
use crate::ladders::rung::{Rung, Work, chain};

/// What rungs are made with: coordinates in Montgomery form.
pub(super) struct Points {
    /// An affine point, which is added.
    pub(super) affine: [Limbs; 2],
    /// Another one.
    pub(super) other: [Limbs; 2],
    /// The other one with other denominators.
    pub(super) jacobian: [Limbs; 3],
    pub(super) xyzz: [Limbs; 4],
}

/// The rungs of two lanes inside one operation, and those of a point a lane. The last of these is
/// the library's.
#[derive(Default)]
pub(super) struct InLanes {
    pub(super) inside: Vec<Rung>,
    pub(super) many: Vec<Rung>,
}

const ENGINES: &str = "kuaimi-math, curve/lanes; arith/lanes";
const INSIDE: &str = "Faz-Hernández and López, Fast implementation of Curve25519 using AVX2, 2015, for two products side by side; Explicit-Formulas \
                      Database";

pub(super) fn doublings(points: &Points) -> InLanes {
    struct Doublings<'a>(&'a Points, InLanes);
    impl Visitor for Doublings<'_> {
        fn visit<L: Lanes>(&mut self) {
            let Self(points, rungs) = self;
            let [inside, many] = match L::NAME {
                "avx2" => ["two-lanes-inside-avx2", "four-lanes-avx2"],
                "avx512" => ["two-lanes-inside-avx512", "eight-lanes-avx512"],
                "ifma" => ["two-lanes-inside-ifma", "eight-lanes-ifma"],
                _ => ["two-lanes-inside-avx-ifma", "four-lanes-avx-ifma"],
            };
            let what = "Two products of one doubling side by side in a vector, four pairs of them.";
            let point = two_lanes::Jacobian::<L>::new(&points.jacobian);
            let work = chain(point, two_lanes::Jacobian::double);
            rungs
                .inside
                .push(Rung::new(inside, what, INSIDE, work).cost("4M + 4S in 4 vector products"));

            let mut point = Point::<L, P>::from_affine(&load::<L, P>(&[points.other]), 0);
            let work = vectors::<L>(move |count| {
                point.double_times(count);
                black_box(&point);
            });
            let what = "As many doublings at once as there are lanes, a point a lane.";
            rungs
                .many
                .push(Rung::new(many, what, ENGINES, work).cost("4M + 4S in every lane"));
        }
    }
    let mut all = Doublings(points, InLanes::default());
    for_each(&mut all);
    all.1.marked()
}

pub(super) fn additions(points: &Points) -> InLanes {
    struct Additions<'a>(&'a Points, InLanes);
    impl Visitor for Additions<'_> {
        fn visit<L: Lanes>(&mut self) {
            let Self(points, rungs) = self;
            let [inside, xyzz, mixed] = match L::NAME {
                "avx2" => [
                    "xyzz-two-lanes-inside-avx2",
                    "xyzz-four-lanes-avx2",
                    "mixed-four-lanes-avx2",
                ],
                "avx512" => [
                    "xyzz-two-lanes-inside-avx512",
                    "xyzz-eight-lanes-avx512",
                    "mixed-eight-lanes-avx512",
                ],
                "ifma" => [
                    "xyzz-two-lanes-inside-ifma",
                    "xyzz-eight-lanes-ifma",
                    "mixed-eight-lanes-ifma",
                ],
                _ => [
                    "xyzz-two-lanes-inside-avx-ifma",
                    "xyzz-four-lanes-avx-ifma",
                    "mixed-four-lanes-avx-ifma",
                ],
            };
            let what =
                "Two products of one mixed addition side by side in a vector, five pairs of them.";
            let addend = two_lanes::Affine::<L>::new(&points.affine);
            let work = chain(two_lanes::Xyzz::<L>::new(&points.xyzz), move |p| {
                p.add(&addend)
            });
            rungs
                .inside
                .push(Rung::new(inside, what, INSIDE, work).cost("8M + 2S in 5 vector products"));

            let addend: Affine<L> = load::<L, P>(&[points.affine]);
            let start: Affine<L> = load::<L, P>(&[points.other]);
            let mut sum = Xyzz::<L, P>::from_affine(&start, 0);
            let work = vectors::<L>(move |count| {
                for _ in 0..count {
                    sum.add_incomplete(&addend, 0, u64::MAX);
                }
                black_box(&sum);
            });
            let what = "As many mixed additions at once as there are lanes, XYZZ coordinates.";
            let rung = Rung::new(xyzz, what, ENGINES, work).cost("8M + 2S in every lane");
            // Sums of the multiples of one product.
            rungs.many.push(if L::NAME == "ifma" {
                rung.used_by_library()
            } else {
                rung
            });

            let mut sum = Point::<L, P>::from_affine(&start, 0);
            let work = vectors::<L>(move |count| {
                for _ in 0..count {
                    sum.add_incomplete(&addend, 0);
                }
                black_box(&sum);
            });
            let what = "As many mixed additions at once as there are lanes, Jacobian coordinates.";
            rungs
                .many
                .push(Rung::new(mixed, what, ENGINES, work).cost("8M + 3S in every lane"));
        }
    }
    let mut all = Additions(points, InLanes::default());
    for_each(&mut all);
    all.1.marked()
}

impl InLanes {
    /// With the last rung as the library's: the fastest engine comes last.
    fn marked(mut self) -> Self {
        if let Some(last) = self.many.pop() {
            self.many.push(last.used_by_library());
        }
        self
    }
}

/// Operations of vectors, told as operations of lanes.
fn vectors<L: Lanes>(mut run: impl FnMut(usize) + 'static) -> Work {
    Box::new(move |count| {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        run(count.div_ceil(L::LANES));
    })
}
