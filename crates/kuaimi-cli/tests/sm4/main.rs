//! Files under keys and passwords, and bare modes with the openssl program on the other side.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod format;
mod keys;
mod raw;
mod tampering;

use common::{Lab, Ran, noise};
use kuaimi::encoding::KeyDerivation;
use kuaimi::sm3::hmac_sm3;
use kuaimi::sm4::{Sm4Gcm, Sm4Xts, XtsStandard};

const HEADER: usize = 80;
const CHUNK: usize = 64 << 10;
const SEALED: usize = CHUNK + 16;
const KEY: &str = "000102030405060708090a0b0c0d0e0f";
const IV: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

/// With key files `k` and `other`, passwords `pw` and `pw2`, and a file `m`.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("k", KEY);
    lab.write("other", [7; 16]);
    lab.write("pw", "correct horse\n");
    lab.write("pw2", "correct hors\n");
    lab.write("m", b"a message\n");
    lab
}

/// Decryption is refused with the one error, and leaves nothing.
#[track_caller]
fn refused(lab: &Lab, name: &str) -> Ran {
    let to_file = lab
        .sh(&format!("sm4 decrypt --key-file k --out never {name}"))
        .status(1);
    assert!(!lab.exists("never"), "{name}");
    let to_pipe = lab
        .sh(&format!("sm4 decrypt --key-file k {name}"))
        .status(1);
    assert!(to_pipe.stdout.is_empty(), "{name}");
    assert_eq!(to_file.stderr, to_pipe.stderr);
    to_file
}

/// The file that docs/sm4-file.md describes, made from its parts.
fn craft(kind_and_parameters: [u8; 7], salt: [u8; 32], master: &[u8], plain: &[u8]) -> Vec<u8> {
    let mut file = b"\x89KMSM4\r\n\x02".to_vec();
    file.extend(kind_and_parameters);
    file.extend(salt);
    let tag = hmac_sm3(master, &[b"Kuaimi SM4 file 2: header", &file[..]].concat());
    let derived = hmac_sm3(master, &[b"Kuaimi SM4 file 2: chunks", &file[..]].concat());
    file.extend(tag);
    let header = file.clone();
    let cipher = Sm4Gcm::from_slice(&derived[..16]).unwrap();
    let count = plain.len().div_ceil(CHUNK).max(1);
    for number in 0..count {
        let mut nonce = derived[16..23].to_vec();
        nonce.extend((number as u32).to_be_bytes());
        nonce.push(u8::from(number + 1 == count));
        let end = plain.len().min((number + 1) * CHUNK);
        let piece = &plain[number * CHUNK..end];
        file.extend(cipher.seal(&nonce, &header, piece).unwrap());
    }
    file
}
