//! Reading a file: `PFX`, `AuthenticatedSafe`, `SafeContents` (RFC 7292, clauses 4 and 5).

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use kuaimi::encoding::{Error as EncodingError, PasswordEncryption};
use zeroize::Zeroizing;

use super::attributes::Attributes;
use super::budget::Budget;
use super::encryption::Encryption;
use super::entry::{Content, Entry, Key, Secret};
use super::mac::MacData;
use super::password::Password;
use super::{MAX_DEPTH, MAX_ENTRIES, MAX_LEN};
use crate::ber::{self, Elements, SEQUENCE, SET, context, context_primitive};
use crate::{Certificate, Error, oid};

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
    let mut fields = Elements::inside(&der, SEQUENCE, WHAT)?;
    if fields.value::<u8>()? != 3 {
        return Err(Error::Structure(WHAT, "has another version than 3"));
    }
    let (kind, content) = content_info(fields.enter(SEQUENCE)?)?;
    let mac = match fields.is_empty() {
        true => None,
        false => Some(MacData::read(fields.bytes()?)?),
    };
    fields.end()?;
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
fn content_info<'a>(mut info: Elements<'a>) -> Result<(ObjectIdentifier, Elements<'a>), Error> {
    let kind = info.oid()?;
    let content = info.enter(context(0))?;
    info.end()?;
    Ok((kind, content))
}

/// The content of the OCTET STRING that `elements` is.
fn octets(mut elements: Elements<'_>) -> Result<&[u8], Error> {
    let content = elements.octets()?;
    elements.end()?;
    Ok(content)
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
        let mut parts = Elements::inside(&der, SEQUENCE, WHAT)?;
        while !parts.is_empty() {
            self.count()?;
            let (kind, content) = content_info(parts.enter(SEQUENCE)?)?;
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
    fn encrypted_data(&mut self, mut content: Elements<'_>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut data = content.enter(SEQUENCE)?;
        content.end()?;
        let _version: u8 = data.value()?;
        let mut info = data.enter(SEQUENCE)?;
        let _content_type = info.oid()?;
        let algorithm = info.bytes()?;
        let mut joined = Vec::new();
        let encrypted = match info.enter_optional(context(0))? {
            // The pieces of BER.
            Some(mut pieces) => {
                while !pieces.is_empty() {
                    joined.extend_from_slice(pieces.octets()?);
                }
                joined.as_slice()
            }
            None => info.take(context_primitive(0))?,
        };
        info.end()?;
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
            if Elements::inside(&der, SEQUENCE, WHAT).is_ok() {
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
        let mut bags = Elements::inside(der, SEQUENCE, WHAT)?;
        while !bags.is_empty() {
            self.count()?;
            let mut bag = bags.enter(SEQUENCE)?;
            let kind = bag.oid()?;
            let mut explicit = bag.enter(context(0))?;
            let value = explicit.bytes()?;
            explicit.end()?;
            let attributes = match bag.enter_optional(SET)? {
                Some(set) => Attributes::read(set)?,
                None => Attributes::default(),
            };
            bag.end()?;
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
                let mut info = Elements::inside(value, SEQUENCE, WHAT)?;
                let (algorithm, data) = (info.bytes()?, info.octets()?);
                info.end()?;
                let der = self.decrypt(algorithm, data)?;
                let key = Key::from_pkcs8_der(&der);
                match key {
                    Err(_) if !self.authenticated => return Err(wrong_password()),
                    key => Content::Key(key?),
                }
            }
            oid::CERTIFICATE_BAG | oid::CRL_BAG | oid::SECRET_BAG => {
                let mut typed = Elements::inside(value, SEQUENCE, WHAT)?;
                let inner_kind = typed.oid()?;
                let mut explicit = typed.enter(context(0))?;
                typed.end()?;
                let inner = explicit.bytes()?;
                explicit.end()?;
                match (kind, inner_kind) {
                    (oid::CERTIFICATE_BAG, oid::X509_CERTIFICATE) => {
                        let der = octets(Elements::new(inner, WHAT))?;
                        Content::Certificate(Certificate::from_der(der)?)
                    }
                    (oid::CRL_BAG, oid::X509_CRL) => {
                        Content::Crl(octets(Elements::new(inner, WHAT))?.to_vec())
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
