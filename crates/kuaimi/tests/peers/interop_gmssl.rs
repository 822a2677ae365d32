//! SM9 and SM2 against GmSSL's own code, in both directions: keys under passwords, signatures,
//! ciphertexts; and that both sides refuse what was altered.

use crate::common::cases::{Cases, ids, signature_from_der, signature_to_der};
use crate::common::gmssl::{Gmssl, VERSIONS, WITH_SIGNATURES, octets};
use getrandom::SysRng;
use kuaimi::encoding::sm9::{Key, KeyKind, read_key};
use kuaimi::encoding::{self, EncodePrivateKey, PasswordEncryption};
use kuaimi::precompute::Precompute;
use kuaimi::sm9::{
    Ciphertext, DecryptOptions, DecryptionKey, EncryptOptions, Error, MasterEncryptionKey,
    MasterSigningKey, Mode, Signature, SigningKey,
};
use kuaimi::{sm2, sm9};
use serde_json::{Value, json};

const PASSWORD: &[u8] = "a password, 口令".as_bytes();

/// GmSSL reads no other scheme, and from 3.2 on none with fewer iterations; its own 65,536 would
/// only take their time.
const SCHEME: PasswordEncryption = PasswordEncryption::SHANGMI.with_iterations(10_000);

/// Four master keys: one with bytes of zero in front, one with a first byte that needs another in
/// DER, and two like any.
fn master_keys(cases: &mut Cases) -> [[u8; 32]; 4] {
    let mut keys = [(); 4].map(|()| cases.array());
    keys[0][..3].fill(0);
    keys[1][0] = 0x80;
    for key in &mut keys[2..] {
        key[0] &= 0x7F;
    }
    keys
}

fn identities(cases: &mut Cases) -> [Vec<u8>; 4] {
    [
        b"Alice".to_vec(),
        "快密@例子".as_bytes().to_vec(),
        vec![0],
        cases.bytes(200),
    ]
}

/// A private key of ours, as GmSSL takes it.
fn give(gmssl: &mut Gmssl, kind: &str, encrypted: Result<Vec<u8>, encoding::Error>) -> Value {
    let der = hex::encode(encrypted.expect("it encrypts"));
    let fields = json!({"kind": kind, "der": der, "password": hex::encode(PASSWORD)});
    gmssl.ask("sm9_read_der", fields)["handle"].clone()
}

fn give_signing(gmssl: &mut Gmssl, key: &SigningKey) -> Value {
    let encrypted = key.to_encrypted_pkcs8_der(PASSWORD, SCHEME, &mut SysRng);
    give(gmssl, "sign user", encrypted)
}

fn give_encryption(gmssl: &mut Gmssl, key: &DecryptionKey) -> Value {
    let encrypted = key.to_encrypted_pkcs8_der(PASSWORD, SCHEME, &mut SysRng);
    give(gmssl, "encrypt user", encrypted)
}

/// A master public key of ours, as GmSSL takes it.
fn give_public(gmssl: &mut Gmssl, kind: &str, pem: Result<String, encoding::Error>) -> Value {
    let fields = json!({"kind": kind, "pem": pem.expect("PEM")});
    gmssl.ask("sm9_public_read", fields)["handle"].clone()
}

/// A private key of GmSSL's, which it writes in DER and in PEM.
fn take(gmssl: &mut Gmssl, handle: &Value, kind: KeyKind) -> Key {
    let fields = json!({"handle": handle, "password": hex::encode(PASSWORD)});
    let der = octets(&gmssl.ask("sm9_write_der", fields.clone()), "der");
    let pem = gmssl.ask("sm9_write_pem", fields)["pem"].clone();
    let pem = pem.as_str().expect("PEM").as_bytes();
    assert_eq!(
        read_key(&der, Some(b"another")).err(),
        Some(encoding::Error::WrongPassword)
    );
    let [key, _] =
        [&der[..], pem].map(|file| {
            let (key, form) = read_key(file, Some(PASSWORD)).expect("a key of GmSSL's");
            assert!(form.to_string().starts_with(
                "encrypted PKCS#8 (SM4-CBC, PBKDF2 with HMAC-SM3 and 65536 iterations)"
            ));
            assert_eq!(key.kind(), kind);
            // The same key in both, which is the one that GmSSL holds.
            let inner = octets(&gmssl.ask("sm9_inner", json!({"handle": handle})), "der");
            assert!(pkcs8_of_any(&key).ends_with(&inner));
            key
        });
    key
}

fn pkcs8_of_any(key: &Key) -> Vec<u8> {
    match key {
        Key::MasterSigning(key) => pkcs8(key),
        Key::MasterEncryption(key) => pkcs8(key),
        Key::UserSigning(key) => pkcs8(key),
        Key::UserDecryption(key) => pkcs8(key),
        other => panic!("no private key: {other:?}"),
    }
}

fn pkcs8(key: &impl EncodePrivateKey) -> Vec<u8> {
    key.to_pkcs8_der().expect("PKCS#8").as_bytes().to_vec()
}

#[test]
fn keys_that_gmssl_makes() {
    for version in VERSIONS {
        let (mut gmssl, mut cases) = (Gmssl::start(version), Cases::new(101));
        let signing = gmssl.ask("sm9_setup", json!({"kind": "sign master"}))["handle"].clone();
        let encryption =
            gmssl.ask("sm9_setup", json!({"kind": "encrypt master"}))["handle"].clone();
        let Key::MasterSigning(sign_master) = take(&mut gmssl, &signing, KeyKind::MasterSigning)
        else {
            unreachable!("the kind is the one asked for");
        };
        let Key::MasterEncryption(encrypt_master) =
            take(&mut gmssl, &encryption, KeyKind::MasterEncryption)
        else {
            unreachable!("the kind is the one asked for");
        };
        for (handle, pem) in [
            (&signing, sign_master.public_key().to_gmssl_pem()),
            (&encryption, encrypt_master.public_key().to_gmssl_pem()),
        ] {
            let theirs = gmssl.ask("sm9_public_write", json!({"handle": handle}))["pem"].clone();
            assert_eq!(theirs, pem.expect("PEM"));
            let (public, _) = read_key(theirs.as_str().expect("PEM").as_bytes(), None)
                .expect("a public key of GmSSL's");
            match public {
                Key::MasterSigningPublic(key) => assert_eq!(key, *sign_master.public_key()),
                Key::MasterEncryptionPublic(key) => assert_eq!(key, *encrypt_master.public_key()),
                other => panic!("no public key: {other:?}"),
            }
        }
        // GmSSL's way to a user's key is another than ours.
        for id in &identities(&mut cases)[2..] {
            let extract = |master| json!({"master": master, "id": hex::encode(id)});
            let handle = gmssl.ask("sm9_extract", extract(&signing))["handle"].clone();
            let theirs = take(&mut gmssl, &handle, KeyKind::UserSigning);
            let ours = sign_master.extract(&id[..]).expect("a user's key");
            let Key::UserSigning(theirs) = theirs else {
                unreachable!("the kind is the one asked for");
            };
            assert_eq!(theirs.signing_key(&id[..]), Ok(ours));
            let handle = gmssl.ask("sm9_extract", extract(&encryption))["handle"].clone();
            let theirs = take(&mut gmssl, &handle, KeyKind::UserDecryption);
            let ours = encrypt_master.extract(&id[..]).expect("a user's key");
            let Key::UserDecryption(theirs) = theirs else {
                unreachable!("the kind is the one asked for");
            };
            assert_eq!(theirs.decryption_key(&id[..]), Ok(ours));
        }
    }
}

#[test]
fn keys_that_we_make() {
    for version in VERSIONS {
        let (mut gmssl, mut cases) = (Gmssl::start(version), Cases::new(102));
        let ids = identities(&mut cases);
        for (key, id) in master_keys(&mut cases).iter().zip(&ids) {
            let signing = MasterSigningKey::from_bytes(key).expect("a master key");
            let encryption = MasterEncryptionKey::from_bytes(key).expect("a master key");
            let users = (
                signing.extract(&id[..]).expect("a user's key"),
                encryption.extract(&id[..]).expect("a user's key"),
            );
            macro_rules! written {
                ($kind:literal, $key:expr, $old_label:literal) => {
                    (
                        $kind,
                        $key.to_encrypted_pkcs8_der(PASSWORD, SCHEME, &mut SysRng)
                            .expect("it encrypts"),
                        $key.to_encrypted_pkcs8_pem(PASSWORD, SCHEME, &mut SysRng)
                            .expect("PEM"),
                        $old_label,
                        pkcs8(&$key),
                    )
                };
            }
            for (kind, der, pem, old_label, pkcs8) in [
                written!("sign master", signing, "ENCRYPTED SM9 SIGN MASTER KEY"),
                written!("encrypt master", encryption, "ENCRYPTED SM9 ENC MASTER KEY"),
                written!("sign user", users.0, "ENCRYPTED SM9 SIGN PRIVATE KEY"),
                written!("encrypt user", users.1, "ENCRYPTED SM9 ENC PRIVATE KEY"),
            ] {
                // Up to 3.1, GmSSL had labels of its own.
                let pem = match version {
                    "3.1.0" => pem.replace("ENCRYPTED PRIVATE KEY", old_label),
                    _ => pem,
                };
                let from_der = |password: &[u8]| json!({"kind": kind, "der": hex::encode(&der), "password": hex::encode(password)});
                let from_pem = json!({"kind": kind, "pem": pem, "password": hex::encode(PASSWORD)});
                // Up to 3.1, GmSSL answers yes whatever it reads as a master key for encryption:
                // what it has read then is looked at, and no refusal is asked of it.
                let refuses = (version, kind) != ("3.1.0", "encrypt master");
                if refuses {
                    gmssl.refuses("sm9_read_der", from_der(b"another"));
                }
                // It also insisted on 32 bytes in a master key's INTEGER, which its own keys have
                // not, either, when they begin with a byte of zero.
                if version == "3.1.0" && kind.ends_with("master") && key[0] == 0 {
                    if refuses {
                        gmssl.refuses("sm9_read_der", from_der(PASSWORD));
                        gmssl.refuses("sm9_read_pem", from_pem);
                    }
                    continue;
                }
                for (op, fields) in [
                    ("sm9_read_der", from_der(PASSWORD)),
                    ("sm9_read_pem", from_pem),
                ] {
                    let handle = gmssl.ask(op, fields)["handle"].clone();
                    let inner = octets(&gmssl.ask("sm9_inner", json!({"handle": handle})), "der");
                    assert!(pkcs8.ends_with(&inner), "{kind}, {op}, {key:02x?}");
                }
            }
            for (kind, pem) in [
                ("sign master", signing.public_key().to_gmssl_pem()),
                ("encrypt master", encryption.public_key().to_gmssl_pem()),
            ] {
                let handle = give_public(&mut gmssl, kind, pem.clone());
                let theirs = &gmssl.ask("sm9_public_write", json!({"handle": handle}))["pem"];
                assert_eq!(*theirs, pem.expect("PEM"));
            }
        }
    }
}

#[test]
fn signatures_both_ways() {
    let (mut gmssl, mut cases) = (Gmssl::start(WITH_SIGNATURES), Cases::new(103));
    let (keys, ids) = (master_keys(&mut cases), identities(&mut cases));
    for (round, (key, id)) in keys.iter().zip(&ids).enumerate() {
        let master = MasterSigningKey::from_bytes(key).expect("a master key");
        let public = give_public(
            &mut gmssl,
            "sign master",
            master.public_key().to_gmssl_pem(),
        );
        let user = master.extract(&id[..]).expect("a user's key");
        let handle = give_signing(&mut gmssl, &user);
        let message = match round {
            0 => Vec::new(),
            1 => cases.bytes(100_000),
            _ => cases.message(),
        };
        let altered = [&message[..], b"."].concat();

        let mut verdict = |id: &[u8], message: &[u8], der: &[u8]| {
            let answer = gmssl.ask(
                "sm9_verify",
                json!({"public": public, "id": hex::encode(id), "message": hex::encode(message),
                    "signature": hex::encode(der)}),
            );
            answer["verdict"].as_i64().expect("a number")
        };
        let ours = user.sign(&message).expect("a signature").to_der();
        assert_eq!(verdict(id, &message, &ours), 1);
        assert_eq!(verdict(id, &altered, &ours), 0);
        assert_eq!(verdict(b"Mallory", &message, &ours), 0);
        // A bit of h, which DER has from byte 4 on; and one of S, at the end, which is then no
        // point of the curve.
        for place in [35, ours.len() - 1] {
            let mut spoiled = ours.clone();
            spoiled[place] ^= 4;
            assert_ne!(verdict(id, &message, &spoiled), 1, "byte {place}");
        }
        let ours = user
            .with_precompute(Precompute::AtOnce)
            .sign(&message)
            .expect("a signature");
        assert_eq!(verdict(id, &message, &ours.to_der()), 1);

        let fields = json!({"key": handle, "message": hex::encode(&message)});
        let der = octets(&gmssl.ask("sm9_sign", fields), "signature");
        let theirs = Signature::from_der(&der).expect("strict DER");
        assert_eq!(theirs.to_der(), der);
        let verifier = user.verifying_key();
        assert_eq!(verifier.verify(&message, &theirs), Ok(()));
        assert_eq!(
            verifier
                .with_precompute(Precompute::AtOnce)
                .verify(&message, &theirs),
            Ok(())
        );
        let refused = Err(Error::InvalidSignature);
        assert_eq!(verifier.verify(&altered, &theirs), refused);
        let mallory = master.public_key().verifying_key("Mallory");
        let mallory = mallory.expect("an identity");
        assert_eq!(mallory.verify(&message, &theirs), refused);
        let mut spoiled = der.clone();
        spoiled[35] ^= 4;
        let spoiled_h = Signature::from_der(&spoiled).expect("another h");
        assert_eq!(verifier.verify(&message, &spoiled_h), refused);
        spoiled = der;
        *spoiled.last_mut().expect("a byte") ^= 4;
        assert!(Signature::from_der(&spoiled).is_err(), "off the curve");
    }
}

#[test]
fn ciphertexts_both_ways() {
    for version in VERSIONS {
        let (mut gmssl, mut cases) = (Gmssl::start(version), Cases::new(104));
        let (keys, ids) = (master_keys(&mut cases), identities(&mut cases));
        for (round, (key, id)) in keys.iter().zip(&ids).enumerate() {
            let master = MasterEncryptionKey::from_bytes(key).expect("a master key");
            let public = give_public(
                &mut gmssl,
                "encrypt master",
                master.public_key().to_gmssl_pem(),
            );
            let user = master.extract(&id[..]).expect("a user's key");
            let handle = give_encryption(&mut gmssl, &user);
            // 255 is as long as a message may be for GmSSL.
            for length in [[1, 255], [16, 31], [32, 33], [64, 200]][round] {
                let message = cases.bytes(length);
                let decrypt = |der: &[u8]| json!({"key": handle, "id": hex::encode(id), "ciphertext": hex::encode(der)});
                let ours = user
                    .encryption_key()
                    .encrypt_with(&message, EncryptOptions::GMSSL)
                    .expect("a ciphertext");
                let der = ours.to_der();
                assert_eq!(
                    octets(&gmssl.ask("sm9_decrypt", decrypt(&der)), "message"),
                    message
                );
                // One bit of C2, of C3 and of C1.
                for place in [der.len() - 1, der.len() - length - 20, 60] {
                    let mut spoiled = der.clone();
                    spoiled[place] ^= 1;
                    gmssl.refuses("sm9_decrypt", decrypt(&spoiled));
                }

                let fields = json!({"public": public, "id": hex::encode(id), "message": hex::encode(&message)});
                let der = octets(&gmssl.ask("sm9_encrypt", fields), "ciphertext");
                let theirs = Ciphertext::from_der(&der).expect("strict DER");
                assert_eq!(
                    (theirs.mode(), theirs.to_der()),
                    (Mode::Stream, der.clone())
                );
                let open =
                    |ciphertext: &Ciphertext| user.decrypt_with(ciphertext, DecryptOptions::GMSSL);
                assert_eq!(*open(&theirs).expect("it decrypts"), message);
                let prepared = user.with_precompute(Precompute::AtOnce);
                let plain = prepared.decrypt_with(&theirs, DecryptOptions::GMSSL);
                assert_eq!(*plain.expect("it decrypts"), message);
                for place in [der.len() - 1, der.len() - length - 20] {
                    let mut spoiled = der.clone();
                    spoiled[place] ^= 1;
                    let spoiled = Ciphertext::from_der(&spoiled).expect("still a ciphertext");
                    assert_eq!(open(&spoiled).err(), Some(Error::DecryptionFailed));
                }
                let other = master.extract("Mallory").expect("a user's key");
                let plain = other.decrypt_with(&theirs, DecryptOptions::GMSSL);
                assert_eq!(plain.err(), Some(Error::DecryptionFailed));
            }
        }
    }
}

/// GmSSL's MAC is not the standard's: neither side reads the other's unless it is chosen.
#[test]
fn the_mac_must_be_chosen() {
    let master = MasterEncryptionKey::from_bytes(&[7; 32]).expect("a master key");
    let user = master.extract("Bob").expect("a user's key");
    for version in VERSIONS {
        let mut gmssl = Gmssl::start(version);
        let handle = give_encryption(&mut gmssl, &user);
        let public = give_public(
            &mut gmssl,
            "encrypt master",
            master.public_key().to_gmssl_pem(),
        );
        let der = |options| {
            let ours = user.encryption_key().encrypt_with(b"a message", options);
            hex::encode(ours.expect("a ciphertext").to_der())
        };
        let decrypt =
            |ciphertext| json!({"key": handle, "id": hex::encode("Bob"), "ciphertext": ciphertext});
        gmssl.ask("sm9_decrypt", decrypt(der(EncryptOptions::GMSSL)));
        gmssl.refuses("sm9_decrypt", decrypt(der(EncryptOptions::default())));
        // Nor does GmSSL know another mode than the stream.
        for mode in [Mode::Ecb, Mode::Cbc, Mode::Ofb, Mode::Cfb] {
            let options = EncryptOptions::GMSSL.with_mode(mode);
            gmssl.refuses("sm9_decrypt", decrypt(der(options)));
        }
        let fields = json!({"public": public, "id": hex::encode("Bob"), "message": hex::encode("a message")});
        let theirs = Ciphertext::from_der(&octets(&gmssl.ask("sm9_encrypt", fields), "ciphertext"));
        let theirs = theirs.expect("strict DER");
        assert_eq!(
            user.decrypt(&theirs).err(),
            Some(sm9::Error::DecryptionFailed)
        );
    }
}

#[test]
fn sm2_signatures_both_ways() {
    for version in VERSIONS {
        let (mut gmssl, mut cases) = (Gmssl::start(version), Cases::new(105));
        for id in ids(200) {
            let secret = sm2::PrivateKey::from_slice(&cases.private_key()).expect("a private key");
            let d = hex::encode(secret.to_bytes().as_slice());
            let signer = sm2::SigningKey::with_id(secret, &id).expect("a signer");
            let public = signer.public_key().to_sec1_bytes();
            let message = cases.message();
            let altered = cases.spoiled(&message);
            let mut valid = |message: &[u8], raw: &[u8; 64]| {
                let answer = gmssl.ask(
                    "sm2_verify",
                    json!({"public": hex::encode(public), "id": hex::encode(&id), "message": hex::encode(message),
                        "signature": hex::encode(signature_to_der(raw))}),
                );
                answer["valid"] == true
            };
            let ours = signer.sign(&message).expect("a signature").to_bytes();
            assert!(valid(&message, &ours));
            assert!(!valid(&altered, &ours));
            let mut spoiled = ours;
            spoiled[63] ^= 1;
            assert!(!valid(&message, &spoiled));

            let fields = json!({"d": d, "public": hex::encode(public), "id": hex::encode(&id), "message": hex::encode(&message)});
            let der = octets(&gmssl.ask("sm2_sign", fields), "signature");
            let theirs = sm2::Signature::from_der(&der).expect("strict DER");
            assert_eq!(theirs.to_bytes(), signature_from_der(&der));
            assert_eq!(signer.verifying_key().verify(&message, &theirs), Ok(()));
            assert!(signer.verifying_key().verify(&altered, &theirs).is_err());
        }
    }
}

#[test]
fn sm2_ciphertexts_both_ways() {
    for version in VERSIONS {
        let (mut gmssl, mut cases) = (Gmssl::start(version), Cases::new(106));
        for length in [1, 2, 31, 32, 33, 64, 100, 255] {
            let answer = gmssl.ask("sm2_keygen", json!({}));
            let secret =
                sm2::PrivateKey::from_slice(&octets(&answer, "d")).expect("a key of GmSSL's");
            let public = secret.public_key();
            assert_eq!(public.to_sec1_bytes().as_slice(), octets(&answer, "public"));
            let message = cases.bytes(length);
            let decrypt = |der: &[u8]| json!({"d": answer["d"], "ciphertext": hex::encode(der)});
            let der = public.encrypt(&message).expect("a ciphertext").to_der();
            assert_eq!(
                octets(&gmssl.ask("sm2_decrypt", decrypt(&der)), "message"),
                message
            );
            let mut spoiled = der;
            *spoiled.last_mut().expect("a byte") ^= 1;
            gmssl.refuses("sm2_decrypt", decrypt(&spoiled));

            let fields = json!({"public": answer["public"], "message": hex::encode(&message)});
            let der = octets(&gmssl.ask("sm2_encrypt", fields), "ciphertext");
            let theirs = sm2::Ciphertext::from_der(&der).expect("strict DER");
            assert_eq!(*secret.decrypt(&theirs).expect("it decrypts"), message);
            let mut spoiled = der;
            *spoiled.last_mut().expect("a byte") ^= 1;
            let spoiled = sm2::Ciphertext::from_der(&spoiled).expect("still a ciphertext");
            assert_eq!(
                secret.decrypt(&spoiled).err(),
                Some(sm2::Error::DecryptionFailed)
            );
        }
    }
}
