//! SM2's keys: read from whatever form a file has them in, and written in the form that is asked for.

use std::path::{Path, PathBuf};

use clap::Args;
use getrandom::SysRng;
use kuaimi::encoding::{
    self, EncodeEcPrivateKey as _, EncodePrivateKey as _, EncodePublicKey as _, PrivateKeyForm,
};
use kuaimi::sm2::{PublicKey, SecretKey};
use zeroize::Zeroizing;

use crate::context::Context;
use crate::failure::Result;
use crate::input;
use crate::key_file::{self, Cipher, Document, malformed, unwritable};
use crate::password::PasswordArgs;
use crate::say::show;

/// The options of commands that need a private key.
#[derive(Args, Debug, Clone)]
pub struct PrivateKeyArgs {
    /// The private key: PEM, DER, hexadecimal or base64, encrypted or not.
    #[arg(long, short, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl PrivateKeyArgs {
    pub fn load(&self, context: Context) -> Result<SecretKey> {
        let (key, form) = private(&self.key, &self.password)?;
        context.note(format_args!("{}: private key, {form}", show(&self.key)));
        Ok(key)
    }
}

/// The options of commands that need a public key.
#[derive(Args, Debug, Clone)]
pub struct PublicKeyArgs {
    /// The public key: PEM, DER, hexadecimal or base64; a certificate or a private key serves too.
    #[arg(long, short, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl PublicKeyArgs {
    pub fn load(&self, context: Context) -> Result<PublicKey> {
        public_with(&self.key, &self.password, context)
    }
}

/// The private key in a file.
pub fn private(path: &Path, password: &PasswordArgs) -> Result<(SecretKey, PrivateKeyForm)> {
    let content = input::read_all(path, input::SMALL)?;
    private_in(&content, &show(path), password)?.map_err(|error| malformed(&show(path), &error))
}

/// The private key in the content of the file `name`. The inner error says that it is none, or a malformed one; the
/// outer one, that the password is missing or wrong.
pub fn private_in(
    content: &[u8],
    name: &str,
    password: &PasswordArgs,
) -> Result<Result<(SecretKey, PrivateKeyForm), encoding::Error>> {
    key_file::open(name, password, |password| {
        encoding::read_private_key(content, password.map(AsRef::as_ref))
    })
}

/// The public key in a file, or that of the private key in it.
pub fn public(path: &Path, context: Context) -> Result<PublicKey> {
    public_with(path, &PasswordArgs::default(), context)
}

fn public_with(path: &Path, password: &PasswordArgs, context: Context) -> Result<PublicKey> {
    let name = show(path);
    let content = input::read_all(path, input::SMALL)?;
    match encoding::read_public_key(&content) {
        Ok((key, form)) => {
            context.note(format_args!("{name}: public key, {form}"));
            Ok(key)
        }
        // 32 bytes are no public key, and may be a private one.
        Err(encoding::Error::UnexpectedPrivateKey | encoding::Error::NotAKey) => {
            let (key, form) =
                private_in(&content, &name, password)?.map_err(|error| malformed(&name, &error))?;
            context.note(format_args!(
                "{name}: private key, {form}; its public key is used"
            ));
            Ok(*key.public_key())
        }
        Err(error) => Err(malformed(&name, &error)),
    }
}

/// A structure that a private key is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateStructure {
    Pkcs8,
    Sec1,
    EncryptedPkcs8(Cipher),
}

/// A private key. `password` is used for encrypted PKCS#8 only.
pub fn private_document(
    key: &SecretKey,
    structure: PrivateStructure,
    password: &[u8],
) -> Result<Document> {
    Ok(match structure {
        PrivateStructure::Pkcs8 => {
            Document::private(key.to_pkcs8_der().map_err(unwritable)?.to_bytes())
        }
        PrivateStructure::Sec1 => Document {
            label: "EC PRIVATE KEY",
            der: key.to_sec1_der().map_err(unwritable)?.to_bytes(),
        },
        PrivateStructure::EncryptedPkcs8(cipher) => Document::encrypted(
            key.to_encrypted_pkcs8_der(password, cipher.encryption(), &mut SysRng)
                .map_err(unwritable)?,
        ),
    })
}

/// A public key: SubjectPublicKeyInfo.
pub fn public_document(key: &PublicKey) -> Result<Document> {
    let der = key.to_public_key_der().map_err(unwritable)?;
    Ok(Document {
        label: "PUBLIC KEY",
        der: Zeroizing::new(der.as_bytes().to_vec()),
    })
}
