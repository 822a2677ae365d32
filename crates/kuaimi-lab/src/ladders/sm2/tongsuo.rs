//! The steps in which Tongsuo became faster: another reduction, inversion by a chain, tables. Then
//! the library's own.

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::Signature;
use kuaimi::sm2::batch::{Content, SignItem, sign_batch};
use kuaimi_math::curve::Curve;

use super::inputs::{
    Inputs, MANY, comb_sum, different_keys, library_sign, library_verify, many_keys, no_tables,
    same_key, signs, verifies, windows,
};
use crate::ladders::field::Sm2Over;
use crate::ladders::generator::comb::Combs;
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::reduction::Chained;
use crate::ladders::reduction::folding_64_shifts::Folding64Shifts;
use crate::ladders::reduction::montgomery_cios::MontgomeryCios;
use crate::ladders::rung::{Ladder, Rung, Unit, batches};

pub(in crate::ladders) const SIGN: &str = "sm2-sign";
pub(in crate::ladders) const VERIFY: &str = "sm2-verify";

pub(super) type Generic = Sm2Over<MontgomeryCios>;
pub(super) type Folding = Sm2Over<Folding64Shifts>;
pub(super) type Chain = Sm2Over<Chained<Folding64Shifts>>;

const TONGSUO: &str = "the steps of Tongsuo's optimisation of SM2, with our own code for each";

pub(in crate::ladders) fn signing() -> Ladder {
    let inputs = Inputs::new();
    let many = inputs.key();
    let digests: Vec<[u8; 32]> = inputs.digests();
    let combs = Combs::<Chain>::new(&Chain::GENERATOR);
    Ladder {
        name: SIGN,
        title: "SM2: a signature",
        about: "One operation signs a digest. The first four rungs are given the nonce and compute (1 + d)⁻¹ as a power each time; the library derives \
                a hedged nonce from the system's random numbers each time and keeps that inverse. Published: the first and the fourth step together.",
        rungs: vec![
            Rung::new(
                "tongsuo-generic",
                "Montgomery's multiplication for any modulus, no stored table, inversion by square-and-multiply.",
                TONGSUO,
                signs::<Generic>(windows),
            )
            .cost("as signed-windows-5 of [k]G")
            .published(1.0, Unit::Times),
            Rung::new(
                "tongsuo-folding",
                "Folding modulo p in 64-bit limbs.",
                TONGSUO,
                signs::<Folding>(windows),
            ),
            Rung::new(
                "tongsuo-chain",
                "Inversion modulo p by the addition chain.",
                TONGSUO,
                signs::<Chain>(windows),
            ),
            Rung::new(
                "tongsuo-tables",
                "Two stored tables of the generator, each of 16 entries and read whole.",
                TONGSUO,
                signs::<Chain>(move |k| to_affine(&combs.mul(k))),
            )
            .cost("as comb-2x16 of [k]G; 2 KiB")
            .published(3.416, Unit::Times),
            library_sign(),
            Rung::new(
                "library-batch",
                "64 signatures at once, in lanes where there are any.",
                "kuaimi, sm2/batch/sign.rs",
                batches(MANY, move |size| {
                    let items = digests[..size].iter().map(Content::Digest);
                    let items: Vec<_> = items.map(|e| SignItem::new(&many, e)).collect();
                    std::hint::black_box(sign_batch(&items, Threads::Pool));
                }),
            )
            .used_by_library().depends_on_cpu(),
        ],
    }
}

pub(in crate::ladders) fn verifying() -> Ladder {
    let [library, library_prepared] = library_verify();
    let inputs = Inputs::new();
    let signatures = inputs.signatures();
    let prepared = inputs
        .key()
        .verifying_key()
        .with_precompute(Precompute::AtOnce);
    let keys = many_keys();
    let signed_by_many: Vec<Signature> = keys
        .iter()
        .zip(&signatures)
        .map(|(key, (e, _))| key.sign_digest_deterministic(e))
        .collect();
    Ladder {
        name: VERIFY,
        title: "SM2: a verification",
        about: "One operation verifies a signature over a digest. All numbers are public, so every rung takes as long as they make it. In the batch without \
                prepared keys, all 64 keys are different. Published: the first and the fourth step together.",
        rungs: vec![
            Rung::new(
                "tongsuo-generic",
                "Montgomery's multiplication for any modulus, wNAF with tables made each time, inversion by square-and-multiply.",
                TONGSUO,
                verifies::<Generic>(no_tables),
            )
            .cost("as interleaved-wnaf-5 of [s]G + [t]P")
            .leaks()
            .published(1.0, Unit::Times),
            Rung::new(
                "tongsuo-folding",
                "Folding modulo p in 64-bit limbs.",
                TONGSUO,
                verifies::<Folding>(no_tables),
            )
            .leaks(),
            Rung::new(
                "tongsuo-chain",
                "Inversion modulo p by the addition chain.",
                TONGSUO,
                verifies::<Chain>(no_tables),
            )
            .leaks(),
            Rung::new(
                "tongsuo-tables",
                "[s]G from two stored tables of 16 entries, [t]P by wNAF, and an addition.",
                TONGSUO,
                verifies::<Chain>(comb_sum()),
            )
            .cost("2 KiB")
            .leaks()
            .published(1.744, Unit::Times),
            library,
            library_prepared,
            Rung::new(
                "library-batch",
                "64 signatures at once, of as many keys, in lanes where there are any.",
                "kuaimi, sm2/batch/verify.rs",
                different_keys(keys, signatures.clone(), signed_by_many),
            )
            .leaks()
            .used_by_library().depends_on_cpu(),
            Rung::new(
                "library-batch-prepared",
                "64 signatures at once, of a prepared key.",
                "kuaimi, sm2/batch/verify.rs",
                same_key(prepared, signatures),
            )
            .leaks()
            .used_by_library().depends_on_cpu(),
        ],
    }
}
