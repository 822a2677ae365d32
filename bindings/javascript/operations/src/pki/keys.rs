//! Private keys and certificates in one file: PKCS #12, an authority's answer, and CFCA's forms.

use alloc::string::String;
use alloc::vec::Vec;

use kuaimi::sm2::PrivateKey;
use kuaimi_pki::key_response::KeyResponse;
use kuaimi_pki::pkcs12::{Pkcs12, Profile, Protection};
use kuaimi_pki::{Certificate, cfca};
use serde::Serialize;
use zeroize::Zeroizing;

use super::frame::{self, text};
use super::{certificates, json};
use crate::Result;
use crate::random::Random;

/// A key in a file, by the places of its parts in the list behind this.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Identity {
    key: usize,
    certificate: Option<usize>,
    chain: Vec<usize>,
    friendly_name: Option<String>,
}

#[derive(Serialize)]
struct Facts {
    identities: Vec<Identity>,
    others: Vec<usize>,
    /// How many keys are of other algorithms than SM2.
    skipped: usize,
}

/// The parts of a list while it is made.
#[derive(Default)]
struct Parts<'a> {
    keys: Vec<Zeroizing<[u8; 32]>>,
    certificates: Vec<&'a Certificate>,
}

impl<'a> Parts<'a> {
    /// Certificates have the places behind all keys.
    fn put(&mut self, certificate: &'a Certificate) -> usize {
        let found = self.certificates.iter().position(|one| *one == certificate);
        found.unwrap_or_else(|| {
            self.certificates.push(certificate);
            self.certificates.len() - 1
        })
    }
}

/// A list: how the parts belong together, as JSON; the numbers of the keys of SM2; and the
/// certificates.
pub fn pki_pkcs12_read(data: &[u8], password: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let file = Pkcs12::from_bytes(data, text(password)?)?;
    let mut parts = Parts::default();
    let (mut identities, mut skipped) = (Vec::new(), 0);
    for identity in file.identities() {
        let Ok(key) = identity.key.sm2() else {
            skipped += 1;
            continue;
        };
        parts.keys.push(key.to_bytes());
        identities.push(Identity {
            key: parts.keys.len() - 1,
            certificate: identity.certificate.map(|one| parts.put(one)),
            chain: identity.chain.iter().map(|one| parts.put(one)).collect(),
            friendly_name: identity.friendly_name.map(Into::into),
        });
    }
    // All that are not the certificate of a key.
    let own: Vec<usize> = identities.iter().filter_map(|it| it.certificate).collect();
    let others = file.certificates().map(|one| parts.put(one));
    let others: Vec<usize> = others.filter(|place| !own.contains(place)).collect();
    let facts = json(&Facts {
        identities,
        others,
        skipped,
    })?;
    let mut all = Vec::from([&facts[..]]);
    all.extend(parts.keys.iter().map(|key| &key[..]));
    all.extend(parts.certificates.iter().map(|one| one.as_der()));
    frame::list(&all)
}

/// A file in DER. Each of the identities is a list of a key's number, its certificate and its name,
/// which may be empty. Without iterations (0), they are the profile's.
pub fn pki_pkcs12_write(
    identities: &[u8],
    others: &[u8],
    password: &[u8],
    profile: u32,
    iterations: u32,
) -> Result<Vec<u8>> {
    let mut protection = Protection::from(match profile {
        0 => Profile::Compatible,
        1 => Profile::ShangMi,
        2 => Profile::ShangMiOpenssl,
        3 => Profile::Legacy,
        _ => return Err(argument!("there is no such profile")),
    });
    if iterations != 0 {
        protection = protection.with_iterations(iterations);
    }
    let password = text(password)?;
    if password.is_empty() {
        return Err(argument!("an empty password protects nothing"));
    }
    let mut file = Pkcs12::new();
    for identity in frame::items(identities)? {
        let [key, certificate, name] = frame::exactly(identity)?;
        let name = match text(name)? {
            "" => None,
            name => Some(name),
        };
        let certificate = Certificate::from_der(certificate)?;
        file.push_identity(&PrivateKey::from_slice(key)?, &certificate, name)?;
    }
    for certificate in certificates(others)? {
        if !file.certificates().any(|old| *old == certificate) {
            file.push_certificate(&certificate);
        }
    }
    Ok(file.to_der(password, protection, &mut Random)?)
}

/// What an authority answers to a request (GM/T 0092): a list of the number of the encrypting key,
/// which is empty if there is none; of a list of the signing certificates, the holder's first; and
/// of one of those for the encrypting key.
pub fn pki_key_response_open(data: &[u8], key: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let response = KeyResponse::from_bytes(data)?;
    let key = response.open(&PrivateKey::from_slice(key)?)?;
    let number = key.map(|key| key.to_bytes());
    let number = number.as_ref().map_or(&[][..], |number| &number[..]);
    let list =
        |all: &[Certificate]| frame::list(&all.iter().map(Certificate::as_der).collect::<Vec<_>>());
    let signing = list(response.signing_certificates())?;
    let encryption = list(response.encryption_certificates())?;
    frame::list(&[number, &signing, &encryption])
}

/// The number of the key and the certificate of an `.sm2` file of CFCA.
pub fn pki_cfca_read(data: &[u8], password: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let (key, certificate) = cfca::open_key_file(data, text(password)?)?;
    frame::list(&[&key.to_bytes()[..], certificate.as_der()])
}

/// Such a file.
pub fn pki_cfca_write(key: &[u8], certificate: &[u8], password: &[u8]) -> Result<Vec<u8>> {
    let key = PrivateKey::from_slice(key)?;
    let certificate = Certificate::from_der(certificate)?;
    let password = text(password)?;
    if password.is_empty() {
        return Err(argument!("an empty password protects nothing"));
    }
    Ok(cfca::write_key_file(&key, &certificate, password)?.into_bytes())
}

/// The number of the key that CFCA returns for a request's temporary key.
pub fn pki_cfca_returned_key(key: &[u8], returned: &[u8]) -> Result<Zeroizing<[u8; 32]>> {
    let key = PrivateKey::from_slice(key)?;
    Ok(cfca::open_returned_key(&key, returned)?.to_bytes())
}
