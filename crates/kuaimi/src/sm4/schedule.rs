//! The key schedule (GB/T 32907-2016, 7.3), over whatever computes the S-box.

#![forbid(unsafe_code)]

use super::{KEY_LEN, ROUNDS};

/// The system parameter `FK`.
pub(super) const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The fixed parameters `CK`: byte `j` of `CKᵢ` is `7·(4i + j) mod 256`.
pub(super) const CK: [u32; ROUNDS] = {
    let (mut ck, mut i) = ([0; ROUNDS], 0);
    while i < 4 * ROUNDS {
        ck[i / 4] = ck[i / 4] << 8 | (7 * i as u32 & 0xff);
        i += 1;
    }
    ck
};

/// The round keys, the first of encryption first. `substitute` is the S-box on the four bytes of a word.
#[inline(always)]
pub(super) fn round_keys(
    key: &[u8; KEY_LEN],
    mut substitute: impl FnMut(u32) -> u32,
) -> [u32; ROUNDS] {
    let (words, _) = key.as_chunks::<4>();
    let mut k: [u32; 4] = core::array::from_fn(|i| u32::from_be_bytes(words[i]) ^ FK[i]);
    let mut keys = [0; ROUNDS];
    for (i, rk) in keys.iter_mut().enumerate() {
        let b = substitute(k[1] ^ k[2] ^ k[3] ^ CK[i]);
        *rk = k[0] ^ b ^ b.rotate_left(13) ^ b.rotate_left(23);
        k = [k[1], k[2], k[3], *rk];
    }
    keys
}
