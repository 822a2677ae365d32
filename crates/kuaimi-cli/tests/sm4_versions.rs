//! The versions of the format of `kuaimi sm4` files: the first one is read, and in the second one
//! no two passwords open a file.

mod common;

use common::Lab;

/// The message `a message` and a line feed, in version 1, as version 0.1 of the program wrote it:
/// under the key of the digits below, and under the password `abc` by scrypt and by PBKDF2.
const KEY_1: &str = "\
    894b4d534d340d0a01000000000000005c5d2e620b664a98e4e37d6dc5a454eb\
    65162532d1a981bb9758f266ef2b0f3d069edc997c2cf88f2d0854dd75839980\
    af3bc4c9b735cfcebe39fafdedcd62947778fe07f04fc5d11118bd084d77a2de\
    ef6c2837df240ae2f883";
const SCRYPT_1: &str = "\
    894b4d534d340d0a01010e08010000008e8a5e8b3b4465f79c91dde6de87cfab\
    3548b4473d3c65d8a2bbaf3a04fe269cafe65628a0e71364ca6ee33c0148b118\
    4704ccf7b5633ba3cd6f7dfd466c45ec49e8a8a25dfe5caf7c5fbdb2497dbece\
    347b8d583f2c952d8272";
const PBKDF2_1: &str = "\
    894b4d534d340d0a0102000186a000000888e8f299bacb45a26f0fe649dafcbc\
    c91fd2914076ad155ce4aba9dc2587018d2ebe06fe0f8ef6e4c5343811078748\
    77ab0e11bfd62e7b22d832f1b25ad811fd8d57ac6538a93e304ed9143e8f0921\
    7d64fb2bdaf73f068a27";

/// The same in version 2, by another program after docs/sm4-file.md.
const SCRYPT_2: &str = "\
    894b4d534d340d0a02010e0801000000202122232425262728292a2b2c2d2e2f\
    303132333435363738393a3b3c3d3e3f43b814a49c4e27866dc52756570d1957\
    141d55b4188da17211e461c724bd8c6d7214e2a57145494af9ec7cd4a1732ec2\
    bdc9941c5302196409cd";
const PBKDF2_2: &str = "\
    894b4d534d340d0a0202000003e80000202122232425262728292a2b2c2d2e2f\
    303132333435363738393a3b3c3d3e3fb360ed6d5d6cf40f6f379bff29652f37\
    5d1ea465c14e63321e9415e76312e833837049639af271d09ef82a2fcdb11f84\
    537091fe2edf4fc05b77";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("k", "000102030405060708090a0b0c0d0e0f");
    lab.write("pw", "abc\n");
    lab.write("m", b"a message\n");
    lab
}

#[test]
fn files_of_other_versions_and_programs() {
    let lab = lab();
    for (name, file, key) in [
        ("key 1", KEY_1, "--key-file k"),
        ("scrypt 1", SCRYPT_1, "--password-file pw"),
        ("pbkdf2 1", PBKDF2_1, "--password-file pw"),
        ("scrypt 2", SCRYPT_2, "--password-file pw"),
        ("pbkdf2 2", PBKDF2_2, "--password-file pw"),
    ] {
        lab.write("c", hex::decode(file).unwrap());
        let back = lab.sh(&format!("sm4 decrypt {key} c"));
        assert_eq!(back.ok().stdout, b"a message\n", "{name}");
        // No version passes for another one.
        let mut other = hex::decode(file).unwrap();
        other[8] ^= 3;
        lab.write("c", other);
        lab.sh(&format!("sm4 decrypt {key} c"))
            .status(1)
            .says(&["decryption failed"]);
    }
}

/// HMAC pads a password with zero bytes, and takes the digest of one of more than 64 bytes in its
/// place: by SM3 for PBKDF2, and by SHA-256 for scrypt.
#[test]
fn no_two_passwords_open_a_file() {
    let lab = lab();
    let long = [b'x'; 65];
    let sha256 = "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9";
    let pairs: [(&str, Vec<u8>, Vec<u8>); 4] = [
        ("scrypt --log-n 14", b"abc".to_vec(), b"abc\0".to_vec()),
        (
            "scrypt --log-n 14",
            long.to_vec(),
            hex::decode(sha256).unwrap(),
        ),
        (
            "pbkdf2 --iterations 100000",
            b"abc".to_vec(),
            b"abc\0\0".to_vec(),
        ),
        (
            "pbkdf2 --iterations 100000",
            long.to_vec(),
            kuaimi::sm3::digest(&long).to_vec(),
        ),
    ];
    for (kdf, one, other) in pairs {
        for (right, wrong) in [(&one, &other), (&other, &one)] {
            lab.write("right", right);
            lab.write("wrong", wrong);
            lab.sh(&format!(
                "sm4 encrypt --password-file right --kdf {kdf} --force --out c m"
            ))
            .ok();
            assert_eq!(lab.read("c")[8], 2);
            lab.sh("sm4 decrypt --password-file right c").ok();
            lab.sh("sm4 decrypt --password-file wrong c")
                .status(1)
                .says(&["decryption failed"]);
        }
    }
}
