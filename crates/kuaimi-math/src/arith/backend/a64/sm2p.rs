//! Arithmetic modulo SM2's prime, with a reduction without multiplications.
//!
//! `2²⁵⁶ − p = 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1` has the limbs `1`, `2³² − 1`, `0`, `2³²`. Adding it modulo
//! `2²⁵⁶` is subtracting `p`. The two limbs that are not small come in registers, so that the
//! compiler loads them once for many operations.

use super::product::{product, row, square, upper_row};
use crate::arith::u256::Limbs;

/// The second limb of `2²⁵⁶ − p`.
const K1: u64 = 0xFFFF_FFFF;
/// The fourth limb of `2²⁵⁶ − p`.
const K3: u64 = 1 << 32;

/// `t ← (t + q·p)/2¹²⁸` for the `q` below `2¹²⁸` that makes the two lower limbs zero: two
/// Montgomery steps at once. The new limbs are in `t₂, t₃, t₀, t₁`, the least significant first.
///
/// As `−1/p ≡ 1 + 2⁶⁴ − 2⁹⁶ (mod 2¹²⁸)`, the limbs of `q` are `q₀ = t₀` and `q₁ = t₁ − w₀`, where
/// `w₀` is the lowest limb of `W = (2³² − 1)·q`. The lower limbs of `t` are
/// `q·(1 − 2⁶⁴ + 2⁹⁶) = q + 2⁶⁴·W` modulo `2¹²⁸`, and so
///
/// ```text
/// (t + q·p)/2¹²⁸ = (t₂, t₃) + 2¹²⁸·q − 2⁹⁶·q − ⌊(W + q₁)/2⁶⁴⌋.
/// ```
///
/// `W + q₁` has the lowest limb `t₁`, with a carry if that is below `w₀`: this is the borrow that
/// the last chain starts with. `a0`, `a1`, `a2` are the limbs of `2³²·q`, `a3` is `q₁`, and `l`,
/// `b3`, `s` are the limbs of `W`. As the last is below `2³²` and `a0` a multiple of that, their
/// sum is an OR.
macro_rules! two_steps {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal) => {
        concat!(
            "lsl {a0}, {",
            $t0,
            "}, #32\n",
            "subs {l}, {a0}, {",
            $t0,
            "}\n",
            "sub {a3}, {",
            $t1,
            "}, {l}\n",
            "extr {a1}, {a3}, {",
            $t0,
            "}, #32\n",
            "lsr {a2}, {a3}, #32\n",
            "sbcs {b3}, {a1}, {a3}\n",
            "sbc {s}, {a2}, xzr\n",
            "orr {a0}, {a0}, {s}\n",
            "cmp {",
            $t1,
            "}, {l}\n",
            "sbcs {",
            $t2,
            "}, {",
            $t2,
            "}, {b3}\n",
            "sbcs {",
            $t3,
            "}, {",
            $t3,
            "}, {a0}\n",
            "sbcs {",
            $t0,
            "}, {",
            $t0,
            "}, {a1}\n",
            "sbc {",
            $t1,
            "}, {a3}, {a2}\n",
        )
    };
}

/// `t₀…t₃ ← t·R⁻¹`, which is at most `p`.
macro_rules! reduce {
    () => {
        concat!(
            two_steps!("t0", "t1", "t2", "t3"),
            two_steps!("t2", "t3", "t0", "t1"),
        )
    };
}

/// `t₀…t₃ mod p`, for a number below `2p` with its carry in the carry flag: `p` is subtracted if
/// there is a carry, or if adding `2²⁵⁶ − p` gives one.
macro_rules! subtract_once {
    () => {
        concat!(
            "adc {l}, xzr, xzr\n",
            compare_with_p!(),
            "adcs {l}, {l}, xzr\n",
            select!("ne")
        )
    };
}

/// `a₀…a₃ = t + 2²⁵⁶ − p`, and the carry flag.
macro_rules! compare_with_p {
    () => {
        "adds {a0}, {t0}, #1
         adcs {a1}, {t1}, {k1}
         adcs {a2}, {t2}, xzr
         adcs {a3}, {t3}, {k3}
        "
    };
}

/// `t ← a`, if the condition holds.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "csel {t0}, {a0}, {t0}, ",
            $condition,
            "\n",
            "csel {t1}, {a1}, {t1}, ",
            $condition,
            "\n",
            "csel {t2}, {a2}, {t2}, ",
            $condition,
            "\n",
            "csel {t3}, {a3}, {t3}, ",
            $condition,
            "\n",
        )
    };
}

/// `t·R⁻¹ mod p`, for a product `t`.
macro_rules! reduce_product {
    () => {
        concat!(
            reduce!(),
            "adds {t0}, {t0}, {t4}
             adcs {t1}, {t1}, {t5}
             adcs {t2}, {t2}, {t6}
             adcs {t3}, {t3}, {t7}
            ",
            subtract_once!(),
        )
    };
}

/// `a·b·R⁻¹`.
#[inline(always)]
pub(super) fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    let (t0, t1, t2, t3);
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            product!(),
            reduce_product!(),
            a0 = inout(reg) a[0] => _,
            a1 = inout(reg) a[1] => _,
            a2 = inout(reg) a[2] => _,
            a3 = inout(reg) a[3] => _,
            b3 = inout(reg) b[3] => _,
            k1 = in(reg) K1,
            k3 = in(reg) K3,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) _,
            t5 = inout(reg) b[0] => _,
            t6 = inout(reg) b[1] => _,
            t7 = inout(reg) b[2] => _,
            l = out(reg) _,
            s = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// `a²·R⁻¹`.
#[inline(always)]
pub(super) fn square(a: &Limbs) -> Limbs {
    let (t0, t1, t2, t3);
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            square!(),
            reduce_product!(),
            a0 = inout(reg) a[0] => _,
            a1 = inout(reg) a[1] => _,
            a2 = inout(reg) a[2] => _,
            a3 = inout(reg) a[3] => _,
            b3 = out(reg) _,
            k1 = in(reg) K1,
            k3 = in(reg) K3,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) _,
            t5 = out(reg) _,
            t6 = out(reg) _,
            t7 = out(reg) _,
            l = out(reg) _,
            s = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// `a·R⁻¹`.
#[inline(always)]
pub(super) fn redc(a: &Limbs) -> Limbs {
    let [mut t0, mut t1, mut t2, mut t3] = *a;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            reduce!(),
            compare_with_p!(),
            select!("cs"),
            k1 = in(reg) K1,
            k3 = in(reg) K3,
            t0 = inout(reg) t0,
            t1 = inout(reg) t1,
            t2 = inout(reg) t2,
            t3 = inout(reg) t3,
            a0 = out(reg) _,
            a1 = out(reg) _,
            a2 = out(reg) _,
            a3 = out(reg) _,
            b3 = out(reg) _,
            l = out(reg) _,
            s = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// `a + b mod p`.
#[inline(always)]
pub(super) fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let (t0, t1, t2, t3);
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "adds {t0}, {a0}, {b0}",
            "adcs {t1}, {a1}, {b1}",
            "adcs {t2}, {a2}, {b2}",
            "adcs {t3}, {a3}, {b3}",
            subtract_once!(),
            a0 = inout(reg) a[0] => _,
            a1 = inout(reg) a[1] => _,
            a2 = inout(reg) a[2] => _,
            a3 = inout(reg) a[3] => _,
            b0 = in(reg) b[0],
            b1 = in(reg) b[1],
            b2 = in(reg) b[2],
            b3 = in(reg) b[3],
            k1 = in(reg) K1,
            k3 = in(reg) K3,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// `2a mod p`.
#[inline(always)]
pub(super) fn double(a: &Limbs) -> Limbs {
    let [mut t0, mut t1, mut t2, mut t3] = *a;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "adds {t0}, {t0}, {t0}",
            "adcs {t1}, {t1}, {t1}",
            "adcs {t2}, {t2}, {t2}",
            "adcs {t3}, {t3}, {t3}",
            subtract_once!(),
            k1 = in(reg) K1,
            k3 = in(reg) K3,
            t0 = inout(reg) t0,
            t1 = inout(reg) t1,
            t2 = inout(reg) t2,
            t3 = inout(reg) t3,
            a0 = out(reg) _,
            a1 = out(reg) _,
            a2 = out(reg) _,
            a3 = out(reg) _,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// `a − b mod p`: if the difference borrows, `p` is added. Its limbs `−1`, `−2³²`, `−1`,
/// `2⁶⁴ − 2³² − 1` are those of a mask with some bits cleared.
#[inline(always)]
pub(super) fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    let (t0, t1, t2, t3);
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "subs {t0}, {a0}, {b0}",
            "sbcs {t1}, {a1}, {b1}",
            "sbcs {t2}, {a2}, {b2}",
            "sbcs {t3}, {a3}, {b3}",
            "csetm {l}, cc", // carry clear: a borrow
            "and {k1}, {l}, #0xFFFFFFFF00000000",
            "and {k3}, {l}, #0xFFFFFFFEFFFFFFFF",
            "adds {t0}, {t0}, {l}",
            "adcs {t1}, {t1}, {k1}",
            "adcs {t2}, {t2}, {l}",
            "adc {t3}, {t3}, {k3}",
            a0 = in(reg) a[0],
            a1 = in(reg) a[1],
            a2 = in(reg) a[2],
            a3 = in(reg) a[3],
            b0 = in(reg) b[0],
            b1 = in(reg) b[1],
            b2 = in(reg) b[2],
            b3 = in(reg) b[3],
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            l = out(reg) _,
            k1 = out(reg) _,
            k3 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t0, t1, t2, t3]
}

/// `a / 2 mod p`: `a + p` is shifted if `a` is odd.
#[inline(always)]
pub(super) fn half(a: &Limbs) -> Limbs {
    let [mut t0, mut t1, mut t2, mut t3] = *a;
    // SAFETY: registers only.
    unsafe {
        core::arch::asm!(
            "sbfx {l}, {t0}, #0, #1", // all ones for an odd number
            "and {k1}, {l}, #0xFFFFFFFF00000000",
            "and {k3}, {l}, #0xFFFFFFFEFFFFFFFF",
            "adds {t0}, {t0}, {l}",
            "adcs {t1}, {t1}, {k1}",
            "adcs {t2}, {t2}, {l}",
            "adcs {t3}, {t3}, {k3}",
            "adc {l}, xzr, xzr",
            "extr {t0}, {t1}, {t0}, #1",
            "extr {t1}, {t2}, {t1}, #1",
            "extr {t2}, {t3}, {t2}, #1",
            "extr {t3}, {l}, {t3}, #1",
            t0 = inout(reg) t0,
            t1 = inout(reg) t1,
            t2 = inout(reg) t2,
            t3 = inout(reg) t3,
            l = out(reg) _,
            k1 = out(reg) _,
            k3 = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [t0, t1, t2, t3]
}
