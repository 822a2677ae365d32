//! The published examples of SM4's modes.

use kuaimi::sm4::{Sm4Ccm, Sm4Cfb, Sm4Gcm, Sm4Ofb};
use serde_json::Value;

fn examples(kind: &str) -> Vec<Value> {
    let file: Value =
        serde_json::from_str(include_str!("../../../../vectors/sm4_modes.json")).expect("JSON");
    file[kind].as_array().expect("a list").clone()
}

fn bytes(example: &Value, name: &str) -> Vec<u8> {
    hex::decode(example[name].as_str().expect("text")).expect("hexadecimal")
}

fn array<const N: usize>(example: &Value, name: &str) -> [u8; N] {
    bytes(example, name).try_into().expect("so many bytes")
}

/// RFC 8998, appendix A.
#[test]
fn gcm_and_ccm() {
    let mut modes = Vec::new();
    for example in examples("aead") {
        let [nonce, beside, message] =
            ["nonce", "associated_data", "plaintext"].map(|name| bytes(&example, name));
        let sealed = [bytes(&example, "ciphertext"), bytes(&example, "tag")].concat();
        let (made, opened) = match example["mode"].as_str() {
            Some("gcm") => {
                let cipher = Sm4Gcm::new(&array(&example, "key"));
                (
                    cipher.seal(&nonce, &beside, &message),
                    cipher.open(&nonce, &beside, &sealed),
                )
            }
            Some("ccm") => {
                let cipher = Sm4Ccm::new(&array(&example, "key"));
                (
                    cipher.seal(&nonce, &beside, &message),
                    cipher.open(&nonce, &beside, &sealed),
                )
            }
            other => panic!("{other:?} is no mode"),
        };
        assert_eq!(made, Ok(sealed), "{example}");
        assert_eq!(opened, Ok(message), "{example}");
        modes.push(example["mode"].to_string());
    }
    assert_eq!(modes, ["\"gcm\"", "\"ccm\""]);
}

/// draft-ribose-cfrg-sm4-10, appendix A.2.
#[test]
fn ofb_and_cfb() {
    let examples = examples("feedback");
    assert_eq!(examples.len(), 4);
    for example in examples {
        let (key, iv): ([u8; 16], [u8; 16]) = (array(&example, "key"), array(&example, "iv"));
        let (plaintext, ciphertext) = (bytes(&example, "plaintext"), bytes(&example, "ciphertext"));
        let (mut made, mut opened) = (plaintext.clone(), ciphertext.clone());
        match example["mode"].as_str() {
            Some("ofb") => {
                Sm4Ofb::new(&key, &iv).apply(&mut made);
                Sm4Ofb::new(&key, &iv).apply(&mut opened);
            }
            Some("cfb") => {
                Sm4Cfb::new(&key, &iv).encrypt(&mut made);
                Sm4Cfb::new(&key, &iv).decrypt(&mut opened);
            }
            other => panic!("{other:?} is no mode"),
        }
        assert_eq!((made, opened), (ciphertext, plaintext), "{example}");
    }
}
