//! The MAC over a file's contents: with PKCS #12's own key derivation (RFC 7292, clause 4), or
//! PBMAC1 (RFC 9579; RFC 8018, clause 7.1; GM/T 0091-2020).

use alloc::vec::Vec;

use kuaimi::encoding::{KeyDerivation, Prf, SaltedKeyDerivation};
use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;

use super::budget::Budget;
use super::encryption::{MAX_SALT_LEN, pbkdf2, pbkdf2_blocks};
use super::hash::{Hash, Purpose};
use super::password::Password;
use crate::ber::{Elements, NULL, OCTET_STRING, SEQUENCE, element, identifier, integer};
use crate::signer::fill;
use crate::{Error, oid};

const WHAT: &str = "MAC of a PKCS #12 file";
/// The lengths of PBMAC1's keys that are accepted, in bytes: below 20, a tag is soon found that
/// fits any password (RFC 9579).
const KEY_LENS: core::ops::RangeInclusive<u64> = 20..=64;

/// `MacData`.
pub(super) struct MacData<'a> {
    kind: Kind<'a>,
    tag: &'a [u8],
}

enum Kind<'a> {
    Old {
        hash: Hash,
        salt: &'a [u8],
        iterations: u32,
    },
    Pbmac1 {
        derivation: SaltedKeyDerivation,
        key_len: usize,
        hash: Hash,
    },
}

impl<'a> MacData<'a> {
    /// From `SEQUENCE { mac DigestInfo, macSalt OCTET STRING, iterations INTEGER DEFAULT 1 }`.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut fields = Elements::inside(bytes, SEQUENCE, WHAT)?;
        let mut info = fields.enter(SEQUENCE)?;
        let mut algorithm = info.enter(SEQUENCE)?;
        let tag = info.octets()?;
        info.end()?;
        let salt = fields.octets()?;
        let iterations = match fields.is_empty() {
            true => 1,
            false => fields.value()?,
        };
        fields.end()?;
        if salt.len() > MAX_SALT_LEN {
            return Err(Error::Limit("a salt of more than 1024 bytes"));
        }
        let oid = algorithm.oid()?;
        let kind = if oid == oid::PBMAC1 || oid::GM_PBMAC.contains(&oid) {
            // The salt and the iterations above mean nothing then.
            Self::read_pbmac1(algorithm.enter(SEQUENCE)?)?
        } else {
            let hash = Hash::from_oid(oid)?;
            Kind::Old {
                hash,
                salt,
                iterations,
            }
        };
        Ok(Self { kind, tag })
    }

    fn read_pbmac1(mut parameters: Elements<'a>) -> Result<Kind<'a>, Error> {
        let derivation = SaltedKeyDerivation::from_der(parameters.bytes()?)?;
        let mut scheme = parameters.enter(SEQUENCE)?;
        parameters.end()?;
        let hash = Hash::of_prf(Prf::from_oid(scheme.oid()?)?)?;
        if derivation.salt.len() > MAX_SALT_LEN {
            return Err(Error::Limit("a salt of more than 1024 bytes"));
        }
        let key_len = match derivation.key_len {
            Some(length) if KEY_LENS.contains(&length) => length as usize,
            _ => {
                let why = "does not say the length of its key, or has a key of less than 20 bytes";
                return Err(Error::Structure(WHAT, why));
            }
        };
        Ok(Kind::Pbmac1 {
            derivation,
            key_len,
            hash,
        })
    }

    /// Whether the tag is that of `content`; the password's form that it was made with is kept.
    pub(super) fn verify(
        &self,
        content: &[u8],
        password: &mut Password<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Error> {
        match &self.kind {
            Kind::Old {
                hash,
                salt,
                iterations,
            } => {
                let mut found = None;
                for (index, password) in password.old().iter().enumerate() {
                    budget.spend(*iterations, 1)?;
                    let key = hash.derive(Purpose::Mac, password, salt, *iterations, hash.len());
                    if bool::from(hash.hmac(&key, content).ct_eq(self.tag)) {
                        found = Some(index);
                        break;
                    }
                }
                if let Some(index) = found {
                    password.settle(index);
                }
                Ok(found.is_some())
            }
            Kind::Pbmac1 {
                derivation,
                key_len,
                hash,
            } => {
                let blocks = pbkdf2_blocks(derivation.key_derivation, *key_len)?;
                budget.spend_on(derivation.key_derivation, blocks)?;
                let key = derivation.derive(password.utf8(), *key_len)?;
                Ok(hash.hmac(&key, content).ct_eq(self.tag).into())
            }
        }
    }
}

/// How a file's MAC is made.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// With PKCS #12's own key derivation.
    Old(Hash),
    /// PBMAC1 with HMAC-SM3.
    Pbmac1Sm3,
}

impl Target {
    /// `MacData` of `content`.
    pub(super) fn mac<R: TryCryptoRng + ?Sized>(
        self,
        content: &[u8],
        password: &Password<'_>,
        iterations: u32,
        rng: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let mut salt = [0; 16];
        fill(rng, &mut salt)?;
        let (algorithm, tag, salt) = match self {
            Self::Old(hash) => {
                let salt = match hash {
                    // Old readers expect eight bytes.
                    Hash::Sha1 => salt.split_at(8).0,
                    _ => &salt,
                };
                let key = match password.old() {
                    [password, ..] => {
                        hash.derive(Purpose::Mac, password, salt, iterations, hash.len())
                    }
                    [] => Default::default(),
                };
                let algorithm = identifier(hash.oid(), &[NULL, 0]);
                (algorithm, hash.hmac(&key, content), salt)
            }
            Self::Pbmac1Sm3 => {
                let prf = Prf::HmacSm3;
                let derivation = KeyDerivation::Pbkdf2 { prf, iterations };
                let key = derivation.derive(password.utf8(), &salt, 32)?;
                let derivation = pbkdf2(&salt, iterations, Some(32), prf.oid());
                let scheme = identifier(prf.oid(), &[]);
                let parameters = element(SEQUENCE, &[&derivation, &scheme]);
                let algorithm = identifier(oid::PBMAC1, &parameters);
                (algorithm, Hash::Sm3.hmac(&key, content), salt.as_slice())
            }
        };
        let info = element(SEQUENCE, &[&algorithm, &element(OCTET_STRING, &[&tag])]);
        let salt = element(OCTET_STRING, &[salt]);
        Ok(element(SEQUENCE, &[&info, &salt, &integer(iterations)]))
    }
}
