//! Names of files that are one file, or one input: what is written is not written over, and nothing
//! is read twice.

#![cfg(unix)]

mod common;

use std::os::unix::fs::PermissionsExt as _;

use common::{Lab, feed, noise, ran};

/// A public key in place of the private one would be the end of the private one.
#[test]
fn two_outputs_are_two_files() {
    let lab = Lab::with_keys();
    for (out, pubout) in [("k", "./k"), ("./k", "k"), ("a.pem", "./a.pem")] {
        for command in ["sm2 keygen", "sm9 setup --for sign"] {
            lab.sh(&format!("{command} --out {out} --pubout {pubout} --force"))
                .status(2)
                .says(&["--pubout", "same file"]);
        }
    }
    assert!(!lab.exists("k"));
    lab.sh("sm2 pubkey --key a.pem").ok();

    lab.sh("sign-batch --key a.pem --out r.csv m.csv").status(2);
    lab.write("m.csv", "message\nhello\n");
    lab.sh("sign-batch --key a.pem --out r.csv --include-key m.csv");
    lab.sh("verify-batch --key a.pub --out v --summary-json ./v r.csv")
        .status(2)
        .says(&["--out and --summary-json are the same file"]);
    assert!(!lab.exists("v"));
}

/// Not for the password and the message: the second of them would be read as empty, and an empty
/// message can be signed.
#[test]
fn standard_input_is_read_once() {
    let lab = Lab::new();
    lab.write("pw", "a password\n");
    lab.sh("sm2 keygen --encrypt --password-file pw --out a.pem --pubout a.pub")
        .ok();
    lab.sh("sm9 setup --for sign --out sm9.pem").ok();
    lab.sh("sm9 extract --key sm9.pem --id alice --encrypt --new-password-file pw --out alice.pem");
    for line in [
        "sm2 sign --key a.pem --password-file - --out s",
        "sm2 sign --key a.pem --password-file - --out s -",
        "sm2 sign --key a.pem --password-file /dev/stdin --out s",
        "sm2 sign --key a.pem --password-file - --out s /dev/stdin",
        "sm2 decrypt --key a.pem --password-file - --out s",
        "sign-batch --key a.pem --password-file - --out s",
        "sm2 convert --to sec1 --password-file - --out s",
    ] {
        let ran = lab.pipe(line, b"a password\na message");
        assert_eq!(ran.status, 2, "{line}: {ran:?}");
        assert!(ran.stderr.contains("standard input"), "{line}: {ran:?}");
        assert!(!lab.exists("s"), "{line}");
    }
    // One of both from a file is as it was.
    lab.write("m", "a message");
    lab.pipe(
        "sm2 sign --key a.pem --password-file - --out s m",
        b"a password\n",
    )
    .ok();
    lab.sh("sm2 verify --key a.pub --signature s m").ok();
}

/// The new file has no permission that the old one did not have.
#[test]
fn a_replaced_file_is_not_opened_to_others() {
    let lab = Lab::with_keys();
    let chmod = |name: &str, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(lab.path(name), permissions).expect("the file is ours");
    };
    lab.write("s", "");
    chmod("s", 0o600);
    lab.sh("sm2 sign --key a.pem --out s --force m").ok();
    assert_eq!(lab.mode("s"), 0o600);
    // And a secret is not opened by what was there.
    lab.write("k", "");
    chmod("k", 0o644);
    lab.sh("sm2 keygen --out k --force").ok();
    assert_eq!(lab.mode("k"), 0o600);
}

/// An output that can only be read loses what is written, and an input that can only be written has
/// nothing.
#[test]
fn descriptors_that_cannot_serve() {
    let lab = Lab::with_keys();
    let shell = |line: &str| {
        let program = env!("CARGO_BIN_EXE_kuaimi");
        let line = line.replace("kuaimi", program);
        ran(lab.command("sh").args(["-c", &line]).output().expect("sh"))
    };
    for line in [
        "kuaimi sm3 m 1</dev/null",
        "kuaimi sm2 sign --key a.pem m 1</dev/null",
        "kuaimi sm2 sign --key a.pem --out s 0>/dev/null",
    ] {
        shell(line).status(2).says(&["is closed"]);
    }
    // Before anything is written elsewhere.
    lab.write("r.jsonl", "{\"message\":\"x\",\"signature\":\"y\"}\n");
    shell("kuaimi verify-batch --key a.pub --out v r.jsonl >&-")
        .status(2)
        .says(&["is closed"]);
    assert!(!lab.exists("v"));
    shell("kuaimi sm2 sign --key a.pem --out s m 1</dev/null").ok();
}

/// Text that was altered is a file that was altered: the status is the same, and nothing is given
/// out.
#[test]
fn altered_text_of_a_file() {
    let lab = Lab::new();
    lab.sh("sm4 keygen --out k").ok();
    lab.write("m", noise(300_000, 5));
    lab.sh("sm4 encrypt --key-file k --encoding base64 --out c m")
        .ok();
    let right = lab.read("c");
    for (cut, end) in [(200_000, "!!"), (100_000, ""), (100_001, "")] {
        let mut text = right[..cut].to_vec();
        text.extend(end.as_bytes());
        let mut command = lab.kuaimi();
        let ran = feed(command.args(["sm4", "decrypt", "--key-file", "k"]), &text);
        assert_eq!((ran.status, ran.stdout.len()), (1, 0), "{}", ran.stderr);
        let reasons = ["decryption failed", "the base64 text is damaged"];
        assert!(
            reasons.iter().any(|reason| ran.stderr.contains(reason)),
            "{}",
            ran.stderr
        );
    }
}
