//! Whom to trust: the options for chains of certificates.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kuaimi_pki::chain::{Policy, Revocation, Verifier};
use kuaimi_pki::crl::Crl;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::ocsp::Response;

use super::arguments::certificates_in;
use super::{failed, time};
use crate::failure::Result;
use crate::input;
use crate::say::show;

/// The options for chains of certificates.
#[derive(Args, Debug, Clone)]
pub struct ChainArgs {
    /// The certificates of the authorities that are trusted; repeatable.
    #[arg(long, value_name = "FILE")]
    pub ca: Vec<PathBuf>,
    /// Lists of revoked certificates; repeatable.
    #[arg(long, value_name = "FILE")]
    crl: Vec<PathBuf>,
    /// Responses of OCSP, in DER; repeatable.
    #[arg(long, value_name = "FILE")]
    ocsp: Vec<PathBuf>,
    /// What must be known of revocation.
    #[arg(long, value_enum, default_value_t = Asked::IfGiven)]
    revocation: Asked,
    /// The time at which the certificates must be valid [default: now].
    #[arg(long, value_name = "TIME", value_parser = time::parse)]
    at: Option<DateTime>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Asked {
    /// Certificates that a list or a response says are revoked are refused.
    IfGiven,
    /// It must be known that the certificate itself is not revoked.
    End,
    /// It must be known of every certificate but the trusted one.
    All,
}

impl ChainArgs {
    pub fn is_given(&self) -> bool {
        !self.ca.is_empty()
    }

    pub fn policy(&self) -> Result<Policy> {
        let at = match self.at {
            Some(at) => at,
            None => time::now()?,
        };
        Ok(
            Policy::at(at.unix_duration().as_secs()).revocation(match self.revocation {
                Asked::IfGiven => Revocation::IfPresent,
                Asked::End => Revocation::RequiredForEnd,
                Asked::All => Revocation::RequiredForAll,
            }),
        )
    }

    /// With the lists that came along, of which malformed ones are passed over.
    pub fn verifier(&self, crls: &[Vec<u8>]) -> Result<Verifier> {
        let anchors = certificates_in(&self.ca)?;
        let mut lists: Vec<Crl> = crls
            .iter()
            .filter_map(|der| Crl::from_der(der).ok())
            .collect();
        for path in &self.crl {
            let content = input::read_all(path, 1 << 30)?;
            let read = Crl::read_all(&content).map_err(|error| failed(show(path), &error))?;
            lists.extend(read);
        }
        let mut responses = Vec::new();
        for path in &self.ocsp {
            let content = input::read_all(path, input::SMALL)?;
            let read = Response::from_der(&content).map_err(|error| failed(show(path), &error))?;
            responses.push(read);
        }
        Ok(Verifier::new(&anchors)
            .with_crls(&lists)
            .with_responses(&responses))
    }
}
