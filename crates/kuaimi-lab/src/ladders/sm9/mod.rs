//! SM9's parts: products of points, powers in GT and the pairing. The slower ways are functions of
//! `kuaimi-math` that no protocol calls; they are compared with the others in that crate's tests,
//! and again here.

pub(super) mod protocols;
#[cfg(test)]
mod tests;

use kuaimi_math::arith::{Backend, PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve, Entry, scalar_mul};
use kuaimi_math::sm9::curve::{Scalar, Sm9G1, Sm9G2};
use kuaimi_math::sm9::group::{self, G1, G2, Gt};
use kuaimi_math::sm9::gt;
use kuaimi_math::sm9::pairing::{final_exponentiation as fe, miller};
use kuaimi_math::sm9::plain_table::PlainTable;
use kuaimi_math::sm9::tower::Fq12;

use super::backend::{OnFastest, on_fastest};
use super::integer::scalars;
use super::rung::{Ladder, Rung, each};

pub(super) const G1_PRODUCT: &str = "sm9-g1";
pub(super) const G2_PRODUCT: &str = "sm9-g2";
pub(super) const POWER: &str = "sm9-gt";
pub(super) const PAIRING: &str = "sm9-pairing";

const SCOTT: &str = "Scott, Benger, Charlemagne, Dominguez Perez and Kachisa, On the final exponentiation for calculating pairings on ordinary \
                     elliptic curves, 2009";

/// Scalars below SM9's `N`, as good as random.
fn numbers() -> Vec<U256> {
    let shorter = |k: U256| k.shr1(false);
    scalars().into_iter().map(shorter).collect()
}

/// Points of both groups.
fn pairs() -> Vec<(G1, G2)> {
    let numbers = numbers().into_iter().take(8);
    let pair = |k: U256| (group::g1_generator_mul(&k), group::g2_generator_mul(&k));
    numbers.map(pair).collect()
}

pub(super) fn g1_product() -> Ladder {
    struct Products;
    impl OnFastest for Products {
        type Output = Vec<Rung>;
        fn run<B: Backend>(self) -> Vec<Rung> {
            products::<Sm9G1<B>>(group::g1_mul, group::g1_generator_mul)
        }
    }
    Ladder {
        name: G1_PRODUCT,
        title: "SM9: [k]P in G1",
        about: "One operation is a product of the generator, from a scalar to an affine point.",
        rungs: on_fastest(Products),
    }
}

pub(super) fn g2_product() -> Ladder {
    struct Products;
    impl OnFastest for Products {
        type Output = Vec<Rung>;
        fn run<B: Backend>(self) -> Vec<Rung> {
            products::<Sm9G2<B>>(group::g2_mul, group::g2_generator_mul)
        }
    }
    Ladder {
        name: G2_PRODUCT,
        title: "SM9: [k]Q in G2",
        about: "One operation is a product of the generator, from a scalar to an affine point.",
        rungs: on_fastest(Products),
    }
}

/// The rungs of a group, of which the library's are given.
fn products<C: Curve>(
    mul: fn(&U256, &Entry<C>) -> Entry<C>,
    generator_mul: fn(&U256) -> Entry<C>,
) -> Vec<Rung>
where
    C::Field: zeroize::Zeroize,
{
    let g = C::GENERATOR;
    let entry = g.to_entry();
    let table = PlainTable::<C>::generate_vartime(&g);
    vec![
        Rung::new(
            "wnaf",
            "wNAF of width 5; the table is made each time.",
            "Möller, Algorithms for multi-exponentiation, 2001",
            each(numbers(), move |k| wnaf(k, &g)),
        )
        .leaks(),
        Rung::new(
            "endomorphisms",
            "Short scalars by endomorphisms, read whole, for a point without a stored table.",
            "Gallant, Lambert and Vanstone, CRYPTO 2001; Galbraith and Scott, Pairing 2008; kuaimi-math, sm9/glv_mul.rs",
            each(numbers(), move |k| mul(k, &entry)),
        )
        .used_by_library().depends_on_cpu(),
        Rung::new(
            "plain-table",
            "All 255 multiples for each byte of the scalar, read directly.",
            "Brickell, Gordon, McCurley and Wilson, Fast exponentiation with precomputation, 1992",
            each(numbers(), move |k| table.mul_vartime(k).to_affine()),
        )
        .cost("8160 points")
        .leaks(),
        Rung::new(
            "windows",
            "Odd signed windows of six bits, each read whole.",
            "Hamburg, Fast and compact elliptic-curve cryptography, 2012, for the digits; kuaimi-math, curve/fixed_base.rs",
            each(numbers(), generator_mul),
        )
        .cost("1376 points")
        .used_by_library().depends_on_cpu(),
    ]
}

/// `[k]P` without a stored table, for public numbers.
fn wnaf<C: Curve>(k: &U256, p: &Affine<C>) -> Affine<C> {
    scalar_mul::mul_vartime(&C::Scalar::from_u256_reduced(k), p).to_affine()
}

/// A power in GT.
type Power<B> = fn(&Fq12<B>, &U256) -> Fq12<B>;

/// The powers over the scalar tower, by name.
fn powers<B: Backend>() -> [(&'static str, Power<B>); 4] {
    [
        ("binary", gt::power::pow_binary_vartime),
        ("naf", gt::power::pow_naf_vartime),
        ("windows-5", |f, k| {
            gt::power::pow_windows(f, &Scalar::<B>::from_u256_reduced(k))
        }),
        ("frobenius", gt::power::pow),
    ]
}

pub(super) fn power() -> Ladder {
    struct Powers;
    impl OnFastest for Powers {
        type Output = Vec<Rung>;
        fn run<B: Backend>(self) -> Vec<Rung> {
            let element = base();
            let g = Fq12::<B>::from_limbs(&element);
            let [binary, naf, windows, frobenius] =
                powers::<B>().map(|(name, pow)| (name, each(numbers(), move |k| pow(&g, k))));
            let table = gt::fixed_base::GtFixedBaseTable::new(&g);
            vec![
                Rung::new(
                    binary.0,
                    "Bit by bit, with general squares.",
                    "Knuth, The Art of Computer Programming, volume 2, 4.6.3",
                    binary.1,
                )
                .cost("256 squares, 128 products")
                .leaks(),
                Rung::new(
                    naf.0,
                    "The non-adjacent form, with cyclotomic squares; an inverse is a conjugate.",
                    "Granger and Scott, Faster squaring in the cyclotomic subgroup of sixth degree extensions, 2010",
                    naf.1,
                )
                .cost("256 cyclotomic squares, 85 products")
                .leaks(),
                Rung::new(
                    windows.0,
                    "Odd signed windows of five bits, read whole.",
                    "Hamburg, Fast and compact elliptic-curve cryptography, 2012, for the digits",
                    windows.1,
                )
                .cost("256 cyclotomic squares, 68 products"),
                Rung::new(
                    frobenius.0,
                    "Four short exponents by Frobenius maps.",
                    "Galbraith and Scott, Exponentiation in pairing-friendly groups using homomorphisms, 2008; kuaimi-math, sm9/gt/power.rs",
                    frobenius.1,
                )
                .cost("68 cyclotomic squares, 75 products"),
                Rung::new(
                    "frobenius-lanes",
                    "The same with the coefficients over Fq4 in the lanes of vector registers, where there are any.",
                    "kuaimi-math, sm9/tower/fq12x4.rs",
                    each(numbers(), move |k| group::gt_pow(&element, k)),
                )
                .used_by_library().depends_on_cpu(),
                Rung::new(
                    "fixed-base",
                    "A stored table of powers, compressed on the torus, without squares.",
                    "Rubin and Silverberg, Torus-based cryptography, 2003; kuaimi-math, sm9/gt/fixed_base.rs",
                    each(numbers(), move |k| table.pow::<B, Fq12<B>>(k)),
                )
                .cost("44 products and an inversion"),
            ]
        }
    }
    let mut rungs = on_fastest(Powers);
    let table = group::GtTable::new(&base());
    rungs.push(
        Rung::new(
            "fixed-base-lanes",
            "The same in lanes, where there are any.",
            "kuaimi-math, sm9/tower/fq12x4.rs",
            each(numbers(), move |k| table.pow(k)),
        )
        .used_by_library()
        .depends_on_cpu(),
    );
    Ladder {
        name: POWER,
        title: "SM9: a power in GT",
        about: "One operation is a power of an element of GT with an exponent of 254 or 255 bits.",
        rungs,
    }
}

/// An element of GT.
fn base() -> Gt {
    group::pairing(&group::g1_generator(), &group::g2_generator())
}

/// The hard part of the final exponentiation.
type HardPart<B> = fn(&Fq12<B>) -> Fq12<B>;

/// Its forms over the scalar tower, by name.
fn hard_parts<B: Backend>() -> [(&'static str, HardPart<B>); 3] {
    [
        ("plain-hard-part", fe::plain_hard_part),
        ("published-chain", fe::published_hard_part),
        ("own-chain", fe::hard_part),
    ]
}

/// A pairing over the scalar tower.
fn pairing_with_hard_part<B: Backend>((p, q): &(G1, G2), hard_part: HardPart<B>) -> Fq12<B> {
    let (p, q) = (
        Affine::<Sm9G1<B>>::from_entry(p),
        Affine::<Sm9G2<B>>::from_entry(q),
    );
    let f: Fq12<B> = miller::miller(&[(p, q)]);
    hard_part(&fe::easy_part(&f))
}

pub(super) fn pairing() -> Ladder {
    struct Pairings;
    impl OnFastest for Pairings {
        type Output = Vec<Rung>;
        fn run<B: Backend>(self) -> Vec<Rung> {
            let [plain, published, own] = hard_parts::<B>().map(|(name, hard_part)| {
                (
                    name,
                    each(pairs(), move |pair| pairing_with_hard_part(pair, hard_part)),
                )
            });
            vec![
                Rung::new(
                    plain.0,
                    "Miller's loop, and the hard part of the final exponentiation as one power with general squares.",
                    "Miller, The Weil pairing and its efficient calculation, 2004",
                    plain.1,
                ),
                Rung::new(
                    published.0,
                    "The hard part by the published chain, powers of t by the non-adjacent form.",
                    SCOTT,
                    published.1,
                )
                .cost("hard part: 43 products, 193 squares, 8 Frobenius maps"),
                Rung::new(
                    own.0,
                    "The hard part by a shorter chain, with runs of compressed squares.",
                    "Karabina, Squaring in cyclotomic subgroups, 2013, for these squares; kuaimi-math, sm9/pairing/final_exponentiation.rs",
                    own.1,
                )
                .cost("hard part: 37 products, 191 squares, 3 Frobenius maps"),
            ]
        }
    }
    let mut rungs = on_fastest(Pairings);
    let with_lines: Vec<(G1, group::G2Lines)> = pairs()
        .iter()
        .map(|(p, q)| (*p, group::G2Lines::new(q)))
        .collect();
    rungs.extend([
        Rung::new(
            "lanes",
            "The coefficients over Fq4 in the lanes of vector registers, where there are any.",
            "kuaimi-math, sm9/tower/fq12x4.rs",
            each(pairs(), |(p, q)| group::pairing(p, q)),
        )
        .used_by_library().depends_on_cpu(),
        Rung::new(
            "precomputed-lines",
            "The same with the lines of the point in G2 computed before.",
            "Scott, Computing the Tate pairing, 2005; kuaimi-math, sm9/pairing/precomputed_lines.rs",
            each(with_lines, |(p, lines)| group::pairing_with(p, lines.lines())),
        )
        .used_by_library().depends_on_cpu(),
    ]);
    Ladder {
        name: PAIRING,
        title: "SM9: a pairing",
        about: "One operation is a pairing of two points, the final exponentiation included. Eight pairs of points take turns.",
        rungs,
    }
}
