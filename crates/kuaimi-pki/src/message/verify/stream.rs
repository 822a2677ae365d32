//! signedData in pieces.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::super::WHAT;
use super::super::container::{Container, Part};
use super::super::digests::Running;
use super::super::types::Kind;
use super::plan::Plan;
use super::signed_fields::{SignedFields, is_version};
use super::{Verification, VerifyOptions};
use crate::Error;
use crate::ber::{Elements, SET, to_der};

/// Verifies a signed message that has its content inside, of any size, in pieces of any size.
///
/// Memory is bounded: a message keeps its certificates and signers, of which
/// [`MAX_FIELDS_LEN`](crate::message::MAX_FIELDS_LEN) bytes are read at most, and none of its
/// content.
///
/// **The content that [`push`](Self::push) gives out is not verified until
/// [`finish`](Self::finish)**: write it to a temporary file, which gets its name when all is well.
///
/// Without signed attributes, the signature is of `SM3(Z ‖ content)`, where `Z` needs the signer's
/// public key, and the certificates come after the content. Such a message is verified in one pass
/// if the signer's certificate is among [`VerifyOptions::certificates`] (of which the first 16 with
/// different keys are used so), else in two, the second time with the
/// [`certificates`](Verification::certificates) that the first pass has found:
/// [`Refusal::CertificateNeededBefore`](super::Refusal::CertificateNeededBefore).
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{SignOptions, Verifier, VerifyOptions, sign};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let message = sign(b"a content", &[(&certificate, &key)], &SignOptions::new())?;
/// let mut verifier = Verifier::new(VerifyOptions::new());
/// let mut content = Vec::new();
/// for piece in message.chunks(100) {
///     verifier.push(piece, &mut content)?;
/// }
/// verifier.finish()?.check()?;
/// assert_eq!(content, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
pub struct Verifier {
    options: VerifyOptions,
    container: Container,
    running: Running,
    fields: SignedFields,
    content_type: Option<ObjectIdentifier>,
    digests_seen: bool,
    failed: Option<Error>,
}

impl Verifier {
    /// A verifier of one message.
    pub fn new(options: VerifyOptions) -> Self {
        Self {
            running: Running::new(&options.certificates, options.identities),
            options,
            container: Container::new(),
            fields: SignedFields::default(),
            content_type: None,
            digests_seen: false,
            failed: None,
        }
    }

    /// For a message in memory: no hash for certificates that are known beforehand.
    pub(super) fn without_known(options: VerifyOptions) -> Self {
        Self {
            running: Running::new(&[], options.identities),
            ..Self::new(options)
        }
    }

    /// Whether the message has its content inside, as far as it was read.
    pub(super) fn has_content(&self) -> bool {
        self.container.has_content()
    }

    /// Takes the next bytes of the message (BER or DER), and appends the content in them to `out`:
    /// at most as many bytes.
    ///
    /// # Errors
    /// [`Error::Structure`], [`Error::Der`], [`Error::Algorithm`], [`Error::Encoding`] and
    /// [`Error::Limit`] for what is no signed message. After an error, all calls give the same.
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
                Some(Part::Kind(Kind::Signed, _)) => {}
                Some(Part::Kind(_, oid)) => return Err(Error::Algorithm("a signed message", oid)),
                Some(Part::Field { tag, ber, after }) => self.field(tag, &ber, after)?,
                Some(Part::ContentInfo(fields)) => match fields.as_slice() {
                    [oid] if self.digests_seen => {
                        self.content_type = Some(Elements::new(&to_der(oid, WHAT)?, WHAT).oid()?);
                    }
                    _ => return Err(Error::Structure(WHAT, "has a content without its type")),
                },
                Some(Part::Content(bytes)) => {
                    self.running.update(bytes);
                    out.extend_from_slice(bytes);
                }
                Some(Part::End) => {}
            }
        }
    }

    fn field(&mut self, tag: u8, ber: &[u8], after: bool) -> Result<(), Error> {
        if after {
            return self.fields.field(tag, ber);
        }
        match tag {
            SET if !self.digests_seen => {
                self.digests_seen = true;
                SignedFields::digest_algorithms(ber, &mut self.running)
            }
            _ if !self.digests_seen && is_version(tag, ber)? => Ok(()),
            _ => Err(Error::Structure(WHAT, "has a field in a wrong place")),
        }
    }

    /// Ends the message, and gives the verdicts.
    ///
    /// # Errors
    /// As [`push`](Self::push); [`Error::Argument`] if the content is not in the message. **No
    /// error does not mean that a signature is right**: see [`Verification::check`].
    pub fn finish(self) -> Result<Verification, Error> {
        if !self.container.has_content() && self.failed.is_none() {
            self.container.finish()?;
            if !self.fields.is_without_signers() {
                return Err(Error::Argument(
                    "the content is not in the message, and has to be given",
                ));
            }
        }
        self.finish_with(None)
    }

    /// As [`finish`](Self::finish), with the content in memory.
    pub(super) fn finish_with(self, content: Option<&[u8]>) -> Result<Verification, Error> {
        let (plans, mut verification) = self.plan(content)?;
        verification.signers = plans.into_iter().map(Plan::settle).collect();
        Ok(verification)
    }

    /// Plans the verification, with the content in memory, if it is there.
    pub(super) fn plan(self, content: Option<&[u8]>) -> Result<(Vec<Plan>, Verification), Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.container.finish()?;
        let oid = self
            .content_type
            .ok_or(Error::Structure(WHAT, "has no content type"))?;
        let digests = self.running.finish();
        self.fields.plan(oid, &digests, content, &self.options)
    }

    /// Takes the content from elsewhere, for a message that has none. `also`: whose hashes the
    /// signers need.
    pub(super) fn begin_detached(&mut self) -> Result<(), Error> {
        self.container.finish()?;
        if self.container.has_content() {
            return Err(Error::Argument("the message has its content inside"));
        }
        let mut known = self.fields.signers_certificates(&self.options.certificates);
        known.extend_from_slice(&self.options.certificates);
        let mut running = Running::new(&known, self.options.identities);
        self.fields.digests_of_signers(&mut running);
        self.running = running;
        Ok(())
    }

    /// The next bytes of a content from elsewhere.
    pub(super) fn update_detached(&mut self, content: &[u8]) {
        self.running.update(content);
    }
}
