//! The commands.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args as _, CommandFactory as _, Parser, Subcommand};

use crate::called::{Augment, Called, Commands};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::{
    backend, cert, cms, p12, proxy, shell, sign_batch, sm2, sm3, sm4, sm9, speed, tls_check,
    verify_batch,
};

const EXAMPLE: &str = "\
Examples:
  kuaimi sm2 keygen --out alice.pem --pubout alice.pub
  kuaimi sm2 sign --key alice.pem --out report.sig report.pdf
  kuaimi sm2 verify --key alice.pub --signature report.sig report.pdf
  kuaimi sm2 encrypt --key alice.pub --out report.enc report.pdf
  kuaimi sm2 decrypt --key alice.pem --out report.pdf report.enc
  kuaimi sm3 report.pdf
  kuaimi sm4 encrypt --out report.enc report.pdf
  kuaimi cert self-sign --ca --key ca.pem --subject CN=Root --out ca.crt
  kuaimi verify-batch ledger.csv
  kuaimi sign-batch --key alice.pem --out signed.jsonl messages.jsonl
  kuaimi proxy --listen 127.0.0.1:8443 --to 127.0.0.1:8080 --key server.p12
  kuaimi tls-check bank.example:443 --ca ca.crt
  kuaimi speed

Exit status: 0; 1 for an invalid signature or a failed decryption; 2 for wrong use or unreadable
input.
`kuaimi help COMMAND` describes each command, with examples.";

/// ShangMi cryptography: SM2 and SM9 signatures, encryption and key exchange, SM3 checksums, SM4
/// encryption.
#[derive(Parser, Debug)]
#[command(name = "kuaimi", version, after_help = EXAMPLE, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    command: Called<Command>,
    /// Print what was detected and done to standard error.
    #[arg(long, short, global = true, display_order = 1000)]
    verbose: bool,
}

#[derive(Subcommand, Debug)]
enum Command {
    Sm2(Box<sm2::Sm2Command>),
    Sm3(sm3::Sm3Command),
    Sm4(Box<sm4::Sm4Command>),
    Sm9(Box<sm9::Sm9Command>),
    Cert(Box<cert::CertCommand>),
    Cms(Box<cms::CmsCommand>),
    P12(Box<p12::P12Command>),
    VerifyBatch(Box<verify_batch::VerifyBatch>),
    SignBatch(Box<sign_batch::SignBatch>),
    Proxy(Box<proxy::ProxyCommand>),
    TlsCheck(Box<tls_check::TlsCheckCommand>),
    Speed(speed::SpeedCommand),
    Completions(shell::CompletionsCommand),
    Man(shell::ManCommand),
}

impl Commands for Command {
    const BEFORE: &'static [&'static str] = &[];
    // The completions and the manual are of all commands.
    const ALONE: &'static [(&'static str, Augment)] = &[
        ("sm2", sm2::Sm2Command::augment_args),
        ("sm3", sm3::Sm3Command::augment_args),
        ("sm4", sm4::Sm4Command::augment_args),
        ("sm9", sm9::Sm9Command::augment_args),
        ("cert", cert::CertCommand::augment_args),
        ("cms", cms::CmsCommand::augment_args),
        ("p12", p12::P12Command::augment_args),
        ("verify-batch", verify_batch::VerifyBatch::augment_args),
        ("sign-batch", sign_batch::SignBatch::augment_args),
        ("proxy", proxy::ProxyCommand::augment_args),
        ("tls-check", tls_check::TlsCheckCommand::augment_args),
        ("speed", speed::SpeedCommand::augment_args),
    ];
}

impl Cli {
    pub fn run(self) -> Result<Answer> {
        backend::check()?;
        let context = Context {
            verbose: self.verbose,
        };
        match self.command.0 {
            Command::Sm2(command) => command.run(context),
            Command::Sm3(command) => command.run(),
            Command::Sm4(command) => command.run(context),
            Command::Sm9(command) => command.run(context),
            Command::Cert(command) => command.run(context),
            Command::Cms(command) => command.run(context),
            Command::P12(command) => command.run(context),
            Command::VerifyBatch(command) => command.run(context),
            Command::SignBatch(command) => command.run(context),
            Command::Proxy(command) => command.run(),
            Command::TlsCheck(command) => command.run(),
            Command::Speed(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}

/// What is said of a scheme's command that is given without the scheme, as in `kuaimi sign`.
pub fn without_scheme(error: &clap::Error) -> Option<Failure> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    // Not what is unknown to a scheme, as in `kuaimi sm9 keygen`.
    let first = std::env::args_os()
        .skip(1)
        .find(|word| word != "help" && !word.as_encoded_bytes().starts_with(b"-"))?;
    if first != given.as_str() {
        return None;
    }
    let known: Vec<String> = Cli::command()
        .get_subcommands()
        .filter(|scheme| scheme.find_subcommand(given).is_some())
        .map(|scheme| format!("`kuaimi {} {given}`", scheme.get_name()))
        .collect();
    (!known.is_empty()).then(|| {
        Failure::usage(format!(
            "{given}: needs the name of a scheme before it; use {}",
            known.join(" or ")
        ))
    })
}
