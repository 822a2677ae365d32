//! Attributes of a signer (RFC 5652, clauses 5.3 and 11).

use alloc::vec::Vec;

use der::Decode;
use der::asn1::ObjectIdentifier;
use x509_cert::time::Time;

use crate::Error;
use crate::ber::{self, Elements, OCTET_STRING, OID, SEQUENCE, SET, element, identifier, set_of};
use crate::oid::{CONTENT_TYPE, COUNTER_SIGNATURE, MESSAGE_DIGEST, SIGNING_TIME};

/// The most attributes that a signer may have.
const MAX_COUNT: usize = 256;

/// An attribute: a type, and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    oid: ObjectIdentifier,
    values: Vec<Vec<u8>>,
}

impl Attribute {
    /// An attribute with one value, which is an element of DER.
    ///
    /// ```
    /// use kuaimi_pki::message::Attribute;
    ///
    /// // An object identifier of the caller, and an INTEGER.
    /// let attribute = Attribute::new("1.2.3.4".parse()?, &[2, 1, 7])?;
    /// assert_eq!(attribute.values(), [[2, 1, 7]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Structure`] if the value is not one element.
    pub fn new(oid: ObjectIdentifier, value: &[u8]) -> Result<Self, Error> {
        let value = ber::to_der(value, "attribute")?.to_vec();
        Ok(Self {
            oid,
            values: [value].to_vec(),
        })
    }

    /// The type.
    pub fn oid(&self) -> ObjectIdentifier {
        self.oid
    }

    /// The values, each an element of DER.
    pub fn values(&self) -> &[Vec<u8>] {
        &self.values
    }

    pub(crate) fn content_type(oid: ObjectIdentifier) -> Self {
        Self {
            oid: CONTENT_TYPE,
            values: [ber::oid(oid)].to_vec(),
        }
    }

    pub(crate) fn message_digest(digest: &[u8]) -> Self {
        Self {
            oid: MESSAGE_DIGEST,
            values: [element(OCTET_STRING, &[digest])].to_vec(),
        }
    }

    pub(crate) fn signing_time(time: Time) -> Result<Self, Error> {
        let value = der::Encode::to_der(&time)
            .map_err(|_| Error::Argument("the signing time cannot be written"))?;
        Ok(Self {
            oid: SIGNING_TIME,
            values: [value].to_vec(),
        })
    }

    pub(crate) fn to_der(&self) -> Vec<u8> {
        identifier(self.oid, &set_of(self.values.clone()))
    }
}

/// The attributes in `content`, which is what is inside a SET OF.
pub(crate) fn read_all(content: &[u8]) -> Result<Vec<Attribute>, Error> {
    const WHAT: &str = "attribute";
    let mut all = Vec::new();
    let mut elements = Elements::new(content, WHAT);
    while !elements.is_empty() {
        if all.len() >= MAX_COUNT {
            return Err(Error::Limit("more than 256 attributes"));
        }
        let mut inside = elements.enter(SEQUENCE)?;
        let oid = inside.oid()?;
        let mut set = inside.enter(SET)?;
        inside.end()?;
        let mut values = Vec::new();
        while !set.is_empty() {
            values.push(set.bytes()?.to_vec());
        }
        all.push(Attribute { oid, values });
    }
    Ok(all)
}

/// What the signed attributes say that the standard defines.
pub(crate) struct Meaning<'a> {
    pub(crate) content_type: ObjectIdentifier,
    pub(crate) digest: &'a [u8],
    pub(crate) time: Option<Time>,
}

/// The one value of the attribute `oid`. The error says why there is none.
fn one(all: &[Attribute], oid: ObjectIdentifier) -> Result<Option<&[u8]>, &'static str> {
    let mut found = all.iter().filter(|attribute| attribute.oid == oid);
    match (found.next(), found.next()) {
        (None, _) => Ok(None),
        (Some(attribute), None) => match attribute.values.as_slice() {
            [value] => Ok(Some(value)),
            _ => Err("an attribute does not have one value"),
        },
        (Some(_), Some(_)) => Err("an attribute is there twice"),
    }
}

/// Reads the signed attributes. `counter`: of a counter-signature, which has no content type.
pub(crate) fn meaning(all: &[Attribute], counter: bool) -> Result<Meaning<'_>, &'static str> {
    for (place, attribute) in all.iter().enumerate() {
        if all.iter().skip(place + 1).any(|it| it.oid == attribute.oid) {
            return Err("an attribute is there twice");
        }
    }
    let digest = one(all, MESSAGE_DIGEST)?.ok_or("the message digest is missing")?;
    let mut digest = Elements::new(digest, "attribute");
    let digest = digest
        .octets()
        .map_err(|_| "the message digest is malformed")?;
    let content_type = match one(all, CONTENT_TYPE)? {
        Some(value) if !counter => Elements::new(value, "attribute")
            .oid()
            .map_err(|_| "the content type is malformed")?,
        Some(_) => return Err("a counter-signature has a content type"),
        None if counter => OBJECT_OF_COUNTER,
        None => return Err("the content type is missing"),
    };
    let time = match one(all, SIGNING_TIME)? {
        Some(value) => Some(Time::from_der(value).map_err(|_| "the signing time is malformed")?),
        None => None,
    };
    Ok(Meaning {
        content_type,
        digest,
        time,
    })
}

/// In place of the content type that a counter-signature does not have.
const OBJECT_OF_COUNTER: ObjectIdentifier = COUNTER_SIGNATURE;

/// Whether `content` is DER that signed attributes have: a signature of it without attributes may
/// be one that was made with these attributes, of another content.
pub(crate) fn look_like(content: &[u8]) -> bool {
    let Ok(mut elements) = Elements::inside(content, SET, "attribute") else {
        return false;
    };
    let mut found = false;
    while let Ok(element) = elements.element() {
        let mut inside = Elements::new(element.content, "attribute");
        found |= element.tag == SEQUENCE
            && inside
                .take(OID)
                .is_ok_and(|oid| oid == MESSAGE_DIGEST.as_bytes());
    }
    found
}
