//! The `digest` crate's traits for [`Sm3`], and for [`Sm3Core`], which generic constructions such
//! as `hmac::Hmac` need.

#![forbid(unsafe_code)]

use core::fmt;

use digest::block_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore,
    UpdateCore,
};
use digest::typenum::{U32, U64};
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};
use zeroize::{ZeroizeOnDrop, optimization_barrier};

use super::compress::compress_blocks;
use super::{BLOCK_LEN, IV, Sm3, State};

impl HashMarker for Sm3 {}

impl BlockSizeUser for Sm3 {
    type BlockSize = U64;
}

impl OutputSizeUser for Sm3 {
    type OutputSize = U32;
}

impl AlgorithmName for Sm3 {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm3")
    }
}

impl Update for Sm3 {
    #[inline]
    fn update(&mut self, data: &[u8]) {
        Sm3::update(self, data);
    }
}

impl FixedOutput for Sm3 {
    #[inline]
    fn finalize_into(self, out: &mut Output<Self>) {
        *out = self.finalize().into();
    }
}

impl Reset for Sm3 {
    #[inline]
    fn reset(&mut self) {
        Sm3::reset(self);
    }
}

impl FixedOutputReset for Sm3 {
    #[inline]
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        *out = Sm3::finalize_reset(self).into();
    }
}

/// SM3 of whole blocks, without a buffer, for the generic code of the `digest` and `hmac` crates.
/// Elsewhere, use [`Sm3`].
///
/// ```
/// use kuaimi::external::digest::block_api::CoreProxy;
/// use kuaimi::sm3::{self, Sm3};
///
/// let mut hash = Sm3::new();
/// hash.update(b"abc");
/// let (core, buffer) = hash.decompose(); // an Sm3Core, and the bytes that do not fill a block
/// assert_eq!(Sm3::compose(core, buffer).finalize(), sm3::digest(b"abc"));
/// ```
#[derive(Clone)]
pub struct Sm3Core {
    state: State,
    blocks: u64,
}

impl Default for Sm3Core {
    #[inline]
    fn default() -> Self {
        Self {
            state: IV,
            blocks: 0,
        }
    }
}

impl Drop for Sm3Core {
    #[inline]
    fn drop(&mut self) {
        self.state = [0; 8];
        self.blocks = 0;
        optimization_barrier(self);
    }
}

impl ZeroizeOnDrop for Sm3Core {}

impl fmt::Debug for Sm3Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm3Core { ... }")
    }
}

impl HashMarker for Sm3Core {}

impl BlockSizeUser for Sm3Core {
    type BlockSize = U64;
}

impl OutputSizeUser for Sm3Core {
    type OutputSize = U32;
}

impl BufferKindUser for Sm3Core {
    type BufferKind = Eager;
}

impl AlgorithmName for Sm3Core {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm3")
    }
}

impl Reset for Sm3Core {
    #[inline]
    fn reset(&mut self) {
        *self = Self::default();
    }
}

impl UpdateCore for Sm3Core {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.blocks = self.blocks.wrapping_add(blocks.len() as u64);
        compress_blocks(&mut self.state, Block::<Self>::cast_slice_to_core(blocks));
    }
}

impl FixedOutputCore for Sm3Core {
    #[inline]
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        let mut whole = Sm3::compose(core::mem::take(self), core::mem::take(buffer));
        *out = whole.pad_and_output().into();
    }
}

impl CoreProxy for Sm3 {
    type Core = Sm3Core;

    fn compose(core: Sm3Core, buffer: Buffer<Sm3Core>) -> Self {
        let mut hash = Self::new();
        hash.state = core.state;
        let waiting = buffer.get_data();
        hash.len = core
            .blocks
            .wrapping_mul(BLOCK_LEN as u64)
            .wrapping_add(waiting.len() as u64);
        hash.buf[..waiting.len()].copy_from_slice(waiting);
        hash
    }

    fn decompose(self) -> (Sm3Core, Buffer<Sm3Core>) {
        let mut buffer = Buffer::<Sm3Core>::default();
        // Fewer bytes than a block: the buffer keeps them all, and passes no block on.
        buffer.digest_blocks(&self.buf[..self.buffered()], |_| {});
        (
            Sm3Core {
                state: self.state,
                blocks: self.len / BLOCK_LEN as u64,
            },
            buffer,
        )
    }
}
