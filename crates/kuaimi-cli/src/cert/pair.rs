//! `kuaimi cert pair`.

use std::path::PathBuf;

use clap::Args;
use getrandom::SysRng;
use kuaimi::sm2::PrivateKey;
use kuaimi_pki::extensions::Purpose;
use kuaimi_pki::key_response::KeyResponse;

use super::arguments::FormArgs;
use super::authority::AuthorityArgs;
use super::issue::HowArgs;
use super::unusable;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{Secrecy, Target};

/// Issue a pair: a signing certificate for a request, and an encrypting one with a new key.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  kuaimi cert pair --ca ca.crt --ca-key ca.pem --out-sign sign.crt --out-encrypt encrypt.crt \\
      --out-key encrypt.env leaf.csr
  kuaimi cert open-key --key leaf.pem --out encrypt.pem encrypt.env     at the holder's

The authority makes the encrypting key, and --out-key is that key for the holder of the request's
key alone (SM2EnvelopedKey of GM/T 0009). The key is kept nowhere else.")]
pub struct Pair {
    #[command(flatten)]
    authority: AuthorityArgs,
    #[command(flatten)]
    how: HowArgs,
    /// Where the signing certificate is written.
    #[arg(long, value_name = "FILE")]
    out_sign: PathBuf,
    /// Where the encrypting certificate is written.
    #[arg(long, value_name = "FILE")]
    out_encrypt: PathBuf,
    /// Where the encrypting key is written, for the holder of the request's key, in DER.
    #[arg(long, value_name = "FILE")]
    out_key: PathBuf,
    /// Also write all three as one answer, in DER (CSRResponse of GM/T 0092).
    #[arg(long, value_name = "FILE")]
    out_answer: Option<PathBuf>,
    /// Overwrite the files if they exist.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    form: FormArgs,
    /// The request, in PEM or DER; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Pair {
    pub fn run(self, context: Context) -> Result<Answer> {
        let outs = [&self.out_sign, &self.out_encrypt, &self.out_key];
        let targets = outs.map(|path| Target::new(Some(path), self.force, Secrecy::Public));
        for (i, target) in targets.iter().enumerate() {
            if target.is_stdout() || outs[..i].contains(&outs[i]) {
                return Err(Failure::usage(
                    "--out-sign, --out-encrypt, --out-key: give each a file of its own",
                ));
            }
            target.check()?;
        }
        let answer_target = self
            .out_answer
            .as_deref()
            .map(|path| Target::new(Some(path), self.force, Secrecy::Public));
        if let Some(target) = &answer_target {
            target.check()?;
        }
        let request = self.how.request(&self.file)?;
        let builder = self.how.builder(&self.file, &request)?;
        let authority = self.authority.open(context)?;
        authority.check_dates(self.how.validity.validity()?)?;

        let holder = request.public_key().sm2().map_err(unusable)?.public_key();
        let random = |error: kuaimi::sm2::Error| Failure::usage(error.to_string());
        let secret = PrivateKey::generate().map_err(random)?;
        let enveloped = secret
            .to_enveloped_key(holder, &mut SysRng)
            .map_err(|error| Failure::usage(error.to_string()))?;
        let signing = builder
            .clone()
            .purpose(Purpose::Signing)
            .and_then(|builder| builder.sign(&authority.certificate, &authority.key))
            .map_err(unusable)?;
        let encrypting = builder
            .for_key(secret.public_key())
            .purpose(Purpose::Encryption)
            .and_then(|builder| builder.random_serial(&mut SysRng))
            .and_then(|builder| builder.sign(&authority.certificate, &authority.key))
            .map_err(unusable)?;
        authority.remember(&signing)?;
        authority.remember(&encrypting)?;
        let answer = KeyResponse::new(vec![signing.clone()])
            .and_then(|answer| {
                answer.with_encryption_key(&secret, vec![encrypting.clone()], &mut SysRng)
            })
            .map_err(unusable)?;
        // None of them appears without the others.
        let content = |certificate: &kuaimi_pki::Certificate| match self.form.der {
            true => certificate.as_der().to_vec(),
            false => certificate.to_pem().into_bytes(),
        };
        let [sign, encrypt, key] = &targets;
        let mut written = vec![
            sign.begin(&content(&signing))?,
            encrypt.begin(&content(&encrypting))?,
            key.begin(&enveloped)?,
        ];
        if let Some(target) = &answer_target {
            written.push(target.begin(&answer.to_der())?);
        }
        written.into_iter().try_for_each(|file| file.commit())?;
        Ok(Answer::Yes)
    }
}
