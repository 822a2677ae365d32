//! Private keys for rustls.

use std::sync::Arc;

use kuaimi::encoding;
use rustls_0_24::Error;
use rustls_0_24::crypto::{
    Credentials, Identity, KeyProvider, SignatureScheme, Signer, SigningKey,
};
use rustls_0_24::error::OtherError;
use rustls_0_24::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer};

use crate::Sm2Key;

impl SigningKey for Sm2Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let has = offered.contains(&SignatureScheme::SM2_SM3);
        has.then(|| Box::new(self.clone()) as Box<dyn Signer>)
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        self.info().map(SubjectPublicKeyInfoDer::from)
    }
}

impl Signer for Sm2Key {
    fn sign(self: Box<Self>, message: &[u8]) -> Result<Vec<u8>, Error> {
        Sm2Key::sign(&self, message).map_err(|error| Error::Other(OtherError::new(error)))
    }

    fn scheme(&self) -> SignatureScheme {
        SignatureScheme::SM2_SM3
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Error::Other(OtherError::new(error))
    }
}

/// Reads private keys of SM2 and, if there is another provider behind it, all that that one reads.
#[derive(Debug)]
pub struct Sm2Keys {
    /// The provider's to whom keys of other algorithms are given.
    pub other: Option<&'static dyn KeyProvider>,
}

impl KeyProvider for Sm2Keys {
    fn load_private_key(&self, file: PrivateKeyDer<'static>) -> Result<Box<dyn SigningKey>, Error> {
        match (Sm2Key::read(file.secret_der(), None), self.other) {
            (Ok(key), _) => Ok(Box::new(key)),
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

/// The certificates and the private key of a server or a client, from files. See
/// `certified_key` for rustls 0.23.
///
/// # Errors
/// [`crate::Error`] says which file cannot be used and why.
pub fn credentials(
    certificates: &[u8],
    key: &[u8],
    password: Option<&[u8]>,
) -> Result<Credentials, crate::Error> {
    let key = Sm2Key::read(key, password)?;
    let (chain, key) = key.with_certificates(certificates)?;
    let identity = Identity::from_cert_chain(chain).map_err(|_| crate::Error::NoCertificate)?;
    // That they belong together was seen above.
    Ok(Credentials::new_unchecked(
        Arc::new(identity),
        Box::new(key),
    ))
}
