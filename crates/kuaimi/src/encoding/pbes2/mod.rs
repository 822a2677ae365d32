//! Encrypted PKCS#8 with PBES2 (RFC 8018, clause 6.2; GM/T 0091-2020): a password encrypts the DER
//! of a private key, whatever the key is for.
//!
//! All combinations of ciphers and hashes are read and written, SM4 with SM3 among them, which the
//! `pkcs5` crate does not have.

mod parameters;
mod primitives;
mod salted;

use alloc::vec::Vec;

use der::asn1::{ObjectIdentifier, OctetStringRef};
use der::{Decode as _, Reader, SliceReader};
use pkcs8::PrivateKeyInfoRef;
use rand_core::TryCryptoRng;
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

pub use parameters::{Cipher, KeyDerivation, PasswordEncryption, Prf};
pub use salted::SaltedKeyDerivation;

use super::tlv::{NULL, OBJECT_IDENTIFIER, OCTET_STRING, SEQUENCE, element, integer};
use super::{Error, oid};
use primitives::BLOCK_LEN;
use salted::parameters_of;

/// The parts of an `EncryptedPrivateKeyInfo`.
struct Encrypted<'a> {
    encryption: PasswordEncryption,
    salt: &'a [u8],
    iv: &'a [u8; BLOCK_LEN],
    data: &'a [u8],
}

fn parse(bytes: &[u8]) -> Result<Encrypted<'_>, Error> {
    let mut reader = SliceReader::new(bytes)?;
    let (algorithm, data) = reader.sequence(|info| -> Result<_, Error> {
        let algorithm: AlgorithmIdentifierRef<'_> = info.decode()?;
        Ok((algorithm, info.decode::<&OctetStringRef>()?.as_bytes()))
    })?;
    reader.finish()?;

    if ![oid::PBES2, oid::GM_PBES, oid::GM_PBES_MESSAGES].contains(&algorithm.oid) {
        return Err(Error::UnsupportedEncryption(algorithm.oid));
    }
    let (kdf, scheme) = parameters_of(&algorithm)?.sequence(|fields| {
        Ok::<(AlgorithmIdentifierRef<'_>, AlgorithmIdentifierRef<'_>), Error>((
            fields.decode()?,
            fields.decode()?,
        ))
    })?;
    let cipher = Cipher::from_oid(scheme.oid)?;
    let iv = parameters_of(&scheme)?
        .decode_as::<&OctetStringRef>()?
        .as_bytes()
        .try_into()
        .map_err(|_| Error::EncryptionParameters)?;
    let (key_derivation, salt, key_len) = salted::parse(&kdf)?;
    if key_len.is_some_and(|length| length != cipher.key_len() as u64) {
        return Err(Error::EncryptionParameters);
    }
    if data.is_empty() || data.len() % BLOCK_LEN != 0 {
        return Err(Error::EncryptionParameters);
    }
    key_derivation.check()?;
    Ok(Encrypted {
        encryption: PasswordEncryption {
            cipher,
            key_derivation,
        },
        salt,
        iv,
        data,
    })
}

/// How the DER of an `EncryptedPrivateKeyInfo` is encrypted, without decrypting it.
pub(super) fn encryption_of(bytes: &[u8]) -> Result<PasswordEncryption, Error> {
    parse(bytes).map(|encrypted| encrypted.encryption)
}

/// The DER of the PKCS#8 in the DER of an `EncryptedPrivateKeyInfo`, and how it was encrypted.
pub(super) fn decrypt(
    bytes: &[u8],
    password: &[u8],
) -> Result<(Zeroizing<Vec<u8>>, PasswordEncryption), Error> {
    let encrypted = parse(bytes)?;
    let PasswordEncryption {
        cipher,
        key_derivation,
    } = encrypted.encryption;
    let key = key_derivation.derive(password, encrypted.salt, cipher.key_len())?;
    #[cfg_attr(not(feature = "memcheck"), allow(unused_mut))]
    let mut data = cipher
        .decrypt_padded(&key, encrypted.iv, encrypted.data)
        .ok_or(Error::WrongPassword)?;
    #[cfg(feature = "memcheck")]
    super::private_key::declassify_structure(&mut data);
    // About one wrong password in 256 leads to valid padding. Then the content is not PKCS#8.
    PrivateKeyInfoRef::from_der(&data).map_err(|_| Error::WrongPassword)?;
    Ok((data, encrypted.encryption))
}

/// The DER of an `EncryptedPrivateKeyInfo` with the DER of a PKCS#8.
pub(super) fn encrypt<R: TryCryptoRng + ?Sized>(
    info: &[u8],
    password: &[u8],
    encryption: PasswordEncryption,
    rng: &mut R,
) -> Result<Vec<u8>, Error> {
    let PasswordEncryption {
        cipher,
        key_derivation,
    } = encryption;
    let (mut salt, mut iv) = ([0; 16], [0; BLOCK_LEN]);
    rng.try_fill_bytes(&mut salt).map_err(|_| Error::Random)?;
    rng.try_fill_bytes(&mut iv).map_err(|_| Error::Random)?;
    let key = key_derivation.derive(password, &salt, cipher.key_len())?;

    let data = cipher
        .encrypt_padded(&key, &iv, info)
        .ok_or(Error::EncryptionParameters)?;

    let identifier = |oid: ObjectIdentifier, parameters: &[u8]| {
        element(
            SEQUENCE,
            &[&element(OBJECT_IDENTIFIER, &[oid.as_bytes()]), parameters],
        )
    };
    let salt = element(OCTET_STRING, &[&salt]);
    let kdf = match key_derivation {
        KeyDerivation::Pbkdf2 { prf, iterations } => {
            // GmSSL reads HMAC-SM3 without parameters only. RFC 8018 gives the others NULL.
            let prf = match prf {
                Prf::HmacSm3 => identifier(prf.oid(), &[]),
                _ => identifier(prf.oid(), &element(NULL, &[])),
            };
            let fields = element(SEQUENCE, &[&salt, &integer(iterations.into()), &prf]);
            identifier(oid::PBKDF2, &fields)
        }
        KeyDerivation::Scrypt { log_n, r, p } => {
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
