//! Ciphertexts, and the forms in which they are written.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use kuaimi_platform::ErrorKind;

use super::{Error, PublicKey};
use crate::sm3::Kdf;

/// The maximum length of a message in bytes: one key stream has 128 GiB less 32 bytes.
///
/// ```
/// assert_eq!(kuaimi::sm2::MAX_MESSAGE_LEN, (128 << 30) - 32);
/// ```
pub const MAX_MESSAGE_LEN: u64 = Kdf::MAX_LEN;

/// An SM2 ciphertext: the ephemeral point `C1`, the digest `C3` that authenticates the plaintext,
/// and the masked plaintext `C2`.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm2::{Ciphertext, CiphertextForm, PrivateKey};
///
/// let key = PrivateKey::generate()?;
/// let bytes = key.public_key().encrypt(b"a secret")?.to_bytes(CiphertextForm::C1C3C2);
/// let ciphertext = Ciphertext::from_bytes(CiphertextForm::C1C3C2, &bytes)?;
/// assert_eq!(*key.decrypt(&ciphertext)?, b"a secret");
///
/// // The parts, and a ciphertext of them.
/// assert_eq!(ciphertext.masked().len(), b"a secret".len());
/// let (point, digest) = (*ciphertext.point(), *ciphertext.digest());
/// assert_eq!(Ciphertext::from_parts(point, digest, ciphertext.masked().to_vec())?, ciphertext);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: GB/T 32918.4-2016, clause 6.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext {
    pub(crate) c1: PublicKey,
    pub(crate) c3: [u8; 32],
    pub(crate) c2: Vec<u8>,
}

/// How a ciphertext is written.
///
/// The point has 65 bytes with the leading `04`, or 64 bytes in the *bare* forms; the digest has 32
/// bytes. The two forms with a leading byte are also read with a compressed (`02`, `03`) or hybrid
/// (`06`, `07`) point.
///
/// ```
/// use kuaimi::sm2::CiphertextForm;
///
/// let form: CiphertextForm = "c1c2c3".parse()?;
/// assert_eq!(form, CiphertextForm::C1C2C3);
/// assert_eq!(form.name(), "c1c2c3");
/// assert_eq!(CiphertextForm::ALL.len(), 5);
/// # Ok::<(), kuaimi::sm2::UnknownForm>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CiphertextForm {
    /// Point, digest, masked plaintext: the standard's order.
    C1C3C2,
    /// Point, masked plaintext, digest: the order of an older draft, which is still in use.
    C1C2C3,
    /// As `C1C3C2`, the point without its leading `04`.
    BareC1C3C2,
    /// As `C1C2C3`, the point without its leading `04`.
    BareC1C2C3,
    /// `SEQUENCE { x INTEGER, y INTEGER, hash OCTET STRING, cipherText OCTET STRING }` (GM/T 0009).
    Der,
}

impl CiphertextForm {
    /// All forms.
    pub const ALL: &'static [Self] = &[
        Self::C1C3C2,
        Self::C1C2C3,
        Self::BareC1C3C2,
        Self::BareC1C2C3,
        Self::Der,
    ];

    /// The name that the program `kuaimi` uses: `c1c3c2`, `c1c2c3`, `bare-c1c3c2`, `bare-c1c2c3` or
    /// `der`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::C1C3C2 => "c1c3c2",
            Self::C1C2C3 => "c1c2c3",
            Self::BareC1C3C2 => "bare-c1c3c2",
            Self::BareC1C2C3 => "bare-c1c2c3",
            Self::Der => "der",
        }
    }
}

impl fmt::Display for CiphertextForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that no [`CiphertextForm`] has.
///
/// ```
/// use kuaimi::sm2::{CiphertextForm, UnknownForm};
///
/// assert_eq!("c3c2c1".parse::<CiphertextForm>(), Err(UnknownForm));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownForm;

impl UnknownForm {
    /// What the error is about, as the errors of the whole library say it.
    pub const fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidArgument
    }
}

impl fmt::Display for UnknownForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the forms of a ciphertext are c1c3c2, c1c2c3, bare-c1c3c2, bare-c1c2c3 and der",
        )
    }
}

impl core::error::Error for UnknownForm {}

impl FromStr for CiphertextForm {
    type Err = UnknownForm;

    fn from_str(name: &str) -> Result<Self, UnknownForm> {
        Self::ALL
            .iter()
            .copied()
            .find(|form| form.name().eq_ignore_ascii_case(name))
            .ok_or(UnknownForm)
    }
}

/// Where the parts of a ciphertext that is not DER lie.
pub(crate) struct RawLayout {
    /// The length of the point, its leading byte included.
    pub(crate) point: usize,
    /// Whether the digest comes before the masked plaintext.
    pub(crate) digest_first: bool,
}

impl CiphertextForm {
    /// The layout of a ciphertext that begins with `first`; nothing for DER.
    pub(crate) fn raw_layout(self, first: u8) -> Option<RawLayout> {
        let (bare, digest_first) = match self {
            Self::C1C3C2 => (false, true),
            Self::C1C2C3 => (false, false),
            Self::BareC1C3C2 => (true, true),
            Self::BareC1C2C3 => (true, false),
            Self::Der => return None,
        };
        let point = match first {
            _ if bare => 64,
            2 | 3 => 33,
            _ => 65,
        };
        Some(RawLayout {
            point,
            digest_first,
        })
    }
}

impl Ciphertext {
    /// The ephemeral point `C1`.
    pub fn point(&self) -> &PublicKey {
        &self.c1
    }

    /// The digest `C3`.
    pub fn digest(&self) -> &[u8; 32] {
        &self.c3
    }

    /// The masked plaintext `C2`, as long as the plaintext.
    pub fn masked(&self) -> &[u8] {
        &self.c2
    }

    /// The ciphertext that has these parts.
    ///
    /// # Errors
    /// [`Error::EmptyMessage`] where `masked` is empty.
    pub fn from_parts(point: PublicKey, digest: [u8; 32], masked: Vec<u8>) -> Result<Self, Error> {
        if masked.is_empty() {
            return Err(Error::EmptyMessage);
        }
        Ok(Self {
            c1: point,
            c3: digest,
            c2: masked,
        })
    }

    /// From one of the forms that are not DER.
    pub(crate) fn from_raw(layout: &RawLayout, bytes: &[u8]) -> Result<Self, Error> {
        let too_short = Error::CiphertextLength(bytes.len());
        let (point, rest) = bytes.split_at_checked(layout.point).ok_or(too_short)?;
        let (c3, c2) = if layout.digest_first {
            rest.split_first_chunk::<32>().ok_or(too_short)?
        } else {
            let (c2, c3) = rest.split_last_chunk::<32>().ok_or(too_short)?;
            (c3, c2)
        };
        Self::from_parts(point_from_raw(point)?, *c3, c2.to_vec())
    }

    /// In one of the forms that are not DER.
    pub(crate) fn to_raw(&self, bare: bool, digest_first: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(97 + self.c2.len());
        let point = self.c1.to_sec1_bytes();
        out.extend_from_slice(if bare { &point[1..] } else { &point });
        if digest_first {
            out.extend_from_slice(&self.c3);
            out.extend_from_slice(&self.c2);
        } else {
            out.extend_from_slice(&self.c2);
            out.extend_from_slice(&self.c3);
        }
        out
    }
}

/// A ciphertext's point: 64 bytes without a leading byte, or any SEC 1 form.
pub(crate) fn point_from_raw(bytes: &[u8]) -> Result<PublicKey, Error> {
    match bytes.try_into() {
        Ok(xy) => PublicKey::from_xy_bytes(xy),
        Err(_) => PublicKey::from_sec1_bytes(bytes),
    }
}
