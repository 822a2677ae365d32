//! `kuaimi cert crl`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kuaimi_pki::crl::{Crl as List, CrlBuilder};
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::external::x509_cert::ext::pkix::CrlReason;
use kuaimi_pki::public_key::Identities;

use super::arguments::{FormArgs, certificates};
use super::authority::{Authority, AuthorityArgs, Revoked};
use super::{time, unusable};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{OutputArgs, Secrecy, Target};
use crate::say::show;

/// Revoke certificates, and make the list of those that are revoked (CRL).
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert crl --ca-folder ca --revoke leaf.crt --reason key-compromise --out ca.crl
  kuaimi cert crl --ca-folder ca --days 7                        a new list, of the same certificates
  kuaimi cert crl --ca ca.crt --ca-key ca.pem --from old.crl --revoke leaf.crt --out new.crl
  kuaimi cert verify --ca ca.crt --crl ca.crl --revocation end leaf.crt

In a folder, the list is also kept as ca.crl. A certificate stays revoked, and a list has a number
that is one more than that of the list before. Publish a new list before the old one ends.")]
pub struct Crl {
    #[command(flatten)]
    authority: AuthorityArgs,
    /// A certificate to revoke; repeatable.
    #[arg(long, value_name = "FILE")]
    revoke: Vec<PathBuf>,
    /// Why.
    #[arg(long, value_enum, default_value_t = Reason::Unspecified)]
    reason: Reason,
    /// The list before, whose certificates stay revoked; a folder has it.
    #[arg(long, value_name = "FILE", conflicts_with = "ca_folder")]
    from: Option<PathBuf>,
    /// For how many days the list holds.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    days: u32,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    form: FormArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Reason {
    /// None is given.
    Unspecified,
    /// The private key is in other hands, or may be.
    KeyCompromise,
    /// That of the authority is.
    CaCompromise,
    /// The holder does something else now.
    AffiliationChanged,
    /// There is a new certificate.
    Superseded,
    /// It is not needed any more.
    CessationOfOperation,
    /// It must not be used for now.
    CertificateHold,
}

impl From<Reason> for CrlReason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Unspecified => Self::Unspecified,
            Reason::KeyCompromise => Self::KeyCompromise,
            Reason::CaCompromise => Self::CaCompromise,
            Reason::AffiliationChanged => Self::AffiliationChanged,
            Reason::Superseded => Self::Superseded,
            Reason::CessationOfOperation => Self::CessationOfOperation,
            Reason::CertificateHold => Self::CertificateHold,
        }
    }
}

impl Crl {
    pub fn run(self, context: Context) -> Result<Answer> {
        // A folder keeps the list itself.
        let target = match (self.output.out.is_some(), self.authority.has_folder()) {
            (false, true) => None,
            _ => Some(self.output.target(Secrecy::Public)),
        };
        if let Some(target) = &target {
            target.check()?;
        }
        let mut new = Vec::new();
        for path in &self.revoke {
            for certificate in certificates(path)? {
                new.push((path, certificate));
            }
        }
        let authority = self.authority.open(context)?;
        for (path, certificate) in &new {
            let issuer = authority.certificate.public_key();
            certificate
                .verify_signature(issuer, Identities::DefaultOrEmpty)
                .map_err(|_| {
                    Failure::refused(
                        show(path),
                        "was not issued by this authority, which cannot revoke it",
                    )
                })?;
        }
        let now = time::now()?;
        let new: Vec<Revoked> = new
            .iter()
            .map(|(_, certificate)| Revoked {
                serial: certificate.serial().to_vec(),
                date: now,
                reason: self.reason.into(),
            })
            .collect();
        let list = match &authority.folder {
            Some(folder) => {
                for revoked in &new {
                    folder.revoke(revoked)?;
                }
                // One at a time makes the next list.
                let lock = folder.lock()?;
                let before = folder.list()?;
                let list = self.list(&authority, before.as_ref(), &folder.revoked()?, now)?;
                let kept = Target::new(Some(&folder.path.join("ca.crl")), true, Secrecy::Public);
                kept.write(list.to_pem().as_bytes())?;
                drop(lock);
                list
            }
            None => {
                let before = match &self.from {
                    Some(path) => Some(authority.list(path)?),
                    None => None,
                };
                let mut all: Vec<Revoked> = Vec::new();
                for entry in before.iter().flat_map(List::entries) {
                    all.push(Revoked {
                        serial: entry.serial().to_vec(),
                        date: date(entry.date())?,
                        reason: entry.reason().unwrap_or(CrlReason::Unspecified),
                    });
                }
                for revoked in new {
                    if !all.iter().any(|old| old.serial == revoked.serial) {
                        all.push(revoked);
                    }
                }
                self.list(&authority, before.as_ref(), &all, now)?
            }
        };
        if let Some(target) = &target {
            self.form.write(target, || list.to_pem(), list.as_der())?;
        }
        context.note(format_args!("{} certificates are revoked", list.len()));
        Ok(Answer::Yes)
    }

    fn list(
        &self,
        authority: &Authority,
        before: Option<&List>,
        all: &[Revoked],
        now: DateTime,
    ) -> Result<List> {
        let seconds = now.unix_duration().as_secs();
        let ends = seconds + u64::from(self.days) * 86_400;
        let mut builder = CrlBuilder::new(&authority.certificate, seconds, ends)
            .map_err(unusable)?
            .number(number(before) + 1);
        for revoked in all {
            let date = revoked.date.unix_duration().as_secs();
            builder = builder
                .revoke(&revoked.serial, date, Some(revoked.reason))
                .map_err(unusable)?;
        }
        builder.sign(&authority.key).map_err(unusable)
    }
}

/// The number of a list; 0 if there is none.
fn number(list: Option<&List>) -> u64 {
    let bytes = list.and_then(List::number).unwrap_or_default();
    bytes.iter().fold(0u64, |number, &byte| {
        number.wrapping_shl(8) | u64::from(byte)
    })
}

fn date(seconds: u64) -> Result<DateTime> {
    DateTime::from_unix_duration(std::time::Duration::from_secs(seconds))
        .map_err(|_| Failure::usage("a date in the list is after the year 9999"))
}
