//! SM3 through the public interface: the standard's vectors, another implementation, and definitions.

use std::path::Path;

use kuaimi::sm3::{self, Sm3};

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
        .collect()
}

/// The annex examples of GB/T 32905-2016.
#[test]
fn standard_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/sm3_sm4.json");
    let file: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let vectors = file["sm3"].as_array().unwrap();
    assert!(vectors.len() >= 2);
    for vector in vectors {
        let message = unhex(vector["message"].as_str().unwrap());
        let expected = unhex(vector["digest"].as_str().unwrap());
        assert_eq!(sm3::digest(&message)[..], expected, "{vector}");
        let mut hash = Sm3::new();
        for byte in &message {
            hash.update(&[*byte]);
        }
        assert_eq!(hash.finalize()[..], expected, "byte by byte: {vector}");
    }
}
