//! What a signature is over, taken in piece by piece.

use pyo3::prelude::*;

use crate::bytes::{Message, work};
use crate::error::Failure;
use crate::lock::Lock;

/// A message for SM9 signatures that comes in pieces: for SigningKey.sign_hash and
/// VerifyingKey.verify_hash.
///
/// >>> hash = kuaimi.sm9.MessageHash(b"a mess")
/// >>> hash.update(b"age")
/// >>> key = kuaimi.sm9.MasterSigningKey.generate().extract("alice")
/// >>> key.verifying_key().verify(key.sign_hash(hash), b"a message")
#[pyclass(frozen, module = "kuaimi.sm9")]
pub(crate) struct MessageHash(Lock<kuaimi::sm9::MessageHash>);

/// What a message comes to before it is signed or verified.
pub(crate) fn hashed(data: &Message) -> kuaimi::sm9::MessageHash {
    let mut hash = kuaimi::sm9::MessageHash::new();
    data.pieces(|piece| hash.update(piece));
    hash
}

impl MessageHash {
    pub(crate) fn state(&self) -> Result<kuaimi::sm9::MessageHash, Failure> {
        Ok(self.0.get()?.clone())
    }
}

#[pymethods]
impl MessageHash {
    #[new]
    #[pyo3(signature = (data = None))]
    fn new(py: Python<'_>, data: Option<Message>) -> Result<Self, Failure> {
        let hash = Self(Lock::new(kuaimi::sm9::MessageHash::new()));
        if let Some(data) = data {
            hash.update(py, data)?;
        }
        Ok(hash)
    }

    /// Adds bytes. The interpreter lock is released for 2 KiB or more.
    ///
    /// >>> kuaimi.sm9.MessageHash().update(b"a message")
    fn update(&self, py: Python<'_>, data: Message) -> Result<(), Failure> {
        work(py, data.len(), || {
            let mut hash = self.0.get()?;
            data.pieces(|piece| hash.update(piece));
            Ok(())
        })
    }

    fn __repr__(&self) -> &'static str {
        "<kuaimi.sm9.MessageHash>"
    }
}
