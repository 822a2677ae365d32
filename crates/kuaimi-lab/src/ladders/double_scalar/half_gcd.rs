//! Leaks: takes public numbers only, as a verification does.
//!
//! A number modulo `n` as a quotient of two numbers of half the length: Euclid's algorithm, stopped
//! half-way.
//!
//! The remainders `r₀ = n, r₁ = t, r₂, …` of Euclid's algorithm have cofactors with
//! `rᵢ ≡ vᵢ·t (mod n)`, whose signs alternate, and `|vᵢ|·rᵢ₋₁ + |vᵢ₋₁|·rᵢ = n`. At the first
//! remainder `rᵢ < 2¹²⁸` the one before is at least `2¹²⁸`, so `|vᵢ| ≤ n/rᵢ₋₁ < 2¹²⁸`, too. `vᵢ` is
//! not zero, and so has an inverse modulo the prime `n`: `t ≡ rᵢ/vᵢ`. (`vᵢ` and `rᵢ` are a short
//! vector of the lattice of all `(v, w)` with `w ≡ v·t`, whose determinant is `n`.)
//!
//! Each division step estimates the quotient from the leading bits, as a number of at most 33 bits
//! times a power of two. The estimate is never too large. If it is too small, the remainder is
//! divided again: this takes 75 steps on average. Without the power of two, a large quotient would
//! take very many steps, and an attacker who chooses `t` could cause such a quotient.

use kuaimi_math::arith::u256::{Limbs, sub_limbs};
use kuaimi_math::arith::{Modulus, U256};
use kuaimi_math::sm2::curve::N;

use crate::ladders::inversion::extended_euclid::shift_left;

/// `v·t ≡ w`, or `v·t ≡ −w`, modulo `n`; `v` is not zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quotient {
    pub(crate) v: u128,
    pub(crate) w: u128,
    /// Whether it is `−w`.
    pub(crate) negative: bool,
}

/// For `t` below `n`.
pub(crate) fn half_gcd(t: &U256) -> Quotient {
    let (mut a, mut b) = (N::MODULUS.0, t.0);
    let (mut v_a, mut v_b) = (0_u128, 1_u128);
    let mut negative = false;
    while b[2] | b[3] != 0 {
        while !U256(a).lt_vartime(&U256(b)) {
            let (quotient, shift) = estimate(&a, &b);
            a = sub_limbs(&a, &shift_left(&times(&b, quotient), shift)).0;
            // The cofactors have different signs, so their absolute values are added. Each is below
            // 2¹²⁸.
            v_a += (v_b * u128::from(quotient)) << shift;
        }
        (a, b, v_a, v_b) = (b, a, v_b, v_a);
        negative = !negative;
    }
    Quotient {
        v: v_b,
        w: u128::from(b[0]) | (u128::from(b[1]) << 64),
        negative,
    }
}

/// `q` and `s` with `1 ≤ q·2^s ≤ a/b`, for `a ≥ b ≥ 2¹²⁸`.
fn estimate(a: &Limbs, b: &Limbs) -> (u64, usize) {
    let [a_length, b_length] = [a, b].map(|number| U256(*number).bit_length_vartime());
    let shift = (a_length - b_length).saturating_sub(32);
    let below = a_length - 64;
    let (a, b) = (word_at(a, below), word_at(b, below - shift));
    // The numbers are at least a·2^below, and less than (b + 1)·2^(below − shift).
    let quotient = b.checked_add(1).map_or(1, |divisor| (a / divisor).max(1));
    (quotient, shift)
}

/// The 64 bits from this position on.
fn word_at(a: &Limbs, position: usize) -> u64 {
    let (limb, bits) = (position / 64, position % 64);
    let above = a.get(limb + 1).copied().unwrap_or(0);
    let pair = u128::from(a[limb]) | (u128::from(above) << 64);
    (pair >> bits) as u64
}

/// `a·k`, which has at most 256 bits.
fn times(a: &Limbs, k: u64) -> Limbs {
    let mut carry = 0;
    a.map(|limb| {
        let product = u128::from(limb) * u128::from(k) + carry;
        carry = product >> 64;
        product as u64
    })
}
