//! Altered, cut and senseless bytes: never a panic, never a verdict that is good.

use getrandom::SysRng;
use kuaimi_pki::Error;
use kuaimi_pki::message::{
    ContentCipher, Decryptor, DetachedVerifier, EncryptOptions, MAX_SIGNERS, SignOptions,
    SignedWriter, Verification, Verifier, VerifyOptions, decrypt, decrypt_under, encrypt,
    encrypt_under, kind, recipients, sign, sign_and_encrypt, verify,
};

use crate::common::{certificate, element, file, identity, private_key};

const CONTENT: &[u8] = b"pay 100 yuan to Bob";

/// Signed messages of all kinds, DER and BER.
fn signed() -> Vec<Vec<u8>> {
    let (alice, key) = identity("alice");
    let mut all = Vec::new();
    let plain = SignOptions::new();
    for options in [
        plain.clone(),
        plain.clone().without_attributes(),
        plain.by_key_identifier(),
    ] {
        all.push(sign(CONTENT, &[(&alice, &key)], &options).expect("signed"));
        let mut out = Vec::new();
        let mut writer = SignedWriter::new(std::slice::from_ref(&alice), options, None, &mut out)
            .expect("begun");
        CONTENT
            .chunks(6)
            .for_each(|piece| writer.push(piece, &mut out).expect("pushed"));
        writer.finish(&[&key], &mut out).expect("finished");
        all.push(out);
    }
    all
}

fn in_pieces(message: &[u8]) -> Result<(Vec<u8>, Verification), Error> {
    let options = VerifyOptions::new().with_certificates(&[certificate("alice")]);
    let mut verifier = Verifier::new(options);
    let mut content = Vec::new();
    for piece in message.chunks(31) {
        verifier.push(piece, &mut content)?;
    }
    Ok((content, verifier.finish()?))
}

#[test]
fn cut_at_every_byte() {
    for message in signed() {
        for length in 0..message.len() {
            let cut = &message[..length];
            assert!(verify(cut, &VerifyOptions::new()).is_err(), "{length}");
            assert!(in_pieces(cut).is_err(), "{length}");
            let _ = kind(cut);
        }
        let longer = [&message[..], &[0]].concat();
        assert!(verify(&longer, &VerifyOptions::new()).is_err());
    }
}

/// What is still verified is the same content, signed by the same key, with the same attributes.
#[test]
fn every_bit() {
    for message in signed() {
        let right = verify(&message, &VerifyOptions::new()).expect("verified");
        let right_signer = &right.verification.signers[0];
        let mut still_good = 0;
        for place in 0..message.len() {
            for bit in 0..8 {
                let mut altered = message.clone();
                altered[place] ^= 1 << bit;
                let one = verify(&altered, &VerifyOptions::new());
                if let Ok(verified) = &one {
                    let signer = &verified.verification.signers[0];
                    assert_eq!(verified.content, right.content);
                    assert_eq!(signer.signed_attributes, right_signer.signed_attributes);
                    assert_eq!(signer.signing_time, right_signer.signing_time);
                    let key = |signer: &kuaimi_pki::message::SignerResult| {
                        let certificate = signer.certificate.clone().expect("a certificate");
                        *certificate.public_key().sm2().expect("SM2").public_key()
                    };
                    assert_eq!(key(signer), key(right_signer));
                    still_good += 1;
                }
                if let Ok((content, verification)) = in_pieces(&altered)
                    && verification.check().is_ok()
                {
                    assert_eq!(content, right.content);
                }
            }
        }
        // The certificate's bits, versions and the like: a minority.
        assert!(still_good < message.len() * 8, "{still_good}");
    }
}

#[test]
fn envelopes_cut_and_altered() {
    let (bob, key) = (certificate("bob"), private_key("bob"));
    let (alice, alice_key) = identity("alice");
    let mut messages = Vec::new();
    for cipher in [ContentCipher::Sm4Cbc, ContentCipher::Sm4Gcm] {
        let options = EncryptOptions::new().with_cipher(cipher);
        messages.push(encrypt(CONTENT, &[&bob], &options, &mut SysRng).expect("encrypted"));
    }
    let signing = SignOptions::new().without_attributes();
    let both = sign_and_encrypt(
        CONTENT,
        &[(&alice, &alice_key)],
        &signing,
        &[&bob],
        &EncryptOptions::new(),
        &mut SysRng,
    );
    messages.push(both.expect("made"));
    let options = EncryptOptions::new();
    messages.push(encrypt_under(CONTENT, &[7; 16], &options, &mut SysRng).expect("encrypted"));
    for (which, message) in messages.iter().enumerate() {
        let open = |message: &[u8]| match which {
            3 => decrypt_under(message, &[7; 16]),
            _ => decrypt(message, &bob, &key),
        };
        assert_eq!(*open(message).expect("opened"), CONTENT);
        for length in 0..message.len() {
            assert!(open(&message[..length]).is_err(), "{length}");
            let _ = recipients(&message[..length]);
        }
        for place in 0..message.len() {
            let mut altered = message.clone();
            altered[place] ^= 1 << (place % 8);
            // GCM and signatures have integrity: what opens is unaltered.
            if let Ok(opened) = open(&altered)
                && (which == 1 || which == 2)
            {
                assert_eq!(*opened, CONTENT, "{which} {place}");
            }
        }
    }
}

/// One error, whatever is wrong with the last block, and wherever the first difference is.
#[test]
fn one_error_without_integrity() {
    let (bob, key) = (certificate("bob"), private_key("bob"));
    let message = encrypt(&[7; 40], &[&bob], &EncryptOptions::new(), &mut SysRng).expect("made");
    let mut failed = 0;
    for place in message.len() - 48..message.len() {
        for bit in 0..8 {
            let mut altered = message.clone();
            altered[place] ^= 1 << bit;
            match decrypt(&altered, &bob, &key) {
                Ok(_) => {}
                Err(error) => {
                    assert_eq!(error, Error::Decryption);
                    failed += 1;
                }
            }
        }
    }
    assert!(failed > 100);
}

fn signed_data(fields: &[&[u8]]) -> Vec<u8> {
    let oid = element(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 2]]);
    element(0x30, &[&oid, &element(0xa0, &[&element(0x30, fields)])])
}

#[test]
fn lengths_that_are_not_there() {
    // 2^40 bytes of content, of certificates, of a digest's name: said in a few bytes.
    let huge = [0x85, 1, 0, 0, 0, 0];
    let oid = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 2];
    let data = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 1];
    let head = [&[0x30, 0x80][..], &oid, &[0xa0, 0x80, 0x30, 0x80, 2, 1, 1]].concat();
    for tail in [
        [&[0x31][..], &huge].concat(),
        [&[0x31, 0, 0x30][..], &huge, &data].concat(),
        [&[0x31, 0, 0x30, 0x80][..], &data, &[0xa0, 0x80, 4], &huge].concat(),
        [&[0x31, 0, 0x30, 0x80][..], &data, &[0, 0, 0xa0], &huge].concat(),
        [&[0x31, 0, 0x30, 0x80][..], &data, &[0, 0, 0x31], &huge].concat(),
    ] {
        let message = [&head[..], &tail].concat();
        assert!(verify(&message, &VerifyOptions::new()).is_err());
        let mut verifier = Verifier::new(VerifyOptions::new());
        let mut out = Vec::new();
        verifier.push(&message, &mut out).expect("a beginning");
        assert!(verifier.finish().is_err());
    }
}

/// More fields than are kept: refused while they come.
#[test]
fn too_many_bytes_of_fields() {
    let data = element(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 1]]);
    // The certificates never end.
    let mut verifier = Verifier::new(VerifyOptions::new());
    let indefinite = [
        &[0x30, 0x80][..],
        &element(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 2]]),
        &[0xa0, 0x80, 0x30, 0x80, 2, 1, 1, 0x31, 0],
        &element(0x30, &[&data]),
        &[0xa0, 0x80],
    ]
    .concat();
    let pushed = verifier.push(&indefinite, &mut Vec::new());
    assert_eq!(pushed, Ok(()));
    let piece = element(0x30, &[&element(4, &[&[7; 60_000]])]);
    let refused = (0..1000).find_map(|_| verifier.push(&piece, &mut Vec::new()).err());
    assert!(matches!(refused, Some(Error::Limit(_))), "{refused:?}");
    assert!(matches!(
        verifier.push(&[], &mut Vec::new()),
        Err(Error::Limit(_))
    ));
    assert!(matches!(verifier.finish(), Err(Error::Limit(_))));
}

#[test]
fn too_many() {
    let (alice, key) = identity("alice");
    let many = vec![(&alice, &key as &dyn kuaimi_pki::Signer); MAX_SIGNERS + 1];
    let refused = sign(CONTENT, &many, &SignOptions::new());
    assert!(matches!(refused, Err(Error::Limit(_))));
    let right = sign(CONTENT, &many[1..], &SignOptions::new()).expect("signed");
    let verified = verify(&right, &VerifyOptions::new()).expect("verified");
    assert_eq!(verified.verification.signers.len(), MAX_SIGNERS);
    // A message of one signer more.
    let one = sign(
        CONTENT,
        &many[..1],
        &SignOptions::new().without_certificates(),
    );
    let one = one.expect("signed");
    let set = one
        .windows(5)
        .rposition(|it| it[0] == 0x31 && it[3] == 0x30 && it[4] == 0x81);
    let info = &one[set.expect("a set") + 3..];
    let data = element(6, &[&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 1]]);
    for (count, limited) in [(MAX_SIGNERS, false), (MAX_SIGNERS + 1, true), (5000, true)] {
        let message = signed_data(&[
            &[2, 1, 1],
            &[0x31, 0],
            &element(0x30, &[&data, &element(0xa0, &[&element(4, &[CONTENT])])]),
            &element(0x31, &[&info.repeat(count)]),
        ]);
        let options = VerifyOptions::new().with_certificates(std::slice::from_ref(&alice));
        let result = verify(&message, &options);
        assert_eq!(
            matches!(result, Err(Error::Limit(_))),
            limited,
            "{count} {result:?}"
        );
    }

    // Thousands of recipients: the one that is meant is found, and no more than a few are tried.
    let bob = certificate("bob");
    let mut recipients = vec![&alice; 5000];
    recipients[4000] = &bob;
    let options = EncryptOptions::new();
    let message = encrypt(CONTENT, &recipients, &options, &mut SysRng).expect("encrypted");
    assert_eq!(
        *decrypt(&message, &bob, &private_key("bob")).expect("opened"),
        CONTENT
    );
    let wrong = decrypt(&message, &alice, &private_key("bob"));
    assert_eq!(wrong, Err(Error::Decryption));
    let refused = encrypt(CONTENT, &vec![&alice; 10_001], &options, &mut SysRng);
    assert!(matches!(refused, Err(Error::Limit(_))));
}

#[test]
fn deep() {
    for tag in [0x30, 0xa0, 0x24, 0x31] {
        let deep = [tag, 0x80].repeat(100_000);
        assert!(verify(&deep, &VerifyOptions::new()).is_err());
        assert!(decrypt_under(&deep, &[7; 16]).is_err());
        let data = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 1];
        let message = [
            &[0x30, 0x80, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 2][..],
            &[0xa0, 0x80, 0x30, 0x80, 2, 1, 1, 0x31, 0, 0x30, 0x80],
            &data,
            &[0xa0, 0x80],
            &deep,
        ]
        .concat();
        assert!(verify(&message, &VerifyOptions::new()).is_err());
    }
}

#[test]
fn other_files() {
    for name in ["alice.pem", "alice.key", "rsa.pem", "identity.rs"] {
        let bytes = file(name);
        assert!(verify(&bytes, &VerifyOptions::new()).is_err());
        assert!(kind(&bytes).is_err());
        assert!(decrypt_under(&bytes, &[7; 16]).is_err());
        assert!(DetachedVerifier::new(&bytes, VerifyOptions::new()).is_err());
    }
    let key = private_key("bob");
    assert!(
        Decryptor::without_certificate(&key)
            .finish(&mut Vec::new())
            .is_err()
    );
    assert!(Verifier::new(VerifyOptions::new()).finish().is_err());
    assert!(verify(&[], &VerifyOptions::new()).is_err());
    assert!(verify(certificate("alice").as_der(), &VerifyOptions::new()).is_err());
}
