//! How a key under a password is encrypted: PBKDF2 (RFC 8018, clause 5.2) or scrypt (RFC 7914) derive a key from the
//! password, and a block cipher in CBC mode with PKCS#7 padding encrypts with it.

use alloc::vec::Vec;
use core::fmt;

use aes::{Aes128, Aes192, Aes256};
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit,
    KeyInit,
};
use der::asn1::ObjectIdentifier;
use pbkdf2::pbkdf2_hmac;
use zeroize::Zeroizing;

use super::{Error, oid};
use crate::sm3::Sm3;
use crate::sm4::Sm4;

/// The block of all ciphers here, and so the length of an initialization vector.
pub(super) const BLOCK: usize = 16;

/// How a private key is encrypted under a password: found when reading, chosen when writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PasswordEncryption {
    /// What encrypts the private key.
    pub cipher: Cipher,
    /// What derives that cipher's key from the password.
    pub derivation: Derivation,
}

/// A block cipher, in CBC mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cipher {
    /// AES with keys of 128 bits.
    Aes128Cbc,
    /// AES with keys of 192 bits.
    Aes192Cbc,
    /// AES with keys of 256 bits.
    Aes256Cbc,
    /// SM4.
    Sm4Cbc,
}

/// How a key is derived from a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Derivation {
    /// PBKDF2 with HMAC.
    Pbkdf2 {
        /// The hash of HMAC.
        hash: PasswordHash,
        /// How often HMAC is computed for each block: 1 to [`PasswordEncryption::MAX_ITERATIONS`].
        iterations: u32,
    },
    /// scrypt (RFC 7914), which takes `128 · r · (2^log_n + p)` bytes of memory.
    Scrypt {
        /// The logarithm of the cost.
        log_n: u8,
        /// The block size.
        r: u32,
        /// The parallelization.
        p: u32,
    },
}

/// The hash of PBKDF2's HMAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PasswordHash {
    /// SHA-1, as OpenSSL wrote before version 1.1.
    Sha1,
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
    /// SM3.
    Sm3,
}

impl PasswordEncryption {
    /// AES-256-CBC, PBKDF2 with HMAC-SHA-256: what OpenSSL and others read everywhere.
    pub const AES: Self = Self {
        cipher: Cipher::Aes256Cbc,
        derivation: Derivation::Pbkdf2 {
            hash: PasswordHash::Sha256,
            iterations: Self::DEFAULT_ITERATIONS,
        },
    };

    /// SM4-CBC, PBKDF2 with HMAC-SM3: what GmSSL, Tongsuo and `gmsm` read.
    pub const SHANGMI: Self = Self {
        cipher: Cipher::Sm4Cbc,
        derivation: Derivation::Pbkdf2 {
            hash: PasswordHash::Sm3,
            iterations: Self::DEFAULT_ITERATIONS,
        },
    };

    /// The iterations of PBKDF2 in [`AES`](Self::AES) and [`SHANGMI`](Self::SHANGMI): some tenths of a second.
    pub const DEFAULT_ITERATIONS: u32 = 600_000;

    /// The most iterations of PBKDF2 that are accepted, so that a hostile file cannot keep its reader busy for hours.
    pub const MAX_ITERATIONS: u32 = 10_000_000;

    /// The same with another number of iterations of PBKDF2; no change to scrypt.
    #[must_use]
    pub const fn with_iterations(mut self, iterations: u32) -> Self {
        if let Derivation::Pbkdf2 { hash, .. } = self.derivation {
            self.derivation = Derivation::Pbkdf2 { hash, iterations };
        }
        self
    }
}

impl fmt::Display for PasswordEncryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.cipher.name(), self.derivation)
    }
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pbkdf2 { hash, iterations } => write!(
                f,
                "PBKDF2 with HMAC-{} and {iterations} iterations",
                hash.name()
            ),
            Self::Scrypt { log_n, r, p } => {
                write!(f, "scrypt with N = 2^{log_n}, r = {r}, p = {p}")
            }
        }
    }
}

impl Cipher {
    pub(super) const ALL: [Self; 4] = [
        Self::Aes128Cbc,
        Self::Aes192Cbc,
        Self::Aes256Cbc,
        Self::Sm4Cbc,
    ];

    /// As people write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aes128Cbc => "AES-128-CBC",
            Self::Aes192Cbc => "AES-192-CBC",
            Self::Aes256Cbc => "AES-256-CBC",
            Self::Sm4Cbc => "SM4-CBC",
        }
    }

    pub(super) const fn oid(self) -> ObjectIdentifier {
        match self {
            Self::Aes128Cbc => oid::AES_128_CBC,
            Self::Aes192Cbc => oid::AES_192_CBC,
            Self::Aes256Cbc => oid::AES_256_CBC,
            Self::Sm4Cbc => oid::SM4_CBC,
        }
    }

    pub(super) const fn key_len(self) -> usize {
        match self {
            Self::Aes128Cbc | Self::Sm4Cbc => 16,
            Self::Aes192Cbc => 24,
            Self::Aes256Cbc => 32,
        }
    }

    /// Decrypts in place; the plaintext's length, or nothing where the padding is wrong.
    pub(super) fn decrypt(self, key: &[u8], iv: &[u8; BLOCK], data: &mut [u8]) -> Option<usize> {
        fn run<C: BlockCipherDecrypt<BlockSize = cbc::cipher::consts::U16> + KeyInit>(
            key: &[u8],
            iv: &[u8; BLOCK],
            data: &mut [u8],
        ) -> Option<usize> {
            cbc::Decryptor::inner_iv_init(C::new_from_slice(key).ok()?, iv.into())
                .decrypt_padded::<Pkcs7>(data)
                .ok()
                .map(<[u8]>::len)
        }
        match self {
            Self::Aes128Cbc => run::<Aes128>(key, iv, data),
            Self::Aes192Cbc => run::<Aes192>(key, iv, data),
            Self::Aes256Cbc => run::<Aes256>(key, iv, data),
            Self::Sm4Cbc => run::<Sm4>(key, iv, data),
        }
    }

    /// Encrypts the first `length` bytes of `data`, which has room for a block more; the ciphertext's length.
    pub(super) fn encrypt(
        self,
        key: &[u8],
        iv: &[u8; BLOCK],
        data: &mut [u8],
        length: usize,
    ) -> Option<usize> {
        fn run<C: BlockCipherEncrypt<BlockSize = cbc::cipher::consts::U16> + KeyInit>(
            key: &[u8],
            iv: &[u8; BLOCK],
            data: &mut [u8],
            length: usize,
        ) -> Option<usize> {
            cbc::Encryptor::inner_iv_init(C::new_from_slice(key).ok()?, iv.into())
                .encrypt_padded::<Pkcs7>(data, length)
                .ok()
                .map(<[u8]>::len)
        }
        match self {
            Self::Aes128Cbc => run::<Aes128>(key, iv, data, length),
            Self::Aes192Cbc => run::<Aes192>(key, iv, data, length),
            Self::Aes256Cbc => run::<Aes256>(key, iv, data, length),
            Self::Sm4Cbc => run::<Sm4>(key, iv, data, length),
        }
    }
}

impl PasswordHash {
    pub(super) const ALL: [Self; 6] = [
        Self::Sha1,
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sm3,
    ];

    /// As people write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "SHA-1",
            Self::Sha224 => "SHA-224",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
            Self::Sm3 => "SM3",
        }
    }

    pub(super) const fn oid(self) -> ObjectIdentifier {
        match self {
            Self::Sha1 => oid::HMAC_SHA1,
            Self::Sha224 => oid::HMAC_SHA224,
            Self::Sha256 => oid::HMAC_SHA256,
            Self::Sha384 => oid::HMAC_SHA384,
            Self::Sha512 => oid::HMAC_SHA512,
            Self::Sm3 => oid::HMAC_SM3,
        }
    }

    pub(super) fn from_oid(oid: ObjectIdentifier) -> Result<Self, Error> {
        if oid == oid::HMAC_WITH_SM3 {
            return Ok(Self::Sm3);
        }
        Self::ALL
            .into_iter()
            .find(|hash| hash.oid() == oid)
            .ok_or(Error::Encryption(oid))
    }
}

impl Derivation {
    /// The most memory that scrypt may take: `128 · r · N` bytes for one block's table, and `128 · r · p` for all blocks.
    const MAX_SCRYPT_MEMORY: u64 = 1 << 28;
    /// The most work that scrypt may do: `128 · r · N · p` bytes are written to the tables.
    const MAX_SCRYPT_WORK: u64 = 1 << 31;

    pub(super) fn check(self) -> Result<(), Error> {
        match self {
            Self::Pbkdf2 {
                iterations: 1..=PasswordEncryption::MAX_ITERATIONS,
                ..
            } => Ok(()),
            Self::Pbkdf2 { iterations, .. } => Err(Error::IterationCount(iterations.into())),
            Self::Scrypt { log_n, r, p } => {
                let n = 1u64.checked_shl(log_n.into()).ok_or(Error::ScryptCost)?;
                let (block, p) = (128 * u64::from(r), u64::from(p));
                let memory = n
                    .checked_add(p)
                    .and_then(|blocks| blocks.checked_mul(block));
                let work = n
                    .checked_mul(p)
                    .and_then(|blocks| blocks.checked_mul(block));
                if log_n != 0
                    && memory.is_some_and(|memory| memory <= Self::MAX_SCRYPT_MEMORY)
                    && work.is_some_and(|work| (1..=Self::MAX_SCRYPT_WORK).contains(&work))
                {
                    Ok(())
                } else {
                    Err(Error::ScryptCost)
                }
            }
        }
    }

    /// A key of `length` bytes.
    pub(super) fn derive(
        self,
        password: &[u8],
        salt: &[u8],
        length: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.check()?;
        let mut key = Zeroizing::new(alloc::vec![0; length]);
        match self {
            Self::Pbkdf2 { hash, iterations } => {
                let derive = match hash {
                    PasswordHash::Sha1 => pbkdf2_hmac::<sha1::Sha1>,
                    PasswordHash::Sha224 => pbkdf2_hmac::<sha2::Sha224>,
                    PasswordHash::Sha256 => pbkdf2_hmac::<sha2::Sha256>,
                    PasswordHash::Sha384 => pbkdf2_hmac::<sha2::Sha384>,
                    PasswordHash::Sha512 => pbkdf2_hmac::<sha2::Sha512>,
                    PasswordHash::Sm3 => pbkdf2_hmac::<Sm3>,
                };
                derive(password, salt, iterations, &mut key);
            }
            Self::Scrypt { log_n, r, p } => {
                let parameters = scrypt::Params::new(log_n, r, p).map_err(|_| Error::ScryptCost)?;
                scrypt::scrypt(password, salt, &parameters, &mut key)
                    .map_err(|_| Error::EncryptionParameters)?;
            }
        }
        Ok(key)
    }
}
