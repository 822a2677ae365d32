//! Division steps on packed words, in constant time. See
//! [`packed_steps`](super::super::packed_steps).

use super::super::packed_steps::{run_59, runs};
use crate::arith::divsteps::d62::Matrix;

/// Steps on the packed words. `e` is `δ − 1/2`, so `δ > 0` is `e ≥ 0`. There is no branch: `s` is
/// `f` if `g` is odd, else zero; and the flags say GE if `g` is odd and `e ≥ 0`, since the
/// conditional comparison sets N alone if `g` is even.
macro_rules! steps {
    ($count:literal) => {
        concat!(
            ".rept ",
            $count,
            "\n",
            "tst {g}, #1\n",
            "csel {s}, {f}, xzr, ne\n",
            "ccmp {e}, #0, #8, ne\n",
            "cneg {s}, {s}, ge\n",
            "csel {f}, {g}, {f}, ge\n",
            "cneg {e}, {e}, ge\n",
            "cinc {e}, {e}, lt\n",
            "add {g}, {g}, {s}\n",
            "asr {g}, {g}, #1\n",
            ".endr",
        )
    };
}

runs!(steps(s): steps_20 "20", steps_19 "19");

/// See [`run_59`]. Inlined, it would leave the long numbers of its caller no registers.
#[inline(never)]
pub(super) fn round(e: i64, f: i64, g: i64) -> (i64, Matrix) {
    run_59(e, f, g, [steps_20, steps_19])
}
