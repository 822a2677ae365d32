//! The bare modes, beside OpenSSL and the library.

use super::*;

/// Lengths around blocks and buffers.
const LENGTHS: [usize; 11] = [
    0, 1, 15, 16, 17, 4096, 262_143, 262_144, 262_145, 262_160, 600_007,
];

#[test]
fn raw_modes_with_openssl() {
    let lab = lab();
    for length in LENGTHS {
        lab.write("plain", noise(length, 3));
        for (mode, iv) in [
            ("cbc", format!(" --iv {IV}")),
            ("ctr", format!(" --iv {IV}")),
            ("cfb", format!(" --iv {IV}")),
            ("ofb", format!(" --iv {IV}")),
            ("ecb", String::new()),
        ] {
            for padding in [true, false] {
                let padded = matches!(mode, "cbc" | "ecb");
                if !padding && (!padded || length % 16 != 0) {
                    continue;
                }
                let (ours, theirs) = match padding {
                    true => ("", ""),
                    false => (" --no-padding", " -nopad"),
                };
                let ours = |direction: &str, from: &str, to: &str| {
                    lab.sh(&format!(
                        "sm4 {direction} --raw {mode} --key {KEY}{iv}{ours} --force --out {to} {from}"
                    ))
                    .ok();
                };
                let theirs = |option: &str, from: &str, to: &str| {
                    let iv = iv.replace("--iv", "-iv");
                    lab.openssl(&format!(
                        "enc {option} -sm4-{mode} -K {KEY}{iv}{theirs} -in {from} -out {to}"
                    ))
                    .ok();
                };
                ours("encrypt", "plain", "c");
                theirs("-e", "plain", "c2");
                assert!(lab.same("c", "c2"), "{mode} {length}");
                ours("decrypt", "c2", "back");
                assert!(lab.same("back", "plain"), "{mode} {length}");
                theirs("-d", "c", "back2");
                assert!(lab.same("back2", "plain"), "{mode} {length}");
            }
        }
    }
}

/// Each sector is a data unit of its own, and their numbers count up over the whole 128 bits.
#[test]
fn raw_xts() {
    let lab = lab();
    let key: Vec<u8> = (0..32).collect();
    lab.write("x", hex::encode(&key));
    let digits = hex::encode(&key);
    for (options, standard, size) in [
        ("", XtsStandard::Gb, 4096),
        (" --sector-size 512", XtsStandard::Gb, 512),
        (
            " --xts-standard ieee --sector-size 16",
            XtsStandard::Ieee,
            16,
        ),
        (
            " --xts-standard gb --sector-size 1000000",
            XtsStandard::Gb,
            1_000_000,
        ),
    ] {
        for (iv, first) in [
            ("00000000000000000000000000000000", 0),
            ("feffffffffffffffffffffffffffffff", u128::MAX - 1),
            ("00010000000000000000000000000000", 256),
        ] {
            for length in [0, 16, 4096, 262_144, 300_032] {
                let plain = noise(length, 8);
                let cipher = Sm4Xts::from_slice(&key, standard).unwrap();
                let mut expected = plain.clone();
                let mut number: u128 = first;
                for sector in expected.chunks_mut(size) {
                    cipher.encrypt(&number.to_le_bytes(), sector).unwrap();
                    number = number.wrapping_add(1);
                }
                lab.write("plain", &plain);
                lab.sh(&format!(
                    "sm4 encrypt --raw xts --key {digits} --iv {iv}{options} --force --out c plain"
                ))
                .ok();
                assert!(lab.read("c") == expected, "{options} {iv} {length}");
                let back = lab
                    .sh(&format!(
                        "sm4 decrypt --raw xts --key-file x --iv {iv}{options} c"
                    ))
                    .ok();
                assert!(back.stdout == plain, "{options} {iv} {length}");
            }
        }
    }
    // Ciphertext stealing in a last sector of 16 bytes or more; fewer are refused.
    lab.write("plain", noise(4096 + 17, 1));
    let line = format!("sm4 encrypt --raw xts --key {digits} --iv {IV} --force --out c");
    lab.sh(&format!("{line} plain")).ok();
    assert_eq!(lab.read("c").len(), 4096 + 17);
    lab.write("plain", noise(4096 + 15, 1));
    lab.sh(&line.replace("--out c", "--out never plain"))
        .status(2)
        .says(&["16 bytes", "--sector-size"]);
    let halves = line.replace(&digits, &KEY.repeat(2));
    lab.sh(&format!("{halves}3 plain"))
        .status(2)
        .says(&["halves"]);
    assert!(!lab.exists("never") && !lab.exists("c3"));
}

#[test]
fn raw_modes_refuse() {
    let lab = lab();
    let cbc = format!("--raw cbc --key {KEY} --iv {IV}");
    lab.sh(&format!("sm4 encrypt {cbc} --out c m")).ok();
    // Another key, half a block, nothing: one error, and no file.
    let other = cbc.replace(KEY, &KEY.replace('0', "1"));
    let mut whole = lab.read("c");
    lab.write("part", &whole[..15]);
    lab.write("none", "");
    whole.extend([0; 1]);
    lab.write("more", &whole);
    let mut errors = Vec::new();
    for (options, name) in [
        (&other, "c"),
        (&cbc, "part"),
        (&cbc, "none"),
        (&cbc, "more"),
    ] {
        let no = lab
            .sh(&format!("sm4 decrypt {options} --out never {name}"))
            .status(1);
        errors.push(no.stderr.replace(&format!("{name}: "), "FILE: "));
        assert!(!lab.exists("never"));
    }
    errors.dedup();
    assert_eq!(errors.len(), 1, "{errors:?}");
    // A length without padding, in both directions.
    for command in ["encrypt", "decrypt"] {
        lab.sh(&format!("sm4 {command} {cbc} --no-padding --out never m"))
            .status(2)
            .says(&["multiple of 16"]);
    }
    for (wrong, word) in [
        ("--raw cbc --key 00 --iv 00", "32 hexadecimal digits"),
        (&format!("--raw cbc --key {KEY}"), "--iv"),
        (&format!("--raw ctr --key {KEY}"), "--iv"),
        (&format!("--raw xts --key {KEY} --iv {IV}"), "64"),
        (&format!("--raw cbc --iv {IV}"), "--key"),
        (&format!("--raw ecb --key {KEY} --iv {IV}"), "--iv"),
        (&format!("--raw cfb --key {KEY}"), "--iv"),
        (&format!("--raw ofb --key {KEY}"), "--iv"),
        (
            &format!("--raw ctr --key {KEY} --iv {IV} --no-padding"),
            "--no-padding",
        ),
        (
            &format!("--raw cfb --key {KEY} --iv {IV} --no-padding"),
            "--no-padding",
        ),
        (&format!("{cbc} --sector-size 512"), "--sector-size"),
        (&format!("{cbc} --xts-standard gb"), "--xts-standard"),
        (&format!("{cbc} --key-file k"), "--key"),
        (&format!("{cbc} --password-file pw"), "--password-file"),
        (&format!("{cbc} --log-n 14"), "--log-n"),
        (&format!("--key {KEY} --iv {IV}"), "--raw"),
        ("--raw gcm --key 00", "32 hexadecimal digits"),
        (&format!("--raw gcm --key {KEY}"), "--iv"),
        (
            &format!("--raw xts --key {KEY}{IV} --iv {IV} --sector-size 15"),
            "--sector-size",
        ),
    ] {
        let ran = lab
            .sh(&format!("sm4 encrypt {wrong} --out never m"))
            .status(2)
            .says(&[word]);
        assert!(!lab.exists("never"), "{wrong}");
        // What may be a key is not repeated.
        assert!(!ran.stderr.contains(KEY), "{wrong}: {ran:?}");
    }
    let help = lab.sh("sm4 encrypt --help").ok();
    assert!(help.text().contains("NOT AUTHENTICATED"));
}
