//! Keys as GB/T 41389-2022 has them, without a wrapper: `INTEGER` for master keys, `BIT STRING` for all else. These do not say what they
//! are keys for; whoever reads one must know.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::{bit_string, to_bit_string};
use crate::encoding::Error;
use crate::encoding::tlv::{INTEGER, Reader, Rules, element};
use crate::sm9::{
    self, MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
    UserEncryptionKey, UserSigningKey,
};

/// An INTEGER of a master key. Its length shows how many of its leading bits are zero, as it does in every file that holds one.
pub(super) fn integer_of(key: &[u8; 32]) -> Zeroizing<Vec<u8>> {
    let zeros = key.iter().take_while(|&&byte| byte == 0).count();
    let digits = key.get(zeros..).unwrap_or_default();
    let positive: &[u8] = match digits.first() {
        Some(0..0x80) => &[],
        _ => &[0],
    };
    Zeroizing::new(element(INTEGER, &[positive, digits]))
}

/// The number in an INTEGER.
pub(super) fn integer_in(reader: &mut Reader<'_>) -> Result<Zeroizing<[u8; 32]>, Error> {
    let mut number = Zeroizing::new([0; 32]);
    // A number of more than 256 bits is not below N.
    if !reader.unsigned_into(&mut number)? {
        return Err(sm9::Error::MasterKeyRange.into());
    }
    Ok(number)
}

fn whole_integer(bytes: &[u8]) -> Result<Zeroizing<[u8; 32]>, Error> {
    let mut reader = Reader::new(bytes, Rules::Strict);
    let number = integer_in(&mut reader)?;
    reader.finish()?;
    Ok(number)
}

fn whole_bit_string(bytes: &[u8]) -> Result<&[u8], Error> {
    let mut reader = Reader::new(bytes, Rules::Strict);
    let point = bit_string(&mut reader)?;
    reader.finish()?;
    Ok(point)
}

macro_rules! master {
    ($key:ident, $public:ident) => {
        impl $key {
            /// From strict DER: an `INTEGER`.
            ///
            /// # Errors
            /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`] and the like for what is not strict DER;
            /// [`Error::Sm9`] with [`MasterKeyRange`](sm9::Error::MasterKeyRange).
            pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
                Ok(Self::from_bytes(&*whole_integer(bytes)?)?)
            }

            /// In DER: an `INTEGER`.
            pub fn to_der(&self) -> Zeroizing<Vec<u8>> {
                integer_of(&self.to_bytes())
            }
        }

        impl $public {
            /// From strict DER: a `BIT STRING` of the point.
            ///
            /// # Errors
            /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`] and the like for what is not strict DER;
            /// [`Error::Sm9`] with the reasons of [`from_slice`](Self::from_slice).
            pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
                Ok(Self::from_slice(whole_bit_string(bytes)?)?)
            }

            /// In DER: a `BIT STRING` of the point.
            pub fn to_der(&self) -> Vec<u8> {
                to_bit_string(&self.to_sec1_bytes())
            }
        }
    };
}

macro_rules! user {
    ($key:ident, $public:ident) => {
        impl $key {
            /// From strict DER: a `BIT STRING` of the point.
            ///
            /// # Errors
            /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`] and the like for what is not strict DER;
            /// [`Error::Sm9`] with the reasons of [`from_slice`](Self::from_slice).
            pub fn from_der(bytes: &[u8], master: &$public) -> Result<Self, Error> {
                Ok(Self::from_slice(whole_bit_string(bytes)?, master)?)
            }

            /// In DER: a `BIT STRING` of the point.
            pub fn to_der(&self) -> Zeroizing<Vec<u8>> {
                bit_string_of(self.to_bytes().as_ref())
            }
        }
    };
}

/// A BIT STRING of a secret point.
pub(super) fn bit_string_of(xy: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut point = Zeroizing::new(Vec::with_capacity(1 + xy.len()));
    point.push(4);
    point.extend_from_slice(xy);
    Zeroizing::new(to_bit_string(&point))
}

master!(MasterSigningKey, MasterSigningPublicKey);
master!(MasterEncryptionKey, MasterEncryptionPublicKey);
user!(UserSigningKey, MasterSigningPublicKey);
user!(UserEncryptionKey, MasterEncryptionPublicKey);
