//! `kuaimi cms verify`.

use std::path::{Path, PathBuf};

use clap::Args;
use kuaimi_pki::message::{
    CertificateId, DetachedVerifier, Refusal, SignerResult, Verification, Verifier, VerifyOptions,
};
use kuaimi_pki::public_key::Identities;
use kuaimi_pki::{Certificate, message, name};

use super::input::{Message, content, draft, refused};
use crate::cert::{self, ChainArgs, IdentityArgs, certificates};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{OutputArgs, Secrecy, print};
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
        let mut all = Vec::new();
        for path in &self.with {
            all.extend(certificates(path)?);
        }
        Ok(all)
    }

    pub fn identities(&self) -> Identities {
        self.identity.identities()
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
        let options = |known: &[Certificate]| {
            VerifyOptions::new()
                .with_certificates(known)
                .with_identities(self.trust.identities())
        };
        let cannot = |error: kuaimi_pki::Error| refused(&self.file, &error);
        if let Some(content_file) = &self.content {
            input::stdin_once(&[("--content", content_file), ("FILE", &self.file)])?;
            let verification = self.detached(content_file, &known)?;
            let answer = report(&self.file, &verification, &self.trust, said)?;
            return Ok(if answer { Answer::Yes } else { Answer::No });
        }
        let mut message = Message::open(&self.file)?;
        let mut out = match wanted {
            true => Some(draft(&target)?),
            false => None,
        };
        let mut bytes = Vec::new();
        let mut verifier = Verifier::new(options(&known));
        message.each_piece(&self.file, |piece| {
            verifier.push(piece, &mut bytes).map_err(cannot)?;
            if let Some(out) = &mut out {
                out.write(&target, &bytes)?;
            }
            bytes.clear();
            Ok(())
        })?;
        let mut verification = verifier.finish().map_err(|error| match error {
            kuaimi_pki::Error::Argument(what) => Failure::file(
                show(&self.file),
                format_args!("{what}: give it with --content"),
            ),
            error => cannot(error),
        })?;
        let again = |signer: &SignerResult| signer.verdict == Err(Refusal::CertificateNeededBefore);
        if verification.signers.iter().any(again) {
            // The certificates come after the content, which has to be hashed with them.
            let mut all = known;
            all.extend(verification.certificates.iter().cloned());
            let mut verifier = Verifier::new(options(&all));
            message.each_piece(&self.file, |piece| {
                verifier.push(piece, &mut bytes).map_err(cannot)?;
                bytes.clear();
                Ok(())
            })?;
            verification = verifier.finish().map_err(cannot)?;
        }
        if !report(&self.file, &verification, &self.trust, said)? {
            return Ok(Answer::No);
        }
        if let Some(out) = out {
            out.commit(&target)?;
        }
        Ok(Answer::Yes)
    }

    fn detached(&self, content_file: &Path, known: &[Certificate]) -> Result<Verification> {
        let read = input::read_all(&self.file, 64 << 20)?;
        let options = VerifyOptions::new()
            .with_certificates(known)
            .with_identities(self.trust.identities());
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
    trust: &TrustArgs,
    said: Said,
) -> Result<bool> {
    let file = show(file);
    let complain = |line: String| {
        if said != Said::Nothing {
            say(format_args!("{file}: {line}"));
        }
    };
    let mut between = verification.certificates.clone();
    between.extend(trust.certificates()?);
    let mut good = true;
    let mut lines = String::from("OK\n");
    if verification.signers.is_empty() {
        complain("nobody signed it".to_owned());
        good = false;
    }
    for signer in &verification.signers {
        let who = match &signer.certificate {
            Some(certificate) => name::to_text(certificate.fields().subject()),
            None => describe(&signer.id),
        };
        let refusal = match (&signer.verdict, &signer.certificate) {
            (Err(refusal), _) => Some(refusal.to_string()),
            (Ok(()), None) => Some("its certificate is not there".to_owned()),
            (Ok(()), Some(_)) if trust.no_chain => None,
            (Ok(()), Some(certificate)) => trust
                .chain
                .verify(
                    certificate,
                    &between,
                    &verification.crls,
                    cert::Purpose::MessageSigning,
                    trust.identities(),
                )?
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

fn describe(id: &CertificateId) -> String {
    match id {
        CertificateId::Key(id) => format!("the key {}", crate::text::hex(id)),
        CertificateId::Issuer { serial, .. } => {
            format!("the certificate {}", crate::text::hex(serial))
        }
        _ => "an unknown certificate".to_owned(),
    }
}
