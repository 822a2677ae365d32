//! SM4 in the modes that OpenSSL has, over data in pieces of any length.

pub(crate) mod block;
pub(crate) mod ccm;
pub(crate) mod gcm;
pub(crate) mod stream;
mod tls_aead;
pub(crate) mod tls_record;
pub(crate) mod xts;

pub(crate) use kuaimi::sm4::{BLOCK_LEN, KEY_LEN};

use crate::abi::param::{Param, Params, Requests};
use crate::failure::{Failure, Reason};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

/// The properties of a mode that OpenSSL queries.
pub(crate) struct Info {
    /// `EVP_CIPH_…_MODE`.
    pub(crate) number: u64,
    pub(crate) key_len: usize,
    pub(crate) iv_len: usize,
    /// 1 where data of any length is encrypted.
    pub(crate) block_len: usize,
    /// Whether there are associated data and a tag.
    pub(crate) aead: bool,
    /// Whether the mode keeps its IV itself.
    pub(crate) custom_iv: bool,
}

/// A mode: what a context of OpenSSL's does.
///
/// A context gets its key and its IV together or one after the other, and may get another IV under the same key.
pub(crate) trait Mode: Clone + Sync {
    const INFO: Info;
    /// The parameters of a context that can be asked for, and those that can be set.
    const GETTABLE: &'static [Param];
    const SETTABLE: &'static [Param];

    fn new() -> Self;

    /// Begins a message.
    fn init(
        &mut self,
        direction: Direction,
        key: Option<&[u8]>,
        iv: Option<&[u8]>,
    ) -> Result<(), Failure>;

    /// Bytes of the message that wait for others.
    fn held(&self) -> &[u8] {
        &[]
    }

    /// How many of `total` bytes, those that wait and new ones, can be processed now.
    fn ready(&self, total: usize) -> usize {
        total
    }

    /// Encrypts or decrypts in place.
    fn process(&mut self, buffer: &mut [u8]) -> Result<(), Failure>;

    /// Keeps the bytes that were not ready, at most a block.
    fn hold(&mut self, _bytes: &[u8]) {}

    /// Takes associated data.
    fn associate(&mut self, _data: &[u8]) -> Result<(), Failure> {
        Err(Reason::NotInitialised.into())
    }

    /// Is told the length of the message.
    fn announce(&mut self, _length: usize) -> Result<(), Failure> {
        Ok(())
    }

    /// How long a record of TLS 1.2 or before is, with an input of `length` bytes, if records are what is processed now.
    fn record_len(&self, _length: usize) -> Result<Option<usize>, Failure> {
        Ok(None)
    }

    /// Protects a record of TLS 1.2 or before, whose first `length` bytes are the input, or opens it, in place. Gives the number
    /// of bytes that libssl takes as the result.
    fn process_record(&mut self, _record: &mut [u8], _length: usize) -> Result<usize, Failure> {
        Err(Failure::internal())
    }

    /// Ends the message, and gives the number of bytes written.
    fn finish(&mut self, out: &mut [u8]) -> Result<usize, Failure>;

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure>;

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure>;

    /// Gives the end of a nonce that was counted, and begins a message with it.
    fn give_next_nonce(&mut self, _param: &mut Param) -> Result<(), Failure> {
        Err(Reason::NotInitialised.into())
    }
}

/// A key of `N` bytes.
fn key<const N: usize>(bytes: &[u8]) -> Result<&[u8; N], Failure> {
    bytes.try_into().map_err(|_| Reason::WrongKeyLength.into())
}

/// What is shown of an IV that was not set.
static NO_IV: [u8; BLOCK_LEN] = [0; BLOCK_LEN];

/// An IV of one block.
fn block_iv(bytes: &[u8]) -> Result<[u8; BLOCK_LEN], Failure> {
    bytes.try_into().map_err(|_| Reason::WrongIvLength.into())
}
