//! Names compared (RFC 5280, clause 7.1).
//!
//! Each name is brought into one form, and the forms are compared as bytes: letters of ASCII
//! become small, white space at the ends goes, and white space in the middle becomes one space.
//! This is done in PrintableString, UTF8String and IA5String only. Other strings are equal if their
//! bytes are. Other letters than ASCII's are left as they are, so two names that differ in the case
//! of such a letter are two names: a chain is refused then, never wrongly accepted.

use alloc::vec::Vec;

use crate::ber::{self, Elements, IA5_STRING, Malformed, PRINTABLE_STRING, UTF8_STRING};

/// The most relative names that a name may have.
const MAX_PARTS: usize = 1000;

/// A name in the form that is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Canonical(Vec<u8>);

impl Canonical {
    /// The name that `der` is, a SEQUENCE OF RelativeDistinguishedName.
    pub(crate) fn read(der: &[u8]) -> Result<Self, Malformed> {
        let mut out = Vec::with_capacity(der.len() + 16);
        let mut parts = Elements::inside(der, ber::SEQUENCE, "name")?;
        let mut count = 0;
        while !parts.is_empty() {
            count += 1;
            if count > MAX_PARTS {
                return Err(parts.malformed());
            }
            relative(parts.enter(ber::SET)?, &mut out)?;
        }
        Ok(Self(out))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `self` is `base` or lies below it. Each relative name begins with its length, so a
    /// prefix in bytes is one in relative names.
    pub(crate) fn is_within(&self, base: &Self) -> bool {
        self.0.starts_with(&base.0)
    }
}

/// Appends a relative name: its length, then its attributes in order of their bytes.
fn relative(mut attributes: Elements<'_>, out: &mut Vec<u8>) -> Result<(), Malformed> {
    let first = attribute(attributes.enter(ber::SEQUENCE)?)?;
    let content = if attributes.is_empty() {
        first
    } else {
        let mut all = alloc::vec![first];
        while !attributes.is_empty() {
            all.push(attribute(attributes.enter(ber::SEQUENCE)?)?);
        }
        all.sort();
        all.concat()
    };
    out.extend(length(&content));
    out.extend(content);
    Ok(())
}

fn length(bytes: &[u8]) -> [u8; 4] {
    u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes()
}

/// An attribute: its type, the kind of its value, the value's length, the value.
fn attribute(mut parts: Elements<'_>) -> Result<Vec<u8>, Malformed> {
    let kind = parts.take_element(ber::OID)?.whole;
    let value = parts.element()?;
    parts.end()?;
    let (tag, folded) = match value.tag {
        UTF8_STRING | PRINTABLE_STRING | IA5_STRING => (UTF8_STRING, Some(fold(value.content))),
        other => (other, None),
    };
    let value = folded.as_deref().unwrap_or(value.content);
    let mut out = Vec::with_capacity(kind.len() + 5 + value.len());
    out.extend(kind);
    out.push(tag);
    out.extend(length(value));
    out.extend(value);
    Ok(out)
}

fn fold(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let words = text
        .split(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c))
        .filter(|word| !word.is_empty());
    for word in words {
        if !out.is_empty() {
            out.push(b' ');
        }
        out.extend(word.iter().map(u8::to_ascii_lowercase));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(parts: &[(u8, &str)]) -> Canonical {
        let mut content = Vec::new();
        for (tag, text) in parts {
            let mut attribute = alloc::vec![6, 3, 0x55, 4, 3];
            ber::write(&mut attribute, *tag, text.as_bytes());
            let attribute = ber::element(ber::SEQUENCE, &[&attribute]);
            ber::write(&mut content, ber::SET, &attribute);
        }
        Canonical::read(&ber::element(ber::SEQUENCE, &[&content])).unwrap()
    }

    #[test]
    fn case_space_and_kind_of_string_do_not_matter() {
        let one = name(&[(UTF8_STRING, "  Bank  of \t China ")]);
        assert_eq!(one, name(&[(PRINTABLE_STRING, "bank OF china")]));
        assert_ne!(one, name(&[(PRINTABLE_STRING, "bankofchina")]));
        // BMPString: bytes alone.
        assert_ne!(one, name(&[(0x1e, "bank of china")]));
        assert_ne!(name(&[(UTF8_STRING, "É")]), name(&[(UTF8_STRING, "é")]));
    }

    #[test]
    fn a_base_is_whole_relative_names() {
        let base = name(&[(UTF8_STRING, "a"), (UTF8_STRING, "bc")]);
        assert!(base.is_within(&base));
        assert!(base.is_within(&Canonical::default()));
        assert!(base.is_within(&name(&[(UTF8_STRING, "A")])));
        let longer = name(&[(UTF8_STRING, "a"), (UTF8_STRING, "bcd")]);
        assert!(!longer.is_within(&base));
        assert!(!name(&[(UTF8_STRING, "a")]).is_within(&base));
    }
}
