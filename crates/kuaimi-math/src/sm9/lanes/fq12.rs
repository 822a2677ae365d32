//! `Fq12 = Fq6[w]/(w² − s)`, an element in each lane.
//!
//! | operation | products in `Fq` | reductions |
//! | --- | ---: | ---: |
//! | product: Karatsuba over `Fq6` | 54 | 18 |
//! | square: `(A + B)(A + sB) − AB − sAB + 2ABw` | 36 | 12 |
//! | product with `l₀ + l₃w³ + l₅w⁵` | 48 | 12 |
//! | product with `1 + l₃w³ + l₅w⁵` | 30 | 12 |
//! | product with `c + w` | 36 | 12 |
//! | product of `c + w` and `d + w` | 18 | 12 |
//! | cyclotomic square | 21 | 12 |
//! | the same without the coefficients of 1 and `w³` | 14 | 8 |
//!
//! A product is 50 fused multiplications, a reduction with what follows it 60. Lanes that compute
//! one element together (see [`Fq12x4`](crate::sm9::tower::Fq12x4)) need 1800 of half the width for
//! a product; these 3780 of the whole width are for eight.
//!
//! The functions write their result into a place that the caller gives: an element is sixty
//! registers, and each copy takes as long as two products in `Fq`. So a caller that repeats a
//! function alternates between two places.

use zeroize::Zeroize;

use super::fq2::{self, Fq2s, Wide2, inlined_product, product, square};
use super::fq6::{self, Fq6s, mul, mul_add, plus, sparse_coefficient, sparse_products};
use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{MAX_LANES, inlined_array, vectorize};
use crate::arith::{Backend, Fe, Field, Modulus};
use crate::curve::lanes::inverses::invert;
use crate::sm9::curve::{Fq, Q};
use crate::sm9::group::Gt;
use crate::sm9::tower::Fq12Arithmetic;
use crate::sm9::tower::fq12::beta;

/// `a + b·w` in each lane; all numbers have magnitude 2.
#[derive(Clone, Copy)]
pub(super) struct Fq12s<L: Wide> {
    /// The coefficients of `1, w², w⁴`.
    pub(super) a: Fq6s<L>,
    /// Those of `w, w³, w⁵`.
    pub(super) b: Fq6s<L>,
}

/// `l₃w³ + l₅w⁵ = (l₃s + l₅s²)w`, of a line in each lane.
pub(super) type Slopes<L> = fq6::Sparse<L>;

impl<L: Wide> Fq12s<L> {
    /// One element a lane.
    #[cfg(test)]
    pub(super) fn load(elements: &[Gt; MAX_LANES]) -> Self {
        let coefficient = |i: usize| {
            elements.map(|element| {
                let mut limbs = [0; 8];
                limbs.copy_from_slice(element[2 * i..2 * i + 2].as_flattened());
                limbs
            })
        };
        let [c0, c1, c2, c3, c4, c5] = core::array::from_fn(coefficient);
        vectorize!(L, {
            Self {
                a: [Fq2s::load(&c0), Fq2s::load(&c2), Fq2s::load(&c4)],
                b: [Fq2s::load(&c1), Fq2s::load(&c3), Fq2s::load(&c5)],
            }
        })
    }

    /// The element of each lane.
    #[inline(never)]
    pub(super) fn store(&self) -> [Gt; MAX_LANES] {
        let mut coefficients = [[[0; 8]; MAX_LANES]; 6];
        vectorize!(L, {
            for i in 0..3 {
                coefficients[2 * i] = self.a[i].store();
                coefficients[2 * i + 1] = self.b[i].store();
            }
        });
        let mut elements = [[[0; 4]; 12]; MAX_LANES];
        for (i, lanes) in coefficients.iter().enumerate() {
            for (element, limbs) in elements.iter_mut().zip(lanes) {
                element[2 * i..2 * i + 2]
                    .as_flattened_mut()
                    .copy_from_slice(limbs);
            }
        }
        elements
    }

    /// 1 in all lanes.
    #[inline(never)]
    pub(super) fn one<B: Backend>() -> Self {
        let (zero, one) = ([0; 4], Fq::<B>::ONE.to_limbs());
        vectorize!(L, {
            let (zero, one) = (Fq2s::constant(&zero), Fq2s::constant(&one));
            Self {
                a: [one, zero, zero],
                b: [zero; 3],
            }
        })
    }

    /// `out = self·(l₀ + l₃w³ + l₅w⁵)`, or with 1 for `l₀`, where that is not given.
    #[inline(never)]
    pub(super) fn times_line(&self, l0: Option<&Fq2s<L>>, slopes: &Slopes<L>, out: &mut Self) {
        vectorize!(L, {
            let Self { a, b } = self;
            let p = sparse_products(a, slopes);
            sparse_coefficient::<L, 0>(&mut out.b[0], &p, a, slopes, &b[0], l0);
            sparse_coefficient::<L, 1>(&mut out.b[1], &p, a, slopes, &b[1], l0);
            sparse_coefficient::<L, 2>(&mut out.b[2], &p, a, slopes, &b[2], l0);
            // b·w·w = s·b
            let p = sparse_products(b, slopes);
            sparse_coefficient::<L, 3>(&mut out.a[0], &p, b, slopes, &a[0], l0);
            sparse_coefficient::<L, 0>(&mut out.a[1], &p, b, slopes, &a[1], l0);
            sparse_coefficient::<L, 1>(&mut out.a[2], &p, b, slopes, &a[2], l0);
        });
    }

    /// `out = self·(c + w)`.
    #[inline(never)]
    pub(super) fn times_numerator(&self, c: &Fq6s<L>, out: &mut Self) {
        vectorize!(L, {
            let Self { a, b } = self;
            mul_add(&mut out.a, a, c, [&b[2].mul_u(), &b[0], &b[1]]);
            mul_add(&mut out.b, b, c, [&a[0], &a[1], &a[2]]);
        });
    }

    /// `out = self·other`.
    #[inline(never)]
    fn times_into(&self, other: &Self, out: &mut Self) {
        vectorize!(L, {
            let (aa, bb) = (mul(&self.a, &other.a), mul(&self.b, &other.b));
            let minus = inlined_array!(3, |i| aa[i].minus_sum(&bb[i]));
            let (a, b) = (plus(&self.a, &self.b), plus(&other.a, &other.b));
            mul_add(&mut out.b, &a, &b, [&minus[0], &minus[1], &minus[2]]);
            out.a[0] = aa[0].add(&bb[2].mul_u());
            out.a[1] = aa[1].add(&bb[0]);
            out.a[2] = aa[2].add(&bb[1]);
        });
    }

    /// `out = self²`.
    #[inline(never)]
    pub(super) fn square_into(&self, out: &mut Self) {
        vectorize!(L, {
            let Self { a, b } = self;
            let ab = mul(a, b);
            let minus = [
                ab[0].minus_sum(&ab[2].mul_u()),
                ab[1].minus_sum(&ab[0]),
                ab[2].minus_sum(&ab[1]),
            ];
            let sb = [a[0].plus(&b[2].mul_u()), a[1].plus(&b[0]), a[2].plus(&b[1])];
            mul_add(
                &mut out.a,
                &plus(a, b),
                &sb,
                [&minus[0], &minus[1], &minus[2]],
            );
            for (out, ab) in out.b.iter_mut().zip(&ab) {
                *out = ab.add(ab);
            }
        });
    }

    /// `out = self²` of an element of the cyclotomic subgroup.
    #[inline(never)]
    fn cyclotomic_square_into(&self, out: &mut Self) {
        let [c0, _, _, c3, _, _] = self.coefficients();
        first_of_square(&mut out.a[0], [c0, c3], c0);
        second_of_square::<L, false>(&mut out.b[1], [c0, c3], c3);
        self.compressed_square_into(out);
    }

    /// The same without the coefficients of `1` and `w³`.
    #[inline(always)]
    fn compressed_square_into(&self, out: &mut Self) {
        let [_, c1, c2, _, c4, c5] = self.coefficients();
        first_of_square(&mut out.a[1], [c1, c4], c2);
        second_of_square::<L, false>(&mut out.b[2], [c1, c4], c5);
        first_of_square(&mut out.a[2], [c2, c5], c4);
        second_of_square::<L, true>(&mut out.b[0], [c2, c5], c1);
    }

    /// The coefficients of `1, w, …, w⁵`.
    #[inline(always)]
    fn coefficients(&self) -> [&Fq2s<L>; 6] {
        let ([c0, c2, c4], [c1, c3, c5]) = (&self.a, &self.b);
        [c0, c1, c2, c3, c4, c5]
    }

    #[inline(always)]
    fn from_coefficients([c0, c1, c2, c3, c4, c5]: [Fq2s<L>; 6]) -> Self {
        Self {
            a: [c0, c2, c4],
            b: [c1, c3, c5],
        }
    }
}

/// `(c + w)(d + w) = (cd + s) + (c + d)w`: one product in `Fq6`.
#[inline(never)]
pub(super) fn product_of_numerators<L: Wide>(c: &Fq6s<L>, d: &Fq6s<L>) -> Fq12s<L> {
    vectorize!(L, {
        let (zero, one) = (Fq2s::zero(), Fq2s::constant(&<Q as Modulus>::R));
        let sum = inlined_array!(3, |i| c[i].add(&d[i]));
        let mut product = Fq12s { a: sum, b: sum };
        mul_add(&mut product.a, c, d, [&zero, &one, &zero]);
        product
    })
}

/// `(a₀ + a₁v)²` in `Fq4`, loose: at most 28 and 36, at least −16 and 0, in the first, and at most
/// 8 and 16, at least −16 and 0, in the second.
#[inline(always)]
fn square_fq4<L: Wide>(a0: &Fq2s<L>, a1: &Fq2s<L>) -> (Wide2<L>, Wide2<L>) {
    (square(a0).plus_u(&square(a1)), product(a0, a1).double())
}

/// The result of the steps one after another, each of which reads one place and writes the other.
#[inline(always)]
pub(super) fn repeated<T: Copy, I>(
    first: &T,
    steps: impl Iterator<Item = I>,
    step: impl Fn(I, &T, &mut T),
) -> T {
    let (mut last, mut next) = (*first, *first);
    let (mut last, mut next) = (&mut last, &mut next);
    for i in steps {
        step(i, last, next);
        core::mem::swap(&mut last, &mut next);
    }
    *last
}

/// `out = 3s − 2z`, for the first coefficient `s` of `(x + yv)²`.
#[inline(never)]
fn first_of_square<L: Wide>(out: &mut Fq2s<L>, [x, y]: [&Fq2s<L>; 2], z: &Fq2s<L>) {
    vectorize!(L, {
        let s = fq2::square_plus_u_square(x, y);
        *out = Fq2s {
            c0: L::reduce::<Q>(&L::sub::<Q, 4>(&triple::<L>(&s.c0), &L::add(&z.c0, &z.c0))),
            c1: L::reduce::<Q>(&L::sub::<Q, 4>(&triple::<L>(&s.c1), &L::add(&z.c1, &z.c1))),
        };
    });
}

/// `out = 3s + 2z`, for the second coefficient `s` of `(x + yv)²`, or `u` times it if `U` is set.
#[inline(never)]
fn second_of_square<L: Wide, const U: bool>(out: &mut Fq2s<L>, [x, y]: [&Fq2s<L>; 2], z: &Fq2s<L>) {
    vectorize!(L, {
        let s = inlined_product(x, y).double();
        *out = if U {
            triple_plus_double::<L, 2, 1>(&s.times_u(), z)
        } else {
            triple_plus_double::<L, 1, 0>(&s, z)
        };
    });
}

/// `3s + 2y`, for the reduction of `s`, of magnitude at most 4.
#[inline(always)]
fn triple_plus_double<L: Wide, const K0: u64, const K1: u64>(s: &Wide2<L>, y: &Fq2s<L>) -> Fq2s<L> {
    let s = s.loose::<K0, K1>();
    Fq2s {
        c0: L::reduce::<Q>(&L::add(&triple::<L>(&s.c0), &L::add(&y.c0, &y.c0))),
        c1: L::reduce::<Q>(&L::add(&triple::<L>(&s.c1), &L::add(&y.c1, &y.c1))),
    }
}

#[inline(always)]
fn triple<L: Wide>(s: &L::Vector) -> L::Vector {
    L::add(&L::add(s, s), s)
}

impl<L: Wide, B: Backend> Fq12Arithmetic<B> for Fq12s<L> {
    fn times(&self, other: &Self) -> Self {
        let mut product = *self;
        self.times_into(other, &mut product);
        product
    }

    fn squared(&self) -> Self {
        let mut square = *self;
        self.square_into(&mut square);
        square
    }

    fn cyclotomic_squared(&self) -> Self {
        let mut square = *self;
        self.cyclotomic_square_into(&mut square);
        square
    }

    fn compressed_squared(&self, count: usize) -> Self {
        repeated(self, 0..count, |_, a, out| a.compressed_square_into(out))
    }

    fn few_cyclotomic_squares(&self, count: usize) -> Self {
        repeated(self, 0..count, |_, a, out| a.cyclotomic_square_into(out))
    }

    /// The formulas are those of [`Fq12::decompress`](crate::sm9::tower::Fq12::decompress).
    #[inline(never)]
    fn decompressed(&self) -> Self {
        let one = Self::one::<B>().a;
        let (numerator, denominator, mut norm) = vectorize!(L, {
            let [_, c1, c2, _, c4, c5] = self.coefficients();
            let (b0, b1) = square_fq4(c1, c4);
            let (d0, d1) = square_fq4(c2, c5);
            let no_b = L::bits(is_zero(c1)) & L::bits(is_zero(c4));
            let no_c = L::bits(is_zero(c2)) & L::bits(is_zero(c5));
            let masks = (L::mask(no_b), L::mask(no_c));
            let numerator = [
                select(
                    masks,
                    [
                        &d1.times_u().reduced_with::<2, 1>(c1),
                        &b0.reduced::<1, 0>().sub(c2),
                        &one[0],
                    ],
                ),
                select(
                    masks,
                    [
                        &d0.reduced::<1, 0>().sub(c4),
                        &b1.reduced_with::<1, 0>(c5),
                        &one[1],
                    ],
                ),
            ];
            let x = select(masks, [c1, c2, &one[0]]);
            let y = select(masks, [c4, c5, &one[1]]);
            // 1/(x + yv) = (x − yv)/(x² − uy²).
            let norm = square(&x).reduced::<0, 0>();
            let norm = norm.sub(&square(&y).reduced::<0, 0>().mul_u());
            (numerator, [x, y.neg()], norm)
        });
        invert_fq2::<L, B>(&mut norm);
        vectorize!(L, {
            let x = denominator[0].mul(&norm);
            let y = denominator[1].mul(&norm);
            let [n0, n1] = &numerator;
            let [_, c1, c2, _, c4, c5] = self.coefficients();
            let c0 = product(n0, &x).plus_u(&product(n1, &y)).reduced::<2, 1>();
            let c3 = product(n0, &y).plus(&product(n1, &x)).reduced::<2, 1>();
            Self::from_coefficients([c0, *c1, *c2, c3, *c4, *c5])
        })
    }

    #[inline(never)]
    fn conjugated(&self) -> Self {
        vectorize!(L, {
            Self {
                a: self.a,
                b: inlined_array!(3, |i| self.b[i].neg()),
            }
        })
    }

    #[inline(never)]
    fn frobenius_power<const J: usize>(&self) -> Self {
        let powers = const { beta::<B>() };
        let power = |k: usize| {
            let exponent = J * k % 12;
            let power = match exponent % 6 {
                0 => Fq::<B>::ONE,
                i => powers[i - 1],
            };
            if exponent < 6 { power } else { -power }.to_limbs()
        };
        let powers: [_; 6] = core::array::from_fn(power);
        vectorize!(L, {
            let [c0, c1, c2, c3, c4, c5] = self.coefficients();
            let mut c = [*c0, *c1, *c2, *c3, *c4, *c5];
            for (c, power) in c.iter_mut().zip(&powers) {
                if J % 2 == 1 {
                    *c = c.conjugate();
                }
                *c = c.scale(&L::splat::<Q>(power));
            }
            Self::from_coefficients(c)
        })
    }

    /// The formulas are those of [`Fq12::over_conjugate`](crate::sm9::tower::Fq12::over_conjugate).
    #[inline(never)]
    fn over_conjugate(&self) -> Self {
        let (sum, t, mut norm) = vectorize!(L, {
            let Self { a, b } = self;
            let (aa, [b0, b1, b2]) = (mul(a, a), mul(b, b));
            let bb = [b2.mul_u(), b0, b1];
            let [n0, n1, n2] = inlined_array!(3, |i| aa[i].sub(&bb[i]));
            let t0 = n0.square().sub(&n1.mul(&n2).mul_u());
            let t1 = n2.square().mul_u().sub(&n0.mul(&n1));
            let t2 = n1.square().sub(&n0.mul(&n2));
            let rest = product(&n2, &t1).plus(&product(&n1, &t2));
            let norm = product(&n0, &t0).plus_u(&rest).reduced::<3, 1>();
            let sum: Fq6s<L> = inlined_array!(3, |i| aa[i].add(&bb[i]));
            (sum, [t0, t1, t2], norm)
        });
        invert_fq2::<L, B>(&mut norm);
        vectorize!(L, {
            let inverse: Fq6s<L> = inlined_array!(3, |i| t[i].mul(&norm));
            let ab = mul(&self.a, &self.b);
            Self {
                a: mul(&sum, &inverse),
                b: mul(&inlined_array!(3, |i| ab[i].add(&ab[i])), &inverse),
            }
        })
    }
}

/// The first where the first mask is not set; else the second where the second mask is not set;
/// else the third.
#[inline(always)]
fn select<L: Wide>(
    (no_first, no_second): (L::Mask, L::Mask),
    [first, second, third]: [&Fq2s<L>; 3],
) -> Fq2s<L> {
    let rest = Fq2s::select(no_second, third, second);
    Fq2s::select(no_first, &rest, first)
}

#[inline(always)]
fn is_zero<L: Wide>(a: &Fq2s<L>) -> L::Mask {
    let zero = L::bits(L::is_zero::<Q>(&a.c0)) & L::bits(L::is_zero::<Q>(&a.c1));
    L::mask(zero)
}

/// `1/a` in each lane, for `a` other than zero. Constant time.
pub(super) fn invert_fq2<L: Wide, B: Backend>(a: &mut Fq2s<L>) {
    let mut norm = vectorize!(L, {
        // c0² + 2·c1²
        let twice = L::carry(&L::add(&a.c1, &a.c1));
        [L::mul_add::<Q>(&a.c0, &a.c0, &twice, &a.c1)]
    });
    invert::<L, Q, B>(&mut norm, Fe::invert);
    *a = vectorize!(L, a.conjugate().scale(&norm[0]));
    crate::arith::lanes::wipe::<L>(&mut norm);
}

impl<L: Wide> Zeroize for Fq12s<L> {
    fn zeroize(&mut self) {
        self.a.iter_mut().zeroize();
        self.b.iter_mut().zeroize();
    }
}
