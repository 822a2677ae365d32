//! What the tables of the other ladders cost to make, for a point that is met for the first time;
//! how large they are is with each rung.

#[cfg(test)]
mod tests;

use kuaimi_math::arith::Backend;
use kuaimi_math::curve::odd_multiples::odd_multiples_vartime;
use kuaimi_math::curve::{Affine, Curve, Entry, FixedBaseTable};
use kuaimi_math::sm2::curve::Sm2;
use kuaimi_math::sm2::group::{KeyTable, Point, generator_mul};

use super::backend::{OnFastest, on_fastest};
use super::generator::comb::Combs;
use super::integer::scalars;
use super::rung::{Ladder, Rung, Work, each};

pub(super) const NAME: &str = "tables";

pub(super) fn ladder() -> Ladder {
    Ladder {
        name: NAME,
        title: "What a table costs to make",
        about: "One operation makes the table of a public point of SM2's curve. 64 points take turns. The library makes the last one at each verification, \
                and the third one for a prepared key.",
        rungs: on_fastest(Tables),
    }
}

fn points() -> Vec<Point> {
    scalars().iter().map(generator_mul).collect()
}

fn work<B: Backend, T>(make: impl Fn(&Affine<Sm2<B>>) -> T + 'static) -> Work {
    each(points(), move |point| make(&Affine::from_entry(point)))
}

/// The table of windows of so many bits.
fn windows<B: Backend>(p: &Affine<Sm2<B>>, width: usize) -> Vec<Entry<Sm2<B>>> {
    FixedBaseTable::build_vartime(p, width)
}

/// The odd multiples for a wNAF of width 5.
fn odd_multiples<C: Curve>(p: &Affine<C>) -> [Entry<C>; 8] {
    odd_multiples_vartime(p)
}

struct Tables;

impl OnFastest for Tables {
    type Output = Vec<Rung>;

    fn run<B: Backend>(self) -> Vec<Rung> {
        let library = "kuaimi-math, curve/fixed_base.rs";
        vec![
            Rung::new(
                "windows-8",
                "32 windows of eight signed bits.",
                library,
                work::<B, _>(|p| windows(p, 8)),
            )
            .cost("4096 points, 256 KiB")
            .leaks(),
            Rung::new(
                "windows-6",
                "43 windows of six signed bits.",
                library,
                work::<B, _>(|p| windows(p, 6)),
            )
            .cost("1376 points, 86 KiB")
            .leaks(),
            Rung::new(
                "windows-5",
                "52 windows of five signed bits.",
                library,
                each(points(), KeyTable::build_vartime),
            )
            .cost("832 points, 52 KiB")
            .leaks()
            .used_by_library(),
            Rung::new(
                "comb-2x16",
                "Two tables of 16 entries, interleaved by 32 bits; an inversion for each entry.",
                "Lim and Lee, CRYPTO 1994",
                work::<B, _>(Combs::new),
            )
            .cost("30 points, 2 KiB")
            .leaks(),
            Rung::new(
                "odd-multiples-8",
                "P, 3P, … 15P by co-Z additions, with one inversion.",
                "Meloni, New point addition formulae for ECC applications, 2007; kuaimi-math, curve/odd_multiples.rs",
                work::<B, _>(odd_multiples),
            )
            .cost("8 points, 512 bytes")
            .leaks()
            .used_by_library(),
        ]
    }
}
