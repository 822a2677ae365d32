//! BER (ITU-T X.690, clause 8): what the streams of messages are read and written with.
//!
//! [`tokens`] reads any BER in pieces; [`der`] makes DER of an element that was read, and takes it
//! apart; [`write`] writes.

mod der;
mod tokens;
mod write;

pub(crate) use der::{Element, Elements, to_der};
pub(crate) use tokens::{Token, Tokens};
pub(crate) use write::{element, header, integer, oid, set_of};

/// What an error calls the bytes that are no BER.
pub(crate) const WHAT: &str = "message";

/// Constructed elements inside each other. Messages have about ten, and certificates as many.
pub(crate) const MAX_DEPTH: usize = 32;

/// Universal tags.
pub(crate) const INTEGER: u8 = 2;
pub(crate) const OCTET_STRING: u8 = 4;
pub(crate) const NULL: u8 = 5;
pub(crate) const OBJECT_IDENTIFIER: u8 = 6;
pub(crate) const SEQUENCE: u8 = 0x30;
pub(crate) const SET: u8 = 0x31;
/// The bit of a tag that says that elements are inside.
pub(crate) const CONSTRUCTED: u8 = 0x20;
/// `[n]`, with elements inside.
pub(crate) const fn context(number: u8) -> u8 {
    0xa0 | number
}
