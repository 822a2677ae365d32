//! SM9 from the key generation centre to its users.

mod common;

use common::Lab;

/// A centre with both master keys, Alice's signing key, Bob's encryption key, and a file `m`.
fn centre() -> Lab {
    let lab = Lab::new();
    for line in [
        "sm9 setup --for sign --out s.pem --pubout s.pub",
        "sm9 setup --for encrypt --out e.pem --pubout e.pub",
        "sm9 extract --key s.pem --id alice@example.com --out alice.pem",
        "sm9 extract --key e.pem --id bob --out bob.pem",
    ] {
        let nothing = lab.sh(line).ok();
        assert!(
            nothing.stdout.is_empty() && nothing.stderr.is_empty(),
            "{nothing:?}"
        );
    }
    lab.write("m", b"a message\n");
    lab
}

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
fn signatures() {
    let lab = centre();
    lab.sh("sm9 sign --key alice.pem --id alice@example.com --out der.sig m")
        .ok();
    assert_eq!(lab.read("der.sig").len(), 104);
    lab.sh("sm9 sign --key alice.pem --id alice@example.com --form raw --out raw.sig m")
        .ok();
    assert_eq!(lab.read("raw.sig").len(), 96);
    lab.sh("sm9 sign --key alice.pem --id alice@example.com --encoding hex --out hex.sig m")
        .ok();
    let piped = lab
        .pipe(
            "sm9 sign --key alice.pem --id alice@example.com --encoding base64",
            b"a message\n",
        )
        .ok();
    lab.write("base64.sig", &piped.stdout);
    const VERIFY: &str = "sm9 verify --key s.pub --id alice@example.com";
    for signature in ["der.sig", "raw.sig", "hex.sig", "base64.sig"] {
        let line = format!("{VERIFY} --signature {signature}");
        assert_eq!(lab.sh(&format!("{line} m")).ok().text(), "OK\n");
        assert_eq!(lab.pipe(&line, b"a message\n").ok().text(), "OK\n");
        let quiet = lab.sh(&format!("{line} --quiet m")).ok();
        assert!(quiet.stdout.is_empty());
        let wrong = lab.pipe(&line, b"another message\n").status(1);
        assert_eq!(wrong.text(), "INVALID\n");
        wrong.says(&["--id"]);
    }
    // A key that holds the public one serves, too.
    for key in ["s.pem", "alice.pem"] {
        lab.sh(&format!(
            "sm9 verify --key {key} --id alice@example.com --signature der.sig m"
        ))
        .ok();
    }
    for other in [
        "sm9 verify --key s.pub --id alice --signature der.sig m",
        "sm9 verify --key s.pub --id alice@example.com --hid 2 --signature der.sig m",
    ] {
        assert_eq!(lab.sh(other).status(1).text(), "INVALID\n");
    }
    let by_hex = format!(
        "sm9 verify --key s.pub --id-hex {} --hid 0x01 -v --signature der.sig m",
        hex::encode("alice@example.com")
    );
    lab.sh(&by_hex)
        .ok()
        .says(&["signing master public key", "DER, binary"]);

    // Mistakes.
    lab.sh("sm9 verify --key e.pub --id alice --signature der.sig m")
        .status(2)
        .says(&[
            "e.pub",
            "encryption master public key",
            "signing master public key",
        ]);
    lab.sh("sm9 sign --key alice.pem --id alice m")
        .status(2)
        .says(&["alice.pem", "\"alice\"'s signing key", "--id"]);
    lab.sh("sm9 sign --key alice.pem m")
        .status(2)
        .says(&["--id"]);
    lab.sh("sm9 sign --key bob.pem --id bob m")
        .status(2)
        .says(&["bob.pem", "extract"]);
    lab.sh("sm9 sign --key s.pem --id alice m")
        .status(2)
        .says(&["signing master key"]);
    lab.sh("sm9 sign --key m --id alice m")
        .status(2)
        .says(&["m: ", "SM9 key"]);
    lab.sh("sm9 verify --key s.pub --signature der.sig m")
        .status(2)
        .says(&["--id"]);
    lab.run([
        "sm9",
        "verify",
        "--key",
        "s.pub",
        "--id",
        "",
        "--signature",
        "der.sig",
        "m",
    ])
    .status(2)
    .says(&["empty"]);
    lab.sh("sm9 verify --key s.pub --id a --hid 256 --signature der.sig m")
        .status(2)
        .says(&["0 to 255"]);
    lab.write("cut.sig", &lab.read("der.sig")[..90]);
    let cut = lab.sh(&format!("{VERIFY} --signature cut.sig m")).status(1);
    assert_eq!(cut.text(), "INVALID\n");
    cut.says(&["cut.sig", "ends too early"]);
    lab.sh(&format!("{VERIFY} --signature der.sig nothing"))
        .status(2)
        .says(&["nothing", "cannot read"]);
    lab.assert_clean();
}

#[test]
fn encryption() {
    let lab = centre();
    for mode in ["stream", "ecb", "cbc", "ofb", "cfb"] {
        for check in ["sm3", "hmac-sm3"] {
            lab.sh(&format!(
                "sm9 encrypt --key e.pub --id bob --mode {mode} --check {check} --out der --force m"
            ))
            .ok();
            lab.sh(&format!(
                "sm9 decrypt --key bob.pem --id bob --check {check} --out plain --force der"
            ))
            .ok();
            assert!(lab.same("plain", "m"), "{mode}, {check}");
            let other = if check == "sm3" { "hmac-sm3" } else { "sm3" };
            lab.sh(&format!(
                "sm9 decrypt --key bob.pem --id bob --check {other} --out wrong der"
            ))
            .status(1)
            .says(&["decryption failed", "--check"]);
        }
        lab.sh(&format!("sm9 encrypt --key e.pub --id bob --mode {mode} --form raw --encoding hex --out raw --force m"))
            .ok();
        lab.sh(&format!(
            "sm9 decrypt --key bob.pem --id bob --form raw --mode {mode} --out plain --force raw"
        ))
        .ok();
        assert!(lab.same("plain", "m"), "{mode}");
    }
    #[cfg(unix)]
    assert_eq!(lab.mode("plain"), 0o600);
    let piped = lab
        .pipe("sm9 encrypt --key e.pub --id bob", b"through pipes")
        .ok();
    let plain = lab
        .pipe("sm9 decrypt --key bob.pem --id bob", &piped.stdout)
        .ok();
    assert_eq!(plain.stdout, b"through pipes");

    // Mistakes.
    lab.sh("sm9 decrypt --key alice.pem --id alice --out wrong der")
        .status(2)
        .says(&["alice.pem", "user's encryption key"]);
    lab.sh("sm9 decrypt --key bob.pem --id bob --mode cbc der")
        .status(2)
        .says(&["--form raw"]);
    lab.sh("sm9 decrypt --key bob.pem --id bob --out wrong m")
        .status(1)
        .says(&["no SM9 ciphertext"]);
    lab.sh("sm9 encrypt --key s.pub --id bob m")
        .status(2)
        .says(&["encryption master public key"]);
    lab.sh("sm9 encrypt --key e.pub --id bob --mode ctr m")
        .status(2)
        .says(&["stream, ecb"]);
    lab.sh("sm9 decrypt --key bob.pem --id bob --check hmac der")
        .status(2)
        .says(&["sm3, hmac-sm3"]);
    // Whose key it is, and what for.
    lab.sh("sm9 extract --key e.pem --id bob --for-exchange --out agree.pem")
        .ok();
    lab.sh("sm9 decrypt --key agree.pem --id bob --out wrong der")
        .status(2)
        .says(&["agree.pem", "the one for key exchange", "--for-exchange"]);
    lab.sh("sm9 decrypt --key bob.pem --id alice --out wrong der")
        .status(2)
        .says(&["bob.pem: is not \"alice\"'s key for encryption", "--id"]);
    // A key with a function identifier of its own.
    lab.sh("sm9 extract --key e.pem --id bob --hid 0x77 --out odd.pem")
        .ok();
    lab.sh("sm9 encrypt --key e.pub --id bob --hid 0x77 --out odd m")
        .ok();
    lab.sh("sm9 decrypt --key odd.pem --id bob --out wrong odd")
        .status(2)
        .says(&["odd.pem", "--hid"]);
    lab.sh("sm9 decrypt --key odd.pem --id bob --hid 0x77 --out plain --force odd")
        .ok();
    assert!(lab.same("plain", "m"));
    lab.write("nothing", b"");
    lab.sh("sm9 encrypt --key nothing --id bob m")
        .status(2)
        .says(&["nothing: is empty"]);
    lab.sh("sm2 keygen --out sm2.pem").ok();
    lab.sh("sm9 decrypt --key sm2.pem --id bob der")
        .status(2)
        .says(&["sm2.pem", "`kuaimi sm2`"]);
    lab.sh("sm2 sign --key alice.pem m")
        .status(2)
        .says(&["alice.pem", "`kuaimi sm9`"]);
    lab.write("empty", b"");
    lab.sh("sm9 encrypt --key e.pub --id bob --out x empty")
        .status(2)
        .says(&["empty"]);
    let mut altered = lab.read("der");
    *altered.last_mut().unwrap() ^= 1;
    lab.write("altered", altered);
    lab.sh("sm9 decrypt --key bob.pem --id bob --out wrong altered")
        .status(1);
    assert!(!lab.exists("wrong") && !lab.exists("x"));
    lab.assert_clean();
}

/// Files larger than any buffer, to files, through pipes and as text; and that a bit at their end is seen before a byte is written.
#[test]
fn large_files() {
    let lab = centre();
    let large = common::noise(3_000_001, 5);
    lab.write("large", &large);
    for (mode, check, form) in [
        ("stream", "sm3", "der"),
        ("stream", "hmac-sm3", "raw"),
        ("cbc", "hmac-sm3", "der"),
        ("ofb", "sm3", "raw"),
    ] {
        let how = match form {
            "der" => format!("--check {check}"),
            _ => format!("--check {check} --form raw --mode {mode}"),
        };
        let encrypt =
            format!("sm9 encrypt --key e.pub --id bob --mode {mode} --check {check} --form {form}");
        let decrypt = format!("sm9 decrypt --key bob.pem --id bob {how}");
        lab.sh(&format!("{encrypt} --out enc --force large")).ok();
        lab.sh(&format!("{decrypt} --out plain --force enc")).ok();
        assert!(lab.read("plain") == large, "{encrypt}");
        // As text, which is rewritten from a spool.
        lab.sh(&format!(
            "{encrypt} --encoding base64 --out enc.txt --force large"
        ))
        .ok();
        lab.sh(&format!("{decrypt} --out plain --force enc.txt"))
            .ok();
        assert!(lab.read("plain") == large, "{encrypt}");
        // Through pipes.
        let piped = lab.pipe(&encrypt, &large);
        if (mode, check) == ("stream", "hmac-sm3") {
            piped.status(2).says(&["standard input", "--mode"]);
        } else {
            let plain = lab.pipe(&decrypt, &piped.ok().stdout).ok();
            assert!(plain.stdout == large, "{encrypt}");
        }
        let mut altered = lab.read("enc");
        *altered.last_mut().expect("a byte") ^= 1;
        lab.write("altered", &altered);
        let refused = lab.sh(&format!("{decrypt} altered")).status(1);
        assert!(refused.stdout.is_empty());
        let refused = lab.pipe(&decrypt, &altered[..altered.len() - 16]).status(1);
        assert!(refused.stdout.is_empty());
    }
    lab.assert_clean();
}

#[test]
fn encapsulation() {
    let lab = centre();
    let c = lab
        .sh("sm9 encap --key e.pub --id bob --length 48 --out key")
        .ok();
    assert!(c.text().starts_with("C 04"));
    assert_eq!(lab.read("key").len(), 48);
    lab.write("c", &c.stdout);
    lab.sh("sm9 decap --key bob.pem --id bob --length 48 --message c --out again")
        .ok();
    assert!(lab.same("key", "again"));
    let pasted = [
        "sm9",
        "decap",
        "--key",
        "bob.pem",
        "--id",
        "bob",
        "--length",
        "48",
        "--encoding",
        "hex",
        "--received",
        c.text(),
    ];
    let hexed = lab.run(pasted).ok();
    assert_eq!(hexed.text().trim_end(), hex::encode(lab.read("key")));
    // The key is another's; and a shorter length gives the beginning of the key, and no error.
    lab.sh("sm9 decap --key bob.pem --id bobby --length 48 --message c --out other")
        .status(2)
        .says(&["bob.pem", "\"bobby\"", "--id"]);
    lab.sh("sm9 decap --key bob.pem --id bob --length 47 --message c --out other")
        .ok();
    assert_eq!(lab.read("other"), lab.read("key")[..47]);
    lab.sh("sm9 encap --key e.pub --id bob --package --out package")
        .ok();
    lab.sh("sm9 inspect package").ok();
    lab.sh("sm9 encap --key e.pub --id bob")
        .status(2)
        .says(&["--out"]);
    lab.write("bad", b"C 05abcd");
    lab.sh("sm9 decap --key bob.pem --id bob --message bad")
        .status(2)
        .says(&["bad", "copy all"]);
    #[cfg(unix)]
    assert_eq!((lab.mode("key"), lab.mode("again")), (0o600, 0o600));
    lab.assert_clean();
}

#[test]
fn exchange() {
    let lab = centre();
    for name in ["a", "b"] {
        lab.sh(&format!(
            "sm9 extract --key e.pem --id {name} --for-exchange --out {name}.pem"
        ))
        .ok();
    }
    const START: &str = "sm9 exchange start --key a.pem --id a --peer-id b --out-state a.state";
    const RESPOND: &str = "sm9 exchange respond --key b.pem --id b --peer-id a --out-state b.state";
    lab.write("r_a", &lab.sh(START).ok().stdout);
    lab.write(
        "r_b",
        &lab.sh(&format!("{RESPOND} --message r_a --length 48"))
            .ok()
            .stdout,
    );
    let s_a = lab
        .sh("sm9 exchange finish --key a.pem --state a.state --message r_b --length 48 --out a.key")
        .ok();
    let confirm = [
        "sm9",
        "exchange",
        "confirm",
        "--state",
        "b.state",
        "--out",
        "b.key",
        "--received",
        s_a.text(),
    ];
    lab.run(confirm).ok();
    assert_eq!(lab.read("a.key").len(), 48);
    assert!(lab.same("a.key", "b.key"));
    assert!(!lab.exists("a.state") && !lab.exists("b.state"));

    // Without confirmation.
    lab.write("r_a", &lab.sh(START).ok().stdout);
    let line = RESPOND.replace(
        "--out-state b.state",
        "--unconfirmed --out b2.key --message r_a",
    );
    lab.write("r_b", &lab.sh(&line).ok().stdout);
    lab.sh(
        "sm9 exchange finish --key a.pem --state a.state --message r_b --unconfirmed --out a2.key",
    )
    .ok();
    assert!(lab.same("a2.key", "b2.key"));

    // A peer of another name than was agreed.
    lab.write("r_a", &lab.sh(START).ok().stdout);
    lab.write(
        "r_b",
        &lab.sh(&format!(
            "{} --message r_a",
            RESPOND.replace("--peer-id a", "--peer-id c")
        ))
        .ok()
        .stdout,
    );
    lab.sh("sm9 exchange finish --key a.pem --state a.state --message r_b --out a3.key")
        .status(1)
        .says(&["same key"]);
    assert!(!lab.exists("a3.key") && !lab.exists("a.state"));
    // A key for encryption, and someone else's.
    for key in ["bob.pem", "b.pem"] {
        lab.sh(&START.replace("a.pem", key))
            .status(2)
            .says(&[key, "--for-exchange"]);
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
    lab.sh("sm9 inspect m").status(2).says(&["no SM9 key"]);
    lab.sh("sm9 inspect nothing")
        .status(2)
        .says(&["cannot read"]);
}
