//! Signing and verifying, with the openssl program on the other side.

mod common;

use common::{Lab, noise};

const DEFAULT_ID: &str = "1234567812345678";

#[test]
fn a_file_and_its_signature() {
    let lab = Lab::with_keys();
    lab.sh("sm2 sign --key a.pem --out sig m").ok();
    assert_eq!(
        lab.sh("sm2 verify --key a.pub --signature sig m")
            .ok()
            .text(),
        "OK\n"
    );
    assert_eq!(
        lab.pipe("sm2 verify --key a.pub --signature sig", b"a message\n")
            .ok()
            .text(),
        "OK\n"
    );
    let no = lab
        .sh("sm2 verify --key b.pub --signature sig m")
        .status(1)
        .says(&["sig", "key"]);
    assert_eq!(no.text(), "INVALID\n");
    let no = lab
        .pipe("sm2 verify --key a.pub --signature sig", b"a massage\n")
        .status(1);
    assert_eq!(no.text(), "INVALID\n");
    let quiet = lab
        .sh("sm2 verify -q --key b.pub --signature sig m")
        .status(1);
    assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty());
    // Who signs and who reads is not asked of the file: to standard output it goes as binary.
    let direct = lab.sh("sm2 sign --key a.pem m").ok().stdout;
    assert_eq!(direct.first(), Some(&0x30));
    lab.write("direct", direct);
    lab.sh("sm2 verify --key a.pub --signature direct m").ok();
    // Hedged nonces: no two signatures alike.
    assert!(!lab.same("sig", "direct"));
}

#[test]
fn with_openssl_both_ways() {
    let lab = Lab::with_keys();
    for (id, ours) in [
        (DEFAULT_ID, ""),
        ("alice@example.com", "--id alice@example.com"),
        ("\u{1}\u{2}", "--id-hex 0102"),
    ] {
        lab.sh(&format!("sm2 sign --key a.pem {ours} --force --out ours m"))
            .ok();
        lab.openssl(&format!(
            "pkeyutl -verify -pubin -inkey a.pub -in m -rawin -digest sm3 -pkeyopt distid:{id} -sigfile ours"
        ))
        .ok();
        lab.openssl(&format!(
            "pkeyutl -sign -inkey a.pem -in m -rawin -digest sm3 -pkeyopt distid:{id} -out theirs"
        ))
        .ok();
        lab.sh(&format!(
            "sm2 verify --key a.pub {ours} --signature theirs m"
        ))
        .ok();
        lab.sh("sm2 verify --key a.pub --id mallory --signature theirs m")
            .status(1);
    }
    // What the help says of OpenSSL's default.
    lab.openssl("pkeyutl -sign -inkey a.pem -in m -rawin -digest sm3 -out theirs")
        .ok();
    let version = lab.openssl("version").ok();
    let ids = match version.text().split_whitespace().nth(1) {
        Some(version) if version.starts_with("3.") => [["--id", ""], ["--id-hex", ""]],
        _ => [["--id", "1234567812345678"]; 2],
    };
    for id in ids {
        let line = "sm2 verify --key a.pub --signature theirs m";
        lab.run(line.split(' ').chain(id)).ok();
    }
}

#[test]
fn a_certificate_serves_as_key() {
    let lab = Lab::with_keys();
    lab.sh("sm2 sign --key a.pem --out sig m").ok();
    lab.openssl("req -x509 -new -key a.pem -sm3 -subj /CN=alice -days 2 -out a.crt")
        .ok();
    let seen = lab
        .sh("sm2 verify -v --key a.crt --signature sig m")
        .ok()
        .says(&["certificate"]);
    assert_eq!(seen.text(), "OK\n");
    let shown = lab.sh("sm2 inspect a.crt").ok();
    assert!(shown.text().contains("certificate"));
    lab.sh("sm2 verify --key a.pem --signature sig m").ok();
}

#[test]
fn every_form_is_found_by_looking() {
    let lab = Lab::with_keys();
    for form in ["der", "raw"] {
        for encoding in ["binary", "hex", "base64"] {
            let name = format!("{form}.{encoding}");
            lab.sh(&format!(
                "sm2 sign --key a.pem --form {form} --encoding {encoding} --out {name} m"
            ))
            .ok();
            lab.sh(&format!("sm2 verify -v --key a.pub --signature {name} m"))
                .ok()
                .says(&[&format!("signature, {form}, {encoding}")]);
            let other = if form == "der" { "raw" } else { "der" };
            lab.sh(&format!(
                "sm2 verify --form {other} --key a.pub --signature {name} m"
            ))
            .status(1);
            lab.sh(&format!(
                "sm2 verify --form {form} --key a.pub --signature {name} m"
            ))
            .ok();
        }
    }
    assert_eq!(lab.read("raw.binary").len(), 64);
    assert_eq!(lab.read("raw.hex").len(), 129);
}

#[test]
fn deterministic_and_digests() {
    let lab = Lab::with_keys();
    let one = lab
        .sh("sm2 sign --deterministic --key a.pem --encoding hex m")
        .ok();
    let two = lab
        .sh("sm2 sign --deterministic --key a.pem --encoding hex m")
        .ok();
    assert_eq!(one.stdout, two.stdout);
    lab.write("sig", &one.stdout);
    lab.sh("sm2 verify --key a.pub --signature sig m").ok();

    // e = SM3(Z || M), of Z as inspect prints it.
    let shown: serde_json::Value =
        serde_json::from_slice(&lab.sh("sm2 inspect --json a.pub").ok().stdout).unwrap();
    let mut input = hex::decode(shown["z_default_id"].as_str().unwrap()).unwrap();
    input.extend_from_slice(&lab.read("m"));
    let e = lab.pipe("sm3", &input).ok().text()[..64].to_owned();
    lab.write("e", &e);
    lab.write("e.bin", hex::decode(&e).unwrap());
    lab.sh("sm2 verify --key a.pub --signature sig --digest e")
        .ok();
    lab.sh("sm2 verify --key a.pub --signature sig --digest e.bin")
        .ok();
    lab.sh("sm2 sign --key a.pem --digest --out esig e.bin")
        .ok();
    lab.sh("sm2 verify --key a.pub --signature esig m").ok();
    lab.sh("sm2 sign --key a.pem --digest m")
        .status(2)
        .says(&["32 bytes"]);
    lab.sh("sm2 sign --key a.pem --digest --id x e").status(2);
}

#[test]
fn a_flipped_bit_is_seen() {
    let lab = Lab::with_keys();
    for form in ["der", "raw"] {
        lab.sh(&format!(
            "sm2 sign --key a.pem --form {form} --force --out sig m"
        ))
        .ok();
        let sig = lab.read("sig");
        for i in 0..sig.len() {
            let mut altered = sig.clone();
            altered[i] ^= 1 << (i % 8);
            lab.write("altered", &altered);
            let no = lab
                .sh("sm2 verify --key a.pub --signature altered m")
                .status(1);
            assert_eq!(no.text(), "INVALID\n");
            assert!(!no.stderr.is_empty());
        }
    }
}

#[test]
fn signatures_that_are_none() {
    let lab = Lab::with_keys();
    lab.write("empty", "");
    lab.write("zero", [0; 64]);
    lab.write("ones", [0xff; 64]);
    for name in ["empty", "zero", "ones", "m", "a.pub"] {
        lab.sh(&format!("sm2 verify --key a.pub --signature {name} m"))
            .status(1)
            .says(&[name]);
    }
    lab.sh("sm2 verify --key a.pub --signature nowhere m")
        .status(2)
        .says(&["nowhere"]);
    lab.sh("sm2 sign --key a.pem --out sig m").ok();
    lab.sh("sm2 verify --key a.pub --signature sig nowhere")
        .status(2)
        .says(&["nowhere"]);
    lab.sh("sm2 verify --key a.pub --signature - -")
        .status(2)
        .says(&["--signature", "FILE"]);
    lab.sh("sm2 sign --key a.pem --id-hex 0x1 m")
        .status(2)
        .says(&["--id-hex"]);
    let long = "x".repeat(8192);
    lab.run(["sm2", "sign", "--key", "a.pem", "--id", &long, "m"])
        .status(2)
        .says(&["8191"]);
    lab.run(["sm2", "sign", "--key", "a.pem", "--id", &long[1..], "m"])
        .ok();
}

/// What some vendors emit is accepted on request only.
#[test]
fn lenient() {
    let lab = Lab::with_keys();
    // A signature whose r has its top bit set, so that it needs a zero byte in DER, and whose s
    // does not begin with zeros.
    let raw = (0..64)
        .map(|_| lab.sh("sm2 sign --key a.pem --form raw m").ok().stdout)
        .find(|raw| raw[0] >= 0x80 && raw[32] != 0)
        .expect("one of 64 has a high bit");
    let integer = |value: &[u8], padding: usize| {
        let mut out = vec![2, (value.len() + padding) as u8];
        out.extend(std::iter::repeat_n(0, padding));
        out.extend_from_slice(value);
        out
    };
    let sequence = |parts: &[Vec<u8>]| {
        let body = parts.concat();
        let mut out = vec![0x30, body.len() as u8];
        out.extend(body);
        out
    };
    let s_padding = usize::from(raw[32] >= 0x80);
    let negative = sequence(&[integer(&raw[..32], 0), integer(&raw[32..], s_padding)]);
    let padded = sequence(&[integer(&raw[..32], 3), integer(&raw[32..], 4)]);
    let mut trailing = sequence(&[integer(&raw[..32], 1), integer(&raw[32..], s_padding)]);
    lab.write("strict", &trailing);
    lab.sh("sm2 verify --key a.pub --signature strict m").ok();
    trailing.extend_from_slice(b"\0\0\0");
    for (name, content) in [
        ("negative", negative),
        ("padded", padded),
        ("trailing", trailing),
    ] {
        lab.write(name, content);
        lab.sh(&format!("sm2 verify --key a.pub --signature {name} m"))
            .status(1)
            .says(&["lenient"]);
        lab.sh(&format!(
            "sm2 verify -v --lenient --key a.pub --signature {name} m"
        ))
        .ok()
        .says(&["not strict"]);
        lab.sh(&format!(
            "sm2 verify --lenient --key b.pub --signature {name} m"
        ))
        .status(1);
        lab.sh(&format!("sm2 convert --to der {name}"))
            .status(2)
            .says(&["--lenient"]);
        let strict = lab
            .sh(&format!("sm2 convert --lenient --to der {name}"))
            .ok();
        assert_eq!(strict.stdout, lab.read("strict"), "{name}");
    }
}

/// A vendor that signs SM3(M) in place of M.
#[test]
fn a_doubled_hash() {
    let lab = Lab::with_keys();
    let digest = lab.sh("sm3 m").ok().text()[..64].to_owned();
    lab.write("inner", hex::decode(digest).unwrap());
    lab.sh("sm2 sign --key a.pem --out twice inner").ok();
    lab.sh("sm2 verify --key a.pub --signature twice m")
        .status(1);
    let seen = lab
        .sh("sm2 verify --lenient --key a.pub --signature twice m")
        .ok()
        .says(&["twice"]);
    assert_eq!(seen.text(), "OK\n");
    lab.sh("sm2 verify --lenient --key b.pub --signature twice m")
        .status(1);
    // An ordinary one is not said to be so.
    lab.sh("sm2 sign --key a.pem --out once m").ok();
    let seen = lab
        .sh("sm2 verify --lenient --key a.pub --signature once m")
        .ok();
    assert!(seen.stderr.is_empty());
}

#[test]
fn a_file_of_many_pieces() {
    let lab = Lab::with_keys();
    let big = noise(5_000_001, 1);
    lab.write("big", &big);
    lab.sh("sm2 sign --key a.pem --out sig big").ok();
    lab.openssl(&format!(
        "pkeyutl -verify -pubin -inkey a.pub -in big -rawin -digest sm3 -pkeyopt distid:{DEFAULT_ID} -sigfile sig"
    ))
    .ok();
    lab.pipe("sm2 verify --key a.pub --signature sig -", &big)
        .ok();
    lab.pipe("sm2 verify --key a.pub --signature sig -", &big[1..])
        .status(1);
}
