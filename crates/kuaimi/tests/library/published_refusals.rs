//! What other libraries publish as cases that must be refused: openHiTLS's for SM2
//! (`vectors/refused.json`), and those that emmansun/gmsm v0.44.0 makes in its tests of SM2 and
//! SM9, made here again.

use kuaimi::sm2::{
    Ciphertext, CiphertextForm, Error, PrivateKey, PublicKey, Signature, SigningKey, VerifyingKey,
};
use kuaimi::sm3;
use kuaimi::sm9::{self, G1Point};
use serde_json::Value;

fn file() -> Value {
    serde_json::from_str(include_str!("../../../../vectors/refused.json")).expect("JSON")
}

fn bytes(case: &Value, name: &str) -> Vec<u8> {
    hex::decode(case[name].as_str().expect("text")).expect("hexadecimal digits")
}

fn public_key(case: &Value) -> PublicKey {
    PublicKey::from_sec1_bytes(&bytes(case, "public_key")).expect("a public key")
}

#[test]
fn signatures_of_openhitls() {
    let file = file();
    let verify = |case: &Value| {
        let verifier = VerifyingKey::with_id(public_key(case), &bytes(case, "id")).expect("short");
        let signature = Signature::from_der(&bytes(case, "signature")).expect("in range");
        verifier.verify(&bytes(case, "message"), &signature)
    };
    assert_eq!(verify(&file["good_signature"]), Ok(()));
    let wrong = file["wrong_signatures"].as_array().expect("a list");
    assert_eq!(wrong.len(), 5);
    for case in wrong {
        assert_eq!(verify(case), Err(Error::InvalidSignature), "{case}");
    }
    // r + s = n: refused before anything is computed.
    let zero = Signature::from_der(&bytes(&file["sum_is_zero"], "signature"));
    let refused = kuaimi::encoding::Error::Sm2(Error::SignatureT);
    assert_eq!(zero, Err(refused));
}

#[test]
fn ciphertexts_of_openhitls() {
    let file = file();
    let decrypt = |case: &Value| {
        let secret = PrivateKey::from_slice(&bytes(case, "private_key")).expect("a private key");
        let ciphertext = bytes(case, "ciphertext");
        let ciphertext = Ciphertext::from_bytes(CiphertextForm::C1C3C2, &ciphertext)?;
        Ok::<_, kuaimi::encoding::Error>(secret.decrypt(&ciphertext)?.to_vec())
    };
    let plaintext = b"encryption standard".to_vec();
    assert_eq!(decrypt(&file["good_ciphertext"]), Ok(plaintext));
    let wrong = file["wrong_ciphertexts"].as_array().expect("a list");
    assert_eq!(wrong.len(), 4);
    for case in wrong {
        assert!(decrypt(case).is_err(), "{case}");
    }
}

#[test]
fn ciphertexts_of_gmsm() {
    let secret = PrivateKey::from_bytes(&[7; 32]).expect("a private key");
    let zeros = |first: &[u8], count| [first, &vec![0; count]].concat();
    for bytes in [
        vec![],
        zeros(&[], 65),
        zeros(&[], 97),
        zeros(&[0x04], 96),
        zeros(&[0x04], 97),
        zeros(&[0x02], 65),
        zeros(&[0x30], 97),
    ] {
        let decrypted = secret.decrypt_bytes(&bytes).err();
        assert_eq!(decrypted, Some(Error::DecryptionFailed), "{bytes:02x?}");
    }
}

/// A digest of zeros is one like any other; a signature of zeros is none.
#[test]
fn zeros_of_gmsm() {
    let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32]).expect("a private key"));
    let signature = key.sign_digest(&[0; 32]).expect("a signature");
    let verified = key.verifying_key().verify_digest(&[0; 32], &signature);
    assert_eq!(verified, Ok(()));
    let none = Signature::from_bytes(&[0; 64]);
    assert_eq!(none, Err(Error::SignatureR));
}

/// For the point at infinity, e(C1, de) is one for every key, so anyone could make a ciphertext
/// that decrypts, and a key that is unwrapped. No form of a point may mean it.
#[test]
fn points_at_infinity_of_gmsm() {
    let master = sm9::MasterEncryptionKey::from_bytes(&[7; 32]).expect("a master key");
    let victim = b"victim@example.com";
    let key = master.extract(victim.as_slice()).expect("a user's key");
    let plaintext = b"forged without the public key";

    // One in GT: a one in the last of the twelve coefficients.
    let mut shared = vec![0; 64 + 384];
    shared[64 + 383] = 1;
    shared.extend_from_slice(victim);
    let mut stream = vec![0; plaintext.len() + 32];
    sm3::kdf(&shared, &mut stream).expect("not long");
    let (mask, mac_key) = stream.split_at(plaintext.len());
    let c2: Vec<u8> = mask.iter().zip(plaintext).map(|(m, p)| m ^ p).collect();
    let c3 = sm3::digest(&[&c2, mac_key].concat());
    let forged = [&[0; 64][..], &c3, &c2].concat();
    assert!(sm9::Ciphertext::from_bytes(sm9::Mode::Stream, &forged).is_err());

    for infinity in [
        &[0; 64][..],
        &[0; 65],
        &[0],
        &zeros_after(0x04),
        &zeros_after(0x02)[..33],
    ] {
        assert!(G1Point::from_slice(infinity).is_err(), "{infinity:02x?}");
    }
    // The same bytes with a point in place of infinity are read, and fail where the digests are
    // compared.
    let recipient = sm9::EncryptionKey::new(master.public_key(), victim.as_slice()).expect("a key");
    let c1 = recipient.encapsulate(16).expect("a key").1;
    let other = [&c1.to_bytes()[..], &c3, &c2].concat();
    let read = sm9::Ciphertext::from_bytes(sm9::Mode::Stream, &other).expect("a point");
    assert_eq!(key.decrypt(&read).err(), Some(sm9::Error::DecryptionFailed));
}

fn zeros_after(prefix: u8) -> [u8; 65] {
    let mut point = [0; 65];
    point[0] = prefix;
    point
}
