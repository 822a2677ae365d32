//! Files as people have them: read in whatever form, or named, with what to do.

mod common;

use common::Lab;

/// Files that are no key, by `inspect` and as a key, and what is said of them.
#[test]
fn what_is_no_key_is_named() {
    let lab = Lab::with_keys();
    lab.sh("sm2 keygen --form hex --out key.hex --pubout pub.hex")
        .ok();
    let digits = String::from_utf8(lab.read("key.hex")).unwrap();
    let point = String::from_utf8(lab.read("pub.hex")).unwrap();
    lab.write("odd", format!("0{}\n", digits.trim()));
    lab.write("odd.pub", &point.trim()[1..]);
    let device = |numbers: &[&str]| {
        let mut bytes = vec![];
        for number in numbers {
            bytes.extend([0; 32]);
            bytes.extend(hex::decode(number).unwrap());
        }
        bytes
    };
    let (x, y) = (&point[2..66], &point[66..130]);
    let bits = 256u32.to_le_bytes().to_vec();
    lab.write("sdf.pub", [bits, device(&[x, y])].concat());
    lab.write("sdf.sig", device(&[x, y]));
    lab.write(
        "request",
        "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n",
    );
    lab.openssl("ecparam -name prime256v1 -genkey -noout -out p256.pem")
        .ok();
    lab.openssl("genpkey -algorithm RSA -out rsa.pem").ok();
    lab.sh("sm9 setup --for sign --out sm9.pem").ok();
    for (name, said) in [
        ("odd", "odd number of hexadecimal digits (65)"),
        ("odd.pub", "odd number of hexadecimal digits (129)"),
        ("sdf.pub", "ECCrefPublicKey"),
        ("sdf.sig", "ECCSignature"),
        ("p256.pem", "NIST P-256"),
        ("rsa.pem", "RSA"),
        ("sm9.pem", "`kuaimi sm9`"),
    ] {
        for command in ["sm2 inspect", "sm2 sign m --key", "sm2 encrypt m --key"] {
            let ran = lab.sh(&format!("{command} {name}")).status(2);
            let known = ran.stderr.contains(said);
            assert!(known, "{command} {name}: {}", ran.stderr);
            assert!(!ran.stderr.contains("ASN.1"), "{}", ran.stderr);
        }
    }
    // A request has a public key, but no private one.
    lab.sh("sm2 sign --key request m")
        .status(2)
        .says(&["this is a certificate request"]);
    lab.sh("sm2 encrypt --key request m").status(2);
    lab.sh("sm2 sign --key pub.hex m")
        .status(2)
        .says(&["this is a public key or a certificate: give the private key"]);
}

/// What is made of a text.
type Way = fn(&str) -> Vec<u8>;

/// A key, a signature and a ciphertext, as editors and other programs leave them.
#[test]
fn text_as_it_comes() {
    let lab = Lab::with_keys();
    let ways: [(&str, Way); 5] = [
        ("mark", |text| [b"\xef\xbb\xbf", text.as_bytes()].concat()),
        ("utf16", |text| {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            [0xff, 0xfe].into_iter().chain(units).collect()
        }),
        ("quoted", |text| format!("\"{}\"\n", text.trim()).into()),
        ("escaped", |text| text.trim().replace('\n', "\\n").into()),
        ("lines", |text| text.replace('\n', "\r\n").into()),
    ];
    lab.sh("sm2 sign --key a.pem --encoding hex --out s m").ok();
    lab.sh("sm2 encrypt --key a.pub --encoding base64 --out c m")
        .ok();
    for (name, way) in ways {
        for file in ["a.pem", "a.pub", "s", "c"] {
            let text = String::from_utf8(lab.read(file)).unwrap();
            lab.write(&format!("{file}.{name}"), way(&text));
        }
        lab.sh(&format!("sm2 sign --key a.pem.{name} m")).ok();
        lab.sh(&format!(
            "sm2 verify --key a.pub.{name} --signature s.{name} m"
        ))
        .ok();
        lab.sh(&format!("sm2 inspect s.{name}")).ok();
        lab.sh(&format!("sm2 inspect c.{name}")).ok();
        let plain = lab
            .sh(&format!("sm2 decrypt --key a.pem.{name} c.{name}"))
            .ok();
        assert_eq!(plain.stdout, b"a message\n", "{name}");
    }
}

/// Forms of a ciphertext that people confuse: the failure says which it is.
#[test]
fn a_failed_decryption_says_what_would_decrypt() {
    let lab = Lab::with_keys();
    lab.sh("sm2 encrypt --key a.pub --out c m").ok();
    let c = lab.read("c");
    let decrypt = |options: &str| {
        let ran = lab
            .sh(&format!("sm2 decrypt --key a.pem {options}"))
            .status(1);
        assert!(ran.stdout.is_empty());
        ran
    };
    decrypt("--form c1c2c3 c").says(&["it decrypts in the form c1c3c2", "--form c1c3c2"]);
    lab.write("bare", &c[1..]);
    decrypt("--form c1c3c2 bare").says(&["it decrypts in the form bare-c1c3c2"]);
    decrypt("--form der c").says(&["it decrypts in the form c1c3c2"]);
    // A device's structure: numbers of 64 bytes, C3, the length, C2.
    let (x, y, digest, data) = (&c[1..33], &c[33..65], &c[65..97], &c[97..]);
    let length = (data.len() as u32).to_le_bytes();
    let zeros = [0; 32];
    lab.write(
        "device",
        [&zeros, x, &zeros, y, digest, &length, data].concat(),
    );
    decrypt("device").says(&["it decrypts as an ECCCipher", "04, x, y, C3, C2"]);
    lab.write("twice", hex::encode(hex::encode(&c)));
    decrypt("twice").says(&["it decrypts as hexadecimal of the form c1c3c2", "twice"]);
    // For another key nothing is said.
    let ran = lab.sh("sm2 decrypt --key b.pem --form c1c2c3 c").status(1);
    assert!(!ran.stderr.contains("decrypts"), "{}", ran.stderr);
}

/// What people get wrong in verifying: INVALID and status 1 stay, and a hint says what would fit.
#[test]
fn invalid_says_why() {
    let lab = Lab::with_keys();
    lab.write("m", "a message");
    lab.write("line", "a message\n");
    lab.write("hex", hex::encode("a message"));
    lab.sh("sm2 sign --key a.pem --out s m").ok();
    lab.sh("sm2 sign --key a.pem --id-hex 0aff --out odd m")
        .ok();
    lab.openssl("pkeyutl -sign -inkey a.pem -in m -rawin -digest sm3 -out openssl")
        .ok();
    let raw = lab.sh("sm2 sign --key a.pem --form raw m").ok().stdout;
    lab.write("swapped", [&raw[32..], &raw[..32]].concat());
    lab.write("both.pub", [lab.read("b.pub"), lab.read("a.pub")].concat());
    let id_said = match lab
        .sh("sm2 verify --key a.pub --id= --signature openssl m")
        .status
    {
        // OpenSSL before 4.0.
        0 => "empty identity: --id ''",
        _ => "",
    };
    for (options, said) in [
        (
            "--key a.pub --id alice --signature s m",
            "1234567812345678: --id '1234567812345678'",
        ),
        (
            "--key a.pub --id-hex 61 --signature s m",
            "--id '1234567812345678'",
        ),
        ("--key a.pub --id 0aff --signature odd m", "--id-hex 0aff"),
        ("--key a.pub --signature openssl m", id_said),
        ("--key a.pub --signature s line", "line"),
        ("--key a.pub --signature s hex", "hexadecimal"),
        ("--key a.pub --signature swapped m", "r and s swapped"),
        ("--key both.pub --signature s m", "under another key"),
    ] {
        if said.is_empty() {
            continue;
        }
        let ran = lab.sh(&format!("sm2 verify {options}")).status(1);
        assert_eq!(ran.text(), "INVALID\n", "{options}");
        assert!(ran.stderr.contains("it fits"), "{options}: {}", ran.stderr);
        let ran = ran.says(&["does not fit this file", said]);
        assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
        let quiet = lab.sh(&format!("sm2 verify --quiet {options}")).status(1);
        assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty());
    }
    // A pipe is remembered.
    lab.pipe("sm2 verify --key a.pub --signature s -", b"a message\n")
        .status(1)
        .says(&["it fits"]);
    // So is a key's file.
    let both = lab.read("both.pub");
    lab.pipe("sm2 verify --key - --signature s m", &both)
        .status(1)
        .says(&["it fits", "under another key"]);
    // A digest in place of the message, and of another message nothing is said.
    let e = lab.sh("sm3 m").ok();
    lab.write("e", &e.text()[..64]);
    lab.sh("sm2 verify --key a.pub --digest --signature s e")
        .status(1);
    lab.write("other", "another message");
    let ran = lab
        .sh("sm2 verify --key a.pub --signature s other")
        .status(1);
    assert!(!ran.stderr.contains("it fits"), "{}", ran.stderr);
}
