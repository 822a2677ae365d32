//! `kuaimi cert`: one file a command.

mod arguments;
mod authority;
mod chain;
mod crl;
mod describe;
mod describe_message;
mod issue;
mod ocsp;
mod open_key;
mod pair;
mod renew;
mod request;
mod self_sign;
mod show;
mod time;
mod verify;

use clap::Args;

pub use arguments::{IdentityArgs, certificate, certificates, certificates_in};
pub use chain::ChainArgs;
pub use describe::{describe, printable};
pub use describe_message::describe_id;
pub use kuaimi_pki::chain::Purpose;
pub use show::describe_any;
pub use time::{now, show as show_time, show_seconds};

use crate::called::{Called, commands};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};

/// Certificates of SM2: make, ask for, issue, renew, revoke, verify, show.
#[derive(Args, Debug)]
#[command(after_help = "\
An authority of your own:
  kuaimi cert self-sign --ca --key ca.pem --subject 'CN=Root' --days 3650 --out ca.crt
  kuaimi cert request --key leaf.pem --subject 'CN=leaf,O=Example' --dns leaf.example --out leaf.csr
  kuaimi cert issue --ca ca.crt --ca-key ca.pem --days 365 --out leaf.crt leaf.csr
  kuaimi cert verify --ca ca.crt leaf.crt
  kuaimi cert show leaf.crt

The same with a folder that remembers what was issued and revoked:
  kuaimi cert self-sign --ca --ca-folder ca --subject 'CN=Root' --days 3650
  kuaimi cert issue --ca-folder ca --out leaf.crt leaf.csr
  kuaimi cert crl --ca-folder ca --revoke leaf.crt --out ca.crl

Other programs: OpenSSL 3 needs -vfyopt distid:1234567812345678 to verify what is signed with SM2.

`kuaimi help cert COMMAND` describes each command.")]
pub struct CertCommand {
    #[command(subcommand)]
    command: Called<Command>,
}

commands! {
    behind "cert":
    "show" => Show(show::Show),
    "self-sign" => SelfSign(self_sign::SelfSign),
    "request" => Request(request::Request),
    "issue" => Issue(issue::Issue),
    "pair" => Pair(pair::Pair),
    "open-key" => OpenKey(open_key::OpenKey),
    "renew" => Renew(renew::Renew),
    "verify" => Verify(verify::Verify),
    "crl" => Crl(crl::Crl),
    "ocsp" => Ocsp(ocsp::Ocsp),
}

impl CertCommand {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.command.0.run(context)
    }
}

/// The failure that `error` about the file `name` is.
pub fn failed(name: impl std::fmt::Display, error: &kuaimi_pki::Error) -> Failure {
    match error {
        kuaimi_pki::Error::Signature | kuaimi_pki::Error::Decryption => {
            Failure::refused(name, error)
        }
        _ => Failure::file(name, error),
    }
}

/// The failure of an option or an argument.
pub fn unusable(error: kuaimi_pki::Error) -> Failure {
    Failure::usage(error.to_string())
}
