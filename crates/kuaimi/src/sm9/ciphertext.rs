//! Ciphertexts, and the choices that were made when they were.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::{Error, G1Point};

/// How the message is hidden: what GB/T 41389 calls `EnType`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A key stream as long as the message is added to it (`EnType` 0). What most programs do, and the default.
    #[default]
    Stream,
    /// SM4 in ECB mode with PKCS#7 padding (`EnType` 1). Shows which blocks of the message are equal.
    Ecb,
    /// SM4 in CBC mode with PKCS#7 padding, the initial value of 16 bytes before it (`EnType` 2).
    Cbc,
    /// SM4 in OFB mode, the initial value of 16 bytes before it (`EnType` 4).
    Ofb,
    /// SM4 in CFB mode with feedback of whole blocks, the initial value of 16 bytes before it (`EnType` 8).
    Cfb,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 5] = [Self::Stream, Self::Ecb, Self::Cbc, Self::Ofb, Self::Cfb];

    /// The number that DER has for it.
    pub const fn en_type(self) -> u8 {
        match self {
            Self::Stream => 0,
            Self::Ecb => 1,
            Self::Cbc => 2,
            Self::Ofb => 4,
            Self::Cfb => 8,
        }
    }

    /// The mode that DER has this number for.
    pub fn from_en_type(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.en_type() == number)
    }

    /// As commands have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Ecb => "ecb",
            Self::Cbc => "cbc",
            Self::Ofb => "ofb",
            Self::Cfb => "cfb",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How the check value `C3` is computed from `C2` and the key `K2`. A ciphertext does not say which it was: both sides must know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CheckValue {
    /// `SM3(C2 ‖ K2)`, as the standard has it. The default.
    #[default]
    Sm3,
    /// `HMAC-SM3(K2, C2)`, as GmSSL 3 has it.
    HmacSm3,
}

impl CheckValue {
    /// As commands have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm3 => "sm3",
            Self::HmacSm3 => "hmac-sm3",
        }
    }
}

impl fmt::Display for CheckValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no mode or check value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName;

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("modes are stream, ecb, cbc, ofb and cfb; check values sm3 and hmac-sm3")
    }
}

impl core::error::Error for UnknownName {}

impl FromStr for Mode {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|mode| mode.name() == name);
        found.ok_or(UnknownName)
    }
}

impl FromStr for CheckValue {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let all = [Self::Sm3, Self::HmacSm3];
        let found = all.into_iter().find(|value| value.name() == name);
        found.ok_or(UnknownName)
    }
}

/// A ciphertext: `C1`, the encapsulation; `C3`, the check value; `C2`, the message under its key; and how it was made from it.
///
/// Raw it is `C1 ‖ C3 ‖ C2`, 64 bytes, 32, and those of `C2`; for DER, which says the mode too, see [`to_der`](Self::to_der) and
/// [`from_der`](Self::from_der).
///
/// ```
/// use kuaimi::sm9::{Ciphertext, Error, Mode};
///
/// assert_eq!(Ciphertext::from_bytes(Mode::Stream, &[1; 96]), Err(Error::CiphertextLength(96)));
/// assert_eq!(Ciphertext::from_bytes(Mode::Stream, &[0; 97]), Err(Error::PointAtInfinity));
/// ```
///
/// Source: GB/T 38635.2-2020, clause 9.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext {
    pub(crate) mode: Mode,
    pub(crate) c1: G1Point,
    pub(crate) c3: [u8; 32],
    pub(crate) c2: Vec<u8>,
}

impl Ciphertext {
    /// From its parts.
    ///
    /// # Errors
    /// [`Error::CiphertextLength`] where `c2` has no bytes.
    pub fn from_parts(mode: Mode, c1: G1Point, c3: [u8; 32], c2: Vec<u8>) -> Result<Self, Error> {
        if c2.is_empty() {
            return Err(Error::CiphertextLength(96));
        }
        Ok(Self { mode, c1, c3, c2 })
    }

    /// From the raw form, of a ciphertext that was made in this mode.
    ///
    /// # Errors
    /// [`Error::CiphertextLength`]; those of [`G1Point::from_bytes`] for `C1`.
    pub fn from_bytes(mode: Mode, bytes: &[u8]) -> Result<Self, Error> {
        let length = || Error::CiphertextLength(bytes.len());
        let (c1, rest) = bytes.split_first_chunk::<64>().ok_or_else(length)?;
        let (c3, c2) = rest.split_first_chunk::<32>().ok_or_else(length)?;
        if c2.is_empty() {
            return Err(length());
        }
        Self::from_parts(mode, G1Point::from_bytes(c1)?, *c3, c2.to_vec())
    }

    /// The raw form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(96 + self.c2.len());
        out.extend_from_slice(&self.c1.to_bytes());
        out.extend_from_slice(&self.c3);
        out.extend_from_slice(&self.c2);
        out
    }

    /// How the message is hidden.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The encapsulation.
    pub fn c1(&self) -> &G1Point {
        &self.c1
    }

    /// The check value.
    pub fn c3(&self) -> &[u8; 32] {
        &self.c3
    }

    /// The message under its key.
    pub fn c2(&self) -> &[u8] {
        &self.c2
    }
}
