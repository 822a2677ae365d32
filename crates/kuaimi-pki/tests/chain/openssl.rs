//! OpenSSL's verdicts on the same chains.
//!
//! OpenSSL 3.0's `verify` applies `distid` to the end certificate alone, and takes the empty
//! identity for all others. So the authorities here are signed under that one.

use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{PeerName, Purpose, Rule};
use kuaimi_pki::extensions::Purpose as Made;
use kuaimi_pki::oid;
use kuaimi_pki::public_key::Identities;

use super::authority::{CA, DAY, Holder, NOW, root, tlv};
use super::common::{Folder, try_openssl};
use super::{now, refused, verify};

/// The certificate of `holder`, signed again by the holder of `issuer`'s key under the empty
/// identity.
fn under_empty_identity(holder: &Holder, issuer: &str) -> Holder {
    let secret = PrivateKey::from_bytes(&kuaimi::sm3::digest(issuer.as_bytes())).unwrap();
    let key = SigningKey::with_id(secret, b"").unwrap();
    let tbs = holder.certificate.tbs();
    let signature = key.sign_deterministic(tbs).to_der();
    let algorithm = [0x30, 10, 6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x75];
    let bits = tlv(3, &[&[0], signature.as_bytes()].concat());
    let der = tlv(0x30, &[tbs, &algorithm, &bits].concat());
    Holder {
        certificate: Certificate::from_der(&der).unwrap(),
        key: holder.key.clone(),
    }
}

fn openssl_accepts(root: &Holder, given: &[&Holder], end: &Holder, time: u64) -> bool {
    let folder = Folder::new();
    let given: String = given.iter().map(|one| one.certificate.to_pem()).collect();
    let (ok, shown) = try_openssl(&[
        "verify",
        "-vfyopt",
        "distid:1234567812345678",
        "-attime",
        &time.to_string(),
        "-purpose",
        "sslserver",
        "-verify_hostname",
        "bank.example",
        "-CAfile",
        &folder.write("root.pem", root.certificate.to_pem()),
        "-untrusted",
        &folder.write("given.pem", given),
        &folder.write("end.pem", end.certificate.to_pem()),
    ]);
    println!("{shown}");
    ok
}

#[test]
fn the_same_verdicts() {
    let root = root("root");
    let host = |extensions: &mut kuaimi_pki::extensions::Extensions| {
        extensions.dns("bank.example").unwrap();
    };
    let by_root = |holder| under_empty_identity(&holder, "root");
    let middle = by_root(root.issue("middle", CA));
    let no_room = root.issue_with("no room", Made::Authority { path_len: Some(0) }, |_| {});
    let no_room = by_root(no_room);
    let lower = under_empty_identity(&no_room.issue("lower", CA), "no room");
    let person = by_root(root.issue("person", Made::General));
    let base = tlv(0x30, &tlv(0xa0, &tlv(0x30, &tlv(0x82, b"other.example"))));
    let bound = root.issue_with("bound", CA, |extensions| {
        extensions
            .set_der(oid::NAME_CONSTRAINTS, true, &base)
            .unwrap();
    });
    let critical = root.issue_with("critical", CA, |extensions| {
        extensions
            .set_der("1.2.3.4".parse().unwrap(), true, &[5, 0])
            .unwrap();
    });
    let (bound, critical) = (by_root(bound), by_root(critical));
    let unnamed = |_: &mut kuaimi_pki::extensions::Extensions| {};
    let cases: Vec<(&str, Vec<&Holder>, Holder, u64, bool)> = vec![
        (
            "good",
            vec![&middle],
            middle.issue_with("end", Made::Server, host),
            NOW,
            true,
        ),
        (
            "missing",
            vec![],
            middle.issue_with("end", Made::Server, host),
            NOW,
            false,
        ),
        (
            "late",
            vec![&middle],
            middle.issue_with("end", Made::Server, host),
            NOW + 365 * DAY,
            false,
        ),
        (
            "client",
            vec![&middle],
            middle.issue_with("end", Made::Client, host),
            NOW,
            false,
        ),
        (
            "name",
            vec![&middle],
            middle.issue_with("end", Made::Server, unnamed),
            NOW,
            false,
        ),
        (
            "length",
            vec![&no_room, &lower],
            lower.issue_with("end", Made::Server, host),
            NOW,
            false,
        ),
        (
            "person",
            vec![&person],
            person.issue_with("end", Made::Server, host),
            NOW,
            false,
        ),
        (
            "bound",
            vec![&bound],
            bound.issue_with("end", Made::Server, host),
            NOW,
            false,
        ),
        (
            "critical",
            vec![&critical],
            critical.issue_with("end", Made::Server, host),
            NOW,
            false,
        ),
    ];
    for (case, given, end, time, accepted) in &cases {
        let policy = kuaimi_pki::chain::Policy::at(*time)
            .purpose(Purpose::Server)
            .identities(Identities::DefaultOrEmpty)
            .peer(PeerName::new("bank.example").unwrap());
        let own = verify(&root, given, end, &policy);
        assert_eq!(own.is_ok(), *accepted, "{case}: {own:?}");
        assert_eq!(
            openssl_accepts(&root, given, end, *time),
            *accepted,
            "{case}"
        );
    }
    // Under the default identity alone, none of them is accepted.
    let end = middle.issue("end", Made::Server);
    assert_eq!(
        refused(verify(&root, &[&middle], &end, &now())),
        (Rule::Signature, 1)
    );
}
