//! The S-box in a round.

use super::vector::Vector;

/// The S-box and the maps around it, on all bytes of a vector. To be called only from functions
/// with the target features that the implementation needs. See [`field`](crate::sm4::field) for
/// `E`, `T` and `c`.
pub(super) trait Inversion {
    type Vector: Vector;
    /// `T·c` in every byte.
    const KEY_CONSTANT: u32;
    /// What each word lacks after `add_round`. The round keys make up for it.
    const LACKING: u32 = 0;

    /// `E·x` for each byte.
    fn transform(x: Self::Vector) -> Self::Vector;
    /// `E⁻¹·x` for each byte.
    fn inverse_transform(x: Self::Vector) -> Self::Vector;
    /// `sum + E·L(S(y))` but for `LACKING`, for `x = E·y + T·c`, which is a sum of transformed
    /// words and a transformed round key.
    fn add_round(sum: Self::Vector, x: Self::Vector) -> Self::Vector;
    /// `S(y)` for `x = E·y + T·c`. All words of the vector must be equal.
    fn substitute(x: Self::Vector) -> Self::Vector;
}

/// `E·k + T·c` in every word, for a round key `k`, or for the argument of the S-box in the key
/// schedule.
#[inline(always)]
pub(super) fn transform_key<W: Inversion>(word: u32) -> W::Vector {
    W::transform(W::Vector::splat(word)).xor(W::Vector::splat(W::KEY_CONSTANT))
}

/// `sum + u + (v<<<24) + (w<<<8) + (w<<<16)` with `w = u + v`.
#[inline(always)]
pub(super) fn add_rotated<V: Vector>(sum: V, u: V, v: V, rotate: &'static [[u8; 16]; 4]) -> V {
    let w = u.xor(v);
    let u = u.shuffle(V::constant(&rotate[0]));
    let v = v.shuffle(V::constant(&rotate[3]));
    let w1 = w.shuffle(V::constant(&rotate[1]));
    let w2 = w.shuffle(V::constant(&rotate[2]));
    sum.xor3(u, v).xor3(w1, w2)
}
