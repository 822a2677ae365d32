//! Files put together by hand, with PKCS #12's key derivation written a second time from RFC 7292,
//! clause B.2, and BER made of DER.

use cbc::cipher::{BlockModeEncrypt, KeyIvInit};
use hmac::{Hmac, KeyInit, Mac};
use kuaimi_pki::Error;
use kuaimi_pki::pkcs12::{Content, Entry, Pkcs12};
use sha1::{Digest, Sha1};

use crate::{data, key};

pub fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = content.len() as u32;
    let header = match length {
        0..0x80 => vec![tag, length as u8],
        0x80..0x1_0000 => [&[tag, 0x82], &length.to_be_bytes()[2..]].concat(),
        _ => [&[tag, 0x84], &length.to_be_bytes()[..]].concat(),
    };
    [header, content].concat()
}

pub fn oid(text: &str) -> Vec<u8> {
    let oid: der::asn1::ObjectIdentifier = text.parse().unwrap();
    tlv(6, &[oid.as_bytes()])
}

/// The tag, the content, and what is after the element.
pub fn split(bytes: &[u8]) -> (u8, &[u8], &[u8]) {
    let (start, length) = match bytes[1] {
        short @ 0..=0x7f => (2, usize::from(short)),
        0x81 => (3, usize::from(bytes[2])),
        0x82 => (4, usize::from(bytes[2]) << 8 | usize::from(bytes[3])),
        _ => panic!("a long element"),
    };
    let (content, rest) = bytes[start..].split_at(length);
    (bytes[0], content, rest)
}

fn elements(mut bytes: &[u8]) -> Vec<(u8, &[u8])> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let (tag, content, rest) = split(bytes);
        all.push((tag, content));
        bytes = rest;
    }
    all
}

/// The same in BER: lengths are indefinite, and strings of bytes are in pieces of seven.
fn to_ber(der: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (tag, content) in elements(der) {
        match tag {
            // OCTET STRING, and `[0] IMPLICIT OCTET STRING`.
            0x04 | 0x80 => {
                out.extend([tag | 0x20 | (tag & 4), 0x80]);
                content
                    .chunks(7)
                    .for_each(|piece| out.extend(tlv(4, &[piece])));
                out.extend([0, 0]);
            }
            _ if tag & 0x20 != 0 => {
                out.extend([tag, 0x80]);
                out.extend(to_ber(content));
                out.extend([0, 0]);
            }
            _ => out.extend(tlv(tag, &[content])),
        }
    }
    out
}

/// The content that the MAC of a file in DER is of.
pub fn authenticated(file: &[u8]) -> Vec<u8> {
    let pfx = elements(file)[0].1;
    let info = elements(pfx)[1].1;
    let explicit = elements(info)[1].1;
    elements(explicit)[0].1.to_vec()
}

/// A hash with blocks of 64 bytes.
pub type Hash = fn(&[u8]) -> Vec<u8>;

fn sha1(bytes: &[u8]) -> Vec<u8> {
    Sha1::digest(bytes).to_vec()
}

/// RFC 7292, clause B.2, with SHA-1.
fn derive(id: u8, password: &[u8], salt: &[u8], iterations: u32, length: usize) -> Vec<u8> {
    derive_with(sha1, id, password, salt, iterations, length)
}

pub fn derive_with(
    hash: Hash,
    id: u8,
    password: &[u8],
    salt: &[u8],
    iterations: u32,
    length: usize,
) -> Vec<u8> {
    let fill = |bytes: &[u8]| -> Vec<u8> {
        let length = bytes.len().div_ceil(64) * 64;
        bytes.iter().copied().cycle().take(length).collect()
    };
    let mut input = [fill(salt), fill(password)].concat();
    let mut out = Vec::new();
    while out.len() < length {
        let mut a = hash(&[vec![id; 64], input.clone()].concat());
        for _ in 1..iterations {
            a = hash(&a);
        }
        for block in input.chunks_mut(64) {
            // Add the digest, repeated, and one, from the last byte on.
            let mut carry = 1;
            for index in (0..64).rev() {
                let sum = u32::from(block[index]) + u32::from(a[index % a.len()]) + carry;
                block[index] = (sum & 0xff) as u8;
                carry = sum >> 8;
            }
        }
        out.extend(a);
    }
    out.truncate(length);
    out
}

pub fn bmp(password: &str) -> Vec<u8> {
    let units = password.encode_utf16().chain([0]);
    units.flat_map(u16::to_be_bytes).collect()
}

/// `contentInfo`.
pub fn info(kind: &str, content: &[u8]) -> Vec<u8> {
    tlv(0x30, &[&oid(kind), &tlv(0xa0, &[content])])
}

pub const DATA: &str = "1.2.840.113549.1.7.1";

/// A file with this content, and a MAC with SHA-1 and `iterations`.
pub fn file(content: &[u8], password: &[u8], iterations: u32) -> Vec<u8> {
    let key = derive(3, password, b"salt", iterations, 20);
    let mut mac = <Hmac<Sha1> as KeyInit>::new_from_slice(&key).unwrap();
    mac.update(content);
    let tag = mac.finalize().into_bytes();
    file_with_tag(content, &tag, iterations)
}

/// The same with this tag.
pub fn file_with_tag(content: &[u8], tag: &[u8], iterations: u32) -> Vec<u8> {
    let sha1 = tlv(0x30, &[&oid("1.3.14.3.2.26"), &tlv(5, &[])]);
    let digest = tlv(0x30, &[&sha1, &tlv(4, &[tag])]);
    let count = [&[0], &iterations.to_be_bytes()[..]].concat();
    let start = count.iter().take(4).take_while(|&&byte| byte == 0).count();
    let start = start - usize::from(count[start] >= 0x80 && start > 0);
    let iterations = tlv(2, &[&count[start..]]);
    let mac = tlv(0x30, &[&digest, &tlv(4, &[b"salt"]), &iterations]);
    let safe = info(DATA, &tlv(4, &[content]));
    tlv(0x30, &[&tlv(2, &[&[3]]), &safe, &mac])
}

/// An `AuthenticatedSafe` with one part that is not encrypted and has these bags.
pub fn safe(bags: &[&[u8]]) -> Vec<u8> {
    let contents = tlv(0x30, bags);
    tlv(0x30, &[&info(DATA, &tlv(4, &[&contents]))])
}

pub fn bag(kind: u8, value: &[u8]) -> Vec<u8> {
    let oid = oid(&format!("1.2.840.113549.1.12.10.1.{kind}"));
    tlv(0x30, &[&oid, &tlv(0xa0, &[value])])
}

/// A key bag with triple DES under the bytes of a password.
fn shrouded(info: &[u8], password: &[u8]) -> Vec<u8> {
    let key = derive(1, password, b"salt", 3, 24);
    let iv = derive(2, password, b"salt", 3, 8);
    let padding = 8 - info.len() % 8;
    let mut data = [info, &vec![padding as u8; padding]].concat();
    let mut cipher = cbc::Encryptor::<des::TdesEde3>::new_from_slices(&key, &iv).unwrap();
    for block in data.chunks_exact_mut(8) {
        cipher.encrypt_block(block.try_into().unwrap());
    }
    let parameters = tlv(0x30, &[&tlv(4, &[b"salt"]), &tlv(2, &[&[3]])]);
    let algorithm = tlv(0x30, &[&oid("1.2.840.113549.1.12.1.3"), &parameters]);
    bag(2, &tlv(0x30, &[&algorithm, &tlv(4, &[&data])]))
}

pub fn pkcs8() -> Vec<u8> {
    use kuaimi::encoding::EncodePrivateKey as _;
    key("sign").to_pkcs8_der().unwrap().as_bytes().to_vec()
}

/// All of a file in BER, inside and outside of what the MAC is of.
#[test]
fn ber_is_read_as_der() {
    for name in [
        "openssl-default.p12",
        "openssl-rc2-40.p12",
        "go-shangmi.p12",
    ] {
        let der = data(name);
        let expected = Pkcs12::from_bytes(&der, "密码").unwrap();
        assert_eq!(expected.entries().len(), 4);
        let outside = Pkcs12::from_bytes(&to_ber(&der), "密码");
        assert_eq!(outside.as_ref(), Ok(&expected), "{name}");
        let content = to_ber(&authenticated(&der));
        let inside = to_ber(&file(&content, &bmp("密码"), 1));
        assert_eq!(Pkcs12::from_bytes(&inside, "密码"), Ok(expected), "{name}");
    }
    // And inside of the parts: the contents of a part that is not encrypted.
    let contents = tlv(0x30, &[&bag(1, &pkcs8())]);
    let content = tlv(0x30, &[&info(DATA, &tlv(4, &[&to_ber(&contents)]))]);
    let read = Pkcs12::from_bytes(&file(&content, &bmp("x"), 1), "x").unwrap();
    assert_eq!(read.keys().next().unwrap().sm2().unwrap(), key("sign"));
    // What is cut, and what follows.
    let ber = to_ber(&data("openssl-default.p12"));
    for length in 0..ber.len() {
        assert!(
            Pkcs12::from_bytes(&ber[..length], "密码").is_err(),
            "{length}"
        );
    }
    assert!(Pkcs12::from_bytes(&[&ber[..], &[0]].concat(), "密码").is_err());
}

/// An empty password is two zero bytes, or nothing.
#[test]
fn empty_passwords_have_two_forms() {
    for password in [bmp(""), vec![]] {
        let content = safe(&[&shrouded(&pkcs8(), &password)]);
        let bytes = file(&content, &password, 2);
        let read = Pkcs12::from_bytes(&bytes, "").unwrap();
        assert_eq!(read.keys().next().unwrap().sm2().unwrap(), key("sign"));
        assert!(Pkcs12::from_bytes(&bytes, "x").is_err());
        // Without a MAC as well.
        let (_, pfx, _) = split(&bytes);
        let (version, rest) = pfx.split_at(3);
        let safe = &rest[..rest.len() - split(rest).2.len()];
        let bare = tlv(0x30, &[version, safe]);
        let options = kuaimi_pki::pkcs12::ReadOptions::default().allow_missing_mac();
        let read = Pkcs12::from_bytes_with(&bare, "", options).unwrap();
        assert_eq!(read.keys().next().unwrap().sm2().unwrap(), key("sign"));
    }
}

/// Bags of every kind, some nested, and some with kinds that nobody knows.
#[test]
fn bags_of_every_kind() {
    let typed = |kind: &str, value: &[u8]| tlv(0x30, &[&oid(kind), &tlv(0xa0, &[value])]);
    let certificate = crate::certificate("sign");
    let der = tlv(4, &[certificate.as_der()]);
    let nested = |value: &[u8]| bag(6, &tlv(0x30, &[value]));
    let content = safe(&[
        &bag(1, &pkcs8()),
        &nested(&nested(&bag(3, &typed("1.2.840.113549.1.9.22.1", &der)))),
        &bag(3, &typed("1.2.840.113549.1.9.22.2", &tlv(0x16, &[b"sdsi"]))),
        &bag(4, &typed("1.2.840.113549.1.9.23.1", &tlv(4, &[b"a list"]))),
        &bag(5, &typed("1.2.3", &tlv(4, &[b"secret"]))),
        &bag(9, &tlv(4, &[b"unknown"])),
    ]);
    let bytes = file(&content, &bmp("x"), 1);
    let read = Pkcs12::from_bytes(&bytes, "x").unwrap();
    let kinds: Vec<&Content> = read.entries().iter().map(|entry| &entry.content).collect();
    assert!(matches!(kinds[0], Content::Key(found) if found.sm2().unwrap() == key("sign")));
    assert_eq!(*kinds[1], Content::Certificate(certificate));
    assert!(matches!(kinds[2], Content::Other(_, value) if value.ends_with(b"sdsi")));
    assert_eq!(*kinds[3], Content::Crl(b"a list".to_vec()));
    assert!(matches!(kinds[4], Content::Secret(secret) if secret.value.ends_with(b"secret")));
    assert!(matches!(kinds[5], Content::Other(_, value) if value.ends_with(b"unknown")));
    assert_eq!(kinds.len(), 6);
    // Secrets are not printed.
    assert!(!format!("{:?}", read.entries()[4]).contains("115"));
    let mut again = Pkcs12::new();
    read.entries()
        .iter()
        .for_each(|entry: &Entry| again.push(entry.clone()));
    assert_eq!(again, read);
}

/// The integrity of a file may be a signature, which is not read.
#[test]
fn what_is_signed_is_refused() {
    let safe = info("1.2.840.113549.1.7.2", &tlv(0x30, &[]));
    let bytes = tlv(0x30, &[&tlv(2, &[&[3]]), &safe]);
    let kind = "1.2.840.113549.1.7.2".parse().unwrap();
    let refused = Error::Algorithm("the integrity of a PKCS #12 file", kind);
    assert_eq!(Pkcs12::from_bytes(&bytes, "x"), Err(refused));
}
