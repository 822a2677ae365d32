//! Which paths are found, and that there is an end to looking for them.

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{Rule, Verifier};
use kuaimi_pki::extensions::Purpose as Made;

use super::authority::{self, CA, Holder, key, root, validity};
use super::{now, refused, verify};

fn issue_as(issuer: &Holder, subject: &str, of: &str) -> Holder {
    issuer.issue_full(&format!("CN={subject}"), key(of), CA, validity(), |_| {})
}

#[test]
fn in_any_order_with_others_between() {
    let root = root("root");
    let one = root.issue("one", CA);
    let two = one.issue("two", CA);
    let end = two.issue("end", Made::Server);
    let rubbish = authority::root("rubbish");
    // Of the right name, but with a key that signed nothing here.
    let wrong = issue_as(&rubbish, "two", "wrong");
    let also = issue_as(&rubbish, "one", "wrong");
    for given in [
        vec![&one, &two],
        vec![&two, &one],
        vec![&wrong, &also, &rubbish, &two, &end, &one, &root, &two],
    ] {
        let path = verify(&root, &given, &end, &now()).unwrap();
        assert_eq!(path.certificates().len(), 4);
    }
    // From the verifier's own store.
    let verifier = Verifier::new([&root.certificate]).with_intermediates([
        &one.certificate,
        &wrong.certificate,
        &two.certificate,
    ]);
    assert!(verifier.verify(&end.certificate, &[], &now()).is_ok());
}

/// An authority that two roots, or two authorities in a circle, signed.
#[test]
fn cross_signed_authorities() {
    let (old, new) = (root("old"), root("new"));
    let crossed = issue_as(&old, "new", "new");
    let middle = new.issue("middle", CA);
    let end = middle.issue("end", Made::Server);
    assert!(verify(&new, &[&middle, &crossed], &end, &now()).is_ok());
    let path = verify(&old, &[&middle, &new, &crossed], &end, &now()).unwrap();
    assert_eq!(path.certificates().len(), 4);

    let (a, b) = (root("a"), root("b"));
    let (a_by_b, b_by_a) = (issue_as(&b, "a", "a"), issue_as(&a, "b", "b"));
    let end = a.issue("end", Made::Server);
    let given = [&a_by_b, &b_by_a, &a, &b];
    assert!(verify(&old, &given, &end, &now()).is_err());
    assert!(verify(&b, &given, &end, &now()).is_ok());
}

/// A path that breaks a rule does not hide one that breaks none.
#[test]
fn a_bad_path_beside_a_good_one() {
    let root = root("root");
    let short = kuaimi_pki::certificate::Validity::days(authority::date("2026-01-01T00:00:00Z"), 1);
    let expired = root.issue_full("CN=middle", key("middle"), CA, short.unwrap(), |_| {});
    let middle = root.issue("middle", CA);
    let end = middle.issue("end", Made::Server);
    assert!(verify(&root, &[&expired, &middle], &end, &now()).is_ok());
    assert!(verify(&root, &[&middle, &expired], &end, &now()).is_ok());
    assert!(matches!(
        refused(verify(&root, &[&expired], &end, &now())),
        (Rule::Expired(_), 1)
    ));
}

/// Twelve levels of four authorities, each of which signed each of the next: sixteen million paths,
/// and none leads to the trust anchor. A search through all of them would not end.
#[test]
fn sixteen_million_paths() {
    let anchor = root("anchor");
    let mut level: Vec<Holder> = (0..4).map(|i| root(&format!("stranger {i}"))).collect();
    let mut given: Vec<Certificate> = Vec::new();
    for depth in 0..12 {
        let subject = format!("level {depth}");
        let mut next = Vec::new();
        for i in 0..4 {
            let of = format!("{subject} {i}");
            for issuer in &level {
                let crossed = issue_as(issuer, &subject, &of);
                given.push(crossed.certificate.clone());
                if next.len() <= i {
                    next.push(crossed);
                }
            }
        }
        level = next;
    }
    let end = level[0].issue("end", Made::Server);
    let verifier = Verifier::new([&anchor.certificate]);
    let refusal = verifier
        .verify(&end.certificate, &given, &now())
        .unwrap_err();
    assert!(matches!(refusal.rule(), Rule::Limit(_)), "{refusal}");
    let far = now().max_intermediates(20).max_signatures(10_000);
    let refusal = verifier.verify(&end.certificate, &given, &far).unwrap_err();
    assert_eq!(refusal.rule(), &Rule::Limit("possible issuers"));
    // A smaller limit ends it sooner.
    let refusal = verifier
        .verify(&end.certificate, &given, &now().max_signatures(5))
        .unwrap_err();
    assert_eq!(refusal.rule(), &Rule::Limit("signatures"));
}

/// A thousand intermediates of the right name, of which the last one is right.
#[test]
fn many_of_the_same_name() {
    let root = root("root");
    let right = root.issue("middle", CA);
    let end = right.issue("end", Made::Server);
    let mut given: Vec<Certificate> = (0..999)
        .map(|i| issue_as(&root, "middle", &format!("wrong {i}")).certificate)
        .collect();
    given.push(right.certificate.clone());
    let verifier = Verifier::new([&root.certificate]);
    // The identifier of the key leads to it.
    assert!(
        verifier
            .verify(&end.certificate, &given, &now().max_signatures(2))
            .is_ok()
    );
    given.push(right.certificate.clone());
    assert!(matches!(
        verifier
            .verify(&end.certificate, &given, &now())
            .unwrap_err()
            .rule(),
        Rule::Limit(_)
    ));
}

/// Nine hundred authorities of one name, each of which signed the one before and the one after it.
#[test]
fn a_crowd_of_one_name() {
    let anchor = root("anchor");
    let mut last = issue_as(&anchor, "crowd", "crowd 0");
    let first = last.clone();
    let mut given: Vec<Certificate> = Vec::new();
    for i in 1..450 {
        let next = issue_as(&last, "crowd", &format!("crowd {i}"));
        let back = issue_as(&next, "crowd", &format!("crowd {}", i - 1));
        given.extend([next.certificate.clone(), back.certificate]);
        last = next;
    }
    let end = last.issue("end", Made::Server);
    let verifier = Verifier::new([&root("elsewhere").certificate]);
    let far = now().max_intermediates(30).max_signatures(10_000);
    assert!(verifier.verify(&end.certificate, &given, &far).is_err());
    assert!(verifier.verify(&end.certificate, &given, &now()).is_err());
    let near = first.issue("end", Made::Server);
    given.push(first.certificate.clone());
    assert!(
        Verifier::new([&anchor.certificate])
            .verify(&near.certificate, &given, &now())
            .is_ok()
    );
}

/// Names are equal if they differ in case, white space or the kind of string only.
#[test]
fn names_that_are_written_differently() {
    let root = root("root");
    let middle = root.issue_full("CN=The  Bank", key("middle"), CA, validity(), |_| {});
    let as_written = root.issue_full("CN=the bank", key("middle"), CA, validity(), |_| {});
    let end = as_written.issue("end", Made::Server);
    assert_ne!(
        middle.certificate.subject_der(),
        end.certificate.issuer_der()
    );
    assert!(verify(&root, &[&middle], &end, &now()).is_ok());
    let other = root.issue_full("CN=TheBank", key("middle"), CA, validity(), |_| {});
    assert!(verify(&root, &[&other], &end, &now()).is_err());
}
