//! Rotations of words by whole bytes, as shuffles.

use super::vector::Vector;

/// The operands of `PSHUFB` that rotate every word left by 0 to 3 bytes: with the most significant
/// byte of a word at place 0, the byte at place `m` comes from place `m + bytes`.
pub(super) static ROTATE: [[u8; 16]; 4] = rotations(false);

/// [`ROTATE`], or the same after `ShiftRows`, which moved the byte at place `m` of word `w` to word
/// `w − m`.
pub(super) const fn rotations(shifted: bool) -> [[u8; 16]; 4] {
    let (mut all, mut i) = ([[0; 16]; 4], 0);
    while i < 64 {
        let (bytes, word, place) = (i / 16, i / 4 % 4, i % 4);
        let from = (place + bytes) % 4;
        let word = if shifted { (word + 4 - from) % 4 } else { word };
        all[bytes][i % 16] = (4 * word + from) as u8;
        i += 1;
    }
    all
}

/// `u`, `v<<<24`, `w<<<8` and `w<<<16`, whose sum is `E·L(S(y))`.
#[inline(always)]
pub(super) fn rotated<V: Vector>(u: V, v: V, w: V, rotate: &'static [[u8; 16]; 4]) -> [V; 4] {
    [
        u.shuffle(V::constant(&rotate[0])),
        v.shuffle(V::constant(&rotate[3])),
        w.shuffle(V::constant(&rotate[1])),
        w.shuffle(V::constant(&rotate[2])),
    ]
}

/// `sum + u + (v<<<24) + (w<<<8) + (w<<<16)` with `w = u + v`.
#[inline(always)]
pub(super) fn add_rotated<V: Vector>(sum: V, u: V, v: V, rotate: &'static [[u8; 16]; 4]) -> V {
    let [u, v, w1, w2] = rotated(u, v, u.xor(v), rotate);
    sum.xor3(u, v).xor3(w1, w2)
}
