//! Keys put together by hand, as DER and as text, and what is read from them.

#![allow(
    dead_code,
    reason = "each test program uses its own part of this module"
)]

use kuaimi::encoding::{Error, read_private_key, read_public_key};
use kuaimi::sm2::{PrivateKey, PublicKey};

/// `id-ecPublicKey` with SM2's curve.
pub(crate) const ALGORITHM: &str = "301306072a8648ce3d020106082a811ccf5501822d";

pub(crate) fn secret() -> PrivateKey {
    let d = "3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8";
    PrivateKey::from_slice(&hex::decode(d).expect("hexadecimal")).expect("a private key")
}

pub(crate) fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let mut out = vec![tag];
    match body.len() {
        length @ 0..0x80 => out.push(length as u8),
        length @ 0x80..0x100 => out.extend([0x81, length as u8]),
        length => out.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    out.extend(body);
    out
}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    hex::decode(text).expect("hexadecimal")
}

pub(crate) fn sec1(d: &[u8], parameters: Option<&[u8]>, public: Option<&[u8]>) -> Vec<u8> {
    let parameters = parameters.map_or(vec![], |curve| element(0xa0, &[curve]));
    let public = public.map_or(vec![], |point| {
        element(0xa1, &[&element(3, &[&[0], point])])
    });
    element(0x30, &[&[2, 1, 1], &element(4, &[d]), &parameters, &public])
}

pub(crate) fn pkcs8(version: u8, algorithm: &[u8], key: &[u8], more: &[u8]) -> Vec<u8> {
    element(
        0x30,
        &[&[2, 1, version], algorithm, &element(4, &[key]), more],
    )
}

pub(crate) fn spki(algorithm: &[u8], point: &[u8]) -> Vec<u8> {
    element(0x30, &[algorithm, &element(3, &[&[0], point])])
}

pub(crate) fn private(bytes: &[u8]) -> Result<PrivateKey, Error> {
    read_private_key(bytes, None).map(|(key, _)| key)
}

pub(crate) fn public(bytes: &[u8]) -> Result<PublicKey, Error> {
    read_public_key(bytes).map(|(key, _)| key)
}

pub(crate) fn same(found: Result<PrivateKey, Error>) {
    assert_eq!(
        found.expect("a private key").to_bytes(),
        secret().to_bytes()
    );
}

pub(crate) fn refused(bytes: &[u8], reason: Error) {
    assert_eq!(private(bytes).map(|_| ()), Err(reason));
}

pub(crate) fn pem(label: &str, der: &[u8]) -> String {
    let body = base64(der);
    let lines: Vec<_> = body
        .as_bytes()
        .chunks(64)
        .map(|line| String::from_utf8_lossy(line))
        .collect();
    format!(
        "-----BEGIN {label}-----\n{}\n-----END {label}-----\n",
        lines.join("\n")
    )
}

/// Base64, as RFC 4648 defines it.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for i in 0..4 {
            out.push(if i <= chunk.len() {
                char::from(ALPHABET[(bits >> (18 - 6 * i)) as usize & 63])
            } else {
                '='
            });
        }
    }
    out
}
