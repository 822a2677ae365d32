//! `kuaimi cert issue`.

use std::path::{Path, PathBuf};

use clap::Args;
use getrandom::SysRng;
use kuaimi_pki::certificate::CertificateBuilder;
use kuaimi_pki::extensions::Extensions;
use kuaimi_pki::external::x509_cert::ext::pkix::SubjectAltName;
use kuaimi_pki::{Request, name};

use super::arguments::{For, FormArgs, IdentityArgs, NameArgs};
use super::authority::AuthorityArgs;
use super::time::ValidityArgs;
use super::{failed, unusable};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{OutputArgs, Secrecy};
use crate::say::{say, show};

/// Issue a certificate for a request.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert issue --ca ca.crt --ca-key ca.pem --days 365 --out leaf.crt leaf.csr
  kuaimi cert issue --ca-folder ca --for server --out www.crt www.csr
  kuaimi cert issue --ca-folder ca --for ca --path-len 0 --out sub.crt sub.csr

The request's signature is verified. Of what the request asks for, the subject and the host names,
addresses and mail addresses are taken over: look at them first (`kuaimi cert show leaf.csr`), or
give others with --subject, --dns, --ip and --email. What the certificate is for, --for alone says.")]
pub struct Issue {
    #[command(flatten)]
    authority: AuthorityArgs,
    #[command(flatten)]
    how: HowArgs,
    /// What the certificate is for.
    #[arg(long = "for", value_enum, default_value_t = For::General, value_name = "PURPOSE")]
    purpose: For,
    /// The maximum number of authorities below this one, with --for ca.
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    form: FormArgs,
    /// The request, in PEM or DER; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

/// How certificates are issued for a request.
#[derive(Args, Debug, Clone)]
pub struct HowArgs {
    #[command(flatten)]
    pub validity: ValidityArgs,
    /// The name, in place of that in the request.
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    #[command(flatten)]
    names: NameArgs,
    /// Where the authority's CRL is found (http://…); repeatable.
    #[arg(long, value_name = "URI")]
    crl_uri: Vec<String>,
    /// Where the authority's OCSP responder is found (http://…); repeatable.
    #[arg(long, value_name = "URI")]
    ocsp_uri: Vec<String>,
    #[command(flatten)]
    identity: IdentityArgs,
}

impl HowArgs {
    /// The request in a file, whose signature is verified.
    pub fn request(&self, file: &Path) -> Result<Request> {
        let content = input::read_all(file, input::SMALL)?;
        let request = Request::read(&content).map_err(|error| failed(show(file), &error))?;
        request
            .verify(self.identity.identities())
            .map_err(|_| {
                Failure::refused(
                    show(file),
                    "the request is not signed with its own key: it was altered, or signed under the empty identity (--empty-identity)",
                )
            })?;
        Ok(request)
    }

    /// A certificate for the request.
    pub fn builder(&self, file: &Path, request: &Request) -> Result<CertificateBuilder> {
        let subject = match &self.subject {
            Some(subject) => name::parse(subject)
                .map_err(|error| Failure::usage(format!("--subject: {error}")))?,
            None => request.subject().clone(),
        };
        let key = request
            .public_key()
            .sm2()
            .map_err(|error| failed(show(file), &error))?;
        let asked = request
            .extensions()
            .map_err(|error| failed(show(file), &error))?;
        let validity = self.validity.validity()?;
        let mut builder = CertificateBuilder::new(subject, key.public_key(), validity)
            .random_serial(&mut SysRng)
            .map_err(unusable)?;
        self.extend(file, &asked, builder.extensions())?;
        Ok(builder)
    }

    fn extend(&self, file: &Path, asked: &Extensions, extensions: &mut Extensions) -> Result<()> {
        if self.names.is_empty() {
            let names = asked
                .get::<SubjectAltName>()
                .map_err(|error| failed(show(file), &error))?;
            for name in names.map_or(Vec::new(), |names| names.0) {
                extensions.alternative_name(name).map_err(unusable)?;
            }
        } else {
            self.names.add(extensions)?;
        }
        let others = asked
            .iter()
            .filter(|extension| extension.extn_id.to_string() != "2.5.29.17")
            .count();
        if others > 0 {
            say(format_args!(
                "{}: asks for {others} other extensions, which are not taken over; --for says what the certificate is for",
                show(file)
            ));
        }
        for uri in &self.crl_uri {
            extensions.crl_at(uri).map_err(unusable)?;
        }
        for uri in &self.ocsp_uri {
            extensions.ocsp_at(uri).map_err(unusable)?;
        }
        Ok(())
    }
}

impl Issue {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        let purpose = self.purpose.purpose(self.path_len)?;
        let request = self.how.request(&self.file)?;
        let builder = self
            .how
            .builder(&self.file, &request)?
            .purpose(purpose)
            .map_err(unusable)?;
        let authority = self.authority.open(context)?;
        authority.check_dates(self.how.validity.validity()?)?;
        let certificate = builder
            .sign(&authority.certificate, &authority.key)
            .map_err(unusable)?;
        // Remembered first: what somebody has, the authority knows of.
        authority.remember(&certificate)?;
        self.form
            .write(&target, || certificate.to_pem(), certificate.as_der())?;
        Ok(Answer::Yes)
    }
}
