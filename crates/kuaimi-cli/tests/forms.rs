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
        ("request", "certificate request"),
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
