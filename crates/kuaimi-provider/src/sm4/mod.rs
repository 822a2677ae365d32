//! SM4 in the modes that OpenSSL has, over data in pieces of any length.

mod aead;
pub(crate) mod block;
pub(crate) mod ccm;
pub(crate) mod gcm;
pub(crate) mod stream;
mod tls_aead;
pub(crate) mod tls_record;
pub(crate) mod xts;

pub(crate) use kuaimi::sm4::{BLOCK_LEN, KEY_LEN};

use crate::failure::{Failure, Reason};

/// A key of `N` bytes.
fn key<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], Failure> {
    bytes.try_into().map_err(|_| Reason::WrongKeyLength.into())
}

/// Shown for an IV that was not set.
static NO_IV: [u8; BLOCK_LEN] = [0; BLOCK_LEN];

/// An IV of one block.
fn block_iv(bytes: &[u8]) -> Result<[u8; BLOCK_LEN], Failure> {
    bytes.try_into().map_err(|_| Reason::WrongIvLength.into())
}
