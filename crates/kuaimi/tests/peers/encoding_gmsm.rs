//! Keys, signatures and ciphertexts that go to and from the Go library emmansun/gmsm, in every form
//! that both have.

use crate::common::cases::{Cases, rounds};
use crate::common::gmsm::{Gmsm, Pbes, SHORTEST_OF_GMSM};
use kuaimi::encoding::{
    Cipher, EncodeEcPrivateKey, EncodePrivateKey, EncodePublicKey, Error, KeyDerivation,
    PasswordEncryption, Prf, PrivateKeyStructure, PublicKeyStructure, read_private_key,
    read_public_key,
};
use kuaimi::sm2::{CiphertextForm, PrivateKey, Signature, SigningKey, VerifyingKey};

fn secret(d: &[u8]) -> PrivateKey {
    PrivateKey::from_slice(d).expect("a private key in its range")
}

#[test]
fn keys_in_the_clear() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(21));
    for _ in rounds(10) {
        let d = cases.private_key();
        let key = secret(&d);
        let public = key.public_key().to_sec1_bytes();

        for (theirs, structure) in [
            (gmsm.pkcs8_encode(&d), PrivateKeyStructure::Pkcs8),
            (gmsm.sec1_encode(&d), PrivateKeyStructure::Sec1),
        ] {
            let (found, form) = read_private_key(&theirs, None).expect("reads");
            assert_eq!(
                (found.to_bytes()[..].as_ref(), form.structure),
                (&d[..], structure)
            );
        }
        let theirs = gmsm.spki_encode(&public);
        let (found, form) = read_public_key(&theirs).expect("reads");
        assert_eq!(
            (found, form.structure),
            (*key.public_key(), PublicKeyStructure::Spki)
        );

        let ours = key.to_pkcs8_der().expect("encodes");
        assert_eq!(gmsm.pkcs8_decode(ours.as_bytes()).expect("gmsm reads").d, d);
        let ours = key.to_sec1_der().expect("encodes");
        assert_eq!(gmsm.sec1_decode(ours.as_bytes()).expect("gmsm reads").d, d);
        let ours = key.public_key().to_public_key_der().expect("encodes");
        assert_eq!(
            gmsm.spki_decode(ours.as_bytes()).expect("gmsm reads"),
            public
        );
    }
}

#[test]
fn keys_under_a_password() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(22));
    let (d, password) = (cases.private_key(), "口令 and more".as_bytes());
    let key = secret(&d);
    for (cipher, their_cipher) in [
        (Cipher::Aes128Cbc, "aes-128-cbc"),
        (Cipher::Aes256Cbc, "aes-256-cbc"),
        (Cipher::Sm4Cbc, "sm4-cbc"),
    ] {
        for (prf, their_prf) in [
            (Prf::HmacSha1, "hmac-sha1"),
            (Prf::HmacSha256, "hmac-sha256"),
            (Prf::HmacSha512, "hmac-sha512"),
            (Prf::HmacSm3, "hmac-sm3"),
        ] {
            let encryption = PasswordEncryption::AES
                .with_cipher(cipher)
                .with_key_derivation(KeyDerivation::Pbkdf2 {
                    prf,
                    iterations: 2048,
                });
            let pbes = Pbes::Pbes2 {
                cipher: their_cipher,
                prf: their_prf,
            };
            let theirs = gmsm.pkcs8_encrypt(&d, password, pbes);
            let (found, form) = read_private_key(&theirs, Some(password)).expect("reads");
            assert_eq!(found.to_bytes()[..], d);
            assert_eq!(
                form.structure,
                PrivateKeyStructure::EncryptedPkcs8(encryption)
            );
            let wrong = read_private_key(&theirs, Some(b"x")).map(|_| ());
            assert_eq!(wrong, Err(Error::WrongPassword));

            let ours = key
                .to_encrypted_pkcs8_der(password, encryption, &mut getrandom::SysRng)
                .expect("encrypts");
            let read = gmsm.pkcs8_decrypt(&ours, password).expect("gmsm reads");
            assert_eq!(read.d, d);
        }
    }
}

/// GM/T 0091 names PBES2 and PBKDF2 anew.
#[test]
fn keys_under_a_password_by_gmt_0091() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(23));
    let d = cases.private_key();
    let theirs = gmsm.pkcs8_encrypt(&d, b"secret", Pbes::Gm);
    let (found, form) = read_private_key(&theirs, Some(b"secret")).expect("reads");
    assert_eq!(found.to_bytes()[..], d);
    let encryption = PasswordEncryption::SHANGMI.with_iterations(2048);
    assert_eq!(
        form.structure,
        PrivateKeyStructure::EncryptedPkcs8(encryption)
    );
}

#[test]
fn enveloped_keys() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(24));
    for _ in rounds(10) {
        let (d, recipient) = (cases.private_key(), cases.private_key());
        let (key, recipient_key) = (secret(&d), secret(&recipient));
        let theirs = gmsm.envelope_wrap(&recipient_key.public_key().to_sec1_bytes(), &d);
        let opened = recipient_key.open_enveloped_key(&theirs).expect("opens");
        assert_eq!(opened.to_bytes()[..], d);
        let ours = key
            .to_enveloped_key(recipient_key.public_key(), &mut getrandom::SysRng)
            .expect("wraps");
        let opened = gmsm.envelope_unwrap(&recipient, &ours).expect("gmsm opens");
        assert_eq!(opened.d, d);
    }
}

#[test]
fn signatures_in_der() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(25));
    for _ in rounds(40) {
        let (d, message) = (cases.private_key(), cases.message());
        let signer = SigningKey::new(secret(&d));
        let theirs = gmsm.sign(&d, None, &message);
        let signature = Signature::from_der(&theirs.der).expect("strict DER");
        assert_eq!(signature.to_bytes()[..], theirs.raw);
        assert_eq!(signature.to_der().as_bytes(), theirs.der);
        let verifier = VerifyingKey::new(*signer.public_key());
        assert_eq!(verifier.verify(&message, &signature), Ok(()));

        let ours = signer.sign(&message).expect("signs").to_der();
        let public = signer.public_key().to_sec1_bytes();
        assert!(gmsm.verify(&public, None, &message, ours.as_bytes()));
    }
}

#[test]
fn ciphertexts_in_every_form() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(26));
    for _ in rounds(20) {
        let (d, message) = (
            cases.private_key(),
            [vec![7; SHORTEST_OF_GMSM], cases.message()].concat(),
        );
        let key = secret(&d);
        let public = key.public_key().to_sec1_bytes();
        let ciphertext = key.public_key().encrypt(&message).expect("encrypts");
        for (form, theirs, prefix) in [
            (CiphertextForm::C1C3C2, "c1c3c2", true),
            (CiphertextForm::C1C2C3, "c1c2c3", true),
            (CiphertextForm::BareC1C3C2, "c1c3c2", false),
            (CiphertextForm::BareC1C2C3, "c1c2c3", false),
            (CiphertextForm::Der, "der", true),
        ] {
            let ours = ciphertext.to_bytes(form);
            let opened = gmsm
                .decrypt_as(&d, &ours, theirs, prefix)
                .expect("gmsm opens");
            assert_eq!(opened, message, "{form}");

            let made = gmsm.encrypt_as(&public, &message, theirs, "uncompressed", prefix);
            let (opened, found) = key.decrypt_bytes(&made).expect("opens");
            assert_eq!((&*opened, found), (&message, form));
            if prefix && form != CiphertextForm::Der {
                let made = gmsm.encrypt_as(&public, &message, theirs, "compressed", true);
                let (opened, found) = key.decrypt_bytes(&made).expect("opens");
                assert_eq!((&*opened, found), (&message, form));
            }
        }
    }
}
