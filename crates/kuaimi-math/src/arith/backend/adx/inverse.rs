//! Division steps in constant time, a whole column of the matrix in one register.
//!
//! After `N ≤ 20` steps the matrix has entries of 21 bits, and only the low `N` bits of `f` and `g` have decided it. So
//! `f + 2²¹·u + 2⁴²·v` and `g + 2²¹·q + 2⁴²·r` each fit into one word, and as a step treats `(f, u, v)` and `(g, q, r)` alike, it
//! is done on the two words: sums and differences run through all three fields at once, and the halving of `g` is exact in
//! each field if the entries start as multiples of `2²⁰`. The entries are kept negated, as `2²⁰` itself can be reached from
//! above zero only. (Bernstein and Yang, TCHES 2019(3), section 12, have the packing.)
//!
//! Three such runs, of 20, 20 and 19 steps, make the 59 of a round of [`d62`](crate::arith::divsteps::d62).

use crate::arith::divsteps::d62::Matrix;

/// One step on the packed words. `e` is `δ − 1/2`, so that `δ > 0` is `e ≥ 0`; no branch: `s = ±f` and `x` (the `f` of the next step,
/// where `g` is odd) are chosen by `e`, and whether any of that happens by the low bit of `g`.
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

/// Where the fields of a packed word start.
const U: u32 = 21;
const V: u32 = 42;

/// The entries of a packed row, times `2²⁰`.
#[inline(always)]
fn row(packed: i64) -> (i64, i64) {
    // The lower fields made positive, so that they borrow nothing.
    let packed = packed + (1 << (U - 1));
    let u = (packed << (64 - V)) >> (64 - V + U);
    let v = (packed + (1 << (V - 1))) >> V;
    (-u, -v)
}

/// A run of steps on the low words.
macro_rules! run_of {
    ($name:ident, $count:literal) => {
        /// The matrix of these steps times `2²⁰`, and `e` after them.
        #[inline(always)]
        fn $name(mut e: i64, f: i64, g: i64) -> (i64, [i64; 4]) {
            const LOW: i64 = (1 << 20) - 1;
            let mut f = (f & LOW) - (1 << (U + 20));
            let mut g = (g & LOW) - (1 << (V + 20));
            // SAFETY: registers only.
            unsafe {
                core::arch::asm!(
                    steps!($count),
                    e = inout(reg) e,
                    f = inout(reg) f,
                    g = inout(reg) g,
                    s = out(reg) _,
                    x = out(reg) _,
                    y = out(reg) _,
                    options(pure, nomem, nostack),
                );
            }
            let ((u, v), (q, r)) = (row(f), row(g));
            (e, [u, v, q, r])
        }
    };
}
run_of!(run_20, "20");
run_of!(run_19, "19");

/// `a·b`, of matrices in rows.
#[inline(always)]
fn product(a: &[i64; 4], b: &[i64; 4]) -> [i64; 4] {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
    ]
}

/// 59 division steps on the low words, of which `2⁶²` times the matrix comes out. `zeta` is `−(δ + 1/2)`.
pub(super) fn run(zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let apply = |t: &[i64; 4], f: i64, g: i64| {
        // The low bits count; those above are lost in the wrapping, and never used.
        let dot = |a: i64, b: i64| a.wrapping_mul(f).wrapping_add(b.wrapping_mul(g)) >> 20;
        (dot(t[0], t[1]), dot(t[2], t[3]))
    };
    let (e, first) = run_20(!zeta, f, g);
    let (f, g) = apply(&first, f, g);
    let (e, second) = run_20(e, f, g);
    let (f, g) = apply(&second, f, g);
    let (e, third) = run_19(e, f, g);
    // 2⁶⁰ times the matrix so far, as the third run's is 2²⁰ times its own.
    let [u, v, q, r] = product(&third, &product(&second, &first)).map(|x| x << 2);
    (!e, Matrix { u, v, q, r })
}
