//! Key derivations as an `AlgorithmIdentifier` names them, with their salts (RFC 8018, clause A.2;
//! RFC 7914, clause 7): in PBES2, in PBMAC1, and in messages under a password.

use alloc::vec::Vec;

use der::Decode as _;
use der::Reader;
use der::asn1::{AnyRef, OctetStringRef};
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

use super::parameters::{KeyDerivation, Prf};
use crate::encoding::{Error, oid};

/// A key derivation with its salt, as it is found in a file.
///
/// ```
/// use kuaimi::encoding::{KeyDerivation, Prf, SaltedKeyDerivation};
///
/// // PBKDF2 with the salt 01 02, 1000 iterations, and HMAC-SHA-1, which is the default.
/// let der = [
///     0x30, 0x15, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c, // PBKDF2
///     0x30, 0x08, 0x04, 0x02, 1, 2, 0x02, 0x02, 0x03, 0xe8,
/// ];
/// let found = SaltedKeyDerivation::from_der(&der)?;
/// assert_eq!(found.salt, [1, 2]);
/// assert_eq!(found.key_len, None);
/// let pbkdf2 = KeyDerivation::Pbkdf2 { prf: Prf::HmacSha1, iterations: 1000 };
/// assert_eq!(found.key_derivation, pbkdf2);
/// assert_eq!(found.derive(b"password", 16)?, pbkdf2.derive(b"password", &[1, 2], 16)?);
/// # Ok::<(), kuaimi::encoding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SaltedKeyDerivation {
    /// The function and its costs.
    pub key_derivation: KeyDerivation,
    /// The salt.
    pub salt: Vec<u8>,
    /// The length of the key in bytes, if the file says it.
    pub key_len: Option<u64>,
}

impl SaltedKeyDerivation {
    /// From the DER of an `AlgorithmIdentifier` with PBKDF2 or scrypt.
    ///
    /// # Errors
    /// [`Error::UnsupportedEncryption`] for another function; [`Error::IterationCount`] and
    /// [`Error::ScryptCost`] for costs that are not accepted; [`Error::EncryptionParameters`] and
    /// the errors of malformed DER.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let algorithm = AlgorithmIdentifierRef::from_der(bytes)?;
        let (key_derivation, salt, key_len) = parse(&algorithm)?;
        key_derivation.check()?;
        Ok(Self {
            key_derivation,
            salt: salt.to_vec(),
            key_len,
        })
    }

    /// Derives a key of `length` bytes from a password.
    ///
    /// # Errors
    /// As [`KeyDerivation::derive`]; [`Error::EncryptionParameters`] if the file says another
    /// length.
    pub fn derive(&self, password: &[u8], length: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
        if self.key_len.is_some_and(|said| said != length as u64) {
            return Err(Error::EncryptionParameters);
        }
        self.key_derivation.derive(password, &self.salt, length)
    }
}

/// A key derivation, its salt, and the length of the key, if it is given.
type KeyDerivationFields<'a> = (KeyDerivation, &'a [u8], Option<u64>);

/// The costs are not checked.
pub(super) fn parse<'a>(
    algorithm: &AlgorithmIdentifierRef<'a>,
) -> Result<KeyDerivationFields<'a>, Error> {
    let parameters = || parameters_of(algorithm);
    match algorithm.oid {
        oid::PBKDF2 => parse_pbkdf2(parameters()?, Prf::HmacSha1),
        oid::GM_PBKDF | oid::GM_PBKDF_MESSAGES => parse_pbkdf2(parameters()?, Prf::HmacSm3),
        oid::SCRYPT => parse_scrypt(parameters()?),
        other => Err(Error::UnsupportedEncryption(other)),
    }
}

pub(super) fn parameters_of<'a>(
    algorithm: &AlgorithmIdentifierRef<'a>,
) -> Result<AnyRef<'a>, Error> {
    algorithm.parameters.ok_or(Error::EncryptionParameters)
}

/// `SEQUENCE { salt OCTET STRING, iterationCount INTEGER, keyLength INTEGER OPTIONAL, prf
/// AlgorithmIdentifier DEFAULT }`.
fn parse_pbkdf2(any: AnyRef<'_>, default: Prf) -> Result<KeyDerivationFields<'_>, Error> {
    any.sequence(|fields| {
        let salt = fields.decode::<&OctetStringRef>()?.as_bytes();
        let iterations: u64 = fields.decode()?;
        let key_len = fields.decode()?;
        let prf = match fields.decode::<Option<AlgorithmIdentifierRef<'_>>>()? {
            None => default,
            Some(prf) if prf.parameters.is_none_or(|parameters| parameters.is_null()) => {
                Prf::from_oid(prf.oid)?
            }
            Some(_) => return Err(Error::EncryptionParameters),
        };
        let iterations =
            u32::try_from(iterations).map_err(|_| Error::IterationCount(iterations))?;
        Ok((KeyDerivation::Pbkdf2 { prf, iterations }, salt, key_len))
    })
}

/// `SEQUENCE { salt OCTET STRING, N INTEGER, r INTEGER, p INTEGER, keyLength INTEGER OPTIONAL }`.
fn parse_scrypt(any: AnyRef<'_>) -> Result<KeyDerivationFields<'_>, Error> {
    any.sequence(|fields| {
        let salt = fields.decode::<&OctetStringRef>()?.as_bytes();
        let n: u64 = fields.decode()?;
        let (r, p) = (fields.decode()?, fields.decode()?);
        let key_len = fields.decode()?;
        if !n.is_power_of_two() {
            return Err(Error::EncryptionParameters);
        }
        let log_n = n.trailing_zeros() as u8;
        Ok((KeyDerivation::Scrypt { log_n, r, p }, salt, key_len))
    })
}
