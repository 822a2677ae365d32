//! BER and DER (ITU-T X.690): elements read, written, and brought from one into the other.
//!
//! | module | what | clauses |
//! | --- | --- | --- |
//! | [`reader`] | the elements of DER in memory, one after another | 8.1, 10.1 |
//! | [`tokens`] | any BER in pieces of any size | 8.1 |
//! | [`convert`] | DER made of BER in memory | 8.1.3.6, 8.7, 10 |
//! | [`mod@write`] | elements written in DER | 8.1, 10.1, 11.6 |
//!
//! The reader of the crate `der` decodes whole types of DER, and what is a type there is left to
//! it: names, times, keys. It is not what is needed here: banks, Windows and Java write BER, with
//! indefinite lengths and strings in pieces; parts are borrowed as the bytes that were signed or
//! are compared, in lists with a million entries; and depth, number and length of what comes from
//! strangers have limits.

mod convert;
mod reader;
mod tokens;
mod write;

pub(crate) use convert::to_der;
pub(crate) use reader::{Element, Elements, Malformed, is_integer, place};
pub(crate) use tokens::{Token, Tokens};
pub(crate) use write::{element, header, identifier, integer, oid, set_of, unsigned, write};

/// How deep elements may be nested. Messages have about ten levels, and certificates as many.
const MAX_DEPTH: usize = 32;

/// BOOLEAN.
pub(crate) const BOOLEAN: u8 = 0x01;
/// INTEGER.
pub(crate) const INTEGER: u8 = 0x02;
/// BIT STRING.
pub(crate) const BIT_STRING: u8 = 0x03;
/// OCTET STRING.
pub(crate) const OCTET_STRING: u8 = 0x04;
/// NULL.
pub(crate) const NULL: u8 = 0x05;
/// OBJECT IDENTIFIER.
pub(crate) const OID: u8 = 0x06;
/// ENUMERATED.
pub(crate) const ENUMERATED: u8 = 0x0a;
/// UTF8String.
pub(crate) const UTF8_STRING: u8 = 0x0c;
/// PrintableString.
pub(crate) const PRINTABLE_STRING: u8 = 0x13;
/// IA5String.
pub(crate) const IA5_STRING: u8 = 0x16;
/// UTCTime.
pub(crate) const UTC_TIME: u8 = 0x17;
/// GeneralizedTime.
pub(crate) const GENERALIZED_TIME: u8 = 0x18;
/// BMPString.
pub(crate) const BMP_STRING: u8 = 0x1e;
/// SEQUENCE and SEQUENCE OF.
pub(crate) const SEQUENCE: u8 = 0x30;
/// SET and SET OF.
pub(crate) const SET: u8 = 0x31;

/// The bit of a tag that says that elements are inside.
pub(crate) const CONSTRUCTED: u8 = 0x20;

/// The constructed tag `[number]`.
pub(crate) const fn context(number: u8) -> u8 {
    0xa0 | number
}

/// The primitive tag `[number]`.
pub(crate) const fn context_primitive(number: u8) -> u8 {
    0x80 | number
}
