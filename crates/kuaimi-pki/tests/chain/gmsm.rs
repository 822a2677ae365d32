//! Chains and a list that gmsm made (see `tests/data/chain/README.md`).

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{PeerName, Policy, Purpose, Refusal, Revocation, Rule, Verifier};
use kuaimi_pki::crl::{Crl, CrlReason};

const FIRST: u64 = 1_767_225_600;

fn certificate(pem: &str) -> Certificate {
    Certificate::read_all(pem.as_bytes()).unwrap().remove(0)
}

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../data/chain/", $name))
    };
}

#[test]
fn its_chains_are_judged_as_it_meant_them() {
    let root = certificate(file!("root.pem"));
    let middle = certificate(file!("middle.pem"));
    let lists = Crl::read_all(file!("list.pem").as_bytes()).unwrap();
    assert_eq!(lists[0].number(), Some(&[9][..]));
    let verifier = Verifier::new([&root])
        .with_intermediates([&middle])
        .with_crls(&lists);
    let verify = |pem: &str, host: &str| -> Result<(), Refusal> {
        let policy = Policy::at(FIRST + 86400)
            .purpose(Purpose::Server)
            .peer(PeerName::new(host).unwrap())
            .revocation(Revocation::RequiredForEnd);
        verifier.verify(&certificate(pem), &[], &policy).map(drop)
    };
    assert_eq!(verify(file!("end.pem"), "www.bank.example"), Ok(()));
    let refused = |pem, host| verify(pem, host).unwrap_err().rule().clone();
    assert_eq!(
        refused(file!("end.pem"), "bank.example"),
        Rule::PeerName("bank.example".into())
    );
    assert_eq!(
        refused(file!("outside.pem"), "www.other.example"),
        Rule::NameConstraints("www.other.example".into())
    );
    assert_eq!(
        refused(file!("revoked.pem"), "old.bank.example"),
        Rule::Revoked(FIRST, Some(CrlReason::Superseded))
    );
}
