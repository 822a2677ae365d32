//! SM2's keys: read from whatever form a file has them in, and written in the form that is asked
//! for.

use std::path::{Path, PathBuf};

use clap::Args;
use getrandom::SysRng;
use kuaimi::encoding::{
    self, EncodeEcPrivateKey as _, EncodePrivateKey as _, EncodePublicKey as _, FileKind,
    PrivateKeyFile, PrivateKeyForm,
};
use kuaimi::sm2::{PrivateKey, PublicKey};
use zeroize::Zeroizing;

use super::store;
use crate::context::Context;
use crate::failure::Result;
use crate::input;
use crate::key_file::{self, Cipher, Document, malformed, unwritable};
use crate::password::PasswordArgs;
use crate::say::show;

/// The options of commands that need a private key.
#[derive(Args, Debug, Clone)]
pub struct PrivateKeyArgs {
    /// The private key: PEM, DER, hexadecimal or base64, encrypted or not; PKCS #12, or CFCA's
    /// .sm2.
    #[arg(long, short, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl PrivateKeyArgs {
    pub fn load(&self, context: Context) -> Result<PrivateKey> {
        let (key, form) = private(&self.key, &self.password)?;
        context.note(format_args!("{}: private key, {form}", show(&self.key)));
        Ok(key)
    }
}

/// The options of commands that need a public key.
#[derive(Args, Debug, Clone)]
pub struct PublicKeyArgs {
    /// The public key: PEM, DER, hexadecimal or base64; a certificate, a request, PKCS #12 or a
    /// private key works, too.
    #[arg(long, short, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl PublicKeyArgs {
    pub fn load(&self, context: Context) -> Result<PublicKey> {
        Ok(self.open(context)?.key)
    }

    /// The key with the file that it is from.
    pub fn open(&self, context: Context) -> Result<PublicKeyFile> {
        PublicKeyFile::open(&self.key, &self.password, context)
    }
}

/// A public key, and the content of the file that it is from.
pub struct PublicKeyFile {
    pub key: PublicKey,
    content: Zeroizing<Vec<u8>>,
}

/// The private key in a file.
pub fn private(path: &Path, password: &PasswordArgs) -> Result<(PrivateKey, PrivateKeyForm)> {
    let content = input::read_all(path, input::SMALL)?;
    private_in(&content, &show(path), password)?.map_err(|error| malformed(&show(path), &error))
}

/// The private key in the content of the file `name`. The inner error says that it is none, or a
/// malformed one; the outer one, that the password is missing or wrong.
pub fn private_in(
    content: &[u8],
    name: &str,
    password: &PasswordArgs,
) -> Result<Result<(PrivateKey, PrivateKeyForm), encoding::Error>> {
    match PrivateKeyFile::open(content) {
        Ok(PrivateKeyFile::Key(key, form)) => Ok(Ok((key, form))),
        Ok(PrivateKeyFile::Encrypted(key)) => {
            key_file::decrypt(name, password, |password| key.decrypt(password))
        }
        Err(error) if store::is_store(&error) => {
            let key = store::identity(content, name, password)?.key;
            // The form that it has inside.
            let inside = key.to_pkcs8_der().map_err(unwritable)?;
            Ok(encoding::read_private_key(inside.as_bytes(), None))
        }
        Err(error) => Ok(Err(error)),
    }
}

/// The public key in a file, or that of the private key in it.
pub fn public(path: &Path, context: Context) -> Result<PublicKey> {
    Ok(PublicKeyFile::open(path, &PasswordArgs::default(), context)?.key)
}

impl PublicKeyFile {
    fn open(path: &Path, password: &PasswordArgs, context: Context) -> Result<Self> {
        let name = show(path);
        let content = input::read_all(path, input::SMALL)?;
        let key = match encoding::read_public_key(&content) {
            Ok((key, form)) => {
                context.note(format_args!("{name}: public key, {form}"));
                key
            }
            // 32 bytes are no public key, and may be a private one.
            Err(encoding::Error::UnexpectedPrivateKey | encoding::Error::NotAKey) => {
                let (key, form) = private_in(&content, &name, password)?
                    .map_err(|error| malformed(&name, &error))?;
                context.note(format_args!(
                    "{name}: private key, {form}; its public key is used"
                ));
                *key.public_key()
            }
            Err(error) if store::is_store(&error) => {
                let key = store::identity(&content, &name, password)?.key;
                context.note(format_args!("{name}: the public key of its private key"));
                *key.public_key()
            }
            Err(encoding::Error::Other(FileKind::CertificateRequest)) => {
                let request = kuaimi_pki::Request::read(&content)
                    .map_err(|error| crate::cert::failed(&name, &error))?;
                let key = request.public_key().sm2();
                let key = key.map_err(|error| crate::cert::failed(&name, &error))?;
                context.note(format_args!(
                    "{name}: the public key of a certificate request"
                ));
                *key.public_key()
            }
            Err(error) => return Err(malformed(&name, &error)),
        };
        Ok(Self { key, content })
    }

    /// The key, and those of all other certificates and public keys, if the file is PEM.
    pub fn all_keys(&self) -> Vec<PublicKey> {
        let starts: Vec<usize> = memchr::memmem::find_iter(&self.content, b"-----BEGIN ").collect();
        let ends = starts.iter().skip(1).copied().chain([self.content.len()]);
        let others = starts
            .iter()
            .zip(ends)
            .filter_map(|(&start, end)| encoding::read_public_key(&self.content[start..end]).ok())
            .map(|(key, _)| key)
            .filter(|other| *other != self.key);
        [self.key].into_iter().chain(others).collect()
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
    key: &PrivateKey,
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
