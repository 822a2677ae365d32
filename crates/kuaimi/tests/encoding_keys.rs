//! Keys in every structure and armor: round trips, what is refused and why, and that nothing panics.

use kuaimi::encoding::{
    Armor, Cipher, DecodeEcPrivateKey, DecodePrivateKey, DecodePublicKey, Derivation,
    EncodeEcPrivateKey, EncodePrivateKey, EncodePublicKey, Error, LineEnding, PasswordEncryption,
    PasswordHash, PrivateKeyStructure, PublicKeyStructure, read_private_key, read_public_key,
};
use kuaimi::sm2::{self, PublicKey, SecretKey, SigningKey, VerifyingKey, parameters};

/// `id-ecPublicKey` with SM2's curve.
const ALGORITHM: &str = "301306072a8648ce3d020106082a811ccf5501822d";

fn secret() -> SecretKey {
    let d = "3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8";
    SecretKey::from_slice(&hex::decode(d).expect("hexadecimal")).expect("a private key")
}

fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
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

fn unhex(text: &str) -> Vec<u8> {
    hex::decode(text).expect("hexadecimal")
}

fn sec1(d: &[u8], parameters: Option<&[u8]>, public: Option<&[u8]>) -> Vec<u8> {
    let parameters = parameters.map_or(vec![], |curve| element(0xa0, &[curve]));
    let public = public.map_or(vec![], |point| {
        element(0xa1, &[&element(3, &[&[0], point])])
    });
    element(0x30, &[&[2, 1, 1], &element(4, &[d]), &parameters, &public])
}

fn pkcs8(version: u8, algorithm: &[u8], key: &[u8], more: &[u8]) -> Vec<u8> {
    element(
        0x30,
        &[&[2, 1, version], algorithm, &element(4, &[key]), more],
    )
}

fn spki(algorithm: &[u8], point: &[u8]) -> Vec<u8> {
    element(0x30, &[algorithm, &element(3, &[&[0], point])])
}

fn private(bytes: &[u8]) -> Result<SecretKey, Error> {
    read_private_key(bytes, None).map(|(key, _)| key)
}

fn public(bytes: &[u8]) -> Result<PublicKey, Error> {
    read_public_key(bytes).map(|(key, _)| key)
}

fn same(found: Result<SecretKey, Error>) {
    assert_eq!(
        found.expect("a private key").to_bytes(),
        secret().to_bytes()
    );
}

fn refused(bytes: &[u8], reason: Error) {
    assert_eq!(private(bytes).map(|_| ()), Err(reason));
}

fn pem(label: &str, der: &[u8]) -> String {
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
fn base64(bytes: &[u8]) -> String {
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

#[test]
fn private_keys_in_every_structure_and_armor() {
    let key = secret();
    let raw = key.to_bytes();
    let sec1 = key.to_sec1_der().expect("encodes");
    let pkcs8 = key.to_pkcs8_der().expect("encodes");
    let mut rng = getrandom::SysRng;
    let encryption = PasswordEncryption::SHANGMI.with_iterations(2);
    let encrypted = key
        .to_encrypted_pkcs8_der(b"secret", encryption, &mut rng)
        .expect("encrypts");
    for (der, label, structure) in [
        (&raw[..], None, PrivateKeyStructure::Raw),
        (
            sec1.as_bytes(),
            Some("EC PRIVATE KEY"),
            PrivateKeyStructure::Sec1,
        ),
        (
            pkcs8.as_bytes(),
            Some("PRIVATE KEY"),
            PrivateKeyStructure::Pkcs8,
        ),
        (
            &encrypted,
            Some("ENCRYPTED PRIVATE KEY"),
            PrivateKeyStructure::EncryptedPkcs8(encryption),
        ),
    ] {
        let mut texts = vec![
            (Armor::Binary, der.to_vec()),
            (Armor::Hex, hex::encode(der).into_bytes()),
            (
                Armor::Hex,
                format!("0x{}\r\n", hex::encode_upper(der)).into_bytes(),
            ),
            (Armor::Base64, format!("{}\n", base64(der)).into_bytes()),
        ];
        if let Some(label) = label {
            let text = pem(label, der);
            texts.push((Armor::Pem, text.replace('\n', "\r\n").into_bytes()));
            texts.push((
                Armor::Pem,
                format!("Bag Attributes: none\n{text}").into_bytes(),
            ));
            texts.push((Armor::Pem, text.into_bytes()));
        }
        for (armor, text) in texts {
            let (found, form) = read_private_key(&text, Some(b"secret")).expect("reads");
            assert_eq!(found.to_bytes(), raw);
            assert_eq!((form.structure, form.armor), (structure, armor));
        }
    }
}

#[test]
fn public_keys_in_every_structure_and_armor() {
    let key = *secret().public_key();
    let spki = key.to_public_key_der().expect("encodes");
    let uncompressed = key.to_sec1_bytes();
    let mut hybrid = uncompressed;
    hybrid[0] = 6 | (hybrid[64] & 1);
    for (der, structure) in [
        (spki.as_bytes(), PublicKeyStructure::Spki),
        (&uncompressed[..], PublicKeyStructure::Uncompressed),
        (&hybrid, PublicKeyStructure::Uncompressed),
        (&key.to_compressed_bytes(), PublicKeyStructure::Compressed),
        (&key.to_xy_bytes(), PublicKeyStructure::Bare),
    ] {
        for (armor, text) in [
            (Armor::Binary, der.to_vec()),
            (Armor::Hex, hex::encode(der).into_bytes()),
            (Armor::Base64, base64(der).into_bytes()),
        ] {
            let (found, form) = read_public_key(&text).expect("reads");
            assert_eq!(found, key);
            assert_eq!((form.structure, form.armor), (structure, armor));
        }
    }
    let text = key.to_public_key_pem(LineEnding::LF).expect("encodes");
    assert_eq!(text, pem("PUBLIC KEY", spki.as_bytes()));
    let (found, form) = read_public_key(text.as_bytes()).expect("reads");
    assert_eq!((found, form.armor), (key, Armor::Pem));
}

#[test]
fn the_traits_of_the_field() {
    let key = secret();
    let text = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
    same(Ok(SecretKey::from_pkcs8_pem(&text).expect("reads")));
    let der = key.to_pkcs8_der().expect("encodes");
    same(Ok(SecretKey::from_pkcs8_der(der.as_bytes()).expect("reads")));
    assert_eq!(
        SigningKey::from_pkcs8_pem(&text)
            .expect("reads")
            .public_key(),
        key.public_key()
    );
    let text = key.to_sec1_pem(LineEnding::LF).expect("encodes");
    same(Ok(SecretKey::from_sec1_pem(&text).expect("reads")));
    assert!(SecretKey::from_pkcs8_pem(&text).is_err(), "this is SEC 1");
    let der = key.to_sec1_der().expect("encodes");
    same(Ok(SecretKey::from_sec1_der(der.as_bytes()).expect("reads")));

    let text = key
        .public_key()
        .to_public_key_pem(LineEnding::CRLF)
        .expect("encodes");
    assert_eq!(
        PublicKey::from_public_key_pem(&text).as_ref(),
        Ok(key.public_key())
    );
    let verifier = VerifyingKey::from_public_key_pem(&text).expect("reads");
    assert_eq!(verifier.public_key(), key.public_key());
    assert_eq!(verifier.to_public_key_pem(LineEnding::CRLF), Ok(text));

    let text = key
        .to_encrypted_pkcs8_pem(
            b"secret",
            PasswordEncryption::SHANGMI.with_iterations(3),
            &mut getrandom::SysRng,
        )
        .expect("encrypts");
    same(Ok(
        SecretKey::from_pkcs8_encrypted_pem(&text, "secret").expect("reads")
    ));
    assert_eq!(
        SigningKey::from_pkcs8_encrypted_pem(&text, "secret")
            .expect("reads")
            .public_key(),
        key.public_key()
    );
    let wrong = SecretKey::from_pkcs8_encrypted_pem(&text, "Secret");
    assert_eq!(
        wrong.map(|_| ()),
        Err(pkcs8::Error::EncryptedPrivateKey(
            pkcs8::pkcs5::Error::DecryptFailed
        ))
    );
}

#[test]
fn private_keys_as_others_write_them() {
    let d = secret().to_bytes();
    let point = secret().public_key().to_sec1_bytes();
    let compressed = secret().public_key().to_compressed_bytes();
    let curve = unhex("06082a811ccf5501822d");
    let algorithm = unhex(ALGORITHM);

    same(private(&sec1(&d[..], None, None)));
    same(private(&sec1(&d[..], Some(&curve), None)));
    same(private(&sec1(&d[..], None, Some(&point))));
    same(private(&sec1(&d[..], Some(&curve), Some(&compressed))));

    let inner = sec1(&d[..], Some(&curve), Some(&point));
    same(private(&pkcs8(0, &algorithm, &inner, &[])));
    // An attribute: an empty set of a friendly name.
    let attributes = element(
        0xa0,
        &[&element(
            0x30,
            &[&unhex("06092a864886f70d010914"), &[0x31, 0]],
        )],
    );
    same(private(&pkcs8(0, &algorithm, &inner, &attributes)));
    // Version 2, with the public key beside the private.
    let beside = element(0x81, &[&[0], &point]);
    same(private(&pkcs8(1, &algorithm, &inner, &beside)));
    same(private(&pkcs8(
        1,
        &algorithm,
        &inner,
        &[&attributes[..], &beside].concat(),
    )));
    // SM2's own identifiers as the algorithm.
    for algorithm in [
        "300a06082a811ccf5501822d",
        "300c06082a811ccf5501822d0500",
        "300d06092a811ccf5501822d010500",
        "300b06092a811ccf5501822d03",
        "301506092a811ccf5501822d0306082a811ccf5501822d",
    ] {
        same(private(&pkcs8(0, &unhex(algorithm), &inner, &[])));
        assert_eq!(
            public(&spki(&unhex(algorithm), &compressed)).as_ref(),
            Ok(secret().public_key())
        );
    }
    // As `openssl ec` writes it.
    let parameters = pem("SM2 PARAMETERS", &curve);
    for label in ["EC PRIVATE KEY", "SM2 PRIVATE KEY"] {
        same(private(
            format!("{parameters}{}", pem(label, &inner)).as_bytes(),
        ));
    }
}

#[test]
fn private_keys_that_are_refused() {
    let d = secret().to_bytes();
    let point = secret().public_key().to_sec1_bytes();
    let p256 = unhex("06082a8648ce3d030107");
    let algorithm = unhex(ALGORITHM);
    let inner = sec1(&d[..], None, Some(&point));
    let oid = |text: &str| der::asn1::ObjectIdentifier::new_unwrap(text);

    let mut other = parameters::gx().to_vec();
    other.splice(0..0, [2]);
    let with_other = sec1(&d[..], None, Some(&other));
    refused(&with_other, Error::PublicKeyMismatch);
    refused(
        &pkcs8(0, &algorithm, &with_other, &[]),
        Error::PublicKeyMismatch,
    );
    refused(
        &pkcs8(1, &algorithm, &inner, &element(0x81, &[&[0], &other])),
        Error::PublicKeyMismatch,
    );

    refused(
        &sec1(&d[..], Some(&p256), None),
        Error::Curve(oid("1.2.840.10045.3.1.7")),
    );
    refused(
        &sec1(&d[..], Some(&[0x30, 0]), None),
        Error::ExplicitParameters,
    );
    let explicit = element(0x30, &[&unhex("06072a8648ce3d0201"), &[0x30, 0]]);
    refused(&pkcs8(0, &explicit, &inner, &[]), Error::ExplicitParameters);
    assert_eq!(
        public(&spki(&explicit, &point)),
        Err(Error::ExplicitParameters)
    );
    let none = element(0x30, &[&unhex("06072a8648ce3d0201")]);
    refused(&pkcs8(0, &none, &inner, &[]), Error::ParametersMissing);
    let p256_algorithm = element(0x30, &[&unhex("06072a8648ce3d0201"), &p256]);
    refused(
        &pkcs8(0, &p256_algorithm, &inner, &[]),
        Error::Curve(oid("1.2.840.10045.3.1.7")),
    );
    let rsa = unhex("300d06092a864886f70d0101010500");
    refused(
        &pkcs8(0, &rsa, &inner, &[]),
        Error::Algorithm(oid("1.2.840.113549.1.1.1")),
    );
    let text = format!(
        "{}{}",
        pem("EC PARAMETERS", &p256),
        pem("EC PRIVATE KEY", &inner)
    );
    refused(text.as_bytes(), Error::Curve(oid("1.2.840.10045.3.1.7")));

    // d is 0, n − 1, n, or not 32 bytes.
    let mut almost = parameters::n();
    almost[31] -= 1;
    for d in [[0; 32], almost, parameters::n(), [0xff; 32]] {
        let range = Error::Content(sm2::Error::SecretKeyRange);
        refused(&sec1(&d, None, None), range.clone());
        refused(
            &pkcs8(0, &algorithm, &sec1(&d, None, None), &[]),
            range.clone(),
        );
        refused(&d, range.clone());
        refused(hex::encode(d).as_bytes(), range);
    }
    almost[31] -= 1;
    assert!(
        private(&sec1(&almost, None, None)).is_ok(),
        "n - 2 is a private key"
    );
    refused(
        &sec1(&d[1..], None, None),
        Error::Content(sm2::Error::SecretKeyLength(31)),
    );
    let padded = [&[0][..], &d[..]].concat();
    refused(
        &sec1(&padded, None, None),
        Error::Content(sm2::Error::SecretKeyLength(33)),
    );

    // Bytes after the end, inside and outside.
    refused(&[&inner[..], &[0]].concat(), Error::TrailingBytes);
    let whole = pkcs8(0, &algorithm, &inner, &[]);
    refused(
        pem("PRIVATE KEY", &[&whole[..], &[0]].concat()).as_bytes(),
        Error::TrailingBytes,
    );
    refused(
        &pkcs8(0, &algorithm, &[&inner[..], &[0]].concat(), &[]),
        Error::TrailingBytes,
    );
    // Lengths and integers that are not minimal.
    let long = [&[0x30, 0x81][..], &inner[1..]].concat();
    assert!(private(&long).is_err());
    let version = element(0x30, &[&[2, 2, 0, 1], &element(4, &[&d[..]])]);
    assert!(matches!(private(&version), Err(Error::Der(_))));

    // Other things.
    refused(&[], Error::NotAKey);
    refused(b"hello", Error::NotAKey);
    // Text of 32 characters is half a key in hexadecimal, not a whole one in binary.
    refused(&hex::encode(&d[..16]).into_bytes(), Error::NotAKey);
    refused(&[0x30], Error::NotAKey);
    let spki_der = secret().public_key().to_public_key_der().expect("encodes");
    refused(spki_der.as_bytes(), Error::PublicKeyInstead);
    refused(
        pem("PUBLIC KEY", spki_der.as_bytes()).as_bytes(),
        Error::PublicKeyInstead,
    );
    assert_eq!(public(&whole), Err(Error::PrivateKeyInstead));
    assert_eq!(
        public(pem("PRIVATE KEY", &whole).as_bytes()),
        Err(Error::PrivateKeyInstead)
    );
    refused(pem("RSA PRIVATE KEY", &whole).as_bytes(), Error::NotAKey);
    refused(
        b"-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END EC PRIVATE KEY-----\n",
        Error::LegacyEncryption,
    );
    refused(
        b"-----BEGIN PRIVATE KEY-----\nComment: none\n\nAAAA\n-----END PRIVATE KEY-----\n",
        Error::PemHeaders,
    );
    refused(
        b"-----BEGIN PRIVATE KEY-----\nAA*A\n-----END PRIVATE KEY-----\n",
        Error::Base64,
    );
    refused(
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        Error::PemEnd,
    );
}

#[test]
fn points_that_are_refused() {
    let algorithm = unhex(ALGORITHM);
    let content = |error| Err(Error::Content(error));
    let mut off = secret().public_key().to_sec1_bytes();
    off[64] ^= 1;
    assert_eq!(
        public(&spki(&algorithm, &off)),
        content(sm2::Error::NotOnCurve)
    );
    assert_eq!(public(&off), content(sm2::Error::NotOnCurve));
    assert_eq!(public(&off[1..]), content(sm2::Error::NotOnCurve));
    assert_eq!(
        public(&spki(&algorithm, &[0])),
        content(sm2::Error::PointAtInfinity)
    );
    assert_eq!(
        public(&spki(&algorithm, &[])),
        content(sm2::Error::PointLength(0))
    );
    let large = [&[2][..], &parameters::p()].concat();
    assert_eq!(
        public(&spki(&algorithm, &large)),
        content(sm2::Error::CoordinateRange)
    );
    assert_eq!(public(&large), content(sm2::Error::CoordinateRange));
    assert_eq!(public(&[5; 65]), Err(Error::NotAKey));
    assert_eq!(public(&[]), Err(Error::NotAKey));
    // A BIT STRING that is not whole bytes.
    let point = secret().public_key().to_sec1_bytes();
    let bits = element(
        0x30,
        &[&algorithm, &element(3, &[&[1], &point[..64], &[0]])],
    );
    assert!(matches!(public(&bits), Err(Error::Der(_))));
}

#[test]
fn every_mix_of_password_encryption() {
    use Cipher::{Aes128Cbc, Aes192Cbc, Aes256Cbc, Sm4Cbc};
    use PasswordHash::{Sha1, Sha224, Sha256, Sha384, Sha512, Sm3};
    let mut derivations: Vec<_> = [Sha1, Sha224, Sha256, Sha384, Sha512, Sm3]
        .map(|hash| Derivation::Pbkdf2 {
            hash,
            iterations: 5,
        })
        .into();
    derivations.push(Derivation::Scrypt {
        log_n: 4,
        r: 8,
        p: 2,
    });
    for cipher in [Aes128Cbc, Aes192Cbc, Aes256Cbc, Sm4Cbc] {
        for &derivation in &derivations {
            let encryption = PasswordEncryption { cipher, derivation };
            let pem = secret()
                .to_encrypted_pkcs8_pem(b"", encryption, &mut getrandom::SysRng)
                .expect("encrypts");
            let (key, form) = read_private_key(pem.as_bytes(), Some(b"")).expect("decrypts");
            same(Ok(key));
            assert_eq!(
                form.structure,
                PrivateKeyStructure::EncryptedPkcs8(encryption)
            );
            refused(pem.as_bytes(), Error::PasswordNeeded);
            let wrong = read_private_key(pem.as_bytes(), Some(b"wrong"));
            assert_eq!(wrong.map(|_| ()), Err(Error::WrongPassword));
        }
    }
}

/// One in 256 wrong passwords leaves padding that is right: these too must be found out.
#[test]
fn a_thousand_wrong_passwords() {
    let encryption = PasswordEncryption::AES.with_iterations(1);
    let der = secret()
        .to_encrypted_pkcs8_der(b"right", encryption, &mut getrandom::SysRng)
        .expect("encrypts");
    for i in 0..1000u32 {
        let wrong = read_private_key(&der, Some(&i.to_le_bytes()));
        assert_eq!(wrong.map(|_| ()), Err(Error::WrongPassword));
    }
}

/// `EncryptedPrivateKeyInfo` with these parameters of PBKDF2 or scrypt and AES-128-CBC.
fn encrypted(kdf: &[u8]) -> Vec<u8> {
    let scheme = unhex("301d060960864801650304010204100000000000000000000000000000000000");
    let scheme = &scheme[..31];
    let algorithm = element(
        0x30,
        &[
            &unhex("06092a864886f70d01050d"),
            &element(0x30, &[kdf, scheme]),
        ],
    );
    element(0x30, &[&algorithm, &element(4, &[&[0; 32]])])
}

#[test]
fn a_hostile_file_cannot_keep_its_reader_busy() {
    let pbkdf2 = |fields: &[&[u8]]| {
        let salt = element(4, &[&[0; 8]]);
        let fields = element(0x30, &[&salt, &fields.concat()]);
        encrypted(&element(0x30, &[&unhex("06092a864886f70d01050c"), &fields]))
    };
    let read = |bytes: &[u8]| read_private_key(bytes, Some(b"x")).map(|_| ());
    assert_eq!(read(&pbkdf2(&[&[2, 1, 1]])), Err(Error::WrongPassword));
    assert_eq!(read(&pbkdf2(&[&[2, 1, 0]])), Err(Error::IterationCount(0)));
    assert_eq!(
        read(&pbkdf2(&[&[2, 4, 0, 0x98, 0x96, 0x81]])),
        Err(Error::IterationCount(10_000_001))
    );
    assert_eq!(
        read(&pbkdf2(&[&[2, 5, 0, 0xff, 0xff, 0xff, 0xff]])),
        Err(Error::IterationCount(0xffff_ffff))
    );
    assert_eq!(
        read(&pbkdf2(&[&[
            2, 8, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
        ]])),
        Err(Error::IterationCount(u64::MAX >> 1))
    );
    assert!(read(&pbkdf2(&[&[2, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0]])).is_err());
    // It is refused before a password is asked for.
    refused(&pbkdf2(&[&[2, 1, 0]]), Error::IterationCount(0));
    // The length of the key, if said, is the cipher's.
    assert_eq!(
        read(&pbkdf2(&[&[2, 1, 1], &[2, 1, 16]])),
        Err(Error::WrongPassword)
    );
    assert_eq!(
        read(&pbkdf2(&[&[2, 1, 1], &[2, 1, 32]])),
        Err(Error::EncryptionParameters)
    );
    // An unknown hash.
    assert!(matches!(
        read(&pbkdf2(&[
            &[2, 1, 1],
            &unhex("300c06082a864886f70d02050500")
        ])),
        Err(Error::Encryption(_))
    ));

    let scrypt = |fields: &[&[u8]]| {
        let salt = element(4, &[&[0; 8]]);
        let fields = element(0x30, &[&salt, &fields.concat()]);
        encrypted(&element(0x30, &[&unhex("06092b06010401da47040b"), &fields]))
    };
    let (n16, r8, p1): (&[u8], &[u8], &[u8]) = (&[2, 1, 16], &[2, 1, 8], &[2, 1, 1]);
    assert_eq!(read(&scrypt(&[n16, r8, p1])), Err(Error::WrongPassword));
    assert_eq!(
        read(&scrypt(&[&[2, 1, 15], r8, p1])),
        Err(Error::EncryptionParameters)
    );
    let huge_n: &[u8] = &[2, 8, 0x40, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(read(&scrypt(&[huge_n, r8, p1])), Err(Error::ScryptCost));
    let huge: &[u8] = &[2, 4, 0x7f, 0xff, 0xff, 0xff];
    assert_eq!(read(&scrypt(&[n16, huge, p1])), Err(Error::ScryptCost));
    assert_eq!(read(&scrypt(&[n16, r8, huge])), Err(Error::ScryptCost));
    assert_eq!(
        read(&scrypt(&[n16, &[2, 1, 0], p1])),
        Err(Error::ScryptCost)
    );
    assert_eq!(
        read(&scrypt(&[n16, r8, &[2, 1, 0]])),
        Err(Error::ScryptCost)
    );
    // And nothing is written that would not be read.
    for (iterations, count) in [(0, 0), (10_000_001, 10_000_001)] {
        let made = secret().to_encrypted_pkcs8_der(
            b"x",
            PasswordEncryption::AES.with_iterations(iterations),
            &mut getrandom::SysRng,
        );
        assert_eq!(made, Err(Error::IterationCount(count)));
    }
}

#[test]
fn enveloped_keys() {
    let recipient = SecretKey::generate().expect("random");
    let made = secret()
        .to_enveloped_key(recipient.public_key(), &mut getrandom::SysRng)
        .expect("wraps");
    same(recipient.open_enveloped_key(&made));
    let failed = secret().open_enveloped_key(&made).map(|_| ());
    assert_eq!(failed, Err(Error::Content(sm2::Error::DecryptionFailed)));
    refused(&made, Error::EnvelopedKeyInstead);
    assert_eq!(public(&made), Err(Error::EnvelopedKeyInstead));

    let mut other_public = made.clone();
    let at = made.len() - 2 - 1 - 32 - 65;
    let g = [&[4][..], &parameters::gx(), &parameters::gy()].concat();
    other_public[at..at + 65].copy_from_slice(&g);
    assert_eq!(
        recipient.open_enveloped_key(&other_public).map(|_| ()),
        Err(Error::PublicKeyMismatch)
    );
    for length in 0..made.len() {
        assert!(recipient.open_enveloped_key(&made[..length]).is_err());
    }
    for bit in 0..8 * made.len() {
        let mut altered = made.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        // The parameters of SM4 in ECB mode say nothing.
        if let Ok(key) = recipient.open_enveloped_key(&altered) {
            same(Ok(key));
        }
    }
}

/// Every cut of every encoding is an error, and no single altered bit makes anything panic or gives this key another
/// public key.
#[test]
fn truncated_and_altered_keys() {
    let key = secret();
    let mut rng = getrandom::SysRng;
    let encryption = PasswordEncryption::AES.with_iterations(1);
    let privates = [
        key.to_sec1_der().expect("encodes").to_bytes().to_vec(),
        key.to_pkcs8_der().expect("encodes").to_bytes().to_vec(),
        key.to_encrypted_pkcs8_der(b"x", encryption, &mut rng)
            .expect("encrypts"),
        key.to_pkcs8_pem(LineEnding::LF)
            .expect("encodes")
            .trim_end()
            .into(),
        key.to_sec1_pem(LineEnding::LF)
            .expect("encodes")
            .trim_end()
            .into(),
    ];
    for bytes in &privates {
        for length in 0..bytes.len() {
            // 32 bytes of anything are a private key.
            if length != 32 {
                assert!(
                    read_private_key(&bytes[..length], Some(b"x")).is_err(),
                    "{length}"
                );
            }
        }
        for bit in 0..8 * bytes.len() {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            if let Ok((found, _)) = read_private_key(&altered, Some(b"x")) {
                same(Ok(found));
            }
            let _ = read_public_key(&altered);
        }
    }
    let publics = [
        key.public_key()
            .to_public_key_der()
            .expect("encodes")
            .into_vec(),
        key.public_key()
            .to_public_key_pem(LineEnding::LF)
            .expect("encodes")
            .trim_end()
            .into(),
    ];
    for bytes in &publics {
        for length in 0..bytes.len() {
            assert!(read_public_key(&bytes[..length]).is_err(), "{length}");
        }
        for bit in 0..8 * bytes.len() {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            let _ = read_public_key(&altered);
            let _ = read_private_key(&altered, None);
        }
    }
}
