//! Any form into any other.

mod common;

use common::Lab;

#[test]
fn ciphertexts() {
    let lab = Lab::with_keys();
    let forms = ["c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der"];
    for from in forms {
        lab.sh(&format!(
            "sm2 encrypt --key a.pub --form {from} --force --out c m"
        ))
        .ok();
        for to in forms {
            lab.sh(&format!(
                "sm2 convert --from {from} --to {to} --force --out d c"
            ))
            .ok()
            .says(&[&format!("ciphertext, {from}, binary")]);
            let plain = lab
                .sh(&format!("sm2 decrypt --form {to} --key a.pem d"))
                .ok();
            assert_eq!(plain.stdout, b"a message\n", "{from} to {to}");
            // And back again, bit by bit.
            lab.sh(&format!(
                "sm2 convert --from {to} --to {from} --force --out e d"
            ))
            .ok();
            assert!(lab.same("c", "e"), "{from} to {to}");
        }
    }
}

/// The order of C2 and C3 is not to be seen.
#[test]
fn an_order_that_cannot_be_seen() {
    let lab = Lab::with_keys();
    for (form, question) in [
        ("c1c2c3", "c1c3c2 or c1c2c3"),
        ("bare-c1c2c3", "bare-c1c3c2 or bare-c1c2c3"),
    ] {
        lab.sh(&format!(
            "sm2 encrypt --key a.pub --form {form} --force --out c m"
        ))
        .ok();
        lab.sh("sm2 convert --to der c")
            .status(2)
            .says(&[question, "--from", "--key"]);
        lab.sh("sm2 convert --to der --key b.pem c")
            .status(1)
            .says(&["c: ", "b.pem"]);
        let seen = lab
            .sh("sm2 convert --to der --key a.pem c")
            .ok()
            .says(&[form]);
        lab.write("d", &seen.stdout);
        assert_eq!(
            lab.openssl("pkeyutl -decrypt -inkey a.pem -in d")
                .ok()
                .stdout,
            b"a message\n"
        );
    }
}

#[test]
fn signatures() {
    let lab = Lab::with_keys();
    lab.sh("sm2 sign --key a.pem --out der m").ok();
    lab.sh("sm2 convert --to raw --out raw der")
        .ok()
        .says(&["signature, der, binary"]);
    assert_eq!(lab.read("raw").len(), 64);
    lab.sh("sm2 convert --to der --out back raw")
        .ok()
        .says(&["signature, raw, binary"]);
    assert!(lab.same("der", "back"));
    // Text stays text, in the encoding it was in.
    lab.sh("sm2 convert --to hex --out hex der").ok();
    let raw_hex = lab.sh("sm2 convert --to raw hex").ok();
    assert_eq!(raw_hex.text().trim(), hex::encode(lab.read("raw")));
    let base64 = lab.sh("sm2 convert --to der --encoding base64 raw").ok();
    assert_eq!(
        lab.pipe("sm2 convert --to binary", &base64.stdout)
            .ok()
            .stdout,
        lab.read("der")
    );
    lab.sh("sm2 convert --from raw --to der der")
        .status(2)
        .says(&["raw", "--from"]);
    lab.sh("sm2 convert --from der --to raw der").ok();
    lab.sh("sm2 convert --kind ciphertext --to der der")
        .status(2)
        .says(&["as a ciphertext"]);
    lab.sh("sm2 convert --kind ciphertext --from raw --to der der")
        .status(2);
    lab.sh("sm2 convert --to spki der")
        .status(2)
        .says(&["signature", "raw"]);
    lab.sh("sm2 convert --to raw --encoding pem der")
        .status(2)
        .says(&["PEM"]);
}

#[test]
fn private_keys() {
    let lab = Lab::with_keys();
    let number = lab
        .sh("sm2 convert --to hex a.pem")
        .ok()
        .says(&["private key, PKCS#8, PEM"]);
    lab.write("number", &number.stdout);
    for (form, encoding) in [
        ("pkcs8", "pem"),
        ("pkcs8", "der"),
        ("pkcs8", "hex"),
        ("pkcs8", "base64"),
        ("sec1", "pem"),
        ("sec1", "binary"),
        ("raw", "binary"),
        ("hex", "hex"),
    ] {
        lab.sh(&format!(
            "sm2 convert --to {form} --encoding {encoding} --force --out k number"
        ))
        .ok();
        let back = lab.sh("sm2 convert --to hex k").ok();
        assert_eq!(back.stdout, number.stdout, "{form} {encoding}");
        let from = if form == "hex" { "raw" } else { form };
        lab.sh(&format!("sm2 convert --from {from} --to hex k"))
            .ok();
        lab.sh("sm2 convert --from spki --to hex k")
            .status(2)
            .says(&["spki"]);
    }
    lab.sh("sm2 convert --to der --out k.der a.pem").ok();
    lab.openssl("pkey -inform DER -in k.der -noout -check").ok();
    let pem = lab.sh("sm2 convert --to pem k.der").ok();
    assert_eq!(pem.stdout, lab.read("a.pem"));
    let public = lab
        .sh("sm2 convert --to spki a.pem")
        .ok()
        .says(&["only its public key"]);
    assert_eq!(public.stdout, lab.read("a.pub"));
    lab.sh("sm2 convert --to c1c3c2 a.pem")
        .status(2)
        .says(&["private key"]);
    // An encrypted key does not lose its password by the way.
    lab.write("secret", "secret\n");
    let locked = "sm2 convert --to encrypted-pkcs8 --new-password-file secret --out locked a.pem";
    lab.sh(locked).ok();
    let der = "sm2 convert --to der --password-file secret --new-password-file secret --out locked.der locked";
    lab.sh(der).ok();
    lab.openssl("pkey -inform DER -in locked.der -passin pass:secret -noout -check")
        .ok();
    lab.openssl("pkey -inform DER -in locked.der -passin pass:other -noout")
        .status(1);
}

#[test]
fn public_keys() {
    let lab = Lab::with_keys();
    for (form, length) in [
        ("hex", 131),
        ("uncompressed", 131),
        ("compressed", 67),
        ("bare", 129),
    ] {
        let point = lab.sh(&format!("sm2 convert --to {form} a.pub")).ok();
        assert_eq!(point.stdout.len(), length, "{form}");
        assert_eq!(
            lab.pipe("sm2 convert --to spki", &point.stdout).ok().stdout,
            lab.read("a.pub")
        );
        let binary = lab
            .sh(&format!("sm2 convert --to {form} --encoding binary a.pub"))
            .ok();
        if form != "hex" {
            assert_eq!(hex::encode(&binary.stdout), point.text().trim());
        }
    }
    lab.sh("sm2 convert --to pkcs8 a.pub")
        .status(2)
        .says(&["public key", "spki"]);
}

/// A key pair sent to someone: GB/T 35276.
#[test]
fn enveloped_keys() {
    let lab = Lab::with_keys();
    lab.sh("sm2 convert --to enveloped a.pem")
        .status(2)
        .says(&["--recipient"]);
    lab.sh("sm2 convert --to enveloped --recipient b.pub --out env a.pem")
        .ok();
    lab.sh("sm2 convert --to pkcs8 env")
        .status(2)
        .says(&["--key"]);
    lab.sh("sm2 convert --to pkcs8 --key a.pem env")
        .status(1)
        .says(&["a.pem"]);
    let opened = lab.sh("sm2 convert --to pkcs8 --key b.pem env").ok();
    assert_eq!(opened.stdout, lab.read("a.pem"));
    assert!(lab.sh("sm2 inspect env").ok().text().contains("enveloped"));
    lab.sh("sm2 sign --key env m")
        .status(2)
        .says(&["enveloped"]);
}

#[test]
fn what_is_nothing_of_the_kind() {
    let lab = Lab::with_keys();
    lab.write("empty", "");
    for name in ["m", "empty"] {
        lab.sh(&format!("sm2 convert --to der {name}"))
            .status(2)
            .says(&[name]);
        lab.sh(&format!("sm2 inspect {name}"))
            .status(2)
            .says(&[name]);
    }
    let pem = lab.read("a.pem");
    lab.write("cut.pem", &pem[..100]);
    lab.sh("sm2 inspect cut.pem").status(2).says(&["cut short"]);
    lab.sh("sm2 convert --to der --from nonsense m").status(2);
    lab.write("huge", vec![7; (16 << 20) + 1]);
    lab.sh("sm2 convert --to der huge")
        .status(2)
        .says(&["not an SM2 ciphertext"]);
    lab.sh("sm2 convert --kind key --to der huge")
        .status(2)
        .says(&["too long"]);
}

#[test]
fn inspect_shows_what_is_there() {
    let lab = Lab::with_keys();
    let json = |line: &str| -> serde_json::Value {
        serde_json::from_slice(&lab.sh(line).ok().stdout).expect("JSON")
    };
    let d = lab
        .sh("sm2 convert --to hex a.pem")
        .ok()
        .text()
        .trim()
        .to_owned();
    let point = lab
        .sh("sm2 convert --to bare a.pem")
        .ok()
        .text()
        .trim()
        .to_owned();

    let text = lab.sh("sm2 inspect a.pem").ok();
    assert!(!text.text().contains(&d), "a private key is shown unasked");
    let hidden = json("sm2 inspect --json a.pem");
    assert!(!hidden.to_string().contains(&d));
    assert_eq!(hidden["kind"], "private key");
    assert_eq!(
        format!(
            "{}{}",
            hidden["x"].as_str().unwrap(),
            hidden["y"].as_str().unwrap()
        ),
        point
    );
    assert_eq!(
        json("sm2 inspect --json --show-secret a.pem")["private_key"],
        d
    );
    assert!(
        lab.sh("sm2 inspect --show-secret a.pem")
            .ok()
            .text()
            .contains(&d)
    );
    assert_eq!(json("sm2 inspect --json a.pub")["kind"], "public key");

    lab.sh("sm2 sign --key a.pem --form raw --out sig m").ok();
    let shown = json("sm2 inspect --json sig");
    assert_eq!(shown["kind"], "signature");
    assert_eq!(shown["r"], hex::encode(&lab.read("sig")[..32]));
    assert_eq!(shown["s"], hex::encode(&lab.read("sig")[32..]));

    lab.sh("sm2 encrypt --key a.pub --out c m").ok();
    let shown = json("sm2 inspect --json c");
    let c = lab.read("c");
    assert_eq!(shown["kind"], "ciphertext");
    assert_eq!(shown["message_bytes"], 10);
    assert_eq!(shown["c1_x"], hex::encode(&c[1..33]));
    assert_eq!(shown["c3_if_c1c3c2"], hex::encode(&c[65..97]));
    assert_eq!(shown["c3_if_c1c2c3"], hex::encode(&c[75..]));

    let curve = json("sm2 inspect --curve --json");
    let theirs = lab
        .openssl("ecparam -name SM2 -param_enc explicit -text -noout")
        .ok();
    let theirs: String = theirs
        .text()
        .split(|c: char| c == ':' || c.is_whitespace())
        .collect();
    for number in ["p", "a", "b", "n", "gx", "gy"] {
        assert!(theirs.contains(curve[number].as_str().unwrap()), "{number}");
    }
    assert!(
        lab.sh("sm2 inspect --curve")
            .ok()
            .text()
            .contains("BC3736A2F4F6779C")
    );
    lab.sh("sm2 inspect").status(2);
}
