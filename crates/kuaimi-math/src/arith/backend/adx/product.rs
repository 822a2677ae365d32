//! The assembly text of products and squares, for both kinds of reduction.
//!
//! All macros use the same names of registers, so that a multiplication is one `asm!` without a
//! memory access: the fourteen registers that the compiler can give to inline assembly are just
//! enough. The names:
//!
//! | name | in a multiplication | in a reduction |
//! | --- | --- | --- |
//! | `rdx` | the limb of `b` of the current row | scratch |
//! | `a0`–`a3` | `a` | scratch |
//! | `t0`–`t4` | the lower limbs of the product | the same |
//! | `t5`–`t7` | `b₁`, `b₂`, `b₃`, each until its row; then limbs of the product | the same |
//! | `l` | scratch | scratch |
//!
//! MULX changes no flags, ADCX only the carry flag, and ADOX only the overflow flag. So the lower
//! and the upper halves of a row are added in two independent carry chains.

/// `t₀…t₄ = b₀·a`, with `b₀` in `rdx`.
macro_rules! first_row {
    () => {
        "mulx {t1}, {t0}, {a0}
         mulx {t2}, {l}, {a1}
         add {t1}, {l}
         mulx {t3}, {l}, {a2}
         adc {t2}, {l}
         mulx {t4}, {l}, {a3}
         adc {t3}, {l}
         adc {t4}, 0"
    };
}

/// Adds `b·a` to the product from limb `w` on, for a limb `b` in the register `top`. This register
/// first holds the upper halves, and then the new top limb.
macro_rules! row {
    ($w:literal, $x:literal, $y:literal, $z:literal, $top:literal) => {
        concat!(
            "mov rdx, {",
            $top,
            "}\n",
            "xor {",
            $top,
            ":e}, {",
            $top,
            ":e}\n", // clears both carries
            "mulx {",
            $top,
            "}, {l}, {a0}\n",
            "adcx {",
            $w,
            "}, {l}\n",
            "adox {",
            $x,
            "}, {",
            $top,
            "}\n",
            "mulx {",
            $top,
            "}, {l}, {a1}\n",
            "adcx {",
            $x,
            "}, {l}\n",
            "adox {",
            $y,
            "}, {",
            $top,
            "}\n",
            "mulx {",
            $top,
            "}, {l}, {a2}\n",
            "adcx {",
            $y,
            "}, {l}\n",
            "adox {",
            $z,
            "}, {",
            $top,
            "}\n",
            "mulx {",
            $top,
            "}, {l}, {a3}\n",
            "adcx {",
            $z,
            "}, {l}\n",
            "mov {l:e}, 0\n",
            "adox {",
            $top,
            "}, {l}\n",
            "adcx {",
            $top,
            "}, {l}\n",
        )
    };
}

/// `t = a²`: the six products off the diagonal; then twice these and the four squares, added in two
/// carry chains.
macro_rules! square {
    () => {
        "mov rdx, {a0}
         mulx {t2}, {t1}, {a1}
         mulx {t3}, {l}, {a2}
         add {t2}, {l}
         mulx {t4}, {l}, {a3}
         adc {t3}, {l}
         adc {t4}, 0
         mov rdx, {a1}
         xor {t0:e}, {t0:e}
         mulx {t5}, {l}, {a2}
         adcx {t3}, {l}
         adox {t4}, {t5}
         mulx {t5}, {l}, {a3}
         adcx {t4}, {l}
         mov rdx, {a2}
         mulx {t6}, {l}, {a3}
         adox {t5}, {l}
         adcx {t5}, {t0}
         adox {t6}, {t0}
         adcx {t6}, {t0}
         mov rdx, {a0}
         xor {t7:e}, {t7:e}
         mulx {a0}, {t0}, rdx
         adcx {t1}, {t1}
         adox {t1}, {a0}
         mov rdx, {a1}
         mulx {a0}, {l}, rdx
         adcx {t2}, {t2}
         adox {t2}, {l}
         adcx {t3}, {t3}
         adox {t3}, {a0}
         mov rdx, {a2}
         mulx {a0}, {l}, rdx
         adcx {t4}, {t4}
         adox {t4}, {l}
         adcx {t5}, {t5}
         adox {t5}, {a0}
         mov rdx, {a3}
         mulx {a0}, {l}, rdx
         adcx {t6}, {t6}
         adox {t6}, {l}
         adcx {t7}, {t7}
         adox {t7}, {a0}"
    };
}

pub(super) use {first_row, row, square};
