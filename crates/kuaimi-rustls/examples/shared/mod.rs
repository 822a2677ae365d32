//! An authority that lives as long as the program, and configurations with its certificates. A real
//! program reads files (docs/tls.md).

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use kuaimi::encoding::{EncodePrivateKey, LineEnding};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::name;
use kuaimi_rustls::{ServerVerifier, Ticketer, certified_key, strict};
use rustls::sign::SingleCertAndKey;
use rustls::{ClientConfig, ServerConfig};

/// A client and a server that trust each other under the name `localhost`.
pub fn configurations() -> Result<(Arc<ClientConfig>, Arc<ServerConfig>), Box<dyn Error>> {
    // An hour ago, for clocks that differ.
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    let begin = DateTime::from_unix_duration(since - Duration::from_secs(3600))?;
    let validity = Validity::days(begin, 2)?;

    let root_key = SigningKey::new(PrivateKey::generate()?);
    let root = CertificateBuilder::new(name::parse("CN=Root")?, root_key.public_key(), validity)
        .purpose(Purpose::Authority { path_len: None })?
        .random_serial(&mut getrandom::SysRng)?
        .self_sign(&root_key)?;

    let key = PrivateKey::generate()?;
    let subject = name::parse("CN=localhost")?;
    let mut builder = CertificateBuilder::new(subject, key.public_key(), validity)
        .purpose(Purpose::Server)?
        .random_serial(&mut getrandom::SysRng)?;
    builder.extensions().dns("localhost")?;
    let certificate = builder.sign(&root, &root_key)?.to_pem();
    let key = key.to_pkcs8_pem(LineEnding::LF)?;

    let provider = Arc::new(strict());
    let own = certified_key(certificate.as_bytes(), key.as_bytes(), None)?;
    let mut server = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
    server.ticketer = Ticketer::new()?;

    let verifier = ServerVerifier::new(&[root], &provider);
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok((Arc::new(client), Arc::new(server)))
}
