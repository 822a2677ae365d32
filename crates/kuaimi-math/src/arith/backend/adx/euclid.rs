//! Modular inversion by Lehmer's form of Euclid's algorithm: in variable time, for CPUs with fast
//! division.
//!
//! Euclid's algorithm divides `m` by `a`, then each divisor by its remainder. The last remainder
//! that is not zero is 1. Every remainder is `r_i ≡ ±t_i·a (mod m)` with alternating signs, where
//! `t_0 = 0`, `t_1 = 1`, `t_{i+1} = t_{i-1} + q_i·t_i`, and no `t_i` exceeds `m`. The quotients
//! depend on the leading bits only. From the top words `x`, `y` of two remainders, about eighteen
//! quotients are found with a division of words each, and collected in a matrix, by which the long
//! numbers are then multiplied.
//!
//! The remainders of top words are used as long as they are at least `2³³`. Then the entries of the
//! matrix are at most `2⁶⁴ / 2³³`. The bits below the top words change a remainder by less than an
//! entry, in units of the last bit of the top word. So no remainder of the long numbers is
//! negative, and all are in descending order, except that the last two may have to be exchanged. If
//! a quotient is so large that no remainder can be used, which happens for one of about a hundred
//! million random numbers, division steps do the whole inversion.
//!
//! On Zen 3 this takes 150 divisions of eleven cycles. Division steps (`divsteps.rs`) take 130
//! groups of about twenty cycles, each dependent on the last.

use core::mem::swap;

use crate::arith::divsteps::d62;
use crate::arith::modulus::Modulus;
use crate::arith::u256::{Limbs, sbb, sub_limbs};

/// Smaller remainders of top words are not used.
const MIN_REMAINDER: u64 = 1 << 33;

/// `a·u + b·v`, where that is below `2²⁵⁶`.
#[inline(always)]
fn sum(a: &Limbs, u: u64, b: &Limbs, v: u64) -> Limbs {
    let mut out = [0; 4];
    let (mut carry_a, mut carry_b) = (0, 0);
    for i in 0..4 {
        (out[i], carry_a) = mul_add(a[i], u, carry_a, 0);
        (out[i], carry_b) = mul_add(b[i], v, carry_b, out[i]);
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
        (minuend, carry_a) = mul_add(a[i], u, carry_a, 0);
        (subtrahend, carry_b) = mul_add(b[i], v, carry_b, 0);
        (out[i], borrow) = sbb(minuend, subtrahend, borrow);
    }
    out
}

/// The two words of `a·b + c + d`.
#[inline(always)]
const fn mul_add(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let product = a as u128 * b as u128 + c as u128 + d as u128;
    (product as u64, (product >> 64) as u64)
}

/// Two successive remainders, `r_0 ≡ ±t_0·a` and `r_1 ≡ ∓t_1·a (mod m)`.
struct Pair {
    r0: Limbs,
    r1: Limbs,
    t0: Limbs,
    t1: Limbs,
    /// Whether `r_0` has the minus sign.
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

    /// `r_0 ← u_0·r_0 − v_0·r_1` and `r_1 ← v_1·r_1 − u_1·r_0`: the remainders after an even number
    /// of divisions.
    #[inline(always)]
    fn advance_even(&mut self, [[u0, v0], [u1, v1]]: [[u64; 2]; 2]) {
        let Self { r0, r1, t0, t1, .. } = self;
        (*r0, *r1) = (difference(r0, u0, r1, v0), difference(r1, v1, r0, u1));
        (*t0, *t1) = (sum(t0, u0, t1, v0), sum(t0, u1, t1, v1));
    }

    /// The same remainders in the other order: after an odd number of divisions.
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

    /// The top 64 bits of `r_0`, whose top limb is `r_0[top]` with `top > 0`, and the bits of `r_1`
    /// in the same positions.
    #[inline(always)]
    fn tops(&self, top: usize) -> (u64, u64) {
        let shift = self.r0[top].leading_zeros();
        let word = |r: &Limbs| r[top] << shift | r[top - 1] >> 1 >> (63 - shift);
        (word(&self.r0), word(&self.r1))
    }
}

/// `a⁻¹ mod m` for `a < m`, and 0 for 0, in variable time.
pub fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
    if *a == [0; 4] {
        return [0; 4];
    }
    let mut pair = Pair::new(M::MODULUS.0, *a);
    while let Some(top) = (1..4).rev().find(|&i| pair.r0[i] != 0) {
        let (mut x, mut y) = pair.tops(top);
        // The remainders of the top words are u_0·x − v_0·y and v_1·y − u_1·x, alternately.
        let (mut u0, mut v0, mut u1, mut v1) = (1, 0, 0, 1);
        if y < MIN_REMAINDER {
            return d62::invert_vartime::<M>(a);
        }
        loop {
            let (q, r) = (x / y, x % y);
            if r < MIN_REMAINDER {
                if v0 == 0 {
                    return d62::invert_vartime::<M>(a);
                }
                pair.advance_even([[u0, v0], [u1, v1]]);
                break;
            }
            (u0, v0, x) = (u0 + q * u1, v0 + q * v1, r);
            let (q, r) = (y / x, y % x);
            if r < MIN_REMAINDER {
                pair.advance_odd([[u0, v0], [u1, v1]]);
                break;
            }
            (u1, v1, y) = (u1 + q * u0, v1 + q * v0, r);
        }
        if sub_limbs(&pair.r0, &pair.r1).1 {
            pair.swap();
        }
    }
    // Both remainders have one word now, and all remainders down to zero are used.
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
    use crate::arith::tests::{Sm9N, Sm9Q, edges};
    use crate::arith::u256::U256;
    use crate::sm2::curve::{N, P};
    use crate::testing::{Repeatable, rounds};

    fn agrees<M: Modulus>() {
        let check = |a: &Limbs| {
            assert_eq!(
                invert_vartime::<M>(a),
                d62::invert_vartime::<M>(a),
                "{a:x?}"
            )
        };
        for U256(a) in edges::<M>() {
            check(&a);
            // And the inverse of it, whose first quotient is near it.
            check(&d62::invert_vartime::<M>(&a));
        }
        // Numbers of every length, so that a large quotient occurs at the beginning, or after some
        // small ones.
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
                check(&d62::invert_vartime::<M>(&a));
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
