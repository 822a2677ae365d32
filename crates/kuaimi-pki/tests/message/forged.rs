//! Messages that a signer's key has signed, but not as the standards ask for; and attacks.

use kuaimi::sm2::SigningKey;
use kuaimi_pki::message::{
    CertificateId, Refusal, SignOptions, Verification, Verifier, VerifyOptions, sign, verify,
    verify_detached,
};
use kuaimi_pki::{Certificate, Error};

use crate::common::{certificate, element, identity, private_key, replace};

const DATA: [u32; 7] = [1, 2, 840, 113_549, 1, 7, 1];
const CONTENT_TYPE: [u32; 7] = [1, 2, 840, 113_549, 1, 9, 3];
const DIGEST: [u32; 7] = [1, 2, 840, 113_549, 1, 9, 4];
const TIME: [u32; 7] = [1, 2, 840, 113_549, 1, 9, 5];
const COUNTER: [u32; 7] = [1, 2, 840, 113_549, 1, 9, 6];
const TIME_STAMP: [u32; 9] = [1, 2, 840, 113_549, 1, 9, 16, 2, 14];
const SM3: [u32; 6] = [1, 2, 156, 10_197, 1, 401];
const SHA256: [u32; 9] = [2, 16, 840, 1, 101, 3, 4, 2, 1];
const SM2: [u32; 6] = [1, 2, 156, 10_197, 1, 501];
const ECDSA: [u32; 7] = [1, 2, 840, 10_045, 4, 3, 2];

fn oid(arcs: &[u32]) -> Vec<u8> {
    let mut content = vec![(arcs[0] * 40 + arcs[1]) as u8];
    for arc in &arcs[2..] {
        let mut bytes = vec![(arc & 0x7f) as u8];
        let mut rest = arc >> 7;
        while rest > 0 {
            bytes.insert(0, (rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        content.extend(bytes);
    }
    element(6, &[&content])
}

fn algorithm(arcs: &[u32]) -> Vec<u8> {
    element(0x30, &[&oid(arcs)])
}

fn attribute(arcs: &[u32], values: &[&[u8]]) -> Vec<u8> {
    element(0x30, &[&oid(arcs), &element(0x31, values)])
}

/// A signer that does as it is told.
struct Forger {
    certificate: Certificate,
    key: SigningKey,
    digest: Vec<u8>,
    algorithm: Vec<u8>,
    unsigned: Vec<u8>,
}

impl Forger {
    fn new() -> Self {
        let (certificate, key) = identity("alice");
        Self {
            certificate,
            key,
            digest: algorithm(&SM3),
            algorithm: algorithm(&SM2),
            unsigned: Vec::new(),
        }
    }

    /// SignerInfo with `signature`; `attributes` is the content of the set.
    fn info(&self, attributes: Option<&[u8]>, signature: &[u8]) -> Vec<u8> {
        let CertificateId::Issuer { issuer, serial } = CertificateId::issuer_of(&self.certificate)
        else {
            panic!("by issuer");
        };
        let id = element(0x30, &[&issuer, &element(2, &[&serial])]);
        let attributes = attributes.map_or(Vec::new(), |it| element(0xa0, &[it]));
        let signature = element(4, &[signature]);
        element(
            0x30,
            &[
                &[2, 1, 1],
                &id,
                &self.digest,
                &attributes,
                &self.algorithm,
                &signature,
                &self.unsigned,
            ],
        )
    }

    fn sign(&self, signed: &[u8]) -> Vec<u8> {
        self.key
            .sign_deterministic(signed)
            .to_der()
            .as_bytes()
            .to_vec()
    }

    /// A message whose attributes are signed in the order that they have.
    fn with_attributes(&self, content: &[u8], attributes: &[Vec<u8>]) -> Vec<u8> {
        let attributes = attributes.concat();
        let signature = self.sign(&element(0x31, &[&attributes]));
        message(
            &DATA,
            content,
            &[self.info(Some(&attributes), &signature)],
            &[&self.certificate],
        )
    }
}

fn message(
    content_type: &[u32],
    content: &[u8],
    infos: &[Vec<u8>],
    all: &[&Certificate],
) -> Vec<u8> {
    let octets = element(0xa0, &[&element(4, &[content])]);
    let certificates: Vec<u8> = all.iter().flat_map(|it| it.as_der().to_vec()).collect();
    let body = element(
        0x30,
        &[
            &[2, 1, 1],
            &element(0x31, &[&algorithm(&SM3), &algorithm(&SHA256)]),
            &element(0x30, &[&oid(content_type), &octets]),
            &element(0xa0, &[&certificates]),
            &element(0x31, &[&infos.concat()]),
        ],
    );
    let signed = oid(&[1, 2, 840, 113_549, 1, 7, 2]);
    element(0x30, &[&signed, &element(0xa0, &[&body])])
}

const CONTENT: &[u8] = b"a content";

fn good_attributes() -> [Vec<u8>; 2] {
    [
        attribute(&CONTENT_TYPE, &[&oid(&DATA)]),
        attribute(&DIGEST, &[&element(4, &[&kuaimi::sm3::digest(CONTENT)])]),
    ]
}

/// The verdict from memory, which must be the one from pieces.
fn verdict(message: &[u8]) -> Result<(), Refusal> {
    let mut verifier =
        Verifier::new(VerifyOptions::new().with_certificates(&[certificate("alice")]));
    let mut content = Vec::new();
    for piece in message.chunks(7) {
        verifier.push(piece, &mut content).expect("a message");
    }
    let verification: Verification = verifier.finish().expect("a message");
    let result = verification.signers[0].verdict;
    match verify(message, &VerifyOptions::new()) {
        Ok(_) => assert_eq!(result, Ok(())),
        Err(error) => assert_eq!(Err(error), result.map_err(|why| Error::Signer(0, why))),
    }
    result
}

#[test]
fn attributes_that_are_wrong() {
    let forger = Forger::new();
    let [content_type, digest] = good_attributes();
    let of = |attributes: &[Vec<u8>]| verdict(&forger.with_attributes(CONTENT, attributes));
    assert_eq!(of(&[content_type.clone(), digest.clone()]), Ok(()));
    let other_type = attribute(&CONTENT_TYPE, &[&oid(&[1, 2, 3])]);
    let two_digests = attribute(&DIGEST, &[&digest[15..], &digest[15..]]);
    let time = attribute(&TIME, &[&element(23, &[b"300101000000Z"])]);
    let no_time = attribute(&TIME, &[&element(23, &[b"yesterday"])]);
    let [one, two] = [content_type.clone(), digest.clone()];
    for (attributes, why) in [
        (vec![one.clone()], "no digest"),
        (vec![two.clone()], "no content type"),
        (vec![], "nothing"),
        (vec![one.clone(), two.clone(), two.clone()], "two digests"),
        (
            vec![one.clone(), one.clone(), two.clone()],
            "two content types",
        ),
        (
            vec![one.clone(), time.clone(), time.clone(), two.clone()],
            "two times",
        ),
        (vec![one.clone(), two_digests], "two values"),
        (vec![other_type, two.clone()], "another content type"),
        (vec![one.clone(), no_time, two.clone()], "no time"),
        (vec![attribute(&CONTENT_TYPE, &[]), two.clone()], "no value"),
        (
            vec![attribute(&CONTENT_TYPE, &[&[5, 0]]), two.clone()],
            "no oid",
        ),
        (
            vec![one.clone(), attribute(&DIGEST, &[&[5, 0]])],
            "no octets",
        ),
    ] {
        let result = of(&attributes);
        assert!(
            matches!(result, Err(Refusal::Attributes(_))),
            "{why}: {result:?}"
        );
    }
    let short = attribute(
        &DIGEST,
        &[&element(4, &[&kuaimi::sm3::digest(CONTENT)[..31]])],
    );
    assert_eq!(of(&[one.clone(), short]), Err(Refusal::Content));
    let other = attribute(&DIGEST, &[&element(4, &[&kuaimi::sm3::digest(b"another")])]);
    assert_eq!(of(&[one, other]), Err(Refusal::Content));
}

/// Attributes that are not sorted are verified in DER's order, and as they came.
#[test]
fn order_of_attributes() {
    let forger = Forger::new();
    let [content_type, digest] = good_attributes();
    let unsorted = [digest.clone(), content_type.clone()].concat();
    assert!(content_type < digest);
    let sorted = [content_type, digest].concat();
    for signed in [&sorted, &unsorted] {
        let signature = forger.sign(&element(0x31, &[signed]));
        let info = forger.info(Some(&unsorted), &signature);
        let message = message(&DATA, CONTENT, &[info], &[&forger.certificate]);
        assert_eq!(verdict(&message), Ok(()));
    }
    // The set as it stands there, under its own tag, is not what is signed.
    let signature = forger.sign(&element(0xa0, &[&sorted]));
    let info = forger.info(Some(&sorted), &signature);
    let message = message(&DATA, CONTENT, &[info], &[&forger.certificate]);
    assert_eq!(verdict(&message), Err(Refusal::Signature));
}

#[test]
fn algorithms_that_do_not_fit() {
    let [one, two] = good_attributes();
    let attributes = [one, two];
    let mut forger = Forger::new();
    forger.algorithm = algorithm(&ECDSA);
    let message = forger.with_attributes(CONTENT, &attributes);
    assert!(matches!(verdict(&message), Err(Refusal::Algorithm(_))));
    let mut forger = Forger::new();
    forger.digest = algorithm(&SHA256);
    let sha256 = <sha2::Sha256 as sha2::Digest>::digest(CONTENT);
    let digest = attribute(&DIGEST, &[&element(4, &[&sha256])]);
    let message = forger.with_attributes(CONTENT, &[attributes[0].clone(), digest]);
    assert!(matches!(verdict(&message), Err(Refusal::Algorithm(_))));
    forger.digest = algorithm(&[1, 2, 3, 4]);
    let message = forger.with_attributes(CONTENT, &attributes);
    assert!(matches!(verdict(&message), Err(Refusal::Algorithm(_))));
    // A certificate of another algorithm.
    let mut forger = Forger::new();
    forger.certificate = certificate("p256");
    let message = forger.with_attributes(CONTENT, &attributes);
    assert!(verify(&message, &VerifyOptions::new()).is_err());
    // Another's certificate.
    forger.certificate = certificate("bob");
    let message = forger.with_attributes(CONTENT, &attributes);
    assert_eq!(
        verify(&message, &VerifyOptions::new()).err(),
        Some(Error::Signer(0, Refusal::Signature))
    );
}

#[test]
fn no_signer() {
    for (infos, content) in [(&[][..], CONTENT), (&[], b"")] {
        let message = message(&DATA, content, infos, &[&certificate("alice")]);
        let result = verify(&message, &VerifyOptions::new());
        assert!(matches!(result, Err(Error::Structure(..))), "{result:?}");
        let mut verifier = Verifier::new(VerifyOptions::new());
        verifier.push(&message, &mut Vec::new()).expect("a message");
        let verification = verifier.finish().expect("a message");
        assert!(verification.check().is_err());
        assert_eq!(verification.certificates.len(), 1);
    }
    let (alice, key) = identity("alice");
    let signed = sign(CONTENT, &[(&alice, &key)], &SignOptions::new().detached()).expect("signed");
    // Its set of signers, empty.
    let info = signed.len()
        - signed
            .iter()
            .rev()
            .position(|byte| *byte == 0x31)
            .expect("a set");
    assert!(info > 0);
    assert!(verify_detached(&[], CONTENT, &VerifyOptions::new()).is_err());
}

/// An attacker takes the signature of attributes for one of their DER as content.
#[test]
fn attributes_as_content() {
    let forger = Forger::new();
    let attributes = good_attributes().concat();
    let content = element(0x31, &[&attributes]);
    let signature = forger.sign(&content);
    let info = forger.info(None, &signature);
    let forged = message(
        &DATA,
        &content,
        std::slice::from_ref(&info),
        &[&forger.certificate],
    );
    assert_eq!(verdict(&forged), Err(Refusal::Ambiguous));
    // Also with attributes so long that a stream does not keep them.
    let long = attribute(&[1, 2, 3], &[&element(4, &[&[7; 40_000]])]);
    let content = element(0x31, &[&attributes, &long]);
    let info = forger.info(None, &forger.sign(&content));
    let forged = message(&DATA, &content, &[info], &[&forger.certificate]);
    assert_eq!(verdict(&forged), Err(Refusal::Ambiguous));

    // Any other content without attributes is what it is; of another type it is not bound.
    let info = forger.info(None, &forger.sign(b"1 content"));
    let plain = message(
        &DATA,
        b"1 content",
        std::slice::from_ref(&info),
        &[&forger.certificate],
    );
    assert_eq!(verdict(&plain), Ok(()));
    let other = message(&[1, 2, 3], b"1 content", &[info], &[&forger.certificate]);
    assert_eq!(verdict(&other), Err(Refusal::Ambiguous));
}

/// A certificate of the signer's name with another key does not hide the right one.
#[test]
fn another_certificate_of_the_same_name() {
    let forger = Forger::new();
    let alice = &forger.certificate;
    let (old, new) = (private_key("alice"), private_key("bob"));
    let (old, new) = (
        old.public_key().to_sec1_bytes(),
        new.public_key().to_sec1_bytes(),
    );
    let fake = Certificate::from_der(&replace(alice.as_der(), &old, &new)).expect("a certificate");
    let attributes = good_attributes().concat();
    let info = forger.info(
        Some(&attributes),
        &forger.sign(&element(0x31, &[&attributes])),
    );
    for certificates in [[&fake, alice], [alice, &fake]] {
        let message = message(&DATA, CONTENT, std::slice::from_ref(&info), &certificates);
        let verified = verify(&message, &VerifyOptions::new()).expect("verified");
        let signer = &verified.verification.signers[0];
        assert_eq!(signer.certificate.as_ref(), Some(alice));
    }
}

#[test]
fn counter_signatures() {
    let mut forger = Forger::new();
    let attributes = good_attributes().concat();
    let signature = forger.sign(&element(0x31, &[&attributes]));
    let (certificate, key) = identity("bob");
    let bob = Forger {
        certificate,
        key,
        ..Forger::new()
    };
    let digest = |of: &[u8]| attribute(&DIGEST, &[&element(4, &[&kuaimi::sm3::digest(of)])]);
    let counter =
        |attributes: &[u8]| bob.info(Some(attributes), &bob.sign(&element(0x31, &[attributes])));
    let good = counter(&digest(&signature));
    let other = counter(&digest(b"another"));
    let with_type = counter(&good_attributes().concat());
    let plain = bob.info(None, &bob.sign(&signature));
    let values: [&[u8]; 5] = [&good, &other, &with_type, &plain, &[5, 0]];
    let stamp = element(0x30, &[&[5, 0]]);
    let stamps = attribute(&TIME_STAMP, &[&stamp]);
    forger.unsigned = element(0xa1, &[&attribute(&COUNTER, &values), &stamps]);
    let info = forger.info(Some(&attributes), &signature);
    let message = message(
        &DATA,
        CONTENT,
        &[info],
        &[&forger.certificate, &bob.certificate],
    );
    assert_eq!(verdict(&message), Ok(()));
    let verified = verify(&message, &VerifyOptions::new()).expect("verified");
    let signer = &verified.verification.signers[0];
    assert_eq!(signer.unsigned_attributes[0].values().len(), 5);
    assert_eq!(signer.time_stamps().collect::<Vec<_>>(), [&stamp[..]]);
    let counters = &signer.counter_signatures;
    let verdicts: Vec<_> = counters.iter().map(|it| it.verdict).collect();
    assert_eq!(verdicts[..2], [Ok(()), Err(Refusal::Content)]);
    assert!(matches!(verdicts[2], Err(Refusal::Attributes(_))));
    assert_eq!(verdicts[3..], [Ok(())]);
    assert_eq!(counters[0].certificate.as_ref(), Some(&bob.certificate));
}
