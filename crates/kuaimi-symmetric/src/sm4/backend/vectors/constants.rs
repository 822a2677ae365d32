//! Constants of 16 bytes, the same for every lane.

/// An affine map as two look-ups with `PSHUFB`: one of the low four bits, one of the high four.
pub(super) type Nibbles = [[u8; 16]; 2];

pub(super) static LOW_BITS: [u8; 16] = [0x0f; 16];

/// The operand of `PSHUFB` that reverses the bytes of every word.
pub(super) static SWAP_BYTES: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
