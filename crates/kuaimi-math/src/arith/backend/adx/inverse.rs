//! Division steps in constant time, with a row of the matrix packed into one register.
//!
//! After `N ≤ 20` steps the entries of the matrix have 21 bits, and they depend only on the low `N` bits of `f` and
//! `g`. So `f + 2²¹·u + 2⁴²·v` and `g + 2²¹·q + 2⁴²·r` fit into one word each. A step does the same with `(f, u, v)`
//! and `(g, q, r)`, so it is done on the two words: a sum or difference of words adds or subtracts all three numbers at
//! once, and the halving of `g` is exact in all three if the entries start as multiples of `2²⁰`. The entries are
//! stored negated: `+2²⁰` can occur, but not `−2²⁰`. (The packing is in section 12 of Bernstein and Yang, TCHES
//! 2019(3).)
//!
//! Three such runs, of 20, 20 and 19 steps, are the 59 steps of a round of [`d62`](crate::arith::divsteps::d62).

use crate::arith::divsteps::d62::Matrix;

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

/// The positions of the second and third number in a packed word.
const U: u32 = 21;
const V: u32 = 42;

/// The entries of a packed row, times `2²⁰`.
#[inline(always)]
fn row(packed: i64) -> (i64, i64) {
    // Make the lower numbers positive, so that they do not borrow from the upper ones.
    let packed = packed + (1 << (U - 1));
    let u = (packed << (64 - V)) >> (64 - V + U);
    let v = (packed + (1 << (V - 1))) >> V;
    (-u, -v)
}

/// Defines a run of steps on the low words.
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

/// The product `a·b` of two matrices, stored row by row.
#[inline(always)]
fn product(a: &[i64; 4], b: &[i64; 4]) -> [i64; 4] {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
    ]
}

/// 59 division steps on the low words. Returns the new `zeta`, which is `−(δ + 1/2)`, and `2⁶²` times the matrix.
pub(super) fn run(zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let apply = |t: &[i64; 4], f: i64, g: i64| {
        // Only the low bits are used; those lost by wrapping are not.
        let dot = |a: i64, b: i64| a.wrapping_mul(f).wrapping_add(b.wrapping_mul(g)) >> 20;
        (dot(t[0], t[1]), dot(t[2], t[3]))
    };
    let (e, first) = run_20(!zeta, f, g);
    let (f, g) = apply(&first, f, g);
    let (e, second) = run_20(e, f, g);
    let (f, g) = apply(&second, f, g);
    let (e, third) = run_19(e, f, g);
    // Each of the three is 2²⁰ times its matrix, so the product is 2⁶⁰ times the matrix of all steps.
    let [u, v, q, r] = product(&third, &product(&second, &first)).map(|x| x << 2);
    (!e, Matrix { u, v, q, r })
}
