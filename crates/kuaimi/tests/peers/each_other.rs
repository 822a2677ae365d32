//! The peers check each other: the Go library emmansun/gmsm and OpenSSL must agree before either is
//! asked about Kuaimi, so that a failure in the tests against them is Kuaimi's own and not the
//! harness's.

use crate::common::certificate;
use crate::common::gmsm::{Gmsm, KeyPair, Party, Pbes, SHORTEST_OF_GMSM};
use crate::common::openssl::OpenSsl;

const DEFAULT_ID: &[u8] = b"1234567812345678";
const LONG_ID: &[u8] = &[0xA5; 300];
const BINARY_ID: &[u8] = &[0x00, 0xFF, 0x0A, 0x20, 0x3A];

/// Messages on both sides of SM3's block boundaries, and one longer than a pipe's buffer.
fn messages() -> impl Iterator<Item = Vec<u8>> {
    [1, 14, 31, 32, 33, 55, 56, 63, 64, 65, 1000, 100_000]
        .into_iter()
        .map(|length: usize| (0..length).map(|i| (i * 167 + length) as u8).collect())
}

/// A key made by OpenSSL, as OpenSSL keeps it and as gmsm reads it.
fn openssl_key(openssl: &OpenSsl, gmsm: &mut Gmsm) -> (Vec<u8>, KeyPair) {
    let pem = openssl.generate_key();
    let pair = gmsm
        .pkcs8_decode(&openssl.pkcs8_der(&pem))
        .expect("gmsm reads OpenSSL's PKCS#8");
    (pem, pair)
}

/// A bit changed in the middle.
fn spoiled(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bytes
}

#[test]
fn digests_agree() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    for message in messages().chain([Vec::new()]) {
        assert_eq!(
            openssl.sm3(&message),
            gmsm.sm3(&message),
            "{} bytes",
            message.len()
        );
        let key = message.get(..message.len().min(80)).unwrap_or_default();
        if !key.is_empty() {
            assert_eq!(
                openssl.hmac_sm3(key, &message),
                gmsm.hmac_sm3(key, &message),
                "{} bytes",
                message.len()
            );
        }
    }
}

#[test]
fn signatures_in_both_directions() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    let (pem, pair) = openssl_key(&openssl, &mut gmsm);
    let public = openssl.public_der(&pem);
    for id in [
        DEFAULT_ID,
        b"ALICE123@YAHOO.COM",
        b"TLSv1.3+GM+Cipher+Suite",
        LONG_ID,
        BINARY_ID,
    ] {
        for message in messages().step_by(3) {
            let signature = openssl.sign(&pem, id, &message);
            assert!(gmsm.verify(&pair.public, Some(id), &message, &signature));
            assert!(!gmsm.verify(&pair.public, Some(id), &spoiled(&message), &signature));
            assert!(!gmsm.verify(&pair.public, Some(b"another"), &message, &signature));

            let signature = gmsm.sign(&pair.d, Some(id), &message).der;
            assert!(openssl.verify(&public, id, &message, &signature));
            assert!(!openssl.verify(&public, id, &spoiled(&message), &signature));
            assert!(!openssl.verify(&public, b"another", &message, &signature));
        }
    }
}

#[test]
fn no_id_is_the_default_one_for_gmsm() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    let (pem, pair) = openssl_key(&openssl, &mut gmsm);
    let signature = openssl.sign(&pem, DEFAULT_ID, b"message digest");
    assert!(gmsm.verify(&pair.public, None, b"message digest", &signature));
    let signature = openssl.sign(&pem, b"", b"message digest");
    assert!(
        !gmsm.verify(&pair.public, None, b"message digest", &signature),
        "OpenSSL's empty ID is truly empty"
    );
}

#[test]
fn signatures_of_the_empty_message() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    let (pem, pair) = openssl_key(&openssl, &mut gmsm);
    assert!(gmsm.verify(
        &pair.public,
        None,
        b"",
        &openssl.sign(&pem, DEFAULT_ID, b"")
    ));
    assert!(openssl.verify(
        &openssl.public_der(&pem),
        DEFAULT_ID,
        b"",
        &gmsm.sign(&pair.d, None, b"").der
    ));
}

#[test]
fn signatures_of_a_digest() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    let (pem, pair) = openssl_key(&openssl, &mut gmsm);
    let public = openssl.public_der(&pem);
    for first in [0x00, 0x7F, 0x80, 0xFF] {
        // 0xFF… is above n: both must reduce it in the same way.
        let digest = [first; 32];
        let signature = openssl.sign_digest(&pem, &digest);
        assert!(gmsm.verify_digest(&pair.public, &digest, &signature));
        assert!(!gmsm.verify_digest(&pair.public, &spoiled(&digest), &signature));
        let signature = gmsm.sign_digest(&pair.d, &digest);
        assert_eq!(signature.raw.len(), 64);
        assert!(openssl.verify_digest(&public, &digest, &signature.der));
        assert!(!openssl.verify_digest(&public, &spoiled(&digest), &signature.der));
    }
}

#[test]
fn encryption_in_both_directions() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    let (pem, pair) = openssl_key(&openssl, &mut gmsm);
    let public = openssl.public_der(&pem);
    for message in messages() {
        // The standard asks for another nonce where the key stream is all zeros, one time in 256
        // for one byte; OpenSSL 3.0 does not do it.
        let ciphertext = std::iter::repeat_with(|| openssl.encrypt(&public, &message))
            .find(|ciphertext| message.len() > 1 || ciphertext.last() != message.last())
            .expect("one of many");
        assert_eq!(
            gmsm.decrypt(&pair.d, &ciphertext, "der").as_ref(),
            Ok(&message)
        );
        assert!(gmsm.decrypt(&pair.d, &spoiled(&ciphertext), "der").is_err());

        let message = [vec![7; SHORTEST_OF_GMSM], message].concat();
        let ciphertext = gmsm.encrypt(&pair.public, &message, "der");
        assert_eq!(openssl.decrypt(&pem, &ciphertext), Some(message));
        assert_eq!(openssl.decrypt(&pem, &spoiled(&ciphertext)), None);
    }
}

#[test]
fn plain_ciphertexts_of_gmsm_have_the_named_order() {
    let mut gmsm = Gmsm::start();
    let pair = gmsm.generate_key();
    let message = b"encryption standard";
    for (form, other) in [("c1c3c2", "c1c2c3"), ("c1c2c3", "c1c3c2")] {
        for prefix in [true, false] {
            let ciphertext = gmsm.encrypt_as(&pair.public, message, form, "uncompressed", prefix);
            assert_eq!(
                ciphertext.len(),
                64 + usize::from(prefix) + 32 + message.len()
            );
            assert_eq!(
                gmsm.decrypt_as(&pair.d, &ciphertext, form, prefix)
                    .as_deref(),
                Ok(message.as_slice())
            );
            assert!(
                gmsm.decrypt_as(&pair.d, &ciphertext, other, prefix)
                    .is_err()
            );
        }
        let ciphertext = gmsm.encrypt_as(&pair.public, message, form, "compressed", true);
        assert_eq!(ciphertext.len(), 33 + 32 + message.len());
        assert_eq!(
            gmsm.decrypt(&pair.d, &ciphertext, form).as_deref(),
            Ok(message.as_slice())
        );
    }
}

#[test]
fn keys_of_openssl_are_read_by_gmsm() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    for pem in [openssl.generate_key(), openssl.generate_key_by_curve()] {
        let pair = gmsm.pkcs8_decode(&openssl.pkcs8_der(&pem)).unwrap();
        assert_eq!(gmsm.key_from(&pair.d), pair);
        assert_eq!(
            gmsm.sec1_decode(&openssl.sec1_der(&pem)).as_ref(),
            Ok(&pair)
        );
        assert_eq!(
            gmsm.sec1_decode(&openssl.sec1_der_without_public(&pem))
                .as_ref(),
            Ok(&pair)
        );
        assert_eq!(
            gmsm.spki_decode(&openssl.public_der(&pem)).as_ref(),
            Ok(&pair.public)
        );
        let compressed = openssl.public_der_as(&pem, "compressed");
        assert_eq!(
            gmsm.decompress(&compressed[compressed.len() - 33..])
                .as_ref(),
            Ok(&pair.public)
        );
        for (cipher, prf) in [
            ("aes-256-cbc", "hmacWithSHA256"),
            ("aes-128-cbc", "hmacWithSHA512"),
            ("sm4-cbc", "hmacWithSHA256"),
        ] {
            let der = openssl.encrypt_key(&pem, "a password", cipher, prf);
            assert_eq!(
                gmsm.pkcs8_decrypt(&der, b"a password").as_ref(),
                Ok(&pair),
                "{cipher} {prf}"
            );
            assert!(gmsm.pkcs8_decrypt(&der, b"another").is_err());
        }
    }
}

#[test]
fn keys_of_gmsm_are_read_by_openssl() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    let pair = gmsm.generate_key();
    let pkcs8 = gmsm.pkcs8_encode(&pair.d);
    let expected = openssl.pkcs8_der(&pkcs8);
    assert_eq!(gmsm.pkcs8_decode(&expected).as_ref(), Ok(&pair));
    assert_eq!(openssl.pkcs8_der(&gmsm.sec1_encode(&pair.d)), expected);
    let spki = gmsm.spki_encode(&pair.public);
    assert_eq!(openssl.read_public(&spki).as_ref(), Some(&spki));
    assert_eq!(openssl.public_der(&pkcs8), spki);
    assert_eq!(
        openssl.read_public(&spoiled(&spki)),
        None,
        "a point off the curve"
    );
    for (cipher, prf) in [
        ("aes-256-cbc", "hmac-sha256"),
        ("aes-128-cbc", "hmac-sha512"),
        ("sm4-cbc", "hmac-sha256"),
    ] {
        let der = gmsm.pkcs8_encrypt(&pair.d, b"a password", Pbes::Pbes2 { cipher, prf });
        assert_eq!(
            openssl.decrypt_key(&der, "a password").as_ref(),
            Some(&expected),
            "{cipher} {prf}"
        );
        assert_eq!(openssl.decrypt_key(&der, "another"), None);
    }
}

/// What only gmsm reads is checked with itself; Kuaimi's own tests take over from here.
#[test]
fn forms_that_only_gmsm_has() {
    let mut gmsm = Gmsm::start();
    let pair = gmsm.generate_key();
    for pbes in [
        Pbes::Pbes2 {
            cipher: "sm4-cbc",
            prf: "hmac-sm3",
        },
        Pbes::Gm,
    ] {
        let der = gmsm.pkcs8_encrypt(&pair.d, b"a password", pbes);
        assert_eq!(
            gmsm.pkcs8_decrypt(&der, b"a password").as_ref(),
            Ok(&pair),
            "{pbes:?}"
        );
        assert!(gmsm.pkcs8_decrypt(&der, b"another").is_err());
    }
    let recipient = gmsm.generate_key();
    let envelope = gmsm.envelope_wrap(&recipient.public, &pair.d);
    assert_eq!(
        gmsm.envelope_unwrap(&recipient.d, &envelope).as_ref(),
        Ok(&pair)
    );
    assert!(gmsm.envelope_unwrap(&pair.d, &envelope).is_err());
}

#[test]
fn key_exchange_between_two_parties_of_gmsm() {
    let mut gmsm = Gmsm::start();
    let (a, b) = (gmsm.generate_key(), gmsm.generate_key());
    for key_length in [1, 16, 32, 48, 100] {
        let (initiator, ra) = gmsm.exchange_start(&Party {
            role: "initiator",
            d: &a.d,
            id: Some(b"Alice"),
            peer_public: &b.public,
            peer_id: Some(b"Bob"),
            key_length,
        });
        let (responder, rb) = gmsm.exchange_start(&Party {
            role: "responder",
            d: &b.d,
            id: Some(b"Bob"),
            peer_public: &a.public,
            peer_id: Some(b"Alice"),
            key_length,
        });
        let at_b = gmsm.exchange_respond(responder, &ra).unwrap();
        let at_a = gmsm
            .exchange_finish(initiator, &rb, Some(&at_b.confirmation))
            .unwrap();
        assert_eq!(at_a.key, at_b.key);
        assert_eq!(at_a.key.len(), key_length);
        assert_eq!(gmsm.exchange_check(responder, &at_a.confirmation), Ok(()));
    }
}

#[test]
fn certificates_of_openssl_hold_before_gmsm() {
    let (openssl, mut gmsm) = (OpenSsl::new(), Gmsm::start());
    let (pem, pair) = openssl_key(&openssl, &mut gmsm);
    for id in [DEFAULT_ID, BINARY_ID] {
        let certificate = openssl.self_signed_certificate(&pem, id, "Kuaimi test root");
        let parts = certificate::parts(&certificate);
        assert_eq!(parts.algorithm, "1.2.156.10197.1.501");
        assert_eq!(
            gmsm.spki_decode(&parts.public_key).as_ref(),
            Ok(&pair.public)
        );
        assert!(gmsm.verify(
            &pair.public,
            Some(id),
            &parts.to_be_signed,
            &parts.signature
        ));
        assert!(!gmsm.verify(
            &pair.public,
            Some(id),
            &spoiled(&parts.to_be_signed),
            &parts.signature
        ));

        let leaf_key = openssl.generate_key();
        let request = openssl.certificate_request(&leaf_key, b"leaf", "Kuaimi test leaf");
        assert!(openssl.verify_request(&request, b"leaf"));
        assert!(!openssl.verify_request(&request, DEFAULT_ID));
        let leaf = openssl.issue_certificate(&certificate, &pem, id, &request, b"leaf");
        assert!(openssl.verify_certificate(&certificate, &leaf, id));
        assert!(!openssl.verify_certificate(&certificate, &leaf, b"another"));
        let parts = certificate::parts(&leaf);
        assert!(gmsm.verify(
            &pair.public,
            Some(id),
            &parts.to_be_signed,
            &parts.signature
        ));
    }
}
