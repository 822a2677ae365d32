//! Private keys for rustls.

use std::sync::Arc;

use kuaimi::encoding;
use rustls::crypto::KeyProvider;
use rustls::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer};
use rustls::sign::{CertifiedKey, Signer, SigningKey};
use rustls::{Error, OtherError, SignatureAlgorithm, SignatureScheme};

use super::SM2SIG_SM3;
use crate::{Sm2Key, names};

impl SigningKey for Sm2Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let has = offered.contains(&SM2SIG_SM3);
        has.then(|| Box::new(self.clone()) as Box<dyn Signer>)
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        self.info().map(SubjectPublicKeyInfoDer::from)
    }

    /// The number in `sm2sig_sm3`. No suite of TLS 1.2 has it, so the key is not used there.
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::Unknown((names::SM2SIG_SM3 & 0xff) as u8)
    }
}

impl Signer for Sm2Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        Sm2Key::sign(self, message).map_err(other)
    }

    fn scheme(&self) -> SignatureScheme {
        SM2SIG_SM3
    }
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Other(OtherError(Arc::new(error)))
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        other(error)
    }
}

/// Reads private keys of SM2 and, if there is another provider behind it, all that that one reads.
#[derive(Debug)]
pub struct Sm2Keys {
    /// The provider's to whom keys of other algorithms are given.
    pub other: Option<&'static dyn KeyProvider>,
}

impl KeyProvider for Sm2Keys {
    fn load_private_key(&self, file: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        match (Sm2Key::read(file.secret_der(), None), self.other) {
            (Ok(key), _) => Ok(Arc::new(key)),
            // It is SM2's, and cannot be used.
            (
                Err(crate::Error::Key(
                    error @ (encoding::Error::Sm2(_) | encoding::Error::PublicKeyMismatch),
                )),
                _,
            ) => Err(crate::Error::Key(error).into()),
            (Err(_), Some(provider)) => provider.load_private_key(file),
            (Err(error), None) => Err(error.into()),
        }
    }
}

/// The certificates and the private key of a server or a client, from files.
///
/// `certificates` has the own certificate first and then those of authorities, in PEM, or is one
/// certificate in DER. `key` has any form that [`Sm2Key::read`] reads. Both are checked to belong
/// together, and to be of use for TLS.
///
/// ```
/// use std::sync::Arc;
/// use kuaimi_rustls::{certified_key, strict};
/// use rustls::ServerConfig;
/// use rustls::sign::SingleCertAndKey;
///
/// fn server(certificates: &[u8], key: &[u8]) -> Result<ServerConfig, rustls::Error> {
///     let own = certified_key(certificates, key, None)?;
///     Ok(ServerConfig::builder_with_provider(Arc::new(strict()))
///         .with_safe_default_protocol_versions()?
///         .with_no_client_auth()
///         .with_cert_resolver(Arc::new(SingleCertAndKey::from(own))))
/// }
/// ```
///
/// # Errors
/// [`crate::Error`] says which file cannot be used and why.
pub fn certified_key(
    certificates: &[u8],
    key: &[u8],
    password: Option<&[u8]>,
) -> Result<CertifiedKey, crate::Error> {
    let key = Sm2Key::read(key, password)?;
    let (chain, key) = key.with_certificates(certificates)?;
    Ok(CertifiedKey::new(chain, Arc::new(key)))
}
