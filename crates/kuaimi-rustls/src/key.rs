//! SM2 private keys that sign handshakes, in memory or in a device.

use std::fmt;
use std::sync::Arc;

use kuaimi::encoding::{EncodePublicKey, read_private_key};
use kuaimi::sm2::{PrivateKey, PublicKey, SigningKey, TLS13_ID, VerifyingKey};
use kuaimi_pki::external::der::Encode;
use kuaimi_pki::external::x509_cert::ext::pkix::{KeyUsage, KeyUsages};
use kuaimi_pki::{Certificate, Signer};
use rustls_pki_types::CertificateDer;

use crate::Error;

/// An SM2 private key that signs handshakes (RFC 8998, clause 3.2.1): for rustls, a `SigningKey`.
///
/// It signs under the identity `TLSv1.3+GM+Cipher+Suite`, in DER. A private key in memory is wiped
/// with the last clone.
///
/// ```
/// use kuaimi::sm2::PrivateKey;
/// use kuaimi_rustls::Sm2Key;
///
/// let key = Sm2Key::new(PrivateKey::generate()?);
/// # let _: &dyn rustls::sign::SigningKey = &key;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Sm2Key {
    signer: Arc<dyn Signer + Send + Sync>,
    /// The SubjectPublicKeyInfo, as the certificate has it.
    info: Option<Arc<[u8]>>,
}

impl Sm2Key {
    /// A private key in memory.
    pub fn new(secret: PrivateKey) -> Self {
        Self::with_signer(Arc::new(SigningKey::new(secret)))
    }

    /// Reads a private key in any form that `kuaimi::encoding` reads: PKCS #8, also under a
    /// password, SEC 1, 32 bytes, as PEM, DER, Base64 or hexadecimal.
    ///
    /// ```
    /// use kuaimi::encoding::{EncodePrivateKey, LineEnding};
    /// use kuaimi::sm2::PrivateKey;
    /// use kuaimi_rustls::Sm2Key;
    ///
    /// let file = PrivateKey::generate()?.to_pkcs8_pem(LineEnding::LF)?;
    /// let key = Sm2Key::read(file.as_bytes(), None)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Key`], whose value says what is wrong: a password that is needed, or a key of
    /// another algorithm, for example.
    pub fn read(file: &[u8], password: Option<&[u8]>) -> Result<Self, Error> {
        let (secret, _) = read_private_key(file, password)?;
        Ok(Self::new(secret))
    }

    /// A private key elsewhere, in a hardware module for example: the signer is given
    /// `SM3(Z ‖ M)`, in which `Z` has the identity of TLS already, and returns `r` and `s`.
    ///
    /// It is called during a handshake, on the thread that drives it.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use kuaimi::sm2::{PublicKey, Signature};
    /// use kuaimi_pki::{Error, Signer};
    /// use kuaimi_rustls::Sm2Key;
    ///
    /// /// A module that is reached through a function.
    /// struct Module(PublicKey, fn(&[u8; 32]) -> Option<[u8; 64]>);
    ///
    /// impl Signer for Module {
    ///     fn public_key(&self) -> &PublicKey {
    ///         &self.0
    ///     }
    ///
    ///     fn sign_digest(&self, digest: &[u8; 32]) -> Result<Signature, Error> {
    ///         let signature = (self.1)(digest).ok_or(Error::Argument("the module does not answer"))?;
    ///         Ok(Signature::from_bytes(&signature)?)
    ///     }
    /// }
    ///
    /// fn key(module: Module) -> Sm2Key {
    ///     Sm2Key::with_signer(Arc::new(module))
    /// }
    /// ```
    pub fn with_signer(signer: Arc<dyn Signer + Send + Sync>) -> Self {
        let info = signer.public_key().to_public_key_der();
        let info = info.ok().map(|der| der.as_bytes().into());
        Self { signer, info }
    }

    /// The public key.
    pub fn public_key(&self) -> &PublicKey {
        self.signer.public_key()
    }

    /// The SubjectPublicKeyInfo.
    pub(crate) fn info(&self) -> Option<&[u8]> {
        self.info.as_deref()
    }

    /// The signature of what a CertificateVerify covers (RFC 8446, clause 4.4.3), in DER.
    pub(crate) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, kuaimi_pki::Error> {
        let mut hash = VerifyingKey::with_id(*self.public_key(), TLS13_ID)?.message_hash();
        hash.update(message);
        let signature = self.signer.sign_digest(&hash.finalize())?;
        Ok(signature.to_der().as_bytes().to_vec())
    }

    /// This key with the certificates in `files`, its own first.
    ///
    /// # Errors
    /// All but [`Error::Key`].
    pub(crate) fn with_certificates(
        mut self,
        files: &[u8],
    ) -> Result<(Vec<CertificateDer<'static>>, Self), Error> {
        let certificates = Certificate::read_all(files)?;
        let own = certificates.first().ok_or(Error::NoCertificate)?;
        let is_mine = |certificate: &Certificate| {
            let key = certificate.public_key().sm2();
            key.is_ok_and(|key| key.public_key() == self.public_key())
        };
        if !is_mine(own) {
            return Err(Error::KeyMismatch(certificates.iter().position(is_mine)));
        }
        if let Some((_, KeyUsage(usages))) = own.extension::<KeyUsage>()?
            && !usages.contains(KeyUsages::DigitalSignature)
        {
            return Err(Error::EncryptingCertificate);
        }
        // rustls compares these bytes, whichever identifier the certificate has for the key.
        let info = own.fields().subject_public_key_info();
        if let Ok(der) = info.to_der() {
            self.info = Some(der.into());
        }
        let chain = certificates
            .iter()
            .map(|one| CertificateDer::from(one.as_der().to_vec()))
            .collect();
        Ok((chain, self))
    }
}

impl fmt::Debug for Sm2Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm2Key")
            .field("public", self.public_key())
            .finish_non_exhaustive()
    }
}
