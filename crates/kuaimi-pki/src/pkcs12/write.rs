//! Writing a file: certificates and the rest in one encrypted part, private keys each encrypted by
//! itself in another, as most programs write and some expect it.

use alloc::vec::Vec;

use kuaimi::encoding::{KeyDerivation, PasswordEncryption, Prf};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::entry::{Content, Entry};
use super::password::Password;
use super::profile::Protection;
use super::{MAX_ENTRIES, MAX_LEN};
use crate::ber::{
    self, OCTET_STRING, SEQUENCE, context, context_primitive, element, identifier, integer,
};
use crate::{Error, oid};

pub(super) fn write<R: TryCryptoRng + ?Sized>(
    entries: &[Entry],
    password: &str,
    protection: Protection,
    rng: &mut R,
) -> Result<Vec<u8>, Error> {
    let Protection {
        profile,
        iterations,
    } = protection;
    let (prf, encryption) = (Prf::HmacSm3, profile.encryption());
    KeyDerivation::Pbkdf2 { prf, iterations }.check()?;
    let is_key = |entry: &&Entry| matches!(entry.content, Content::Key(_));
    let keys = entries.iter().filter(is_key).count();
    // The MAC, the certificates, and each key. What is written can be read.
    let cost = encryption
        .cost(iterations)
        .saturating_mul(keys as u64 + 1)
        .saturating_add(iterations.into());
    if cost > PasswordEncryption::MAX_ITERATIONS.into() {
        return Err(Error::Limit(
            "the iterations of all key derivations of the PKCS #12 file",
        ));
    }
    // Two parts, and room for them.
    if entries.len() > MAX_ENTRIES - 2 {
        return Err(Error::Limit("the number of entries of a PKCS #12 file"));
    }

    let password = Password::new(password);
    let (mut key_bags, mut other_bags) = (Vec::<u8>::new(), Vec::new());
    for entry in entries {
        let attributes = entry.attributes.to_der();
        match &entry.content {
            Content::Key(key) => {
                let (algorithm, data) =
                    encryption.encrypt(key.as_pkcs8_der(), &password, iterations, rng)?;
                let value = element(SEQUENCE, &[&algorithm, &element(OCTET_STRING, &[&data])]);
                key_bags.extend_from_slice(&bag(oid::SHROUDED_KEY_BAG, &value, &attributes));
            }
            content => other_bags.push(other_bag(content, &attributes)),
        }
    }

    let mut parts = Vec::new();
    if !other_bags.is_empty() {
        let bags: Vec<&[u8]> = other_bags.iter().map(|bag| bag.as_slice()).collect();
        let contents = Zeroizing::new(element(SEQUENCE, &bags));
        let (algorithm, data) = encryption.encrypt(&contents, &password, iterations, rng)?;
        let content_type = ber::oid(oid::DATA);
        let info = element(
            SEQUENCE,
            &[
                &content_type,
                &algorithm,
                &element(context_primitive(0), &[&data]),
            ],
        );
        let encrypted = element(SEQUENCE, &[&integer(0), &info]);
        parts.extend(content_info(oid::ENCRYPTED_DATA, &encrypted));
    }
    if !key_bags.is_empty() {
        let contents = element(SEQUENCE, &[&key_bags]);
        parts.extend(content_info(
            oid::DATA,
            &element(OCTET_STRING, &[&contents]),
        ));
    }
    let safe = element(SEQUENCE, &[&parts]);
    let mac = profile.mac().mac(&safe, &password, iterations, rng)?;
    let info = content_info(oid::DATA, &element(OCTET_STRING, &[&safe]));
    let file = element(SEQUENCE, &[&integer(3), &info, &mac]);
    if file.len() > MAX_LEN {
        return Err(Error::Limit("a PKCS #12 file of more than 16 MiB"));
    }
    Ok(file)
}

fn content_info(kind: der::asn1::ObjectIdentifier, content: &[u8]) -> Vec<u8> {
    identifier(kind, &element(context(0), &[content]))
}

fn bag(kind: der::asn1::ObjectIdentifier, value: &[u8], attributes: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut explicit = Zeroizing::new(Vec::with_capacity(value.len() + 10));
    ber::write(&mut explicit, context(0), value);
    let kind = ber::oid(kind);
    Zeroizing::new(element(SEQUENCE, &[&kind, &explicit, attributes]))
}

fn other_bag(content: &Content, attributes: &[u8]) -> Zeroizing<Vec<u8>> {
    let typed = |kind: der::asn1::ObjectIdentifier, value: &[u8]| {
        let explicit = Zeroizing::new(element(context(0), &[value]));
        Zeroizing::new(identifier(kind, &explicit))
    };
    match content {
        Content::Certificate(certificate) => {
            let value = typed(
                oid::X509_CERTIFICATE,
                &element(OCTET_STRING, &[certificate.as_der()]),
            );
            bag(oid::CERTIFICATE_BAG, &value, attributes)
        }
        Content::Crl(der) => {
            let value = typed(oid::X509_CRL, &element(OCTET_STRING, &[der]));
            bag(oid::CRL_BAG, &value, attributes)
        }
        Content::Secret(secret) => bag(
            oid::SECRET_BAG,
            &typed(secret.kind, &secret.value),
            attributes,
        ),
        Content::Other(kind, value) => bag(*kind, value, attributes),
        // Written by the caller.
        Content::Key(_) => Zeroizing::default(),
    }
}
