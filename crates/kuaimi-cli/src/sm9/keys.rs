//! SM9's keys: read from whatever form a file has them in, and written in the form that is asked for.

use std::path::{Path, PathBuf};

use clap::Args;
use getrandom::SysRng;
use kuaimi::encoding::sm9::{Key, KeyForm, KeyKind, read_key};
use kuaimi::encoding::{self, PasswordEncryption};
use kuaimi::sm9::{
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey,
    UserEncryptionKey, UserSigningKey,
};
use zeroize::Zeroizing;

use crate::context::Context;
use crate::exit::{Failure, Result, show};
use crate::input;
use crate::key_file::{self, Document, WriteArgs, malformed, unwritable};
use crate::password::PasswordArgs;

/// The options of commands that need a key.
#[derive(Args, Debug, Clone)]
pub struct KeyArgs {
    /// The key: PEM or DER, encrypted or not.
    #[arg(long, short, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl KeyArgs {
    fn load(&self, context: Context) -> Result<Key> {
        let name = show(&self.key);
        let (key, form) = any(&self.key, &self.password)?;
        context.note(format_args!("{name}: {}, {form}", key.kind()));
        Ok(key)
    }

    fn instead(&self, found: KeyKind, needed: &str) -> Failure {
        Failure::file(
            show(&self.key),
            format_args!("is {} {found}; {needed} is needed here", article(found)),
        )
    }

    pub fn master(&self, context: Context) -> Result<Master> {
        match self.load(context)? {
            Key::MasterSigning(key) => Ok(Master::Signing(key)),
            Key::MasterEncryption(key) => Ok(Master::Encryption(key)),
            other => Err(self.instead(
                other.kind(),
                "a master key, as `kuaimi sm9 setup` makes it,",
            )),
        }
    }

    pub fn user_signing(&self, context: Context) -> Result<UserSigningKey> {
        match self.load(context)? {
            Key::UserSigning(key) => Ok(key),
            other => Err(self.instead(
                other.kind(),
                "a user's signing key, as `kuaimi sm9 extract` makes it,",
            )),
        }
    }

    pub fn user_encryption(&self, context: Context) -> Result<UserEncryptionKey> {
        match self.load(context)? {
            Key::UserEncryption(key) => Ok(key),
            other => Err(self.instead(
                other.kind(),
                "a user's encryption key, as `kuaimi sm9 extract` makes it,",
            )),
        }
    }

    /// The master public key for signatures, or that which another key holds.
    pub fn signing_public(&self, context: Context) -> Result<MasterSigningPublicKey> {
        Ok(match self.load(context)? {
            Key::MasterSigningPublic(key) => key,
            Key::MasterSigning(key) => key.public_key().clone(),
            Key::UserSigning(key) => key.master_public_key().clone(),
            other => {
                return Err(self.instead(other.kind(), "the signing master public key"));
            }
        })
    }

    /// The master public key for encryption, or that which another key holds.
    pub fn encryption_public(&self, context: Context) -> Result<MasterEncryptionPublicKey> {
        Ok(match self.load(context)? {
            Key::MasterEncryptionPublic(key) => key,
            Key::MasterEncryption(key) => key.public_key().clone(),
            Key::UserEncryption(key) => key.master_public_key().clone(),
            other => {
                return Err(self.instead(other.kind(), "the encryption master public key"));
            }
        })
    }
}

fn article(kind: KeyKind) -> &'static str {
    match kind {
        KeyKind::MasterEncryption | KeyKind::MasterEncryptionPublic => "an",
        _ => "a",
    }
}

/// A master key of either sort.
pub enum Master {
    Signing(MasterSigningKey),
    Encryption(MasterEncryptionKey),
}

/// Any key in a file.
pub fn any(path: &Path, password: &PasswordArgs) -> Result<(Key, KeyForm)> {
    let content = input::read_all(path, input::SMALL)?;
    if content.is_empty() {
        return Err(Failure::file(show(path), "is empty; give a key's file"));
    }
    any_in(&content, &show(path), password)?.map_err(|error| malformed(&show(path), &error))
}

/// The key in the content of the file `name`. The inner error says that it is none, or a malformed one; the outer one, that
/// the password is missing or wrong.
pub fn any_in(
    content: &[u8],
    name: &str,
    password: &PasswordArgs,
) -> Result<Result<(Key, KeyForm), encoding::Error>> {
    key_file::open(name, password, |password| read_key(content, password))
}

/// A private key's file. `password` is used for an encrypted one only.
fn private_file(
    pkcs8: Zeroizing<Vec<u8>>,
    encrypted: impl FnOnce(PasswordEncryption) -> Result<Vec<u8>, encoding::Error>,
    write: &WriteArgs,
) -> Result<Zeroizing<Vec<u8>>> {
    let document = match write.encrypt {
        false => Document::private(pkcs8),
        true => Document::encrypted(encrypted(write.cipher.encryption()).map_err(unwritable)?),
    };
    document.to_pem_or_der(write.der)
}

macro_rules! file_of {
    ($name:ident, $key:ident) => {
        pub fn $name(key: &$key, write: &WriteArgs, password: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
            let encrypted =
                |encryption| key.to_encrypted_pkcs8_der(password, encryption, &mut SysRng);
            private_file(key.to_pkcs8_der(), encrypted, write)
        }
    };
}

file_of!(file_of_master_signing, MasterSigningKey);
file_of!(file_of_master_encryption, MasterEncryptionKey);
file_of!(file_of_user_signing, UserSigningKey);
file_of!(file_of_user_encryption, UserEncryptionKey);
