//! The own side: a pair of certificates with their keys.

use core::fmt;
use std::sync::Arc;

use kuaimi::encoding::read_private_key;
use kuaimi::sm2::{PublicKey, SigningKey};
use kuaimi_pki::external::x509_cert::ext::pkix::{KeyUsage, KeyUsages};
use kuaimi_pki::{Certificate, Signer};

use crate::{EncryptionKey, Error};

/// A pair of certificates with their keys: one that signs, and one that receives keys. Clones share
/// it.
///
/// ```no_run
/// use kuaimi_tlcp::Identity;
///
/// let read = |name: &str| std::fs::read(name);
/// let identity = Identity::from_files(
///     &read("sign.crt")?, &read("sign.pem")?, &read("encrypt.crt")?, &read("encrypt.pem")?, None,
/// )?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Identity(Arc<Inner>);

struct Inner {
    /// As they are sent: signing, encrypting, authorities.
    certificates: Vec<Certificate>,
    signer: Box<dyn Signer + Send + Sync>,
    encryption: Box<dyn EncryptionKey>,
}

impl Identity {
    /// A pair with its keys. `authorities` are the intermediate certificates, in the order from the
    /// pair to the root, which need not be among them.
    ///
    /// # Errors
    /// [`Error::Config`] if a key does not belong to its certificate, or the keyUsage of a
    /// certificate does not permit what it is for: the two may be in the wrong order.
    pub fn new(
        signing: Certificate,
        signer: impl Signer + Send + Sync + 'static,
        encrypting: Certificate,
        encryption: impl EncryptionKey + 'static,
        authorities: &[Certificate],
    ) -> Result<Self, Error> {
        if !has_key(&signing, signer.public_key()) {
            return Err(Error::Config(
                "the signing key does not belong to the signing certificate",
            ));
        }
        if !has_key(&encrypting, encryption.public_key()) {
            return Err(Error::Config(
                "the encrypting key does not belong to the encrypting certificate",
            ));
        }
        use KeyUsages as K;
        if !permits(&signing, &[K::DigitalSignature, K::NonRepudiation])? {
            return Err(Error::Config(
                "the keyUsage of the signing certificate does not permit signatures",
            ));
        }
        let uses = [K::KeyEncipherment, K::DataEncipherment, K::KeyAgreement];
        if !permits(&encrypting, &uses)? {
            return Err(Error::Config(
                "the keyUsage of the encrypting certificate does not permit encryption",
            ));
        }
        if authorities.len() > 14 {
            return Err(Error::Config(
                "a pair has at most 14 intermediate certificates",
            ));
        }
        let mut certificates = vec![signing, encrypting];
        certificates.extend_from_slice(authorities);
        if certificates
            .iter()
            .map(|one| one.as_der().len() + 3)
            .sum::<usize>()
            > 100_000
        {
            return Err(Error::Config(
                "the certificates have more than 100000 bytes",
            ));
        }
        Ok(Self(Arc::new(Inner {
            certificates,
            signer: Box::new(signer),
            encryption: Box::new(encryption),
        })))
    }

    /// From the bytes of files: certificates in PEM or DER, of which the first of each file is the
    /// pair's and the others are its authorities, and private keys in any form that
    /// [`read_private_key`] knows, both under `password` if they are under one.
    ///
    /// # Errors
    /// [`Error::PrivateKey`] for a file that is no key or has another password,
    /// [`Error::OwnCertificate`] for one that is no certificate, and as [`new`](Self::new).
    pub fn from_files(
        signing_certificate: &[u8],
        signing_key: &[u8],
        encrypting_certificate: &[u8],
        encrypting_key: &[u8],
        password: Option<&[u8]>,
    ) -> Result<Self, Error> {
        let key = |file: &[u8]| {
            let read = read_private_key(file, password);
            read.map_err(|error| Error::PrivateKey(error.into()))
        };
        let chain = |file: &[u8]| {
            let mut all = Certificate::read_all(file).map_err(Error::OwnCertificate)?;
            if all.is_empty() {
                return Err(Error::Config("there is no certificate in the file"));
            }
            Ok((all.remove(0), all))
        };
        let (signing, mut authorities) = chain(signing_certificate)?;
        let (encrypting, others) = chain(encrypting_certificate)?;
        for other in others {
            if !authorities.contains(&other) {
                authorities.push(other);
            }
        }
        let (signer, _) = key(signing_key)?;
        let (encryption, _) = key(encrypting_key)?;
        Self::new(
            signing,
            SigningKey::new(signer),
            encrypting,
            encryption,
            &authorities,
        )
    }

    /// The certificates: signing, encrypting, authorities.
    pub fn certificates(&self) -> &[Certificate] {
        &self.0.certificates
    }

    pub(crate) fn signing_certificate(&self) -> &Certificate {
        &self.0.certificates[0]
    }

    pub(crate) fn encrypting_certificate(&self) -> &Certificate {
        &self.0.certificates[1]
    }

    pub(crate) fn signer(&self) -> &(dyn Signer + Send + Sync) {
        &*self.0.signer
    }

    pub(crate) fn encryption(&self) -> &dyn EncryptionKey {
        &*self.0.encryption
    }
}

fn has_key(certificate: &Certificate, key: &PublicKey) -> bool {
    certificate
        .public_key()
        .sm2()
        .is_ok_and(|found| found.public_key() == key)
}

/// Whether the certificate permits one of `uses`. One without keyUsage is for all.
fn permits(certificate: &Certificate, uses: &[KeyUsages]) -> Result<bool, Error> {
    let found = certificate
        .extension::<KeyUsage>()
        .map_err(Error::OwnCertificate)?;
    Ok(found.is_none_or(|(_, usage)| uses.iter().any(|one| usage.0.contains(*one))))
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Identity")
            .field(self.signing_certificate())
            .finish_non_exhaustive()
    }
}
