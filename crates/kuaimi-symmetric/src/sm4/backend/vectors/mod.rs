//! SM4 and GHASH with the vector instructions of x86-64, AArch64 and WebAssembly.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`vector`] | what the cipher needs of vectors |
//! | [`inversion`] | what it needs of the S-box |
//! | `aes` | the S-box with the AES instructions |
//! | `chain` | the cipher on one block after the other |
//! | `keys`, `word_keys` | the key schedule: in vectors, and on words |
//! | [`lanes`] | the cipher, for every vector and inversion |
//! | `lane_keys` | counter mode with a key of its own in each element |
//! | `ghash` | GHASH with carry-less multiplication |
//! | [`constants`] | constants of 16 bytes |
//! | `rotations` | rotations of words by whole bytes, where they are shuffles |
//! | `tweaks` | the tweaks of XTS |
//! | `x86_64` | vectors of three lengths; the S-box with the AES instructions or with GFNI |
//! | `aarch64` | vectors of 128 bits; the S-box with the AES instructions or by look-ups; all of SM4 with its own instructions |
//! | `wasm32` | vectors of 128 bits; the S-box and GHASH by look-ups |
//!
//! Each combination of a vector and an inversion is compiled here with the instructions that it
//! needs.

#![allow(unsafe_code, reason = "vector instructions")]

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(clmul)]
mod aes;
mod chain;
mod constants;
#[cfg(clmul)]
pub(super) mod ghash;
mod inversion;
#[cfg(clmul)]
mod keys;
#[cfg(clmul)]
pub(super) mod lane_keys;
mod lanes;
#[cfg(clmul)]
mod rotations;
#[cfg(clmul)]
mod tweaks;
mod vector;
#[cfg(target_arch = "wasm32")]
mod wasm32;
#[cfg(any(neon, simd128))]
mod word_keys;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
use aarch64 as machine;
#[cfg(target_arch = "aarch64")]
pub(super) use aarch64::sm4e;
#[cfg(clmul)]
use tweaks::fill as fill_tweaks;
#[cfg(target_arch = "wasm32")]
use wasm32 as machine;
#[cfg(target_arch = "wasm32")]
pub(super) use wasm32::ghash;
#[cfg(target_arch = "x86_64")]
use x86_64 as machine;

/// Not in vectors, so that the module is smaller.
#[cfg(target_arch = "wasm32")]
fn fill_tweaks<V>(standard: super::super::XtsStandard, tweaks: &mut [super::super::tweaks::Eight]) {
    super::super::tweaks::fill_eights(standard, tweaks);
}

/// One combination: the inversion, that of short vectors for the last blocks, the number of groups
/// at a time, and the features.
macro_rules! combination {
    ($(#[$doc:meta])* $name:ident, $inversion:ident, short $short:ident, one $one:ident, $groups:literal groups, $features:literal) => {
        $(#[$doc])*
        pub(super) mod $name {
            use cipher::InOutBuf;

            use super::super::super::tweaks::Eight;
            use super::super::super::{BLOCK_LEN, Block, KEY_LEN, XtsStandard};
            use super::super::{Chaining, Direction, Masks, RoundKeys, chain_with, mac_with, masked_with};
            use super::inversion::Inversion;
            use super::lanes;
            use super::machine::{$inversion as Long, $one as One, $short as Short};

            #[target_feature(enable = $features)]
            pub(in super::super) fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
                <One as Inversion>::round_keys(key)
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn round_keys_and_zero(key: &[u8; KEY_LEN]) -> (RoundKeys, [u8; BLOCK_LEN]) {
                <One as Inversion>::round_keys_and_zero(key)
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn crypt(keys: &RoundKeys, direction: Direction, masks: Option<Masks<'_>>, blocks: InOutBuf<'_, '_, Block>) {
                // In WebAssembly, masks in the same pass would make the module larger.
                if cfg!(target_arch = "wasm32") {
                    return masked_with(masks, blocks, |blocks| lanes::crypt::<Long, Short, One, $groups>(keys, direction, None, blocks));
                }
                lanes::crypt::<Long, Short, One, $groups>(keys, direction, masks, blocks);
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn chain(keys: &RoundKeys, mode: Chaining, chain: &mut [u8; BLOCK_LEN], blocks: &mut [Block]) {
                if cfg!(target_arch = "wasm32") {
                    return chain_with(mode, chain, blocks, |block| crypt(keys, Direction::Encrypt, None, InOutBuf::from_mut(block)));
                }
                super::chain::encrypt::<One>(keys, mode, chain, blocks);
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn mac(keys: &RoundKeys, chain: &mut [u8; BLOCK_LEN], blocks: &[Block]) {
                if cfg!(target_arch = "wasm32") {
                    return mac_with(chain, blocks, |block| crypt(keys, Direction::Encrypt, None, InOutBuf::from_mut(block)));
                }
                super::chain::mac::<One>(keys, chain, blocks);
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn fill_tweaks(standard: XtsStandard, tweaks: &mut [Eight]) {
                super::fill_tweaks::<<Long as Inversion>::Vector>(standard, tweaks);
            }

            #[target_feature(enable = $features)]
            pub(in super::super) fn ctr32(keys: &RoundKeys, counter: &[u8; BLOCK_LEN], data: InOutBuf<'_, '_, u8>) {
                lanes::ctr32::<Long, Short, $groups>(keys, counter, data);
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
combination!(
    /// AES-NI and SSSE3.
    aesni, Aes, short Aes, one Aes, 2 groups, "aes,ssse3"
);
#[cfg(target_arch = "x86_64")]
combination!(
    /// AES-NI and AVX2.
    aesni_avx2, AesAvx2, short Aes, one Aes, 2 groups, "aes,avx2"
);
#[cfg(target_arch = "x86_64")]
combination!(
    /// VAES and AVX2.
    vaes, Vaes, short Aes, one Aes, 4 groups, "aes,vaes,avx2"
);
#[cfg(target_arch = "x86_64")]
combination!(
    /// GFNI and AVX2.
    gfni, Gfni, short Gfni128, one Gfni128, 3 groups, "gfni,avx2"
);
#[cfg(target_arch = "x86_64")]
combination!(
    /// VAES and AVX-512.
    vaes512, Vaes512, short Aes, one AesVl, 4 groups, "aes,vaes,avx2,avx512f,avx512bw,avx512vl"
);
#[cfg(target_arch = "x86_64")]
combination!(
    /// GFNI and AVX-512.
    gfni512, Gfni512, short Gfni128, one GfniVl, 4 groups, "gfni,avx2,avx512f,avx512bw,avx512vl"
);
#[cfg(target_arch = "aarch64")]
combination!(
    /// NEON alone.
    neon, Table, short Table, one Table, 2 groups, "neon"
);
#[cfg(target_arch = "aarch64")]
combination!(
    /// The AES instructions.
    aese, Aes, short Aes, one Aes, 4 groups, "neon,aes"
);
#[cfg(target_arch = "wasm32")]
combination!(
    /// The vectors of WebAssembly.
    simd128, Tower, short Tower, one Tower, 4 groups, "simd128"
);
