//! SM9's keys: read from whatever form a file has them in, and written in the form that is asked
//! for.

use std::path::{Path, PathBuf};

use clap::Args;
use getrandom::SysRng;
use kuaimi::encoding::sm9::{Key, KeyFile, KeyForm, KeyKind, UnboundDecryptionKey};
use kuaimi::encoding::{self, EncodePrivateKey, PasswordEncryption};
use kuaimi::sm9::{
    DecryptionKey, ExchangeKey, Identity, MasterEncryptionKey, MasterEncryptionPublicKey,
    MasterSigningKey, MasterSigningPublicKey, SigningKey,
};
use zeroize::Zeroizing;

use super::identity;
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::input;
use crate::key_file::{self, Document, WriteArgs, malformed, unwritable};
use crate::password::PasswordArgs;
use crate::say::show;

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

    /// The user's signing key, which must be that of `identity`.
    pub fn signing(&self, identity: Identity<'_>, context: Context) -> Result<SigningKey> {
        let key = match self.load(context)? {
            Key::UserSigning(key) => key,
            other => {
                return Err(self.instead(
                    other.kind(),
                    "a user's signing key, as `kuaimi sm9 extract` makes it,",
                ));
            }
        };
        key.signing_key(identity).map_err(|_| {
            self.not_of(
                identity,
                "signing key; check --key and --id, and --hid if the key was made with one",
            )
        })
    }

    /// The user's decryption key, which must be that of `identity`.
    pub fn decryption(&self, identity: Identity<'_>, context: Context) -> Result<DecryptionKey> {
        let key = self.unbound(context)?;
        key.decryption_key(identity).map_err(|_| {
            let what = match key.exchange_key(identity.id()) {
                Ok(_) => {
                    "key for encryption, but the one for key exchange; give the one that `kuaimi sm9 extract` makes without --for-exchange"
                }
                Err(_) => {
                    "key for encryption; check --key and --id, and --hid if the key was made with one"
                }
            };
            self.not_of(identity, what)
        })
    }

    /// The user's key for exchange, which must be that of `identity`.
    pub fn exchange(&self, identity: Identity<'_>, context: Context) -> Result<ExchangeKey> {
        let key = self.unbound(context)?;
        key.exchange_key(identity).map_err(|_| {
            self.not_of(
                identity,
                "key for exchange; give that, as `kuaimi sm9 extract --for-exchange` makes it",
            )
        })
    }

    /// A user's key for decryption or key exchange.
    pub fn unbound(&self, context: Context) -> Result<UnboundDecryptionKey> {
        match self.load(context)? {
            Key::UserDecryption(key) => Ok(key),
            other => Err(self.instead(
                other.kind(),
                "a user's encryption key, as `kuaimi sm9 extract` makes it,",
            )),
        }
    }

    fn not_of(&self, identity: Identity<'_>, what: &str) -> Failure {
        Failure::file(
            show(&self.key),
            format_args!("is not {}'s {what}", identity::show(identity.id())),
        )
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
            Key::UserDecryption(key) => key.master_public_key().clone(),
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

/// The key in the content of the file `name`. The inner error says that it is none, or a malformed
/// one; the outer one, that the password is missing or wrong.
pub fn any_in(
    content: &[u8],
    name: &str,
    password: &PasswordArgs,
) -> Result<Result<(Key, KeyForm), encoding::Error>> {
    match KeyFile::open(content) {
        Ok(KeyFile::Key(key, form)) => Ok(Ok((key, form))),
        Ok(KeyFile::Encrypted(key)) => {
            key_file::decrypt(name, password, |password| key.decrypt(password))
        }
        Err(error) => Ok(Err(error)),
    }
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
            let pkcs8 = key.to_pkcs8_der().map_err(unwritable)?.to_bytes();
            private_file(pkcs8, encrypted, write)
        }
    };
}

file_of!(file_of_master_signing, MasterSigningKey);
file_of!(file_of_master_encryption, MasterEncryptionKey);
file_of!(file_of_signing, SigningKey);
file_of!(file_of_decryption, DecryptionKey);
file_of!(file_of_exchange, ExchangeKey);
