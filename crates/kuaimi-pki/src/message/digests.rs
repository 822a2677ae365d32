//! The hashes of a content, while it passes.

use alloc::vec::Vec;

use der::asn1::ObjectIdentifier;
use kuaimi::sm3::Sm3;

use super::attributes;
use crate::public_key::Identities;
use crate::{Certificate, PublicKey, oid};

/// Bytes of a content that are kept to see whether it looks like signed attributes.
const KEPT: usize = 16 << 10;
/// Keys whose signatures without attributes can be verified while a content passes.
pub(crate) const MAX_KNOWN: usize = 16;

/// A hash function.
#[derive(Clone)]
enum Hash {
    Sm3(Sm3),
    #[cfg(feature = "other-algorithms")]
    Sha256(sha2::Sha256),
    #[cfg(feature = "other-algorithms")]
    Sha384(sha2::Sha384),
    #[cfg(feature = "other-algorithms")]
    Sha512(sha2::Sha512),
}

impl Hash {
    fn new(algorithm: ObjectIdentifier) -> Option<Self> {
        match algorithm {
            oid::SM3 => Some(Self::Sm3(Sm3::new())),
            #[cfg(feature = "other-algorithms")]
            oid::SHA256 => Some(Self::Sha256(sha2::Digest::new())),
            #[cfg(feature = "other-algorithms")]
            oid::SHA384 => Some(Self::Sha384(sha2::Digest::new())),
            #[cfg(feature = "other-algorithms")]
            oid::SHA512 => Some(Self::Sha512(sha2::Digest::new())),
            _ => None,
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sm3(hash) => hash.update(bytes),
            #[cfg(feature = "other-algorithms")]
            Self::Sha256(hash) => sha2::Digest::update(hash, bytes),
            #[cfg(feature = "other-algorithms")]
            Self::Sha384(hash) => sha2::Digest::update(hash, bytes),
            #[cfg(feature = "other-algorithms")]
            Self::Sha512(hash) => sha2::Digest::update(hash, bytes),
        }
    }

    fn finish(self) -> Vec<u8> {
        match self {
            Self::Sm3(hash) => hash.finalize().to_vec(),
            #[cfg(feature = "other-algorithms")]
            Self::Sha256(hash) => sha2::Digest::finalize(hash).to_vec(),
            #[cfg(feature = "other-algorithms")]
            Self::Sha384(hash) => sha2::Digest::finalize(hash).to_vec(),
            #[cfg(feature = "other-algorithms")]
            Self::Sha512(hash) => sha2::Digest::finalize(hash).to_vec(),
        }
    }
}

/// The digest of `bytes`; nothing for an algorithm that is not known.
pub(crate) fn digest(algorithm: ObjectIdentifier, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut hash = Hash::new(algorithm)?;
    hash.update(bytes);
    Some(hash.finish())
}

/// The hashes that run over a content.
pub(crate) struct Running {
    plain: Vec<(ObjectIdentifier, Hash)>,
    /// `SM3(Z ‖ content)` for the keys that were named beforehand.
    keyed: Vec<(kuaimi::sm2::PublicKey, Sm3, Option<Sm3>)>,
    beginning: Vec<u8>,
    length: u64,
}

impl Running {
    pub(crate) fn new(known: &[Certificate], identities: Identities) -> Self {
        let mut keyed: Vec<(kuaimi::sm2::PublicKey, Sm3, Option<Sm3>)> = Vec::new();
        for certificate in known {
            let PublicKey::Sm2(key) = certificate.public_key() else {
                continue;
            };
            let public = *key.public_key();
            if keyed.len() < MAX_KNOWN && !keyed.iter().any(|(other, ..)| *other == public) {
                let other = match identities {
                    Identities::Default => None,
                    Identities::DefaultOrEmpty => key.under_id(b"").ok(),
                };
                keyed.push((
                    public,
                    key.message_hash(),
                    other.map(|key| key.message_hash()),
                ));
            }
        }
        Self {
            plain: Vec::new(),
            keyed,
            beginning: Vec::new(),
            length: 0,
        }
    }

    /// Runs this hash, too, if it is known. Before the content.
    pub(crate) fn add(&mut self, algorithm: ObjectIdentifier) {
        if self.plain.iter().all(|(other, _)| *other != algorithm)
            && let Some(hash) = Hash::new(algorithm)
        {
            self.plain.push((algorithm, hash));
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.plain
            .iter_mut()
            .for_each(|(_, hash)| hash.update(bytes));
        for (_, hash, other) in &mut self.keyed {
            hash.update(bytes);
            if let Some(hash) = other {
                hash.update(bytes);
            }
        }
        let free = KEPT.saturating_sub(self.beginning.len());
        self.beginning
            .extend_from_slice(bytes.get(..free.min(bytes.len())).unwrap_or_default());
        self.length = self.length.saturating_add(bytes.len() as u64);
    }

    pub(crate) fn finish(self) -> Digests {
        let whole = self.length == self.beginning.len() as u64;
        Digests {
            plain: self
                .plain
                .into_iter()
                .map(|(algorithm, hash)| (algorithm, hash.finish()))
                .collect(),
            keyed: self
                .keyed
                .into_iter()
                .map(|(key, hash, other)| {
                    let mut all = Vec::from([hash.finalize()]);
                    all.extend(other.map(Sm3::finalize));
                    (key, all)
                })
                .collect(),
            // Longer attributes do not exist outside of attacks: only the first byte is looked at.
            like_attributes: match whole {
                true => attributes::look_like(&self.beginning),
                false => self.beginning.first() == Some(&crate::ber::SET) && self.length < 1 << 20,
            },
        }
    }
}

/// The digests of a content.
pub(crate) struct Digests {
    plain: Vec<(ObjectIdentifier, Vec<u8>)>,
    keyed: Vec<(kuaimi::sm2::PublicKey, Vec<[u8; 32]>)>,
    pub(crate) like_attributes: bool,
}

impl Digests {
    /// Of a content that is in memory.
    pub(crate) fn of(content: &[u8], algorithm: ObjectIdentifier) -> Self {
        let mut running = Running::new(&[], Identities::Default);
        running.add(algorithm);
        running.update(content);
        running.finish()
    }

    pub(crate) fn plain(&self, algorithm: ObjectIdentifier) -> Option<&[u8]> {
        let mut all = self.plain.iter();
        all.find(|(other, _)| *other == algorithm)
            .map(|(_, digest)| digest.as_slice())
    }

    /// `SM3(Z ‖ content)` for `key`, under each identity that is allowed.
    pub(crate) fn keyed(&self, key: &kuaimi::sm2::PublicKey) -> Option<&[[u8; 32]]> {
        let mut all = self.keyed.iter();
        all.find(|(other, _)| other == key)
            .map(|(_, digests)| digests.as_slice())
    }
}

/// The algorithm that a hash and a key make together, as RSA's signatures name only the key's.
pub(crate) fn rsa_with(digest: ObjectIdentifier) -> Option<crate::public_key::SignatureAlgorithm> {
    use crate::public_key::SignatureAlgorithm::{RsaSha256, RsaSha384, RsaSha512};
    match digest {
        oid::SHA256 => Some(RsaSha256),
        oid::SHA384 => Some(RsaSha384),
        oid::SHA512 => Some(RsaSha512),
        _ => None,
    }
}
