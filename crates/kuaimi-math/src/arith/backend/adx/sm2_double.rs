//! The doubling of a point of SM2's curve as one piece of assembly.
//!
//! It computes what [`Jacobian::double`](crate::curve::Jacobian::double) does, and needs fewer instructions than that does with one piece
//! for each operation of the field:
//!
//! - An instruction that needs a number reads it from memory, and what the next operation needs stays in registers.
//! - A factor may be any number below `2²⁵⁶` ("loose"), not only one below `p` ("canonical"), where that saves a comparison with `p`.
//! - A product does not wait for the one before it: the CPU looks about one product ahead.
//!
//! The bounds. After the reduction's four steps a product is below `a·b/2²⁵⁶ + p`: below `2p` if a factor is canonical, else below
//! `2²⁵⁶ + p`. A canonical number and a loose one have a sum below `2²⁵⁶ + p`, and a difference of at least `−p`. So adding or
//! subtracting `p` once, by the carry, makes each of these loose, and canonical what was below `2p` or a difference of canonical numbers.

use super::sm2_text::*;
use crate::arith::u256::Limbs;

/// `(X, Y, Z) ← 2·(X, Y, Z)` in Jacobian coordinates on a curve with `a = −3`.
///
/// In place, since results that are copied have to be in memory first, and the next doubling would wait for that.
#[inline(never)]
pub(super) fn double([x, y, z]: [&mut Limbs; 3]) {
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Reads the three numbers, writes each after its last use, and uses 224
    // bytes of the stack.
    unsafe {
        core::arch::asm!(
            "sub rsp, 224
             mov [rsp + 160], {t4}
             mov [rsp + 168], {t5}
             mov [rsp + 176], {p}
             xor {zero:e}, {zero:e}",
            // Z² ± X
            square!("{p}"),
            reduce!(),
            subtract_if_carry!(),
            "mov {p}, [rsp + 160]
             mov {t4}, {t0}
             mov {t5}, {t1}
             mov {t6}, {t2}
             mov {t7}, {t3}",
            sub!("{p}"),
            store!("rsp + 32"),
            "mov {t0}, {t4}
             mov {t1}, {t5}
             mov {t2}, {t6}
             mov {t3}, {t7}",
            add!("{p}"),
            store!("rsp + 64"),
            // 2Y
            "mov {p}, [rsp + 168]",
            load!("{p}"),
            "add {t0}, {t0}
             adc {t1}, {t1}
             adc {t2}, {t2}
             adc {t3}, {t3}",
            subtract_if_carry!(),
            store!("rsp"),
            // 4Y²
            square!("rsp"),
            reduce!(),
            subtract_if_carry!(),
            store!("rsp + 128"),
            // M = 3(Z² + X)(Z² − X), which is minus the numerator of the slope
            product!("rsp + 32", "rsp + 64"),
            reduce!(),
            triple!(),
            store!("rsp + 32"),
            // S = 4Y²·X
            "mov {p}, [rsp + 160]",
            product!("rsp + 128", "{p}"),
            reduce!(),
            subtract_once!(),
            store!("rsp + 96"),
            // 8Y⁴
            square!("rsp + 128"),
            reduce!(),
            subtract_if_carry!(),
            canonical!(),
            half!(),
            store!("rsp + 64"),
            // X₃ = M² − 2S
            "mov {p}, [rsp + 160]",
            square!("rsp + 32"),
            reduce!(),
            subtract_if_carry!(),
            sub!("rsp + 96"),
            sub!("rsp + 96"),
            canonical!(),
            store!("{p}"),
            // X₃ − S
            sub!("rsp + 96"),
            store!("rsp + 192"),
            // Z₃ = 2Y·Z
            "mov {p}, [rsp + 176]",
            product!("rsp", "{p}"),
            reduce!(),
            subtract_once!(),
            store!("{p}"),
            // Y₃ = M·(X₃ − S) − 8Y⁴
            "mov {p}, [rsp + 168]",
            product!("rsp + 192", "rsp + 32"),
            reduce!(),
            subtract_once!(),
            sub!("rsp + 64"),
            store!("{p}"),
            "add rsp, 224",
            p = inout(reg) z.as_mut_ptr() => _,
            zero = out(reg) _,
            t0 = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = out(reg) _,
            t4 = inout(reg) x.as_mut_ptr() => _,
            t5 = inout(reg) y.as_mut_ptr() => _,
            t6 = out(reg) _,
            t7 = out(reg) _,
            l = out(reg) _,
            h = out(reg) _,
            out("rdx") _,
        );
    }
}
