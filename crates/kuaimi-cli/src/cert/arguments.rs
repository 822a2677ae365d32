//! The options that several commands on certificates share.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::extensions::{Extensions, Purpose};
use kuaimi_pki::external::x509_cert::name::Name;
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::{Certificate, name};

use super::{failed, unusable};
use crate::context::Context;
use crate::failure::{Failure, Result};
use crate::input;
use crate::key_file::Document;
use crate::output::{Secrecy, Target};
use crate::password::PasswordArgs;
use crate::say::{say, show};
use crate::sm2::keys::{self, PrivateStructure};

/// Who a certificate is for.
#[derive(Args, Debug, Clone)]
pub struct SubjectArgs {
    /// The name, such as 'CN=leaf,O=Example,C=CN' (RFC 4514) or '/C=CN/O=Example/CN=leaf'.
    #[arg(long, value_name = "NAME")]
    pub subject: String,
    #[command(flatten)]
    pub names: NameArgs,
}

impl SubjectArgs {
    pub fn subject(&self) -> Result<Name> {
        name::parse(&self.subject).map_err(|error| Failure::usage(format!("--subject: {error}")))
    }
}

/// Other names of the subject.
#[derive(Args, Debug, Clone, Default)]
pub struct NameArgs {
    /// A host name, such as www.example or '*.example'; repeatable.
    #[arg(long, value_name = "HOST")]
    dns: Vec<String>,
    /// An address; repeatable.
    #[arg(long, value_name = "ADDRESS")]
    ip: Vec<IpAddr>,
    /// A mail address; repeatable.
    #[arg(long, value_name = "MAIL")]
    email: Vec<String>,
}

impl NameArgs {
    pub fn is_empty(&self) -> bool {
        self.dns.is_empty() && self.ip.is_empty() && self.email.is_empty()
    }

    pub fn add(&self, extensions: &mut Extensions) -> Result<()> {
        let mut add = || {
            for name in &self.dns {
                extensions.dns(name)?;
            }
            for address in &self.ip {
                extensions.ip(*address)?;
            }
            for address in &self.email {
                extensions.email(address)?;
            }
            Ok(())
        };
        add().map_err(unusable)
    }
}

/// What a certificate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum For {
    /// Signatures, encryption and key exchange of a person or a service.
    General,
    /// A server of TLS.
    Server,
    /// A client of TLS.
    Client,
    /// Signatures alone: the signing certificate of a pair.
    Signing,
    /// Encryption and key exchange alone: the encrypting certificate of a pair.
    Encryption,
    /// An authority, which issues certificates itself.
    Ca,
    /// Responses of OCSP for the issuer.
    Ocsp,
}

impl For {
    pub fn purpose(self, path_len: Option<u8>) -> Result<Purpose> {
        if path_len.is_some() && self != Self::Ca {
            return Err(Failure::usage(
                "--path-len: is for an authority; leave it out, or make one",
            ));
        }
        Ok(match self {
            Self::General => Purpose::General,
            Self::Server => Purpose::Server,
            Self::Client => Purpose::Client,
            Self::Signing => Purpose::Signing,
            Self::Encryption => Purpose::Encryption,
            Self::Ca => Purpose::Authority { path_len },
            Self::Ocsp => Purpose::OcspResponder,
        })
    }
}

/// The identities under which signatures of certificates and requests are accepted.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct IdentityArgs {
    /// Also accept signatures under the empty identity, which some authorities make.
    #[arg(long)]
    empty_identity: bool,
}

impl IdentityArgs {
    pub fn identities(self) -> Identities {
        match self.empty_identity {
            true => Identities::DefaultOrEmpty,
            false => Identities::Default,
        }
    }
}

/// The holder's own private key, which is made if there is none.
#[derive(Args, Debug, Clone)]
pub struct OwnKeyArgs {
    /// The private key. If there is no such file, a new key is made and written there.
    #[arg(long, short, value_name = "FILE")]
    pub key: PathBuf,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl OwnKeyArgs {
    pub fn load(&self, context: Context) -> Result<SigningKey> {
        own_key(&self.key, &self.password, context)
    }
}

/// The key in a file, or a new one, which is written there: under a password, if an option gives
/// one.
pub fn own_key(path: &Path, password: &PasswordArgs, context: Context) -> Result<SigningKey> {
    if input::is_stdin(path) || path.symlink_metadata().is_ok() {
        let (key, form) = keys::private(path, password)?;
        context.note(format_args!("{}: private key, {form}", show(path)));
        return Ok(SigningKey::new(key));
    }
    let key = PrivateKey::generate().map_err(|error| Failure::usage(error.to_string()))?;
    let structure = match password.is_given() {
        true => PrivateStructure::EncryptedPkcs8(crate::key_file::Cipher::Aes),
        false => PrivateStructure::Pkcs8,
    };
    let secret = match password.is_given() {
        true => password.to_protect(&show(path))?,
        false => Default::default(),
    };
    let document: Document = keys::private_document(&key, structure, &secret)?;
    Target::new(Some(path), false, Secrecy::Secret).write(&document.to_pem()?)?;
    say(format_args!(
        "{}: a new private key, which was made",
        show(path)
    ));
    Ok(SigningKey::new(key))
}

/// The one certificate in a file, or the first of several.
pub fn certificate(path: &Path) -> Result<Certificate> {
    Ok(certificates(path)?.remove(0))
}

/// The certificates in a file: at least one.
pub fn certificates(path: &Path) -> Result<Vec<Certificate>> {
    let content = input::read_all(path, input::SMALL)?;
    Certificate::read_all(&content).map_err(|error| failed(show(path), &error))
}

/// The certificates in several files.
pub fn certificates_in(paths: &[PathBuf]) -> Result<Vec<Certificate>> {
    let mut all = Vec::new();
    for path in paths {
        all.extend(certificates(path)?);
    }
    Ok(all)
}

/// How a certificate, a request or a list is written.
#[derive(Args, Debug, Clone, Copy)]
pub struct FormArgs {
    /// Write DER instead of PEM.
    #[arg(long)]
    pub der: bool,
}

impl FormArgs {
    pub fn write(self, target: &Target, pem: impl FnOnce() -> String, der: &[u8]) -> Result<()> {
        match self.der {
            true => target.write(der),
            false => target.write(pem().as_bytes()),
        }
    }
}
