//! Keys as GB/T 41389-2022 has them, without a wrapper: `INTEGER` for master keys, `BIT STRING` for
//! the others. They do not say what they are keys for: a reader must know.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::{bit_string, to_bit_string};
use crate::encoding::Error;
use crate::encoding::tlv::{INTEGER, Reader, Rules, element};
use crate::sm9::{
    self, DecryptionKey, ExchangeKey, Identity, MasterEncryptionKey, MasterEncryptionPublicKey,
    MasterSigningKey, MasterSigningPublicKey, SigningKey,
};

/// An INTEGER of a master key. Its length shows how many of its leading bits are zero, as it does
/// in every file that holds one.
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
            /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`] and the
            /// like for what is not strict DER; [`Error::Sm9`] with
            /// [`MasterKeyRange`](sm9::Error::MasterKeyRange).
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::", stringify!($key), ";")]
            #[doc = concat!("# let master = ", stringify!($key), "::from_bytes(&[7; 32])?;")]
            #[doc = concat!("assert_eq!(", stringify!($key), "::from_der(&master.to_der())?, master);")]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
                Ok(Self::from_bytes(&*whole_integer(bytes)?)?)
            }

            /// In DER: an `INTEGER`.
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::", stringify!($key), ";")]
            #[doc = concat!("let der = ", stringify!($key), "::from_bytes(&[7; 32])?.to_der();")]
            /// assert_eq!(der[..2], [2, 32]);
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn to_der(&self) -> Zeroizing<Vec<u8>> {
                integer_of(&self.to_bytes())
            }
        }

        impl $public {
            /// From strict DER: a `BIT STRING` of the point.
            ///
            /// # Errors
            /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`] and the
            /// like for what is not strict DER; [`Error::Sm9`] with the reasons of
            /// [`from_slice`](Self::from_slice).
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::{", stringify!($key), ", ", stringify!($public), "};")]
            #[doc = concat!("# let public = ", stringify!($key), "::from_bytes(&[7; 32])?.public_key().clone();")]
            #[doc = concat!("assert_eq!(", stringify!($public), "::from_der(&public.to_der())?, public);")]
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn from_der(bytes: &[u8]) -> Result<Self, Error> {
                Ok(Self::from_slice(whole_bit_string(bytes)?)?)
            }

            /// In DER: a `BIT STRING` of the point.
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::", stringify!($key), ";")]
            #[doc = concat!("let der = ", stringify!($key), "::from_bytes(&[7; 32])?.public_key().to_der();")]
            /// assert_eq!(der[0], 3);
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn to_der(&self) -> Vec<u8> {
                to_bit_string(&self.to_sec1_bytes())
            }
        }
    };
}

macro_rules! user {
    ($key:ident, $public:ident, $alice:literal) => {
        impl $key {
            /// From strict DER, a `BIT STRING` of the point; for this identity under this master
            /// public key.
            ///
            /// # Errors
            /// [`Error::Truncated`], [`Error::TrailingBytes`], [`Error::UnexpectedTag`] and the
            /// like for what is not strict DER; [`Error::Sm9`] with the reasons of
            /// [`from_slice`](Self::from_slice).
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::{MasterEncryptionKey, MasterSigningKey, ", stringify!($key), "};")]
            #[doc = concat!("# let alice = ", $alice, ";")]
            #[doc = concat!("let again = ", stringify!($key), "::from_der(&alice.to_der(), \"alice\", alice.master_public_key())?;")]
            /// assert_eq!(again, alice);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn from_der<'a>(
                bytes: &[u8],
                identity: impl Into<Identity<'a>>,
                master: &$public,
            ) -> Result<Self, Error> {
                Ok(Self::from_slice(whole_bit_string(bytes)?, identity, master)?)
            }

            /// In DER: a `BIT STRING` of the point.
            ///
            /// ```
            /// # use kuaimi::sm9::{MasterEncryptionKey, MasterSigningKey};
            #[doc = concat!("# let alice = ", $alice, ";")]
            /// assert_eq!(alice.to_der()[0], 3);
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
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
user!(
    SigningKey,
    MasterSigningPublicKey,
    "MasterSigningKey::from_bytes(&[7; 32])?.extract(\"alice\")?"
);
user!(
    DecryptionKey,
    MasterEncryptionPublicKey,
    "MasterEncryptionKey::from_bytes(&[7; 32])?.extract(\"alice\")?"
);
user!(
    ExchangeKey,
    MasterEncryptionPublicKey,
    "MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange(\"alice\")?"
);
