//! The names that GM/T 0091-2020 has for PBES2, PBKDF2 and PBMAC1, under both arcs, both names of
//! HMAC-SM3, and `pbeWithSM3AndSM4-CBC`. No known program writes them, so the test makes these
//! files itself.

use kuaimi::encoding::{Cipher, KeyDerivation, Prf};
use kuaimi::sm3::{digest, hmac_sm3};
use kuaimi_pki::Error;
use kuaimi_pki::pkcs12::{Pkcs12, ReadOptions};

use crate::building::{DATA, bag, bmp, derive_with, file, info, oid, pkcs8, safe, tlv};
use crate::key;

const ARCS: [&str; 2] = ["1.2.156.10197.6.1.4.1.5", "1.2.156.10197.6.4.1.5"];
const HMAC_SM3: [&str; 2] = ["1.2.156.10197.1.401.2", "1.2.156.10197.1.401.3.1"];
const SM4_CBC: &str = "1.2.156.10197.1.104.2";
const SM3_AND_SM4: &str = "1.2.156.10197.6.1.4.1.12.1.1";
const PBKDF2: KeyDerivation = KeyDerivation::Pbkdf2 {
    prf: Prf::HmacSm3,
    iterations: 3,
};

/// The `AlgorithmIdentifier` of PBKDF2 with the salt `salt` and three iterations.
fn pbkdf2(name: &str, key_len: Option<u8>, prf: Option<&str>) -> Vec<u8> {
    let key_len = key_len.map(|length| tlv(2, &[&[length]]));
    let prf = prf.map(|prf| tlv(0x30, &[&oid(prf)]));
    let parameters = tlv(
        0x30,
        &[
            &tlv(4, &[b"salt"]),
            &tlv(2, &[&[3]]),
            &key_len.unwrap_or_default(),
            &prf.unwrap_or_default(),
        ],
    );
    tlv(0x30, &[&oid(name), &parameters])
}

/// The signing key in a bag that is encrypted so.
fn shrouded(algorithm: &[u8], data: &[u8]) -> Vec<u8> {
    bag(2, &tlv(0x30, &[algorithm, &tlv(4, &[data])]))
}

fn read(content: &[u8]) -> Result<Pkcs12, Error> {
    Pkcs12::from_bytes(&file(content, &bmp("密码"), 2), "密码")
}

fn finds_the_key(content: &[u8]) {
    let file = read(content).unwrap();
    assert_eq!(file.keys().next().unwrap().sm2().unwrap(), key("sign"));
}

#[test]
fn names_of_pbes2_and_pbkdf2() {
    let iv = [9; 16];
    let password = "密码".as_bytes();
    let derived = PBKDF2.derive(password, b"salt", 16).unwrap();
    let data = Cipher::Sm4Cbc
        .encrypt_padded(&derived, &iv, &pkcs8())
        .unwrap();
    let bag = |pbes: &str, pbkdf: &str, prf: Option<&str>, scheme: &str| {
        let scheme = tlv(0x30, &[&oid(scheme), &tlv(4, &[&iv])]);
        let parameters = tlv(0x30, &[&pbkdf2(pbkdf, None, prf), &scheme]);
        let algorithm = tlv(0x30, &[&oid(pbes), &parameters]);
        safe(&[&shrouded(&algorithm, &data)])
    };
    let (pbes2, pbkdf2) = ("1.2.840.113549.1.5.13", "1.2.840.113549.1.5.12");
    for arc in ARCS {
        let (pbes, pbkdf) = (format!("{arc}.2"), format!("{arc}.1"));
        // HMAC-SM3 is the default there.
        finds_the_key(&bag(&pbes, &pbkdf, None, SM4_CBC));
        finds_the_key(&bag(pbes2, &pbkdf, None, SM4_CBC));
        for prf in HMAC_SM3 {
            finds_the_key(&bag(&pbes, &pbkdf, Some(prf), SM4_CBC));
            finds_the_key(&bag(&pbes, pbkdf2, Some(prf), SM4_CBC));
            finds_the_key(&bag(pbes2, pbkdf2, Some(prf), SM3_AND_SM4));
        }
    }
    // HMAC-SHA-1 is the default of PBKDF2: another key.
    assert!(read(&bag(pbes2, pbkdf2, None, SM4_CBC)).is_err());
}

/// What was decrypted and is malformed is another password, unless a MAC showed that it is none.
#[test]
fn what_was_decrypted_is_not_shown() {
    let iv = [9; 16];
    let derived = PBKDF2.derive("密码".as_bytes(), b"salt", 16).unwrap();
    let malformed = tlv(0x30, &[&tlv(5, &[])]);
    let data = Cipher::Sm4Cbc
        .encrypt_padded(&derived, &iv, &malformed)
        .unwrap();
    let scheme = tlv(0x30, &[&oid(SM4_CBC), &tlv(4, &[&iv])]);
    let derivation = pbkdf2("1.2.840.113549.1.5.12", None, Some(HMAC_SM3[0]));
    let parameters = tlv(0x30, &[&derivation, &scheme]);
    let algorithm = tlv(0x30, &[&oid("1.2.840.113549.1.5.13"), &parameters]);
    let encrypted = tlv(0x30, &[&oid(DATA), &algorithm, &tlv(0x80, &[&data])]);
    let encrypted = tlv(0x30, &[&tlv(2, &[&[0]]), &encrypted]);
    let content = tlv(0x30, &[&info("1.2.840.113549.1.7.6", &encrypted)]);
    assert!(matches!(read(&content), Err(Error::Der(..))));
    let safe = info(DATA, &tlv(4, &[&content]));
    let file = tlv(0x30, &[&tlv(2, &[&[3]]), &safe]);
    let options = ReadOptions::default().allow_missing_mac();
    let wrong = Err(Error::Encoding(kuaimi::encoding::Error::WrongPassword));
    assert_eq!(Pkcs12::from_bytes_with(&file, "密码", options), wrong);
    assert_eq!(Pkcs12::from_bytes_with(&file, "other", options), wrong);
}

#[test]
fn sm3_and_sm4() {
    let sm3 = |bytes: &[u8]| digest(bytes).to_vec();
    let derive = |id, length| derive_with(sm3, id, &bmp("密码"), b"salt", 3, length);
    let iv = derive(2, 16).try_into().unwrap();
    let data = Cipher::Sm4Cbc
        .encrypt_padded(&derive(1, 16), &iv, &pkcs8())
        .unwrap();
    let parameters = tlv(0x30, &[&tlv(4, &[b"salt"]), &tlv(2, &[&[3]])]);
    let algorithm = tlv(0x30, &[&oid(SM3_AND_SM4), &parameters]);
    finds_the_key(&safe(&[&shrouded(&algorithm, &data)]));
}

#[test]
fn names_of_pbmac1() {
    let content = safe(&[&bag(1, &pkcs8())]);
    let with = |pbmac: &str, pbkdf: &str, name: &str, key_len: Option<u8>| {
        let length = usize::from(key_len.unwrap_or(32));
        let derived = PBKDF2.derive("密码".as_bytes(), b"salt", length).unwrap();
        let tag = hmac_sm3(&derived, &content);
        let scheme = tlv(0x30, &[&oid(name)]);
        let parameters = tlv(0x30, &[&pbkdf2(pbkdf, key_len, Some(name)), &scheme]);
        let algorithm = tlv(0x30, &[&oid(pbmac), &parameters]);
        let digest = tlv(0x30, &[&algorithm, &tlv(4, &[&tag])]);
        let mac = tlv(0x30, &[&digest, &tlv(4, &[b"NOT USED"]), &tlv(2, &[&[1]])]);
        let safe = info(DATA, &tlv(4, &[&content]));
        let file = tlv(0x30, &[&tlv(2, &[&[3]]), &safe, &mac]);
        assert!(Pkcs12::from_bytes(&file, "密").is_err());
        Pkcs12::from_bytes(&file, "密码").map(|file| file.keys().next().unwrap().sm2().unwrap())
    };
    let (pbmac1, pbkdf2) = ("1.2.840.113549.1.5.14", "1.2.840.113549.1.5.12");
    for name in HMAC_SM3 {
        assert_eq!(with(pbmac1, pbkdf2, name, Some(32)), Ok(key("sign")));
        for arc in ARCS {
            let (pbmac, pbkdf) = (format!("{arc}.3"), format!("{arc}.1"));
            assert_eq!(with(&pbmac, &pbkdf, name, Some(32)), Ok(key("sign")));
        }
        // A key of one byte is found by trying 256, whatever the password is.
        for (length, right) in [(1, false), (19, false), (20, true), (64, true), (65, false)] {
            assert_eq!(
                with(pbmac1, pbkdf2, name, Some(length)).is_ok(),
                right,
                "{length}"
            );
        }
        assert!(with(pbmac1, pbkdf2, name, None).is_err());
    }
}
