//! Encryption and encapsulation.

use super::*;

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
        .says(&["not an SM9 ciphertext"]);
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

/// Files larger than any buffer, to files, through pipes and as text; and that a bit at their end
/// is seen before a byte is written.
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
