//! Inversion modulo SM2's `p`. The powers are computed with the library's fastest multiplication.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`extended_euclid`] | Euclid's algorithm with cofactors |
//! | [`binary_euclid`] | the same without divisions |
//! | [`fermat`] | a power, by square-and-multiply |
//! | [`fermat_chain`] | the same power, by an addition chain |
//!
//! Division steps and Lehmer's form of Euclid's algorithm are the library's (`arith/divsteps.rs`,
//! `arith/backend/adx/euclid.rs`).

pub(crate) mod binary_euclid;
pub(crate) mod extended_euclid;
pub(crate) mod fermat;
pub(crate) mod fermat_chain;
#[cfg(test)]
mod tests;

use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::arith::{Backend, Fe, Field};
use kuaimi_math::sm2::curve::{Fp, P};

use super::backend::{OnFastest, on_fastest};
use super::integer::{A, B as SUMMAND};
use super::rung::{Ladder, Rung, Work, chain};

pub(super) const NAME: &str = "inversion";

pub(super) fn ladder() -> Ladder {
    let mut rungs = vec![
        Rung::new(
            "extended-euclid",
            "Euclid's algorithm with cofactors; quotients by shifts and subtractions.",
            "Knuth, The Art of Computer Programming, volume 2, 4.5.2, algorithm X",
            integers(extended_euclid::invert),
        )
        .leaks(),
        Rung::new(
            "binary-euclid",
            "Factors of two removed by shifts, then a subtraction.",
            "Stein, 1967; Hankerson, Menezes and Vanstone, Guide to Elliptic Curve Cryptography, algorithm 2.22",
            integers(binary_euclid::invert),
        )
        .leaks(),
    ];
    rungs.extend(on_fastest(Powers));
    Ladder {
        name: NAME,
        title: "Inversion modulo SM2's p",
        about: "One operation is the inverse of a number below p; the next one is that of its result plus a constant. Powers are computed with \
                the library's multiplication. The library takes the last but one for secrets, the last for public numbers.",
        rungs,
    }
}

/// The rungs over the library's fastest field.
struct Powers;

impl OnFastest for Powers {
    type Output = Vec<Rung>;

    fn run<B: Backend>(self) -> Vec<Rung> {
        let library = "Bernstein and Yang, Fast constant-time gcd computation and modular inversion, 2019; kuaimi-math, \
                       arith/divsteps.rs";
        vec![
            Rung::new(
                "fermat",
                "The power p − 2, by square-and-multiply.",
                "Fermat's little theorem",
                field::<B>(fermat::invert),
            )
            .cost("255 squarings, 221 multiplications"),
            Rung::new(
                "fermat-chain",
                "The power p − 2, by an addition chain.",
                "Itoh and Tsujii, A fast algorithm for computing multiplicative inverses, 1988, for chains of this kind",
                field::<B>(fermat_chain::invert),
            )
            .cost("255 squarings, 14 multiplications"),
            Rung::new(
                "division-steps",
                "590 division steps on the lowest words, in runs of 52 to 59.",
                library,
                field::<B>(Field::invert),
            )
            .used_by_library(),
            Rung::new(
                "lehmer",
                "Euclid's algorithm on the leading words, as Lehmer runs it, where the CPU divides fast; else division steps in \
                 variable time.",
                "Lehmer, Euclid's algorithm for large numbers, 1938; kuaimi-math, arith/backend/adx/euclid.rs",
                field::<B>(Field::invert_vartime),
            )
            .leaks()
            .used_by_library(),
        ]
    }
}

fn integers(invert: fn(&Limbs) -> Limbs) -> Work {
    let next = Fp::<kuaimi_math::arith::backend::Portable>::from_montgomery;
    chain(A, move |a| {
        (next(invert(a)) + next(SUMMAND)).to_montgomery()
    })
}

fn field<B: Backend>(invert: fn(&Fp<B>) -> Fp<B>) -> Work {
    let summand = Fe::<P, B>::from_montgomery(SUMMAND);
    chain(Fe::from_montgomery(A), move |a| invert(a) + summand)
}
