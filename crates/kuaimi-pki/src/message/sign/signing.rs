//! Signing in steps: hash the content, hand out the digests, put the signatures in.

use alloc::vec::Vec;

use der::asn1::{GeneralizedTime, UtcTime};
use kuaimi::sm2::{Signature, VerifyingKey};
use kuaimi::sm3::Sm3;
use x509_cert::time::Time;

use super::super::attributes::Attribute;
use super::super::signer_info::CertificateId;
use super::super::types::{Dialect, Kind};
use super::super::verify::MAX_SIGNERS;
use super::SignOptions;
use crate::ber::{
    self, NULL, OCTET_STRING, SEQUENCE, SET, context, element, header, identifier, integer, set_of,
};
use crate::{Certificate, Error, Signer, oid};

/// The content of a message that is being signed: it is hashed, and not kept.
///
/// The two steps are for a key that is in a module elsewhere:
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::Signature;
/// use kuaimi_pki::message::{SignOptions, Signing, VerifyOptions, verify};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
/// # let module = |e: &[u8; 32]| key.sign_digest(e).map(|it| (it.r(), it.s()));
///
/// let mut signing = Signing::new(&[certificate], SignOptions::new())?;
/// signing.update(b"a content");
/// let prepared = signing.prepare()?;
///
/// // Elsewhere: SM2 of the digest, which has `Z` in it already. The module gives `r` and `s`.
/// let (r, s) = module(&prepared.digests()[0])?;
///
/// let signed = prepared.complete(&[Signature::from_scalars(&r, &s)?])?;
/// let message = signed.attached(b"a content")?;
/// assert_eq!(verify(&message, &VerifyOptions::new())?.content, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
pub struct Signing {
    options: SignOptions,
    signers: Vec<(Certificate, VerifyingKey, Sm3)>,
    hash: Sm3,
    length: u64,
}

impl Signing {
    /// Begins a message that the holders of these certificates' keys will sign.
    ///
    /// # Errors
    /// [`Error::Argument`] if there is no certificate, or options do not fit together;
    /// [`Error::Limit`] for more than [`MAX_SIGNERS`](crate::message::MAX_SIGNERS);
    /// [`Error::Algorithm`] for one of another algorithm than SM2.
    pub fn new(certificates: &[Certificate], options: SignOptions) -> Result<Self, Error> {
        if certificates.is_empty() {
            return Err(Error::Argument("a signed message needs a signer"));
        }
        if certificates.len() > MAX_SIGNERS {
            return Err(Error::Limit("more than 64 signers of a message"));
        }
        let is_data = Kind::from_oid(options.content_oid()) == Some(Kind::Data);
        let has_more = options.signing_time.is_some() || !options.more_attributes.is_empty();
        if !options.attributes && (!is_data || has_more) {
            return Err(Error::Argument(
                "a signing time, other attributes or another content type need signed attributes",
            ));
        }
        let signers = certificates.iter().map(|certificate| {
            let mut key = certificate.public_key().sm2()?.clone();
            if options.empty_identity {
                key = key.under_id(b"")?;
            }
            let hash = key.message_hash();
            Ok((certificate.clone(), key, hash))
        });
        Ok(Self {
            signers: signers.collect::<Result<_, Error>>()?,
            options,
            hash: Sm3::new(),
            length: 0,
        })
    }

    /// Hashes the next bytes of the content.
    pub fn update(&mut self, content: &[u8]) {
        self.length = self.length.saturating_add(content.len() as u64);
        match self.options.attributes {
            true => self.hash.update(content),
            false => {
                let hashes = self.signers.iter_mut().map(|(_, _, hash)| hash);
                hashes.for_each(|hash| hash.update(content));
            }
        }
    }

    /// Ends the content.
    ///
    /// # Errors
    /// [`Error::Argument`] if two attributes have the same type, or the signing time cannot be
    /// written.
    pub fn prepare(self) -> Result<Prepared, Error> {
        let mut attributes = None;
        if self.options.attributes {
            let mut all = Vec::from([
                Attribute::content_type(self.options.content_oid()),
                Attribute::message_digest(&self.hash.finalize()),
            ]);
            if let Some(time) = self.options.signing_time {
                all.push(Attribute::signing_time(time_of(time)?)?);
            }
            all.extend_from_slice(&self.options.more_attributes);
            for (place, attribute) in all.iter().enumerate() {
                let mut rest = all.iter().skip(place + 1);
                if rest.any(|other| other.oid() == attribute.oid()) {
                    return Err(Error::Argument("two signed attributes have the same type"));
                }
            }
            attributes = Some(set_of(all.iter().map(Attribute::to_der).collect()));
        }
        let digests = self.signers.iter().map(|(_, key, hash)| match &attributes {
            Some(attributes) => {
                let mut hash = key.message_hash();
                hash.update(attributes);
                hash.finalize()
            }
            None => hash.clone().finalize(),
        });
        Ok(Prepared {
            digests: digests.collect(),
            attributes,
            options: self.options,
            signers: self
                .signers
                .into_iter()
                .map(|(it, key, _)| (it, key))
                .collect(),
            length: self.length,
        })
    }
}

/// As RFC 5280, 4.1.2.5, and RFC 5652, 11.3, ask for: UTCTime before 2050.
fn time_of(time: der::DateTime) -> Result<Time, Error> {
    let of = |_| Error::Argument("the signing time cannot be written");
    match time.year() {
        ..2050 => UtcTime::from_date_time(time).map(Time::UtcTime).map_err(of),
        _ => Ok(Time::GeneralTime(GeneralizedTime::from_date_time(time))),
    }
}

/// A message that waits for its signatures.
pub struct Prepared {
    options: SignOptions,
    signers: Vec<(Certificate, VerifyingKey)>,
    attributes: Option<Vec<u8>>,
    digests: Vec<[u8; 32]>,
    length: u64,
}

impl Prepared {
    /// What each signer is to sign, in the order of the certificates: `SM3(Z ‖ M)`, the input of a
    /// signature of SM2 after its hash.
    pub fn digests(&self) -> &[[u8; 32]] {
        &self.digests
    }

    /// Signs with these signers, in the order of the certificates.
    ///
    /// # Errors
    /// [`Error::Argument`] if their number or a public key is another; what a signer reports.
    pub fn sign(self, signers: &[&dyn Signer]) -> Result<Signed, Error> {
        if signers.len() != self.signers.len() {
            return Err(Error::Argument(
                "there must be a signer for each certificate",
            ));
        }
        let mut signatures = Vec::with_capacity(signers.len());
        for ((signer, (_, key)), digest) in signers.iter().zip(&self.signers).zip(&self.digests) {
            if signer.public_key() != key.public_key() {
                return Err(Error::Argument(
                    "the signer's key is another than the certificate's",
                ));
            }
            signatures.push(signer.sign_digest(digest)?);
        }
        self.complete(&signatures)
    }

    /// Puts the signatures in, in the order of the certificates.
    ///
    /// # Errors
    /// [`Error::Argument`] if their number is another; [`Error::Signature`] if one does not fit its
    /// certificate: the message would be of no use.
    pub fn complete(self, signatures: &[Signature]) -> Result<Signed, Error> {
        if signatures.len() != self.signers.len() {
            return Err(Error::Argument(
                "there must be a signature for each certificate",
            ));
        }
        for ((signature, (_, key)), digest) in
            signatures.iter().zip(&self.signers).zip(&self.digests)
        {
            key.verify_digest(digest, signature)?;
        }
        let infos = self.signers.iter().zip(signatures);
        let infos =
            infos.map(|((certificate, _), signature)| self.signer_info(certificate, signature));
        let infos = infos.collect::<Result<Vec<_>, _>>()?;
        let mut certificates: Vec<&Certificate> = Vec::new();
        let signers = self.signers.iter().map(|(certificate, _)| certificate);
        let signers = signers.filter(|_| self.options.signers_certificates);
        for certificate in signers.chain(&self.options.certificates) {
            if !certificates.contains(&certificate) {
                certificates.push(certificate);
            }
        }
        let mut fields = Vec::new();
        if !certificates.is_empty() {
            let mut all: Vec<Vec<u8>> =
                certificates.iter().map(|it| it.as_der().to_vec()).collect();
            all.sort();
            fields.extend(element(context(0), &[&all.concat()]));
        }
        if !self.options.crls.is_empty() {
            let mut all = self.options.crls.clone();
            all.sort();
            fields.extend(element(context(1), &[&all.concat()]));
        }
        fields.extend(set_of(infos));
        Ok(Signed {
            fields,
            length: self.length,
            head: Head::of(&self.options),
        })
    }

    fn signer_info(
        &self,
        certificate: &Certificate,
        signature: &Signature,
    ) -> Result<Vec<u8>, Error> {
        let dialect = self.options.dialect;
        let (version, id) = match self.options.by_key {
            true => (3, CertificateId::key_of(certificate)?),
            false => (1, CertificateId::issuer_of(certificate)),
        };
        let signature_oid = match dialect {
            Dialect::Cms | Dialect::GmSsl => oid::SM2_WITH_SM3,
            Dialect::Gm => oid::SM2_SIGN,
        };
        let attributes = match &self.attributes {
            Some(set) => {
                // In place of the SET's tag.
                let mut set = set.clone();
                if let Some(tag) = set.first_mut() {
                    *tag = context(0);
                }
                set
            }
            None => Vec::new(),
        };
        Ok(element(
            SEQUENCE,
            &[
                &integer(version),
                &id.to_der(),
                &algorithm(dialect, oid::SM3),
                &attributes,
                &algorithm(dialect, signature_oid),
                &element(OCTET_STRING, &[signature.to_der().as_bytes()]),
            ],
        ))
    }
}

/// An AlgorithmIdentifier without parameters: NULL after GM/T 0010, as its readers expect them, and
/// absent elsewhere.
pub(crate) fn algorithm(dialect: Dialect, oid: der::asn1::ObjectIdentifier) -> Vec<u8> {
    let parameters: &[u8] = match dialect {
        Dialect::Gm => &[NULL, 0],
        Dialect::Cms | Dialect::GmSsl => &[],
    };
    identifier(oid, parameters)
}

/// What comes before the content.
#[derive(Clone)]
pub(super) struct Head {
    dialect: Dialect,
    /// Version and `digestAlgorithms`.
    pub(super) fields: Vec<u8>,
    pub(super) content_type: Vec<u8>,
}

impl Head {
    pub(super) fn of(options: &SignOptions) -> Self {
        let dialect = options.dialect;
        let is_data = Kind::from_oid(options.content_oid()) == Some(Kind::Data);
        let version = match dialect {
            Dialect::Cms if options.by_key || !is_data => 3,
            _ => 1,
        };
        let digests = element(SET, &[&algorithm(dialect, oid::SM3)]);
        Self {
            dialect,
            fields: [integer(version), digests].concat(),
            content_type: ber::oid(options.content_oid()),
        }
    }

    pub(super) fn message_type(&self) -> Vec<u8> {
        ber::oid(Kind::Signed.oid(self.dialect))
    }
}

/// A signed content, of which the message is made.
pub struct Signed {
    head: Head,
    /// The fields after the content.
    pub(crate) fields: Vec<u8>,
    length: u64,
}

impl Signed {
    /// The message without the content, in DER.
    pub fn detached(&self) -> Vec<u8> {
        let content = element(SEQUENCE, &[&self.head.content_type]);
        let body = element(SEQUENCE, &[&self.head.fields, &content, &self.fields]);
        let body = element(context(0), &[&body]);
        element(SEQUENCE, &[&self.head.message_type(), &body])
    }

    /// The message with the content inside, in DER. It must be the content that was hashed, of
    /// which only the length is compared.
    ///
    /// # Errors
    /// [`Error::Argument`] for a content of another length.
    pub fn attached(&self, content: &[u8]) -> Result<Vec<u8>, Error> {
        if content.len() as u64 != self.length {
            return Err(Error::Argument(
                "this is another content than the one that was signed",
            ));
        }
        let (before, after) = self.around();
        Ok([&before, content, &after].concat())
    }

    /// What comes before the content and after it in DER: a message of any size, whose content is
    /// read twice, first to hash it.
    pub fn around(&self) -> (Vec<u8>, Vec<u8>) {
        let length = self.length;
        let octets = header(OCTET_STRING, length);
        // From the inside to the outside: each header needs the length of what is in it.
        let explicit_len = octets.len() as u64 + length;
        let explicit = header(context(0), explicit_len);
        let info_len = (self.head.content_type.len() + explicit.len()) as u64 + explicit_len;
        let info = header(SEQUENCE, info_len);
        let body_len = (self.head.fields.len() + info.len() + self.fields.len()) as u64 + info_len;
        let body = header(SEQUENCE, body_len);
        let outer_len = body.len() as u64 + body_len;
        let outer = header(context(0), outer_len);
        let message_type = self.head.message_type();
        let all_len = (message_type.len() + outer.len()) as u64 + outer_len;
        let before = [
            header(SEQUENCE, all_len),
            message_type,
            outer,
            body,
            self.head.fields.clone(),
            info,
            self.head.content_type.clone(),
            explicit,
            octets,
        ];
        (before.concat(), self.fields.clone())
    }
}
