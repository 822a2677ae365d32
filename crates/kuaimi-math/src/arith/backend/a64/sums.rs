//! Sums, differences and halves modulo any [`Modulus`]. The modulus is read from memory, as the
//! compiler would take four instructions for each of its limbs.

use super::super::constants::Constants;
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// `m₀…m₃`, from the address in `m3`.
macro_rules! load_modulus {
    () => {
        "ldp {m0}, {m1}, [{m3}]
         ldp {m2}, {m3}, [{m3}, #16]
        "
    };
}

/// `t mod m`, for a number below `2m` with its carry in the carry flag.
macro_rules! subtract_once {
    () => {
        "adc {l}, xzr, xzr
         subs {m0}, {t0}, {m0}
         sbcs {m1}, {t1}, {m1}
         sbcs {m2}, {t2}, {m2}
         sbcs {m3}, {t3}, {m3}
         sbcs xzr, {l}, xzr
         csel {t0}, {m0}, {t0}, cs
         csel {t1}, {m1}, {t1}, cs
         csel {t2}, {m2}, {t2}, cs
         csel {t3}, {m3}, {t3}, cs
        "
    };
}

/// Defines an operation: its name, the operands, a scratch register if it needs one, and the text.
/// `t₀…t₃` is the result.
macro_rules! operation {
    (
        $(#[$doc:meta])*
        $name:ident([$($limb:ident),+] = $first:ident $(, [$($other:ident),+] = $second:ident)?) [$($scratch:ident)?]
        $text:expr
    ) => {
        $(#[$doc])*
        #[inline(always)]
        pub(super) fn $name<M: Modulus>($first: &Limbs $(, $second: &Limbs)?) -> Limbs {
            let (t0, t1, t2, t3);
            let [$($limb),+] = *$first;
            $(let [$($other),+] = *$second;)?
            // SAFETY: reads the modulus at the pointer.
            unsafe {
                core::arch::asm!(
                    load_modulus!(),
                    $text,
                    $($limb = in(reg) $limb,)+
                    $($($other = in(reg) $other,)+)?
                    m0 = out(reg) _,
                    m1 = out(reg) _,
                    m2 = out(reg) _,
                    m3 = inout(reg) Constants::<M>::modulus() => _,
                    $($scratch = out(reg) _,)?
                    t0 = out(reg) t0,
                    t1 = out(reg) t1,
                    t2 = out(reg) t2,
                    t3 = out(reg) t3,
                    options(pure, readonly, nostack),
                );
            }
            [t0, t1, t2, t3]
        }
    };
}

operation! {
    /// `a + b mod m`.
    add([a0, a1, a2, a3] = a, [b0, b1, b2, b3] = b) [l]
    concat!(
        "adds {t0}, {a0}, {b0}
         adcs {t1}, {a1}, {b1}
         adcs {t2}, {a2}, {b2}
         adcs {t3}, {a3}, {b3}
        ",
        subtract_once!(),
    )
}

operation! {
    /// `2a mod m`.
    double([a0, a1, a2, a3] = a) [l]
    concat!(
        "adds {t0}, {a0}, {a0}
         adcs {t1}, {a1}, {a1}
         adcs {t2}, {a2}, {a2}
         adcs {t3}, {a3}, {a3}
        ",
        subtract_once!(),
    )
}

operation! {
    /// `2(m − a)`, minus `m` if that is not negative: `−2a mod m`, but `m` for 0.
    minus_twice([a0, a1, a2, a3] = a) [l]
    concat!(
        "subs {t0}, {m0}, {a0}
         sbcs {t1}, {m1}, {a1}
         sbcs {t2}, {m2}, {a2}
         sbc {t3}, {m3}, {a3}
         adds {t0}, {t0}, {t0}
         adcs {t1}, {t1}, {t1}
         adcs {t2}, {t2}, {t2}
         adcs {t3}, {t3}, {t3}
        ",
        subtract_once!(),
    )
}

operation! {
    /// `a − b mod m`: `m` is added if the difference borrows.
    sub([a0, a1, a2, a3] = a, [b0, b1, b2, b3] = b) []
    "subs {t0}, {a0}, {b0}
     sbcs {t1}, {a1}, {b1}
     sbcs {t2}, {a2}, {b2}
     sbcs {t3}, {a3}, {b3}
     csel {m0}, {m0}, xzr, cc
     csel {m1}, {m1}, xzr, cc
     csel {m2}, {m2}, xzr, cc
     csel {m3}, {m3}, xzr, cc
     adds {t0}, {t0}, {m0}
     adcs {t1}, {t1}, {m1}
     adcs {t2}, {t2}, {m2}
     adc {t3}, {t3}, {m3}"
}

operation! {
    /// `a / 2 mod m`: `a + m` is shifted if `a` is odd.
    half([a0, a1, a2, a3] = a) [l]
    "sbfx {l}, {a0}, #0, #1 // all ones for an odd number
     and {m0}, {m0}, {l}
     and {m1}, {m1}, {l}
     and {m2}, {m2}, {l}
     and {m3}, {m3}, {l}
     adds {t0}, {a0}, {m0}
     adcs {t1}, {a1}, {m1}
     adcs {t2}, {a2}, {m2}
     adcs {t3}, {a3}, {m3}
     adc {l}, xzr, xzr
     extr {t0}, {t1}, {t0}, #1
     extr {t1}, {t2}, {t1}, #1
     extr {t2}, {t3}, {t2}, #1
     extr {t3}, {l}, {t3}, #1"
}
