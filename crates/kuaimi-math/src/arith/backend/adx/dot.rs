//! Sums of `k` products with one reduction: `Σ aᵢ·bᵢ·R⁻¹ mod m`.
//!
//! For each limb index `j`, the rows `aᵢⱼ·bᵢ` of all products are added to `t`, and a Montgomery
//! step removes the lowest limb of `t`. After a step `t` is below `(k + 1)·m`, and before it below
//! `2⁶⁴·(k + 1)·m`: six limbs. At the end `t` is below `(k·m/R + 1)·m`. Multiples of `m` are then
//! subtracted, each only if the result is not negative.
//!
//! The operands stay in memory: MULX with a memory operand costs no more.

use super::super::assembly::subtract_multiples;
use super::super::constants::Constants;
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// Adds the row `aₖᵢ·bₖ` to `t₀…t₅`.
macro_rules! term {
    ($k:literal, $i:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal) => {
        concat!(
            "mov {y}, [{terms} + 16*",
            $k,
            "]\n",
            "mov rdx, [{y} + 8*",
            $i,
            "]\n",
            "mov {y}, [{terms} + 16*",
            $k,
            " + 8]\n",
            "xor {l:e}, {l:e}\n", // clears both carries
            "mulx {h}, {l}, [{y}]\n",
            "adcx {",
            $t0,
            "}, {l}\n",
            "adox {",
            $t1,
            "}, {h}\n",
            "mulx {h}, {l}, [{y} + 8]\n",
            "adcx {",
            $t1,
            "}, {l}\n",
            "adox {",
            $t2,
            "}, {h}\n",
            "mulx {h}, {l}, [{y} + 16]\n",
            "adcx {",
            $t2,
            "}, {l}\n",
            "adox {",
            $t3,
            "}, {h}\n",
            "mulx {h}, {l}, [{y} + 24]\n",
            "adcx {",
            $t3,
            "}, {l}\n",
            "adox {",
            $t4,
            "}, {h}\n",
            "mov {l:e}, 0\n",
            "adcx {",
            $t4,
            "}, {l}\n",
            "adox {",
            $t5,
            "}, {l}\n",
            "adcx {",
            $t5,
            "}, {l}\n",
        )
    };
}

/// `t ← t + q·m`, where `q` makes `t₀` zero: the new number is `t₁…t₅`.
macro_rules! step {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal) => {
        concat!(
            "mov rdx, {",
            $t0,
            "}\n",
            "imul rdx, [{m} + 40]\n",
            "xor {l:e}, {l:e}\n", // clears both carries
            "mulx {h}, {l}, [{m}]\n",
            "adcx {",
            $t0,
            "}, {l}\n", // leaves 0
            "adox {",
            $t1,
            "}, {h}\n",
            "mulx {h}, {l}, [{m} + 8]\n",
            "adcx {",
            $t1,
            "}, {l}\n",
            "adox {",
            $t2,
            "}, {h}\n",
            "mulx {h}, {l}, [{m} + 16]\n",
            "adcx {",
            $t2,
            "}, {l}\n",
            "adox {",
            $t3,
            "}, {h}\n",
            "mulx {h}, {l}, [{m} + 24]\n",
            "adcx {",
            $t3,
            "}, {l}\n",
            "adox {",
            $t4,
            "}, {h}\n",
            "adcx {",
            $t4,
            "}, {",
            $t0,
            "}\n",
            "adox {",
            $t5,
            "}, {",
            $t0,
            "}\n",
            "adcx {",
            $t5,
            "}, {",
            $t0,
            "}\n",
        )
    };
}

/// Adds the rows of limb `i` of all terms, followed by the Montgomery step.
macro_rules! limb {
    ([$($k:literal)*], $i:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $t4:literal, $t5:literal) => {
        concat!(
            $(term!($k, $i, $t0, $t1, $t2, $t3, $t4, $t5),)*
            step!($t0, $t1, $t2, $t3, $t4, $t5),
        )
    };
}

/// Defines the function for one number of terms. It is never inlined, as its code is long.
macro_rules! sum {
    ($name:ident, $count:literal, $terms:tt) => {
        #[inline(never)]
        fn $name<M: Modulus>(terms: &[[&Limbs; 2]; $count]) -> Limbs {
            let () = M::CHECKED;
            let m = Constants::<M>::modulus();
            let (t0, t1, t2, t3, t4);
            // SAFETY: `Adx` is used only on CPUs with BMI2 and ADX. Reads the terms' limbs and the
            // constants.
            unsafe {
                core::arch::asm!(
                    "xor {t0:e}, {t0:e}",
                    "xor {t1:e}, {t1:e}",
                    "xor {t2:e}, {t2:e}",
                    "xor {t3:e}, {t3:e}",
                    "xor {t4:e}, {t4:e}",
                    "xor {t5:e}, {t5:e}",
                    limb!($terms, "0", "t0", "t1", "t2", "t3", "t4", "t5"),
                    limb!($terms, "1", "t1", "t2", "t3", "t4", "t5", "t0"),
                    limb!($terms, "2", "t2", "t3", "t4", "t5", "t0", "t1"),
                    limb!($terms, "3", "t3", "t4", "t5", "t0", "t1", "t2"),
                    terms = in(reg) terms.as_ptr(),
                    m = in(reg) m,
                    y = out(reg) _,
                    l = out(reg) _,
                    h = out(reg) _,
                    out("rdx") _,
                    t4 = out(reg) t0,
                    t5 = out(reg) t1,
                    t0 = out(reg) t2,
                    t1 = out(reg) t3,
                    t2 = out(reg) t4,
                    t3 = out(reg) _,
                    options(pure, readonly, nostack),
                );
            }
            reduce::<M>($count, [t0, t1, t2, t3, t4])
        }
    };
}

sum!(one, 1, ["0"]);
sum!(two, 2, ["0" "1"]);
sum!(three, 3, ["0" "1" "2"]);
sum!(four, 4, ["0" "1" "2" "3"]);
sum!(five, 5, ["0" "1" "2" "3" "4"]);
sum!(six, 6, ["0" "1" "2" "3" "4" "5"]);

/// `t mod m`, where `t` is the result of all steps.
#[inline(always)]
fn reduce<M: Modulus>(terms: usize, t: [u64; 5]) -> Limbs {
    let subtract = [
        subtract_multiple::<M, 0>,
        subtract_multiple::<M, 1>,
        subtract_multiple::<M, 2>,
    ];
    subtract_multiples::<M>(terms, t, subtract)
}

/// `t` minus the multiple of `m` at index `PLACE` of the constants (`4m`, `2m`, `m`); `t` if that
/// is negative.
#[inline(always)]
fn subtract_multiple<M: Modulus, const PLACE: usize>(t: [u64; 5]) -> [u64; 5] {
    let [mut t0, mut t1, mut t2, mut t3, mut t4] = t;
    // SAFETY: reads five words at the pointer, as many as a multiple has.
    unsafe {
        core::arch::asm!(
            "mov {s0}, {t0}",
            "mov {s1}, {t1}",
            "mov {s2}, {t2}",
            "mov {s3}, {t3}",
            "mov {s4}, {t4}",
            "sub {t0}, [{m}]",
            "sbb {t1}, [{m} + 8]",
            "sbb {t2}, [{m} + 16]",
            "sbb {t3}, [{m} + 24]",
            "sbb {t4}, [{m} + 32]",
            "cmovc {t0}, {s0}",
            "cmovc {t1}, {s1}",
            "cmovc {t2}, {s2}",
            "cmovc {t3}, {s3}",
            "cmovc {t4}, {s4}",
            m = in(reg) Constants::<M>::multiple::<PLACE>(),
            s0 = out(reg) _,
            s1 = out(reg) _,
            s2 = out(reg) _,
            s3 = out(reg) _,
            s4 = out(reg) _,
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

/// `Σ aᵢ·bᵢ·R⁻¹ mod m` of one to six terms.
#[inline(always)]
pub(super) fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
    // The compiler knows the number of terms, so it keeps only one of these calls.
    if let Ok(terms) = terms.try_into() {
        return one::<M>(terms);
    }
    if let Ok(terms) = terms.try_into() {
        return two::<M>(terms);
    }
    if let Ok(terms) = terms.try_into() {
        return three::<M>(terms);
    }
    if let Ok(terms) = terms.try_into() {
        return four::<M>(terms);
    }
    if let Ok(terms) = terms.try_into() {
        return five::<M>(terms);
    }
    if let Ok(terms) = terms.try_into() {
        return six::<M>(terms);
    }
    terms.iter().fold([0; 4], |sum, [a, b]| {
        super::super::add::<M>(&sum, &super::montgomery::mul::<M>(a, b))
    })
}
