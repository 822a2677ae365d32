//! Connections of TLCP, without input and output: `kuaimi.tlcp` has the sockets.

use std::io::{ErrorKind, Read as _, Write as _};
use std::sync::Arc;

use kuaimi::sm2::SigningKey;
use kuaimi_pki::chain::{PeerName, Revocation};
use kuaimi_pki::crl::Crl;
use kuaimi_tlcp::{
    CipherSuite, ClientAuth, ClientConfig, Identity, ServerConfig, SessionCache, SessionStore,
    Trust,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::bytes::Input;
use crate::error::Failure;
use crate::lock::Lock;
use crate::sm2::PrivateKey;
use crate::x509::{Certificate, identities};

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Pair>()?;
    module.add_class::<Authorities>()?;
    module.add_class::<Sessions>()?;
    module.add_class::<Client>()?;
    module.add_class::<Server>()?;
    module.add_class::<Connection>()?;
    module.add("SUITES", CipherSuite::ALL.map(CipherSuite::name))
}

/// A signing and an encrypting certificate with their keys, and the certificates above them.
#[pyclass(frozen, module = "kuaimi._native.tlcp")]
pub(crate) struct Pair(Identity);

#[pymethods]
impl Pair {
    #[new]
    fn new(
        signing: (PyRef<'_, Certificate>, PyRef<'_, PrivateKey>),
        encrypting: (PyRef<'_, Certificate>, PyRef<'_, PrivateKey>),
        above: Vec<PyRef<'_, Certificate>>,
    ) -> Result<Self, Failure> {
        let above: Vec<_> = above.iter().map(|one| one.0.clone()).collect();
        Ok(Self(Identity::new(
            signing.0.0.clone(),
            SigningKey::new(signing.1.secret().clone()),
            encrypting.0.0.clone(),
            encrypting.1.secret().clone(),
            &above,
        )?))
    }
}

/// Whom a side trusts.
#[pyclass(frozen, module = "kuaimi._native.tlcp")]
pub(crate) struct Authorities(Trust);

#[pymethods]
impl Authorities {
    #[new]
    fn new(
        anchors: Vec<PyRef<'_, Certificate>>,
        crls: Vec<Input>,
        revocation: &str,
        empty_identity: bool,
    ) -> Result<Self, Failure> {
        let anchors: Vec<_> = anchors.iter().map(|one| one.0.clone()).collect();
        let mut lists = Vec::new();
        for list in &crls {
            lists.extend(Crl::read_all(list)?);
        }
        let trust = Trust::new(&anchors)?
            .crls(&lists)
            .revocation(match revocation {
                "end" => Revocation::RequiredForEnd,
                "all" => Revocation::RequiredForAll,
                _ => Revocation::IfPresent,
            })
            .identities(identities(empty_identity));
        Ok(Self(trust))
    }

    /// Nobody is verified.
    #[staticmethod]
    fn dangerous_anyone() -> Self {
        Self(Trust::dangerous_anyone())
    }
}

/// Sessions that can be resumed, for so many seconds.
#[pyclass(frozen, module = "kuaimi._native.tlcp")]
pub(crate) struct Sessions {
    cache: Option<Arc<SessionCache>>,
    seconds: u64,
}

#[pymethods]
impl Sessions {
    #[new]
    fn new(count: usize, seconds: u64) -> Result<Self, Failure> {
        if count > 1_000_000 {
            return Err(Failure::Argument(
                "at most a million sessions are kept".into(),
            ));
        }
        let cache = (count > 0).then(|| Arc::new(SessionCache::new(count)));
        Ok(Self { cache, seconds })
    }
}

fn suites(names: &[String]) -> Result<Vec<CipherSuite>, Failure> {
    let suite = |name: &String| {
        let mut all = CipherSuite::ALL.into_iter();
        all.find(|suite| suite.name() == name).ok_or_else(|| {
            let all = CipherSuite::ALL.map(CipherSuite::name).join(", ");
            Failure::Argument(format!("the cipher suites are {all}"))
        })
    };
    names.iter().map(suite).collect()
}

/// What both configurations take under the same names.
macro_rules! configured {
    ($config:expr, $names:expr, $alpn:expr, $sessions:expr, $time:expr) => {{
        let alpn: Vec<&[u8]> = $alpn.iter().map(|one| &**one).collect();
        let store = $sessions
            .cache
            .clone()
            .map(|cache| cache as Arc<dyn SessionStore>);
        let config = $config
            .suites(&suites(&$names)?)?
            .alpn(&alpn)?
            .sessions(store)
            .session_seconds($sessions.seconds);
        match $time {
            Some(time) => config.clock(move || time),
            None => config,
        }
    }};
}

/// What the connections of a client have in common.
#[pyclass(frozen, module = "kuaimi._native.tlcp")]
pub(crate) struct Client(Arc<ClientConfig>);

#[pymethods]
impl Client {
    #[new]
    fn new(
        authorities: &Authorities,
        pair: Option<PyRef<'_, Pair>>,
        ciphers: Vec<String>,
        alpn: Vec<Input>,
        sessions: &Sessions,
        time: Option<u64>,
    ) -> Result<Self, Failure> {
        let mut config = ClientConfig::new(authorities.0.clone());
        if let Some(pair) = pair {
            config = config.identity(pair.0.clone());
        }
        let config = configured!(config, ciphers, alpn, sessions, time);
        Ok(Self(Arc::new(config)))
    }
}

/// What the connections of a server have in common.
#[pyclass(frozen, module = "kuaimi._native.tlcp")]
pub(crate) struct Server(Arc<ServerConfig>);

#[pymethods]
impl Server {
    /// `authorities`: those of clients, and whether clients must have certificates.
    #[new]
    fn new(
        authorities: Option<(PyRef<'_, Authorities>, bool)>,
        pair: &Pair,
        others: Vec<(String, PyRef<'_, Pair>)>,
        ciphers: Vec<String>,
        alpn: Vec<Input>,
        sessions: &Sessions,
        time: Option<u64>,
    ) -> Result<Self, Failure> {
        let mut config = ServerConfig::new(pair.0.clone());
        config = config.client_auth(match authorities {
            None => ClientAuth::None,
            Some((trust, false)) => ClientAuth::Optional(trust.0.clone()),
            Some((trust, true)) => ClientAuth::Required(trust.0.clone()),
        });
        for (name, pair) in others {
            config = config.identity_for(&name, pair.0.clone());
        }
        let config = configured!(config, ciphers, alpn, sessions, time);
        Ok(Self(Arc::new(config)))
    }
}

/// A connection, which threads change in turn.
#[pyclass(frozen, module = "kuaimi._native.tlcp")]
pub(crate) struct Connection(Lock<kuaimi_tlcp::Connection>);

#[pymethods]
impl Connection {
    #[staticmethod]
    fn client(config: &Client, server: &str) -> Result<Self, Failure> {
        let name = PeerName::new(server)?;
        let connection = kuaimi_tlcp::Connection::client(Arc::clone(&config.0), name)?;
        Ok(Self(Lock::new(connection)))
    }

    #[staticmethod]
    fn server(config: &Server) -> Self {
        let connection = kuaimi_tlcp::Connection::server(Arc::clone(&config.0));
        Self(Lock::new(connection))
    }

    /// Takes bytes from the network, none for its end, and returns how many.
    fn receive(&self, py: Python<'_>, data: Input) -> Result<usize, Failure> {
        py.detach(|| {
            let mut connection = self.0.get()?;
            let (taken, result) = connection.receive(&data);
            result?;
            Ok(taken)
        })
    }

    /// All bytes that wait for the network.
    fn send<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Failure> {
        let bytes = py.detach(|| {
            let mut connection = self.0.get()?;
            let mut bytes = Vec::new();
            while connection.wants_write() {
                connection
                    .write_tls(&mut bytes)
                    .map_err(|error| Failure::Python(error.into()))?;
            }
            Ok::<_, Failure>(bytes)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Takes data of the application, and returns how many bytes.
    fn write(&self, py: Python<'_>, data: Input) -> Result<usize, Failure> {
        py.detach(|| {
            let mut connection = self.0.get()?;
            match connection.writer().write(&data) {
                Ok(count) => Ok(count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Finished(
                    "close_notify was sent: nothing more can be written",
                )),
                Err(error) => Err(failed(&connection, error)),
            }
        })
    }

    /// At most so many bytes of the peer's application; `None` if none has come yet, and no bytes
    /// once the peer has closed.
    fn read<'py>(
        &self,
        py: Python<'py>,
        most: usize,
    ) -> Result<Option<Bound<'py, PyBytes>>, Failure> {
        let data = py.detach(|| {
            let mut connection = self.0.get()?;
            let most = most
                .min(connection.io_state().plaintext_bytes_to_read)
                .max(1);
            let mut data = Zeroizing::new(vec![0; most]);
            match connection.reader().read(&mut data) {
                Ok(count) => {
                    data.truncate(count);
                    Ok(Some(data))
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
                Err(error) => Err(failed(&connection, error)),
            }
        })?;
        Ok(data.map(|data| PyBytes::new(py, &data)))
    }

    fn close(&self) -> Result<(), Failure> {
        self.0.get()?.send_close_notify();
        Ok(())
    }

    /// Bytes that `read` would give now.
    #[getter]
    fn pending(&self) -> Result<usize, Failure> {
        Ok(self.0.get()?.io_state().plaintext_bytes_to_read)
    }

    #[getter]
    fn is_handshaking(&self) -> Result<bool, Failure> {
        Ok(self.0.get()?.is_handshaking())
    }

    #[getter]
    fn peer_has_closed(&self) -> Result<bool, Failure> {
        Ok(self.0.get()?.peer_has_closed())
    }

    #[getter]
    fn is_truncated(&self) -> Result<bool, Failure> {
        Ok(self.0.get()?.is_truncated())
    }

    #[getter]
    fn is_resumed(&self) -> Result<bool, Failure> {
        Ok(self.0.get()?.is_resumed())
    }

    #[getter]
    fn suite(&self) -> Result<Option<&'static str>, Failure> {
        Ok(self.0.get()?.suite().map(CipherSuite::name))
    }

    #[getter]
    fn alpn<'py>(&self, py: Python<'py>) -> Result<Option<Bound<'py, PyBytes>>, Failure> {
        let connection = self.0.get()?;
        Ok(connection
            .alpn_protocol()
            .map(|chosen| PyBytes::new(py, chosen)))
    }

    #[getter]
    fn server_name(&self) -> Result<Option<String>, Failure> {
        Ok(self.0.get()?.server_name().map(str::to_owned))
    }

    /// The peer's certificates in DER.
    #[getter]
    fn peer<'py>(&self, py: Python<'py>) -> Result<Vec<Bound<'py, PyBytes>>, Failure> {
        let connection = self.0.get()?;
        let certificates = connection.peer_certificates().iter();
        Ok(certificates
            .map(|one| PyBytes::new(py, one.as_der()))
            .collect())
    }
}

/// Why a connection can no longer be used.
fn failed(connection: &kuaimi_tlcp::Connection, error: std::io::Error) -> Failure {
    match connection.error() {
        Some(error) => Failure::Tlcp(error.clone()),
        None => Failure::Connection(error.to_string()),
    }
}
