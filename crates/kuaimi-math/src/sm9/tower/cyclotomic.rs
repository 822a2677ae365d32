//! The cyclotomic subgroup of `Fq12`, of order `Φ₁₂(q) = q⁴ − q² + 1`.
//!
//! The results of the easy part of the final exponentiation are in it, so all elements of `GT` are.
//! There the inverse is the conjugate, and squares are cheap.
//!
//! **Squares** (Granger and Scott, *Faster Squaring in the Cyclotomic Subgroup of Sixth Degree
//! Extensions*, PKC 2010). The square of `A + Bw + Cw²` over `Fq4` is
//! `(3A² − 2Ā) + (3vC² + 2B̄)w + (3B² − 2C̄)w²`, where the bar is the conjugation of `Fq4` over
//! `Fq2`. A square in `Fq4` is four sums of two or three products in `Fq`. That is 30 products and
//! 12 reductions in all.
//!
//! **Compressed squares** (Karabina, *Squaring in cyclotomic subgroups*, Math. Comp. 82, 2013). `B`
//! and `C` of the square depend only on `B` and `C`. So `A`, a third of the work, can be left out
//! of successive squares, and computed at the end. Comparison of the formula above with the general
//! one gives `AB = vC² + B̄` and `AC = B² − C̄`, so `A` is one division in `Fq4`. If `B` and `C`
//! are both zero, `A² = Ā`, so `A` is a cube root of 1. Then `A = 1`, as the order of the subgroup
//! is 1 modulo 3.

use subtle::ConditionallySelectable;

use super::{Factor, Fq2, Fq12};
use crate::arith::{Backend, Field};
use crate::sm9::curve::Fq;

/// `(a₀ + a₁v)² = (a₀² + u·a₁²) + 2a₀a₁v`.
#[inline(never)]
fn square_fq4<B: Backend>(a0: &Fq2<B>, a1: &Fq2<B>) -> (Fq2<B>, Fq2<B>) {
    let (x, y, z, t) = (a0.c0, a0.c1, a1.c0, a1.c1);
    let (x2, y2) = (x.double(), y.double());
    let (minus_y2, minus_t2) = (y.minus_twice(), t.minus_twice());
    let (minus_y4, minus_t4) = (minus_y2.double(), minus_t2.double());
    let (x, y, z, t) = (x.limbs(), y.limbs(), z.limbs(), t.limbs());
    (
        Fq2::new(
            Fq::dot(&[[x, x], [y, minus_y2.limbs()], [z, minus_t4.limbs()]]),
            Fq::dot(&[[x2.limbs(), y], [z, z], [t, minus_t2.limbs()]]),
        ),
        Fq2::new(
            Fq::dot(&[[x2.limbs(), z], [t, minus_y4.limbs()]]),
            Fq::dot(&[[x2.limbs(), t], [y2.limbs(), z]]),
        ),
    )
}

/// `3a − 2b`.
#[inline(always)]
fn triple_minus_double<B: Backend>(a: Fq2<B>, b: Fq2<B>) -> Fq2<B> {
    (a - b).double() + a
}

/// `3a + 2b`.
#[inline(always)]
fn triple_plus_double<B: Backend>(a: Fq2<B>, b: Fq2<B>) -> Fq2<B> {
    (a + b).double() + a
}

impl<B: Backend> Fq12<B> {
    /// `self²` of an element of the cyclotomic subgroup.
    pub fn cyclotomic_square(&self) -> Self {
        let [c0, c1, c2, c3, c4, c5] = self.coefficients();
        let (a0, a1) = square_fq4(&c0, &c3);
        let (b0, b1) = square_fq4(&c1, &c4);
        let (d0, d1) = square_fq4(&c2, &c5);
        Self::from_coefficients([
            triple_minus_double(a0, c0),
            triple_plus_double(d1.mul_u(), c1),
            triple_minus_double(b0, c2),
            triple_plus_double(a1, c3),
            triple_minus_double(d0, c4),
            triple_plus_double(b1, c5),
        ])
    }
}

impl<B: Backend> Fq12<B> {
    /// `B` and `C` of `self^(2^count)` of an element of the cyclotomic subgroup. `A`, the
    /// coefficients of 1 and `w³`, is not changed.
    pub fn compressed_squares(&self, count: usize) -> Self {
        let [c0, mut c1, mut c2, c3, mut c4, mut c5] = self.coefficients();
        for _ in 0..count {
            let (b0, b1) = square_fq4(&c1, &c4);
            let (d0, d1) = square_fq4(&c2, &c5);
            (c1, c4) = (
                triple_plus_double(d1.mul_u(), c1),
                triple_minus_double(d0, c4),
            );
            (c2, c5) = (triple_minus_double(b0, c2), triple_plus_double(b1, c5));
        }
        Self::from_coefficients([c0, c1, c2, c3, c4, c5])
    }

    /// The element of the cyclotomic subgroup with these `B` and `C`; `A` is ignored. Constant
    /// time.
    pub fn decompress(&self) -> Self {
        let [_, c1, c2, _, c4, c5] = self.coefficients();
        // A = (vC² + B̄)/B; if B is zero, (B² − C̄)/C; if both are zero, 1/1.
        let (b0, b1) = square_fq4(&c1, &c4);
        let (d0, d1) = square_fq4(&c2, &c5);
        let no_b = c1.is_zero() & c4.is_zero();
        let no_c = c2.is_zero() & c5.is_zero();
        let select = |with_b: Fq2<B>, with_c: Fq2<B>, with_none: Fq2<B>| {
            let without_b = Fq2::conditional_select(&with_c, &with_none, no_c);
            Fq2::conditional_select(&with_b, &without_b, no_b)
        };
        let numerator0 = select(d1.mul_u() + c1, b0 - c2, Fq2::ONE);
        let numerator1 = select(d0 - c4, b1 + c5, Fq2::ZERO);
        let denominator0 = select(c1, c2, Fq2::ONE);
        let denominator1 = select(c4, c5, Fq2::ZERO);
        // 1/(x + yv) = (x − yv)/(x² − uy²).
        let norm = denominator0.square() - denominator1.square().mul_u();
        let inverse = norm.invert();
        let x = Factor::new(&(denominator0 * inverse));
        let y = Factor::new(&-(denominator1 * inverse));
        let c0 = Fq2::dot([&numerator0, &numerator1], [&x, &y.mul_u()]);
        let c3 = Fq2::dot([&numerator0, &numerator1], [&y, &x]);
        Self::from_coefficients([c0, c1, c2, c3, c4, c5])
    }
}
