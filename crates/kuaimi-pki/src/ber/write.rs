//! Elements written in DER (X.690, clauses 8.1 and 10.1): lengths have their shortest form.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;

use super::{INTEGER, OID, SEQUENCE, SET};

/// The bytes of a tag and of the length `content`.
pub(super) fn header_len(content: usize) -> usize {
    1 + length_len(content as u64)
}

fn length_len(length: u64) -> usize {
    if length < 0x80 {
        return 1;
    }
    1 + (u64::BITS - length.leading_zeros()).div_ceil(8) as usize
}

/// Appends a length.
pub(super) fn append_length(length: u64, out: &mut Vec<u8>) {
    if length < 0x80 {
        out.push(length as u8);
    } else {
        let digits = length_len(length) - 1;
        out.push(0x80 | digits as u8);
        let bytes = length.to_be_bytes();
        out.extend(bytes.iter().skip(bytes.len() - digits));
    }
}

/// A tag and a length.
pub(crate) fn header(tag: u8, length: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity(1 + length_len(length));
    out.push(tag);
    append_length(length, &mut out);
    out
}

/// Appends an element.
pub(crate) fn write(out: &mut Vec<u8>, tag: u8, content: &[u8]) {
    out.push(tag);
    append_length(content.len() as u64, out);
    out.extend_from_slice(content);
}

/// An element whose content is `parts`, one after the other. No copy of them is left behind.
pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut out = Vec::with_capacity(header_len(length) + length);
    out.push(tag);
    append_length(length as u64, &mut out);
    for part in parts {
        out.extend_from_slice(part);
    }
    out
}

/// An INTEGER that is not negative: `value` is big-endian, with or without zeros before it.
pub(crate) fn unsigned(value: &[u8]) -> Vec<u8> {
    let zeros = value.iter().take_while(|byte| **byte == 0).count();
    let digits = value.get(zeros..).unwrap_or_default();
    let sign: &[u8] = match digits {
        [] | [0x80..=0xff, ..] => &[0],
        _ => &[],
    };
    element(INTEGER, &[sign, digits])
}

/// An INTEGER that is not negative.
pub(crate) fn integer(value: u32) -> Vec<u8> {
    unsigned(&value.to_be_bytes())
}

/// An object identifier.
pub(crate) fn oid(oid: ObjectIdentifier) -> Vec<u8> {
    element(OID, &[oid.as_bytes()])
}

/// An object identifier and what belongs to it: an AlgorithmIdentifier with its parameters, which
/// are nothing if they are absent.
pub(crate) fn identifier(name: ObjectIdentifier, parameters: &[u8]) -> Vec<u8> {
    element(SEQUENCE, &[&oid(name), parameters])
}

/// A SET OF, in the order of DER (clause 11.6).
pub(crate) fn set_of(mut elements: Vec<Vec<u8>>) -> Vec<u8> {
    elements.sort();
    element(SET, &[&elements.concat()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(integer(0), [2, 1, 0]);
        assert_eq!(integer(0x7f), [2, 1, 0x7f]);
        assert_eq!(integer(0x80), [2, 2, 0, 0x80]);
        assert_eq!(integer(u32::MAX), [2, 5, 0, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(unsigned(&[]), [2, 1, 0]);
        assert_eq!(unsigned(&[0, 0, 1, 0]), [2, 2, 1, 0]);
    }

    #[test]
    fn lengths_are_the_shortest() {
        for (length, header_is) in [
            (0, &[4, 0][..]),
            (0x7f, &[4, 0x7f]),
            (0x80, &[4, 0x81, 0x80]),
            (0xff, &[4, 0x81, 0xff]),
            (0x100, &[4, 0x82, 1, 0]),
            (0x1_0000, &[4, 0x83, 1, 0, 0]),
        ] {
            let content = alloc::vec![7; length];
            let whole = [header_is, &content].concat();
            assert_eq!(header(4, length as u64), header_is);
            let made = element(4, &[&content]);
            assert_eq!(made, whole);
            assert_eq!(made.len(), made.capacity());
            let mut written = Vec::new();
            write(&mut written, 4, &content);
            assert_eq!(written, whole);
        }
        assert_eq!(header(4, u64::MAX).len(), 10);
    }
}
