//! Certificate policies (RFC 5280, clause 6.1, and RFC 9618).

use kuaimi_pki::chain::Rule;
use kuaimi_pki::extensions::{Extensions, Purpose as Made};
use kuaimi_pki::external::der::asn1::ObjectIdentifier;
use kuaimi_pki::external::x509_cert::ext::pkix::certpolicy::PolicyInformation;
use kuaimi_pki::external::x509_cert::ext::pkix::{
    CertificatePolicies, PolicyConstraints, PolicyMapping, PolicyMappings,
};
use kuaimi_pki::oid;

use super::authority::{self, CA, Holder, root};
use super::{now, refused, verify};

fn policy(number: u32) -> ObjectIdentifier {
    authority::oid(&format!("1.2.3.{number}"))
}

fn policies(extensions: &mut Extensions, ids: &[ObjectIdentifier]) {
    let list = ids
        .iter()
        .map(|id| PolicyInformation {
            policy_identifier: *id,
            policy_qualifiers: None,
        })
        .collect();
    extensions.set(true, &CertificatePolicies(list)).unwrap();
}

fn mappings(extensions: &mut Extensions, pairs: &[(u32, u32)]) {
    let list = pairs
        .iter()
        .map(|(issuer, subject)| PolicyMapping {
            issuer_domain_policy: policy(*issuer),
            subject_domain_policy: policy(*subject),
        })
        .collect();
    extensions.set(true, &PolicyMappings(list)).unwrap();
}

fn constrain(extensions: &mut Extensions, explicit: Option<u32>, mapping: Option<u32>) {
    let constraints = PolicyConstraints {
        require_explicit_policy: explicit,
        inhibit_policy_mapping: mapping,
    };
    extensions.set(true, &constraints).unwrap();
}

/// What the authority and the end certificate have, and whether policy 1 is valid for the path.
fn is_valid(
    authority: impl Fn(&mut Extensions),
    end: impl Fn(&mut Extensions),
    wanted: &[ObjectIdentifier],
) -> bool {
    let root = root("root");
    let middle = root.issue_with("middle", CA, authority);
    let end = middle.issue_with("end", Made::Server, end);
    let result = verify(&root, &[&middle], &end, &now().certificate_policies(wanted));
    if let Err(refusal) = &result {
        assert_eq!(refusal.rule(), &Rule::Policy, "{refusal}");
    }
    result.is_ok()
}

#[test]
fn policies_have_to_be_in_each_certificate() {
    let with = |ids: &'static [u32]| {
        move |extensions: &mut Extensions| {
            let ids: Vec<_> = ids.iter().map(|id| policy(*id)).collect();
            policies(extensions, &ids);
        }
    };
    let any = |extensions: &mut Extensions| policies(extensions, &[oid::ANY_POLICY]);
    let none = |_: &mut Extensions| {};
    let one = [policy(1)];
    assert!(is_valid(with(&[1]), with(&[1]), &one));
    assert!(is_valid(with(&[1, 2]), with(&[3, 1]), &one));
    assert!(!is_valid(with(&[1]), with(&[2]), &one));
    assert!(!is_valid(with(&[2]), with(&[2]), &one));
    assert!(is_valid(with(&[2]), with(&[2]), &[]));
    assert!(!is_valid(none, with(&[1]), &one));
    assert!(!is_valid(with(&[1]), none, &one));
    assert!(!is_valid(none, none, &[]));
    assert!(is_valid(any, with(&[1]), &one));
    assert!(is_valid(with(&[1]), any, &one));
    assert!(is_valid(any, any, &one));
    assert!(!is_valid(any, with(&[2]), &one));
    // Nobody asks.
    let root = root("root");
    let end = root.issue("end", Made::Server);
    assert!(verify(&root, &[], &end, &now()).is_ok());
    assert!(verify(&root, &[], &end, &now().require_explicit_policy(true)).is_err());
}

#[test]
fn any_policy_may_be_inhibited() {
    let any = |extensions: &mut Extensions| policies(extensions, &[oid::ANY_POLICY]);
    let root = root("root");
    let middle = root.issue_with("middle", CA, any);
    let end = middle.issue_with("end", Made::Server, any);
    let wanted = now().certificate_policies(&[policy(1)]);
    assert!(verify(&root, &[&middle], &end, &wanted).is_ok());
    assert!(
        verify(
            &root,
            &[&middle],
            &end,
            &wanted.clone().inhibit_any_policy(true)
        )
        .is_err()
    );
    // By an authority, from the next certificate on.
    let middle = root.issue_with("middle", CA, |extensions| {
        any(extensions);
        extensions
            .set_der(oid::INHIBIT_ANY_POLICY, true, &[2, 1, 0])
            .unwrap();
    });
    let end = middle.issue_with("end", Made::Server, any);
    assert!(verify(&root, &[&middle], &end, &wanted).is_err());
    let end = middle.issue_with("end", Made::Server, |e| policies(e, &[policy(1)]));
    assert!(verify(&root, &[&middle], &end, &wanted).is_ok());
}

#[test]
fn mapped_policies() {
    let one = [policy(1)];
    let mapped = |extensions: &mut Extensions| {
        policies(extensions, &[policy(1)]);
        mappings(extensions, &[(1, 7)]);
    };
    let with = |id| move |extensions: &mut Extensions| policies(extensions, &[policy(id)]);
    // What the caller wants is a policy of the trust anchor's domain.
    assert!(is_valid(mapped, with(7), &one));
    assert!(!is_valid(mapped, with(1), &one));
    assert!(!is_valid(mapped, with(7), &[policy(7)]));
    // From any policy.
    let any = |extensions: &mut Extensions| {
        policies(extensions, &[oid::ANY_POLICY]);
        mappings(extensions, &[(1, 7)]);
    };
    assert!(is_valid(any, with(7), &one));
    // Two to one.
    let two = |extensions: &mut Extensions| {
        policies(extensions, &[policy(1), policy(2)]);
        mappings(extensions, &[(1, 7), (2, 7)]);
    };
    assert!(is_valid(two, with(7), &one));
    assert!(is_valid(two, with(7), &[policy(2)]));
    // Inhibited by the caller, and by an authority above.
    let root = root("root");
    let middle = root.issue_with("middle", CA, mapped);
    let end = middle.issue_with("end", Made::Server, with(7));
    let wanted = now().certificate_policies(&one);
    assert!(verify(&root, &[&middle], &end, &wanted.clone()).is_ok());
    assert!(
        verify(
            &root,
            &[&middle],
            &end,
            &wanted.clone().inhibit_policy_mapping(true)
        )
        .is_err()
    );
    let upper = root.issue_with("upper", CA, |extensions| {
        policies(extensions, &[policy(1)]);
        constrain(extensions, None, Some(0));
    });
    let middle = upper.issue_with("middle", CA, mapped);
    let end = middle.issue_with("end", Made::Server, with(7));
    assert!(verify(&root, &[&upper, &middle], &end, &wanted).is_err());
}

#[test]
fn an_authority_may_require_a_policy() {
    let root = root("root");
    for (certificates, accepted) in [(0, false), (1, false), (2, true)] {
        let middle = root.issue_with("middle", CA, |extensions| {
            constrain(extensions, Some(certificates), None);
        });
        let end = middle.issue("end", Made::Server);
        let result = verify(&root, &[&middle], &end, &now());
        assert_eq!(result.is_ok(), accepted, "{certificates}");
    }
    // Malformed ones are refused though nobody asks.
    let end = root.issue_with("end", Made::Server, |extensions| {
        policies(extensions, &[policy(1), policy(1)]);
    });
    assert_eq!(
        refused(verify(&root, &[], &end, &now())),
        (Rule::Malformed("certificatePolicies"), 0)
    );
    let middle = root.issue_with("middle", CA, |extensions| {
        let any = PolicyMapping {
            issuer_domain_policy: oid::ANY_POLICY,
            subject_domain_policy: policy(1),
        };
        extensions.set(true, &PolicyMappings(vec![any])).unwrap();
    });
    let end = middle.issue("end", Made::Server);
    assert!(verify(&root, &[&middle], &end, &now()).is_err());
}

/// Mappings of each policy to each, at each of eight authorities: the tree of RFC 5280 would have
/// 20⁸ leaves, for which no memory is large enough.
#[test]
fn mappings_do_not_explode() {
    let all: Vec<ObjectIdentifier> = (1..=20).map(policy).collect();
    let pairs: Vec<(u32, u32)> = (1..=20)
        .flat_map(|a| (1..=20).map(move |b| (a, b)))
        .collect();
    let root = root("root");
    let mut given: Vec<Holder> = Vec::new();
    for depth in 0..8 {
        let issuer = given.last().unwrap_or(&root);
        let next = issuer.issue_with(&format!("middle {depth}"), CA, |extensions| {
            policies(extensions, &all);
            mappings(extensions, &pairs);
        });
        given.push(next);
    }
    let end = given[7].issue_with("end", Made::Server, |e| policies(e, &all));
    let given: Vec<&Holder> = given.iter().collect();
    let wanted = now().certificate_policies(&[policy(20)]);
    assert!(verify(&root, &given, &end, &wanted).is_ok());
    assert!(
        verify(
            &root,
            &given,
            &end,
            &now().certificate_policies(&[policy(21)])
        )
        .is_err()
    );
}
