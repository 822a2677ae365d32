//! OpenSSL 3.0's `cms` beside this library, live.
//!
//! Version 3.0 cannot sign or encrypt messages with SM2. It verifies SM2 signatures in CMS, under
//! the empty identity.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use getrandom::SysRng;
use kuaimi::sm2::SigningKey;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::message::{
    Dialect, EncryptOptions, SignOptions, SignedWriter, VerifyOptions, decrypt_under,
    encrypt_under, sign, verify, verify_detached,
};

use crate::common::{FOLDER, certificate, private_key, replace};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kuaimi-pki-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).expect("a file");
    }

    fn get(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).expect("a file")
    }

    fn openssl(&self, arguments: &str) -> Output {
        let arguments = arguments.replace("@", FOLDER);
        Command::new("openssl")
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .output()
            .expect("openssl")
    }

    fn run(&self, arguments: &str) {
        let output = self.openssl(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openssl {arguments}: {error}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn encrypted_data_both_ways() {
    let folder = Folder::new("encrypted");
    let key = "000102030405060708090a0b0c0d0e0f";
    let bytes: Vec<u8> = (0..16).collect();
    let bytes: [u8; 16] = bytes.try_into().expect("16 bytes");
    for length in [0, 1, 15, 16, 17, 5000, 100_000] {
        let content: Vec<u8> = (0..length).map(|i: u32| i as u8).collect();
        folder.put("content", &content);
        for cipher in ["sm4-cbc", "sm4-ofb", "sm4-cfb", "sm4-ctr"] {
            for streaming in ["", "-stream -indef"] {
                if length == 0 && !streaming.is_empty() {
                    // OpenSSL cannot write it.
                    continue;
                }
                folder.run(&format!(
                    "cms -EncryptedData_encrypt -{cipher} -secretkey {key} -binary {streaming} \
                     -in content -outform DER -out message"
                ));
                let opened = decrypt_under(&folder.get("message"), &bytes).expect("decrypted");
                assert_eq!(*opened, content, "{cipher} {length}");
            }
        }
        let options = EncryptOptions::new().with_dialect(Dialect::Cms);
        let message = encrypt_under(&content, &bytes, &options, &mut SysRng).expect("encrypted");
        folder.put("message", &message);
        folder.run(&format!(
            "cms -EncryptedData_decrypt -secretkey {key} -binary -inform DER -in message -out opened"
        ));
        assert_eq!(folder.get("opened"), content);
    }
}

/// OpenSSL finds the signature right; the certificate's own signature it cannot verify, as that is
/// under the default identity, for which `cms` has no option.
#[test]
fn openssl_verifies() {
    let folder = Folder::new("verifies");
    let alice = certificate("alice");
    let key = SigningKey::new(private_key("alice"));
    let content = b"a content\nof two lines\n";
    for by_key in [false, true] {
        let mut options = SignOptions::new()
            .with_dialect(Dialect::Cms)
            .with_signing_time(DateTime::new(2030, 1, 1, 0, 0, 0).expect("a time"))
            .under_empty_identity();
        if by_key {
            options = options.by_key_identifier();
        }
        let mut message = Vec::new();
        let certificates = std::slice::from_ref(&alice);
        let mut writer =
            SignedWriter::new(certificates, options.clone(), None, &mut message).expect("begun");
        content
            .chunks(5)
            .for_each(|piece| writer.push(piece, &mut message).expect("pushed"));
        writer.finish(&[&key], &mut message).expect("finished");
        let whole = sign(content, &[(&alice, &key)], &options).expect("signed");
        for message in [message, whole] {
            folder.put("message", &message);
            folder.run("cms -verify -noverify -binary -inform DER -in message -out content");
            assert_eq!(folder.get("content"), content);
            let altered = replace(&message, b"con", b"com");
            folder.put("message", &altered);
            let refused = folder.openssl("cms -verify -noverify -binary -inform DER -in message");
            assert!(!refused.status.success());
        }
        let detached = sign(content, &[(&alice, &key)], &options.detached()).expect("signed");
        folder.put("message", &detached);
        folder.put("content", content);
        folder
            .run("cms -verify -noverify -binary -inform DER -in message -content content -out out");
        assert_eq!(folder.get("out"), content);
    }
}

/// With keys of other algorithms, OpenSSL signs: with attributes and without, attached and not, in
/// DER and BER, with several signers.
#[test]
fn openssl_signs() {
    let folder = Folder::new("signs");
    let content: Vec<u8> = (0..50_000u32).map(|i| i as u8).collect();
    folder.put("content", &content);
    for signer in ["p256", "rsa"] {
        for digest in ["sha256", "sha384", "sha512"] {
            for attributes in ["", "-noattr"] {
                for form in [
                    "-nodetach",
                    "-nodetach -stream -indef",
                    "-nodetach -keyid",
                    "",
                ] {
                    folder.run(&format!(
                        "cms -sign -binary -md {digest} {attributes} {form} -signer @{signer}.pem \
                         -inkey @{signer}.key -in content -outform DER -out message"
                    ));
                    let message = folder.get("message");
                    let options = VerifyOptions::new();
                    let result = match form {
                        "" => verify_detached(&message, &content, &options),
                        _ => verify(&message, &options).map(|it| it.verification),
                    };
                    let what = format!("{signer} {digest} {attributes} {form}");
                    if (signer, digest) == ("p256", "sha512") {
                        // Not among the algorithms.
                        assert!(result.is_err(), "{what}");
                        continue;
                    }
                    let verification = result.expect(&what);
                    assert_eq!(
                        verification.signers[0].signing_time.is_some(),
                        attributes.is_empty()
                    );
                    if !form.is_empty() {
                        let altered = replace(&message, &content[..256], &[7; 256]);
                        assert!(verify(&altered, &options).is_err(), "{what}");
                    }
                }
            }
        }
    }
    folder.run(
        "cms -sign -binary -nodetach -md sha256 -signer @p256.pem -inkey @p256.key \
         -signer @rsa.pem -inkey @rsa.key -certfile @ca.pem -in content -outform PEM -out message",
    );
    let verified = verify(&folder.get("message"), &VerifyOptions::new()).expect("verified");
    assert_eq!(verified.content, content);
    assert_eq!(verified.verification.signers.len(), 2);
    assert_eq!(verified.verification.certificates.len(), 3);
}
