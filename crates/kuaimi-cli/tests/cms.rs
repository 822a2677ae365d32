//! Messages on the command line: signed, encrypted, of any size.

mod common;

use common::{Lab, noise};

/// With an authority, its certificate of a key, and a file to sign.
fn lab() -> Lab {
    Lab::with_certificates()
}

#[test]
fn a_signed_message() {
    let lab = lab();
    for form in ["cms", "gm"] {
        for options in ["", "--pem", "--no-attributes", "--key-id"] {
            lab.sh(&format!("cms sign --cert leaf.crt --key leaf.pem --form {form} {options} --force --out m.p7s m"))
                .ok();
            lab.sh("cms verify --ca ca.crt --force --out got m.p7s")
                .ok();
            assert!(lab.same("got", "m"), "{form} {options}");
            let said = lab.sh("cms verify --ca ca.crt m.p7s").ok();
            assert!(
                said.text().starts_with("OK\nsigned by CN=leaf"),
                "{}",
                said.text()
            );
        }
    }
    // An authority that nobody trusts, and no authority at all.
    lab.sh("cert self-sign --ca --key b.pem --subject CN=Root --out b.crt")
        .ok();
    let refused = lab
        .sh("cms verify --ca b.crt --force --out no m.p7s")
        .status(1);
    refused.says(&["m.p7s", "CN=leaf"]);
    assert!(!lab.exists("no"));
    lab.sh("cms verify m.p7s").status(2).says(&["--ca"]);
    lab.sh("cms verify --no-chain m.p7s").ok();
    lab.assert_clean();
}

#[test]
fn a_detached_signature() {
    let lab = lab();
    lab.sh("cms sign --detached --cert leaf.crt --key leaf.pem --out m.p7s m")
        .ok();
    lab.sh("cms verify --ca ca.crt --content m m.p7s").ok();
    lab.write("other", "another message\n");
    let refused = lab
        .sh("cms verify --ca ca.crt --content other m.p7s")
        .status(1);
    assert_eq!(refused.text(), "INVALID\n");
    refused.says(&["CN=leaf", "not the one that was signed"]);
    lab.sh("cms verify --ca ca.crt m.p7s")
        .status(2)
        .says(&["--content"]);
    let shown = lab.sh("cert show m.p7s").ok();
    assert!(shown.text().contains("CN=leaf"), "{}", shown.text());
}

/// Every byte counts: whatever was altered, the message is refused and nothing is written.
#[test]
fn altered_messages_are_refused() {
    let lab = lab();
    lab.sh("cms sign --cert leaf.crt --key leaf.pem --out m.p7s m")
        .ok();
    let good = lab.read("m.p7s");
    for place in (0..good.len()).step_by(23) {
        let mut bad = good.clone();
        bad[place] ^= 4;
        lab.write("bad", bad);
        let ran = lab.sh("cms verify --ca ca.crt --out got bad");
        // Bytes that nobody signed, such as a certificate that is not needed, may differ.
        if ran.status != 0 {
            assert!(!lab.exists("got"), "{place}");
        } else {
            assert!(lab.same("got", "m"), "{place}");
            std::fs::remove_file(lab.path("got")).unwrap();
        }
    }
    for length in [0, 1, 10, good.len() / 2, good.len() - 1] {
        lab.write("short", &good[..length]);
        lab.sh("cms verify --ca ca.crt --out got short").status(2);
        assert!(!lab.exists("got"));
    }
    lab.assert_clean();
}

#[test]
fn an_encrypted_message() {
    let lab = lab();
    lab.sh("cert self-sign --key b.pem --subject CN=b --out b.crt")
        .ok();
    for form in ["cms", "gm"] {
        for options in ["", "--pem", "--key-id", "--cipher sm4-gcm"] {
            lab.sh(&format!("cms encrypt --cert leaf.crt --cert b.crt --form {form} {options} --force --out m.p7m m"))
                .ok();
            for who in ["leaf", "b"] {
                lab.sh(&format!(
                    "cms decrypt --cert {who}.crt --key {who}.pem --force --out got m.p7m"
                ))
                .ok();
                assert!(lab.same("got", "m"), "{form} {options}");
                lab.sh(&format!(
                    "cms decrypt --key {who}.pem --force --out got m.p7m"
                ))
                .ok();
            }
            lab.sh("cms decrypt --key ca.pem --out no m.p7m").status(1);
            assert!(!lab.exists("no"), "{form} {options}");
        }
    }
    #[cfg(unix)]
    assert_eq!(lab.mode("got"), 0o600);
    // GCM shows what was altered, and then nothing is written, not even to standard output.
    let mut bad = lab.read("m.p7m");
    let last = bad.len() - 20;
    bad[last] ^= 1;
    lab.write("bad", bad);
    let refused = lab.sh("cms decrypt --key b.pem bad").status(1);
    assert!(refused.stdout.is_empty());
    lab.assert_clean();
}

/// Large files go through pipes, too, in messages whose lengths are indefinite.
#[test]
fn large_files_and_pipes() {
    let lab = lab();
    let large = noise(5 << 20, 7);
    lab.write("large", &large);
    let message = lab
        .pipe("cms sign --cert leaf.crt --key leaf.pem", &large)
        .ok()
        .stdout;
    let got = lab.pipe("cms verify --ca ca.crt --out -", &message).ok();
    assert!(got.stdout == large);
    let message = lab.pipe("cms encrypt --cert leaf.crt", &large).ok().stdout;
    let got = lab.pipe("cms decrypt --key leaf.pem", &message).ok();
    assert!(got.stdout == large);
    lab.sh("cms encrypt --cert leaf.crt --out large.p7m large")
        .ok();
    lab.sh("cms decrypt --key leaf.pem --out got large.p7m")
        .ok();
    assert!(lab.same("got", "large"));
    lab.write("empty", "");
    lab.sh("cms sign --cert leaf.crt --key leaf.pem --out e.p7s empty")
        .ok();
    lab.sh("cms verify --ca ca.crt --out e e.p7s").ok();
    assert!(lab.same("e", "empty"));
}

/// What OpenSSL's command reads: its version 3 knows the empty identity alone.
#[test]
fn openssl_verifies() {
    let lab = lab();
    let version = lab.openssl("version").ok();
    let identity = match version.text().starts_with("OpenSSL 3.") {
        true => "--empty-identity",
        false => "",
    };
    lab.sh(&format!(
        "cms sign --cert leaf.crt --key leaf.pem {identity} --out m.p7s m"
    ))
    .ok();
    let said = lab
        .openssl("cms -verify -noverify -inform DER -in m.p7s -out got")
        .ok();
    assert!(said.stderr.contains("successful"), "{}", said.stderr);
    assert!(lab.same("got", "m"));
}

#[test]
fn keys_and_certificates_must_belong_together() {
    let lab = lab();
    lab.sh("cms sign --cert ca.crt --key leaf.pem m")
        .status(2)
        .says(&["of another key"]);
    lab.sh("cms sign --key leaf.pem m")
        .status(2)
        .says(&["--cert"]);
    lab.sh("cms encrypt --cert m m").status(2).says(&["m"]);
    // A message of the other kind.
    lab.sh("cms sign --cert leaf.crt --key leaf.pem --out m.p7s m")
        .ok();
    lab.sh("cms encrypt --cert leaf.crt --out m.p7m m").ok();
    lab.sh("cms verify --ca ca.crt m.p7m")
        .status(2)
        .says(&["encrypted", "cms decrypt"]);
    lab.sh("cms decrypt --key leaf.pem m.p7s")
        .status(2)
        .says(&["signed", "cms verify"]);
    lab.write("text", "no message");
    lab.sh("cms verify --ca ca.crt text")
        .status(2)
        .says(&["text"]);
    lab.sh("cms decrypt --key leaf.pem text")
        .status(2)
        .says(&["text"]);
}

/// Authorities in between may be in the message or given beside it.
#[test]
fn authorities_in_between() {
    let lab = lab();
    lab.sh("cert request --key sub.pem --subject CN=Sub --out sub.csr")
        .ok();
    lab.sh("cert issue --ca ca.crt --ca-key ca.pem --for ca --out sub.crt sub.csr")
        .ok();
    lab.sh("cert issue --ca sub.crt --ca-key sub.pem --out low.crt leaf.csr")
        .ok();
    lab.sh("cms sign --cert low.crt --key leaf.pem --out m.p7s m")
        .ok();
    lab.sh("cms verify --ca ca.crt m.p7s")
        .status(1)
        .says(&["CN=Sub"]);
    let said = lab
        .sh("cms verify --ca ca.crt --with sub.crt --out got m.p7s")
        .ok();
    assert!(
        said.text().starts_with("OK\nsigned by CN=leaf"),
        "{}",
        said.text()
    );
    lab.write(
        "chain.crt",
        [lab.read("low.crt"), lab.read("sub.crt")].concat(),
    );
    lab.sh("cms sign --cert chain.crt --key leaf.pem --out c.p7s m")
        .ok();
    lab.sh("cms verify --ca ca.crt c.p7s").ok();
}
