//! Constants of 16 bytes, the same for every lane.

/// An affine map as two look-ups with `PSHUFB`: one of the low four bits, one of the high four.
pub(super) type Nibbles = [[u8; 16]; 2];

pub(super) static LOW_BITS: [u8; 16] = [0x0f; 16];

/// The operand of `PSHUFB` that reverses the bytes of every word.
pub(super) static SWAP_BYTES: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

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
