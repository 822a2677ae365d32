//! Leaks: takes public numbers only, as a verification does.
//!
//! Half as many doublings, by scalars of half the length (Antipa, Brown, Gallant, Lambert, Struik
//! and Vanstone, *Accelerated verification of ECDSA signatures*, SAC 2005).
//!
//! # Why this may stand for a verification
//!
//! SM2 asks whether the point `Q = [s]G + [t]P` has an x-coordinate with `x(Q) ≡ x (mod n)`, where
//! the verifier knows `x = r − e mod n`. It does not know `Q`, but the few points that `Q` must be
//! one of:
//!
//! - `x(Q)` is an integer below `p < 2n`, so it is `x`, or `x + n` where that is below `p`. As
//!   `p − n < 2²²⁴`, few `x` have the second one; a verifier that left it out would refuse valid
//!   signatures.
//! - The curve has two points `±R` with such an x-coordinate, or none: `y` is a square root of
//!   `x³ − 3x + b`. None means that the equation does not hold. `y = 0` does not occur, as the
//!   order of the curve is odd.
//!
//! So the equation holds if and only if `Q = ±R` for one of these candidates. Let
//! `v·t ≡ σw (mod n)` with `0 < v < 2¹²⁸`, `0 ≤ w < 2¹²⁸` and `σ = ±1` ([`half_gcd`]). All points
//! have the prime order `n`, which does not divide `v`: multiplication by `v` maps different points
//! to different points, and
//!
//! ```text
//! [s]G + [t]P = ±R   ⟺   [vs mod n]G + [w](σP) ∓ [v]R = ∞.
//! ```
//!
//! With `vs mod n = c₁·2¹²⁸ + c₀` and a stored table of `G′ = [2¹²⁸]G`, all four products
//! `[c₀]G + [c₁]G′ + [w](σP) ∓ [v]R` have scalars of 128 bits and share a chain of 128 doublings.
//! This is an equivalence for all inputs, not a test that is right with high probability: no random
//! factor is involved, and infinity is never equal to `±R`.
//!
//! # What it costs
//!
//! The sign. A signature of SM2 (as one of ECDSA) does not have the parity of `y`, so that the
//! chain is computed for `R`, and, where the sum is not infinity, for `−R`: one and a half chains
//! on average, two for a signature that is refused. The publication leaves this to signatures that
//! carry the bit, or to the signer, who can choose the sign; [`verify_with_parity`] measures what
//! it would give. Neither is possible within the standard.

use kuaimi_math::arith::{Backend, Modulus, PrimeField, U256};
use kuaimi_math::curve::affine::right_side;
use kuaimi_math::curve::odd_multiples::odd_multiples_many_vartime;
use kuaimi_math::curve::recode::{WNAF_LENGTH, wnaf_vartime};
use kuaimi_math::curve::{Affine, Curve, Entry, Jacobian, OddMultiples};
use kuaimi_math::sm2::curve::{Fp, N, P, Scalar, Sm2};

use super::half_gcd::{Quotient, half_gcd};

/// The digits' width for stored tables of 512 entries, and for tables of 8 made each time.
const STORED_WIDTH: usize = 11;
const WIDTH: usize = 5;

/// `G, 3G, …` and `G′, 3G′, …`: 32 KiB each.
pub(crate) struct Tables<B: Backend>([Vec<Entry<Sm2<B>>>; 2]);

impl<B: Backend> Tables<B> {
    pub(crate) fn new() -> Self {
        let mut high = Jacobian::from(Sm2::<B>::GENERATOR);
        for _ in 0..128 {
            high.double_in_place();
        }
        Self(
            [Sm2::GENERATOR, high.to_affine()]
                .map(|point| OddMultiples::build_vartime(&point, STORED_WIDTH)),
        )
    }
}

/// Whether the x-coordinate of `[s]G + [t]P` is `x` modulo `n`; all three are below `n`.
pub(crate) fn verify<B: Backend>(
    tables: &Tables<B>,
    [s, t, x]: [&U256; 3],
    p: &Affine<Sm2<B>>,
) -> bool {
    let (x_plus_n, carry) = x.overflowing_add(&N::MODULUS);
    let second = (!carry && x_plus_n.lt_vartime(&P::MODULUS)).then_some(x_plus_n);
    [Some(*x), second]
        .iter()
        .flatten()
        .any(|x| lift(x).is_some_and(|r| holds(tables, s, &half_gcd(t), [*p, r], &[true, false])))
}

/// Whether `[s]G + [t]P` is the point with the x-coordinate `x` and a y-coordinate of this parity:
/// what a verifier of signatures with one bit more would compute.
pub(crate) fn verify_with_parity<B: Backend>(
    tables: &Tables<B>,
    [s, t, x]: [&U256; 3],
    y_is_odd: bool,
    p: &Affine<Sm2<B>>,
) -> bool {
    lift(x).is_some_and(|r| {
        let r = if (r.y.to_u256().0[0] & 1 == 1) == y_is_odd {
            r
        } else {
            r.neg()
        };
        holds(tables, s, &half_gcd(t), [*p, r], &[true])
    })
}

/// One of the two points with this x-coordinate below `p`.
fn lift<B: Backend>(x: &U256) -> Option<Affine<Sm2<B>>> {
    let x = Fp::<B>::from_u256_reduced(x);
    let y = right_side::<Sm2<B>>(&x).sqrt_vartime()?;
    Some(Affine { x, y })
}

/// Whether `[c₀]G + [c₁]G′ + [w](σP) − [v]R` is infinity, for `R` or, where it is asked for, `−R`:
/// `signs` says whether the last term is negative.
fn holds<B: Backend>(
    tables: &Tables<B>,
    s: &U256,
    quotient: &Quotient,
    points: [Affine<Sm2<B>>; 2],
    signs: &[bool],
) -> bool {
    let Quotient { v, w, negative } = *quotient;
    let scalar = |k: &U256| Scalar::<B>::from_u256_reduced(k);
    let [c0, c1, c2, c3] = (scalar(s) * scalar(&integer(v))).to_u256().0;
    let halves = [[c0, c1], [c2, c3]];
    let [c0, c1] = halves.map(|[low, high]| u128::from(low) | (u128::from(high) << 64));
    // Both tables with one inversion.
    let made = odd_multiples_many_vartime::<Sm2<B>, { 1 << (WIDTH - 2) }>(points.into_iter());
    let [of_p, of_r] = &made[..] else {
        return false;
    };
    let [of_g, of_high] = &tables.0;
    let mut terms: [Term<'_, B>; 4] = [
        Term::new(c0, STORED_WIDTH, of_g, false),
        Term::new(c1, STORED_WIDTH, of_high, false),
        Term::new(w, WIDTH, of_p, negative),
        Term::new(v, WIDTH, of_r, true),
    ];
    signs.iter().any(|sign| {
        terms[3].negative = *sign;
        sum(&terms).is_infinity().into()
    })
}

const fn integer(k: u128) -> U256 {
    U256([k as u64, (k >> 64) as u64, 0, 0])
}

/// A scalar of 128 bits in digits, and the odd multiples of its point.
struct Term<'a, B: Backend> {
    digits: [i16; WNAF_LENGTH],
    length: usize,
    multiples: &'a [Entry<Sm2<B>>],
    /// Whether the product is subtracted.
    negative: bool,
}

impl<'a, B: Backend> Term<'a, B> {
    fn new(k: u128, width: usize, multiples: &'a [Entry<Sm2<B>>], negative: bool) -> Self {
        let (digits, length) = wnaf_vartime(&integer(k), width);
        Self {
            digits,
            length,
            multiples,
            negative,
        }
    }
}

/// The sum of the products, with one chain of doublings.
fn sum<B: Backend>(terms: &[Term<'_, B>; 4]) -> Jacobian<Sm2<B>> {
    let mut sum = Jacobian::INFINITY;
    let length = terms.iter().map(|term| term.length).max();
    for i in (0..length.unwrap_or(0)).rev() {
        sum.double_in_place();
        for term in terms {
            let digit = term.digits[i];
            if digit != 0 {
                let multiple = &term.multiples[usize::from(digit.unsigned_abs() >> 1)];
                let multiple = Affine::from_entry(multiple);
                let addend = if (digit < 0) == term.negative {
                    multiple
                } else {
                    multiple.neg()
                };
                sum = sum.add_affine_vartime(&addend);
            }
        }
    }
    sum
}
