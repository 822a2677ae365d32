//! What CFCA writes, and what `emmansun/gmsm` writes as CFCA does.

use std::path::PathBuf;

use kuaimi::encoding::Error as EncodingError;
use kuaimi::sm2::{PrivateKey, PublicKey, SigningKey};
use kuaimi_pki::cfca::{
    open_key_file, open_returned_key, return_key, temporary_key, write_key_file,
};
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::request::{Request, RequestBuilder};
use kuaimi_pki::signer::Deterministic;
use kuaimi_pki::{Certificate, Error, name};

fn data(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn key(name: &str) -> PrivateKey {
    let pem = data(&format!("pkcs12/{name}.key"));
    kuaimi::encoding::read_private_key(&pem, None).unwrap().0
}

fn certificate(name: &str) -> Certificate {
    let all = Certificate::read_all(&data(&format!("pkcs12/{name}.pem"))).unwrap();
    all.into_iter().next().unwrap()
}

fn wrong_password<T>() -> Result<T, Error> {
    Err(Error::Encoding(EncodingError::WrongPassword))
}

#[test]
fn key_files() {
    for (name, password) in [
        ("field.sm2", "123456"),
        ("sadk.pem", "ys123456"),
        ("gmsm.sm2", "密码"),
    ] {
        let file = data(&format!("cfca/{name}"));
        let (key, certificate) = open_key_file(&file, password).unwrap();
        let holder = certificate.public_key().sm2().unwrap();
        assert_eq!(key.public_key(), holder.public_key(), "{name}");
        for wrong in ["", "12345", "ys12345", "密", "密码密码"] {
            assert_eq!(open_key_file(&file, wrong), wrong_password(), "{name}");
        }
        // Written again, it is the same: nothing in it is random.
        let written = write_key_file(&key, &certificate, password).unwrap();
        let bytes = |text: &[u8]| {
            let encoding = kuaimi::encoding::TextEncoding::detect(text);
            encoding.decode(text).unwrap()
        };
        assert_eq!(bytes(written.as_bytes()), bytes(&file), "{name}");
        // In DER.
        let der = bytes(&file);
        assert_eq!(open_key_file(&der, password).unwrap().0, key);
    }
    let (key, _) = open_key_file(&data("cfca/gmsm.sm2"), "密码").unwrap();
    assert_eq!(key, self::key("sign"));
    let text = write_key_file(&key, &certificate("sign"), "密码").unwrap();
    keep("ours.sm2", text.as_bytes());
    let other = write_key_file(&key, &certificate("encrypt"), "x");
    assert_eq!(
        other,
        Err(Error::Argument("the certificate is of another key"))
    );
}

#[test]
fn altered_key_files() {
    let text = write_key_file(&key("sign"), &certificate("sign"), "密码").unwrap();
    let encoding = kuaimi::encoding::TextEncoding::Base64;
    let der = encoding.decode(text.as_bytes()).unwrap();
    let original = open_key_file(&der, "密码").unwrap();
    for length in 0..der.len() {
        assert!(open_key_file(&der[..length], "密码").is_err(), "{length}");
    }
    assert!(open_key_file(&[&der[..], &[0]].concat(), "密码").is_err());
    for place in 0..der.len() {
        for flip in 0..8 {
            let mut altered = der.to_vec();
            altered[place] ^= 1 << flip;
            // The certificate is not protected: only its key must fit.
            if let Ok((key, certificate)) = open_key_file(&altered, "密码") {
                assert_eq!(key, original.0, "{place}");
                assert!(place > 80 && certificate != original.1, "{place}");
            }
        }
    }
    // Any altered byte of the encrypted key is another password.
    for place in 32..80 {
        let mut altered = der.to_vec();
        altered[place] ^= 1;
        assert_eq!(open_key_file(&altered, "密码"), wrong_password());
    }
    assert!(matches!(
        open_key_file(&vec![0x30; (1 << 20) + 1], "x"),
        Err(Error::Limit(_))
    ));
    assert!(open_key_file(b"", "x").is_err());
    assert!(open_key_file(b"MIIB", "x").is_err());
    let deep = [0x30, 0x80].repeat(1 << 18);
    assert!(open_key_file(&deep, "x").is_err());
}

#[test]
fn requests_with_a_temporary_key() {
    for (name, password) in [
        ("sadk-request.pem", "111111"),
        ("trustasia-request.pem", ""),
    ] {
        let request = Request::read(&data(&format!("cfca/{name}"))).unwrap();
        // The signature of TrustAsia's fits under no identity; gmsm's tests do not check it.
        let fits = request.verify(Identities::DefaultOrEmpty).is_ok();
        assert_eq!(fits, name.starts_with("sadk"), "{name}");
        assert_eq!(
            request.challenge_password().as_deref(),
            Some(password),
            "{name}"
        );
        assert!(temporary_key(&request).unwrap().is_some(), "{name}");
    }
    let request = Request::from_der(&data("cfca/gmsm-request.der")).unwrap();
    assert!(request.verify(Identities::Default).is_ok());
    let temporary = *key("encrypt").public_key();
    assert_eq!(temporary_key(&request), Ok(Some(temporary)));

    let signer = Deterministic(SigningKey::new(key("sign")));
    let builder =
        || RequestBuilder::new(name::parse("CN=holder").unwrap(), key("sign").public_key());
    let ours = builder()
        .cfca_temporary_key(&temporary, "111111")
        .unwrap()
        .sign(&signer)
        .unwrap();
    assert_eq!(temporary_key(&ours), Ok(Some(temporary)));
    assert_eq!(ours.challenge_password().as_deref(), Some("111111"));
    // The attributes are those that gmsm wrote for the same key and password, byte for byte.
    assert_eq!(ours.attributes().len(), 2);
    for (oid, values) in request.attributes() {
        assert!(
            ours.attributes()
                .iter()
                .any(|(ours, own)| ours == oid && own == values)
        );
    }
    let find = |needle: &[u8], bytes: &[u8]| bytes.windows(needle.len()).any(|part| part == needle);
    let bare = hex::decode("301306092a864886f70d0109071306313131313131").unwrap();
    assert!(find(&bare, ours.as_der()));
    // With extensions as well, and a password that is not asked for.
    let mut both = builder().cfca_temporary_key(&temporary, "").unwrap();
    both.extensions().dns("example.com").unwrap();
    let both = both.sign(&signer).unwrap();
    assert_eq!(both.extensions().unwrap().iter().count(), 1);
    assert_eq!(both.challenge_password().as_deref(), Some(""));
    // What cannot be.
    assert!(builder().cfca_temporary_key(&temporary, "密码").is_err());
    let twice = builder().challenge_password("1").unwrap();
    assert!(twice.cfca_temporary_key(&temporary, "1").is_err());
    let none = builder().sign(&signer).unwrap();
    assert_eq!(temporary_key(&none), Ok(None));
    keep("ours-request.der", ours.as_der());
}

/// Attributes in place of a temporary key.
#[test]
fn malformed_temporary_keys() {
    use kuaimi_pki::external::der::{Decode, asn1::Any};
    let signer = Deterministic(SigningKey::new(key("sign")));
    let read = |value: &[u8]| {
        let name = name::parse("CN=holder").unwrap();
        let builder = RequestBuilder::new(name, key("sign").public_key());
        let oid = "1.2.840.113549.1.9.63".parse().unwrap();
        let request = builder
            .attribute(oid, Any::from_der(value).unwrap())
            .unwrap();
        temporary_key(&request.sign(&signer).unwrap())
    };
    let request = Request::from_der(&data("cfca/gmsm-request.der")).unwrap();
    let oid = "1.2.840.113549.1.9.63".parse().unwrap();
    let value = request.attribute(oid).unwrap();
    let right = kuaimi_pki::external::der::Encode::to_der(value).unwrap();
    let original = read(&right);
    assert_eq!(original, Ok(Some(*key("encrypt").public_key())));
    for place in 3..right.len() {
        let mut altered = right.clone();
        altered[place] ^= 1;
        assert!(read(&altered).is_err(), "{place}");
    }
    assert!(read(&[5, 0]).is_err());
}

/// The keys of gmsm's tests: the temporary one and the returned one.
fn returned() -> (PrivateKey, PrivateKey) {
    let key = |digits: &str| PrivateKey::from_slice(&hex::decode(digits).unwrap()).unwrap();
    (
        key("cacece36cac24aab94e52bcd5c0f552c95028f2856053135a1e47510b4c307ba"),
        key("f6e02c941a0dfdac58d8b3b1bc1bd136f179741b7465ebc7b0b25bb381840a3b"),
    )
}

#[test]
fn returned_keys() {
    let (temporary, expected) = returned();
    for name in ["digits", "base64", "commas"] {
        let text = data(&format!("cfca/returned-{name}.txt"));
        assert_eq!(
            open_returned_key(&temporary, &text).as_ref(),
            Ok(&expected),
            "{name}"
        );
        let other = open_returned_key(&expected, &text);
        assert_eq!(other, Err(Error::Decryption), "{name}");
    }
    let old = data("cfca/returned-c1c2c3.txt");
    assert_eq!(open_returned_key(&key("sign"), &old), Ok(key("encrypt")));
    // gmsm's wrong ones.
    let wrong = String::from_utf8(data("cfca/returned-wrong.txt")).unwrap();
    assert_eq!(wrong.lines().count(), 10);
    for line in wrong.lines() {
        let read = open_returned_key(&temporary, line.as_bytes());
        // A space after a comma does no harm.
        let harmless = line.contains(", ") && read.as_ref() == Ok(&expected);
        assert!(harmless || read.is_err(), "{line}");
    }
    let sign = key("sign");
    let text = return_key(&key("encrypt"), sign.public_key(), &mut getrandom::SysRng).unwrap();
    assert_eq!(
        open_returned_key(&sign, text.as_bytes()),
        Ok(key("encrypt"))
    );
    keep("ours-returned.txt", text.as_bytes());
    // Written and read.
    let to: &PublicKey = temporary.public_key();
    let text = return_key(&expected, to, &mut getrandom::SysRng).unwrap();
    let shape = String::from_utf8(data("cfca/returned-commas.txt")).unwrap();
    assert_eq!(text.len(), shape.len());
    assert_eq!(text[..80], shape[..80]);
    assert_eq!(text.matches(',').count(), shape.matches(',').count());
    assert_eq!(
        open_returned_key(&temporary, text.as_bytes()).as_ref(),
        Ok(&expected)
    );
    let lines = format!("{text}\r\n");
    assert_eq!(
        open_returned_key(&temporary, lines.as_bytes()),
        Ok(expected)
    );
}

#[test]
fn altered_returned_keys() {
    let (temporary, expected) = returned();
    let text = data("cfca/returned-digits.txt");
    for length in 0..text.len() {
        assert!(
            open_returned_key(&temporary, &text[..length]).is_err(),
            "{length}"
        );
    }
    for place in 0..text.len() {
        for flip in 0..8 {
            let mut altered = text.clone();
            altered[place] ^= 1 << flip;
            if let Ok(read) = open_returned_key(&temporary, &altered) {
                assert_eq!(read, expected, "{place}");
            }
        }
    }
    assert!(matches!(
        open_returned_key(&temporary, &[b'A'; 4097]),
        Err(Error::Limit(_))
    ));
}

/// For the peers that are asked by hand: see `tests/data/cfca/README.md`.
fn keep(name: &str, bytes: &[u8]) {
    if let Ok(folder) = std::env::var("KUAIMI_WRITE") {
        std::fs::write(PathBuf::from(folder).join(name), bytes).unwrap();
    }
}
