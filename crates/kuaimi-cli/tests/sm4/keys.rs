//! Passwords and key files.

use super::*;

#[test]
fn passwords() {
    let lab = lab();
    for (options, said) in [
        ("--log-n 14", "scrypt with N = 2^14"),
        ("--kdf scrypt --log-n 15", "N = 2^15, r = 8, p = 1"),
        ("", "N = 2^17"),
        (
            "--kdf pbkdf2 --iterations 100000",
            "HMAC-SM3 and 100000 iterations",
        ),
    ] {
        lab.sh(&format!(
            "sm4 encrypt -v --password-file pw {options} --force --out c m"
        ))
        .ok()
        .says(&["10 bytes encrypted", said]);
        let back = lab.sh("sm4 decrypt --password-file pw c").ok();
        assert_eq!(back.stdout, b"a message\n");
        let wrong = lab
            .sh("sm4 decrypt --password-file pw2 --out never c")
            .status(1);
        let mut altered = lab.read("c");
        *altered.last_mut().unwrap() ^= 1;
        lab.write("altered", altered);
        let altered = lab
            .sh("sm4 decrypt --password-file pw --out never altered")
            .status(1);
        assert!(!lab.exists("never"));
        // One error for both.
        assert_eq!(wrong.stderr.replace("c: ", "altered: "), altered.stderr);
        lab.sh("sm4 decrypt --key-file k c")
            .status(1)
            .says(&["under a password", "--key-file"]);
    }
    let mut with_variable = lab.kuaimi();
    with_variable
        .env("PW", "correct horse")
        .args("sm4 decrypt --password-env PW c".split(' '));
    common::ran(with_variable.output().unwrap()).ok();

    lab.sh("sm4 encrypt --key-file k --force --out c m").ok();
    lab.sh("sm4 decrypt --password-file pw c")
        .status(1)
        .says(&["under a key", "--key-file"]);
    lab.write("empty", "");
    lab.sh("sm4 encrypt --password-file empty m")
        .status(2)
        .says(&["empty"]);
    for wrong in [
        "--password-file pw --key-file k",
        "--key-file k --log-n 14",
        "--password-file pw --log-n 13",
        "--password-file pw --log-n 18",
        "--password-file pw --iterations 100000",
        "--password-file pw --kdf pbkdf2 --log-n 14",
        "--password-file pw --kdf pbkdf2 --iterations 99999",
        "--password-file pw --kdf pbkdf2 --iterations 10000001",
        "--password-file pw --kdf md5",
        "--password-file - -",
        "--key-file -",
    ] {
        let ran = lab.sh(&format!("sm4 encrypt {wrong}")).status(2);
        assert!(ran.stdout.is_empty(), "{wrong}");
    }
}

/// Without a terminal nobody is asked, and the options are named.
#[cfg(target_os = "linux")]
#[test]
fn a_password_that_nobody_can_give() {
    let lab = lab();
    let mut command = lab.command("setsid");
    command.args(["--wait", env!("CARGO_BIN_EXE_kuaimi")]);
    command.args("sm4 encrypt --out c m".split(' '));
    common::ran(command.output().expect("setsid"))
        .status(2)
        .says(&["--key-file", "--password-file", "no terminal"]);
    assert!(!lab.exists("c"));
}

#[test]
fn key_files() {
    let lab = lab();
    lab.sh("sm4 encrypt --key-file k --out c m").ok();
    // The same key in every form.
    let bytes: Vec<u8> = (0..16).collect();
    for (name, content) in [
        ("binary", bytes.clone()),
        ("line", format!("{KEY}\n").into_bytes()),
        ("crlf", format!(" {}\r\n", KEY.to_uppercase()).into_bytes()),
    ] {
        lab.write(name, content);
        lab.sh(&format!("sm4 decrypt --key-file {name} c")).ok();
    }
    for (name, content) in [
        ("15", bytes[1..].to_vec()),
        ("17", [&bytes[..], b"\n"].concat()),
        ("none", Vec::new()),
        ("31", KEY.as_bytes()[1..].to_vec()),
        ("34", format!("{KEY}00").into_bytes()),
        ("letters", KEY.replace('0', "g").into_bytes()),
    ] {
        lab.write(name, content);
        for command in ["encrypt", "decrypt"] {
            lab.sh(&format!("sm4 {command} --key-file {name} --out never c"))
                .status(2)
                .says(&[name, "16 bytes, or 32 hexadecimal digits"]);
        }
    }
    lab.sh("sm4 keygen --out new").ok();
    let digits = String::from_utf8(lab.read("new")).unwrap();
    assert_eq!(digits.len(), 33);
    assert!(
        digits
            .trim_end()
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit())
    );
    #[cfg(unix)]
    assert_eq!(lab.mode("new"), 0o600);
    lab.sh("sm4 keygen --out new").status(2).says(&["--force"]);
    assert_ne!(lab.sh("sm4 keygen").ok().text(), digits);
    lab.sh("sm4 encrypt --key-file new --force --out c m").ok();
    lab.sh("sm4 decrypt --key-file new c").ok();
    refused(&lab, "c");
}
