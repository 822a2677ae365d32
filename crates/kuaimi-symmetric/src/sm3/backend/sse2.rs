//! SM3 compression for x86-64 with SSE2, which every such processor has: the rounds in the integer
//! registers, and the message expansion in the vector registers at the same time.
//!
//! The rounds keep the integer units busy, and in scalar code the expansion is a third of all work.
//! One vector computes three words of it, not four, as `W_j` needs `W_{j-3}`. A step computes
//! `V = (·, W_j, W_{j+1}, W_{j+2})`, whose first lane is not used. Let `v1`, `v2` and `v3` be the
//! vectors `V` of the last three steps. In the recurrence
//!
//! ```text
//! W_j = P1(W_{j-16} ⊕ W_{j-9} ⊕ (W_{j-3} <<< 15)) ⊕ (W_{j-13} <<< 7) ⊕ W_{j-6}
//! ```
//!
//! `W_{j-3}` is in `v1`, `W_{j-6}` in `v2`, `W_{j-9}` in `v3`. The other two come from
//! `C = (·, W_{j-4}, W_{j-3}, W_{j-2})`, one shuffle of `v2` and `v1`: three steps later it is the
//! vector of `W_{j-13}` (`c3`), four steps later that of `W_{j-16}` (`c4`). And `C ⊕ V` is
//! `(·, W'_{j-4}, W'_{j-3}, W'_{j-2})`.
//!
//! The words go to the rounds through a small window in memory. The additions of the rounds have
//! them as memory operands.

#![allow(unsafe_code, reason = "vector instructions")]

use core::arch::x86_64::*;

use super::super::compress::{T, choose, feed_forward, majority, p0, parity, round};
use super::super::{BLOCK_LEN, State};

/// The words that the vector registers pass to the rounds.
#[derive(Default)]
#[repr(align(16))]
struct Window {
    /// `W_0` to `W_15`.
    first_w: [[u32; 4]; 4],
    /// `W'_0` to `W'_11`.
    first_x: [[u32; 4]; 3],
    /// `W_j` to `W_{j+2}` of the step for `j = 16 + 3i`, in the last three words of entry
    /// `i mod 4`.
    w: [[u32; 4]; 4],
    /// `W'_{j-4}` to `W'_{j-2}` of that step, in the same places.
    x: [[u32; 4]; 4],
}

/// Makes the compiler compute `x` before it adds anything to it. No instruction.
#[inline(always)]
fn early(mut x: u32) -> u32 {
    // SAFETY: the assembly text is a comment; the operand is unchanged.
    unsafe {
        core::arch::asm!("/* {0:e} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}

#[target_feature(enable = "sse2")]
#[inline]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the reference has 16 readable bytes, and the instruction needs no alignment.
    let x = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    // Four big-endian words: swap the bytes of each half, then the halves.
    let x = _mm_or_si128(_mm_slli_epi16::<8>(x), _mm_srli_epi16::<8>(x));
    _mm_shufflehi_epi16::<0b10_11_00_01>(_mm_shufflelo_epi16::<0b10_11_00_01>(x))
}

#[target_feature(enable = "sse2")]
#[inline]
fn store(words: &mut [u32; 4], x: __m128i) {
    // SAFETY: the reference has 16 writable bytes, and the instruction needs no alignment.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), x) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn xor(x: __m128i, y: __m128i) -> __m128i {
    _mm_xor_si128(x, y)
}

/// Every lane `<<< L`; `R = 32 - L`.
#[target_feature(enable = "sse2")]
#[inline]
fn rotate_left<const L: i32, const R: i32>(x: __m128i) -> __m128i {
    const { assert!(L + R == 32) };
    _mm_or_si128(_mm_slli_epi32::<L>(x), _mm_srli_epi32::<R>(x))
}

/// `(x_n, …, x_3, y_0, …, y_{n-1})`, `n = BYTES / 4`; `REST = 16 - BYTES`.
#[target_feature(enable = "sse2")]
#[inline]
fn splice<const BYTES: i32, const REST: i32>(x: __m128i, y: __m128i) -> __m128i {
    const { assert!(BYTES + REST == 16) };
    _mm_or_si128(_mm_srli_si128::<BYTES>(x), _mm_slli_si128::<REST>(y))
}

/// `(x_2, x_3, y_1, y_2)`.
#[target_feature(enable = "sse2")]
#[inline]
fn overlap(x: __m128i, y: __m128i) -> __m128i {
    _mm_castps_si128(_mm_shuffle_ps::<0b10_01_11_10>(
        _mm_castsi128_ps(x),
        _mm_castsi128_ps(y),
    ))
}

/// The vectors that the next step of the expansion needs, named as above.
struct Expansion {
    v1: __m128i,
    v2: __m128i,
    v3: __m128i,
    c1: __m128i,
    c2: __m128i,
    c3: __m128i,
    c4: __m128i,
}

impl Expansion {
    /// Stores the message words, and the `W'` that depend on them alone, in the window.
    #[target_feature(enable = "sse2")]
    #[inline]
    fn begin(block: &[u8; BLOCK_LEN], window: &mut Window) -> Self {
        let (parts, _) = block.as_chunks::<16>();
        let [m0, m4, m8, m12] = [
            load(&parts[0]),
            load(&parts[1]),
            load(&parts[2]),
            load(&parts[3]),
        ];
        store(&mut window.first_w[0], m0);
        store(&mut window.first_w[1], m4);
        store(&mut window.first_w[2], m8);
        store(&mut window.first_w[3], m12);
        store(&mut window.first_x[0], xor(m0, m4));
        store(&mut window.first_x[1], xor(m4, m8));
        store(&mut window.first_x[2], xor(m8, m12));
        // The vectors that steps for j = 13, 10, 7 and so on would leave.
        Self {
            v1: m12,
            v2: splice::<4, 12>(m8, m12),
            v3: splice::<8, 8>(m4, m8),
            c1: m8,
            c2: splice::<4, 12>(m4, m8),
            c3: splice::<8, 8>(m0, m4),
            c4: _mm_slli_si128::<4>(m0),
        }
    }

    /// Computes the next three words, and the `W'` that need them, for the rounds.
    #[target_feature(enable = "sse2")]
    #[inline]
    fn step(&mut self, w: &mut [u32; 4], x: &mut [u32; 4]) {
        let y = xor(xor(self.c4, self.v3), rotate_left::<15, 17>(self.v1));
        let p1 = xor(xor(y, rotate_left::<15, 17>(y)), rotate_left::<23, 9>(y));
        let v = xor(p1, xor(rotate_left::<7, 25>(self.c3), self.v2));
        let c = overlap(self.v2, self.v1);
        store(w, v);
        store(x, xor(c, v));
        (self.v3, self.v2, self.v1) = (self.v2, self.v1, v);
        (self.c4, self.c3, self.c2, self.c1) = (self.c3, self.c2, self.c1, c);
    }
}

/// Makes the compiler read the window's words from memory. Otherwise it extracts them from the
/// vector registers one by one, which is slower. No instruction.
#[inline(always)]
fn through_memory(window: &mut Window) {
    // SAFETY: the assembly text is a comment; nothing is changed.
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) window, options(nostack, preserves_flags));
    }
}

#[target_feature(enable = "sse2")]
fn compress_sse2(state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    let mut window = Window::default();
    for block in blocks {
        let mut expansion = Expansion::begin(block, &mut window);
        through_memory(&mut window);
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;

        // The step for j = 16 + 3i, with slot i mod 4, comes before round 7 + 3i. That is five
        // rounds before its first W' is needed, and just after the last W in its place was read.
        macro_rules! step {
            ($slot:expr) => {
                expansion.step(&mut window.w[$slot], &mut window.x[$slot]);
                through_memory(&mut window);
            };
        }
        // Rounds 0 to 11, which need only message words.
        macro_rules! first {
            ($j:expr, $names:tt) => {
                let x = window.first_x[$j / 4][$j % 4];
                round!(
                    early,
                    parity,
                    parity,
                    $names,
                    T[$j],
                    window.first_w[$j / 4][$j % 4],
                    x
                );
            };
        }
        // Rounds 12 to 15.
        macro_rules! second {
            ($j:expr, $names:tt) => {
                let x = window.x[($j - 12) / 3][1 + ($j - 12) % 3];
                round!(
                    early,
                    parity,
                    parity,
                    $names,
                    T[$j],
                    window.first_w[3][$j - 12],
                    x
                );
            };
        }
        first!(0, [a b c d e f g h]);
        first!(1, [d a b c h e f g]);
        first!(2, [c d a b g h e f]);
        first!(3, [b c d a f g h e]);
        first!(4, [a b c d e f g h]);
        first!(5, [d a b c h e f g]);
        first!(6, [c d a b g h e f]);
        step!(0);
        first!(7, [b c d a f g h e]);
        first!(8, [a b c d e f g h]);
        first!(9, [d a b c h e f g]);
        step!(1);
        first!(10, [c d a b g h e f]);
        first!(11, [b c d a f g h e]);
        second!(12, [a b c d e f g h]);
        step!(2);
        second!(13, [d a b c h e f g]);
        second!(14, [c d a b g h e f]);
        second!(15, [b c d a f g h e]);

        // Twelve rounds at a time: after them the names and the slots are the same again. So the
        // numbers 16 to 27 stand for 28 to 39, and so on, as well.
        for t in T[16..].as_chunks::<12>().0 {
            macro_rules! late {
                ($j:expr, $names:tt) => {
                    let w = window.w[($j - 16) / 3][1 + ($j - 16) % 3];
                    let x = window.x[($j - 12) / 3 % 4][1 + ($j - 12) % 3];
                    round!(early, majority, choose, $names, t[$j - 16], w, x);
                };
            }
            step!(3);
            late!(16, [a b c d e f g h]);
            late!(17, [d a b c h e f g]);
            late!(18, [c d a b g h e f]);
            step!(0);
            late!(19, [b c d a f g h e]);
            late!(20, [a b c d e f g h]);
            late!(21, [d a b c h e f g]);
            step!(1);
            late!(22, [c d a b g h e f]);
            late!(23, [b c d a f g h e]);
            late!(24, [a b c d e f g h]);
            step!(2);
            late!(25, [d a b c h e f g]);
            late!(26, [c d a b g h e f]);
            late!(27, [b c d a f g h e]);
        }
        feed_forward(state, [a, b, c, d, e, f, g, h]);
    }
}

/// Compresses whole blocks into the state, in order.
pub(super) fn compress_blocks(state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { compress_sse2(state, blocks) }
}
