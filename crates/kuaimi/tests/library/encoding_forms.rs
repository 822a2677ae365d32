//! Keys in the forms that people have them in, and what is said of things that are no keys:
//! `vectors/key_forms.json`, which the tests of the other doors read, too.

use crate::common::keys::*;
use kuaimi::encoding::{
    Error, FileKind, PrivateKeyStructure, TextEncoding, read_private_key, read_public_key,
};
use kuaimi::sm2::Signature;

fn read<T>(result: Result<T, Error>, same: impl Fn(&T) -> bool) -> String {
    match result {
        Ok(key) if same(&key) => "key".to_owned(),
        Ok(_) => "another key".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn forms_that_people_have() {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../../../../vectors/key_forms.json")).expect("JSON");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let (d, point) = (
        unhex(&text(&file["private_key"])),
        unhex(&text(&file["public_key"])),
    );
    let cases = file["cases"].as_array().expect("cases");
    assert!(cases.len() > 40);
    for case in cases {
        let input = unhex(&text(&case["input"]));
        let found = [
            read(private(&input), |key| key.to_bytes()[..] == d),
            read(public(&input), |key| key.to_sec1_bytes()[..] == point),
        ];
        for (found, kind) in found.iter().zip(["private", "public"]) {
            let wanted = text(&case[kind]);
            let fits = match wanted.as_str() {
                "key" => found == "key",
                words => found.contains(words),
            };
            assert!(fits, "{}, {kind}: {found:?}, not {wanted:?}", case["name"]);
        }
    }
}

#[test]
fn the_form_is_reported() {
    let d = secret().to_bytes();
    let digits = hex::encode(&d[..]);
    for (text, encoding, name) in [
        (
            format!("00{digits}"),
            TextEncoding::Hex,
            "32 bytes, hexadecimal",
        ),
        (
            base64(digits.as_bytes()),
            TextEncoding::HexInBase64,
            "32 bytes, hexadecimal in Base64",
        ),
    ] {
        let (key, form) = read_private_key(text.as_bytes(), None).expect("reads");
        assert_eq!(key.to_bytes(), d);
        assert_eq!((form.encoding, form.to_string().as_str()), (encoding, name));
    }
    let text = format!("priv:\n  00:{}\nASN1 OID: SM2\n", colons(&d[..]));
    let (key, form) = read_private_key(text.as_bytes(), None).expect("reads");
    assert_eq!(
        (key.to_bytes(), form.structure),
        (d, PrivateKeyStructure::OpensslText)
    );
    assert_eq!(form.to_string(), "what openssl -text prints, hexadecimal");
    assert_eq!(public(text.as_bytes()), Err(Error::NotAKey));
}

fn colons(bytes: &[u8]) -> String {
    let digits: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(":")
}

/// What looks like one of the forms and is not: nothing is guessed.
#[test]
fn damaged_forms_are_refused() {
    let d = secret().to_bytes();
    let digits = colons(&d[..]);
    // A zero left out before a colon, as a program writes that prints each byte without padding.
    let short = digits.replacen(":", ":1:", 1);
    refused(short.as_bytes(), Error::NotAKey);
    refused(format!("{}:", &digits[..94]).as_bytes(), Error::NotAKey);
    refused(
        format!("\"{}", hex::encode(&d[..])).as_bytes(),
        Error::NotAKey,
    );
    refused(&[&[1][..], &d[..]].concat(), Error::NotAKey);
    let length = |length| Err(Error::Sm2(kuaimi::sm2::Error::PrivateKeyLength(length)));
    let inner = |first| sec1(&[&[first][..], &d[..]].concat(), None, None);
    same(private(&inner(0)));
    assert_eq!(private(&inner(1)).map(|_| ()), length(33));
    // Two alphabets of Base64 in one text, and padding that is not whole.
    let der = element(0x30, &[&[2, 1, 0], &[0xfb; 60]]);
    let text = base64(&der);
    assert!(text.contains('+') || text.contains('/'));
    refused(format!("{text}-_-_").as_bytes(), Error::NotAKey);
    refused(format!("{}=", base64(&d[..])).as_bytes(), Error::NotAKey);
    // A dump that does not name its curve.
    let dump = format!("priv:\n  {digits}\n");
    refused(dump.as_bytes(), Error::ParametersMissing);
    refused(
        format!("priv:\n  {}\nASN1 OID: SM2\n", &digits[1..]).as_bytes(),
        Error::Hex,
    );
}

#[test]
fn explicit_parameters_are_compared_as_a_whole() {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../../../../vectors/key_forms.json")).expect("JSON");
    let case = file["cases"].as_array().and_then(|cases| {
        cases
            .iter()
            .find(|case| case["name"] == "explicit parameters of SM2")
    });
    let der = unhex(case.expect("the case")["input"].as_str().expect("a text"));
    // From the OID of prime fields to the order, each byte that is changed is another curve, or no
    // DER.
    let from = der
        .windows(7)
        .position(|oid| oid == unhex("2a8648ce3d0101"));
    let order = kuaimi::sm2::parameters::n();
    let to = der
        .windows(32)
        .position(|number| number == order)
        .expect("the order")
        + 32;
    assert!(private(&der).is_ok());
    for place in from.expect("the field")..to {
        let mut other = der.clone();
        other[place] ^= 1;
        assert!(private(&other).is_err(), "the byte at {place}");
    }
}

/// Signatures that are none: what they are is said.
#[test]
fn things_in_place_of_signatures() {
    let signature = Signature::from_bytes(&[0x11; 64]).expect("a signature");
    let mut device = [0; 128];
    device[32..64].copy_from_slice(&signature.r());
    device[96..].copy_from_slice(&signature.s());
    let der = signature.to_der();
    let read = |bytes: &[u8]| Signature::from_any_form(bytes).map(|_| ());
    assert_eq!(read(&device), Err(Error::Other(FileKind::SdfSignature)));
    for text in [
        hex::encode(der.as_bytes()),
        hex::encode(signature.to_bytes()),
    ] {
        assert_eq!(read(text.as_bytes()), Err(Error::Text(TextEncoding::Hex)));
    }
    assert_eq!(
        read(base64(der.as_bytes()).as_bytes()),
        Err(Error::Text(TextEncoding::Base64))
    );
    assert_eq!(
        read(pem("PUBLIC KEY", &[0; 40]).as_bytes()),
        Err(Error::NotASignature)
    );
    assert_eq!(read(&[0x11; 63]), Err(Error::NotASignature));
    assert!(read_public_key(der.as_bytes()) == Err(Error::Other(FileKind::Signature)));
}
