//! `kuaimi sm9 verify`.

use clap::Args;
use kuaimi::encoding;
use kuaimi::sm9::Signature;

use super::identity::{self, HidArgs, IdArgs};
use super::keys::KeyArgs;
use super::sign::{Form, message};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::say::say;
use crate::signature::VerifyArgs;
use crate::text;

/// Verify a signature: prints OK or INVALID.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("The signing master public key, or a key that holds it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Examples:
  kuaimi sm9 verify --key sign.pub --id alice@example.com --signature report.sig report.pdf
  kuaimi sm9 verify --key sign.pub --id-hex 00ff --hid 0x01 --signature report.sig -v report.pdf

Whether the signature is DER or raw, binary, hexadecimal or base64 is detected; -v shows it. INVALID
with the right file usually means another name, or another centre's key.

Exit status: 0 OK, 1 INVALID, 2 when a file cannot be read.")]
pub struct Verify {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    hid: HidArgs,
    /// Accept only this structure of the signature.
    #[arg(long, value_enum)]
    form: Option<Form>,
    #[command(flatten)]
    verify: VerifyArgs,
}

impl Verify {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.verify.check(&self.key.key)?;
        let id = self.id.bytes()?;
        let key = self.key.signing_public(context)?;
        let content = self.verify.signature()?;
        let found = text::decode(&content).and_then(|(encoding, bytes)| {
            signature(&bytes, self.form).map(|(signature, form)| (signature, form, encoding))
        });
        let name = self.verify.name();
        // The file is read in any case: that it cannot be is another matter than an invalid
        // signature.
        let message = message(&self.verify.file)?;
        let valid = match found {
            Err(error) => {
                say(format_args!("{name}: {error}"));
                false
            }
            Ok((signature, form, encoding)) => {
                context.note(format_args!(
                    "{name}: signature, {}, {}",
                    form.name(),
                    encoding.name()
                ));
                let verified = key
                    .verifying_key(identity::with_hid(&id, self.hid))
                    .and_then(|key| key.verify_hash(&message, &signature));
                match verified {
                    Ok(()) => true,
                    Err(kuaimi::sm9::Error::InvalidSignature) => {
                        self.verify
                            .misfit("file, identity (--id) and master public key");
                        false
                    }
                    Err(error) => return Err(Failure::usage(error.to_string())),
                }
            }
        };
        self.verify.verdict(valid)
    }
}

/// The signature in `bytes`; of this form, where one is insisted on.
pub fn signature(bytes: &[u8], form: Option<Form>) -> Result<(Signature, Form), encoding::Error> {
    let form = match form {
        Some(form) => form,
        None if bytes.len() == Signature::LEN => Form::Raw,
        None => Form::Der,
    };
    let signature = match form {
        Form::Der => Signature::from_der(bytes)?,
        Form::Raw => Signature::from_slice(bytes)?,
    };
    Ok((signature, form))
}
