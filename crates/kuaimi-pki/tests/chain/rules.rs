//! One rule after another.

use kuaimi_pki::certificate::Validity;
use kuaimi_pki::chain::{KeyUse, PeerName, Policy, Purpose, Rule, Verifier};
use kuaimi_pki::extensions::Purpose as Made;
use kuaimi_pki::external::x509_cert::ext::pkix::{
    BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages,
};
use kuaimi_pki::oid;

use super::authority::{self, CA, DAY, Holder, NOW, date, key, root, root_with};
use super::{now, refused, verify};

fn chain() -> (Holder, Holder, Holder) {
    let root = root("root");
    let middle = root.issue("middle", CA);
    let end = middle.issue_with("end", Made::Server, |extensions| {
        extensions.dns("bank.example").unwrap();
    });
    (root, middle, end)
}

#[test]
fn a_chain_is_accepted_and_its_path_given() {
    let (root, middle, end) = chain();
    let policy = now()
        .purpose(Purpose::Server)
        .peer(PeerName::new("bank.example").unwrap());
    let path = verify(&root, &[&middle], &end, &policy).unwrap();
    let expected = [&end, &middle, &root].map(|one| one.certificate.clone());
    assert_eq!(path.certificates(), expected);
    assert_eq!(path.anchor(), Some(&root.certificate));
    assert_eq!(path.issuer(), Some(&middle.certificate));
}

#[test]
fn time() {
    let (root, middle, end) = chain();
    let at = |time| verify(&root, &[&middle], &end, &Policy::at(time));
    // 2026-01-01 to 2027-01-01, both included.
    let (first, last) = (1_767_225_600, 1_798_761_600);
    assert!(at(first).is_ok());
    assert!(at(last).is_ok());
    assert_eq!(refused(at(first - 1)), (Rule::NotYetValid(first), 0));
    assert_eq!(refused(at(last + 1)), (Rule::Expired(last), 0));
    assert_eq!(
        at(last + 1).unwrap_err().to_string(),
        "the certificate of CN=end expired on 2027-01-01 00:00:00 UTC"
    );
    assert!(at(0).is_err());
    assert!(at(u64::MAX).is_err());
}

#[test]
fn an_authority_must_be_valid_too() {
    let root = root("root");
    let short = Validity::days(date("2026-01-01T00:00:00Z"), 30).unwrap();
    let middle = root.issue_full("CN=middle", key("middle"), CA, short, |_| {});
    let end = middle.issue("end", Made::Server);
    let (rule, depth) = refused(verify(&root, &[&middle], &end, &now()));
    assert_eq!((rule, depth), (Rule::Expired(1_769_817_600), 1));
}

#[test]
fn someone_must_be_trusted() {
    let (root, middle, end) = chain();
    let other = authority::root("other");
    assert_eq!(
        refused(verify(&other, &[&middle, &root], &end, &now())),
        (Rule::SelfSigned, 2)
    );
    assert_eq!(
        refused(verify(&other, &[&middle], &end, &now())),
        (Rule::UnknownIssuer, 1)
    );
    assert_eq!(
        refused(verify(&root, &[], &end, &now())),
        (Rule::UnknownIssuer, 0)
    );
    assert_eq!(
        refused(verify(&other, &[], &root, &now())),
        (Rule::SelfSigned, 0)
    );
    // Of the same name, with another key.
    let impostor = authority::root("impostor").issue_full(
        "CN=root",
        key("impostor"),
        CA,
        authority::validity(),
        |_| {},
    );
    let refusal = verify(&impostor, &[&middle], &end, &now()).unwrap_err();
    assert_eq!((refusal.rule(), refusal.depth()), (&Rule::Signature, 1));
    assert_eq!(
        refusal.to_string(),
        "CN=root did not sign the certificate of CN=middle"
    );
}

#[test]
fn an_end_certificate_may_be_trusted_itself() {
    let own = root("own");
    let path = verify(&own, &[], &own, &now()).unwrap();
    assert_eq!(path.certificates(), std::slice::from_ref(&own.certificate));
    let (_, middle, end) = chain();
    assert!(verify(&end, &[&middle], &end, &now()).is_ok());
    // And an intermediate may be the anchor.
    assert_eq!(
        verify(&middle, &[], &end, &now())
            .unwrap()
            .certificates()
            .len(),
        2
    );
    // All other rules hold.
    assert!(verify(&own, &[], &own, &Policy::at(NOW + 365 * DAY)).is_err());
    assert!(verify(&own, &[], &own, &now().purpose(Purpose::Server)).is_err());
}

#[test]
fn only_authorities_issue() {
    let root = root("root");
    let person = root.issue("person", Made::General);
    let end = person.issue("end", Made::Server);
    let refusal = verify(&root, &[&person], &end, &now()).unwrap_err();
    assert_eq!(
        (refusal.rule(), refusal.depth()),
        (&Rule::NotAnAuthority, 1)
    );
    assert_eq!(
        refusal.to_string(),
        "CN=person is no authority: its basicConstraints lacks cA"
    );
    let denies = root.issue_with("denies", Made::General, |extensions| {
        let constraints = BasicConstraints {
            ca: false,
            path_len_constraint: None,
        };
        extensions.set(true, &constraints).unwrap();
        extensions
            .set(true, &KeyUsage(KeyUsages::KeyCertSign.into()))
            .unwrap();
    });
    let end = denies.issue("end", Made::Server);
    assert_eq!(
        refused(verify(&root, &[&denies], &end, &now())),
        (Rule::NotAnAuthority, 1)
    );
    let cannot = root.issue_with("cannot", CA, |extensions| {
        extensions
            .set(true, &KeyUsage(KeyUsages::CRLSign.into()))
            .unwrap();
    });
    let end = cannot.issue("end", Made::Server);
    assert_eq!(
        refused(verify(&root, &[&cannot], &end, &now())),
        (Rule::KeyUsage("signing certificates"), 1)
    );
}

#[test]
fn lengths_of_paths() {
    let root = root_with("root", |extensions| {
        extensions
            .purpose(Made::Authority { path_len: Some(1) })
            .unwrap();
    });
    let one = root.issue("one", CA);
    let two = one.issue("two", CA);
    let end = one.issue("end", Made::Server);
    let far = two.issue("far", Made::Server);
    assert!(verify(&root, &[&one], &end, &now()).is_ok());
    assert_eq!(
        refused(verify(&root, &[&one, &two], &far, &now())),
        (Rule::PathLength(1), 3)
    );
    // An end certificate that is an authority's does not count.
    assert!(verify(&root, &[&one], &two, &now()).is_ok());
    // Nor does an authority that names itself again.
    let again = one.issue_full("CN=one", key("one, new"), CA, authority::validity(), |_| {});
    let end = again.issue("end", Made::Server);
    assert!(verify(&root, &[&one, &again], &end, &now()).is_ok());
    assert_eq!(
        refused(verify(
            &root,
            &[&one, &again],
            &end,
            &now().max_intermediates(1)
        )),
        (Rule::TooManyCertificates(3), 1)
    );
}

#[test]
fn purposes() {
    let root = root("root");
    let made = [
        Made::Server,
        Made::Client,
        Made::Signing,
        Made::Encryption,
        Made::OcspResponder,
        Made::General,
    ];
    // For each purpose, which of these are accepted.
    for (purpose, accepted) in [
        (Purpose::Any, [1, 1, 1, 1, 1, 1]),
        (Purpose::Server, [1, 0, 1, 1, 0, 1]),
        (Purpose::Client, [0, 1, 1, 1, 0, 1]),
        (Purpose::MessageSigning, [1, 1, 1, 0, 1, 1]),
        (Purpose::Encryption, [1, 1, 0, 1, 0, 1]),
        (Purpose::CodeSigning, [0, 0, 0, 0, 0, 0]),
        (Purpose::OcspSigning, [0, 0, 0, 0, 1, 0]),
    ] {
        let found = made.map(|made| {
            let end = root.issue("end", made);
            i32::from(verify(&root, &[], &end, &now().purpose(purpose)).is_ok())
        });
        assert_eq!(found, accepted, "{purpose:?}");
    }
    let program = root.issue_with("program", Made::Signing, |extensions| {
        extensions
            .set(false, &ExtendedKeyUsage(vec![oid::CODE_SIGNING]))
            .unwrap();
    });
    assert!(verify(&root, &[], &program, &now().purpose(Purpose::CodeSigning)).is_ok());
}

/// A server of TLCP has two certificates (GM/T 0015), and neither serves as the other.
#[test]
fn the_halves_of_a_pair() {
    let root = root("root");
    let half = |made| {
        root.issue_with("server", made, |extensions| {
            extensions
                .set(false, &ExtendedKeyUsage(vec![oid::SERVER_AUTH]))
                .unwrap();
        })
    };
    let (signing, encryption) = (half(Made::Signing), half(Made::Encryption));
    let policy = |half| now().purpose(Purpose::Server).key_use(half);
    assert!(verify(&root, &[], &signing, &policy(KeyUse::Signing)).is_ok());
    assert!(verify(&root, &[], &encryption, &policy(KeyUse::Encryption)).is_ok());
    assert_eq!(
        refused(verify(&root, &[], &encryption, &policy(KeyUse::Signing))),
        (Rule::KeyUsage("signing"), 0)
    );
    assert_eq!(
        refused(verify(&root, &[], &signing, &policy(KeyUse::Encryption))),
        (Rule::KeyUsage("encryption"), 0)
    );
    let strict = now().key_usages(KeyUsages::DigitalSignature | KeyUsages::KeyAgreement);
    assert!(verify(&root, &[], &signing, &strict).is_err());
    let either = now().key_usages(KeyUsages::DigitalSignature);
    assert!(verify(&root, &[], &signing, &either).is_ok());
}

#[test]
fn an_authoritys_purposes_hold_below_it() {
    let root = root("root");
    let clients = root.issue_with("clients", CA, |extensions| {
        extensions
            .set(false, &ExtendedKeyUsage(vec![oid::CLIENT_AUTH]))
            .unwrap();
    });
    let middle = clients.issue("middle", CA);
    let end = middle.issue("end", Made::General);
    let given = [&clients, &middle];
    assert!(verify(&root, &given, &end, &now().purpose(Purpose::Client)).is_ok());
    assert_eq!(
        refused(verify(&root, &given, &end, &now().purpose(Purpose::Server))).1,
        2
    );
    let special = now().extended_key_usage(authority::oid("1.2.3.4"));
    assert_eq!(
        refused(verify(&root, &given, &end, &special)),
        (Rule::ExtendedKeyUsage("the purpose that is asked for"), 0)
    );
}

#[test]
fn unknown_critical_extensions() {
    let root = root("root");
    let unknown = authority::oid("1.2.3.4.5");
    let add = |critical| {
        move |extensions: &mut kuaimi_pki::extensions::Extensions| {
            extensions.set_der(unknown, critical, &[5, 0]).unwrap();
        }
    };
    let end = root.issue_with("end", Made::Server, add(false));
    assert!(verify(&root, &[], &end, &now()).is_ok());
    let end = root.issue_with("end", Made::Server, add(true));
    assert_eq!(
        refused(verify(&root, &[], &end, &now())),
        (Rule::UnknownCriticalExtension(unknown), 0)
    );
    let middle = root.issue_with("middle", CA, add(true));
    let end = middle.issue("end", Made::Server);
    assert_eq!(
        refused(verify(&root, &[&middle], &end, &now())),
        (Rule::UnknownCriticalExtension(unknown), 1)
    );
}

#[test]
fn malformed_extensions() {
    let root = root("root");
    for (id, content) in [
        (oid::BASIC_CONSTRAINTS, &[0x30, 3, 1, 1, 1][..]),
        (oid::BASIC_CONSTRAINTS, &[0x30, 6, 1, 1, 0xff, 2, 1, 0xff]),
        (oid::KEY_USAGE, &[4, 0]),
        (oid::EXTENDED_KEY_USAGE, &[0x30, 2, 5, 0]),
        (oid::SUBJECT_ALT_NAME, &[0x30, 0]),
        (oid::CERTIFICATE_POLICIES, &[0x30, 0]),
        (oid::POLICY_CONSTRAINTS, &[0x30, 0]),
        (oid::INHIBIT_ANY_POLICY, &[2, 1, 0x80]),
        (oid::AUTHORITY_KEY_IDENTIFIER, &[4, 0]),
    ] {
        let end = root.issue_with("end", Made::Server, |extensions| {
            extensions.set_der(id, false, content).unwrap();
        });
        // The identifiers of the keys are set when the certificate is signed.
        let accepted = id == oid::AUTHORITY_KEY_IDENTIFIER;
        assert_eq!(verify(&root, &[], &end, &now()).is_ok(), accepted, "{id}");
    }
}

/// No byte of a certificate can be changed or taken away without notice.
#[test]
fn altered_certificates() {
    let (root, middle, end) = chain();
    let verifier = Verifier::new([&root.certificate]).with_intermediates([&middle.certificate]);
    let der = end.certificate.as_der();
    assert!(verifier.verify(&end.certificate, &[], &now()).is_ok());
    for place in 0..der.len() {
        let mut altered = der.to_vec();
        altered[place] ^= 1 << (place % 8);
        if let Ok(certificate) = kuaimi_pki::Certificate::from_der(&altered) {
            assert!(
                verifier.verify(&certificate, &[], &now()).is_err(),
                "{place}"
            );
        }
        assert!(kuaimi_pki::Certificate::from_der(&der[..place]).is_err());
    }
}
