//! `kuaimi cert request`.

use clap::Args;
use kuaimi_pki::request::RequestBuilder;

use super::arguments::{FormArgs, OwnKeyArgs, SubjectArgs};
use super::unusable;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::Result;
use crate::output::{OutputArgs, Secrecy};

/// Ask an authority for a certificate: make a request (PKCS #10).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert request --key leaf.pem --subject 'CN=leaf,O=Example' --dns leaf.example --out leaf.csr
  kuaimi cert show leaf.csr

The request is signed with the private key, and shows its public key and these names to everybody.")]
pub struct Request {
    #[command(flatten)]
    subject: SubjectArgs,
    /// The challenge password, which some authorities want. It is not secret in the request.
    #[arg(long, value_name = "TEXT")]
    challenge_password: Option<String>,
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
        if let Some(password) = &self.challenge_password {
            builder = builder.challenge_password(password).map_err(unusable)?;
        }
        self.subject.names.add(builder.extensions())?;
        let request = builder.sign(&key).map_err(unusable)?;
        self.form
            .write(&target, || request.to_pem(), request.as_der())?;
        Ok(Answer::Yes)
    }
}
