//! The doubling of a point of SM2's curve as one piece of assembly.
//!
//! It needs fewer instructions than [one piece for each operation of the
//! field](crate::curve::Jacobian::double):
//!
//! - An instruction that needs a number reads it from memory, and what the next operation needs
//!   stays in registers.
//! - A number is made canonical only where the next step needs that, mostly without a comparison
//!   with `p`; see the bounds in `sm2p_text`.
//! - Of the difference of two products in `Y₃` only one is reduced.
//! - A product does not wait for the one before it: the CPU looks about one product ahead.

use crate::arith::backend::adx::{sm2p_sums::*, sm2p_text::*};
use crate::arith::u256::Limbs;

/// `(X, Y, Z) ← 2·(X, Y, Z)` in Jacobian coordinates on a curve with `a = −3`.
///
/// In place, since results that are copied have to be in memory first, and the next doubling would
/// wait for that.
#[inline(never)]
pub(in crate::sm2::backend) fn double([x, y, z]: [&mut Limbs; 3]) {
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Reads the three numbers, writes each
    // after its last use, and uses 320 bytes of the stack.
    unsafe {
        core::arch::asm!(
            "sub rsp, 320
             mov [rsp + 32], {t4}
             mov [rsp + 40], {t5}
             mov [rsp + 48], {p}
            ",
            constants!(),
            // Z² ± X
            square!("{p}"),
            reduce!(),
            subtract_if_carry!(),
            "mov {p}, [rsp + 32]\n",
            copy_up!(),
            sub!("{p}"),
            store!("rsp + 64"),
            copy_down!(),
            add!("{p}"),
            store!("rsp + 96"),
            // Y²
            "mov {p}, [rsp + 40]\n",
            square!("{p}"),
            upper_less_p!(),
            reduce_canonical!(),
            store!("rsp + 128"),
            // M = 3(Z² + X)(Z² − X)/2, which is minus the slope times Z₃
            product!("rsp + 64", "rsp + 96"),
            reduce!(),
            three_halves!(),
            store!("rsp + 160"),
            // S = X·Y²
            "mov {p}, [rsp + 32]\n",
            product_less_p!("{p}", "rsp + 128"),
            reduce_canonical!(),
            store!("rsp + 192"),
            // X₃ = M² − 2S
            square!("rsp + 160"),
            upper_sub!("rsp + 192"),
            upper_add_if_borrow!(),
            upper_sub!("rsp + 192"),
            upper_add_if_borrow!(),
            reduce!(),
            subtract_if_carry!(),
            canonical!(),
            store!("{p}"),
            // X₃ − S
            sub!("rsp + 192"),
            store!("rsp + 224"),
            // Y⁴, not reduced
            square!("rsp + 128"),
            store!("rsp + 256"),
            store!("rsp + 288", "t4", "t5", "t6", "t7"),
            // Z₃ = Y·Z
            "mov {p}, [rsp + 48]
             mov {w}, [rsp + 40]
            ",
            product_less_p!("{p}", "{w}"),
            reduce_canonical!(),
            store!("{p}"),
            // Y₃ = M·(X₃ − S) − Y⁴
            "mov {p}, [rsp + 40]\n",
            product!("rsp + 224", "rsp + 160"),
            reduce_difference!("rsp + 256", "rsp + 288"),
            store!("{p}"),
            "add rsp, 320",
            p = inout(reg) z.as_mut_ptr() => _,
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
            w = out(reg) _,
            x = out(reg) _,
            out("rdx") _,
        );
    }
}
