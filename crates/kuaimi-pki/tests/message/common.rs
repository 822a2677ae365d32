//! Certificates, keys and small helpers.

use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::Certificate;

pub const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/");

pub fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{FOLDER}{name}")).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub fn certificate(name: &str) -> Certificate {
    Certificate::read_all(&file(&format!("{name}.pem"))).expect("a certificate")[0].clone()
}

pub fn private_key(name: &str) -> PrivateKey {
    let key = kuaimi::encoding::read_private_key(&file(&format!("{name}.key")), None);
    key.expect("a key").0
}

pub fn identity(name: &str) -> (Certificate, SigningKey) {
    (certificate(name), SigningKey::new(private_key(name)))
}

/// `header(tag, length)` and the parts, for messages that the library does not write.
pub fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut out = vec![tag];
    match content.len() {
        length @ 0..=0x7f => out.push(length as u8),
        length @ 0x80..=0xff => out.extend([0x81, length as u8]),
        length @ 0x100..=0xffff => out.extend([0x82, (length >> 8) as u8, length as u8]),
        length => out.extend([
            0x83,
            (length >> 16) as u8,
            (length >> 8) as u8,
            length as u8,
        ]),
    }
    out.extend(content);
    out
}

/// All occurrences of `from`, of which there must be at least one.
pub fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut rest, mut found) = (bytes, 0);
    while let Some((&first, tail)) = rest.split_first() {
        if rest.starts_with(from) {
            out.extend(to);
            rest = &rest[from.len()..];
            found += 1;
        } else {
            out.push(first);
            rest = tail;
        }
    }
    assert!(found > 0, "nothing to replace");
    out
}
