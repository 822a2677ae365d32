//! Certificates of real authorities.

use kuaimi_pki::certificate::Certificate;
use kuaimi_pki::chain::{Policy, Rule, Verifier};
use kuaimi_pki::name;
use kuaimi_pki::public_key::SignatureAlgorithm;

fn read(file: &str) -> Certificate {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/certificates/");
    let content = std::fs::read(format!("{folder}{file}")).unwrap();
    Certificate::read_all(&content).unwrap().remove(0)
}

/// The parameters of SM2 with SM3 are NULL here and absent elsewhere.
#[test]
fn both_forms_of_the_algorithm_are_read() {
    for (file, subject) in [
        ("sheca-sm2.pem", "CN=SHECA SM2,O=UniTrust,C=CN"),
        (
            "cfca-test-sm2-oca1.pem",
            "CN=CFCA TEST SM2 OCA1,O=China Financial Certification Authority,C=CN",
        ),
    ] {
        let certificate = read(file);
        assert_eq!(name::to_text(certificate.fields().subject()), subject);
        assert_eq!(
            certificate.signature_algorithm(),
            Ok(SignatureAlgorithm::Sm2)
        );
        assert!(certificate.public_key().sm2().is_ok());
        let policy = Policy::at(1_767_225_600);
        let trusted = Verifier::new([&certificate]).verify(&certificate, &[], &policy);
        assert!(trusted.is_ok(), "a trust anchor need not be a root");
        let refused = Verifier::default().verify(&certificate, &[], &policy);
        assert_eq!(refused.unwrap_err().rule(), &Rule::UnknownIssuer);
    }
}
