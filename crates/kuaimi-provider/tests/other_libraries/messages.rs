//! `openssl cms`: signed with SM2 keys and encrypted with SM4, with Kuaimi, and read without it,
//! and the other way round.

use std::path::Path;

use crate::common::library::{Library, configuration, modules, run, run_with};
use crate::handshakes::certificates;

const MESSAGE: &str = "a message of some length, which is signed and encrypted\n";

/// Signs and encrypts with `library`, with Kuaimi in each step or not, and reads it in the same
/// way.
pub fn signed_and_encrypted(library: &Library) {
    let folder = tempfile::tempdir().expect("a folder");
    let kuaimi = configuration(&modules().join("kuaimi.so"), "activate = 1");
    certificates(library, folder.path());
    std::fs::write(folder.path().join("message"), MESSAGE).expect("a file");
    let cms = |with_kuaimi: bool, arguments: &[&str]| {
        let mut command = library.openssl();
        let file = if with_kuaimi {
            kuaimi.path()
        } else {
            Path::new("/dev/null")
        };
        command
            .current_dir(folder.path())
            .env("OPENSSL_CONF", file)
            .arg("cms")
            .args(arguments);
        command
    };
    // No library puts a content key under an SM2 key into a message: it is under another key or a
    // password, with SM4's key wrap.
    const KEYS: [&[&str]; 2] = [
        &[
            "-secretkey",
            "0123456789abcdeffedcba9876543210",
            "-secretkeyid",
            "01",
        ],
        &["-pwri_password", "a password"],
    ];
    for writer in [true, false] {
        let sign = [
            "-sign",
            "-nodetach",
            "-binary",
            "-md",
            "sm3",
            "-in",
            "message",
            "-signer",
            "client.crt",
            "-inkey",
            "client.key",
        ];
        run(
            &mut cms(
                writer,
                &[&sign[..], &["-outform", "DER", "-out", "signed"]].concat(),
            ),
            "",
        );
        for reader in [true, false] {
            let what = format!("written with Kuaimi: {writer}, read with it: {reader}");
            let verify = |file: &str| {
                cms(
                    reader,
                    &[
                        "-verify", "-binary", "-inform", "DER", "-in", file, "-CAfile", "ca.crt",
                        "-purpose", "any",
                    ],
                )
            };
            assert_eq!(run(&mut verify("signed"), ""), MESSAGE, "{what}");
            // The last byte is one of the signature.
            let mut altered = std::fs::read(folder.path().join("signed")).expect("a file");
            *altered.last_mut().expect("a byte") ^= 1;
            std::fs::write(folder.path().join("altered"), altered).expect("a file");
            assert!(
                !run_with(&mut verify("altered"), "").status.success(),
                "{what}"
            );
            for key in KEYS {
                let encrypt = [
                    "-encrypt",
                    "-binary",
                    "-sm4-cbc",
                    "-in",
                    "signed",
                    "-outform",
                    "DER",
                    "-out",
                    "encrypted",
                ];
                run(&mut cms(writer, &[&encrypt[..], key].concat()), "");
                let decrypt = [
                    "-decrypt",
                    "-binary",
                    "-inform",
                    "DER",
                    "-in",
                    "encrypted",
                    "-out",
                    "decrypted",
                ];
                run(&mut cms(reader, &[&decrypt[..], key].concat()), "");
                assert_eq!(run(&mut verify("decrypted"), ""), MESSAGE, "{what}");
                let wrong = if key[0] == "-secretkey" {
                    "0123456789abcdeffedcba9876543211"
                } else {
                    "another"
                };
                let wrong = [&[key[0], wrong], &key[2..]].concat();
                let output = run_with(&mut cms(reader, &[&decrypt[..], &wrong].concat()), "");
                let read = std::fs::read(folder.path().join("decrypted")).unwrap_or_default();
                let right = std::fs::read(folder.path().join("signed")).expect("a file");
                assert!(!output.status.success() || read != right, "{what}");
            }
        }
    }
}
