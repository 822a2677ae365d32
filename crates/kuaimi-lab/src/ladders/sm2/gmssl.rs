//! What stored tables of the generator are worth, in the steps in which a study of GmSSL measured
//! them, over the library's portable field of 64-bit limbs; then the library's own.

use kuaimi_math::arith::backend::Portable;
use kuaimi_math::curve::{Affine, Curve, Jacobian, scalar_mul};
use kuaimi_math::sm2::curve::{Scalar, Sm2 as Sm2With};
use kuaimi_math::sm2::tables::generator_wide_table;

use super::inputs::{comb_sum, library_sign, library_verify, no_tables, signs, verifies, windows};
use crate::ladders::generator::comb::Combs;
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::rung::{Ladder, Rung, Unit};

pub(in crate::ladders) const SIGN: &str = "sm2-sign-tables";
pub(in crate::ladders) const VERIFY: &str = "sm2-verify-tables";

const STUDY: &str = "the steps of a study of GmSSL's tables, with our own code for each";

pub(super) type Sm2 = Sm2With<Portable>;
type Number = Scalar<Portable>;

/// `[k]G` from 32 tables, read directly.
pub(super) fn wide(k: &Number) -> Affine<Sm2> {
    generator_wide_table().mul_vartime(k).to_affine()
}

/// `[k]G` from 32 tables, each read whole.
pub(super) fn wide_constant_time(k: &Number) -> Affine<Sm2> {
    generator_wide_table().mul(k).to_affine()
}

/// `[s]G + [t]P`, with 32 tables of the generator.
pub(super) fn wide_sum(s: &Number, t: &Number, p: &Affine<Sm2>) -> Jacobian<Sm2> {
    let second = scalar_mul::mul_vartime(t, p);
    match generator_wide_table().mul_vartime(s).to_affine_vartime() {
        Some(first) => second.add_affine_vartime(&first),
        None => second,
    }
}

pub(in crate::ladders) fn signing() -> Ladder {
    let (constant_time, direct) = (
        Combs::<Sm2>::new(&Sm2::GENERATOR),
        Combs::<Sm2>::new(&Sm2::GENERATOR),
    );
    Ladder {
        name: SIGN,
        title: "SM2: a signature, and what tables are worth",
        about: "One operation signs a digest. All rungs but the last are given the nonce and compute (1 + d)⁻¹ as a power each time.",
        rungs: vec![
            Rung::new(
                "no-table",
                "Signed windows without a stored table.",
                STUDY,
                signs::<Sm2>(windows),
            )
            .cost("as signed-windows-5 of [k]G"),
            Rung::new(
                "2-tables",
                "Two stored tables of 16 entries, each read whole.",
                STUDY,
                signs::<Sm2>(move |k| to_affine(&constant_time.mul(k))),
            )
            .cost("2 KiB")
            .published(5197.0, Unit::PerSecond),
            Rung::new(
                "2-tables-direct",
                "The same with constant time off: an entry is read directly.",
                STUDY,
                signs::<Sm2>(move |k| to_affine(&direct.mul_vartime(k))),
            )
            .cost("2 KiB")
            .published(5204.0, Unit::PerSecond)
            .leaks(),
            Rung::new(
                "32-tables-direct",
                "32 stored tables of 128 entries, read directly.",
                STUDY,
                signs::<Sm2>(wide),
            )
            .cost("256 KiB")
            .published(12_839.0, Unit::PerSecond)
            .leaks(),
            Rung::new(
                "32-tables",
                "The same, with each table read whole.",
                STUDY,
                signs::<Sm2>(wide_constant_time),
            )
            .cost("256 KiB"),
            library_sign(),
        ],
    }
}

pub(in crate::ladders) fn verifying() -> Ladder {
    let [library, library_prepared] = library_verify();
    Ladder {
        name: VERIFY,
        title: "SM2: a verification, and what tables are worth",
        about: "One operation verifies a signature over a digest. The study's figure without a table is the middle of 617 to 723.",
        rungs: vec![
            Rung::new(
                "no-table",
                "wNAF for both points, with tables made each time.",
                STUDY,
                verifies::<Sm2>(no_tables),
            )
            .leaks()
            .published(670.0, Unit::PerSecond),
            Rung::new(
                "2-tables",
                "[s]G from two stored tables of 16 entries, [t]P by wNAF, and an addition.",
                STUDY,
                verifies::<Sm2>(comb_sum()),
            )
            .cost("2 KiB")
            .leaks()
            .published(1307.0, Unit::PerSecond),
            Rung::new(
                "32-tables",
                "[s]G from 32 stored tables of 128 entries, [t]P by wNAF, and an addition.",
                STUDY,
                verifies::<Sm2>(wide_sum),
            )
            .cost("256 KiB")
            .leaks()
            .published(2915.0, Unit::PerSecond),
            library,
            library_prepared,
        ],
    }
}
