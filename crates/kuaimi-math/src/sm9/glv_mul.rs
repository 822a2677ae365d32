//! Variable-base multiplication `[k]P` with endomorphisms: two short scalars in `G1`, four in `G2`.
//!
//! `[k]P = Σ [kᵢ]ψⁱ(P)` with odd `kᵢ` (see [`glv`](super::glv)). The windows of all `kᵢ` share
//! their doublings. Only the odd multiples of `P` are computed by additions; their images cost one
//! or two products each.
//!
//! *Why incomplete additions are sufficient, except in the last windows.* Before an addition the
//! sum is `Σ [vᵢ]ψⁱ(P)` for a vector `v`, and the addend is `[d]ψʲ(P)` with odd `d`. If the points
//! were equal or opposite, or the sum were infinity, then `v − d·eⱼ`, `v + d·eⱼ` or `v` would be in
//! the lattice of vectors `w` with `Σ wᵢλⁱ ≡ 0 (mod N)`. None of them is zero: `vⱼ` is even and `d`
//! is odd, and `v₀` is an odd multiple of a power of 2. Before the last windows their elements are
//! below `2^62.1` in `G2` and below `2^125` in `G1`, which is shorter than all vectors of the
//! lattices but zero. The additions of the last windows are complete.

use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

use crate::arith::{Backend, Field, U256};
use crate::curve::odd_multiples::odd_multiples;
use crate::curve::recode::{OddWindows, wnaf_vartime};
use crate::curve::{Affine, Curve, Entry, Jacobian};
use crate::sm9::curve::{Fq, Sm9G1, Sm9G2, T, fq};
use crate::sm9::glv::{DIMENSION_2, DIMENSION_4};
use crate::sm9::pairing::steps::frobenius;

/// `β⁴`, a cube root of 1: `φ(x, y) = (β⁴x, y)`.
const fn cube_root<B: Backend>() -> Fq<B> {
    fq("0000000000000000F300000002A3A6F2780272354F8B78F4D5FC11967BE65333")
}

/// `[k]P` in `G1`, for `k` below `N` other than zero. Constant time in `k` and `P`; the multiples
/// of `P` are wiped.
pub fn g1_mul<B: Backend>(k: &U256, p: &Affine<Sm9G1<B>>) -> Jacobian<Sm9G1<B>> {
    let mut tables: [[Entry<Sm9G1<B>>; 16]; 2] = [odd_multiples(p), Default::default()];
    let [table, image] = &mut tables;
    let root = const { cube_root::<B>() };
    for ([x, y], image) in table.iter().zip(image) {
        *image = [(Fq::<B>::from_limbs(*x) * root).to_limbs(), *y];
    }
    let product = interleave(
        &DIMENSION_2.decompose(k),
        &tables,
        DIMENSION_2.width,
        DIMENSION_2.windows,
    );
    tables.zeroize();
    product
}

/// `[k]P` in `G2`, for `k` below `N` other than zero. Constant time in `k` and `P`; the multiples
/// of `P` are wiped.
pub fn g2_mul<B: Backend>(k: &U256, p: &Affine<Sm9G2<B>>) -> Jacobian<Sm9G2<B>> {
    let mut tables = [[Entry::<Sm9G2<B>>::default(); 8]; 4];
    tables[0] = odd_multiples(p);
    for i in 1..tables.len() {
        for j in 0..tables[i].len() {
            let point = Affine::<Sm9G2<B>>::from_entry(&tables[i - 1][j]);
            tables[i][j] = frobenius(&point).to_entry();
        }
    }
    let product = interleave(
        &DIMENSION_4.decompose(k),
        &tables,
        DIMENSION_4.width,
        DIMENSION_4.windows,
    );
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

/// `[t]Q` for any point of the curve. Constant time in `Q`.
fn mul_t<C: Curve>(q: &Affine<C>) -> Jacobian<C> {
    let (digits, length) = wnaf_vartime(&U256([T, 0, 0, 0]), 2);
    let minus = q.neg();
    // The first digit is 1. The point may have any order, so all exceptional cases are possible.
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

/// Whether a point of the twist is in the subgroup of order `N`. Constant time, as a user's key is
/// such a point.
///
/// The check is `[t + 1]Q + ψ([t]Q) + ψ²([t]Q) = ψ³([2t]Q)` (El Housni, Guillevic and Piellard,
/// *Co-factor clearing and subgroup membership testing on pairing-friendly curves*, AFRICACRYPT
/// 2022). It holds on `G2`, as the vector `(t + 1, t, t, −2t)` is in the lattice of
/// [`glv`](super::glv). It holds only there: an endomorphism of `Z[ψ]` that maps `Q` to zero has a
/// norm that also maps `Q` to zero. Here the norm is `N` times a number that is coprime to `N` and
/// to the cofactor `2q − N` of the twist. The order of `Q` divides `(2q − N)·N` and the norm, so it
/// divides `N`.
///
/// If `[t]Q` is infinity, `Q` is not in the subgroup, as `N` does not divide `t`.
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
