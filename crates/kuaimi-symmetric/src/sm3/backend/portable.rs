//! SM3 compression in plain Rust, for every target.
//!
//! The code has 16 rounds with the parity functions, and a loop over three times 16 rounds. All 64
//! rounds unrolled would not fit the CPU's cache of decoded instructions, and run slower.

#![forbid(unsafe_code)]

use super::super::compress::{T, choose, feed_forward, majority, p0, parity, round};
use super::super::{BLOCK_LEN, State};

/// `P1` (4.4).
#[inline(always)]
fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

#[inline(always)]
fn identity(x: u32) -> u32 {
    x
}

pub(super) fn compress_blocks(state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    for block in blocks {
        let (words, _) = block.as_chunks::<4>();
        // W_{j-12} to W_{j+3} when round j begins, W_i at i mod 16.
        let mut w: [u32; 16] = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;

        // Computes W_{j+4}, in the place of W_{j-12}, which no later round reads.
        macro_rules! expanded_word {
            ($j:expr) => {{
                let i = $j + 4;
                w[i % 16] = p1(w[i % 16] ^ w[(i + 7) % 16] ^ w[(i + 13) % 16].rotate_left(15))
                    ^ w[(i + 3) % 16].rotate_left(7)
                    ^ w[(i + 10) % 16];
                w[i % 16]
            }};
        }
        macro_rules! four_rounds {
            ($ff:ident, $gg:ident, $j:expr, $t:expr, $w4:ident) => {
                four_rounds!(one, $ff, $gg, $j, $t, $w4, [a b c d e f g h]);
                four_rounds!(one, $ff, $gg, $j + 1, $t, $w4, [d a b c h e f g]);
                four_rounds!(one, $ff, $gg, $j + 2, $t, $w4, [c d a b g h e f]);
                four_rounds!(one, $ff, $gg, $j + 3, $t, $w4, [b c d a f g h e]);
            };
            (one, $ff:ident, $gg:ident, $j:expr, $t:expr, $w4:ident, $names:tt) => {
                let x = w[$j] ^ $w4!($j);
                round!(identity, $ff, $gg, $names, $t[$j], w[$j], x);
            };
        }
        // W_{j+4} if it is a word of the message.
        macro_rules! message_word {
            ($j:expr) => {
                w[$j + 4]
            };
        }
        four_rounds!(parity, parity, 0, T, message_word);
        four_rounds!(parity, parity, 4, T, message_word);
        four_rounds!(parity, parity, 8, T, message_word);
        four_rounds!(parity, parity, 12, T, expanded_word);
        for t in T[16..].as_chunks::<16>().0 {
            four_rounds!(majority, choose, 0, t, expanded_word);
            four_rounds!(majority, choose, 4, t, expanded_word);
            four_rounds!(majority, choose, 8, t, expanded_word);
            four_rounds!(majority, choose, 12, t, expanded_word);
        }
        feed_forward(state, [a, b, c, d, e, f, g, h]);
    }
}
