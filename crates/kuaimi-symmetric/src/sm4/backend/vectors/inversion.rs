//! The S-box in a round.

use super::super::super::{BLOCK_LEN, KEY_LEN};
use super::super::masks::MasksAt;
use super::super::{Direction, RoundKeys};
use super::lanes;
use super::vector::Vector;

/// The S-box and the maps around it, on all bytes of a vector. To be called only from functions
/// with the target features that the implementation needs. See [`field`](crate::sm4::field) for
/// `E`, `T` and `c`.
pub(super) trait Inversion {
    type Vector: Vector;
    /// `T·c` in every byte.
    const KEY_CONSTANT: u32;
    /// What each word lacks after `add_round`. The round keys make up for it.
    #[cfg(any(neon, simd128))]
    const LACKING: u32 = 0;

    /// The bytes of a vector in the order that `add_round` takes. It is its own inverse.
    #[inline(always)]
    fn arrange(x: Self::Vector) -> Self::Vector {
        x
    }
    /// `E·x` for each byte.
    fn transform(x: Self::Vector) -> Self::Vector;
    /// `E⁻¹·x` for each byte.
    fn inverse_transform(x: Self::Vector) -> Self::Vector;
    /// `sum + E·L(S(y))` but for `LACKING`, for `x = E·y + T·c`, which is a sum of transformed
    /// words and a transformed round key.
    fn add_round(sum: Self::Vector, x: Self::Vector) -> Self::Vector;
    /// The transformed round keys of a key: `E·k + T·c` for each byte `k`, in the order of memory.
    fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys;

    /// The round keys, and the encryption of a block of zeros, which is the key of GCM's hash.
    #[inline(always)]
    fn round_keys_and_zero(key: &[u8; KEY_LEN]) -> (RoundKeys, [u8; BLOCK_LEN])
    where
        Self: Sized,
    {
        let (keys, mut block) = (Self::round_keys(key), [0; BLOCK_LEN]);
        let at = block.as_mut_ptr();
        // SAFETY: the array is a block, and there are no masks.
        unsafe {
            let masks = MasksAt::default();
            lanes::crypt_one::<Self>(&keys, Direction::Encrypt, masks, at, at);
        }
        (keys, block)
    }

    /// All rounds of one group, in as little time as one block alone can take.
    #[inline(always)]
    fn rounds_of_one(
        keys: &RoundKeys,
        direction: Direction,
        words: [Self::Vector; 4],
    ) -> [Self::Vector; 4]
    where
        Self: Sized,
    {
        let mut groups = [words];
        lanes::rounds::<Self, _, 1>((keys, direction), &mut groups);
        let [words] = groups;
        words
    }
}

/// The S-box alone, for the key schedule.
#[cfg(any(neon, simd128))]
pub(super) trait Substitution: Inversion {
    /// `S(y)` for `x = E·y + T·c`. All words of the vector must be equal.
    fn substitute(x: Self::Vector) -> Self::Vector;
}

/// `E·k + T·c` in every word, for a round key `k`, or for the argument of the S-box in the key
/// schedule.
#[cfg(any(neon, simd128))]
#[inline(always)]
pub(super) fn transform_key<W: Inversion>(word: u32) -> W::Vector {
    W::transform(W::Vector::splat(word)).xor(W::Vector::splat(W::KEY_CONSTANT))
}
