//! `kuaimi cert verify`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kuaimi_pki::chain::{PeerName, Purpose};
use kuaimi_pki::name;

use super::arguments::{IdentityArgs, certificates, certificates_in};
use super::chain::ChainArgs;
use super::unusable;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::print;
use crate::say::{say, show};

/// Verify certificates: that an authority that is trusted stands behind them.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert verify --ca ca.crt leaf.crt
  kuaimi cert verify --ca ca.crt --with sub.crt --for server --host www.example www.crt
  kuaimi cert verify --ca ca.crt --crl ca.crl --revocation end leaf.crt

In each FILE the first certificate is verified; the others, and those in --with, may be authorities
between it and those in --ca. Prints OK, or INVALID and on standard error which rule is broken.

Exit status: 1 if a certificate is refused, 2 when a file cannot be read.")]
pub struct Verify {
    #[command(flatten)]
    chain: ChainArgs,
    /// Certificates of authorities in between; repeatable.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// What the certificate is used for.
    #[arg(long = "for", value_enum, default_value_t = UsedFor::Any, value_name = "PURPOSE")]
    used_for: UsedFor,
    /// The host name, the address or the mail address that the certificate must have.
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    #[command(flatten)]
    identity: IdentityArgs,
    /// Print nothing.
    #[arg(long, short)]
    quiet: bool,
    /// The certificates, in PEM or DER.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UsedFor {
    /// Anything.
    Any,
    /// A server of TLS.
    Server,
    /// A client of TLS.
    Client,
    /// Signatures of messages.
    Signing,
    /// Encryption.
    Encryption,
    /// Signatures of programs.
    Code,
}

impl From<UsedFor> for Purpose {
    fn from(used: UsedFor) -> Self {
        match used {
            UsedFor::Any => Self::Any,
            UsedFor::Server => Self::Server,
            UsedFor::Client => Self::Client,
            UsedFor::Signing => Self::MessageSigning,
            UsedFor::Encryption => Self::Encryption,
            UsedFor::Code => Self::CodeSigning,
        }
    }
}

impl Verify {
    pub fn run(self, context: Context) -> Result<Answer> {
        if !self.chain.is_given() {
            return Err(Failure::usage(
                "--ca: give the certificates of the authorities that you trust",
            ));
        }
        let mut policy = self
            .chain
            .policy()?
            .purpose(self.used_for.into())
            .identities(self.identity.identities());
        if let Some(host) = &self.host {
            policy = policy.peer(PeerName::new(host).map_err(unusable)?);
        }
        let verifier = self.chain.verifier(&[])?;
        let between = certificates_in(&self.with)?;
        let verifier = verifier.with_intermediates(&between);
        let mut good = true;
        for file in &self.files {
            let all = certificates(file)?;
            let (end, others) = all
                .split_first()
                .ok_or_else(|| Failure::file(show(file), "has no certificate"))?;
            let result = verifier.verify(end, others, &policy);
            // Of one file the verdict alone, as `kuaimi sm2 verify` prints it.
            let of = match self.files.len() {
                1 => String::new(),
                _ => format!("{}: ", show(file)),
            };
            match result {
                Ok(path) => {
                    if !self.quiet {
                        print(format!("{of}OK\n"))?;
                    }
                    for certificate in path.certificates() {
                        let subject = name::to_text(certificate.fields().subject());
                        context.note(format_args!("{}: {subject}", show(file)));
                    }
                }
                Err(refusal) => {
                    good = false;
                    if !self.quiet {
                        print(format!("{of}INVALID\n"))?;
                        say(format_args!("{}: {refusal}", show(file)));
                    }
                }
            }
        }
        Ok(if good { Answer::Yes } else { Answer::No })
    }
}
