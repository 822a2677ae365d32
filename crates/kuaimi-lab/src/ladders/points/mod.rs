//! Additions and doublings of points of SM2's curve, over the library's fastest field. M is a
//! multiplication, S a squaring, I an inversion.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`affine`] | affine coordinates |
//! | [`add_2007_bl`] | Jacobian coordinates, 11M + 5S |
//! | [`madd_2007_bl`] | mixed coordinates, 7M + 4S |
//! | [`dbl_2001_b`] | doubling in Jacobian coordinates, 3M + 5S |
//! | [`xyzz`] | doubling and general addition in XYZZ coordinates |
//! | [`two_lanes`] | two products of one operation side by side |
//! | [`lanes`] | the rungs in vector registers |
//!
//! The others are the library's (`curve/jacobian.rs`, `curve/xyzz.rs`, `curve/lanes`).

pub(crate) mod add_2007_bl;
pub(crate) mod affine;
pub(crate) mod dbl_2001_b;
mod lanes;
pub(crate) mod madd_2007_bl;
#[cfg(test)]
mod tests;
pub(crate) mod two_lanes;
pub(crate) mod xyzz;

use std::hint::black_box;

use kuaimi_math::arith::{Backend, Field};
use kuaimi_math::curve::{Affine, Curve, Jacobian, Xyzz};
use kuaimi_math::sm2::curve::Sm2;

use self::lanes::Points;
use super::backend::{OnFastest, on_fastest};
use super::rung::{Ladder, Rung, Work, chain};

pub(super) const ADDITION: &str = "addition";
pub(super) const DOUBLING: &str = "doubling";

const EFD: &str = "Explicit-Formulas Database, short Weierstrass curves";

pub(super) fn addition() -> Ladder {
    Ladder {
        name: ADDITION,
        title: "Addition of points",
        about: "One operation adds a fixed point to the result of the one before. The library adds mixed points where doublings are between, and in \
                XYZZ coordinates where there are none. For rungs with several at a time, it is one of them.",
        rungs: on_fastest(Additions),
    }
}

pub(super) fn doubling() -> Ladder {
    Ladder {
        name: DOUBLING,
        title: "Doubling of points",
        about: "One operation doubles the result of the one before. For rungs with several at a time, it is one of them.",
        rungs: on_fastest(Doublings),
    }
}

struct Additions;

impl OnFastest for Additions {
    type Output = Vec<Rung>;

    fn run<B: Backend>(self) -> Vec<Rung> {
        let g = Sm2::<B>::GENERATOR;
        let twice = affine::double(&g);
        let (j, jacobian) = (
            Jacobian::from(g).double(),
            Jacobian::from(g).double().double(),
        );
        let points = Points::of(&g);
        let in_lanes = lanes::additions(&points);
        let mut rungs = vec![
            Rung::new(
                "affine",
                "The slope of the chord by an inversion, in constant time.",
                "the definition of the group",
                chain(twice, move |p| affine::add(p, &g)),
            )
            .cost("1I + 2M + 1S"),
            Rung::new(
                "jacobian-12m-4s",
                "Two Jacobian points, with the exceptional cases by branches.",
                "Explicit-Formulas Database, add-1998-cmo-2",
                chain(jacobian, move |p| p.add_vartime(&j)),
            )
            .cost("12M + 4S")
            .leaks(),
            Rung::new(
                "jacobian-add-2007-bl",
                "Two Jacobian points.",
                "Explicit-Formulas Database, add-2007-bl",
                chain(jacobian, move |p| add_2007_bl::add(p, &j)),
            )
            .cost("11M + 5S"),
            Rung::new(
                "xyzz-add-2008-s",
                "Two points with Z² and Z³ in place of Z.",
                "Explicit-Formulas Database, add-2008-s",
                chain(Xyzz::from(jacobian), move |p| {
                    xyzz::add(p, &Xyzz::from(j))
                }),
            )
            .cost("12M + 2S"),
            Rung::new(
                "mixed-madd-2007-bl",
                "A Jacobian and an affine point.",
                "Explicit-Formulas Database, madd-2007-bl",
                chain(j, move |p| madd_2007_bl::add(p, &g)),
            )
            .cost("7M + 4S"),
            Rung::new(
                "mixed-8m-3s",
                "A Jacobian and an affine point; a product in place of a squaring and four additions.",
                "Explicit-Formulas Database, madd; kuaimi-math, curve/jacobian.rs",
                chain(j, move |p| p.add_affine_incomplete(&g)),
            )
            .cost("8M + 3S")
            .used_by_library(),
            Rung::new(
                "xyzz",
                "A point with Z² and Z³ in place of Z, and an affine point.",
                "Explicit-Formulas Database, madd-2008-s; kuaimi-math, curve/xyzz.rs",
                chain(Xyzz::from(j), move |p| p.add_affine_incomplete(&g)),
            )
            .cost("8M + 2S")
            .used_by_library(),
        ];
        if !in_lanes.many.is_empty() {
            let start = Xyzz::from(j);
            let next = start.add_affine_incomplete(&g);
            rungs.extend(in_lanes.inside);
            rungs.push(
                Rung::new(
                    "xyzz-two-at-a-time",
                    "Two independent additions, one after the other; the CPU overlaps what does not wait.",
                    "kuaimi-math, curve/xyzz.rs",
                    two_at_a_time([start, next], move |p| p.add_affine_incomplete(&g)),
                )
                .cost("8M + 2S each"),
            );
            rungs.extend(in_lanes.many);
        }
        rungs
    }
}

impl Points {
    /// Of a point and its double.
    fn of<B: Backend>(g: &Affine<Sm2<B>>) -> Self {
        let other = affine::double(g);
        let jacobian = Jacobian::from(*g).double();
        let xyzz = Xyzz::from(jacobian);
        Self {
            affine: g.to_entry(),
            other: other.to_entry(),
            jacobian: [jacobian.x, jacobian.y, jacobian.z].map(|c| c.to_limbs()),
            xyzz: [xyzz.x, xyzz.y, xyzz.zz, xyzz.zzz].map(|c| c.to_limbs()),
        }
    }
}

/// Two chains, a step of one and a step of the other.
fn two_at_a_time<T: 'static>(start: [T; 2], step: impl Fn(&T) -> T + 'static) -> Work {
    let [mut a, mut b] = start;
    Box::new(move |count| {
        for _ in 0..count.div_ceil(2) {
            (a, b) = (step(&a), step(&b));
        }
        black_box((&a, &b));
    })
}

struct Doublings;

impl OnFastest for Doublings {
    type Output = Vec<Rung>;

    fn run<B: Backend>(self) -> Vec<Rung> {
        let g = Sm2::<B>::GENERATOR;
        let j = Jacobian::from(g).double();
        let in_lanes = lanes::doublings(&Points::of(&g));
        let mut rungs = vec![
            Rung::new(
                "affine",
                "The slope of the tangent by an inversion, in constant time.",
                "the definition of the group",
                chain(g, affine::double),
            )
            .cost("1I + 2M + 2S"),
            Rung::new(
                "xyzz",
                "Z² and Z³ in place of Z, and a = −3.",
                "Explicit-Formulas Database, dbl-2008-s-1",
                chain(Xyzz::from(j), xyzz::double),
            )
            .cost("7M + 2S"),
            Rung::new(
                "jacobian-dbl-2001-b",
                "Jacobian coordinates and a = −3.",
                EFD,
                chain(j, dbl_2001_b::double),
            )
            .cost("3M + 5S"),
            Rung::new(
                "jacobian-4m-4s",
                "The same with a product in place of a squaring, two subtractions and an addition.",
                "kuaimi-math, curve/jacobian.rs",
                chain(j, Jacobian::double),
            )
            .cost("4M + 4S")
            .used_by_library(),
        ];
        if !in_lanes.many.is_empty() {
            rungs.extend(in_lanes.inside);
            rungs.push(
                Rung::new(
                    "two-at-a-time",
                    "Two independent doublings, one after the other; the CPU overlaps what does not wait.",
                    "kuaimi-math, curve/jacobian.rs",
                    two_at_a_time([j, j.double()], Jacobian::double),
                )
                .cost("4M + 4S each"),
            );
            rungs.extend(in_lanes.many);
        }
        rungs
    }
}
