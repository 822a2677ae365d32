//! `kuaimi cert renew`.

use std::path::PathBuf;

use clap::Args;
use getrandom::SysRng;
use kuaimi_pki::certificate::CertificateBuilder;
use kuaimi_pki::public_key::Identities;

use super::arguments::{FormArgs, certificate};
use super::authority::AuthorityArgs;
use super::time::ValidityArgs;
use super::{failed, unusable};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{OutputArgs, Secrecy};
use crate::say::show;

/// Issue a certificate again, with new dates and a new serial number.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert renew --ca ca.crt --ca-key ca.pem --days 365 --out new.crt old.crt
  kuaimi cert renew --ca ca.crt --ca-key ca.pem --days 3650 --out new-ca.crt ca.crt

The name, the key and the extensions stay as they are. The old certificate must be this
authority's own, or the authority's certificate itself; it stays valid until it ends or is revoked.")]
pub struct Renew {
    #[command(flatten)]
    authority: AuthorityArgs,
    #[command(flatten)]
    validity: ValidityArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    form: FormArgs,
    /// The certificate, in PEM or DER.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Renew {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        let old = certificate(&self.file)?;
        let authority = self.authority.open(context)?;
        let issuer = &authority.certificate;
        old.verify_signature(issuer.public_key(), Identities::DefaultOrEmpty)
            .map_err(|_| {
                Failure::refused(
                    show(&self.file),
                    "was not issued by this authority; give its issuer's certificate and key",
                )
            })?;
        let key = old
            .public_key()
            .sm2()
            .map_err(|error| failed(show(&self.file), &error))?;
        let validity = self.validity.validity()?;
        let own = old == *issuer;
        if !own {
            authority.check_dates(validity)?;
        }
        let subject = old.fields().subject().clone();
        let mut builder = CertificateBuilder::new(subject, key.public_key(), validity)
            .random_serial(&mut SysRng)
            .map_err(unusable)?;
        for extension in old.fields().extensions().into_iter().flatten() {
            let value = extension.extn_value.as_bytes();
            builder
                .extensions()
                .set_der(extension.extn_id, extension.critical, value)
                .map_err(unusable)?;
        }
        let renewed = match own {
            true => builder.self_sign(&authority.key),
            false => builder.sign(issuer, &authority.key),
        }
        .map_err(unusable)?;
        authority.remember(&renewed)?;
        self.form
            .write(&target, || renewed.to_pem(), renewed.as_der())?;
        Ok(Answer::Yes)
    }
}
