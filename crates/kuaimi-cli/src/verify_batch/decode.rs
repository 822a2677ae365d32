//! What cells stand for: keys, identities, messages, digests, signatures.
//!
//! Keys, digests and signatures can be told by their content, and are: a value is read in every way in which it may be
//! written, and taken if exactly one of them gives something well-formed. Where two do, nobody can know which the writer
//! meant, and one who prepares such a value may want two readers to see two things: the row is malformed, and the
//! reason says which option settles it. (Hexadecimal and Base64 of the lengths that keys and digests have never meet,
//! which is tested below; only a signature can be made to do that.)
//!
//! Messages and identities are not told by their content, ever: any text is a message. They are what stands there,
//! unless an option says that they are hexadecimal or Base64.

use clap::{Args, ValueEnum};
use kuaimi::encoding::{self, SignatureForm, TextEncoding};
use kuaimi::sm2::{PublicKey, Signature};
use zeroize::Zeroizing;

use super::read::Format;
use super::rows::{Cell, Chunk, Column};
use crate::exit::Failure;
use crate::sm2::Form;
use crate::text;

/// How the values of a column are written.
#[derive(Args, Debug, Clone, Copy)]
#[command(next_help_heading = "Encodings")]
pub struct EncodingArgs {
    /// How public keys are written: auto, hex, base64, or binary (in Parquet).
    #[arg(long, value_enum, default_value_t = Written::Auto, value_name = "ENCODING", hide_possible_values = true)]
    pub key_encoding: Written,
    /// How signatures are written, likewise.
    #[arg(long, value_enum, default_value_t = Written::Auto, value_name = "ENCODING", hide_possible_values = true)]
    pub signature_encoding: Written,
    /// Insist on this structure of the signatures.
    #[arg(long, value_enum, value_name = "FORM")]
    pub signature_form: Option<Form>,
    /// How digests are written, likewise.
    #[arg(long, value_enum, default_value_t = Written::Auto, value_name = "ENCODING", hide_possible_values = true)]
    pub digest_encoding: Written,
    /// What messages are: text, as it stands; or bytes written as hex or base64. This is never guessed.
    #[arg(long, value_enum, default_value_t = Plain::Text, value_name = "ENCODING", hide_possible_values = true)]
    pub message_encoding: Plain,
    /// What identities are, likewise.
    #[arg(long, value_enum, default_value_t = Plain::Text, value_name = "ENCODING", hide_possible_values = true)]
    pub id_encoding: Plain,
}

impl EncodingArgs {
    /// Whether these can be in a file of this format.
    pub fn check(&self, format: Format) -> Result<(), Failure> {
        let binary = [
            (self.key_encoding, "key"),
            (self.signature_encoding, "signature"),
            (self.digest_encoding, "digest"),
        ]
        .into_iter()
        .find(|(written, _)| *written == Written::Binary && format != Format::Parquet);
        match binary {
            None => Ok(()),
            Some((_, name)) => Err(Failure::usage(format!(
                "--{name}-encoding binary: {} is text and has no bytes as they are, which Parquet has; say hex or base64",
                format.name()
            ))),
        }
    }
}

/// How bytes that have a structure are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Written {
    /// In whichever way gives something well-formed; refused where more than one does.
    Auto,
    /// In hexadecimal.
    Hex,
    /// In Base64.
    Base64,
    /// As they are, in a Parquet column of bytes.
    Binary,
}

/// How bytes that can be anything are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Plain {
    /// As they stand.
    Text,
    /// In hexadecimal.
    Hex,
    /// In Base64.
    Base64,
}

/// Bytes, borrowed from the chunk where nothing had to be decoded.
pub enum Bytes<'a> {
    Kept(&'a [u8]),
    Decoded(Zeroizing<Vec<u8>>),
}

impl std::ops::Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Kept(bytes) => bytes,
            Self::Decoded(bytes) => bytes,
        }
    }
}

/// A value that is there: its bytes, and whether they are text.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    pub bytes: &'a [u8],
    pub text: bool,
}

/// The value of a cell, or nothing; an error for what is neither text nor bytes.
pub fn value<'a>(
    chunk: &'a Chunk,
    cell: &Cell,
    column: Column,
) -> Result<Option<Value<'a>>, String> {
    match cell {
        Cell::Absent => Ok(None),
        Cell::Text(range) => Ok(Some(Value {
            bytes: chunk.slice(range),
            text: true,
        })),
        Cell::Binary(range) => Ok(Some(Value {
            bytes: chunk.slice(range),
            text: false,
        })),
        Cell::Other(what) => Err(format!(
            "{}: is {what}, and text is expected",
            column.name()
        )),
    }
}

/// A message or an identity.
pub fn plain<'a>(value: Value<'a>, encoding: Plain, column: Column) -> Result<Bytes<'a>, String> {
    let decoded = match encoding {
        Plain::Text => return Ok(Bytes::Kept(value.bytes)),
        _ if value.bytes.is_empty() => return Ok(Bytes::Kept(value.bytes)),
        Plain::Hex => text::decode_hex(value.bytes),
        Plain::Base64 => text::decode_base64(value.bytes),
    };
    decoded.map(Bytes::Decoded).ok_or_else(|| {
        format!(
            "{}: is not {}, which --{}-encoding says it is",
            column.name(),
            if encoding == Plain::Hex {
                "hexadecimal"
            } else {
                "Base64"
            },
            column.name()
        )
    })
}

/// The ways in which a value can be read, and what it then is.
fn readings<'a>(value: Value<'a>, written: Written) -> Vec<(&'static str, Bytes<'a>)> {
    let allowed = |way| written == Written::Auto || written == way;
    let mut out = Vec::with_capacity(3);
    if !value.text && allowed(Written::Binary) {
        out.push(("binary", Bytes::Kept(value.bytes)));
    }
    if allowed(Written::Hex)
        && let Some(bytes) = text::decode_hex(value.bytes)
    {
        out.push(("hex", Bytes::Decoded(bytes)));
    }
    if allowed(Written::Base64)
        && let Some(bytes) = text::decode_base64(value.bytes)
    {
        out.push(("base64", Bytes::Decoded(bytes)));
    }
    out
}

/// Longer keys, digests and signatures there are not, however they are written: nothing is spent on decoding one.
const LONGEST: usize = 256 << 10;

fn fits(value: Value<'_>, column: Column) -> Result<(), String> {
    if value.bytes.len() > LONGEST {
        let (name, length) = (column.name(), value.bytes.len());
        return Err(format!(
            "{name}: has {length} bytes, which is too much for it"
        ));
    }
    Ok(())
}

/// The one thing that a value can be.
fn only<T>(
    value: Value<'_>,
    written: Written,
    column: Column,
    read: impl Fn(&[u8]) -> Vec<Result<(T, &'static str), String>>,
) -> Result<T, String> {
    let name = column.name();
    if value.bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(format!("{name}: is empty"));
    }
    fits(value, column)?;
    let readings = readings(value, written);
    let mut found: Option<(T, String)> = None;
    let mut problem = None;
    for (way, bytes) in &readings {
        for result in read(bytes) {
            match (result, &found) {
                (Ok((thing, form)), None) => found = Some((thing, format!("{form}, {way}"))),
                (Ok((_, form)), Some((_, other))) => {
                    return Err(format!(
                        "{name}: can be read in two ways ({other}; {form}, {way}); say which with --{name}-encoding{}",
                        if column == Column::Signature {
                            " and --signature-form"
                        } else {
                            ""
                        }
                    ));
                }
                (Err(error), _) => {
                    problem.get_or_insert(error);
                }
            }
        }
    }
    match (found, problem) {
        (Some((thing, _)), _) => Ok(thing),
        (None, Some(problem)) => Err(format!("{name}: {problem}")),
        (None, None) => Err(format!(
            "{name}: is not {}",
            match written {
                Written::Auto => "hexadecimal or Base64",
                Written::Hex => "hexadecimal, which the options say it is",
                Written::Base64 => "Base64, which the options say it is",
                Written::Binary => "in a column of bytes, which the options say it is",
            }
        )),
    }
}

/// A public key.
pub fn key(value: Value<'_>, written: Written) -> Result<PublicKey, String> {
    if written == Written::Auto {
        let trimmed = value.bytes.trim_ascii_start();
        if trimmed.starts_with(b"-----BEGIN ") {
            fits(value, Column::Key)?;
            return encoding::read_public_key(trimmed)
                .map(|(key, _)| key)
                .map_err(|error| format!("key: {error}"));
        }
    }
    only(value, written, Column::Key, |bytes| {
        vec![key_of(bytes).map(|key| (key, "a key"))]
    })
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
pub fn digest(value: Value<'_>, written: Written) -> Result<[u8; 32], String> {
    only(value, written, Column::Digest, |bytes| {
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
    written: Written,
    form: Option<Form>,
) -> Result<Signature, String> {
    only(value, written, Column::Signature, |bytes| {
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
        match (form.map(SignatureForm::from), bytes.first(), bytes.len()) {
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

    /// What is a key or a digest in hexadecimal is none in Base64, and the other way about: their lengths differ, and DER,
    /// whose length varies, begins with a byte that the other reading never has.
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
        let base64 = text::decode_base64(b"3059").unwrap();
        assert_ne!(base64[0], 0x30);
        assert!(text::BASE64.encode([0x30, 0x59]).starts_with('M'));
    }

    #[test]
    fn plain_values_are_taken_as_told() {
        let text = |bytes| Value { bytes, text: true };
        let read = |bytes, encoding| {
            plain(text(bytes), encoding, Column::Message).map(|bytes| bytes.to_vec())
        };
        assert_eq!(read(b"6162", Plain::Text).unwrap(), b"6162");
        assert_eq!(read(b"6162", Plain::Hex).unwrap(), b"ab");
        assert_eq!(read(b"YWI=", Plain::Base64).unwrap(), b"ab");
        assert_eq!(read(b"", Plain::Hex).unwrap(), b"");
        assert!(read(b"616", Plain::Hex).is_err());
        assert!(read(b"xyz!", Plain::Base64).is_err());
    }
}
