//! Key packages (GB/T 41389-2022): an encapsulated key beside its encapsulation,
//! `SEQUENCE { K OCTET STRING, C BIT STRING }`; and the encapsulation alone, a `BIT STRING`.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::{bit_string, to_bit_string};
use crate::encoding::Error;
use crate::encoding::tlv::{OCTET_STRING, Reader, Rules, SEQUENCE, element};
use crate::sm9::G1Point;

/// An encapsulated key, and the point `C` from which the recipient computes it.
///
/// **The package is secret**: it has the key itself. The sender keeps it, and sends only the point
/// to the recipient ([`G1Point::to_der`]).
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::encoding::sm9::KeyPackage;
/// use kuaimi::sm9::MasterEncryptionKey;
///
/// let master = MasterEncryptionKey::generate()?;
/// let (key, c) = master.public_key().encryption_key("bob")?.encapsulate(16)?;
/// let der = KeyPackage { key, c }.to_der();
///
/// let package = KeyPackage::from_der(&der)?;
/// assert_eq!(master.extract("bob")?.decapsulate(&package.c, 16)?, package.key);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Source: GB/T 41389-2022.
#[derive(Clone)]
pub struct KeyPackage {
    /// The key.
    pub key: Zeroizing<Vec<u8>>,
    /// The encapsulation.
    pub c: G1Point,
}

impl KeyPackage {
    /// From strict DER.
    ///
    /// # Errors
    /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`],
    /// [`Error::NonMinimalLength`] and [`Error::Der`] for what is not strict DER; [`Error::Sm9`]
    /// with the reasons of [`G1Point::from_sec1_bytes`] for `C`.
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let mut outer = Reader::new(bytes, Rules::Strict);
        let mut body = Reader::new(outer.value(SEQUENCE)?, Rules::Strict);
        outer.finish()?;
        let key = body.value(OCTET_STRING)?;
        let c = bit_string(&mut body)?;
        body.finish()?;
        Ok(Self {
            c: G1Point::from_sec1_bytes(c)?,
            key: Zeroizing::new(key.to_vec()),
        })
    }

    /// In DER.
    pub fn to_der(&self) -> Zeroizing<Vec<u8>> {
        let key = Zeroizing::new(element(OCTET_STRING, &[&self.key]));
        let c = to_bit_string(&self.c.to_sec1_bytes());
        Zeroizing::new(element(SEQUENCE, &[&key, &c]))
    }
}

impl core::fmt::Debug for KeyPackage {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("KeyPackage")
            .field("c", &self.c)
            .finish_non_exhaustive()
    }
}

impl G1Point {
    /// From strict DER: a `BIT STRING` of the point.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm9::{G1Point, MasterEncryptionKey};
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// let (_, c) = master.public_key().encryption_key("bob")?.encapsulate(16)?;
    /// assert_eq!(G1Point::from_der(&c.to_der())?, c);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`KeyPackage::from_der`].
    pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
        let mut outer = Reader::new(bytes, Rules::Strict);
        let point = bit_string(&mut outer)?;
        outer.finish()?;
        Ok(Self::from_sec1_bytes(point)?)
    }

    /// In DER: a `BIT STRING` of the point.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm9::{G1Point, MasterEncryptionKey};
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// let (_, c) = master.public_key().encryption_key("bob")?.encapsulate(16)?;
    /// assert_eq!(G1Point::from_der(&c.to_der())?, c);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_der(&self) -> Vec<u8> {
        to_bit_string(&self.to_sec1_bytes())
    }
}
