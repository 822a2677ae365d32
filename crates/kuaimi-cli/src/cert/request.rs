//! `kuaimi cert request`.

use std::path::PathBuf;

use clap::Args;
use kuaimi_pki::request::RequestBuilder;

use super::arguments::{FormArgs, OwnKeyArgs, SubjectArgs, own_key};
use super::unusable;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::Result;
use crate::output::{OutputArgs, Secrecy};
use crate::password::PasswordArgs;

/// Ask an authority for a certificate: make a request (PKCS #10).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert request --key leaf.pem --subject 'CN=leaf,O=Example' --dns leaf.example --out leaf.csr
  kuaimi cert show leaf.csr
  kuaimi cert request --key leaf.pem --subject 'CN=leaf' --challenge-password 111111 \\
      --cfca-temporary-key temporary.pem --out leaf.csr

The request is signed with the private key, and shows its public key and these names to everybody.")]
pub struct Request {
    #[command(flatten)]
    subject: SubjectArgs,
    /// The challenge password, which some authorities want. It is not secret in the request.
    #[arg(long, value_name = "TEXT")]
    challenge_password: Option<String>,
    /// Ask CFCA for an encrypting key, too, which it returns for this temporary key. If there is no
    /// such file, a new key is made and written there.
    #[arg(long, value_name = "FILE", requires = "challenge_password")]
    cfca_temporary_key: Option<PathBuf>,
    #[command(flatten)]
    key: OwnKeyArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    form: FormArgs,
}

impl Request {
    pub fn run(self, context: Context) -> Result<Answer> {
        let subject = self.subject.subject()?;
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        let key = self.key.load(context)?;
        let mut builder = RequestBuilder::new(subject, key.public_key());
        match (&self.challenge_password, &self.cfca_temporary_key) {
            (Some(password), Some(path)) => {
                let temporary = own_key(path, &PasswordArgs::default(), context)?;
                builder = builder
                    .cfca_temporary_key(temporary.public_key(), password)
                    .map_err(unusable)?;
            }
            (Some(password), None) => {
                builder = builder.challenge_password(password).map_err(unusable)?;
            }
            (None, _) => {}
        }
        self.subject.names.add(builder.extensions())?;
        let request = builder.sign(&key).map_err(unusable)?;
        self.form
            .write(&target, || request.to_pem(), request.as_der())?;
        Ok(Answer::Yes)
    }
}
