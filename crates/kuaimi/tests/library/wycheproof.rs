//! Project Wycheproof's cases of HMAC-SM3, SM4-GCM and SM4-CCM: valid ones, altered tags, counters
//! that wrap, and nonces and tags of lengths that must be refused.

use hmac::{KeyInit, Mac};
use kuaimi::sm3::HmacSm3;
use kuaimi::sm4::{Error, Sm4Ccm, Sm4Gcm};
use serde_json::Value;

/// The cases of one kind: their bytes, and whether they are valid.
fn cases<const COLUMNS: usize>(kind: &str) -> Vec<([Vec<u8>; COLUMNS], bool)> {
    let file: Value =
        serde_json::from_str(include_str!("../../../../vectors/wycheproof.json")).expect("JSON");
    let cases = file[kind]["cases"].as_array().expect("a list");
    let case = |case: &Value| {
        let text = |i: usize| case[i].as_str().expect("hexadecimal digits");
        let bytes = core::array::from_fn(|i| hex::decode(text(i)).expect("hexadecimal digits"));
        (bytes, case[COLUMNS].as_bool().expect("a verdict"))
    };
    cases.iter().map(case).collect()
}

fn key(bytes: &[u8]) -> [u8; 16] {
    bytes.try_into().expect("a key of 16 bytes")
}

#[test]
fn hmac_sm3() {
    let cases = cases::<3>("hmac_sm3");
    assert_eq!(cases.len(), 174);
    for ([key, message, tag], valid) in cases {
        let mut mac = HmacSm3::new_from_slice(&key).expect("any length");
        mac.update(&message);
        let verdict = mac.verify_truncated_left(&tag);
        assert_eq!(verdict.is_ok(), valid, "tag {tag:02x?}");
    }
}

/// Seals, opens and compares; `refusals` counts the nonces and tags of a wrong length.
fn aead(
    kind: &str,
    seal: impl Fn(&[u8; 16], &[u8], &[u8], &mut [u8], &mut [u8]) -> Result<(), Error>,
    open: impl Fn(&[u8; 16], &[u8], &[u8], &mut [u8], &[u8]) -> Result<(), Error>,
) -> [usize; 3] {
    let (mut valid_cases, mut failed, mut refused) = (0, 0, 0);
    for ([k, nonce, beside, plaintext, ciphertext, tag], valid) in cases::<6>(kind) {
        let k = key(&k);
        let mut opened = ciphertext.clone();
        let result = open(&k, &nonce, &beside, &mut opened, &tag);
        if valid {
            assert_eq!(result, Ok(()));
            assert_eq!(opened, plaintext);
            let (mut sealed, mut made) = (plaintext, vec![0; tag.len()]);
            seal(&k, &nonce, &beside, &mut sealed, &mut made).expect("a nonce and a tag");
            assert_eq!((sealed, made), (ciphertext, tag));
            valid_cases += 1;
        } else if result == Err(Error::DecryptionFailed) {
            assert_ne!(opened, plaintext, "no plaintext comes out with a wrong tag");
            failed += 1;
        } else {
            assert!(
                matches!(
                    result,
                    Err(Error::NonceLength(_) | Error::TagLength(_) | Error::EmptyNonce)
                ),
                "{result:?}: a nonce of {} and a tag of {} bytes",
                nonce.len(),
                tag.len()
            );
            refused += 1;
        }
    }
    [valid_cases, failed, refused]
}

#[test]
fn gcm() {
    let counts = aead(
        "sm4_gcm",
        |key, nonce, beside, data, tag| {
            let made = Sm4Gcm::new(key).seal_in_place(nonce, beside, data)?;
            tag.copy_from_slice(&made);
            Ok(())
        },
        |key, nonce, beside, data, tag| Sm4Gcm::new(key).open_in_place(nonce, beside, data, tag),
    );
    assert_eq!(counts, [75, 27, 2]);
}

#[test]
fn ccm() {
    let counts = aead(
        "sm4_ccm",
        |key, nonce, beside, data, tag| Sm4Ccm::new(key).seal_in_place(nonce, beside, data, tag),
        |key, nonce, beside, data, tag| Sm4Ccm::new(key).open_in_place(nonce, beside, data, tag),
    );
    assert_eq!(counts, [135, 27, 22]);
}
