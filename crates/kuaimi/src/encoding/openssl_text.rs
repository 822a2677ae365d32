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

use alloc::vec::Vec;

use zeroize::Zeroizing;

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
/// [`Error::NotSm2Curve`] and [`Error::ParametersMissing`] if the text does not say that the curve is SM2's; [`Error::Hex`] and
/// [`Error::OddHex`] for damaged digits.
pub(super) fn read(text: &[u8], part: Part) -> Option<Result<Zeroizing<Vec<u8>>, Error>> {
    let digits = digits_under(text, part)?;
    Some(check_curve(text).and_then(|()| TextEncoding::Hex.decode_plain(&digits)))
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii)
}

/// The lines of digits after the part's heading.
fn digits_under(text: &[u8], part: Part) -> Option<Zeroizing<Vec<u8>>> {
    let mut lines = lines(text);
    lines.by_ref().find(|line| *line == part.heading())?;
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b':';
    let mut digits = Zeroizing::new(Vec::with_capacity(text.len()));
    for line in lines.take_while(|line| !line.is_empty() && line.iter().all(is_digit)) {
        digits.extend_from_slice(line);
    }
    (!digits.is_empty()).then_some(digits)
}

fn check_curve(text: &[u8]) -> Result<(), Error> {
    let name = lines(text).find_map(|line| line.strip_prefix(b"ASN1 OID: "));
    match name.map(|name| (name, names::curve_of_openssl(name))) {
        Some((name, _)) if name.eq_ignore_ascii_case(b"SM2") => Ok(()),
        Some((_, Some(other))) => Err(Error::NotSm2Curve(other)),
        _ => Err(Error::ParametersMissing),
    }
}
