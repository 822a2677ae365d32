//! `kuaimi cert show`.

use std::path::PathBuf;

use clap::Args;
use kuaimi_pki::crl::Crl;
use kuaimi_pki::message::{self, Kind};
use kuaimi_pki::ocsp::{self, Response};
use kuaimi_pki::{Certificate, Request};

use super::arguments::IdentityArgs;
use super::describe::{describe, describe_list, describe_request, describe_response};
use super::describe_message::describe_message;
use super::failed;
use crate::context::Context;
use crate::describe::Description;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::print;
use crate::say::show;
use crate::text;

/// Show certificates, requests, lists and messages as people read them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert show leaf.crt
  kuaimi cert show --json chain.pem
  kuaimi cert show ca.crl
  openssl s_client -connect www.example:443 -showcerts </dev/null | kuaimi cert show

Nothing is verified but the signature of a request: `kuaimi cert verify` does that.")]
pub struct Show {
    /// Write one JSON object for each certificate.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    identity: IdentityArgs,
    /// Certificates, a request, a list or a message, in PEM or DER; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Show {
    pub fn run(self, _context: Context) -> Result<Answer> {
        let content = input::read_all(&self.file, 1 << 30)?;
        let name = show(&self.file);
        if describe_any(&content, self.json, self.identity)? {
            return Ok(Answer::Yes);
        }
        // Why it is no certificate, where it looks like one.
        match Certificate::read_all(&content) {
            Err(kuaimi_pki::Error::Argument(_)) | Ok(_) => Err(Failure::file(
                &name,
                "has no certificate, no certificate request, no list of revoked certificates and no message",
            )),
            Err(error) => Err(failed(&name, &error)),
        }
    }
}

/// Prints what `content` is: certificates, a request, lists of revoked certificates, an OCSP
/// response, a message. Nothing is printed and the result is `false` for what is none of these.
pub fn describe_any(content: &[u8], json: bool, identity: IdentityArgs) -> Result<bool> {
    let new = || Description::new(json, false);
    if let Ok(request) = Request::read(content) {
        let mut out = new();
        let valid = request.verify(identity.identities()).is_ok();
        describe_request(&request, valid, &mut out);
        out.print()?;
        return Ok(true);
    }
    let mut found = Vec::new();
    if let Ok(all) = Certificate::read_all(content) {
        for certificate in &all {
            let mut out = new();
            describe(certificate, &mut out);
            found.push(out);
        }
    } else if let Ok(all) = Crl::read_all(content) {
        for list in &all {
            let mut out = new();
            describe_list(list, &mut out);
            found.push(out);
        }
    } else if let Ok(response) = Response::from_der(content) {
        let mut out = new();
        describe_response(&response, &mut out);
        found.push(out);
    } else if let Ok(request) = ocsp::Request::from_der(content) {
        let mut out = new();
        out.put("kind", "OCSP request");
        let ids = request.ids().iter().map(|id| text::hex(id.serial()));
        out.put("certificates", ids.collect::<Vec<_>>());
        if let Some(nonce) = request.nonce() {
            out.put_hex("nonce", nonce);
        }
        found.push(out);
    } else if let Ok(kind) = message::kind(content)
        && kind != Kind::Data
    {
        let mut out = new();
        describe_message(content, kind, &mut out);
        found.push(out);
    }
    let any = !found.is_empty();
    for (i, out) in found.into_iter().enumerate() {
        if i > 0 && !json {
            print("\n")?;
        }
        out.print()?;
    }
    Ok(any)
}
