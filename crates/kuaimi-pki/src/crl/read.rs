//! Reading a list (RFC 5280, clause 5.1).

use alloc::string::ToString;
use alloc::vec::Vec;

use der::Decode;
use x509_cert::name::Name;
use x509_cert::time::Time;

use super::Inner;
use super::entry::{Entry, Fault};
use super::scope::Scope;
use crate::ber::{self, Elements, Malformed, place};
use crate::error::Reading;
use crate::extensions::BorrowedExtension;
use crate::{Error, oid};

pub(super) const WHAT: &str = "list of revoked certificates";

/// The most extensions that a list may have.
const MAX_EXTENSIONS: usize = 100;

fn malformed(_: Malformed) -> Error {
    Error::Structure(WHAT, "is malformed")
}

fn forbidden(why: &'static str) -> Error {
    Error::Structure(WHAT, why)
}

/// A Time, in seconds since 1970.
pub(super) fn time(fields: &mut Elements<'_>) -> Result<u64, Malformed> {
    let element = fields.element()?;
    let time = Time::from_der(element.whole).map_err(|_| fields.malformed())?;
    Ok(time.to_unix_duration().as_secs())
}

pub(super) fn read(der: Vec<u8>) -> Result<Inner, Error> {
    let mut outer = Elements::inside(&der, ber::SEQUENCE, WHAT).map_err(malformed)?;
    let tbs = outer.take_element(ber::SEQUENCE).map_err(malformed)?;
    let algorithm = outer.take_element(ber::SEQUENCE).map_err(malformed)?.whole;
    let signature = outer.take(ber::BIT_STRING).map_err(malformed)?;
    outer.end().map_err(malformed)?;
    // No unused bits.
    let signature = signature
        .strip_prefix(&[0])
        .ok_or(forbidden("has a malformed signature"))?;

    let mut fields = Elements::new(tbs.content, WHAT);
    let version_2 = match fields.optional(ber::INTEGER).map_err(malformed)? {
        None => false,
        Some([1]) => true,
        Some(_) => return Err(forbidden("is of an unknown version")),
    };
    let inner_algorithm = fields.take_element(ber::SEQUENCE).map_err(malformed)?.whole;
    if inner_algorithm != algorithm {
        return Err(forbidden("names two different algorithms of its signature"));
    }
    let issuer = fields.take_element(ber::SEQUENCE).map_err(malformed)?.whole;
    let this_update = time(&mut fields).map_err(malformed)?;
    let next_update = match fields.tag() {
        Some(ber::UTC_TIME | ber::GENERALIZED_TIME) => Some(time(&mut fields).map_err(malformed)?),
        _ => None,
    };
    let entries = match fields.enter_optional(ber::SEQUENCE).map_err(malformed)? {
        Some(list) => index(&der, list, version_2)?,
        None => Vec::new(),
    };
    let mut inner = Inner {
        tbs: place(&der, tbs.whole),
        issuer: place(&der, issuer),
        issuer_text: Name::from_der(issuer).of(WHAT)?.to_string(),
        algorithm: spki::AlgorithmIdentifierOwned::from_der(algorithm).of(WHAT)?,
        signature: place(&der, signature),
        this_update,
        next_update,
        entries,
        extensions: 0..0,
        number: None,
        base_number: None,
        issuer_key: None,
        scope: Scope::default(),
        der: Vec::new(),
    };
    if let Some(extensions) = fields.optional(ber::context(0)).map_err(malformed)? {
        if !version_2 {
            return Err(forbidden("has extensions, but is not of version 2"));
        }
        inner.extensions = place(&der, extensions);
        let list = Elements::inside(extensions, ber::SEQUENCE, WHAT).map_err(malformed)?;
        inner.extensions(list)?;
    }
    fields.end().map_err(malformed)?;
    inner.der = der;
    Ok(inner)
}

/// Reads every entry, and sorts their places by their serial numbers.
fn index(der: &[u8], mut list: Elements<'_>, version_2: bool) -> Result<Vec<u32>, Error> {
    // An entry has 20 bytes or more, mostly 30 or more.
    let mut found: Vec<u32> = Vec::new();
    let mut sorted = true;
    let mut last: &[u8] = &[];
    while !list.is_empty() {
        let element = list.take_element(ber::SEQUENCE).map_err(malformed)?;
        let fields = Elements::new(element.content, WHAT);
        let entry = Entry::read(fields, version_2).map_err(|fault| match fault {
            Fault::Malformed => forbidden("has a malformed entry"),
            Fault::Indirect => forbidden("is indirect, which is not supported"),
            Fault::Critical => forbidden("has an entry with an unknown critical extension"),
            Fault::Version => forbidden("has an entry with extensions, but is not of version 2"),
        })?;
        let at = place(der, element.whole).start;
        found.push(u32::try_from(at).map_err(|_| Error::Limit(WHAT))?);
        sorted &= last <= entry.serial();
        last = entry.serial();
    }
    if !sorted {
        // Stable, so that the first of two entries for one certificate stays the first.
        found.sort_by(|a, b| Entry::serial_at(der, *a).cmp(&Entry::serial_at(der, *b)));
    }
    found.shrink_to_fit();
    Ok(found)
}

impl Inner {
    fn extensions(&mut self, mut extensions: Elements<'_>) -> Result<(), Error> {
        let mut seen: Vec<&[u8]> = Vec::new();
        while !extensions.is_empty() {
            let extension = BorrowedExtension::read(&mut extensions).map_err(malformed)?;
            if seen.len() >= MAX_EXTENSIONS {
                return Err(Error::Limit(
                    "the extensions of a list of revoked certificates",
                ));
            }
            if seen.contains(&extension.id) {
                return Err(forbidden("has an extension twice"));
            }
            seen.push(extension.id);
            let id = extension.id;
            if id == oid::CRL_NUMBER.as_bytes() {
                self.number = Some(number(extension.content).map_err(malformed)?);
            } else if id == oid::DELTA_CRL_INDICATOR.as_bytes() {
                self.base_number = Some(number(extension.content).map_err(malformed)?);
            } else if id == oid::ISSUING_DISTRIBUTION_POINT.as_bytes() {
                self.scope = Scope::read(extension.content)?;
            } else if id == oid::AUTHORITY_KEY_IDENTIFIER.as_bytes() {
                let fields = Elements::inside(extension.content, ber::SEQUENCE, WHAT);
                let key = fields.and_then(|mut fields| fields.optional(ber::context_primitive(0)));
                self.issuer_key = key.map_err(malformed)?.map(<[u8]>::to_vec);
            } else if extension.critical {
                return Err(forbidden("has an unknown critical extension"));
            }
        }
        if self.base_number.is_some() && self.number.is_none() {
            return Err(forbidden("is a delta, and has no number"));
        }
        Ok(())
    }
}

/// A number that is not negative, without zeros before it.
fn number(content: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut elements = Elements::new(content, WHAT);
    let value = elements.take(ber::INTEGER)?;
    elements.end()?;
    // Twenty bytes, and a sign.
    if !ber::is_integer(value) || value.len() > 21 || value.first().is_some_and(|b| *b >= 0x80) {
        return Err(elements.malformed());
    }
    let zeros = value.iter().take_while(|byte| **byte == 0).count();
    Ok(value.get(zeros..).unwrap_or_default().to_vec())
}
