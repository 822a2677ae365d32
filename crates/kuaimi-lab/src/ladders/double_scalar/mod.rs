//! `[s]G + [t]P` of a verification, on SM2's curve, over the library's fastest field.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`one_after_the_other`] | two products |
//! | [`straus`] | bit by bit, one chain of doublings |
//! | [`interleaved_wnaf`] | signed windows, one chain of doublings |
//! | [`half_length`], [`half_gcd`] | scalars of half the length |
//!
//! The larger table of the generator, prepared keys and lanes are the library's (`sm2/group/`).

pub(crate) mod half_gcd;
pub(crate) mod half_length;
pub(crate) mod interleaved_wnaf;
pub(crate) mod one_after_the_other;
pub(crate) mod straus;
#[cfg(test)]
mod tests;

use kuaimi_math::arith::{Backend, Field, PrimeField, U256};
use kuaimi_math::curve::{Affine, Curve, Jacobian, double_scalar_mul_vartime as double_scalar_mul};
use kuaimi_math::sm2::curve::{Fp, Scalar, Sm2};
use kuaimi_math::sm2::group::{
    Equation, KeyTable, Point, chunk, double_scalar_mul_vartime, generator_mul, point_coordinates,
    scalar_reduce, verify_many_vartime, verify_prepared_many_vartime, verify_prepared_vartime,
    verify_vartime,
};
use kuaimi_math::sm2::tables::generator_odd_multiples;

use super::backend::{OnFastest, on_fastest};
use super::integer::scalars;
use super::rung::{Ladder, Rung, Work, batches, each};

pub(super) const NAME: &str = "double-scalar";

pub(super) fn ladder() -> Ladder {
    let mut rungs = on_fastest(Sums);
    let single = equations();
    let prepared = Prepared::new(&single);
    let many = Prepared::new(&single);
    rungs.extend([
        Rung::new(
            "library",
            "The library's for one verification: where single products run in lanes, [s]G of stored tables apart from the doublings of P, else the rung \
             interleaved-wnaf-11.",
            "kuaimi-math, sm2/group/single.rs",
            each(single.clone(), |e| {
                verify_vartime(&Equation {
                    s: e.s,
                    t: e.t,
                    x: e.x,
                    p: &e.p,
                })
            }),
        )
        .cost("256 doublings, 43 additions, and 31 in lanes; 256 KiB, and 512 B for each P")
        .leaks()
        .used_by_library().depends_on_cpu(),
        Rung::new(
            "prepared-key",
            "Stored tables of windows for both points: additions alone.",
            "kuaimi-math, sm2/group/key_table.rs",
            each((0..single.len()).collect(), move |i| {
                verify_prepared_vartime(&prepared.equation(*i))
            }),
        )
        .cost("84 additions; 256 KiB, and 52 KiB for each P")
        .leaks()
        .used_by_library().depends_on_cpu(),
        Rung::new(
            "batch",
            "Many equations at once, of keys without tables; in lanes where there are any.",
            "kuaimi-math, sm2/group/many.rs",
            batches(chunk(), move |size| {
                let equations: Vec<_> = single.iter().copied().cycle().take(size).collect();
                let mut valid = vec![false; size];
                verify_many_vartime(&equations, &mut valid);
                std::hint::black_box(&valid);
            }),
        )
        .leaks()
        .used_by_library().depends_on_cpu(),
        Rung::new(
            "batch-prepared",
            "Many equations at once, of prepared keys.",
            "kuaimi-math, sm2/group/many.rs",
            batches(chunk(), move |size| {
                let equations: Vec<_> = (0..size).map(|i| many.equation(i)).collect();
                let mut valid = vec![false; size];
                verify_prepared_many_vartime(&equations, &mut valid);
                std::hint::black_box(&valid);
            }),
        )
        .leaks()
        .used_by_library().depends_on_cpu(),
    ]);
    Ladder {
        name: NAME,
        title: "[s]G + [t]P",
        about: "One operation is the sum of two products and the comparison of its x-coordinate, without an inversion. All numbers are public, so every \
                rung takes as long as they make it. 64 points P take turns. Batches have as many equations as the library takes at once.",
        rungs,
    }
}

/// Equations that hold, with 64 points.
fn equations() -> Vec<Equation<Point>> {
    let scalars = scalars();
    let others = scalars
        .iter()
        .cycle()
        .skip(1)
        .zip(scalars.iter().cycle().skip(2));
    let all = scalars.iter().zip(others);
    all.filter_map(|(s, (t, k))| {
        let p = generator_mul(k);
        let [x, _] = point_coordinates(&double_scalar_mul_vartime(s, t, &p)?);
        Some(Equation {
            s: *s,
            t: *t,
            x: scalar_reduce(&x),
            p,
        })
    })
    .collect()
}

/// Equations with the tables of their points.
struct Prepared(Vec<(Equation<Point>, KeyTable)>);

impl Prepared {
    fn new(equations: &[Equation<Point>]) -> Self {
        let with_table = |e: &Equation<Point>| (*e, KeyTable::build_vartime(&e.p));
        Self(equations.iter().map(with_table).collect())
    }

    /// They come round again.
    fn equation(&self, i: usize) -> Equation<&KeyTable> {
        let (Equation { s, t, x, .. }, p) = &self.0[i % self.0.len()];
        Equation {
            s: *s,
            t: *t,
            x: *x,
            p,
        }
    }
}

/// Whether the point has this x-coordinate.
fn x_is<B: Backend>(point: &Jacobian<Sm2<B>>, x: &Fp<B>) -> bool {
    point.x == *x * point.z.square()
}

/// A way to compute `[s]G + [t]P`.
type Sum<B> = fn(&Scalar<B>, &Affine<Sm2<B>>, &Scalar<B>, &Affine<Sm2<B>>) -> Jacobian<Sm2<B>>;

/// With the library's table of the generator, whichever point is given for it.
fn interleaved_wnaf_11<B: Backend>(
    s: &Scalar<B>,
    _: &Affine<Sm2<B>>,
    t: &Scalar<B>,
    p: &Affine<Sm2<B>>,
) -> Jacobian<Sm2<B>> {
    double_scalar_mul(s, &generator_odd_multiples::<B>(), t, p)
}

fn work<B: Backend>(sum: Sum<B>) -> Work {
    each(equations(), move |e: &Equation<Point>| {
        let scalar = |k: &U256| Scalar::<B>::from_u256_reduced(k);
        let p = Affine::from_entry(&e.p);
        let point = sum(&scalar(&e.s), &Sm2::GENERATOR, &scalar(&e.t), &p);
        x_is(&point, &Fp::<B>::from_u256_reduced(&e.x))
    })
}

/// With the parity of the y-coordinate of each sum, or without.
fn half_length_work<B: Backend>(with_parity: bool) -> Work {
    let tables = half_length::Tables::<B>::new();
    let items: Vec<(Equation<Point>, bool)> = equations()
        .into_iter()
        .filter_map(|e| {
            let [_, y] = point_coordinates(&double_scalar_mul_vartime(&e.s, &e.t, &e.p)?);
            Some((e, y.0[0] & 1 == 1))
        })
        .collect();
    each(items, move |(e, y_is_odd)| {
        let (numbers, p) = ([&e.s, &e.t, &e.x], Affine::from_entry(&e.p));
        if with_parity {
            half_length::verify_with_parity(&tables, numbers, *y_is_odd, &p)
        } else {
            half_length::verify(&tables, numbers, &p)
        }
    })
}

const ANTIPA: &str = "Antipa, Brown, Gallant, Lambert, Struik and Vanstone, Accelerated verification of ECDSA signatures, 2005";

struct Sums;

impl OnFastest for Sums {
    type Output = Vec<Rung>;

    fn run<B: Backend>(self) -> Vec<Rung> {
        vec![
            Rung::new(
                "one-after-the-other",
                "Two products by double-and-add, and their sum.",
                "Knuth, The Art of Computer Programming, volume 2, 4.6.3",
                work::<B>(one_after_the_other::mul),
            )
            .cost("512 doublings, 257 additions")
            .leaks(),
            Rung::new(
                "straus",
                "Bit by bit with one chain of doublings, and a table of G, P and G + P.",
                "Straus, Addition chains of vectors, 1964",
                work::<B>(straus::mul),
            )
            .cost("256 doublings, 192 additions, 1 inversion")
            .leaks(),
            Rung::new(
                "interleaved-wnaf-5",
                "Two wNAFs of width 5 with one chain of doublings; both tables are made each time.",
                "Möller, Algorithms for multi-exponentiation, 2001",
                work::<B>(interleaved_wnaf::mul),
            )
            .cost("256 doublings, 86 + 14 additions, 2 inversions")
            .leaks(),
            Rung::new(
                "interleaved-wnaf-11",
                "The same with a stored table of the generator, width 11.",
                "Möller, as above; kuaimi-math, curve/double_scalar.rs",
                work::<B>(interleaved_wnaf_11::<B>),
            )
            .cost("256 doublings, 65 + 7 additions, 1 inversion; 32 KiB")
            .leaks(),
            Rung::new(
                "half-length",
                "Scalars of 128 bits: Euclid's algorithm stopped half-way, the point R of the x-coordinate, and a sum that is infinity for R or for −R.",
                ANTIPA,
                half_length_work::<B>(false),
            )
            .cost("128 or 256 doublings, 64 or 128 + 14 additions, 1 square root, 1 inversion; 64 KiB")
            .leaks(),
            Rung::new(
                "half-length-parity",
                "The same for signatures that have the parity of R's y-coordinate, as the publication proposes; those of SM2 do not.",
                ANTIPA,
                half_length_work::<B>(true),
            )
            .cost("128 doublings, 64 + 14 additions, 1 square root, 1 inversion; 64 KiB")
            .leaks(),
        ]
    }
}
