//! Configurations of TLCP and TLS, made of files.

use std::sync::{Arc, OnceLock};

use kuaimi::encoding::{EncodePrivateKey as _, LineEnding};
use kuaimi::sm2::SigningKey;
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::PeerName;
use kuaimi_rustls::{
    CURVE_SM2_MLKEM768, ClientVerifier, SM2SIG_SM3, ServerVerifier, Ticketer, certified_key,
    in_front_of, strict,
};
use kuaimi_tlcp::{ClientAuth, Identity, Trust};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use zeroize::Zeroizing;

use crate::Error;
use crate::config::{ClientPart, Limits, Protocol, ServerPart};
use crate::files::{self, Holder, Own, Passwords};

/// How a port with protection answers. Connections keep the one under which they began.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) tlcp: Option<Arc<kuaimi_tlcp::ServerConfig>>,
    pub(crate) tls: Option<Arc<rustls::ServerConfig>>,
    pub(crate) to: String,
    pub(crate) proxy_protocol: bool,
    pub(crate) limits: Limits,
    /// Of which certificate it is, and when it ends, in seconds since 1970.
    pub(crate) ends: Vec<(&'static str, u64)>,
}

/// How a port without protection connects.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) protocol: ClientProtocol,
    pub(crate) connect: String,
    pub(crate) limits: Limits,
    pub(crate) ends: Vec<(&'static str, u64)>,
}

#[derive(Debug)]
pub(crate) enum ClientProtocol {
    Tlcp(Arc<kuaimi_tlcp::ClientConfig>, PeerName),
    Tls(Arc<rustls::ClientConfig>, ServerName<'static>),
}

impl Server {
    pub(crate) fn new(part: &ServerPart, passwords: &Passwords) -> Result<Self, Error> {
        let own = Own::read(&part.keys(), passwords)?;
        let clients = match &part.client_ca {
            Some(file) => Some(files::certificates(file)?),
            None => None,
        };
        let wrong = |what: String| Error::Config(part.label().to_owned(), what);
        let mut ends = Vec::new();
        if let Some(one) = &own.signing {
            ends.push(("signing", end_of(&one.chain[0])));
        }
        let tlcp = match (&own.signing, &own.encrypting) {
            (Some(_), Some(encrypting)) => {
                ends.push(("encrypting", end_of(&encrypting.chain[0])));
                let mut config = kuaimi_tlcp::ServerConfig::new(identity(&own)?)
                    .alpn(&part.alpn)
                    .map_err(|error| wrong(error.to_string()))?;
                if let Some(clients) = &clients {
                    let trust = trust(clients, part.client_ca.as_deref())?;
                    config = config.client_auth(match part.client_optional {
                        true => ClientAuth::Optional(trust),
                        false => ClientAuth::Required(trust),
                    });
                }
                Some(Arc::new(config))
            }
            _ => None,
        };
        let shangmi = match own.signing.as_ref().map(certified) {
            // For TLCP its keyUsage suffices, such as nonRepudiation alone.
            Some(Err(_)) if tlcp.is_some() => None,
            result => result.transpose()?,
        };
        let ordinary = match (&part.tls_cert, &part.tls_key) {
            (Some(certificate), Some(key)) => {
                let (key, end) = ordinary_key(certificate, key)?;
                ends.push(("ordinary", end));
                Some(Arc::new(key))
            }
            _ => None,
        };
        let keys = Keys { shangmi, ordinary };
        let tls = match keys.shangmi.is_some() || keys.ordinary.is_some() {
            true => {
                let config = tls_server(keys, clients.as_deref(), part);
                Some(Arc::new(config.map_err(|error| wrong(error.to_string()))?))
            }
            false => None,
        };
        Ok(Self {
            tlcp,
            tls,
            to: part.to.clone(),
            proxy_protocol: part.proxy_protocol,
            limits: part.limits.clone(),
            ends,
        })
    }
}

impl Client {
    pub(crate) fn new(part: &ClientPart, passwords: &Passwords) -> Result<Self, Error> {
        let own = Own::read(&part.keys(), passwords)?;
        let wrong = |what: String| Error::Config(part.label().to_owned(), what);
        let anchors = match &part.ca {
            Some(file) => files::certificates(file)?,
            None => Vec::new(),
        };
        let name = part.server_name.as_deref().unwrap_or(part.host());
        let peer = PeerName::new(name);
        let peer = peer.map_err(|error| wrong(format!("server_name: {error}")))?;
        if matches!(peer, PeerName::Email(_)) {
            return Err(wrong("server_name: a mailbox is no server".to_owned()));
        }
        let holders = own.signing.iter().chain(&own.encrypting);
        let ends = holders
            .map(|one| ("client", end_of(&one.chain[0])))
            .collect();
        let protocol = match part.protocol {
            Protocol::Tlcp => {
                let trust = match part.dangerous_accept_any_server {
                    true => Trust::dangerous_anyone(),
                    false => trust(&anchors, part.ca.as_deref())?,
                };
                let mut config = kuaimi_tlcp::ClientConfig::new(trust)
                    .alpn(&part.alpn)
                    .map_err(|error| wrong(error.to_string()))?;
                if own.signing.is_some() {
                    if own.encrypting.is_none() {
                        let what = "TLCP needs a pair; give enc_cert and enc_key, too";
                        return Err(wrong(what.to_owned()));
                    }
                    config = config.identity(identity(&own)?);
                }
                ClientProtocol::Tlcp(Arc::new(config), peer)
            }
            Protocol::Tls13 => {
                let name = ServerName::try_from(peer.to_string());
                let name = name.map_err(|error| wrong(format!("server_name: {error}")))?;
                let shangmi = own.signing.as_ref().map(certified).transpose()?;
                let config = tls_client(shangmi, &anchors, part);
                let config = config.map_err(|error| wrong(error.to_string()))?;
                ClientProtocol::Tls(Arc::new(config), name)
            }
        };
        Ok(Self {
            protocol,
            connect: part.connect.clone(),
            limits: part.limits.clone(),
            ends,
        })
    }
}

fn end_of(certificate: &Certificate) -> u64 {
    let validity = certificate.fields().validity();
    validity.not_after.to_unix_duration().as_secs()
}

fn trust(anchors: &[Certificate], file: Option<&std::path::Path>) -> Result<Trust, Error> {
    Trust::new(anchors).map_err(|error| Error::file(file.unwrap_or("ca".as_ref()), error))
}

/// The pair for TLCP.
fn identity(own: &Own) -> Result<Identity, Error> {
    let (Some(signing), Some(encrypting)) = (&own.signing, &own.encrypting) else {
        let what = "TLCP needs a signing and an encrypting certificate";
        return Err(Error::Config(
            "the certificates".to_owned(),
            what.to_owned(),
        ));
    };
    let mut authorities = signing.chain[1..].to_vec();
    for other in &encrypting.chain[1..] {
        if !authorities.contains(other) {
            authorities.push(other.clone());
        }
    }
    Identity::new(
        signing.chain[0].clone(),
        SigningKey::new(signing.key.clone()),
        encrypting.chain[0].clone(),
        encrypting.key.clone(),
        &authorities,
    )
    .map_err(|error| Error::file(&signing.file, error))
}

/// The signing key for TLS 1.3.
fn certified(holder: &Holder) -> Result<Arc<CertifiedKey>, Error> {
    let pem: String = holder.chain.iter().map(Certificate::to_pem).collect();
    let key = holder.key.to_pkcs8_pem(LineEnding::LF);
    let key = key.map_err(|error| Error::file(&holder.file, error))?;
    let own = certified_key(pem.as_bytes(), key.as_bytes(), None);
    own.map(Arc::new)
        .map_err(|error| Error::file(&holder.file, error))
}

/// An ordinary certificate with its key, and when it ends.
fn ordinary_key(
    certificate: &std::path::Path,
    key: &std::path::Path,
) -> Result<(CertifiedKey, u64), Error> {
    let parsed = files::certificates(certificate)?;
    if parsed[0].public_key().sm2().is_ok() {
        let what = "is a certificate of SM2; give it as cert and key";
        return Err(Error::file(certificate, what));
    }
    let chain = parsed
        .iter()
        .map(|one| CertificateDer::from(one.as_der().to_vec()));
    let content = files::read(key)?;
    let wrong = |what: String| Error::file(key, what);
    let der = match content.starts_with(b"0") {
        true => {
            PrivateKeyDer::try_from(content.to_vec()).map_err(|error| wrong(error.to_owned()))?
        }
        false => PrivateKeyDer::from_pem_slice(&content).map_err(|_| {
            wrong("has no private key; one under a password is read for SM2 alone".to_owned())
        })?,
    };
    let der = Zeroizing::new(der);
    let key = ring::sign::any_supported_type(&der);
    let key = key.map_err(|error| wrong(error.to_string()))?;
    let own = CertifiedKey::new(chain.collect(), key);
    match own.keys_match() {
        Ok(()) | Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => {
            Ok((own, end_of(&parsed[0])))
        }
        Err(_) => Err(Error::file(
            certificate,
            "belongs to another key than tls_key",
        )),
    }
}

/// ShangMi and ordinary algorithms. It lives as long as the process, so there is one.
fn both() -> Arc<CryptoProvider> {
    static BOTH: OnceLock<Arc<CryptoProvider>> = OnceLock::new();
    let both = BOTH.get_or_init(|| {
        let mut provider = in_front_of(ring::default_provider());
        provider.kx_groups.push(CURVE_SM2_MLKEM768);
        Arc::new(provider)
    });
    Arc::clone(both)
}

fn shangmi_alone() -> Arc<CryptoProvider> {
    let mut provider = strict();
    provider.kx_groups.push(CURVE_SM2_MLKEM768);
    Arc::new(provider)
}

/// The certificates of a server of TLS: which one, depends on the client.
#[derive(Debug)]
struct Keys {
    shangmi: Option<Arc<CertifiedKey>>,
    ordinary: Option<Arc<CertifiedKey>>,
}

impl ResolvesServerCert for Keys {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        // RFC 8998: the suites with SM4, 0x00c6 and 0x00c7.
        let sm4 = |suite: &rustls::CipherSuite| matches!(u16::from(*suite), 0xc6 | 0xc7);
        let shangmi = hello.signature_schemes().contains(&SM2SIG_SM3)
            && hello.cipher_suites().iter().any(sm4);
        match (&self.shangmi, &self.ordinary) {
            (Some(key), None) => Some(Arc::clone(key)),
            (Some(key), Some(_)) if shangmi => Some(Arc::clone(key)),
            (_, ordinary) => ordinary.clone(),
        }
    }
}

fn tls_server(
    keys: Keys,
    clients: Option<&[Certificate]>,
    part: &ServerPart,
) -> Result<rustls::ServerConfig, rustls::Error> {
    let provider = match keys.ordinary {
        Some(_) => both(),
        None => shangmi_alone(),
    };
    let builder = rustls::ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()?;
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(anchors) => {
            let mut verifier = ClientVerifier::new(anchors, &provider);
            if part.client_optional {
                verifier = verifier.allow_unauthenticated();
            }
            builder.with_client_cert_verifier(Arc::new(verifier))
        }
    };
    let mut config = builder.with_cert_resolver(Arc::new(keys));
    // New keys with each configuration: a session begun under other authorities is not resumed.
    config.ticketer = Ticketer::new()?;
    config.alpn_protocols = part
        .alpn
        .iter()
        .map(|one| one.clone().into_bytes())
        .collect();
    Ok(config)
}

fn tls_client(
    own: Option<Arc<CertifiedKey>>,
    anchors: &[Certificate],
    part: &ClientPart,
) -> Result<rustls::ClientConfig, rustls::Error> {
    let provider = Arc::new(strict());
    let verifier = ServerVerifier::new(anchors, &provider);
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous();
    let builder = match part.dangerous_accept_any_server {
        false => builder.with_custom_certificate_verifier(Arc::new(verifier)),
        true => builder.with_custom_certificate_verifier(Arc::new(anyone::Anyone(verifier))),
    };
    let mut config = match own {
        None => builder.with_no_client_auth(),
        Some(key) => {
            builder.with_client_cert_resolver(Arc::new(rustls::sign::SingleCertAndKey::from(key)))
        }
    };
    config.alpn_protocols = part
        .alpn
        .iter()
        .map(|one| one.clone().into_bytes())
        .collect();
    Ok(config)
}

mod anyone {
    //! **Dangerous**: accepts every server that holds the key of some certificate.

    use kuaimi_rustls::ServerVerifier;
    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use rustls::{DigitallySignedStruct, Error, SignatureScheme};

    #[derive(Debug)]
    pub(super) struct Anyone(pub(super) ServerVerifier);

    impl ServerCertVerifier for Anyone {
        fn verify_server_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            Ok(ServerCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            self.0.verify_tls12_signature(message, certificate, signed)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            self.0.verify_tls13_signature(message, certificate, signed)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.0.supported_verify_schemes()
        }
    }
}
