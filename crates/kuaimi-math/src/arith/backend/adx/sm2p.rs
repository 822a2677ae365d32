//! Arithmetic modulo SM2's prime, with a reduction without multiplications.

use super::product::{first_row, row, square};
use super::sm2p_text::step;
use crate::arith::u256::Limbs;

macro_rules! reduce {
    () => {
        concat!(
            "mov edx, 32\n",
            step!("t0", "t1", "t2", "t3", "a0", "a1"),
            step!("t1", "t2", "t3", "t0", "a0", "a1"),
            step!("t2", "t3", "t0", "t1", "a0", "a1"),
            step!("t3", "t0", "t1", "t2", "a0", "a1"),
            // The upper half, and the carry.
            "mov {l:e}, 0\n",
            "add {t0}, {t4}\n",
            "adc {t1}, {t5}\n",
            "adc {t2}, {t6}\n",
            "adc {t3}, {t7}\n",
            "adc {l}, 0\n",
            subtract!(),
        )
    };
}

/// `a ← l·2²⁵⁶ + t mod p`, for a number below `2p`: `p` is subtracted unless the result is
/// negative.
macro_rules! subtract {
    () => {
        "mov {t5}, 0xFFFFFFFF00000000
         mov {t7}, 0xFFFFFFFEFFFFFFFF
         mov {a0}, {t0}
         mov {a1}, {t1}
         mov {a2}, {t2}
         mov {a3}, {t3}
         sub {a0}, -1
         sbb {a1}, {t5}
         sbb {a2}, -1
         sbb {a3}, {t7}
         sbb {l}, 0
         cmovc {a0}, {t0}
         cmovc {a1}, {t1}
         cmovc {a2}, {t2}
         cmovc {a3}, {t3}"
    };
}

#[cfg_attr(not(kuaimi_frame_pointers), inline(always))]
#[cfg_attr(kuaimi_frame_pointers, inline(never))]
pub(super) fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Registers only.
    unsafe {
        core::arch::asm!(
            first_row!(),
            row!("t1", "t2", "t3", "t4", "t5"),
            row!("t2", "t3", "t4", "t5", "t6"),
            row!("t3", "t4", "t5", "t6", "t7"),
            reduce!(),
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            inout("rdx") b[0] => _,
            t0 = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = out(reg) _,
            t4 = out(reg) _,
            t5 = inout(reg) b[1] => _,
            t6 = inout(reg) b[2] => _,
            t7 = inout(reg) b[3] => _,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

#[cfg_attr(not(kuaimi_frame_pointers), inline(always))]
#[cfg_attr(kuaimi_frame_pointers, inline(never))]
pub(super) fn square(a: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Registers only.
    unsafe {
        core::arch::asm!(
            square!(),
            reduce!(),
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            out("rdx") _,
            t0 = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = out(reg) _,
            t4 = out(reg) _,
            t5 = out(reg) _,
            t6 = out(reg) _,
            t7 = out(reg) _,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `a·R⁻¹`.
#[inline(always)]
pub(super) fn redc(a: &Limbs) -> Limbs {
    let [t0, t1, t2, t3] = *a;
    let (a0, a1, a2, a3);
    // SAFETY: `Adx` is used only on CPUs with BMI2. Registers only.
    unsafe {
        core::arch::asm!(
            "mov edx, 32",
            step!("t0", "t1", "t2", "t3", "a0", "a1"),
            step!("t1", "t2", "t3", "t0", "a0", "a1"),
            step!("t2", "t3", "t0", "t1", "a0", "a1"),
            step!("t3", "t0", "t1", "t2", "a0", "a1"),
            "mov {l:e}, 0",
            subtract!(),
            a0 = out(reg) a0,
            a1 = out(reg) a1,
            a2 = out(reg) a2,
            a3 = out(reg) a3,
            out("rdx") _,
            t0 = inout(reg) t0 => _,
            t1 = inout(reg) t1 => _,
            t2 = inout(reg) t2 => _,
            t3 = inout(reg) t3 => _,
            t5 = out(reg) _,
            t7 = out(reg) _,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `a ← a mod p`, for a number below `2p` with a carry; `l` is −1 for the carry. As `subtract!`,
/// with the copies in `b₀, …, b₃`.
macro_rules! subtract_once {
    () => {
        "mov {k1}, 0xFFFFFFFF00000000
         mov {k3}, 0xFFFFFFFEFFFFFFFF
         mov {b0}, {a0}
         mov {b1}, {a1}
         mov {b2}, {a2}
         mov {b3}, {a3}
         sub {a0}, -1
         sbb {a1}, {k1}
         sbb {a2}, -1
         sbb {a3}, {k3}
         sbb {l}, 0
         cmovc {a0}, {b0}
         cmovc {a1}, {b1}
         cmovc {a2}, {b2}
         cmovc {a3}, {b3}"
    };
}

#[inline(always)]
pub(super) fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "add {a0}, {b0}",
            "adc {a1}, {b1}",
            "adc {a2}, {b2}",
            "adc {a3}, {b3}",
            "sbb {l}, {l}",
            subtract_once!(),
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = inout(reg) b[0] => _,
            b1 = inout(reg) b[1] => _,
            b2 = inout(reg) b[2] => _,
            b3 = inout(reg) b[3] => _,
            k1 = out(reg) _,
            k3 = out(reg) _,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `2a mod p`. The compiler would use double shifts, which are slow on many CPUs.
#[inline(always)]
pub(super) fn double(a: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "add {a0}, {a0}",
            "adc {a1}, {a1}",
            "adc {a2}, {a2}",
            "adc {a3}, {a3}",
            "sbb {l}, {l}",
            subtract_once!(),
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = out(reg) _,
            b1 = out(reg) _,
            b2 = out(reg) _,
            b3 = out(reg) _,
            k1 = out(reg) _,
            k3 = out(reg) _,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `a − b mod p`: if the difference borrows, `2²⁵⁶ − p = 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1` is subtracted modulo
/// `2²⁵⁶`. The 1 is the borrow itself.
#[inline(always)]
pub(super) fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "sub {a0}, {b0}",
            "sbb {a1}, {b1}",
            "sbb {a2}, {b2}",
            "sbb {a3}, {b3}",
            "sbb {l}, {l}",
            "mov {h:e}, {l:e}", // 2³² − 1 in the second limb
            "sbb {a0}, 0",
            "sbb {a1}, {h}",
            "sbb {a2}, 0",
            "sbb {a3}, 0",
            "shl {l}, 32", // −2³² in the last limb
            "add {a3}, {l}",
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = in(reg) b[0],
            b1 = in(reg) b[1],
            b2 = in(reg) b[2],
            b3 = in(reg) b[3],
            l = out(reg) _,
            h = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// `a / 2 mod p`: `a` is shifted right, and `(p + 1)/2` is added if the bit shifted out is 1. RCR
/// shifts through the carry flag.
#[inline(always)]
pub(super) fn half(a: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "mov {k}, 0x7FFFFFFF7FFFFFFF",
            "shr {a3}, 1",
            "rcr {a2}, 1",
            "rcr {a1}, 1",
            "rcr {a0}, 1",
            "sbb {l}, {l}",
            "and {k}, {l}",
            "mov {x}, {l}",
            "mov {y}, {l}",
            "shl {x}, 63",
            "shl {y}, 31",
            "add {a0}, {x}",
            "adc {a1}, {y}",
            "adc {a2}, {l}",
            "adc {a3}, {k}",
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            k = out(reg) _,
            l = out(reg) _,
            x = out(reg) _,
            y = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}
