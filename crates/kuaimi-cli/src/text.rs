//! Bytes as text: hexadecimal and base64, detected and written on request.
//!
//! | what | is read by | is written by |
//! | --- | --- | --- |
//! | what may be a secret | [`TextEncoding`], in constant time | `base16ct`, `base64ct`: [`Encoding::encode`], [`hex_of_secret`] |
//! | public data | `kuaimi_bulk::text`, fast | the same: [`hex`], [`Encoder`] |

use std::io;

use base64ct::Encoding as _;
use clap::ValueEnum;
use kuaimi::encoding::TextEncoding;
use kuaimi_bulk::text::{decode_base64, decode_digits, encode_base64, encode_hex};
use kuaimi_table::TextForm;
use zeroize::Zeroizing;

use crate::failure::{Failure, Result};

/// How bytes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    /// The bytes as they are.
    Binary,
    /// Two hexadecimal digits a byte, on one line.
    Hex,
    /// Base64 (RFC 4648), on one line.
    Base64,
}

impl Encoding {
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Hex => "hex",
            Self::Base64 => "base64",
        }
    }

    /// `bytes`, which may be a secret, in this encoding; text ends with a line end.
    pub fn encode(self, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
        let mut out = match self {
            Self::Binary => return Zeroizing::new(bytes.to_vec()),
            Self::Hex => {
                // With enough room from the start, no copy of a secret is left behind by growing.
                let mut out = Zeroizing::new(Vec::with_capacity(2 * bytes.len() + 1));
                out.resize(2 * bytes.len(), 0);
                // The place is as long as it must be.
                let _ = base16ct::lower::encode(bytes, &mut out);
                out
            }
            Self::Base64 => {
                let length = base64ct::Base64::encoded_len(bytes);
                let mut out = Zeroizing::new(Vec::with_capacity(length + 1));
                out.resize(length, 0);
                let _ = base64ct::Base64::encode(bytes, &mut out);
                out
            }
        };
        out.push(b'\n');
        out
    }
}

impl From<Encoding> for TextForm {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Binary => Self::Binary,
            Encoding::Hex => Self::Hex,
            Encoding::Base64 => Self::Base64,
        }
    }
}

/// Public bytes in hexadecimal.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    let mut out = Vec::new();
    encode_hex(bytes.as_ref(), &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// Bytes that are a secret, in hexadecimal.
pub fn hex_of_secret(bytes: impl AsRef<[u8]>) -> Zeroizing<String> {
    Zeroizing::new(base16ct::lower::encode_string(bytes.as_ref()))
}

/// The public bytes that hexadecimal digits, and nothing else, stand for.
pub fn digits(text: impl AsRef<[u8]>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    decode_digits(text.as_ref(), &mut out).then_some(out)
}

/// What `bytes` are, if they are text as the library reads it for keys (see [`TextEncoding`]), else
/// binary; and the bytes that they stand for. (Keys, signatures and ciphertexts in binary have 32
/// bytes or more that look random: that all of them are such letters does not happen.)
pub fn decode(bytes: &[u8]) -> Result<(Encoding, Zeroizing<Vec<u8>>), kuaimi::encoding::Error> {
    let (found, encoding) = match TextEncoding::detect(bytes) {
        found @ TextEncoding::Hex => (found, Encoding::Hex),
        found @ (TextEncoding::Base64 | TextEncoding::HexInBase64) => (found, Encoding::Base64),
        _ => (TextEncoding::Binary, Encoding::Binary),
    };
    Ok((encoding, found.decode(bytes)?))
}

/// The bytes, which may be a secret, that hexadecimal text stands for, if it is such.
pub fn decode_hex(text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    TextEncoding::Hex.decode(text).ok()
}

/// What an option gives as text, or its twin `-hex` in hexadecimal: nothing if neither was given.
pub fn text_or_hex(option: &str, text: Option<&str>, hex: Option<&str>) -> Result<Option<Vec<u8>>> {
    match (text, hex) {
        (_, Some("")) => Ok(Some(Vec::new())),
        (_, Some(digits)) => match decode_hex(digits.as_bytes()) {
            Some(bytes) => Ok(Some(bytes.to_vec())),
            None => Err(Failure::usage(format!(
                "{option}-hex: {digits:?} is not hexadecimal; give two digits for each byte"
            ))),
        },
        (Some(text), None) => Ok(Some(text.as_bytes().to_vec())),
        (None, None) => Ok(None),
    }
}

/// The encoding of a long text, from its first bytes.
pub fn sniff(head: &[u8]) -> Encoding {
    sniff_from(head, 32)
}

/// The same of a text of so many letters or more; less is binary.
pub fn sniff_from(head: &[u8], least: usize) -> Encoding {
    let mut letters = Zeroizing::new(Vec::with_capacity(head.len()));
    letters.extend(head.iter().filter(|letter| !letter.is_ascii_whitespace()));
    let letters = match letters.as_slice() {
        [b'0', b'x' | b'X', rest @ ..] => rest,
        all => all,
    };
    let all = |is: fn(&u8) -> bool| letters.len() >= least && letters.iter().all(is);
    if all(|letter| letter.is_ascii_hexdigit() || *letter == b':') {
        Encoding::Hex
    } else if all(|letter| letter.is_ascii_alphanumeric() || b"+/-_=".contains(letter)) {
        Encoding::Base64
    } else {
        Encoding::Binary
    }
}

/// Decodes a text of any length, of public data, while it is read.
pub struct Decoder<R> {
    reader: R,
    encoding: Encoding,
    /// Letters that do not make a whole group yet: of two in hexadecimal, of four in base64.
    pending: Vec<u8>,
    decoded: Vec<u8>,
    position: usize,
    started: bool,
    ended: bool,
}

impl<R: io::Read> Decoder<R> {
    pub fn new(reader: R, encoding: Encoding) -> Self {
        Self {
            reader,
            encoding,
            pending: Vec::new(),
            decoded: Vec::new(),
            position: 0,
            started: false,
            ended: false,
        }
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut buffer = vec![0; 64 << 10];
        let count = match self.reader.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            result => result?,
        };
        self.ended = count == 0;
        let hex = self.encoding == Encoding::Hex;
        for &letter in &buffer[..count] {
            match letter {
                letter if letter.is_ascii_whitespace() => {}
                b':' if hex => {}
                // The two alphabets of base64 differ in these.
                b'-' if !hex => self.pending.push(b'+'),
                b'_' if !hex => self.pending.push(b'/'),
                _ => self.pending.push(letter),
            }
        }
        if hex && !self.started && self.pending.len() >= 2 {
            self.started = true;
            if matches!(self.pending[..2], [b'0', b'x' | b'X']) {
                self.pending.drain(..2);
            }
        }
        let group = if hex { 2 } else { 4 };
        let whole = if self.ended {
            self.pending.len()
        } else {
            self.pending.len() / group * group
        };
        self.position = 0;
        self.decoded.clear();
        let letters = &self.pending[..whole];
        let (decoded, what) = match hex {
            _ if whole == 0 => (true, ""),
            true => (
                decode_digits(letters, &mut self.decoded),
                "the hexadecimal text is damaged",
            ),
            false => (
                decode_base64(letters, &mut self.decoded),
                "the base64 text is damaged",
            ),
        };
        self.pending.drain(..whole);
        if decoded { Ok(()) } else { Err(bad_text(what)) }
    }
}

fn bad_text(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl<R: io::Read> io::Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.encoding == Encoding::Binary {
            return self.reader.read(out);
        }
        while self.position == self.decoded.len() && !self.ended {
            self.refill()?;
        }
        let left = self.decoded.get(self.position..).unwrap_or_default();
        let count = left.len().min(out.len());
        out[..count].copy_from_slice(&left[..count]);
        self.position += count;
        Ok(count)
    }
}

/// Encodes public data while it writes. Call [`finish`](Self::finish) at the end.
pub struct Encoder<W> {
    writer: W,
    encoding: Encoding,
    /// Bytes that do not make a whole group of base64 yet.
    pending: Vec<u8>,
}

impl<W: io::Write> Encoder<W> {
    pub fn new(writer: W, encoding: Encoding) -> Self {
        Self {
            writer,
            encoding,
            pending: Vec::new(),
        }
    }

    /// Writes what is left, and a text's line end.
    pub fn finish(mut self) -> io::Result<W> {
        if self.encoding != Encoding::Binary {
            let mut rest = Vec::new();
            encode_base64(&self.pending, &mut rest);
            rest.push(b'\n');
            self.writer.write_all(&rest)?;
        }
        Ok(self.writer)
    }
}

impl<W: io::Write> io::Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.encoding {
            Encoding::Binary => return self.writer.write(bytes),
            Encoding::Hex => {
                let mut text = Vec::new();
                encode_hex(bytes, &mut text);
                self.writer.write_all(&text)?;
            }
            Encoding::Base64 => {
                self.pending.extend_from_slice(bytes);
                let whole = self.pending.len() / 3 * 3;
                let mut text = Vec::new();
                encode_base64(&self.pending[..whole], &mut text);
                self.writer.write_all(&text)?;
                self.pending.drain(..whole);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn encodings_are_detected() {
        let bytes: Vec<u8> = (0..=255).collect();
        let decode = |bytes: &[u8]| decode(bytes).unwrap();
        assert_eq!(*decode(&bytes).1, bytes);
        assert_eq!(decode(&bytes).0, Encoding::Binary);
        for encoding in [Encoding::Hex, Encoding::Base64] {
            let text = encoding.encode(&bytes);
            let (found, decoded) = decode(&text);
            assert_eq!((found, &*decoded), (encoding, &bytes));
            assert_eq!(sniff(&text), encoding);
        }
        assert_eq!(decode(b"0x12:AB\n cd").1.as_slice(), [0x12, 0xab, 0xcd]);
        assert_eq!(decode(b"_-8").1.as_slice(), [0xff, 0xef]);
        assert_eq!(decode(b"abc").0, Encoding::Base64);
        assert_eq!(decode(b"").0, Encoding::Binary);
    }

    /// A reader that gives a few bytes at a time, so that groups are cut everywhere.
    struct Dribble<'a>(&'a [u8]);

    impl io::Read for Dribble<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(out.len()).min(5);
            out[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn piece_by_piece() {
        for length in 0..100usize {
            let bytes: Vec<u8> = (0..length as u8).map(|i| i.wrapping_mul(37)).collect();
            for encoding in [Encoding::Binary, Encoding::Hex, Encoding::Base64] {
                let mut encoder = Encoder::new(Vec::new(), encoding);
                for piece in bytes.chunks(7) {
                    encoder.write_all(piece).unwrap();
                }
                let text = encoder.finish().unwrap();
                assert_eq!(text, *encoding.encode(&bytes));
                let mut decoded = Vec::new();
                Decoder::new(Dribble(&text), encoding)
                    .read_to_end(&mut decoded)
                    .unwrap();
                assert_eq!(decoded, bytes, "{encoding:?} {length}");
            }
        }
        for damaged in [
            (&b"abc"[..], Encoding::Hex),
            (b"ab!c", Encoding::Base64),
            (b"abcde", Encoding::Base64),
        ] {
            let mut out = Vec::new();
            assert!(
                Decoder::new(damaged.0, damaged.1)
                    .read_to_end(&mut out)
                    .is_err()
            );
        }
    }
}
