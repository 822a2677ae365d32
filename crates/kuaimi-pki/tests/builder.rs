//! Certificates and requests that are made here, beside OpenSSL.

mod common;

use common::{Folder, openssl};
use kuaimi::encoding::EncodePrivateKey;
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{Certificate, CertificateBuilder, Validity};
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::request::{Request, RequestBuilder};
use kuaimi_pki::{Error, Signer, name};

fn key(seed: u8) -> SigningKey {
    SigningKey::new(PrivateKey::from_bytes(&[seed; 32]).unwrap())
}

fn validity() -> Validity {
    Validity::days("2026-01-01T00:00:00Z".parse().unwrap(), 3650).unwrap()
}

fn root(key: &SigningKey) -> Certificate {
    CertificateBuilder::new(
        name::parse("CN=Root,C=CN").unwrap(),
        key.public_key(),
        validity(),
    )
    .purpose(Purpose::Authority { path_len: Some(1) })
    .unwrap()
    .serial(&[7])
    .unwrap()
    .self_sign(key)
    .unwrap()
}

#[test]
fn openssl_verifies_a_chain() {
    let (ca_key, leaf_key) = (key(1), key(2));
    let ca = root(&ca_key);
    let subject = name::parse("CN=网站,O=Example\\, Inc.").unwrap();
    let mut builder = CertificateBuilder::new(subject, leaf_key.public_key(), validity())
        .purpose(Purpose::Server)
        .unwrap()
        .random_serial(&mut getrandom::SysRng)
        .unwrap();
    let extensions = builder.extensions();
    extensions
        .dns("leaf.example")
        .unwrap()
        .dns("*.leaf.example")
        .unwrap();
    extensions.ip("2001:db8::1".parse().unwrap()).unwrap();
    extensions.email("leaf@example").unwrap();
    extensions.crl_at("http://ca.example/ca.crl").unwrap();
    extensions.ocsp_at("http://ca.example/ocsp").unwrap();
    let leaf = builder.sign(&ca, &ca_key).unwrap();

    let folder = Folder::new();
    let (ca_file, leaf_file) = (
        folder.write("ca.pem", ca.to_pem()),
        folder.write("leaf.pem", leaf.to_pem()),
    );
    let shown = openssl(&[
        "verify",
        "-vfyopt",
        "distid:1234567812345678",
        "-x509_strict",
        "-purpose",
        "sslserver",
        "-verify_hostname",
        "a.leaf.example",
        "-CAfile",
        &ca_file,
        &leaf_file,
    ]);
    assert!(shown.contains("leaf.pem: OK"), "{shown}");
    let shown = openssl(&[
        "x509",
        "-in",
        &leaf_file,
        "-noout",
        "-text",
        "-nameopt",
        "utf8,sep_comma_plus,esc_2253",
    ]);
    for part in [
        "Signature Algorithm: SM2-with-SM3",
        "Subject: O=Example\\, Inc.,CN=网站",
        "DNS:leaf.example, DNS:*.leaf.example, IP Address:2001:DB8:0:0:0:0:0:1, email:leaf@example",
        "URI:http://ca.example/ca.crl",
        "OCSP - URI:http://ca.example/ocsp",
        "TLS Web Server Authentication",
        "Digital Signature, Key Encipherment, Key Agreement",
        "Not Before: Jan  1 00:00:00 2026 GMT",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    // Another authority of the same name.
    let other = root(&key(3));
    assert_eq!(
        leaf.verify_signature(other.public_key(), Identities::Default),
        Err(Error::Signature)
    );
}

#[test]
fn openssl_verifies_requests_and_makes_them() {
    let key = key(4);
    let mut builder =
        RequestBuilder::new(name::parse("CN=leaf,O=Example").unwrap(), key.public_key())
            .challenge_password("secret 1")
            .unwrap();
    builder.extensions().dns("leaf.example").unwrap();
    let request = builder.sign(&key).unwrap();
    let folder = Folder::new();
    let file = folder.write("leaf.csr", request.to_pem());
    let shown = openssl(&[
        "req",
        "-in",
        &file,
        "-noout",
        "-verify",
        "-vfyopt",
        "distid:1234567812345678",
        "-text",
    ]);
    for part in [
        "self-signature verify OK",
        "DNS:leaf.example",
        "secret 1",
        "O = Example, CN = leaf",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }

    let key_file = folder.write(
        "key.pem",
        key.private_key()
            .to_pkcs8_pem(Default::default())
            .unwrap()
            .as_str(),
    );
    let made = folder.path("made.csr");
    for (id, identities) in [
        ("1234567812345678", Identities::Default),
        ("", Identities::DefaultOrEmpty),
    ] {
        let id = format!("distid:{id}");
        openssl(&[
            "req",
            "-new",
            "-key",
            &key_file,
            "-sm3",
            "-sigopt",
            &id,
            "-subj",
            "/C=CN/CN=made",
            "-out",
            &made,
        ]);
        let read = Request::read(&std::fs::read(&made).unwrap()).unwrap();
        assert_eq!(read.verify(identities), Ok(()), "{id}");
        assert_eq!(name::to_text(read.subject()), "CN=made,C=CN");
    }
    let read = Request::read(&std::fs::read(&made).unwrap()).unwrap();
    assert_eq!(
        read.verify(Identities::Default),
        Err(Error::Signature),
        "the empty identity"
    );
}

#[test]
fn a_device_signs_in_two_steps() {
    let key = key(5);
    let builder = || {
        CertificateBuilder::new(
            name::parse("CN=Root").unwrap(),
            key.public_key(),
            validity(),
        )
        .serial(&[1, 2, 3])
        .unwrap()
    };
    let unsigned = builder().prepare_self_signed().unwrap();
    let signature = Signer::sign_digest(&key, &unsigned.digest()).unwrap();
    let made = unsigned.clone().finish(&signature).unwrap();
    assert!(
        made.verify_signature(made.public_key(), Identities::Default)
            .is_ok()
    );
    // What the device gives is verified: it may have signed another digest.
    let wrong = Signer::sign_digest(&key, &[1; 32]).unwrap();
    assert_eq!(unsigned.finish(&wrong).unwrap_err(), Error::Signature);
}

#[test]
fn wrong_arguments_are_refused() {
    let (ca_key, leaf) = (key(1), key(2));
    let ca = root(&ca_key);
    let builder =
        || CertificateBuilder::new(name::parse("CN=x").unwrap(), leaf.public_key(), validity());
    assert!(builder().serial(&[0, 0]).is_err());
    assert!(builder().serial(&[1; 21]).is_err());
    assert!(builder().sign(&ca, &ca_key).is_err(), "no serial number");
    assert!(
        builder().serial(&[1]).unwrap().sign(&ca, &leaf).is_err(),
        "another key"
    );
    assert!(
        builder().serial(&[1]).unwrap().self_sign(&ca_key).is_err(),
        "another key"
    );
    for name in ["", "a..b", "-a.b", "a b", "网站.example", "*.*.a", "a.*"] {
        assert!(builder().extensions().dns(name).is_err(), "{name}");
    }
    for text in [
        "",
        "leaf",
        "CN=",
        "XX=a",
        "C=CHN",
        "CN=a,",
        "CN=a\\q",
        "CN=a+CN=a",
        "C=中国",
        "CN=a\\\u{3000}",
        "1.2=#30",
    ] {
        assert!(name::parse(text).is_err(), "{text}");
    }
    assert!(name::parse(&format!("CN={}", "x".repeat(65))).is_err());
    for text in [
        "CN=a\\ ",
        "CN=\\e7\\bd\\91",
        "2.5.4.3=a",
        "CN=a+OU=b,O=c",
        "CN=#0c0161",
    ] {
        assert!(name::parse(text).is_ok(), "{text}");
    }
    let odd = name::parse("CN=a\\0ab\\e2\\80\\aec").unwrap();
    assert_eq!(
        name::to_text(&odd),
        "CN=a\\0ab\\e2\\80\\aec",
        "no control characters on a terminal"
    );
}

#[test]
fn altered_and_cut_certificates_are_refused() {
    let ca_key = key(1);
    let ca = root(&ca_key);
    for length in 0..ca.as_der().len() {
        assert!(
            Certificate::from_der(&ca.as_der()[..length]).is_err(),
            "{length}"
        );
    }
    for place in 0..ca.as_der().len() {
        let mut altered = ca.as_der().to_vec();
        altered[place] ^= 1;
        // The last bit of the unused-bits byte of a BIT STRING and such: refused, or another key.
        if let Ok(read) = Certificate::from_der(&altered) {
            assert!(
                read.verify_signature(ca.public_key(), Identities::DefaultOrEmpty)
                    .is_err(),
                "{place} of {}: {}",
                ca.as_der().len(),
                hex::encode(&altered)
            );
        }
    }
    assert!(
        Certificate::from_der(&[ca.as_der(), &[0]].concat()).is_err(),
        "bytes follow"
    );
    let two = [ca.to_pem(), ca.to_pem()].join("text between\n");
    assert_eq!(
        Certificate::read_all(two.as_bytes()).unwrap(),
        [ca.clone(), ca]
    );
}

#[test]
fn certificates_of_other_algorithms_are_verified() {
    let folder = Folder::new();
    for options in [
        &["rsa:2048", "-sha256"][..],
        &["rsa:2048", "-sha512"],
        &["ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-sha256"],
        &["ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-sha384"],
    ] {
        let (key, out) = (folder.path("k.pem"), folder.path("c.pem"));
        let mut arguments = vec![
            "req", "-x509", "-nodes", "-keyout", &key, "-out", &out, "-subj", "/CN=a", "-newkey",
        ];
        arguments.extend(options);
        openssl(&arguments);
        let read = Certificate::read_all(&std::fs::read(&out).unwrap())
            .unwrap()
            .remove(0);
        assert_eq!(
            read.verify_signature(read.public_key(), Identities::Default),
            Ok(()),
            "{options:?}"
        );
        let mut altered = read.as_der().to_vec();
        let last = altered.len() - 1;
        altered[last] ^= 1;
        let altered = Certificate::from_der(&altered).unwrap();
        assert_eq!(
            altered.verify_signature(read.public_key(), Identities::Default),
            Err(Error::Signature)
        );
    }
}

/// A caller who adds basic constraints alone gets an authority, and nothing else of it changes.
#[test]
fn key_usage_follows_from_basic_constraints() {
    use kuaimi_pki::external::x509_cert::ext::pkix::{BasicConstraints, KeyUsage};
    let key = key(6);
    for (ca, path_len_constraint) in [(true, Some(3)), (true, None), (false, None)] {
        let subject = name::parse("CN=x").unwrap();
        let mut builder = CertificateBuilder::new(subject, key.public_key(), validity())
            .serial(&[1])
            .unwrap();
        let constraints = BasicConstraints {
            ca,
            path_len_constraint,
        };
        builder.extensions().set(true, &constraints).unwrap();
        let made = builder.self_sign(&key).unwrap();
        let found = made.extension::<BasicConstraints>().unwrap();
        assert_eq!(found, Some((true, constraints)));
        let (_, usage) = made.extension::<KeyUsage>().unwrap().unwrap();
        assert_eq!(usage.key_cert_sign(), ca);
        assert_eq!(usage.digital_signature(), !ca);
    }
}
