//! Keys in every structure and encoding: round trips, what is refused and why, and that nothing
//! panics.

use crate::common::keys::*;
use kuaimi::encoding::{
    DecodeEcPrivateKey, DecodePrivateKey, DecodePublicKey, EncodeEcPrivateKey, EncodePrivateKey,
    EncodePublicKey, Error, FileKind, LineEnding, PasswordEncryption, PrivateKeyStructure,
    PublicKeyStructure, TextEncoding, read_private_key, read_public_key,
};
use kuaimi::sm2::{self, PrivateKey, PublicKey, SigningKey, VerifyingKey, parameters};

#[test]
fn private_keys_in_every_structure_and_encoding() {
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
            (TextEncoding::Binary, der.to_vec()),
            (TextEncoding::Hex, hex::encode(der).into_bytes()),
            (
                TextEncoding::Hex,
                format!("0x{}\r\n", hex::encode_upper(der)).into_bytes(),
            ),
            (
                TextEncoding::Base64,
                format!("{}\n", base64(der)).into_bytes(),
            ),
        ];
        if let Some(label) = label {
            let text = pem(label, der);
            texts.push((TextEncoding::Pem, text.replace('\n', "\r\n").into_bytes()));
            texts.push((
                TextEncoding::Pem,
                format!("Bag Attributes: none\n{text}").into_bytes(),
            ));
            texts.push((TextEncoding::Pem, text.into_bytes()));
        }
        for (encoding, text) in texts {
            let (found, form) = read_private_key(&text, Some(b"secret")).expect("reads");
            assert_eq!(found.to_bytes(), raw);
            assert_eq!((form.structure, form.encoding), (structure, encoding));
        }
    }
}

#[test]
fn public_keys_in_every_structure_and_encoding() {
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
        (&key.to_xy_bytes(), PublicKeyStructure::Raw),
    ] {
        for (encoding, text) in [
            (TextEncoding::Binary, der.to_vec()),
            (TextEncoding::Hex, hex::encode(der).into_bytes()),
            (TextEncoding::Base64, base64(der).into_bytes()),
        ] {
            let (found, form) = read_public_key(&text).expect("reads");
            assert_eq!(found, key);
            assert_eq!((form.structure, form.encoding), (structure, encoding));
        }
    }
    let text = key.to_public_key_pem(LineEnding::LF).expect("encodes");
    assert_eq!(text, pem("PUBLIC KEY", spki.as_bytes()));
    let (found, form) = read_public_key(text.as_bytes()).expect("reads");
    assert_eq!((found, form.encoding), (key, TextEncoding::Pem));
}

#[test]
fn the_traits_of_the_field() {
    let key = secret();
    let text = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
    same(Ok(PrivateKey::from_pkcs8_pem(&text).expect("reads")));
    let der = key.to_pkcs8_der().expect("encodes");
    same(Ok(
        PrivateKey::from_pkcs8_der(der.as_bytes()).expect("reads")
    ));
    assert_eq!(
        SigningKey::from_pkcs8_pem(&text)
            .expect("reads")
            .public_key(),
        key.public_key()
    );
    let text = key.to_sec1_pem(LineEnding::LF).expect("encodes");
    same(Ok(PrivateKey::from_sec1_pem(&text).expect("reads")));
    assert!(PrivateKey::from_pkcs8_pem(&text).is_err(), "this is SEC 1");
    let der = key.to_sec1_der().expect("encodes");
    same(Ok(PrivateKey::from_sec1_der(der.as_bytes()).expect("reads")));

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
        PrivateKey::from_pkcs8_encrypted_pem(&text, "secret").expect("reads")
    ));
    assert_eq!(
        SigningKey::from_pkcs8_encrypted_pem(&text, "secret")
            .expect("reads")
            .public_key(),
        key.public_key()
    );
    let wrong = PrivateKey::from_pkcs8_encrypted_pem(&text, "Secret");
    assert_eq!(
        wrong.map(|_| ()),
        Err(pkcs8::Error::EncryptedPrivateKey(
            pkcs8::pkcs5::Error::DecryptFailed
        ))
    );
}

/// What reads PEM reads PEM alone: not the same bytes in Base64 or hexadecimal without its lines,
/// and no other structure in it.
#[test]
fn pem_is_nothing_but_pem() {
    let key = secret();
    let encryption = PasswordEncryption::AES.with_iterations(1);
    let encrypted = key
        .to_encrypted_pkcs8_der(b"x", encryption, &mut getrandom::SysRng)
        .expect("encrypts");
    let pkcs8 = key.to_pkcs8_der().expect("encodes");
    let sec1 = key.to_sec1_der().expect("encodes");
    type Read = fn(&str) -> bool;
    let readers: [(&[u8], &str, [Read; 2]); 3] = [
        (
            pkcs8.as_bytes(),
            "PRIVATE KEY",
            [
                |text| PrivateKey::from_pkcs8_pem(text).is_ok(),
                |text| SigningKey::from_pkcs8_pem(text).is_ok(),
            ],
        ),
        (
            sec1.as_bytes(),
            "EC PRIVATE KEY",
            [|text| PrivateKey::from_sec1_pem(text).is_ok(); 2],
        ),
        (
            &encrypted,
            "ENCRYPTED PRIVATE KEY",
            [
                |text| PrivateKey::from_pkcs8_encrypted_pem(text, "x").is_ok(),
                |text| SigningKey::from_pkcs8_encrypted_pem(text, "x").is_ok(),
            ],
        ),
    ];
    for (der, label, reads) in readers {
        let text = pem(label, der);
        for read in reads {
            assert!(read(&text));
            // Text that explains it may precede it, on lines of its own.
            assert!(read(&format!("an SM2 key\n{text}")));
            for bare in [
                base64(der),
                hex::encode(der),
                format!("0x{}", hex::encode(der)),
            ] {
                assert!(!read(&bare), "{bare}");
                assert!(!read(&format!("{bare}\n")));
            }
            for before in ["key: ", "-----BEGIN ", "-----BEGIN A----- "] {
                assert!(!read(&format!("{before}{text}")), "BEGIN is in mid-line");
            }
            for (other, other_label, _) in readers {
                assert_eq!(read(&pem(other_label, other)), other_label == label);
                assert_eq!(read(&pem(label, other)), other_label == label);
            }
        }
    }
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

/// tjfoc/gmsm writes the number without its leading zeros.
#[test]
fn private_keys_without_leading_zeros() {
    for length in 1..32 {
        let mut d = [0; 32];
        d[32 - length..].fill(0x5a);
        let inner = sec1(&d[32 - length..], None, None);
        let der = pkcs8(0, &unhex(ALGORITHM), &inner, &[]);
        assert_eq!(*private(&der).expect("reads").to_bytes(), d);
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

    // Version 2 of ECPrivateKey, which there is none of.
    let mut version = sec1(&d[..], None, None);
    let at = version.windows(3).position(|field| field == [2, 1, 1]);
    version[at.expect("the version") + 2] = 2;
    assert!(matches!(private(&version), Err(Error::Der(_))));

    refused(
        &sec1(&d[..], Some(&p256), None),
        Error::NotSm2Curve(oid("1.2.840.10045.3.1.7")),
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
        Error::NotSm2Curve(oid("1.2.840.10045.3.1.7")),
    );
    let rsa = unhex("300d06092a864886f70d0101010500");
    refused(
        &pkcs8(0, &rsa, &inner, &[]),
        Error::NotSm2Algorithm(oid("1.2.840.113549.1.1.1")),
    );
    let text = format!(
        "{}{}",
        pem("EC PARAMETERS", &p256),
        pem("EC PRIVATE KEY", &inner)
    );
    refused(
        text.as_bytes(),
        Error::NotSm2Curve(oid("1.2.840.10045.3.1.7")),
    );

    // d is 0, n − 1, n, empty, or has more than 32 bytes.
    let mut almost = parameters::n();
    almost[31] -= 1;
    for d in [[0; 32], almost, parameters::n(), [0xff; 32]] {
        let range = Error::Sm2(sm2::Error::PrivateKeyRange);
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
        &sec1(&[], None, None),
        Error::Sm2(sm2::Error::PrivateKeyLength(0)),
    );
    let padded = [&[1][..], &d[..]].concat();
    refused(
        &sec1(&padded, None, None),
        Error::Sm2(sm2::Error::PrivateKeyLength(33)),
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
    refused(spki_der.as_bytes(), Error::UnexpectedPublicKey);
    refused(
        pem("PUBLIC KEY", spki_der.as_bytes()).as_bytes(),
        Error::UnexpectedPublicKey,
    );
    assert_eq!(public(&whole), Err(Error::UnexpectedPrivateKey));
    assert_eq!(
        public(pem("PRIVATE KEY", &whole).as_bytes()),
        Err(Error::UnexpectedPrivateKey)
    );
    refused(
        pem("RSA PRIVATE KEY", &whole).as_bytes(),
        Error::Other(FileKind::RsaKey),
    );
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
    let content = |error| Err(Error::Sm2(error));
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

/// Every cut of every encoding is an error, and no single altered bit makes anything panic or gives
/// this key another public key.
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
