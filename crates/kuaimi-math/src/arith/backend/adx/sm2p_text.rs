//! Products, sums and differences modulo SM2's prime on operands in memory, as text for long pieces
//! of assembly.
//!
//! | name | what it holds |
//! | --- | --- |
//! | `p` | a pointer |
//! | `t0`–`t7` | a product; `t0`–`t3` the number that the last operation left |
//! | `l`, `h`, `w`, `x`, `rdx` | scratch |
//! | `[rsp]` to `[rsp + 24]` | the numbers that [`constants!`] stores |
//!
//! # Bounds
//!
//! A number below `p` is canonical here, and one below `2²⁵⁶` loose. Let `t` be a product with the
//! upper half `u`. The four steps of [`reduce!`] leave at most `p` of its lower half, and `u` is
//! added to that. So `t·R⁻¹` is at most `u + p`.
//!
//! - If both factors are loose, this is below `2²⁵⁶ + p`, and [`subtract_if_carry!`] makes it
//!   loose.
//! - If one factor is canonical, `u < p`. With `u − p` in the place of `u` the result is at least
//!   `−p` and below `p`, and [`add_unless_carry!`] makes it canonical: no comparison with `p` is
//!   needed. [`product_less_p!`] computes `u − p` without an instruction more than [`product!`]
//!   has. As the registers have no sign, it is `u − p + 2²⁵⁶`, and the carry of the reduction tells
//!   that the result is not negative.
//! - If `v` is canonical, too, `u − v` is at least `−p` and below `p`. `u` becomes canonical if `p`
//!   is added where it is negative ([`upper_add_if_borrow!`]), and `u − p` if `p` is subtracted
//!   where it is not ([`upper_subtract_unless_borrow!`]). So differences with products are reduced
//!   once, and do not wait for the steps on the lower half.

/// The limbs of `2²⁵⁶ − p = 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1` that are not small, and the last limb of `p`.
macro_rules! constants {
    () => {
        "mov {l:e}, 0xFFFFFFFF
         lea {h}, [{l} + 1]
         mov {w}, {h}
         not {w}
         mov qword ptr [rsp], 0
         mov [rsp + 8], {l}
         mov [rsp + 16], {h}
         mov [rsp + 24], {w}
        "
    };
}

/// `t₀…t₇ = a·b`, for `a` and `b` in memory.
macro_rules! product {
    ($a:literal, $b:literal) => {
        rows!($a, $b, "0", "[rsp]", "[rsp]")
    };
}

/// `t₀…t₇ = a·b + 2²⁵⁶·(2²⁵⁶ − p)`, for a canonical `a`: the limbs of `2²⁵⁶ − p` are added where a
/// row ends.
///
/// No row overflows: with `i` limbs of `b` the number is below `2⁶⁴ⁱ·p + 2²⁵⁶·kᵢ`, where `kᵢ` are
/// the first `i` limbs of `2²⁵⁶ − p`, and these are at most `(2²⁵⁶ − p)/2²⁵⁶⁻⁶⁴ⁱ`. So it is at most
/// `2²⁵⁶⁺⁶⁴ⁱ`.
macro_rules! product_less_p {
    ($a:literal, $b:literal) => {
        rows!($a, $b, "1", "[rsp + 8]", "[rsp + 16]")
    };
}

/// The rows of a product, and what is added to the limbs 4, 5 and 7.
macro_rules! rows {
    ($a:literal, $b:literal, $k0:literal, $k1:literal, $k3:literal) => {
        concat!(
            "mov rdx, [",
            $b,
            "]\n",
            "mulx {t1}, {t0}, [",
            $a,
            "]\n",
            "mulx {t2}, {l}, [",
            $a,
            " + 8]\n",
            "add {t1}, {l}\n",
            "mulx {t3}, {l}, [",
            $a,
            " + 16]\n",
            "adc {t2}, {l}\n",
            "mulx {t4}, {l}, [",
            $a,
            " + 24]\n",
            "adc {t3}, {l}\n",
            "adc {t4}, ",
            $k0,
            "\n",
            row!($a, $b, "8", "t1", "t2", "t3", "t4", "t5", $k1),
            row!($a, $b, "16", "t2", "t3", "t4", "t5", "t6", "[rsp]"),
            row!($a, $b, "24", "t3", "t4", "t5", "t6", "t7", $k3),
        )
    };
}

/// Adds the row of the limb of `b` at a byte offset to the limbs from `w` on, and `k` to the last
/// one.
macro_rules! row {
    ($a:literal, $b:literal, $limb:literal, $w:literal, $x:literal, $y:literal, $z:literal, $top:literal, $k:literal) => {
        concat!(
            "mov rdx, [",
            $b,
            " + ",
            $limb,
            "]\n",
            "xor {",
            $top,
            ":e}, {",
            $top,
            ":e}\n", // clears both carries
            partial!($a, "", $w, $x),
            partial!($a, " + 8", $x, $y),
            partial!($a, " + 16", $y, $z),
            partial!($a, " + 24", $z, $top),
            "adcx {",
            $top,
            "}, ",
            $k,
            "\n",
        )
    };
}

/// Adds the product of `rdx` and a limb of `a` to two limbs, with a chain of carries for each.
macro_rules! partial {
    ($a:literal, $limb:literal, $low:literal, $high:literal) => {
        concat!(
            "mulx {h}, {l}, [",
            $a,
            $limb,
            "]\n",
            "adcx {",
            $low,
            "}, {l}\n",
            "adox {",
            $high,
            "}, {h}\n",
        )
    };
}

/// `t₀…t₇ = a²`.
macro_rules! square {
    ($a:literal) => {
        concat!(
            "mov rdx, [",
            $a,
            "]\n",
            "mulx {t2}, {t1}, [",
            $a,
            " + 8]\n",
            "mulx {t3}, {l}, [",
            $a,
            " + 16]\n",
            "add {t2}, {l}\n",
            "mulx {t4}, {l}, [",
            $a,
            " + 24]\n",
            "adc {t3}, {l}\n",
            "adc {t4}, 0\n",
            "mov rdx, [",
            $a,
            " + 8]\n",
            "xor {t5:e}, {t5:e}\n",
            "mulx {h}, {l}, [",
            $a,
            " + 16]\n",
            "adcx {t3}, {l}\n",
            "adox {t4}, {h}\n",
            "mulx {h}, {l}, [",
            $a,
            " + 24]\n",
            "adcx {t4}, {l}\n",
            "adox {t5}, {h}\n",
            "mov rdx, [",
            $a,
            " + 16]\n",
            "mulx {t6}, {l}, [",
            $a,
            " + 24]\n",
            "adcx {t5}, {l}\n",
            "adcx {t6}, [rsp]\n",
            "mov rdx, [",
            $a,
            "]\n",
            "xor {t7:e}, {t7:e}\n",
            "mulx {h}, {t0}, rdx\n",
            "adcx {t1}, {t1}\n",
            "adox {t1}, {h}\n",
            "mov rdx, [",
            $a,
            " + 8]\n",
            "mulx {h}, {l}, rdx\n",
            "adcx {t2}, {t2}\n",
            "adox {t2}, {l}\n",
            "adcx {t3}, {t3}\n",
            "adox {t3}, {h}\n",
            "mov rdx, [",
            $a,
            " + 16]\n",
            "mulx {h}, {l}, rdx\n",
            "adcx {t4}, {t4}\n",
            "adox {t4}, {l}\n",
            "adcx {t5}, {t5}\n",
            "adox {t5}, {h}\n",
            "mov rdx, [",
            $a,
            " + 24]\n",
            "mulx {h}, {l}, rdx\n",
            "adcx {t6}, {t6}\n",
            "adox {t6}, {l}\n",
            "adcx {t7}, {t7}\n",
            "adox {t7}, {h}\n",
        )
    };
}

/// `t ← (t + q·p)/2⁶⁴` with `q = t₀`. The new limbs are in `t₁, t₂, t₃, t₀`, the least significant
/// first. As in the portable code, `q·p = q·2²⁵⁶ − q·2²²⁴ − q·2⁹⁶ + q·2⁶⁴ − q`. `rdx` is 32; `low`
/// and `high` name scratch registers.
macro_rules! step {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal, $low:literal, $high:literal) => {
        concat!(
            "shlx {", $low, "}, {", $t0, "}, rdx\n", "shrx {", $high, "}, {", $t0, "}, rdx\n",
            "add {", $t1, "}, {", $t0, "}\n", "adc {", $t2, "}, 0\n", "adc {", $t3, "}, 0\n",
            "adc {", $t0, "}, 0\n", "sub {", $t1, "}, {", $low, "}\n", "sbb {", $t2, "}, {", $high,
            "}\n", "sbb {", $t3, "}, {", $low, "}\n", "sbb {", $t0, "}, {", $high, "}\n",
        )
    };
}

/// `t₀…t₃` and the carry flag: what the steps leave of the lower half of `t`, plus the upper half.
macro_rules! reduce {
    () => {
        concat!(
            "mov edx, 32\n",
            packed_step!("t0", "t1", "t2", "t3"),
            packed_step!("t1", "t2", "t3", "t0"),
            packed_step!("t2", "t3", "t0", "t1"),
            packed_step!("t3", "t0", "t1", "t2"),
            "add {t0}, {t4}\n",
            "adc {t1}, {t5}\n",
            "adc {t2}, {t6}\n",
            "adc {t3}, {t7}\n",
        )
    };
}

/// [`step!`] with `q·2⁶⁴ − q·2⁹⁶ = −(2³² − 1)·q·2⁶⁴`: two subtractions less, as copies of registers
/// take no unit of the CPU. `x`, the upper limb of `(2³² − 1)·q`, is not negative.
macro_rules! packed_step {
    ($t0:literal, $t1:literal, $t2:literal, $t3:literal) => {
        concat!(
            "shlx {l}, {",
            $t0,
            "}, rdx\n",
            "shrx {h}, {",
            $t0,
            "}, rdx\n",
            "mov {w}, {l}\n",
            "sub {w}, {",
            $t0,
            "}\n",
            "mov {x}, {h}\n",
            "sbb {x}, 0\n",
            "sub {",
            $t1,
            "}, {w}\n",
            "sbb {",
            $t2,
            "}, {x}\n",
            "sbb {",
            $t3,
            "}, {l}\n",
            "sbb {",
            $t0,
            "}, {h}\n",
        )
    };
}

pub(crate) use {
    constants, packed_step, partial, product, product_less_p, reduce, row, rows, square, step,
};
