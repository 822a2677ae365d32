//! Users' signing keys (GB/T 38635.2-2020, clause 6.2).

use kuaimi::encoding::sm9::{UnboundSigningKey, read_key};
use kuaimi::encoding::{EncodePrivateKey, LineEnding};
use kuaimi::sm9;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::form::{is_der, written};
use super::hash::{MessageHash, hashed};
use super::user_key::private_key;
use super::{MasterSigningPublicKey, VerifyingKey};
use crate::argument::Identity;
use crate::bytes::{Input, Message};
use crate::error::{Failure, no_pickle};
use crate::serialization::private_bytes;
use crate::sm2::unwritable;

private_key! {
    /// A user's signing key (GB/T 38635.2-2020, clause 6). MasterSigningKey.extract makes it.
    ///
    /// Constant time in the key. It does not change, so threads may share it; calls release the
    /// interpreter lock. It is wiped when the object is freed. repr does not show it, and pickle
    /// refuses it.
    ///
    /// >>> alice = kuaimi.sm9.MasterSigningKey.generate().extract("alice@example.com")
    /// >>> signature = alice.sign(b"a message")
    /// >>> alice.verifying_key().verify(signature, b"a message")
    SigningKey, "SigningKey", "kuaimi.sm9.MasterSigningKey.generate().extract(\"alice\")",
    "the key's table, of 52 KiB, and those that it needs of its master public key";
    MasterSigningPublicKey; UnboundSigningKey.signing_key;
    {
        /// Signs data. form: "der" (104 bytes) or "raw" (h and S, 96 bytes). The nonce comes from
        /// the key, the message and fresh randomness.
        ///
        /// >>> key = kuaimi.sm9.MasterSigningKey.generate().extract("alice")
        /// >>> len(key.sign(b"a message", form="raw"))
        /// 96
        #[pyo3(signature = (data, *, form = "der"))]
        fn sign<'py>(
            &self,
            py: Python<'py>,
            data: Message,
            form: &str,
        ) -> Result<Bound<'py, PyBytes>, Failure> {
            let der = is_der(form)?;
            let signature = py.detach(|| self.0.sign_hash(&hashed(&data)))?;
            Ok(written(py, &signature, der))
        }

        /// Signs a message that was taken in piece by piece.
        ///
        /// >>> key = kuaimi.sm9.MasterSigningKey.generate().extract("alice")
        /// >>> signature = key.sign_hash(kuaimi.sm9.MessageHash(b"a message"))
        /// >>> key.verifying_key().verify(signature, b"a message")
        #[pyo3(signature = (hash, *, form = "der"))]
        fn sign_hash<'py>(
            &self,
            py: Python<'py>,
            hash: &MessageHash,
            form: &str,
        ) -> Result<Bound<'py, PyBytes>, Failure> {
            let (der, hash) = (is_der(form)?, hash.state()?);
            let signature = py.detach(|| self.0.sign_hash(&hash))?;
            Ok(written(py, &signature, der))
        }

        /// What verifies its signatures.
        ///
        /// >>> kuaimi.sm9.MasterSigningKey.generate().extract("alice").verifying_key()
        /// <VerifyingKey "alice">
        fn verifying_key(&self) -> VerifyingKey {
            VerifyingKey(self.0.verifying_key().clone())
        }
    }
}
