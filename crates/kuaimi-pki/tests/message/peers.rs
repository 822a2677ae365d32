//! Messages of other programs, which `README.md` in the folder of the data says how to make again.

use kuaimi_pki::Error;
use kuaimi_pki::message::{
    Decryptor, Kind, Refusal, VerifyOptions, decrypt, decrypt_under, kind, verify, verify_detached,
};

use crate::common::{FOLDER, certificate, file, private_key};

/// The names of the files that begin so.
fn files(prefix: &str) -> Vec<String> {
    let mut all: Vec<String> = std::fs::read_dir(FOLDER)
        .expect("a folder")
        .map(|it| {
            it.expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .filter(|name| name.starts_with(prefix) && name.ends_with(".der"))
        .collect();
    all.sort();
    all
}

fn check(prefix: &str, content: &[u8], count: usize) {
    let names = files(prefix);
    assert_eq!(names.len(), count, "{names:?}");
    let (alice, bob) = (certificate("alice"), certificate("bob"));
    let (alice_key, bob_key) = (private_key("alice"), private_key("bob"));
    for name in names {
        let message = file(&name);
        match kind(&message).unwrap_or_else(|error| panic!("{name}: {error}")) {
            Kind::Signed => {
                let options = VerifyOptions::new();
                let verification = match name.contains("detached") {
                    true => {
                        assert!(verify_detached(&message, b"another", &options).is_err());
                        verify_detached(&message, content, &options)
                    }
                    false => verify(&message, &options).map(|verified| {
                        assert_eq!(verified.content, content);
                        verified.verification
                    }),
                };
                let verification = verification.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(verification.signers[0].certificate.as_ref(), Some(&alice));
                let attributes = &verification.signers[0].signed_attributes;
                assert_eq!(
                    attributes.is_none(),
                    name.contains("plain") || name.contains("cfca")
                );
            }
            Kind::Encrypted => {
                let key = core::array::from_fn(|i| i as u8);
                assert_eq!(
                    *decrypt_under(&message, &key)
                        .unwrap_or_else(|error| panic!("{name}: {error}")),
                    content
                );
                let wrong = decrypt_under(&message, &[0; 16]);
                assert!(
                    wrong.is_err()
                        || *wrong.unwrap_or_else(|error| panic!("{name}: {error}")) != content
                );
            }
            _ => {
                // Bob's certificate has no key identifier.
                if !name.contains("cfca.der") {
                    let opened = decrypt(&message, &bob, &bob_key);
                    assert_eq!(
                        *opened.unwrap_or_else(|error| panic!("{name}: {error}")),
                        content
                    );
                }
                if !name.contains("bob") {
                    let mut decryptor = Decryptor::new(&alice, &alice_key);
                    let mut out = Vec::new();
                    for piece in message.chunks(5) {
                        decryptor
                            .push(piece, &mut out)
                            .unwrap_or_else(|error| panic!("{name}: {error}"));
                    }
                    let _ = decryptor
                        .finish(&mut out)
                        .unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!(out, content, "{name}");
                }
            }
        }
    }
}

#[test]
fn gmsm() {
    check("gmsm-", "a content by gmsm, 密信".as_bytes(), 20);
}

#[test]
fn bouncy_castle() {
    check("bc-", "a content by Bouncy Castle, 密信".as_bytes(), 4);
}

#[test]
fn gmssl() {
    check("gmssl-", "a content by GmSSL, 密信".as_bytes(), 1);
    // Its signatures are without Z, over the DER around the content.
    let refused = verify(&file("refused-gmssl-signed.der"), &VerifyOptions::new());
    assert_eq!(refused.err(), Some(Error::Signer(0, Refusal::Signature)));
}
