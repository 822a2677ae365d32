//! Bytes as text: hexadecimal and base64, found by looking and written on request.

use std::io;

use base64::Engine as _;
use clap::ValueEnum;
use kuaimi::encoding::TextEncoding;
use kuaimi_bulk::text::BASE64;
use zeroize::Zeroizing;

use crate::failure::{Failure, Result};

/// How bytes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    /// As they are.
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

    /// `bytes` in this encoding; text ends with a line end.
    pub fn encode(self, bytes: &[u8]) -> Zeroizing<Vec<u8>> {
        // With enough room from the start, no copy of a secret is left behind by growing.
        let mut out = Zeroizing::new(Vec::with_capacity(2 * bytes.len() + 5));
        self.append(bytes, &mut out);
        if self != Self::Binary {
            out.push(b'\n');
        }
        out
    }

    /// Appends `bytes` in this encoding, without a line end.
    pub fn append(self, bytes: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        match self {
            Self::Binary => out.extend_from_slice(bytes),
            Self::Hex => {
                out.resize(start + 2 * bytes.len(), 0);
                // The place is as long as it must be.
                let _ = hex::encode_to_slice(bytes, &mut out[start..]);
            }
            Self::Base64 => {
                out.resize(start + 4 * bytes.len().div_ceil(3), 0);
                let _ = BASE64.encode_slice(bytes, &mut out[start..]);
            }
        }
    }
}

/// What `bytes` are, if they are text as the library reads it for keys (see [`TextEncoding`]), else binary; and the bytes that they
/// stand for. (Keys, signatures and ciphertexts in binary have 32 bytes or more that look random: that all of them are such letters
/// does not happen.)
pub fn decode(bytes: &[u8]) -> Result<(Encoding, Zeroizing<Vec<u8>>), kuaimi::encoding::Error> {
    let (found, encoding) = match TextEncoding::detect(bytes) {
        found @ TextEncoding::Hex => (found, Encoding::Hex),
        found @ (TextEncoding::Base64 | TextEncoding::HexInBase64) => (found, Encoding::Base64),
        _ => (TextEncoding::Binary, Encoding::Binary),
    };
    Ok((encoding, found.decode(bytes)?))
}

/// The bytes that hexadecimal text stands for, if it is such.
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

/// Decodes a text of any length while it is read.
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
        let letters: Vec<u8> = self.pending.drain(..whole).collect();
        self.position = 0;
        self.decoded = if hex {
            hex::decode(&letters).map_err(|_| bad_text("the hexadecimal text is damaged"))?
        } else {
            BASE64
                .decode(&letters)
                .map_err(|_| bad_text("the base64 text is damaged"))?
        };
        Ok(())
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

/// Encodes while it writes. Call [`finish`](Self::finish) at the end.
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
            let rest = BASE64.encode(&self.pending);
            self.writer.write_all(rest.as_bytes())?;
            self.writer.write_all(b"\n")?;
        }
        Ok(self.writer)
    }
}

impl<W: io::Write> io::Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.encoding {
            Encoding::Binary => return self.writer.write(bytes),
            Encoding::Hex => self.writer.write_all(hex::encode(bytes).as_bytes())?,
            Encoding::Base64 => {
                self.pending.extend_from_slice(bytes);
                let whole = self.pending.len() / 3 * 3;
                let text = BASE64.encode(&self.pending[..whole]);
                self.writer.write_all(text.as_bytes())?;
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
    fn found_by_looking() {
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
