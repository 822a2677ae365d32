//! Montgomery products modulo any [`Modulus`](crate::arith::Modulus).

use super::super::constants::Constants;
use super::product::{first_row, row, square};
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// `t ← (t + q·m)/2⁶⁴`, where `q = −t₀/m mod 2⁶⁴` makes the lowest limb zero. The new limbs are in
/// `t₁, t₂, t₃, t₀`, the least significant first. `a0` points to the modulus, followed by a zero
/// and `−1/m mod 2⁶⁴`; `a1` and `l` are scratch registers.
macro_rules! step {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal) => {
        concat!(
            "mov rdx, {",
            $t0,
            "}\n",
            "imul rdx, [{a0} + 40]\n",
            "xor {l:e}, {l:e}\n", // clears both carries
            "mulx {a1}, {l}, [{a0}]\n",
            "adcx {",
            $t0,
            "}, {l}\n", // leaves 0
            "adox {",
            $t1,
            "}, {a1}\n",
            "mulx {a1}, {l}, [{a0} + 8]\n",
            "adcx {",
            $t1,
            "}, {l}\n",
            "adox {",
            $t2,
            "}, {a1}\n",
            "mulx {a1}, {l}, [{a0} + 16]\n",
            "adcx {",
            $t2,
            "}, {l}\n",
            "adox {",
            $t3,
            "}, {a1}\n",
            "mulx {a1}, {l}, [{a0} + 24]\n",
            "adcx {",
            $t3,
            "}, {l}\n",
            "adox {",
            $t0,
            "}, {a1}\n",
            "mov {l:e}, 0\n",
            "adcx {",
            $t0,
            "}, {l}\n",
        )
    };
}

#[inline(always)]
pub(super) fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
    let [low, high] = product(a, b);
    reduce::<M>(low, high)
}

/// The lower and the upper half of `a·b`.
#[cfg_attr(not(kuaimi_frame_pointers), inline(always))]
#[cfg_attr(kuaimi_frame_pointers, inline(never))]
pub(super) fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
    let (t0, t1, t2, t3, t4, t5, t6, t7);
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Registers only.
    unsafe {
        core::arch::asm!(
            first_row!(),
            row!("t1", "t2", "t3", "t4", "t5"),
            row!("t2", "t3", "t4", "t5", "t6"),
            row!("t3", "t4", "t5", "t6", "t7"),
            a0 = in(reg) a[0],
            a1 = in(reg) a[1],
            a2 = in(reg) a[2],
            a3 = in(reg) a[3],
            inout("rdx") b[0] => _,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) t4,
            t5 = inout(reg) b[1] => t5,
            t6 = inout(reg) b[2] => t6,
            t7 = inout(reg) b[3] => t7,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [[t0, t1, t2, t3], [t4, t5, t6, t7]]
}

#[cfg_attr(not(kuaimi_frame_pointers), inline(always))]
#[cfg_attr(kuaimi_frame_pointers, inline(never))]
pub(super) fn square<M: Modulus>(a: &Limbs) -> Limbs {
    let (t0, t1, t2, t3, t4, t5, t6, t7);
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Registers only.
    unsafe {
        core::arch::asm!(
            square!(),
            a0 = inout(reg) a[0] => _,
            a1 = in(reg) a[1],
            a2 = in(reg) a[2],
            a3 = in(reg) a[3],
            out("rdx") _,
            t0 = out(reg) t0,
            t1 = out(reg) t1,
            t2 = out(reg) t2,
            t3 = out(reg) t3,
            t4 = out(reg) t4,
            t5 = out(reg) t5,
            t6 = out(reg) t6,
            t7 = out(reg) t7,
            l = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    reduce::<M>([t0, t1, t2, t3], [t4, t5, t6, t7])
}

#[inline(always)]
pub(super) fn redc<M: Modulus>(a: &Limbs) -> Limbs {
    reduce::<M>(*a, [0; 4])
}

/// `t·R⁻¹ mod m` for `t = (low, high) < m·2²⁵⁶`.
#[inline(always)]
fn reduce<M: Modulus>(low: Limbs, high: Limbs) -> Limbs {
    let () = M::CHECKED;
    let [mut t0, mut t1, mut t2, mut t3] = low;
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Reads the modulus and `−1/m` at the
    // pointer.
    unsafe {
        core::arch::asm!(
            step!("t0", "t1", "t2", "t3"),
            step!("t1", "t2", "t3", "t0"),
            step!("t2", "t3", "t0", "t1"),
            step!("t3", "t0", "t1", "t2"),
            // The upper half, and the carry.
            "mov {l:e}, 0",
            "add {t0}, {t4}",
            "adc {t1}, {t5}",
            "adc {t2}, {t6}",
            "adc {t3}, {t7}",
            "adc {l}, 0",
            // Subtract m, unless the result is negative.
            "mov {t4}, {t0}",
            "mov {t5}, {t1}",
            "mov {t6}, {t2}",
            "mov {t7}, {t3}",
            "sub {t0}, [{a0}]",
            "sbb {t1}, [{a0} + 8]",
            "sbb {t2}, [{a0} + 16]",
            "sbb {t3}, [{a0} + 24]",
            "sbb {l}, 0",
            "cmovc {t0}, {t4}",
            "cmovc {t1}, {t5}",
            "cmovc {t2}, {t6}",
            "cmovc {t3}, {t7}",
            a0 = in(reg) Constants::<M>::modulus(),
            a1 = out(reg) _,
            l = out(reg) _,
            out("rdx") _,
            t0 = inout(reg) t0,
            t1 = inout(reg) t1,
            t2 = inout(reg) t2,
            t3 = inout(reg) t3,
            t4 = inout(reg) high[0] => _,
            t5 = inout(reg) high[1] => _,
            t6 = inout(reg) high[2] => _,
            t7 = inout(reg) high[3] => _,
            options(pure, readonly, nostack),
        );
    }
    [t0, t1, t2, t3]
}
