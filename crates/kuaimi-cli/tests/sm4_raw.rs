//! Bare ciphertexts of other programs: as text, and with GCM's and CCM's tags.

mod common;

use common::{Lab, Ran, noise};

const KEY: &str = "0123456789abcdeffedcba9876543210";
const IV: &str = "fedcba98765432100123456789abcdef";

/// RFC 8998, appendix A.
const NONCE: &str = "00001234567800000000abcd";
const AAD: &str = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
const PLAIN: &str = "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd\
    eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa";
const GCM: &str = "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735\
    d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d";
const GCM_TAG: &str = "83de3541e4c2b58177e065a9bf7b62ec";
const CCM: &str = "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094\
    fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b";
const CCM_TAG: &str = "16842d4fa186f56ab33256971fa110f4";

fn bytes(digits: &str) -> Vec<u8> {
    hex::decode(digits).unwrap()
}

/// To a file and to a pipe: refused with one error, and nothing comes out.
#[track_caller]
fn refused(lab: &Lab, line: &str) -> Ran {
    let to_file = lab.sh(&format!("{line} --out never")).status(1);
    assert!(!lab.exists("never"), "{line}");
    let to_pipe = lab.sh(line).status(1);
    assert!(to_pipe.stdout.is_empty(), "{line}");
    assert_eq!(to_file.stderr, to_pipe.stderr);
    to_pipe
}

#[test]
fn ciphertexts_as_text() {
    let lab = Lab::new();
    for length in [1, 15, 16, 17, 100, 100_000] {
        lab.write("m", noise(length, 3));
        for mode in ["cbc", "ecb", "ctr", "cfb", "ofb", "gcm"] {
            let iv = match mode {
                "ecb" => String::new(),
                _ => format!(" --iv {IV}"),
            };
            let raw = format!("--raw {mode} --key {KEY}{iv}");
            for encoding in ["hex", "base64"] {
                lab.sh(&format!(
                    "sm4 encrypt {raw} --encoding {encoding} --force --out c m"
                ))
                .ok();
                let text = lab.read("c");
                assert!(text.is_ascii());
                // As other programs write it, too.
                let broken: Vec<u8> = text
                    .chunks(60)
                    .flat_map(|line| [line, b"\r\n"].concat())
                    .collect();
                lab.write("lines", broken);
                // Few letters can be anything.
                let say = match text.len() {
                    ..=16 => format!(" --encoding {encoding}"),
                    _ => String::new(),
                };
                for name in ["c", "lines"] {
                    let line = format!("sm4 decrypt {raw}{say} {name}");
                    assert!(
                        lab.sh(&line).ok().stdout == lab.read("m"),
                        "{line} {length}"
                    );
                    lab.sh(&format!("{line} --force --out back")).ok();
                    assert!(lab.same("back", "m"), "{line} {length}");
                }
            }
        }
    }
    // Without padding nothing shows that it is noise.
    lab.write("m", "sixteen letters.");
    let raw = format!("--raw cbc --key {KEY} --iv {IV} --no-padding");
    lab.sh(&format!(
        "sm4 encrypt {raw} --encoding hex --force --out c m"
    ))
    .ok();
    let back = lab.sh(&format!("sm4 decrypt {raw} c")).ok();
    assert_eq!(back.stdout, b"sixteen letters.");
    // Damaged text: nothing comes out before that is seen, where all of it is read first.
    let raw = format!("--raw cbc --key {KEY} --iv {IV}");
    lab.write("m", noise(300_000, 3));
    lab.sh(&format!(
        "sm4 encrypt {raw} --encoding base64 --force --out c m"
    ))
    .ok();
    let text = lab.read("c");
    lab.write("c", [&text[..text.len() - 9], b"!"].concat());
    refused(&lab, &format!("sm4 decrypt {raw} c"))
        .says(&["base64 text is damaged", "--encoding binary"]);
    // Binary that looks like text.
    lab.write("text", "0123456789abcdef".repeat(3));
    let line = format!("--raw ctr --key {KEY} --iv {IV}");
    let once = lab
        .sh(&format!("sm4 decrypt {line} --encoding binary text"))
        .ok();
    let twice = lab.pipe(&format!("sm4 encrypt {line}"), &once.stdout).ok();
    assert_eq!(twice.stdout, lab.read("text"));
}

/// The end of a ciphertext shows that the key is wrong: no noise comes before that.
#[test]
fn no_noise_before_the_padding_is_right() {
    let lab = Lab::new();
    lab.write("m", noise(300_000, 4));
    let other = KEY.replace('0', "1");
    let raw = |key: &str| format!("--raw cbc --key {key} --iv {IV}");
    lab.sh(&format!("sm4 encrypt {} --out c m", raw(KEY))).ok();
    let line = format!("sm4 decrypt {} c", raw(&other));
    // One wrong key in 256 gives a padding by chance; this one does not.
    refused(&lab, &line).says(&["another key or mode"]);
    let back = lab.sh(&format!("sm4 decrypt {} c", raw(KEY))).ok();
    assert!(back.stdout == lab.read("m"));
    let piped = lab
        .pipe(&format!("sm4 decrypt {} -", raw(KEY)), &lab.read("c"))
        .ok();
    assert!(piped.stdout == lab.read("m"));
}

#[test]
fn authenticated_modes() {
    let lab = Lab::new();
    lab.write("aad", bytes(AAD));
    lab.write("m", bytes(PLAIN));
    for (mode, ciphertext, tag) in [("gcm", GCM, GCM_TAG), ("ccm", CCM, CCM_TAG)] {
        let raw = format!("--raw {mode} --key {KEY} --iv {NONCE}");
        lab.write("whole", bytes(&format!("{ciphertext}{tag}")));
        lab.write("apart", bytes(ciphertext));
        lab.write("text", format!("{ciphertext}{tag}\n"));
        let apart = format!("--tag {tag} apart");
        for data in ["--aad-file aad".to_owned(), format!("--aad-hex {AAD}")] {
            for rest in ["whole", "text", &apart] {
                let line = format!("sm4 decrypt {raw} {data} {rest}");
                assert_eq!(lab.sh(&line).ok().stdout, bytes(PLAIN), "{line}");
                lab.sh(&format!("{line} --force --out back")).ok();
                assert!(lab.same("back", "m"), "{line}");
            }
            lab.sh(&format!("sm4 encrypt {raw} {data} --force --out c m"))
                .ok();
            assert!(lab.same("c", "whole"));
        }
        let line = format!("sm4 decrypt {raw} --aad-file aad");
        // Every bit counts, and so do the associated data, the nonce and the length.
        let whole = lab.read("whole");
        for i in (0..whole.len()).step_by(7) {
            let mut altered = whole.clone();
            altered[i] ^= 1;
            lab.write("altered", altered);
            refused(&lab, &format!("{line} --encoding binary altered"))
                .says(&["decryption failed", "tag or associated data"]);
        }
        for length in [0, 1, 15, 16, 17, whole.len() - 1] {
            lab.write("short", &whole[..length]);
            refused(&lab, &format!("{line} --encoding binary short"));
        }
        refused(&lab, &format!("sm4 decrypt {raw} whole"));
        refused(&lab, &format!("sm4 decrypt {raw} --aad text whole"));
        let other = line.replace(NONCE, &NONCE.replace("abcd", "abce"));
        refused(&lab, &format!("{other} whole"));
        refused(
            &lab,
            &format!("{line} --tag {} apart", tag.replace('8', "9")),
        );
        // Tags of other lengths.
        for length in [4, 8, 12, 14] {
            let short = format!("{raw} --aad text --tag-length {length}");
            lab.sh(&format!("sm4 encrypt {short} --force --out c m"))
                .ok();
            assert_eq!(lab.read("c").len(), 64 + length);
            let back = lab.sh(&format!("sm4 decrypt {short} c")).ok();
            assert_eq!(back.stdout, bytes(PLAIN));
            refused(&lab, &format!("sm4 decrypt {raw} --aad text c"));
        }
        for (options, said) in [
            (format!("--raw {mode} --key {KEY} m"), "--iv"),
            (format!("--raw {mode} --iv {NONCE} m"), "--key"),
            (format!("{raw} --tag-length 5 m"), "--tag-length"),
            (format!("{raw} --tag 00 m"), "--tag"),
            (format!("{raw} --tag xyz m"), "--tag"),
            (format!("{raw} --no-padding m"), "--no-padding"),
            (format!("{raw} --aad x --aad-hex 00 m"), "--aad"),
            (format!("{raw} --aad-file - -"), "standard input"),
            (
                format!("--raw ctr --key {KEY} --iv {IV} --aad x m"),
                "--aad",
            ),
            (
                format!("--raw cbc --key {KEY} --iv {IV} --tag 00 m"),
                "--tag",
            ),
        ] {
            lab.sh(&format!("sm4 decrypt {options}"))
                .status(2)
                .says(&[said]);
        }
    }
    lab.sh(&format!(
        "sm4 encrypt --raw gcm --key {KEY} --iv {NONCE} --tag {GCM_TAG} m"
    ))
    .status(2)
    .says(&["--tag"]);
    lab.sh(&format!("sm4 encrypt --raw ccm --key {KEY} --iv {IV} m"))
        .status(2)
        .says(&["14 to 26"]);
    // Longer than a piece, by every way, and the last byte altered.
    lab.write("m", noise(700_001, 8));
    let raw = format!("--raw gcm --key {KEY} --iv {NONCE}");
    lab.sh(&format!("sm4 encrypt {raw} --force --out c m")).ok();
    assert!(lab.sh(&format!("sm4 decrypt {raw} c")).ok().stdout == lab.read("m"));
    let mut altered = lab.read("c");
    *altered.last_mut().unwrap() ^= 1;
    lab.write("c", altered);
    refused(&lab, &format!("sm4 decrypt {raw} c"));
    lab.assert_clean();
}
