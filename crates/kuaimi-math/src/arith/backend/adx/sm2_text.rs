//! Products, sums and differences modulo SM2's prime on operands in memory, as text for long pieces of assembly.
//!
//! | name | what it holds |
//! | --- | --- |
//! | `t0`–`t7` | a product; `t0`–`t3` the number that the last operation left |
//! | `l`, `h`, `rdx` | scratch |
//! | `zero` | 0 |
//!
//! A number below `p` is canonical here, and one below `2²⁵⁶` loose.

/// `t₀…t₇ = a·b`, for `a` and `b` in memory.
macro_rules! product {
    ($a:literal, $b:literal) => {
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
            "adc {t4}, 0\n",
            row!($a, $b, "8", "t1", "t2", "t3", "t4", "t5"),
            row!($a, $b, "16", "t2", "t3", "t4", "t5", "t6"),
            row!($a, $b, "24", "t3", "t4", "t5", "t6", "t7"),
        )
    };
}

/// Adds the row of the limb of `b` at a byte offset to the limbs from `w` on.
macro_rules! row {
    ($a:literal, $b:literal, $limb:literal, $w:literal, $x:literal, $y:literal, $z:literal, $top:literal) => {
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
            "mulx {h}, {l}, [",
            $a,
            "]\n",
            "adcx {",
            $w,
            "}, {l}\n",
            "adox {",
            $x,
            "}, {h}\n",
            "mulx {h}, {l}, [",
            $a,
            " + 8]\n",
            "adcx {",
            $x,
            "}, {l}\n",
            "adox {",
            $y,
            "}, {h}\n",
            "mulx {h}, {l}, [",
            $a,
            " + 16]\n",
            "adcx {",
            $y,
            "}, {l}\n",
            "adox {",
            $z,
            "}, {h}\n",
            "mulx {h}, {l}, [",
            $a,
            " + 24]\n",
            "adcx {",
            $z,
            "}, {l}\n",
            "adox {",
            $top,
            "}, {h}\n",
            "adcx {",
            $top,
            "}, {zero}\n",
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
            "adcx {t6}, {zero}\n",
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

/// `t ← (t + q·p)/2⁶⁴` with `q = t₀`. The new limbs are in `t₁, t₂, t₃, t₀`, the least significant first. As in the
/// portable code, `q·p = q·2²⁵⁶ − q·2²²⁴ − q·2⁹⁶ + q·2⁶⁴ − q`. `rdx` is 32; `low` and `high` name scratch registers.
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

/// `t₀…t₃` and the carry flag: `t·R⁻¹`, below `2²⁵⁶ + p`.
macro_rules! reduce {
    () => {
        concat!(
            "mov edx, 32\n",
            step!("t0", "t1", "t2", "t3", "l", "h"),
            step!("t1", "t2", "t3", "t0", "l", "h"),
            step!("t2", "t3", "t0", "t1", "l", "h"),
            step!("t3", "t0", "t1", "t2", "l", "h"),
            "add {t0}, {t4}\n",
            "adc {t1}, {t5}\n",
            "adc {t2}, {t6}\n",
            "adc {t3}, {t7}\n",
        )
    };
}

/// Subtracts `p` if the carry flag is set: a loose result of a number below `2²⁵⁶ + p`.
macro_rules! subtract_if_carry {
    () => {
        correct!("adc", "sub")
    };
}

/// Adds `p` if the carry flag is set, after a subtraction that borrowed.
macro_rules! add_if_borrow {
    () => {
        correct!("sbb", "add")
    };
}

/// Adds or subtracts `2²⁵⁶ − p` if the carry flag is set; see `sm2p::sub`. The 1 in it is the carry itself.
macro_rules! correct {
    ($with_carry:literal, $opposite:literal) => {
        concat!(
            "sbb {l}, {l}\n",
            "mov {h:e}, {l:e}\n",
            $with_carry,
            " {t0}, 0\n",
            $with_carry,
            " {t1}, {h}\n",
            $with_carry,
            " {t2}, 0\n",
            $with_carry,
            " {t3}, 0\n",
            "shl {l}, 32\n",
            $opposite,
            " {t3}, {l}\n",
        )
    };
}

/// The canonical form of `t₀…t₃`: `2²⁵⁶ − p = 2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1` is added where that has a carry.
macro_rules! canonical {
    () => {
        "mov {h:e}, 0xFFFFFFFF
         lea rdx, [{h} + 1]
         mov {t4}, {t0}
         mov {t5}, {t1}
         mov {t6}, {t2}
         mov {t7}, {t3}
         add {t4}, 1
         adc {t5}, {h}
         adc {t6}, 0
         adc {t7}, rdx
         cmovc {t0}, {t4}
         cmovc {t1}, {t5}
         cmovc {t2}, {t6}
         cmovc {t3}, {t7}
        "
    };
}

/// A canonical result of `t₀…t₃` with its carry, if that is below `2p`: `p` is subtracted if the number has a carry, or gets one
/// when `2²⁵⁶ − p` is added.
macro_rules! subtract_once {
    () => {
        "mov {l}, {zero}
         adc {l}, 0
         mov {h:e}, 0xFFFFFFFF
         lea rdx, [{h} + 1]
         mov {t4}, {t0}
         mov {t5}, {t1}
         mov {t6}, {t2}
         mov {t7}, {t3}
         add {t4}, 1
         adc {t5}, {h}
         adc {t6}, 0
         adc {t7}, rdx
         adc {l}, 0
         cmovnz {t0}, {t4}
         cmovnz {t1}, {t5}
         cmovnz {t2}, {t6}
         cmovnz {t3}, {t7}
        "
    };
}

/// A loose triple of `t₀…t₃` with its carry, for a number below `2p`: `h·2²⁵⁶ + t` with `h ≤ 5` is at most
/// `t + h·(2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1)`, and where that has a carry, the rest is far below `p`.
macro_rules! triple {
    () => {
        concat!(
            "mov {h}, {zero}
             adc {h}, 0
             mov {l}, {h}
             mov {t4}, {t0}
             mov {t5}, {t1}
             mov {t6}, {t2}
             mov {t7}, {t3}
             add {t0}, {t0}
             adc {t1}, {t1}
             adc {t2}, {t2}
             adc {t3}, {t3}
             adc {l}, {l}
             add {t0}, {t4}
             adc {t1}, {t5}
             adc {t2}, {t6}
             adc {t3}, {t7}
             adc {l}, {h}
             mov {h}, {l}
             shl {h}, 32
             mov {t4}, {h}
             sub {t4}, {l}
             add {t0}, {l}
             adc {t1}, {t4}
             adc {t2}, 0
             adc {t3}, {h}
            ",
            subtract_if_carry!(),
        )
    };
}

/// `t / 2 mod p`: RCR shifts through the carry flag; `(p + 1)/2` is added if the bit shifted out is 1.
macro_rules! half {
    () => {
        "mov rdx, 0x7FFFFFFF7FFFFFFF
         shr {t3}, 1
         rcr {t2}, 1
         rcr {t1}, 1
         rcr {t0}, 1
         sbb {l}, {l}
         and rdx, {l}
         mov {h}, {l}
         mov {t4}, {l}
         shl {h}, 63
         shl {t4}, 31
         add {t0}, {h}
         adc {t1}, {t4}
         adc {t2}, {l}
         adc {t3}, rdx
        "
    };
}

macro_rules! load {
    ($a:literal) => {
        each!("mov", $a)
    };
}

/// An operation on the limbs of `t` and of an operand in memory.
macro_rules! each {
    ($first:literal, $a:literal) => {
        each!($first, $first, $a)
    };
    ($first:literal, $next:literal, $a:literal) => {
        concat!(
            $first, " {t0}, [", $a, "]\n", $next, " {t1}, [", $a, " + 8]\n", $next, " {t2}, [", $a,
            " + 16]\n", $next, " {t3}, [", $a, " + 24]\n",
        )
    };
}

macro_rules! store {
    ($a:literal) => {
        concat!(
            "mov [",
            $a,
            "], {t0}\n",
            "mov [",
            $a,
            " + 8], {t1}\n",
            "mov [",
            $a,
            " + 16], {t2}\n",
            "mov [",
            $a,
            " + 24], {t3}\n",
        )
    };
}

macro_rules! add {
    ($a:literal) => {
        concat!(each!("add", "adc", $a), subtract_if_carry!())
    };
}

macro_rules! sub {
    ($a:literal) => {
        concat!(each!("sub", "sbb", $a), add_if_borrow!())
    };
}

pub(super) use {
    add, add_if_borrow, canonical, correct, each, half, load, product, reduce, row, square, step,
    store, sub, subtract_if_carry, subtract_once, triple,
};
