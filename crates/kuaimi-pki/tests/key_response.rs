//! Answers to certificate requests: those of `emmansun/gmsm`, and hostile ones.

use std::path::PathBuf;

use kuaimi::sm2::PrivateKey;
use kuaimi_pki::key_response::{KeyResponse, MAX_CERTIFICATES, MAX_LEN};
use kuaimi_pki::{Certificate, Error};

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

fn ours() -> KeyResponse {
    KeyResponse::new(vec![certificate("sign"), certificate("middle")])
        .unwrap()
        .with_encryption_key(
            &key("encrypt"),
            vec![certificate("encrypt"), certificate("middle")],
            &mut getrandom::SysRng,
        )
        .unwrap()
}

#[test]
fn answers_of_gmsm() {
    let answer = KeyResponse::from_bytes(&data("key_response/gmsm.der")).unwrap();
    assert_eq!(answer.open(&key("sign")), Ok(Some(key("encrypt"))));
    // A SET: gmsm sorted the first, and not the second.
    let mut signing = answer.signing_certificates().to_vec();
    assert_eq!(signing.len(), 2);
    signing.retain(|found| *found == certificate("sign"));
    assert_eq!(signing.len(), 1);
    assert_eq!(
        answer.encryption_certificates(),
        [certificate("encrypt"), certificate("middle")]
    );
    assert_eq!(answer.to_der(), data("key_response/gmsm.der"));
    assert_eq!(answer.open(&key("encrypt")), Err(Error::NotARecipient));
    // The key may be opened elsewhere.
    let enveloped = answer.enveloped_key().unwrap();
    assert_eq!(
        key("sign").open_enveloped_key(enveloped),
        Ok(key("encrypt"))
    );

    let answer = KeyResponse::from_bytes(&data("key_response/gmsm-sign-only.der")).unwrap();
    assert_eq!(answer.open(&key("sign")), Ok(None));
    assert_eq!(answer.signing_certificates(), [certificate("sign")]);
    assert!(answer.encryption_certificates().is_empty());
}

#[test]
fn written_and_read() {
    let answer = ours();
    let der = answer.to_der();
    assert_eq!(KeyResponse::from_bytes(&der).unwrap(), answer);
    assert_eq!(answer.open(&key("sign")), Ok(Some(key("encrypt"))));
    if let Ok(folder) = std::env::var("KUAIMI_WRITE") {
        std::fs::write(format!("{folder}/ours-response.der"), &der).unwrap();
    }
    // As Base64.
    use base64ct::Encoding as _;
    let text = base64ct::Base64::encode_string(&der);
    assert_eq!(KeyResponse::from_bytes(text.as_bytes()).unwrap(), answer);
    // What cannot be.
    let random = &mut getrandom::SysRng;
    let new = || KeyResponse::new(vec![certificate("sign")]).unwrap();
    let other = new().with_encryption_key(&key("encrypt"), vec![certificate("sign")], random);
    assert_eq!(
        other,
        Err(Error::Argument("the certificate is of another key"))
    );
    assert!(KeyResponse::new(vec![]).is_err());
    assert!(
        new()
            .with_encryption_key(&key("encrypt"), vec![], random)
            .is_err()
    );
    let many = vec![certificate("sign"); MAX_CERTIFICATES + 1];
    assert!(matches!(KeyResponse::new(many), Err(Error::Limit(_))));
    let rsa = KeyResponse::new(vec![certificate("rsa")]).unwrap();
    let refused = rsa.with_encryption_key(&key("encrypt"), vec![certificate("encrypt")], random);
    assert!(matches!(refused, Err(Error::Algorithm("an SM2 key", _))));
}

/// `[0]` with an implicit tag, in place of the SEQUENCE's.
#[test]
fn an_implicit_tag() {
    let answer = ours();
    let der = answer.to_der();
    let enveloped = answer.enveloped_key().unwrap();
    let place = der
        .windows(enveloped.len())
        .position(|part| part == enveloped)
        .unwrap();
    // The explicit tag, its length in three bytes, and then the SEQUENCE.
    assert_eq!(der[place - 3..place - 1], [0xa0, 0x81]);
    let mut implicit = der.clone();
    implicit.drain(place - 3..place);
    implicit[place - 3] = 0xa0;
    let length = u16::from_be_bytes([der[2], der[3]]) - 3;
    implicit[2..4].copy_from_slice(&length.to_be_bytes());
    assert_eq!(KeyResponse::from_bytes(&implicit).unwrap(), answer);
}

#[test]
fn cut_and_altered_answers() {
    let answer = ours();
    let der = answer.to_der();
    for length in 0..der.len() {
        assert!(KeyResponse::from_bytes(&der[..length]).is_err(), "{length}");
    }
    assert!(KeyResponse::from_bytes(&[&der[..], &[0]].concat()).is_err());
    for place in 0..der.len() {
        for flip in [1, 0x80] {
            let mut altered = der.clone();
            altered[place] ^= flip;
            let Ok(read) = KeyResponse::from_bytes(&altered) else {
                continue;
            };
            // A certificate is not protected here, the key is.
            match read.open(&key("sign")) {
                Ok(found) => assert!(found.is_none_or(|found| found == key("encrypt"))),
                Err(error) => assert!(
                    matches!(
                        error,
                        Error::Decryption | Error::NotARecipient | Error::Encoding(_)
                    ),
                    "{place}: {error:?}"
                ),
            }
        }
    }
    let enveloped = answer.enveloped_key().unwrap();
    let place = der
        .windows(enveloped.len())
        .position(|part| part == enveloped)
        .unwrap();
    // In the encrypted private key, at its end.
    let mut altered = der.clone();
    altered[place + enveloped.len() - 1] ^= 1;
    let read = KeyResponse::from_bytes(&altered).unwrap();
    assert_eq!(read.open(&key("sign")), Err(Error::Decryption));
}

#[test]
fn limits() {
    let sequence = |tag: u8, parts: &[&[u8]]| {
        let content = parts.concat();
        let length = (content.len() as u32).to_be_bytes();
        [&[tag, 0x84], &length[..], &content].concat()
    };
    let read = |count: usize| {
        let all = certificate("sign").as_der().repeat(count);
        KeyResponse::from_bytes(&sequence(0x30, &[&sequence(0x31, &[&all])]))
    };
    assert_eq!(
        read(MAX_CERTIFICATES).unwrap().signing_certificates().len(),
        MAX_CERTIFICATES
    );
    assert!(matches!(read(MAX_CERTIFICATES + 1), Err(Error::Limit(_))));
    assert!(matches!(read(0), Err(Error::Structure(..))));
    assert!(matches!(
        KeyResponse::from_bytes(&vec![0x30; MAX_LEN + 1]),
        Err(Error::Limit(_))
    ));
    assert!(KeyResponse::from_bytes(&[0x30, 0x80].repeat(1 << 18)).is_err());
    // The same field twice, and in another order.
    let der = ours().to_der();
    let whole = KeyResponse::from_bytes(&der).unwrap();
    let set = sequence(0x31, &[certificate("sign").as_der()]);
    let key = sequence(0xa0, &[whole.enveloped_key().unwrap()]);
    let certificates = sequence(0xa1, &[certificate("encrypt").as_der()]);
    let read = |parts: &[&[u8]]| KeyResponse::from_bytes(&sequence(0x30, parts));
    assert!(read(&[&set, &key, &certificates]).is_ok());
    assert!(read(&[&set, &certificates]).is_ok());
    assert!(read(&[&set, &key]).is_err());
    assert!(read(&[&set, &key, &key, &certificates]).is_err());
    assert!(read(&[&set, &key, &certificates, &certificates]).is_err());
    assert!(read(&[&set, &certificates, &key]).is_err());
}
