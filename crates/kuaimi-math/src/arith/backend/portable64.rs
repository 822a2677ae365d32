//! 64-bit limbs and 128-bit products, in plain Rust.
//!
//! A product is eight limbs. Four Montgomery steps remove its lower four limbs. As each step leaves
//! less than `2¹⁹² + m < 2²⁵⁶`, the steps need no fifth limb, and the upper half is added once at
//! the end.

use kuaimi_platform::value_after;

use kuaimi_platform::backend::Field;

use super::{Backend, subtract_modulus_once, value_barrier};
use crate::arith::divsteps::d62;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::{Limbs, adc, add_limbs, mask, sbb};

/// The backend for 64-bit CPUs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Portable64;

/// `acc + a·b + carry`: the low word and the high word. It cannot overflow.
#[inline(always)]
const fn mac(acc: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let wide = acc as u128 + (a as u128) * (b as u128) + carry as u128;
    (wide as u64, (wide >> 64) as u64)
}

/// The two words of `a·b`.
#[inline(always)]
const fn wide(a: u64, b: u64) -> (u64, u64) {
    let product = (a as u128) * (b as u128);
    (product as u64, (product >> 64) as u64)
}

/// The five limbs of `a·b`: four products, and one chain of carries over their overlapping halves.
#[inline(always)]
fn row(a: u64, b: &Limbs) -> [u64; 5] {
    let (l0, h0) = wide(a, b[0]);
    let (l1, h1) = wide(a, b[1]);
    let (l2, h2) = wide(a, b[2]);
    let (l3, h3) = wide(a, b[3]);
    let (r1, c) = adc(l1, h0, false);
    let (r2, c) = adc(l2, h1, c);
    let (r3, c) = adc(l3, h2, c);
    let (r4, _) = adc(h3, 0, c);
    [l0, r1, r2, r3, r4]
}

/// The eight limbs of `a·b`, row by row.
#[inline(always)]
fn product(a: &Limbs, b: &Limbs) -> (Limbs, Limbs) {
    let [t0, t1, t2, t3, t4] = row(a[0], b);

    let r = row(value_after(a[1], t4), b);
    let (t1, c) = adc(t1, r[0], false);
    let (t2, c) = adc(t2, r[1], c);
    let (t3, c) = adc(t3, r[2], c);
    let (t4, c) = adc(t4, r[3], c);
    let (t5, _) = adc(r[4], 0, c);

    let r = row(value_after(a[2], t5), b);
    let (t2, c) = adc(t2, r[0], false);
    let (t3, c) = adc(t3, r[1], c);
    let (t4, c) = adc(t4, r[2], c);
    let (t5, c) = adc(t5, r[3], c);
    let (t6, _) = adc(r[4], 0, c);

    let r = row(value_after(a[3], t6), b);
    let (t3, c) = adc(t3, r[0], false);
    let (t4, c) = adc(t4, r[1], c);
    let (t5, c) = adc(t5, r[2], c);
    let (t6, c) = adc(t6, r[3], c);
    let (t7, _) = adc(r[4], 0, c);

    ([t0, t1, t2, t3], [t4, t5, t6, t7])
}

/// The eight limbs of `a²`: twice the six products off the diagonal, and the four squares on it.
#[inline(always)]
fn product_square(a: &Limbs) -> (Limbs, Limbs) {
    // a₀·(a₁, a₂, a₃)
    let (t1, h0) = wide(a[0], a[1]);
    let (l1, h1) = wide(a[0], a[2]);
    let (l2, h2) = wide(a[0], a[3]);
    let (t2, c) = adc(l1, h0, false);
    let (t3, c) = adc(l2, h1, c);
    let (t4, _) = adc(h2, 0, c);
    // a₁·(a₂, a₃), a₂·a₃
    let (l0, h0) = wide(a[1], a[2]);
    let (l1, h1) = wide(a[1], a[3]);
    let (l2, h2) = wide(a[2], a[3]);
    let (t3, c) = adc(t3, l0, false);
    let (t4, c) = adc(t4, h0, c);
    let (t5, c) = adc(h1, 0, c);
    let (t6, _) = adc(h2, 0, c);
    let (t4, c) = adc(t4, l1, false);
    let (t5, c) = adc(t5, l2, c);
    let (t6, _) = adc(t6, 0, c);

    // Doubling by adc: with the barriers the compiler does not use double shifts, which are slow on
    // many CPUs.
    let (t1, c) = adc(t1, value_barrier(t1), false);
    let (t2, c) = adc(t2, value_barrier(t2), c);
    let (t3, c) = adc(t3, value_barrier(t3), c);
    let (t4, c) = adc(t4, value_barrier(t4), c);
    let (t5, c) = adc(t5, value_barrier(t5), c);
    let (t6, c) = adc(t6, value_barrier(t6), c);
    let (t7, _) = adc(0, 0, c);

    let (s0, h0) = wide(a[0], a[0]);
    let (s1, h1) = wide(a[1], a[1]);
    let (s2, h2) = wide(a[2], a[2]);
    let (s3, h3) = wide(a[3], a[3]);
    let (t1, c) = adc(t1, h0, false);
    let (t2, c) = adc(t2, s1, c);
    let (t3, c) = adc(t3, h1, c);
    let (t4, c) = adc(t4, s2, c);
    let (t5, c) = adc(t5, h2, c);
    let (t6, c) = adc(t6, s3, c);
    let (t7, _) = adc(t7, h3, c);
    ([s0, t1, t2, t3], [t4, t5, t6, t7])
}

/// `low·R⁻¹ mod m`, or that plus `m`: four steps of `t ← (t + q·m) / 2⁶⁴`, where `q` makes the low
/// limb zero.
#[inline(always)]
fn reduce_low<M: Modulus>(low: &Limbs) -> Limbs {
    let mut t = *low;
    match M::REDUCTION {
        Reduction::Montgomery => {
            let m = &M::MODULUS.0;
            for _ in 0..4 {
                let q = t[0].wrapping_mul(M::M0_NEG_INV);
                let (_, c) = mac(t[0], q, m[0], 0);
                let (t1, c) = mac(t[1], q, m[1], c);
                let (t2, c) = mac(t[2], q, m[2], c);
                let (t3, c) = mac(t[3], q, m[3], c);
                t = [t1, t2, t3, c];
            }
        }
        Reduction::Sm2Prime => {
            for _ in 0..4 {
                // With q = t₀ and q·m = q·2²⁵⁶ − q·2²²⁴ − q·2⁹⁶ + q·2⁶⁴ − q: (t + q·m)/2⁶⁴ = (t₁,
                // t₂, t₃, q) + q − (q·2³² + q·2¹⁶⁰). Intermediate results are modulo 2²⁵⁶.
                let q = t[0];
                let (low, high) = (q << 32, q >> 32);
                let (t1, c) = adc(t[1], q, false);
                let (t2, c) = adc(t[2], 0, c);
                let (t3, c) = adc(t[3], 0, c);
                let (t4, _) = adc(q, 0, c);
                let (t1, b) = sbb(t1, low, false);
                let (t2, b) = sbb(t2, high, b);
                let (t3, b) = sbb(t3, low, b);
                let (t4, _) = sbb(t4, high, b);
                t = [t1, t2, t3, t4];
            }
        }
    }
    t
}

#[inline(always)]
fn reduce<M: Modulus>((low, high): (Limbs, Limbs)) -> Limbs {
    let () = M::CHECKED;
    let (sum, carry) = add_limbs(&reduce_low::<M>(&low), &high);
    subtract_modulus_once::<M>(&sum, carry)
}

/// `Σ aᵢ·bᵢ·R⁻¹ mod m` of at most six products.
///
/// For each limb index, the rows of all products with this limb of `aᵢ` are added to `t`, and one
/// Montgomery step removes the lowest limb of `t`. For `k` products, `t` is below `(k + 1)·m` after
/// each step, and below `(k·m/R + 1)·m` at the end.
#[inline(always)]
fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
    let () = M::CHECKED;
    debug_assert!(terms.len() <= 6);
    let m = &M::MODULUS.0;
    let (mut t0, mut t1, mut t2, mut t3, mut t4) = (0, 0, 0, 0, 0);
    for i in 0..4 {
        let mut t5 = 0;
        for [a, b] in terms {
            let r = row(a[i], b);
            let (s0, c) = adc(t0, r[0], false);
            let (s1, c) = adc(t1, r[1], c);
            let (s2, c) = adc(t2, r[2], c);
            let (s3, c) = adc(t3, r[3], c);
            let (s4, c) = adc(t4, r[4], c);
            (t0, t1, t2, t3, t4) = (s0, s1, s2, s3, s4);
            t5 += u64::from(c);
        }
        let r = row(t0.wrapping_mul(M::M0_NEG_INV), m);
        let (_, c) = adc(t0, r[0], false);
        let (s1, c) = adc(t1, r[1], c);
        let (s2, c) = adc(t2, r[2], c);
        let (s3, c) = adc(t3, r[3], c);
        let (s4, c) = adc(t4, r[4], c);
        (t0, t1, t2, t3, t4) = (s1, s2, s3, s4, t5 + u64::from(c));
    }
    let mut t = [t0, t1, t2, t3, t4];
    // These are needed only if k·m/R may exceed 3, and 1.
    let excess = terms.len() as u128 * (m[3] as u128 + 1);
    if excess > 3 << 64 {
        subtract_multiple::<M, 2>(&mut t);
    }
    if excess > 1 << 64 {
        subtract_multiple::<M, 1>(&mut t);
    }
    let [t0, t1, t2, t3, t4] = t;
    subtract_modulus_once::<M>(&[t0, t1, t2, t3], t4 != 0)
}

/// Subtracts `2^SHIFT·m` from `t`, if the result is not negative.
#[inline(always)]
fn subtract_multiple<M: Modulus, const SHIFT: usize>(t: &mut [u64; 5]) {
    let [m0, m1, m2, m3] = M::MODULUS.0;
    let multiple = [
        m0 << SHIFT,
        (m1 << SHIFT) | (m0 >> (64 - SHIFT)),
        (m2 << SHIFT) | (m1 >> (64 - SHIFT)),
        (m3 << SHIFT) | (m2 >> (64 - SHIFT)),
        m3 >> (64 - SHIFT),
    ]
    .map(value_barrier);
    let (d0, b) = sbb(t[0], multiple[0], false);
    let (d1, b) = sbb(t[1], multiple[1], b);
    let (d2, b) = sbb(t[2], multiple[2], b);
    let (d3, b) = sbb(t[3], multiple[3], b);
    let (d4, b) = sbb(t[4], multiple[4], b);
    let back = mask(b);
    for (t, d) in t.iter_mut().zip([d0, d1, d2, d3, d4]) {
        *t = d ^ (back & (*t ^ d));
    }
}

impl super::sealed::Sealed for Portable64 {}

impl Backend for Portable64 {
    const IMPLEMENTATION: Field = Field::Portable64;

    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        reduce::<M>(product(a, b))
    }

    #[inline]
    fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
        product(a, b).into()
    }

    #[cfg_attr(target_arch = "x86_64", inline(never))]
    #[cfg_attr(not(target_arch = "x86_64"), inline(always))]
    fn square<M: Modulus>(a: &Limbs) -> Limbs {
        reduce::<M>(product_square(a))
    }

    #[inline(never)]
    fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
        dot::<M>(terms)
    }

    #[inline]
    fn redc<M: Modulus>(a: &Limbs) -> Limbs {
        subtract_modulus_once::<M>(&reduce_low::<M>(a), false)
    }

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert::<M, Self>(a)
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert_vartime::<M>(a)
    }
}
