//! The attributes of what a file contains (RFC 7292, clause 4.2; RFC 2985, clause 5.5).

use alloc::string::String;
use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::password::utf16;
use crate::ber::{
    BMP_STRING, Elements, OCTET_STRING, PRINTABLE_STRING, SEQUENCE, SET, UTF8_STRING, element,
    identifier, set_of,
};
use crate::{Error, oid};

const WHAT: &str = "attribute in a PKCS #12 file";
/// The maximum number of attributes of one entry.
const MAX_ATTRIBUTES: usize = 64;

/// The attributes of an entry.
///
/// ```
/// use kuaimi_pki::pkcs12::Attributes;
///
/// let mut attributes = Attributes::default();
/// attributes.friendly_name = Some("签名".into());
/// attributes.local_key_id = Some(vec![1]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attributes {
    /// The name that people are shown, and Java's alias.
    pub friendly_name: Option<String>,
    /// The identifier that a key and its certificate have in common.
    pub local_key_id: Option<Vec<u8>>,
    /// Other attributes, such as Windows' name of a provider, or Java's mark of a trusted
    /// certificate: their types, and the content of the SET of values in DER.
    pub others: Vec<(ObjectIdentifier, Vec<u8>)>,
}

impl Attributes {
    /// From the elements of a SET.
    pub(super) fn read(mut set: Elements<'_>) -> Result<Self, Error> {
        let mut all = Self::default();
        let mut count = 0;
        while !set.is_empty() {
            count += 1;
            if count > MAX_ATTRIBUTES {
                return Err(Error::Limit("the number of attributes of an entry"));
            }
            let mut attribute = set.enter(SEQUENCE)?;
            let oid = attribute.oid()?;
            let mut single = attribute.enter(SET)?;
            attribute.end()?;
            let again = match oid {
                oid::FRIENDLY_NAME => all.friendly_name.is_some(),
                oid::LOCAL_KEY_ID => all.local_key_id.is_some(),
                _ => false,
            };
            if again {
                return Err(Error::Structure(WHAT, "is there twice"));
            }
            match oid {
                oid::FRIENDLY_NAME => {
                    let value = single.element()?;
                    single.end()?;
                    all.friendly_name = Some(text(value.tag, value.content)?);
                }
                oid::LOCAL_KEY_ID => {
                    all.local_key_id = Some(single.octets()?.to_vec());
                    single.end()?;
                }
                _ => all.others.push((oid, single.rest().to_vec())),
            }
        }
        Ok(all)
    }

    /// The SET in DER; nothing if there is no attribute.
    pub(super) fn to_der(&self) -> Vec<u8> {
        let attribute =
            |oid: ObjectIdentifier, values: &[u8]| identifier(oid, &element(SET, &[values]));
        let mut all = Vec::new();
        if let Some(name) = &self.friendly_name {
            let value = element(BMP_STRING, &[&utf16(name, false)]);
            all.push(attribute(oid::FRIENDLY_NAME, &value));
        }
        if let Some(id) = &self.local_key_id {
            all.push(attribute(oid::LOCAL_KEY_ID, &element(OCTET_STRING, &[id])));
        }
        for (oid, values) in &self.others {
            all.push(attribute(*oid, values));
        }
        if all.is_empty() {
            return Vec::new();
        }
        set_of(all)
    }
}

/// A BMPString; some write UTF8String.
fn text(tag: u8, bytes: &[u8]) -> Result<String, Error> {
    let read = match tag {
        BMP_STRING => {
            let (units, rest) = bytes.as_chunks::<2>();
            let units = units.iter().map(|unit| u16::from_be_bytes(*unit));
            match rest {
                [] => char::decode_utf16(units).collect::<Result<_, _>>().ok(),
                _ => None,
            }
        }
        UTF8_STRING | PRINTABLE_STRING => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    };
    read.ok_or(Error::Structure(WHAT, "has a friendlyName that is no text"))
}
