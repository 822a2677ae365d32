//! Kuaimi against OpenSSL 3, in both directions. `tests/peers.rs` shows that the harness itself is
//! right.

use crate::common::cases::{Cases, ids, signature_from_der, signature_to_der};
use crate::common::certificate;
use crate::common::openssl::OpenSsl;
use kuaimi::sm2::{Error, PrivateKey, PublicKey, Signature, SigningKey, VerifyingKey};
use kuaimi::{sm2, sm3};

/// Each round starts the program several times.
const ROUNDS: usize = 24;

/// OpenSSL 3.0 refuses the standard's longest identity, of 8191 bytes.
const LONGEST_ID: usize = sm2::MAX_ID_LEN - 1;

/// A key of OpenSSL's making: its PEM, and ours, out of the 32 bytes that `ECPrivateKey` has in one
/// place.
fn key(openssl: &OpenSsl) -> (Vec<u8>, PrivateKey) {
    let pem = openssl.generate_key();
    let sec1 = openssl.sec1_der(&pem);
    (pem, PrivateKey::from_slice(&sec1[7..39]).unwrap())
}

#[test]
fn digests() {
    let (openssl, mut cases) = (OpenSsl::new(), Cases::new(101));
    for length in [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_001] {
        let data = cases.bytes(length);
        assert_eq!(openssl.sm3(&data), sm3::digest(&data), "{length} bytes");
    }
    for length in [1, 32, 64, 65, 200] {
        let (key, data) = (cases.bytes(length), cases.message());
        assert_eq!(
            openssl.hmac_sm3(&key, &data),
            sm3::hmac_sm3(&key, &data),
            "a key of {length} bytes"
        );
    }
}

#[test]
fn public_keys() {
    let openssl = OpenSsl::new();
    for _ in 0..ROUNDS {
        let (pem, secret) = key(&openssl);
        let public = *secret.public_key();
        let uncompressed = openssl.public_der(&pem);
        assert_eq!(
            uncompressed[uncompressed.len() - 65..],
            public.to_sec1_bytes()
        );
        let compressed = openssl.public_der_as(&pem, "compressed");
        assert_eq!(
            compressed[compressed.len() - 33..],
            public.to_compressed_bytes()
        );
        let hybrid = openssl.public_der_as(&pem, "hybrid");
        assert_eq!(
            PublicKey::from_sec1_bytes(&hybrid[hybrid.len() - 65..]),
            Ok(public)
        );
    }
}

#[test]
fn our_signatures_hold_before_openssl() {
    let (openssl, mut cases) = (OpenSsl::new(), Cases::new(102));
    let (pem, secret) = key(&openssl);
    let public = openssl.public_der(&pem);
    let mut ids = ids(LONGEST_ID);
    ids.push(Vec::new()); // OpenSSL takes an empty ID for what it is.
    for id in ids.iter().cycle().take(ROUNDS) {
        let signer = SigningKey::with_id(secret.clone(), id).unwrap();
        let message = cases.message();
        let der = signature_to_der(&signer.sign(&message).unwrap().to_bytes());
        assert!(openssl.verify(&public, id, &message, &der));
        assert!(!openssl.verify(&public, id, &cases.spoiled(&message), &der));
        assert!(!openssl.verify(&public, b"another", &message, &der));
    }
    let der = signature_to_der(&SigningKey::new(secret).sign(b"").unwrap().to_bytes());
    assert!(openssl.verify(&public, sm2::DEFAULT_ID, b"", &der));
}

#[test]
fn signatures_of_openssl_hold_before_us() {
    let (openssl, mut cases) = (OpenSsl::new(), Cases::new(103));
    let (pem, secret) = key(&openssl);
    let mut ids = ids(LONGEST_ID);
    ids.push(Vec::new());
    for id in ids.iter().cycle().take(ROUNDS) {
        let message = cases.message();
        let signature = signature_from_der(&openssl.sign(&pem, id, &message));
        let signature = Signature::from_bytes(&signature).unwrap();
        let key = VerifyingKey::with_id(*secret.public_key(), id).unwrap();
        assert_eq!(key.verify(&message, &signature), Ok(()));
        assert_eq!(
            key.verify(&cases.spoiled(&message), &signature),
            Err(Error::InvalidSignature)
        );
        let another = VerifyingKey::with_id(*key.public_key(), b"another").unwrap();
        assert_eq!(
            another.verify(&message, &signature),
            Err(Error::InvalidSignature)
        );
    }
}

#[test]
fn digests_signed_as_they_are() {
    let (openssl, mut cases) = (OpenSsl::new(), Cases::new(104));
    let (pem, secret) = key(&openssl);
    let (public, signer) = (openssl.public_der(&pem), SigningKey::new(secret));
    for e in [[0; 32], [0xFF; 32], cases.array(), cases.array()] {
        let ours = signer.sign_digest(&e).unwrap().to_bytes();
        assert!(
            openssl.verify_digest(&public, &e, &signature_to_der(&ours)),
            "{e:02x?}"
        );
        let theirs = signature_from_der(&openssl.sign_digest(&pem, &e));
        let theirs = Signature::from_bytes(&theirs).unwrap();
        assert_eq!(
            signer.verifying_key().verify_digest(&e, &theirs),
            Ok(()),
            "{e:02x?}"
        );
    }
}

#[test]
fn certificates() {
    let openssl = OpenSsl::new();
    let (pem, secret) = key(&openssl);
    for id in [sm2::DEFAULT_ID, b"", b"an issuer"] {
        let root = openssl.self_signed_certificate(&pem, id, "Kuaimi test root");
        let request =
            openssl.certificate_request(&openssl.generate_key(), b"leaf", "Kuaimi test leaf");
        let leaf = openssl.issue_certificate(&root, &pem, id, &request, b"leaf");
        let key = VerifyingKey::with_id(*secret.public_key(), id).unwrap();
        for (certificate, is_root) in [(root, true), (leaf, false)] {
            let parts = certificate::parts(&certificate);
            assert_eq!(parts.public_key == openssl.public_der(&pem), is_root);
            assert_eq!(parts.algorithm, "1.2.156.10197.1.501");
            let signature = Signature::from_bytes(&signature_from_der(&parts.signature)).unwrap();
            assert_eq!(key.verify(&parts.to_be_signed, &signature), Ok(()));
            let mut altered = parts.to_be_signed;
            altered[20] ^= 1;
            assert_eq!(
                key.verify(&altered, &signature),
                Err(Error::InvalidSignature)
            );
        }
    }
}
