//! Files that were cut, altered or made to take time and memory.

use kuaimi::encoding::Error as EncodingError;
use kuaimi_pki::Error;
use kuaimi_pki::pkcs12::{MAX_ENTRIES, MAX_LEN, Pkcs12, Protection, ReadOptions};

use crate::building::{self, DATA, bag, bmp, file, file_with_tag, info, oid, pkcs8, safe, tlv};
use crate::round_trip::{PROFILES, pair};

/// A cut file is no file; an altered one is refused, or read as what it was.
#[test]
fn every_cut_and_every_flip() {
    for profile in PROFILES {
        let protection = Protection::from(profile).with_iterations(1);
        let der = pair()
            .to_der("密码", protection, &mut getrandom::SysRng)
            .unwrap();
        let original = Pkcs12::from_bytes(&der, "密码").unwrap();
        for length in 0..der.len() {
            assert!(
                Pkcs12::from_bytes(&der[..length], "密码").is_err(),
                "{length}"
            );
        }
        let mut same = 0;
        for place in 0..der.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut altered = der.clone();
                altered[place] ^= flip;
                // What is read as iterations may be many.
                let options = ReadOptions::default().with_max_iterations(1000);
                if let Ok(read) = Pkcs12::from_bytes_with(&altered, "密码", options) {
                    assert_eq!(read, original, "{profile:?}: byte {place}, {flip:02x}");
                    same += 1;
                }
            }
        }
        // The salt and the iterations beside PBMAC1 mean nothing, and so does a NULL.
        assert!(same < 100, "{profile:?}: {same}");
    }
}

/// An altered byte under the MAC looks like another password.
#[test]
fn an_altered_file_is_another_password() {
    let protection = Protection::from(PROFILES[0]).with_iterations(1);
    let der = pair()
        .to_der("密码", protection, &mut getrandom::SysRng)
        .unwrap();
    let content = building::authenticated(&der);
    let start = der
        .windows(content.len())
        .position(|part| part == content)
        .unwrap();
    let wrong = Err(Error::Encoding(EncodingError::WrongPassword));
    for place in start..start + content.len() {
        let mut altered = der.clone();
        altered[place] ^= 4;
        assert_eq!(Pkcs12::from_bytes(&altered, "密码"), wrong);
    }
}

#[test]
fn iterations_are_limited() {
    let count =
        |iterations| Pkcs12::from_bytes(&file_with_tag(&safe(&[]), &[0; 20], iterations), "x");
    let refused = |iterations: u32| {
        Err(Error::Encoding(EncodingError::IterationCount(
            iterations.into(),
        )))
    };
    assert_eq!(count(0), refused(0));
    assert_eq!(count(10_000_001), refused(10_000_001));
    assert_eq!(count(u32::MAX), refused(u32::MAX));
    // Four bags, each with as much as one may have: one is too many, since all count together.
    let bomb = |iterations: u32| {
        let iterations = tlv(2, &[&iterations.to_be_bytes()]);
        let prf = tlv(0x30, &[&oid("1.2.840.113549.2.9"), &tlv(5, &[])]);
        let parameters = tlv(0x30, &[&tlv(4, &[b"salt"]), &iterations, &prf]);
        let pbkdf2 = tlv(0x30, &[&oid("1.2.840.113549.1.5.12"), &parameters]);
        let scheme = tlv(
            0x30,
            &[&oid("2.16.840.1.101.3.4.1.42"), &tlv(4, &[&[0; 16]])],
        );
        let parameters = tlv(0x30, &[&pbkdf2, &scheme]);
        let algorithm = tlv(0x30, &[&oid("1.2.840.113549.1.5.13"), &parameters]);
        tlv(0x30, &[&algorithm, &tlv(4, &[&[0; 16]])])
    };
    let limit = Err(Error::Limit(
        "the iterations of all key derivations of the PKCS #12 file",
    ));
    let bags = bag(2, &bomb(9_999_999)).repeat(1000);
    // Ten thousand million iterations would take hours: that this test ends says that none was
    // made. 9,999,999 are left after two for the MAC and the key of another bag.
    let bytes = file(&safe(&[&bag(1, &pkcs8()), &bags]), &bmp("x"), 2);
    assert_eq!(Pkcs12::from_bytes(&bytes, "x"), limit);
    // The MAC's count, too, and those of a caller.
    let options = ReadOptions::default().with_max_iterations(99);
    let read = Pkcs12::from_bytes_with(&file(&safe(&[]), &bmp("x"), 100), "x", options);
    assert_eq!(read, limit);
    // scrypt counts as well: 1 GiB for each, if it were accepted.
    let scrypt = {
        let costs = [tlv(2, &[&[0x10, 0, 0]]), tlv(2, &[&[8]]), tlv(2, &[&[1]])].concat();
        let parameters = tlv(0x30, &[&tlv(4, &[b"salt"]), &costs]);
        let scrypt = tlv(0x30, &[&oid("1.3.6.1.4.1.11591.4.11"), &parameters]);
        let scheme = tlv(
            0x30,
            &[&oid("2.16.840.1.101.3.4.1.42"), &tlv(4, &[&[0; 16]])],
        );
        let parameters = tlv(0x30, &[&scrypt, &scheme]);
        let algorithm = tlv(0x30, &[&oid("1.2.840.113549.1.5.13"), &parameters]);
        tlv(0x30, &[&algorithm, &tlv(4, &[&[0; 16]])])
    };
    let bytes = file(&safe(&[&bag(2, &scrypt)]), &bmp("x"), 2);
    let refused = Err(Error::Encoding(EncodingError::ScryptCost));
    assert_eq!(Pkcs12::from_bytes(&bytes, "x"), refused);
}

#[test]
fn nesting_is_limited() {
    let mut nested = bag(1, &pkcs8());
    for depth in 1..=9 {
        nested = bag(6, &tlv(0x30, &[&nested]));
        let read = Pkcs12::from_bytes(&file(&safe(&[&nested]), &bmp("x"), 1), "x");
        assert_eq!(read.is_ok(), depth < 8, "{depth}: {read:?}");
    }
    // Far deeper than a stack.
    let deep = [[0x30, 0x80].repeat(1 << 20), [0, 0].repeat(1 << 20)].concat();
    let limit = Err(Error::Limit("the depth of nested elements"));
    assert_eq!(Pkcs12::from_bytes(&deep, "x"), limit);
    assert_eq!(Pkcs12::from_bytes(&file(&deep, &bmp("x"), 1), "x"), limit);
    let content = tlv(0x30, &[&info(DATA, &tlv(4, &[&deep]))]);
    assert_eq!(
        Pkcs12::from_bytes(&file(&content, &bmp("x"), 1), "x"),
        limit
    );
}

#[test]
fn counts_and_lengths_are_limited() {
    let one = bag(9, &tlv(5, &[]));
    let read = |count: usize| {
        let content = safe(&[&one.repeat(count)]);
        Pkcs12::from_bytes(&file(&content, &bmp("x"), 1), "x")
    };
    // One is the part.
    assert_eq!(
        read(MAX_ENTRIES - 1).unwrap().entries().len(),
        MAX_ENTRIES - 1
    );
    let limit = Err(Error::Limit("the number of entries of a PKCS #12 file"));
    assert_eq!(read(MAX_ENTRIES), limit);
    assert!(matches!(
        Pkcs12::from_bytes(&vec![0x30; MAX_LEN + 1], "x"),
        Err(Error::Limit(_))
    ));
    // Attributes.
    let attribute = tlv(0x30, &[&oid("1.2.3"), &tlv(0x31, &[&tlv(5, &[])])]);
    let with = |count: usize| {
        let kind = oid("1.2.840.113549.1.12.10.1.9");
        let set = tlv(0x31, &[&attribute.repeat(count)]);
        let bag = tlv(0x30, &[&kind, &tlv(0xa0, &[&tlv(5, &[])]), &set]);
        Pkcs12::from_bytes(&file(&safe(&[&bag]), &bmp("x"), 1), "x")
    };
    assert_eq!(with(64).unwrap().entries()[0].attributes.others.len(), 64);
    assert!(matches!(with(65), Err(Error::Limit(_))));
}

/// A name with half of a character beyond U+FFFF, or with half a unit.
#[test]
fn names_that_are_no_text() {
    let with = |name: &[u8]| {
        let kind = oid("1.2.840.113549.1.12.10.1.9");
        let value = tlv(0x31, &[&tlv(0x1e, &[name])]);
        let name = tlv(0x30, &[&oid("1.2.840.113549.1.9.20"), &value]);
        let bag = tlv(
            0x30,
            &[&kind, &tlv(0xa0, &[&tlv(5, &[])]), &tlv(0x31, &[&name])],
        );
        Pkcs12::from_bytes(&file(&safe(&[&bag]), &bmp("x"), 1), "x")
    };
    let read = with(&[0xd8, 0x3d, 0xdd, 0x11]).unwrap();
    assert_eq!(
        read.entries()[0].attributes.friendly_name.as_deref(),
        Some("🔑")
    );
    assert!(with(&[0xd8, 0x3d]).is_err());
    assert!(with(&[0x62]).is_err());
}

/// As many keys and certificates as there may be, all of which fit.
#[test]
fn many_identities() {
    use crate::{certificate, key};
    let mut large = Pkcs12::new();
    for _ in 0..MAX_ENTRIES / 4 - 1 {
        large
            .push_identity(&key("sign"), &certificate("sign"), None)
            .unwrap();
        large.push_certificate(&certificate("middle"));
        large.push_certificate(&certificate("root"));
    }
    let identities = large.identities();
    assert_eq!(identities.len(), MAX_ENTRIES / 4 - 1);
    assert!(identities.iter().all(|found| found.chain.len() == 2));
    let protection = Protection::from(PROFILES[0]).with_iterations(1);
    let der = large
        .to_der("x", protection, &mut getrandom::SysRng)
        .unwrap();
    assert_eq!(
        Pkcs12::from_bytes(&der, "x").unwrap().identities().len(),
        identities.len()
    );
    // Each key is compared with each certificate: so their number is what bounds the work. Two
    // entries are those around the others.
    for _ in large.entries().len()..MAX_ENTRIES - 2 {
        large.push_certificate(&certificate("root"));
    }
    let write = |file: &Pkcs12| file.to_der("x", protection, &mut getrandom::SysRng);
    let der = write(&large).unwrap();
    assert!(Pkcs12::from_bytes(&der, "x").is_ok());
    large.push_certificate(&certificate("root"));
    assert!(matches!(write(&large), Err(Error::Limit(_))));
}

/// Which of two names would be shown is not left to the reader.
#[test]
fn an_attribute_is_there_once() {
    let value = tlv(0x31, &[&tlv(0x1e, &[&[0, 0x61]])]);
    let name = tlv(0x30, &[&oid("1.2.840.113549.1.9.20"), &value]);
    let id = tlv(0x31, &[&tlv(4, &[&[7]])]);
    let id = tlv(0x30, &[&oid("1.2.840.113549.1.9.21"), &id]);
    let with = |attributes: &[&[u8]]| {
        let kind = oid("1.2.840.113549.1.12.10.1.9");
        let bag = tlv(
            0x30,
            &[&kind, &tlv(0xa0, &[&tlv(5, &[])]), &tlv(0x31, attributes)],
        );
        Pkcs12::from_bytes(&file(&safe(&[&bag]), &bmp("x"), 1), "x")
    };
    assert!(with(&[&name, &id]).is_ok());
    assert!(with(&[&name, &name]).is_err());
    assert!(with(&[&id, &name, &id]).is_err());
}

/// A key in place of a certificate's, a part that is no part, a second MAC.
#[test]
fn malformed_contents() {
    for content in [
        safe(&[&bag(1, &tlv(0x30, &[]))]),
        safe(&[&bag(2, &tlv(0x30, &[]))]),
        safe(&[&bag(3, &pkcs8())]),
        safe(&[&tlv(5, &[])]),
        tlv(0x30, &[&info(DATA, &tlv(0x30, &[]))]),
        tlv(0x30, &[&info("1.2.840.113549.1.7.6", &tlv(0x30, &[]))]),
        tlv(0x30, &[&info("1.2.840.113549.1.7.3", &tlv(0x30, &[]))]),
        tlv(5, &[]),
        vec![],
    ] {
        assert!(
            Pkcs12::from_bytes(&file(&content, &bmp("x"), 1), "x").is_err(),
            "{content:02x?}"
        );
    }
}
