//! Sums of `k` products with one reduction: `Σ aᵢ·bᵢ·R⁻¹ mod m`.
//!
//! The products of eight limbs are added in nine. Four Montgomery steps remove the four lower
//! limbs, and leave less than `(k·m/R + 1)·m`. Multiples of `m` are then subtracted, each only if
//! the result is not negative.

use super::super::assembly::subtract_multiples;
use super::super::constants::Constants;
use super::montgomery::{self, reduce_low};
use super::product::{product, row, upper_row};
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// `(low, high, top) + a·b`.
#[inline(always)]
fn add_product([low, high]: &mut [Limbs; 2], top: &mut u64, a: &Limbs, b: &Limbs) {
    let [l0, l1, l2, l3] = low;
    let [h0, h1, h2, h3] = high;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            product!(),
            "adds {s0}, {s0}, {t0}",
            "adcs {s1}, {s1}, {t1}",
            "adcs {s2}, {s2}, {t2}",
            "adcs {s3}, {s3}, {t3}",
            "adcs {s4}, {s4}, {t4}",
            "adcs {s5}, {s5}, {t5}",
            "adcs {s6}, {s6}, {t6}",
            "adcs {s7}, {s7}, {t7}",
            "adc {s8}, {s8}, xzr",
            a0 = in(reg) a[0],
            a1 = in(reg) a[1],
            a2 = in(reg) a[2],
            a3 = in(reg) a[3],
            b3 = in(reg) b[3],
            s0 = inout(reg) *l0,
            s1 = inout(reg) *l1,
            s2 = inout(reg) *l2,
            s3 = inout(reg) *l3,
            s4 = inout(reg) *h0,
            s5 = inout(reg) *h1,
            s6 = inout(reg) *h2,
            s7 = inout(reg) *h3,
            s8 = inout(reg) *top,
            t0 = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = out(reg) _,
            t4 = out(reg) _,
            t5 = inout(reg) b[0] => _,
            t6 = inout(reg) b[1] => _,
            t7 = inout(reg) b[2] => _,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
}

/// `Σ aᵢ·bᵢ·R⁻¹ mod m` of at most six terms. It is never inlined, as its code is long. The number
/// of terms is public.
#[inline(never)]
pub(super) fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
    debug_assert!(terms.len() <= 6);
    let Some(([a, b], others)) = terms.split_first() else {
        return [0; 4];
    };
    let mut product = montgomery::product(a, b);
    let mut top = 0;
    for [a, b] in others {
        add_product(&mut product, &mut top, a, b);
    }
    let [low, high] = product;
    let t = add_high(reduce_low::<M>(&low), &high, top);
    let subtract = [
        subtract_multiple::<M, 0>,
        subtract_multiple::<M, 1>,
        subtract_multiple::<M, 2>,
    ];
    subtract_multiples::<M>(terms.len(), t, subtract)
}

/// `t + high + top·2²⁵⁶`.
#[inline(always)]
fn add_high(t: Limbs, high: &Limbs, top: u64) -> [u64; 5] {
    let [mut t0, mut t1, mut t2, mut t3] = t;
    let mut t4 = top;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "adds {t0}, {t0}, {h0}",
            "adcs {t1}, {t1}, {h1}",
            "adcs {t2}, {t2}, {h2}",
            "adcs {t3}, {t3}, {h3}",
            "adc {t4}, {t4}, xzr",
            t0 = inout(reg) t0,
            t1 = inout(reg) t1,
            t2 = inout(reg) t2,
            t3 = inout(reg) t3,
            t4 = inout(reg) t4,
            h0 = in(reg) high[0],
            h1 = in(reg) high[1],
            h2 = in(reg) high[2],
            h3 = in(reg) high[3],
            options(pure, nomem, nostack),
        );
    }
    [t0, t1, t2, t3, t4]
}

/// `t` minus the multiple of `m` at index `PLACE` of the constants (`4m`, `2m`, `m`); `t` if that
/// is negative.
#[inline(always)]
fn subtract_multiple<M: Modulus, const PLACE: usize>(t: [u64; 5]) -> [u64; 5] {
    let [mut t0, mut t1, mut t2, mut t3, mut t4] = t;
    // SAFETY: reads five words at the pointer, as many as a multiple has.
    unsafe {
        core::arch::asm!(
            "ldp {s0}, {s1}, [{s4}]",
            "ldp {s2}, {s3}, [{s4}, #16]",
            "ldr {s4}, [{s4}, #32]",
            "subs {s0}, {t0}, {s0}",
            "sbcs {s1}, {t1}, {s1}",
            "sbcs {s2}, {t2}, {s2}",
            "sbcs {s3}, {t3}, {s3}",
            "sbcs {s4}, {t4}, {s4}",
            "csel {t0}, {s0}, {t0}, cs",
            "csel {t1}, {s1}, {t1}, cs",
            "csel {t2}, {s2}, {t2}, cs",
            "csel {t3}, {s3}, {t3}, cs",
            "csel {t4}, {s4}, {t4}, cs",
            s0 = out(reg) _,
            s1 = out(reg) _,
            s2 = out(reg) _,
            s3 = out(reg) _,
            s4 = inout(reg) Constants::<M>::multiple::<PLACE>() => _,
            t0 = inout(reg) t0,
            t1 = inout(reg) t1,
            t2 = inout(reg) t2,
            t3 = inout(reg) t3,
            t4 = inout(reg) t4,
            options(pure, readonly, nostack),
        );
    }
    [t0, t1, t2, t3, t4]
}
