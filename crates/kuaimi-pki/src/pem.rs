//! Text: PEM (RFC 7468), blocks with labels between other text; and Base64 or hexadecimal alone.
//!
//! Lines may have any length. Many programs write 76 letters, or all in one line.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use der::pem;
use kuaimi::encoding::TextEncoding;

use crate::Error;
use crate::ber::SEQUENCE;

const BEGIN: &str = "-----BEGIN ";

/// The contents of the blocks in `bytes` whose label is one of `labels`; `bytes` itself if it is
/// DER; what Base64 or hexadecimal without a label stands for.
pub(crate) fn blocks(bytes: &[u8], labels: &[&str]) -> Result<Vec<Vec<u8>>, Error> {
    // A SEQUENCE: in text, the first byte would be the digit 0 before other digits.
    if bytes.first() == Some(&SEQUENCE) && !bytes.is_ascii() {
        return Ok(alloc::vec![bytes.to_vec()]);
    }
    let text = text(bytes).ok_or(Error::Encoding(kuaimi::encoding::Error::Base64))?;
    if !text.contains(BEGIN) {
        let none = Error::Argument("the text has no PEM block of this kind");
        return match TextEncoding::detect(text.as_bytes()) {
            found @ (TextEncoding::Base64 | TextEncoding::Hex | TextEncoding::HexInBase64) => {
                match found.decode(text.as_bytes()) {
                    // Words are letters of Base64, too: a structure begins with a SEQUENCE.
                    Ok(decoded) if decoded.first() == Some(&SEQUENCE) => {
                        Ok(alloc::vec![decoded.to_vec()])
                    }
                    _ => Err(none),
                }
            }
            _ => Err(none),
        };
    }
    let mut found = Vec::new();
    let mut rest: &str = &text;
    while let Some((_, after)) = rest.split_once(BEGIN) {
        let end = Error::Encoding(kuaimi::encoding::Error::PemEnd);
        let (label, after) = after.split_once("-----").ok_or(end.clone())?;
        let (body, after) = after
            .split_once(&alloc::format!("-----END {label}-----"))
            .ok_or(end)?;
        if labels.contains(&label) {
            found.push(decode(body)?);
        }
        rest = after;
    }
    if found.is_empty() {
        return Err(Error::Argument("the text has no PEM block of this kind"));
    }
    Ok(found)
}

/// As UTF-8, also from UTF-16 with a byte order mark, as some editors write it.
fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let wide = |read: fn([u8; 2]) -> u16, bytes: &[u8]| {
        let (units, rest) = bytes.as_chunks::<2>();
        let units: Vec<u16> = units.iter().map(|unit| read(*unit)).collect();
        rest.is_empty().then(|| String::from_utf16(&units).ok())?
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(u16::from_le_bytes, rest).map(Cow::Owned),
        [0xfe, 0xff, rest @ ..] => wide(u16::from_be_bytes, rest).map(Cow::Owned),
        [0xef, 0xbb, 0xbf, rest @ ..] => core::str::from_utf8(rest).ok().map(Cow::Borrowed),
        bytes => core::str::from_utf8(bytes).ok().map(Cow::Borrowed),
    }
}

/// The Base64 between two labels, without headers (RFC 1421).
fn decode(body: &str) -> Result<Vec<u8>, Error> {
    let lines = body.lines().filter(|line| !line.contains(':'));
    let letters: String = lines
        .flat_map(|line| line.chars().filter(|letter| !letter.is_whitespace()))
        .collect();
    let decoded = TextEncoding::Base64.decode(letters.as_bytes())?;
    Ok(decoded.to_vec())
}

/// `der` in PEM with `label`.
pub(crate) fn encode(label: &'static str, der: &[u8]) -> String {
    pem::encode_string(label, pem::LineEnding::LF, der).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_as_people_have_it() {
        let der = [0x30, 0x82, 1, 0xff, 0xee, 0xdd];
        let texts = [
            "MIIB/+7d",
            "-----BEGIN X-----\nMIIB/+7d\n-----END X-----\n",
            "-----BEGIN X-----\r\nMII\r\n B/+\r\n7d\r\n-----END X-----",
            "text\n-----BEGIN Y-----\n?\n-----END Y-----\n-----BEGIN X-----MIIB/+7d-----END X-----text",
            "\u{feff}-----BEGIN X-----\nA-Header: 1\n\nMIIB/+7d\n-----END X-----\n",
        ];
        for text in texts {
            assert_eq!(blocks(text.as_bytes(), &["X"]).unwrap(), [der], "{text}");
        }
        let wide: Vec<u8> = core::iter::once(0xfeff)
            .chain(texts[1].encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(blocks(&wide, &["X"]).unwrap(), [der]);
        assert_eq!(blocks(&der, &["X"]).unwrap(), [der]);
        for text in [
            "",
            "text",
            "-----BEGIN X-----\nMIIB/+7d\n",
            "-----BEGIN X",
            "-----BEGIN X-----\nMIIB/+7d\n-----END Y-----\n",
            "-----BEGIN X-----\n?\n-----END X-----\n",
            "-----BEGIN Y-----\nMIIB/+7d\n-----END Y-----\n",
        ] {
            assert!(blocks(text.as_bytes(), &["X"]).is_err(), "{text}");
        }
    }
}
