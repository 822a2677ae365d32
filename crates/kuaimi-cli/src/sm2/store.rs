//! Keys in files that also have certificates: PKCS #12, and CFCA's `.sm2`.

use kuaimi::encoding::{self, FileKind, PrivateKeyFile};
use kuaimi::sm2::PrivateKey;
use kuaimi_pki::external::x509_cert::ext::pkix::KeyUsage;
use kuaimi_pki::pkcs12::Pkcs12;
use kuaimi_pki::{Certificate, cfca};

use crate::failure::{Failure, Result};
use crate::password::PasswordArgs;

/// A private key with its certificate and those above it, as far as the file has them.
pub struct Identity {
    pub key: PrivateKey,
    pub certificate: Option<Certificate>,
    pub chain: Vec<Certificate>,
    /// The name that people gave it.
    pub name: Option<String>,
}

/// Whether `error` says that the content is such a file.
pub fn is_store(error: &encoding::Error) -> bool {
    matches!(
        error,
        encoding::Error::Other(FileKind::Pkcs12 | FileKind::Cfca)
    )
}

/// The SM2 keys in a PKCS #12 file or a file of CFCA, opened with the password that the options
/// give, or that is asked for.
pub fn identities(content: &[u8], name: &str, password: &PasswordArgs) -> Result<Vec<Identity>> {
    identities_under(content, name, &password.to_open(name)?)
}

/// The same, opened with this password.
pub fn identities_under(content: &[u8], name: &str, password: &[u8]) -> Result<Vec<Identity>> {
    let password = std::str::from_utf8(password).map_err(|_| {
        Failure::file(
            name,
            "the password is not UTF-8 text, which these files need",
        )
    })?;
    let failed = |error| crate::cert::failed(name, &error);
    if let Err(encoding::Error::Other(FileKind::Cfca)) = PrivateKeyFile::open(content) {
        let (key, certificate) = cfca::open_key_file(content, password).map_err(failed)?;
        return Ok(vec![Identity {
            key,
            certificate: Some(certificate),
            chain: Vec::new(),
            name: None,
        }]);
    }
    let file = Pkcs12::from_bytes(content, password).map_err(failed)?;
    let identities = file.identities();
    // Keys of other algorithms are passed over.
    let ours = identities.iter().filter_map(|identity| {
        let key = identity.key.sm2().ok()?;
        Some(Identity {
            key,
            certificate: identity.certificate.cloned(),
            chain: identity.chain.iter().copied().cloned().collect(),
            name: identity.friendly_name.map(str::to_owned),
        })
    });
    Ok(ours.collect())
}

/// The one SM2 key in such a file.
pub fn identity(content: &[u8], name: &str, password: &PasswordArgs) -> Result<Identity> {
    only(identities(content, name, password)?, name)
}

/// The one SM2 key in such a file whose certificate is for signatures: of a pair, the signing one.
pub fn signing_identity(content: &[u8], name: &str, password: &PasswordArgs) -> Result<Identity> {
    let mut all = identities(content, name, password)?;
    if all.len() > 1 {
        all.retain(|identity| {
            let usage = identity.certificate.as_ref().map(Certificate::extension::<KeyUsage>);
            matches!(usage, Some(Ok(Some((_, usage)))) if usage.digital_signature() || usage.non_repudiation())
        });
    }
    only(all, name)
}

fn only(mut all: Vec<Identity>, name: &str) -> Result<Identity> {
    match (all.pop(), all.len()) {
        (None, _) => Err(Failure::file(name, "has no private key of SM2")),
        (Some(identity), 0) => Ok(identity),
        (Some(_), others) => Err(Failure::file(
            name,
            format_args!(
                "has {} private keys of SM2; take one out with `kuaimi p12 extract`, and give that",
                others + 1
            ),
        )),
    }
}
