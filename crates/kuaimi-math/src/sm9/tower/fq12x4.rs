//! `Fq12 = Fq4[w]/(w³ − v)` in the lanes of vector registers, with `Fq4 = Fq[v]/(v⁴ + 2)`, as
//! `u = v²` and `u² = −2`.
//!
//! An element is `A + Bw + Cw²`, where each of `A`, `B` and `C` is a vector of four lanes: the
//! coefficients of `1, v, v², v³`. A product in `Fq4` is four products of a number and a vector
//! (see [`Quartic`]). An operation of `Fq12` is three sums of such products, each with one
//! reduction:
//!
//! | operation | products of a number and a vector |
//! | --- | ---: |
//! | product | 36 |
//! | square: `A² + 2vBC`, `2AB + vC²`, `2AC + B²` | 24 |
//! | product with a line `l₀ + l₃w³ + l₅w⁵`, or with `c + w` of `c` in `Fq6` | 18 |
//! | product with a line `1 + l₃w³ + l₅w⁵` | 12 |
//! | cyclotomic square: `3A² − 2Ā`, `3vC² + 2B̄`, `3B² − 2C̄` | 12 |
//! | the same without `A` | 8 |
//!
//! Karatsuba's method would not help: sums must be carried before they are multiplied, which costs
//! what the products save.
//!
//! Vectors are tight and of magnitude 2: see [`lanes`](crate::arith::lanes). Constant time.

use crate::arith::lanes::{inlined_array, vectorize};
use zeroize::Zeroize;

use super::fq12::{Line, beta};
use super::fq12_operations::{Fq12Arithmetic, Fq12Operations};
use super::{Fq2, Fq6, Fq12};
use crate::arith::backend::look_up_words;
use crate::arith::lanes::quartic::{Quartic, VMultiples};
use crate::arith::lanes::wipe;
use crate::arith::u256::Limbs;
use crate::arith::{Backend, Field};
use crate::sm9::curve::{Fq, Q};

/// `A + Bw + Cw²`.
#[derive(Clone, Copy)]
pub struct Fq12x4<L: Quartic> {
    a: L::Vector,
    b: L::Vector,
    c: L::Vector,
}

/// The positions of the coefficients of `A`, `B` and `C` in
/// [`Fq12::to_limbs`](super::Fq12::to_limbs): the coefficients of `w⁰ … w⁵`, each with the constant
/// term before the coefficient of `u = w⁶`.
const POSITIONS: [[usize; 4]; 3] = [[0, 6, 1, 7], [2, 8, 3, 9], [4, 10, 5, 11]];

/// Lanes 1 and 3: the coefficients of `v` and `v³`.
const ODD: u64 = 0b1010;
/// Lanes 0 and 2.
const EVEN: u64 = 0b0101;

/// `2x`, tight, of magnitude 4.
#[inline(always)]
fn twice<L: Quartic>(x: &L::Vector) -> L::Vector {
    L::carry(&L::add(x, x))
}

/// `3s − 2y` in the lanes of `minus`, `3s + 2y` in the others, for `s` of magnitude 3, where
/// `minus_twice` is `−2y`.
#[inline(always)]
fn triple_plus_or_minus_double<L: Quartic>(
    s: &L::Vector,
    y: &L::Vector,
    minus_twice: &L::Vector,
    minus: u64,
) -> L::Vector {
    let two = L::select(L::mask(minus), minus_twice, &L::add(y, y));
    L::reduce::<Q>(&L::add(&L::add(s, s), &L::add(s, &two)))
}

/// `v^from·x²` in `Fq4`, loose, of magnitude 3.
#[inline(always)]
fn square_fq4<L: Quartic>(x: &VMultiples<'_, L>, from: usize) -> L::Vector {
    let [x0, x1, x2, x3] = inlined_array!(4, |i| (&x[0], i));
    L::dot::<Q, 4>(
        &[x0, x1, x2, x3],
        &[&x[from], &x[from + 1], &x[from + 2], &x[from + 3]],
    )
}

/// A sum of products in `Fq4`. Each term is `(factor, lanes, multiples, from)`: the sum over the
/// lanes `i` of lane `i` of the factor times `multiples[from + i]`.
macro_rules! dot {
    ($engine:ident: $(($factor:expr, [$($lane:expr),*], $multiples:expr, $from:literal)),*) => {
        $engine::dot::<Q, _>(
            &[$($(($factor, $lane)),*),*],
            &[$($(&$multiples[$from + $lane]),*),*],
        )
    };
}

impl<L: Quartic> Fq12x4<L> {
    #[inline(always)]
    fn v_multiples(&self) -> [VMultiples<'_, L>; 3] {
        [
            L::v_multiples::<Q>(&self.a),
            L::v_multiples::<Q>(&self.b),
            L::v_multiples::<Q>(&self.c),
        ]
    }

    /// The element with these coefficients, reduced.
    #[inline(always)]
    fn reduced(a: &L::Vector, b: &L::Vector, c: &L::Vector) -> Self {
        Self {
            a: L::reduce::<Q>(a),
            b: L::reduce::<Q>(b),
            c: L::reduce::<Q>(c),
        }
    }

    /// `A`, `B` and `C`, to each of which a sum of products is added. The factors of the three sums
    /// are the same.
    #[inline(always)]
    fn add_dot_products<const K: usize>(
        [a, b, c]: [&L::Vector; 3],
        factors: &[(&L::Vector, usize); K],
        [with_a, with_b, with_c]: [[&L::Vector; K]; 3],
    ) -> Self {
        Self::reduced(
            &L::add(a, &L::dot::<Q, K>(factors, &with_a)),
            &L::add(b, &L::dot::<Q, K>(factors, &with_b)),
            &L::add(c, &L::dot::<Q, K>(factors, &with_c)),
        )
    }

    /// `self·(l₀ + l₃w³ + l₅w⁵)`, where `x` is `l₀ + v·l₃`, and lanes 1 and 3 of `z` have `l₅`.
    #[inline(always)]
    fn times_sparse(&self, x: &L::Vector, z: &L::Vector) -> Self {
        let [a, b, c] = self.v_multiples();
        Self::reduced(
            &dot!(L: (x, [0, 1, 2, 3], a, 0), (z, [1, 3], b, 1)),
            &dot!(L: (x, [0, 1, 2, 3], b, 0), (z, [1, 3], c, 1)),
            &dot!(L: (x, [0, 1, 2, 3], c, 0), (z, [1, 3], a, 0)),
        )
    }

    /// `self·(l₀ + l₃w³ + l₅w⁵)`, where the lanes have `l₅` and `l₀`, and lanes 2 and 3 of `l3`
    /// have `l₃`.
    #[inline(never)]
    pub(in crate::sm9) fn times_line_vectors(&self, l5_l0: &L::Vector, l3: &L::Vector) -> Self {
        vectorize!(L, {
            let spread = [2, 2, 3, 3, 0, 0, 0, 0];
            let x = L::select(
                L::mask(EVEN),
                &L::permute(l5_l0, &spread),
                &L::permute(l3, &spread),
            );
            self.times_sparse(&x, &L::permute(l5_l0, &[0, 0, 1, 1, 0, 0, 0, 0]))
        })
    }

    #[inline(always)]
    fn load_vectors(limbs: &[Limbs; 12]) -> Self {
        let [a, b, c] = inlined_array!(3, |i| {
            L::load::<Q>(&inlined_array!(4, |lane| limbs[POSITIONS[i][lane]]))
        });
        Self { a, b, c }
    }

    /// Multiplies the coefficient of each `w^k` by `β^(step·k)`, where `β⁶ = −1`.
    #[inline(never)]
    fn scale_by_powers_of_beta<B: Backend>(&self, step: usize) -> Self {
        let powers = const { beta::<B>() };
        let power = |k: usize| {
            let exponent = step * k % 12;
            let power = match exponent % 6 {
                0 => Fq::<B>::ONE,
                i => powers[i - 1],
            };
            if exponent < 6 { power } else { -power }.to_limbs()
        };
        let factors = [0, 1, 2].map(|first| [0, 3, 6, 9].map(|k| power(first + k)));
        vectorize!(L, {
            let [a, b, c] = &factors;
            Self {
                a: L::mul::<Q>(&self.a, &L::load::<Q>(a)),
                b: L::mul::<Q>(&self.b, &L::load::<Q>(b)),
                c: L::mul::<Q>(&self.c, &L::load::<Q>(c)),
            }
        })
    }
}

impl<L: Quartic> Zeroize for Fq12x4<L> {
    fn zeroize(&mut self) {
        for vector in [&mut self.a, &mut self.b, &mut self.c] {
            wipe::<L>(core::slice::from_mut(vector));
        }
    }
}

impl<L: Quartic, B: Backend> Fq12Arithmetic<B> for Fq12x4<L> {
    #[inline(never)]
    fn times(&self, other: &Self) -> Self {
        vectorize!(L, {
            let [a, b, c] = self.v_multiples();
            let Self { a: x, b: y, c: z } = other;
            Self::reduced(
                &dot!(L: (x, [0, 1, 2, 3], a, 0), (z, [0, 1, 2, 3], b, 1), (y, [0, 1, 2, 3], c, 1)),
                &dot!(L: (x, [0, 1, 2, 3], b, 0), (y, [0, 1, 2, 3], a, 0), (z, [0, 1, 2, 3], c, 1)),
                &dot!(L: (x, [0, 1, 2, 3], c, 0), (y, [0, 1, 2, 3], b, 0), (z, [0, 1, 2, 3], a, 0)),
            )
        })
    }

    #[inline(never)]
    fn squared(&self) -> Self {
        vectorize!(L, {
            let [a, b, c] = self.v_multiples();
            let (a2, b2) = (&twice::<L>(&self.a), &twice::<L>(&self.b));
            let Self { a: x, b: y, c: z } = self;
            Self::reduced(
                &dot!(L: (x, [0, 1, 2, 3], a, 0), (b2, [0, 1, 2, 3], c, 1)),
                &dot!(L: (a2, [0, 1, 2, 3], b, 0), (z, [0, 1, 2, 3], c, 1)),
                &dot!(L: (a2, [0, 1, 2, 3], c, 0), (y, [0, 1, 2, 3], b, 0)),
            )
        })
    }

    #[inline(never)]
    fn cyclotomic_squared(&self) -> Self {
        vectorize!(L, {
            let [a, b, c] = self.v_multiples();
            Self {
                a: triple_plus_or_minus_double::<L>(&square_fq4::<L>(&a, 0), &a[0], &a[4], EVEN),
                b: triple_plus_or_minus_double::<L>(&square_fq4::<L>(&c, 1), &b[0], &b[4], ODD),
                c: triple_plus_or_minus_double::<L>(&square_fq4::<L>(&b, 0), &c[0], &c[4], EVEN),
            }
        })
    }

    fn compressed_squared(&self, count: usize) -> Self {
        #[inline(never)]
        fn square<L: Quartic>(b: &L::Vector, c: &L::Vector) -> (L::Vector, L::Vector) {
            vectorize!(L, {
                let (b, c) = (L::v_multiples::<Q>(b), L::v_multiples::<Q>(c));
                (
                    triple_plus_or_minus_double::<L>(&square_fq4::<L>(&c, 1), &b[0], &b[4], ODD),
                    triple_plus_or_minus_double::<L>(&square_fq4::<L>(&b, 0), &c[0], &c[4], EVEN),
                )
            })
        }
        let mut power = *self;
        for _ in 0..count {
            (power.b, power.c) = square::<L>(&power.b, &power.c);
        }
        power
    }

    fn decompressed(&self) -> Self {
        through_limbs::<B, _>(self, Fq12::decompress)
    }

    #[inline(never)]
    fn conjugated(&self) -> Self {
        vectorize!(L, {
            let negate =
                |lanes: u64, x: &L::Vector| L::carry(&L::negate_where::<Q, 2>(L::mask(lanes), x));
            Self {
                a: negate(ODD, &self.a),
                b: negate(EVEN, &self.b),
                c: negate(ODD, &self.c),
            }
        })
    }

    fn frobenius_power<const J: usize>(&self) -> Self {
        self.scale_by_powers_of_beta::<B>(J)
    }

    fn over_conjugate(&self) -> Self {
        let norm = Fq12Arithmetic::<B>::times(self, &Fq12Arithmetic::<B>::conjugated(self));
        let inverse = through_limbs::<B, _>(&norm, |norm| Fq12 {
            a: norm.a.invert_with(Fq2::invert),
            b: Fq6::ZERO,
        });
        let square = Fq12Arithmetic::<B>::squared(self);
        Fq12Arithmetic::<B>::times(&square, &inverse)
    }
}

impl<L: Quartic, B: Backend> Fq12Operations<B> for Fq12x4<L> {
    #[inline(never)]
    fn from_limbs(limbs: &[Limbs; 12]) -> Self {
        vectorize!(L, Self::load_vectors(limbs))
    }

    #[inline(never)]
    fn to_limbs(&self) -> [Limbs; 12] {
        let mut limbs = [[0; 4]; 12];
        vectorize!(L, {
            for (vector, positions) in [&self.a, &self.b, &self.c].into_iter().zip(POSITIONS) {
                let mut lanes = [[0; 4]; 4];
                L::store::<Q>(vector, &mut lanes);
                for (lane, position) in lanes.into_iter().zip(positions) {
                    limbs[position] = lane;
                }
            }
        });
        limbs
    }

    #[inline(never)]
    fn times_line(&self, line: &Line<B>) -> Self {
        let [l0, l3, l5] = [&line.l0, &line.l3, &line.l5].map(coordinates);
        vectorize!(L, {
            let x = L::load::<Q>(&[l0[0], l3[0], l0[1], l3[1]]);
            // The coefficients of v·w² and v³·w².
            let z = L::load::<Q>(&[[0; 4], l5[0], [0; 4], l5[1]]);
            self.times_sparse(&x, &z)
        })
    }

    #[inline(never)]
    fn times_precomputed_line(
        &self,
        [c3, c5]: &[[u64; 8]; 2],
        one_over_y: &Fq<B>,
        x_over_y: &Fq<B>,
    ) -> Self {
        let [c3, c5] = [c3, c5].map(|c| coordinates(&Fq2::<B>::from_limbs(*c)));
        let (scale3, scale5) = (one_over_y.to_limbs(), x_over_y.to_limbs());
        vectorize!(L, {
            let [a, b, c] = self.v_multiples();
            let scale = L::load::<Q>(&[scale5, scale3, scale5, scale3]);
            // l₃w³ = v·(l₃₀ + l₃₁v²) in lanes 1 and 3; l₅w⁵ = v·(l₅₀ + l₅₁v²)·w² in lanes 0 and 2.
            let l = &L::mul::<Q>(&L::load::<Q>(&[c5[0], c3[0], c5[1], c3[1]]), &scale);
            Self::add_dot_products(
                [&self.a, &self.b, &self.c],
                &[(l, 1), (l, 3), (l, 0), (l, 2)],
                [
                    [&a[1], &a[3], &b[2], &b[4]],
                    [&b[1], &b[3], &c[2], &c[4]],
                    [&c[1], &c[3], &a[1], &a[3]],
                ],
            )
        })
    }

    #[inline(never)]
    fn look_up<const WORDS: usize>(table: &[[u64; WORDS]], index: u32) -> [u64; WORDS] {
        vectorize!(L, look_up_words(table, index))
    }

    #[inline(never)]
    fn times_numerator(&self, c: &Fq6<B>) -> Self {
        let [c0, c2, c4] = [&c.c[0], &c.c[1], &c.c[2]].map(coordinates);
        vectorize!(L, {
            let [a, b, c] = self.v_multiples();
            // c₀ + c₂w² + c₄w⁴ + w has coefficients of 1 and v² in A and in C, and of v and v³ in
            // B.
            let x = &L::load::<Q>(&[c0[0], c2[0], c0[1], c2[1]]);
            let y = &L::load::<Q>(&[[0; 4], c4[0], [0; 4], c4[1]]);
            Self::add_dot_products(
                [&c[1], &self.a, &self.b],
                &[(x, 0), (x, 2), (y, 1), (y, 3), (x, 1), (x, 3)],
                [
                    [&a[0], &a[2], &c[2], &c[4], &b[1], &b[3]],
                    [&b[0], &b[2], &a[1], &a[3], &c[1], &c[3]],
                    [&c[0], &c[2], &b[1], &b[3], &a[0], &a[2]],
                ],
            )
        })
    }
}

/// What one coefficient after another computes.
fn through_limbs<B: Backend, F: Fq12Operations<B>>(
    f: &F,
    compute: impl FnOnce(&Fq12<B>) -> Fq12<B>,
) -> F {
    F::from_limbs(&compute(&Fq12::from_limbs(&f.to_limbs())).to_limbs())
}

/// The limbs of the constant term and of the coefficient of `u`.
#[inline(always)]
fn coordinates<B: Backend>(a: &Fq2<B>) -> [Limbs; 2] {
    [a.c0.to_limbs(), a.c1.to_limbs()]
}
