//! Sums, differences and halves modulo any [`Modulus`].
//!
//! The modulus stays in memory, and conditional moves are used instead of masks. This is about half
//! as many instructions as the compiler makes of the portable code, as that loads the constants
//! again each time.

use super::super::constants::Constants;
/// Halves are plain Rust.
pub(super) use super::super::half;
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// `a ← carry·2²⁵⁶ + a mod m`, for a number below `2m` with its carry in the carry flag. `b0`–`b3`
/// and `l` are scratch registers.
macro_rules! subtract_once {
    () => {
        "mov {l:e}, 0
         adc {l}, 0
         mov {b0}, {a0}
         mov {b1}, {a1}
         mov {b2}, {a2}
         mov {b3}, {a3}
         sub {a0}, [{m}]
         sbb {a1}, [{m} + 8]
         sbb {a2}, [{m} + 16]
         sbb {a3}, [{m} + 24]
         sbb {l}, 0
         cmovc {a0}, {b0}
         cmovc {a1}, {b1}
         cmovc {a2}, {b2}
         cmovc {a3}, {b3}"
    };
}

/// `a + b mod m`.
#[inline(always)]
pub(super) fn add<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: reads the modulus at the pointer.
    unsafe {
        core::arch::asm!(
            "add {a0}, {b0}",
            "adc {a1}, {b1}",
            "adc {a2}, {b2}",
            "adc {a3}, {b3}",
            subtract_once!(),
            m = in(reg) Constants::<M>::modulus(),
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = inout(reg) b[0] => _,
            b1 = inout(reg) b[1] => _,
            b2 = inout(reg) b[2] => _,
            b3 = inout(reg) b[3] => _,
            l = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `2a mod m`.
#[inline(always)]
pub(super) fn double<M: Modulus>(a: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: reads the modulus at the pointer.
    unsafe {
        core::arch::asm!(
            "add {a0}, {a0}",
            "adc {a1}, {a1}",
            "adc {a2}, {a2}",
            "adc {a3}, {a3}",
            subtract_once!(),
            m = in(reg) Constants::<M>::modulus(),
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = out(reg) _,
            b1 = out(reg) _,
            b2 = out(reg) _,
            b3 = out(reg) _,
            l = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `2(m − a)`, minus `m` if that is not negative: `−2a mod m`, but `m` for 0.
#[inline(always)]
pub(super) fn minus_twice<M: Modulus>(a: &Limbs) -> Limbs {
    let (a0, a1, a2, a3);
    // SAFETY: reads the modulus at the pointer.
    unsafe {
        core::arch::asm!(
            "mov {a0}, [{m}]",
            "mov {a1}, [{m} + 8]",
            "mov {a2}, [{m} + 16]",
            "mov {a3}, [{m} + 24]",
            "sub {a0}, {b0}",
            "sbb {a1}, {b1}",
            "sbb {a2}, {b2}",
            "sbb {a3}, {b3}",
            "add {a0}, {a0}",
            "adc {a1}, {a1}",
            "adc {a2}, {a2}",
            "adc {a3}, {a3}",
            subtract_once!(),
            m = in(reg) Constants::<M>::modulus(),
            a0 = out(reg) a0,
            a1 = out(reg) a1,
            a2 = out(reg) a2,
            a3 = out(reg) a3,
            b0 = inout(reg) a[0] => _,
            b1 = inout(reg) a[1] => _,
            b2 = inout(reg) a[2] => _,
            b3 = inout(reg) a[3] => _,
            l = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `a − b mod m`.
#[inline(always)]
pub(super) fn sub<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: reads the modulus at the pointer.
    unsafe {
        core::arch::asm!(
            "sub {a0}, {b0}",
            "sbb {a1}, {b1}",
            "sbb {a2}, {b2}",
            "sbb {a3}, {b3}",
            "sbb {l}, {l}", // all ones if the difference is negative
            "mov {b0}, [{m}]",
            "mov {b1}, [{m} + 8]",
            "mov {b2}, [{m} + 16]",
            "mov {b3}, [{m} + 24]",
            "and {b0}, {l}",
            "and {b1}, {l}",
            "and {b2}, {l}",
            "and {b3}, {l}",
            "add {a0}, {b0}",
            "adc {a1}, {b1}",
            "adc {a2}, {b2}",
            "adc {a3}, {b3}",
            m = in(reg) Constants::<M>::modulus(),
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = inout(reg) b[0] => _,
            b1 = inout(reg) b[1] => _,
            b2 = inout(reg) b[2] => _,
            b3 = inout(reg) b[3] => _,
            l = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [a0, a1, a2, a3]
}
