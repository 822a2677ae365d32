//! Files that other programs wrote, kept in `tests/data/pkcs12`.

use kuaimi::encoding::Error as EncodingError;
use kuaimi_pki::pkcs12::{Content, Pkcs12, ReadOptions};
use kuaimi_pki::{Error, oid};

use crate::{certificate, data, key};

/// The files with the signing key, its certificate and the chain above it.
const HOLDER: [(&str, &str); 18] = [
    ("openssl-default.p12", "密码"),
    ("openssl-rc2-40.p12", "密码"),
    ("openssl-rc2-128.p12", "密码"),
    ("openssl-3des.p12", "密码"),
    ("openssl-pbes2-3des.p12", "密码"),
    ("openssl-sm4-sm3.p12", "密码"),
    ("openssl-sha512.p12", "密码"),
    ("openssl-sha384.p12", "密码"),
    ("openssl-clear.p12", "密码"),
    ("openssl-empty.p12", ""),
    ("openssl-empty-3des.p12", ""),
    ("openssl-beyond-bmp.p12", "🔑钥"),
    ("bouncycastle.p12", "密码"),
    ("bouncycastle-aes.p12", "密码"),
    ("go-shangmi.p12", "密码"),
    ("go-modern.p12", "密码"),
    ("go-rc2.p12", "密码"),
    ("go-des.p12", "密码"),
];

fn wrong_password() -> Error {
    Error::Encoding(EncodingError::WrongPassword)
}

#[test]
fn keys_and_chains_are_found() {
    let chain = [certificate("middle"), certificate("root")];
    for (name, password) in HOLDER {
        let file = Pkcs12::from_bytes(&data(name), password);
        let file = file.unwrap_or_else(|error| panic!("{name}: {error}"));
        let identities = file.identities();
        assert_eq!(identities.len(), 1, "{name}");
        let found = &identities[0];
        assert_eq!(found.key.sm2().unwrap(), key("sign"), "{name}");
        assert_eq!(found.certificate, Some(&certificate("sign")), "{name}");
        assert!(found.chain.iter().copied().eq(&chain), "{name}");
        if !name.starts_with("go") {
            assert_eq!(found.friendly_name, Some("签名"), "{name}");
        }
        for wrong in ["password", "密", "密码 ", "密码密码"] {
            let read = Pkcs12::from_bytes(&data(name), wrong);
            assert_eq!(read, Err(wrong_password()), "{name}, {wrong:?}");
        }
    }
}

#[test]
fn a_file_without_a_mac_is_read_only_if_asked() {
    let file = data("openssl-no-mac.p12");
    let read = Pkcs12::from_bytes(&file, "密码");
    assert!(
        matches!(read, Err(Error::Structure("PKCS #12 file", _))),
        "{read:?}"
    );
    let options = ReadOptions::default().allow_missing_mac();
    let read = Pkcs12::from_bytes_with(&file, "密码", options).unwrap();
    assert_eq!(read.identities()[0].key.sm2().unwrap(), key("sign"));
    let read = Pkcs12::from_bytes_with(&file, "other", options);
    assert_eq!(read, Err(wrong_password()));
}

#[test]
fn other_algorithms_are_kept() {
    for (name, algorithm) in [("rsa", oid::RSA), ("p256", oid::P256)] {
        let file = Pkcs12::from_bytes(&data(&format!("openssl-{name}.p12")), "password").unwrap();
        let identities = file.identities();
        assert_eq!(identities[0].certificate, Some(&certificate(name)));
        assert_eq!(identities[0].key.algorithm(), algorithm);
        assert_eq!(identities[0].key.belongs_to(&certificate(name)), Some(true));
        assert_eq!(
            identities[0].key.belongs_to(&certificate("sign")),
            Some(false)
        );
        let pem = String::from_utf8(data(&format!("{name}.key"))).unwrap();
        let (_, expected) = kuaimi_pki::external::der::Document::from_pem(&pem).unwrap();
        assert_eq!(identities[0].key.as_pkcs8_der(), expected.as_bytes());
        let refused = identities[0].key.sm2();
        assert_eq!(refused, Err(Error::Algorithm("an SM2 key", algorithm)));
    }
}

#[test]
fn keystores_of_java() {
    let file = Pkcs12::from_bytes(&data("keytool.p12"), "password").unwrap();
    assert_eq!(file.identities().len(), 1);
    assert_eq!(file.identities()[0].certificate, Some(&certificate("rsa")));
    assert_eq!(file.identities()[0].friendly_name, Some("rsa"));
    let names = |wanted: fn(&Content) -> bool| {
        let entries = file.entries().iter().filter(|entry| wanted(&entry.content));
        let names = entries.map(|entry| entry.attributes.friendly_name.clone());
        names.flatten().collect::<Vec<_>>()
    };
    assert_eq!(
        names(|content| matches!(content, Content::Secret(_))),
        ["secret"]
    );
    let trusted = |content: &Content| matches!(content, Content::Certificate(_));
    assert_eq!(names(trusted), ["rsa", "trusted"]);
    let old = Pkcs12::from_bytes(&data("keytool-legacy.p12"), "password").unwrap();
    assert_eq!(old.identities()[0].certificate, Some(&certificate("rsa")));
}

/// A file of a developer.
#[test]
fn a_file_from_the_field() {
    let file = Pkcs12::from_bytes(&data("field.p12"), "123456").unwrap();
    let d = "a2fb4dac741e249212bddc94982de8d6fb8f2b89d58c8eb0ce73b454fc0f1cf5";
    assert_eq!(
        hex::encode(file.identities()[0].key.sm2().unwrap().to_bytes()),
        d
    );
}

/// RFC 9579, appendix A: three right files, and three wrong ones.
#[test]
fn examples_of_rfc_9579() {
    for number in 1..=3 {
        let file = Pkcs12::from_bytes(&data(&format!("rfc9579-a{number}.p12")), "1234").unwrap();
        assert_eq!(file.identities().len(), 1);
        assert_eq!(file.identities()[0].key.algorithm(), oid::RSA);
        let other = Pkcs12::from_bytes(&data(&format!("rfc9579-a{number}.p12")), "1235");
        assert_eq!(other, Err(wrong_password()));
    }
    for number in 4..=5 {
        let file = Pkcs12::from_bytes(&data(&format!("rfc9579-a{number}.p12")), "1234");
        assert_eq!(file, Err(wrong_password()));
    }
    let file = Pkcs12::from_bytes(&data("rfc9579-a6.p12"), "1234");
    assert!(
        matches!(file, Err(Error::Structure("MAC of a PKCS #12 file", _))),
        "{file:?}"
    );
}

/// A file of gmcert.org, with the authority's certificate.
#[test]
fn a_file_of_an_authority() {
    let file = Pkcs12::from_bytes(&data("gmcert.p12"), "123456").unwrap();
    let identities = file.identities();
    assert_eq!(identities.len(), 1);
    assert!(identities[0].key.sm2().is_ok());
    assert!(!identities[0].chain.is_empty());
}
