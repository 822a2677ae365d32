//! Signed messages, written and read.

use kuaimi::Threads;
use kuaimi::sm2::Signature;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::message::{
    Attribute, BatchItem, CertificateId, DetachedVerifier, Dialect, Kind, Refusal, SignOptions,
    SignedWriter, Signing, Verifier, VerifyOptions, examine, kind, sign, to_pem, verify,
    verify_batch, verify_detached,
};
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::signer::Deterministic;
use kuaimi_pki::{Error, Signer};

use crate::common::{certificate, identity, private_key};

const CONTENT: &[u8] = b"pay 100 yuan to Bob";

/// Every combination of the options.
fn options() -> Vec<SignOptions> {
    let mut all = Vec::new();
    for dialect in [Dialect::Gm, Dialect::GmSsl, Dialect::Cms] {
        for choice in 0..16 {
            let mut options = SignOptions::new().with_dialect(dialect);
            if choice & 1 != 0 {
                options = options.without_attributes();
            } else if choice & 2 != 0 {
                let time = DateTime::new(2030, 1, 2, 3, 4, 5).expect("a time");
                options = options.with_signing_time(time);
            }
            if choice & 4 != 0 {
                options = options.by_key_identifier();
            }
            if choice & 8 != 0 {
                options = options
                    .with_certificates(&[certificate("ca")])
                    .with_crl(&[0x30, 0]);
            }
            all.push(options);
        }
    }
    all
}

#[test]
fn every_option() {
    let ((alice, alice_key), (bob, bob_key)) = (identity("alice"), identity("bob"));
    let signers: [(_, &dyn Signer); 2] = [(&alice, &alice_key), (&bob, &bob_key)];
    for options in options() {
        for signers in [&signers[..1], &signers[..]] {
            let message = sign(CONTENT, signers, &options).expect("signed");
            assert_eq!(kind(&message), Ok(Kind::Signed));
            let verified = verify(&message, &VerifyOptions::new()).expect("verified");
            assert_eq!(verified.content, CONTENT);
            let found = &verified.verification.signers;
            assert_eq!(found.len(), signers.len());
            for (certificate, _) in signers {
                assert!(
                    found
                        .iter()
                        .any(|it| it.certificate.as_ref() == Some(certificate))
                );
            }
            let text = to_pem(&message);
            assert!(verify(text.as_bytes(), &VerifyOptions::new()).is_ok());

            // In pieces.
            let mut verifier = Verifier::new(
                VerifyOptions::new().with_certificates(&[alice.clone(), bob.clone()]),
            );
            let mut content = Vec::new();
            for byte in &message {
                verifier.push(&[*byte], &mut content).expect("a message");
            }
            let verification = verifier.finish().expect("a message");
            assert_eq!(verification.check(), Ok(()));
            assert_eq!(content, CONTENT);

            // The content elsewhere.
            let message = sign(CONTENT, signers, &options.clone().detached()).expect("signed");
            assert!(verify_detached(&message, CONTENT, &VerifyOptions::new()).is_ok());
            let altered = verify_detached(&message, b"pay 900 yuan", &VerifyOptions::new());
            assert!(matches!(altered, Err(Error::Signer(0, _))), "{altered:?}");
            let without = verify(&message, &VerifyOptions::new());
            assert!(matches!(without, Err(Error::Argument(_))));
            let mut verifier =
                DetachedVerifier::new(&message, VerifyOptions::new()).expect("a message");
            CONTENT.chunks(3).for_each(|piece| verifier.update(piece));
            assert_eq!(verifier.finish().expect("read").check(), Ok(()));
        }
    }
}

#[test]
fn the_time_and_other_attributes() {
    let (alice, key) = identity("alice");
    for year in [1999, 2049, 2050, 2100] {
        let time = DateTime::new(year, 6, 7, 8, 9, 10).expect("a time");
        let more = Attribute::new("1.2.3.4".parse().expect("an oid"), &[4, 1, 7]).expect("DER");
        let options = SignOptions::new()
            .with_signing_time(time)
            .with_attribute(more.clone());
        let message = sign(CONTENT, &[(&alice, &key)], &options).expect("signed");
        let verified = verify(&message, &VerifyOptions::new()).expect("verified");
        let signer = &verified.verification.signers[0];
        assert_eq!(signer.signing_time, Some(time));
        let signed = signer.signed_attributes.as_ref().expect("attributes");
        assert_eq!(signed.len(), 4);
        assert!(signed.contains(&more));
        // UTCTime before 2050, GeneralizedTime from then on.
        let tag = if year < 2050 { 23 } else { 24 };
        assert!(signed.iter().any(|it| it.values()[0][0] == tag));
    }
    let twice = Attribute::new("1.2.840.113549.1.9.3".parse().expect("an oid"), &[5, 0]);
    let options = SignOptions::new().with_attribute(twice.expect("DER"));
    assert!(matches!(
        sign(CONTENT, &[(&alice, &key)], &options),
        Err(Error::Argument(_))
    ));
}

#[test]
fn another_content_type_is_bound() {
    let (alice, key) = identity("alice");
    let other = "1.2.3.4.5".parse().expect("an oid");
    let options = SignOptions::new().with_content_type(other);
    let message = sign(CONTENT, &[(&alice, &key)], &options).expect("signed");
    let verified = verify(&message, &VerifyOptions::new()).expect("verified");
    assert_eq!(verified.verification.content_type, other);
    let without = options.without_attributes();
    assert!(matches!(
        sign(CONTENT, &[(&alice, &key)], &without),
        Err(Error::Argument(_))
    ));
}

#[test]
fn certificates_from_elsewhere() {
    let (alice, key) = identity("alice");
    for options in [SignOptions::new(), SignOptions::new().by_key_identifier()] {
        let options = options.without_certificates();
        let message = sign(CONTENT, &[(&alice, &key)], &options).expect("signed");
        let none = verify(&message, &VerifyOptions::new());
        assert_eq!(none.err(), Some(Error::Signer(0, Refusal::NoCertificate)));
        let given = VerifyOptions::new().with_certificates(&[certificate("bob"), alice.clone()]);
        assert!(verify(&message, &given).is_ok());
    }
}

/// One of two signatures cannot be looked at: the verdicts say which, where `verify` gives nothing.
#[test]
fn a_verdict_for_each_signature() {
    let ((alice, alice_key), (bob, bob_key)) = (identity("alice"), identity("bob"));
    let signers: [(_, &dyn Signer); 2] = [(&alice, &alice_key), (&bob, &bob_key)];
    let options = SignOptions::new().without_certificates();
    let known = VerifyOptions::new().with_certificates(std::slice::from_ref(&alice));
    let check = |examined: Vec<kuaimi_pki::message::SignerResult>| {
        for signer in examined {
            let expected = match signer.certificate {
                Some(_) => Ok(()),
                None => Err(Refusal::NoCertificate),
            };
            assert_eq!(signer.verdict, expected);
        }
    };
    let message = sign(CONTENT, &signers, &options).expect("signed");
    assert!(verify(&message, &known).is_err());
    let examined = examine(&message, None, &known).expect("a message");
    assert_eq!(examined.content, CONTENT);
    assert_eq!(examined.verification.signers.len(), 2);
    check(examined.verification.signers);

    let message = sign(CONTENT, &signers, &options.detached()).expect("signed");
    assert!(verify_detached(&message, CONTENT, &known).is_err());
    let examined = examine(&message, Some(CONTENT), &known).expect("a message");
    check(examined.verification.signers);
    let without = examine(&message, None, &known);
    assert!(matches!(without, Err(Error::Argument(_))));
}

/// Without signed attributes, one pass needs the certificate beforehand, and says so.
#[test]
fn two_passes() {
    let (alice, key) = identity("alice");
    let options = SignOptions::new().without_attributes();
    let message = sign(CONTENT, &[(&alice, &key)], &options).expect("signed");
    let pass = |options| {
        let mut verifier = Verifier::new(options);
        verifier.push(&message, &mut Vec::new()).expect("a message");
        verifier.finish().expect("a message")
    };
    let first = pass(VerifyOptions::new());
    assert_eq!(
        first.signers[0].verdict,
        Err(Refusal::CertificateNeededBefore)
    );
    let second = pass(VerifyOptions::new().with_certificates(&first.certificates));
    assert_eq!(second.check(), Ok(()));
}

#[test]
fn in_two_steps() {
    let (alice, key) = identity("alice");
    for options in [SignOptions::new(), SignOptions::new().without_attributes()] {
        let mut signing =
            Signing::new(std::slice::from_ref(&alice), options.clone()).expect("begun");
        CONTENT.chunks(4).for_each(|piece| signing.update(piece));
        let prepared = signing.prepare().expect("prepared");
        let made = key.sign_digest(&prepared.digests()[0]).expect("signed");
        let made = Signature::from_scalars(&made.r(), &made.s()).expect("a signature");
        let signed = prepared.complete(&[made]).expect("complete");
        let message = signed.attached(CONTENT).expect("the content");
        assert!(verify(&message, &VerifyOptions::new()).is_ok());
        assert!(verify_detached(&signed.detached(), CONTENT, &VerifyOptions::new()).is_ok());
        assert!(signed.attached(b"another").is_err());
        let (before, after) = signed.around();
        assert_eq!([&before, CONTENT, &after].concat(), message);

        // What does not fit is refused at once.
        let prepare = || {
            let signing =
                Signing::new(std::slice::from_ref(&alice), options.clone()).expect("begun");
            signing.prepare().expect("prepared")
        };
        assert_eq!(prepare().complete(&[made]).err(), Some(Error::Signature));
        assert!(matches!(prepare().complete(&[]), Err(Error::Argument(_))));
        let other = Deterministic(kuaimi::sm2::SigningKey::new(private_key("bob")));
        assert!(matches!(prepare().sign(&[&other]), Err(Error::Argument(_))));
    }
    assert!(matches!(
        Signing::new(&[], SignOptions::new()),
        Err(Error::Argument(_))
    ));
    let other = Signing::new(&[certificate("p256")], SignOptions::new());
    assert!(matches!(other, Err(Error::Algorithm(..))));
}

/// DER in memory, BER in pieces, and DER from the length: the fields are the same.
#[test]
fn writers_agree() {
    let (alice, key) = identity("alice");
    let key = Deterministic(key);
    for options in options() {
        let whole = sign(CONTENT, &[(&alice, &key)], &options).expect("signed");
        for length in [None, Some(CONTENT.len() as u64)] {
            let mut message = Vec::new();
            let certificates = std::slice::from_ref(&alice);
            let mut writer = SignedWriter::new(certificates, options.clone(), length, &mut message)
                .expect("begun");
            for piece in CONTENT.chunks(5) {
                writer.push(piece, &mut message).expect("pushed");
            }
            writer.finish(&[&key], &mut message).expect("finished");
            let one = verify(&message, &VerifyOptions::new()).expect("verified");
            let other = verify(&whole, &VerifyOptions::new()).expect("verified");
            assert_eq!(format!("{one:?}"), format!("{other:?}"));
        }
        for length in [CONTENT.len() as u64 - 1, CONTENT.len() as u64 + 1] {
            let mut out = Vec::new();
            let certificates = std::slice::from_ref(&alice);
            let mut writer =
                SignedWriter::new(certificates, options.clone(), Some(length), &mut out)
                    .expect("begun");
            let pushed = writer.push(CONTENT, &mut out);
            assert!(pushed.is_err() || writer.finish(&[&key], &mut out).is_err());
        }
    }
}

#[test]
fn the_empty_identity() {
    let (alice, key) = identity("alice");
    for options in options() {
        let options = options.under_empty_identity();
        let message = sign(CONTENT, &[(&alice, &key)], &options).expect("signed");
        let strict = verify(&message, &VerifyOptions::new());
        assert_eq!(strict.err(), Some(Error::Signer(0, Refusal::Signature)));
        let lenient = VerifyOptions::new().with_identities(Identities::DefaultOrEmpty);
        assert!(verify(&message, &lenient).is_ok());
        let mut verifier = Verifier::new(
            lenient
                .clone()
                .with_certificates(std::slice::from_ref(&alice)),
        );
        verifier.push(&message, &mut Vec::new()).expect("a message");
        assert_eq!(verifier.finish().expect("read").check(), Ok(()));
        let batch = verify_batch(&[BatchItem::new(&message)], &lenient, Threads::One);
        assert!(batch[0].is_ok());
    }
}

#[test]
fn batches() {
    let ((alice, alice_key), (bob, bob_key)) = (identity("alice"), identity("bob"));
    let signers: [(_, &dyn Signer); 2] = [(&alice, &alice_key), (&bob, &bob_key)];
    let mut messages = Vec::new();
    for (place, options) in options().iter().cycle().take(100).enumerate() {
        let content = [CONTENT, &[place as u8]].concat();
        let mut message = sign(&content, &signers, options).expect("signed");
        match place % 7 {
            3 => *message.last_mut().expect("bytes") ^= 1,
            5 => message.truncate(message.len() / 2),
            6 => message = crate::common::replace(&message, CONTENT, b"pay 900 yuan to Bob"),
            _ => {}
        }
        messages.push(message);
    }
    let mut items: Vec<_> = messages.iter().map(|it| BatchItem::new(it)).collect();
    let detached = sign(CONTENT, &signers, &SignOptions::new().detached()).expect("signed");
    items.push(BatchItem::detached(&detached, CONTENT));
    items.push(BatchItem::detached(&detached, b"another"));
    items.push(BatchItem::new(&detached));
    let results = verify_batch(&items, &VerifyOptions::new(), Threads::One);
    assert_eq!(results.len(), items.len());
    let mut good = 0;
    for (message, result) in messages.iter().zip(&results) {
        let single = verify(message, &VerifyOptions::new());
        assert_eq!(format!("{single:?}"), format!("{result:?}"));
        good += usize::from(result.is_ok());
    }
    assert!(good > 50 && good < 70, "{good}");
    assert!(results[100].is_ok() && results[101].is_err() && results[102].is_err());
}

#[test]
fn certificate_identifiers() {
    let (alice, bob) = (certificate("alice"), certificate("bob"));
    for (certificate, other) in [(&alice, &bob), (&bob, &alice)] {
        let ids = [
            CertificateId::issuer_of(certificate),
            CertificateId::key_of(certificate).expect("an identifier"),
        ];
        for id in ids {
            assert!(id.names(certificate) && !id.names(other));
        }
    }
}
