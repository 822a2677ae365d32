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

/// Roots of other algorithms, which OpenSSL makes.
#[test]
fn other_algorithms() {
    let folder = Folder::new();
    let make = |name: &str, arguments: &[&str]| {
        let (key, out) = (folder.path(&format!("{name}.key")), folder.path(name));
        let subject = format!("/CN={name}");
        let fixed = [
            "req", "-x509", "-nodes", "-days", "36500", "-subj", &subject, "-keyout", &key, "-out",
            &out,
        ];
        let (ok, shown) = try_openssl(&[&fixed, arguments].concat());
        assert!(ok, "{shown}");
        Certificate::read_all(&std::fs::read(&out).unwrap())
            .unwrap()
            .remove(0)
    };
    for (name, algorithm, hash, accepted) in [
        ("rsa", &["rsa:2048"][..], "-sha256", true),
        ("rsa512", &["rsa:2048"], "-sha512", true),
        ("weak", &["rsa:1024"], "-sha256", false),
        (
            "p256",
            &["ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
            "-sha256",
            true,
        ),
        (
            "p384",
            &["ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
            "-sha384",
            true,
        ),
    ] {
        let root = make(name, &[&["-newkey"], algorithm, &[hash]].concat());
        let (ca, ca_key) = (folder.path(name), folder.path(&format!("{name}.key")));
        let issued = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", hash];
        let request = folder.path("request");
        let leaf_key = folder.path("leaf.key");
        let leaf = folder.path("leaf");
        let (ok, shown) = try_openssl(
            &[
                &[
                    "req", "-nodes", "-subj", "/CN=leaf", "-keyout", &leaf_key, "-out", &request,
                ][..],
                &issued,
            ]
            .concat(),
        );
        assert!(ok, "{shown}");
        let (ok, shown) = try_openssl(&[
            "x509",
            "-req",
            "-in",
            &request,
            "-CA",
            &ca,
            "-CAkey",
            &ca_key,
            "-days",
            "3650",
            "-out",
            &leaf,
            "-set_serial",
            "7",
            hash,
        ]);
        assert!(ok, "{shown}");
        let leaf = Certificate::read_all(&std::fs::read(&leaf).unwrap())
            .unwrap()
            .remove(0);
        let time = leaf
            .fields()
            .validity()
            .not_before
            .to_unix_duration()
            .as_secs();
        let verifier = kuaimi_pki::chain::Verifier::new([&root]);
        let result = verifier.verify(&leaf, &[], &kuaimi_pki::chain::Policy::at(time + DAY));
        match result {
            Ok(_) => assert!(accepted, "{name}"),
            Err(refusal) => {
                assert!(!accepted, "{name}: {refusal}");
                assert_eq!((refusal.rule(), refusal.depth()), (&Rule::WeakKey, 1));
            }
        }
    }
}
