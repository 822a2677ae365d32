//! Encrypting and decrypting, with the openssl program on the other side.

mod common;

use common::{Lab, feed, noise};

const FORMS: [&str; 5] = ["c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der"];

#[test]
fn every_form_and_encoding() {
    let lab = Lab::with_keys();
    for form in FORMS {
        for encoding in ["binary", "hex", "base64"] {
            let name = format!("{form}.{encoding}");
            lab.sh(&format!(
                "sm2 encrypt --key a.pub --form {form} --encoding {encoding} --out {name} m"
            ))
            .ok();
            let plain = lab
                .sh(&format!("sm2 decrypt -v --key a.pem {name}"))
                .ok()
                .says(&[&format!("{form}, {encoding}")]);
            assert_eq!(plain.stdout, b"a message\n");
            lab.sh(&format!("sm2 decrypt --form {form} --key a.pem {name}"))
                .ok();
            let piped = lab.pipe("sm2 decrypt --key a.pem", &lab.read(&name)).ok();
            assert_eq!(piped.stdout, b"a message\n");
        }
        let piped = lab
            .pipe(&format!("sm2 encrypt --key a.pub --form {form}"), b"x")
            .ok();
        assert_eq!(
            lab.pipe("sm2 decrypt --key a.pem -", &piped.stdout)
                .ok()
                .stdout,
            b"x"
        );
    }
    assert_eq!(lab.read("bare-c1c3c2.binary").len(), 96 + 10);
    lab.sh("sm2 decrypt --form c1c2c3 --key a.pem c1c3c2.binary")
        .status(1);
    lab.sh("sm2 decrypt --form der --key a.pem c1c3c2.binary")
        .status(1)
        .says(&["der"]);
    lab.sh("sm2 encrypt --key a.pub --form c3c2c1 m").status(2);
}

#[test]
fn with_openssl_both_ways() {
    let lab = Lab::with_keys();
    for length in [1, 31, 32, 33, 1000, 70_000] {
        let message = noise(length, length as u64);
        lab.write("plain", &message);
        lab.sh("sm2 encrypt --key a.pub --form der --force --out ours plain")
            .ok();
        let theirs = lab.openssl("pkeyutl -decrypt -inkey a.pem -in ours").ok();
        assert_eq!(theirs.stdout, message, "{length}");
        // OpenSSL does not start over when the key stream is all zero, as it is for one message of
        // a byte in 256; what comes out is the plaintext itself, and nobody has to open it.
        if length < 8 {
            continue;
        }
        lab.openssl("pkeyutl -encrypt -pubin -inkey a.pub -in plain -out theirs")
            .ok();
        let ours = lab.sh("sm2 decrypt --key a.pem theirs").ok();
        assert_eq!(ours.stdout, message, "{length}");
    }
}

/// One error and one status, no output, and nothing left behind, whichever bit it is.
#[test]
fn a_flipped_bit_is_seen() {
    let lab = Lab::with_keys();
    for form in FORMS {
        lab.sh(&format!(
            "sm2 encrypt --key a.pub --form {form} --force --out c m"
        ))
        .ok();
        let ciphertext = lab.read("c");
        for i in (0..ciphertext.len()).step_by(3) {
            let mut altered = ciphertext.clone();
            altered[i] ^= 1 << (i % 8);
            lab.write("altered", &altered);
            let no = lab
                .sh("sm2 decrypt --key a.pem --out plain altered")
                .status(1)
                .says(&["altered"]);
            assert!(no.stdout.is_empty());
            assert!(!lab.exists("plain"), "{form} {i}");
        }
        for length in [0, 1, 64, 96, ciphertext.len() - 1] {
            lab.write("short", &ciphertext[..length]);
            lab.sh("sm2 decrypt --key a.pem --out plain short")
                .status(1);
        }
    }
    lab.assert_clean();
}

#[test]
fn failures_leave_nothing() {
    let lab = Lab::with_keys();
    lab.sh("sm2 encrypt --key a.pub --out c m").ok();
    lab.sh("sm2 decrypt --key b.pem --out plain c")
        .status(1)
        .says(&["decryption failed"]);
    lab.sh("sm2 decrypt --key a.pem --out plain m")
        .status(1)
        .says(&["m: ", "not an SM2 ciphertext"]);
    assert!(!lab.exists("plain"));
    // What is there stays there.
    lab.write("kept", "kept");
    lab.sh("sm2 decrypt --key a.pem --out kept c")
        .status(2)
        .says(&["kept", "--force"]);
    lab.sh("sm2 decrypt --key b.pem --force --out kept c")
        .status(1);
    assert_eq!(lab.read("kept"), b"kept");
    lab.sh("sm2 decrypt --key a.pem --force --out kept c").ok();
    assert_eq!(lab.read("kept"), b"a message\n");
    lab.sh("sm2 encrypt --key a.pub --out c m")
        .status(2)
        .says(&["--force"]);
    lab.sh("sm2 encrypt --key a.pub --out new nowhere")
        .status(2)
        .says(&["nowhere"]);
    lab.write("empty", "");
    lab.sh("sm2 encrypt --key a.pub --out new empty")
        .status(2)
        .says(&["empty"]);
    assert!(!lab.exists("new"));
    lab.sh("sm2 decrypt --key a.pub c")
        .status(2)
        .says(&["private key"]);
    lab.sh("sm2 decrypt --key - -")
        .status(2)
        .says(&["--key", "FILE"]);
    lab.assert_clean();
}

/// More than any buffer: the ways by file, by pipe and by text.
#[test]
fn twenty_megabytes() {
    let lab = Lab::with_keys();
    let message = noise(20_000_003, 7);
    lab.write("big", &message);
    for form in ["c1c3c2", "bare-c1c2c3", "der"] {
        lab.sh(&format!(
            "sm2 encrypt --key a.pub --form {form} --force --out c big"
        ))
        .ok();
        lab.sh("sm2 decrypt --key a.pem --force --out plain c").ok();
        assert!(lab.same("plain", "big"), "{form}");
    }
    // The last bit of many.
    let mut ciphertext = lab.read("c");
    *ciphertext.last_mut().unwrap() ^= 1;
    lab.write("altered", &ciphertext);
    lab.sh("sm2 decrypt --key a.pem --out never altered")
        .status(1);
    let nothing = lab.sh("sm2 decrypt --key a.pem altered").status(1);
    assert!(nothing.stdout.is_empty());
    assert!(!lab.exists("never"));

    let piped = lab
        .pipe(
            "sm2 encrypt --key a.pub --form der --encoding base64",
            &message,
        )
        .ok();
    let plain = lab.pipe("sm2 decrypt --key a.pem", &piped.stdout).ok();
    assert!(plain.stdout == message);
    // A conversion that goes by way of no memory either.
    lab.write("text", &piped.stdout);
    lab.sh("sm2 convert --from der --to c1c2c3 --encoding binary --out old text")
        .ok();
    lab.sh("sm2 decrypt --form c1c2c3 --key a.pem --force --out plain old")
        .ok();
    assert!(lab.same("plain", "big"));
    lab.sh("sm2 convert --to der --out no old")
        .status(2)
        .says(&["c1c3c2 or c1c2c3", "--from"]);
    lab.sh("sm2 convert --from der --to c1c3c2 --out no old")
        .status(2)
        .says(&["--from"]);
    lab.sh("sm2 convert --from c1c2c3 --to c1c3c2 --out order old")
        .ok();
    lab.sh("sm2 decrypt --form c1c3c2 --key a.pem --force --out plain order")
        .ok();
    assert!(lab.same("plain", "big"));
    lab.sh("sm2 convert --to der --key b.pem --out no old")
        .status(1);
    lab.sh("sm2 convert --to bare-c1c3c2 --key a.pem --out new old")
        .ok();
    lab.sh("sm2 decrypt --form bare-c1c3c2 --key a.pem --force --out plain new")
        .ok();
    assert!(lab.same("plain", "big"));
    lab.assert_clean();
}

#[test]
fn lenient() {
    let lab = Lab::with_keys();
    lab.sh("sm2 encrypt --key a.pub --form der --out c m").ok();
    let mut trailing = lab.read("c");
    trailing.extend_from_slice(b"\r\n");
    lab.write("trailing", &trailing);
    lab.sh("sm2 decrypt --key a.pem trailing")
        .status(1)
        .says(&["--lenient"]);
    let plain = lab
        .sh("sm2 decrypt -v --lenient --key a.pem trailing")
        .ok()
        .says(&["not strict"]);
    assert_eq!(plain.stdout, b"a message\n");
    lab.sh("sm2 decrypt --lenient --key b.pem trailing")
        .status(1);
    lab.sh("sm2 convert --lenient --to der --out strict trailing")
        .ok();
    assert!(lab.same("strict", "c"));
}

#[cfg(unix)]
#[test]
fn standard_output_that_nobody_reads() {
    use std::io::Write as _;
    use std::process::Stdio;

    let lab = Lab::with_keys();
    lab.write("big", noise(3_000_000, 3));
    lab.sh("sm2 encrypt --key a.pub --out c big").ok();
    let ciphertext = lab.read("c");
    for line in ["sm2 decrypt --key a.pem", "sm2 encrypt --key a.pub", "sm3"] {
        let mut child = lab
            .kuaimi()
            .args(line.split_whitespace())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(&ciphertext).unwrap();
        let ran = common::ran(child.wait_with_output().unwrap());
        assert_eq!((ran.status, ran.stderr.as_str()), (141, ""), "{line}");
    }
    // What was found is said by the status even so.
    let mut child = lab
        .kuaimi()
        .args("sm2 verify -q --key a.pub --signature c".split_whitespace())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn devices_and_the_same_name_twice() {
    let lab = Lab::with_keys();
    lab.sh("sm2 encrypt --key a.pub --out c m").ok();
    // A file may be replaced by its own decryption.
    lab.sh("sm2 decrypt --key a.pem --force --out c c").ok();
    assert!(lab.same("c", "m"));
    if cfg!(unix) {
        lab.sh("sm2 encrypt --key a.pub --out /dev/null m").ok();
    }
    let mut with_dash = lab.kuaimi();
    with_dash.args(["sm2", "encrypt", "--key", "a.pub", "--out", "-", "-"]);
    assert!(!feed(&mut with_dash, b"x").ok().stdout.is_empty());
}
