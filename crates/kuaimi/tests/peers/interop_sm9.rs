//! SM9 against the Go library emmansun/gmsm, in both directions: keys, signatures, encapsulation,
//! every mode of encryption, key exchange; and keys that GmSSL wrote, as gmsm's own tests have
//! them.

use crate::common::cases::{Cases, rounds};
use crate::common::gmsm::{Gmsm, octets};
use getrandom::SysRng;
use kuaimi::encoding::sm9::{Key, KeyKind, KeyPackage, KeyStructure, read_key};
use kuaimi::encoding::{EncodePrivateKey, PasswordEncryption};
use kuaimi::precompute::Precompute;
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm9::{
    Ciphertext, EncryptOptions, ExchangeKey, G1Point, HID_ENCRYPT, HID_EXCHANGE, HID_SIGN,
    Identity, MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey,
    MasterSigningPublicKey, Mode, Signature,
};
use serde_json::json;

const ROUNDS: usize = 6;

/// A number in `[1, N − 1]`, the first of them small and large.
fn master_key(cases: &mut Cases, round: usize) -> [u8; 32] {
    let mut key = cases.array();
    match round {
        0 => {
            key = [0; 32];
            key[31] = 1;
        }
        // With bytes of zero in front, and with a first byte that needs one in DER.
        1 => key[..3].fill(0),
        2 => key[0] = 0x80,
        _ => key[0] &= 0x7F,
    }
    key
}

fn identity(cases: &mut Cases, round: usize) -> Vec<u8> {
    match round {
        0 => b"Alice".to_vec(),
        1 => "快密@例子".as_bytes().to_vec(),
        2 => vec![0],
        _ => {
            // gmsm v0.44.0 derives other keys than the standard, of 97 bytes and more, where 60 to
            // 63 bytes are left of what goes into the key derivation after its blocks of 64 bytes;
            // a point and an element of GT are seven blocks.
            let length = 1 + 64 * cases.below(5) + cases.below(59);
            cases.bytes(length)
        }
    }
}

fn sign_master(cases: &mut Cases, round: usize) -> MasterSigningKey {
    MasterSigningKey::from_bytes(&master_key(cases, round)).expect("a master key")
}

fn encrypt_master(cases: &mut Cases, round: usize) -> MasterEncryptionKey {
    MasterEncryptionKey::from_bytes(&master_key(cases, round)).expect("a master key")
}

/// PKCS#8 in DER.
fn pkcs8(key: &impl EncodePrivateKey) -> Vec<u8> {
    key.to_pkcs8_der().expect("PKCS#8").as_bytes().to_vec()
}

/// gmsm gives the algorithm of a user's key the parameter NULL, which GmSSL does not read, and
/// Kuaimi does not write.
fn without_null(der: &[u8]) -> Vec<u8> {
    let [0x30, 0x81, length, rest @ ..] = der else {
        panic!("a SEQUENCE of 128 to 255 bytes");
    };
    // version, SEQUENCE { algorithm, NULL }
    let [2, 1, 0, 0x30, 13, rest @ ..] = rest else {
        panic!("an algorithm with NULL");
    };
    let (algorithm, rest) = rest.split_at(11);
    let rest = rest.strip_prefix(&[5, 0]).expect("NULL");
    let head = [0x30, 0x81, length - 2, 2, 1, 0, 0x30, 11];
    [&head, algorithm, rest].concat()
}

#[test]
fn keys_are_the_same_and_go_both_ways() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(91));
    for round in rounds(ROUNDS) {
        let id = identity(&mut cases, round);
        let key = master_key(&mut cases, round);
        let ours = MasterSigningKey::from_bytes(&key).expect("a master key");
        let theirs = gmsm.ask(
            "sm9_master",
            json!({"kind": "sign", "key": hex::encode(key)}),
        );
        assert_eq!(octets(&theirs, "public"), ours.public_key().to_sec1_bytes());
        // The very same bytes of PKCS#8.
        assert_eq!(octets(&theirs, "pkcs8"), pkcs8(&ours));
        let user = ours.extract(&id[..]).expect("a user's key");
        let theirs = gmsm.ask(
            "sm9_user",
            json!({"kind": "sign", "master": hex::encode(key), "id": hex::encode(&id), "hid": HID_SIGN}),
        );
        assert_eq!(octets(&theirs, "key")[1..], *user.to_bytes());
        assert_eq!(without_null(&octets(&theirs, "pkcs8")), pkcs8(&user));
        let (read, form) = read_key(&octets(&theirs, "pkcs8"), None).expect("a key");
        assert_eq!(form.structure, KeyStructure::Pkcs8);
        let Key::UserSigning(read) = read else {
            panic!("another kind: {read:?}");
        };
        assert_eq!(read.signing_key(&id[..]), Ok(user));

        let ours = MasterEncryptionKey::from_bytes(&key).expect("a master key");
        let theirs = gmsm.ask(
            "sm9_master",
            json!({"kind": "encrypt", "key": hex::encode(key)}),
        );
        assert_eq!(octets(&theirs, "public"), ours.public_key().to_sec1_bytes());
        assert_eq!(octets(&theirs, "pkcs8"), pkcs8(&ours));
        for hid in [HID_ENCRYPT, HID_EXCHANGE, 0x77] {
            let identity = Identity::new(&id).with_hid(hid);
            let user = ours.extract(identity);
            let user = user.expect("a user's key");
            let theirs = gmsm.ask(
                "sm9_user",
                json!({"kind": "encrypt", "master": hex::encode(key), "id": hex::encode(&id), "hid": hid}),
            );
            assert_eq!(octets(&theirs, "key")[1..], *user.to_bytes());
            assert_eq!(without_null(&octets(&theirs, "pkcs8")), pkcs8(&user));
            let (read, _) = read_key(&octets(&theirs, "pkcs8"), None).expect("a key");
            let Key::UserDecryption(read) = read else {
                panic!("another kind: {read:?}");
            };
            assert_eq!(read.decryption_key(identity), Ok(user));
        }
    }
}

#[test]
fn keys_under_passwords_and_public_keys_in_gmssls_form() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(92));
    let signing = sign_master(&mut cases, 4);
    let encryption = encrypt_master(&mut cases, 5);
    let password = b"a password";
    let quick = |encryption: PasswordEncryption| encryption.with_iterations(1000);
    let user_signing = signing.extract("Alice").expect("a user's key");
    let user_encryption = encryption.extract("Bob").expect("a user's key");
    for encryption_with in [PasswordEncryption::AES, PasswordEncryption::SHANGMI] {
        let with = quick(encryption_with);
        let encrypted = [
            (
                "sign master",
                signing.to_encrypted_pkcs8_der(password, with, &mut SysRng),
            ),
            (
                "encrypt master",
                encryption.to_encrypted_pkcs8_der(password, with, &mut SysRng),
            ),
            (
                "sign user",
                user_signing.to_encrypted_pkcs8_der(password, with, &mut SysRng),
            ),
            (
                "encrypt user",
                user_encryption.to_encrypted_pkcs8_der(password, with, &mut SysRng),
            ),
        ];
        for (kind, der) in encrypted {
            let answer = gmsm.ask(
                "sm9_pkcs8_decode",
                json!({"der": hex::encode(der.expect("it encrypts")), "password": hex::encode(password)}),
            );
            assert_eq!(answer["kind"], kind);
        }
    }
    for (der, kind) in [
        (pkcs8(&signing), KeyKind::MasterSigning),
        (pkcs8(&encryption), KeyKind::MasterEncryption),
        (pkcs8(&user_signing), KeyKind::UserSigning),
        (pkcs8(&user_encryption), KeyKind::UserDecryption),
    ] {
        for (cipher, prf) in [("sm4-cbc", "hmac-sm3"), ("aes-256-cbc", "hmac-sha256")] {
            let answer = gmsm.ask(
                "sm9_pkcs8_encrypt",
                json!({"der": hex::encode(&der), "password": hex::encode(password), "cipher": cipher, "prf": prf}),
            );
            let theirs = octets(&answer, "der");
            assert_eq!(
                read_key(&theirs, None).err(),
                Some(kuaimi::encoding::Error::PasswordNeeded)
            );
            assert_eq!(
                read_key(&theirs, Some(b"wrong")).err(),
                Some(kuaimi::encoding::Error::WrongPassword)
            );
            let (key, _) = read_key(&theirs, Some(password)).expect("a key");
            assert_eq!(key.kind(), kind);
        }
    }
    let pem = signing.public_key().to_gmssl_pem().expect("PEM");
    let answer = gmsm.ask("sm9_public_pem", json!({"kind": "sign", "pem": pem}));
    assert_eq!(
        octets(&answer, "public"),
        signing.public_key().to_sec1_bytes()
    );
    let pem = encryption.public_key().to_gmssl_pem().expect("PEM");
    let answer = gmsm.ask("sm9_public_pem", json!({"kind": "encrypt", "pem": pem}));
    assert_eq!(
        octets(&answer, "public"),
        encryption.public_key().to_sec1_bytes()
    );
}

#[test]
fn signatures_both_ways() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(93));
    for round in rounds(ROUNDS) {
        let master = sign_master(&mut cases, round);
        let id = identity(&mut cases, round);
        let message = if round == 0 {
            Vec::new()
        } else {
            cases.message()
        };
        let user = master.extract(&id[..]).expect("a user's key");
        let public = hex::encode(master.public_key().to_sec1_bytes());
        let mut valid = |message: &[u8], signature: &Signature| {
            let answer = gmsm.ask(
                "sm9_verify",
                json!({"public": public, "id": hex::encode(&id), "hid": HID_SIGN,
                    "message": hex::encode(message), "signature": hex::encode(signature.to_der())}),
            );
            answer["valid"] == true
        };
        for signature in [
            user.sign(&message),
            user.with_precompute(Precompute::AtOnce).sign(&message),
        ] {
            let signature = signature.expect("a signature");
            assert!(valid(&message, &signature));
            assert!(!valid(&[&message[..], b"."].concat(), &signature));
        }
        let answer = gmsm.ask(
            "sm9_sign",
            json!({"key": hex::encode(pkcs8(&user)), "message": hex::encode(&message)}),
        );
        let signature = Signature::from_der(&octets(&answer, "signature")).expect("strict DER");
        let verifier = user.verifying_key();
        let verify = |message: &[u8]| verifier.verify(message, &signature);
        assert_eq!(verify(&message), Ok(()));
        assert!(verify(b"something else").is_err());
        assert_eq!(
            verifier
                .with_precompute(Precompute::AtOnce)
                .verify(&message, &signature),
            Ok(())
        );
    }
}

#[test]
fn encapsulations_both_ways() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(94));
    for round in rounds(ROUNDS) {
        let master = encrypt_master(&mut cases, round);
        let id = identity(&mut cases, round);
        let length = [16, 32, 5, 100, 33, 1000][round % 6];
        let user = master.extract(&id[..]).expect("a user's key");
        let file = hex::encode(pkcs8(&user));
        let (key, c) = user
            .encryption_key()
            .encapsulate(length)
            .expect("an encapsulation");
        let answer = gmsm.ask(
            "sm9_unwrap",
            json!({"key": file, "id": hex::encode(&id), "c": hex::encode(c.to_sec1_bytes()), "length": length}),
        );
        assert_eq!(octets(&answer, "key"), *key);
        let answer = gmsm.ask(
            "sm9_wrap",
            json!({"public": hex::encode(master.public_key().to_sec1_bytes()), "id": hex::encode(&id),
                "hid": HID_ENCRYPT, "length": length}),
        );
        let der = octets(&answer, "package");
        let package = KeyPackage::from_der(&der).expect("strict DER");
        assert_eq!(*package.to_der(), der);
        let opened = user.decapsulate(&package.c, length);
        assert_eq!(opened.expect("the key"), package.key);
        let opened = user
            .with_precompute(Precompute::AtOnce)
            .decapsulate(&package.c, length);
        assert_eq!(opened.expect("the key"), package.key);
    }
}

#[test]
fn every_mode_of_encryption_both_ways() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(95));
    for round in rounds(2 * Mode::ALL.len() * ROUNDS) {
        let mode = Mode::ALL[round % Mode::ALL.len()];
        let der = (round / Mode::ALL.len()).is_multiple_of(2);
        let round = round / (2 * Mode::ALL.len());
        let master = encrypt_master(&mut cases, round);
        let id = identity(&mut cases, round);
        let user = master.extract(&id[..]).expect("a user's key");
        let length = [1, 16, 31, 48, 255, 1000][round % 6];
        let message = cases.bytes(length);
        let ours = user
            .encryption_key()
            .encrypt_with(&message, EncryptOptions::new().with_mode(mode))
            .expect("a ciphertext");
        let bytes = if der { ours.to_der() } else { ours.to_bytes() };
        let answer = gmsm.ask(
            "sm9_decrypt",
            json!({"key": hex::encode(pkcs8(&user)), "id": hex::encode(&id), "ciphertext": hex::encode(bytes),
                "mode": mode.name(), "der": der}),
        );
        assert_eq!(octets(&answer, "message"), message, "{mode}");
        let answer = gmsm.ask(
            "sm9_encrypt",
            json!({"public": hex::encode(master.public_key().to_sec1_bytes()), "id": hex::encode(&id),
                "hid": HID_ENCRYPT, "message": hex::encode(&message), "mode": mode.name(), "der": der}),
        );
        let bytes = octets(&answer, "ciphertext");
        let theirs = match der {
            true => Ciphertext::from_der(&bytes).expect("strict DER"),
            false => Ciphertext::from_bytes(mode, &bytes).expect("a ciphertext"),
        };
        assert_eq!(theirs.mode(), mode);
        let plain = user.decrypt(&theirs);
        assert_eq!(*plain.expect("it decrypts"), message, "{mode}");
    }
}

#[test]
fn exchanges_in_both_roles() {
    let (mut gmsm, mut cases) = (Gmsm::start(), Cases::new(96));
    for round in rounds(ROUNDS) {
        let master = encrypt_master(&mut cases, round);
        let (a, b) = (identity(&mut cases, round), identity(&mut cases, round + 3));
        let key_a = master.extract_exchange(&a[..]).expect("a user's key");
        let key_b = master.extract_exchange(&b[..]).expect("a user's key");
        let length = [16, 32, 1, 48, 33, 16][round % 6];
        let start = |key: &ExchangeKey, own: &[u8], peer: &[u8], initiator| {
            json!({"key": hex::encode(pkcs8(key)), "id": hex::encode(own), "peer_id": hex::encode(peer),
                "hid": HID_EXCHANGE, "key_length": length, "initiator": initiator})
        };
        // We begin, and they respond.
        let (initiator, r_a) =
            Initiator::start(Party::new(&key_a), Peer::new(&b[..]).expect("a name"))
                .expect("a start");
        let handle = gmsm.ask("sm9_exchange_start", start(&key_b, &b, &a, false))["handle"].clone();
        let answer = gmsm.ask(
            "sm9_exchange_respond",
            json!({"handle": handle, "hid": HID_EXCHANGE, "point": hex::encode(r_a.to_sec1_bytes())}),
        );
        let r_b = G1Point::from_sec1_bytes(&octets(&answer, "point")).expect("a point");
        let s_b = octets(&answer, "confirmation")
            .try_into()
            .expect("32 bytes");
        let (key, s_a) = initiator.finish(&r_b, &s_b, length).expect("the key");
        let answer = gmsm.ask(
            "sm9_exchange_check",
            json!({"handle": handle, "confirmation": hex::encode(s_a)}),
        );
        assert_eq!(octets(&answer, "key"), *key);
        // They begin, and we respond.
        let answer = gmsm.ask("sm9_exchange_start", start(&key_a, &a, &b, true));
        let r_a = G1Point::from_sec1_bytes(&octets(&answer, "point")).expect("a point");
        let response = Responder::new(Party::new(&key_b), Peer::new(&a[..]).expect("a name"))
            .respond(&r_a, length)
            .expect("a response");
        let answer = gmsm.ask(
            "sm9_exchange_finish",
            json!({"handle": answer["handle"], "point": hex::encode(response.point().to_sec1_bytes()),
                "confirmation": hex::encode(response.confirmation())}),
        );
        let s_a = octets(&answer, "confirmation")
            .try_into()
            .expect("32 bytes");
        assert_eq!(
            *response.confirm(&s_a).expect("the key"),
            octets(&answer, "key")
        );
    }
}

/// Bytes that a person wrote, not a library: what GmSSL 3 gives for master public keys.
#[test]
fn public_keys_that_gmssl_wrote() {
    let sign = "-----BEGIN SM9 SIGN MASTER PUBLIC KEY-----\n\
        MIGFA4GCAARvTUvk1ztAlmjlUK0kP3zdFEVHHr8HUL4sUbcnFoQPukP0AjurnySy\n\
        f1MY0Plzt4lZ5u0/6GC4zUjYEcjWiYV+bV9YCnOGVQAYfPr/a+4/alewf43qBJuX\n\
        Ri1gDhueE6gkoeZ4HHUu1wfhRbKRF8okwSO933f/ZSpLlYu1P7/ckw==\n\
        -----END SM9 SIGN MASTER PUBLIC KEY-----\n";
    let (key, form) = read_key(sign.as_bytes(), None).expect("a key");
    assert_eq!(form.to_string(), "GmSSL's form, PEM");
    let Key::MasterSigningPublic(key) = key else {
        panic!("another kind: {key:?}");
    };
    assert_eq!(key.to_gmssl_pem().expect("PEM"), sign);
    assert_eq!(MasterSigningPublicKey::from_der(&key.to_der()), Ok(key));
    let encrypt = "-----BEGIN SM9 ENC MASTER PUBLIC KEY-----\n\
        MEQDQgAEUWC+GS/3JrpMJqH/ZBItUDROFg62fmY4HuU0kHlnK/trA/GBX/P+MH0P\n\
        tYwoUdCETdYJwxiKXlI1jytVTuuT2Q==\n\
        -----END SM9 ENC MASTER PUBLIC KEY-----\n";
    let (key, _) = read_key(encrypt.as_bytes(), None).expect("a key");
    let Key::MasterEncryptionPublic(key) = key else {
        panic!("another kind: {key:?}");
    };
    assert_eq!(key.to_gmssl_pem().expect("PEM"), encrypt);
    assert_eq!(MasterEncryptionPublicKey::from_der(&key.to_der()), Ok(key));
}

/// What GmSSL 3 wrote under the password 123456.
#[test]
fn private_keys_that_gmssl_encrypted() {
    let files = [
        (SIGN_MASTER, KeyKind::MasterSigning),
        (SIGN_USER, KeyKind::UserSigning),
        (ENC_MASTER, KeyKind::MasterEncryption),
        (ENC_USER, KeyKind::UserDecryption),
    ];
    for (pem, kind) in files {
        let (key, form) = read_key(pem.as_bytes(), Some(b"123456")).expect("a key");
        assert_eq!(key.kind(), kind);
        assert_eq!(
            form.to_string(),
            "encrypted PKCS#8 (SM4-CBC, PBKDF2 with HMAC-SM3 and 65536 iterations), PEM"
        );
        assert!(read_key(pem.as_bytes(), Some(b"12345")).is_err());
    }
}

const SIGN_MASTER: &str = "\
-----BEGIN ENCRYPTED SM9 SIGN MASTER KEY-----
MIIBNjBhBgkqhkiG9w0BBQ0wVDA0BgkqhkiG9w0BBQwwJwQQuRb0v3wC0mAANvym
YLiNSAIDAQAAAgEQMAsGCSqBHM9VAYMRAjAcBggqgRzPVQFoAgQQuzlPtraTjW+9
EpGFcss7TgSB0KnwoVMBPUFcZEqiH1DPFZVqHcbdfmZheeIXCdeS5cYGL7Cg6Ohd
YZe9LWCFNBAvJz6zxeJGiaeR3VW5QDB+jPtSYIu9ET85yFsaohLt/ZNdgdGec2s6
rmG5/ufL+9LtprtWF4BcbwTCCPr6mX3Tvq+Xacw0YY9VHcpUDOUHGwkdhea82M5D
nUCi5FhiNKDe4Qfp7HG597FlK9Vwy5Nn5xRKsfoG2JJuQYZkqmORFJA/aQQq/ejD
NbR0XajuWC9+bMq3SeEyT6Je0aEeHuOfKFw=
-----END ENCRYPTED SM9 SIGN MASTER KEY-----
";

const SIGN_USER: &str = "\
-----BEGIN ENCRYPTED SM9 SIGN PRIVATE KEY-----
MIIBVjBhBgkqhkiG9w0BBQ0wVDA0BgkqhkiG9w0BBQwwJwQQxWctHikJLVP2A7fQ
nm6qwQIDAQAAAgEQMAsGCSqBHM9VAYMRAjAcBggqgRzPVQFoAgQQfuWLjhO7iJNX
2owsXE8/6gSB8Ot4oMs97o7dDd6o2U29uTjvkt7Xq/ti/2OPoOvDeGr/SWTmLUHY
6X71SpB/GAmBVE1qMXSxFHotgeq1cbwuZtwqLV2GA0etAnC2MZV/2BYcx+qOwwgX
uljiXhlvpvxHfxxdL7HzJ5oC+AuMblQZnAvaicmS9Pr+EPk4gzusiCc4cu1q+sTh
xl4HzCz08DYx8l5j1B/FCnN0/9tv2F2Q6j3xWARFC8EJPAEhALdO+hol56Tz7A2a
zSK4N8ox4ip3G8L6TVMIlc8qFIfsnaVn+dQSWDubya8Lq4AieEs8mL+kPqEnSIUX
fYuup/MCEz2zpA==
-----END ENCRYPTED SM9 SIGN PRIVATE KEY-----
";

const ENC_MASTER: &str = "\
-----BEGIN ENCRYPTED SM9 ENC MASTER KEY-----
MIH2MGEGCSqGSIb3DQEFDTBUMDQGCSqGSIb3DQEFDDAnBBAjXv966WmKuBfUH1Bq
OMwUAgMBAAACARAwCwYJKoEcz1UBgxECMBwGCCqBHM9VAWgCBBAtVvud0awyXO1r
dz92Pn+9BIGQlAsGegoSrApDm+rbszu1wsUwAVbq+EtgkraBSZRqGYByBOSN9G9m
p0lZJ75/TJMqRunkUhAUorNzXkdy2nab1VRs+Y8lKzhw5Y7KLnjbRsoDEPcvluSW
UVHgVDiaGKLKlKWTdhRRzLnBOocE0LA3FnOH86eUFjGY87ss6vz8iD9JHHfap4yr
Yut8eao1nBSY
-----END ENCRYPTED SM9 ENC MASTER KEY-----
";

const ENC_USER: &str = "\
-----BEGIN ENCRYPTED SM9 ENC PRIVATE KEY-----
MIIBVjBhBgkqhkiG9w0BBQ0wVDA0BgkqhkiG9w0BBQwwJwQQ7qFYth3lhEj9pHl4
V0HeiwIDAQAAAgEQMAsGCSqBHM9VAYMRAjAcBggqgRzPVQFoAgQQvk8cAqLQcGr1
LfRo8lz6TwSB8Ma6HVx/t1q+wbu+NLLzq1uok7zNBKM8Z9hFiqrY1pngZTtweVHP
w/r6inOU4rI9Eex6R7C4koT9cGYN4QBur3BHxTLPM7C4knldxxYHuA98MEGHMMcE
gJIcgZlrkdprvLSXqdKJ/Ee7Ut4SuJuMW/Ww0hTrOmnI0j4cRAaZAgEh9Lh9B5CK
tzO+xTcb9siTzgRDKxnsZB85c1pwzQ3LH1KNR7tsg1z/AW+Hab4+8WX7mIIlvmVM
zkRVx8ZgZCNo/MTFjw2qCNVsGrcj/xFm63p8eWoYGx6eXS6nr3IYRIDwR5F7CoNY
h1/9v+oJWBaPxQ==
-----END ENCRYPTED SM9 ENC PRIVATE KEY-----
";
