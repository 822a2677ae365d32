//! What brings sums and reduced products back below `2²⁵⁶` or `p`, as text for long pieces of
//! assembly. The names of registers and the bounds are those of `sm2p_text`.

/// Subtracts `p` from `t₀…t₃` if the carry flag is set.
macro_rules! subtract_if_carry {
    () => {
        correct!("adc", "sub", "t0", "t1", "t2", "t3")
    };
}

/// Adds `p` to `t₀…t₃` if the carry flag is set, after a subtraction that borrowed.
macro_rules! add_if_borrow {
    () => {
        correct!("sbb", "add", "t0", "t1", "t2", "t3")
    };
}

/// [`add_if_borrow!`] for the upper half of a product.
macro_rules! upper_add_if_borrow {
    () => {
        correct!("sbb", "add", "t4", "t5", "t6", "t7")
    };
}

/// Subtracts `p` from the upper half of a product unless the carry flag is set.
macro_rules! upper_subtract_unless_borrow {
    () => {
        concat!("cmc\n", correct!("adc", "sub", "t4", "t5", "t6", "t7"))
    };
}

/// Adds or subtracts `2²⁵⁶ − p` if the carry flag is set; see `sm2p::sub`. The 1 in it is the carry
/// itself.
macro_rules! correct {
    ($with_carry:literal, $opposite:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal) => {
        concat!(
            "sbb {l}, {l}\n",
            "mov {h:e}, {l:e}\n",
            $with_carry,
            " {",
            $t0,
            "}, 0\n",
            $with_carry,
            " {",
            $t1,
            "}, {h}\n",
            $with_carry,
            " {",
            $t2,
            "}, 0\n",
            $with_carry,
            " {",
            $t3,
            "}, 0\n",
            "shl {l}, 32\n",
            $opposite,
            " {",
            $t3,
            "}, {l}\n",
        )
    };
}

/// Adds `p` unless the carry flag is set. `rdx` is 32, as [`reduce!`] leaves it.
macro_rules! add_unless_carry {
    () => {
        "mov {l}, [rsp]
         mov {w}, [rsp + 24]
         adc {l}, -1
         shlx {h}, {l}, rdx
         and {w}, {l}
         add {t0}, {l}
         adc {t1}, {h}
         adc {t2}, {l}
         adc {t3}, {w}
        "
    };
}

/// Subtracts `p` from the upper half of a product, if that is canonical.
macro_rules! upper_less_p {
    () => {
        "add {t4}, 1
         adc {t5}, [rsp + 8]
         adc {t6}, 0
         adc {t7}, [rsp + 16]
        "
    };
}

/// A canonical `t·R⁻¹`, if `p` was subtracted from the upper half.
macro_rules! reduce_canonical {
    () => {
        concat!(reduce!(), add_unless_carry!())
    };
}

/// The canonical form of `t₀…t₃`: `2²⁵⁶ − p` is added where that has a carry.
macro_rules! canonical {
    () => {
        "mov {t4}, {t0}
         mov {t5}, {t1}
         mov {t6}, {t2}
         mov {t7}, {t3}
         add {t4}, 1
         adc {t5}, [rsp + 8]
         adc {t6}, 0
         adc {t7}, [rsp + 16]
         cmovc {t0}, {t4}
         cmovc {t1}, {t5}
         cmovc {t2}, {t6}
         cmovc {t3}, {t7}
        "
    };
}

/// A loose `3t/2` of `t₀…t₃` with its carry, for a number below `2²⁵⁶ + p`.
///
/// `⌊t/2⌋`, `(p + 1)/2` if `t` is odd, and `t` are added. The sum is below
/// `3·(2²⁵⁶ + p)/2 + p/2 < 4·2²⁵⁶`. For its part `h·2²⁵⁶`, `h·(2²⁵⁶ − p)` is added; where that has
/// a carry, the rest is far below `p`.
macro_rules! three_halves {
    () => {
        concat!(
            "mov {h:e}, 0
             setc {h:l}
             mov {t4}, {t0}
             mov {t5}, {t1}
             mov {t6}, {t2}
             mov {t7}, {t3}
             rcr {t7}, 1
             rcr {t6}, 1
             rcr {t5}, 1
             rcr {t4}, 1
             sbb {l}, {l}
             mov rdx, 0x7FFFFFFF7FFFFFFF
             mov {w}, {l}
             mov {x}, {l}
             and rdx, {l}
             shl {w}, 63
             shl {x}, 31
             add {t4}, {w}
             adc {t5}, {x}
             adc {t6}, {l}
             adc {t7}, rdx
             adc {h}, 0
             add {t0}, {t4}
             adc {t1}, {t5}
             adc {t2}, {t6}
             adc {t3}, {t7}
             adc {h}, 0
             mov {l}, {h}
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

/// An operation on four registers and an operand in memory; on all but the first, one with a carry.
macro_rules! each {
    ($first:literal, $next:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal, $a:literal) => {
        concat!(
            $first, " {", $t0, "}, [", $a, "]\n", $next, " {", $t1, "}, [", $a, " + 8]\n", $next,
            " {", $t2, "}, [", $a, " + 16]\n", $next, " {", $t3, "}, [", $a, " + 24]\n",
        )
    };
}

macro_rules! load {
    ($a:literal) => {
        each!("mov", "mov", "t0", "t1", "t2", "t3", $a)
    };
}

macro_rules! store {
    ($a:literal) => {
        store!($a, "t0", "t1", "t2", "t3")
    };
    ($a:literal, $t0:literal, $t1:literal, $t2:literal, $t3:literal) => {
        concat!(
            "mov [",
            $a,
            "], {",
            $t0,
            "}\n",
            "mov [",
            $a,
            " + 8], {",
            $t1,
            "}\n",
            "mov [",
            $a,
            " + 16], {",
            $t2,
            "}\n",
            "mov [",
            $a,
            " + 24], {",
            $t3,
            "}\n",
        )
    };
}

/// `t ← t + a` of a loose and a canonical number: loose.
macro_rules! add {
    ($a:literal) => {
        concat!(
            each!("add", "adc", "t0", "t1", "t2", "t3", $a),
            subtract_if_carry!()
        )
    };
}

/// `t ← t − a`, for a canonical `a`: canonical if `t` is, else loose.
macro_rules! sub {
    ($a:literal) => {
        concat!(
            each!("sub", "sbb", "t0", "t1", "t2", "t3", $a),
            add_if_borrow!()
        )
    };
}

/// Subtracts `a` from the upper half of a product. Leaves the borrow.
macro_rules! upper_sub {
    ($a:literal) => {
        each!("sub", "sbb", "t4", "t5", "t6", "t7", $a)
    };
}

/// A canonical `(t − s)·R⁻¹` for two products with canonical factors, `s` in memory.
macro_rules! reduce_difference {
    ($lower:literal, $upper:literal) => {
        concat!(
            each!("sub", "sbb", "t0", "t1", "t2", "t3", $lower),
            each!("sbb", "sbb", "t4", "t5", "t6", "t7", $upper),
            upper_subtract_unless_borrow!(),
            reduce_canonical!(),
        )
    };
}

/// `t₄…t₇ = t₀…t₃`.
macro_rules! copy_up {
    () => {
        "mov {t4}, {t0}
         mov {t5}, {t1}
         mov {t6}, {t2}
         mov {t7}, {t3}
        "
    };
}

/// `t₀…t₃ = t₄…t₇`.
macro_rules! copy_down {
    () => {
        "mov {t0}, {t4}
         mov {t1}, {t5}
         mov {t2}, {t6}
         mov {t3}, {t7}
        "
    };
}

pub(crate) use {
    add, add_if_borrow, add_unless_carry, canonical, copy_down, copy_up, correct, each, load,
    reduce_canonical, reduce_difference, store, sub, subtract_if_carry, three_halves,
    upper_add_if_borrow, upper_less_p, upper_sub, upper_subtract_unless_borrow,
};
