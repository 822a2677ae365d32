//! Jacobian points in lanes, on `y² = x³ − 3x + b`.
//!
//! A point is `(X, W, Z)` with `W = 2Y`. So a doubling needs no halving, as `4Y² = W²` and
//! `2Y′ = 2M·(S − X′) − W⁴`.
//!
//! The addition is `madd` with `2R` instead of `R` and `−H` instead of `H`. So the two products in
//! `Y′ = R·(V − X′) − Y·H³` are added, with one reduction. The result is the *opposite* of the sum.
//! Whether a point is negated is the same in all lanes, as it depends only on the number of
//! additions. It is stored next to the coordinates, and taken into account for the sign of the next
//! digit.
//!
//! | | products | carries | reductions of sums |
//! | --- | ---: | ---: | ---: |
//! | doubling | 4M + 4S, two of them with one reduction | 3 | 2 |
//! | mixed addition | 8M + 3S, two of them with one reduction | 3 | 3 |
//!
//! The formulas do not check for exceptional cases. If the operands of a mixed addition are equal
//! or opposite, or the first is infinity, `Z` becomes zero, and stays zero. So a computation on
//! public values checks `Z` once, at the end, and computes the few lanes with `Z = 0` in another
//! way.

use crate::arith::lanes::vectorize;
use core::marker::PhantomData;

use super::Affine;
use crate::arith::Modulus;
use crate::arith::lanes::{Lanes, wipe};

/// A Jacobian point in each lane, of a curve over the integers modulo `M`.
#[derive(Clone, Copy)]
pub struct Point<L: Lanes, M: Modulus> {
    /// `x·Z²`: tight, magnitude 2.
    pub x: L::Vector,
    /// `2·y·Z³`: tight, magnitude 4.
    pub w: L::Vector,
    /// Zero at infinity: tight, magnitude 2.
    pub z: L::Vector,
    /// Whether the coordinates are those of the opposite point, in all lanes.
    negated: bool,
    modulus: PhantomData<M>,
}

/// Two intermediate values of a mixed addition: `±H` and `2R`.
struct Differences<L: Lanes> {
    h: L::Vector,
    r: L::Vector,
}

impl<L: Lanes, M: Modulus> Point<L, M> {
    /// `−P` in the lanes whose bits are set, `P` in the others.
    pub fn from_affine(p: &Affine<L>, negative: u64) -> Self {
        vectorize!(L, {
            let y = L::negate_where::<M, 2>(L::mask(negative), &p.y);
            Self {
                x: p.x,
                w: L::carry(&L::add(&y, &y)),
                z: L::splat::<M>(&M::R),
                negated: false,
                modulus: PhantomData,
            }
        })
    }

    /// Replaces `P` by `[2^count]P`.
    pub fn double_times(&mut self, count: usize) {
        for _ in 0..count {
            self.double();
        }
    }

    /// Replaces `P` by `[2]P`, for every point.
    #[inline]
    pub fn double(&mut self) {
        vectorize!(L, self.double_inlined());
    }

    #[inline(always)]
    fn double_inlined(&mut self) {
        let Self { x, w, z, .. } = &*self;
        // M = 3·(X − Z²)·(X + Z²)
        let zz = L::square_loose::<M>(z);
        let minus = L::carry(&L::sub::<M, 2>(x, &zz));
        let plus = L::carry(&L::add(x, &zz));
        let m = L::mul_loose::<M>(&minus, &plus);
        let m = L::reduce::<M>(&L::add(&L::add(&m, &m), &m));
        // S = X·W², and the new Z = W·Z
        let ww = L::square::<M>(w);
        let z = L::mul::<M>(w, z);
        let s = L::mul_loose::<M>(x, &ww);
        // X′ = M² − 2S
        let x = L::reduce::<M>(&L::sub::<M, 4>(&L::square_loose::<M>(&m), &L::add(&s, &s)));
        // W′ = M·2(S − X′) − W⁴
        let difference = L::sub::<M, 2>(&s, &x);
        let twice = L::carry(&L::add(&difference, &difference));
        let w = L::mul_sub_square::<M>(&m, &twice, &ww);
        (self.x, self.w, self.z) = (x, w, z);
    }

    /// Adds `−p` in the lanes whose bits are set, `p` in the others. Where the operands are equal
    /// or opposite, or the first is infinity, `Z` becomes zero.
    #[inline]
    pub fn add_incomplete(&mut self, p: &Affine<L>, negative: u64) {
        vectorize!(L, {
            self.add_inlined(p, negative);
        });
    }

    #[inline(always)]
    fn add_inlined(&mut self, p: &Affine<L>, negative: u64) -> Differences<L> {
        let Self { x, w, z, .. } = &*self;
        let flip = u64::from(self.negated).wrapping_neg();
        let mask = L::mask(negative ^ flip);
        // U = x·Z², S = ±y·Z³
        let zz = L::square::<M>(z);
        let u = L::mul_loose::<M>(&p.x, &zz);
        let s = L::mul_loose::<M>(&p.y, &L::mul::<M>(&zz, z));
        let s = L::negate_where::<M, 2>(mask, &s);
        // −H = X − U and 2R = 2S − W
        let h = L::reduce::<M>(&L::sub::<M, 2>(x, &u));
        let r = L::reduce::<M>(&L::sub::<M, 4>(&L::add(&s, &s), w));
        // With Z′ = −2·Z·H: 4H², −4H³ and V = 4·X·H²
        let h2 = L::carry(&L::add(&h, &h));
        let hh = L::square::<M>(&h2);
        let hhh = L::mul::<M>(&h, &hh);
        let v = L::mul_loose::<M>(x, &hh);
        // X′ = (2R)² − 4H³ − 2V
        let sum = L::add(&L::square_loose::<M>(&r), &hhh);
        let x = L::reduce::<M>(&L::sub::<M, 4>(&sum, &L::add(&v, &v)));
        // W′ = 2·(2R·(V − X′) − W·4H³)
        let difference = L::carry(&L::sub::<M, 2>(&v, &x));
        let y = L::mul_add::<M>(&r, &difference, w, &hhh);
        let w = L::carry(&L::add(&y, &y));
        let z = L::mul::<M>(z, &h2);
        (self.x, self.w, self.z) = (x, w, z);
        // Z′ has the sign of −H, and Y′ that of H³.
        self.negated = !self.negated;
        Differences { h, r }
    }

    /// [`add_incomplete`](Self::add_incomplete), but also correct for equal points. The first
    /// operand must not be infinity.
    pub fn add_last(&mut self, p: &Affine<L>, negative: u64) {
        vectorize!(L, {
            let mut twice = *self;
            twice.double_inlined();
            let Differences { h, r } = self.add_inlined(p, negative);
            let equal = L::bits(L::is_zero::<M>(&h)) & L::bits(L::is_zero::<M>(&r));
            let equal = L::mask(equal);
            self.x = L::select(equal, &twice.x, &self.x);
            // Negated, as the sum is.
            let opposite = L::carry(&L::sub::<M, 4>(&L::zero(), &twice.w));
            self.w = L::select(equal, &L::reduce::<M>(&opposite), &self.w);
            self.z = L::select(equal, &twice.z, &self.z);
        });
    }

    /// The affine form, given `1/Z`, tight and of magnitude 2, and the field element 1/2.
    pub fn affine_with(&self, z_inverse: &L::Vector, half: &L::Vector) -> Affine<L> {
        vectorize!(L, {
            let zz = L::square::<M>(z_inverse);
            let zzz = L::mul::<M>(&zz, &L::mul::<M>(z_inverse, half));
            let flip = u64::from(self.negated).wrapping_neg();
            let y = L::mul::<M>(&self.w, &zzz);
            Affine {
                x: L::mul::<M>(&self.x, &zz),
                y: L::carry(&L::negate_where::<M, 2>(L::mask(flip), &y)),
            }
        })
    }

    /// The bits of the lanes whose affine x-coordinate is `x`. They are 0 where `Z` is zero.
    pub fn x_is(&self, x: &L::Vector) -> u64 {
        vectorize!(L, {
            let difference = L::mul::<M>(x, &L::square::<M>(&self.z));
            let difference = L::sub::<M, 2>(&difference, &self.x);
            L::bits(L::is_zero::<M>(&difference)) & !self.infinity()
        })
    }

    /// The bits of the lanes where `Z` is zero.
    pub fn infinity(&self) -> u64 {
        vectorize!(L, L::bits(L::is_zero::<M>(&self.z)))
    }

    /// Overwrites the coordinates.
    pub fn wipe(&mut self) {
        wipe::<L>(core::slice::from_mut(&mut self.x));
        wipe::<L>(core::slice::from_mut(&mut self.w));
        wipe::<L>(core::slice::from_mut(&mut self.z));
    }
}
