//! What is said of signatures that do not fit: each mistake that people make is made, and must be
//! named.

use crate::common::keys::{base64, secret};
use kuaimi::sm2::explain::{explain, explain_digest};
use kuaimi::sm2::{PrivateKey, PublicKey, Signature, SigningKey, VerifyingKey, identity_digest};
use kuaimi::sm3::digest;
use sha2::{Digest as _, Sha256};

const ID: &[u8] = b"1234567812345678";

fn signed(id: &[u8], message: &[u8]) -> Signature {
    SigningKey::with_id(secret(), id)
        .and_then(|key| key.sign(message))
        .expect("signs")
}

fn signed_digest(e: [u8; 32]) -> Signature {
    SigningKey::new(secret()).sign_digest(&e).expect("signs")
}

/// The words for a signature that was made otherwise than it is verified.
fn words(id: &[u8], message: &[u8], signature: &Signature) -> Option<String> {
    let key = *secret().public_key();
    let verifier = VerifyingKey::with_id(key, id).expect("an identity");
    assert!(verifier.verify(message, signature).is_err());
    explain(&[key], id, message, signature).map(|found| found.to_string())
}

#[track_caller]
fn says(id: &[u8], message: &[u8], signature: &Signature, expected: &str) {
    assert_eq!(words(id, message, signature).as_deref(), Some(expected));
}

#[test]
fn other_identities() {
    let message = b"a message";
    for (signer, verifier, expected) in [
        (&b""[..], ID, "it fits under the empty identity"),
        (
            ID,
            b"alice",
            "it fits under the default identity 1234567812345678",
        ),
        (
            b"alice",
            b"616c696365",
            "it fits under the identity that the given one is in hexadecimal",
        ),
        (
            b"616c696365",
            b"alice",
            "it fits under the given identity written in hexadecimal",
        ),
        (
            &[0x12, 0x34, 0x56, 0x78, 0x12, 0x34, 0x56, 0x78],
            b"alice",
            "it fits under the identity of the eight bytes 12 34 56 78 12 34 56 78: the default one was read as hexadecimal",
        ),
        (
            b"31323334353637383132333435363738",
            b"alice",
            "it fits under the identity 31323334353637383132333435363738: the default one written in hexadecimal",
        ),
        (
            b"alice\0",
            b"alice",
            "it fits under the given identity with a zero byte at its end",
        ),
        (
            b"alice\n",
            b"alice",
            "it fits under the given identity with a line feed at its end",
        ),
        (
            b"alice",
            b" alice\n",
            "it fits under the given identity without white space around it",
        ),
        (
            b"TLSv1.3+GM+Cipher+Suite",
            b"alice",
            "it fits under the identity of TLS 1.3, TLSv1.3+GM+Cipher+Suite",
        ),
        (
            b"ALICE123@YAHOO.COM",
            ID,
            "it fits under the identity of the standard's examples, ALICE123@YAHOO.COM",
        ),
    ] {
        let signature = signed(signer, message);
        says(verifier, message, &signature, expected);
        let found = explain(&[*secret().public_key()], verifier, message, &signature);
        assert_eq!(
            found.and_then(|found| found.identity(verifier)),
            Some(signer.to_vec())
        );
    }
}

#[test]
fn other_contents() {
    let text: &[u8] = b"one line\nand another";
    let crlf: &[u8] = b"one line\r\nand another";
    let hex = hex::encode(text);
    let fits = |signed_content: &[u8], message: &[u8], what: &str| {
        says(
            ID,
            message,
            &signed(ID, signed_content),
            &format!("it fits the {what}"),
        );
    };
    let with = |end: &[u8]| [text, end].concat();
    fits(&with(b"\n"), text, "message with a line feed at its end");
    fits(
        &with(b"\r\n"),
        text,
        "message with the line end CR LF after it",
    );
    fits(text, &with(b"\n"), "message without the line end after it");
    fits(
        text,
        &with(b"\r\n"),
        "message without the line end after it",
    );
    fits(crlf, text, "message with line ends CR LF in place of LF");
    fits(text, crlf, "message with line ends LF in place of CR LF");
    fits(
        text,
        &[b"  ", text, b" "].concat(),
        "message without white space around it",
    );
    fits(
        text,
        &[b"\xef\xbb\xbf", text].concat(),
        "message without its byte order mark",
    );
    fits(hex.as_bytes(), text, "message written in hexadecimal");
    fits(
        hex.to_ascii_uppercase().as_bytes(),
        text,
        "message written in hexadecimal, in upper case",
    );
    fits(
        text,
        hex.as_bytes(),
        "bytes that the message is in hexadecimal",
    );
    let encoded = base64(text);
    fits(encoded.as_bytes(), text, "message written in Base64");
    fits(
        text,
        encoded.as_bytes(),
        "bytes that the message is in Base64",
    );
    fits(
        &digest(text),
        text,
        "SM3 digest of the message: the signer hashed the message first",
    );
    fits(
        hex::encode(digest(text)).as_bytes(),
        text,
        "SM3 digest of the message, written in hexadecimal",
    );
    let sha256: [u8; 32] = Sha256::digest(text).into();
    says(
        ID,
        text,
        &signed(ID, &sha256),
        "it fits the SHA-256 digest of the message: the signer hashed the message first",
    );
    // Two things at once.
    says(
        ID,
        text,
        &signed(b"", hex.as_bytes()),
        "it fits the message written in hexadecimal under the empty identity",
    );
}

#[test]
fn digests_in_place_of_messages() {
    let message = b"a message";
    says(
        ID,
        message,
        &signed_digest(digest(message)),
        "it fits the SM3 digest of the message without the identity: the signer left Z out",
    );
    let e = VerifyingKey::new(*secret().public_key()).message_hash();
    let e = {
        let mut e = e;
        e.update(message);
        e.finalize()
    };
    let signature = signed(ID, message);
    says(
        ID,
        &e,
        &signature,
        "it fits if the message is the digest e itself",
    );
    let text = hex::encode(e);
    says(
        ID,
        text.as_bytes(),
        &signature,
        "it fits if the message is the digest e itself, in hexadecimal",
    );
    says(
        ID,
        message,
        &signed_digest(Sha256::digest(message).into()),
        "it fits the SHA-256 digest of the message without the identity",
    );
    // As OpenSSL computes it under SHA-256: Z, too, is a digest by it.
    let mut z = Sha256::new();
    z.update([0, 128]);
    z.update(ID);
    use kuaimi::sm2::parameters::{a, b, gx, gy};
    for part in [a(), b(), gx(), gy()] {
        z.update(part);
    }
    z.update(secret().public_key().to_xy_bytes());
    let e: [u8; 32] = Sha256::new()
        .chain_update(z.finalize())
        .chain_update(message)
        .finalize()
        .into();
    says(
        ID,
        message,
        &signed_digest(e),
        "it fits with SHA-256 in place of SM3",
    );
}

#[test]
fn other_readings_of_the_signature() {
    let message = b"a message";
    let signature = signed(b"", message);
    let reversed = |number: &[u8; 32]| {
        let mut out = *number;
        out.reverse();
        out
    };
    let (r, s) = (signature.r(), signature.s());
    let of = |r: [u8; 32], s: [u8; 32]| Signature::from_scalars(&r, &s);
    for (altered, words) in [
        (of(s, r), "with r and s swapped"),
        (
            of(reversed(&r), reversed(&s)),
            "with r and s read as little-endian numbers: their bytes are reversed",
        ),
        (
            of(reversed(&s), reversed(&r)),
            "with all 64 bytes of r and s reversed",
        ),
    ] {
        // Reversed, a number is out of range once in 2³² times.
        let altered = altered.expect("a signature");
        says(b"", message, &altered, &format!("it fits {words}"));
        says(
            ID,
            message,
            &altered,
            &format!("it fits under the empty identity {words}"),
        );
        let mut e = VerifyingKey::with_id(*secret().public_key(), b"")
            .expect("a key")
            .message_hash();
        e.update(message);
        let found = explain_digest(&[*secret().public_key()], &e.finalize(), &altered);
        assert_eq!(
            found.expect("a reason").to_string(),
            format!("it fits {words}")
        );
    }
}

#[test]
fn other_keys() {
    let message = b"a message";
    let key = *secret().public_key();
    let other = *PrivateKey::from_bytes(&[7; 32])
        .expect("a key")
        .public_key();
    let signature = signed(b"", message);
    let found = explain(&[other, other, key], ID, message, &signature).expect("a reason");
    assert_eq!(
        found.to_string(),
        "it fits under the empty identity under another key: number 2 of those given"
    );
    let mut negative = key.to_compressed_bytes();
    negative[0] ^= 1;
    let negative = PublicKey::from_sec1_bytes(&negative).expect("a point");
    let found = explain(&[negative], b"", message, &signature).expect("a reason");
    assert_eq!(
        found.to_string(),
        "it fits under the key with the other y-coordinate: the first byte of the compressed key is wrong"
    );
    assert_eq!(explain(&[], ID, message, &signature), None);
}

/// No reason is made up: for a signature that fits, for another message, for a large one; and
/// nothing that is too long is hashed.
#[test]
fn nothing_is_found_where_nothing_is() {
    let key = *secret().public_key();
    let signature = signed(ID, b"a message");
    assert_eq!(explain(&[key], ID, b"a message", &signature), None);
    assert_eq!(explain(&[key], ID, b"another message", &signature), None);
    assert_eq!(
        explain(&[key], &[7; 9000], b"another message", &signature),
        None
    );
    assert_eq!(explain_digest(&[key], &[9; 32], &signature), None);
    let e = identity_digest(ID, &key).expect("a digest");
    assert_eq!(explain_digest(&[key], &e, &signed_digest(e)), None);
}
