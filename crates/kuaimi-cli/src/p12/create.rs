//! `kuaimi p12 create`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use getrandom::SysRng;
use kuaimi_pki::pkcs12::{Pkcs12, Profile};

use crate::cert::{self, certificates, certificates_in};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{OutputArgs, Secrecy};
use crate::password::PasswordArgs;
use crate::say::show;
use crate::sm2::keys;

/// Put private keys and their certificates into a PKCS #12 file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi p12 create --cert leaf.crt --key leaf.pem --ca ca.crt --out leaf.p12     asks for a password
  kuaimi p12 create --cert leaf.crt --key leaf.pem --password-env PW --out leaf.p12
  kuaimi p12 create --cert sign.crt --key sign.pem --cert encrypt.crt --key encrypt.pem --out pair.p12
  openssl pkcs12 -in leaf.p12 -nodes

--key and --cert may be given twice, for a signing and an encrypting pair: the first key is of the
first certificate. The keys themselves are read without a password here, or with that of
--key-password-file or --key-password-env.")]
pub struct Create {
    /// The certificate of the key; repeatable.
    #[arg(long, value_name = "FILE", required = true)]
    cert: Vec<PathBuf>,
    /// The private key; repeatable.
    #[arg(long, short, value_name = "FILE", required = true)]
    key: Vec<PathBuf>,
    /// Certificates of authorities to put in, too; repeatable.
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// The name that people are shown.
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// Which programs should open the file.
    #[arg(long = "for", value_enum, default_value_t = For::Compatible, value_name = "PROGRAMS")]
    programs: For,
    /// Read the private key's own password from the first line of FILE.
    #[arg(long, value_name = "FILE", conflicts_with = "key_password_env")]
    key_password_file: Option<PathBuf>,
    /// Read the private key's own password from the environment variable VAR.
    #[arg(long, value_name = "VAR")]
    key_password_env: Option<String>,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum For {
    /// OpenSSL 1.1.1 and newer, Java, .NET: AES-256-CBC and HMAC-SHA-256.
    Compatible,
    /// ShangMi's own, as gmsm opens it: SM4-CBC and HMAC-SM3, PBMAC1.
    Sm,
    /// ShangMi's own, as OpenSSL 4.0 and Tongsuo open it.
    SmOpenssl,
    /// Old programs: triple DES and SHA-1, which are weak.
    Legacy,
}

impl From<For> for Profile {
    fn from(programs: For) -> Self {
        match programs {
            For::Compatible => Self::Compatible,
            For::Sm => Self::ShangMi,
            For::SmOpenssl => Self::ShangMiOpenssl,
            For::Legacy => Self::Legacy,
        }
    }
}

impl Create {
    pub fn run(self, context: Context) -> Result<Answer> {
        if self.cert.len() != self.key.len() {
            return Err(Failure::usage(
                "--cert and --key: give as many certificates as keys, in the same order",
            ));
        }
        let target = self.output.target(Secrecy::Secret);
        target.check()?;
        let own = PasswordArgs {
            password_file: self.key_password_file.clone(),
            password_env: self.key_password_env.clone(),
        };
        let mut file = Pkcs12::new();
        let mut chain = Vec::new();
        for (key, cert) in self.key.iter().zip(&self.cert) {
            let (private, form) = keys::private(key, &own)?;
            context.note(format_args!("{}: private key, {form}", show(key)));
            let mut all = certificates(cert)?.into_iter();
            let certificate = all
                .next()
                .ok_or_else(|| Failure::file(show(cert), "has no certificate"))?;
            file.push_identity(&private, &certificate, self.name.as_deref())
                .map_err(|_| {
                    Failure::usage(format!(
                        "{} and {}: the certificate is of another key; give the pairs in the same order",
                        show(cert),
                        show(key)
                    ))
                })?;
            chain.extend(all);
        }
        chain.extend(certificates_in(&self.ca)?);
        for certificate in &chain {
            if !file.certificates().any(|old| old == certificate) {
                file.push_certificate(certificate);
            }
        }
        let password = self.password.to_protect(&target.name())?;
        let password = std::str::from_utf8(&password).map_err(|_| {
            Failure::usage("the password is not UTF-8 text, which PKCS #12 needs; give another")
        })?;
        let der = file
            .to_der(password, Profile::from(self.programs), &mut SysRng)
            .map_err(|error| cert::failed(target.name(), &error))?;
        target.write(&der)?;
        Ok(Answer::Yes)
    }
}
