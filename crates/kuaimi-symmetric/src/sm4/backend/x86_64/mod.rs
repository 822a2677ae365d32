//! SM4 and GHASH with the vector instructions of x86-64.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`vectors`] | vectors of three lengths |
//! | [`inversion`] | the inversion of the S-box, with the AES instructions or with GFNI |
//! | [`lanes`] | the cipher, for every vector and inversion |
//! | [`ghash`] | GHASH with carry-less multiplication |
//! | [`constants`] | constants of 16 bytes |
//!
//! Each combination of a vector and an inversion is compiled here with the instructions that it needs.

#![allow(unsafe_code, reason = "vector instructions")]

mod constants;
pub(super) mod ghash;
mod inversion;
mod lanes;
mod vectors;

/// One combination: the inversion, that of short vectors for the last blocks, the number of groups at a time, and the
/// features.
macro_rules! combination {
    ($(#[$doc:meta])* $name:ident, $inversion:ident, short $short:ident, $groups:literal groups, $features:literal) => {
        $(#[$doc])*
        pub(super) mod $name {
            use cipher::InOutBuf;

            use super::super::super::{BLOCK_LEN, Block, KEY_LEN};
            use super::super::{Direction, RoundKeys};
            use super::lanes;
            use super::inversion::{$inversion as Long, $short as Short};

            #[target_feature(enable = $features)]
            pub(in super::super) fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
                lanes::round_keys::<Short>(key)
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn crypt(keys: &RoundKeys, direction: Direction, blocks: InOutBuf<'_, '_, Block>) {
                lanes::crypt::<Long, Short, $groups>(keys, direction, blocks);
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn ctr32(keys: &RoundKeys, counter: &[u8; BLOCK_LEN], data: InOutBuf<'_, '_, u8>) {
                lanes::ctr32::<Long, Short, $groups>(keys, counter, data);
            }
        }
    };
}

combination!(
    /// AES-NI and SSSE3.
    aesni, Aes, short Aes, 2 groups, "aes,ssse3"
);
combination!(
    /// AES-NI and AVX2.
    aesni_avx2, AesAvx2, short Aes, 2 groups, "aes,avx2"
);
combination!(
    /// VAES and AVX2.
    vaes, Vaes, short Aes, 4 groups, "aes,vaes,avx2"
);
combination!(
    /// GFNI and AVX2.
    gfni, Gfni, short Gfni128, 3 groups, "gfni,avx2"
);
combination!(
    /// VAES and AVX-512.
    vaes512, Vaes512, short Aes, 4 groups, "aes,vaes,avx2,avx512f,avx512bw"
);
combination!(
    /// GFNI and AVX-512.
    gfni512, Gfni512, short Gfni128, 4 groups, "gfni,avx2,avx512f,avx512bw"
);
