//! Division steps in constant time, with a row of the matrix packed into one register: what assembly for any CPU shares.
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

/// Defines `run`, as `d62::invert_with` takes it, from the text of `count` steps and the names of the scratch registers.
macro_rules! runs {
    ($steps:ident, $($scratch:ident),+) => {
        $crate::arith::backend::packed_steps::runs!(@ run_20, "20", $steps, $($scratch),+);
        $crate::arith::backend::packed_steps::runs!(@ run_19, "19", $steps, $($scratch),+);

        /// See [`packed_steps::run`](super::super::packed_steps::run). Inlined, it would leave the long numbers of its caller no registers.
        #[inline(never)]
        pub(super) fn run(e: i64, f: i64, g: i64) -> (i64, $crate::arith::divsteps::d62::Matrix) {
            $crate::arith::backend::packed_steps::run(e, f, g, [run_20, run_19])
        }
    };
    (@ $name:ident, $count:literal, $steps:ident, $($scratch:ident),+) => {
        #[inline(always)]
        fn $name(mut e: i64, mut f: i64, mut g: i64) -> (i64, i64, i64) {
            // SAFETY: registers only.
            unsafe {
                core::arch::asm!(
                    $steps!($count),
                    e = inout(reg) e,
                    f = inout(reg) f,
                    g = inout(reg) g,
                    $($scratch = out(reg) _,)+
                    options(pure, nomem, nostack),
                );
            }
            (e, f, g)
        }
    };
}
pub(super) use runs;

/// The positions of the second and third number in a packed word.
const U: u32 = 21;
const V: u32 = 42;

/// The entries of a packed row, negated, times `2²⁰`.
#[inline(always)]
fn row(packed: i64) -> (i64, i64) {
    // Make the lower numbers positive, so that they do not borrow from the upper ones.
    let packed = packed + (1 << (U - 1));
    let u = (packed << (64 - V)) >> (64 - V + U);
    let v = (packed + (1 << (V - 1))) >> V;
    (u, v)
}

/// Steps on `e`, which is `δ − 1/2`, and on the packed words `f` and `g`.
type Steps = fn(i64, i64, i64) -> (i64, i64, i64);

/// The matrix of steps times `−2²⁰`, and `e` after them. It is the same for `−f` and `−g`: their low bits make the same choices.
#[inline(always)]
fn matrix(steps: Steps, e: i64, f: i64, g: i64) -> (i64, [i64; 4]) {
    const LOW: i64 = (1 << 20) - 1;
    let f = (f & LOW) - (1 << (U + 20));
    let g = (g & LOW) - (1 << (V + 20));
    let (e, f, g) = steps(e, f, g);
    let ((u, v), (q, r)) = (row(f), row(g));
    (e, [u, v, q, r])
}

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

/// 59 division steps on the low words. `e` is `δ − 1/2`. Returns the new `e`, and `2⁶²` times the matrix.
#[inline(always)]
pub(super) fn run(e: i64, f: i64, g: i64, [twenty, nineteen]: [Steps; 2]) -> (i64, Matrix) {
    // The new f and g, with their signs changed.
    let apply = |t: &[i64; 4], f: i64, g: i64| {
        // Only the low bits are used; those lost by wrapping are not.
        let dot = |a: i64, b: i64| a.wrapping_mul(f).wrapping_add(b.wrapping_mul(g)) >> 20;
        (dot(t[0], t[1]), dot(t[2], t[3]))
    };
    let (e, first) = matrix(twenty, e, f, g);
    let (f, g) = apply(&first, f, g);
    let (e, second) = matrix(twenty, e, f, g);
    let (f, g) = apply(&second, f, g);
    let (e, third) = matrix(nineteen, e, f, g);
    // Each of the three is −2²⁰ times its matrix, so the product is −2⁶⁰ times the matrix of all steps.
    let [u, v, q, r] = product(&third, &product(&second, &first)).map(|x| -4 * x);
    (e, Matrix { u, v, q, r })
}
