//! Cipher suites (GB/T 38636-2020, 6.4.5.2.1, table 2).

use core::fmt;

/// How both sides come to the premaster secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyExchange {
    /// The client encrypts it for the server's encrypting key.
    Ecc,
    /// SM2's key exchange, with ephemeral keys and with the encrypting keys of both.
    Ecdhe,
}

/// How records are protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protection {
    /// SM4 in CBC mode over the content and its HMAC-SM3.
    Cbc,
    /// SM4 in GCM mode.
    Gcm,
}

/// A cipher suite: key exchange, cipher and hash, which is always SM3.
///
/// ```
/// use kuaimi_tlcp::{CipherSuite, KeyExchange};
///
/// let suite = CipherSuite::from_number(0xe053).unwrap();
/// assert_eq!(suite.to_string(), "ECC_SM4_GCM_SM3");
/// assert_eq!(suite.key_exchange(), KeyExchange::Ecc);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CipherSuite {
    /// `ECDHE_SM4_CBC_SM3`, E011.
    EcdheSm4CbcSm3,
    /// `ECDHE_SM4_GCM_SM3`, E051.
    EcdheSm4GcmSm3,
    /// `ECC_SM4_CBC_SM3`, E013.
    EccSm4CbcSm3,
    /// `ECC_SM4_GCM_SM3`, E053.
    EccSm4GcmSm3,
}

impl CipherSuite {
    /// All suites, in the order in which they are preferred if nothing else is said: GCM before
    /// CBC, and then ECDHE, whose ephemeral keys protect what was sent when a key is stolen later.
    pub const ALL: [Self; 4] = [
        Self::EcdheSm4GcmSm3,
        Self::EccSm4GcmSm3,
        Self::EcdheSm4CbcSm3,
        Self::EccSm4CbcSm3,
    ];

    /// The suite with this number.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.number() == number)
    }

    /// The number in messages.
    pub const fn number(self) -> u16 {
        match self {
            Self::EcdheSm4CbcSm3 => 0xe011,
            Self::EcdheSm4GcmSm3 => 0xe051,
            Self::EccSm4CbcSm3 => 0xe013,
            Self::EccSm4GcmSm3 => 0xe053,
        }
    }

    /// The standard's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EcdheSm4CbcSm3 => "ECDHE_SM4_CBC_SM3",
            Self::EcdheSm4GcmSm3 => "ECDHE_SM4_GCM_SM3",
            Self::EccSm4CbcSm3 => "ECC_SM4_CBC_SM3",
            Self::EccSm4GcmSm3 => "ECC_SM4_GCM_SM3",
        }
    }

    /// How both sides come to the premaster secret.
    pub const fn key_exchange(self) -> KeyExchange {
        match self {
            Self::EcdheSm4CbcSm3 | Self::EcdheSm4GcmSm3 => KeyExchange::Ecdhe,
            Self::EccSm4CbcSm3 | Self::EccSm4GcmSm3 => KeyExchange::Ecc,
        }
    }

    /// How records are protected.
    pub const fn protection(self) -> Protection {
        match self {
            Self::EcdheSm4CbcSm3 | Self::EccSm4CbcSm3 => Protection::Cbc,
            Self::EcdheSm4GcmSm3 | Self::EccSm4GcmSm3 => Protection::Gcm,
        }
    }
}

impl fmt::Display for CipherSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
