//! Signatures, ciphertexts and points.

use kuaimi::encoding::SignatureForm;
use kuaimi::encoding::sm9::KeyPackage;
use kuaimi::sm2::{self, CiphertextForm, PrivateKey, PublicKey};
use kuaimi::sm9::{self, G1Point, Mode};

use crate::identities::{encryption_master, signing_master};

pub fn check(data: &[u8]) {
    signatures(data);
    ciphertexts(data);
    points(data);
    of_sm9(data);
}

fn signatures(data: &[u8]) {
    let strict = sm2::Signature::from_der(data);
    if let Ok(signature) = strict {
        assert_eq!(signature.to_der().as_bytes(), data, "one encoding");
        assert_eq!(sm2::Signature::from_der_lenient(data), Ok(signature));
    }
    if let Ok(signature) = sm2::Signature::from_der_lenient(data) {
        let der = signature.to_der();
        assert_eq!(sm2::Signature::from_der(der.as_bytes()), Ok(signature));
    }
    if let Ok(signature) = sm2::Signature::from_slice(data) {
        assert_eq!(signature.to_bytes(), data);
    }
    if let Ok((signature, form)) = sm2::Signature::from_any_form(data) {
        assert_eq!(sm2::Signature::from_form(form, data), Ok(signature));
        assert_eq!(signature.to_form(form), data);
    }
    let _ = sm2::Signature::from_form(SignatureForm::Raw, data);
}

fn ciphertexts(data: &[u8]) {
    let secret = PrivateKey::from_bytes(&[7; 32]).expect("in range");
    let detected = CiphertextForm::detect(data);
    for &form in CiphertextForm::ALL {
        let Ok(ciphertext) = sm2::Ciphertext::from_bytes(form, data) else {
            continue;
        };
        let written = ciphertext.to_bytes(form);
        // A compressed or hybrid point is written uncompressed.
        let prefixed = matches!(form, CiphertextForm::C1C3C2 | CiphertextForm::C1C2C3);
        if !prefixed || data.first() == Some(&4) {
            assert_eq!(written, data, "one encoding in {form}");
        }
        let again = sm2::Ciphertext::from_bytes(form, &written).expect("what was written is read");
        assert_eq!(again, ciphertext);
        assert!(
            detected.contains(&form) || secret.decrypt(&ciphertext).is_err(),
            "{form} is not detected"
        );
    }
    if let Ok(ciphertext) = sm2::Ciphertext::from_der(data) {
        assert_eq!(sm2::Ciphertext::from_der_lenient(data), Ok(ciphertext));
    }
    let _ = secret.decrypt_bytes(data);
}

fn points(data: &[u8]) {
    if let Ok(key) = PublicKey::from_sec1_bytes(data) {
        for bytes in [&key.to_sec1_bytes()[..], &key.to_compressed_bytes()] {
            assert_eq!(PublicKey::from_sec1_bytes(bytes), Ok(key));
        }
        assert_eq!(PublicKey::from_xy_bytes(&key.to_xy_bytes()), Ok(key));
    }
    if let Ok(point) = G1Point::from_sec1_bytes(data) {
        for bytes in [&point.to_sec1_bytes()[..], &point.to_compressed_bytes()] {
            assert_eq!(G1Point::from_sec1_bytes(bytes), Ok(point));
        }
    }
    // With or without the prefix of an uncompressed point.
    if let Ok(point) = G1Point::from_slice(data) {
        assert_eq!(G1Point::from_bytes(&point.to_bytes()), Ok(point));
    }
    let _ = PrivateKey::from_slice(data);
}

fn of_sm9(data: &[u8]) {
    if let Ok(signature) = sm9::Signature::from_der(data) {
        let der = signature.to_der();
        assert_eq!(sm9::Signature::from_der(&der), Ok(signature));
    }
    if let Ok(signature) = sm9::Signature::from_slice(data) {
        let again = sm9::Signature::from_bytes(&signature.to_bytes());
        assert_eq!(again, Ok(signature));
    }
    for &mode in Mode::ALL {
        if let Ok(ciphertext) = sm9::Ciphertext::from_bytes(mode, data) {
            let again = sm9::Ciphertext::from_bytes(mode, &ciphertext.to_bytes());
            assert_eq!(again.as_ref(), Ok(&ciphertext));
            let der = ciphertext.to_der();
            assert_eq!(sm9::Ciphertext::from_der(&der).as_ref(), Ok(&ciphertext));
        }
    }
    if let Ok(ciphertext) = sm9::Ciphertext::from_der(data) {
        let again = sm9::Ciphertext::from_der(&ciphertext.to_der());
        assert_eq!(again, Ok(ciphertext));
    }
    let _ = sm9::MasterSigningPublicKey::from_slice(data);
    let _ = sm9::MasterEncryptionPublicKey::from_slice(data);
    if let Ok(package) = KeyPackage::from_der(data) {
        let again = KeyPackage::from_der(&package.to_der()).expect("what was written is read");
        assert_eq!((&again.key, again.c), (&package.key, package.c));
    }
    if let Ok(point) = G1Point::from_der(data) {
        assert_eq!(G1Point::from_der(&point.to_der()), Ok(point));
    }
    let _ = sm9::MasterSigningKey::from_der(data);
    let _ = sm9::MasterEncryptionKey::from_der(data);
    let _ = sm9::MasterSigningPublicKey::from_der(data);
    let _ = sm9::MasterEncryptionPublicKey::from_der(data);
    let _ = sm9::SigningKey::from_der(data, "alice", signing_master().public_key());
    let _ = sm9::DecryptionKey::from_der(data, "bob", encryption_master().public_key());
}
