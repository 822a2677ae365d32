//! Private keys under a password: encrypted PKCS#8 with PBES2 (RFC 8018, clause 6.2; GM/T 0091-2020).
//!
//! All mixes of ciphers and hashes are read and written, SM4 with SM3 among them, which the `pkcs5` crate does not know.

use alloc::string::String;
use alloc::vec::Vec;

use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::pem::{LineEnding, PemLabel};
use der::{Reader, SliceReader};
use pkcs8::EncryptedPrivateKeyInfoRef;
use rand_core::TryCryptoRng;
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

use super::password::{BLOCK, Cipher, Derivation, PasswordEncryption, PasswordHash};
use super::tlv::{NULL, OBJECT_IDENTIFIER, OCTET_STRING, SEQUENCE, element, integer};
use super::{Error, oid, private_key};
use crate::sm2::SecretKey;

/// An `EncryptedPrivateKeyInfo` taken apart.
struct Encrypted<'a> {
    encryption: PasswordEncryption,
    salt: &'a [u8],
    iv: &'a [u8; BLOCK],
    data: &'a [u8],
}

fn parse(bytes: &[u8]) -> Result<Encrypted<'_>, Error> {
    let mut reader = SliceReader::new(bytes)?;
    let (algorithm, data) = reader.sequence(|info| -> Result<_, Error> {
        let algorithm: AlgorithmIdentifierRef<'_> = info.decode()?;
        Ok((algorithm, info.decode::<&OctetStringRef>()?.as_bytes()))
    })?;
    reader.finish()?;

    if ![oid::PBES2, oid::GM_PBES].contains(&algorithm.oid) {
        return Err(Error::Encryption(algorithm.oid));
    }
    let (kdf, scheme) = parameters(&algorithm)?.sequence(|fields| {
        Ok::<(AlgorithmIdentifierRef<'_>, AlgorithmIdentifierRef<'_>), Error>((
            fields.decode()?,
            fields.decode()?,
        ))
    })?;
    let cipher = Cipher::ALL
        .into_iter()
        .find(|cipher| cipher.oid() == scheme.oid)
        .ok_or(Error::Encryption(scheme.oid))?;
    let iv = parameters(&scheme)?
        .decode_as::<&OctetStringRef>()?
        .as_bytes()
        .try_into()
        .map_err(|_| Error::EncryptionParameters)?;
    let (derivation, salt, key_len) = match kdf.oid {
        oid::PBKDF2 => parse_pbkdf2(parameters(&kdf)?, PasswordHash::Sha1)?,
        oid::GM_PBKDF => parse_pbkdf2(parameters(&kdf)?, PasswordHash::Sm3)?,
        oid::SCRYPT => parse_scrypt(parameters(&kdf)?)?,
        other => return Err(Error::Encryption(other)),
    };
    if key_len.is_some_and(|length| length != cipher.key_len() as u64) {
        return Err(Error::EncryptionParameters);
    }
    if data.is_empty() || data.len() % BLOCK != 0 {
        return Err(Error::EncryptionParameters);
    }
    derivation.check()?;
    Ok(Encrypted {
        encryption: PasswordEncryption { cipher, derivation },
        salt,
        iv,
        data,
    })
}

fn parameters<'a>(algorithm: &AlgorithmIdentifierRef<'a>) -> Result<AnyRef<'a>, Error> {
    algorithm.parameters.ok_or(Error::EncryptionParameters)
}

/// A derivation, its salt, and the length of the key where it is said.
type DerivationFields<'a> = (Derivation, &'a [u8], Option<u64>);

/// `SEQUENCE { salt OCTET STRING, iterationCount INTEGER, keyLength INTEGER OPTIONAL, prf AlgorithmIdentifier DEFAULT }`.
fn parse_pbkdf2(any: AnyRef<'_>, default: PasswordHash) -> Result<DerivationFields<'_>, Error> {
    any.sequence(|fields| {
        let salt = fields.decode::<&OctetStringRef>()?.as_bytes();
        let iterations: u64 = fields.decode()?;
        let key_len = fields.decode()?;
        let hash = match fields.decode::<Option<AlgorithmIdentifierRef<'_>>>()? {
            None => default,
            Some(prf) if prf.parameters.is_none_or(|parameters| parameters.is_null()) => {
                PasswordHash::from_oid(prf.oid)?
            }
            Some(_) => return Err(Error::EncryptionParameters),
        };
        let iterations =
            u32::try_from(iterations).map_err(|_| Error::IterationCount(iterations))?;
        Ok((Derivation::Pbkdf2 { hash, iterations }, salt, key_len))
    })
}

/// `SEQUENCE { salt OCTET STRING, N INTEGER, r INTEGER, p INTEGER, keyLength INTEGER OPTIONAL }`.
fn parse_scrypt(any: AnyRef<'_>) -> Result<DerivationFields<'_>, Error> {
    any.sequence(|fields| {
        let salt = fields.decode::<&OctetStringRef>()?.as_bytes();
        let n: u64 = fields.decode()?;
        let (r, p) = (fields.decode()?, fields.decode()?);
        let key_len = fields.decode()?;
        if !n.is_power_of_two() {
            return Err(Error::EncryptionParameters);
        }
        let log_n = n.trailing_zeros() as u8;
        Ok((Derivation::Scrypt { log_n, r, p }, salt, key_len))
    })
}

/// How the DER of an `EncryptedPrivateKeyInfo` says it is encrypted, without decrypting it.
pub(super) fn encryption_of(bytes: &[u8]) -> Result<PasswordEncryption, Error> {
    parse(bytes).map(|encrypted| encrypted.encryption)
}

/// The DER of the PKCS#8 in the DER of an `EncryptedPrivateKeyInfo`.
pub(super) fn decrypt_info(
    bytes: &[u8],
    password: &[u8],
) -> Result<(Zeroizing<Vec<u8>>, PasswordEncryption), Error> {
    let encrypted = parse(bytes)?;
    let PasswordEncryption { cipher, derivation } = encrypted.encryption;
    let key = derivation.derive(password, encrypted.salt, cipher.key_len())?;
    let mut data = Zeroizing::new(encrypted.data.to_vec());
    let length = cipher
        .decrypt(&key, encrypted.iv, &mut data)
        .ok_or(Error::WrongPassword)?;
    data.truncate(length);
    // By chance, the padding is right under one in 256 wrong passwords: then what it pads is no PKCS#8.
    private_key::parse_pkcs8(&data).map_err(|_| Error::WrongPassword)?;
    Ok((data, encrypted.encryption))
}

/// The key in the DER of an `EncryptedPrivateKeyInfo`.
pub(super) fn decrypt_key(
    bytes: &[u8],
    password: &[u8],
) -> Result<(SecretKey, PasswordEncryption), Error> {
    let (info, encryption) = decrypt_info(bytes, password)?;
    Ok((private_key::from_pkcs8_der(&info)?, encryption))
}

/// The DER of an `EncryptedPrivateKeyInfo` around the DER of a PKCS#8.
pub(super) fn encrypt_info<R: TryCryptoRng + ?Sized>(
    info: &[u8],
    password: &[u8],
    encryption: PasswordEncryption,
    rng: &mut R,
) -> Result<Vec<u8>, Error> {
    let PasswordEncryption { cipher, derivation } = encryption;
    let (mut salt, mut iv) = ([0; 16], [0; BLOCK]);
    rng.try_fill_bytes(&mut salt).map_err(|_| Error::Random)?;
    rng.try_fill_bytes(&mut iv).map_err(|_| Error::Random)?;
    let key = derivation.derive(password, &salt, cipher.key_len())?;

    let length = info.len();
    let mut data = Zeroizing::new(alloc::vec![0; length + BLOCK]);
    data[..length].copy_from_slice(info);
    let length = cipher
        .encrypt(&key, &iv, &mut data, length)
        .ok_or(Error::EncryptionParameters)?;
    data.truncate(length);

    let identifier = |oid: ObjectIdentifier, parameters: &[u8]| {
        element(
            SEQUENCE,
            &[&element(OBJECT_IDENTIFIER, &[oid.as_bytes()]), parameters],
        )
    };
    let salt = element(OCTET_STRING, &[&salt]);
    let kdf = match derivation {
        Derivation::Pbkdf2 { hash, iterations } => {
            // GmSSL reads HMAC-SM3 without parameters only; the others have NULL by RFC 8018.
            let prf = match hash {
                PasswordHash::Sm3 => identifier(hash.oid(), &[]),
                _ => identifier(hash.oid(), &element(NULL, &[])),
            };
            let fields = element(SEQUENCE, &[&salt, &integer(iterations.into()), &prf]);
            identifier(oid::PBKDF2, &fields)
        }
        Derivation::Scrypt { log_n, r, p } => {
            let (n, r, p) = (integer(1 << log_n), integer(r.into()), integer(p.into()));
            identifier(oid::SCRYPT, &element(SEQUENCE, &[&salt, &n, &r, &p]))
        }
    };
    let scheme = identifier(cipher.oid(), &element(OCTET_STRING, &[&iv]));
    let algorithm = identifier(oid::PBES2, &element(SEQUENCE, &[&kdf, &scheme]));
    Ok(element(
        SEQUENCE,
        &[&algorithm, &element(OCTET_STRING, &[&data])],
    ))
}

impl SecretKey {
    /// The DER of an encrypted PKCS#8 private key under `password`; salt and initialization vector come from `rng`.
    ///
    /// Read it with `from_pkcs8_encrypted_der` of [`DecodePrivateKey`](super::DecodePrivateKey) or with
    /// [`read_private_key`](super::read_private_key).
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::IterationCount`] and [`Error::ScryptCost`] for parameters that
    /// a reader would refuse.
    pub fn to_encrypted_pkcs8_der<R: TryCryptoRng + ?Sized>(
        &self,
        password: &[u8],
        encryption: PasswordEncryption,
        rng: &mut R,
    ) -> Result<Vec<u8>, Error> {
        let plain = private_key::to_pkcs8_der(self)?;
        encrypt_info(plain.as_bytes(), password, encryption, rng)
    }

    /// As [`to_encrypted_pkcs8_der`](Self::to_encrypted_pkcs8_der), in PEM.
    ///
    /// # Errors
    /// As [`to_encrypted_pkcs8_der`](Self::to_encrypted_pkcs8_der).
    pub fn to_encrypted_pkcs8_pem<R: TryCryptoRng + ?Sized>(
        &self,
        password: &[u8],
        encryption: PasswordEncryption,
        rng: &mut R,
    ) -> Result<String, Error> {
        let der = self.to_encrypted_pkcs8_der(password, encryption, rng)?;
        Ok(
            der::pem::encode_string(EncryptedPrivateKeyInfoRef::PEM_LABEL, LineEnding::LF, &der)
                .map_err(der::Error::from)?,
        )
    }
}
