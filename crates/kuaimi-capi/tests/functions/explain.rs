//! Why something was refused, in words.

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

fn text(sentence: Vec<u8>) -> String {
    String::from_utf8(sentence).expect("text")
}

#[test]
fn signatures_that_do_not_fit() {
    let (mut private, mut public, mut signing) = (null_mut(), null_mut(), null_mut());
    call!(kuaimi_sm2_private_key_generate(&mut private));
    call!(kuaimi_sm2_private_key_public_key(private, &mut public));
    // Under the empty identity.
    call!(kuaimi_sm2_signing_key_new(
        private,
        [0].as_ptr(),
        0,
        &mut signing
    ));
    let (mut signature, mut len, mut digest) = ([0; 64], 64, [0; 32]);
    call!(kuaimi_sm2_sign(
        signing,
        b"message".as_ptr(),
        7,
        KUAIMI_SIGNATURE_RAW,
        signature.as_mut_ptr(),
        &mut len
    ));
    let explain = |id: Option<&[u8]>, message: &[u8], form, signature: &[u8]| {
        let (id, id_len) = id.map_or((null(), 0), |id| (id.as_ptr(), id.len()));
        text(output!(|out, out_len| kuaimi_sm2_explain_signature(
            public,
            id,
            id_len,
            message.as_ptr(),
            message.len(),
            signature.as_ptr(),
            signature.len(),
            form,
            out,
            out_len
        )))
    };
    let raw = KUAIMI_SIGNATURE_RAW;
    assert_eq!(
        explain(None, b"message", raw, &signature),
        "it fits under the empty identity"
    );
    assert_eq!(
        explain(Some(b"x"), b"message", raw, &signature),
        "it fits under the empty identity"
    );
    assert_eq!(
        explain(Some(b""), b"message", raw, &signature),
        "the signature fits"
    );
    assert!(explain(Some(b""), b"message\n", raw, &signature).contains("it fits the message with"));
    assert!(explain(None, b"another", raw, &signature).contains("nothing that is often meant"));
    assert!(
        explain(None, b"message", KUAIMI_SIGNATURE_DER, &signature).len() > 10,
        "no DER"
    );

    call!(kuaimi_sm3_digest(
        b"message".as_ptr(),
        7,
        digest.as_mut_ptr()
    ));
    call!(kuaimi_sm2_sign_digest(
        signing,
        digest.as_ptr(),
        raw,
        signature.as_mut_ptr(),
        &mut len
    ));
    assert!(
        explain(None, b"message", raw, &signature).starts_with("it fits "),
        "the digest without Z"
    );
    let explain_digest = |signature: &[u8; 64]| {
        text(output!(|out, out_len| kuaimi_sm2_explain_digest_signature(
            public,
            digest.as_ptr(),
            signature.as_ptr(),
            64,
            raw,
            out,
            out_len
        )))
    };
    assert_eq!(explain_digest(&signature), "the signature fits");
    signature.rotate_left(32);
    assert_eq!(explain_digest(&signature), "it fits with r and s swapped");
    free!(
        kuaimi_sm2_signing_key_free(signing);
        kuaimi_sm2_public_key_free(public);
        kuaimi_sm2_private_key_free(private)
    );
}

#[test]
fn files_that_are_no_keys() {
    let private = |file: &[u8]| {
        text(output!(|out, len| kuaimi_sm2_explain_private_key(
            file.as_ptr(),
            file.len(),
            null(),
            0,
            out,
            len
        )))
    };
    let public = |file: &[u8]| {
        text(output!(|out, len| kuaimi_sm2_explain_public_key(
            file.as_ptr(),
            file.len(),
            out,
            len
        )))
    };
    assert!(private(&[7; 32]).starts_with("this is an SM2 private key: 32 bytes"));
    assert!(public(&kuaimi_point()).starts_with("this is an SM2 public key: 65 bytes"));
    let p256 =
        b"\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07";
    let spki = [
        b"\x30\x59".as_slice(),
        p256,
        b"\x03\x42\x00",
        &kuaimi_point(),
    ]
    .concat();
    assert!(public(&spki).contains("P-256"), "{}", public(&spki));
    let request = b"-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n";
    for sentence in [private(request), public(request)] {
        assert!(sentence.contains("certificate request"), "{sentence}");
    }
    assert!(
        private(b"-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n")
            .contains("public key")
    );
}

/// The point of the private key of 32 bytes 7.
fn kuaimi_point() -> [u8; 65] {
    let secret = kuaimi::sm2::PrivateKey::from_bytes(&[7; 32]).expect("in range");
    secret.public_key().to_sec1_bytes()
}
