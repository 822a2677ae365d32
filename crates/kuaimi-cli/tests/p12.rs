//! PKCS #12 and CFCA's files on the command line.

mod common;

use common::Lab;

/// As `Lab::with_certificates`, with a password and a wrong one.
fn lab() -> Lab {
    let lab = Lab::with_certificates();
    lab.write("pw", "密码 1\n");
    lab.write("wrong", "another\n");
    lab
}

#[test]
fn a_file_for_each_kind_of_program() {
    let lab = lab();
    for programs in ["compatible", "sm", "sm-openssl", "legacy"] {
        lab.sh(&format!("p12 create --for {programs} --cert leaf.crt --key leaf.pem --ca ca.crt --name 签名 --password-file pw --force --out leaf.p12"))
            .ok();
        let shown = lab.sh("p12 show --password-file pw leaf.p12").ok();
        for part in ["CN=leaf", "签名", "CN=Root", "hidden"] {
            assert!(shown.text().contains(part), "{programs}: {part}");
        }
        lab.sh("p12 show --password-file wrong leaf.p12")
            .status(2)
            .says(&["password"]);
        if programs == "compatible" {
            lab.openssl("pkcs12 -in leaf.p12 -passin file:pw -nodes -out all.pem")
                .ok();
            lab.sh("sm2 sign --key all.pem --out s m").ok();
        }
    }
    #[cfg(unix)]
    assert_eq!(lab.mode("leaf.p12"), 0o600);
}

/// Commands that need a key take such a file.
#[test]
fn a_file_in_place_of_a_key() {
    let lab = lab();
    lab.sh("p12 create --cert leaf.crt --key leaf.pem --password-file pw --out leaf.p12")
        .ok();
    lab.sh("sm2 sign --key leaf.p12 --password-file pw --out s m")
        .ok();
    lab.sh("sm2 verify --key leaf.crt --signature s m").ok();
    lab.sh("sm2 verify --key leaf.csr --signature s m").ok();
    lab.sh("sm2 encrypt --key leaf.csr --out c m").ok();
    assert_eq!(
        lab.sh("sm2 decrypt --key leaf.p12 --password-file pw c")
            .ok()
            .text(),
        "a message\n"
    );
    lab.sh("cms sign --key leaf.p12 --password-file pw --out m.p7s m")
        .ok();
    lab.sh("cms verify --ca ca.crt m.p7s").ok();
    lab.sh("sm2 sign --key leaf.p12 --password-file wrong m")
        .status(2)
        .says(&["password"]);
    lab.sh("sm2 sign --key leaf.p12 m")
        .status(2)
        .says(&["needs a password"]);
}

#[test]
fn what_is_taken_out_is_what_was_put_in() {
    let lab = lab();
    lab.sh("cert pair --ca ca.crt --ca-key ca.pem --out-sign s.crt --out-encrypt e.crt --out-key e.env leaf.csr").ok();
    lab.sh("sm2 convert --key leaf.pem --to pkcs8 --out e.pem e.env")
        .ok();
    lab.sh("p12 create --cert s.crt --key leaf.pem --cert e.crt --key e.pem --ca ca.crt --password-file pw --out pair.p12")
        .ok();
    // Where the use says which key it is, the file of a pair serves as it is.
    lab.sh("cms sign --key pair.p12 --password-file pw --out m.p7s m")
        .ok();
    lab.sh("cms verify --ca ca.crt m.p7s").ok();
    lab.sh("cms encrypt --cert e.crt --out m.p7m m").ok();
    assert_eq!(
        lab.sh("cms decrypt --key pair.p12 --password-file pw m.p7m")
            .ok()
            .text(),
        "a message\n"
    );
    lab.sh("cms encrypt --cert s.crt --out s.p7m m")
        .ok()
        .says(&["s.crt", "not for encryption"]);
    lab.sh("cert show --json s.crt").ok();
    lab.sh("sm2 sign --key pair.p12 --password-file pw m")
        .status(2)
        .says(&["2 private keys", "p12 extract"]);
    lab.sh("p12 extract --index 2 --plain --key-out k.pem --cert-out k.crt --ca-out k.ca --password-file pw pair.p12").ok();
    assert!(lab.same("k.crt", "e.crt") && lab.same("k.pem", "e.pem") && lab.same("k.ca", "ca.crt"));
    lab.sh("p12 extract --key-out l.pem --password-file pw pair.p12")
        .ok();
    let pem = String::from_utf8(lab.read("l.pem")).unwrap();
    assert!(
        pem.contains("ENCRYPTED PRIVATE KEY"),
        "not without a password unasked"
    );
    lab.sh("sm2 sign --key l.pem --password-file pw --out s m")
        .ok();
    #[cfg(unix)]
    assert_eq!(lab.mode("k.pem"), 0o600);
    lab.sh("p12 extract --index 3 --key-out x --password-file pw pair.p12")
        .status(2)
        .says(&["1 to 2"]);
    lab.sh("p12 extract --password-file pw pair.p12")
        .status(2)
        .says(&["--key-out"]);
    lab.sh("p12 create --cert e.crt --key leaf.pem --password-file pw --out x")
        .status(2)
        .says(&["another key"]);
    assert!(!lab.exists("x"));
}

#[test]
fn a_file_of_cfca() {
    let lab = lab();
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../kuaimi-pki/tests/data/cfca/field.sm2"
    );
    lab.write("bank.sm2", std::fs::read(file).unwrap());
    lab.write("pw", "123456\n");
    lab.sh("p12 extract --key-out k.pem --cert-out k.crt --plain --password-file pw bank.sm2")
        .ok();
    lab.sh("sm2 sign --key bank.sm2 --password-file pw --out s m")
        .ok();
    lab.sh("sm2 verify --key k.crt --signature s m").ok();
    lab.sh("sm2 verify --key k.pem --signature s m").ok();
    lab.sh("p12 show --password-file wrong bank.sm2")
        .status(2)
        .says(&["password"]);
}

#[test]
fn damaged_files_are_refused() {
    let lab = lab();
    lab.sh("p12 create --cert leaf.crt --key leaf.pem --password-file pw --out leaf.p12")
        .ok();
    let good = lab.read("leaf.p12");
    for place in (20..good.len()).step_by(97) {
        let mut bad = good.clone();
        bad[place] ^= 1;
        lab.write("bad", bad);
        lab.sh("p12 extract --key-out x --password-file pw bad")
            .status(2);
        assert!(!lab.exists("x"), "{place}");
    }
    lab.write("bad", &good[..good.len() / 2]);
    lab.sh("p12 show --password-file pw bad").status(2);
}
