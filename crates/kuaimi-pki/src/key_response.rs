//! The answer of an authority to a request, `CSRResponse` (GM/T 0092-2020): the certificate of the
//! key to sign with, and a key pair to encrypt with, which the authority made, with its
//! certificate.
//!
//! `SEQUENCE { signCertificates SET OF Certificate, encryptedPrivateKey [0] SM2EnvelopedKey
//! OPTIONAL, encryptCertificates [1] IMPLICIT SET OF Certificate OPTIONAL }`. The text of the
//! standard was not available: this is what `emmansun/gmsm` reads and writes. The tag `[0]` is read
//! as explicit and as implicit.

use alloc::vec::Vec;

use kuaimi::sm2::{PrivateKey, PublicKey};
use rand_core::TryCryptoRng;

use crate::ber::{self, Element, Elements, SEQUENCE, SET, context, element};
use crate::{Certificate, Error};

const WHAT: &str = "answer to a certificate request";
/// The maximum length of an answer in bytes.
pub const MAX_LEN: usize = 1 << 20;
/// The maximum number of certificates of each key.
pub const MAX_CERTIFICATES: usize = 32;

/// An authority's answer.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// # use kuaimi::sm2::{PrivateKey, SigningKey};
/// # use kuaimi_pki::certificate::{CertificateBuilder, Validity};
/// # let made = |key: &PrivateKey| {
/// #     let validity = Validity::days("2026-01-01T00:00:00Z".parse().unwrap(), 365).unwrap();
/// #     let name = kuaimi_pki::name::parse("CN=holder").unwrap();
/// #     let signer = SigningKey::new(key.clone());
/// #     CertificateBuilder::new(name, key.public_key(), validity)
/// #         .serial(&[1]).unwrap().self_sign(&signer).unwrap()
/// # };
/// use kuaimi_pki::key_response::KeyResponse;
///
/// // The authority has made `pair`, and a certificate for each key.
/// let (key, pair) = (PrivateKey::generate()?, PrivateKey::generate()?);
/// let (signing, encryption) = (made(&key), made(&pair));
/// let answer = KeyResponse::new(vec![signing])?
///     .with_encryption_key(&pair, vec![encryption], &mut getrandom::SysRng)?;
///
/// // The holder of `key` opens it.
/// let read = KeyResponse::from_bytes(&answer.to_der())?;
/// assert_eq!(read.open(&key)?, Some(pair));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyResponse {
    signing: Vec<Certificate>,
    enveloped: Option<Vec<u8>>,
    encryption: Vec<Certificate>,
}

impl KeyResponse {
    /// An answer with the certificate of the key to sign with, and perhaps those above it.
    ///
    /// # Errors
    /// [`Error::Argument`] and [`Error::Limit`] for none, and for more than [`MAX_CERTIFICATES`].
    pub fn new(signing_certificates: Vec<Certificate>) -> Result<Self, Error> {
        check_count(&signing_certificates)?;
        Ok(Self {
            signing: signing_certificates,
            enveloped: None,
            encryption: Vec::new(),
        })
    }

    /// Adds a key pair to encrypt with, for the holder of the key in the first certificate, and the
    /// pair's certificate, and perhaps those above it. Random numbers come from `rng`.
    ///
    /// # Errors
    /// [`Error::Argument`] if the first of `certificates` is of another key; [`Error::Limit`];
    /// [`Error::Random`] if the generator fails.
    pub fn with_encryption_key<R: TryCryptoRng + ?Sized>(
        mut self,
        key: &PrivateKey,
        certificates: Vec<Certificate>,
        rng: &mut R,
    ) -> Result<Self, Error> {
        check_count(&certificates)?;
        if first_key(&certificates)? != *key.public_key() {
            return Err(Error::Argument("the certificate is of another key"));
        }
        let recipient = first_key(&self.signing)?;
        self.enveloped = Some(key.to_enveloped_key(&recipient, rng)?);
        self.encryption = certificates;
        Ok(self)
    }

    /// Reads an answer in DER or BER, or in Base64 or PEM of it.
    ///
    /// # Errors
    /// [`Error::Der`], [`Error::Structure`] and [`Error::Encoding`] for what is no answer, or has
    /// no certificate; [`Error::Limit`] for more than [`MAX_LEN`] bytes or [`MAX_CERTIFICATES`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() > MAX_LEN {
            return Err(Error::Limit("an answer of more than 1 MiB"));
        }
        let decoded = kuaimi::encoding::TextEncoding::detect(bytes).decode(bytes)?;
        let der = ber::to_der(&decoded, WHAT)?;
        let mut fields = Elements::inside(&der, SEQUENCE, WHAT)?;
        let signing = certificates(fields.enter(SET)?)?;
        if signing.is_empty() {
            return Err(Error::Structure(WHAT, "has no certificate"));
        }
        let mut answer = Self {
            signing,
            enveloped: None,
            encryption: Vec::new(),
        };
        let mut last = None;
        while !fields.is_empty() {
            let field = fields.element()?;
            match field.tag {
                tag if tag == context(0) && last.is_none() => {
                    answer.enveloped = Some(enveloped(field)?);
                }
                tag if tag == context(1) && last != Some(tag) => {
                    answer.encryption = certificates(field.enter(context(1), WHAT)?)?;
                }
                tag => return Err(fields.unexpected(None, tag).into()),
            }
            last = Some(field.tag);
        }
        if answer.enveloped.is_some() && answer.encryption.is_empty() {
            let why = "has a key to encrypt with, and no certificate of it";
            return Err(Error::Structure(WHAT, why));
        }
        Ok(answer)
    }

    /// The answer in DER, except that the certificates keep their order in their SETs: some readers
    /// take the first to be the holder's.
    pub fn to_der(&self) -> Vec<u8> {
        let joined = |all: &[Certificate]| {
            let mut out = Vec::new();
            all.iter()
                .for_each(|one| out.extend_from_slice(one.as_der()));
            out
        };
        let mut parts = element(SET, &[&joined(&self.signing)]);
        if let Some(enveloped) = &self.enveloped {
            parts.extend(element(context(0), &[enveloped]));
        }
        if !self.encryption.is_empty() {
            parts.extend(element(context(1), &[&joined(&self.encryption)]));
        }
        element(SEQUENCE, &[&parts])
    }

    /// The certificate of the key to sign with, and perhaps those above it, in the order that they
    /// were written.
    pub fn signing_certificates(&self) -> &[Certificate] {
        &self.signing
    }

    /// The key pair to encrypt with, as an `SM2EnvelopedKey` in DER, which a module can open.
    pub fn enveloped_key(&self) -> Option<&[u8]> {
        self.enveloped.as_deref()
    }

    /// The certificate of the key to encrypt with, and perhaps those above it.
    pub fn encryption_certificates(&self) -> &[Certificate] {
        &self.encryption
    }

    /// The key to encrypt with, if the answer has one, for the holder of the key to sign with. It
    /// belongs to one of the [`encryption_certificates`](Self::encryption_certificates).
    ///
    /// # Errors
    /// [`Error::NotARecipient`] if none of the certificates is of the key `signing`;
    /// [`Error::Decryption`] if the key was altered or is not the certificate's.
    pub fn open(&self, signing: &PrivateKey) -> Result<Option<PrivateKey>, Error> {
        if !has_key(&self.signing, signing.public_key()) {
            return Err(Error::NotARecipient);
        }
        let Some(enveloped) = &self.enveloped else {
            return Ok(None);
        };
        let failed = kuaimi::encoding::Error::Sm2(kuaimi::sm2::Error::DecryptionFailed);
        let key = signing.open_enveloped_key(enveloped).map_err(|error| {
            if error == failed {
                Error::Decryption
            } else {
                error.into()
            }
        })?;
        if !has_key(&self.encryption, key.public_key()) {
            return Err(Error::Decryption);
        }
        Ok(Some(key))
    }
}

fn check_count(certificates: &[Certificate]) -> Result<(), Error> {
    match certificates.len() {
        0 => Err(Error::Argument("a certificate is needed")),
        1..=MAX_CERTIFICATES => Ok(()),
        _ => Err(Error::Limit("the number of certificates of an answer")),
    }
}

fn first_key(certificates: &[Certificate]) -> Result<PublicKey, Error> {
    let first = certificates
        .first()
        .ok_or(Error::Argument("a certificate is needed"))?;
    Ok(*first.public_key().sm2()?.public_key())
}

/// A SET has no order, so that the holder's certificate may be at any place.
fn has_key(certificates: &[Certificate], key: &PublicKey) -> bool {
    certificates.iter().any(|certificate| {
        let found = certificate.public_key().sm2();
        found.is_ok_and(|found| found.public_key() == key)
    })
}

/// The SM2EnvelopedKey in `[0]`. It begins with an `AlgorithmIdentifier`, and has four elements: so
/// the tag was explicit if there is one element.
fn enveloped(field: Element<'_>) -> Result<Vec<u8>, Error> {
    let mut fields = field.enter(context(0), WHAT)?;
    let first = fields.element()?;
    if fields.is_empty() {
        first.enter(SEQUENCE, WHAT)?;
        return Ok(first.whole.to_vec());
    }
    Ok(element(SEQUENCE, &[field.content]))
}

fn certificates(mut fields: Elements<'_>) -> Result<Vec<Certificate>, Error> {
    let mut all = Vec::new();
    while !fields.is_empty() {
        if all.len() == MAX_CERTIFICATES {
            return Err(Error::Limit("the number of certificates of an answer"));
        }
        all.push(Certificate::from_der(fields.bytes()?)?);
    }
    Ok(all)
}
