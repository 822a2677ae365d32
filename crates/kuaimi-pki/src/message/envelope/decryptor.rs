//! Decrypting messages in pieces.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use zeroize::Zeroizing;

use super::super::WHAT;
use super::super::attributes::{self, Attribute};
use super::super::container::{Container, Part};
use super::super::digests::Running;
use super::super::signer_info::CertificateId;
use super::super::types::Kind;
use super::super::verify::{SignedFields, Verification, VerifyOptions};
use super::cipher::{Algorithm, Decryption};
use super::recipient::{self, KEY_LEN, KeyHolder, find_key};
use crate::ber::{CONSTRUCTED, Elements, INTEGER, OCTET_STRING, SET, context, element, to_der};
use crate::{Certificate, Error};

/// A message that was decrypted to its end.
#[derive(Debug)]
#[must_use]
#[non_exhaustive]
pub struct Opened {
    /// What kind of message it was.
    pub kind: Kind,
    /// The type of the content: another message, if it is not [`Kind::Data`].
    pub content_type: ObjectIdentifier,
    /// The signers of signedAndEnvelopedData, **which are to be checked**:
    /// [`Verification::check`].
    pub verification: Option<Verification>,
    /// Attributes that nothing protects.
    pub unprotected_attributes: Vec<Attribute>,
}

/// Whose key decrypts.
enum Keys<'a> {
    Holders(Vec<(Option<&'a Certificate>, &'a dyn KeyHolder)>),
    Symmetric(Zeroizing<[u8; KEY_LEN]>),
}

/// Decrypts a message of any size, in pieces of any size: envelopedData, authEnvelopedData,
/// signedAndEnvelopedData and encryptedData.
///
/// Memory is bounded: a message keeps its recipients, certificates and signers, of which
/// [`MAX_FIELDS_LEN`](crate::message::MAX_FIELDS_LEN) bytes are read at most, and none of its
/// content.
///
/// **The content that [`push`](Self::push) gives out is not verified until
/// [`finish`](Self::finish)**: an attacker may have made it. Write it to a temporary file, which
/// gets its name when all is well, and wipe it otherwise. In the kinds without integrity it is
/// never verified: see the [module](crate::message::envelope).
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{ContentCipher, Decryptor, EncryptOptions, encrypt};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let options = EncryptOptions::new().with_cipher(ContentCipher::Sm4Gcm);
/// let message = encrypt(b"a content", &[&certificate], &options, &mut getrandom::SysRng)?;
///
/// let mut decryptor = Decryptor::new(&certificate, key.private_key());
/// let mut content = Vec::new();
/// for piece in message.chunks(100) {
///     decryptor.push(piece, &mut content)?;
/// }
/// let _opened = decryptor.finish(&mut content)?;
/// assert_eq!(content, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
pub struct Decryptor<'a> {
    keys: Keys<'a>,
    options: VerifyOptions,
    container: Container,
    kind: Kind,
    recipients: Option<Vec<(CertificateId, Vec<u8>)>>,
    content_type: Option<ObjectIdentifier>,
    /// The attributes that GCM authenticates, when they are known before they are read.
    expected_attributes: Vec<u8>,
    decryption: Option<Decryption>,
    running: Option<Running>,
    signed: SignedFields,
    authenticated: Vec<u8>,
    tag: Option<Vec<u8>>,
    unprotected: Option<Vec<Attribute>>,
    failed: Option<Error>,
}

/// Whether a message of this kind is for recipients.
pub(crate) fn has_recipients(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Enveloped | Kind::SignedAndEnveloped | Kind::AuthEnveloped
    )
}

impl<'a> Decryptor<'a> {
    fn with_keys(keys: Keys<'a>) -> Self {
        Self {
            keys,
            options: VerifyOptions::new(),
            container: Container::new(),
            kind: Kind::Data,
            recipients: None,
            content_type: None,
            expected_attributes: Vec::new(),
            decryption: None,
            running: None,
            signed: SignedFields::default(),
            authenticated: Vec::new(),
            tag: None,
            unprotected: None,
            failed: None,
        }
    }

    /// Decrypts what was encrypted for `certificate`, whose key `holder` has.
    pub fn new(certificate: &'a Certificate, holder: &'a dyn KeyHolder) -> Self {
        Self::of(Some(certificate), holder)
    }

    /// [`new`](Self::new), or [`without_certificate`](Self::without_certificate).
    pub fn of(certificate: Option<&'a Certificate>, holder: &'a dyn KeyHolder) -> Self {
        Self::with_keys(Keys::Holders(Vec::from([(certificate, holder)])))
    }

    /// Decrypts with the key of `holder`, whatever certificate the message names: it is tried on
    /// the first 8 recipients.
    pub fn without_certificate(holder: &'a dyn KeyHolder) -> Self {
        Self::of(None, holder)
    }

    /// Decrypts encryptedData, under a key of SM4 that both sides have.
    pub fn under(key: &[u8; 16]) -> Self {
        Self::with_keys(Keys::Symmetric(Zeroizing::new(*key)))
    }

    /// Another certificate with its key, of which either may be the recipient's.
    #[must_use]
    pub fn or(mut self, certificate: &'a Certificate, holder: &'a dyn KeyHolder) -> Self {
        if let Keys::Holders(holders) = &mut self.keys {
            holders.push((Some(certificate), holder));
        }
        self
    }

    /// With these options for the signers of signedAndEnvelopedData. It has no signed attributes:
    /// in pieces, the signers' certificates must be here, as
    /// [`Verifier`](crate::message::Verifier) says.
    #[must_use]
    pub fn with_verify_options(mut self, options: VerifyOptions) -> Self {
        self.options = options;
        self
    }

    /// With the attributes that GCM authenticates, in DER, as they will come after the content.
    pub(super) fn with_expected_attributes(mut self, attributes: Vec<u8>) -> Self {
        self.expected_attributes = attributes;
        self
    }

    /// Takes the next bytes of the message (BER or DER), and appends the content in them to `out`:
    /// at most 16 bytes more.
    ///
    /// # Errors
    /// [`Error::NotARecipient`]; [`Error::Decryption`]; [`Error::Structure`], [`Error::Der`],
    /// [`Error::Algorithm`] and [`Error::Limit`] for what is no encrypted message. After an error,
    /// all calls give the same.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.push_unless_failed(bytes, out)
            .inspect_err(|error| self.failed = Some(error.clone()))
    }

    fn push_unless_failed(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        loop {
            let (count, part) = self.container.next(bytes)?;
            bytes = bytes.get(count..).unwrap_or_default();
            match part {
                None => return Ok(()),
                Some(Part::Kind(kind, oid)) => {
                    let fits = match self.keys {
                        Keys::Holders(_) => has_recipients(kind),
                        Keys::Symmetric(_) => kind == Kind::Encrypted,
                    };
                    if !fits {
                        return Err(Error::Algorithm("a message with this kind of key", oid));
                    }
                    self.kind = kind;
                }
                Some(Part::Field { tag, ber, after }) => match after {
                    false => self.field_before(tag, &ber)?,
                    true => self.field_after(tag, &ber)?,
                },
                Some(Part::ContentInfo(fields)) => self.begin_content(&fields)?,
                Some(Part::Content(bytes)) => self.content(bytes, out)?,
                Some(Part::End) => {}
            }
        }
    }

    fn field_before(&mut self, tag: u8, ber: &[u8]) -> Result<(), Error> {
        let kind = self.kind;
        match tag {
            SET if has_recipients(kind) && self.recipients.is_none() => {
                self.recipients = Some(recipient::read(ber)?);
                Ok(())
            }
            SET if kind == Kind::SignedAndEnveloped && self.running.is_none() => {
                let (known, identities) = (&self.options.certificates, self.options.identities);
                let mut running = Running::new(known, identities);
                SignedFields::digest_algorithms(ber, &mut running)?;
                self.running = Some(running);
                Ok(())
            }
            // The originator's certificates, which key agreement would need.
            _ if tag == context(0) && self.recipients.is_none() && kind != Kind::Encrypted => {
                Ok(())
            }
            INTEGER if self.recipients.is_none() => {
                Elements::new(&to_der(ber, WHAT)?, WHAT).version()?;
                Ok(())
            }
            _ => Err(Error::Structure(WHAT, "has a field in a wrong place")),
        }
    }

    fn field_after(&mut self, tag: u8, ber: &[u8]) -> Result<(), Error> {
        let auth = self.kind == Kind::AuthEnveloped;
        let unprotected = context(if auth { 2 } else { 1 });
        if self.kind == Kind::SignedAndEnveloped {
            return self.signed.field(tag, ber);
        }
        if auth && tag == context(1) && self.tag.is_none() && self.authenticated.is_empty() {
            let der = to_der(ber, WHAT)?;
            let mut elements = Elements::new(&der, WHAT);
            self.authenticated = element(SET, &[elements.take(context(1))?]);
            return Ok(());
        }
        if auth && tag & !CONSTRUCTED == OCTET_STRING && self.tag.is_none() {
            let der = to_der(ber, WHAT)?;
            self.tag = Some(Elements::new(&der, WHAT).octets()?.to_vec());
            return Ok(());
        }
        if tag == unprotected && self.unprotected.is_none() && (!auth || self.tag.is_some()) {
            let der = to_der(ber, WHAT)?;
            let set = Elements::new(&der, WHAT).take(tag)?;
            self.unprotected = Some(attributes::read_all(set)?);
            return Ok(());
        }
        Err(Error::Structure(
            WHAT,
            "has a field twice, or in a wrong place",
        ))
    }

    fn begin_content(&mut self, fields: &[Vec<u8>]) -> Result<(), Error> {
        let [content_type, algorithm] = fields else {
            return Err(Error::Structure(
                WHAT,
                "has a content without its type and cipher",
            ));
        };
        let content_type = Elements::new(&to_der(content_type, WHAT)?, WHAT).oid()?;
        self.content_type = Some(content_type);
        let algorithm = Algorithm::read(&to_der(algorithm, WHAT)?)?;
        let auth = self.kind == Kind::AuthEnveloped;
        if auth && !algorithm.is_gcm() {
            return Err(Error::Structure(
                WHAT,
                "has a cipher without authentication",
            ));
        }
        if self.kind == Kind::SignedAndEnveloped && self.running.is_none() {
            return Err(Error::Structure(WHAT, "has no algorithms of digests"));
        }
        let key = match &self.keys {
            Keys::Symmetric(key) => key.clone(),
            Keys::Holders(holders) => {
                let recipients = self.recipients.take();
                let recipients =
                    recipients.ok_or(Error::Structure(WHAT, "has no place for recipients"))?;
                let key = find_key(&recipients, holders)?;
                self.recipients = Some(Vec::new());
                key
            }
        };
        self.decryption = Some(Decryption::new(
            &algorithm,
            &key,
            algorithm.is_gcm() && !auth,
            &self.expected_attributes,
        )?);
        Ok(())
    }

    fn content(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        let decryption = self.decryption.as_mut().ok_or(Error::Decryption)?;
        decryption.update(bytes, out)?;
        if let Some(running) = &mut self.running {
            running.update(out.get(start..).unwrap_or_default());
        }
        Ok(())
    }

    /// Ends the message: appends the last bytes of the content to `out`, and says whether all is
    /// well. **After an error, what was decrypted must be thrown away.**
    ///
    /// # Errors
    /// [`Error::Decryption`] for a wrong key, an altered message, a wrong padding; as
    /// [`push`](Self::push). The signers of signedAndEnvelopedData are not an error here: see
    /// [`Opened::verification`].
    pub fn finish(self, out: &mut Vec<u8>) -> Result<Opened, Error> {
        self.finish_from(out, None)
    }

    /// As [`finish`](Self::finish). `start`: where the content begins in `out`, if it is there as a
    /// whole.
    pub(super) fn finish_from(
        mut self,
        out: &mut Vec<u8>,
        start: Option<usize>,
    ) -> Result<Opened, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.container.finish()?;
        if !self.container.has_content() {
            return Err(Error::Structure(WHAT, "has no content"));
        }
        let content_type = self
            .content_type
            .ok_or(Error::Structure(WHAT, "has no content type"))?;
        if self.kind == Kind::AuthEnveloped {
            if self.authenticated != self.expected_attributes {
                return Err(Error::Structure(
                    WHAT,
                    "has authenticated attributes after its content: read it as a whole",
                ));
            }
            // RFC 5083, clause 2.1: without attributes, nothing binds another type.
            let is_data = Kind::from_oid(content_type) == Some(Kind::Data);
            if self.authenticated.is_empty() && !is_data {
                return Err(Error::Structure(
                    WHAT,
                    "does not authenticate its content's type",
                ));
            }
        }
        let end = out.len();
        let decryption = self.decryption.ok_or(Error::Decryption)?;
        decryption.finish(self.tag.as_deref(), out)?;
        let verification = match self.running.take() {
            None => None,
            Some(mut running) => {
                running.update(out.get(end..).unwrap_or_default());
                let content = start.and_then(|start| out.get(start..));
                let digests = running.finish();
                Some(
                    self.signed
                        .verify(content_type, &digests, content, &self.options)?,
                )
            }
        };
        Ok(Opened {
            kind: self.kind,
            content_type,
            verification,
            unprotected_attributes: self.unprotected.unwrap_or_default(),
        })
    }
}
