//! Encryption and encapsulation for a user (GB/T 38635.2-2020, clauses 8.2 and 9.2).

use std::hash::{DefaultHasher, Hash as _, Hasher};

use kuaimi::sm9;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::MasterEncryptionPublicKey;
use super::form::{Options, is_der};
use super::user_key::public_key;
use crate::argument::Identity;
use crate::bytes::Input;
use crate::error::Failure;

public_key! {
    /// What encrypts for a user: an identity, text or bytes, under a master public key; the
    /// function identifier hid is 3 by default.
    ///
    /// Constant time in the message. It does not change, so threads may share it, and can be
    /// pickled; a table is not.
    ///
    /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
    /// >>> ciphertext = kuaimi.sm9.EncryptionKey(master.public_key(), "bob").encrypt(b"a secret")
    /// >>> master.extract("bob").decrypt(ciphertext)
    /// b'a secret'
    EncryptionKey, "EncryptionKey", "kuaimi.sm9.MasterEncryptionKey.generate().public_key().encryption_key(\"alice\")",
    "the key's table, of 52 KiB, and those that it needs of its master public key";
    MasterEncryptionPublicKey;
    {
        /// Encrypts data of at least one byte (GB/T 38635.2-2020, clause 9.2).
        ///
        /// mode: "stream", or SM4 in "cbc", "cfb", "ofb" or "ecb". mac: "sm3", the standard's, or
        /// "hmac-sm3", GmSSL's. form: "der", which names the mode, or "raw": C1, C3 and C2.
        ///
        /// Raises InvalidArgument where there is nothing to encrypt.
        ///
        /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
        /// >>> ciphertext = master.public_key().encryption_key("bob").encrypt(b"a secret", mode="cbc")
        /// >>> master.extract("bob").decrypt(ciphertext)
        /// b'a secret'
        #[pyo3(signature = (data, *, mode = "stream", mac = "sm3", form = "der"))]
        fn encrypt<'py>(
            &self,
            py: Python<'py>,
            data: Input,
            mode: &str,
            mac: &str,
            form: &str,
        ) -> Result<Bound<'py, PyBytes>, Failure> {
            let (options, der) = (Options::of(mode, mac)?.to_encrypt(), is_der(form)?);
            let ciphertext = py.detach(|| {
                let ciphertext = self.0.encrypt_with(&data, options)?;
                Ok::<_, Failure>(if der {
                    ciphertext.to_der()
                } else {
                    ciphertext.to_bytes()
                })
            })?;
            Ok(PyBytes::new(py, &ciphertext))
        }

        /// A new key of length bytes, and its encapsulation for the user, a point of 64 bytes (GB/T
        /// 38635.2-2020, clause 8.2).
        ///
        /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
        /// >>> key, encapsulated = master.public_key().encryption_key("bob").encapsulate(16)
        /// >>> master.extract("bob").decapsulate(encapsulated, 16) == key
        /// True
        fn encapsulate<'py>(
            &self,
            py: Python<'py>,
            length: usize,
        ) -> Result<(Bound<'py, PyBytes>, Bound<'py, PyBytes>), Failure> {
            let (key, point) = py.detach(|| self.0.encapsulate(length))?;
            Ok((PyBytes::new(py, &key), PyBytes::new(py, &point.to_bytes())))
        }
    }
}
