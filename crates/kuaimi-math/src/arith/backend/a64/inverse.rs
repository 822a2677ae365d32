//! Division steps on packed words, in constant time. See [`packed_steps`](super::super::packed_steps).

use super::super::packed_steps::runs;

/// Steps on the packed words. `e` is `δ − 1/2`, so `δ > 0` is `e ≥ 0`. There is no branch: `s` is `f` if `g` is odd, else
/// zero; and the flags say GE if `g` is odd and `e ≥ 0`, since the conditional comparison sets N alone if `g` is even.
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

runs!(steps, s);
