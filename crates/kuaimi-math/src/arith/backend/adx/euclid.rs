//! Modular inversion by Euclid's algorithm as D. H. Lehmer runs it: in variable time, for processors that divide words fast.
//!
//! Divide `m` by `a`, then divisor by remainder, and so on: the last remainder that is not zero is 1. Every remainder is
//! `r_i ≡ ±t_i·a (mod m)`, the signs in turn, with `t_0 = 0`, `t_1 = 1`, `t_{i+1} = t_{i-1} + q_i·t_i`, and no `t_i` is
//! above `m`. Quotients depend on the leading bits alone: some eighteen at a time are found from the top words `x`, `y` of two
//! remainders, at the cost of a division of words each, and collected as the matrix with which the long numbers are then
//! multiplied.
//!
//! Remainders of top words are taken as long as they are at least `2³³`. Entries of the matrix are then at most
//! `2⁶⁴ / 2³³`, and what is left out of the top words changes a remainder by less than an entry, in units of the top word's last
//! bit: so no remainder of the long numbers is negative, and all are in order but for the last two, which may have to change
//! places. Where a quotient is so large that there is nothing to take, which random numbers bring about once in some hundred
//! million times, division steps do the whole inversion.
//!
//! Division steps (`divsteps.rs`) take 130 groups of some twenty cycles, each waiting for the last; this is 150 divisions of
//! eleven cycles on Zen 3.

use core::mem::swap;

use crate::arith::divsteps::d62;
use crate::arith::modulus::Modulus;
use crate::arith::u256::{Limbs, sbb, sub_limbs};

/// Remainders of top words below this are not taken.
const LEAST: u64 = 1 << 33;

/// `a·u + b·v`, where that is below `2²⁵⁶`.
#[inline(always)]
fn sum(a: &Limbs, u: u64, b: &Limbs, v: u64) -> Limbs {
    let mut out = [0; 4];
    let (mut carry_a, mut carry_b) = (0, 0);
    for i in 0..4 {
        (out[i], carry_a) = multiply(a[i], u, carry_a, 0);
        (out[i], carry_b) = multiply(b[i], v, carry_b, out[i]);
    }
    out
}

/// `a·u − b·v`, where that is in `[0, 2²⁵⁶)`.
#[inline(always)]
fn difference(a: &Limbs, u: u64, b: &Limbs, v: u64) -> Limbs {
    let mut out = [0; 4];
    let (mut carry_a, mut carry_b, mut borrow) = (0, 0, false);
    for i in 0..4 {
        let (minuend, subtrahend);
        (minuend, carry_a) = multiply(a[i], u, carry_a, 0);
        (subtrahend, carry_b) = multiply(b[i], v, carry_b, 0);
        (out[i], borrow) = sbb(minuend, subtrahend, borrow);
    }
    out
}

/// The two words of `a·b + c + d`.
#[inline(always)]
const fn multiply(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let product = a as u128 * b as u128 + c as u128 + d as u128;
    (product as u64, (product >> 64) as u64)
}

/// Two remainders in succession, `±t_0·a` and `∓t_1·a` modulo `m`.
struct Pair {
    r0: Limbs,
    r1: Limbs,
    t0: Limbs,
    t1: Limbs,
    /// Whether `r_0` is the one with the minus.
    negative: bool,
}

impl Pair {
    /// `m` and `a`.
    const fn new(m: Limbs, a: Limbs) -> Self {
        Self {
            r0: m,
            r1: a,
            t0: [0; 4],
            t1: [1, 0, 0, 0],
            negative: true,
        }
    }

    /// `r_0 ← u_0·r_0 − v_0·r_1` and `r_1 ← v_1·r_1 − u_1·r_0`: remainders an even number of divisions later.
    #[inline(always)]
    fn advance_even(&mut self, [[u0, v0], [u1, v1]]: [[u64; 2]; 2]) {
        let Self { r0, r1, t0, t1, .. } = self;
        (*r0, *r1) = (difference(r0, u0, r1, v0), difference(r1, v1, r0, u1));
        (*t0, *t1) = (sum(t0, u0, t1, v0), sum(t0, u1, t1, v1));
    }

    /// The same two in the other order: an odd number of divisions.
    #[inline(always)]
    fn advance_odd(&mut self, [[u0, v0], [u1, v1]]: [[u64; 2]; 2]) {
        let Self { r0, r1, t0, t1, .. } = self;
        (*r0, *r1) = (difference(r1, v1, r0, u1), difference(r0, u0, r1, v0));
        (*t0, *t1) = (sum(t0, u1, t1, v1), sum(t0, u0, t1, v0));
        self.negative = !self.negative;
    }

    #[inline(always)]
    fn swap(&mut self) {
        swap(&mut self.r0, &mut self.r1);
        swap(&mut self.t0, &mut self.t1);
        self.negative = !self.negative;
    }

    /// The top 64 bits of `r_0`, which has more than one limb of which the top one is `r_0[top]`, and what is at these places
    /// in `r_1`.
    #[inline(always)]
    fn tops(&self, top: usize) -> (u64, u64) {
        let shift = self.r0[top].leading_zeros();
        let word = |r: &Limbs| r[top] << shift | r[top - 1] >> 1 >> (63 - shift);
        (word(&self.r0), word(&self.r1))
    }
}

/// `a⁻¹ mod m` for `a < m`, and 0 for 0, in a time that depends on `a`.
pub fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
    if *a == [0; 4] {
        return [0; 4];
    }
    let mut pair = Pair::new(M::MODULUS.0, *a);
    while let Some(top) = (1..4).rev().find(|&i| pair.r0[i] != 0) {
        let (mut x, mut y) = pair.tops(top);
        // Of top words, the remainders are u_0·x − v_0·y and v_1·y − u_1·x, whichever is the later.
        let (mut u0, mut v0, mut u1, mut v1) = (1, 0, 0, 1);
        if y < LEAST {
            return d62::invert_vartime::<M>(a);
        }
        loop {
            let (q, r) = (x / y, x % y);
            if r < LEAST {
                if v0 == 0 {
                    return d62::invert_vartime::<M>(a);
                }
                pair.advance_even([[u0, v0], [u1, v1]]);
                break;
            }
            (u0, v0, x) = (u0 + q * u1, v0 + q * v1, r);
            let (q, r) = (y / x, y % x);
            if r < LEAST {
                pair.advance_odd([[u0, v0], [u1, v1]]);
                break;
            }
            (u1, v1, y) = (u1 + q * u0, v1 + q * v0, r);
        }
        if sub_limbs(&pair.r0, &pair.r1).1 {
            pair.swap();
        }
    }
    // A word each is left, and every remainder is to be taken, down to the zero.
    let (mut x, mut y) = (pair.r0[0], pair.r1[0]);
    let (mut u0, mut v0, mut u1, mut v1) = (1, 0, 0, 1);
    let t = loop {
        if y == 0 {
            break sum(&pair.t0, u0, &pair.t1, v0);
        }
        let (q, r) = (x / y, x % y);
        (u0, v0, x) = (u0 + q * u1, v0 + q * v1, r);
        if x == 0 {
            pair.negative = !pair.negative;
            break sum(&pair.t0, u1, &pair.t1, v1);
        }
        let (q, r) = (y / x, y % x);
        (u1, v1, y) = (u1 + q * u0, v1 + q * v0, r);
    };
    if pair.negative {
        sub_limbs(&M::MODULUS.0, &t).0
    } else {
        t
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::backend::{Backend, Portable64};
    use crate::arith::tests::{Sm9N, Sm9Q, edges};
    use crate::arith::u256::U256;
    use crate::sm2::curve::{N, P};
    use crate::testing::{Repeatable, rounds};

    fn agrees<M: Modulus>() {
        let check =
            |a: &Limbs| assert_eq!(invert_vartime::<M>(a), Portable64::invert::<M>(a), "{a:x?}");
        for U256(a) in edges::<M>() {
            check(&a);
            // And the modulus divided by it: the first quotient is near to it then.
            check(&Portable64::invert::<M>(&a));
        }
        // Of every length, so that quotients stop being small at the beginning, and after some.
        let mut rng = Repeatable(31);
        for i in 0..rounds(20_000) {
            let number = U256(rng.number());
            let mut a = number.0;
            for limb in a.iter_mut().skip(1 + i % 4) {
                *limb = 0;
            }
            a[i % 4] >>= rng.word() % 64;
            if U256(a).lt_vartime(&M::MODULUS) {
                check(&a);
                check(&Portable64::invert::<M>(&a));
            }
        }
    }

    #[test]
    fn agrees_with_division_steps() {
        agrees::<P>();
        agrees::<N>();
        agrees::<Sm9Q>();
        agrees::<Sm9N>();
    }
}
