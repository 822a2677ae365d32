//! The walk of `T` in Miller's loop in four lanes.
//!
//! A vector is a pair of elements of `Fq2`, `[a | b]`: lanes 0 and 1 have `a`, lanes 2 and 3 have
//! `b`, the constant term first. The product of two pairs is `[a | b]·[c | d] = [ac | bd]`: two
//! products in each lane, with one reduction, as
//! `(a₀ + a₁u)(c₀ + c₁u) = a₀c₀ + (−2a₁)c₁ + (a₀c₁ + a₁c₀)u`.
//!
//! The formulas are those of [`steps`](super::steps), where a doubling multiplies the coordinates
//! of the result by 4, so that nothing is halved:
//!
//! | step | products of pairs | products of vectors |
//! | --- | --- | --- |
//! | doubling | `[X \| Y]·[Y \| Y]`, `[Z \| Y]·[Z \| Z]`; `[XY \| B + F]·[2(B − F) \| B + F]`, `[4E \| 8YZ]·[F \| B]`, `[X \| 8YZ]·[−3xP·X \| u·yP/4]` | `−3xP·X`, the multiples of `E` and `YZ` (2) |
//! | addition of `(x, y)` | `[x \| y]·[Z \| Z]`; `[λ \| θ]²`, `[x \| y]·[θ \| λ]`; `[λ \| X]·[D \| D]`, `[Z \| Z]·[D \| θ²]`; `[λ \| θ]·[H \| G − H]`, `[Y \| Z]·[E \| E]` | `l₀` and `l₅` |
//!
//! Both end with `[X | Y + v]` and `[v | Z]`. Vectors that are kept are tight and of magnitude 2:
//! see [`lanes`](crate::arith::lanes). Constant time.

use zeroize::Zeroize;

use super::steps::{Step, frobenius, minus_frobenius2};
use super::walk::Walk;
use crate::arith::lanes::quartic::Quartic;
use crate::arith::lanes::{MAX_LANES, inlined_array, vectorize, wipe};
use crate::arith::modulus::montgomery_form;
use crate::arith::{Backend, Fe, Field, U256};
use crate::curve::Affine;
use crate::sm9::curve::{Fq, Q, Sm9G1, Sm9G2};
use crate::sm9::tower::{Fq2, Fq12x4};

const fn number<B: Backend>(n: u64) -> Fq<B> {
    Fe::from_montgomery(montgomery_form::<Q>(&U256([n, 0, 0, 0])))
}

/// The lanes of the first element of a pair.
const FIRST: u64 = 0b0011;

/// Where the lanes of a rearranged vector come from.
const fn lanes(from: [u64; 4]) -> [u64; MAX_LANES] {
    let [a, b, c, d] = from;
    [a, b, c, d, 0, 0, 0, 0]
}

/// `[a | a]` of `[a | b]`.
const FIRST_TWICE: [u64; MAX_LANES] = lanes([0, 1, 0, 1]);
/// `[b | b]`.
const SECOND_TWICE: [u64; MAX_LANES] = lanes([2, 3, 2, 3]);
/// `[b | a]`.
const EXCHANGED: [u64; MAX_LANES] = lanes([2, 3, 0, 1]);
/// The coefficients of each element exchanged.
const CROSSED: [u64; MAX_LANES] = lanes([1, 0, 3, 2]);

/// The point `T`, and what its steps need of `P` and `Q`. Wiped on drop.
pub struct State<L: Quartic> {
    /// `[X | Y]`.
    xy: L::Vector,
    /// `[Z | Z]`.
    z: L::Vector,
    /// `Q`, `−Q`, `π(Q)` and `−π²(Q)`, each as `[x | y]`.
    summands: [L::Vector; 4],
    /// `−3xP` in the first two lanes.
    tangent_x: L::Vector,
    /// `[· | u·yP/4]`.
    tangent_y: L::Vector,
    /// `−xP, −xP, −2yP, yP`: the factors of `θ₀, θ₁, λ₁, λ₀` in `[l₅ | l₀]`.
    chord: L::Vector,
    /// `180, −90, −90, 45`: with `C₁, C₀, C₁, C₀` the products `[−6E | 3E]`, as `E = 15u·C`.
    minus_6e_3e: L::Vector,
    /// `−120, 60, 8, 8`: with `C₁, C₀` and `YZ` the products `[4E | 8YZ]`.
    e4_yz8: L::Vector,
}

/// The value of a line at `P`.
pub(in crate::sm9) struct LineVectors<L: Quartic> {
    /// `[l₅ | l₀]`.
    pub(in crate::sm9) l5_l0: L::Vector,
    /// `[· | l₃]`.
    pub(in crate::sm9) l3: L::Vector,
}

/// A pair as the first factor of products.
struct Factors<L: Quartic> {
    /// `a₀, a₀, b₀, b₀`.
    constant: L::Vector,
    /// `−2a₁, a₁, −2b₁, b₁`, of magnitude 4.
    linear: L::Vector,
}

impl<L: Quartic> Factors<L> {
    #[inline(always)]
    fn of(pair: &L::Vector) -> Self {
        let linear = L::permute(pair, &lanes([1, 1, 3, 3]));
        let minus_twice = L::sub::<Q, 4>(&L::zero(), &L::add(&linear, &linear));
        Self {
            constant: L::permute(pair, &lanes([0, 0, 2, 2])),
            linear: L::carry(&L::select(L::mask(0b0101), &minus_twice, &linear)),
        }
    }

    /// `[ac | bd]` of `[a | b]` and `[c | d]`.
    #[inline(always)]
    fn times(&self, other: &L::Vector) -> L::Vector {
        let crossed = L::permute(other, &CROSSED);
        L::mul_add::<Q>(&self.constant, other, &self.linear, &crossed)
    }
}

/// `[a | d]` of `[a | b]` and `[c | d]`.
#[inline(always)]
fn join<L: Quartic>(first: &L::Vector, second: &L::Vector) -> L::Vector {
    L::select(L::mask(FIRST), first, second)
}

impl<L: Quartic> State<L> {
    /// The tangent at `T`, which is doubled.
    #[inline(never)]
    fn double(&mut self) -> LineVectors<L> {
        vectorize!(L, {
            let Self { xy, z, .. } = &*self;
            let xy_factors = Factors::<L>::of(xy);
            let a_b = xy_factors.times(&L::permute(xy, &SECOND_TWICE));
            let c_yz = Factors::<L>::of(&join::<L>(z, xy)).times(z);
            let minus_6e_3e =
                L::mul::<Q>(&L::permute(&c_yz, &lanes([1, 0, 1, 0])), &self.minus_6e_3e);
            let e4_yz8 = L::mul::<Q>(&L::permute(&c_yz, &lanes([1, 0, 2, 3])), &self.e4_yz8);
            // [2B − 6E | B + 3E], where F = 3E.
            let b = L::permute(&a_b, &SECOND_TWICE);
            let multiples = L::add(&b, &join::<L>(&b, &L::zero()));
            let multiples = L::add(&multiples, &minus_6e_3e);
            let l3 = L::sub::<Q, 2>(&multiples, &L::permute(&e4_yz8, &FIRST_TWICE));
            let multiples = L::reduce::<Q>(&multiples);
            let sum = Factors::<L>::of(&join::<L>(&a_b, &multiples)).times(&multiples);
            let yz_factors = Factors::<L>::of(&e4_yz8);
            let f = L::permute(&minus_6e_3e, &SECOND_TWICE);
            let subtrahend = yz_factors.times(&join::<L>(&f, &a_b));
            let tangent = Factors::<L> {
                constant: join::<L>(&xy_factors.constant, &yz_factors.constant),
                linear: join::<L>(&xy_factors.linear, &yz_factors.linear),
            };
            let scaled_x = L::mul::<Q>(xy, &self.tangent_x);
            let l5_l0 = tangent.times(&join::<L>(&scaled_x, &self.tangent_y));
            self.set(&sum, &subtrahend);
            LineVectors {
                l5_l0,
                l3: L::reduce::<Q>(&l3),
            }
        })
    }

    /// The chord through `T` and one of the summands, which is added.
    #[inline(never)]
    fn add(&mut self, summand: usize) -> LineVectors<L> {
        vectorize!(L, {
            let Self { xy, z, .. } = &*self;
            let summand = Factors::<L>::of(&self.summands[summand]);
            let lambda_theta = L::reduce::<Q>(&L::sub::<Q, 2>(xy, &summand.times(z)));
            let factors = Factors::<L>::of(&lambda_theta);
            let d_theta2 = factors.times(&lambda_theta);
            // θx − λy in the second element.
            let l3 = summand.times(&L::permute(&lambda_theta, &EXCHANGED));
            let l3 = L::sub::<Q, 2>(&L::permute(&l3, &FIRST_TWICE), &l3);
            let l5_l0 = L::mul::<Q>(
                &L::permute(&lambda_theta, &lanes([2, 3, 1, 0])),
                &self.chord,
            );
            let lambda_x = join::<L>(&lambda_theta, &L::permute(xy, &FIRST_TWICE));
            let d = L::permute(&d_theta2, &FIRST_TWICE);
            let e_g = Factors::<L>::of(&lambda_x).times(&d);
            let f = Factors::<L>::of(z).times(&L::permute(&d_theta2, &SECOND_TWICE));
            // H = E + F − 2G, and G − H = 3G − E − F.
            let g_e = L::permute(&e_g, &EXCHANGED);
            let g3 = L::add(&L::add(&e_g, &e_g), &e_g);
            let plus = join::<L>(&L::add(&e_g, &f), &g3);
            let minus = join::<L>(&L::add(&g_e, &g_e), &L::add(&g_e, &f));
            let h = L::reduce::<Q>(&L::sub::<Q, 4>(&plus, &minus));
            let sum = factors.times(&h);
            let y_z = join::<L>(&L::permute(xy, &SECOND_TWICE), z);
            let subtrahend = Factors::<L>::of(&y_z).times(&L::permute(&e_g, &FIRST_TWICE));
            self.set(&sum, &subtrahend);
            LineVectors {
                l5_l0,
                l3: L::reduce::<Q>(&l3),
            }
        })
    }

    /// The new `T`, from `[X | Y + v]` and `[v | Z]`.
    #[inline(always)]
    fn set(&mut self, sum: &L::Vector, subtrahend: &L::Vector) {
        let v = join::<L>(&L::zero(), &L::permute(subtrahend, &FIRST_TWICE));
        self.xy = L::reduce::<Q>(&L::sub::<Q, 2>(sum, &v));
        self.z = L::permute(subtrahend, &SECOND_TWICE);
    }
}

impl<L: Quartic, B: Backend> Walk<B> for Fq12x4<L> {
    type State = State<L>;

    fn start(p: &Affine<Sm9G1<B>>, q: &Affine<Sm9G2<B>>) -> State<L> {
        let pair = |a: &Fq2<B>, b: &Fq2<B>| [a.c0, a.c1, b.c0, b.c1];
        let point = |q: &Affine<Sm9G2<B>>| pair(&q.x, &q.y);
        let [n8, n45, n60, n90, n120, n180] = const {
            [
                number::<B>(8),
                number(45),
                number(60),
                number(90),
                number(120),
                number(180),
            ]
        };
        let minus_x = -p.x;
        let tangent_x = minus_x.double() + minus_x;
        let mut numbers = [
            point(q),
            point(&q.neg()),
            point(&frobenius(q)),
            point(&minus_frobenius2(q)),
            pair(&Fq2::ONE, &Fq2::ONE),
            [tangent_x, tangent_x, Fq::ZERO, Fq::ZERO],
            [Fq::ZERO, Fq::ZERO, Fq::ZERO, p.y.half().half()],
            [minus_x, minus_x, -p.y.double(), p.y],
            [n180, -n90, -n90, n45],
            [-n120, n60, n8, n8],
        ];
        let mut limbs = numbers.map(|vector| vector.map(|number| number.to_limbs()));
        let state = vectorize!(L, {
            let summands = inlined_array!(4, |i| L::load::<Q>(&limbs[i]));
            State {
                xy: summands[0],
                z: L::load::<Q>(&limbs[4]),
                summands,
                tangent_x: L::load::<Q>(&limbs[5]),
                tangent_y: L::load::<Q>(&limbs[6]),
                chord: L::load::<Q>(&limbs[7]),
                minus_6e_3e: L::load::<Q>(&limbs[8]),
                e4_yz8: L::load::<Q>(&limbs[9]),
            }
        });
        // Public constants among them are wiped as well.
        limbs.zeroize();
        numbers.zeroize();
        state
    }

    fn times_next_line(&self, state: &mut State<L>, step: Step) -> Self {
        let line = match step {
            Step::Double => state.double(),
            Step::Add => state.add(0),
            Step::Subtract => state.add(1),
            Step::Frobenius => state.add(2),
            Step::Frobenius2 => state.add(3),
        };
        self.times_line_vectors(&line.l5_l0, &line.l3)
    }
}

impl<L: Quartic> Drop for State<L> {
    fn drop(&mut self) {
        wipe::<L>(&mut self.summands);
        for vector in [
            &mut self.xy,
            &mut self.z,
            &mut self.tangent_x,
            &mut self.tangent_y,
            &mut self.chord,
        ] {
            wipe::<L>(core::slice::from_mut(vector));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::backend::Portable64;
    use crate::arith::lanes::on_every_quartic;
    use crate::sm9::pairing::final_exponentiation::final_exponentiation;
    use crate::sm9::pairing::miller::miller_mixed;
    use crate::sm9::pairing::tests::points;
    use crate::sm9::tower::{Fq12, Fq12Operations};

    /// With the model of the lanes as well, which checks magnitudes and tightness.
    fn agrees<L: Quartic>() {
        type B = Portable64;
        let pair = points::<B>(&U256([3, 1, 4, 1]), &U256([5, 9, 2, 6]));
        let expected: Fq12<B> = final_exponentiation(&miller_mixed(&[pair], &[]));
        let f: Fq12x4<L> = miller_mixed::<B, _>(&[pair], &[]);
        let found = Fq12Operations::<B>::to_limbs(&final_exponentiation::<B, _>(&f));
        assert!(Fq12::<B>::from_limbs(&found) == expected);
    }

    #[test]
    fn the_walk_in_lanes_gives_the_same_pairing() {
        on_every_quartic!(agrees);
    }
}
