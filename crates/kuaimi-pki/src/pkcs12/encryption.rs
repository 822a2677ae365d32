//! The encryptions of PKCS #12: PBES2 (RFC 8018, clause 6.2; GM/T 0091-2020), PKCS #12's own (RFC
//! 7292, appendix C), and `pbeWithSM3AndSM4-CBC` of GM/T 0091-2020.
//!
//! The last is named there without a description. It is read as PKCS #12's own are made, with SM3
//! and SM4, and inside PBES2 as SM4-CBC.

use alloc::vec::Vec;

use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use der::asn1::ObjectIdentifier;
use des::{TdesEde2, TdesEde3};
use kuaimi::encoding::{Cipher, KeyDerivation, Prf, SaltedKeyDerivation};
use rand_core::TryCryptoRng;
use rc2::Rc2;
use subtle::{ConstantTimeEq, ConstantTimeLess};
use zeroize::Zeroizing;

use super::budget::Budget;
use super::hash::{Hash, Purpose};
use super::password::Password;
use crate::ber::{Elements, NULL, OCTET_STRING, SEQUENCE, element, identifier, integer};
use crate::signer::fill;
use crate::{Error, oid};

const WHAT: &str = "encryption in a PKCS #12 file";
/// The longest salt that is accepted, in bytes.
pub(super) const MAX_SALT_LEN: usize = 1024;

/// A cipher in CBC mode with the padding of PKCS #7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cbc {
    /// AES or SM4.
    Wide(Cipher),
    TripleDes,
    TripleDes2Key,
    /// With as many effective bits as the key has.
    Rc2 {
        key_len: usize,
    },
}

impl Cbc {
    const fn key_len(self) -> usize {
        match self {
            Self::Wide(cipher) => cipher.key_len(),
            Self::TripleDes => 24,
            Self::TripleDes2Key => 16,
            Self::Rc2 { key_len } => key_len,
        }
    }

    const fn block_len(self) -> usize {
        match self {
            Self::Wide(_) => 16,
            _ => 8,
        }
    }

    /// The plaintext; `None` if the padding or a length is wrong.
    fn decrypt(self, key: &[u8], iv: &[u8], data: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        fn run<C: BlockModeDecrypt + KeyIvInit>(
            key: &[u8],
            iv: &[u8],
            data: &[u8],
        ) -> Option<Zeroizing<Vec<u8>>> {
            let mut cipher = C::new_from_slices(key, iv).ok()?;
            let mut data = Zeroizing::new(data.to_vec());
            for block in data.chunks_exact_mut(8) {
                cipher.decrypt_block(block.try_into().ok()?);
            }
            let length = unpadded(&data)?;
            data.truncate(length);
            Some(data)
        }
        if !data.len().is_multiple_of(self.block_len()) {
            return None;
        }
        match self {
            Self::Wide(cipher) => cipher.decrypt_padded(key, iv.try_into().ok()?, data),
            Self::TripleDes => run::<cbc::Decryptor<TdesEde3>>(key, iv, data),
            Self::TripleDes2Key => run::<cbc::Decryptor<TdesEde2>>(key, iv, data),
            Self::Rc2 { .. } => run::<cbc::Decryptor<Rc2>>(key, iv, data),
        }
    }

    fn encrypt(self, key: &[u8], iv: &[u8], plaintext: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Wide(cipher) => cipher.encrypt_padded(key, iv.try_into().ok()?, plaintext),
            Self::TripleDes => {
                let mut cipher = cbc::Encryptor::<TdesEde3>::new_from_slices(key, iv).ok()?;
                let padding = 8 - plaintext.len() % 8;
                let mut data = Zeroizing::new(Vec::with_capacity(plaintext.len() + padding));
                data.extend_from_slice(plaintext);
                data.extend(core::iter::repeat_n(padding as u8, padding));
                for block in data.chunks_exact_mut(8) {
                    cipher.encrypt_block(block.try_into().ok()?);
                }
                Some(core::mem::take(&mut *data))
            }
            // Old ciphers that are read only.
            Self::TripleDes2Key | Self::Rc2 { .. } => None,
        }
    }
}

/// The length without the padding of PKCS #7, for blocks of 8 bytes. Constant time in the content.
fn unpadded(data: &[u8]) -> Option<usize> {
    let last: &[u8; 8] = data.last_chunk()?;
    let padding = last[7];
    let mut right = !padding.ct_eq(&0) & padding.ct_lt(&9);
    for (place, byte) in (1u8..=8).rev().zip(last) {
        let in_padding = !padding.ct_lt(&place);
        right &= !in_padding | byte.ct_eq(&padding);
    }
    bool::from(right).then(|| data.len() - usize::from(padding))
}

/// How something in a file is encrypted.
pub(super) enum Encryption {
    Pbes2 {
        derivation: SaltedKeyDerivation,
        cipher: Chained,
    },
    Old {
        hash: Hash,
        cipher: Chained,
        salt: Vec<u8>,
        iterations: u32,
    },
}

/// What was decrypted, and with which form of the password, if there was a choice.
pub(super) type Plaintext = (Option<usize>, Zeroizing<Vec<u8>>);

/// A cipher, with its initialization vector where the file has one.
pub(super) struct Chained {
    cipher: Cbc,
    iv: Vec<u8>,
}

impl Encryption {
    /// From the DER of an `AlgorithmIdentifier`.
    pub(super) fn read(algorithm: &[u8]) -> Result<Self, Error> {
        let mut fields = Elements::inside(algorithm, SEQUENCE, WHAT)?;
        let oid = fields.oid()?;
        let encryption = if oid == oid::PBES2 || oid::GM_PBES.contains(&oid) {
            Self::read_pbes2(fields.enter(SEQUENCE)?)?
        } else {
            Self::read_old(oid, &mut fields)?
        };
        fields.end()?;
        Ok(encryption)
    }

    fn read_pbes2(mut parameters: Elements<'_>) -> Result<Self, Error> {
        let derivation = SaltedKeyDerivation::from_der(parameters.bytes()?)?;
        let mut scheme = parameters.enter(SEQUENCE)?;
        parameters.end()?;
        let cipher = match scheme.oid()? {
            oid::DES_EDE3_CBC => Cbc::TripleDes,
            oid::SM3_SM4 => Cbc::Wide(Cipher::Sm4Cbc),
            other => Cbc::Wide(Cipher::from_oid(other)?),
        };
        let iv = scheme.octets()?.to_vec();
        scheme.end()?;
        let key_len = cipher.key_len() as u64;
        if iv.len() != cipher.block_len() || derivation.key_len.is_some_and(|len| len != key_len) {
            let why = "has parameters that do not fit its cipher";
            return Err(Error::Structure(WHAT, why));
        }
        check_salt(&derivation.salt)?;
        let cipher = Chained { cipher, iv };
        Ok(Self::Pbes2 { derivation, cipher })
    }

    fn read_old(oid: ObjectIdentifier, fields: &mut Elements<'_>) -> Result<Self, Error> {
        let (hash, cipher) = match oid {
            oid::SHA1_3DES_3KEY => (Hash::Sha1, Cbc::TripleDes),
            oid::SHA1_3DES_2KEY => (Hash::Sha1, Cbc::TripleDes2Key),
            oid::SHA1_RC2_128 => (Hash::Sha1, Cbc::Rc2 { key_len: 16 }),
            oid::SHA1_RC2_40 => (Hash::Sha1, Cbc::Rc2 { key_len: 5 }),
            oid::SM3_SM4 => (Hash::Sm3, Cbc::Wide(Cipher::Sm4Cbc)),
            other => {
                let error = kuaimi::encoding::Error::UnsupportedEncryption(other);
                return Err(Error::Encoding(error));
            }
        };
        let mut parameters = fields.enter(SEQUENCE)?;
        let salt = parameters.octets()?.to_vec();
        let iterations = parameters.value()?;
        parameters.end()?;
        check_salt(&salt)?;
        let iv = Vec::new();
        Ok(Self::Old {
            hash,
            cipher: Chained { cipher, iv },
            salt,
            iterations,
        })
    }

    /// What `data` may be under the password's forms: those with right padding.
    pub(super) fn decrypt(
        &self,
        data: &[u8],
        password: &Password<'_>,
        budget: &mut Budget,
    ) -> Result<Vec<Plaintext>, Error> {
        match self {
            Self::Pbes2 { derivation, cipher } => {
                let key_len = cipher.cipher.key_len();
                let blocks = pbkdf2_blocks(derivation.key_derivation, key_len)?;
                budget.spend_on(derivation.key_derivation, blocks)?;
                let key = derivation.derive(password.utf8(), key_len)?;
                let plaintext = cipher.cipher.decrypt(&key, &cipher.iv, data);
                // One for all forms of the password: none is ruled out.
                Ok(plaintext.into_iter().map(|text| (None, text)).collect())
            }
            Self::Old {
                hash,
                cipher: Chained { cipher, .. },
                salt,
                iterations,
            } => {
                let mut found = Vec::new();
                for (index, password) in password.old().iter().enumerate() {
                    let (key_len, iv_len) = (cipher.key_len(), cipher.block_len());
                    let derive =
                        |purpose, length| hash.derive(purpose, password, salt, *iterations, length);
                    let blocks = key_len.div_ceil(hash.len()) + iv_len.div_ceil(hash.len());
                    budget.spend(*iterations, blocks)?;
                    let key = derive(Purpose::Key, key_len);
                    let iv = derive(Purpose::Iv, iv_len);
                    let plaintext = cipher.decrypt(&key, &iv, data);
                    found.extend(plaintext.map(|text| (Some(index), text)));
                }
                Ok(found)
            }
        }
    }
}

fn check_salt(salt: &[u8]) -> Result<(), Error> {
    if salt.len() > MAX_SALT_LEN {
        return Err(Error::Limit("a salt of more than 1024 bytes"));
    }
    Ok(())
}

/// How many times PBKDF2 iterates for a key of `length` bytes.
pub(super) fn pbkdf2_blocks(derivation: KeyDerivation, length: usize) -> Result<usize, Error> {
    match derivation {
        KeyDerivation::Pbkdf2 { prf, .. } => Ok(length.div_ceil(Hash::of_prf(prf)?.len())),
        _ => Ok(1),
    }
}

/// How a file is written.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// PBES2 with PBKDF2, and the name of its HMAC.
    Pbes2 {
        cipher: Cipher,
        prf: Prf,
        prf_oid: ObjectIdentifier,
    },
    /// `pbeWithSHAAnd3-KeyTripleDES-CBC`.
    TripleDes,
}

impl Target {
    /// How many iterations the key takes.
    pub(super) fn cost(self, iterations: u32) -> u64 {
        let times = match self {
            Self::Pbes2 { cipher, prf, .. } => {
                let length = Hash::of_prf(prf).map_or(20, Hash::len);
                cipher.key_len().div_ceil(length)
            }
            Self::TripleDes => 3,
        };
        u64::from(iterations).saturating_mul(times as u64)
    }

    /// Encrypts: the DER of the `AlgorithmIdentifier`, and the ciphertext.
    pub(super) fn encrypt<R: TryCryptoRng + ?Sized>(
        self,
        plaintext: &[u8],
        password: &Password<'_>,
        iterations: u32,
        rng: &mut R,
    ) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let failed = Error::Argument("the encryption's key has a wrong length");
        let mut salt = [0; 16];
        fill(rng, &mut salt)?;
        match self {
            Self::Pbes2 {
                cipher,
                prf,
                prf_oid,
            } => {
                let mut iv = [0; 16];
                fill(rng, &mut iv)?;
                let derivation = KeyDerivation::Pbkdf2 { prf, iterations };
                let key = derivation.derive(password.utf8(), &salt, cipher.key_len())?;
                let data = cipher.encrypt_padded(&key, &iv, plaintext).ok_or(failed)?;
                let scheme = identifier(cipher.oid(), &element(OCTET_STRING, &[&iv]));
                let derivation = pbkdf2(&salt, iterations, None, prf_oid);
                let parameters = element(SEQUENCE, &[&derivation, &scheme]);
                Ok((identifier(oid::PBES2, &parameters), data))
            }
            Self::TripleDes => {
                // Old readers expect eight bytes.
                let (salt, _) = salt.split_at(8);
                let derive = |purpose, length| match password.old() {
                    [password, ..] => {
                        Hash::Sha1.derive(purpose, password, salt, iterations, length)
                    }
                    [] => Zeroizing::default(),
                };
                let (key, iv) = (derive(Purpose::Key, 24), derive(Purpose::Iv, 8));
                let data = Cbc::TripleDes.encrypt(&key, &iv, plaintext).ok_or(failed)?;
                let parameters = element(
                    SEQUENCE,
                    &[&element(OCTET_STRING, &[salt]), &integer(iterations)],
                );
                Ok((identifier(oid::SHA1_3DES_3KEY, &parameters), data))
            }
        }
    }
}

/// The `AlgorithmIdentifier` of PBKDF2.
pub(super) fn pbkdf2(
    salt: &[u8],
    iterations: u32,
    key_len: Option<u8>,
    prf: ObjectIdentifier,
) -> Vec<u8> {
    // HMAC-SM3 has no parameters, HMAC-SHA-2 has NULL (RFC 8018, clause B.1).
    let null: &[u8] = match Prf::from_oid(prf) {
        Ok(Prf::HmacSm3) => &[],
        _ => &[NULL, 0],
    };
    let key_len = key_len.map(|length| integer(length.into()));
    let parameters = element(
        SEQUENCE,
        &[
            &element(OCTET_STRING, &[salt]),
            &integer(iterations),
            &key_len.unwrap_or_default(),
            &identifier(prf, null),
        ],
    );
    identifier(oid::PBKDF2, &parameters)
}
