//! Keys: made, read and written, with the openssl program on the other side.

mod common;

use common::{Lab, feed};

#[test]
fn a_new_pair() {
    let lab = Lab::new();
    lab.sh("sm2 keygen --out k.pem --pubout k.pub").ok();
    assert!(
        lab.read("k.pem")
            .starts_with(b"-----BEGIN PRIVATE KEY-----\n")
    );
    assert!(
        lab.read("k.pub")
            .starts_with(b"-----BEGIN PUBLIC KEY-----\n")
    );
    // OpenSSL finds the same public key in the private one.
    let theirs = lab.openssl("pkey -in k.pem -pubout").ok();
    assert_eq!(theirs.stdout, lab.read("k.pub"));
    assert!(
        lab.openssl("pkey -in k.pem -noout -text")
            .ok()
            .text()
            .contains("SM2")
    );
    let ours = lab.sh("sm2 pubkey --key k.pem").ok();
    assert_eq!(ours.stdout, lab.read("k.pub"));
    // Another run, another key.
    lab.sh("sm2 keygen --out l.pem").ok();
    assert!(!lab.same("k.pem", "l.pem"));
    lab.assert_clean();
}

#[cfg(unix)]
#[test]
fn who_may_read_what() {
    let lab = Lab::with_keys();
    assert_eq!(lab.mode("a.pem"), 0o600);
    assert_eq!(lab.mode("a.pub") & 0o600, 0o600);
    // A secret is private from its first byte, not made so later; and overwriting does not open it.
    lab.sh("sm2 keygen --out a.pem --force").ok();
    assert_eq!(lab.mode("a.pem"), 0o600);
    lab.sh("sm2 convert --to hex --out d.hex a.pem").ok();
    assert_eq!(lab.mode("d.hex"), 0o600);
    lab.sh("sm2 encrypt --key a.pem --out c m").ok();
    lab.sh("sm2 decrypt --key a.pem --out plain c").ok();
    assert_eq!(lab.mode("plain"), 0o600);
}

#[test]
fn nothing_is_overwritten_unasked() {
    let lab = Lab::with_keys();
    let before = lab.read("a.pem");
    lab.sh("sm2 keygen --out a.pem")
        .status(2)
        .says(&["a.pem", "exists", "--force"]);
    lab.sh("sm2 keygen --out new.pem --pubout a.pub")
        .status(2)
        .says(&["a.pub"]);
    assert_eq!(lab.read("a.pem"), before);
    assert!(!lab.exists("new.pem"));
    lab.sh("sm2 keygen --out a.pem --force").ok();
    assert_ne!(lab.read("a.pem"), before);
    lab.sh("sm2 keygen --out x --pubout x").status(2);
    lab.sh("sm2 keygen --out no/where.pem")
        .status(2)
        .says(&["no directory"]);
    lab.sh("sm2 keygen --out .").status(2).says(&["directory"]);
    lab.assert_clean();
}

#[test]
fn forms_of_a_new_key() {
    let lab = Lab::new();
    for (options, start) in [
        ("", "-----BEGIN PRIVATE KEY-----"),
        ("--form sec1", "-----BEGIN EC PRIVATE KEY-----"),
    ] {
        let pem = lab.sh(&format!("sm2 keygen {options}")).ok();
        assert!(pem.text().starts_with(start));
        feed(
            lab.command("openssl").args(["pkey", "-noout", "-check"]),
            &pem.stdout,
        )
        .ok();
        let der = lab.sh(&format!("sm2 keygen --der {options}")).ok().stdout;
        feed(
            lab.command("openssl")
                .args(["pkey", "-inform", "DER", "-noout", "-check"]),
            &der,
        )
        .ok();
        assert!(
            lab.pipe("sm2 pubkey --key -", &der)
                .ok()
                .text()
                .contains("PUBLIC KEY")
        );
    }
    let hex = lab.sh("sm2 keygen --form hex --pubout p").ok();
    assert_eq!(hex.text().trim().len(), 64);
    let point = lab.pipe("sm2 pubkey --key - --form hex", &hex.stdout).ok();
    assert_eq!(point.stdout, lab.read("p"));
    assert_eq!(point.text().trim().len(), 130);
    lab.sh("sm2 keygen --form hex --der").status(2);
    lab.sh("sm2 keygen --form sec1 --encrypt")
        .status(2)
        .says(&["PKCS#8"]);
}

#[test]
fn forms_of_a_public_key() {
    let lab = Lab::with_keys();
    let spki = lab.read("a.pub");
    for options in [
        "--form hex",
        "--form compressed",
        "--form bare",
        "--der",
        "--form hex --der",
        "--form compressed --der",
        "--form bare --der",
    ] {
        let form = lab.sh(&format!("sm2 pubkey --key a.pem {options}")).ok();
        let back = lab.pipe("sm2 pubkey --key -", &form.stdout).ok();
        assert_eq!(back.stdout, spki, "{options}");
    }
    let der = lab.sh("sm2 pubkey --key a.pub --der").ok();
    assert_eq!(
        lab.openssl("pkey -pubin -in a.pub -pubout -outform DER")
            .ok()
            .stdout,
        der.stdout
    );
}

#[test]
fn keys_that_openssl_made() {
    let lab = Lab::new();
    lab.openssl("genpkey -algorithm SM2 -out k.pem").ok();
    lab.openssl("pkey -in k.pem -pubout -out k.pub").ok();
    lab.openssl("ec -in k.pem -out sec1.pem").ok();
    lab.openssl("ec -in k.pem -outform DER -out sec1.der").ok();
    lab.openssl("pkcs8 -topk8 -nocrypt -in k.pem -outform DER -out k.der")
        .ok();
    for name in ["k.pem", "k.der", "sec1.pem", "sec1.der", "k.pub"] {
        let public = lab.sh(&format!("sm2 pubkey --key {name}")).ok();
        assert_eq!(public.stdout, lab.read("k.pub"), "{name}");
    }
    lab.openssl("ecparam -name prime256v1 -genkey -noout -out p256.pem")
        .ok();
    lab.sh("sm2 pubkey --key p256.pem")
        .status(2)
        .says(&["another curve"]);
}

/// Encrypted keys, both ways and both ciphers; and a password that is wrong, missing, or in three
/// places.
#[test]
fn encrypted_keys() {
    let lab = Lab::new();
    lab.write("secret", "correct horse\nsecond line\n");
    lab.write("wrong", "incorrect horse\n");
    lab.sh("sm2 keygen --encrypt --password-file secret --out k.pem --pubout k.pub")
        .ok();
    assert!(
        lab.read("k.pem")
            .starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    );
    let theirs = lab.run(["--version"]).ok();
    assert!(theirs.text().starts_with("kuaimi "));
    let theirs = lab
        .command("openssl")
        .args([
            "pkey",
            "-in",
            "k.pem",
            "-passin",
            "pass:correct horse",
            "-pubout",
        ])
        .output()
        .unwrap();
    assert_eq!(theirs.stdout, lab.read("k.pub"));

    let ours = lab.sh("sm2 pubkey --key k.pem --password-file secret").ok();
    assert_eq!(ours.stdout, lab.read("k.pub"));
    lab.sh("sm2 pubkey --key k.pem --password-file wrong")
        .status(2)
        .says(&["k.pem", "password"]);
    let mut with_variable = lab.kuaimi();
    with_variable.env("PASSWORD_OF_K", "correct horse");
    let line = [
        "sm2",
        "pubkey",
        "--key",
        "k.pem",
        "--password-env",
        "PASSWORD_OF_K",
    ];
    assert_eq!(
        common::ran(with_variable.args(line).output().unwrap())
            .ok()
            .stdout,
        lab.read("k.pub")
    );
    lab.run(line).status(2).says(&["PASSWORD_OF_K"]);
    // Never from the arguments.
    lab.sh("sm2 pubkey --key k.pem --password secret").status(2);
    lab.write("empty", "\n");
    lab.sh("sm2 keygen --encrypt --password-file empty")
        .status(2)
        .says(&["empty"]);
    lab.sh("sm2 keygen --password-file secret")
        .status(2)
        .says(&["--encrypt"]);

    lab.sh("sm2 convert --password-file secret --to encrypted-pkcs8 --cipher sm4 --new-password-file wrong --out sm4.pem k.pem").ok();
    let form = lab.sh("sm2 inspect --password-file wrong sm4.pem").ok();
    assert!(
        form.text().contains("SM4-CBC") && form.text().contains("SM3"),
        "{}",
        form.text()
    );
    assert_eq!(
        lab.sh("sm2 pubkey --key sm4.pem --password-file wrong")
            .ok()
            .stdout,
        lab.read("k.pub")
    );

    lab.openssl("genpkey -algorithm SM2 -aes-128-cbc -pass file:secret -out theirs.pem")
        .ok();
    lab.openssl("pkey -in theirs.pem -passin file:secret -pubout -out theirs.pub")
        .ok();
    let ours = lab
        .sh("sm2 pubkey --key theirs.pem --password-file secret")
        .ok();
    assert_eq!(ours.stdout, lab.read("theirs.pub"));
}

/// With nobody to ask, a program must not hang but say what it needs.
#[cfg(unix)]
#[test]
fn no_terminal_to_ask_at() {
    let lab = Lab::new();
    lab.write("secret", "x\n");
    lab.sh("sm2 keygen --encrypt --password-file secret --out k.pem")
        .ok();
    // A session of its own has no terminal.
    let output = lab
        .command("setsid")
        .args([
            "-w",
            env!("CARGO_BIN_EXE_kuaimi"),
            "sm2",
            "pubkey",
            "--key",
            "k.pem",
        ])
        .output();
    common::ran(output.expect("setsid of util-linux"))
        .status(2)
        .says(&["k.pem", "--password-file", "--password-env"]);
}

#[test]
fn files_that_are_no_keys() {
    let lab = Lab::with_keys();
    let pem = lab.read("a.pem");
    lab.write("truncated.pem", &pem[..pem.len() - 40]);
    lab.sh("sm2 sign --key truncated.pem m")
        .status(2)
        .says(&["truncated.pem", "cut short"]);
    let mut damaged = pem.clone();
    damaged[40] = b'!';
    lab.write("damaged.pem", &damaged);
    lab.sh("sm2 sign --key damaged.pem m")
        .status(2)
        .says(&["damaged.pem"]);
    lab.sh("sm2 sign --key m m")
        .status(2)
        .says(&["m: ", "no key"]);
    lab.sh("sm2 sign --key a.pub m")
        .status(2)
        .says(&["private key"]);
    lab.sh("sm2 sign --key nowhere m")
        .status(2)
        .says(&["nowhere", "no such file"]);
    lab.sh("sm2 sign --key . m").status(2).says(&["directory"]);
    lab.write("zero", "0".repeat(64));
    lab.sh("sm2 sign --key zero m")
        .status(2)
        .says(&["out of range"]);
    // n - 1, the first number too large.
    lab.write(
        "large",
        "FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54122",
    );
    lab.sh("sm2 sign --key large m")
        .status(2)
        .says(&["out of range"]);
    lab.write("off", format!("04{}", "11".repeat(64)));
    lab.sh("sm2 encrypt --key off m").status(2).says(&["curve"]);
    lab.write("huge", vec![b'x'; (16 << 20) + 1]);
    lab.sh("sm2 sign --key huge m").status(2).says(&["huge"]);
}
