//! The operations of SM9's protocols: products in `G1` and `G2`, pairings, powers in `GT`, and
//! arithmetic modulo `N`.
//!
//! The functions have no type parameters: each chooses the implementation itself, once. Values are
//! the same for all implementations. Scalars are plain integers below `N`. Coordinates are in
//! Montgomery form with `R = 2²⁵⁶`, below `q`. Points ([`G1`] and [`G2`]) are affine and never
//! infinity.
//!
//! Functions are constant time in all their arguments unless their name ends in `_vartime`. The
//! factors of points must not be zero, and the elements of `GT` in powers must have order `N`.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::curve::{Fq, N, Scalar, Sm9G1, Sm9G2};
use super::glv_mul;
use super::gt;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::lanes;
pub use super::pairing::Lines;
use super::pairing::{final_exponentiation::final_exponentiation, miller};
use super::point_encoding;
pub use super::point_encoding::InvalidPoint;
use super::tables;
use super::tower::fq12_operations::with_fq12;
use super::tower::{Fq12, Fq12Operations};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::backend::Adx;
use crate::arith::backend::with_backend;
use crate::arith::integers::with_element;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::lanes::ifma::Ifma;
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Field, PrimeField, U256};
use crate::curve::summation::{Summation, with_summation};
use crate::curve::{Affine, Curve, Jacobian, wiped_after_entry};

mod hash_to_scalar;
mod many;
mod scalar;
pub(super) mod table;

pub use hash_to_scalar::scalar_from_hash;
pub use many::{
    g1_generator_mul_many, g1_generator_table_mul_many, g1_table_mul_many, g2_generator_mul_many,
    gt_table_pow_many, pairing_many, pairing_with_many, verifications_in_lanes,
    verifications_with_lines_in_lanes,
};
pub use scalar::{scalar_add, scalar_invert, scalar_invert_many, scalar_mul, scalar_sub};
pub use table::{G1Table, G2Lines, G2Table, GtTable, InvalidTable};

/// A point of `G1`: `x` and `y`.
pub type G1 = [Limbs; 2];

/// A point of `G2`: `x` and `y`, each with the constant term before the coefficient of `u`.
pub type G2 = [[u64; 8]; 2];

/// An element of `Fq12`: the coefficients of `1, w, …, w⁵`, each with the constant term before the
/// coefficient of `u`.
pub type Gt = [Limbs; 12];

/// Evaluates an expression with a type name bound to a backend, and a name to the fastest product
/// from a fixed-base table in `G2`.
macro_rules! with_g2_product {
    ($backend:ident, $product:ident => $body:expr) => {
        match kuaimi_platform::backend::Lanes::selected().get() {
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            kuaimi_platform::backend::Lanes::Ifma => {
                type $backend = $crate::arith::backend::Adx;
                let $product = $crate::sm9::lanes::g2::mul::<$crate::arith::lanes::ifma::Ifma, $backend>;
                $body
            }
            _ => $crate::arith::backend::with_backend!($backend => {
                let $product = $crate::curve::FixedBaseTable::<$crate::sm9::curve::Sm9G2<$backend>>::mul;
                $body
            }),
        }
    };
}
pub(super) use with_g2_product;

fn g1<B: Backend>(p: &G1) -> Affine<Sm9G1<B>> {
    Affine::from_entry(p)
}

fn g2<B: Backend>(p: &G2) -> Affine<Sm9G2<B>> {
    Affine::from_entry(p)
}

// G1

/// `P1`.
pub fn g1_generator() -> G1 {
    with_backend!(B => Sm9G1::<B>::GENERATOR.to_entry())
}

/// `[k]P1`.
pub fn g1_generator_mul(k: &U256) -> G1 {
    with_summation!(B, S => with_element::<N, B, _>(k, |k| {
        wiped_after_entry!(S::product(&tables::g1_generator_table::<B>(), k))
    }))
}

/// `[k]P`.
pub fn g1_mul(k: &U256, p: &G1) -> G1 {
    with_backend!(B => wiped_after_entry!(glv_mul::g1_mul::<B>(k, &g1(p))))
}

/// `[a]P1 + [b]T` for the point `T` of a table. The sum must not be infinity.
///
/// So `[r]([h]P1 + Ppub)` is computed from two fixed-base tables, with `a = r·h` and `b = r`.
pub fn g1_generator_table_mul(a: &U256, b: &U256, table: &G1Table) -> G1 {
    with_summation!(B, S => with_element::<N, B, _>(a, |a| with_element::<N, B, _>(b, |b| {
        let mut products = [
            S::product(&tables::g1_generator_table::<B>(), a),
            S::product(&table.fixed_base_table::<B>(), b),
        ];
        let sum = wiped_after_entry!(products[0].add_complete(&products[1]));
        products.zeroize();
        sum
    })))
}

/// `P + Q`, or `None` for infinity. For public points.
pub fn g1_add_vartime(p: &G1, q: &G1) -> Option<G1> {
    with_backend!(B => {
        let sum = Jacobian::<Sm9G1<B>>::from(g1(p)).add_affine_vartime(&g1(q));
        sum.to_affine_vartime().map(Affine::to_entry)
    })
}

/// `−P`.
pub fn g1_neg(p: &G1) -> G1 {
    with_backend!(B => g1::<B>(p).neg().to_entry())
}

/// `[k]P1 + Q`, or `None` for infinity. For public values.
pub fn g1_generator_mul_add_vartime(k: &U256, q: &G1) -> Option<G1> {
    with_summation!(B, S => {
        let k = Scalar::<B>::from_u256_reduced(k);
        let table = tables::g1_generator_table();
        let product = S::sum_of_products_vartime(&[(&table, &k)]);
        let sum = product.unwrap_or_else(|| table.mul_vartime(&k)).add_affine_vartime(&g1(q));
        sum.to_affine_vartime().map(Affine::to_entry)
    })
}

/// The point of `G1` with the coordinates `x ‖ y`, each 32 bytes, most significant first. Constant
/// time apart from the result.
pub fn g1_from_bytes(bytes: &[u8; 64]) -> Result<G1, InvalidPoint> {
    with_backend!(B => point_encoding::g1_from_bytes::<B>(bytes).map(Affine::to_entry))
}

/// `x ‖ y`, each 32 bytes, most significant first.
pub fn g1_to_bytes(p: &G1) -> [u8; 64] {
    with_backend!(B => point_encoding::g1_to_bytes::<B>(&g1(p)))
}

/// The point of `G1` with this x-coordinate, and a y-coordinate with this lowest bit. For public
/// points.
pub fn g1_decompress_vartime(x: &[u8; 32], odd: bool) -> Result<G1, InvalidPoint> {
    with_backend!(B => point_encoding::g1_decompress_vartime::<B>(x, odd).map(Affine::to_entry))
}

// G2

/// `P2`.
pub fn g2_generator() -> G2 {
    with_backend!(B => Sm9G2::<B>::GENERATOR.to_entry())
}

/// `[k]P2`.
pub fn g2_generator_mul(k: &U256) -> G2 {
    with_g2_product!(B, product => with_element::<N, B, _>(k, |k| {
        wiped_after_entry!(product(&tables::g2_generator_table::<B>(), k))
    }))
}

/// `[k]P`.
pub fn g2_mul(k: &U256, p: &G2) -> G2 {
    with_backend!(B => wiped_after_entry!(glv_mul::g2_mul::<B>(k, &g2(p))))
}

/// `[k]P2 + Q`, or `None` for infinity. For public values.
pub fn g2_generator_mul_add_vartime(k: &U256, q: &G2) -> Option<G2> {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if many::has_lanes() {
        let k = Scalar::<Adx>::from_u256_reduced(k);
        let product = lanes::g2::mul::<Ifma, Adx>(&tables::g2_generator_table(), &k);
        return product
            .add_affine_vartime(&g2(q))
            .to_affine_vartime()
            .map(Affine::to_entry);
    }
    with_backend!(B => {
        let k = Scalar::<B>::from_u256_reduced(k);
        let sum = tables::g2_generator_table().mul_vartime(&k).add_affine_vartime(&g2(q));
        sum.to_affine_vartime().map(Affine::to_entry)
    })
}

/// The point of `G2` with the coordinates `x ‖ y`, each 64 bytes with the coefficient of `u` first.
/// The subgroup is checked. Constant time apart from the result.
pub fn g2_from_bytes(bytes: &[u8; 128]) -> Result<G2, InvalidPoint> {
    with_backend!(B => point_encoding::g2_from_bytes::<B>(bytes).map(Affine::to_entry))
}

/// `x ‖ y`, each 64 bytes with the coefficient of `u` first.
pub fn g2_to_bytes(p: &G2) -> [u8; 128] {
    with_backend!(B => point_encoding::g2_to_bytes::<B>(&g2(p)))
}

/// The point of `G2` with this x-coordinate, and a y-coordinate whose constant term has this lowest
/// bit. For public points.
pub fn g2_decompress_vartime(x: &[u8; 64], odd: bool) -> Result<G2, InvalidPoint> {
    with_backend!(B => point_encoding::g2_decompress_vartime::<B>(x, odd).map(Affine::to_entry))
}

// Pairings

/// `e(P, Q)`.
pub fn pairing(p: &G1, q: &G2) -> Gt {
    let mut pair = (*p, *q);
    let pairing = pairing_product_with(core::slice::from_ref(&pair), &[]);
    pair.0.zeroize();
    pair.1.zeroize();
    pairing
}

/// The precomputed lines of `P2`.
pub fn g2_generator_lines() -> &'static Lines {
    tables::g2_lines()
}

/// `e(P, Q)`, given the precomputed lines of `Q`.
pub fn pairing_with(p: &G1, lines: &Lines) -> Gt {
    pairing_product_with(&[], &[(*p, lines)])
}

/// `Π e(Pᵢ, Qᵢ)` with one final exponentiation, where some `Qᵢ` are given as points and others as
/// precomputed lines.
pub fn pairing_product_with(pairs: &[(G1, G2)], precomputed: &[(G1, &Lines)]) -> Gt {
    with_fq12!(B, F => {
        let mut pairs: Vec<_> = pairs.iter().map(|(p, q)| (g1::<B>(p), g2::<B>(q))).collect();
        let mut precomputed: Vec<_> = precomputed.iter().map(|(p, lines)| (g1::<B>(p), *lines)).collect();
        let mut f: F = miller::miller_mixed(&pairs, &precomputed);
        let product = Fq12Operations::<B>::to_limbs(&final_exponentiation::<B, F>(&f));
        // All of them may be secret.
        for (p, q) in &mut pairs {
            p.zeroize();
            q.zeroize();
        }
        for (p, _) in &mut precomputed {
            p.zeroize();
        }
        f.zeroize();
        product
    })
}

// GT

/// `a·b`.
pub fn gt_mul(a: &Gt, b: &Gt) -> Gt {
    with_backend!(B => (Fq12::<B>::from_limbs(a) * Fq12::from_limbs(b)).to_limbs())
}

/// `a^k`.
pub fn gt_pow(a: &Gt, k: &U256) -> Gt {
    with_fq12!(B, F => {
        let power: F = gt::power::pow::<B, F>(&Fq12Operations::<B>::from_limbs(a), k);
        Fq12Operations::<B>::to_limbs(&power)
    })
}

/// 384 bytes: the twelve coefficients in the standard's order, from the highest, each most
/// significant byte first.
pub fn gt_to_bytes(a: &Gt) -> [u8; 384] {
    let mut bytes = [0; 384];
    with_backend!(B => {
        for (chunk, position) in bytes.chunks_exact_mut(32).zip(STANDARD_ORDER) {
            chunk.copy_from_slice(&Fq::<B>::from_limbs(a[position]).to_u256().to_be_bytes());
        }
    });
    bytes
}

/// The positions in [`Gt`] of the coefficients in the standard's order: `w⁵, w², w⁴, w, w³, 1`,
/// each with the coefficient of `u` first.
const STANDARD_ORDER: [usize; 12] = [11, 10, 5, 4, 9, 8, 3, 2, 7, 6, 1, 0];

#[cfg(test)]
mod tests;
