//! Users' keys for decryption, decapsulation and key exchange (GB/T 38635.2-2020, clauses 7, 8.3
//! and 9.3).

use kuaimi::encoding::sm9::{UnboundDecryptionKey, read_key};
use kuaimi::encoding::{EncodePrivateKey, LineEnding};
use kuaimi::sm9::{self, G1Point};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::form::{Options, is_der};
use super::user_key::private_key;
use super::{EncryptionKey, MasterEncryptionPublicKey};
use crate::argument::Identity;
use crate::bytes::Input;
use crate::error::{Failure, no_pickle};
use crate::serialization::private_bytes;
use crate::sm2::unwritable;

private_key! {
    /// A user's decryption key (GB/T 38635.2-2020, clauses 8 and 9). MasterEncryptionKey.extract
    /// makes it.
    ///
    /// Constant time in the key. It does not change, so threads may share it; calls release the
    /// interpreter lock. It is wiped when the object is freed. repr does not show it, and pickle
    /// refuses it.
    ///
    /// >>> bob = kuaimi.sm9.MasterEncryptionKey.generate().extract("bob@example.com")
    /// >>> bob.decrypt(bob.encryption_key().encrypt(b"a secret"))
    /// b'a secret'
    DecryptionKey, "DecryptionKey", "kuaimi.sm9.MasterEncryptionKey.generate().extract(\"alice\")",
    "the key's table, of 10 KiB,";
    MasterEncryptionPublicKey; UnboundDecryptionKey.decryption_key;
    {
        /// Decrypts a ciphertext (GB/T 38635.2-2020, clause 9.3).
        ///
        /// form: "der" or "raw"; by default it is found. mode: that of a raw ciphertext; DER names
        /// its own. mac: "sm3" or "hmac-sm3".
        ///
        /// Raises DecryptionFailed, whatever is wrong.
        ///
        /// >>> bob = kuaimi.sm9.MasterEncryptionKey.generate().extract("bob")
        /// >>> bob.decrypt(bob.encryption_key().encrypt(b"a secret", mode="cfb", form="raw"), mode="cfb")
        /// b'a secret'
        #[pyo3(signature = (ciphertext, *, mode = "stream", mac = "sm3", form = None))]
        fn decrypt<'py>(
            &self,
            py: Python<'py>,
            ciphertext: Input,
            mode: &str,
            mac: &str,
            form: Option<&str>,
        ) -> Result<Bound<'py, PyBytes>, Failure> {
            let (options, der) = (Options::of(mode, mac)?, form.map(is_der).transpose()?);
            let message = py.detach(|| {
                let ciphertext = options.read(der, &ciphertext)?;
                self.0.decrypt_with(&ciphertext, options.to_decrypt())
                    .map_err(|_| Failure::Decryption)
            })?;
            Ok(PyBytes::new(py, &message))
        }

        /// The key of length bytes in an encapsulation, a point of 64 or 65 bytes (GB/T
        /// 38635.2-2020, clause 8.3).
        ///
        /// An encapsulation for another user gives another key. Raises DecryptionFailed for what is
        /// no point.
        ///
        /// >>> bob = kuaimi.sm9.MasterEncryptionKey.generate().extract("bob")
        /// >>> key, encapsulated = bob.encryption_key().encapsulate(32)
        /// >>> bob.decapsulate(encapsulated, 32) == key
        /// True
        fn decapsulate<'py>(
            &self,
            py: Python<'py>,
            encapsulated: Input,
            length: usize,
        ) -> Result<Bound<'py, PyBytes>, Failure> {
            let key = py.detach(|| {
                let point = G1Point::from_slice(&encapsulated).map_err(|_| Failure::Decryption)?;
                Ok::<_, Failure>(self.0.decapsulate(&point, length)?)
            })?;
            Ok(PyBytes::new(py, &key))
        }

        /// What encrypts for this key.
        ///
        /// >>> kuaimi.sm9.MasterEncryptionKey.generate().extract("bob").encryption_key()
        /// <EncryptionKey "bob">
        fn encryption_key(&self) -> EncryptionKey {
            EncryptionKey(self.0.encryption_key().clone())
        }
    }
}

private_key! {
    /// A user's key for key exchange (GB/T 38635.2-2020, clause 7).
    /// MasterEncryptionKey.extract_exchange makes it.
    ///
    /// It does not change, so threads may share it. It is wiped when the object is freed. repr does
    /// not show it, and pickle refuses it.
    ///
    /// >>> kuaimi.sm9.MasterEncryptionKey.generate().extract_exchange("alice@example.com")
    /// <ExchangeKey "alice@example.com">
    ExchangeKey, "ExchangeKey", "kuaimi.sm9.MasterEncryptionKey.generate().extract_exchange(\"alice\")",
    "the key's table, of 10 KiB,";
    MasterEncryptionPublicKey; UnboundDecryptionKey.exchange_key;
    {}
}
