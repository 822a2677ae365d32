//! Reading a file: `PFX`, `AuthenticatedSafe`, `SafeContents` (RFC 7292, clauses 4 and 5).

use alloc::vec::Vec;

use der::asn1::{AnyRef, ObjectIdentifier};
use der::{Decode, Tag, Tagged};
use kuaimi::encoding::{Error as EncodingError, PasswordEncryption};
use zeroize::Zeroizing;

use super::attributes::Attributes;
use super::budget::Budget;
use super::encryption::Encryption;
use super::entry::{Content, Entry, Key, Secret};
use super::mac::MacData;
use super::password::Password;
use super::{MAX_DEPTH, MAX_ENTRIES, MAX_LEN, oid};
use crate::error::Reading;
use crate::fields::{Fields, context};
use crate::{Certificate, Error, ber};

const WHAT: &str = "PKCS #12 file";

/// What is accepted when a file is read.
///
/// ```
/// use kuaimi_pki::pkcs12::ReadOptions;
///
/// let options = ReadOptions::default().with_max_iterations(1_000_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    without_mac: bool,
    max_iterations: u64,
}

impl Default for ReadOptions {
    /// A MAC is required, and all key derivations of a file may take
    /// [`PasswordEncryption::MAX_ITERATIONS`] together.
    fn default() -> Self {
        Self {
            without_mac: false,
            max_iterations: PasswordEncryption::MAX_ITERATIONS.into(),
        }
    }
}

impl ReadOptions {
    /// Files without a MAC are read as well. Nothing then shows that such a file was altered.
    #[must_use]
    pub const fn allow_missing_mac(mut self) -> Self {
        self.without_mac = true;
        self
    }

    /// Another maximum for the iterations of all key derivations of a file together.
    #[must_use]
    pub const fn with_max_iterations(mut self, iterations: u64) -> Self {
        self.max_iterations = iterations;
        self
    }
}

const fn wrong_password() -> Error {
    Error::Encoding(EncodingError::WrongPassword)
}

pub(super) fn read(
    bytes: &[u8],
    password: &str,
    options: ReadOptions,
) -> Result<Vec<Entry>, Error> {
    if bytes.len() > MAX_LEN {
        return Err(Error::Limit("a PKCS #12 file of more than 16 MiB"));
    }
    let der = ber::to_der(bytes, WHAT)?;
    let mut fields = Fields::of_sequence(&der, WHAT)?;
    if fields.value::<u8>()? != 3 {
        return Err(Error::Structure(WHAT, "has another version than 3"));
    }
    let (kind, content) = content_info(fields.sequence()?)?;
    let mac = match fields.is_finished() {
        true => None,
        false => Some(MacData::read(fields.bytes()?)?),
    };
    fields.finish()?;
    if ![oid::DATA, oid::GM_DATA].contains(&kind) {
        return Err(Error::Algorithm("the integrity of a PKCS #12 file", kind));
    }
    let content = octets(content)?;

    let mut reader = Reader {
        password: Password::new(password),
        budget: Budget::new(options.max_iterations),
        authenticated: mac.is_some(),
        entries: Vec::new(),
        items: 0,
    };
    match mac {
        Some(mac) if mac.verify(content, &mut reader.password, &mut reader.budget)? => {}
        Some(_) => return Err(wrong_password()),
        None if options.without_mac => {}
        None => {
            let why = "has no MAC, so that nothing shows whether it was altered";
            return Err(Error::Structure(WHAT, why));
        }
    }
    reader.authenticated_safe(content)?;
    Ok(reader.entries)
}

/// `SEQUENCE { contentType OBJECT IDENTIFIER, content [0] EXPLICIT ANY }`.
fn content_info<'a>(mut info: Fields<'a>) -> Result<(ObjectIdentifier, AnyRef<'a>), Error> {
    let kind = info.oid()?;
    let mut content = info.explicit(0)?;
    info.finish()?;
    let value = content.any()?;
    content.finish()?;
    Ok((kind, value))
}

fn octets(any: AnyRef<'_>) -> Result<&[u8], Error> {
    any.tag().assert_eq(Tag::OctetString).of(WHAT)?;
    Ok(any.value())
}

struct Reader<'a> {
    password: Password<'a>,
    budget: Budget,
    /// Whether a MAC showed that the password is right and nothing was altered.
    authenticated: bool,
    entries: Vec<Entry>,
    /// Parts and bags that were met.
    items: usize,
}

impl Reader<'_> {
    fn count(&mut self) -> Result<(), Error> {
        self.items += 1;
        if self.items > MAX_ENTRIES {
            return Err(Error::Limit("the number of entries of a PKCS #12 file"));
        }
        Ok(())
    }

    /// `SEQUENCE OF ContentInfo`.
    fn authenticated_safe(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let der = ber::to_der(bytes, WHAT)?;
        let mut parts = Fields::of_sequence(&der, WHAT)?;
        while !parts.is_finished() {
            self.count()?;
            let (kind, content) = content_info(parts.sequence()?)?;
            match kind {
                oid::DATA | oid::GM_DATA => {
                    let contents = ber::to_der(octets(content)?, WHAT)?;
                    self.safe_contents(&contents, MAX_DEPTH)?;
                }
                oid::ENCRYPTED_DATA | oid::GM_ENCRYPTED_DATA => {
                    let contents = self.encrypted_data(content)?;
                    match self.safe_contents(&contents, MAX_DEPTH) {
                        // Without a MAC, what is wrong with it would say what was decrypted.
                        Err(error) if !self.authenticated && !matches!(error, Error::Limit(_)) => {
                            return Err(wrong_password());
                        }
                        result => result?,
                    }
                }
                other => return Err(Error::Algorithm("a part of a PKCS #12 file", other)),
            }
        }
        Ok(())
    }

    /// `SEQUENCE { version INTEGER, SEQUENCE { contentType, AlgorithmIdentifier, [0] IMPLICIT OCTET
    /// STRING }, … }`.
    fn encrypted_data(&mut self, content: AnyRef<'_>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut data = Fields::within(content, Tag::Sequence, WHAT)?;
        let _version: u8 = data.value()?;
        let mut info = data.sequence()?;
        let _content_type = info.oid()?;
        let algorithm = info.bytes()?;
        let encrypted = info.any()?;
        info.finish()?;
        let mut joined = Vec::new();
        let encrypted = if encrypted.tag() == context(0) {
            // The pieces of BER.
            let mut pieces = Fields::within(encrypted, context(0), WHAT)?;
            while !pieces.is_finished() {
                joined.extend_from_slice(pieces.octets()?);
            }
            joined.as_slice()
        } else {
            let implicit = Tag::ContextSpecific {
                constructed: false,
                number: der::TagNumber(0),
            };
            encrypted.tag().assert_eq(implicit).of(WHAT)?;
            encrypted.value()
        };
        self.decrypt(algorithm, encrypted)
    }

    /// The DER of one element that was encrypted. Whatever is wrong with it, it is the password:
    /// nothing here tells an altered file from another password.
    fn decrypt(&mut self, algorithm: &[u8], data: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let encryption = Encryption::read(algorithm)?;
        let found = encryption.decrypt(data, &self.password, &mut self.budget)?;
        for (index, plaintext) in found {
            let Ok(der) = ber::to_der(&plaintext, WHAT) else {
                continue;
            };
            if AnyRef::from_der(&der).is_ok_and(|any| any.tag() == Tag::Sequence) {
                if let Some(index) = index {
                    self.password.settle(index);
                }
                return Ok(der);
            }
        }
        Err(wrong_password())
    }

    /// `SEQUENCE OF SafeBag`.
    fn safe_contents(&mut self, der: &[u8], depth: usize) -> Result<(), Error> {
        let depth = depth.checked_sub(1).ok_or(Error::Limit(
            "the depth of nested contents of a PKCS #12 file",
        ))?;
        let mut bags = Fields::of_sequence(der, WHAT)?;
        while !bags.is_finished() {
            self.count()?;
            let mut bag = bags.sequence()?;
            let kind = bag.oid()?;
            let mut explicit = bag.explicit(0)?;
            let value = explicit.bytes()?;
            explicit.finish()?;
            let attributes = match bag.optional(Tag::Set)? {
                Some(set) => Attributes::read(set)?,
                None => Attributes::default(),
            };
            bag.finish()?;
            if kind == oid::SAFE_CONTENTS_BAG {
                self.safe_contents(value, depth)?;
                continue;
            }
            let content = self.content(kind, value)?;
            self.entries.push(Entry {
                content,
                attributes,
            });
        }
        Ok(())
    }

    fn content(&mut self, kind: ObjectIdentifier, value: &[u8]) -> Result<Content, Error> {
        Ok(match kind {
            oid::KEY_BAG => Content::Key(Key::from_pkcs8_der(value)?),
            oid::SHROUDED_KEY_BAG => {
                let mut info = Fields::of_sequence(value, WHAT)?;
                let (algorithm, data) = (info.bytes()?, info.octets()?);
                info.finish()?;
                let der = self.decrypt(algorithm, data)?;
                let key = Key::from_pkcs8_der(&der);
                match key {
                    Err(_) if !self.authenticated => return Err(wrong_password()),
                    key => Content::Key(key?),
                }
            }
            oid::CERTIFICATE_BAG | oid::CRL_BAG | oid::SECRET_BAG => {
                let mut typed = Fields::of_sequence(value, WHAT)?;
                let inner_kind = typed.oid()?;
                let mut explicit = typed.explicit(0)?;
                typed.finish()?;
                let inner = explicit.bytes()?;
                explicit.finish()?;
                match (kind, inner_kind) {
                    (oid::CERTIFICATE_BAG, oid::X509_CERTIFICATE) => {
                        let der = octets(AnyRef::from_der(inner).of(WHAT)?)?;
                        Content::Certificate(Certificate::from_der(der)?)
                    }
                    (oid::CRL_BAG, oid::X509_CRL) => {
                        Content::Crl(octets(AnyRef::from_der(inner).of(WHAT)?)?.to_vec())
                    }
                    (oid::SECRET_BAG, kind) => Content::Secret(Secret {
                        kind,
                        value: Zeroizing::new(inner.to_vec()),
                    }),
                    _ => Content::Other(kind, Zeroizing::new(value.to_vec())),
                }
            }
            other => Content::Other(other, Zeroizing::new(value.to_vec())),
        })
    }
}
