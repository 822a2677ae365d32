//! Chains, and why they are refused.

use std::ptr::null;

use kuaimi_pki::crl::{Crl, CrlBuilder};

use super::*;

/// The arguments of a verification, but for its certificates.
#[derive(Clone, Copy)]
struct Policy<'a> {
    peer: Option<&'a str>,
    purpose: kuaimi_purpose,
    revocation: kuaimi_revocation,
    identities: kuaimi_identities,
    time: u64,
}

const ANYTHING: Policy<'_> = Policy {
    peer: None,
    purpose: KUAIMI_PURPOSE_ANY,
    revocation: KUAIMI_REVOCATION_IF_GIVEN,
    identities: KUAIMI_IDENTITIES_USUAL,
    time: NOW,
};

struct Authorities(*mut kuaimi_verifier);

impl Authorities {
    fn new(anchors: &[&Holder]) -> Self {
        let verifier = new!(kuaimi_verifier_new());
        for anchor in anchors {
            call!(kuaimi_verifier_add_anchor(verifier, anchor.handle));
        }
        Self(verifier)
    }

    fn add_crl(&self, list: &[u8]) -> kuaimi_error {
        error!(kuaimi_verifier_add_crl(self.0, list.as_ptr(), list.len()))
    }

    /// The result, and the sentence.
    fn verify(
        &self,
        end: &Holder,
        others: &[&Holder],
        policy: Policy<'_>,
    ) -> (kuaimi_error, String) {
        let others: Vec<_> = others.iter().map(|it| it.handle).collect();
        let (list, count) = (others.as_ptr(), others.len());
        let (peer, peer_len) = policy
            .peer
            .map_or((null(), 0), |it| (it.as_ptr(), it.len()));
        let Policy {
            purpose,
            revocation,
            identities,
            time,
            ..
        } = policy;
        let error = error!(kuaimi_verifier_verify(
            self.0, end.handle, list, count, peer, peer_len, purpose, revocation, identities, time,
        ));
        let sentence = output!(|out, len| kuaimi_verifier_explain(
            self.0, end.handle, list, count, peer, peer_len, purpose, revocation, identities, time,
            out, len,
        ));
        (error, String::from_utf8(sentence).expect("text"))
    }

    fn accepts(&self, end: &Holder, others: &[&Holder], policy: Policy<'_>) {
        let accepted = (KUAIMI_OK, "the chain is accepted".to_owned());
        assert_eq!(self.verify(end, others, policy), accepted);
    }

    fn refuses(&self, end: &Holder, others: &[&Holder], policy: Policy<'_>, why: &str) {
        let refused = (KUAIMI_ERROR_CERTIFICATE_REFUSED, why.to_owned());
        assert_eq!(self.verify(end, others, policy), refused);
    }
}

impl Drop for Authorities {
    fn drop(&mut self) {
        free!(kuaimi_verifier_free(self.0));
    }
}

struct Chain {
    root: Holder,
    middle: Holder,
    leaf: Holder,
}

fn chain() -> Chain {
    let root = Holder::root();
    let middle = Holder::new("middle", Purpose::Authority { path_len: None }, Some(&root));
    let leaf = Holder::new("leaf", Purpose::Server, Some(&middle));
    Chain { root, middle, leaf }
}

#[test]
fn chains_are_verified() {
    let Chain { root, middle, leaf } = chain();
    let authorities = Authorities::new(&[&root]);
    let missing =
        "CN=leaf,O=Example was issued by CN=middle,O=Example, of which there is no certificate";
    authorities.refuses(&leaf, &[], ANYTHING, missing);
    authorities.accepts(&leaf, &[&middle], ANYTHING);
    authorities.accepts(&leaf, &[&leaf, &root, &middle], ANYTHING);
    // What is added later counts from then on.
    call!(kuaimi_verifier_add_intermediate(
        authorities.0,
        middle.handle
    ));
    authorities.accepts(&leaf, &[], ANYTHING);

    let server = Policy {
        purpose: KUAIMI_PURPOSE_SERVER,
        ..ANYTHING
    };
    authorities.accepts(
        &leaf,
        &[],
        Policy {
            peer: Some("leaf.example"),
            ..server
        },
    );
    authorities.refuses(
        &leaf,
        &[],
        Policy {
            peer: Some("other.example"),
            ..server
        },
        "the certificate of CN=leaf,O=Example is not for other.example",
    );
    authorities.refuses(
        &leaf,
        &[],
        Policy {
            time: START - 1,
            ..ANYTHING
        },
        "the certificate of CN=leaf,O=Example is valid from 2026-01-01 00:00:00 UTC only",
    );
    for (purpose, accepted) in [
        (KUAIMI_PURPOSE_ANY, true),
        (KUAIMI_PURPOSE_SERVER, true),
        (KUAIMI_PURPOSE_CLIENT, false),
        // Of messages, extKeyUsage says nothing.
        (KUAIMI_PURPOSE_SIGNING, true),
        (KUAIMI_PURPOSE_ENCRYPTION, true),
        (KUAIMI_PURPOSE_CODE, false),
        (KUAIMI_PURPOSE_OCSP, false),
    ] {
        let (error, why) = authorities.verify(
            &leaf,
            &[],
            Policy {
                purpose,
                ..ANYTHING
            },
        );
        assert_eq!(error == KUAIMI_OK, accepted, "{purpose}: {why}");
    }
    // Nobody is trusted.
    let nobody = Authorities::new(&[]);
    nobody.refuses(
        &root,
        &[],
        ANYTHING,
        "CN=root,O=Example signed itself, and is no trust anchor",
    );
}

#[test]
fn purposes_and_arguments() {
    let root = Holder::root();
    let authorities = Authorities::new(&[&root]);
    for (made, purpose) in [
        (Purpose::Client, KUAIMI_PURPOSE_CLIENT),
        (Purpose::Signing, KUAIMI_PURPOSE_SIGNING),
        (Purpose::Encryption, KUAIMI_PURPOSE_ENCRYPTION),
        (Purpose::OcspResponder, KUAIMI_PURPOSE_OCSP),
    ] {
        let holder = Holder::new("holder", made, Some(&root));
        authorities.accepts(
            &holder,
            &[],
            Policy {
                purpose,
                ..ANYTHING
            },
        );
    }
    let call = |peer: &[u8]| {
        error!(kuaimi_verifier_verify(
            authorities.0,
            root.handle,
            null(),
            0,
            peer.as_ptr(),
            peer.len(),
            KUAIMI_PURPOSE_ANY,
            KUAIMI_REVOCATION_OFF,
            KUAIMI_IDENTITIES_USUAL,
            NOW
        ))
    };
    for peer in [&b""[..], b"*.example", b"\xff", &[b'a'; 1000]] {
        assert_eq!(call(peer), KUAIMI_ERROR_INVALID_ARGUMENT, "{peer:?}");
    }
    assert_eq!(call(b"root.example"), KUAIMI_OK);
    assert_eq!(call(b"192.0.2.1"), KUAIMI_ERROR_CERTIFICATE_REFUSED);
    assert_eq!(call(b"desk@root.example"), KUAIMI_ERROR_CERTIFICATE_REFUSED);
}

fn list(issuer: &Holder, revoked: &[&Holder]) -> Crl {
    let mut builder = CrlBuilder::new(&issuer.certificate, NOW - DAY, NOW + DAY).expect("a list");
    builder = builder.number(1);
    for holder in revoked {
        let serial = holder.certificate.serial();
        builder = builder.revoke(serial, NOW - DAY, None).expect("an entry");
    }
    builder.sign(&issuer.signer).expect("a list")
}

#[test]
fn revoked_certificates_are_refused() {
    let Chain { root, middle, leaf } = chain();
    let other = Holder::new("other", Purpose::Server, Some(&middle));
    let authorities = Authorities::new(&[&root]);
    let with = |revocation| Policy {
        revocation,
        ..ANYTHING
    };
    let known = |revocation| authorities.verify(&other, &[&middle], with(revocation)).0;
    assert_eq!(
        known(KUAIMI_REVOCATION_END),
        KUAIMI_ERROR_CERTIFICATE_REFUSED
    );

    let lists = [
        list(&middle, &[&leaf]).to_pem(),
        list(&middle, &[]).to_pem(),
    ]
    .concat();
    // Of two lists, either can revoke.
    assert_eq!(authorities.add_crl(lists.as_bytes()), KUAIMI_OK);
    authorities.refuses(
        &leaf,
        &[&middle],
        ANYTHING,
        "the certificate of CN=leaf,O=Example was revoked on 2026-05-31 00:00:00 UTC",
    );
    authorities.accepts(&leaf, &[&middle], with(KUAIMI_REVOCATION_OFF));
    assert_eq!(known(KUAIMI_REVOCATION_END), KUAIMI_OK);
    assert_eq!(
        known(KUAIMI_REVOCATION_ALL),
        KUAIMI_ERROR_CERTIFICATE_REFUSED
    );
    assert_eq!(authorities.add_crl(list(&root, &[]).as_der()), KUAIMI_OK);
    assert_eq!(known(KUAIMI_REVOCATION_ALL), KUAIMI_OK);

    assert_eq!(authorities.add_crl(b"text"), KUAIMI_ERROR_TEXT);
    assert_eq!(authorities.add_crl(&[0x30, 0x80, 0xff]), KUAIMI_ERROR_DER);
}

/// Chains are verified by several threads while another adds certificates.
#[test]
fn threads_share_a_verifier() {
    let Chain { root, middle, leaf } = chain();
    let authorities = Authorities::new(&[&root]);
    let addresses = [
        authorities.0 as usize,
        leaf.handle as usize,
        middle.handle as usize,
    ];
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                let [verifier, leaf, middle] = addresses;
                let verifier = verifier as *mut kuaimi_verifier;
                let [leaf, middle] = [leaf, middle].map(|it| it as *mut kuaimi_certificate);
                for _ in 0..20 {
                    if thread == 0 {
                        call!(kuaimi_verifier_add_intermediate(verifier, middle));
                        continue;
                    }
                    call!(kuaimi_verifier_verify(
                        verifier,
                        leaf,
                        &middle,
                        1,
                        null(),
                        0,
                        KUAIMI_PURPOSE_ANY,
                        KUAIMI_REVOCATION_IF_GIVEN,
                        KUAIMI_IDENTITIES_USUAL,
                        NOW
                    ));
                }
            });
        }
    });
}
