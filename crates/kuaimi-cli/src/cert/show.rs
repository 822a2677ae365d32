//! `kuaimi cert show`.

use std::path::PathBuf;

use clap::Args;
use kuaimi_pki::{Certificate, Request};

use super::arguments::IdentityArgs;
use super::describe::{describe, describe_request};
use super::failed;
use crate::context::Context;
use crate::describe::Description;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::print;
use crate::say::show;

/// Show certificates and requests as people read them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert show leaf.crt
  kuaimi cert show --json chain.pem
  openssl s_client -connect www.example:443 -showcerts </dev/null | kuaimi cert show

Nothing is verified but the signature of a request: `kuaimi cert verify` does that.")]
pub struct Show {
    /// Write one JSON object for each certificate.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    identity: IdentityArgs,
    /// Certificates, or a request, in PEM or DER; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Show {
    pub fn run(self, _context: Context) -> Result<Answer> {
        let content = input::read_all(&self.file, input::SMALL)?;
        if let Ok(request) = Request::read(&content) {
            let mut out = Description::new(self.json, false);
            let valid = request.verify(self.identity.identities()).is_ok();
            describe_request(&request, valid, &mut out);
            out.print()?;
            return Ok(Answer::Yes);
        }
        let name = show(&self.file);
        let all = Certificate::read_all(&content).map_err(|error| match error {
            kuaimi_pki::Error::Argument(_) => {
                Failure::file(&name, "has no certificate and no certificate request")
            }
            error => failed(&name, &error),
        })?;
        for (i, certificate) in all.iter().enumerate() {
            if i > 0 && !self.json {
                print("\n")?;
            }
            let mut out = Description::new(self.json, false);
            describe(certificate, &mut out);
            out.print()?;
        }
        Ok(Answer::Yes)
    }
}
