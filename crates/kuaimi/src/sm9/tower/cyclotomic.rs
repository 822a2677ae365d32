//! The cyclotomic subgroup of `Fq12`, of order `Φ₁₂(q) = q⁴ − q² + 1`: after the easy part of the final exponentiation
//! everything is in it. An inverse is a conjugate there, and squares are cheap.
//!
//! **Squares** (Granger and Scott, *Faster Squaring in the Cyclotomic Subgroup of Sixth Degree Extensions*, PKC 2010). For
//! `A + Bw + Cw²` over `Fq4` the square is `(3A² − 2Ā) + (3vC² + 2B̄)w + (3B² − 2C̄)w²`, the bar being conjugation of `Fq4`
//! over `Fq2`. A square in `Fq4` is four sums of two or three products in `Fq`: 30 products and 12 reductions in all.

use super::{Fq2, Fq12};
use crate::arith::{Backend, Field};
use crate::sm9::curve::Fq;

/// `(a₀ + a₁v)² = (a₀² + u·a₁²) + 2a₀a₁v`.
#[inline(always)]
fn square_fq4<B: Backend>(a0: &Fq2<B>, a1: &Fq2<B>) -> (Fq2<B>, Fq2<B>) {
    let (x, y, z, t) = (a0.c0, a0.c1, a1.c0, a1.c1);
    let (x2, y2, t2) = (x.double(), y.double(), t.double());
    let (minus_y2, minus_t2) = (-y2, -t2);
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
fn three_less_two<B: Backend>(a: Fq2<B>, b: Fq2<B>) -> Fq2<B> {
    (a - b).double() + a
}

/// `3a + 2b`.
#[inline(always)]
fn three_and_two<B: Backend>(a: Fq2<B>, b: Fq2<B>) -> Fq2<B> {
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
            three_less_two(a0, c0),
            three_and_two(d1.mul_u(), c1),
            three_less_two(b0, c2),
            three_and_two(a1, c3),
            three_less_two(d0, c4),
            three_and_two(b1, c5),
        ])
    }
}
