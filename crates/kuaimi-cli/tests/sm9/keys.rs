//! Keys: who may read them, lists of users, passwords, and what a file holds.

use super::*;

#[test]
fn keys_are_secret_and_not_overwritten() {
    let lab = centre();
    #[cfg(unix)]
    {
        for key in ["s.pem", "e.pem", "alice.pem", "bob.pem"] {
            assert_eq!(lab.mode(key), 0o600, "{key}");
        }
        assert_ne!(lab.mode("s.pub") & 0o044, 0);
    }
    let before = lab.read("s.pem");
    lab.sh("sm9 setup --for sign --out s.pem")
        .status(2)
        .says(&["s.pem", "--force"]);
    assert_eq!(lab.read("s.pem"), before);
    lab.sh("sm9 setup --for sign --out s.pem --force").ok();
    assert_ne!(lab.read("s.pem"), before);
    assert!(
        lab.read("s.pub")
            .starts_with(b"-----BEGIN SM9 SIGN MASTER PUBLIC KEY-----")
    );
    assert!(
        lab.read("e.pub")
            .starts_with(b"-----BEGIN SM9 ENC MASTER PUBLIC KEY-----")
    );
    lab.sh("sm9 setup --out x.pem").status(2).says(&["--for"]);
    lab.sh("sm9 setup --for sign --out x --pubout x")
        .status(2)
        .says(&["--pubout"]);
    lab.sh("sm9 setup --for sign --out no/such/x")
        .status(2)
        .says(&["no directory"]);
    // Without --out, the key goes to standard output.
    let key = lab.sh("sm9 setup --for encrypt").ok();
    assert!(key.text().starts_with("-----BEGIN PRIVATE KEY-----"));
    let other = lab
        .pipe("sm9 extract --key - --id x --out x.pem", &key.stdout)
        .ok();
    assert!(other.stderr.is_empty());
    // The other public forms.
    for (options, name) in [
        ("--pub-form spki", "spki.pub"),
        ("--pub-form spki --der", "spki.der"),
        ("--der", "gmssl.der"),
    ] {
        let line = format!("sm9 setup --for sign --out {name}.key --pubout {name} {options}");
        lab.sh(&line).ok();
        lab.sh(&format!(
            "sm9 extract --key {name}.key --id alice --out {name}.user"
        ))
        .ok();
        lab.sh(&format!(
            "sm9 sign --key {name}.user --id alice --out {name}.sig m"
        ))
        .ok();
        lab.sh(&format!(
            "sm9 verify --key {name} --id alice --signature {name}.sig m"
        ))
        .ok();
    }
    lab.assert_clean();
}

#[test]
fn keys_for_a_list_of_users() {
    let lab = centre();
    let users = [
        "alice@example.com",
        "bob b.",
        "../escape",
        "快密",
        ".profile",
        "-x",
    ];
    lab.write("users", format!("\u{FEFF}{}\r\n\n", users.join("\n")));
    lab.sh("sm9 extract --key s.pem --ids users --out-dir keys/all -v")
        .ok()
        .says(&["6 keys"]);
    let names = [
        "alice@example.com.pem",
        "bob%20b..pem",
        "%2E.%2Fescape.pem",
        "%E5%BF%AB%E5%AF%86.pem",
        "%2Eprofile.pem",
        "%2Dx.pem",
    ];
    for (user, name) in users.iter().zip(names) {
        let key = format!("keys/all/{name}");
        assert!(lab.exists(&key), "{name}");
        #[cfg(unix)]
        assert_eq!(lab.mode(&key), 0o600);
        let about = lab
            .run(["sm9", "inspect", &key, &format!("--id={user}")])
            .ok();
        assert!(about.text().contains("yes, with hid 1"), "{}", about.text());
        let id = format!("--id={user}");
        lab.run([
            "sm9", "sign", "--key", &key, &id, "--out", "sig", "--force", "m",
        ])
        .ok();
        lab.run([
            "sm9",
            "verify",
            "--key",
            "s.pub",
            &format!("--id={user}"),
            "--signature",
            "sig",
            "m",
        ])
        .ok();
    }
    assert_eq!(std::fs::read_dir(lab.path("keys/all")).unwrap().count(), 6);
    // The same as one by one: a user's key follows from name and master key alone.
    assert_eq!(
        lab.read("keys/all/alice@example.com.pem"),
        lab.read("alice.pem")
    );

    // Nothing is overwritten, and nothing begun.
    lab.write("more", "carol\nalice@example.com\n");
    lab.sh("sm9 extract --key s.pem --ids more --out-dir keys/all")
        .status(2)
        .says(&["alice@example.com.pem", "--force"]);
    assert!(!lab.exists("keys/all/carol.pem"));
    for (list, word) in [
        ("a\nb\na\n", "line 3"),
        ("Bob\nbob\n", "line 2"),
        ("a\n b\n", "white space"),
        ("\n\n", "no identity"),
    ] {
        lab.write("list", list);
        lab.sh("sm9 extract --key s.pem --ids list --out-dir new")
            .status(2)
            .says(&["list", word]);
    }
    lab.sh("sm9 extract --key s.pem --ids users")
        .status(2)
        .says(&["--out-dir"]);
    lab.sh("sm9 extract --key s.pem --ids users --out-dir m")
        .status(2)
        .says(&["m: is a file"]);
    lab.sh("sm9 extract --key s.pem --ids users --id x --out-dir new")
        .status(2);
    lab.sh("sm9 extract --key s.pem --out x")
        .status(2)
        .says(&["--id"]);
    lab.sh("sm9 extract --key alice.pem --id x --out x")
        .status(2)
        .says(&["alice.pem", "master key"]);
    lab.sh("sm9 extract --key s.pub --id x --out x")
        .status(2)
        .says(&["master public key"]);
    lab.sh("sm9 extract --key s.pem --id x --for-exchange --out x")
        .status(2)
        .says(&["encryption master key"]);
    assert!(!lab.exists("x"));
    lab.assert_clean();
}

#[test]
fn passwords() {
    let lab = centre();
    lab.write("old", "a password\n");
    lab.write("new", "another\n");
    lab.sh("sm9 setup --for sign --out locked.pem --pubout locked.pub --encrypt --cipher sm4 --password-file old")
        .ok();
    assert!(
        lab.read("locked.pem")
            .starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    );
    const EXTRACT: &str =
        "sm9 extract --key locked.pem --id alice --out user.pem --encrypt --new-password-file new";
    lab.sh(EXTRACT)
        .status(2)
        .says(&["locked.pem", "--password-file"]);
    lab.sh(&format!("{EXTRACT} --password-file new"))
        .status(2)
        .says(&["locked.pem", "password"]);
    lab.sh("sm9 extract --key locked.pem --password-file old --id alice --out user.pem --encrypt")
        .status(2)
        .says(&["user.pem", "--new-password-file"]);
    lab.sh(&format!("{EXTRACT} --password-file old")).ok();
    lab.sh("sm9 sign --key user.pem --id alice --password-file old --out sig m")
        .status(2);
    lab.sh("sm9 sign --key user.pem --id alice --password-file new --out sig m")
        .ok();
    lab.sh("sm9 verify --key locked.pub --id alice --signature sig m")
        .ok();
    lab.sh("sm9 setup --for sign --out x.pem --password-file old")
        .status(2)
        .says(&["--encrypt"]);
    lab.assert_clean();
}

#[test]
fn what_things_are() {
    let lab = centre();
    lab.sh("sm9 sign --key alice.pem --id alice@example.com --out sig m")
        .ok();
    lab.sh("sm9 encrypt --key e.pub --id bob --mode cbc --out enc m")
        .ok();
    for (file, words) in [
        ("s.pem", ["signing master key", "PKCS#8, PEM"]),
        ("s.pub", ["signing master public key", "GmSSL's form"]),
        ("e.pub", ["encryption master public key", "GmSSL's form"]),
        ("alice.pem", ["user's signing key", "hidden"]),
        (
            "bob.pem",
            ["user's key for decryption or key exchange", "PKCS#8, PEM"],
        ),
        ("sig", ["signature", "DER"]),
        ("enc", ["ciphertext", "cbc"]),
    ] {
        let about = lab.sh(&format!("sm9 inspect {file}")).ok();
        for word in words {
            assert!(about.text().contains(word), "{file}: {}", about.text());
        }
        let json = lab.sh(&format!("sm9 inspect --json {file}")).ok();
        let value: serde_json::Value = serde_json::from_str(json.text()).expect("JSON");
        assert_eq!(value["algorithm"], "SM9");
        assert!(value.get("private_key").is_none());
    }
    let secret = lab.sh("sm9 inspect --json --show-secret alice.pem").ok();
    let value: serde_json::Value = serde_json::from_str(secret.text()).expect("JSON");
    assert_eq!(value["private_key"].as_str().map(str::len), Some(128));
    for (id, verdict) in [("bob", "yes, with hid 3"), ("Bob", "no")] {
        let about = lab.sh(&format!("sm9 inspect bob.pem --id {id}")).ok();
        assert!(about.text().contains(verdict));
    }
    lab.sh("sm9 inspect --id bob e.pub").status(2);
    lab.sh("sm9 inspect m").status(2).says(&["not an SM9 key"]);
    lab.sh("sm9 inspect nothing")
        .status(2)
        .says(&["cannot read"]);
}
