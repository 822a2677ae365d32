//! `Fq6 = Fq2[s]/(s³ − u)`.
//!
//! A product is three sums of three products in `Fq2`, that is six sums of six products in `Fq`: 36
//! products and 6 reductions. Karatsuba's method needs fewer products (18 with Karatsuba in `Fq2`,
//! too), but its additions, each a chain of carries, cost more than that saves.

use core::ops::{Add, Mul, Neg, Sub};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::{Factor, Fq2};
use crate::arith::{Backend, Field};

/// `c[0] + c[1]·s + c[2]·s²`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fq6<B: Backend> {
    /// The coefficients.
    pub c: [Fq2<B>; 3],
}

impl<B: Backend> Fq6<B> {
    /// 0.
    pub const ZERO: Self = Self {
        c: [<Fq2<B> as Field>::ZERO; 3],
    };
    /// 1.
    pub const ONE: Self = Self {
        c: [
            <Fq2<B> as Field>::ONE,
            <Fq2<B> as Field>::ZERO,
            <Fq2<B> as Field>::ZERO,
        ],
    };

    /// `s·self`.
    #[inline(always)]
    pub fn mul_s(&self) -> Self {
        let [c0, c1, c2] = self.c;
        Self {
            c: [c2.mul_u(), c0, c1],
        }
    }

    /// `2·self`.
    #[inline(always)]
    pub fn double(&self) -> Self {
        Self {
            c: self.c.map(|c| c.double()),
        }
    }

    /// The products of several elements with one factor.
    #[inline(always)]
    pub fn products<const K: usize>(a: [&Self; K], b: &Self) -> [Self; K] {
        let [b0, b1, b2] = &b.c.map(|b| Factor::new(&b));
        let (ub1, ub2) = (&b1.mul_u(), &b2.mul_u());
        a.map(|a| {
            let [a0, a1, a2] = &a.c;
            Self {
                c: [
                    Fq2::dot([a0, a1, a2], [b0, ub2, ub1]),
                    Fq2::dot([a0, a1, a2], [b1, b0, ub2]),
                    Fq2::dot([a0, a1, a2], [b2, b1, b0]),
                ],
            }
        })
    }

    /// `1/self`, and 0 for 0, with the given inversion in `Fq2`.
    ///
    /// Let `t₀ = a₀² − u·a₁a₂`, `t₁ = u·a₂² − a₀a₁` and `t₂ = a₁² − a₀a₂`. The product of `self`
    /// and `t₀ + t₁s + t₂s²` is `a₀t₀ + u·(a₂t₁ + a₁t₂)`, which is in `Fq2`.
    pub fn invert_with(&self, invert: fn(&Fq2<B>) -> Fq2<B>) -> Self {
        let [a0, a1, a2] = self.c;
        let t0 = a0.square() - (a1 * a2).mul_u();
        let t1 = a2.square().mul_u() - a0 * a1;
        let t2 = a1.square() - a0 * a2;
        let norm = a0 * t0 + (a2 * t1 + a1 * t2).mul_u();
        let inverse = invert(&norm);
        Self {
            c: [t0 * inverse, t1 * inverse, t2 * inverse],
        }
    }
}

impl<B: Backend> Mul for Fq6<B> {
    type Output = Self;
    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        let [product] = Self::products([&self], &other);
        product
    }
}

impl<B: Backend> Add for Fq6<B> {
    type Output = Self;
    #[inline(never)]
    fn add(self, other: Self) -> Self {
        Self {
            c: core::array::from_fn(|i| self.c[i] + other.c[i]),
        }
    }
}

impl<B: Backend> Sub for Fq6<B> {
    type Output = Self;
    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        Self {
            c: core::array::from_fn(|i| self.c[i] - other.c[i]),
        }
    }
}

impl<B: Backend> Neg for Fq6<B> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            c: self.c.map(|c| -c),
        }
    }
}

impl<B: Backend> ConstantTimeEq for Fq6<B> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.c[0].ct_eq(&other.c[0]) & self.c[1].ct_eq(&other.c[1]) & self.c[2].ct_eq(&other.c[2])
    }
}

impl<B: Backend> ConditionallySelectable for Fq6<B> {
    #[inline(always)]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            c: core::array::from_fn(|i| Fq2::conditional_select(&a.c[i], &b.c[i], choice)),
        }
    }
}

impl<B: Backend> Zeroize for Fq6<B> {
    fn zeroize(&mut self) {
        self.c.iter_mut().zeroize();
    }
}

impl<B: Backend> PartialEq for Fq6<B> {
    /// Compares in constant time. Whether they are equal must not be secret.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        bool::from(self.ct_eq(other))
    }
}

impl<B: Backend> Eq for Fq6<B> {}
