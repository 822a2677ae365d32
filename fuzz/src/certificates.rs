//! A file with a certificate, a list of revoked certificates, or an OCSP request or response.

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{Policy, Revocation, Verifier};
use kuaimi_pki::crl::{Combined, Crl};
use kuaimi_pki::ocsp::{Check, Request, Response};
use kuaimi_pki::public_key::Identities;

use crate::chains::{NOW, World};

pub fn check(data: &[u8]) {
    let world = World::get();
    let certificates = Certificate::read_all(data).unwrap_or_default();
    for certificate in certificates.iter().take(20) {
        let again = Certificate::from_der(certificate.as_der()).expect("what was read is read");
        assert_eq!(again, *certificate);
        let _ = certificate.subject_key_identifier();
        let _ = certificate.authority_key_identifier();
        let key = world.root.public_key();
        if certificate
            .verify_signature(key, Identities::Default)
            .is_ok()
        {
            assert!(
                world
                    .issued
                    .iter()
                    .any(|one| one.tbs() == certificate.tbs())
            );
        }
        // As the end certificate, and as its own trust anchor.
        let policy = Policy::at(NOW);
        if let Ok(path) = world.verifier.verify(certificate, &certificates, &policy) {
            let end = path.certificates().first().expect("a path has an end");
            assert!(world.issued.iter().any(|one| one.tbs() == end.tbs()));
        }
        let _ = Verifier::new([certificate]).verify(certificate, &[], &policy);
    }
    let lists = Crl::read_all(data).unwrap_or_default();
    for list in lists.iter().take(20) {
        assert_eq!(Crl::from_der(list.as_der()).as_ref(), Ok(list));
        assert_eq!(list.entries().count(), list.len());
        for entry in list.entries().take(100) {
            let found = list.find(entry.serial()).expect("an entry is found");
            assert_eq!(found.serial(), entry.serial());
        }
        let _ = Combined::new(list, list);
        let _ = Combined::new(&world.list, list);
        let policy = Policy::at(NOW).revocation(Revocation::RequiredForAll);
        let verifier = Verifier::new([&world.root]).with_crls([list]);
        if verifier.verify(&world.end, &[], &policy).is_ok() {
            assert_eq!(list.tbs(), world.list.tbs());
        }
    }
    if let Ok(request) = Request::from_der(data) {
        assert!(!request.ids().is_empty());
        for id in request.ids() {
            let _ = id.hash_algorithm();
        }
    }
    if let Ok(response) = Response::from_der(data) {
        let check = Check::new(&world.root, NOW);
        if let Ok(verified) = response.verify(&check) {
            assert_eq!(response.tbs(), world.response.tbs());
            assert!(verified.status_of(&world.end).is_ok());
        }
    }
}
