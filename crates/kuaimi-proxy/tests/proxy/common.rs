//! An authority with files, backends, and clients of both protocols.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kuaimi::encoding::{EncodePrivateKey as _, LineEnding, PasswordEncryption};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::chain::PeerName;
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::{Certificate, name};
use kuaimi_proxy::config::Config;
use kuaimi_proxy::{Passwords, Proxy};
use kuaimi_rustls::{ServerVerifier, certified_key, strict};
use kuaimi_tlcp::{Identity, Trust};
use rustls::sign::SingleCertAndKey;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;

/// Long enough for a loaded machine: what takes longer hangs.
pub const LONG: Duration = Duration::from_secs(60);

/// Fails where the future hangs.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LONG, future).await.expect("it hangs")
}

/// A certificate with its key.
pub struct Holder {
    pub certificate: Certificate,
    pub key: PrivateKey,
}

/// A folder with an authority, `ca.crt`, and pairs of certificates below it.
pub struct Lab {
    folder: TempDir,
    pub root: Holder,
}

fn validity(before: u64, after: u64) -> Validity {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let date = |seconds| DateTime::from_unix_duration(Duration::from_secs(seconds)).unwrap();
    Validity {
        not_before: date(now - before * 86400),
        not_after: date(now + after * 86400),
    }
}

impl Lab {
    /// With a server's pair `sign`, `enc` for localhost, and a client's `client-sign`,
    /// `client-enc`.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let key = PrivateKey::generate().unwrap();
        let certificate = CertificateBuilder::new(
            name::parse("CN=Root").unwrap(),
            key.public_key(),
            validity(1, 365),
        )
        .purpose(Purpose::Authority { path_len: None })
        .unwrap()
        .random_serial(&mut getrandom::SysRng)
        .unwrap()
        .self_sign(&SigningKey::new(key.clone()))
        .unwrap();
        let lab = Self {
            folder,
            root: Holder { certificate, key },
        };
        lab.write("ca.crt", lab.root.certificate.to_pem());
        lab.pair("", "localhost");
        lab.pair("client-", "client");
        lab
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub fn issue(&self, host: &str, purpose: Purpose) -> Holder {
        self.issue_with(host, purpose, |_| {})
    }

    pub fn issue_with(
        &self,
        host: &str,
        purpose: Purpose,
        edit: impl FnOnce(&mut CertificateBuilder),
    ) -> Holder {
        let key = PrivateKey::generate().unwrap();
        let subject = name::parse(&format!("CN={host}")).unwrap();
        let mut builder = CertificateBuilder::new(subject, key.public_key(), validity(1, 365))
            .purpose(purpose)
            .unwrap()
            .random_serial(&mut getrandom::SysRng)
            .unwrap();
        builder.extensions().dns(host).unwrap();
        edit(&mut builder);
        let authority = SigningKey::new(self.root.key.clone());
        let certificate = builder.sign(&self.root.certificate, &authority).unwrap();
        Holder { certificate, key }
    }

    /// Writes a pair: `{prefix}sign.crt`, `{prefix}sign.pem`, `{prefix}enc.crt`,
    /// `{prefix}enc.pem`.
    pub fn pair(&self, prefix: &str, host: &str) {
        for (half, purpose) in [("sign", Purpose::Signing), ("enc", Purpose::Encryption)] {
            let holder = self.issue(host, purpose);
            self.write(&format!("{prefix}{half}.crt"), holder.certificate.to_pem());
            let key = holder.key.to_pkcs8_pem(LineEnding::LF).unwrap();
            self.write(&format!("{prefix}{half}.pem"), &key);
        }
    }

    /// The same keys under a password: `sign.secret`, `enc.secret`.
    pub fn encrypt_keys(&self, password: &[u8]) {
        for half in ["sign", "enc"] {
            let pem = self.read(&format!("{half}.pem"));
            let (key, _) = kuaimi::encoding::read_private_key(&pem, None).unwrap();
            let encryption = PasswordEncryption::AES.with_iterations(2048);
            let pem = key.to_encrypted_pkcs8_pem(password, encryption, &mut getrandom::SysRng);
            self.write(&format!("{half}.secret"), pem.unwrap());
        }
    }

    /// An ordinary certificate for localhost, signed by itself: `p256.crt`, `p256.pem`.
    pub fn ordinary(&self) -> rustls::pki_types::CertificateDer<'static> {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        self.write("p256.crt", made.cert.pem());
        self.write("p256.pem", made.signing_key.serialize_pem());
        made.cert.der().clone()
    }

    /// The text of a configuration with one server with both pairs.
    pub fn server(&self, to: std::net::SocketAddr, more: &str) -> String {
        format!(
            "[[server]]\nlisten = \"127.0.0.1:0\"\nto = \"{to}\"\ncert = \"sign.crt\"\n\
             key = \"sign.pem\"\nenc_cert = \"enc.crt\"\nenc_key = \"enc.pem\"\n{more}\n"
        )
    }

    pub fn config(&self, text: &str) -> Config {
        Config::from_toml(text, &self.path("proxy.toml")).unwrap()
    }

    pub async fn start(&self, text: &str) -> Proxy {
        let config = self.config(text);
        Proxy::start(config, Passwords::default()).await.unwrap()
    }

    pub fn trust(&self) -> Trust {
        Trust::new(std::slice::from_ref(&self.root.certificate)).unwrap()
    }

    pub fn identity(&self, prefix: &str) -> Identity {
        let file = |name: &str| self.read(&format!("{prefix}{name}"));
        Identity::from_files(
            &file("sign.crt"),
            &file("sign.pem"),
            &file("enc.crt"),
            &file("enc.pem"),
            None,
        )
        .unwrap()
    }

    pub fn tlcp(&self, with_pair: bool) -> Arc<kuaimi_tlcp::ClientConfig> {
        let mut config = kuaimi_tlcp::ClientConfig::new(self.trust());
        if with_pair {
            config = config.identity(self.identity("client-"));
        }
        Arc::new(config)
    }

    pub fn tls(&self, with_certificate: bool) -> Arc<rustls::ClientConfig> {
        let provider = Arc::new(strict());
        let roots = std::slice::from_ref(&self.root.certificate);
        let verifier = ServerVerifier::new(roots, &provider);
        let builder = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        Arc::new(match with_certificate {
            false => builder.with_no_client_auth(),
            true => {
                let (own, key) = (self.read("client-sign.crt"), self.read("client-sign.pem"));
                let own = certified_key(&own, &key, None).unwrap();
                builder.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(own)))
            }
        })
    }

    /// A client of either protocol.
    pub async fn connect(&self, which: Which, to: std::net::SocketAddr) -> Stream {
        self.try_connect(which, to, false).await.unwrap()
    }

    pub async fn try_connect(
        &self,
        which: Which,
        to: std::net::SocketAddr,
        with_certificate: bool,
    ) -> std::io::Result<Stream> {
        let socket = TcpStream::connect(to).await?;
        match which {
            Which::Tlcp => connect_tlcp(self.tlcp(with_certificate), socket).await,
            Which::Tls => connect_tls(self.tls(with_certificate), socket).await,
        }
    }
}

pub async fn connect_tlcp(
    config: Arc<kuaimi_tlcp::ClientConfig>,
    socket: TcpStream,
) -> std::io::Result<Stream> {
    let name = PeerName::new("localhost").unwrap();
    let stream = soon(kuaimi_tlcp::tokio::Stream::connect(config, name, socket)).await?;
    Ok(Box::new(stream))
}

pub async fn connect_tls(
    config: Arc<rustls::ClientConfig>,
    socket: TcpStream,
) -> std::io::Result<Stream> {
    let name = "localhost".try_into().unwrap();
    let stream = soon(TlsConnector::from(config).connect(name, socket)).await?;
    Ok(Box::new(stream))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Tlcp,
    Tls,
}

pub const BOTH: [Which; 2] = [Which::Tlcp, Which::Tls];

pub trait ReadWrite: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> ReadWrite for S {}
pub type Stream = Box<dyn ReadWrite>;

/// A backend that sends back what it gets, and ends when the other side does.
pub async fn echo() -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut read, mut write) = socket.split();
                let _copied = tokio::io::copy(&mut read, &mut write).await;
                let _ended = write.shutdown().await;
            });
        }
    });
    address
}

/// A server of both protocols that sends back what it gets: another proxy before an echo.
pub async fn secure_echo(lab: &Lab, more: &str) -> Proxy {
    lab.start(&lab.server(echo().await, more)).await
}

/// Sends a text, expects it back, and the end after it.
pub async fn say(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), text: &str) {
    exchange(stream, text).await;
    soon(stream.shutdown()).await.unwrap();
    let mut rest = Vec::new();
    soon(stream.read_to_end(&mut rest)).await.unwrap();
    assert_eq!(rest, b"");
}

/// Sends a text, and expects it back.
pub async fn exchange(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), text: &str) {
    stream.write_all(text.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    let mut answer = vec![0; text.len()];
    soon(stream.read_exact(&mut answer)).await.unwrap();
    assert_eq!(answer, text.as_bytes());
}

/// The value of a line of metrics that contains all of these; 0 where there is none.
pub fn metric(proxy: &Proxy, words: &[&str]) -> u64 {
    let text = proxy.metrics();
    let mut lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && words.iter().all(|word| line.contains(word)));
    let line = lines.next();
    line.map_or(0, |line| line.rsplit(' ').next().unwrap().parse().unwrap())
}

/// Waits until a line of metrics has this value.
pub async fn until_metric(proxy: &Proxy, words: &[&str], value: u64) {
    for _ in 0..6000 {
        if metric(proxy, words) == value {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("no {words:?} of {value} in:\n{}", proxy.metrics());
}

/// Expects a reset, after these bytes: even before the connection was there for this side.
pub async fn is_reset(address: std::net::SocketAddr, bytes: &[u8]) {
    let talk = async {
        let mut socket = TcpStream::connect(address).await?;
        socket.write_all(bytes).await?;
        socket.read_to_end(&mut Vec::new()).await
    };
    let error = soon(talk).await.unwrap_err();
    let kinds = [
        std::io::ErrorKind::ConnectionReset,
        std::io::ErrorKind::BrokenPipe,
    ];
    assert!(kinds.contains(&error.kind()), "{error:?}");
}
