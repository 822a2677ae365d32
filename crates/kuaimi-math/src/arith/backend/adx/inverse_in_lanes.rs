//! Inversion by division steps in constant time, with the long numbers in the lanes of a vector:
//! for CPUs that multiply 52-bit words in lanes.
//!
//! The method is that of [`divsteps`](crate::arith::divsteps). After the steps of a round, its
//! matrix `(u v; q r)` takes four long numbers to four others: `f' = u·f + v·g`, `g' = q·f + r·g`,
//! and the same for `d` and `e`. These are four lanes with the same operations:
//!
//! ```text
//! lanes      0  1  2  3
//! numbers    f  g  d  e
//! result     (u  q  u  q)·(f  f  d  d) + (v  r  v  r)·(g  g  e  e)
//! ```
//!
//! A long number is five limbs of 52 bits, the last one with the sign, so a limb of all four is one
//! vector. A round has 52 steps, and the division by `2⁵²` drops a limb. Eleven rounds and one of
//! 18 steps are 590. The next round needs only the low limbs of `f` and `g`, which are computed in
//! integer registers as well, so the CPU does the steps of one round while it multiplies the long
//! numbers of the last one.
//!
//! **Signs.** The multiplication takes factors in `[0, 2⁵²)`. A negative factor `x` is replaced by
//! `x + 2⁵²`, and `2⁵²` times the other factor is subtracted from the product. The matrix is
//! negated, as its entries are then in `[−2⁵², 2⁵²)`; so all four numbers change their signs in
//! each round, and `d·a ≡ f` stays true.
//!
//! **Bounds.** With `|u| + |v| ≤ 2⁵²`, `f` and `g` do not grow. For `d` and `e` a multiple `k·m` is
//! added that makes the lowest limb zero, with `k` in `[−2⁵¹, 2⁵¹)`, so they grow by at most `m/2`
//! in a round: to `6m + 1 < 2²⁵⁹`, which fits into the limbs.

use core::arch::x86_64::*;

use super::Backend;
use super::inverse::{run_18, run_52};
use crate::arith::modulus::Modulus;
use crate::arith::radix52::{self, BITS};
use crate::arith::u256::Limbs;

/// The largest limb. A limb has as many bits as a round has steps.
const MASK: i64 = radix52::MASK as i64;
const LIMBS: usize = 5;
/// The rounds of 52 steps. One of 18 steps follows.
const ROUNDS: usize = 11;
const LAST: u32 = 18;
const _: () = assert!(BITS as usize * ROUNDS + LAST as usize == 590);

/// The numbers `f`, `g`, `d` and `e`, one a lane.
type Numbers = [__m256i; LIMBS];
/// A word for each lane.
#[repr(align(32))]
struct Words([i64; 4]);

/// Constants of a modulus.
struct Constants {
    /// The limbs of `m`, in the lanes of `d` and `e`.
    modulus: [Words; LIMBS],
    /// `−m⁻¹ mod 2⁵²`, in the same lanes.
    factor: Words,
    /// `−2⁵¹·m`, in the same lanes.
    start: [Words; LIMBS + 1],
}

/// A number in limbs of 52 bits.
#[inline(always)]
const fn split(a: &Limbs) -> [i64; LIMBS] {
    let [r0, r1, r2, r3, r4] = radix52::split(a);
    [r0 as i64, r1 as i64, r2 as i64, r3 as i64, r4 as i64]
}

impl Constants {
    const fn new<M: Modulus>() -> Self {
        let m = split(&M::MODULUS.0);
        let mut constants = Self {
            modulus: [const { Words([0; 4]) }; LIMBS],
            factor: Words([0; 4]),
            start: [const { Words([0; 4]) }; LIMBS + 1],
        };
        let factor = M::M0_NEG_INV as i64 & MASK;
        constants.factor = Words([0, 0, factor, factor]);
        let mut i = 0;
        while i <= LIMBS {
            let below = if i > 0 { m[i - 1] >> 1 } else { 0 };
            let here = if i < LIMBS { m[i] << (BITS - 1) } else { 0 };
            let start = -((here | below) & MASK);
            constants.start[i] = Words([0, 0, start, start]);
            if i < LIMBS {
                constants.modulus[i] = Words([0, 0, m[i], m[i]]);
            }
            i += 1;
        }
        constants
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &Words) -> __m256i {
    // SAFETY: four words, aligned.
    unsafe { _mm256_load_si256(words.0.as_ptr().cast()) }
}

/// The numbers after the steps of a matrix, which is given negated and times `2⁵²`.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
fn advance(numbers: &Numbers, [u, v, q, r]: [i64; 4], constants: &Constants) -> Numbers {
    let lo = |c, a, b| _mm256_madd52lo_epu64(c, a, b);
    let hi = |c, a, b| _mm256_madd52hi_epu64(c, a, b);
    let negative = |a| _mm256_srai_epi64::<63>(a);
    let (x, y) = (_mm256_set_epi64x(q, u, q, u), _mm256_set_epi64x(r, v, r, v));
    let (x_negative, y_negative) = (negative(x), negative(y));
    let first = numbers.map(|a| _mm256_unpacklo_epi64(a, a));
    let second = numbers.map(|a| _mm256_unpackhi_epi64(a, a));
    let (first_negative, second_negative) = (negative(first[4]), negative(second[4]));
    let mask = _mm256_set1_epi64x(MASK);

    // What limb i adds to the column above it.
    let above = |column, i: usize| {
        let column = hi(hi(column, x, first[i]), y, second[i]);
        let column = _mm256_sub_epi64(column, _mm256_and_si256(first[i], x_negative));
        _mm256_sub_epi64(column, _mm256_and_si256(second[i], y_negative))
    };
    let mut column = load(&constants.start[0]);
    column = lo(lo(column, x, first[0]), y, second[0]);
    let k = lo(_mm256_setzero_si256(), column, load(&constants.factor));
    column = lo(column, k, load(&constants.modulus[0]));
    let mut out = [_mm256_setzero_si256(); LIMBS];
    for i in 0..LIMBS {
        let mut next = above(load(&constants.start[i + 1]), i);
        next = hi(next, k, load(&constants.modulus[i]));
        if i + 1 < LIMBS {
            next = lo(lo(next, x, first[i + 1]), y, second[i + 1]);
            next = lo(next, k, load(&constants.modulus[i + 1]));
        } else {
            next = _mm256_sub_epi64(next, _mm256_and_si256(x, first_negative));
            next = _mm256_sub_epi64(next, _mm256_and_si256(y, second_negative));
        }
        next = _mm256_add_epi64(next, _mm256_srai_epi64::<BITS>(column));
        column = next;
        out[i] = _mm256_and_si256(next, mask);
    }
    // The last limb is right modulo 2⁵², and has the sign.
    out[4] = _mm256_srai_epi64::<{ 64 - BITS }>(_mm256_slli_epi64::<{ 64 - BITS as i32 }>(column));
    out
}

/// From `a·R` below `m` to `a⁻¹·R mod m`, and from 0 to 0, in constant time. The modulus has 256
/// bits.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512ifma")]
pub(super) fn invert<M: Modulus, B: Backend>(a: &Limbs) -> Limbs {
    debug_assert!(M::MODULUS.0[3] >> 63 == 1);
    let constants = const { &Constants::new::<M>() };
    let m: [i64; LIMBS] = const { split(&M::MODULUS.0) };
    let g: [i64; LIMBS] = split(a);
    // d = 0 and e = 1.
    let mut numbers: Numbers =
        core::array::from_fn(|i| _mm256_set_epi64x(i64::from(i == 0), 0, g[i], m[i]));
    let (mut low_f, mut low_g) = (m[0], g[0]);
    let (mut f, mut g) = (Low::new(m[0], m[1]), Low::new(g[0], g[1]));
    let mut delta = 0; // δ − 1/2
    for _ in 0..ROUNDS {
        let t;
        (delta, t) = run_52(delta, low_f, low_g);
        (low_f, low_g) = (Low::next(t[0], t[1], f, g), Low::next(t[2], t[3], f, g));
        numbers = advance(&numbers, t, constants);
        let second = _mm256_castsi256_si128(numbers[1]);
        f = Low::new(low_f, _mm_cvtsi128_si64(second));
        g = Low::new(low_g, _mm_extract_epi64::<1>(second));
    }
    let (_, t) = run_18(delta, low_f, low_g);
    let t = t.map(|x| x << (BITS - LAST));
    // f is 1 or −1.
    let f = Low::next(t[0], t[1], f, g);
    let negative = super::super::value_barrier((f >> 1 & 1) as u64).wrapping_neg() as i64;
    let numbers = advance(&numbers, t, constants);
    let mut d = [0; LIMBS];
    for (d, limb) in d.iter_mut().zip(numbers) {
        *d = _mm_cvtsi128_si64(_mm256_extracti128_si256::<1>(limb));
    }
    let inverse = reduce::<M>(d, negative, &m);
    // This is (a·R)⁻¹.
    B::mul::<M>(&inverse, &M::R3)
}

/// The two low limbs of a number, the lower one between `−2⁵¹` and `2⁵¹`, times `2¹²`.
#[derive(Clone, Copy)]
struct Low {
    shifted: i64,
    second: i64,
}

impl Low {
    /// From the limbs, of which the lower one may have bits above.
    #[inline(always)]
    fn new(first: i64, second: i64) -> Self {
        Self {
            shifted: first << (64 - BITS),
            second: second.wrapping_add(first >> (BITS - 1) & 1),
        }
    }

    /// `(x·f + y·g) / 2⁵²`, where the division is exact: the low limb, with other bits above it.
    #[inline(always)]
    fn next(x: i64, y: i64, f: Self, g: Self) -> i64 {
        let product = |x: i64, low: Self| i128::from(x) * i128::from(low.shifted);
        let carry = (product(x, f).wrapping_add(product(y, g)) >> 64) as i64;
        let above = x
            .wrapping_mul(f.second)
            .wrapping_add(y.wrapping_mul(g.second));
        carry.wrapping_add(above)
    }
}

/// `±d mod m`, with the minus sign if the mask is set, for `|d| < 7m`.
#[inline(always)]
fn reduce<M: Modulus>(mut d: [i64; LIMBS], negative: i64, m: &[i64; LIMBS]) -> Limbs {
    // A quotient of d + 7m, which is in [0, 14m), by its highest limb: at most one too small.
    for i in 0..LIMBS {
        d[i] = (d[i] ^ negative) - negative + 7 * m[i];
    }
    propagate(&mut d);
    let reciprocal = const { (1 << 56) / (split(&M::MODULUS.0)[4] + 1) };
    // One more, and m is added again if that was too much.
    let quotient = ((d[4] * reciprocal) >> 56) + 1;
    for i in 0..LIMBS {
        d[i] -= quotient * m[i];
    }
    propagate(&mut d);
    let add = super::super::value_barrier((d[4] >> 63) as u64) as i64;
    for i in 0..LIMBS {
        d[i] += m[i] & add;
    }
    propagate(&mut d);
    radix52::join(d.map(|limb| limb as u64))
}

/// Carries between the limbs.
#[inline(always)]
fn propagate(d: &mut [i64; LIMBS]) {
    for i in 0..LIMBS - 1 {
        d[i + 1] += d[i] >> BITS;
        d[i] &= MASK;
    }
}

#[cfg(test)]
mod tests {
    use kuaimi_platform::backend::Lanes;

    use super::super::Adx;
    use super::*;
    use crate::arith::backend::Portable64;
    use crate::arith::tests::{Sm9N, Sm9Q, edges};
    use crate::arith::u256::U256;
    use crate::sm2::curve::{N, P};
    use crate::testing::{Repeatable, rounds};

    fn agrees<M: Modulus>() {
        let check = |a: &Limbs| {
            // SAFETY: the caller has asked for the instructions.
            let inverse = unsafe { invert::<M, Adx>(a) };
            assert_eq!(inverse, Portable64::invert::<M>(a), "{a:x?}");
            inverse
        };
        for U256(a) in edges::<M>() {
            let inverse = check(&a);
            check(&inverse);
        }
        let mut rng = Repeatable(52);
        for i in 0..rounds(20_000) {
            // Of every length, and with many zero bits at the end.
            let mut a = rng.number();
            for limb in a.iter_mut().take(i % 4) {
                *limb = 0;
            }
            a[3] >>= rng.word() % 64;
            if U256(a).lt_vartime(&M::MODULUS) {
                check(&a);
            }
        }
    }

    #[test]
    fn agrees_with_division_steps_on_words() {
        if Lanes::available().any(|lanes| lanes.get() == Lanes::Ifma) {
            agrees::<P>();
            agrees::<N>();
            agrees::<Sm9Q>();
            agrees::<Sm9N>();
        }
    }

    /// Every quotient that can occur, near its bounds.
    #[test]
    fn a_long_number_is_reduced() {
        let m = split(&P::MODULUS.0);
        for multiple in -6..=6 {
            for (rest, expected) in [(0, 0), (1, 1), (-1, -1)] {
                let mut d = m.map(|limb| limb * multiple);
                d[0] += rest;
                propagate(&mut d);
                for negative in [0, -1] {
                    let expected = if negative == 0 { expected } else { -expected };
                    let mut limbs = P::MODULUS.0;
                    match expected {
                        0 => limbs = [0; 4],
                        1 => limbs = [1, 0, 0, 0],
                        _ => limbs[0] -= 1,
                    }
                    assert_eq!(reduce::<P>(d, negative, &m), limbs, "{multiple}·m + {rest}");
                }
            }
        }
    }
}
