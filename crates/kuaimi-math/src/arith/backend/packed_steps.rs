//! Division steps in constant time, with a row of the matrix packed into one register: the part
//! that does not depend on the CPU.
//!
//! After `N ≤ 20` steps the entries of the matrix have 21 bits, and they depend only on the low `N`
//! bits of `f` and `g`. So `f + 2²¹·u + 2⁴²·v` and `g + 2²¹·q + 2⁴²·r` fit into one word each. A
//! step does the same with `(f, u, v)` and `(g, q, r)`, so it is done on the two words: a sum or
//! difference of words adds or subtracts all three numbers at once, and the halving of `g` is exact
//! in all three if the entries start as multiples of `2^N`. The entries are stored negated: `+2^N`
//! can occur, but not `−2^N`. (The packing is in section 12 of Bernstein and Yang, TCHES 2019(3).)
//!
//! Three such runs, of 20, 20 and 19 steps, are the 59 steps of a round of
//! [`d62`](crate::arith::divsteps::d62).

use crate::arith::divsteps::d62::Matrix;

/// Defines functions that do so many steps each, from the text of the steps and the names of the
/// scratch registers.
macro_rules! runs {
    ($steps:ident $scratch:tt: $($name:ident $count:literal),+) => {
        $($crate::arith::backend::packed_steps::runs!(@ $name $count $steps $scratch);)+
    };
    (@ $name:ident $count:literal $steps:ident ($($scratch:ident),+)) => {
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

/// The entries of a packed row.
#[inline(always)]
fn row(packed: i64) -> (i64, i64) {
    // Make the lower numbers positive, so that they do not borrow from the upper ones.
    let packed = packed + (1 << (U - 1));
    let u = (packed << (64 - V)) >> (64 - V + U);
    let v = (packed + (1 << (V - 1))) >> V;
    (u, v)
}

/// Steps on `e`, which is `δ − 1/2`, and on the packed words `f` and `g`.
pub(super) type Steps = fn(i64, i64, i64) -> (i64, i64, i64);

/// The matrix of `N` steps times `−2^N`, and `e` after them. It is the same for `−f` and `−g`:
/// their low bits make the same choices.
#[inline(always)]
pub(super) fn matrix<const N: u32>(steps: Steps, e: i64, f: i64, g: i64) -> (i64, [i64; 4]) {
    const { assert!(N < U) };
    let low = (1 << N) - 1;
    let f = (f & low) - (1 << (U + N));
    let g = (g & low) - (1 << (V + N));
    let (e, f, g) = steps(e, f, g);
    let ((u, v), (q, r)) = (row(f), row(g));
    (e, [u, v, q, r])
}

/// `f` and `g` after the steps of a matrix times `−2^N`, with their signs changed. Only low bits
/// are right, `N` fewer than before.
#[inline(always)]
fn apply<const N: u32>(t: &[i64; 4], f: i64, g: i64) -> (i64, i64) {
    let dot = |a: i64, b: i64| a.wrapping_mul(f).wrapping_add(b.wrapping_mul(g)) >> N;
    (dot(t[0], t[1]), dot(t[2], t[3]))
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

/// `A + B + C` division steps on the low words, by functions that do so many. `e` is `δ − 1/2`.
/// Returns the new `e`, and `−2^(A + B + C)` times the matrix.
#[inline(always)]
pub(super) fn run<const A: u32, const B: u32, const C: u32>(
    e: i64,
    f: i64,
    g: i64,
    [a, b, c]: [Steps; 3],
) -> (i64, [i64; 4]) {
    let (e, first) = matrix::<A>(a, e, f, g);
    let (f, g) = apply::<A>(&first, f, g);
    let (e, second) = matrix::<B>(b, e, f, g);
    let (f, g) = apply::<B>(&second, f, g);
    let (e, third) = matrix::<C>(c, e, f, g);
    (e, product(&third, &product(&second, &first)))
}

/// 59 division steps, by functions that do 20 and 19, as
/// [`d62::invert_with`](crate::arith::divsteps::d62::invert_with) takes them: `2⁶²` times the
/// matrix.
#[inline(always)]
pub(super) fn run_59(e: i64, f: i64, g: i64, [twenty, nineteen]: [Steps; 2]) -> (i64, Matrix) {
    let (e, t) = run::<20, 20, 19>(e, f, g, [twenty, twenty, nineteen]);
    let [u, v, q, r] = t.map(|x| -8 * x);
    (e, Matrix { u, v, q, r })
}
