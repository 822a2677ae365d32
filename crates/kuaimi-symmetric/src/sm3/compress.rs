//! The compression function CF of SM3 (GB/T 32905-2016, 5.3.2 and 5.3.3): its parts, and the call
//! of the selected implementation. `plain.rs` has it as the standard writes it.
//!
//! The implementations differ from the text of the standard in three points:
//!
//! - No value moves from register to register at the end of a round. `D ← C`, `C ← B <<< 9` and so
//!   on change the names of the registers; after four rounds each register has its first name
//!   again.
//! - `T_j <<< (j mod 32)` is a table that the compiler computes.
//! - The message expansion is a few words ahead of the rounds, in a window: round `j` reads `W_j`
//!   and `W'_j = W_j ⊕ W_{j+4}`, and `W_j` is computed from the sixteen words before it.
//!
//! No branch and no index depends on data: the function is constant time.

#![forbid(unsafe_code)]

use kuaimi_platform::backend::Sm3;

use super::hasher::to_bytes;
use super::{BLOCK_LEN, DIGEST_LEN, IV, State, backend};

/// Compresses whole blocks into the state, in order.
#[inline]
pub(crate) fn compress_blocks(state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    backend::compress_blocks(Sm3::selected(), state, blocks);
}

/// The compression function alone: `CF` for each block in order. The state is the eight words as
/// bytes, as a digest has them.
///
/// For programs that keep the state of a hash themselves, where [`Sm3`](super::Sm3) cannot be used:
/// to save it, say. The padding is theirs, too. Constant time.
///
/// ```
/// use kuaimi::sm3::{INITIAL_STATE, compress, digest};
///
/// // The message "abc" as one block: a bit 1, zeros, and its length in bits (clause 5.2).
/// let mut block = [0; 64];
/// block[..4].copy_from_slice(b"abc\x80");
/// block[63] = 24;
///
/// let mut state = INITIAL_STATE;
/// compress(&mut state, &[block]);
/// assert_eq!(state, digest(b"abc"));
/// ```
///
/// Source: GB/T 32905-2016, clause 5.3.
pub fn compress(state: &mut [u8; DIGEST_LEN], blocks: &[[u8; BLOCK_LEN]]) {
    let mut words: State = [0; 8];
    for (word, bytes) in words.iter_mut().zip(state.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    compress_blocks(&mut words, blocks);
    *state = to_bytes(&words);
    words = [0; 8];
    zeroize::optimization_barrier(&words);
}

/// The state before the first block, for [`compress`] (4.1).
///
/// ```
/// assert_eq!(kuaimi::sm3::INITIAL_STATE[..4], [0x73, 0x80, 0x16, 0x6f]);
/// ```
pub const INITIAL_STATE: [u8; DIGEST_LEN] = {
    let (mut state, mut i) = ([0; DIGEST_LEN], 0);
    while i < DIGEST_LEN {
        state[i] = IV[i / 4].to_be_bytes()[i % 4];
        i += 1;
    }
    state
};

/// `T_j <<< (j mod 32)` for the 64 rounds (4.2).
pub(super) const T: [u32; 64] = {
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
pub(super) fn parity(x: u32, y: u32, z: u32) -> u32 {
    x ^ y ^ z
}

/// `FF_j` for `j ≥ 16`: the majority of three bits.
#[inline(always)]
pub(super) fn majority(x: u32, y: u32, z: u32) -> u32 {
    (x & y) | (x & z) | (y & z)
}

/// `GG_j` for `j ≥ 16`: `y` where `x` is set, else `z`. In this form `y ^ z` can be computed before
/// `x`, the result of the last round, is ready.
#[inline(always)]
pub(super) fn choose(x: u32, y: u32, z: u32) -> u32 {
    z ^ (x & (y ^ z))
}

/// `P0` (4.4).
#[inline(always)]
pub(super) fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

/// One round. `TT1` is computed in the register of `D`, `P0(TT2)` in that of `H`. So the next
/// round's registers are `D, A, B, C` and `H, E, F, G`.
///
/// The critical path goes from `E` to the next `E`: seven operations, through `GG` or `SS1`. So all
/// terms that do not depend on the newest `A` and `E` are added first. `early` is a function that
/// keeps the compiler from changing this order, or the identity.
macro_rules! round {
    ($early:ident, $ff:ident, $gg:ident,
     [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident],
     $t:expr, $w:expr, $x:expr) => {
        let a12 = $a.rotate_left(12);
        let ss1 = $early(a12.wrapping_add($t)).wrapping_add($e).rotate_left(7);
        $h = $early($h.wrapping_add($w));
        $d = $early($d.wrapping_add($x));
        $h = p0($h.wrapping_add($gg($e, $f, $g)).wrapping_add(ss1));
        $d = $d.wrapping_add($ff($a, $b, $c)).wrapping_add(ss1 ^ a12);
        $b = $b.rotate_left(9);
        $f = $f.rotate_left(19);
    };
}
pub(super) use round;

/// `V(i+1) = ABCDEFGH ⊕ V(i)`.
#[inline(always)]
pub(super) fn feed_forward(state: &mut State, abcdefgh: State) {
    for (s, v) in state.iter_mut().zip(abcdefgh) {
        *s ^= v;
    }
}
