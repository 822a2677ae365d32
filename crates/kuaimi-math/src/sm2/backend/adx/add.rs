//! Sums of a point of SM2's curve and an affine point, each as one piece of assembly.
//!
//! They save instructions as the doubling (`double`) does, and in these ways, too:
//!
//! - The difference of a product and a coordinate is taken in the product's upper half, before the
//!   reduction: `H` and `R`, and `X₃ = R² − H³ − 2V`.
//! - Of the difference of two products in `Y₃` only one is reduced.
//! - The order of the products is the fastest of some hundred that were tried.

use crate::arith::backend::adx::{sm2p_sums::*, sm2p_text::*};
use crate::arith::u256::Limbs;

/// A canonical product in memory, for a canonical `a`.
macro_rules! times {
    ($a:literal, $b:literal, $to:literal) => {
        concat!(product_less_p!($a, $b), reduce_canonical!(), store!($to))
    };
}

/// A canonical `a·b − c`, for a canonical `a`, and `c` at a distance from the pointer in
/// `rsp + pointer`.
macro_rules! times_minus {
    ($a:literal, $b:literal, $pointer:literal, $to:literal) => {
        concat!(
            product!($a, $b),
            "mov {p}, [rsp + ",
            $pointer,
            "]\n",
            upper_sub!("{p}"),
            upper_subtract_unless_borrow!(),
            reduce_canonical!(),
            store!($to),
        )
    };
}

/// `H²`, loose.
macro_rules! h_square {
    () => {
        concat!(
            square!("rsp + 160"),
            reduce!(),
            subtract_if_carry!(),
            store!("rsp + 224"),
        )
    };
}

/// `H³`.
macro_rules! h_cube {
    () => {
        times!("rsp + 160", "rsp + 224", "rsp + 256")
    };
}

/// `V = X₁·H²`.
macro_rules! v {
    () => {
        concat!(
            "mov {p}, [rsp + 32]\n",
            times!("{p}", "rsp + 224", "rsp + 288")
        )
    };
}

/// `X₃ = R² − H³ − 2V`, and `V − X₃`.
macro_rules! x3 {
    () => {
        concat!(
            square!("rsp + 192"),
            upper_sub!("rsp + 256"),
            upper_add_if_borrow!(),
            upper_sub!("rsp + 288"),
            upper_add_if_borrow!(),
            upper_sub!("rsp + 288"),
            upper_subtract_unless_borrow!(),
            reduce_canonical!(),
            "mov {p}, [rsp + 32]\n",
            store!("{p}"),
            copy_up!(),
            load!("rsp + 288"),
            "sub {t0}, {t4}
             sbb {t1}, {t5}
             sbb {t2}, {t6}
             sbb {t3}, {t7}
            ",
            add_if_borrow!(),
            store!("rsp + 320"),
        )
    };
}

/// `Y₁·H³`, not reduced.
macro_rules! y1_h_cube {
    () => {
        concat!(
            "mov {p}, [rsp + 40]\n",
            product!("{p}", "rsp + 256"),
            store!("rsp + 352"),
            store!("rsp + 384", "t4", "t5", "t6", "t7"),
        )
    };
}

/// `Y₃ = R·(V − X₃) − Y₁·H³`.
macro_rules! y3 {
    () => {
        concat!(
            "mov {p}, [rsp + 40]\n",
            product!("rsp + 320", "rsp + 192"),
            reduce_difference!("rsp + 352", "rsp + 384"),
            store!("{p}"),
        )
    };
}

/// `(X, Y, Z) ← (X, Y, Z) + (x, y)` in Jacobian coordinates, for different points, the first not at
/// infinity.
///
/// With `H = 0` the result has `Z = 0`, and `X = 0` if also `R = 0`.
#[inline(never)]
pub(in crate::sm2::backend) fn jacobian([x1, y1, z1]: [&mut Limbs; 3], [x2, y2]: [&Limbs; 2]) {
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Reads the five numbers, writes the
    // first three, each after its last use, and uses 416 bytes of the stack.
    unsafe {
        core::arch::asm!(
            "sub rsp, 416
             mov [rsp + 32], {t4}
             mov [rsp + 40], {t5}
             mov [rsp + 48], {p}
             mov [rsp + 64], {t6}
             mov [rsp + 72], {t7}
            ",
            constants!(),
            // Z₁², loose
            square!("{p}"),
            reduce!(),
            subtract_if_carry!(),
            store!("rsp + 96"),
            // y₂·Z₁
            "mov {w}, [rsp + 48]
             mov {p}, [rsp + 72]
            ",
            times!("{p}", "{w}", "rsp + 128"),
            // H = x₂·Z₁² − X₁
            "mov {p}, [rsp + 64]\n",
            times_minus!("{p}", "rsp + 96", "32", "rsp + 160"),
            // R = y₂·Z₁³ − Y₁
            times_minus!("rsp + 128", "rsp + 96", "40", "rsp + 192"),
            h_square!(),
            // Z₃ = Z₁·H
            "mov {p}, [rsp + 48]\n",
            times!("{p}", "rsp + 160", "{p}"),
            h_cube!(),
            v!(),
            x3!(),
            y1_h_cube!(),
            y3!(),
            "add rsp, 416",
            p = inout(reg) z1.as_mut_ptr() => _,
            t0 = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = out(reg) _,
            t4 = inout(reg) x1.as_mut_ptr() => _,
            t5 = inout(reg) y1.as_mut_ptr() => _,
            t6 = inout(reg) x2.as_ptr() => _,
            t7 = inout(reg) y2.as_ptr() => _,
            l = out(reg) _,
            h = out(reg) _,
            w = out(reg) _,
            x = out(reg) _,
            out("rdx") _,
        );
    }
}

/// `(X, Y, ZZ, ZZZ) ← (X, Y, ZZ, ZZZ) + (x, y)` in extended Jacobian coordinates, for different
/// points, the first not at infinity.
///
/// With `H = 0` (the formula's `P`) the result has `ZZ = 0`.
#[inline(never)]
pub(in crate::sm2::backend) fn xyzz([x1, y1, zz1, zzz1]: [&mut Limbs; 4], [x2, y2]: [&Limbs; 2]) {
    // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Reads the six numbers, writes the first
    // four, each after its last use, and uses 416 bytes of the stack.
    unsafe {
        core::arch::asm!(
            "sub rsp, 416
             mov [rsp + 32], {t4}
             mov [rsp + 40], {t5}
             mov [rsp + 48], {t3}
             mov [rsp + 56], {x}
             mov [rsp + 72], {t7}
            ",
            constants!(),
            // H = x₂·ZZ₁ − X₁
            "mov {w}, [rsp + 48]\n",
            times_minus!("{p}", "{w}", "32", "rsp + 160"),
            // R = y₂·ZZZ₁ − Y₁
            "mov {w}, [rsp + 56]
             mov {p}, [rsp + 72]
            ",
            times_minus!("{p}", "{w}", "40", "rsp + 192"),
            h_square!(),
            h_cube!(),
            v!(),
            y1_h_cube!(),
            // ZZZ₃ = ZZZ₁·H³
            "mov {p}, [rsp + 56]\n",
            times!("{p}", "rsp + 256", "{p}"),
            x3!(),
            // ZZ₃ = ZZ₁·H²
            "mov {p}, [rsp + 48]\n",
            times!("{p}", "rsp + 224", "{p}"),
            y3!(),
            "add rsp, 416",
            p = inout(reg) x2.as_ptr() => _,
            t0 = out(reg) _,
            t1 = out(reg) _,
            t2 = out(reg) _,
            t3 = inout(reg) zz1.as_mut_ptr() => _,
            t4 = inout(reg) x1.as_mut_ptr() => _,
            t5 = inout(reg) y1.as_mut_ptr() => _,
            t6 = out(reg) _,
            t7 = inout(reg) y2.as_ptr() => _,
            l = out(reg) _,
            h = out(reg) _,
            w = out(reg) _,
            x = inout(reg) zzz1.as_mut_ptr() => _,
            out("rdx") _,
        );
    }
}
