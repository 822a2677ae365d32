//! Signatures and ciphertexts as bytes: the standard's example, round trips, and everything that is
//! not an encoding.

use kuaimi::encoding::Error;
use kuaimi::sm2::{self, Ciphertext, CiphertextForm, PrivateKey, PublicKey, Signature, parameters};

fn vector(section: &str, name: &str) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/sm2.json");
    let text = std::fs::read_to_string(path).expect("vectors/sm2.json is part of the repository");
    let all: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    hex::decode(all[section][name].as_str().expect("a string")).expect("hexadecimal")
}

fn secret() -> PrivateKey {
    PrivateKey::from_slice(&vector("encryption", "d")).expect("a private key")
}

fn example() -> Ciphertext {
    let point = PublicKey::from_sec1_bytes(&vector("encryption", "c1")).expect("a point");
    let digest = vector("encryption", "c3").try_into().expect("32 bytes");
    Ciphertext::from_parts(point, digest, vector("encryption", "c2")).expect("a ciphertext")
}

/// `SEQUENCE` of the contents, with a short length.
fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    assert!(body.len() < 0x80);
    [&[0x30, body.len() as u8][..], &body].concat()
}

fn integer(content: &[u8]) -> Vec<u8> {
    [&[2, content.len() as u8][..], content].concat()
}

#[test]
fn the_example_in_der() {
    let der = vector("encryption", "der_gmt0009");
    assert_eq!(example().to_der(), der);
    assert_eq!(Ciphertext::from_der(&der), Ok(example()));
    let (message, form) = secret().decrypt_bytes(&der).expect("it decrypts");
    assert_eq!(*message, b"encryption standard");
    assert_eq!(form, CiphertextForm::Der);
}

#[test]
fn every_form_is_found_and_read_back() {
    let mut messages = vec![
        vec![7u8; 1],
        vec![8; 31],
        vec![9; 33],
        vec![1; 128],
        vec![2; 300],
    ];
    messages.push((0..70_000u32).map(|i| i as u8).collect());
    for message in messages {
        let ciphertext = secret().public_key().encrypt(&message).expect("encrypts");
        for &form in CiphertextForm::ALL {
            let bytes = ciphertext.to_bytes(form);
            assert_eq!(
                Ciphertext::from_bytes(form, &bytes).as_ref(),
                Ok(&ciphertext)
            );
            assert!(CiphertextForm::detect(&bytes).contains(&form), "{form}");
            let (plain, found) = secret().decrypt_bytes(&bytes).expect("decrypts");
            assert_eq!(*plain, message);
            assert_eq!(found, form);
            assert_eq!(form.name().parse(), Ok(form));
        }
        // With a compressed and a hybrid point, as some write it.
        let raw = ciphertext.to_bytes(CiphertextForm::C1C3C2);
        let compressed = [&ciphertext.point().to_compressed_bytes()[..], &raw[65..]].concat();
        let hybrid = [&[6 | raw[64] & 1][..], &raw[1..]].concat();
        for bytes in [compressed, hybrid] {
            assert_eq!(
                Ciphertext::from_bytes(CiphertextForm::C1C3C2, &bytes).as_ref(),
                Ok(&ciphertext)
            );
            let (plain, found) = secret().decrypt_bytes(&bytes).expect("decrypts");
            assert_eq!((&*plain, found), (&message, CiphertextForm::C1C3C2));
        }
    }
}

#[test]
fn the_candidates_are_in_order() {
    let ciphertext = example();
    let forms = |form| CiphertextForm::detect(&ciphertext.to_bytes(form));
    use CiphertextForm::*;
    assert_eq!(forms(Der), [Der]);
    assert_eq!(forms(C1C3C2), [C1C3C2, C1C2C3]);
    assert_eq!(forms(C1C2C3), [C1C3C2, C1C2C3]);
    assert_eq!(forms(BareC1C3C2), [BareC1C3C2, BareC1C2C3]);
    assert_eq!(forms(BareC1C2C3), [BareC1C3C2, BareC1C2C3]);
    assert_eq!(CiphertextForm::detect(&[]), []);
    assert_eq!(CiphertextForm::detect(&[4; 200]), []);
    // A point alone, or with a digest, holds no message.
    assert_eq!(
        CiphertextForm::detect(&ciphertext.to_bytes(C1C3C2)[..97]),
        []
    );
}

#[test]
fn a_truncated_ciphertext_is_an_error() {
    for &form in CiphertextForm::ALL {
        let bytes = example().to_bytes(form);
        // The raw forms say nothing of the message's length: only what leaves no message is too
        // short to read.
        let needed = match form {
            CiphertextForm::Der => bytes.len(),
            CiphertextForm::C1C3C2 | CiphertextForm::C1C2C3 => 98,
            _ => 97,
        };
        for length in 0..bytes.len() {
            let read = Ciphertext::from_bytes(form, &bytes[..length]);
            assert_eq!(
                read.is_err(),
                length < needed,
                "{form} cut to {length} bytes"
            );
            assert_eq!(
                secret().decrypt_bytes(&bytes[..length]),
                Err(sm2::Error::DecryptionFailed),
                "{form} cut to {length} bytes"
            );
        }
    }
}

#[test]
fn a_ciphertext_with_a_flipped_bit_does_not_decrypt() {
    for &form in CiphertextForm::ALL {
        let bytes = example().to_bytes(form);
        for bit in 0..8 * bytes.len() {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            // 04 turned into the hybrid 06 is the same point where its y is even; this one's is.
            if bit == 1 && matches!(form, CiphertextForm::C1C3C2 | CiphertextForm::C1C2C3) {
                assert!(secret().decrypt_bytes(&altered).is_ok());
                continue;
            }
            assert_eq!(
                secret().decrypt_bytes(&altered),
                Err(sm2::Error::DecryptionFailed),
                "{form}, bit {bit}"
            );
            let _ = Ciphertext::from_der_lenient(&altered);
        }
    }
}

#[test]
fn only_strict_der_is_a_ciphertext() {
    let (x, y) = (parameters::gx(), parameters::gy());
    let (c3, c2) = (
        [4, 32].into_iter().chain([0x55; 32]).collect::<Vec<u8>>(),
        [4, 1, 9],
    );
    let strict = sequence(&[&integer(&x), &integer(&[&[0][..], &y].concat()), &c3, &c2]);
    let ciphertext = Ciphertext::from_der(&strict).expect("strict DER");
    assert_eq!(ciphertext.to_der(), strict);

    let lenient = |bytes: Vec<u8>, reason: Error| {
        assert_eq!(Ciphertext::from_der(&bytes), Err(reason));
        assert_eq!(
            Ciphertext::from_der_lenient(&bytes).as_ref(),
            Ok(&ciphertext)
        );
    };
    let y0 = integer(&[&[0][..], &y].concat());
    lenient([&strict[..], &[0]].concat(), Error::TrailingBytes);
    lenient(
        sequence(&[&integer(&x), &integer(&y), &c3, &c2]),
        Error::NegativeInteger,
    );
    lenient(
        sequence(&[&integer(&[&[0][..], &x].concat()), &y0, &c3, &c2]),
        Error::NonMinimalInteger,
    );
    lenient(
        [&[0x30, 0x81][..], &strict[1..]].concat(),
        Error::NonMinimalLength,
    );
    lenient(
        [&[0x30, 0x82, 0][..], &strict[1..]].concat(),
        Error::NonMinimalLength,
    );
    lenient(
        sequence(&[&integer(&x), &y0, &c3, &[4, 0x81, 1, 9]]),
        Error::NonMinimalLength,
    );

    let refused = |bytes: Vec<u8>, reason: Error| {
        assert_eq!(Ciphertext::from_der(&bytes), Err(reason.clone()));
        assert_eq!(Ciphertext::from_der_lenient(&bytes), Err(reason));
    };
    let content = |error: sm2::Error| Error::Sm2(error);
    refused(
        sequence(&[&integer(&x), &y0, &c3, &[4, 0]]),
        content(sm2::Error::EmptyMessage),
    );
    refused(
        sequence(&[&integer(&x), &y0, &c3[..], &c2, &[5, 0]]),
        Error::TrailingBytes,
    );
    refused(
        sequence(&[&integer(&x), &y0, &[4, 2, 0, 0], &c2]),
        Error::DigestLength(2),
    );
    refused(
        sequence(&[&integer(&x), &y0, &[4, 0], &c2]),
        Error::DigestLength(0),
    );
    refused(
        sequence(&[&integer(&x), &integer(&x), &c3, &c2]),
        content(sm2::Error::NotOnCurve),
    );
    let p = [&[0][..], &parameters::p()].concat();
    refused(
        sequence(&[&integer(&p), &y0, &c3, &c2]),
        content(sm2::Error::CoordinateRange),
    );
    refused(
        sequence(&[&integer(&[1; 33]), &y0, &c3, &c2]),
        content(sm2::Error::CoordinateRange),
    );
    refused(
        sequence(&[&[4, 1, 1], &y0, &c3, &c2]),
        Error::UnexpectedTag {
            expected: 2,
            found: 4,
        },
    );
    // BER's indefinite length.
    refused(
        [&[0x30, 0x80][..], &strict[2..], &[0, 0]].concat(),
        Error::NonMinimalLength,
    );
    // Lengths that no memory holds.
    refused([&[0x30, 0x88][..], &[0xff; 8]].concat(), Error::Truncated);
    refused(
        [&[0x30, 0x0b, 2, 0x88][..], &[0xff; 8], &[0]].concat(),
        Error::Truncated,
    );
}

#[test]
fn signatures_round_trip() {
    for (r, s, length) in [
        ([0x11; 32], [0x22; 32], 70),
        ([0xaa; 32], [0x22; 32], 71),
        ([0xaa; 32], [0xbb; 32], 72),
        (small(1), small(0x7f), 8),
        (small(1), small(0x80), 9),
        (small(0xff00), [0x33; 32], 41),
    ] {
        let signature = Signature::from_scalars(&r, &s).expect("in range");
        let der = signature.to_der();
        assert_eq!(der.as_bytes().len(), length);
        assert_eq!(Signature::from_der(der.as_ref()), Ok(signature));
        assert_eq!(Signature::from_der_lenient(der.as_ref()), Ok(signature));
    }
}

/// A small number in 32 bytes.
fn small(value: u16) -> [u8; 32] {
    let mut out = [0; 32];
    out[30..].copy_from_slice(&value.to_be_bytes());
    out
}

#[test]
fn a_truncated_or_altered_signature_is_an_error_or_another_signature() {
    let signature = Signature::from_scalars(&[0xaa; 32], &[0x22; 32]).expect("in range");
    let der = signature.to_der();
    for length in 0..der.as_bytes().len() {
        let cut = &der.as_bytes()[..length];
        assert_eq!(Signature::from_der(cut), Err(Error::Truncated));
        assert_eq!(Signature::from_der_lenient(cut), Err(Error::Truncated));
    }
    for bit in 0..8 * der.as_bytes().len() {
        let mut altered = der.as_bytes().to_vec();
        altered[bit / 8] ^= 1 << (bit % 8);
        for read in [
            Signature::from_der(&altered),
            Signature::from_der_lenient(&altered),
        ] {
            assert_ne!(read, Ok(signature), "bit {bit}");
        }
        // Strict DER is the only encoding of what it encodes.
        if let Ok(other) = Signature::from_der(&altered) {
            assert_eq!(other.to_der().as_bytes(), altered, "bit {bit}");
        }
    }
}

#[test]
fn only_strict_der_is_a_signature() {
    let signature = Signature::from_scalars(&[0xaa; 32], &small(5)).expect("in range");
    let r = integer(&[&[0][..], &[0xaa; 32]].concat());
    let s = integer(&[5]);
    assert_eq!(signature.to_der().as_bytes(), sequence(&[&r, &s]));

    let lenient = |bytes: Vec<u8>, reason: Error| {
        assert_eq!(Signature::from_der(&bytes), Err(reason));
        assert_eq!(Signature::from_der_lenient(&bytes), Ok(signature));
    };
    lenient(
        [&sequence(&[&r, &s])[..], &[0, 0]].concat(),
        Error::TrailingBytes,
    );
    lenient(
        sequence(&[&integer(&[0xaa; 32]), &s]),
        Error::NegativeInteger,
    );
    lenient(sequence(&[&r, &integer(&[0, 5])]), Error::NonMinimalInteger);
    lenient(
        sequence(&[&r, &integer(&small(5))]),
        Error::NonMinimalInteger,
    );
    lenient(sequence(&[&r, &[2, 0x81, 1, 5]]), Error::NonMinimalLength);
    lenient(
        sequence(&[&r, &[2, 0x84, 0, 0, 0, 1, 5]]),
        Error::NonMinimalLength,
    );

    let refused = |bytes: Vec<u8>, reason: Error| {
        assert_eq!(Signature::from_der(&bytes), Err(reason.clone()));
        assert_eq!(Signature::from_der_lenient(&bytes), Err(reason));
    };
    refused(vec![], Error::Truncated);
    refused(sequence(&[]), Error::Truncated);
    refused(sequence(&[&r]), Error::Truncated);
    // An integer without a byte: no DER at all, leniently a zero.
    assert_eq!(
        Signature::from_der(&sequence(&[&r, &integer(&[])])),
        Err(Error::Truncated)
    );
    refused(sequence(&[&r, &s, &s]), Error::TrailingBytes);
    refused(
        sequence(&[&s, &integer(&[0])]),
        Error::Sm2(sm2::Error::SignatureS),
    );
    refused(
        sequence(&[&integer(&[0]), &s]),
        Error::Sm2(sm2::Error::SignatureR),
    );
    let n = integer(&[&[0][..], &parameters::n()].concat());
    refused(sequence(&[&n, &s]), Error::Sm2(sm2::Error::SignatureR));
    refused(sequence(&[&s, &n]), Error::Sm2(sm2::Error::SignatureS));
    refused(
        sequence(&[&integer(&[1; 33]), &s]),
        Error::Sm2(sm2::Error::SignatureR),
    );
    let mut complement = parameters::n();
    complement[31] -= 5;
    refused(
        sequence(&[&s, &integer(&[&[0][..], &complement].concat())]),
        Error::Sm2(sm2::Error::SignatureT),
    );
    refused(
        [&[0x31][..], &sequence(&[&r, &s])[1..]].concat(),
        Error::UnexpectedTag {
            expected: 0x30,
            found: 0x31,
        },
    );
}
