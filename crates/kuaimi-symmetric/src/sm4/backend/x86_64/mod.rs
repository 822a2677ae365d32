//! SM4 with the vector instructions of x86-64: [`vectors`] of three lengths, two [`ways`] to invert, and in [`lanes`] what is common
//! to all. Here, each combination is compiled with the instructions that it needs.

#![allow(unsafe_code, reason = "vector instructions")]

mod constants;
pub(super) mod ghash;
mod lanes;
mod vectors;
mod ways;

/// One combination: how many groups it works on side by side, and the way and the features.
macro_rules! combination {
    ($(#[$doc:meta])* $name:ident, $way:ident, short $short:ident, $groups:literal groups, $features:literal) => {
        $(#[$doc])*
        pub(super) mod $name {
            use cipher::InOutBuf;

            use super::super::super::{BLOCK_LEN, Block, KEY_LEN};
            use super::super::{Direction, RoundKeys};
            use super::lanes;
            use super::ways::{$way as Best, $short as Short};
                        #[target_feature(enable = $features)]
            pub(in super::super) fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
                lanes::round_keys::<Short>(key)
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn crypt(keys: &RoundKeys, direction: Direction, blocks: InOutBuf<'_, '_, Block>) {
                lanes::crypt::<Best, Short, $groups>(keys, direction, blocks);
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn counters(keys: &RoundKeys, counter: &[u8; BLOCK_LEN], data: InOutBuf<'_, '_, u8>) {
                lanes::counters::<Best, Short, $groups>(keys, counter, data);
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
