//! `Fq2 = Fq[u]/(u² + 2)`.
//!
//! A product is two sums of two products: `(a₀ + a₁u)(b₀ + b₁u) = (a₀b₀ − 2a₁b₁) + (a₀b₁ + a₁b₀)u`.
//! A square is a sum of two products, and a product: `(a₀² − 2a₁²) + 2a₀a₁u`.
//!
//! Products are not inlined, as their code is long, and towers and curves have many of them.

use core::ops::{Add, Mul, Neg, Sub};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use crate::arith::{Backend, Field, PrimeField};
use crate::sm9::curve::Fq;

/// `c0 + c1·u`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fq2<B: Backend> {
    /// The constant term.
    pub c0: Fq<B>,
    /// The coefficient of `u`.
    pub c1: Fq<B>,
}

impl<B: Backend> Fq2<B> {
    /// `c0 + c1·u`.
    #[inline(always)]
    pub const fn new(c0: Fq<B>, c1: Fq<B>) -> Self {
        Self { c0, c1 }
    }

    /// The conjugate `c0 − c1·u`, which is the `q`-th power.
    #[inline(always)]
    pub fn conjugate(&self) -> Self {
        Self::new(self.c0, -self.c1)
    }

    /// `u·self`.
    #[inline(always)]
    pub fn mul_u(&self) -> Self {
        Self::new(-self.c1.double(), self.c0)
    }

    /// The product with an element of `Fq`.
    #[inline]
    pub fn scale(&self, factor: &Fq<B>) -> Self {
        let factor = factor.limbs();
        Self::new(
            Fq::dot(&[[self.c0.limbs(), factor]]),
            Fq::dot(&[[self.c1.limbs(), factor]]),
        )
    }

    /// `c0² + 2·c1²`, the product with the conjugate.
    fn norm(&self) -> Fq<B> {
        let twice = self.c1.double();
        Fq::dot(&[
            [self.c0.limbs(), self.c0.limbs()],
            [twice.limbs(), self.c1.limbs()],
        ])
    }

    /// `1/self`, and 0 for 0, with the given inversion in `Fq`.
    fn invert_with(&self, invert: fn(&Fq<B>) -> Fq<B>) -> Self {
        let inverse = invert(&self.norm());
        Self::new(self.c0 * inverse, -self.c1 * inverse)
    }

    /// A square root, or `None` if there is none. For public values.
    ///
    /// If `(x + yu)² = c0 + c1·u`, then `x² = (c0 ± √norm)/2` and `y = c1/2x`. The right side is a
    /// square for one of the signs.
    pub fn sqrt_vartime(&self) -> Option<Self> {
        let root = if self.c1.is_zero_vartime() {
            match self.c0.sqrt_vartime() {
                Some(x) => Self::new(x, Fq::ZERO),
                // −2y² = c0. If c0 is not a square, −c0/2 is one, as −2 is not a square.
                None => Self::new(Fq::ZERO, (-self.c0).half().sqrt_vartime()?),
            }
        } else {
            let norm_root = self.norm().sqrt_vartime()?;
            let x = match (self.c0 + norm_root).half().sqrt_vartime() {
                Some(x) => x,
                None => (self.c0 - norm_root).half().sqrt_vartime()?,
            };
            Self::new(x, self.c1 * x.double().invert_vartime())
        };
        (root.square() == *self).then_some(root)
    }
}

/// The second factor of a product, `b₀ + b₁u`, with the precomputed `−2b₁`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Factor<B: Backend> {
    c0: Fq<B>,
    c1: Fq<B>,
    minus_twice_c1: Fq<B>,
}

impl<B: Backend> Factor<B> {
    /// The factor `b`.
    #[inline(always)]
    pub fn new(b: &Fq2<B>) -> Self {
        Self {
            c0: b.c0,
            c1: b.c1,
            minus_twice_c1: b.c1.minus_twice(),
        }
    }

    /// The factor `u·b`.
    #[inline(always)]
    pub fn mul_u(&self) -> Self {
        Self {
            c0: self.minus_twice_c1,
            c1: self.c0,
            minus_twice_c1: self.c0.minus_twice(),
        }
    }
}

impl<B: Backend> Fq2<B> {
    /// `Σ aᵢ·bᵢ` of at most three products, with one reduction for each coefficient.
    #[inline(always)]
    pub fn dot<const K: usize>(a: [&Self; K], b: [&Factor<B>; K]) -> Self {
        let terms: [_; K] = core::array::from_fn(|i| {
            [
                [a[i].c0.limbs(), b[i].c0.limbs()],
                [a[i].c1.limbs(), b[i].minus_twice_c1.limbs()],
            ]
        });
        let c0 = Fq::dot(terms.as_flattened());
        let terms: [_; K] = core::array::from_fn(|i| {
            [
                [a[i].c0.limbs(), b[i].c1.limbs()],
                [a[i].c1.limbs(), b[i].c0.limbs()],
            ]
        });
        Self::new(c0, Fq::dot(terms.as_flattened()))
    }
}

impl<B: Backend> Field for Fq2<B> {
    type Limbs = [u64; 8];

    const ZERO: Self = Self::new(Fq::<B>::ZERO, Fq::<B>::ZERO);
    const ONE: Self = Self::new(Fq::<B>::ONE, Fq::<B>::ZERO);

    #[inline(always)]
    fn from_limbs([a0, a1, a2, a3, b0, b1, b2, b3]: [u64; 8]) -> Self {
        Self::new(
            Fq::from_limbs([a0, a1, a2, a3]),
            Fq::from_limbs([b0, b1, b2, b3]),
        )
    }

    #[inline(always)]
    fn to_limbs(&self) -> [u64; 8] {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.c0.to_limbs(), self.c1.to_limbs());
        [a0, a1, a2, a3, b0, b1, b2, b3]
    }

    #[inline(always)]
    fn look_up(table: &[[[u64; 8]; 2]], index: u32) -> [[u64; 8]; 2] {
        B::look_up(table, index)
    }

    #[inline(never)]
    fn square(&self) -> Self {
        let (c0, c1) = (self.c0.limbs(), self.c1.limbs());
        let minus_twice = self.c1.minus_twice();
        let twice = self.c0.double();
        Self::new(
            Fq::dot(&[[c0, c0], [c1, minus_twice.limbs()]]),
            Fq::dot(&[[twice.limbs(), c1]]),
        )
    }

    #[inline(always)]
    fn double(&self) -> Self {
        Self::new(self.c0.double(), self.c1.double())
    }

    #[inline(always)]
    fn half(&self) -> Self {
        Self::new(self.c0.half(), self.c1.half())
    }

    #[inline(never)]
    fn difference_of_products([a, b]: [&Self; 2], [c, d]: [&Self; 2]) -> Self {
        Self::dot([a, &-*c], [&Factor::new(b), &Factor::new(d)])
    }

    fn invert(&self) -> Self {
        self.invert_with(Fq::invert)
    }

    fn invert_vartime(&self) -> Self {
        self.invert_with(Fq::invert_vartime)
    }

    #[inline]
    fn is_zero_vartime(&self) -> bool {
        self.c0.is_zero_vartime() && self.c1.is_zero_vartime()
    }
}

impl<B: Backend> Add for Fq2<B> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.c0 + other.c0, self.c1 + other.c1)
    }
}

impl<B: Backend> Sub for Fq2<B> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.c0 - other.c0, self.c1 - other.c1)
    }
}

impl<B: Backend> Mul for Fq2<B> {
    type Output = Self;
    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        Self::dot([&self], [&Factor::new(&other)])
    }
}

impl<B: Backend> Neg for Fq2<B> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.c0, -self.c1)
    }
}

impl<B: Backend> ConstantTimeEq for Fq2<B> {
    #[inline]
    fn ct_eq(&self, other: &Self) -> Choice {
        self.c0.ct_eq(&other.c0) & self.c1.ct_eq(&other.c1)
    }
}

impl<B: Backend> ConditionallySelectable for Fq2<B> {
    #[inline(always)]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self::new(
            Fq::conditional_select(&a.c0, &b.c0, choice),
            Fq::conditional_select(&a.c1, &b.c1, choice),
        )
    }
}

impl<B: Backend> Zeroize for Fq2<B> {
    fn zeroize(&mut self) {
        self.c0.zeroize();
        self.c1.zeroize();
    }
}

impl<B: Backend> PartialEq for Fq2<B> {
    /// Compares in constant time. Whether they are equal must not be secret.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        bool::from(self.ct_eq(other))
    }
}

impl<B: Backend> Eq for Fq2<B> {}
