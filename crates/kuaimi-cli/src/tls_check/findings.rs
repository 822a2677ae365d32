//! What is wrong with certificates, in plain words.

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{KeyUse, PeerName, Policy, Purpose, Rule, Verifier};
use kuaimi_pki::external::x509_cert::ext::pkix::{KeyUsage, KeyUsages};
use kuaimi_pki::public_key::Identities;

use super::report::Report;
use crate::cert::show_seconds;

/// A certificate that ends earlier than this is told of.
const SOON: u64 = 14 * 24 * 3600;

/// What a certificate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It signs, with SM2.
    Signing,
    /// It receives keys, with SM2.
    Encrypting,
    /// As its keyUsage says, with another algorithm.
    Ordinary,
}

impl Role {
    const fn usages(self) -> &'static [KeyUsages] {
        use KeyUsages as K;

        match self {
            Self::Signing => &[K::DigitalSignature, K::NonRepudiation],
            Self::Encrypting => &[K::KeyEncipherment, K::DataEncipherment, K::KeyAgreement],
            Self::Ordinary => &[K::DigitalSignature, K::KeyEncipherment, K::KeyAgreement],
        }
    }
}

/// What certificates are asked for.
pub struct Findings<'a> {
    pub name: &'a PeerName,
    pub verifier: Option<&'a Verifier>,
    pub now: u64,
}

impl Findings<'_> {
    /// The certificates of TLCP: signing, encrypting, authorities.
    pub fn pair(&self, certificates: &[Certificate], report: &mut Report) {
        let Some(signing) = certificates.first() else {
            return;
        };
        let Some(encrypting) = certificates.get(1) else {
            report.problem("one certificate came; TLCP needs a signing and an encrypting one");
            return self.chain(certificates, Role::Signing, "signing certificate", report);
        };
        let swapped = !permits(signing, Role::Signing)
            && permits(signing, Role::Encrypting)
            && permits(encrypting, Role::Signing);
        if swapped {
            report.problem(
                "the pair is in the wrong order: the encrypting certificate comes first, and the \
                 signing one has to",
            );
        }
        let key = |one: &Certificate| one.public_key().sm2().ok().map(|key| *key.public_key());
        if key(signing).is_some() && key(signing) == key(encrypting) {
            report.note("both certificates have the same key".to_owned());
        }
        if signing.subject_der() != encrypting.subject_der() {
            let what = "the two certificates have different subjects, which some clients refuse";
            report.note(what.to_owned());
        }
        let (first, second) = match swapped {
            true => (Role::Encrypting, Role::Signing),
            false => (Role::Signing, Role::Encrypting),
        };
        let named = |role| match role {
            Role::Encrypting => "encrypting certificate",
            _ => "signing certificate",
        };
        self.chain(certificates, first, named(first), report);
        self.chain(&certificates[1..], second, named(second), report);
    }

    /// The first of `certificates`, and what is above it.
    pub fn chain(&self, certificates: &[Certificate], role: Role, what: &str, report: &mut Report) {
        let Some((end, others)) = certificates.split_first() else {
            return;
        };
        self.dates(end, what, report);
        if !permits(end, role) {
            report.problem(format!(
                "the {what}: its keyUsage does not permit {}",
                match role {
                    Role::Signing => "signatures (digitalSignature)",
                    Role::Encrypting => "encryption (keyEncipherment, dataEncipherment)",
                    Role::Ordinary => "what a server needs",
                }
            ));
        } else if usage(end).is_none() {
            report.note(format!("the {what} has no keyUsage"));
        }
        if role != Role::Ordinary && end.public_key().sm2().is_err() {
            report.problem(format!("the {what} has no key of SM2"));
        }
        self.names(end, what, report);
        let Some(verifier) = self.verifier else {
            return;
        };
        let verify = |identities| {
            let policy = Policy::at(self.now)
                .purpose(Purpose::Server)
                .identities(identities)
                .peer(self.name.clone())
                .accept_common_name(true);
            let policy = match role {
                Role::Signing => policy.key_use(KeyUse::Signing),
                Role::Encrypting => policy.key_use(KeyUse::Encryption),
                Role::Ordinary => policy,
            };
            verifier.verify(end, others, &policy)
        };
        let Err(refusal) = verify(Identities::Default) else {
            return;
        };
        match refusal.rule() {
            Rule::Signature if verify(Identities::DefaultOrEmpty).is_ok() => {
                report.problem(format!(
                    "the {what}: its authority signed under the empty identity, and not under \
                 1234567812345678"
                ))
            }
            // These were said already, in fewer words.
            Rule::Expired(_) | Rule::NotYetValid(_) | Rule::PeerName(_) | Rule::KeyUsage(_)
                if refusal.depth() == 0 => {}
            _ => report.problem(format!("the {what}: {refusal}")),
        }
    }

    fn dates(&self, certificate: &Certificate, what: &str, report: &mut Report) {
        let validity = certificate.fields().validity();
        let begin = validity.not_before.to_unix_duration().as_secs();
        let end = validity.not_after.to_unix_duration().as_secs();
        if self.now > end {
            let end = show_seconds(end);
            report.problem(format!("the {what} has expired, at {end}"));
        } else if self.now < begin {
            let begin = show_seconds(begin);
            report.problem(format!("the {what} is not valid before {begin}"));
        } else if end - self.now < SOON {
            let days = (end - self.now) / 86400;
            report.note(format!("the {what} expires in {days} days"));
        }
    }

    /// Whether the certificate is for the name. It is taken for an authority of its own here, at a
    /// time at which it is valid, so that the name alone is judged.
    fn names(&self, end: &Certificate, what: &str, report: &mut Report) {
        let begin = end.fields().validity().not_before.to_unix_duration();
        let judge = |common_name| {
            let policy = Policy::at(begin.as_secs())
                .peer(self.name.clone())
                .accept_common_name(common_name);
            let result = Verifier::new([end]).verify(end, &[], &policy);
            !matches!(result, Err(refusal) if matches!(refusal.rule(), Rule::PeerName(_)))
        };
        if judge(false) {
            return;
        }
        if judge(true) {
            report.note(format!(
                "the {what} has its name as common name alone; without subjectAltName, many clients \
                 refuse it"
            ));
        } else {
            report.problem(format!("the {what} is not for {}", self.name));
        }
    }
}

fn usage(certificate: &Certificate) -> Option<KeyUsage> {
    let found = certificate.extension::<KeyUsage>();
    found.ok().flatten().map(|(_, usage)| usage)
}

/// Whether the keyUsage, if there is one, has one of what the role needs.
fn permits(certificate: &Certificate, role: Role) -> bool {
    usage(certificate).is_none_or(|found| role.usages().iter().any(|one| found.0.contains(*one)))
}
