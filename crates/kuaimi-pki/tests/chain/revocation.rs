//! Revocation in chains: by lists, by deltas, by OCSP.

use kuaimi::Threads;
use kuaimi_pki::chain::{Policy, Presented, Purpose, Revocation, Rule, Verifier};
use kuaimi_pki::crl::{Contains, Crl, CrlBuilder, CrlReason, Scope};
use kuaimi_pki::extensions::Purpose as Made;
use kuaimi_pki::external::x509_cert::ext::pkix::{KeyUsage, KeyUsages};
use kuaimi_pki::ocsp::{CertId, HashAlgorithm, Response, ResponseBuilder, Status};

use super::authority::{self, CA, DAY, Holder, NOW, key, root, validity};
use super::now;

fn list(issuer: &Holder) -> CrlBuilder {
    CrlBuilder::new(&issuer.certificate, NOW - DAY, NOW + DAY)
        .unwrap()
        .number(5)
}

fn revoked(builder: CrlBuilder, holder: &Holder, reason: CrlReason) -> CrlBuilder {
    builder
        .revoke(holder.certificate.serial(), NOW - 3600, Some(reason))
        .unwrap()
}

struct World {
    root: Holder,
    middle: Holder,
    end: Holder,
}

impl World {
    fn new() -> Self {
        let root = root("root");
        let middle = root.issue("middle", CA);
        let end = middle.issue_with("end", Made::Server, |extensions| {
            extensions.crl_at("http://middle.example/crl").unwrap();
        });
        Self { root, middle, end }
    }

    /// The rule that is broken with these lists and responses.
    fn rule(&self, policy: &Policy, lists: &[&Crl], responses: &[Response]) -> Option<Rule> {
        let verifier = Verifier::new([&self.root.certificate])
            .with_intermediates([&self.middle.certificate])
            .with_crls(lists.iter().copied())
            .with_responses(responses);
        let chain = [Presented::new(&self.end.certificate)];
        // Twice alone, as what was found out the first time is kept; and in a batch.
        let batch = verifier
            .verify_batch(&chain, policy, Threads::One)
            .remove(0);
        let first = verifier.verify_presented(&chain[0], policy);
        let again = verifier.verify_presented(&chain[0], policy);
        assert_eq!(first, again);
        assert_eq!(first, batch);
        first.err().map(|refusal| refusal.rule().clone())
    }
}

fn mode(revocation: Revocation) -> Policy {
    now().revocation(revocation)
}

#[test]
fn lists() {
    let world = World::new();
    let World { root, middle, end } = &world;
    let clean = list(middle).sign(&middle.key).unwrap();
    let above = list(root).sign(&root.key).unwrap();
    let bad = revoked(list(middle), end, CrlReason::KeyCompromise)
        .sign(&middle.key)
        .unwrap();
    let bad_above = revoked(list(root), middle, CrlReason::CaCompromise)
        .sign(&root.key)
        .unwrap();
    let rule = |revocation, lists: &[&Crl]| world.rule(&mode(revocation), lists, &[]);
    let key_lost = Rule::Revoked(NOW - 3600, Some(CrlReason::KeyCompromise));
    let unknown = Rule::RevocationUnknown("no list and no response is about it");
    use Revocation::{IfPresent, Off, RequiredForAll, RequiredForEnd};

    assert_eq!(rule(Off, &[&bad]), None);
    assert_eq!(rule(IfPresent, &[]), None);
    assert_eq!(rule(IfPresent, &[&clean]), None);
    assert_eq!(rule(IfPresent, &[&bad]), Some(key_lost.clone()));
    assert_eq!(rule(IfPresent, &[&clean, &bad]), Some(key_lost));
    assert!(matches!(
        rule(IfPresent, &[&bad_above]),
        Some(Rule::Revoked(..))
    ));
    assert_eq!(rule(RequiredForEnd, &[]), Some(unknown.clone()));
    assert_eq!(rule(RequiredForEnd, &[&clean]), None);
    assert_eq!(rule(RequiredForAll, &[&clean]), Some(unknown));
    assert_eq!(rule(RequiredForAll, &[&clean, &above]), None);
}

#[test]
fn lists_that_do_not_count() {
    let world = World::new();
    let World { root, middle, end } = &world;
    let rule = |list: &Crl| world.rule(&mode(Revocation::RequiredForEnd), &[list], &[]);
    let unknown = |why| Some(Rule::RevocationUnknown(why));
    let old = CrlBuilder::new(&middle.certificate, NOW - 9 * DAY, NOW - DAY).unwrap();
    let old = revoked(old, end, CrlReason::Superseded)
        .sign(&middle.key)
        .unwrap();
    assert_eq!(
        rule(&old),
        unknown("the list is not in force at the given time")
    );
    let early = CrlBuilder::new(&middle.certificate, NOW + 1, NOW + DAY).unwrap();
    assert_eq!(
        rule(&early.sign(&middle.key).unwrap()),
        unknown("the list is not in force at the given time")
    );
    // Under the authority's name, with another key.
    let impostor = root.issue_full("CN=middle", key("impostor"), CA, validity(), |_| {});
    let forged = list(&impostor).sign(&impostor.key).unwrap();
    assert_eq!(rule(&forged), unknown("its issuer did not sign the list"));
    // Another authority's.
    let other = authority::root("other");
    let foreign = revoked(list(&other), end, CrlReason::Superseded)
        .sign(&other.key)
        .unwrap();
    assert_eq!(
        rule(&foreign),
        unknown("no list and no response is about it")
    );
    // About authorities only.
    let scoped = |contains| {
        let mut scope = Scope::default();
        scope.contains = contains;
        list(middle).scope(scope).sign(&middle.key).unwrap()
    };
    assert_eq!(
        rule(&scoped(Contains::Authorities)),
        unknown("no list and no response is about it")
    );
    assert_eq!(rule(&scoped(Contains::Users)), None);
    // Of a distribution point, which has to be the certificate's.
    let point = |uri: &str| {
        let mut scope = Scope::default();
        scope.names = vec![authority::tlv(0x86, uri.as_bytes())];
        list(middle).scope(scope).sign(&middle.key).unwrap()
    };
    assert_eq!(rule(&point("http://middle.example/crl")), None);
    assert!(rule(&point("http://middle.example/other")).is_some());
    // Of an authority that may not sign lists.
    let middle = root.issue_with("middle", CA, |extensions| {
        extensions
            .set(true, &KeyUsage(KeyUsages::KeyCertSign.into()))
            .unwrap();
    });
    let world = World {
        root: root.clone(),
        end: end.clone(),
        middle,
    };
    let signed = list(&world.middle).sign(&world.middle.key).unwrap();
    assert_eq!(
        world.rule(&mode(Revocation::RequiredForEnd), &[&signed], &[]),
        unknown("its issuer may not sign lists")
    );
}

#[test]
fn deltas() {
    let world = World::new();
    let World { middle, end, .. } = &world;
    let rule = |lists: &[&Crl]| world.rule(&mode(Revocation::RequiredForEnd), lists, &[]);
    let clean = list(middle).sign(&middle.key).unwrap();
    let held = revoked(list(middle), end, CrlReason::CertificateHold)
        .sign(&middle.key)
        .unwrap();
    let delta = |reason| {
        let changes = list(middle).number(6).delta_of(5);
        revoked(changes, end, reason).sign(&middle.key).unwrap()
    };
    let (adds, removes) = (
        delta(CrlReason::Superseded),
        delta(CrlReason::RemoveFromCRL),
    );
    assert_eq!(rule(&[&clean]), None);
    assert!(matches!(rule(&[&clean, &adds]), Some(Rule::Revoked(..))));
    assert!(matches!(rule(&[&held]), Some(Rule::Revoked(..))));
    assert_eq!(rule(&[&removes, &held]), None);
    // Alone, changes say nothing.
    assert!(matches!(rule(&[&adds]), Some(Rule::RevocationUnknown(_))));
    // Changes to a newer list than the one that is there.
    let late = revoked(
        list(middle).number(9).delta_of(8),
        end,
        CrlReason::RemoveFromCRL,
    );
    let late = late.sign(&middle.key).unwrap();
    assert!(matches!(rule(&[&held, &late]), Some(Rule::Revoked(..))));
}

fn response(responder: &Holder, issuer: &Holder, end: &Holder, status: Status) -> Response {
    let id = CertId::new(
        HashAlgorithm::Sm3,
        &issuer.certificate,
        end.certificate.serial(),
    );
    ResponseBuilder::new(&responder.certificate, NOW - 60)
        .unwrap()
        .say(id, status, NOW - 60, Some(NOW + 3600))
        .unwrap()
        .with_certificate(&responder.certificate)
        .sign(&responder.key)
        .unwrap()
}

#[test]
fn ocsp() {
    let world = World::new();
    let World { root, middle, end } = &world;
    let rule = |response: Response| world.rule(&mode(Revocation::RequiredForEnd), &[], &[response]);
    let bad = Status::Revoked(NOW - 9, None);
    assert_eq!(rule(response(middle, middle, end, Status::Good)), None);
    assert_eq!(
        rule(response(middle, middle, end, bad)),
        Some(Rule::Revoked(NOW - 9, None))
    );
    assert_eq!(
        rule(response(middle, middle, end, Status::Unknown)),
        Some(Rule::RevocationUnknown("the responder does not know it"))
    );
    let delegate = middle.issue("responder", Made::OcspResponder);
    assert_eq!(rule(response(&delegate, middle, end, Status::Good)), None);
    // Not authorised: a server's certificate, and the root's responder.
    let unsigned = Some(Rule::RevocationUnknown(
        "no authorised responder signed the response",
    ));
    let server = middle.issue("server", Made::Server);
    assert_eq!(rule(response(&server, middle, end, Status::Good)), unsigned);
    let elsewhere = root.issue("responder", Made::OcspResponder);
    assert_eq!(
        rule(response(&elsewhere, middle, end, Status::Good)),
        unsigned
    );
    // Revoked by a list outweighs good by OCSP.
    let listed = revoked(list(middle), end, CrlReason::Superseded)
        .sign(&middle.key)
        .unwrap();
    let good = response(middle, middle, end, Status::Good);
    let both = world.rule(&now(), &[&listed], &[good]);
    assert!(matches!(both, Some(Rule::Revoked(..))));
    // The responder's own chain.
    assert!(
        Verifier::new([&root.certificate])
            .verify(
                &delegate.certificate,
                std::slice::from_ref(&middle.certificate),
                &now().purpose(Purpose::OcspSigning)
            )
            .is_ok()
    );
}
