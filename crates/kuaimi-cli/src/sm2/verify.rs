//! `kuaimi sm2 verify`.

use clap::Args;
use kuaimi::sm2::{Signature, VerifyingKey};
use kuaimi::sm3::Sm3;

use super::identity::IdArgs;
use super::look;
use super::sign::{Form, digest, read_digest};
use super::why::{Remembered, Signed, explain};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::say::say;
use crate::signature::VerifyArgs;
use crate::sm2::keys::PublicKeyArgs;

/// Verify a signature: prints OK or INVALID.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 verify --key alice.pub --signature report.sig report.pdf
  kuaimi sm2 verify --key alice.crt --id alice@example.com --signature report.sig -v report.pdf
  openssl pkeyutl -sign -inkey alice.pem -in report.pdf -rawin -digest sm3 \\
      -pkeyopt distid:1234567812345678 -out report.sig

The signature may be DER or raw, and binary, hexadecimal or base64; -v shows which. INVALID with the
right key and file usually means that the signer used another identity: see --id. OpenSSL before 4.0
uses an empty one (--id '') unless it is given another, as in the example.

After INVALID, common mistakes are tried with messages of up to 4 MiB, and what would fit is printed
on standard error: another identity, another form or line ending of the message, a digest, r and s
swapped, another key of the same file. This is a hint, and the answer stays INVALID.

Exit status: 0 OK, 1 INVALID, 2 when a file cannot be read.")]
pub struct Verify {
    #[command(flatten)]
    key: PublicKeyArgs,
    #[command(flatten)]
    id: IdArgs,
    /// Accept only this structure of the signature.
    #[arg(long, value_enum)]
    form: Option<Form>,
    /// Also accept what some vendors write: bytes after the DER, padded or negative integers, and a
    /// message that was hashed twice, e = SM3(Z || SM3(M)). Says so when it was that.
    #[arg(long)]
    lenient: bool,
    /// FILE is not the message but the digest e = SM3(Z || M): 32 bytes, or 64 hexadecimal digits.
    #[arg(long, conflicts_with_all = ["id", "id_hex"])]
    digest: bool,
    #[command(flatten)]
    verify: VerifyArgs,
}

impl Verify {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.verify.check(&self.key.key)?;
        let id = self.id.bytes()?;
        let key_file = self.key.open(context)?;
        let key = VerifyingKey::with_id(key_file.key, &id)
            .map_err(|error| Failure::usage(error.to_string()))?;
        let content = self.verify.signature()?;
        let found = look::signature(&content, self.form.map(Into::into), self.lenient);
        // The file is read in any case: that it cannot be is another matter than an invalid
        // signature.
        let mut of_message = self.lenient.then(Sm3::new);
        let mut message = Remembered::default();
        let e = if self.digest {
            of_message = None;
            read_digest(&self.verify.file)?
        } else {
            digest(&self.verify.file, key.message_hash(), |bytes| {
                if let Some(hash) = &mut of_message {
                    hash.update(bytes);
                }
                message.add(bytes);
            })?
        };
        let name = self.verify.name();
        let misfit = |signature: &Signature| {
            self.verify.misfit(match self.digest {
                true => "digest and key",
                false => "file, key and identity (--id)",
            });
            let what = match (self.digest, message.all()) {
                (true, _) => Signed::Digest(&e),
                (false, Some(message)) => Signed::Message(message, &id),
                (false, None) => return,
            };
            // With --quiet nothing is printed, so nothing is searched for.
            if self.verify.is_quiet() {
                return;
            }
            if let Some(hint) = explain(&key_file, what, signature) {
                say(format_args!("{name}: {hint}"));
            }
        };
        let valid = match found {
            Err(error) => {
                say(format_args!("{name}: {error}"));
                false
            }
            Ok(found) => {
                context.note(format_args!("{name}: signature, {}", found.description()));
                if key.verify_digest(&e, &found.signature).is_ok() {
                    true
                } else if let Some(inner) = of_message {
                    let mut hash = key.message_hash();
                    hash.update(&inner.finalize());
                    let twice = key
                        .verify_digest(&hash.finalize(), &found.signature)
                        .is_ok();
                    if twice {
                        say(format_args!(
                            "{name}: it is a signature of SM3(M) instead of M: the signer hashed the message twice"
                        ));
                    } else {
                        misfit(&found.signature);
                    }
                    twice
                } else {
                    misfit(&found.signature);
                    false
                }
            }
        };
        self.verify.verdict(valid)
    }
}
