//! Elements of DER (X.690, clauses 8.1 and 10.1), walked without copies: for lists that may have a
//! million entries, and for parts that are compared as bytes.

use alloc::vec::Vec;

/// SEQUENCE and SEQUENCE OF.
pub(crate) const SEQUENCE: u8 = 0x30;
/// SET and SET OF.
pub(crate) const SET: u8 = 0x31;
/// OBJECT IDENTIFIER.
pub(crate) const OID: u8 = 0x06;
/// INTEGER.
pub(crate) const INTEGER: u8 = 0x02;
/// BOOLEAN.
pub(crate) const BOOLEAN: u8 = 0x01;
/// BIT STRING.
pub(crate) const BIT_STRING: u8 = 0x03;
/// OCTET STRING.
pub(crate) const OCTET_STRING: u8 = 0x04;
/// ENUMERATED.
pub(crate) const ENUMERATED: u8 = 0x0a;
/// UTCTime.
pub(crate) const UTC_TIME: u8 = 0x17;
/// GeneralizedTime.
pub(crate) const GENERALIZED_TIME: u8 = 0x18;

/// The constructed tag `[number]`.
pub(crate) const fn context(number: u8) -> u8 {
    0xa0 | number
}

/// The primitive tag `[number]`.
pub(crate) const fn context_primitive(number: u8) -> u8 {
    0x80 | number
}

/// One element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element<'a> {
    /// Its tag, which has one byte in everything that is read here.
    pub(crate) tag: u8,
    /// What is in it.
    pub(crate) content: &'a [u8],
    /// The element with its tag and its length.
    pub(crate) whole: &'a [u8],
}

/// The elements of `bytes`, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Elements<'a> {
    rest: &'a [u8],
}

/// Bytes that are no DER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

impl<'a> Elements<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The elements in the one element that `bytes` is, which has the tag `tag`.
    pub(crate) fn inside(bytes: &'a [u8], tag: u8) -> Result<Self, Malformed> {
        let mut outer = Self::new(bytes);
        let content = outer.take(tag)?;
        outer.end()?;
        Ok(Self::new(content))
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The tag of the element that comes next.
    pub(crate) fn tag(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// The next element.
    pub(crate) fn element(&mut self) -> Result<Element<'a>, Malformed> {
        let (&tag, after) = self.rest.split_first().ok_or(Malformed)?;
        // Tags of more than one byte do not occur.
        if tag & 0x1f == 0x1f {
            return Err(Malformed);
        }
        let (&first, mut after) = after.split_first().ok_or(Malformed)?;
        let mut length = usize::from(first);
        if first >= 0x80 {
            let count = usize::from(first & 0x7f);
            if count == 0 || count > 4 {
                return Err(Malformed);
            }
            let (bytes, others) = after.split_at_checked(count).ok_or(Malformed)?;
            // The shortest form of the length is the only one.
            if bytes.first() == Some(&0) {
                return Err(Malformed);
            }
            let value = bytes
                .iter()
                .fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
            length = usize::try_from(value).map_err(|_| Malformed)?;
            if length < 0x80 {
                return Err(Malformed);
            }
            after = others;
        }
        let (content, others) = after.split_at_checked(length).ok_or(Malformed)?;
        let used = self.rest.len() - others.len();
        let (whole, _) = self.rest.split_at_checked(used).ok_or(Malformed)?;
        self.rest = others;
        Ok(Element {
            tag,
            content,
            whole,
        })
    }

    /// The content of the next element, whose tag must be `tag`.
    pub(crate) fn take(&mut self, tag: u8) -> Result<&'a [u8], Malformed> {
        Ok(self.take_element(tag)?.content)
    }

    /// The next element, whose tag must be `tag`.
    pub(crate) fn take_element(&mut self, tag: u8) -> Result<Element<'a>, Malformed> {
        let element = self.element()?;
        if element.tag == tag {
            Ok(element)
        } else {
            Err(Malformed)
        }
    }

    /// The content of the next element if its tag is `tag`.
    pub(crate) fn optional(&mut self, tag: u8) -> Result<Option<&'a [u8]>, Malformed> {
        if self.tag() == Some(tag) {
            self.take(tag).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), Malformed> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(Malformed)
        }
    }
}

/// Whether `content` is an INTEGER in its shortest form.
pub(crate) fn is_integer(content: &[u8]) -> bool {
    match content {
        [] => false,
        [_] => true,
        [first, second, ..] => !matches!((first, second >> 7), (0, 0) | (0xff, 1)),
    }
}

/// The bytes of `whole` that the slice `part` of it takes. `part` must be a part of `whole`.
pub(crate) fn place(whole: &[u8], part: &[u8]) -> core::ops::Range<usize> {
    let start = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
    start..start.wrapping_add(part.len())
}

/// Appends an element with the content `content`.
pub(crate) fn write(out: &mut Vec<u8>, tag: u8, content: &[u8]) {
    out.push(tag);
    let length = content.len();
    if length < 0x80 {
        out.push(length as u8);
    } else {
        let bytes = length.to_be_bytes();
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        out.push(0x80 | (bytes.len() - zeros) as u8);
        out.extend(bytes.iter().skip(zeros));
    }
    out.extend_from_slice(content);
}

/// The element with the content `content`.
pub(crate) fn wrap(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len() + 6);
    write(&mut out, tag, content);
    out
}

/// An INTEGER that is not negative: `value` is big-endian, with or without zeros before it.
pub(crate) fn write_unsigned(out: &mut Vec<u8>, value: &[u8]) {
    let zeros = value.iter().take_while(|byte| **byte == 0).count();
    let value = value.get(zeros..).unwrap_or_default();
    if value.first().is_none_or(|byte| *byte >= 0x80) {
        let mut content = alloc::vec![0];
        content.extend_from_slice(value);
        write(out, INTEGER, &content);
    } else {
        write(out, INTEGER, value);
    }
}
