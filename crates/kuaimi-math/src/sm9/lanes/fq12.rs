//! `Fq12 = Fq6[w]/(w² − s)`, an element in each lane.
//!
//! | operation | products in `Fq` | reductions |
//! | --- | ---: | ---: |
//! | product: Karatsuba over `Fq6` | 54 | 12 |
//! | square: `(A + B)(A + sB) − AB − sAB + 2ABw` | 36 | 12 |
//! | product with `l₀ + l₃w³ + l₅w⁵` | 48 | 12 |
//! | product with `1 + l₃w³ + l₅w⁵` | 30 | 12 |
//! | product with `c + w` | 36 | 12 |
//! | cyclotomic square | 21 | 12 |
//! | the same without the coefficients of 1 and `w³` | 14 | 8 |
//!
//! A product is 50 fused multiplications, a reduction with what follows it 60. Lanes that compute one element together (see
//! [`Fq12x4`](crate::sm9::tower::Fq12x4)) need 1800 of half the width for a product; these 3420 of the whole width are for eight.

use zeroize::Zeroize;

use super::fq2::{Fq2s, Wide2, product, square};
use super::fq6::{Fq6s, minus_s, mul, mul_add, mul_sparse, plus, plus_s, product as product6};
use crate::arith::lanes::wide::Wide;
use crate::arith::lanes::{MAX_LANES, inlined_array, vectorize};
use crate::arith::{Backend, Fe, Field};
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

/// `l₃` and `l₅` of a line in each lane, and their sum.
#[derive(Clone, Copy)]
pub(super) struct Slopes<L: Wide> {
    l3: Fq2s<L>,
    l5: Fq2s<L>,
    both: Fq2s<L>,
}

impl<L: Wide> Slopes<L> {
    #[inline(always)]
    pub(super) fn new(l3: &Fq2s<L>, l5: &Fq2s<L>) -> Self {
        let both = l3.plus(l5);
        Self {
            l3: *l3,
            l5: *l5,
            both,
        }
    }

    #[inline(always)]
    fn times(&self, a: &Fq6s<L>) -> [Wide2<L>; 3] {
        mul_sparse(a, [&self.l3, &self.l5, &self.both])
    }
}

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

    /// `c + w`.
    #[inline(always)]
    pub(super) fn numerator<B: Backend>(c: &Fq6s<L>) -> Self {
        let Self { a, b: zero } = Self::one::<B>();
        Self {
            a: *c,
            b: [a[0], zero[0], zero[0]],
        }
    }

    /// `self·(1 + l₃w³ + l₅w⁵)`.
    #[inline(never)]
    pub(super) fn times_scaled_line(&self, slopes: &Slopes<L>) -> Self {
        vectorize!(L, {
            let Self { a, b } = self;
            let (x, y) = (slopes.times(a), slopes.times(b));
            Self {
                a: [
                    y[2].times_u().reduced_with::<2, 1>(&a[0]),
                    y[0].reduced_with::<2, 1>(&a[1]),
                    y[1].reduced_with::<2, 1>(&a[2]),
                ],
                b: inlined_array!(3, |i| x[i].reduced_with::<2, 1>(&b[i])),
            }
        })
    }

    /// `self·(l₀ + l₃w³ + l₅w⁵)`.
    #[inline(never)]
    pub(super) fn times_line(&self, l0: &Fq2s<L>, slopes: &Slopes<L>) -> Self {
        vectorize!(L, {
            let Self { a, b } = self;
            let (x, y) = (slopes.times(a), slopes.times(b));
            Self {
                a: [
                    product(&a[0], l0).plus_u(&y[2]).reduced::<3, 1>(),
                    product(&a[1], l0).plus(&y[0]).reduced::<3, 1>(),
                    product(&a[2], l0).plus(&y[1]).reduced::<3, 1>(),
                ],
                b: inlined_array!(3, |i| product(&b[i], l0).plus(&x[i]).reduced::<3, 1>()),
            }
        })
    }

    /// `self·(c + w)`.
    #[inline(never)]
    pub(super) fn times_numerator(&self, c: &Fq6s<L>) -> Self {
        vectorize!(L, {
            let Self { a, b } = self;
            let sb = [b[2].mul_u(), b[0], b[1]];
            Self {
                a: mul_add(a, c, &sb),
                b: mul_add(b, c, a),
            }
        })
    }

    /// The coefficients of `1, w, …, w⁵`.
    #[inline(always)]
    fn coefficients(&self) -> [Fq2s<L>; 6] {
        let ([c0, c2, c4], [c1, c3, c5]) = (self.a, self.b);
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

/// `(a₀ + a₁v)²` in `Fq4`, loose: at most 28 and 36, at least −16 and 0, in the first, and at most 8 and 16, at least −16 and 0, in the
/// second.
#[inline(always)]
fn square_fq4<L: Wide>(a0: &Fq2s<L>, a1: &Fq2s<L>) -> (Wide2<L>, Wide2<L>) {
    (square(a0).plus_u(&square(a1)), product(a0, a1).double())
}

/// `3s − 2y`, for the reduction of `s`, of magnitude at most 4.
#[inline(always)]
fn triple_minus_double<L: Wide>(s: &Wide2<L>, y: &Fq2s<L>) -> Fq2s<L> {
    let s = s.loose::<1, 0>();
    Fq2s {
        c0: L::reduce::<Q>(&L::sub::<Q, 4>(&triple::<L>(&s.c0), &L::add(&y.c0, &y.c0))),
        c1: L::reduce::<Q>(&L::sub::<Q, 4>(&triple::<L>(&s.c1), &L::add(&y.c1, &y.c1))),
    }
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
    #[inline(never)]
    fn times(&self, other: &Self) -> Self {
        vectorize!(L, {
            let (aa, bb) = (product6(&self.a, &other.a), product6(&self.b, &other.b));
            let both = product6(&plus(&self.a, &self.b), &plus(&other.a, &other.b));
            Self {
                a: plus_s(&aa, &bb),
                b: inlined_array!(3, |i| both[i].minus(&aa[i]).minus(&bb[i]).reduced::<6, 3>()),
            }
        })
    }

    #[inline(never)]
    fn squared(&self) -> Self {
        vectorize!(L, {
            let Self { a, b } = self;
            let ab = product6(a, b);
            // The first number of this operand has a multiple of m in addition, at most 5m, so that it is not negative.
            let shifted = [a[0].plus(&b[2].mul_u()), a[1].plus(&b[0]), a[2].plus(&b[1])];
            let both = product6(&plus(a, b), &shifted);
            let rest: [Wide2<L>; 3] = inlined_array!(3, |i| both[i].minus(&ab[i]));
            Self {
                a: minus_s(&rest, &ab),
                b: inlined_array!(3, |i| ab[i].double().reduced::<6, 3>()),
            }
        })
    }

    #[inline(never)]
    fn cyclotomic_squared(&self) -> Self {
        vectorize!(L, {
            let [c0, c1, c2, c3, c4, c5] = self.coefficients();
            let (a0, a1) = square_fq4(&c0, &c3);
            let (b0, b1) = square_fq4(&c1, &c4);
            let (d0, d1) = square_fq4(&c2, &c5);
            Self::from_coefficients([
                triple_minus_double(&a0, &c0),
                triple_plus_double::<L, 2, 1>(&d1.times_u(), &c1),
                triple_minus_double(&b0, &c2),
                triple_plus_double::<L, 1, 0>(&a1, &c3),
                triple_minus_double(&d0, &c4),
                triple_plus_double::<L, 1, 0>(&b1, &c5),
            ])
        })
    }

    fn compressed_squared(&self, count: usize) -> Self {
        #[inline(never)]
        fn square<L: Wide>(c: &mut [Fq2s<L>; 6]) {
            vectorize!(L, {
                let [_, c1, c2, _, c4, c5] = *c;
                let (b0, b1) = square_fq4(&c1, &c4);
                let (d0, d1) = square_fq4(&c2, &c5);
                c[1] = triple_plus_double::<L, 2, 1>(&d1.times_u(), &c1);
                c[4] = triple_minus_double(&d0, &c4);
                c[2] = triple_minus_double(&b0, &c2);
                c[5] = triple_plus_double::<L, 1, 0>(&b1, &c5);
            });
        }
        let mut coefficients = self.coefficients();
        for _ in 0..count {
            square(&mut coefficients);
        }
        Self::from_coefficients(coefficients)
    }

    /// The formulas are those of [`Fq12::decompress`](crate::sm9::tower::Fq12::decompress).
    #[inline(never)]
    fn decompressed(&self) -> Self {
        let one = Self::one::<B>().a;
        let (numerator, denominator, mut norm) = vectorize!(L, {
            let [_, c1, c2, _, c4, c5] = self.coefficients();
            let (b0, b1) = square_fq4(&c1, &c4);
            let (d0, d1) = square_fq4(&c2, &c5);
            let no_b = L::bits(is_zero(&c1)) & L::bits(is_zero(&c4));
            let no_c = L::bits(is_zero(&c2)) & L::bits(is_zero(&c5));
            let masks = (L::mask(no_b), L::mask(no_c));
            let numerator = [
                select(
                    masks,
                    [
                        &d1.times_u().reduced_with::<2, 1>(&c1),
                        &b0.reduced::<1, 0>().sub(&c2),
                        &one[0],
                    ],
                ),
                select(
                    masks,
                    [
                        &d0.reduced::<1, 0>().sub(&c4),
                        &b1.reduced_with::<1, 0>(&c5),
                        &one[1],
                    ],
                ),
            ];
            let x = select(masks, [&c1, &c2, &one[0]]);
            let y = select(masks, [&c4, &c5, &one[1]]);
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
            Self::from_coefficients([c0, c1, c2, c3, c4, c5])
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
            let mut c = self.coefficients();
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

/// The first where the first mask is not set; else the second where the second mask is not set; else the third.
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
