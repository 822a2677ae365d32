//! Distinguished names as text (RFC 4514) and from text.
//!
//! `CN=leaf,O=Example` is the order of RFC 4514: the last part comes first in the certificate.
//! OpenSSL's old order, `/O=Example/CN=leaf`, is also read.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

use der::asn1::{Any, BmpString, ObjectIdentifier};
use der::{Decode, Encode, Tag, Tagged};
use x509_cert::attr::AttributeTypeAndValue;
use x509_cert::name::{Name, RdnSequence, RelativeDistinguishedName};

use crate::Error;
use crate::oid::{COMMON_NAME, EMAIL_ADDRESS, oid};

/// An attribute type: its short names, the first of which is written; the type of its strings; and
/// the maximum number of characters (RFC 5280, appendix A.1).
struct Type {
    oid: ObjectIdentifier,
    names: &'static [&'static str],
    tag: Tag,
    max: usize,
}

const fn directory(oid: ObjectIdentifier, names: &'static [&'static str], max: usize) -> Type {
    let tag = Tag::Utf8String;
    Type {
        oid,
        names,
        tag,
        max,
    }
}

static TYPES: &[Type] = &[
    directory(COMMON_NAME, &["CN", "commonName"], 64),
    directory(oid("2.5.4.10"), &["O", "organizationName"], 64),
    directory(oid("2.5.4.11"), &["OU", "organizationalUnitName"], 64),
    Type {
        oid: oid("2.5.4.6"),
        names: &["C", "countryName"],
        tag: Tag::PrintableString,
        max: 2,
    },
    directory(oid("2.5.4.8"), &["ST", "S", "stateOrProvinceName"], 128),
    directory(oid("2.5.4.7"), &["L", "localityName"], 128),
    directory(oid("2.5.4.9"), &["STREET", "streetAddress"], 128),
    directory(oid("2.5.4.4"), &["SN", "surname"], 40),
    directory(oid("2.5.4.42"), &["GN", "G", "givenName"], 16),
    directory(oid("2.5.4.43"), &["initials"], 5),
    directory(oid("2.5.4.12"), &["title", "T"], 64),
    directory(oid("2.5.4.65"), &["pseudonym"], 128),
    directory(oid("2.5.4.97"), &["organizationIdentifier"], 256),
    Type {
        oid: oid("2.5.4.5"),
        names: &["serialNumber"],
        tag: Tag::PrintableString,
        max: 64,
    },
    Type {
        oid: EMAIL_ADDRESS,
        names: &["emailAddress", "E"],
        tag: Tag::Ia5String,
        max: 255,
    },
    Type {
        oid: oid("0.9.2342.19200300.100.1.25"),
        names: &["DC", "domainComponent"],
        tag: Tag::Ia5String,
        max: 255,
    },
    directory(oid("0.9.2342.19200300.100.1.1"), &["UID", "userId"], 256),
];

/// The name that `text` gives, such as `CN=leaf,O=Example,C=CN` or `/C=CN/O=Example/CN=leaf`.
///
/// Special characters are written with `\` before them (RFC 4514, clause 3). Strings are UTF-8 in
/// the certificate, but for those types that RFC 5280 gives another.
///
/// ```
/// let name = kuaimi_pki::name::parse("CN=网站,O=Example\\, Inc.,C=CN")?;
/// assert_eq!(kuaimi_pki::name::to_text(&name), "CN=网站,O=Example\\, Inc.,C=CN");
/// assert_eq!(name, kuaimi_pki::name::parse("/C=CN/O=Example, Inc./CN=网站")?);
/// assert!(kuaimi_pki::name::parse("leaf").is_err());
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// [`Error::Name`] that says which part is wrong and why.
pub fn parse(text: &str) -> Result<Name, Error> {
    let text = text.trim_start();
    let parts = match text.strip_prefix('/') {
        Some(rest) => split(rest, '/'),
        None => split(text, ','),
    };
    let mut names = Vec::new();
    for part in &parts {
        let values: Vec<_> = split(part, '+')
            .into_iter()
            .map(attribute)
            .collect::<Result<_, _>>()?;
        // X.501: each type once.
        for (i, one) in values.iter().enumerate() {
            if values[..i].iter().any(|other| other.oid == one.oid) {
                return Err(Error::Name(
                    part.trim().into(),
                    "has the same attribute twice",
                ));
            }
        }
        let values = RelativeDistinguishedName::try_from(values);
        names.push(values.map_err(|error| Error::Der("name", error))?);
    }
    if !text.starts_with('/') {
        names.reverse();
    }
    let der = RdnSequence::from(names).to_der();
    der.and_then(|der| Name::from_der(&der))
        .map_err(|error| Error::Der("name", error))
}

/// The parts of `text` between separators that have no `\` before them.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (place, c) in text.char_indices() {
        if c == separator && !escaped {
            parts.push(&text[start..place]);
            start = place + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    parts.push(&text[start..]);
    parts
}

/// `TYPE=value`.
fn attribute(part: &str) -> Result<AttributeTypeAndValue, Error> {
    let wrong = |why| Error::Name(part.trim().into(), why);
    let (name, value) = part
        .split_once('=')
        .ok_or_else(|| wrong("has no `=`: write CN=name,O=organization"))?;
    let name = name.trim();
    let known = TYPES.iter().find(|known| {
        known
            .names
            .iter()
            .any(|short| short.eq_ignore_ascii_case(name))
    });
    let oid = match known {
        Some(known) => known.oid,
        None => ObjectIdentifier::new(name)
            .map_err(|_| wrong("is of no known type: CN, O, OU, C, ST, L, emailAddress …"))?,
    };
    let known = known.or_else(|| TYPES.iter().find(|known| known.oid == oid));
    // Spaces that are not escaped do not belong to the value.
    let value = value.trim_start();
    let trimmed = value.trim_end();
    let value = if trimmed.ends_with('\\') && !trimmed.ends_with("\\\\") {
        let space = value[trimmed.len()..].chars().next();
        &value[..trimmed.len() + space.map_or(0, char::len_utf8)]
    } else {
        trimmed
    };
    if let Some(hex) = value.strip_prefix('#') {
        let der = kuaimi::encoding::TextEncoding::Hex
            .decode(hex.as_bytes())
            .map_err(|_| wrong("is not hexadecimal after #"))?;
        let value = Any::from_der(&der).map_err(|_| wrong("is not DER after #"))?;
        return Ok(AttributeTypeAndValue { oid, value });
    }
    let value = unescape(value).ok_or_else(|| wrong("has a `\\` before what cannot be escaped"))?;
    if value.is_empty() {
        return Err(wrong("is empty"));
    }
    let (tag, max) = known.map_or((Tag::Utf8String, usize::MAX), |known| {
        (known.tag, known.max)
    });
    if value.chars().count() > max {
        return Err(wrong("is longer than RFC 5280 allows"));
    }
    let printable = |c: char| c.is_ascii_alphanumeric() || " '()+,-./:=?".contains(c);
    match tag {
        Tag::PrintableString if !value.chars().all(printable) => {
            return Err(wrong("has a character that this type cannot have"));
        }
        Tag::Ia5String if !value.is_ascii() => {
            return Err(wrong("has a character that this type cannot have"));
        }
        Tag::PrintableString if max == 2 && value.len() != 2 => {
            return Err(wrong("is no country code of two letters"));
        }
        _ => {}
    }
    let value = Any::new(tag, value.as_bytes()).map_err(|_| wrong("is too long"))?;
    Ok(AttributeTypeAndValue { oid, value })
}

/// `text` without its escapes: `\` before a special character, or before two hexadecimal digits of
/// a byte.
fn unescape(text: &str) -> Option<String> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next()? {
            special @ (b' ' | b'"' | b'#' | b'+' | b',' | b';' | b'<' | b'=' | b'>' | b'\\'
            | b'/') => {
                out.push(special);
            }
            first => {
                let digit = |byte| char::from(byte).to_digit(16);
                out.push((digit(first)? * 16 + digit(bytes.next()?)?) as u8);
            }
        }
    }
    String::from_utf8(out).ok()
}

/// The name as RFC 4514 writes it. Control characters and invisible ones are escaped, so that the
/// text does no harm on a terminal.
pub fn to_text(name: &Name) -> String {
    let mut out = String::new();
    for (i, part) in name
        .iter_rdn()
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .enumerate()
    {
        if i > 0 {
            out.push(',');
        }
        for (j, attribute) in part.iter().enumerate() {
            if j > 0 {
                out.push('+');
            }
            push_attribute(&mut out, attribute);
        }
    }
    out
}

fn push_attribute(out: &mut String, attribute: &AttributeTypeAndValue) {
    let known = TYPES.iter().find(|known| known.oid == attribute.oid);
    match (known, string(&attribute.value)) {
        (Some(known), Some(value)) => {
            out.push_str(known.names[0]);
            out.push('=');
            push_escaped(out, &value);
        }
        (_, value) => {
            _ = write!(out, "{}=", attribute.oid);
            match value {
                Some(value) => push_escaped(out, &value),
                None => {
                    out.push('#');
                    for byte in attribute.value.to_der().unwrap_or_default() {
                        _ = write!(out, "{byte:02x}");
                    }
                }
            }
        }
    }
}

/// The type of string that RFC 5280 gives an attribute of this type: UTF8String for most.
pub fn string_tag(oid: ObjectIdentifier) -> Tag {
    let known = TYPES.iter().find(|known| known.oid == oid);
    known.map_or(Tag::Utf8String, |known| known.tag)
}

/// The characters of a string of any type that names have; nothing for what is no string.
pub fn string(value: &Any) -> Option<String> {
    match value.tag() {
        Tag::Utf8String | Tag::PrintableString | Tag::Ia5String | Tag::NumericString => {
            String::from_utf8(value.value().to_vec()).ok()
        }
        // Most software writes ISO 8859-1 here, which the standard does not say.
        Tag::TeletexString => Some(value.value().iter().copied().map(char::from).collect()),
        Tag::BmpString => Some(value.decode_as::<BmpString>().ok()?.chars().collect()),
        _ => None,
    }
}

fn push_escaped(out: &mut String, value: &str) {
    let last = value.chars().count().saturating_sub(1);
    for (i, c) in value.chars().enumerate() {
        match c {
            '"' | '+' | ',' | ';' | '<' | '>' | '\\' => out.extend(['\\', c]),
            '#' if i == 0 => out.push_str("\\#"),
            ' ' if i == 0 || i == last => out.push_str("\\ "),
            c if c.is_control() || is_invisible(c) => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    _ = write!(out, "\\{byte:02x}");
                }
            }
            c => out.push(c),
        }
    }
}

/// Characters that change the direction of the text around them, or that nobody sees.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Shows a name as [`to_text`] does.
pub struct Display<'a>(pub &'a Name);

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_text(self.0))
    }
}
