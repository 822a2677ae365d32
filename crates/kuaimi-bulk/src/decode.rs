//! What the values of keys, digests, signatures, messages and identities stand for.
//!
//! Keys, digests and signatures can be told by their content, and are: a value is read in every way
//! in which it may be written, and taken if exactly one of them gives something well-formed. Where
//! two do, nobody can know which the writer meant, and one who prepares such a value may want two
//! readers to see two things: the row is malformed, and the reason says which option settles it. A
//! key that none of them reads is given to the library's detector, which knows more forms.
//! (Hexadecimal and Base64 of the lengths that keys and digests have never meet, which is tested
//! below; only a signature can be made to do that.)
//!
//! Messages and identities are not told by their content, ever: any text is a message. They are
//! what stands there, unless an option says that they are hexadecimal or Base64.
//!
//! This is the whole rule. `quick` answers most values sooner, and never differently.

use std::borrow::Cow;

use kuaimi::encoding::{self, SignatureForm, TextEncoding};
use kuaimi::sm2::{PublicKey, Signature};

use crate::options::{Encoding, PlainEncoding};
use crate::table::{Column, Item};
use crate::text;
use crate::verdict::{Fault, Setting};

/// A value that is there: its bytes, and whether they are text.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    pub bytes: &'a [u8],
    pub text: bool,
}

impl<'a> Value<'a> {
    /// The value of an item, or nothing; a fault for what is neither text nor bytes.
    pub fn of(item: Item<'a>, column: Column) -> Result<Option<Self>, Fault> {
        match item {
            Item::Absent => Ok(None),
            Item::Text(bytes) => Ok(Some(Self { bytes, text: true })),
            Item::Binary(bytes) => Ok(Some(Self { bytes, text: false })),
            Item::Other(what) => Err(Fault::of(
                column,
                format_args!("is {}, and text is expected", what.name()),
            )),
        }
    }
}

/// A message or an identity, appended to `out` where it has to be decoded. False where the bytes
/// stand for themselves.
pub fn plain(
    value: Value<'_>,
    encoding: PlainEncoding,
    column: Column,
    out: &mut Vec<u8>,
) -> Result<bool, Fault> {
    let (decoded, name) = match encoding {
        PlainEncoding::Text => return Ok(false),
        _ if value.bytes.is_empty() => return Ok(false),
        PlainEncoding::Hex => (text::decode_hex(value.bytes, out), "hexadecimal"),
        PlainEncoding::Base64 => (text::decode_base64(value.bytes, out), "Base64"),
    };
    if decoded {
        return Ok(true);
    }
    Err(Fault::of(
        column,
        format_args!("is not {name}, which the options say it is"),
    ))
}

/// The ways in which a value can be read, and what it then is.
fn readings<'a>(value: Value<'a>, encoding: Encoding) -> Vec<(&'static str, Cow<'a, [u8]>)> {
    let allowed = |way| encoding == Encoding::Auto || encoding == way;
    let decoded = |decode: fn(&[u8], &mut Vec<u8>) -> bool| {
        let mut out = Vec::new();
        decode(value.bytes, &mut out).then_some(Cow::Owned(out))
    };
    let mut out = Vec::with_capacity(3);
    if !value.text && allowed(Encoding::Binary) {
        out.push(("binary", Cow::Borrowed(value.bytes)));
    }
    if allowed(Encoding::Hex)
        && let Some(bytes) = decoded(text::decode_hex)
    {
        out.push(("hex", bytes));
    }
    if allowed(Encoding::Base64)
        && let Some(bytes) = decoded(text::decode_base64)
    {
        out.push(("base64", bytes));
    }
    out
}

/// Longer keys, digests and signatures there are not, however they are written: nothing is spent on
/// decoding one.
const LONGEST: usize = 256 << 10;

fn fits(value: Value<'_>, column: Column) -> Result<(), Fault> {
    let length = value.bytes.len();
    if length <= LONGEST {
        return Ok(());
    }
    Err(Fault::of(
        column,
        format_args!("has {length} bytes, which is too much for it"),
    ))
}

/// The one thing that a value can be.
fn only<T>(
    value: Value<'_>,
    encoding: Encoding,
    column: Column,
    read: impl Fn(&[u8]) -> Vec<Result<(T, &'static str), String>>,
) -> Result<T, Fault> {
    if value.bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Fault::of(column, "is empty"));
    }
    fits(value, column)?;
    let readings = readings(value, encoding);
    let mut found: Option<(T, String)> = None;
    let mut problem = None;
    for (way, bytes) in &readings {
        for result in read(bytes) {
            match (result, &found) {
                (Ok((thing, form)), None) => found = Some((thing, format!("{form}, {way}"))),
                (Ok((_, form)), Some((_, other))) => {
                    let mut fault = Fault::of(
                        column,
                        format_args!("can be read in two ways ({other}; {form}, {way})"),
                    );
                    fault.setting = Some(if column == Column::Signature {
                        Setting::EncodingAndForm(column)
                    } else {
                        Setting::Encoding(column)
                    });
                    return Err(fault);
                }
                (Err(error), _) => {
                    problem.get_or_insert(error);
                }
            }
        }
    }
    match (found, problem) {
        (Some((thing, _)), _) => Ok(thing),
        (None, Some(problem)) => Err(Fault::of(column, problem)),
        (None, None) => Err(Fault::of(
            column,
            match encoding {
                Encoding::Auto => "is not hexadecimal or Base64",
                Encoding::Hex => "is not hexadecimal, which the options say it is",
                Encoding::Base64 => "is not Base64, which the options say it is",
                Encoding::Binary => "is not in a column of bytes, which the options say it is",
            },
        )),
    }
}

/// A public key.
pub fn key(value: Value<'_>, encoding: Encoding) -> Result<PublicKey, Fault> {
    if encoding == Encoding::Auto {
        let trimmed = value.bytes.trim_ascii_start();
        if trimmed.starts_with(b"-----BEGIN ") {
            fits(value, Column::Key)?;
            return encoding::read_public_key(trimmed)
                .map(|(key, _)| key)
                .map_err(|error| Fault::of(Column::Key, error));
        }
    }
    let found = only(value, encoding, Column::Key, |bytes| {
        vec![key_of(bytes).map(|key| (key, "a key"))]
    });
    match found {
        Err(fault) if encoding == Encoding::Auto && fault.setting.is_none() => {
            otherwise_written(value, fault)
        }
        found => found,
    }
}

/// A key that has none of the readings above: the library's detector knows more forms that people
/// have keys in, and names what is no key.
fn otherwise_written(value: Value<'_>, fault: Fault) -> Result<PublicKey, Fault> {
    if value.bytes.len() > LONGEST {
        return Err(fault);
    }
    match encoding::read_public_key(value.bytes) {
        Ok((key, _)) => Ok(key),
        Err(encoding::Error::NotAKey) => Err(fault),
        Err(error) => Err(Fault::of(Column::Key, error)),
    }
}

/// From a point or a SubjectPublicKeyInfo, whose lengths differ.
fn key_of(bytes: &[u8]) -> Result<PublicKey, String> {
    let result = match bytes {
        [2 | 3, ..] if bytes.len() == 33 => PublicKey::from_sec1_bytes(bytes).map_err(Into::into),
        [4 | 6 | 7, ..] if bytes.len() == 65 => {
            PublicKey::from_sec1_bytes(bytes).map_err(Into::into)
        }
        // DER itself: what is text once more was encoded twice, and is not looked into.
        [0x30, ..] if bytes.len() != 64 && TextEncoding::detect(bytes) == TextEncoding::Binary => {
            encoding::read_public_key(bytes).map(|(key, _)| key)
        }
        _ => match <&[u8; 64]>::try_from(bytes) {
            Ok(xy) => PublicKey::from_xy_bytes(xy).map_err(Into::into),
            Err(_) => {
                return Err(format!(
                    "{} bytes are no public key: a point has 33, 64 or 65, and a SubjectPublicKeyInfo begins with 30",
                    bytes.len()
                ));
            }
        },
    };
    result.map_err(|error: encoding::Error| error.to_string())
}

/// A digest.
pub fn digest(value: Value<'_>, encoding: Encoding) -> Result<[u8; 32], Fault> {
    only(value, encoding, Column::Digest, |bytes| {
        vec![
            bytes
                .try_into()
                .map(|digest| (digest, "a digest"))
                .map_err(|_| format!("has {} bytes in place of 32", bytes.len())),
        ]
    })
}

/// A signature.
pub fn signature(
    value: Value<'_>,
    encoding: Encoding,
    form: Option<SignatureForm>,
) -> Result<Signature, Fault> {
    only(value, encoding, Column::Signature, |bytes| {
        let der = || {
            Signature::from_der(bytes)
                .map(|signature| (signature, "der"))
                .map_err(|error| error.to_string())
        };
        let raw = || {
            Signature::from_slice(bytes)
                .map(|signature| (signature, "raw"))
                .map_err(|error| error.to_string())
        };
        match (form, bytes.first(), bytes.len()) {
            (Some(SignatureForm::Der), ..) => vec![der()],
            (Some(SignatureForm::Raw), ..) => vec![raw()],
            (None, Some(0x30), 64) => vec![der(), raw()],
            (None, _, 64) => vec![raw()],
            (None, Some(0x30), _) => vec![der()],
            _ => vec![Err(encoding::Error::NotASignature.to_string())],
        }
    })
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::*;

    /// What is a key or a digest in hexadecimal is none in Base64, and the other way about: their
    /// lengths differ, and DER, whose length varies, begins with a byte that the other reading
    /// never has.
    #[test]
    fn keys_and_digests_have_one_reading() {
        for lengths in [&[33_usize, 64, 65][..], &[32]] {
            for &length in lengths {
                let letters = 2 * length;
                assert!(!lengths.contains(&(letters * 6 / 8)), "{length}");
                for letters in [
                    4 * length / 3,
                    (4 * length).div_ceil(3),
                    4 * length.div_ceil(3),
                ] {
                    assert!(
                        letters % 2 == 1 || !lengths.contains(&(letters / 2)),
                        "{length}"
                    );
                }
            }
        }
        let mut base64 = Vec::new();
        assert!(text::decode_base64(b"3059", &mut base64));
        assert_ne!(base64[0], 0x30);
        assert!(text::BASE64.encode([0x30, 0x59]).starts_with('M'));
    }

    #[test]
    fn plain_values_are_taken_as_told() {
        let read = |bytes, encoding| {
            let mut out = Vec::new();
            let value = Value { bytes, text: true };
            plain(value, encoding, Column::Message, &mut out)
                .map(|decoded| if decoded { out } else { bytes.to_vec() })
        };
        assert_eq!(read(b"6162", PlainEncoding::Text).unwrap(), b"6162");
        assert_eq!(read(b"6162", PlainEncoding::Hex).unwrap(), b"ab");
        assert_eq!(read(b"YWI=", PlainEncoding::Base64).unwrap(), b"ab");
        assert_eq!(read(b"", PlainEncoding::Hex).unwrap(), b"");
        assert!(read(b"616", PlainEncoding::Hex).is_err());
        assert!(read(b"xyz!", PlainEncoding::Base64).is_err());
    }
}
