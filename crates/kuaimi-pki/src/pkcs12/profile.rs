//! How a file is written, by who should read it.

use kuaimi::encoding::{Cipher, Prf};

use super::hash::Hash;
use super::{encryption, mac};
use crate::oid;

/// Whose programs should open a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// ShangMi alone: SM4-CBC and HMAC-SM3, with PBMAC1 (RFC 9579). `emmansun/go-pkcs12` opens it.
    ShangMi,
    /// ShangMi as OpenSSL and Tongsuo read it: they have another identifier for HMAC-SM3, and not
    /// all versions have PBMAC1. The MAC has PKCS #12's own key derivation, with SM3. OpenSSL 4.0
    /// opens it; OpenSSL 3.0 does not know HMAC-SM3 in PBKDF2.
    ShangMiOpenssl,
    /// AES-256-CBC and HMAC-SHA-256, with PKCS #12's own key derivation for the MAC: OpenSSL 1.1.1
    /// and later, Java 12 and later, and Bouncy Castle, which SM2's keys need in Java.
    Compatible,
    /// Triple DES and SHA-1: what old programs read. It is weak; the password should have 128 bits
    /// or protect nothing that is worth an attack.
    Legacy,
}

/// A profile, and the number of iterations.
///
/// ```
/// use kuaimi_pki::pkcs12::{Profile, Protection};
///
/// let protection = Protection::from(Profile::Compatible).with_iterations(300_000);
/// assert_eq!(protection.iterations, 300_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Protection {
    /// Who should read the file.
    pub profile: Profile,
    /// The iterations of each key derivation. A file has one for its MAC, one for its certificates,
    /// and one for each private key.
    pub iterations: u32,
}

impl Protection {
    /// The iterations of each key derivation unless others are given: .NET opens files of at most
    /// 300,000 for one, and a million for all together.
    pub const DEFAULT_ITERATIONS: u32 = 100_000;
    /// Those of [`Profile::Legacy`], as old programs write and expect them.
    pub const LEGACY_ITERATIONS: u32 = 2048;

    /// The same with another number of iterations.
    #[must_use]
    pub const fn with_iterations(mut self, iterations: u32) -> Self {
        self.iterations = iterations;
        self
    }
}

impl From<Profile> for Protection {
    fn from(profile: Profile) -> Self {
        let iterations = match profile {
            Profile::Legacy => Self::LEGACY_ITERATIONS,
            _ => Self::DEFAULT_ITERATIONS,
        };
        Self {
            profile,
            iterations,
        }
    }
}

impl Profile {
    pub(super) const fn encryption(self) -> encryption::Target {
        let (cipher, prf, prf_oid) = match self {
            Self::ShangMi => (Cipher::Sm4Cbc, Prf::HmacSm3, Prf::HmacSm3.oid()),
            Self::ShangMiOpenssl => (Cipher::Sm4Cbc, Prf::HmacSm3, oid::HMAC_SM3_OF_OPENSSL),
            Self::Compatible => (Cipher::Aes256Cbc, Prf::HmacSha256, Prf::HmacSha256.oid()),
            Self::Legacy => return encryption::Target::TripleDes,
        };
        encryption::Target::Pbes2 {
            cipher,
            prf,
            prf_oid,
        }
    }

    pub(super) const fn mac(self) -> mac::Target {
        match self {
            Self::ShangMi => mac::Target::Pbmac1Sm3,
            Self::ShangMiOpenssl => mac::Target::Old(Hash::Sm3),
            Self::Compatible => mac::Target::Old(Hash::Sha256),
            Self::Legacy => mac::Target::Old(Hash::Sha1),
        }
    }
}
