//! PKCS #12 files (RFC 7292; PBMAC1, RFC 9579; with ShangMi, GM/T 0091-2020): private keys,
//! certificates and other things under a password, as `.p12` and `.pfx` files hold them.
//!
//! | what | read | written |
//! | --- | --- | --- |
//! | encoding | DER and BER | DER |
//! | encryption | PBES2 with PBKDF2 or scrypt, AES, SM4 or triple DES in CBC mode; PKCS #12's own with triple DES, RC2 or SM4 | by [`Profile`] |
//! | MAC | PKCS #12's own key derivation, or PBMAC1, with SHA-1, SHA-2 or SM3 | by [`Profile`] |
//!
//! All key derivations of a file together may take 10 million iterations. What is encrypted with
//! a public key, and what is signed, is not read.
//!
//! ```
//! # #[cfg(feature = "getrandom")] {
//! # use kuaimi_pki::external::kuaimi::sm2::PrivateKey;
//! use kuaimi_pki::pkcs12::{Content, Entry, Key, Pkcs12, Profile, Protection};
//!
//! let key = PrivateKey::generate()?;
//! let mut file = Pkcs12::new();
//! file.push(Entry::new(Content::Key(Key::of_sm2(&key)?)));
//! # let fast = Protection::from(Profile::ShangMi).with_iterations(1000);
//! let der = file.to_der("密码", Profile::ShangMi, &mut getrandom::SysRng)?;
//! # let der = file.to_der("密码", fast, &mut getrandom::SysRng)?;
//!
//! let read = Pkcs12::from_bytes(&der, "密码")?;
//! let Content::Key(found) = &read.entries()[0].content else { panic!() };
//! assert_eq!(found.sm2()?, key);
//! assert!(Pkcs12::from_bytes(&der, "password").is_err());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attributes;
mod budget;
mod encryption;
mod entry;
mod hash;
mod identity;
mod mac;
mod password;
mod profile;
mod read;
mod write;

use alloc::vec::Vec;

use kuaimi::sm2::PrivateKey;
use rand_core::TryCryptoRng;
use sha1::{Digest, Sha1};

pub use attributes::Attributes;
pub use entry::{Content, Entry, Key, Secret};
pub use identity::Identity;
pub use profile::{Profile, Protection};
pub use read::ReadOptions;

use crate::{Certificate, Error};

/// The maximum length of a file in bytes.
pub const MAX_LEN: usize = 16 << 20;
/// The maximum number of entries of a file.
pub const MAX_ENTRIES: usize = 4096;
/// How deep contents may be nested.
pub const MAX_DEPTH: usize = 8;

/// What a PKCS #12 file contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pkcs12 {
    entries: Vec<Entry>,
}

impl Pkcs12 {
    /// Contents without an entry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a file, which must have a MAC. The password is what people type: each key derivation
    /// has its own form of it. For an empty one, both forms that are in use are tried.
    ///
    /// # Errors
    /// [`Error::Encoding`] with `WrongPassword` for another password and for an altered file, which
    /// look the same; [`Error::Limit`] for a file that asks for too much work; [`Error::Algorithm`]
    /// and [`Error::Encoding`] for algorithms that are not supported; [`Error::Der`] and
    /// [`Error::Structure`] for what is no such file or has no MAC.
    pub fn from_bytes(bytes: &[u8], password: &str) -> Result<Self, Error> {
        Self::from_bytes_with(bytes, password, ReadOptions::default())
    }

    /// As [`from_bytes`](Self::from_bytes), with other options.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn from_bytes_with(
        bytes: &[u8],
        password: &str,
        options: ReadOptions,
    ) -> Result<Self, Error> {
        let entries = read::read(bytes, password, options)?;
        Ok(Self { entries })
    }

    /// The entries, in the order of the file. Those in nested contents are among them.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The certificates, in the order of the file.
    pub fn certificates(&self) -> impl Iterator<Item = &Certificate> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.content {
                Content::Certificate(certificate) => Some(certificate),
                _ => None,
            })
    }

    /// The private keys, in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        self.entries
            .iter()
            .filter_map(|entry| match &entry.content {
                Content::Key(key) => Some(key),
                _ => None,
            })
    }

    /// Each private key, in the order of the file, with its certificate and the chain above it as
    /// far as the file has them. A file may have two: a key to sign and one to encrypt.
    pub fn identities(&self) -> Vec<Identity<'_>> {
        identity::identities(&self.entries)
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Appends a private key of SM2 and its certificate, with the same name and identifier.
    ///
    /// # Errors
    /// [`Error::Argument`] if the certificate is not of this key.
    pub fn push_identity(
        &mut self,
        key: &PrivateKey,
        certificate: &Certificate,
        friendly_name: Option<&str>,
    ) -> Result<(), Error> {
        let key = Key::of_sm2(key)?;
        if key.belongs_to(certificate) != Some(true) {
            return Err(Error::Argument("the certificate is of another key"));
        }
        let attributes = Attributes {
            friendly_name: friendly_name.map(Into::into),
            // What OpenSSL takes. The value has no meaning but to be the same.
            local_key_id: Some(Sha1::digest(certificate.as_der()).to_vec()),
            others: Vec::new(),
        };
        let content = Content::Certificate(certificate.clone());
        self.push(Entry::new(content).with_attributes(attributes.clone()));
        self.push(Entry::new(Content::Key(key)).with_attributes(attributes));
        Ok(())
    }

    /// Appends a certificate without a key: one of the chain.
    pub fn push_certificate(&mut self, certificate: &Certificate) {
        let content = Content::Certificate(certificate.clone());
        self.push(Entry::new(content));
    }

    /// The file in DER. Salts and initialization vectors come from `rng`.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails; [`Error::Encoding`] and [`Error::Limit`] for
    /// iterations, numbers and lengths that a reader would refuse.
    pub fn to_der<R: TryCryptoRng + ?Sized>(
        &self,
        password: &str,
        protection: impl Into<Protection>,
        rng: &mut R,
    ) -> Result<Vec<u8>, Error> {
        write::write(&self.entries, password, protection.into(), rng)
    }
}
