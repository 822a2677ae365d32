//! The identities that signers use without the verifier's knowledge.

use alloc::vec::Vec;
use core::fmt;

use super::content::{hex_text, unhex};
use crate::sm2::{DEFAULT_ID, TLS13_ID};

/// An identity, as it follows from the one given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    Given,
    /// `1234567812345678`.
    Default,
    Empty,
    /// The bytes that the given text stands for in hexadecimal.
    FromHex,
    /// The given bytes in hexadecimal.
    Hex,
    /// The eight bytes `12 34 56 78 12 34 56 78`.
    DefaultFromHex,
    /// `31323334…`.
    DefaultHex,
    WithNul,
    WithLineFeed,
    Trimmed,
    /// RFC 8998, clause 3.3.2.
    Tls13,
    /// The one in the examples of GM/T 0003.
    Example,
}

impl Identity {
    /// How many of [`all`](Self::all), from the first one on, are tried with each key.
    pub(super) const USUAL: usize = 3;

    /// The given one, and those that are tried, the most frequent first; each with its bytes, which
    /// no two share.
    pub(super) fn all(given: &[u8]) -> Vec<(Self, Vec<u8>)> {
        let mut all: Vec<(Self, Vec<u8>)> = Vec::new();
        for identity in [
            Self::Given,
            Self::Default,
            Self::Empty,
            Self::FromHex,
            Self::Hex,
            Self::DefaultFromHex,
            Self::DefaultHex,
            Self::WithNul,
            Self::WithLineFeed,
            Self::Trimmed,
            Self::Tls13,
            Self::Example,
        ] {
            if let Some(id) = identity.of(given)
                && all.iter().all(|(_, seen)| *seen != id)
            {
                all.push((identity, id));
            }
        }
        all
    }

    pub(super) fn of(self, given: &[u8]) -> Option<Vec<u8>> {
        Some(match self {
            Self::Given => given.to_vec(),
            Self::Default => DEFAULT_ID.to_vec(),
            Self::Empty => Vec::new(),
            Self::FromHex => unhex(given)?,
            Self::Hex => hex_text(given),
            Self::DefaultFromHex => unhex(DEFAULT_ID)?,
            Self::DefaultHex => hex_text(DEFAULT_ID),
            Self::WithNul => [given, &[0]].concat(),
            Self::WithLineFeed => [given, b"\n"].concat(),
            Self::Trimmed => given.trim_ascii().to_vec(),
            Self::Tls13 => TLS13_ID.to_vec(),
            Self::Example => b"ALICE123@YAHOO.COM".to_vec(),
        })
    }
}

impl fmt::Display for Identity {
    /// With a space before it; nothing for the given one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "",
            Self::Default => " under the default identity 1234567812345678",
            Self::Empty => " under the empty identity",
            Self::FromHex => " under the identity that the given one is in hexadecimal",
            Self::Hex => " under the given identity written in hexadecimal",
            Self::DefaultFromHex => {
                " under the identity of the eight bytes 12 34 56 78 12 34 56 78: the default one was read as hexadecimal"
            }
            Self::DefaultHex => {
                " under the identity 31323334353637383132333435363738: the default one written in hexadecimal"
            }
            Self::WithNul => " under the given identity with a zero byte at its end",
            Self::WithLineFeed => " under the given identity with a line feed at its end",
            Self::Trimmed => " under the given identity without white space around it",
            Self::Tls13 => " under the identity of TLS 1.3, TLSv1.3+GM+Cipher+Suite",
            Self::Example => " under the identity of the standard's examples, ALICE123@YAHOO.COM",
        })
    }
}
