//! The published examples of `vectors/`, as lines for the program `vectors`.

use serde_json::Value;

use super::library::root;

fn read(file: &str) -> Value {
    let path = root().join("../../vectors").join(file);
    let text = std::fs::read_to_string(path).expect("the vectors");
    serde_json::from_str(&text).expect("JSON")
}

/// A line with the kind and the fields, each `-` where there is none.
fn line(kind: &str, first: &[&str], example: &Value, fields: &[&str]) -> String {
    let fields = fields
        .iter()
        .map(|field| example[*field].as_str().unwrap_or("-"));
    let words: Vec<&str> = [kind]
        .into_iter()
        .chain(first.iter().copied())
        .chain(fields)
        .collect();
    words.join(" ")
}

fn examples(list: &Value) -> impl Iterator<Item = &Value> {
    let list = list.as_array().expect("a list");
    assert!(!list.is_empty());
    list.iter()
}

/// OpenSSL's examples, and those of RFC 8998 and of the draft on SM4 that others of our tests use.
pub fn lines() -> Vec<String> {
    let openssl = read("openssl.json");
    let modes = read("sm4_modes.json");
    let mut lines = Vec::new();
    for example in examples(&openssl["sm3"]) {
        lines.push(line("digest", &["SM3"], example, &["message", "digest"]));
    }
    for example in examples(&openssl["hmac_sm3"]) {
        lines.push(line("mac", &["SM3"], example, &["key", "message", "mac"]));
    }
    const CIPHER: [&str; 8] = [
        "name",
        "key",
        "iv",
        "aad",
        "tag",
        "plaintext",
        "ciphertext",
        "xts_standard",
    ];
    for example in examples(&openssl["sm4"]) {
        lines.push(line("cipher", &[], example, &CIPHER));
    }
    for example in examples(&modes["aead"]).chain(examples(&modes["feedback"])) {
        let mode = example["mode"].as_str().expect("a mode").to_uppercase();
        let nonce = if example["iv"].is_string() {
            "iv"
        } else {
            "nonce"
        };
        let fields = [
            "key",
            nonce,
            "associated_data",
            "tag",
            "plaintext",
            "ciphertext",
            "xts_standard",
        ];
        lines.push(line("cipher", &[&format!("SM4-{mode}")], example, &fields));
    }
    let key = openssl["sm2"]["private_key"].as_str().expect("a key");
    for example in examples(&openssl["sm2"]["signatures"]) {
        lines.push(line("verify", &[key], example, &["digest", "signature"]));
    }
    for example in examples(&openssl["sm2"]["ciphertexts"]) {
        lines.push(line("decrypt", &[key], example, &["ciphertext", "message"]));
    }
    lines
}
