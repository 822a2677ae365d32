//! SM3 as OpenSSL's digest.

use kuaimi::sm3::{self, Sm3};

use crate::abi::digest::Digest;

impl Digest for Sm3 {
    const BLOCK_LEN: usize = sm3::BLOCK_LEN;
    const LEN: usize = sm3::DIGEST_LEN;
    type Bytes = [u8; sm3::DIGEST_LEN];

    fn new() -> Self {
        Self::new()
    }

    fn reset(&mut self) {
        self.reset();
    }

    fn update(&mut self, data: &[u8]) {
        self.update(data);
    }

    fn finish(&mut self) -> Self::Bytes {
        self.finalize_reset()
    }

    fn digest(data: &[u8]) -> Self::Bytes {
        sm3::digest(data)
    }
}
