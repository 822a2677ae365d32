//! `kuaimi cms decrypt`.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use kuaimi::encoding::PrivateKeyFile;
use kuaimi::sm2::PrivateKey;
use kuaimi_pki::Certificate;
use kuaimi_pki::message::{Decryptor, Opened};
use zeroize::Zeroizing;

use super::input::{Message, refused};
use super::verify::{Said, TrustArgs, report};
use crate::cert::certificate;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::key_file::malformed;
use crate::output::{OutputArgs, Secrecy};
use crate::say::show;
use crate::sm2::keys::{self, PrivateKeyArgs};
use crate::sm2::store;

/// Decrypt a message of any size.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cms decrypt --cert leaf.crt --key leaf.pem --out m.txt m.p7m
  kuaimi cms decrypt --key leaf.p12 --out m.txt m.p7m
  kuaimi cms decrypt --key leaf.pem --ca ca.crt --out m.txt signed-and-encrypted.p7

Nothing is written before the end of the message was read and is right. A message in CBC mode is not
authenticated: somebody may have changed it. If the message is signed, too, --ca says which
authorities are trusted.")]
pub struct Decrypt {
    /// The recipient's certificate; without it, the key is tried on the first recipients.
    #[arg(long, value_name = "FILE")]
    cert: Option<PathBuf>,
    #[command(flatten)]
    key: PrivateKeyArgs,
    #[command(flatten)]
    trust: TrustArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// The message; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Decrypt {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Secret);
        target.check()?;
        input::stdin_once(&[("--key", &self.key.key), ("FILE", &self.file)])?;
        let certificate = self.cert.as_deref().map(certificate).transpose()?;
        let keys = self.keys(certificate, context)?;
        let known = self.trust.certificates()?;
        let mut sink = target.create()?;
        // A file appears when all of it is right. Anywhere else, the message is decrypted once to
        // see that it is right, and once more to write the content, which is kept nowhere.
        let at_once = sink.appears_whole();
        let mut message = Message::open(&self.file, !at_once)?;
        let mut write = |plain: &[u8]| {
            sink.write_all(plain)
                .map_err(|error| target.cannot_write(&error))
        };
        let opened = match at_once {
            true => self.decrypt(&mut message, &keys, &known, &mut write)?,
            false => self.decrypt(&mut message, &keys, &known, |_| Ok(()))?,
        };
        context.note(format_args!("{}: {}", show(&self.file), opened.kind));
        if let Some(verification) = &opened.verification {
            if !self.trust.is_given() {
                return Err(Failure::usage(
                    "--ca: the message is signed, too; give the authorities that you trust, or --no-chain",
                ));
            }
            if !report(&self.file, verification, &known, &self.trust, Said::Errors)? {
                return Ok(Answer::No);
            }
        }
        if !at_once {
            let _ = self.decrypt(&mut message, &keys, &known, &mut write)?;
        }
        sink.commit()?;
        Ok(Answer::Yes)
    }

    /// Decrypts the message, and gives its content to `write`, piece by piece.
    fn decrypt(
        &self,
        message: &mut Message,
        keys: &[(Option<Certificate>, PrivateKey)],
        known: &[Certificate],
        mut write: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<Opened> {
        let mut keys_of = keys.iter();
        let (certificate, key) = keys_of
            .next()
            .ok_or_else(|| Failure::file(show(&self.key.key), "has no private key of SM2"))?;
        let mut decryptor = Decryptor::of(certificate.as_ref(), key);
        for (certificate, key) in keys_of {
            if let Some(certificate) = certificate {
                decryptor = decryptor.or(certificate, key);
            }
        }
        decryptor = decryptor.with_verify_options(self.trust.verify_options(known));
        let mut plain = Zeroizing::new(Vec::new());
        let cannot = |error: kuaimi_pki::Error| refused(&self.file, &error);
        message.each_piece(&self.file, |piece| {
            decryptor.push(piece, &mut plain).map_err(cannot)?;
            let written = write(&plain);
            plain.clear();
            written
        })?;
        let opened = decryptor.finish(&mut plain).map_err(cannot)?;
        write(&plain)?;
        Ok(opened)
    }

    /// The keys with their certificates: one, or those of a file with certificates.
    fn keys(
        &self,
        certificate: Option<Certificate>,
        context: Context,
    ) -> Result<Vec<(Option<Certificate>, PrivateKey)>> {
        if certificate.is_none() {
            let name = show(&self.key.key);
            let content = input::read_all(&self.key.key, input::SMALL)?;
            if matches!(PrivateKeyFile::open(&content), Err(error) if store::is_store(&error)) {
                let all = store::identities(&content, &name, &self.key.password)?;
                let pairs = all.into_iter().map(|one| (one.certificate, one.key));
                return Ok(pairs.collect());
            }
            let (key, _) = keys::private_in(&content, &name, &self.key.password)?
                .map_err(|error| malformed(&name, &error))?;
            return Ok(vec![(None, key)]);
        }
        Ok(vec![(certificate, self.key.load(context)?)])
    }
}
