//! Division steps on packed words, in constant time. See
//! [`packed_steps`](super::super::packed_steps).

use super::super::packed_steps::{matrix, run, run_59, runs};
use crate::arith::divsteps::d62::Matrix;

/// Steps on the packed words. `e` is `δ − 1/2`, so `δ > 0` is `e ≥ 0`.
///
/// There is no branch. ZF says that `g` is even, and CF that `e` is negative: a rotation changes CF
/// and leaves ZF. So the condition "above", which is neither of them, says that `f` and `g` change
/// places. `s` is `g ± f`. The low bit of `g` is looked at before `g` is shifted, which makes the
/// longest chain of dependent instructions shorter: six for two steps. The order of the
/// instructions is the fastest of some hundreds on Zen 4.
macro_rules! steps {
    ($count:literal) => {
        concat!(
            "mov {one:e}, 1\n",
            step!("test {g:e}, 1\n", ""),
            ".rept ",
            $count,
            " - 1\n",
            step!("test {g:e}, 2\n", "sarx {g}, {g}, {one}\n"),
            ".endr\n",
            "sar {g}, 1\n",
        )
    };
}

/// A step, from the test of the low bit of `g` and the shift that the last step has left.
macro_rules! step {
    ($test:literal, $shift:literal) => {
        concat!(
            "mov {t}, {e}\n",
            "mov {s}, {f}\n",
            "mov {y}, {e}\n",
            "neg {s}\n",
            "neg {y}\n",
            $test,
            $shift,
            "lea {e}, [{e} + 1]\n",
            "rol {t}, 2\n", // a bit of the sign
            "cmovc {s}, {f}\n",
            "cmova {e}, {y}\n",
            "cmova {f}, {g}\n",
            "lea {s}, [{s} + {g}]\n",
            "cmovnz {g}, {s}\n",
        )
    };
}

runs!(steps(s, t, y, one): steps_20 "20", steps_19 "19", steps_18 "18", steps_17 "17");

/// See [`run_59`]. Inlined, it would leave the long numbers of its caller no registers.
#[inline(never)]
pub(super) fn round(e: i64, f: i64, g: i64) -> (i64, Matrix) {
    run_59(e, f, g, [steps_20, steps_19])
}

/// 52 division steps, and `−2⁵²` times their matrix.
#[inline(always)]
pub(super) fn run_52(e: i64, f: i64, g: i64) -> (i64, [i64; 4]) {
    run::<18, 17, 17>(e, f, g, [steps_18, steps_17, steps_17])
}

/// 18 division steps, and `−2¹⁸` times their matrix.
#[inline(always)]
pub(super) fn run_18(e: i64, f: i64, g: i64) -> (i64, [i64; 4]) {
    matrix::<18>(steps_18, e, f, g)
}
