//! Verification of a user's signatures (GB/T 38635.2-2020, clause 6.3).

use std::hash::{DefaultHasher, Hash as _, Hasher};

use kuaimi::sm9;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::MasterSigningPublicKey;
use super::form::SignatureReading;
use super::hash::{MessageHash, hashed};
use super::user_key::public_key;
use crate::argument::Identity;
use crate::bytes::{Input, Message};
use crate::error::Failure;

public_key! {
    /// What verifies a user's signatures: an identity, text or bytes, under a master public key;
    /// the function identifier hid is 1 by default.
    ///
    /// Variable time, as all of it is public. It does not change, so threads may share it, and can
    /// be pickled; a table is not.
    ///
    /// >>> master = kuaimi.sm9.MasterSigningKey.generate()
    /// >>> verifier = kuaimi.sm9.VerifyingKey(master.public_key(), "alice")
    /// >>> verifier.verify(master.extract("alice").sign(b"a message"), b"a message")
    VerifyingKey, "VerifyingKey", "kuaimi.sm9.MasterSigningKey.generate().public_key().verifying_key(\"alice\")",
    "the key's table, of 10 KiB, and those that it needs of its master public key";
    MasterSigningPublicKey;
    {
        /// Returns if the signature is this user's over the data. form: "der" or "raw"; by default,
        /// it is found.
        ///
        /// Raises InvalidSignature, also for what is no signature.
        ///
        /// >>> verifier = kuaimi.sm9.MasterSigningKey.generate().public_key().verifying_key("alice")
        /// >>> verifier.verify(b"no signature", b"a message")
        /// Traceback (most recent call last):
        /// kuaimi.errors.InvalidSignature: ...
        #[pyo3(signature = (signature, data, *, form = None))]
        fn verify(
            &self,
            py: Python<'_>,
            signature: Input,
            data: Message,
            form: Option<&str>,
        ) -> Result<(), Failure> {
            let reading = SignatureReading::of(form)?;
            py.detach(|| {
                let signature = reading.to_verify(&signature)?;
                Ok(self.0.verify_hash(&hashed(&data), &signature)?)
            })
        }

        /// As verify, of a message that was taken in piece by piece.
        ///
        /// >>> key = kuaimi.sm9.MasterSigningKey.generate().extract("alice")
        /// >>> key.verifying_key().verify_hash(key.sign(b"a message"), kuaimi.sm9.MessageHash(b"a message"))
        #[pyo3(signature = (signature, hash, *, form = None))]
        fn verify_hash(
            &self,
            py: Python<'_>,
            signature: Input,
            hash: &MessageHash,
            form: Option<&str>,
        ) -> Result<(), Failure> {
            let (reading, hash) = (SignatureReading::of(form)?, hash.state()?);
            py.detach(|| {
                let signature = reading.to_verify(&signature)?;
                Ok(self.0.verify_hash(&hash, &signature)?)
            })
        }
    }
}
