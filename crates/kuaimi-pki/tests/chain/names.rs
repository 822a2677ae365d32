//! Names of peers, and name constraints.

use kuaimi_pki::chain::{PeerName, Purpose, Rule};
use kuaimi_pki::extensions::{Extensions, Purpose as Made};
use kuaimi_pki::oid;

use super::authority::{self, CA, Holder, key, root, tlv};
use super::{now, refused, verify};

const EMAIL: u8 = 0x81;
const DNS: u8 = 0x82;
const DIRECTORY: u8 = 0xa4;
const URI: u8 = 0x86;
const IP: u8 = 0x87;
const REGISTERED_ID: u8 = 0x88;

type Names<'a> = &'a [(u8, &'a [u8])];
/// What is permitted, what is excluded, a name, whether it is accepted.
type Case<'a> = (Names<'a>, Names<'a>, (u8, &'a [u8]), bool);

fn subtrees(tag: u8, names: Names<'_>) -> Vec<u8> {
    if names.is_empty() {
        return Vec::new();
    }
    let list: Vec<u8> = names
        .iter()
        .flat_map(|(form, name)| tlv(0x30, &tlv(*form, name)))
        .collect();
    tlv(tag, &list)
}

fn constraints(permitted: Names<'_>, excluded: Names<'_>) -> impl Fn(&mut Extensions) {
    let content = [subtrees(0xa0, permitted), subtrees(0xa1, excluded)].concat();
    let content = tlv(0x30, &content);
    move |extensions| {
        extensions
            .set_der(oid::NAME_CONSTRAINTS, true, &content)
            .unwrap();
    }
}

fn names(names: Names<'_>) -> impl Fn(&mut Extensions) {
    let list: Vec<u8> = names
        .iter()
        .flat_map(|(form, name)| tlv(*form, name))
        .collect();
    let content = tlv(0x30, &list);
    move |extensions| {
        extensions
            .set_der(oid::SUBJECT_ALT_NAME, false, &content)
            .unwrap();
    }
}

fn directory(subject: &str) -> Vec<u8> {
    use kuaimi_pki::external::der::Encode;
    kuaimi_pki::name::parse(subject).unwrap().to_der().unwrap()
}

#[test]
fn peers() {
    let root = root("root");
    let end = root.issue_with("common.example", Made::Server, |extensions| {
        extensions.dns("bank.example").unwrap();
        extensions.dns("*.bank.example").unwrap();
        extensions.ip("192.0.2.1".parse().unwrap()).unwrap();
        extensions.ip("2001:db8::1".parse().unwrap()).unwrap();
        extensions.email("Desk@bank.example").unwrap();
    });
    let for_peer = |end: &Holder, name: &str, common_name| {
        let policy = now()
            .purpose(Purpose::Server)
            .peer(PeerName::new(name).unwrap())
            .accept_common_name(common_name);
        verify(&root, &[], end, &policy)
    };
    for (name, accepted) in [
        ("bank.example", true),
        ("BANK.example.", true),
        ("www.bank.example", true),
        ("a.www.bank.example", false),
        ("other.example", false),
        ("common.example", false),
        ("192.0.2.1", true),
        ("192.0.2.2", false),
        ("2001:db8:0::1", true),
        ("Desk@BANK.example", true),
        ("desk@bank.example", false),
    ] {
        assert_eq!(for_peer(&end, name, true).is_ok(), accepted, "{name}");
    }
    assert_eq!(
        for_peer(&end, "other.example", false)
            .unwrap_err()
            .to_string(),
        "the certificate of CN=common.example is not for other.example"
    );
    // The common name counts by request, and only without other names.
    let old = root.issue("old.example", Made::Server);
    assert!(for_peer(&old, "old.example", false).is_err());
    assert!(for_peer(&old, "old.example", true).is_ok());
}

#[test]
fn constraints_of_each_form() {
    let root = root("root");
    let ten = [10, 0, 0, 0, 255, 0, 0, 0];
    let in_china = directory("C=CN");
    let in_france = directory("C=FR");
    let cases: &[Case<'_>] = &[
        (&[(DNS, b"example")], &[], (DNS, b"a.example"), true),
        (&[(DNS, b"example")], &[], (DNS, b"a.other"), false),
        (&[(DNS, b"example")], &[], (DNS, b"badexample"), false),
        (&[], &[(DNS, b"a.example")], (DNS, b"b.example"), true),
        (&[], &[(DNS, b"a.example")], (DNS, b"A.EXAMPLE"), false),
        (&[], &[(DNS, b"a.example")], (DNS, b"*.example"), false),
        (
            &[(DNS, b"example")],
            &[(DNS, b"a.example")],
            (DNS, b"a.example"),
            false,
        ),
        (&[(DNS, b"")], &[], (DNS, b"a.example"), true),
        (&[], &[(DNS, b"")], (DNS, b"a.example"), false),
        (&[(DNS, b"example")], &[], (DNS, b"a example"), false),
        (
            &[(EMAIL, b"bank.example")],
            &[],
            (EMAIL, b"x@bank.example"),
            true,
        ),
        (
            &[(EMAIL, b"bank.example")],
            &[],
            (EMAIL, b"x@a.bank.example"),
            false,
        ),
        (
            &[(EMAIL, b".bank.example")],
            &[],
            (EMAIL, b"x@a.bank.example"),
            true,
        ),
        (
            &[],
            &[(EMAIL, b"x@bank.example")],
            (EMAIL, b"x@bank.example"),
            false,
        ),
        (
            &[(URI, b"bank.example")],
            &[],
            (URI, b"https://bank.example/a"),
            true,
        ),
        (
            &[(URI, b"bank.example")],
            &[],
            (URI, b"https://192.0.2.1/a"),
            false,
        ),
        (
            &[],
            &[(URI, b".bank.example")],
            (URI, b"http://a.bank.example"),
            false,
        ),
        (&[(IP, &ten)], &[], (IP, &[10, 1, 2, 3]), true),
        (&[(IP, &ten)], &[], (IP, &[11, 1, 2, 3]), false),
        (&[(IP, &ten)], &[], (IP, &[10; 16]), false),
        (&[(IP, &ten)], &[], (IP, &[10; 5]), false),
        (&[], &[(IP, &ten)], (IP, &[10, 0, 0, 1]), false),
        (&[(DIRECTORY, &in_china)], &[], (DIRECTORY, &in_china), true),
        (
            &[],
            &[(DIRECTORY, &in_france)],
            (DIRECTORY, &in_france),
            false,
        ),
        // Of another form than the constraint: not constrained.
        (&[(IP, &ten)], &[], (DNS, b"a.other"), true),
        // A form that is not supported matters only where a name has it.
        (&[(REGISTERED_ID, &[42, 3])], &[], (DNS, b"a.other"), true),
        (
            &[(REGISTERED_ID, &[42, 3])],
            &[],
            (REGISTERED_ID, &[42, 3]),
            false,
        ),
    ];
    for (permitted, excluded, name, accepted) in cases {
        let middle = root.issue_full(
            "CN=middle,C=CN",
            key("middle"),
            CA,
            authority::validity(),
            constraints(permitted, excluded),
        );
        let end = middle.issue_full(
            "CN=end,C=CN",
            key("end"),
            Made::Server,
            authority::validity(),
            names(&[*name]),
        );
        let result = verify(&root, &[&middle], &end, &now());
        assert_eq!(
            result.is_ok(),
            *accepted,
            "{permitted:?} {excluded:?} {name:?}"
        );
    }
}

#[test]
fn constraints_that_are_malformed() {
    let root = root("root");
    for base in [
        (DNS, &b".example"[..]),
        (DNS, b"a..b"),
        (IP, &[10, 0, 0, 0]),
        (IP, &[10, 0, 0, 0, 255, 0, 255, 0]),
        (EMAIL, b"@example"),
        (DIRECTORY, b"x"),
    ] {
        let middle = root.issue_with("middle", CA, constraints(&[base], &[]));
        let end = middle.issue("end", Made::Server);
        let (rule, depth) = refused(verify(&root, &[&middle], &end, &now()));
        assert_eq!((rule, depth), (Rule::Malformed("nameConstraints"), 1));
    }
    for content in [&[0x30, 0][..], &[0x30, 2, 0xa0, 0], &[5, 0]] {
        let middle = root.issue_with("middle", CA, |extensions| {
            extensions
                .set_der(oid::NAME_CONSTRAINTS, true, content)
                .unwrap();
        });
        let end = middle.issue("end", Made::Server);
        assert!(verify(&root, &[&middle], &end, &now()).is_err());
    }
    // A distance, which RFC 5280 forbids.
    let base = [tlv(DNS, b"example"), vec![0x80, 1, 1]].concat();
    let content = tlv(0x30, &tlv(0xa0, &tlv(0x30, &base)));
    let middle = root.issue_with("middle", CA, |extensions| {
        extensions
            .set_der(oid::NAME_CONSTRAINTS, true, &content)
            .unwrap();
    });
    let end = middle.issue("end", Made::Server);
    assert!(matches!(
        refused(verify(&root, &[&middle], &end, &now())),
        (Rule::UnsupportedConstraint(_), 1)
    ));
}

/// Subjects are constrained, of authorities, too; all constraints above hold together.
#[test]
fn constraints_hold_all_the_way_down() {
    let root = authority::root_with("root", |extensions| {
        let base = directory("C=CN");
        constraints(&[(DIRECTORY, &base), (DNS, b"example")], &[])(extensions);
    });
    let issue = |issuer: &Holder, subject: &str, made, edit: &dyn Fn(&mut Extensions)| {
        issuer.issue_full(subject, key(subject), made, authority::validity(), edit)
    };
    let middle = issue(
        &root,
        "O=bank,C=CN",
        CA,
        &constraints(&[(DNS, b"bank.example")], &[]),
    );
    let lower = issue(&middle, "CN=lower,O=bank,C=CN", CA, &|_| {});
    let given = [&middle, &lower];
    let good = issue(
        &lower,
        "CN=a,C=cn",
        Made::Server,
        &names(&[(DNS, b"a.bank.example")]),
    );
    assert!(verify(&root, &given, &good, &now()).is_ok());
    let other = issue(
        &lower,
        "CN=a,C=CN",
        Made::Server,
        &names(&[(DNS, b"a.example")]),
    );
    assert_eq!(
        verify(&root, &given, &other, &now()).unwrap_err().rule(),
        &Rule::NameConstraints("a.example".into())
    );
    let abroad = issue(&lower, "CN=a,C=FR", Made::Server, &|_| {});
    assert!(matches!(
        refused(verify(&root, &given, &abroad, &now())),
        (Rule::NameConstraints(_), 0)
    ));
    let foreign = issue(&middle, "CN=foreign,C=FR", CA, &|_| {});
    let end = issue(&foreign, "CN=a,C=CN", Made::Server, &|_| {});
    assert!(matches!(
        refused(verify(&root, &[&middle, &foreign], &end, &now())),
        (Rule::NameConstraints(_), 1)
    ));
    // A mailbox in the subject counts as one.
    let root = authority::root_with("root", |extensions| {
        constraints(&[], &[(EMAIL, b"bank.example")])(extensions);
    });
    let end = issue(&root, "emailAddress=x@bank.example", Made::Server, &|_| {});
    assert!(matches!(
        refused(verify(&root, &[], &end, &now())),
        (Rule::NameConstraints(_), 0)
    ));
    // And a common name that is taken for a host is constrained as a host.
    let root = authority::root_with("root", |extensions| {
        constraints(&[(DNS, b"bank.example")], &[])(extensions);
    });
    let end = issue(&root, "CN=other.example", Made::Server, &|_| {});
    assert!(verify(&root, &[], &end, &now()).is_ok());
    assert!(verify(&root, &[], &end, &now().accept_common_name(true)).is_err());
    let wild = issue(&root, "CN=*.other.example", Made::Server, &|_| {});
    assert!(verify(&root, &[], &wild, &now().accept_common_name(true)).is_err());
}

/// Ten thousand names under ten thousand constraints are not compared a hundred million times.
#[test]
fn many_constraints_times_many_names() {
    let root = root("root");
    let hosts: Vec<Vec<u8>> = (0..10_000)
        .map(|i| format!("host{i}.example").into_bytes())
        .collect();
    let list: Vec<(u8, &[u8])> = hosts.iter().map(|host| (DNS, &host[..])).collect();
    let bases: Vec<Vec<u8>> = (0..10_000)
        .map(|i| format!("base{i}.example").into_bytes())
        .collect();
    let bases: Vec<(u8, &[u8])> = bases.iter().map(|base| (DNS, &base[..])).collect();
    let middle = root.issue_with("middle", CA, constraints(&[], &bases));
    let end = middle.issue_with("end", Made::Server, names(&list));
    let (rule, _) = refused(verify(&root, &[&middle], &end, &now()));
    assert!(matches!(rule, Rule::Limit(_)), "{rule:?}");
    // A hundred times a thousand is fine.
    let middle = root.issue_with("middle", CA, constraints(&[], &bases[..100]));
    let end = middle.issue_with("end", Made::Server, names(&list[..1000]));
    assert!(verify(&root, &[&middle], &end, &now()).is_ok());
}
