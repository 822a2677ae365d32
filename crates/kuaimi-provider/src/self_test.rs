//! Known answers, computed when the module is loaded: if one is wrong, the provider does not load.
//!
//! They are the examples of GB/T 32918.5-2017 (SM2), GB/T 32905-2016 (SM3), GB/T 32907-2016 and
//! GB/T 17964-2021 (SM4 and its modes) and RFC 8998 (GCM and CCM).

use std::sync::atomic::{AtomicBool, Ordering};

use kuaimi::sm2::{CiphertextForm, PrivateKey, Signature, SigningKey};
use kuaimi::sm3;
use kuaimi::sm4::{Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4Ofb, Sm4Xts, XtsStandard};

use crate::failure::{Failure, Reason};

/// A computation, and its expected result.
struct Answer {
    name: &'static str,
    compute: fn() -> Option<Vec<u8>>,
    expected: &'static [u8],
}

/// Runs the tests, unless they have passed in this process. Threads that load the module at the
/// same time all run them: if one waited for another, a forked child could wait forever.
pub(crate) fn once() -> Result<(), Failure> {
    static PASSED: AtomicBool = AtomicBool::new(false);
    if !PASSED.load(Ordering::Relaxed) {
        run()?;
        PASSED.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// Runs the tests again.
pub(crate) fn run() -> Result<(), Failure> {
    verdict(wrong(&ANSWERS))
}

fn verdict(wrong: Option<&'static str>) -> Result<(), Failure> {
    match wrong {
        None => Ok(()),
        // libcrypto does not know the texts of the reasons yet.
        Some(name) => Err(Failure::with(
            Reason::SelfTestFailed,
            format!("the self-test failed: {name}"),
        )),
    }
}

/// The name of the first test with a wrong result.
fn wrong(answers: &[Answer]) -> Option<&'static str> {
    answers
        .iter()
        .find(|answer| (answer.compute)().as_deref() != Some(answer.expected))
        .map(|answer| answer.name)
}

/// Bytes from hexadecimal digits in lower case.
const fn hex<const N: usize>(digits: &str) -> [u8; N] {
    const fn value(digit: u8) -> u8 {
        match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => panic!("not a hexadecimal digit"),
        }
    }
    let digits = digits.as_bytes();
    assert!(digits.len() == 2 * N);
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        bytes[i] = value(digits[2 * i]) << 4 | value(digits[2 * i + 1]);
        i += 1;
    }
    bytes
}

/// SM4's example key, which is its example block, too.
const KEY: [u8; 16] = hex("0123456789abcdeffedcba9876543210");

/// The block twice.
const TWO_BLOCKS: [u8; 32] =
    hex("0123456789abcdeffedcba98765432100123456789abcdeffedcba9876543210");

/// The message of RFC 8998, its nonce and its associated data.
const LETTERS: [u8; 64] = hex(
    "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd\
     eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa",
);
const NONCE: [u8; 12] = hex("00001234567800000000abcd");
const HEADER: [u8; 20] = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");

/// SM2's example key, and its example signature and ciphertext.
const SM2_KEY: [u8; 32] = hex("3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8");
const SIGNATURE: [u8; 64] = hex(
    "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3\
     b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa",
);
const CIPHERTEXT: [u8; 116] = hex(
    "0404ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73e8\
     58f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df0\
     59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd8766\
     21886ca989ca9c7d58087307ca93092d651efa",
);

static ANSWERS: [Answer; 13] = [
    Answer {
        name: "SM3",
        compute: || Some(sm3::digest(b"abc").to_vec()),
        expected: &hex::<32>("66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    },
    Answer {
        name: "SM4-ECB",
        compute: || {
            let mut block = KEY;
            Sm4::new(&KEY).encrypt(&mut block);
            Some(block.to_vec())
        },
        expected: &hex::<16>("681edf34d206965e86b3e94f536e4246"),
    },
    Answer {
        name: "SM4-ECB, decryption",
        compute: || {
            let mut block = hex("681edf34d206965e86b3e94f536e4246");
            Sm4::new(&KEY).decrypt(&mut block);
            Some(block.to_vec())
        },
        expected: &KEY,
    },
    Answer {
        name: "SM4-CBC",
        compute: || {
            let mut data = TWO_BLOCKS;
            Sm4Cbc::new(&KEY).encrypt(&KEY, &mut data).ok()?;
            Some(data.to_vec())
        },
        expected: &hex::<32>("2677f46b09c122cc975533105bd4a22af6125f7275ce552c3a2bbcf533de8a3b"),
    },
    Answer {
        name: "SM4-CTR",
        compute: || {
            let mut data = LETTERS;
            Sm4Ctr::new(&KEY, &KEY).apply(&mut data);
            Some(data.to_vec())
        },
        expected: &hex::<64>(
            "c2b4759e78ac3cf43d0852f4e8d5f9fd7256e8a5fcb65a350ee00630912e4449\
             2a0b17e1b85b060d0fba612d8a95831638b361fd5ffacd942f081485a83ca35d",
        ),
    },
    Answer {
        name: "SM4-CFB",
        compute: || {
            let mut data = TWO_BLOCKS;
            Sm4Cfb::new(&KEY, &KEY).encrypt(&mut data);
            Some(data.to_vec())
        },
        expected: &hex::<32>("693d9a535bad5bb1786f53d7253a70569ed258a85a0467cc92aab393dd978995"),
    },
    Answer {
        name: "SM4-OFB",
        compute: || {
            let mut data = TWO_BLOCKS;
            Sm4Ofb::new(&KEY, &KEY).apply(&mut data);
            Some(data.to_vec())
        },
        expected: &hex::<32>("693d9a535bad5bb1786f53d7253a7056f2075d28b5235f58d50027e4177d2bce"),
    },
    Answer {
        name: "SM4-GCM",
        compute: || Sm4Gcm::new(&KEY).seal(&NONCE, &HEADER, &LETTERS).ok(),
        expected: &hex::<80>(
            "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735\
             d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d\
             83de3541e4c2b58177e065a9bf7b62ec",
        ),
    },
    Answer {
        name: "SM4-CCM",
        compute: || Sm4Ccm::new(&KEY).seal(&NONCE, &HEADER, &LETTERS).ok(),
        expected: &hex::<80>(
            "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094\
             fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b\
             16842d4fa186f56ab33256971fa110f4",
        ),
    },
    Answer {
        name: "SM4-XTS",
        compute: || {
            let key = hex("2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f");
            let mut data: [u8; 56] =
                hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac\
                 45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17");
            Sm4Xts::new(&key, XtsStandard::Gb)
                .ok()?
                .encrypt(&hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), &mut data)
                .ok()?;
            Some(data.to_vec())
        },
        expected: &hex::<56>(
            "e9538251c71d7b80bbe4483fef497bd12c5c581bd6242fc51e08964f\
             b4f60fdb0ba42f63499279213d318d2c11f6886e903be7f93a1b3479",
        ),
    },
    Answer {
        name: "SM2 signatures",
        compute: || {
            let signer = SigningKey::new(PrivateKey::from_bytes(&SM2_KEY).ok()?);
            let key = signer.verifying_key();
            let known = Signature::from_bytes(&SIGNATURE).ok()?;
            let fresh = signer.sign(b"message digest").ok()?;
            Some(vec![
                u8::from(key.verify(b"message digest", &known).is_ok()),
                u8::from(key.verify(b"message digest", &fresh).is_ok()),
                u8::from(key.verify(b"message digess", &known).is_ok()),
            ])
        },
        expected: &[1, 1, 0],
    },
    Answer {
        name: "SM2 encryption",
        compute: || {
            let key = PrivateKey::from_bytes(&SM2_KEY).ok()?;
            let known = kuaimi::sm2::Ciphertext::from_bytes(CiphertextForm::C1C3C2, &CIPHERTEXT);
            let fresh = key.public_key().encrypt(b", and a fresh one").ok()?;
            let mut messages = key.decrypt(&known.ok()?).ok()?.to_vec();
            messages.extend_from_slice(&key.decrypt(&fresh).ok()?);
            Some(messages)
        },
        expected: b"encryption standard, and a fresh one",
    },
    Answer {
        name: "ECDH on SM2's curve",
        // [5][d]G is [5d]G, which is a multiple of the generator.
        compute: || {
            let mut five = [0; 32];
            five[31] = 5;
            let five = PrivateKey::from_bytes(&five).ok()?;
            let key = PrivateKey::from_bytes(&[0x2a; 32]).ok()?;
            let product = PrivateKey::from_bytes(&[0xd2; 32]).ok()?;
            let same = key.diffie_hellman(five.public_key())[..]
                == product.public_key().to_xy_bytes()[..32];
            Some(vec![u8::from(same)])
        },
        expected: &[1],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_answers_are_right() {
        assert_eq!(wrong(&ANSWERS), None);
        assert!(once().is_ok() && run().is_ok());
    }

    /// A machine that computes anything else than what is expected is refused, whichever answer it
    /// is.
    #[test]
    fn any_other_answer_is_refused() {
        for answer in &ANSWERS {
            let mut other = answer.expected.to_vec();
            other[0] ^= 1;
            let faulty = Answer {
                name: answer.name,
                compute: answer.compute,
                expected: other.leak(),
            };
            let name = wrong(&[faulty]);
            assert_eq!(name, Some(answer.name));
            let failure = verdict(name).unwrap_err();
            let (reason, detail) = failure.report().unwrap();
            assert_eq!(reason, Reason::SelfTestFailed);
            assert_eq!(detail, format!("the self-test failed: {}", answer.name));
        }
    }
}
