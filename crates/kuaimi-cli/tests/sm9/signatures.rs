//! Signatures.

use super::*;

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
