//! How keys, signatures and digests may be written: what docs/verify-batch.md says is read, and
//! what it says is not.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use kuaimi::encoding::{EncodePublicKey, LineEnding};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_bulk::{Cell, Column, Options, Table, Values, Verdict, Verifier};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn verdict(key: &str, signature: &str) -> Verdict {
    let cell = |text: &str| [Cell::Text(0..text.len() as u32)];
    let (keys, messages, signatures) = (cell(key), cell("m"), cell(signature));
    let mut table = Table {
        rows: 1,
        ..Table::default()
    };
    for (column, text, cells) in [
        (Column::Key, key, &keys),
        (Column::Message, "m", &messages),
        (Column::Signature, signature, &signatures),
    ] {
        let bytes = text.as_bytes();
        table.columns[column as usize] = Values::Cells { bytes, cells };
    }
    Verifier::new(Options::new()).verify(&table).remove(0)
}

#[test]
fn what_is_read_and_what_is_not() {
    let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32]).unwrap());
    let (key, signature) = (signer.public_key(), signer.sign_deterministic(b"m"));
    let (point, raw) = (key.to_sec1_bytes(), signature.to_bytes());
    let with_first = |first: u8| hex(&[&[first], &point[1..]].concat());
    let odd = point[64] & 1;
    let (digits, letters) = (hex(&point), STANDARD.encode(point));
    let colons: Vec<&str> = (0..65).map(|i| &digits[2 * i..2 * i + 2]).collect();
    let (short, url) = (
        hex(&key.to_compressed_bytes()),
        URL_SAFE_NO_PAD.encode(point),
    );

    let spki = key
        .to_public_key_pem(LineEnding::LF)
        .expect("a key is written");
    for written in [
        &digits,
        &digits.to_uppercase(),
        &format!("{}{}", digits[..20].to_uppercase(), &digits[20..]),
        &format!("0x{digits}"),
        &format!(" 0X{}\r\n", colons.join(":")),
        &format!("{}\t{}", &digits[..3], &digits[3..]),
        &format!("{}:{}", &digits[..3], &digits[3..]),
        &digits[2..].to_owned(),
        &short,
        &with_first(6 + odd),
        &letters,
        &url,
        &format!("{}\n{}", &letters[..40], &letters[40..]),
        // What the library's detector reads besides.
        &format!("\"{digits}\""),
        &format!("\u{feff}{digits}"),
        &STANDARD.encode(&digits),
        &spki.replace('\n', "\\n"),
        &format!("\"{}\"", spki.replace('\n', "\\n")),
        &STANDARD.encode(&spki),
    ] {
        assert_eq!(verdict(written, &hex(&raw)), Verdict::Valid, "{written}");
    }
    for written in [
        // The other parity.
        with_first(7 - odd),
        with_first(5),
        digits[1..].to_owned(),
        format!("{digits}0"),
        format!("\"{digits}"),
        format!("{digits}h"),
        format!("{}-{}", &digits[..2], &digits[2..]),
        // Both alphabets; bits after the end.
        "+-".repeat(43),
        String::new(),
        ":".to_owned(),
    ] {
        assert!(
            matches!(verdict(&written, &hex(&raw)), Verdict::Malformed(_)),
            "{written}"
        );
    }
    for written in [
        hex(&raw).to_uppercase(),
        STANDARD.encode(raw),
        URL_SAFE_NO_PAD.encode(raw),
        hex(signature.to_der().as_bytes()),
    ] {
        assert_eq!(verdict(&digits, &written), Verdict::Valid, "{written}");
    }
}

/// What is no public key is named.
#[test]
fn other_things_are_named() {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../../../vectors/key_forms.json")).expect("JSON");
    for case in file["cases"].as_array().expect("cases") {
        let text = |name: &str| case[name].as_str().expect("a text").to_owned();
        let Ok(key) = String::from_utf8(unhex(&text("input"))) else {
            continue;
        };
        let wanted = text("public");
        match verdict(&key, &hex(&[0x11; 64])) {
            Verdict::Malformed(fault) => {
                assert!(fault.reason.contains(&wanted), "{fault} {wanted}")
            }
            _ => assert_eq!(wanted, "key", "{}", text("name")),
        }
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let byte = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal");
    (0..digits.len()).step_by(2).map(byte).collect()
}
