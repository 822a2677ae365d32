//! Montgomery products modulo any [`Modulus`](crate::arith::Modulus).

use super::super::constants::Constants;
use super::super::subtract_modulus_once;
use super::product::{product, row, square, upper_row};
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// `t ← (t + q·m)/2⁶⁴`, where `q = −t₀/m mod 2⁶⁴` makes the lowest limb zero. The new limbs are in
/// `t₁, t₂, t₃, t₀`, the least significant first. `a0`–`a3` is the modulus, `k` is `−1/m mod 2⁶⁴`,
/// and `b3` is `q`. `q·m₀` is not computed: its lower half is `−t₀`, and the sum has a carry unless
/// `t₀` is zero.
macro_rules! step {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal) => {
        concat!(
            "mul {b3}, {",
            $t0,
            "}, {k}\n",
            "cmp {",
            $t0,
            "}, #1\n",
            "mul {l}, {a1}, {b3}\n",
            "adcs {",
            $t1,
            "}, {",
            $t1,
            "}, {l}\n",
            "mul {l}, {a2}, {b3}\n",
            "adcs {",
            $t2,
            "}, {",
            $t2,
            "}, {l}\n",
            "mul {l}, {a3}, {b3}\n",
            "adcs {",
            $t3,
            "}, {",
            $t3,
            "}, {l}\n",
            "umulh {",
            $t0,
            "}, {a3}, {b3}\n",
            "adc {",
            $t0,
            "}, {",
            $t0,
            "}, xzr\n",
            upper_row!("a0", "a1", "a2", "b3", $t1, $t2, $t3, $t0),
        )
    };
}

/// `t₀…t₃ ← t·R⁻¹`, which is at most `m`. `k` is the address of the modulus.
macro_rules! reduce {
    () => {
        concat!(
            "ldp {a0}, {a1}, [{k}]
             ldp {a2}, {a3}, [{k}, #16]
             ldr {k}, [{k}, #40]
            ",
            step!("t0", "t1", "t2", "t3"),
            step!("t1", "t2", "t3", "t0"),
            step!("t2", "t3", "t0", "t1"),
            step!("t3", "t0", "t1", "t2"),
        )
    };
}

/// `t·R⁻¹ mod m`, for a product `t`.
macro_rules! reduce_product {
    () => {
        concat!(
            reduce!(),
            // The upper half, and the carry.
            "adds {t0}, {t0}, {t4}
             adcs {t1}, {t1}, {t5}
             adcs {t2}, {t2}, {t6}
             adcs {t3}, {t3}, {t7}
             adc {l}, xzr, xzr
            ",
            // Subtract m, unless the result is negative.
            "subs {a0}, {t0}, {a0}
             sbcs {a1}, {t1}, {a1}
             sbcs {a2}, {t2}, {a2}
             sbcs {a3}, {t3}, {a3}
             sbcs xzr, {l}, xzr
             csel {t0}, {a0}, {t0}, cs
             csel {t1}, {a1}, {t1}, cs
             csel {t2}, {a2}, {t2}, cs
             csel {t3}, {a3}, {t3}, cs
            ",
        )
    };
}

/// `a·b·R⁻¹`.
#[inline(always)]
pub(super) fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
    let () = M::CHECKED;
    let (t0, t1, t2, t3);
    // SAFETY: reads the modulus and `−1/m` at the pointer.
    unsafe {
        core::arch::asm!(
            product!(),
            reduce_product!(),
            a0 = inout(reg) a[0] => _,
            a1 = inout(reg) a[1] => _,
            a2 = inout(reg) a[2] => _,
            a3 = inout(reg) a[3] => _,
            b3 = inout(reg) b[3] => _,
            k = inout(reg) Constants::<M>::modulus() => _,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) _,
            t5 = inout(reg) b[0] => _,
            t6 = inout(reg) b[1] => _,
            t7 = inout(reg) b[2] => _,
            l = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// `a²·R⁻¹`.
#[inline(always)]
pub(super) fn square<M: Modulus>(a: &Limbs) -> Limbs {
    let () = M::CHECKED;
    let (t0, t1, t2, t3);
    // SAFETY: reads the modulus and `−1/m` at the pointer.
    unsafe {
        core::arch::asm!(
            square!(),
            reduce_product!(),
            a0 = inout(reg) a[0] => _,
            a1 = inout(reg) a[1] => _,
            a2 = inout(reg) a[2] => _,
            a3 = inout(reg) a[3] => _,
            b3 = out(reg) _,
            k = inout(reg) Constants::<M>::modulus() => _,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) _,
            t5 = out(reg) _,
            t6 = out(reg) _,
            t7 = out(reg) _,
            l = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// The lower and the upper half of `a·b`.
#[inline(always)]
pub(super) fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    let (t0, t1, t2, t3, t4, t5, t6, t7);
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            product!(),
            a0 = in(reg) a[0],
            a1 = in(reg) a[1],
            a2 = in(reg) a[2],
            a3 = in(reg) a[3],
            b3 = in(reg) b[3],
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) t4,
            t5 = inout(reg) b[0] => t5,
            t6 = inout(reg) b[1] => t6,
            t7 = inout(reg) b[2] => t7,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [[t0, t1, t2, t3], [t4, t5, t6, t7]]
}

/// `a·R⁻¹`.
#[inline]
pub(super) fn redc<M: Modulus>(a: &Limbs) -> Limbs {
    subtract_modulus_once::<M>(&reduce_low::<M>(a), false)
}

/// `t·R⁻¹`, at most `m`.
#[inline(always)]
pub(super) fn reduce_low<M: Modulus>(t: &Limbs) -> Limbs {
    let () = M::CHECKED;
    let [mut t0, mut t1, mut t2, mut t3] = *t;
    // SAFETY: reads the modulus and `−1/m` at the pointer.
    unsafe {
        core::arch::asm!(
            reduce!(),
            k = inout(reg) Constants::<M>::modulus() => _,
            a0 = out(reg) _,
            a1 = out(reg) _,
            a2 = out(reg) _,
            a3 = out(reg) _,
            b3 = out(reg) _,
            l = out(reg) _,
            t0 = inout(reg) t0,
            t1 = inout(reg) t1,
            t2 = inout(reg) t2,
            t3 = inout(reg) t3,
            options(pure, readonly, nostack),
        );
    }
    [t0, t1, t2, t3]
}
