//! Handshakes and megabytes of rustls in a second of processor time, both ends in memory: ShangMi
//! (curveSM2, sm2sig_sm3, TLS_SM4_GCM_SM3) beside P-256 (secp256r1, ECDSA, TLS_AES_128_GCM_SHA256
//! of aws-lc-rs). Both have a root and a server's certificate below it, and rustls's own verifier.
//!
//! `peer-rustls [ROUNDS]`: the two take turns, and the median of the rounds counts.

use std::error::Error;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use cpu_time::ThreadTime;
use kuaimi::encoding::{EncodePrivateKey, LineEnding};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::name;
use kuaimi_rustls::{TLS_SM4_GCM_SM3, certified_key, strict};
use rustls::client::Resumption;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{
    ClientConfig, ClientConnection, HandshakeKind, RootCertStore, ServerConfig, ServerConnection,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What takes part.
struct Contestant {
    name: &'static str,
    /// Sessions are not resumed.
    full: Arc<ClientConfig>,
    resuming: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
}

impl Contestant {
    fn new(
        name: &'static str,
        provider: CryptoProvider,
        root: &[u8],
        own: CertifiedKey,
    ) -> Result<Self> {
        let provider = Arc::new(provider);
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(root.to_vec()))?;
        let resuming = ClientConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let mut full = resuming.clone();
        full.resumption = Resumption::disabled();
        let server = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
        Ok(Self {
            name,
            full: Arc::new(full),
            resuming: Arc::new(resuming),
            server: Arc::new(server),
        })
    }
}

fn shangmi() -> Result<Contestant> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let validity = Validity::days(DateTime::from_unix_duration(since)?, 2)?;
    let root_key = SigningKey::new(PrivateKey::generate()?);
    let root = CertificateBuilder::new(name::parse("CN=Root")?, root_key.public_key(), validity)
        .purpose(Purpose::Authority { path_len: None })?
        .random_serial(&mut getrandom::SysRng)?
        .self_sign(&root_key)?;
    let key = PrivateKey::generate()?;
    let mut builder = CertificateBuilder::new(name::parse("CN=s")?, key.public_key(), validity)
        .purpose(Purpose::Server)?
        .random_serial(&mut getrandom::SysRng)?;
    builder.extensions().dns("localhost")?;
    let certificate = builder.sign(&root, &root_key)?.to_pem();
    let key = key.to_pkcs8_pem(LineEnding::LF)?;
    let own = certified_key(certificate.as_bytes(), key.as_bytes(), None)?;
    let provider = CryptoProvider {
        cipher_suites: vec![TLS_SM4_GCM_SM3],
        ..strict()
    };
    Contestant::new("ShangMi", provider, root.as_der(), own)
}

fn p256() -> Result<Contestant> {
    let mut parameters = rcgen::CertificateParams::new(Vec::new())?;
    parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let root_key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
    let root = parameters.self_signed(&root_key)?;
    let issuer = rcgen::Issuer::new(parameters, root_key);
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256)?;
    let own = rcgen::CertificateParams::new(vec!["localhost".to_owned()])?;
    let certificate = own.signed_by(&key, &issuer)?;
    let provider = CryptoProvider {
        cipher_suites: vec![aws_lc_rs::cipher_suite::TLS13_AES_128_GCM_SHA256],
        kx_groups: vec![aws_lc_rs::kx_group::SECP256R1],
        ..aws_lc_rs::default_provider()
    };
    let key = rustls::pki_types::PrivatePkcs8KeyDer::from(key.serialize_der());
    let own = CertifiedKey::from_der(vec![certificate.der().clone()], key.into(), &provider)?;
    Contestant::new("P-256", provider, root.der(), own)
}

/// A handshake, whose kind has to be this one. The time of the server alone is added.
fn handshake(
    client: &Arc<ClientConfig>,
    server: &Arc<ServerConfig>,
    kind: HandshakeKind,
    by_server: &mut Duration,
) -> Result<(ClientConnection, ServerConnection)> {
    let mut client = ClientConnection::new(client.clone(), ServerName::try_from("localhost")?)?;
    let begin = ThreadTime::now();
    let mut server = ServerConnection::new(server.clone())?;
    *by_server += begin.elapsed();
    let mut flight = Vec::new();
    loop {
        flight.clear();
        while client.wants_write() {
            client.write_tls(&mut flight)?;
        }
        let begin = ThreadTime::now();
        let mut rest = flight.as_slice();
        while !rest.is_empty() {
            server.read_tls(&mut rest)?;
            server.process_new_packets()?;
        }
        let mut answer = Vec::new();
        while server.wants_write() {
            server.write_tls(&mut answer)?;
        }
        *by_server += begin.elapsed();
        if flight.is_empty() && answer.is_empty() {
            break;
        }
        let mut rest = answer.as_slice();
        while !rest.is_empty() {
            client.read_tls(&mut rest)?;
            client.process_new_packets()?;
        }
    }
    if client.handshake_kind() != Some(kind) {
        return Err(format!("{:?} where {kind:?} was expected", client.handshake_kind()).into());
    }
    Ok((client, server))
}

/// A second's work: handshakes a second, of both ends and of the server's alone.
fn handshakes(contestant: &Contestant, kind: HandshakeKind) -> Result<[f64; 2]> {
    let client = match kind {
        HandshakeKind::Resumed => {
            let (resuming, mut unused) = (&contestant.resuming, Duration::ZERO);
            // The first has no session yet, or resumes that of the round before.
            let full = HandshakeKind::Full;
            let first = handshake(resuming, &contestant.server, full, &mut unused);
            drop(first);
            resuming
        }
        _ => &contestant.full,
    };
    let (mut count, mut by_server) = (0, Duration::ZERO);
    let begin = ThreadTime::now();
    while begin.elapsed() < Duration::from_secs(1) {
        handshake(client, &contestant.server, kind, &mut by_server)?;
        count += 1;
    }
    let all = begin.elapsed();
    Ok([all, by_server].map(|time| f64::from(count) / time.as_secs_f64()))
}

/// Megabytes a second that a server encrypts and a client decrypts.
fn bulk(contestant: &Contestant) -> Result<f64> {
    let mut unused = Duration::ZERO;
    let (mut client, mut server) = handshake(
        &contestant.full,
        &contestant.server,
        HandshakeKind::Full,
        &mut unused,
    )?;
    let piece = vec![7; 16384];
    let (mut flight, mut plain, mut bytes) = (Vec::new(), vec![0; 16384], 0);
    let begin = ThreadTime::now();
    while begin.elapsed() < Duration::from_secs(1) {
        for _ in 0..100 {
            server.writer().write_all(&piece)?;
            flight.clear();
            while server.wants_write() {
                server.write_tls(&mut flight)?;
            }
            let mut rest = flight.as_slice();
            let mut left = piece.len();
            while left > 0 {
                if !rest.is_empty() {
                    client.read_tls(&mut rest)?;
                    client.process_new_packets()?;
                }
                match client.reader().read(&mut plain) {
                    Ok(length) => left -= length,
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error.into()),
                }
            }
            bytes += piece.len();
        }
    }
    Ok(bytes as f64 / 1e6 / begin.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<()> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(5), |text| text.parse())?;
    let contestants = [shangmi()?, p256()?];
    let rows = [
        "full handshakes/s, both ends",
        "full handshakes/s, the server alone",
        "resumed handshakes/s, both ends",
        "resumed handshakes/s, the server alone",
        "MB/s, encrypted and decrypted",
    ];
    let mut found = [(); 2].map(|()| [(); 5].map(|()| Vec::new()));
    for _ in 0..rounds {
        for (contestant, found) in contestants.iter().zip(&mut found) {
            let [both, server] = handshakes(contestant, HandshakeKind::Full)?;
            let [resumed, resumed_server] = handshakes(contestant, HandshakeKind::Resumed)?;
            let values = [both, server, resumed, resumed_server, bulk(contestant)?];
            for (list, value) in found.iter_mut().zip(values) {
                list.push(value);
            }
        }
    }
    println!(
        "{:40} {:>10} {:>10}  ratio",
        "", contestants[0].name, contestants[1].name
    );
    for (number, row) in rows.iter().enumerate() {
        let [shangmi, p256] = [0, 1].map(|who| median(found[who][number].clone()));
        println!(
            "{row:40} {shangmi:10.0} {p256:10.0}  {:5.2}",
            shangmi / p256
        );
    }
    Ok(())
}
