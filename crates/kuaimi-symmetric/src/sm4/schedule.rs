//! The key schedule (GB/T 32907-2016, 7.3), with any implementation of the S-box.

#![forbid(unsafe_code)]

use super::{KEY_LEN, ROUNDS};

/// The system parameter `FK`.
pub(super) const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The fixed parameters `CK`: byte `j` of `CKᵢ` is `7·(4i + j) mod 256`.
pub(super) const CK: [u32; ROUNDS] = {
    let (mut ck, mut i) = ([0; ROUNDS], 0);
    while i < 4 * ROUNDS {
        ck[i / 4] = (ck[i / 4] << 8) | ((7 * i as u32) & 0xff);
        i += 1;
    }
    ck
};

/// An implementation of the S-box.
pub(super) trait Substitute {
    /// `S` on each of the four bytes of a word.
    fn substitute(word: u32) -> u32;
}

/// The round keys, in the order of encryption.
#[inline(always)]
pub(super) fn round_keys<S: Substitute>(key: &[u8; KEY_LEN]) -> [u32; ROUNDS] {
    let (words, _) = key.as_chunks::<4>();
    let mut k = FK;
    for (k, word) in k.iter_mut().zip(words) {
        *k ^= u32::from_be_bytes(*word);
    }
    let mut keys = [0; ROUNDS];
    for (rk, ck) in keys.iter_mut().zip(CK) {
        let b = S::substitute(k[1] ^ k[2] ^ k[3] ^ ck);
        *rk = k[0] ^ b ^ b.rotate_left(13) ^ b.rotate_left(23);
        k = [k[1], k[2], k[3], *rk];
    }
    keys
}

/// Whether a sum of the three words that round `i` adds lacks a constant, in implementations whose
/// rounds omit a constant `κ` of their result.
///
/// Write the right word as `Xᵢ = Yᵢ + nᵢ·κ`, where `Yᵢ` is the word computed. Then
/// `n₀ = … = n₃ = 0` and `nᵢ₊₄ = nᵢ + 1` modulo 2, so `n` is 0, 0, 0, 0, 1, 1, 1, 1 and so on, and
/// `n₃₂` to `n₃₅` are 0 again. So `nᵢ₊₁ + nᵢ₊₂ + nᵢ₊₃` times `κ` is added to the key of round `i`.
/// This pattern is its own mirror image, so it is right for decryption, too, which uses the keys in
/// reverse order.
pub(super) fn lacks_constant(i: usize) -> bool {
    (i + 1..i + 4).filter(|j| j / 4 % 2 == 1).count() % 2 == 1
}
