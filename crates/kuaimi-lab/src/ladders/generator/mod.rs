//! `[k]G` on SM2's curve, from the scalar to the affine point, over the library's fastest field.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`double_and_add`] | bit by bit |
//! | [`naf`] | signed digits |
//! | [`comb`] | two tables of 16 entries |
//!
//! Windows, their tables, batches and lanes are the library's (`curve/fixed_base.rs`,
//! `sm2/group/`).

pub(crate) mod comb;
pub(crate) mod double_and_add;
pub(crate) mod naf;
#[cfg(test)]
mod tests;

use kuaimi_math::arith::{Backend, PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve, scalar_mul};
use kuaimi_math::sm2::curve::{Scalar, Sm2};
use kuaimi_math::sm2::group::{Implementation, Point, implementations};
use kuaimi_math::sm2::tables::{generator_table, generator_wide_table};

use self::comb::Combs;
use self::double_and_add::to_affine;
use super::backend::{OnFastest, on_fastest};
use super::integer::scalars;
use super::rung::{Ladder, Rung, Work, batches, each};

pub(super) const NAME: &str = "generator";

/// Products that are computed at once.
const MANY: usize = 64;

pub(super) fn ladder() -> Ladder {
    let mut rungs = on_fastest(Products);
    let implementations: Vec<&'static Implementation> = implementations().collect();
    if let Some(serial) = implementations.iter().rfind(|one| one.name[0] == "serial") {
        rungs.push(
            Rung::new(
                "shared-inversions",
                "64 products one after another, with affine additions whose inversions are shared.",
                "Montgomery, Speeding the Pollard and elliptic curve methods of factorization, 1987; kuaimi-math, curve/batch_affine.rs",
                many(serial),
            )
            .cost("43 windows of 32 entries, 86 KiB"),
        );
    }
    match implementations.last() {
        Some(lanes) if lanes.name[0] != "serial" => rungs.push(
            Rung::new(
                "lanes",
                "64 products in the lanes of vector registers.",
                "kuaimi-math, curve/lanes",
                many(lanes),
            )
            .cost("43 windows of 32 entries, in limbs of the lanes")
            .used_by_library()
            .depends_on_cpu(),
        ),
        _ => {
            if let Some(last) = rungs.pop() {
                rungs.push(last.used_by_library());
            }
        }
    }
    Ladder {
        name: NAME,
        title: "[k]G",
        about: "One operation is a product of the generator, from a scalar to an affine point. For the last two rungs it is the 64th part of 64 \
                products at once.",
        rungs,
    }
}

/// `[k]G` as an affine point.
fn affine<B: Backend>(mul: impl Fn(&Scalar<B>) -> Affine<Sm2<B>> + 'static) -> Work {
    let scalars = scalars()
        .iter()
        .map(Scalar::<B>::from_u256_reduced)
        .collect();
    each(scalars, mul)
}

struct Products;

impl OnFastest for Products {
    type Output = Vec<Rung>;

    fn run<B: Backend>(self) -> Vec<Rung> {
        let g = Sm2::<B>::GENERATOR;
        let combs = || Combs::new(&g);
        let (fast, constant) = (combs(), combs());
        vec![
            Rung::new(
                "double-and-add",
                "Bit by bit, without a table.",
                "Knuth, The Art of Computer Programming, volume 2, 4.6.3",
                affine::<B>(move |k| to_affine(&double_and_add::mul(k, &g))),
            )
            .cost("256 doublings, 128 additions")
            .leaks(),
            Rung::new(
                "naf",
                "Signed digits, without a table.",
                "Reitwiesner, Binary arithmetic, 1960",
                affine::<B>(move |k| to_affine(&naf::mul(k, &g))),
            )
            .cost("256 doublings, 85 additions")
            .leaks(),
            Rung::new(
                "signed-windows-5",
                "Odd signed windows of five bits; the table is made each time, and read whole.",
                "Hamburg, Fast and compact elliptic-curve cryptography, 2012, for the digits; kuaimi-math, curve/scalar_mul.rs",
                affine::<B>(move |k| to_affine(&scalar_mul::mul(k, &g))),
            )
            .cost("255 doublings, 51 + 15 additions"),
            Rung::new(
                "comb-2x16",
                "Two stored tables of 16 entries, interleaved by 32 bits, read whole.",
                "Lim and Lee, CRYPTO 1994",
                affine::<B>(move |k| to_affine(&constant.mul(k))),
            )
            .cost("31 doublings, 64 additions; 2 KiB"),
            Rung::new(
                "comb-2x16-direct",
                "The same, with an entry read directly.",
                "Lim and Lee, as above",
                affine::<B>(move |k| to_affine(&fast.mul_vartime(k))),
            )
            .cost("31 doublings, 60 additions; 2 KiB")
            .leaks(),
            Rung::new(
                "windows-32-tables-direct",
                "Odd signed windows of eight bits in 32 stored tables, with an entry read directly.",
                "Brickell, Gordon, McCurley and Wilson, Fast exponentiation with precomputation, 1992; Hamburg for the digits",
                affine::<B>(|k| generator_wide_table::<B>().mul_vartime(k).to_affine()),
            )
            .cost("32 additions; 256 KiB")
            .leaks(),
            Rung::new(
                "windows-32-tables",
                "The same, with each table read whole.",
                "as above",
                affine::<B>(|k| generator_wide_table::<B>().mul(k).to_affine()),
            )
            .cost("32 additions; 256 KiB"),
            Rung::new(
                "windows-43-tables",
                "Odd signed windows of six bits in 43 stored tables, each read whole.",
                "as above; kuaimi-math, curve/fixed_base.rs",
                affine::<B>(|k| generator_table::<B>().mul(k).to_affine()),
            )
            .cost("43 additions; 86 KiB")
            .used_by_library(),
        ]
    }
}

/// Batches, as the work of single products.
fn many(implementation: &'static Implementation) -> Work {
    let scalars: Vec<U256> = scalars();
    batches(MANY, move |size| {
        let mut out = vec![Point::default(); size];
        (implementation.generator_mul_many)(&scalars[..size], &mut out);
        std::hint::black_box(&out);
    })
}
