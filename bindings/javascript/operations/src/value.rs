//! What an operation gives, as the engines hand it on.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::Object;

/// The result of any operation.
pub enum Value {
    /// A number, a flag (0 or 1) or nothing (0).
    Number(u32),
    /// Bytes, which are wiped.
    Bytes(Zeroizing<Vec<u8>>),
    /// An object that gets a handle.
    Object(Object),
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(object)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Number(flag.into())
    }
}

impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::Number(0)
    }
}

impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(Zeroizing::new(bytes))
    }
}

impl From<Zeroizing<Vec<u8>>> for Value {
    fn from(bytes: Zeroizing<Vec<u8>>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<const N: usize> From<[u8; N]> for Value {
    fn from(bytes: [u8; N]) -> Self {
        bytes.to_vec().into()
    }
}

impl<const N: usize> From<Zeroizing<[u8; N]>> for Value {
    fn from(bytes: Zeroizing<[u8; N]>) -> Self {
        bytes.to_vec().into()
    }
}
