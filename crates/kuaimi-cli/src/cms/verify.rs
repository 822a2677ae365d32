//! `kuaimi cms verify`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use kuaimi_pki::message::{
    DetachedVerifier, Refusal, SignerResult, Verification, Verifier, VerifyOptions,
};
use kuaimi_pki::{Certificate, message, name};

use super::input::{Message, content, refused};
use crate::cert::{self, ChainArgs, IdentityArgs, certificates_in};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{OutputArgs, Secrecy, Sink, print};
use crate::say::{say, show};

/// Verify a signed message of any size, and take its content out.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cms verify --ca ca.crt --out m.txt m.p7s
  kuaimi cms verify --ca ca.crt --content m.txt detached.p7s

Every signature must be right, and every signer's certificate trusted by an authority in --ca, at
this time or at --at. Prints OK and the signers, or why not; nothing is written unless all is well.

Exit status: 1 for a wrong signature, 2 when a file cannot be read.")]
pub struct Verify {
    #[command(flatten)]
    trust: TrustArgs,
    /// The file that was signed, if it is not inside of the message.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    content: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// Print nothing.
    #[arg(long, short)]
    quiet: bool,
    /// The message; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

/// Whom to trust.
#[derive(Args, Debug, Clone)]
pub struct TrustArgs {
    #[command(flatten)]
    chain: ChainArgs,
    /// Do not ask whether the signers' certificates can be trusted: only whether the signatures
    /// fit.
    #[arg(long, conflicts_with = "ca")]
    no_chain: bool,
    /// Certificates that are not in the message, of signers or authorities in between; repeatable.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    #[command(flatten)]
    identity: IdentityArgs,
}

impl TrustArgs {
    pub fn certificates(&self) -> Result<Vec<Certificate>> {
        certificates_in(&self.with)
    }

    /// With the certificates that are known beforehand.
    pub fn verify_options(&self, known: &[Certificate]) -> VerifyOptions {
        VerifyOptions::new()
            .with_certificates(known)
            .with_identities(self.identity.identities())
    }

    pub fn is_given(&self) -> bool {
        self.no_chain || self.chain.is_given()
    }
}

impl Verify {
    pub fn run(self, _context: Context) -> Result<Answer> {
        if !self.trust.is_given() {
            return Err(Failure::usage(
                "--ca: give the certificates of the authorities that you trust, or --no-chain",
            ));
        }
        let target = self.output.target(Secrecy::Public);
        // The content goes to standard output only where somebody asks for it.
        let wanted = self.output.out.is_some();
        if wanted {
            target.check()?;
        }
        // Standard output may be taken.
        let said = match (self.quiet, wanted && target.is_stdout()) {
            (true, _) => Said::Nothing,
            (false, true) => Said::Errors,
            (false, false) => Said::All,
        };
        let known = self.trust.certificates()?;
        if let Some(content_file) = &self.content {
            input::stdin_once(&[("--content", content_file), ("FILE", &self.file)])?;
            let verification = self.detached(content_file, &known)?;
            let good = report(&self.file, &verification, &known, &self.trust, said)?;
            return Ok(if good { Answer::Yes } else { Answer::No });
        }
        let mut sink = match wanted {
            true => Some(target.create()?),
            false => None,
        };
        // A file appears when all of it is right. Anything else is written from a second reading.
        let at_once = sink.as_ref().is_some_and(Sink::appears_whole);
        let mut message = Message::open(&self.file, wanted && !at_once)?;
        let mut write = |content: &[u8]| match &mut sink {
            Some(sink) => sink
                .write_all(content)
                .map_err(|error| target.cannot_write(&error)),
            None => Ok(()),
        };
        let mut verification = match at_once {
            true => self.attached(&mut message, &known, &mut write)?,
            false => self.attached(&mut message, &known, |_| Ok(()))?,
        };
        let again = |signer: &SignerResult| signer.verdict == Err(Refusal::CertificateNeededBefore);
        if verification.signers.iter().any(again) {
            // The certificates come after the content, which has to be hashed with them.
            let mut all = known.clone();
            all.extend(verification.certificates.iter().cloned());
            verification = self.attached(&mut message, &all, |_| Ok(()))?;
        }
        if !report(&self.file, &verification, &known, &self.trust, said)? {
            return Ok(Answer::No);
        }
        if wanted && !at_once {
            let _ = self.attached(&mut message, &[], &mut write)?;
        }
        if let Some(sink) = sink {
            sink.commit()?;
        }
        Ok(Answer::Yes)
    }

    /// Verifies a message with its content inside, which goes to `write`, piece by piece.
    fn attached(
        &self,
        message: &mut Message,
        known: &[Certificate],
        mut write: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<Verification> {
        let cannot = |error: kuaimi_pki::Error| refused(&self.file, &error);
        let mut content = Vec::new();
        let mut verifier = Verifier::new(self.trust.verify_options(known));
        message.each_piece(&self.file, |piece| {
            verifier.push(piece, &mut content).map_err(cannot)?;
            let written = write(&content);
            content.clear();
            written
        })?;
        verifier.finish().map_err(|error| match error {
            kuaimi_pki::Error::Argument(what) => Failure::file(
                show(&self.file),
                format_args!("{what}: give it with --content"),
            ),
            error => cannot(error),
        })
    }

    fn detached(&self, content_file: &Path, known: &[Certificate]) -> Result<Verification> {
        let read = input::read_all(&self.file, 64 << 20)?;
        let options = self.trust.verify_options(known);
        let cannot = |error: kuaimi_pki::Error| refused(&self.file, &error);
        let der = message::to_ber(&read).map_err(cannot)?;
        let mut verifier = DetachedVerifier::new(&der, options).map_err(cannot)?;
        content(content_file, |piece, _| {
            verifier.update(piece);
            Ok(())
        })?;
        verifier.finish().map_err(cannot)
    }
}

/// What is said of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// The verdict and the signers, and what is wrong.
    All,
    /// What is wrong.
    Errors,
    Nothing,
}

/// Says who signed, or what is wrong. Whether all is well.
pub fn report(
    file: &Path,
    verification: &Verification,
    known: &[Certificate],
    trust: &TrustArgs,
    said: Said,
) -> Result<bool> {
    let file = show(file);
    let complain = |line: String| {
        if said != Said::Nothing {
            say(format_args!("{file}: {line}"));
        }
    };
    let policy = trust
        .chain
        .policy()?
        .purpose(cert::Purpose::MessageSigning)
        .identities(trust.identity.identities());
    let chains = trust.chain.verifier(&verification.crls)?;
    let chains = chains.with_intermediates(known);
    let mut good = true;
    let mut lines = String::from("OK\n");
    if verification.signers.is_empty() {
        complain("nobody signed it".to_owned());
        good = false;
    }
    for signer in &verification.signers {
        let who = match &signer.certificate {
            Some(certificate) => name::to_text(certificate.fields().subject()),
            None => format!("the {}", cert::describe_id(&signer.id)),
        };
        let refusal = match (&signer.verdict, &signer.certificate) {
            (Err(refusal), _) => Some(refusal.to_string()),
            (Ok(()), None) => Some("its certificate is not there".to_owned()),
            (Ok(()), Some(_)) if trust.no_chain => None,
            (Ok(()), Some(certificate)) => chains
                .verify(certificate, &verification.certificates, &policy)
                .err()
                .map(|refusal| refusal.to_string()),
        };
        match refusal {
            Some(refusal) => {
                complain(format!("signed by {who}: {refusal}"));
                good = false;
            }
            None => {
                let time = signer
                    .signing_time
                    .map(|time| format!(", who says at {}", cert::show_time(time)));
                lines += &format!("signed by {who}{}\n", time.unwrap_or_default());
            }
        }
    }
    if said == Said::All {
        print(if good { lines.as_str() } else { "INVALID\n" })?;
    }
    Ok(good)
}
