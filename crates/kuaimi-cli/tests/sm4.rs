//! Files under keys and passwords, and bare modes with the openssl program on the other side.

mod common;

use common::{Lab, Ran, noise};
use kuaimi::encoding::KeyDerivation;
use kuaimi::sm3::hmac_sm3;
use kuaimi::sm4::{Sm4Gcm, Sm4Xts, XtsStandard};

const HEADER: usize = 80;
const CHUNK: usize = 64 << 10;
const SEALED: usize = CHUNK + 16;
const KEY: &str = "000102030405060708090a0b0c0d0e0f";
const IV: &str = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";

/// With key files `k` and `other`, passwords `pw` and `pw2`, and a file `m`.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("k", KEY);
    lab.write("other", [7; 16]);
    lab.write("pw", "correct horse\n");
    lab.write("pw2", "correct hors\n");
    lab.write("m", b"a message\n");
    lab
}

/// Decryption is refused with the one error, and leaves nothing.
#[track_caller]
fn refused(lab: &Lab, name: &str) -> Ran {
    let to_file = lab
        .sh(&format!("sm4 decrypt --key-file k --out never {name}"))
        .status(1);
    assert!(!lab.exists("never"), "{name}");
    let to_pipe = lab
        .sh(&format!("sm4 decrypt --key-file k {name}"))
        .status(1);
    assert!(to_pipe.stdout.is_empty(), "{name}");
    assert_eq!(to_file.stderr, to_pipe.stderr);
    to_file
}

/// The file that docs/sm4-file.md describes, made from its parts.
fn craft(kind_and_parameters: [u8; 7], salt: [u8; 32], master: &[u8], plain: &[u8]) -> Vec<u8> {
    let mut file = b"\x89KMSM4\r\n\x02".to_vec();
    file.extend(kind_and_parameters);
    file.extend(salt);
    let tag = hmac_sm3(master, &[b"Kuaimi SM4 file 2: header", &file[..]].concat());
    let derived = hmac_sm3(master, &[b"Kuaimi SM4 file 2: chunks", &file[..]].concat());
    file.extend(tag);
    let header = file.clone();
    let cipher = Sm4Gcm::from_slice(&derived[..16]).unwrap();
    let count = plain.len().div_ceil(CHUNK).max(1);
    for number in 0..count {
        let mut nonce = derived[16..23].to_vec();
        nonce.extend((number as u32).to_be_bytes());
        nonce.push(u8::from(number + 1 == count));
        let end = plain.len().min((number + 1) * CHUNK);
        let piece = &plain[number * CHUNK..end];
        file.extend(cipher.seal(&nonce, &header, piece).unwrap());
    }
    file
}

#[test]
fn every_length_and_way() {
    let lab = lab();
    for length in [
        0,
        1,
        CHUNK - 1,
        CHUNK,
        CHUNK + 1,
        2 * CHUNK,
        2 * CHUNK + 1,
        1_000_003,
    ] {
        let message = noise(length, 5);
        lab.write("plain", &message);
        lab.sh("sm4 encrypt --key-file k --force --out c plain")
            .ok();
        let chunks = length.div_ceil(CHUNK).max(1);
        assert_eq!(lab.read("c").len(), HEADER + length + 16 * chunks);
        lab.sh("sm4 decrypt --key-file k --force --out back c").ok();
        assert!(lab.same("back", "plain"), "{length}");
        let piped = lab.pipe("sm4 encrypt --key-file k", &message).ok();
        let back = lab.pipe("sm4 decrypt --key-file k -", &piped.stdout).ok();
        assert!(back.stdout == message, "{length}");
        for encoding in ["hex", "base64"] {
            lab.sh(&format!(
                "sm4 encrypt --key-file k --encoding {encoding} --force --out text plain"
            ))
            .ok();
            assert!(lab.read("text").is_ascii());
            let back = lab
                .sh("sm4 decrypt -v --key-file k text")
                .ok()
                .says(&[encoding]);
            assert!(back.stdout == message, "{length} {encoding}");
            lab.sh("sm4 decrypt --key-file k --force --out back text")
                .ok();
            assert!(lab.same("back", "plain"), "{length} {encoding}");
        }
    }
    #[cfg(unix)]
    assert_eq!(lab.mode("back"), 0o600);
    lab.assert_clean();
}

/// The example of docs/sm4-file.md, which another program made.
const EXAMPLE: &str = "\
    894b4d534d340d0a0200000000000000202122232425262728292a2b2c2d2e2f\
    303132333435363738393a3b3c3d3e3f7941d438af22ad75e17a740c93f74b62\
    ea2b3050d9b034b2c35c620cd3c2d11aae769f4449c67ff98b9e5494113eae6d\
    2b1d2544981ac219611f";

/// Files made from the documentation's words decrypt, and the program's files are made the same way.
#[test]
fn the_documented_format() {
    let lab = lab();
    let key: [u8; 16] = std::array::from_fn(|i| i as u8);
    lab.write("example", hex::decode(EXAMPLE).unwrap());
    let message = lab.sh("sm4 decrypt --key-file k example").ok();
    assert_eq!(message.stdout, b"a message\n");
    let plain = noise(CHUNK + 5, 9);
    lab.write("crafted", craft([0; 7], [3; 32], &key, &plain));
    let back = lab.sh("sm4 decrypt --key-file k crafted").ok();
    assert!(back.stdout == plain);
    lab.write("plain", &plain);
    lab.sh("sm4 encrypt --key-file k --out c plain").ok();
    let ours = lab.read("c");
    let salt: [u8; 32] = ours[16..48].try_into().unwrap();
    assert!(ours == craft([0; 7], salt, &key, &plain));
    // The salt is new each time, and so is all that follows.
    lab.sh("sm4 encrypt --key-file k --out c2 plain").ok();
    assert_ne!(lab.read("c2")[16..48], salt);
    assert_ne!(lab.read("c2")[HEADER..], ours[HEADER..]);

    // Parameters of scrypt that the program does not write are read, too.
    let scrypt = KeyDerivation::Scrypt {
        log_n: 10,
        r: 4,
        p: 3,
    };
    let salt = [&[4; 32][..], &[0, 0, 0, 0, 0, 0, 0, 13]].concat();
    let master = scrypt.derive(b"correct horse", &salt, 32).unwrap();
    let file = craft([1, 10, 4, 3, 0, 0, 0], [4; 32], &master, b"x");
    lab.write("crafted", file);
    let back = lab.sh("sm4 decrypt --password-file pw crafted").ok();
    assert_eq!(back.stdout, b"x");
}

#[test]
fn passwords() {
    let lab = lab();
    for (options, said) in [
        ("--log-n 14", "scrypt with N = 2^14"),
        ("--kdf scrypt --log-n 15", "N = 2^15, r = 8, p = 1"),
        ("", "N = 2^17"),
        (
            "--kdf pbkdf2 --iterations 100000",
            "HMAC-SM3 and 100000 iterations",
        ),
    ] {
        lab.sh(&format!(
            "sm4 encrypt -v --password-file pw {options} --force --out c m"
        ))
        .ok()
        .says(&["10 bytes encrypted", said]);
        let back = lab.sh("sm4 decrypt --password-file pw c").ok();
        assert_eq!(back.stdout, b"a message\n");
        let wrong = lab
            .sh("sm4 decrypt --password-file pw2 --out never c")
            .status(1);
        let mut altered = lab.read("c");
        *altered.last_mut().unwrap() ^= 1;
        lab.write("altered", altered);
        let altered = lab
            .sh("sm4 decrypt --password-file pw --out never altered")
            .status(1);
        assert!(!lab.exists("never"));
        // One error for both.
        assert_eq!(wrong.stderr.replace("c: ", "altered: "), altered.stderr);
        lab.sh("sm4 decrypt --key-file k c")
            .status(1)
            .says(&["under a password", "--key-file"]);
    }
    let mut with_variable = lab.kuaimi();
    with_variable
        .env("PW", "correct horse")
        .args("sm4 decrypt --password-env PW c".split(' '));
    common::ran(with_variable.output().unwrap()).ok();

    lab.sh("sm4 encrypt --key-file k --force --out c m").ok();
    lab.sh("sm4 decrypt --password-file pw c")
        .status(1)
        .says(&["under a key", "--key-file"]);
    lab.write("empty", "");
    lab.sh("sm4 encrypt --password-file empty m")
        .status(2)
        .says(&["empty"]);
    for wrong in [
        "--password-file pw --key-file k",
        "--key-file k --log-n 14",
        "--password-file pw --log-n 13",
        "--password-file pw --log-n 18",
        "--password-file pw --iterations 100000",
        "--password-file pw --kdf pbkdf2 --log-n 14",
        "--password-file pw --kdf pbkdf2 --iterations 99999",
        "--password-file pw --kdf pbkdf2 --iterations 10000001",
        "--password-file pw --kdf md5",
        "--password-file - -",
        "--key-file -",
    ] {
        let ran = lab.sh(&format!("sm4 encrypt {wrong}")).status(2);
        assert!(ran.stdout.is_empty(), "{wrong}");
    }
}

/// Without a terminal nobody is asked, and the options are named.
#[cfg(target_os = "linux")]
#[test]
fn a_password_that_nobody_can_give() {
    let lab = lab();
    let mut command = lab.command("setsid");
    command.args(["--wait", env!("CARGO_BIN_EXE_kuaimi")]);
    command.args("sm4 encrypt --out c m".split(' '));
    common::ran(command.output().expect("setsid"))
        .status(2)
        .says(&["--key-file", "--password-file", "no terminal"]);
    assert!(!lab.exists("c"));
}

#[test]
fn every_byte_counts() {
    let lab = lab();
    lab.sh("sm4 encrypt --key-file k --out c m").ok();
    let file = lab.read("c");
    assert_eq!(file.len(), HEADER + 10 + 16);
    for i in 0..file.len() {
        let mut altered = file.clone();
        altered[i] ^= 1 << (i % 8);
        lab.write("altered", &altered);
        refused(&lab, "altered");
    }
    for length in 0..file.len() {
        lab.write("short", &file[..length]);
        refused(&lab, "short");
    }
    lab.write("long", [&file[..], b"x"].concat());
    refused(&lab, "long").says(&["altered"]);

    // The fields of a password's header; the salt and the tag are as above.
    lab.sh("sm4 encrypt --password-file pw --log-n 14 --out p m")
        .ok();
    let file = lab.read("p");
    for i in (0..16).chain([16, 47, 48, 79, 80, file.len() - 1]) {
        let mut altered = file.clone();
        altered[i] ^= 1;
        lab.write("altered", &altered);
        lab.sh("sm4 decrypt --password-file pw --out never altered")
            .status(1);
        assert!(!lab.exists("never"), "{i}");
    }
    lab.assert_clean();
}

#[test]
fn chunks_that_were_moved() {
    let lab = lab();
    lab.write("three", noise(2 * CHUNK + 100, 1));
    lab.write("even", noise(3 * CHUNK, 2));
    for name in ["three", "even"] {
        for copy in ["1", "2"] {
            lab.sh(&format!(
                "sm4 encrypt --key-file k --out {name}{copy} {name}"
            ))
            .ok();
        }
        let file = lab.read(&format!("{name}1"));
        let twin = lab.read(&format!("{name}2"));
        let (head, body) = file.split_at(HEADER);
        let chunks: Vec<&[u8]> = body.chunks(SEALED).collect();
        let of_twin: Vec<&[u8]> = twin[HEADER..].chunks(SEALED).collect();
        assert_eq!(chunks.len(), 3);
        let build = |parts: &[&[u8]]| [head, &parts.concat()].concat();
        let altered = [
            // Cut off at each edge.
            build(&[]),
            build(&chunks[..1]),
            build(&chunks[..2]),
            // In another order, twice, with one missing, with more.
            build(&[chunks[1], chunks[0], chunks[2]]),
            build(&[chunks[0], chunks[2], chunks[1]]),
            build(&[chunks[0], chunks[0], chunks[2]]),
            build(&[chunks[0], chunks[2]]),
            build(&[chunks[1], chunks[2]]),
            build(&[chunks[2]]),
            build(&[chunks[0], chunks[1], chunks[2], chunks[2]]),
            // Of another file under the same key, which has the same plaintext.
            build(&[chunks[0], of_twin[1], chunks[2]]),
            build(&[chunks[0], chunks[1], of_twin[2]]),
            build(&of_twin),
        ];
        for (i, altered) in altered.iter().enumerate() {
            lab.write("altered", altered);
            let no = refused(&lab, "altered").says(&["not complete"]);
            assert_eq!(no.stderr.lines().count(), 1, "{name} {i}");
        }
        // Within the chunks, too.
        for length in [1, 15, 16, 17, SEALED - 1, SEALED + 1, 2 * SEALED + 15] {
            lab.write("altered", &file[..HEADER + length]);
            refused(&lab, "altered");
        }
    }
    lab.assert_clean();
}

/// A hostile header cannot make the program use gigabytes of memory or hours of time.
#[cfg(target_os = "linux")]
#[test]
fn hostile_headers() {
    let lab = lab();
    for fields in [
        [1, 30, 8, 1, 0, 0, 0],
        [1, 63, 255, 255, 0, 0, 0],
        [1, 255, 8, 1, 0, 0, 0],
        [1, 18, 8, 1, 0, 0, 0],
        [1, 17, 8, 100, 0, 0, 0],
        [1, 0, 8, 1, 0, 0, 0],
        [1, 14, 0, 1, 0, 0, 0],
        [1, 14, 8, 0, 0, 0, 0],
        [2, 255, 255, 255, 255, 0, 0],
        [2, 0, 0, 0, 0, 0, 0],
    ] {
        lab.write("hostile", craft(fields, [0; 32], b"", b"x"));
        let mut shell = lab.command("sh");
        shell.args(["-c", "ulimit -d 60000 && exec \"$0\" \"$@\""]);
        shell.arg(env!("CARGO_BIN_EXE_kuaimi"));
        shell.args("sm4 decrypt --password-file pw --out never hostile".split(' '));
        common::ran(shell.output().unwrap())
            .status(1)
            .says(&["more memory or time"]);
        assert!(!lab.exists("never"));
    }
    // Unknown versions and kinds.
    let mut file = craft([0; 7], [0; 32], b"", b"x");
    file[8] = 3;
    lab.write("newer", &file);
    refused(&lab, "newer").says(&["version 3"]);
    lab.write("kind", craft([3, 0, 0, 0, 0, 0, 0], [0; 32], b"", b"x"));
    refused(&lab, "kind");
    refused(&lab, "m").says(&["m: ", "is no file that `kuaimi sm4 encrypt` wrote"]);
}

/// A hundred megabytes in a few: by file, and by pipe.
#[cfg(target_os = "linux")]
#[test]
fn bounded_memory() {
    let lab = lab();
    let big = std::fs::File::create(lab.path("big")).unwrap();
    big.set_len(100_000_000).unwrap();
    let bounded = |kib: u32, line: &str| {
        let mut shell = lab.command("sh");
        shell.args(["-c", &format!("ulimit -d {kib} && exec \"$0\" sm4 {line}")]);
        shell.arg(env!("CARGO_BIN_EXE_kuaimi"));
        common::ran(shell.output().unwrap()).ok()
    };
    let few = 8000;
    bounded(few, "encrypt --key-file k --out c big");
    bounded(few, "decrypt --key-file k --out back c");
    assert!(lab.same("back", "big"));
    bounded(few, "encrypt --key-file k < big > piped");
    bounded(few, "decrypt --key-file k c > back");
    assert!(lab.same("back", "big"));
    bounded(few, "decrypt --key-file k --force --out back < piped");
    assert!(lab.same("back", "big"));
    // What must be read twice is kept in memory up to 16 MiB, then in a temporary file.
    bounded(60_000, "decrypt --key-file k < piped > back");
    assert!(lab.same("back", "big"));
    for mode in ["cbc", "cfb", "ctr"] {
        let raw = format!("--raw {mode} --key {KEY} --iv {IV}");
        bounded(few, &format!("encrypt {raw} --force --out c big"));
        bounded(few, &format!("decrypt {raw} c > back"));
        assert!(lab.same("back", "big"));
    }
    // The last chunk of many is altered: nothing comes out, though all before it is good.
    lab.sh("sm4 encrypt --key-file k --force --out c big").ok();
    let mut file = lab.read("c");
    *file.last_mut().unwrap() ^= 1;
    lab.write("c", file);
    refused(&lab, "c");
    lab.assert_clean();
}

#[test]
fn outputs_that_are_there() {
    let lab = lab();
    lab.sh("sm4 encrypt --key-file k --out c m").ok();
    lab.sh("sm4 encrypt --key-file k --out c m")
        .status(2)
        .says(&["c: ", "--force"]);
    lab.write("kept", "kept");
    lab.sh("sm4 decrypt --key-file k --out kept c")
        .status(2)
        .says(&["kept", "--force"]);
    lab.sh("sm4 decrypt --key-file other --force --out kept c")
        .status(1);
    assert_eq!(lab.read("kept"), b"kept");
    lab.sh("sm4 decrypt --key-file k --force --out kept c").ok();
    assert!(lab.same("kept", "m"));
    // A file may be replaced by its own decryption.
    lab.sh("sm4 decrypt --key-file k --force --out c c").ok();
    assert!(lab.same("c", "m"));
    lab.sh("sm4 encrypt --key-file k --out new nowhere")
        .status(2)
        .says(&["nowhere"]);
    lab.sh("sm4 encrypt --key-file nowhere --out new m")
        .status(2)
        .says(&["nowhere"]);
    assert!(!lab.exists("new"));
    lab.assert_clean();
}

#[test]
fn key_files() {
    let lab = lab();
    lab.sh("sm4 encrypt --key-file k --out c m").ok();
    // The same key in every form.
    let bytes: Vec<u8> = (0..16).collect();
    for (name, content) in [
        ("binary", bytes.clone()),
        ("line", format!("{KEY}\n").into_bytes()),
        ("crlf", format!(" {}\r\n", KEY.to_uppercase()).into_bytes()),
    ] {
        lab.write(name, content);
        lab.sh(&format!("sm4 decrypt --key-file {name} c")).ok();
    }
    for (name, content) in [
        ("15", bytes[1..].to_vec()),
        ("17", [&bytes[..], b"\n"].concat()),
        ("none", Vec::new()),
        ("31", KEY.as_bytes()[1..].to_vec()),
        ("34", format!("{KEY}00").into_bytes()),
        ("letters", KEY.replace('0', "g").into_bytes()),
    ] {
        lab.write(name, content);
        for command in ["encrypt", "decrypt"] {
            lab.sh(&format!("sm4 {command} --key-file {name} --out never c"))
                .status(2)
                .says(&[name, "16 bytes, or 32 hexadecimal digits"]);
        }
    }
    lab.sh("sm4 keygen --out new").ok();
    let digits = String::from_utf8(lab.read("new")).unwrap();
    assert_eq!(digits.len(), 33);
    assert!(
        digits
            .trim_end()
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit())
    );
    #[cfg(unix)]
    assert_eq!(lab.mode("new"), 0o600);
    lab.sh("sm4 keygen --out new").status(2).says(&["--force"]);
    assert_ne!(lab.sh("sm4 keygen").ok().text(), digits);
    lab.sh("sm4 encrypt --key-file new --force --out c m").ok();
    lab.sh("sm4 decrypt --key-file new c").ok();
    refused(&lab, "c");
}

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
