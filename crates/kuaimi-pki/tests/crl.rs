//! Lists of revoked certificates: read, made, looked up, and beside OpenSSL's.

#[path = "common/authority.rs"]
mod authority;
mod common;

use authority::{DAY, Holder, NOW, root, tlv};
use common::{Folder, openssl};
use kuaimi::encoding::{EncodePrivateKey, EncodePublicKey};
use kuaimi::sm2::{PrivateKey, Signature};
use kuaimi_pki::crl::{Combined, Contains, Crl, CrlBuilder, CrlReason, Listing, Scope};
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::{Error, Signer, oid};

fn builder(issuer: &Holder) -> CrlBuilder {
    CrlBuilder::new(&issuer.certificate, NOW, NOW + 7 * DAY).unwrap()
}

fn example(issuer: &Holder) -> Crl {
    builder(issuer)
        .number(42)
        .revoke(&[9], NOW - 100, None)
        .unwrap()
        .revoke(&[1, 2, 3], NOW - 200, Some(CrlReason::KeyCompromise))
        .unwrap()
        .revoke_with(
            &[0, 0x80],
            NOW - 300,
            Some(CrlReason::Superseded),
            Some(NOW - 400),
        )
        .unwrap()
        .sign(&issuer.key)
        .unwrap()
}

#[test]
fn what_is_written_is_read() {
    let ca = root("root");
    let list = example(&ca);
    let read = Crl::from_der(list.as_der()).unwrap();
    assert_eq!(read, list);
    assert_eq!(
        Crl::read_all(list.to_pem().as_bytes()).unwrap(),
        std::slice::from_ref(&list)
    );
    assert_eq!(read.issuer(), "CN=root");
    assert_eq!(read.issuer_der(), ca.certificate.subject_der());
    assert_eq!(
        (read.this_update(), read.next_update()),
        (NOW, Some(NOW + 7 * DAY))
    );
    assert_eq!(read.number(), Some(&[42][..]));
    assert_eq!(read.base_number(), None);
    assert_eq!(
        read.authority_key_identifier().map(<[u8]>::to_vec),
        ca.certificate.subject_key_identifier().unwrap()
    );
    assert_eq!(read.len(), 3);
    let serials: Vec<&[u8]> = read.entries().map(|entry| entry.serial()).collect();
    assert_eq!(serials, [&[0, 0x80][..], &[1, 2, 3], &[9]]);
    let listing = Listing::new(&read);
    for (place, serial) in [&[9][..], &[1, 2, 3], &[0, 0x80]].into_iter().enumerate() {
        assert_eq!(listing.get(place).map(|entry| entry.serial()), Some(serial));
    }
    assert!(listing.get(3).is_none());
    assert_eq!(read.signature_oid(), oid::SM2_WITH_SM3);
    let extensions = read.extensions().unwrap();
    let ids: Vec<_> = extensions.iter().map(|found| found.extn_id).collect();
    assert_eq!(ids, [oid::AUTHORITY_KEY_IDENTIFIER, oid::CRL_NUMBER]);
    assert_eq!(extensions[1].extn_value.as_bytes(), [2, 1, 42]);
    let entry = read.find(&[0, 0x80]).unwrap();
    assert_eq!(entry.date(), NOW - 300);
    assert_eq!(entry.reason(), Some(CrlReason::Superseded));
    assert_eq!(entry.invalidity_date(), Some(NOW - 400));
    assert_eq!(read.find(&[9]).unwrap().reason(), None);
    for other in [&[][..], &[0], &[10], &[1, 2], &[1, 2, 3, 0], &[0xff; 20]] {
        assert!(read.find(other).is_none());
    }
    let key = ca.certificate.public_key();
    assert!(read.verify_signature(key, Identities::Default).is_ok());
    let other = root("other");
    assert_eq!(
        read.verify_signature(other.certificate.public_key(), Identities::Default),
        Err(Error::Signature)
    );
    for (time, current) in [
        (NOW - 1, false),
        (NOW, true),
        (NOW + 7 * DAY, true),
        (NOW + 7 * DAY + 1, false),
    ] {
        assert_eq!(read.is_current(time), current);
    }
}

/// Without the authority's certificate, its name, its key and the key's identifier say the same.
#[test]
fn of_an_authority_by_its_name() {
    let ca = root("root");
    let id = ca.certificate.subject_key_identifier().unwrap();
    let named = |id: Option<&[u8]>, next| {
        let name = ca.certificate.fields().subject();
        CrlBuilder::named(name, id, ca.key.0.public_key(), NOW, next)
    };
    let list = named(id.as_deref(), NOW + 7 * DAY).unwrap();
    assert_eq!(
        list.clone().sign(&ca.key),
        builder(&ca).sign(&ca.key),
        "the same bytes"
    );
    assert!(list.sign(&root("other").key).is_err());
    let bare = named(None, NOW + 7 * DAY).unwrap().sign(&ca.key).unwrap();
    assert!(bare.extensions().unwrap().is_empty());
    assert!(named(None, NOW).is_err());
}

/// A key in a module: the digest goes out, the signature comes back.
#[test]
fn in_two_steps() {
    let ca = root("root");
    let prepared = builder(&ca).number(1).prepare().unwrap();
    let signature = ca.key.sign_digest(&prepared.digest()).unwrap();
    let list = prepared.clone().finish(&signature).unwrap();
    assert_eq!(list, builder(&ca).number(1).sign(&ca.key).unwrap());
    let wrong = root("other").key.sign_digest(&prepared.digest()).unwrap();
    assert_eq!(prepared.finish(&wrong), Err(Error::Signature));
    assert!(matches!(
        builder(&ca).sign(&root("other").key),
        Err(Error::Argument(_))
    ));
}

#[test]
fn arguments_that_make_no_list() {
    let ca = root("root");
    assert!(CrlBuilder::new(&ca.certificate, NOW, NOW).is_err());
    assert!(CrlBuilder::new(&ca.certificate, NOW, u64::MAX).is_err());
    assert!(builder(&ca).revoke(&[], NOW, None).is_err());
    assert!(builder(&ca).revoke(&[0, 1], NOW, None).is_err());
    assert!(builder(&ca).revoke(&[1; 22], NOW, None).is_err());
    assert!(builder(&ca).delta_of(1).prepare().is_err());
}

#[test]
fn deltas() {
    let ca = root("root");
    let base = example(&ca);
    let delta = |number, of| {
        builder(&ca)
            .number(number)
            .delta_of(of)
            .revoke(&[7], NOW, Some(CrlReason::AffiliationChanged))
            .unwrap()
            .revoke(&[9], NOW, Some(CrlReason::RemoveFromCRL))
            .unwrap()
            .sign(&ca.key)
            .unwrap()
    };
    let changes = delta(43, 42);
    assert!(changes.is_delta() && !base.is_delta());
    let both = Combined::new(&base, &changes).unwrap();
    assert!(both.find(&[9]).is_none());
    assert_eq!(
        both.find(&[7]).unwrap().reason(),
        Some(CrlReason::AffiliationChanged)
    );
    assert!(both.find(&[1, 2, 3]).is_some());
    assert!(Combined::new(&base, &delta(43, 41)).is_ok());
    assert!(Combined::new(&base, &delta(300, 43)).is_err());
    assert!(Combined::new(&base, &delta(41, 40)).is_err());
    assert!(Combined::new(&base, &base).is_err());
    assert!(Combined::new(&changes, &changes).is_err());
    let other = example(&root("other"));
    assert!(Combined::new(&other, &changes).is_err());
}

#[test]
fn scopes() {
    let ca = root("root");
    for contains in [
        Contains::All,
        Contains::Users,
        Contains::Authorities,
        Contains::Attributes,
    ] {
        let mut scope = Scope::default();
        scope.contains = contains;
        scope.names = vec![
            tlv(0x86, b"http://ca.example/1"),
            tlv(0x86, b"http://ca.example/2"),
        ];
        let list = builder(&ca).scope(scope.clone()).sign(&ca.key).unwrap();
        assert_eq!(list.scope(), &scope);
    }
}

/// A list by hand: the fields of TBSCertList, signed.
fn by_hand(ca: &Holder, fields: &[&[u8]]) -> Result<Crl, Error> {
    let algorithm = [0x30, 10, 6, 8, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 1, 0x83, 0x75];
    let mut all = Vec::new();
    for field in fields {
        // The algorithm and the issuer come where they belong.
        match *field {
            b"algorithm" => all.extend(algorithm),
            b"issuer" => all.extend(ca.certificate.subject_der()),
            field => all.extend(field),
        }
    }
    let tbs = tlv(0x30, &all);
    let signature = ca.key.0.sign_deterministic(&tbs).to_der();
    let bits = tlv(3, &[&[0], signature.as_bytes()].concat());
    Crl::from_der(&tlv(0x30, &[&tbs[..], &algorithm, &bits].concat()))
}

#[test]
fn versions_and_forbidden_parts() {
    let ca = root("root");
    let date = tlv(0x17, b"260601000000Z");
    let entry = tlv(0x30, &[&[2, 1, 5][..], &date].concat());
    let entries = tlv(0x30, &entry);
    let version = [2, 1, 1];
    let extension = |id: &[u8], critical: bool, value: &[u8]| {
        let critical = if critical { vec![1, 1, 0xff] } else { vec![] };
        tlv(0x30, &[&tlv(6, id)[..], &critical, &tlv(4, value)].concat())
    };
    let extensions = |list: &[u8]| tlv(0xa0, &tlv(0x30, list));

    // Version 1, with and without a date of the next list.
    let old = by_hand(&ca, &[b"algorithm", b"issuer", &date, &date, &entries]).unwrap();
    assert!(old.find(&[5]).is_some());
    let endless = by_hand(&ca, &[b"algorithm", b"issuer", &date, &entries]).unwrap();
    assert!(!endless.is_current(NOW));
    assert!(by_hand(&ca, &[&[2, 1, 0], b"algorithm", b"issuer", &date]).is_err());

    let with_list = |list: &[u8]| {
        by_hand(
            &ca,
            &[&version, b"algorithm", b"issuer", &date, &extensions(list)],
        )
    };
    let why = |result: Result<Crl, Error>| result.unwrap_err().to_string();
    let (number, base, point) = ([0x55, 0x1d, 20], [0x55, 0x1d, 27], [0x55, 0x1d, 28]);
    assert!(with_list(&extension(&number, true, &[2, 1, 1])).is_ok());
    assert!(with_list(&extension(&[42, 3], false, &[5, 0])).is_ok());
    assert!(why(with_list(&extension(&[42, 3], true, &[5, 0]))).contains("critical"));
    assert!(why(with_list(&extension(&number, false, &[2, 1, 0x80]))).contains("malformed"));
    assert!(why(with_list(&extension(&base, true, &[2, 1, 1]))).contains("no number"));
    let twice = extension(&number, false, &[2, 1, 1]).repeat(2);
    assert!(why(with_list(&twice)).contains("twice"));
    let indirect = extension(&point, true, &[0x30, 3, 0x84, 1, 0xff]);
    assert!(why(with_list(&indirect)).contains("indirect"));
    let two = extension(&point, true, &[0x30, 6, 0x81, 1, 0xff, 0x82, 1, 0xff]);
    assert!(why(with_list(&two)).contains("two kinds"));
    // Version 1 has no extensions.
    let numbered = extensions(&extension(&number, false, &[2, 1, 1]));
    assert!(by_hand(&ca, &[b"algorithm", b"issuer", &date, &numbered]).is_err());

    let with_entry = |extension: &[u8]| {
        let entry = [&[2, 1, 5][..], &date, &tlv(0x30, extension)].concat();
        let entries = tlv(0x30, &tlv(0x30, &entry));
        by_hand(&ca, &[&version, b"algorithm", b"issuer", &date, &entries])
    };
    let reason = extension(&[0x55, 0x1d, 21], false, &[10, 1, 1]);
    assert!(with_entry(&reason).is_ok());
    assert!(with_entry(&extension(&[0x55, 0x1d, 21], false, &[10, 1, 7])).is_err());
    assert!(with_entry(&reason.repeat(2)).is_err());
    assert!(why(with_entry(&extension(&[42, 3], true, &[5, 0]))).contains("critical"));
    let issuer = extension(&[0x55, 0x1d, 29], true, &[0x30, 0]);
    assert!(why(with_entry(&issuer)).contains("indirect"));
}

/// No byte can be changed or taken away without notice.
#[test]
fn altered_lists() {
    let ca = root("root");
    let list = example(&ca);
    let der = list.as_der();
    for place in 0..der.len() {
        assert!(Crl::from_der(&der[..place]).is_err());
        for bit in 0..8 {
            let mut altered = der.to_vec();
            altered[place] ^= 1 << bit;
            if let Ok(read) = Crl::from_der(&altered) {
                let key = ca.certificate.public_key();
                assert!(read.verify_signature(key, Identities::Default).is_err());
                read.entries().for_each(drop);
            }
        }
    }
    assert!(Crl::from_der(&[der, &[0]].concat()).is_err());
}

/// Two hundred thousand entries, in the order of time: read and looked up quickly, in little
/// memory.
#[test]
fn a_long_list() {
    let ca = root("root");
    let serial = |i: u32| {
        let digest = kuaimi::sm3::digest(&i.to_be_bytes());
        [&[1], &digest[..15]].concat()
    };
    let mut list = builder(&ca).number(1);
    for i in 0..200_000 {
        list = list.revoke(&serial(i), NOW - 1, None).unwrap();
    }
    let list = list.sign(&ca.key).unwrap();
    let read = Crl::from_der(list.as_der()).unwrap();
    assert_eq!(read.len(), 200_000);
    for i in (0..200_000).step_by(20) {
        assert_eq!(read.find(&serial(i)).unwrap().serial(), serial(i));
        assert!(read.find(&serial(i + 200_000)).is_none());
    }
}

fn key_files(folder: &Folder, ca: &Holder, name: &str) -> (String, String) {
    let secret = PrivateKey::from_bytes(&kuaimi::sm3::digest(name.as_bytes())).unwrap();
    let pem = secret.to_pkcs8_pem(Default::default()).unwrap();
    let public = ca.key.0.public_key().to_public_key_pem(Default::default());
    (
        folder.write("key.pem", pem.as_bytes()),
        folder.write("public.pem", public.unwrap()),
    )
}

#[test]
fn openssl_reads_and_verifies_ours() {
    let ca = root("root");
    let list = example(&ca);
    let folder = Folder::new();
    let shown = openssl(&[
        "crl",
        "-text",
        "-noout",
        "-in",
        &folder.write("list.pem", list.to_pem()),
    ]);
    for part in [
        "Version 2",
        "CN = root",
        "X509v3 CRL Number",
        "Serial Number: 010203",
        "Key Compromise",
        "Invalidity Date",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let (_, public) = key_files(&folder, &ca, "root");
    let shown = openssl(&[
        "dgst",
        "-sm3",
        "-sigopt",
        "distid:1234567812345678",
        "-verify",
        &public,
        "-signature",
        &folder.write("signature", list.signature()),
        &folder.write("tbs", list.tbs()),
    ]);
    assert!(shown.contains("Verified OK"), "{shown}");
}

#[test]
fn openssls_are_read_and_verified() {
    let ca = root("root");
    let folder = Folder::new();
    let (key, _) = key_files(&folder, &ca, "root");
    let certificate = folder.write("ca.pem", ca.certificate.to_pem());
    folder.write("number", "1F");
    let revoked = "R\t270101000000Z\t260501120000Z,keyCompromise\t0A0B\tunknown\t/CN=a\n\
                   R\t270101000000Z\t260502120000Z\t03\tunknown\t/CN=b\n\
                   V\t270101000000Z\t\t04\tunknown\t/CN=c\n";
    let index = folder.write("index", revoked);
    let config = folder.write(
        "config",
        format!(
            "[ca]\ndefault_ca=a\n[a]\ndatabase={index}\ncrlnumber={}\ncrl_extensions=e\n\
             [e]\nauthorityKeyIdentifier=keyid\n",
            folder.path("number")
        ),
    );
    let out = folder.path("list.pem");
    openssl(&[
        "ca",
        "-config",
        &config,
        "-gencrl",
        "-md",
        "sm3",
        "-crldays",
        "30",
        "-keyfile",
        &key,
        "-cert",
        &certificate,
        "-sigopt",
        "distid:1234567812345678",
        "-out",
        &out,
    ]);
    let lists = Crl::read_all(&std::fs::read(out).unwrap()).unwrap();
    let list = &lists[0];
    assert!(
        list.verify_signature(ca.certificate.public_key(), Identities::Default)
            .is_ok()
    );
    assert_eq!(list.number(), Some(&[0x1f][..]));
    assert_eq!(list.len(), 2);
    let entry = list.find(&[0x0a, 0x0b]).unwrap();
    assert_eq!(entry.reason(), Some(CrlReason::KeyCompromise));
    assert_eq!(entry.date(), 1_777_636_800);
    assert!(list.find(&[3]).is_some() && list.find(&[4]).is_none());
    let _ = Signature::from_der(list.signature()).unwrap();
}
