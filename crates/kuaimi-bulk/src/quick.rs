//! The values that nearly all rows have, read without the trials of `decode`.
//!
//! Each function gives what `decode` gives, or nothing where it cannot know that cheaply; then
//! `decode` is asked. So each states why no other reading of the value is well-formed:
//!
//! - Bytes of a column for bytes that are not all ASCII are neither hexadecimal nor Base64.
//! - Text that ends with `=`, or begins with `M`, is not hexadecimal.
//! - Text of `2n` hexadecimal digits is Base64 of `⌊3n/2⌋` bytes, the first of which is not 0x30,
//!   as no digit is an `M`. So the Base64 reading is no DER, and its length must not be that of a
//!   point, a digest, or of `r ‖ s`.

use base64::Engine as _;
use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::Signature;

use crate::decode::Value;
use crate::options::Encoding;
use crate::text::BASE64;

/// Longer values are read by `decode`. A DER signature has at most 72 bytes.
const LONGEST: usize = 72;

/// The bytes of a value that has one reading.
struct Reading {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Reading {
    /// Nothing for hexadecimal digits that are also Base64 of one of the lengths in `ambiguous`.
    #[inline]
    fn of(value: Value<'_>, encoding: Encoding, ambiguous: &[usize]) -> Option<Self> {
        let mut out = Self {
            bytes: [0; LONGEST],
            len: 0,
        };
        let letters = value.bytes;
        let allowed = |way| encoding == Encoding::Auto || encoding == way;
        if !value.text {
            if !allowed(Encoding::Binary) || letters.len() > LONGEST || letters.is_ascii() {
                return None;
            }
            out.len = letters.len();
            out.bytes[..out.len].copy_from_slice(letters);
            return Some(out);
        }
        let (&first, &last) = (letters.first()?, letters.last()?);
        if last == b'=' || first == b'M' {
            if !allowed(Encoding::Base64) || letters.len() > LONGEST.div_ceil(3) * 4 {
                return None;
            }
            out.len = BASE64.decode_slice(letters, &mut out.bytes).ok()?;
            return Some(out);
        }
        if !allowed(Encoding::Hex)
            || letters.len() > 2 * LONGEST
            || !letters.len().is_multiple_of(2)
            || ambiguous.contains(&(letters.len() * 6 / 8))
        {
            return None;
        }
        out.len = letters.len() / 2;
        faster_hex::hex_decode(letters, &mut out.bytes[..out.len]).ok()?;
        Some(out)
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A signature.
#[inline]
pub fn signature(
    value: Value<'_>,
    encoding: Encoding,
    form: Option<SignatureForm>,
) -> Option<Signature> {
    let reading = Reading::of(value, encoding, &[64])?;
    let bytes = reading.as_slice();
    match (form, bytes) {
        // Bytes that may be both.
        (None, [0x30, ..]) if bytes.len() == 64 => None,
        (None | Some(SignatureForm::Raw), _) if bytes.len() == 64 => {
            Signature::from_slice(bytes).ok()
        }
        (None | Some(SignatureForm::Der), [0x30, ..]) => Signature::from_der(bytes).ok(),
        _ => None,
    }
}

/// The coordinates of a public key's point, which may be on the curve or not: `x ‖ y`, 32 bytes
/// each.
#[inline]
pub fn coordinates(value: Value<'_>, encoding: Encoding) -> Option<[u8; 64]> {
    let reading = Reading::of(value, encoding, &[33, 64, 65])?;
    match reading.as_slice() {
        [4, xy @ ..] if xy.len() == 64 => xy.try_into().ok(),
        xy => xy.try_into().ok(),
    }
}

/// A digest.
#[inline]
pub fn digest(value: Value<'_>, encoding: Encoding) -> Option<[u8; 32]> {
    let reading = Reading::of(value, encoding, &[32])?;
    reading.as_slice().try_into().ok()
}

#[cfg(test)]
mod tests {
    use kuaimi::sm2::{PrivateKey, PublicKey};

    use super::*;
    use crate::decode;

    const ENCODINGS: [Encoding; 4] = [
        Encoding::Auto,
        Encoding::Hex,
        Encoding::Base64,
        Encoding::Binary,
    ];

    /// Bytes that depend on `seed` alone.
    fn random(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed.wrapping_mul(2).wrapping_add(1);
        move || {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405);
            state >> 33
        }
    }

    /// Values as files have them, and the same with something altered.
    fn values(thing: &[u8], next: &mut impl FnMut() -> u64) -> Vec<Vec<u8>> {
        let hex: String = thing.iter().map(|byte| format!("{byte:02x}")).collect();
        let base64 = BASE64.encode(thing);
        let mut out = vec![
            thing.to_vec(),
            hex.clone().into_bytes(),
            hex.to_uppercase().into_bytes(),
            format!("0x{hex}").into_bytes(),
            base64.trim_end_matches('=').as_bytes().to_vec(),
            base64.replace('+', "-").replace('/', "_").into_bytes(),
            base64.into_bytes(),
        ];
        for i in 0..out.len() {
            let mut altered = out[i].clone();
            let place = next() as usize % altered.len().max(1);
            let letters = b"0aM=+ :x\x30\xff";
            match next() % 3 {
                0 => altered[place] = letters[next() as usize % letters.len()],
                1 => drop(altered.remove(place)),
                _ => altered.insert(place, letters[next() as usize % letters.len()]),
            }
            out.push(altered);
        }
        out
    }

    /// What is read quickly is what the whole rule gives; and what files have is read quickly.
    #[test]
    fn agrees_with_the_whole_rule() {
        let (mut read, mut next) = (0, random(1));
        for i in 1..=300u64 {
            let mut secret = [3; 32];
            secret[..8].copy_from_slice(&i.to_be_bytes());
            let secret = PrivateKey::from_bytes(&secret).unwrap();
            let key = secret.public_key();
            let mut raw = [0; 64];
            raw.fill_with(|| next() as u8);
            if i % 3 == 0 {
                // Short numbers, so that DER has the length of another thing.
                raw[..(i % 32) as usize].fill(0);
                raw[32..][..(i / 3 % 32) as usize].fill(0);
                raw[31] |= 1;
                raw[63] |= 1;
            }
            if i % 7 == 0 {
                raw[0] = 0x30;
            }
            let mut things = vec![
                raw.to_vec(),
                raw[..32].to_vec(),
                key.to_sec1_bytes().to_vec(),
                key.to_xy_bytes().to_vec(),
                key.to_compressed_bytes().to_vec(),
            ];
            if let Ok(signature) = Signature::from_slice(&raw) {
                things.push(signature.to_der().as_bytes().to_vec());
            }
            for value in things.iter().flat_map(|thing| values(thing, &mut next)) {
                for (encoding, text) in ENCODINGS.into_iter().flat_map(|e| [(e, true), (e, false)])
                {
                    let value = Value {
                        bytes: &value,
                        text,
                    };
                    for form in [None, Some(SignatureForm::Der), Some(SignatureForm::Raw)] {
                        if let Some(quick) = signature(value, encoding, form) {
                            read += 1;
                            let whole = decode::signature(value, encoding, form);
                            assert_eq!(whole, Ok(quick), "{value:?} {encoding:?} {form:?}");
                        }
                    }
                    if let Some(quick) = digest(value, encoding) {
                        read += 1;
                        assert_eq!(decode::digest(value, encoding), Ok(quick), "{value:?}");
                    }
                    if let Some(xy) = coordinates(value, encoding) {
                        read += 1;
                        let whole = decode::key(value, encoding).ok();
                        assert_eq!(PublicKey::from_xy_bytes(&xy).ok(), whole, "{value:?}");
                    }
                }
            }
        }
        assert!(read > 25_000, "{read}");
    }

    /// Text that is a signature in hexadecimal and another one in Base64: the row is malformed, so
    /// nothing is read quickly.
    #[test]
    fn text_with_two_readings_is_left_to_the_whole_rule() {
        let mut der = vec![0x30, 41, 2, 18];
        der.extend([0x11; 18]);
        der.extend([2, 19]);
        der.extend([0x11; 18]);
        der.push(0x1A);
        let text: String = der.iter().map(|byte| format!("{byte:02X}")).collect();
        assert!(Signature::from_der(&der).is_ok());
        let base64 = BASE64.decode(&text).unwrap();
        assert!(Signature::from_slice(&base64).is_ok());
        let value = Value {
            bytes: text.as_bytes(),
            text: true,
        };
        assert!(signature(value, Encoding::Auto, None).is_none());
        let fault = decode::signature(value, Encoding::Auto, None).unwrap_err();
        assert!(fault.reason.contains("two ways"), "{fault}");
    }

    /// What files have is read quickly.
    #[test]
    fn the_usual_forms_are_read_quickly() {
        let key = *PrivateKey::from_bytes(&[7; 32]).unwrap().public_key();
        let raw = [0x11; 64];
        let der = Signature::from_slice(&raw).unwrap().to_der();
        let hex =
            |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
        let value = |text: &str, read: &dyn Fn(Value<'_>) -> bool| {
            let bytes = text.as_bytes();
            assert!(read(Value { bytes, text: true }), "{text}");
        };
        for bytes in [raw.as_slice(), der.as_bytes()] {
            for text in [hex(bytes), hex(bytes).to_uppercase(), BASE64.encode(bytes)] {
                value(&text, &|value| {
                    signature(value, Encoding::Auto, None).is_some()
                });
            }
        }
        for bytes in [key.to_sec1_bytes().as_slice(), &key.to_xy_bytes()] {
            for text in [hex(bytes), BASE64.encode(bytes)] {
                value(&text, &|value| {
                    coordinates(value, Encoding::Auto) == Some(key.to_xy_bytes())
                });
            }
        }
        value(&hex(&[9; 32]), &|value| {
            digest(value, Encoding::Auto) == Some([9; 32])
        });
    }
}
