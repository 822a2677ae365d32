//! Writing DER.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::{INTEGER, OBJECT_IDENTIFIER, SET};

/// The tag and a definite length.
pub(crate) fn header(tag: u8, length: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity(10);
    out.push(tag);
    if length < 0x80 {
        out.push(length as u8);
    } else {
        let bytes = length.to_be_bytes();
        let zeros = (length.leading_zeros() / 8) as usize;
        out.push(0x80 | (8 - zeros) as u8);
        out.extend(bytes.iter().skip(zeros));
    }
    out
}

/// An element with the content `parts`, one after the other.
pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = header(tag, length as u64);
    out.reserve_exact(length);
    parts.iter().for_each(|part| out.extend_from_slice(part));
    out
}

/// A version.
pub(crate) fn integer(value: u8) -> Vec<u8> {
    element(INTEGER, &[&[value & 0x7f]])
}

/// An object identifier.
pub(crate) fn oid(oid: ObjectIdentifier) -> Vec<u8> {
    element(OBJECT_IDENTIFIER, &[oid.as_bytes()])
}

/// A SET OF, in the order of DER.
pub(crate) fn set_of(mut elements: Vec<Vec<u8>>) -> Vec<u8> {
    elements.sort();
    element(SET, &[&elements.concat()])
}
