//! Master keys: those of the key generation centre.

use std::hash::{DefaultHasher, Hash as _, Hasher};

use kuaimi::encoding::sm9::read_key;
use kuaimi::encoding::{EncodePrivateKey, EncodePublicKey, LineEnding};
use kuaimi::sm9;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::{DecryptionKey, EncryptionKey, ExchangeKey, SigningKey, VerifyingKey, identity};
use crate::argument::Identity;
use crate::bytes::Input;
use crate::error::{Failure, no_pickle};
use crate::serialization::{PublicForm, no_such_form, private_bytes};
use crate::sm2::unwritable;

macro_rules! master {
    (
        $(#[$doc:meta])* $key:ident, $name:literal;
        $(#[$public_doc:meta])* $public:ident, $public_name:literal, $table:literal;
        { $($method:tt)* } { $($public_method:tt)* }
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, name = $name, module = "kuaimi.sm9")]
        pub(crate) struct $key(pub(crate) sm9::$key);

        #[pymethods]
        impl $key {
            /// A new master key from the operating system's random generator.
            ///
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".generate()")]
            #[doc = concat!("<", $name, ">")]
            #[staticmethod]
            fn generate(py: Python<'_>) -> Result<Self, Failure> {
                Ok(Self(py.detach(sm9::$key::generate)?))
            }

            /// The master key with this number: 32 bytes, most significant first, between 1 and
            /// N - 1. Raises FormatError for anything else.
            ///
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".from_bytes(bytes(31) + b\"\\x07\")")]
            #[doc = concat!("<", $name, ">")]
            #[staticmethod]
            fn from_bytes(py: Python<'_>, data: Input) -> Result<Self, Failure> {
                Ok(Self(py.detach(|| sm9::$key::from_slice(&data))?))
            }

            /// The number of the key: 32 bytes, most significant first. Python does not wipe it.
            ///
            #[doc = concat!(">>> len(kuaimi.sm9.", $name, ".generate().to_bytes())")]
            /// 32
            fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, self.0.to_bytes().as_ref())
            }

            /// The master key in a file: PKCS#8, encrypted or not, in PEM or DER.
            ///
            /// Raises PasswordNeeded, WrongPassword, and FormatError with the reason.
            ///
            /// >>> from kuaimi.serialization import Encoding, PrivateFormat
            #[doc = concat!(">>> key = kuaimi.sm9.", $name, ".generate()")]
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".load(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8)) == key")]
            /// True
            #[staticmethod]
            #[pyo3(signature = (data, password = None))]
            fn load(py: Python<'_>, data: Input, password: Option<Input>) -> Result<Self, Failure> {
                let (key, _) = py.detach(|| read_key(&data, password.as_deref()))?;
                Ok(Self(key.try_into()?))
            }

            /// The key in a file's form: PrivateFormat.PKCS8 in Encoding.PEM or DER, encrypted
            /// under a password or not; GBT41389 in DER; or Raw.
            ///
            /// >>> from kuaimi.serialization import BestAvailableEncryption, Encoding, PrivateFormat
            #[doc = concat!(">>> key = kuaimi.sm9.", $name, ".generate()")]
            /// >>> pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a password"))
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".load(pem, b\"a password\") == key")]
            /// True
            #[pyo3(signature = (encoding, format, encryption_algorithm = None))]
            fn private_bytes<'py>(
                &self,
                py: Python<'py>,
                encoding: &Bound<'py, PyAny>,
                format: &Bound<'py, PyAny>,
                encryption_algorithm: Option<&Bound<'py, PyAny>>,
            ) -> Result<Bound<'py, PyBytes>, Failure> {
                let key = &self.0;
                Ok(private_bytes!(py, key, encoding, format, encryption_algorithm, {
                    PrivateForm::Raw => key.to_bytes().as_slice(),
                    PrivateForm::Gbt => key.to_der().as_slice(),
                    PrivateForm::Pkcs8Pem => key.to_pkcs8_pem(LineEnding::LF).map_err(unwritable)?.as_bytes(),
                    PrivateForm::Pkcs8Der => key.to_pkcs8_der().map_err(unwritable)?.as_bytes(),
                }))
            }

            /// The master public key, which everybody may know.
            ///
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".generate().public_key()")]
            #[doc = concat!("<", $public_name, " ...>")]
            fn public_key(&self) -> $public {
                $public(self.0.public_key().clone())
            }

            $($method)*

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other.cast::<Self>().is_ok_and(|other| self.0 == other.get().0)
            }

            fn __copy__(slf: Py<Self>) -> Py<Self> {
                slf
            }

            fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyDict>) -> Py<Self> {
                slf
            }

            fn __repr__(&self) -> &'static str {
                concat!("<", $name, ">")
            }

            fn __reduce__(&self) -> PyResult<()> {
                Err(no_pickle("this is a master key"))
            }
        }

        $(#[$public_doc])*
        #[pyclass(frozen, name = $public_name, module = "kuaimi.sm9")]
        pub(crate) struct $public(pub(crate) sm9::$public);

        #[pymethods]
        impl $public {
            /// The master public key of a point, x and y, with the byte 04 before them or without
            /// it. Raises FormatError with the reason.
            ///
            #[doc = concat!(">>> public_key = kuaimi.sm9.", $name, ".generate().public_key()")]
            #[doc = concat!(">>> kuaimi.sm9.", $public_name, ".from_bytes(public_key.to_bytes()) == public_key")]
            /// True
            #[staticmethod]
            fn from_bytes(py: Python<'_>, data: Input) -> Result<Self, Failure> {
                Ok(Self(py.detach(|| sm9::$public::from_slice(&data))?))
            }

            /// The point: x and y after the byte 04.
            ///
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".generate().public_key().to_bytes()[0]")]
            /// 4
            fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, &self.0.to_sec1_bytes())
            }

            /// The master public key in a file: SubjectPublicKeyInfo in PEM or DER, or GmSSL's
            /// form. Raises FormatError with the reason.
            ///
            /// >>> from kuaimi.serialization import Encoding, PublicFormat
            #[doc = concat!(">>> public_key = kuaimi.sm9.", $name, ".generate().public_key()")]
            /// >>> pem = public_key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
            #[doc = concat!(">>> kuaimi.sm9.", $public_name, ".load(pem) == public_key")]
            /// True
            #[staticmethod]
            fn load(py: Python<'_>, data: Input) -> Result<Self, Failure> {
                let (key, _) = py.detach(|| read_key(&data, None))?;
                Ok(Self(key.try_into()?))
            }

            /// The key in a file's form: SubjectPublicKeyInfo in Encoding.PEM or DER, GBT41389 in
            /// DER, GmSSL in PEM, UncompressedPoint in X962, or Raw.
            ///
            /// >>> from kuaimi.serialization import Encoding, PublicFormat
            #[doc = concat!(">>> public_key = kuaimi.sm9.", $name, ".generate().public_key()")]
            /// >>> public_key.public_bytes(Encoding.PEM, PublicFormat.GmSSL).startswith(b"-----BEGIN SM9")
            /// True
            fn public_bytes<'py>(
                &self,
                py: Python<'py>,
                encoding: &Bound<'py, PyAny>,
                format: &Bound<'py, PyAny>,
            ) -> Result<Bound<'py, PyBytes>, Failure> {
                let key = &self.0;
                Ok(match PublicForm::of(encoding, format)? {
                    PublicForm::Raw => PyBytes::new(py, &key.to_bytes()),
                    PublicForm::Uncompressed => PyBytes::new(py, &key.to_sec1_bytes()),
                    PublicForm::Gbt => PyBytes::new(py, &key.to_der()),
                    PublicForm::GmsslPem => PyBytes::new(py, key.to_gmssl_pem()?.as_bytes()),
                    PublicForm::SpkiPem => {
                        let pem = key.to_public_key_pem(LineEnding::LF).map_err(unwritable)?;
                        PyBytes::new(py, pem.as_bytes())
                    }
                    PublicForm::SpkiDer => {
                        PyBytes::new(py, key.to_public_key_der().map_err(unwritable)?.as_bytes())
                    }
                    PublicForm::Compressed => return Err(no_such_form()),
                })
            }

            #[doc = concat!("Makes the tables, of ", $table, ", now, and returns the key. The users' keys under it share them; they are made at the second use.")]
            ///
            #[doc = concat!(">>> public_key = kuaimi.sm9.", $name, ".generate().public_key()")]
            /// >>> public_key.prepare() is public_key
            /// True
            fn prepare(slf: Py<Self>, py: Python<'_>) -> Py<Self> {
                let key = slf.get();
                py.detach(|| key.0.prepare());
                slf
            }

            /// Whether it has its tables.
            ///
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".generate().public_key().prepare().is_prepared")]
            /// True
            #[getter]
            fn is_prepared(&self) -> bool {
                self.0.is_prepared()
            }

            $($public_method)*

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other.cast::<Self>().is_ok_and(|other| self.0 == other.get().0)
            }

            fn __hash__(&self) -> u64 {
                let mut hasher = DefaultHasher::new();
                self.0.hash(&mut hasher);
                hasher.finish()
            }

            fn __copy__(slf: Py<Self>) -> Py<Self> {
                slf
            }

            fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyDict>) -> Py<Self> {
                slf
            }

            fn __repr__(&self) -> String {
                format!(concat!("<", $public_name, " {}>"), crate::sm3::hex(&self.0.to_bytes()))
            }

            fn __reduce__<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
                let class = py.get_type::<Self>();
                Ok((class.getattr("from_bytes")?, (self.to_bytes(py),)))
            }
        }
    };
}

master! {
    /// The master key for signatures, of a key generation centre (GB/T 38635.2-2020, clause 5). Who
    /// holds it can sign for everybody.
    ///
    /// Constant time in the key. It does not change, so threads may share it; it is wiped when the
    /// object is freed, and pickle refuses it.
    ///
    /// >>> master = kuaimi.sm9.MasterSigningKey.generate()
    /// >>> signature = master.extract("alice@example.com").sign(b"a message")
    /// >>> master.public_key().verifying_key("alice@example.com").verify(signature, b"a message")
    MasterSigningKey, "MasterSigningKey";
    /// The master public key for signatures: with a user's identity, it verifies that user's
    /// signatures.
    ///
    /// >>> master = kuaimi.sm9.MasterSigningKey.generate()
    /// >>> master.public_key().verifying_key("alice@example.com")
    /// <VerifyingKey "alice@example.com">
    MasterSigningPublicKey, "MasterSigningPublicKey", "76 KiB";
    {
        /// The signing key of a user: an identity, text or bytes, and a function identifier hid, by
        /// default 1.
        ///
        /// Raises InvalidArgument for an empty identity.
        ///
        /// >>> kuaimi.sm9.MasterSigningKey.generate().extract("alice@example.com")
        /// <SigningKey "alice@example.com">
        #[pyo3(signature = (identity, hid = None))]
        fn extract(&self, py: Python<'_>, identity: Identity, hid: Option<u8>) -> Result<SigningKey, Failure> {
            Ok(SigningKey(py.detach(|| self.0.extract(self::identity(&identity, hid)))?))
        }
    }
    {
        /// What verifies the signatures of a user: an identity, text or bytes, and a function
        /// identifier hid, by default 1.
        ///
        /// Raises InvalidArgument for an empty identity.
        ///
        /// >>> kuaimi.sm9.MasterSigningKey.generate().public_key().verifying_key("alice")
        /// <VerifyingKey "alice">
        #[pyo3(signature = (identity, hid = None))]
        fn verifying_key(&self, identity: Identity, hid: Option<u8>) -> Result<VerifyingKey, Failure> {
            Ok(VerifyingKey(self.0.verifying_key(self::identity(&identity, hid))?))
        }
    }
}

master! {
    /// The master key for encryption and key exchange, of a key generation centre (GB/T
    /// 38635.2-2020, clause 8). Who holds it can read everything.
    ///
    /// Constant time in the key. It does not change, so threads may share it; it is wiped when the
    /// object is freed, and pickle refuses it.
    ///
    /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
    /// >>> ciphertext = master.public_key().encryption_key("bob@example.com").encrypt(b"a secret")
    /// >>> master.extract("bob@example.com").decrypt(ciphertext)
    /// b'a secret'
    MasterEncryptionKey, "MasterEncryptionKey";
    /// The master public key for encryption and key exchange: with a user's identity, it encrypts
    /// for that user.
    ///
    /// >>> master = kuaimi.sm9.MasterEncryptionKey.generate()
    /// >>> master.public_key().encryption_key("bob@example.com")
    /// <EncryptionKey "bob@example.com">
    MasterEncryptionPublicKey, "MasterEncryptionPublicKey", "118 KiB";
    {
        /// The decryption key of a user: an identity, text or bytes, and a function identifier hid,
        /// by default 3.
        ///
        /// Raises InvalidArgument for an empty identity.
        ///
        /// >>> kuaimi.sm9.MasterEncryptionKey.generate().extract("bob@example.com")
        /// <DecryptionKey "bob@example.com">
        #[pyo3(signature = (identity, hid = None))]
        fn extract(&self, py: Python<'_>, identity: Identity, hid: Option<u8>) -> Result<DecryptionKey, Failure> {
            Ok(DecryptionKey(py.detach(|| self.0.extract(self::identity(&identity, hid)))?))
        }

        /// The key of a user for key exchange: an identity, text or bytes, and a function
        /// identifier hid, by default 2.
        ///
        /// Raises InvalidArgument for an empty identity.
        ///
        /// >>> kuaimi.sm9.MasterEncryptionKey.generate().extract_exchange("bob@example.com")
        /// <ExchangeKey "bob@example.com">
        #[pyo3(signature = (identity, hid = None))]
        fn extract_exchange(&self, py: Python<'_>, identity: Identity, hid: Option<u8>) -> Result<ExchangeKey, Failure> {
            Ok(ExchangeKey(py.detach(|| self.0.extract_exchange(self::identity(&identity, hid)))?))
        }
    }
    {
        /// What encrypts for a user: an identity, text or bytes, and a function identifier hid, by
        /// default 3.
        ///
        /// Raises InvalidArgument for an empty identity.
        ///
        /// >>> kuaimi.sm9.MasterEncryptionKey.generate().public_key().encryption_key("bob")
        /// <EncryptionKey "bob">
        #[pyo3(signature = (identity, hid = None))]
        fn encryption_key(&self, identity: Identity, hid: Option<u8>) -> Result<EncryptionKey, Failure> {
            Ok(EncryptionKey(self.0.encryption_key(self::identity(&identity, hid))?))
        }
    }
}
