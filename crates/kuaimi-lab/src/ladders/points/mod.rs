//! Additions and doublings of points of SM2's curve, over the library's fastest field. M is a multiplication, S a squaring, I an
//! inversion.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`affine`] | affine coordinates |
//! | [`add_2007_bl`] | Jacobian coordinates, 11M + 5S |
//! | [`madd_2007_bl`] | mixed coordinates, 7M + 4S |
//! | [`dbl_2001_b`] | doubling in Jacobian coordinates, 3M + 5S |
//!
//! The others are the library's (`curve/jacobian.rs`, `curve/xyzz.rs`).

pub(crate) mod add_2007_bl;
pub(crate) mod affine;
pub(crate) mod dbl_2001_b;
pub(crate) mod madd_2007_bl;
#[cfg(test)]
mod tests;

use kuaimi_math::arith::Backend;
use kuaimi_math::curve::{Curve, Jacobian, Xyzz};
use kuaimi_math::sm2::curve::Sm2;

use super::backend::{OnFastest, on_fastest};
use super::rung::{Ladder, Rung, chain};

pub(super) const ADDITION: &str = "addition";
pub(super) const DOUBLING: &str = "doubling";

const EFD: &str = "Explicit-Formulas Database, short Weierstrass curves";

pub(super) fn addition() -> Ladder {
    Ladder {
        name: ADDITION,
        title: "Addition of points",
        about: "One operation adds a fixed point to the result of the one before. The library adds mixed points where doublings are between, and in \
                XYZZ coordinates where there are none.",
        rungs: on_fastest(Additions),
    }
}

pub(super) fn doubling() -> Ladder {
    Ladder {
        name: DOUBLING,
        title: "Doubling of points",
        about: "One operation doubles the result of the one before.",
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
        vec![
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
        ]
    }
}

struct Doublings;

impl OnFastest for Doublings {
    type Output = Vec<Rung>;

    fn run<B: Backend>(self) -> Vec<Rung> {
        let g = Sm2::<B>::GENERATOR;
        let j = Jacobian::from(g).double();
        vec![
            Rung::new(
                "affine",
                "The slope of the tangent by an inversion, in constant time.",
                "the definition of the group",
                chain(g, affine::double),
            )
            .cost("1I + 2M + 2S"),
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
        ]
    }
}
