//! The format of encrypted files, and every length of them.

use super::*;

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

/// Files made from the documentation's words decrypt, and the program's files are made the same
/// way.
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
