//! What a signature is over, taken in piece by piece.

use std::sync::Mutex;

use pyo3::prelude::*;

use crate::bytes::{Input, work};
use crate::sm3::locked;

/// A message for SM9 signatures that comes in pieces: for SigningKey.sign_hash and VerifyingKey.verify_hash.
///
/// >>> hash = kuaimi.sm9.MessageHash(b"a mess")
/// >>> hash.update(b"age")
/// >>> key = kuaimi.sm9.MasterSigningKey.generate().extract("alice")
/// >>> key.verifying_key().verify(key.sign_hash(hash), b"a message")
#[pyclass(frozen, module = "kuaimi.sm9")]
pub(crate) struct MessageHash(Mutex<kuaimi::sm9::MessageHash>);

impl MessageHash {
    pub(crate) fn state(&self) -> kuaimi::sm9::MessageHash {
        locked(&self.0).clone()
    }
}

#[pymethods]
impl MessageHash {
    #[new]
    #[pyo3(signature = (data = None))]
    fn new(py: Python<'_>, data: Option<Input>) -> Self {
        let hash = Self(Mutex::new(kuaimi::sm9::MessageHash::new()));
        if let Some(data) = data {
            hash.update(py, data);
        }
        hash
    }

    /// Adds bytes. The interpreter lock is released for 2 KiB or more.
    ///
    /// >>> kuaimi.sm9.MessageHash().update(b"a message")
    fn update(&self, py: Python<'_>, data: Input) {
        work(py, data.len(), || locked(&self.0).update(&data));
    }

    fn __repr__(&self) -> &'static str {
        "<kuaimi.sm9.MessageHash>"
    }
}
