//! 64-bit limbs and 128-bit products, in plain Rust.
//!
//! A product is eight limbs; its lower four are then removed by four Montgomery steps. As each step leaves less than
//! `2¹⁹² + m < 2²⁵⁶`, they need no fifth limb, and the upper half is added once at the end.

use super::{Backend, subtract_modulus_once};
use crate::arith::divsteps::d62;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::{Limbs, adc, add_limbs, sbb};

/// Rust on 64-bit limbs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Portable64;

/// `acc + a·b + carry`: low word and high word. Cannot overflow.
#[inline(always)]
const fn mac(acc: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let wide = acc as u128 + (a as u128) * (b as u128) + carry as u128;
    (wide as u64, (wide >> 64) as u64)
}

/// The eight limbs of `a·b`, row by row.
#[inline(always)]
fn product(a: &Limbs, b: &Limbs) -> (Limbs, Limbs) {
    let (t0, c) = mac(0, a[0], b[0], 0);
    let (t1, c) = mac(0, a[0], b[1], c);
    let (t2, c) = mac(0, a[0], b[2], c);
    let (t3, t4) = mac(0, a[0], b[3], c);

    let (t1, c) = mac(t1, a[1], b[0], 0);
    let (t2, c) = mac(t2, a[1], b[1], c);
    let (t3, c) = mac(t3, a[1], b[2], c);
    let (t4, t5) = mac(t4, a[1], b[3], c);

    let (t2, c) = mac(t2, a[2], b[0], 0);
    let (t3, c) = mac(t3, a[2], b[1], c);
    let (t4, c) = mac(t4, a[2], b[2], c);
    let (t5, t6) = mac(t5, a[2], b[3], c);

    let (t3, c) = mac(t3, a[3], b[0], 0);
    let (t4, c) = mac(t4, a[3], b[1], c);
    let (t5, c) = mac(t5, a[3], b[2], c);
    let (t6, t7) = mac(t6, a[3], b[3], c);

    ([t0, t1, t2, t3], [t4, t5, t6, t7])
}

/// The eight limbs of `a²`: the six products off the diagonal once, doubled, and the four squares.
#[inline(always)]
fn product_square(a: &Limbs) -> (Limbs, Limbs) {
    let (t1, c) = mac(0, a[0], a[1], 0);
    let (t2, c) = mac(0, a[0], a[2], c);
    let (t3, t4) = mac(0, a[0], a[3], c);
    let (t3, c) = mac(t3, a[1], a[2], 0);
    let (t4, t5) = mac(t4, a[1], a[3], c);
    let (t5, t6) = mac(t5, a[2], a[3], 0);

    let t7 = t6 >> 63;
    let t6 = (t6 << 1) | (t5 >> 63);
    let t5 = (t5 << 1) | (t4 >> 63);
    let t4 = (t4 << 1) | (t3 >> 63);
    let t3 = (t3 << 1) | (t2 >> 63);
    let t2 = (t2 << 1) | (t1 >> 63);
    let t1 = t1 << 1;

    let (s0, h0) = mac(0, a[0], a[0], 0);
    let (s1, h1) = mac(0, a[1], a[1], 0);
    let (s2, h2) = mac(0, a[2], a[2], 0);
    let (s3, h3) = mac(0, a[3], a[3], 0);
    let (t1, c) = adc(t1, h0, false);
    let (t2, c) = adc(t2, s1, c);
    let (t3, c) = adc(t3, h1, c);
    let (t4, c) = adc(t4, s2, c);
    let (t5, c) = adc(t5, h2, c);
    let (t6, c) = adc(t6, s3, c);
    let (t7, _) = adc(t7, h3, c);
    ([s0, t1, t2, t3], [t4, t5, t6, t7])
}

/// `low·R⁻¹` up to one multiple of `m`: four steps of `t ← (t + q·m) / 2⁶⁴`, where `q` makes the low limb vanish.
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
                // (t + q·m)/2⁶⁴ with q = t₀: q·m = q·2²⁵⁶ − (q·2³²)·2¹⁹² − (q·2³²)·2⁶⁴ + q·2⁶⁴ − q.
                let q = t[0];
                let (low, high) = (q << 32, q >> 32);
                let (d0, b) = sbb(q, low, false);
                let (d1, b) = sbb(0, high, b);
                let (d2, b) = sbb(0, low, b);
                let (d3, _) = sbb(q, high, b);
                let (t1, c) = adc(t[1], d0, false);
                let (t2, c) = adc(t[2], d1, c);
                let (t3, c) = adc(t[3], d2, c);
                let (t4, _) = adc(0, d3, c);
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

impl Backend for Portable64 {
    const NAME: &'static str = "portable64";

    #[inline]
    fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        reduce::<M>(product(a, b))
    }

    #[inline]
    fn square<M: Modulus>(a: &Limbs) -> Limbs {
        reduce::<M>(product_square(a))
    }

    #[inline]
    fn redc<M: Modulus>(a: &Limbs) -> Limbs {
        subtract_modulus_once::<M>(&reduce_low::<M>(a), false)
    }

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert::<M>(a)
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        d62::invert_vartime::<M>(a)
    }
}
