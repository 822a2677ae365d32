//! Batches give what single verifications give.

use kuaimi::Threads;
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{Path, PeerName, Policy, Presented, Purpose, Refusal, Verifier};
use kuaimi_pki::extensions::Purpose as Made;

use super::authority::{self, CA, Holder, key, root, validity};
use super::now;

fn altered(holder: &Holder) -> Certificate {
    let mut der = holder.certificate.as_der().to_vec();
    *der.last_mut().unwrap() ^= 1;
    Certificate::from_der(&der).unwrap()
}

#[test]
fn the_same_as_one_by_one() {
    let root = root("root");
    let middle = root.issue("middle", CA);
    // Of the same name and signed by the same root, with another key: a wrong turn.
    let wrong = root.issue_full("CN=middle", key("wrong"), CA, validity(), |_| {});
    let stranger = authority::root("stranger");
    let ends: Vec<Holder> = (0..20)
        .map(|i| {
            middle.issue_with(&format!("end {i}"), Made::Server, |extensions| {
                extensions.dns(&format!("host{i}.example")).unwrap();
                // Without it, the order of the intermediates decides.
                if i % 2 == 0 {
                    extensions.remove(kuaimi_pki::oid::AUTHORITY_KEY_IDENTIFIER);
                }
            })
        })
        .collect();
    let bad: Vec<Certificate> = ends.iter().map(altered).collect();
    let foreign = stranger.issue("foreign", Made::Server);
    let given = [
        vec![middle.certificate.clone()],
        vec![wrong.certificate.clone(), middle.certificate.clone()],
        vec![altered(&middle), middle.certificate.clone()],
        vec![altered(&middle)],
        vec![],
    ];
    let own = Policy::at(authority::NOW)
        .purpose(Purpose::Server)
        .peer(PeerName::new("host3.example").unwrap());
    let mut chains = Vec::new();
    for given in &given {
        for (end, bad) in ends.iter().zip(&bad) {
            chains.push(Presented::new(&end.certificate).intermediates(given));
            chains.push(Presented::new(bad).intermediates(given));
            chains.push(
                Presented::new(&end.certificate)
                    .intermediates(given)
                    .policy(&own),
            );
        }
        chains.push(Presented::new(&foreign.certificate).intermediates(given));
        chains.push(Presented::new(&root.certificate).intermediates(given));
    }
    let verifier = Verifier::new([&root.certificate]);
    let single: Vec<Result<Path, Refusal>> = chains
        .iter()
        .map(|chain| verifier.verify_presented(chain, &now()))
        .collect();
    assert!(single.iter().any(Result::is_ok));
    for threads in [Threads::One, Threads::default()] {
        assert_eq!(verifier.verify_batch(&chains, &now(), threads), single);
    }
    assert_eq!(
        single.iter().filter(|result| result.is_ok()).count(),
        3 * 21 + 5
    );
    assert!(verifier.verify_batch(&[], &now(), Threads::One).is_empty());
}
