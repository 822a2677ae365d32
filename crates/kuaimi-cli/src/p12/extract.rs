//! `kuaimi p12 extract`.

use std::path::PathBuf;

use clap::Args;
use zeroize::Zeroizing;

use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::key_file::{Cipher, Document};
use crate::output::{Secrecy, Target};
use crate::password::PasswordArgs;
use crate::say::show;
use crate::sm2::keys::{self, PrivateStructure};
use crate::sm2::store::{self, Identity};

/// Take a private key and its certificates out of a PKCS #12 file, or of CFCA's .sm2.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi p12 extract --key-out leaf.pem --cert-out leaf.crt leaf.p12
  kuaimi p12 extract --index 2 --key-out encrypt.pem --cert-out encrypt.crt pair.p12
  kuaimi p12 extract --key-out key.pem --cert-out key.crt bank.sm2

The key is written as PKCS #8, encrypted under the same password unless --plain is given.")]
pub struct Extract {
    /// Where the private key is written.
    #[arg(long, value_name = "FILE")]
    key_out: Option<PathBuf>,
    /// Where the certificate is written.
    #[arg(long, value_name = "FILE")]
    cert_out: Option<PathBuf>,
    /// Where the certificates above it are written.
    #[arg(long, value_name = "FILE")]
    ca_out: Option<PathBuf>,
    /// Which of several keys, from 1 on, as `kuaimi p12 show` counts them.
    #[arg(long, value_name = "N", default_value_t = 1)]
    index: usize,
    /// Write the private key without a password.
    #[arg(long)]
    plain: bool,
    /// Overwrite the files if they exist.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    password: PasswordArgs,
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Extract {
    pub fn run(self, _context: Context) -> Result<Answer> {
        let target = |path: &PathBuf, secrecy| Target::new(Some(path), self.force, secrecy);
        let key_out = self
            .key_out
            .as_ref()
            .map(|path| target(path, Secrecy::Secret));
        let cert_out = self
            .cert_out
            .as_ref()
            .map(|path| target(path, Secrecy::Public));
        let ca_out = self
            .ca_out
            .as_ref()
            .map(|path| target(path, Secrecy::Public));
        if key_out.is_none() && cert_out.is_none() && ca_out.is_none() {
            return Err(Failure::usage(
                "--key-out, --cert-out, --ca-out: say what is to be taken out, and where to",
            ));
        }
        for target in [&key_out, &cert_out, &ca_out].into_iter().flatten() {
            target.check()?;
        }
        let name = show(&self.file);
        let content = input::read_all(&self.file, input::SMALL)?;
        // The one password opens the file and protects the key.
        let secret = self.password.to_open(&name)?;
        let identity = self.identity(&content, &name, &secret)?;

        let missing = |what| Failure::file(&name, format_args!("has no {what} of this key"));
        let mut written = Vec::new();
        if let Some(target) = &key_out {
            let document = self.document(&identity, &secret)?;
            written.push(target.begin(&document.to_pem()?)?);
        }
        if let Some(target) = &cert_out {
            let certificate = identity.certificate.as_ref();
            let certificate = certificate.ok_or_else(|| missing("certificate"))?;
            written.push(target.begin(certificate.to_pem().as_bytes())?);
        }
        if let Some(target) = &ca_out {
            if identity.chain.is_empty() {
                return Err(missing("certificate of an authority"));
            }
            let all: String = identity.chain.iter().map(|one| one.to_pem()).collect();
            written.push(target.begin(all.as_bytes())?);
        }
        // None of them appears without the others.
        written.into_iter().try_for_each(|file| file.commit())?;
        Ok(Answer::Yes)
    }

    fn identity(&self, content: &[u8], name: &str, secret: &[u8]) -> Result<Identity> {
        let mut all = store::identities_under(content, name, secret)?;
        let count = all.len();
        match self.index.checked_sub(1) {
            Some(index) if index < count => Ok(all.swap_remove(index)),
            _ if count == 0 => Err(Failure::file(name, "has no private key of SM2")),
            _ => Err(Failure::file(
                name,
                format_args!("has {count} private keys of SM2; give --index 1 to {count}"),
            )),
        }
    }

    fn document(&self, identity: &Identity, secret: &Zeroizing<Vec<u8>>) -> Result<Document> {
        let structure = match self.plain {
            true => PrivateStructure::Pkcs8,
            false => PrivateStructure::EncryptedPkcs8(Cipher::Aes),
        };
        keys::private_document(&identity.key, structure, secret)
    }
}
