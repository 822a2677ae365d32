//! Chains, verified: what is accepted, what is refused and why, and that strangers cannot keep the
//! verifier busy.

#[path = "../common/authority.rs"]
mod authority;
mod batch;
#[path = "../common/mod.rs"]
mod common;
mod gmsm;
mod names;
mod openssl;
mod paths;
mod policies;
mod revocation;
mod rules;

use authority::{Holder, NOW};
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{Path, Policy, Refusal, Rule, Verifier};

/// Verifies `end` under `anchor`, with `given`.
fn verify(
    anchor: &Holder,
    given: &[&Holder],
    end: &Holder,
    policy: &Policy,
) -> Result<Path, Refusal> {
    let given: Vec<Certificate> = given.iter().map(|one| one.certificate.clone()).collect();
    Verifier::new([&anchor.certificate]).verify(&end.certificate, &given, policy)
}

fn now() -> Policy {
    Policy::at(NOW)
}

/// The rule and the depth of a refusal.
#[track_caller]
fn refused(result: Result<Path, Refusal>) -> (Rule, usize) {
    let refusal = result.expect_err("the chain was accepted");
    // The sentence names the certificate.
    assert!(refusal.to_string().len() > 20, "{refusal}");
    (refusal.rule().clone(), refusal.depth())
}
