//! The `cipher` crate's traits for [`Sm4`], with 64 blocks at a time.

#![forbid(unsafe_code)]

use core::fmt;

use cipher::consts::{U16, U64};
use cipher::{
    AlgorithmName, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
};

use super::backend::Direction;
use super::{Block, Sm4};

impl AlgorithmName for Sm4 {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4")
    }
}

impl KeySizeUser for Sm4 {
    type KeySize = U16;
}

impl KeyInit for Sm4 {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self::new(key.as_ref())
    }
}

impl BlockSizeUser for Sm4 {
    type BlockSize = U16;
}

impl BlockCipherEncrypt for Sm4 {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        f.call(&Many(self));
    }

    #[inline]
    fn encrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.crypt(Direction::Encrypt, blocks);
    }
}

impl BlockCipherDecrypt for Sm4 {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        f.call(&Many(self));
    }

    #[inline]
    fn decrypt_blocks_inout(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.crypt(Direction::Decrypt, blocks);
    }
}

/// The cipher for the modes of other crates, with up to 64 blocks at a time.
struct Many<'a>(&'a Sm4);

impl BlockSizeUser for Many<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Many<'_> {
    type ParBlocksSize = U64;
}

impl BlockCipherEncBackend for Many<'_> {
    #[inline]
    fn encrypt_block(&self, block: InOut<'_, '_, Block>) {
        self.0.crypt(Direction::Encrypt, one(block));
    }

    #[inline]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.crypt(Direction::Encrypt, blocks.into_buf());
    }

    #[inline]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.0.crypt(Direction::Encrypt, blocks);
    }
}

impl BlockCipherDecBackend for Many<'_> {
    #[inline]
    fn decrypt_block(&self, block: InOut<'_, '_, Block>) {
        self.0.crypt(Direction::Decrypt, one(block));
    }

    #[inline]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.crypt(Direction::Decrypt, blocks.into_buf());
    }

    #[inline]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.0.crypt(Direction::Decrypt, blocks);
    }
}

/// One block as a slice of blocks.
#[inline]
fn one<'a>(block: InOut<'_, 'a, Block>) -> InOutBuf<'a, 'a, Block> {
    InOutBuf::from_mut(block.into_out_with_copied_in())
}
