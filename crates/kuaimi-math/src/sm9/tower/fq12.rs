//! `Fq12 = Fq6[w]/(w² − s)`, the same field as the standard's `Fq4[w]/(w³ − v)`.
//!
//! | operation | products in `Fq` | reductions |
//! | --- | ---: | ---: |
//! | product: Karatsuba over `Fq6` | 108 | 18 |
//! | square: `(A + B)(A + sB) − AB − sAB + 2ABw` | 72 | 12 |
//! | product with `l₀ + l₃w³ + l₅w⁵` | 72 | 12 |
//! | product with `1 + l₃w³ + l₅w⁵` | 48 | 12 |
//! | Frobenius map | at most 10 | as many |
//!
//! **Frobenius map.** `w^q = β·w` with `β = u^((q−1)/6) = (−2)^((q−1)/12)`, which is in `Fq`. So
//! `(Σ cᵢwⁱ)^q = Σ c̄ᵢβⁱwⁱ`. The powers of `β` are constants, with `β⁶ = u^(q−1) = −1`.

use core::ops::{Add, Mul, Sub};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::{Factor, Fq2, Fq6};
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Field};
use crate::sm9::curve::{Fq, fq};

/// `a + b·w`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fq12<B: Backend> {
    /// The even coefficients, `c₀, c₂, c₄`.
    pub a: Fq6<B>,
    /// The odd coefficients, `c₁, c₃, c₅`.
    pub b: Fq6<B>,
}

/// `βⁱ` for `i` from 1 to 5.
pub(in crate::sm9) const fn beta<B: Backend>() -> [Fq<B>; 5] {
    [
        fq("3F23EA58E5720BDB843C6CFA9C08674947C5C86E0DDD04EDA91D8354377B698B"),
        fq("0000000000000000F300000002A3A6F2780272354F8B78F4D5FC11967BE65334"),
        fq("6C648DE5DC0A3F2CF55ACC93EE0BAF159F9D411806DC5177F5B21FD3DA24D011"),
        fq("0000000000000000F300000002A3A6F2780272354F8B78F4D5FC11967BE65333"),
        fq("2D40A38CF6983351711E5F99520347CC57D778A9F8FF4C8A4C949C7FA2A96686"),
    ]
}

/// `1 + l₃w³ + l₅w⁵`: the value of a precomputed line.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScaledLine<B: Backend> {
    /// The coefficient of `w³`.
    pub l3: Fq2<B>,
    /// The coefficient of `w⁵`.
    pub l5: Fq2<B>,
}

/// `l₀ + l₃w³ + l₅w⁵`: the value of a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line<B: Backend> {
    /// The constant term.
    pub l0: Fq2<B>,
    /// The coefficient of `w³`.
    pub l3: Fq2<B>,
    /// The coefficient of `w⁵`.
    pub l5: Fq2<B>,
}

impl<B: Backend> Fq12<B> {
    /// 0.
    pub const ZERO: Self = Self {
        a: Fq6::ZERO,
        b: Fq6::ZERO,
    };
    /// 1.
    pub const ONE: Self = Self {
        a: Fq6::ONE,
        b: Fq6::ZERO,
    };

    /// The element with these coefficients of `1, w, …, w⁵`.
    #[inline(always)]
    pub const fn from_coefficients(c: [Fq2<B>; 6]) -> Self {
        Self {
            a: Fq6 {
                c: [c[0], c[2], c[4]],
            },
            b: Fq6 {
                c: [c[1], c[3], c[5]],
            },
        }
    }

    /// The coefficients of `1, w, …, w⁵`.
    #[inline(always)]
    pub const fn coefficients(&self) -> [Fq2<B>; 6] {
        let (a, b) = (&self.a.c, &self.b.c);
        [a[0], b[0], a[1], b[1], a[2], b[2]]
    }

    /// The element with these limbs, which must be a result of [`to_limbs`](Self::to_limbs).
    #[inline]
    pub fn from_limbs(limbs: &[Limbs; 12]) -> Self {
        Self::from_coefficients(core::array::from_fn(|i| {
            Fq2::new(
                Fq::from_limbs(limbs[2 * i]),
                Fq::from_limbs(limbs[2 * i + 1]),
            )
        }))
    }

    /// The limbs of `c₀, c₁, …`, each with the constant term before the coefficient of `u`, in
    /// Montgomery form.
    #[inline]
    pub fn to_limbs(self) -> [Limbs; 12] {
        let c = self.coefficients();
        core::array::from_fn(|i| {
            let c = &c[i / 2];
            if i % 2 == 0 {
                c.c0.to_limbs()
            } else {
                c.c1.to_limbs()
            }
        })
    }

    /// `self²`.
    pub fn square(&self) -> Self {
        let product = self.a * self.b;
        let a = (self.a + self.b) * (self.a + self.b.mul_s()) - product - product.mul_s();
        Self {
            a,
            b: product.double(),
        }
    }

    /// The `q⁶`-th power: `a − b·w`.
    #[inline]
    pub fn conjugate(&self) -> Self {
        Self {
            a: self.a,
            b: -self.b,
        }
    }

    /// `self/self̄ = self²/(a² − s·b²)`, for `self` other than zero. Constant time.
    pub fn over_conjugate(&self) -> Self {
        let (aa, bb) = (self.a * self.a, (self.b * self.b).mul_s());
        let ab = self.a * self.b;
        let inverse = (aa - bb).invert_with(Fq2::invert);
        Self {
            a: (aa + bb) * inverse,
            b: ab.double() * inverse,
        }
    }

    /// `1/self`, and 0 for 0. Constant time.
    pub fn invert(&self) -> Self {
        self.invert_with(Fq2::invert)
    }

    /// `1/self`, and 0 for 0, for public values.
    pub fn invert_vartime(&self) -> Self {
        self.invert_with(Fq2::invert_vartime)
    }

    fn invert_with(&self, invert: fn(&Fq2<B>) -> Fq2<B>) -> Self {
        let norm = self.a * self.a - (self.b * self.b).mul_s();
        let inverse = norm.invert_with(invert);
        Self {
            a: self.a * inverse,
            b: -(self.b * inverse),
        }
    }

    /// `self^q`.
    pub fn frobenius(&self) -> Self {
        let beta = const { beta::<B>() };
        let mut c = self.coefficients().map(|c| c.conjugate());
        for (c, power) in c[1..].iter_mut().zip(&beta) {
            *c = c.scale(power);
        }
        Self::from_coefficients(c)
    }

    /// `self^(q²)`.
    pub fn frobenius2(&self) -> Self {
        // β²ⁱ for i = 0, …, 5 is 1, β², β⁴, −1, −β², −β⁴.
        let [_, beta2, _, beta4, _] = const { beta::<B>() };
        let [c0, c1, c2, c3, c4, c5] = self.coefficients();
        Self::from_coefficients([
            c0,
            c1.scale(&beta2),
            c2.scale(&beta4),
            -c3,
            -c4.scale(&beta2),
            -c5.scale(&beta4),
        ])
    }

    /// `self^(q³)`.
    pub fn frobenius3(&self) -> Self {
        // β³ⁱ for i = 0, …, 5 is 1, β³, −1, −β³, 1, β³.
        let [_, _, beta3, _, _] = const { beta::<B>() };
        let [c0, c1, c2, c3, c4, c5] = self.coefficients().map(|c| c.conjugate());
        Self::from_coefficients([
            c0,
            c1.scale(&beta3),
            -c2,
            -c3.scale(&beta3),
            c4,
            c5.scale(&beta3),
        ])
    }

    /// `self·(l₀ + l₃w³ + l₅w⁵)`.
    pub fn mul_line(&self, line: &Line<B>) -> Self {
        let ([a0, a1, a2], [b0, b1, b2]) = (&self.a.c, &self.b.c);
        let l0 = &Factor::new(&line.l0);
        let (l1, l2) = (&Factor::new(&line.l3), &Factor::new(&line.l5));
        let (ul1, ul2) = (&l1.mul_u(), &l2.mul_u());
        Self {
            a: Fq6 {
                c: [
                    Fq2::dot([a0, b0, b1], [l0, ul2, ul1]),
                    Fq2::dot([a1, b1, b2], [l0, ul2, ul1]),
                    Fq2::dot([a2, b0, b2], [l0, l1, ul2]),
                ],
            },
            b: Fq6 {
                c: [
                    Fq2::dot([b0, a1, a2], [l0, ul2, ul1]),
                    Fq2::dot([b1, a0, a2], [l0, l1, ul2]),
                    Fq2::dot([b2, a0, a1], [l0, l2, l1]),
                ],
            },
        }
    }

    /// `self·(1 + l₃w³ + l₅w⁵)`.
    pub fn mul_scaled_line(&self, line: &ScaledLine<B>) -> Self {
        let ([a0, a1, a2], [b0, b1, b2]) = (&self.a.c, &self.b.c);
        let (l1, l2) = (&Factor::new(&line.l3), &Factor::new(&line.l5));
        let (ul1, ul2) = (&l1.mul_u(), &l2.mul_u());
        Self {
            a: Fq6 {
                c: [
                    *a0 + Fq2::dot([b0, b1], [ul2, ul1]),
                    *a1 + Fq2::dot([b1, b2], [ul2, ul1]),
                    *a2 + Fq2::dot([b0, b2], [l1, ul2]),
                ],
            },
            b: Fq6 {
                c: [
                    *b0 + Fq2::dot([a1, a2], [ul2, ul1]),
                    *b1 + Fq2::dot([a0, a2], [l1, ul2]),
                    *b2 + Fq2::dot([a0, a1], [l2, l1]),
                ],
            },
        }
    }
}

impl<B: Backend> Mul for Fq12<B> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let aa = self.a * other.a;
        let bb = self.b * other.b;
        let b = (self.a + self.b) * (other.a + other.b) - aa - bb;
        Self {
            a: aa + bb.mul_s(),
            b,
        }
    }
}

impl<B: Backend> Add for Fq12<B> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            a: self.a + other.a,
            b: self.b + other.b,
        }
    }
}

impl<B: Backend> Sub for Fq12<B> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self {
            a: self.a - other.a,
            b: self.b - other.b,
        }
    }
}

impl<B: Backend> ConstantTimeEq for Fq12<B> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.a.ct_eq(&other.a) & self.b.ct_eq(&other.b)
    }
}

impl<B: Backend> ConditionallySelectable for Fq12<B> {
    #[inline]
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            a: Fq6::conditional_select(&a.a, &b.a, choice),
            b: Fq6::conditional_select(&a.b, &b.b, choice),
        }
    }
}

impl<B: Backend> Zeroize for Fq12<B> {
    fn zeroize(&mut self) {
        self.a.zeroize();
        self.b.zeroize();
    }
}

impl<B: Backend> PartialEq for Fq12<B> {
    /// Compares in constant time. Whether they are equal must not be secret.
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        bool::from(self.ct_eq(other))
    }
}

impl<B: Backend> Eq for Fq12<B> {}
