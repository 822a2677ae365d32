//! Implementations of the block cipher, and of GHASH.
//!
//! | module | what it does |
//! | --- | --- |
//! | `portable` | the cipher on bit planes, in plain Rust |
//! | `serial` | the cipher on one block, in plain Rust |
//! | `circuit` | the S-box as a circuit, for both |
//! | `vectors` | the cipher and GHASH with the vector instructions of x86-64, AArch64 and WebAssembly |
//! | `vsm4` | the cipher with the instructions for SM4 of x86-64 |
//! | `masks` | where the masks of blocks are |
//! | `ghash` | GHASH with the selected implementation |
//!
//! An implementation of the cipher computes round keys, encrypts or decrypts blocks all at once or
//! one after the other, encrypts a counter, and computes tweaks. The modes are built from these.
//! All implementations give the same results, and are constant time in keys and data: no address
//! depends on them.

#[cfg(not(kuaimi_simd128_alone))]
mod circuit;
mod ghash;
#[cfg(any(test, vectors))]
mod masks;
#[cfg(not(kuaimi_simd128_alone))]
mod portable;
#[cfg(not(kuaimi_simd128_alone))]
mod serial;
#[cfg(vectors)]
mod vectors;
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
mod vsm4;

use cipher::InOutBuf;
use kuaimi_platform::backend::{Sm4, Supported};

pub(super) use self::ghash::{Ghash, GhashKey};
#[cfg(clmul)]
pub(super) use self::vectors::lane_keys::LaneKeys;
use super::block::add;
use super::tweaks::Eight;
use super::{BLOCK_LEN, Block, KEY_LEN, ROUNDS, XtsStandard};

/// The most keys that are computed with at a time, and blocks of each at a time: a multiple of what
/// any implementation has.
#[cfg(clmul)]
pub(super) const LANES: usize = 16;
#[cfg(clmul)]
pub(super) const STEP: usize = 12;

/// Round keys, in the order of encryption. Their form is private to the implementation.
pub(super) type RoundKeys = [u32; ROUNDS];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Encrypt,
    Decrypt,
}

impl Direction {
    /// The index of the key of round `i`.
    #[inline(always)]
    const fn index(self, i: usize) -> usize {
        match self {
            Self::Encrypt => i,
            Self::Decrypt => ROUNDS - 1 - i,
        }
    }
}

/// What modes add to blocks besides the cipher: a mask for each block.
#[derive(Clone, Copy)]
pub(super) enum Masks<'a> {
    /// Added to the result.
    After(&'a [Block]),
    /// Added to the block, and to the result.
    Both(&'a [Block]),
}

/// A mode that encrypts each block after the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Chaining {
    /// The chain is added to the block; the encryption is the result and the next chain.
    Cbc,
    /// The encryption of the chain is added to the block, which is the result and the next chain.
    Cfb,
    /// The encryption of the chain is the next chain, and is added to the block.
    Ofb,
}

/// Calls a function of the selected implementation.
macro_rules! dispatch {
    ($implementation:expr, $function:ident($($argument:expr),*)) => {
        match $implementation.0.get() {
            #[cfg(not(kuaimi_simd128_alone))]
            Sm4::Portable => portable::$function($($argument),*),
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: the CPU has the instructions, as the `Supported` value proves.
            Sm4::Aesni => unsafe { vectors::aesni::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: as above.
            Sm4::AesniAvx2 => unsafe { vectors::aesni_avx2::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: as above.
            Sm4::Vaes => unsafe { vectors::vaes::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: as above.
            Sm4::Gfni => unsafe { vectors::gfni::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: as above.
            Sm4::Vaes512 => unsafe { vectors::vaes512::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: as above.
            Sm4::Gfni512 => unsafe { vectors::gfni512::$function($($argument),*) },
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: as above.
            Sm4::Vsm4 => unsafe { vsm4::$function($($argument),*) },
            #[cfg(neon)]
            // SAFETY: as above.
            Sm4::Neon => unsafe { vectors::neon::$function($($argument),*) },
            #[cfg(neon)]
            // SAFETY: as above.
            Sm4::Aese => unsafe { vectors::aese::$function($($argument),*) },
            #[cfg(neon)]
            // SAFETY: as above.
            Sm4::Sm4e => unsafe { vectors::sm4e::$function($($argument),*) },
            #[cfg(simd128)]
            Sm4::Simd128 => vectors::simd128::$function($($argument),*),
        }
    };
}

/// Runs a macro with the name of the selected implementation, if it has lanes of keys.
#[cfg(clmul)]
macro_rules! with_lane_keys {
    ($implementation:expr, $run:ident) => {
        match $implementation.0.get() {
            #[cfg(target_arch = "x86_64")]
            Sm4::Aesni => Some($run!(aesni)),
            #[cfg(target_arch = "x86_64")]
            Sm4::AesniAvx2 => Some($run!(aesni_avx2)),
            #[cfg(target_arch = "x86_64")]
            Sm4::Vaes => Some($run!(vaes)),
            #[cfg(target_arch = "x86_64")]
            Sm4::Gfni => Some($run!(gfni)),
            #[cfg(target_arch = "x86_64")]
            Sm4::Vaes512 => Some($run!(vaes512)),
            #[cfg(target_arch = "x86_64")]
            Sm4::Gfni512 => Some($run!(gfni512)),
            #[cfg(target_arch = "aarch64")]
            Sm4::Aese => Some($run!(aese)),
            _ => None,
        }
    };
}

/// An implementation of the cipher that this CPU can run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Implementation(Supported<Sm4>);

#[allow(unsafe_code, reason = "implementations that need CPU features")]
impl Implementation {
    /// The implementation that this process uses now.
    #[inline]
    pub(super) fn selected() -> Self {
        Self(Sm4::selected())
    }

    /// All that this CPU can run, from slow to fast.
    #[cfg(test)]
    pub(super) fn available() -> impl Iterator<Item = Self> {
        Sm4::available().map(Self)
    }

    /// The round keys of `key`.
    pub(super) fn round_keys(self, key: &[u8; KEY_LEN]) -> RoundKeys {
        dispatch!(self, round_keys(key))
    }

    /// The round keys of `key`, and the encryption of a block of zeros under it, which is the key
    /// of GCM's hash.
    pub(super) fn round_keys_and_zero(self, key: &[u8; KEY_LEN]) -> (RoundKeys, [u8; BLOCK_LEN]) {
        dispatch!(self, round_keys_and_zero(key))
    }

    /// How many keys [`lane_keys`](Self::lane_keys) takes at a time: none, if the implementation
    /// has no lanes for them.
    #[cfg(clmul)]
    pub(super) fn keys_in_lanes(self) -> usize {
        macro_rules! keys {
            ($name:ident) => {
                vectors::lane_keys::$name::KEYS
            };
        }
        with_lane_keys!(self, keys).unwrap_or(0)
    }

    /// The round keys of many keys, and the encryption of a block of zeros under each. The keys
    /// after [`keys_in_lanes`](Self::keys_in_lanes) are ignored.
    #[cfg(clmul)]
    pub(super) fn lane_keys(
        self,
        keys: &[[u8; KEY_LEN]; LANES],
        lane_keys: &mut LaneKeys,
        zeros: &mut [[u8; BLOCK_LEN]; LANES],
    ) {
        macro_rules! call {
            ($name:ident) => {
                // SAFETY: the CPU has the instructions, as the `Supported` value proves.
                unsafe { vectors::lane_keys::$name::lane_keys(keys, lane_keys, zeros) }
            };
        }
        let _ = with_lane_keys!(self, call);
    }

    /// The key streams of `out.len()` blocks under each of these keys, from block `from` after its
    /// counter on. The last 32 bits of a counter count modulo 2³².
    #[cfg(clmul)]
    pub(super) fn lane_streams(
        self,
        keys: &LaneKeys,
        counters: &[[u8; BLOCK_LEN]; LANES],
        from: u32,
        out: &mut [[[u8; BLOCK_LEN]; LANES]],
    ) {
        macro_rules! call {
            ($name:ident) => {
                // SAFETY: as above.
                unsafe { vectors::lane_keys::$name::streams(keys, counters, from, out) }
            };
        }
        let _ = with_lane_keys!(self, call);
    }

    /// Encrypts or decrypts every block, and adds masks.
    #[inline]
    pub(super) fn crypt(
        self,
        keys: &RoundKeys,
        direction: Direction,
        masks: Option<Masks<'_>>,
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        dispatch!(self, crypt(keys, direction, masks, blocks));
    }

    /// Encrypts blocks one after the other. The chain is the IV, or what a call before left there.
    pub(super) fn chain(
        self,
        keys: &RoundKeys,
        mode: Chaining,
        chain: &mut [u8; BLOCK_LEN],
        blocks: &mut [Block],
    ) {
        dispatch!(self, chain(keys, mode, chain, blocks));
    }

    /// CBC-MAC: the chain after an encryption in CBC mode.
    pub(super) fn mac(self, keys: &RoundKeys, chain: &mut [u8; BLOCK_LEN], blocks: &[Block]) {
        dispatch!(self, mac(keys, chain, blocks));
    }

    /// Consecutive tweaks of XTS, in eights: the first eight are there, and all others are written.
    pub(super) fn fill_tweaks(self, standard: XtsStandard, tweaks: &mut [Eight]) {
        dispatch!(self, fill_tweaks(standard, tweaks));
    }

    /// XORs a key stream into the data: the encryptions of `counter` and the values after it. The
    /// last 32 bits of the counter are a big-endian number that counts blocks modulo 2³²; the other
    /// bits stay the same.
    #[inline]
    pub(super) fn ctr32(
        self,
        keys: &RoundKeys,
        counter: &[u8; BLOCK_LEN],
        data: InOutBuf<'_, '_, u8>,
    ) {
        dispatch!(self, ctr32(keys, counter, data));
    }
}

/// [`Implementation::crypt`] with a function that knows no masks.
fn masked_with(
    masks: Option<Masks<'_>>,
    blocks: InOutBuf<'_, '_, Block>,
    crypt: impl FnOnce(InOutBuf<'_, '_, Block>),
) {
    let Some(masks) = masks else {
        return crypt(blocks);
    };
    let add_all = |blocks: &mut [Block], masks: &[Block]| {
        for (block, mask) in blocks.iter_mut().zip(masks) {
            add(block, mask.as_ref());
        }
    };
    let blocks = blocks.into_out_with_copied_in();
    if let Masks::Both(masks) = masks {
        add_all(blocks, masks);
    }
    crypt((&mut *blocks).into());
    let (Masks::After(masks) | Masks::Both(masks)) = masks;
    add_all(blocks, masks);
}

/// [`Implementation::chain`] with a function that encrypts a block.
fn chain_with(
    mode: Chaining,
    chain: &mut [u8; BLOCK_LEN],
    blocks: &mut [Block],
    encrypt: impl Fn(&mut Block),
) {
    let mut now: Block = (*chain).into();
    for block in blocks {
        match mode {
            Chaining::Cbc => {
                add(&mut now, block.as_ref());
                encrypt(&mut now);
                *block = now;
            }
            Chaining::Cfb => {
                encrypt(&mut now);
                add(block, now.as_ref());
                now = *block;
            }
            Chaining::Ofb => {
                encrypt(&mut now);
                add(block, now.as_ref());
            }
        }
    }
    *chain = now.into();
}

/// [`Implementation::round_keys_and_zero`] with a function that encrypts blocks.
#[cfg(not(kuaimi_simd128_alone))]
fn zero_with(
    keys: RoundKeys,
    encrypt: impl FnOnce(&RoundKeys, InOutBuf<'_, '_, Block>),
) -> (RoundKeys, [u8; BLOCK_LEN]) {
    let mut block = Block::default();
    encrypt(&keys, InOutBuf::from_mut(&mut block));
    (keys, block.into())
}

/// [`Implementation::mac`] with a function that encrypts a block.
fn mac_with(chain: &mut [u8; BLOCK_LEN], blocks: &[Block], encrypt: impl Fn(&mut Block)) {
    let mut now: Block = (*chain).into();
    for block in blocks {
        add(&mut now, block.as_ref());
        encrypt(&mut now);
    }
    *chain = now.into();
}

/// [`Implementation::ctr32`] with a function that encrypts blocks: `N` counters at a time.
#[cfg(not(kuaimi_simd128_alone))]
#[inline(always)]
fn ctr32_with<const N: usize>(
    counter: &[u8; BLOCK_LEN],
    mut data: InOutBuf<'_, '_, u8>,
    encrypt: impl Fn(&mut [Block]),
) {
    let mut stream = [Block::default(); N];
    let [.., c0, c1, c2, c3] = *counter;
    let mut low = u32::from_be_bytes([c0, c1, c2, c3]);
    while !data.is_empty() {
        let length = data.len().min(N * BLOCK_LEN);
        let (mut piece, rest) = data.split_at(length);
        let stream = &mut stream[..length.div_ceil(BLOCK_LEN)];
        for block in &mut *stream {
            *block = (*counter).into();
            block[12..].copy_from_slice(&low.to_be_bytes());
            low = low.wrapping_add(1);
        }
        encrypt(stream);
        piece.xor_in2out(&Block::cast_slice_to_core(stream).as_flattened()[..length]);
        data = rest;
    }
    stream = [Block::default(); N];
    zeroize::optimization_barrier(&stream);
}
