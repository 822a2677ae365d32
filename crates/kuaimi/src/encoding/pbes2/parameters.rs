//! The choices that PBES2 leaves: a key derivation function, PBKDF2 (RFC 8018, clause 5.2) or
//! scrypt (RFC 7914), and a block cipher in CBC mode with PKCS#7 padding.

use core::fmt;

use der::asn1::ObjectIdentifier;

use crate::encoding::{Error, oid};

/// How a private key is encrypted under a password: chosen when writing, found when reading.
///
/// ```
/// use kuaimi::encoding::{Cipher, KeyDerivation, PasswordEncryption};
///
/// let encryption = PasswordEncryption::AES
///     .with_cipher(Cipher::Aes128Cbc)
///     .with_key_derivation(KeyDerivation::Scrypt { log_n: 14, r: 8, p: 1 });
/// assert_eq!(encryption.to_string(), "AES-128-CBC, scrypt with N = 2^14, r = 8, p = 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PasswordEncryption {
    /// The cipher that encrypts the private key.
    pub cipher: Cipher,
    /// The function that derives the cipher's key from the password.
    pub key_derivation: KeyDerivation,
}

/// A block cipher, in CBC mode.
///
/// ```
/// assert_eq!(kuaimi::encoding::Cipher::Sm4Cbc.name(), "SM4-CBC");
/// ```
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

/// A function that derives a key from a password.
///
/// ```
/// use kuaimi::encoding::{KeyDerivation, Prf};
///
/// let pbkdf2 = KeyDerivation::Pbkdf2 { prf: Prf::HmacSha512, iterations: 210_000 };
/// assert_eq!(pbkdf2.to_string(), "PBKDF2 with HMAC-SHA-512 and 210000 iterations");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyDerivation {
    /// PBKDF2.
    Pbkdf2 {
        /// The pseudorandom function that PBKDF2 iterates.
        prf: Prf,
        /// The number of iterations: 1 to [`PasswordEncryption::MAX_ITERATIONS`].
        iterations: u32,
    },
    /// scrypt, which takes `128 · r · (2^log_n + p)` bytes of memory; 256 MiB at most are accepted.
    Scrypt {
        /// The binary logarithm of the cost `N`.
        log_n: u8,
        /// The block size.
        r: u32,
        /// The parallelization.
        p: u32,
    },
}

/// A pseudorandom function for PBKDF2: HMAC with a hash.
///
/// ```
/// assert_eq!(kuaimi::encoding::Prf::HmacSm3.name(), "HMAC-SM3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Prf {
    /// HMAC with SHA-1, which OpenSSL wrote before version 1.1.
    HmacSha1,
    /// HMAC with SHA-224.
    HmacSha224,
    /// HMAC with SHA-256.
    HmacSha256,
    /// HMAC with SHA-384.
    HmacSha384,
    /// HMAC with SHA-512.
    HmacSha512,
    /// HMAC with SM3.
    HmacSm3,
}

impl PasswordEncryption {
    /// AES-256-CBC, and PBKDF2 with HMAC-SHA-256: OpenSSL and most other programs read it.
    pub const AES: Self = Self {
        cipher: Cipher::Aes256Cbc,
        key_derivation: KeyDerivation::Pbkdf2 {
            prf: Prf::HmacSha256,
            iterations: Self::DEFAULT_ITERATIONS,
        },
    };

    /// SM4-CBC, and PBKDF2 with HMAC-SM3: GmSSL, Tongsuo and `emmansun/gmsm` read it.
    ///
    /// ```
    /// use kuaimi::encoding::{Cipher, PasswordEncryption};
    ///
    /// assert_eq!(PasswordEncryption::SHANGMI.cipher, Cipher::Sm4Cbc);
    /// ```
    pub const SHANGMI: Self = Self {
        cipher: Cipher::Sm4Cbc,
        key_derivation: KeyDerivation::Pbkdf2 {
            prf: Prf::HmacSm3,
            iterations: Self::DEFAULT_ITERATIONS,
        },
    };

    /// The iterations of PBKDF2 in [`AES`](Self::AES) and [`SHANGMI`](Self::SHANGMI): some tenths
    /// of a second.
    ///
    /// ```
    /// use kuaimi::encoding::{KeyDerivation, PasswordEncryption};
    ///
    /// let KeyDerivation::Pbkdf2 { iterations, .. } = PasswordEncryption::AES.key_derivation else { panic!() };
    /// assert_eq!(iterations, PasswordEncryption::DEFAULT_ITERATIONS);
    /// ```
    pub const DEFAULT_ITERATIONS: u32 = 600_000;

    /// The maximum number of iterations of PBKDF2 that is accepted, so that a hostile file cannot
    /// keep the reader busy for hours.
    ///
    /// ```
    /// use kuaimi::encoding::PasswordEncryption;
    ///
    /// assert!(PasswordEncryption::DEFAULT_ITERATIONS < PasswordEncryption::MAX_ITERATIONS);
    /// ```
    pub const MAX_ITERATIONS: u32 = 10_000_000;

    /// The same with another cipher.
    ///
    /// ```
    /// use kuaimi::encoding::{Cipher, PasswordEncryption};
    ///
    /// let encryption = PasswordEncryption::SHANGMI.with_cipher(Cipher::Aes256Cbc);
    /// assert_eq!(encryption.cipher, Cipher::Aes256Cbc);
    /// ```
    #[must_use]
    pub const fn with_cipher(mut self, cipher: Cipher) -> Self {
        self.cipher = cipher;
        self
    }

    /// The same with another key derivation function.
    ///
    /// ```
    /// use kuaimi::encoding::{KeyDerivation, PasswordEncryption};
    ///
    /// let scrypt = KeyDerivation::Scrypt { log_n: 15, r: 8, p: 1 };
    /// let encryption = PasswordEncryption::SHANGMI.with_key_derivation(scrypt);
    /// assert_eq!(encryption.key_derivation, scrypt);
    /// ```
    #[must_use]
    pub const fn with_key_derivation(mut self, key_derivation: KeyDerivation) -> Self {
        self.key_derivation = key_derivation;
        self
    }

    /// The same with another number of iterations of PBKDF2. It does not change scrypt.
    ///
    /// ```
    /// use kuaimi::encoding::PasswordEncryption;
    ///
    /// let encryption = PasswordEncryption::SHANGMI.with_iterations(1_000_000);
    /// assert_eq!(
    ///     encryption.to_string(),
    ///     "SM4-CBC, PBKDF2 with HMAC-SM3 and 1000000 iterations"
    /// );
    /// ```
    #[must_use]
    pub const fn with_iterations(mut self, iterations: u32) -> Self {
        if let KeyDerivation::Pbkdf2 { prf, .. } = self.key_derivation {
            self.key_derivation = KeyDerivation::Pbkdf2 { prf, iterations };
        }
        self
    }
}

impl fmt::Display for PasswordEncryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.cipher.name(), self.key_derivation)
    }
}

impl fmt::Display for KeyDerivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pbkdf2 { prf, iterations } => {
                write!(f, "PBKDF2 with {} and {iterations} iterations", prf.name())
            }
            Self::Scrypt { log_n, r, p } => {
                write!(f, "scrypt with N = 2^{log_n}, r = {r}, p = {p}")
            }
        }
    }
}

impl Cipher {
    const ALL: [Self; 4] = [
        Self::Aes128Cbc,
        Self::Aes192Cbc,
        Self::Aes256Cbc,
        Self::Sm4Cbc,
    ];

    /// Its usual name: `AES-256-CBC`, for example.
    ///
    /// ```
    /// assert_eq!(kuaimi::encoding::Cipher::Aes256Cbc.name(), "AES-256-CBC");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aes128Cbc => "AES-128-CBC",
            Self::Aes192Cbc => "AES-192-CBC",
            Self::Aes256Cbc => "AES-256-CBC",
            Self::Sm4Cbc => "SM4-CBC",
        }
    }

    /// Its object identifier.
    ///
    /// ```
    /// assert_eq!(kuaimi::encoding::Cipher::Sm4Cbc.oid().to_string(), "1.2.156.10197.1.104.2");
    /// ```
    pub const fn oid(self) -> ObjectIdentifier {
        match self {
            Self::Aes128Cbc => oid::AES_128_CBC,
            Self::Aes192Cbc => oid::AES_192_CBC,
            Self::Aes256Cbc => oid::AES_256_CBC,
            Self::Sm4Cbc => oid::SM4_CBC,
        }
    }

    /// The cipher with this object identifier.
    ///
    /// # Errors
    /// [`Error::UnsupportedEncryption`] if it is another.
    ///
    /// ```
    /// use kuaimi::encoding::Cipher;
    ///
    /// assert_eq!(Cipher::from_oid(Cipher::Aes256Cbc.oid()), Ok(Cipher::Aes256Cbc));
    /// ```
    pub fn from_oid(oid: ObjectIdentifier) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|cipher| cipher.oid() == oid)
            .ok_or(Error::UnsupportedEncryption(oid))
    }

    /// The length of its keys, in bytes.
    ///
    /// ```
    /// assert_eq!(kuaimi::encoding::Cipher::Sm4Cbc.key_len(), 16);
    /// ```
    pub const fn key_len(self) -> usize {
        match self {
            Self::Aes128Cbc | Self::Sm4Cbc => 16,
            Self::Aes192Cbc => 24,
            Self::Aes256Cbc => 32,
        }
    }
}

impl Prf {
    const ALL: [Self; 6] = [
        Self::HmacSha1,
        Self::HmacSha224,
        Self::HmacSha256,
        Self::HmacSha384,
        Self::HmacSha512,
        Self::HmacSm3,
    ];

    /// Its usual name: `HMAC-SHA-256`, for example.
    ///
    /// ```
    /// assert_eq!(kuaimi::encoding::Prf::HmacSha256.name(), "HMAC-SHA-256");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::HmacSha1 => "HMAC-SHA-1",
            Self::HmacSha224 => "HMAC-SHA-224",
            Self::HmacSha256 => "HMAC-SHA-256",
            Self::HmacSha384 => "HMAC-SHA-384",
            Self::HmacSha512 => "HMAC-SHA-512",
            Self::HmacSm3 => "HMAC-SM3",
        }
    }

    /// Its object identifier. HMAC-SM3 has two; this is the one that GmSSL and `emmansun/gmsm`
    /// read,
    /// `1.2.156.10197.1.401.2`.
    ///
    /// ```
    /// assert_eq!(kuaimi::encoding::Prf::HmacSm3.oid().to_string(), "1.2.156.10197.1.401.2");
    /// ```
    pub const fn oid(self) -> ObjectIdentifier {
        match self {
            Self::HmacSha1 => oid::HMAC_SHA1,
            Self::HmacSha224 => oid::HMAC_SHA224,
            Self::HmacSha256 => oid::HMAC_SHA256,
            Self::HmacSha384 => oid::HMAC_SHA384,
            Self::HmacSha512 => oid::HMAC_SHA512,
            Self::HmacSm3 => oid::HMAC_SM3,
        }
    }

    /// The function with this object identifier; for HMAC-SM3, either of the two.
    ///
    /// # Errors
    /// [`Error::UnsupportedEncryption`] if it is another.
    ///
    /// ```
    /// use kuaimi::encoding::Prf;
    /// use kuaimi::external::der::asn1::ObjectIdentifier;
    ///
    /// let of_openssl = ObjectIdentifier::new_unwrap("1.2.156.10197.1.401.3.1");
    /// assert_eq!(Prf::from_oid(of_openssl), Ok(Prf::HmacSm3));
    /// ```
    pub fn from_oid(oid: ObjectIdentifier) -> Result<Self, Error> {
        if oid == oid::HMAC_WITH_SM3 {
            return Ok(Self::HmacSm3);
        }
        Self::ALL
            .into_iter()
            .find(|prf| prf.oid() == oid)
            .ok_or(Error::UnsupportedEncryption(oid))
    }
}

impl KeyDerivation {
    /// The most memory that scrypt may take: `128 · r · N` bytes for one block's table, and
    /// `128 · r · p` for all blocks.
    const MAX_SCRYPT_MEMORY: u64 = 1 << 28;
    /// The most work that scrypt may do: `128 · r · N · p` bytes are written to the tables.
    const MAX_SCRYPT_WORK: u64 = 1 << 31;

    /// Checks that the parameters are in range, and not so large that a hostile file could keep its
    /// reader busy.
    ///
    /// # Errors
    /// [`Error::IterationCount`] and [`Error::ScryptCost`].
    ///
    /// ```
    /// use kuaimi::encoding::{Error, KeyDerivation};
    ///
    /// assert_eq!(KeyDerivation::Scrypt { log_n: 17, r: 8, p: 1 }.check(), Ok(()));
    /// assert_eq!(KeyDerivation::Scrypt { log_n: 30, r: 8, p: 1 }.check(), Err(Error::ScryptCost));
    /// ```
    pub fn check(self) -> Result<(), Error> {
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
}
