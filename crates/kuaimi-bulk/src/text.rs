//! Bytes that are written as text, hexadecimal and Base64: the fast reader and writer, for public
//! data only. What may be a secret is read by [`TextEncoding`](kuaimi::encoding::TextEncoding),
//! whose time and addresses do not depend on it.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use zeroize::Zeroizing;

/// Base64 (RFC 4648), read with padding or without it.
pub(crate) const BASE64: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LAX);
const BASE64_URL: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LAX);
const LAX: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);

/// Appends the bytes that Base64 text stands for, in one alphabet or the other. False, and `out` as
/// it was, where it stands for none. White space does not count.
///
/// ```
/// let mut out = Vec::new();
/// assert!(kuaimi_bulk::text::decode_base64(b"S3Vh aW1p", &mut out));
/// assert_eq!(out, b"Kuaimi");
/// assert!(!kuaimi_bulk::text::decode_base64(b"?", &mut out));
/// ```
pub fn decode_base64(text: &[u8], out: &mut Vec<u8>) -> bool {
    let stripped;
    let letters = if has_space(text) {
        stripped = without_space(text);
        &stripped
    } else {
        text
    };
    if letters.is_empty() {
        return false;
    }
    let before = out.len();
    [&BASE64, &BASE64_URL].into_iter().any(|engine| {
        let decoded = engine.decode_vec(letters, out).is_ok();
        if !decoded {
            out.truncate(before);
        }
        decoded
    })
}

/// Appends the bytes that hexadecimal text stands for. False, and `out` as it was, where it stands
/// for none. White space, colons and a leading `0x` do not count.
///
/// ```
/// let mut out = Vec::new();
/// assert!(kuaimi_bulk::text::decode_hex(b"0x4b:75", &mut out));
/// assert_eq!(out, b"Ku");
/// assert!(!kuaimi_bulk::text::decode_hex(b"4b7", &mut out));
/// ```
pub fn decode_hex(text: &[u8], out: &mut Vec<u8>) -> bool {
    if decode_digits(text, out) {
        return true;
    }
    let mut digits = without_space(text);
    digits.retain(|&letter| letter != b':');
    if let [b'0', b'x' | b'X', ..] = digits[..] {
        digits.drain(..2);
    }
    digits.len() != text.len() && decode_digits(&digits, out)
}

/// Appends the bytes that hexadecimal digits stand for, and nothing else. False, and `out` as it
/// was, for any other text.
pub fn decode_digits(digits: &[u8], out: &mut Vec<u8>) -> bool {
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return false;
    }
    let before = out.len();
    out.resize(before + digits.len() / 2, 0);
    let decoded = faster_hex::hex_decode(digits, &mut out[before..]).is_ok();
    if !decoded {
        out.truncate(before);
    }
    decoded
}

/// Appends `bytes` as hexadecimal digits, in lower case.
///
/// ```
/// let mut out = Vec::new();
/// kuaimi_bulk::text::encode_hex(b"Ku", &mut out);
/// assert_eq!(out, b"4b75");
/// ```
pub fn encode_hex(bytes: &[u8], out: &mut Vec<u8>) {
    let before = out.len();
    out.resize(before + 2 * bytes.len(), 0);
    // The place is as long as it must be.
    let _ = faster_hex::hex_encode(bytes, &mut out[before..]);
}

/// Appends `bytes` in Base64, in the usual alphabet and with padding.
///
/// ```
/// let mut out = Vec::new();
/// kuaimi_bulk::text::encode_base64(b"Ku", &mut out);
/// assert_eq!(out, b"S3U=");
/// ```
pub fn encode_base64(bytes: &[u8], out: &mut Vec<u8>) {
    let before = out.len();
    out.resize(before + 4 * bytes.len().div_ceil(3), 0);
    let _ = BASE64.encode_slice(bytes, &mut out[before..]);
}

fn has_space(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_whitespace)
}

/// Wiped when dropped, as the text may be of a key.
fn without_space(text: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(Vec::with_capacity(text.len()));
    out.extend(text.iter().filter(|letter| !letter.is_ascii_whitespace()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_in_every_form_and_length() {
        for length in 0..200usize {
            let bytes: Vec<u8> = (0..length).map(|i| (i * 37 + length) as u8).collect();
            let lower: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let mut written = vec![9];
            encode_hex(&bytes, &mut written);
            assert_eq!(&written[1..], lower.as_bytes());
            for text in [
                lower.clone(),
                lower.to_uppercase(),
                format!("0x{lower}"),
                format!(" {lower}\n"),
                bytes.iter().map(|byte| format!("{byte:02X}:")).collect(),
            ] {
                let mut out = vec![9];
                assert_eq!(decode_hex(text.as_bytes(), &mut out), length > 0, "{text}");
                assert_eq!(&out[1..], bytes, "{text}");
            }
            // A letter that is no digit, at each place.
            for place in 0..lower.len() {
                for letter in [b'g', b'/', b'@', b'`', 0, 0x80, 0xb0, 0xff] {
                    let mut text = lower.clone().into_bytes();
                    text[place] = letter;
                    let mut out = vec![9];
                    assert!(!decode_hex(&text, &mut out), "{text:?}");
                    assert_eq!(out, [9]);
                }
            }
        }
        for text in ["", "0x", "0", "abc", ":", "0x0", "00x0"] {
            assert!(!decode_hex(text.as_bytes(), &mut Vec::new()), "{text}");
        }
    }

    #[test]
    fn base64_in_both_alphabets() {
        let mut out = Vec::new();
        assert!(decode_base64(b"+/8=", &mut out) && decode_base64(b"-_8", &mut out));
        assert_eq!(out, [0xfb, 0xff, 0xfb, 0xff]);
        for text in ["", " ", "+_8=", "A", "====", "AA\u{e9}="] {
            assert!(!decode_base64(text.as_bytes(), &mut out), "{text}");
            assert_eq!(out.len(), 4);
        }
    }
}
