//! Extensions of a trust anchor, an authority and an end certificate, which are signed as they
//! come: alone and in a batch, the verdict is the same.

use std::sync::OnceLock;

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::Threads;
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::chain::{PeerName, Policy, Presented, Purpose as Use, Verifier};
use kuaimi_pki::crl::{Crl, CrlBuilder};
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::external::der::asn1::ObjectIdentifier;
use kuaimi_pki::ocsp::{CertId, HashAlgorithm, Response, ResponseBuilder, Status};
use kuaimi_pki::signer::Deterministic;
use kuaimi_pki::{Certificate, name, oid};

use crate::der::Tree;

/// 2026-06-01 00:00:00 UTC.
pub const NOW: u64 = 1_780_272_000;

/// A trust anchor and what it made.
pub struct World {
    pub root: Certificate,
    pub end: Certificate,
    pub issued: Vec<Certificate>,
    pub list: Crl,
    pub response: Response,
    pub verifier: Verifier,
}

fn key(seed: u8) -> Deterministic {
    let secret = PrivateKey::from_bytes(&[seed; 32]).expect("in range");
    Deterministic(SigningKey::new(secret))
}

/// An extension: its identifier, whether it is critical, its content.
type Extension = (ObjectIdentifier, bool, Vec<u8>);

fn make(
    subject: &str,
    seed: u8,
    purpose: Purpose,
    extensions: &[Extension],
    issuer: Option<(&Certificate, u8)>,
) -> Certificate {
    let first = "2026-01-01T00:00:00Z".parse().expect("a date");
    let validity = Validity::days(first, 365).expect("not too long");
    let subject = name::parse(subject).expect("a name");
    let mut builder = CertificateBuilder::new(subject, key(seed).0.public_key(), validity)
        .purpose(purpose)
        .and_then(|builder| builder.serial(&[seed]))
        .expect("well formed");
    for (id, critical, content) in extensions {
        let added = builder.extensions().set_der(*id, *critical, content);
        added.expect("short enough");
    }
    match issuer {
        Some((issuer, seed)) => builder.sign(issuer, &key(seed)),
        None => builder.self_sign(&key(seed)),
    }
    .expect("well formed")
}

const AUTHORITY: Purpose = Purpose::Authority { path_len: None };

impl World {
    pub fn get() -> &'static Self {
        static WORLD: OnceLock<World> = OnceLock::new();
        WORLD.get_or_init(|| {
            let root = make("CN=root", 1, AUTHORITY, &[], None);
            let end = make("CN=end", 2, Purpose::Server, &[], Some((&root, 1)));
            let list = CrlBuilder::new(&root, NOW, NOW + 1000).and_then(|list| {
                let list = list.number(7).revoke(&[9], NOW, None)?;
                list.sign(&key(1))
            });
            let id = CertId::new(HashAlgorithm::Sm3, &root, end.serial());
            let response = ResponseBuilder::new(&root, NOW).and_then(|response| {
                let response = response.say(id, Status::Good, NOW, Some(NOW + 1000))?;
                response.sign(&key(1))
            });
            Self {
                issued: vec![root.clone(), end.clone()],
                list: list.expect("well formed"),
                response: response.expect("well formed"),
                verifier: Verifier::new([&root]),
                root,
                end,
            }
        })
    }
}

const KNOWN: [ObjectIdentifier; 12] = [
    oid::NAME_CONSTRAINTS,
    oid::SUBJECT_ALT_NAME,
    oid::CERTIFICATE_POLICIES,
    oid::POLICY_MAPPINGS,
    oid::POLICY_CONSTRAINTS,
    oid::INHIBIT_ANY_POLICY,
    oid::BASIC_CONSTRAINTS,
    oid::KEY_USAGE,
    oid::EXTENDED_KEY_USAGE,
    oid::CRL_DISTRIBUTION_POINTS,
    oid::FRESHEST_CRL,
    oid::OCSP_NO_CHECK,
];

fn extensions(u: &mut Unstructured<'_>) -> arbitrary::Result<Vec<Extension>> {
    let mut found = Vec::new();
    for _ in 0..u.int_in_range(0..=3)? {
        let id = *u.choose(&KNOWN)?;
        let content = match u.int_in_range(0..=3)? {
            0 => <&[u8]>::arbitrary(u)?.to_vec(),
            1 => Tree::arbitrary(u)?.bytes().to_vec(),
            _ => likely(id, u)?,
        };
        found.push((id, u.arbitrary()?, content));
    }
    Ok(found)
}

/// Names, subtrees or policies that are well formed but for their texts.
fn likely(id: ObjectIdentifier, u: &mut Unstructured<'_>) -> arbitrary::Result<Vec<u8>> {
    use crate::der::value;
    let mut list = Vec::new();
    for _ in 0..u.int_in_range(1..=4)? {
        let text: &[u8] = u.choose(&[
            &b"a.example"[..],
            b"*.example",
            b"example",
            b".example",
            b"x@a.example",
            b"https://a.example/",
            &[10, 0, 0, 1],
            &[10, 0, 0, 0, 255, 0, 0, 0],
            &[0x30, 0],
        ])?;
        let name = match u.arbitrary()? {
            true => value(*u.choose(&[0x81, 0x82, 0x86, 0x87, 0xa4])?, text),
            false => value(u.arbitrary()?, <&[u8]>::arbitrary(u)?),
        };
        let number = value(6, &[0x2a, u.int_in_range(1..=3)?]);
        let other = value(6, &[0x2a, u.int_in_range(1..=3)?]);
        list.extend(match id {
            oid::NAME_CONSTRAINTS => value(0x30, &name),
            oid::CERTIFICATE_POLICIES => value(0x30, &number),
            oid::POLICY_MAPPINGS => value(0x30, &[number, other].concat()),
            oid::EXTENDED_KEY_USAGE => number,
            _ => name,
        });
    }
    Ok(match id {
        oid::NAME_CONSTRAINTS => value(0x30, &value(*u.choose(&[0xa0, 0xa1])?, &list)),
        oid::INHIBIT_ANY_POLICY => value(2, &[u.arbitrary()?]),
        oid::POLICY_CONSTRAINTS => {
            value(0x30, &value(*u.choose(&[0x80, 0x81])?, &[u.arbitrary()?]))
        }
        _ => value(0x30, &list),
    })
}

pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let root = make("CN=top", 3, AUTHORITY, &extensions(u)?, None);
    let middle = make(
        "CN=middle,C=CN",
        4,
        AUTHORITY,
        &extensions(u)?,
        Some((&root, 3)),
    );
    let end = make(
        "CN=end,C=CN",
        5,
        Purpose::General,
        &extensions(u)?,
        Some((&middle, 4)),
    );
    let mut policy = Policy::at(NOW)
        .accept_common_name(u.arbitrary()?)
        .inhibit_any_policy(u.arbitrary()?)
        .inhibit_policy_mapping(u.arbitrary()?)
        .require_explicit_policy(u.arbitrary()?);
    if u.arbitrary()? {
        policy = policy.purpose(Use::Server);
    }
    if u.arbitrary()? {
        policy = policy.peer(PeerName::new("a.example").expect("a host"));
    }
    if u.arbitrary()? {
        let wanted = "1.2.1".parse().expect("an identifier");
        policy = policy.certificate_policies(&[wanted]);
    }
    let verifier = Verifier::new([&root]);
    let given = [end.clone(), middle];
    let alone = verifier.verify(&end, &given, &policy);
    let chain = Presented::new(&end).intermediates(&given);
    let batch = verifier.verify_batch(&[chain, chain], &policy, Threads::One);
    assert_eq!(batch, [alone.clone(), alone.clone()]);
    if let Err(refusal) = alone {
        assert!(!refusal.to_string().is_empty());
    }
    Ok(())
}
