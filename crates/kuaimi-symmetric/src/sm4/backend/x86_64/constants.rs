//! Constants of 16 bytes, for every lane alike.

use super::super::super::field::{
    AFTER_AES, AFTER_AES_U, AFTER_AES_V, ENTER, ENTER_KEY, LEAVE, linear,
};

/// An affine map as two look-ups with `PSHUFB`: of the low four bits, and of the high four.
pub(super) type Nibbles = [[u8; 16]; 2];

pub(super) static ENTER_NIBBLES: Nibbles = linear(ENTER).nibbles();
pub(super) static LEAVE_NIBBLES: Nibbles = linear(LEAVE).nibbles();
pub(super) static AFTER_AES_U_NIBBLES: Nibbles = AFTER_AES_U.nibbles();
pub(super) static AFTER_AES_V_NIBBLES: Nibbles = AFTER_AES_V.nibbles();
pub(super) static AFTER_AES_NIBBLES: Nibbles = AFTER_AES.nibbles();

/// The constant of a round key, in every byte.
pub(super) const KEY_CONSTANT: u32 = u32::from_ne_bytes([ENTER_KEY.constant; 4]);

pub(super) static LOW_BITS: [u8; 16] = [0x0f; 16];

/// What `PSHUFB` takes to reverse the bytes of every word.
pub(super) static SWAP_BYTES: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

/// What `PSHUFB` takes to rotate every word left by so many bytes, as a number: the byte that goes to place `m` of word `w`, the
/// most significant at place 0, comes from place `m + bytes`.
pub(super) static ROTATE: [[u8; 16]; 4] = rotations(false);

/// The same where `ShiftRows` has moved the bytes: that of word `w`, place `m`, to word `w − m`.
pub(super) static ROTATE_SHIFTED_ROWS: [[u8; 16]; 4] = rotations(true);

const fn rotations(shifted: bool) -> [[u8; 16]; 4] {
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
