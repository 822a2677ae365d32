//! The instructions.

use core::arch::x86_64::*;

use cipher::InOutBuf;

use super::{
    BLOCK_LEN, Block, Chaining, Direction, KEY_LEN, Masks, RoundKeys, Words, cbc_mac, counter_mode,
    crypt_all, encrypt_chain, key_schedule, zero_with,
};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $register:ty, $blocks:literal, numbers $numbers:expr,
        load $load:ident, store $store:ident, repeat $repeat:ident, shuffle $shuffle:ident,
        reverse $reverse:ident, binary { $($method:ident $intrinsic:ident),* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name($register);

        impl Words for $name {
            const BLOCKS: usize = $blocks;

            #[inline(always)]
            unsafe fn load(at: *const u8) -> Self {
                // SAFETY: by the contract of this function; the instruction needs no alignment.
                Self(unsafe { $load(at.cast()) })
            }

            #[inline(always)]
            unsafe fn store(self, at: *mut u8) {
                // SAFETY: as above.
                unsafe { $store(at.cast(), self.0) }
            }

            #[inline(always)]
            fn repeat(words: &[u32; 4]) -> Self {
                // SAFETY: the CPU has the instructions; four words are readable.
                Self(unsafe { $repeat(_mm_loadu_si128(words.as_ptr().cast())) })
            }

            #[inline(always)]
            fn numbers() -> Self {
                // SAFETY: the CPU has the instructions.
                Self(unsafe { $numbers })
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                // SAFETY: the CPU has the instructions.
                unsafe {
                    let order = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
                    Self($shuffle(self.0, $repeat(order)))
                }
            }

            #[inline(always)]
            fn reverse(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $reverse::<0b00_01_10_11>(self.0) })
            }

            $(
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: as above.
                    Self(unsafe { $intrinsic(self.0, other.0) })
                }
            )*
        }
    };
}

words!(
    /// Two blocks.
    Long, __m256i, 2, numbers _mm256_setr_epi32(0, 0, 0, 0, 0, 0, 0, 1),
    load _mm256_loadu_si256, store _mm256_storeu_si256, repeat _mm256_broadcastsi128_si256,
    shuffle _mm256_shuffle_epi8, reverse _mm256_shuffle_epi32,
    binary {
        xor _mm256_xor_si256, add _mm256_add_epi32,
        four_keys _mm256_sm4key4_epi32, four_rounds _mm256_sm4rnds4_epi32
    }
);
words!(
    /// One block.
    One, __m128i, 1, numbers _mm_setzero_si128(),
    load _mm_loadu_si128, store _mm_storeu_si128, repeat identity,
    shuffle _mm_shuffle_epi8, reverse _mm_shuffle_epi32,
    binary {
        xor _mm_xor_si128, add _mm_add_epi32,
        four_keys _mm_sm4key4_epi32, four_rounds _mm_sm4rnds4_epi32
    }
);

#[inline(always)]
fn identity(x: __m128i) -> __m128i {
    x
}

/// The round keys of `key`, as numbers.
#[target_feature(enable = "sm4,avx2")]
pub(in super::super) fn round_keys(key: &[u8; KEY_LEN]) -> RoundKeys {
    key_schedule::<One>(key)
}

/// The same, and the encryption of a block of zeros.
#[target_feature(enable = "sm4,avx2")]
pub(in super::super) fn round_keys_and_zero(key: &[u8; KEY_LEN]) -> (RoundKeys, [u8; BLOCK_LEN]) {
    zero_with(round_keys(key), |keys, block| {
        crypt(keys, Direction::Encrypt, None, block);
    })
}

/// Encrypts or decrypts every block, and adds masks.
#[target_feature(enable = "sm4,avx2")]
pub(in super::super) fn crypt(
    keys: &RoundKeys,
    direction: Direction,
    masks: Option<Masks<'_>>,
    blocks: InOutBuf<'_, '_, Block>,
) {
    crypt_all::<Long, One>(keys, direction, masks, blocks);
}

/// Encrypts blocks one after the other.
#[target_feature(enable = "sm4,avx2")]
pub(in super::super) fn chain(
    keys: &RoundKeys,
    mode: Chaining,
    chain: &mut [u8; BLOCK_LEN],
    blocks: &mut [Block],
) {
    encrypt_chain::<One>(keys, mode, chain, blocks);
}

/// CBC-MAC.
#[target_feature(enable = "sm4,avx2")]
pub(in super::super) fn mac(keys: &RoundKeys, chain: &mut [u8; BLOCK_LEN], blocks: &[Block]) {
    cbc_mac::<One>(keys, chain, blocks);
}

/// XORs the key stream of a counter into data of any length.
#[target_feature(enable = "sm4,avx2")]
pub(in super::super) fn ctr32(
    keys: &RoundKeys,
    counter: &[u8; BLOCK_LEN],
    data: InOutBuf<'_, '_, u8>,
) {
    counter_mode::<Long>(keys, counter, data);
}

/// In vectors of AVX2; it is compiled for AES, too, which the backend therefore needs.
pub(in super::super) use super::super::vectors::aesni_avx2::fill_tweaks;
