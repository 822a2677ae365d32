//! `kuaimi sm2 sign`.

use std::path::Path;

use clap::{Args, ValueEnum};
use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::SigningKey;

use super::identity::IdArgs;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::say::show;
use crate::signature::SignArgs;
use crate::sm2::keys::PrivateKeyArgs;
use crate::text;

/// Sign a file of any size.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 sign --key alice.pem --out report.sig report.pdf
  kuaimi sm2 sign --key alice.pem --id alice@example.com --form raw --encoding hex report.pdf
  openssl pkeyutl -verify -pubin -inkey alice.pub -in report.pdf -rawin -digest sm3 \\
      -pkeyopt distid:1234567812345678 -sigfile report.sig

The identity is part of what is signed: the verifier must give the same one. The default is
1234567812345678, here as in most programs and in OpenSSL 4.0 and newer. OpenSSL 1.1.1 and 3 use
an empty identity unless they are given -pkeyopt distid: for them, say --id ''.")]
pub struct Sign {
    #[command(flatten)]
    key: PrivateKeyArgs,
    #[command(flatten)]
    id: IdArgs,
    /// The structure of the signature.
    #[arg(long, value_enum, default_value_t = Form::Der)]
    form: Form,
    /// Use no randomness: the same message always gets the same signature (RFC 6979 with HMAC-SM3).
    #[arg(long)]
    deterministic: bool,
    /// FILE is not the message but the digest e = SM3(Z || M): 32 bytes, or 64 hexadecimal digits.
    #[arg(long, conflicts_with_all = ["id", "id_hex"])]
    digest: bool,
    #[command(flatten)]
    sign: SignArgs,
}

/// The structure of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// SEQUENCE { r INTEGER, s INTEGER }, usually 70 to 72 bytes.
    Der,
    /// r and s, 64 bytes.
    Raw,
}

impl From<Form> for SignatureForm {
    fn from(form: Form) -> Self {
        match form {
            Form::Der => Self::Der,
            Form::Raw => Self::Raw,
        }
    }
}

impl Sign {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.sign.target(&self.key.key)?;
        let file = &self.sign.file;
        let id = self.id.bytes()?;
        let key = SigningKey::with_id(self.key.load(context)?, &id)
            .map_err(|error| Failure::usage(error.to_string()))?;
        let e = if self.digest {
            read_digest(file)?
        } else {
            digest(file, key.message_hash(), |_| {})?
        };
        let signature = if self.deterministic {
            key.sign_digest_deterministic(&e)
        } else {
            key.sign_digest(&e)
                .map_err(|error| Failure::usage(error.to_string()))?
        };
        let encoding = self
            .sign
            .write(&target, &signature.to_form(self.form.into()))?;
        context.note(format_args!(
            "{}: signed under the identity {:?}, {}, {}",
            show(file),
            String::from_utf8_lossy(&id),
            SignatureForm::from(self.form),
            encoding.name(),
        ));
        Ok(Answer::Yes)
    }
}

/// The digest that is given in place of a message.
pub fn read_digest(path: &Path) -> Result<[u8; 32]> {
    let content = input::read_all(path, 1 << 16)?;
    let bytes = match content.len() {
        32 => content,
        _ => text::decode_hex(&content).unwrap_or(content),
    };
    bytes.as_slice().try_into().map_err(|_| {
        Failure::file(
            show(path),
            format_args!(
                "with --digest, 32 bytes or 64 hexadecimal digits are expected, not {} bytes; to sign the file itself, leave --digest out",
                bytes.len()
            ),
        )
    })
}

/// The digest of a file's content behind what `z` has absorbed; `also` gets the content, too.
pub fn digest(
    path: &Path,
    mut z: kuaimi::sm3::Sm3,
    mut also: impl FnMut(&[u8]),
) -> Result<[u8; 32]> {
    input::hash(path, |bytes| {
        z.update(bytes);
        also(bytes);
    })?;
    Ok(z.finalize())
}
