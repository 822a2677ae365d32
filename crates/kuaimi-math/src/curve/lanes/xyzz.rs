//! Points in extended Jacobian coordinates in lanes, for sums of many affine points: one lane each,
//! and then all lanes in one.
//!
//! The formulas are those of [`curve::xyzz`](crate::curve::xyzz), which hold on any curve
//! `y² = x³ + ax + b`, with `−P` instead of `P`. So the two products in `Y′ = R·(Q − X′) − Y·P³`
//! are added, with one reduction. `ZZZ` gets the other sign, and so the result is the *opposite* of
//! the sum, as in [`point`](super::point).
//!
//! | | products | with one reduction for two | carries | reductions of sums |
//! | --- | ---: | ---: | ---: | ---: |
//! | sum of two affine points | 4M + 2S | 1 | 2 | 2 |
//! | mixed addition | 8M + 2S | 1 | 2 | 2 |
//! | half of the lanes added to the other half | 7M + 1S | 1 | 2 | 2 |
//!
//! Adding half of the lanes to the other half would leave half of each vector idle. Instead the two
//! halves of a vector have two products of the same addition. So an addition of two such points,
//! 12M + 2S, costs 8 products of vectors.
//!
//! The formulas do not check for exceptional cases. If the operands of an addition are equal or
//! opposite, or one is infinity, `ZZ` becomes zero, and stays zero in all sums that this sum is a
//! part of.

use core::marker::PhantomData;

use super::Affine;
use crate::arith::Modulus;
use crate::arith::lanes::{Lanes, MAX_LANES, vectorize, wipe};
use crate::arith::u256::Limbs;

/// A point in each lane, of a curve over the integers modulo `M`.
#[derive(Clone, Copy)]
pub struct Xyzz<L: Lanes, M: Modulus> {
    /// `x·ZZ`: tight, magnitude 2, as all coordinates.
    x: L::Vector,
    /// `y·ZZZ`.
    y: L::Vector,
    /// The denominator of `x`; zero at infinity.
    zz: L::Vector,
    /// The denominator of `y`.
    zzz: L::Vector,
    /// Whether the coordinates are those of the opposite point, in all lanes.
    negated: bool,
    modulus: PhantomData<M>,
}

/// The coordinates of the point in one lane, in the form of the scalar field.
pub struct Coordinates {
    /// `X`, `Y`, `ZZ` and `ZZZ`.
    pub xyzz: [Limbs; 4],
    /// Whether they are those of the opposite point.
    pub negated: bool,
}

/// What follows from the slope of the line through two points.
struct Line<L: Lanes> {
    x: L::Vector,
    y: L::Vector,
    /// `P²` and `−P³`, the factors of the denominators.
    pp: L::Vector,
    ppp: L::Vector,
}

/// From the numerators of two points with common denominators: `x` and `y` are tight, `u` and `s`
/// may be loose, and all have magnitude 2.
#[inline(always)]
fn line<L: Lanes, M: Modulus>(
    x: &L::Vector,
    y: &L::Vector,
    u: &L::Vector,
    s: &L::Vector,
) -> Line<L> {
    // −P and R
    let p = L::carry(&L::sub::<M, 2>(x, u));
    let r = L::reduce::<M>(&L::sub::<M, 2>(s, y));
    let pp = L::square::<M>(&p);
    let ppp = L::mul::<M>(&p, &pp);
    let q = L::mul_loose::<M>(x, &pp);
    // X′ = R² − P³ − 2Q, Y′ = R·(Q − X′) − Y·P³
    let sum = L::add(&L::square_loose::<M>(&r), &ppp);
    let x = L::reduce::<M>(&L::sub::<M, 4>(&sum, &L::add(&q, &q)));
    let difference = L::carry(&L::sub::<M, 2>(&q, &x));
    let y = L::mul_add::<M>(&r, &difference, y, &ppp);
    Line { x, y, pp, ppp }
}

impl<L: Lanes, M: Modulus> Xyzz<L, M> {
    /// `−P` in the lanes whose bits are set, `P` in the others.
    pub fn from_affine(p: &Affine<L>, negative: u64) -> Self {
        vectorize!(L, {
            let one = L::splat::<M>(&M::R);
            Self {
                x: p.x,
                y: L::carry(&L::negate_where::<M, 2>(L::mask(negative), &p.y)),
                zz: one,
                zzz: one,
                negated: false,
                modulus: PhantomData,
            }
        })
    }

    /// [`add_incomplete`](Self::add_incomplete) where the denominators are 1.
    pub fn add_to_affine_incomplete(&mut self, p: &Affine<L>, negative: u64, lanes: u64) {
        vectorize!(L, {
            let s = L::negate_where::<M, 2>(self.signs(negative), &p.y);
            let line = line::<L, M>(&self.x, &self.y, &p.x, &s);
            self.replace(lanes, line.x, line.y, line.pp, line.ppp);
        });
    }

    /// Adds `−p` in the lanes whose bits are set in `negative`, `p` in the others, in the lanes
    /// whose bits are set in `lanes`, which are public. Where the operands are equal or opposite,
    /// or the first is infinity, `ZZ` becomes zero.
    pub fn add_incomplete(&mut self, p: &Affine<L>, negative: u64, lanes: u64) {
        vectorize!(L, {
            let u = L::mul_loose::<M>(&p.x, &self.zz);
            let s = L::mul_loose::<M>(&p.y, &self.zzz);
            let s = L::negate_where::<M, 2>(self.signs(negative), &s);
            let line = line::<L, M>(&self.x, &self.y, &u, &s);
            let zz = L::mul::<M>(&self.zz, &line.pp);
            let zzz = L::mul::<M>(&self.zzz, &line.ppp);
            self.replace(lanes, line.x, line.y, zz, zzz);
        });
    }

    /// Where the opposite point is to be added to these coordinates.
    #[inline(always)]
    fn signs(&self, negative: u64) -> L::Mask {
        L::mask(negative ^ u64::from(self.negated).wrapping_neg())
    }

    /// Takes the coordinates of the opposite of a sum in the lanes whose bits are set; in the
    /// others the point stays.
    #[inline(always)]
    fn replace(&mut self, lanes: u64, x: L::Vector, y: L::Vector, zz: L::Vector, zzz: L::Vector) {
        self.negated = !self.negated;
        let all = u64::MAX >> (64 - L::LANES);
        if lanes & all == all {
            (self.x, self.y, self.zz, self.zzz) = (x, y, zz, zzz);
            return;
        }
        let mask = L::mask(lanes);
        let opposite = L::reduce::<M>(&L::sub::<M, 2>(&L::zero(), &self.y));
        self.x = L::select(mask, &x, &self.x);
        self.y = L::select(mask, &y, &opposite);
        self.zz = L::select(mask, &zz, &self.zz);
        self.zzz = L::select(mask, &zzz, &self.zzz);
    }

    /// The sum of the first `count` lanes, one or more, as a balanced tree. Where the operands of
    /// an addition are equal or opposite, or one is infinity, `ZZ` is zero.
    pub fn sum_of_lanes_incomplete(mut self, count: usize) -> Coordinates {
        let mut count = count;
        while count > 1 {
            let half = count.div_ceil(2);
            self.fold(half, count - half);
            count = half;
        }
        let mut sum = Coordinates {
            xyzz: [[0; 4]; 4],
            negated: self.negated,
        };
        vectorize!(L, {
            let first = [0; MAX_LANES];
            let coordinates = [&self.x, &self.y, &self.zz, &self.zzz];
            // Several coordinates in the lanes of one vector, as a conversion costs the same for
            // all lanes.
            for (values, out) in coordinates
                .chunks(L::LANES)
                .zip(sum.xyzz.chunks_mut(L::LANES))
            {
                let mut all = L::zero();
                for (lane, value) in values.iter().enumerate() {
                    let value = L::permute(value, &first);
                    all = L::select(L::mask(1 << lane), &value, &all);
                }
                L::store::<M>(&all, out);
            }
        });
        self.wipe();
        sum
    }

    /// Adds lane `i + half` to lane `i`, for `i` below `pairs ≤ half`. Of the other lanes, those
    /// below `half` keep their points.
    ///
    /// In the comments `[a | b]` is a vector with `a` in the lanes of the first operands, the lower
    /// ones, and `b` in those of the second operands.
    fn fold(&mut self, half: usize, pairs: usize) {
        let mut partner = [0; MAX_LANES];
        for (lane, partner) in partner.iter_mut().enumerate() {
            let other = if lane < half {
                lane + half
            } else {
                lane - half
            };
            *partner = (other % L::LANES) as u64;
        }
        vectorize!(L, {
            let Self { x, y, zz, zzz, .. } = &*self;
            let lower = L::mask((1 << half) - 1);
            let (zz_swapped, zzz_swapped) = (L::permute(zz, &partner), L::permute(zzz, &partner));
            // [U₁ | U₂], [S₁ | S₂] and [ZZ₁·ZZ₂ | ZZZ₁·ZZZ₂]
            let u = L::mul::<M>(x, &zz_swapped);
            let s = L::mul::<M>(y, &zzz_swapped);
            let z = L::mul::<M>(
                &L::select(lower, zz, zzz),
                &L::select(lower, &zz_swapped, &zzz_swapped),
            );
            let (u_swapped, s_swapped) = (L::permute(&u, &partner), L::permute(&s, &partner));
            // [−P | P] and [R | −R]
            let p = L::carry(&L::sub::<M, 2>(&u, &u_swapped));
            let r = L::reduce::<M>(&L::sub::<M, 2>(&s_swapped, &s));
            // [P² | R²]
            let squares = L::square::<M>(&L::select(lower, &p, &r));
            let squares_swapped = L::permute(&squares, &partner);
            // [−P·P² | U₁·P²], that is [−P³ | Q]
            let pp = L::select(lower, &squares, &squares_swapped);
            let cube = L::mul::<M>(&L::select(lower, &p, &u_swapped), &pp);
            let cube_swapped = L::permute(&cube, &partner);
            // In the lower lanes X′ = R² − P³ − 2Q and Y′ = R·(Q − X′) − S₁·P³
            let sum = L::add(&squares_swapped, &cube);
            let twice = L::add(&cube_swapped, &cube_swapped);
            let x = L::reduce::<M>(&L::sub::<M, 4>(&sum, &twice));
            let difference = L::carry(&L::sub::<M, 2>(&cube_swapped, &x));
            let y = L::mul_add::<M>(&r, &difference, &s, &cube);
            // [ZZ₁·ZZ₂·P² | −ZZZ₁·ZZZ₂·P³]
            let zz = L::mul::<M>(&z, &L::select(lower, &squares, &cube_swapped));
            let zzz = L::permute(&zz, &partner);
            // What the lanes without a point have does not matter.
            let lanes = if pairs == half {
                u64::MAX
            } else {
                (1 << pairs) - 1
            };
            self.replace(lanes, x, y, zz, zzz);
        });
    }

    /// Overwrites the coordinates.
    pub fn wipe(&mut self) {
        for vector in [&mut self.x, &mut self.y, &mut self.zz, &mut self.zzz] {
            wipe::<L>(core::slice::from_mut(vector));
        }
    }
}
