//! `kuaimi cert self-sign`.

use std::path::PathBuf;

use clap::Args;
use getrandom::SysRng;
use kuaimi_pki::certificate::CertificateBuilder;

use super::arguments::{For, FormArgs, SubjectArgs, own_key};
use super::authority::Folder;
use super::time::ValidityArgs;
use super::unusable;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{OutputArgs, Secrecy, Target};
use crate::password::PasswordArgs;

/// Make a certificate that is signed with its own key, such as that of an authority.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi cert self-sign --ca --key ca.pem --subject 'CN=Root,O=Example,C=CN' --days 3650 --out ca.crt
  kuaimi cert self-sign --ca --ca-folder ca --subject 'CN=Root' --days 3650
  kuaimi cert self-sign --key test.pem --subject CN=localhost --dns localhost --for server --out test.crt

--ca-folder makes a folder with ca.pem (the private key), ca.crt and what is issued later.")]
pub struct SelfSign {
    #[command(flatten)]
    subject: SubjectArgs,
    /// Make an authority, which can issue certificates: the same as --for ca.
    #[arg(long, conflicts_with = "purpose")]
    ca: bool,
    /// What the certificate is for.
    #[arg(long = "for", value_enum, default_value_t = For::General, value_name = "PURPOSE")]
    purpose: For,
    /// The maximum number of authorities below this one.
    #[arg(long, value_name = "N")]
    path_len: Option<u8>,
    #[command(flatten)]
    validity: ValidityArgs,
    /// The private key. If there is no such file, a new key is made and written there.
    #[arg(
        long,
        short,
        value_name = "FILE",
        required_unless_present = "ca_folder"
    )]
    key: Option<PathBuf>,
    /// Make a folder for the authority, with its key and its certificate.
    #[arg(long, value_name = "DIR", requires = "ca", conflicts_with_all = ["key", "out"])]
    ca_folder: Option<PathBuf>,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    form: FormArgs,
}

impl SelfSign {
    pub fn run(self, context: Context) -> Result<Answer> {
        let subject = self.subject.subject()?;
        let validity = self.validity.validity()?;
        let purpose = if self.ca { For::Ca } else { self.purpose };
        let purpose = purpose.purpose(self.path_len)?;
        let (target, key) = match (&self.ca_folder, &self.key) {
            (Some(folder), _) => {
                let key = Folder::make(folder, &self.password, context)?;
                let path = folder.join("ca.crt");
                (Target::new(Some(&path), false, Secrecy::Public), key)
            }
            (None, Some(key)) => {
                let target = self.output.target(Secrecy::Public);
                target.check()?;
                (target, own_key(key, &self.password, context)?)
            }
            (None, None) => return Err(Failure::usage("--key: give the private key")),
        };
        let mut builder = CertificateBuilder::new(subject, key.public_key(), validity)
            .purpose(purpose)
            .and_then(|builder| builder.random_serial(&mut SysRng))
            .map_err(unusable)?;
        self.subject.names.add(builder.extensions())?;
        let certificate = builder.self_sign(&key).map_err(unusable)?;
        self.form
            .write(&target, || certificate.to_pem(), certificate.as_der())?;
        Ok(Answer::Yes)
    }
}
