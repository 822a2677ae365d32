//! `kuaimi tls-check`: what a server speaks, and whether its certificates are good.

mod findings;
mod report;
mod socket;
mod tlcp;
mod tls;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{PeerName, Verifier};

use crate::cert::{certificates_in, now, unusable};
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use findings::{Findings, Role};
use report::Report;
use socket::Target;

/// Say which protocols and suites a server speaks, and what is wrong with its certificates.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi tls-check bank.example:443 --ca ca.crt
  kuaimi tls-check 127.0.0.1:8443 --name bank.example --ca ca.crt
  kuaimi tls-check --json bank.example > check.json

Each protocol and suite is tried by a connection of its own: the four suites of TLCP, TLS 1.3 with
ShangMi (RFC 8998) and its groups, and ordinary TLS 1.2 and 1.3. The suites ECDHE of TLCP need a
client certificate; one that was made for the moment is shown, and a server that refuses it speaks
the suite all the same.

Without --ca, nothing says that the certificates are those of an authority that you trust.

JSON has the fields host, port, address, protocols, certificates, problems, notes and good. Fields
may be added; these keep their names and meanings.

Exit status: 0 if the server speaks one of the protocols and there is no problem, 1 if there is,
2 if it cannot be reached.")]
pub struct TlsCheckCommand {
    /// The certificates of the authorities that are trusted; repeatable.
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// The name that the certificates must have, and that the server is asked for [default: HOST].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Seconds that each connection may take.
    #[arg(long, value_name = "S", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Write one JSON object.
    #[arg(long)]
    json: bool,
    /// The server; without a port, 443.
    #[arg(value_name = "HOST:PORT")]
    server: String,
}

/// One protocol with one suite or group, and what the server said to it.
#[derive(Debug)]
struct Probe {
    protocol: &'static str,
    what: String,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    /// It speaks it; more about it.
    Spoken(String),
    /// It does not, and what it said.
    Not(String),
}

impl Probe {
    fn is_spoken(&self) -> bool {
        matches!(self.outcome, Outcome::Spoken(_))
    }
}

/// What a protocol showed of the server.
#[derive(Default)]
struct Seen {
    probes: Vec<Probe>,
    /// As the server sent them.
    certificates: Vec<Certificate>,
    /// What is wrong beyond the certificates.
    problems: Vec<String>,
}

impl Seen {
    fn keep(&mut self, certificates: Vec<Certificate>) {
        if self.certificates.is_empty() {
            self.certificates = certificates;
        }
    }

    fn problem(&mut self, what: String) {
        if !self.problems.contains(&what) {
            self.problems.push(what);
        }
    }
}

impl TlsCheckCommand {
    pub fn run(self) -> Result<Answer> {
        let limit = Duration::from_secs(self.timeout);
        let target = Target::resolve(&self.server, limit)?;
        let name = self.name.as_deref().unwrap_or(&target.host);
        let name = PeerName::new(name).map_err(unusable)?;
        if matches!(name, PeerName::Email(_)) {
            return Err(Failure::usage("--name: a mailbox is no server"));
        }
        let anchors = certificates_in(&self.ca)?;
        let verifier = (!anchors.is_empty()).then(|| Verifier::new(&anchors));
        let now = now()?.unix_duration().as_secs();

        let tlcp = tlcp::probe(&target, &name)?;
        let [shangmi, ordinary] = tls::probe(&target, &name)?;

        let mut report = Report::new(&target, self.json);
        let asked = Findings {
            name: &name,
            verifier: verifier.as_ref(),
            now,
        };
        report.add("TLCP", tlcp, |seen, report| {
            asked.pair(&seen.certificates, report);
        });
        report.add("TLS 1.3 with ShangMi", shangmi, |seen, report| {
            asked.chain(&seen.certificates, Role::Signing, "certificate", report);
        });
        report.add("ordinary TLS", ordinary, |seen, report| {
            asked.chain(&seen.certificates, Role::Ordinary, "certificate", report);
        });
        if verifier.is_none() {
            report.note("the certificates were not verified; --ca gives whom to trust".to_owned());
        }
        report.print()
    }
}
