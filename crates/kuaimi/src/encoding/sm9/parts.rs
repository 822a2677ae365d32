//! A key without its curve: what a file says, as bytes that nothing was computed with. For
//! programs whose files and curves are apart, as they are in WebAssembly.

use alloc::string::String;
use alloc::vec::Vec;

use der::pem::LineEnding;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::plain::{bit_string_of, integer_of};
use super::wrapped::{algorithm_of, parts_of_pkcs8, to_pkcs8};
use super::{Key, KeyKind, UnboundDecryptionKey, UnboundSigningKey, read, to_bit_string};
use crate::encoding::tlv::{SEQUENCE, element};
use crate::encoding::{Error, PasswordEncryption, pbes2};
use crate::sm9::{
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
};

/// The parts of a key. No promise of stability.
#[doc(hidden)]
#[derive(Clone)]
pub struct Parts {
    /// What the key is.
    pub kind: KeyKind,
    /// A master key's number, or the point of another key.
    pub key: Zeroizing<Vec<u8>>,
    /// The master public key behind a private key.
    pub public: Option<Vec<u8>>,
}

const KINDS: [KeyKind; 6] = [
    KeyKind::MasterSigning,
    KeyKind::MasterEncryption,
    KeyKind::MasterSigningPublic,
    KeyKind::MasterEncryptionPublic,
    KeyKind::UserSigning,
    KeyKind::UserDecryption,
];

impl Parts {
    pub(super) fn new(kind: KeyKind, key: &[u8], public: Option<&[u8]>) -> Self {
        Self {
            kind,
            key: Zeroizing::new(key.to_vec()),
            public: public.map(<[u8]>::to_vec),
        }
    }

    /// What a file holds, in the forms that [`read_key`](super::read_key) reads.
    ///
    /// # Errors
    /// As [`read_key`](super::read_key), but for those of the key itself.
    pub fn open(bytes: &[u8], password: Option<&[u8]>) -> Result<Self, Error> {
        let file = read::Opened::of(bytes)?;
        match file.parts()? {
            Some((parts, _)) => Ok(parts),
            None => {
                let password = password.ok_or(Error::PasswordNeeded)?;
                parts_of_pkcs8(&pbes2::decrypt(&file.der, password)?.0)
            }
        }
    }

    /// The key, which is checked.
    ///
    /// # Errors
    /// What is wrong with the key.
    pub fn key(&self) -> Result<Key, Error> {
        let Self { kind, key, public } = self;
        let number = || {
            let number: Result<&[u8; 32], _> = key[..].try_into();
            number.map_err(|_| crate::sm9::Error::MasterKeyRange)
        };
        let master = || public.as_deref().ok_or(Error::MasterPublicKeyMissing);
        Ok(match kind {
            KeyKind::MasterSigning => {
                let key = MasterSigningKey::from_bytes(number()?)?;
                if let Some(public) = public
                    && MasterSigningPublicKey::from_slice(public)? != *key.public_key()
                {
                    return Err(Error::PublicKeyMismatch);
                }
                Key::MasterSigning(key)
            }
            KeyKind::MasterEncryption => {
                let key = MasterEncryptionKey::from_bytes(number()?)?;
                if let Some(public) = public
                    && MasterEncryptionPublicKey::from_slice(public)? != *key.public_key()
                {
                    return Err(Error::PublicKeyMismatch);
                }
                Key::MasterEncryption(key)
            }
            KeyKind::MasterSigningPublic => {
                Key::MasterSigningPublic(MasterSigningPublicKey::from_slice(key)?)
            }
            KeyKind::MasterEncryptionPublic => {
                Key::MasterEncryptionPublic(MasterEncryptionPublicKey::from_slice(key)?)
            }
            KeyKind::UserSigning => {
                let master = MasterSigningPublicKey::from_slice(master()?)?;
                Key::UserSigning(UnboundSigningKey::new(key, master)?)
            }
            KeyKind::UserDecryption => {
                let master = MasterEncryptionPublicKey::from_slice(master()?)?;
                Key::UserDecryption(UnboundDecryptionKey::new(key, master)?)
            }
        })
    }

    /// PKCS#8 of a private key, as GmSSL and `emmansun/gmsm` read it: of a master key's number or a
    /// user's `x ‖ y`, and the public key.
    pub fn to_pkcs8_der(&self) -> Zeroizing<Vec<u8>> {
        let inner = match <&[u8; 32]>::try_from(&self.key[..]) {
            Ok(number) => integer_of(number),
            Err(_) => bit_string_of(&self.key),
        };
        let public = self.public.as_deref().unwrap_or_default();
        to_pkcs8(self.kind, &inner, &to_bit_string(public))
    }

    /// The same under a password.
    ///
    /// # Errors
    /// As [`to_encrypted_pkcs8_der`](MasterSigningKey::to_encrypted_pkcs8_der).
    pub fn to_encrypted_pkcs8_der<R: TryCryptoRng + ?Sized>(
        &self,
        password: &[u8],
        encryption: PasswordEncryption,
        rng: &mut R,
    ) -> Result<Vec<u8>, Error> {
        pbes2::encrypt(&self.to_pkcs8_der(), password, encryption, rng)
    }

    /// PEM of any DER.
    ///
    /// # Errors
    /// [`Error::Der`], which does not occur.
    pub fn pem(label: &str, der: &[u8]) -> Result<String, Error> {
        Ok(der::pem::encode_string(label, LineEnding::LF, der).map_err(der::Error::from)?)
    }

    /// SubjectPublicKeyInfo of a public key.
    pub fn to_spki_der(&self) -> Vec<u8> {
        let point = to_bit_string(&self.key);
        element(SEQUENCE, &[&algorithm_of(self.kind), &point])
    }

    /// GmSSL's form of a public key, and its label in PEM.
    pub fn to_gmssl_der(&self) -> (&'static str, Vec<u8>) {
        let label = match self.kind.is_for_signatures() {
            true => "SM9 SIGN MASTER PUBLIC KEY",
            false => "SM9 ENC MASTER PUBLIC KEY",
        };
        (label, element(SEQUENCE, &[&to_bit_string(&self.key)]))
    }

    /// From one program to another: the kind, the key's length, the key, the public key.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let head = [self.kind as u8, self.key.len() as u8];
        let public = self.public.as_deref().unwrap_or_default();
        Zeroizing::new([&head, &self.key[..], public].concat())
    }

    /// The inverse of [`to_bytes`](Self::to_bytes).
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&[kind, length], rest) = bytes.split_first_chunk()?;
        let (key, public) = rest.split_at_checked(length.into())?;
        let public = (!public.is_empty()).then_some(public);
        Some(Self::new(*KINDS.get(usize::from(kind))?, key, public))
    }
}
