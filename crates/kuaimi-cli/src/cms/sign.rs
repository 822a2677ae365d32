//! `kuaimi cms sign`.

use std::path::PathBuf;

use clap::Args;
use kuaimi::sm2::SigningKey;
use kuaimi_pki::message::{SignOptions, SignedWriter, Signing, to_pem};
use kuaimi_pki::{Certificate, Signer};

use super::Form;
use super::input::{Pieces, content};
use crate::cert::{self, certificates, failed};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{OutputArgs, Secrecy};
use crate::say::show;
use crate::sm2::keys::PrivateKeyArgs;
use crate::sm2::store;

/// Sign a file of any size with a certificate's key.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cms sign --cert leaf.crt --key leaf.pem --out m.p7s m.txt
  kuaimi cms sign --key leaf.p12 --detached --form gm --out m.p7s m.txt
  openssl cms -verify -inform DER -in m.p7s -CAfile ca.crt -out m.txt

Without --detached the file is inside of the message. The certificates in --cert go into it: the
signer's, which comes first, and those of the authorities above it.")]
pub struct Sign {
    /// The signer's certificate, and those above it; not needed if the key is in PKCS #12.
    #[arg(long, value_name = "FILE")]
    cert: Option<PathBuf>,
    #[command(flatten)]
    key: PrivateKeyArgs,
    /// Whose object identifiers are written.
    #[arg(long, value_enum, default_value_t = Form::Cms)]
    form: Form,
    /// Leave the file out of the message: it is verified together with the file.
    #[arg(long)]
    detached: bool,
    /// Sign the file alone, without the time and other attributes.
    #[arg(long)]
    no_attributes: bool,
    /// Name the signer by the identifier of the key, in place of issuer and serial number.
    #[arg(long)]
    key_id: bool,
    /// Leave the certificates out of the message.
    #[arg(long)]
    no_certificates: bool,
    /// Sign under the empty identity, as OpenSSL 3 does and expects.
    #[arg(long)]
    empty_identity: bool,
    /// Write PEM instead of DER.
    #[arg(long)]
    pem: bool,
    #[command(flatten)]
    output: OutputArgs,
    /// What to sign; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Sign {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        input::stdin_once(&[("--key", &self.key.key), ("FILE", &self.file)])?;
        let (key, own) = self.signer(context)?;
        let signer = own
            .first()
            .cloned()
            .ok_or_else(|| Failure::usage("--cert: give the certificate of the key"))?;
        let options = self.options(&own)?;
        let cannot = |error: kuaimi_pki::Error| failed(show(&self.file), &error);
        let signers: [&dyn Signer; 1] = [&key];
        let mut out = Pieces::new(&target, None);
        if self.detached {
            let mut signing = Signing::new(&[signer], options).map_err(cannot)?;
            content(&self.file, |piece, _| {
                signing.update(piece);
                Ok(())
            })?;
            let signed = signing
                .prepare()
                .and_then(|prepared| prepared.sign(&signers));
            out.bytes.extend(signed.map_err(cannot)?.detached());
        } else {
            if !self.pem {
                out = Pieces::new(&target, Some(target.create()?));
            }
            let mut writer: Option<SignedWriter> = None;
            content(&self.file, |piece, length| {
                if writer.is_none() {
                    let (signer, options) = (std::slice::from_ref(&signer), options.clone());
                    let made = SignedWriter::new(signer, options, length, &mut out.bytes);
                    writer = Some(made.map_err(cannot)?);
                }
                if let Some(writer) = &mut writer {
                    writer.push(piece, &mut out.bytes).map_err(cannot)?;
                }
                if self.pem { Ok(()) } else { out.flush() }
            })?;
            if let Some(writer) = writer {
                writer.finish(&signers, &mut out.bytes).map_err(cannot)?;
            }
        }
        match (self.pem, self.detached) {
            (true, _) => target.write(to_pem(&out.bytes).as_bytes())?,
            (false, true) => target.write(&out.bytes)?,
            (false, false) => out.commit()?,
        }
        Ok(Answer::Yes)
    }

    /// The key, and its certificate with those above it.
    fn signer(&self, context: Context) -> Result<(SigningKey, Vec<Certificate>)> {
        if let Some(cert) = &self.cert {
            let own = certificates(cert)?;
            let key = SigningKey::new(self.key.load(context)?);
            let of_this_key = |certificate: &Certificate| {
                let found = certificate.public_key().sm2();
                found.is_ok_and(|found| found.public_key() == key.public_key())
            };
            if !own.first().is_some_and(of_this_key) {
                return Err(Failure::usage(format!(
                    "{} and {}: the certificate is of another key; give the one that belongs to it first",
                    show(cert),
                    show(&self.key.key)
                )));
            }
            return Ok((key, own));
        }
        let name = show(&self.key.key);
        let content = input::read_all(&self.key.key, input::SMALL)?;
        match kuaimi::encoding::PrivateKeyFile::open(&content) {
            Err(error) if store::is_store(&error) => {
                let identity = store::signing_identity(&content, &name, &self.key.password)?;
                let mut own: Vec<_> = identity.certificate.into_iter().collect();
                own.extend(identity.chain);
                Ok((SigningKey::new(identity.key), own))
            }
            _ => Err(Failure::usage(
                "--cert: give the signer's certificate, or a PKCS #12 file as --key",
            )),
        }
    }

    fn options(&self, own: &[Certificate]) -> Result<SignOptions> {
        if self.form == Form::Gmssl {
            return Err(Failure::usage(
                "--form: GmSSL's signatures are not the standard's, and are not made here; give cms or gm",
            ));
        }
        let mut options = SignOptions::new().with_dialect(self.form.into());
        options = match self.no_attributes {
            true => options.without_attributes(),
            false => options.with_signing_time(cert::now()?),
        };
        if self.detached {
            options = options.detached();
        }
        if self.key_id {
            options = options.by_key_identifier();
        }
        if self.empty_identity {
            options = options.under_empty_identity();
        }
        Ok(match self.no_certificates {
            true => options.without_certificates(),
            false => options.with_certificates(own.get(1..).unwrap_or_default()),
        })
    }
}
