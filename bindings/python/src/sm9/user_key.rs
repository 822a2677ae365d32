//! What the classes of users' keys have in common: an identity under a master public key, tables,
//! files' forms.

/// A user's private key. `$example` makes one in the documentation; `$bind` turns what a file holds
/// into the key.
macro_rules! private_key {
    (
        $(#[$doc:meta])* $key:ident, $name:literal, $example:literal, $table:literal;
        $master:ident; $unbound:ident.$bind:ident; { $($method:tt)* }
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, name = $name, module = "kuaimi.sm9")]
        pub(crate) struct $key(pub(crate) sm9::$key);

        #[pymethods]
        impl $key {
            /// The key of a point, x and y, with the byte 04 before them or without it; for an
            /// identity under a master public key.
            ///
            /// Raises FormatError with the reason, also where the key was not made for this
            /// identity.
            ///
            #[doc = concat!(">>> key = ", $example)]
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".from_bytes(key.to_bytes(), \"alice\", key.master_public_key()) == key")]
            /// True
            #[staticmethod]
            #[pyo3(signature = (data, identity, master_public_key, hid = None))]
            fn from_bytes(
                py: Python<'_>,
                data: Input,
                identity: Identity,
                master_public_key: &$master,
                hid: Option<u8>,
            ) -> Result<Self, Failure> {
                let identity = super::identity(&identity, hid);
                let master = &master_public_key.0;
                let key = py.detach(|| sm9::$key::from_slice(&data, identity, master))?;
                Ok(Self(key))
            }

            /// The point, x and y. Python does not wipe it.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> len(key.to_bytes()) in (64, 128)
            /// True
            fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, self.0.to_bytes().as_ref())
            }

            /// The key in a file: PKCS#8, encrypted or not, in PEM or DER. Files hold the master
            /// public key, but no identity: give it.
            ///
            /// Raises PasswordNeeded, WrongPassword, and FormatError with the reason, also where
            /// the key was made for another identity.
            ///
            /// >>> from kuaimi.serialization import Encoding, PrivateFormat
            #[doc = concat!(">>> key = ", $example)]
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".load(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8), \"alice\") == key")]
            /// True
            #[staticmethod]
            #[pyo3(signature = (data, identity, password = None, hid = None))]
            fn load(
                py: Python<'_>,
                data: Input,
                identity: Identity,
                password: Option<Input>,
                hid: Option<u8>,
            ) -> Result<Self, Failure> {
                let identity = super::identity(&identity, hid);
                let key = py.detach(|| {
                    let (key, _) = read_key(&data, password.as_deref())?;
                    Ok::<_, Failure>($unbound::try_from(key)?.$bind(identity)?)
                })?;
                Ok(Self(key))
            }

            /// The key in a file's form: PrivateFormat.PKCS8 in Encoding.PEM or DER, encrypted
            /// under a password or not; GBT41389 in DER; or Raw.
            ///
            /// >>> from kuaimi.serialization import BestAvailableEncryption, Encoding, PrivateFormat
            #[doc = concat!(">>> key = ", $example)]
            /// >>> pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a password"))
            #[doc = concat!(">>> kuaimi.sm9.", $name, ".load(pem, \"alice\", b\"a password\") == key")]
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

            /// The master public key that it belongs to.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> type(key.master_public_key()).__name__.startswith("Master")
            /// True
            fn master_public_key(&self) -> $master {
                $master(self.0.master_public_key().clone())
            }

            /// The identity, as bytes.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.identity
            /// b'alice'
            #[getter]
            fn identity<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, self.0.identity().id())
            }

            /// The function identifier: one byte.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.hid in (1, 2, 3)
            /// True
            #[getter]
            fn hid(&self) -> u8 {
                self.0.hid()
            }

            #[doc = concat!("Makes ", $table, " now, and returns the key: it is faster. Keys make their tables at their second use.")]
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.prepare() is key
            /// True
            fn prepare(slf: Py<Self>, py: Python<'_>) -> Py<Self> {
                let key = slf.get();
                py.detach(|| key.0.prepare());
                slf
            }

            /// Whether it has its tables.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.is_prepared
            /// False
            #[getter]
            fn is_prepared(&self) -> bool {
                self.0.is_prepared()
            }

            /// The tables as bytes, to store and give to with_tables; they are made if they are not
            /// there. They are secret, as the key is.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.with_tables(key.tables_to_bytes()).is_prepared
            /// True
            fn tables_to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, &py.detach(|| self.0.tables_to_bytes()))
            }

            /// The same key with the tables that tables_to_bytes wrote. Raises FormatError where
            /// they were altered, or are another key's or version's.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.with_tables(b"no tables")
            /// Traceback (most recent call last):
            /// kuaimi.errors.FormatError: this is no table of this kind and version: prepare the key again
            fn with_tables(&self, py: Python<'_>, data: Input) -> Result<Self, Failure> {
                Ok(Self(py.detach(|| self.0.with_tables(&data))?))
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

            fn __repr__(&self) -> String {
                format!(concat!("<", $name, " {}>"), super::shown(self.0.identity().id()))
            }

            fn __reduce__(&self) -> PyResult<()> {
                Err(no_pickle("this is a user's private key"))
            }
        }
    };
}
pub(super) use private_key;

/// A user's public key: an identity under a master public key.
macro_rules! public_key {
    (
        $(#[$doc:meta])* $key:ident, $name:literal, $example:literal, $table:literal;
        $master:ident; { $($method:tt)* }
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, name = $name, module = "kuaimi.sm9")]
        pub(crate) struct $key(pub(crate) sm9::$key);

        #[pymethods]
        impl $key {
            #[new]
            #[pyo3(signature = (master_public_key, identity, hid = None))]
            fn new(
                master_public_key: &$master,
                identity: Identity,
                hid: Option<u8>,
            ) -> Result<Self, Failure> {
                let identity = super::identity(&identity, hid);
                Ok(Self(sm9::$key::new(&master_public_key.0, identity)?))
            }

            /// The master public key that it belongs to.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> type(key.master_public_key()).__name__.startswith("Master")
            /// True
            fn master_public_key(&self) -> $master {
                $master(self.0.master_public_key().clone())
            }

            /// The identity, as bytes.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.identity
            /// b'alice'
            #[getter]
            fn identity<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
                PyBytes::new(py, self.0.identity().id())
            }

            /// The function identifier: one byte.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.hid in (1, 3)
            /// True
            #[getter]
            fn hid(&self) -> u8 {
                self.0.hid()
            }

            #[doc = concat!("Makes ", $table, " now, and returns the key: it is faster. Keys make their tables at their second use.")]
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.prepare() is key
            /// True
            fn prepare(slf: Py<Self>, py: Python<'_>) -> Py<Self> {
                let key = slf.get();
                py.detach(|| key.0.prepare());
                slf
            }

            /// Whether it has its tables.
            ///
            #[doc = concat!(">>> key = ", $example)]
            /// >>> key.is_prepared
            /// False
            #[getter]
            fn is_prepared(&self) -> bool {
                self.0.is_prepared()
            }

            $($method)*

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
                format!(concat!("<", $name, " {}>"), super::shown(self.0.identity().id()))
            }

            fn __reduce__<'py>(
                slf: &Bound<'py, Self>,
            ) -> (Bound<'py, PyAny>, ($master, Bound<'py, PyBytes>, u8)) {
                let (py, key) = (slf.py(), slf.get());
                let parts = (key.master_public_key(), key.identity(py), key.hid());
                (slf.get_type().into_any(), parts)
            }
        }
    };
}
pub(super) use public_key;
