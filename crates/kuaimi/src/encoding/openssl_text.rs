//! What `openssl pkey -text`, `openssl ec -text` and `openssl x509 -text` print of a key:
//!
//! ```text
//! Private-Key: (256 bit)
//! priv:
//!     a2:fb:4d:…
//! pub:
//!     04:c9:f6:…
//! ASN1 OID: SM2
//! ```
//!
//! The digits of a private key are decoded in constant time; the lines are found by comparing with
//! characters that no digit is.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::plain_text::is_ascii;
use super::{Error, TextEncoding, names};

/// The part of the dump that is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The number.
    Private,
    /// The point.
    Public,
}

impl Part {
    const fn heading(self) -> &'static [u8] {
        match self {
            Self::Private => b"priv:",
            Self::Public => b"pub:",
        }
    }
}

/// The bytes of a part; nothing if the text does not have it.
///
/// # Errors
/// [`Error::NotSm2Curve`] and [`Error::ParametersMissing`] if the text does not say that the curve
/// is SM2's; [`Error::Hex`] and [`Error::OddHex`] for damaged digits.
pub(super) fn read(text: &[u8], part: Part) -> Option<Result<Zeroizing<Vec<u8>>, Error>> {
    // Binary is not looked at: it may be a private key.
    if !is_ascii(text) {
        return None;
    }
    let digits = digits_under(text, part)?;
    Some(check_curve(text).and_then(|()| TextEncoding::Hex.decode_plain(&digits)))
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end)
}

fn indentation(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

/// The lines of digits after the part's heading, which are indented more than it is.
fn digits_under(text: &[u8], part: Part) -> Option<Zeroizing<Vec<u8>>> {
    let mut lines = lines(text);
    let heading = lines
        .by_ref()
        .find(|line| line.trim_ascii_start() == part.heading())?;
    let mut digits = Zeroizing::new(Vec::with_capacity(text.len()));
    for line in lines.take_while(|line| indentation(line) > indentation(heading)) {
        digits.extend_from_slice(line);
    }
    (!digits.is_empty()).then_some(digits)
}

fn check_curve(text: &[u8]) -> Result<(), Error> {
    let name = lines(text).find_map(|line| line.trim_ascii_start().strip_prefix(b"ASN1 OID: "));
    match name.map(|name| (name, names::curve_of_openssl(name))) {
        Some((name, _)) if name.eq_ignore_ascii_case(b"SM2") => Ok(()),
        Some((_, Some(other))) => Err(Error::NotSm2Curve(other)),
        _ => Err(Error::ParametersMissing),
    }
}
