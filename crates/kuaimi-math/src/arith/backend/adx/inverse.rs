//! Division steps on packed words, in constant time. See [`packed_steps`](super::super::packed_steps).

use super::super::packed_steps::runs;

/// Steps on the packed words. `e` is `δ − 1/2`, so `δ > 0` is `e ≥ 0`. There is no branch: `e` selects `s = ±f` and
/// `x`, the `f` of the next step if `g` is odd; the low bit of `g` selects whether they are used.
macro_rules! steps {
    ($count:literal) => {
        concat!(
            ".rept ",
            $count,
            "\n",
            "mov {s}, {f}\n",
            "mov {x}, {g}\n",
            "mov {y}, {e}\n",
            "neg {s}\n",
            "neg {y}\n",
            "lea {e}, [{e} + 1]\n",
            "cmovg {s}, {f}\n", // greater: −e > 0
            "cmovg {x}, {f}\n",
            "cmovg {y}, {e}\n",
            "add {s}, {g}\n",
            "test {g:e}, 1\n",
            "cmovnz {f}, {x}\n",
            "cmovnz {e}, {y}\n",
            "cmovnz {g}, {s}\n",
            "sar {g}, 1\n",
            ".endr",
        )
    };
}

runs!(steps, s, x, y);
