//! The compression function CF of SM3 (GB/T 32905-2016, 5.3.2 and 5.3.3), one stream.
//!
//! What differs from the letter of the standard, and why (`plain.rs` is the letter):
//!
//! - The message expansion runs four words ahead of the rounds, in a window of sixteen words, as
//!   round `j` reads `W_j` and `W'_j = W_j ⊕ W_{j+4}` and nothing older than `W_{j-12}` again.
//! - Nothing moves from register to register at the end of a round. `D ← C`, `C ← B <<< 9` and so on
//!   become new names: after four rounds every name is back at its own register.
//! - `T_j <<< (j mod 32)` is a table made by the compiler.
//!
//! There is no branch and no index that depends on data: the function is constant time.

use super::{BLOCK_LEN, State};

/// `T_j <<< (j mod 32)` for the 64 rounds (4.2).
const T: [u32; 64] = {
    let mut t = [0u32; 64];
    let mut j = 0;
    while j < 64 {
        let tj: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        t[j] = tj.rotate_left((j % 32) as u32);
        j += 1;
    }
    t
};

/// `FF_j` and `GG_j` for `j < 16` (4.3).
#[inline(always)]
fn parity(x: u32, y: u32, z: u32) -> u32 {
    x ^ y ^ z
}

/// `FF_j` for `j ≥ 16`: the majority of three bits. Where `x` and `y` agree it is theirs, else it is `z`.
#[inline(always)]
fn majority(x: u32, y: u32, z: u32) -> u32 {
    (x & y) | ((x | y) & z)
}

/// `GG_j` for `j ≥ 16`: `y` where `x` is set, else `z`.
#[inline(always)]
fn choose(x: u32, y: u32, z: u32) -> u32 {
    z ^ (x & (y ^ z))
}

/// `P0` (4.4).
#[inline(always)]
fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

/// `P1` (4.4).
#[inline(always)]
fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

/// One round. `TT1` lands in the register of `D`, `P0(TT2)` in that of `H`: the caller names the next
/// round's registers `D, A, B, C` and `H, E, F, G`.
macro_rules! round {
    ($ff:ident, $gg:ident, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
     $t:expr, $w:expr, $w4:expr) => {
        let a12 = $a.rotate_left(12);
        let ss1 = a12.wrapping_add($e).wrapping_add($t).rotate_left(7);
        $d = $d
            .wrapping_add($ff($a, $b, $c))
            .wrapping_add($w ^ $w4)
            .wrapping_add(ss1 ^ a12);
        $h = p0($h
            .wrapping_add($gg($e, $f, $g))
            .wrapping_add($w)
            .wrapping_add(ss1));
        $b = $b.rotate_left(9);
        $f = $f.rotate_left(19);
    };
}

/// Compresses whole blocks into the state, in order.
pub(crate) fn compress_blocks(state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    for block in blocks {
        compress(state, block);
    }
}

#[inline(always)]
fn compress(state: &mut State, block: &[u8; BLOCK_LEN]) {
    let (words, _) = block.as_chunks::<4>();
    let mut w: [u32; 16] = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;

    // W_{j+4}, over the place of W_{j-12}, which no round reads any more.
    macro_rules! ahead {
        ($j:expr) => {{
            let i = $j + 4;
            if i >= 16 {
                w[i % 16] = p1(w[i % 16] ^ w[(i - 9) % 16] ^ w[(i - 3) % 16].rotate_left(15))
                    ^ w[(i - 13) % 16].rotate_left(7)
                    ^ w[(i - 6) % 16];
            }
            w[i % 16]
        }};
    }
    macro_rules! four_rounds {
        ($ff:ident, $gg:ident, $j:expr) => {
            round!($ff, $gg, a b c d e f g h, T[$j], w[$j % 16], ahead!($j));
            round!($ff, $gg, d a b c h e f g, T[$j + 1], w[($j + 1) % 16], ahead!($j + 1));
            round!($ff, $gg, c d a b g h e f, T[$j + 2], w[($j + 2) % 16], ahead!($j + 2));
            round!($ff, $gg, b c d a f g h e, T[$j + 3], w[($j + 3) % 16], ahead!($j + 3));
        };
    }
    four_rounds!(parity, parity, 0);
    four_rounds!(parity, parity, 4);
    four_rounds!(parity, parity, 8);
    four_rounds!(parity, parity, 12);
    four_rounds!(majority, choose, 16);
    four_rounds!(majority, choose, 20);
    four_rounds!(majority, choose, 24);
    four_rounds!(majority, choose, 28);
    four_rounds!(majority, choose, 32);
    four_rounds!(majority, choose, 36);
    four_rounds!(majority, choose, 40);
    four_rounds!(majority, choose, 44);
    four_rounds!(majority, choose, 48);
    four_rounds!(majority, choose, 52);
    four_rounds!(majority, choose, 56);
    four_rounds!(majority, choose, 60);

    for (s, v) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *s ^= v;
    }
}
