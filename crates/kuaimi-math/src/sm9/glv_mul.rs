//! `[k]P` for a point met once, through endomorphisms: `G1` with two short scalars, `G2` with four.
//!
//! `[k]P = Σ [kᵢ]ψⁱ(P)` with odd `kᵢ` ([`glv`](super::glv)): the windows of all `kᵢ` share their doublings. The
//! odd multiples are computed of `P` alone; their images cost one or two products each.
//!
//! *Why incomplete additions are enough, but for the last windows.* Before a window, the sum stands for a vector `v` of multiples of
//! the `ψⁱ(P)`, to which `±d` is added in one place. Equal or opposite points, or infinity, would need `v ∓ d` there, or `v`, to
//! be in the lattice of vectors that stand for zero, which is the same for every point. All elements of `v` are zero or not multiples of the order, odd
//! multiples of powers of 2, so that neither vector is zero; and before the last windows they are below `2^62.1` in `G2`,
//! `2^125` in `G1`, shorter than any vector of the lattices but zero. The additions of the last windows are complete.

use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

use crate::arith::{Backend, Field, U256};
use crate::curve::odd_multiples::odd_multiples;
use crate::curve::recode::{OddWindows, wnaf_vartime};
use crate::curve::{Affine, Curve, Entry, Jacobian};
use crate::sm9::curve::{Fq, Sm9G1, Sm9G2, T, fq};
use crate::sm9::glv::{FOUR, TWO};
use crate::sm9::pairing::steps::frobenius;

/// `β⁴`, a cube root of 1: `φ(x, y) = (β⁴x, y)`.
const fn cube_root<B: Backend>() -> Fq<B> {
    fq("0000000000000000F300000002A3A6F2780272354F8B78F4D5FC11967BE65333")
}

/// `[k]P` in `G1`, for `k` below `N` other than zero. Constant time in both; the multiples of `P` are wiped.
pub fn g1_mul<B: Backend>(k: &U256, p: &Affine<Sm9G1<B>>) -> Jacobian<Sm9G1<B>> {
    let mut tables: [[Entry<Sm9G1<B>>; 16]; 2] = [odd_multiples(p), Default::default()];
    let [table, image] = &mut tables;
    let root = const { cube_root::<B>() };
    for ([x, y], image) in table.iter().zip(image) {
        *image = [(Fq::<B>::from_limbs(*x) * root).to_limbs(), *y];
    }
    let product = interleave(&TWO.decompose(k), &tables, TWO.width, TWO.windows);
    tables.zeroize();
    product
}

/// `[k]P` in `G2`, for `k` below `N` other than zero. Constant time in both; the multiples of `P` are wiped.
pub fn g2_mul<B: Backend>(k: &U256, p: &Affine<Sm9G2<B>>) -> Jacobian<Sm9G2<B>> {
    let mut tables = [[Entry::<Sm9G2<B>>::default(); 8]; 4];
    tables[0] = odd_multiples(p);
    for i in 1..tables.len() {
        for j in 0..tables[i].len() {
            let point = Affine::<Sm9G2<B>>::from_entry(&tables[i - 1][j]);
            tables[i][j] = frobenius(&point).to_entry();
        }
    }
    let product = interleave(&FOUR.decompose(k), &tables, FOUR.width, FOUR.windows);
    tables.zeroize();
    product
}

/// `Σ [kᵢ]Pᵢ` from the odd multiples of the `Pᵢ`.
fn interleave<C: Curve, const D: usize, const M: usize>(
    digits: &[OddWindows; D],
    tables: &[[Entry<C>; M]; D],
    width: usize,
    windows: usize,
) -> Jacobian<C> {
    let multiple = |i: usize, j: usize| -> Affine<C> {
        let (index, negative) = digits[j].digit(i);
        Affine::from_table(&tables[j], index).conditional_neg(negative)
    };
    let mut sum = Jacobian::from(multiple(windows - 1, 0));
    for j in 1..D {
        sum = sum.add_affine_incomplete(&multiple(windows - 1, j));
    }
    for i in (1..windows - 1).rev() {
        for _ in 0..width {
            sum = sum.double();
        }
        for j in 0..D {
            sum = sum.add_affine_incomplete(&multiple(i, j));
        }
    }
    for _ in 0..width {
        sum = sum.double();
    }
    for j in 0..D {
        sum = sum.add_affine_complete(&multiple(0, j));
    }
    sum
}

/// `[t]Q` for any point of the curve. Constant time: the digits are those of `t`.
fn mul_t<C: Curve>(q: &Affine<C>) -> Jacobian<C> {
    let (digits, length) = wnaf_vartime(&U256([T, 0, 0, 0]), 2);
    let minus = q.neg();
    // The first digit is 1. The point may have any order, so that any case of the addition may occur.
    let mut sum = Jacobian::from(*q);
    for &digit in digits[..length - 1].iter().rev() {
        sum = sum.double();
        match digit {
            0 => {}
            1.. => sum = sum.add_affine_complete(q),
            _ => sum = sum.add_affine_complete(&minus),
        }
    }
    sum
}

/// Whether a point of the twist is in the subgroup of order `N`. Constant time: a user's key is such a point.
///
/// The vector `(t + 1, t, t, −2t)` is in the lattice of [`glv`](super::glv), so on `G2`
/// `[t + 1]Q + ψ([t]Q) + ψ²([t]Q) = ψ³([2t]Q)`. The other way round: an endomorphism `α` of `Z[ψ]` that takes `Q` to zero has
/// its norm `αᾱ` do so, too. This one's norm is `N` times a number that has no factor in common with the cofactor
/// `2q − N` of the twist, nor with `N`; so the order of `Q`, which divides `(2q − N)·N`, divides `N` (El Housni, Guillevic and
/// Piellard, *Co-factor clearing and subgroup membership testing on pairing-friendly curves*, AFRICACRYPT 2022).
///
/// Where `[t]Q` is infinity, the left side is `Q`, and the right side is not: no point of order `N` gets there.
pub fn is_in_g2<B: Backend>(q: &Affine<Sm9G2<B>>) -> Choice {
    let mut multiple = mul_t(q);
    let finite = !multiple.is_infinity();
    let mut tq = multiple.to_affine();
    let one = frobenius(&tq);
    let two = frobenius(&one);
    let mut three = Jacobian::from(frobenius(&two)).double();
    let mut sum = Jacobian::from(tq)
        .add_affine_complete(q)
        .add_affine_complete(&one)
        .add_affine_complete(&two);
    let equal = sum.ct_eq(&three);
    multiple.zeroize();
    tq.zeroize();
    three.zeroize();
    sum.zeroize();
    finite & equal
}
