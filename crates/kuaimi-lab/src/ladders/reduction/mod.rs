//! Multiplication modulo SM2's `p`. All rungs but those of Montgomery and of the library reduce the
//! product of [`schoolbook`](super::multiplication::schoolbook), so that what they differ in is the
//! reduction.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`prime`] | the prime, and the last subtraction of a reduction |
//! | [`division`] | division by digits |
//! | [`barrett`] | the quotient by a product with the inverse |
//! | [`montgomery_cios`] | Montgomery's multiplication, for any modulus |
//! | [`montgomery_one`] | the same, with shifts for this prime |
//! | [`folding`] | the sums of words of a generalised Mersenne prime, and their derivation |
//! | [`folding_32`], [`folding_64`], [`folding_64_shifts`] | three forms of folding |

pub(crate) mod barrett;
pub(crate) mod division;
mod folding;
pub(crate) mod folding_32;
pub(crate) mod folding_64;
pub(crate) mod folding_64_shifts;
pub(crate) mod montgomery_cios;
pub(crate) mod montgomery_one;
pub(crate) mod prime;
#[cfg(test)]
mod tests;

use core::fmt::Debug;
use core::hint::black_box;
use core::marker::PhantomData;

use kuaimi_math::arith::Backend;
use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::sm2::curve::P;

use self::barrett::Barrett;
use self::division::Division;
use self::folding_32::Folding32;
use self::folding_64::Folding64;
use self::folding_64_shifts::Folding64Shifts;
use self::montgomery_cios::MontgomeryCios;
use self::montgomery_one::MontgomeryOne;
use super::integer::{A, B};
use super::rung::{Ladder, Rung, Unit, Work, chain};

pub(super) const NAME: &str = "reduction";

/// Numbers modulo SM2's `p` in a form in which they are multiplied, below `p`.
pub(crate) trait Arithmetic: Copy + Debug + Default + Send + Sync + 'static {
    /// 1 in this form.
    const ONE: Limbs;
    /// Whether inverses are computed by an addition chain, or else by square-and-multiply.
    const CHAIN: bool = false;

    /// The product of two numbers in this form.
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs;
}

/// An arithmetic, with inverses by an addition chain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chained<M>(PhantomData<M>);

impl<M: Arithmetic> Arithmetic for Chained<M> {
    const ONE: Limbs = M::ONE;
    const CHAIN: bool = true;

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        M::multiply(a, b)
    }
}

pub(super) fn ladder() -> Ladder {
    let mut rungs = vec![
        Rung::new(
            "division",
            "The product divided by p, digit by digit.",
            "Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D",
            work::<Division>(),
        )
        .cost("16 + 20 products, 4 divisions")
        .published(190.0, Unit::Nanoseconds)
        .leaks(),
        Rung::new(
            "barrett",
            "The quotient is a product with the precomputed inverse.",
            "Barrett, CRYPTO 1986; Handbook of Applied Cryptography, algorithm 14.42",
            work::<Barrett>(),
        )
        .cost("16 + 50 products"),
        Rung::new(
            "montgomery-cios",
            "Montgomery's multiplication word by word, for any odd modulus.",
            "Montgomery, 1985; Koç, Acar and Kaliski, Analyzing and comparing Montgomery multiplication algorithms, 1996",
            work::<MontgomeryCios>(),
        )
        .cost("16 + 20 products")
        .published(50.7, Unit::Nanoseconds),
        Rung::new(
            "folding-32",
            "The sums of the product's sixteen words modulo the generalised Mersenne prime, in 32-bit words; a table of 1p to 13p.",
            "Solinas, Generalized Mersenne numbers, 1999",
            work::<Folding32>(),
        )
        .cost("64 products of 32 bits, a table of 448 bytes")
        .leaks(),
        Rung::new(
            "folding-64",
            "The same with 64-bit limbs.",
            "Solinas, as above",
            work::<Folding64>(),
        )
        .cost("16 products, a table of 448 bytes")
        .published(35.5, Unit::Nanoseconds)
        .leaks(),
        Rung::new(
            "folding-64-shifts",
            "The same; what is left above the fourth limb is folded once more, so there is no table.",
            "Solinas, as above",
            work::<Folding64Shifts>(),
        )
        .cost("16 products"),
        Rung::new(
            "montgomery-one",
            "Montgomery's multiplication with the constant 1: shifts in place of products with p.",
            "Gueron and Krasnov, Fast prime field elliptic-curve cryptography with 256-bit primes, 2015",
            work::<MontgomeryOne>(),
        )
        .cost("16 products"),
    ];
    let mut library = Library(Vec::new());
    for_each(&mut library);
    if let Some(last) = library.0.pop() {
        rungs.extend(library.0);
        rungs.push(last.used_by_library());
    }
    Ladder {
        name: NAME,
        title: "Multiplication modulo SM2's p",
        about: "One operation is a product of two numbers below p, reduced to below p; the next one's factor is its result. Montgomery's \
                rungs work on numbers in Montgomery form.",
        rungs,
    }
}

/// The 64-bit backends of the library that this CPU can run.
struct Library(Vec<Rung>);

impl Visitor for Library {
    fn visit<C: Backend>(&mut self) {
        let what = match C::NAME {
            "adx" => {
                "The same in one block of assembly: MULX, two chains of carries, all in registers."
            }
            "portable64" => {
                "The constant 1, the whole product first, then four steps on its lower half alone; called, not inlined, as its code is long."
            }
            _ => return,
        };
        let b = black_box(B);
        let work = chain(A, move |a| C::mul::<P>(a, &b));
        let rung = Rung::new(C::NAME, what, "kuaimi-math, arith/backend", work);
        self.0.push(rung.cost("16 products"));
    }
}

fn work<M: Arithmetic>() -> Work {
    // The compiler is not to know the factor.
    let b = black_box(B);
    chain(M::ONE, move |a| M::multiply(a, &b))
}
