//! `kuaimi cert open-key`.

use std::path::PathBuf;

use clap::Args;
use kuaimi::encoding;
use kuaimi::sm2::PrivateKey;
use kuaimi_pki::key_response::KeyResponse;
use kuaimi_pki::{Certificate, Error, cfca};

use super::failed;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::key_file::WriteArgs;
use crate::output::{OutputArgs, Secrecy, Target};
use crate::password::PasswordArgs;
use crate::say::show;
use crate::sm2::keys::{self, PrivateStructure};

/// Open the encrypting key that an authority made and sent.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert open-key --key leaf.pem --out encrypt.pem encrypt.env
  kuaimi cert open-key --key leaf.pem --cert-out pair.crt --out encrypt.pem answer.der
  kuaimi cert open-key --key temporary.pem --out encrypt.pem returned.txt

Read are the enveloped key of GM/T 0009 (`kuaimi cert pair --out-key`), the answer of GM/T 0092 with
both certificates (`--out-answer`), both for the request's key; and what CFCA returns for the
temporary key of a request.")]
pub struct OpenKey {
    /// The private key of the request, or for CFCA the temporary one.
    #[arg(long, short, value_name = "FILE")]
    key: PathBuf,
    /// Where the certificates of an answer are written: the signing one first.
    #[arg(long, value_name = "FILE")]
    cert_out: Option<PathBuf>,
    #[command(flatten)]
    write: WriteArgs,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// What the authority sent; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl OpenKey {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Secret);
        target.check()?;
        let cert_out = self
            .cert_out
            .as_deref()
            .map(|path| Target::new(Some(path), self.output.force, Secrecy::Public));
        if let Some(cert_out) = &cert_out {
            cert_out.check()?;
        }
        input::stdin_once(&[("--key", &self.key), ("FILE", &self.file)])?;
        let (own, form) = keys::private(&self.key, &self.password)?;
        context.note(format_args!("{}: private key, {form}", show(&self.key)));
        let content = input::read_all(&self.file, input::SMALL)?;
        let (key, certificates) = self.open(&own, &content)?;

        let password = match self.write.encrypt {
            true => self.password.to_protect(&target.name())?,
            false => Default::default(),
        };
        let structure = match self.write.encrypt {
            true => PrivateStructure::EncryptedPkcs8(self.write.cipher),
            false => PrivateStructure::Pkcs8,
        };
        let document = keys::private_document(&key, structure, &password)?;
        // Neither file appears without the other.
        let written = target.begin(&document.to_pem_or_der(self.write.der)?)?;
        let certificates = match &cert_out {
            Some(_) if certificates.is_empty() => {
                return Err(Failure::file(show(&self.file), "has no certificates"));
            }
            Some(cert_out) => {
                let pem: String = certificates.iter().map(Certificate::to_pem).collect();
                Some(cert_out.begin(pem.as_bytes())?)
            }
            None => None,
        };
        written.commit()?;
        if let Some(certificates) = certificates {
            certificates.commit()?;
        }
        Ok(Answer::Yes)
    }

    /// The key, and the certificates that came with it.
    fn open(&self, own: &PrivateKey, content: &[u8]) -> Result<(PrivateKey, Vec<Certificate>)> {
        let name = show(&self.file);
        if let Ok(answer) = KeyResponse::from_bytes(content) {
            let key = answer.open(own).map_err(|error| match error {
                Error::NotARecipient => Failure::refused(&name, "is not for this private key"),
                error => failed(&name, &error),
            })?;
            let key = key.ok_or_else(|| Failure::file(&name, "has no private key"))?;
            let mut all = answer.signing_certificates().to_vec();
            all.extend_from_slice(answer.encryption_certificates());
            return Ok((key, all));
        }
        let of_cfca = match cfca::open_returned_key(own, content) {
            Ok(key) => return Ok((key, Vec::new())),
            Err(error) => error,
        };
        let decoded = encoding::TextEncoding::detect(content).decode(content);
        let enveloped = decoded.and_then(|der| own.open_enveloped_key(&der));
        match (enveloped, of_cfca) {
            (Ok(key), _) => Ok((key, Vec::new())),
            (_, error @ Error::Decryption) => Err(failed(&name, &error)),
            (Err(error), _) if error.kind() == kuaimi::ErrorKind::DecryptionFailed => {
                Err(Failure::refused(&name, error))
            }
            _ => Err(Failure::file(
                &name,
                "is no key that an authority sent: no enveloped key (GM/T 0009), no answer (GM/T 0092), no key returned by CFCA",
            )),
        }
    }
}
