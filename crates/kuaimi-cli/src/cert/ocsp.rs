//! `kuaimi cert ocsp`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use getrandom::SysRng;
use kuaimi::sm2::SigningKey;
use kuaimi_pki::Certificate;
use kuaimi_pki::crl::Crl;
use kuaimi_pki::external::rand_core::TryRng;
use kuaimi_pki::ocsp::{
    CertId, Check, HashAlgorithm, Request, RequestBuilder, Response, ResponseBuilder, Status,
};

use super::arguments::{certificate, certificates};
use super::authority::{Authority, AuthorityArgs, reason_name};
use super::{failed, time, unusable};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{OutputArgs, Secrecy, print};
use crate::password::PasswordArgs;
use crate::say::{say, show};
use crate::sm2::keys;

/// Ask whether a certificate is revoked, and answer (OCSP), in files.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert ocsp request --ca ca.crt --out q.der leaf.crt
  kuaimi cert ocsp respond --ca-folder ca --out r.der q.der
  kuaimi cert ocsp check --ca ca.crt --request q.der --response r.der leaf.crt

The files go over HTTP as they are: curl --data-binary @q.der -H 'Content-Type:
application/ocsp-request' http://ca.example/ocsp > r.der")]
pub struct Ocsp {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Request(Ask),
    Respond(Respond),
    Check(CheckResponse),
}

impl Ocsp {
    pub fn run(self, context: Context) -> Result<Answer> {
        match self.command {
            Command::Request(command) => command.run(),
            Command::Respond(command) => command.run(context),
            Command::Check(command) => command.run(),
        }
    }
}

/// Make a request about certificates.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  kuaimi cert ocsp request --ca ca.crt --out q.der leaf.crt")]
struct Ask {
    /// The certificate of their issuer.
    #[arg(long, value_name = "FILE")]
    ca: PathBuf,
    /// With what the issuer is named. SHA-1, which every responder knows, is no weakness here.
    #[arg(long, value_enum, default_value_t = Hash::Sha1)]
    hash: Hash,
    /// Leave the random number out that keeps old responses from serving as answers.
    #[arg(long)]
    no_nonce: bool,
    #[command(flatten)]
    output: OutputArgs,
    /// The certificates.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Hash {
    Sha1,
    Sm3,
    Sha256,
}

impl From<Hash> for HashAlgorithm {
    fn from(hash: Hash) -> Self {
        match hash {
            Hash::Sha1 => Self::Sha1,
            Hash::Sm3 => Self::Sm3,
            Hash::Sha256 => Self::Sha256,
        }
    }
}

impl Ask {
    fn run(self) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        let issuer = certificate(&self.ca)?;
        let mut request = RequestBuilder::new();
        for path in &self.files {
            for certificate in certificates(path)? {
                let id = CertId::new(self.hash.into(), &issuer, certificate.serial());
                request = request.about(id);
            }
        }
        if !self.no_nonce {
            let mut nonce = [0; 32];
            SysRng
                .try_fill_bytes(&mut nonce)
                .map_err(|_| unusable(kuaimi_pki::Error::Random))?;
            request = request.nonce(&nonce);
        }
        target.write(request.build().map_err(unusable)?.as_der())?;
        Ok(Answer::Yes)
    }
}

/// Answer a request, with what an authority's folder or its list says.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert ocsp respond --ca-folder ca --out r.der q.der
  kuaimi cert ocsp respond --ca ca.crt --ca-key ca.pem --crl ca.crl --out r.der q.der
  kuaimi cert ocsp respond --ca-folder ca --responder ocsp.crt --responder-key ocsp.pem --out r.der q.der")]
struct Respond {
    #[command(flatten)]
    authority: AuthorityArgs,
    /// The list of revoked certificates; a folder knows them itself.
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "ca_folder",
        conflicts_with = "ca_folder"
    )]
    crl: Option<PathBuf>,
    /// For how many hours the answer holds.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=8760))]
    hours: u32,
    /// The certificate of a responder that the authority made with --for ocsp.
    #[arg(long, value_name = "FILE", requires = "responder_key")]
    responder: Option<PathBuf>,
    /// The responder's private key.
    #[arg(long, value_name = "FILE", requires = "responder")]
    responder_key: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// The request; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl Respond {
    fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        let content = input::read_all(&self.file, input::SMALL)?;
        let request =
            Request::from_der(&content).map_err(|error| failed(show(&self.file), &error))?;
        let authority = self.authority.open(context)?;
        let list = match &self.crl {
            Some(path) => Some(authority.list(path)?),
            None => None,
        };
        let delegate = match (&self.responder, &self.responder_key) {
            (Some(cert), Some(key)) => {
                let (private, _) = keys::private(key, &PasswordArgs::default())?;
                Some((certificate(cert)?, SigningKey::new(private)))
            }
            _ => None,
        };
        let (responder, key) = match &delegate {
            Some((certificate, key)) => (certificate, key),
            None => (&authority.certificate, &authority.key),
        };
        let now = time::now()?.unix_duration().as_secs();
        let until = now + u64::from(self.hours) * 3600;
        let mut response = ResponseBuilder::new(responder, now)
            .map_err(unusable)?
            .answering(&request);
        for id in request.ids() {
            let status = match id.is_of(&authority.certificate, id.serial()) {
                true => status(&authority, list.as_ref(), id.serial())?,
                false => Status::Unknown,
            };
            response = response
                .say(id.clone(), status, now, Some(until))
                .map_err(unusable)?;
        }
        if delegate.is_some() {
            response = response.with_certificate(responder);
        }
        target.write(response.sign(key).map_err(unusable)?.as_der())?;
        Ok(Answer::Yes)
    }
}

fn status(authority: &Authority, list: Option<&Crl>, serial: &[u8]) -> Result<Status> {
    if let Some(list) = list {
        return Ok(match list.find(serial) {
            Some(entry) => Status::Revoked(entry.date(), entry.reason()),
            None => Status::Good,
        });
    }
    let Some(folder) = &authority.folder else {
        return Ok(Status::Unknown);
    };
    if let Some(revoked) = folder.is_revoked(serial)? {
        let date = revoked.date.unix_duration().as_secs();
        return Ok(Status::Revoked(date, Some(revoked.reason)));
    }
    Ok(match folder.issued(serial) {
        true => Status::Good,
        false => Status::Unknown,
    })
}

/// Verify a response, and print what it says of a certificate: good, revoked or unknown.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  kuaimi cert ocsp check --ca ca.crt --request q.der --response r.der leaf.crt

Exit status: 0 if the certificate is good, 1 if not.")]
struct CheckResponse {
    /// The certificate of the issuer, which must be trusted.
    #[arg(long, value_name = "FILE")]
    ca: PathBuf,
    /// The request that was answered, whose random number the response must have.
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// The response.
    #[arg(long, value_name = "FILE")]
    response: PathBuf,
    /// The certificate.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl CheckResponse {
    fn run(self) -> Result<Answer> {
        let issuer: Certificate = certificate(&self.ca)?;
        let subject = certificate(&self.file)?;
        let name = show(&self.response);
        let content = input::read_all(&self.response, input::SMALL)?;
        let response = Response::from_der(&content).map_err(|error| failed(&name, &error))?;
        let request = match &self.request {
            Some(path) => {
                let content = input::read_all(path, input::SMALL)?;
                Some(Request::from_der(&content).map_err(|error| failed(show(path), &error))?)
            }
            None => None,
        };
        let now = time::now()?.unix_duration().as_secs();
        let check = Check::new(&issuer, now).nonce(request.as_ref().and_then(Request::nonce));
        let found = response
            .verify(&check)
            .and_then(|verified| verified.status_of(&subject))
            .map_err(|error| Failure::refused(&name, error))?;
        Ok(match found {
            Status::Good => {
                print("good\n")?;
                Answer::Yes
            }
            Status::Revoked(date, reason) => {
                print("revoked\n")?;
                let reason =
                    reason.map_or(String::new(), |reason| format!(", {}", reason_name(reason)));
                say(format_args!(
                    "{}: revoked at {}{reason}",
                    show(&self.file),
                    time::show_seconds(date)
                ));
                Answer::No
            }
            _ => {
                print("unknown\n")?;
                Answer::No
            }
        })
    }
}
