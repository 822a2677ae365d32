//! Who issues: a certificate with its private key, and a folder that remembers what was issued.
//!
//! | in the folder | what |
//! | --- | --- |
//! | `ca.crt`, `ca.pem` | the authority's certificate and private key |
//! | `issued/SERIAL.crt` | each certificate that was issued, named by its serial number in hexadecimal |
//! | `revoked/SERIAL` | for each certificate that was revoked, when and why: `2026-11-26T12:00:00Z keyCompromise` |
//! | `ca.crl` | the last list of revoked certificates |
//!
//! Each fact is a file of its own, which appears whole or not at all and is never changed. So two
//! programs at the same time cannot disturb each other, and a crash leaves nothing half done: the
//! list is made of the files in `revoked`, and its number is one more than that of the last list.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use kuaimi::sm2::SigningKey;
use kuaimi_pki::Certificate;
use kuaimi_pki::certificate::Validity;
use kuaimi_pki::crl::Crl;
use kuaimi_pki::external::der::DateTime;
use kuaimi_pki::external::x509_cert::ext::pkix::{BasicConstraints, CrlReason};
use kuaimi_pki::public_key::Identities;

use super::arguments::{certificate, own_key};
use super::{failed, time};
use crate::context::Context;
use crate::failure::{Failure, Result, reason};
use crate::input::{self, unreadable};
use crate::output::{Secrecy, Target};
use crate::password::PasswordArgs;
use crate::say::{say, show};
use crate::sm2::keys;
use crate::text::{digits, hex};

/// The options for the authority.
#[derive(Args, Debug, Clone)]
pub struct AuthorityArgs {
    /// The authority's certificate.
    #[arg(long, value_name = "FILE", required_unless_present = "ca_folder")]
    ca: Option<PathBuf>,
    /// The authority's private key.
    #[arg(long, value_name = "FILE", required_unless_present = "ca_folder")]
    ca_key: Option<PathBuf>,
    /// The authority's folder, with its certificate, its key and what it issued.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["ca", "ca_key"])]
    ca_folder: Option<PathBuf>,
    #[command(flatten)]
    password: PasswordArgs,
}

/// An authority that can sign.
pub struct Authority {
    pub certificate: Certificate,
    pub key: SigningKey,
    pub folder: Option<Folder>,
    name: String,
}

impl AuthorityArgs {
    pub fn has_folder(&self) -> bool {
        self.ca_folder.is_some()
    }

    pub fn open(&self, context: Context) -> Result<Authority> {
        let folder = self.ca_folder.as_deref().map(Folder::open).transpose()?;
        let in_folder = |file: &str| folder.as_ref().map(|folder| folder.path.join(file));
        let missing = || Failure::usage("--ca and --ca-key, or --ca-folder: give the authority");
        let ca = self.ca.clone().or_else(|| in_folder("ca.crt"));
        let key = self.ca_key.clone().or_else(|| in_folder("ca.pem"));
        let (ca, key) = (ca.ok_or_else(missing)?, key.ok_or_else(missing)?);
        let certificate = certificate(&ca)?;
        let (private, form) = keys::private(&key, &self.password)?;
        context.note(format_args!("{}: private key, {form}", show(&key)));
        let own = certificate
            .public_key()
            .sm2()
            .map_err(|error| failed(show(&ca), &error))?;
        if own.public_key() != private.public_key() {
            return Err(Failure::usage(format!(
                "{} and {}: the private key does not belong to the certificate; give the one that does",
                show(&ca),
                show(&key)
            )));
        }
        let constraints = certificate
            .extension::<BasicConstraints>()
            .map_err(|error| failed(show(&ca), &error))?;
        if !constraints.is_some_and(|(_, constraints)| constraints.ca) {
            return Err(Failure::file(
                show(&ca),
                "is no authority's certificate (no CA in its basic constraints); make one with `kuaimi cert self-sign --ca`",
            ));
        }
        Ok(Authority {
            certificate,
            key: SigningKey::new(private),
            folder,
            name: show(&ca),
        })
    }
}

impl Authority {
    /// Says what the holder of the certificate should know of its dates.
    pub fn check_dates(&self, validity: Validity) -> Result<()> {
        let own = self.certificate.fields().validity();
        let ends = own.not_after.to_date_time();
        if ends < time::now()? {
            return Err(Failure::file(
                &self.name,
                format_args!(
                    "expired at {}, so nobody would accept what it issues; renew it first",
                    time::show(ends)
                ),
            ));
        }
        if validity.not_after > ends {
            say(format_args!(
                "{}: ends at {}, before the new certificate",
                self.name,
                time::show(ends)
            ));
        }
        Ok(())
    }

    /// The list of revoked certificates in a file, which this authority signed.
    pub fn list(&self, path: &Path) -> Result<Crl> {
        let content = input::read_all(path, 1 << 30)?;
        let list = Crl::read_all(&content)
            .map_err(|error| failed(show(path), &error))?
            .swap_remove(0);
        let key = self.certificate.public_key();
        list.verify_signature(key, Identities::DefaultOrEmpty)
            .map_err(|_| Failure::refused(show(path), "is no list of this authority"))?;
        Ok(list)
    }

    /// Remembers what was issued, if there is a folder.
    pub fn remember(&self, issued: &Certificate) -> Result<()> {
        match &self.folder {
            Some(folder) => folder.remember(issued),
            None => Ok(()),
        }
    }
}

/// A certificate that was revoked.
pub struct Revoked {
    pub serial: Vec<u8>,
    pub date: DateTime,
    pub reason: CrlReason,
}

/// The reasons, in the standard's words (RFC 5280, clause 5.3.1).
const REASONS: [(CrlReason, &str); 7] = [
    (CrlReason::Unspecified, "unspecified"),
    (CrlReason::KeyCompromise, "keyCompromise"),
    (CrlReason::CaCompromise, "cACompromise"),
    (CrlReason::AffiliationChanged, "affiliationChanged"),
    (CrlReason::Superseded, "superseded"),
    (CrlReason::CessationOfOperation, "cessationOfOperation"),
    (CrlReason::CertificateHold, "certificateHold"),
];

/// The standard's word for a reason.
pub fn reason_name(reason: CrlReason) -> &'static str {
    let found = REASONS.iter().find(|(one, _)| *one == reason);
    found.map_or("another reason", |(_, name)| name)
}

/// An authority's folder.
pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    /// The folder `path`, which an authority made.
    pub fn open(path: &Path) -> Result<Self> {
        if !path.join("ca.crt").is_file() {
            return Err(Failure::file(
                show(path),
                "is no folder of an authority: it has no ca.crt; make one with `kuaimi cert self-sign --ca --ca-folder`",
            ));
        }
        Ok(Self {
            path: path.to_owned(),
        })
    }

    /// Makes the folder, if it is not there, and gives the name of its certificate and its key.
    pub fn make(path: &Path, password: &PasswordArgs, context: Context) -> Result<SigningKey> {
        let cannot = |path: &Path, error: io::Error| {
            Failure::file(
                show(path),
                format_args!("cannot make the directory: {}", reason(&error)),
            )
        };
        if path.join("ca.crt").exists() {
            return Err(Failure::file(
                show(path),
                "has an authority already; give another name",
            ));
        }
        for folder in [path, &path.join("issued"), &path.join("revoked")] {
            fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
        }
        own_key(&path.join("ca.pem"), password, context)
    }

    /// Writes a certificate that was issued.
    pub fn remember(&self, issued: &Certificate) -> Result<()> {
        let name = format!("{}.crt", hex(issued.serial()));
        let path = self.path.join("issued").join(name);
        Target::new(Some(&path), false, Secrecy::Public).write(issued.to_pem().as_bytes())
    }

    /// Whether a certificate with this serial number was issued.
    pub fn issued(&self, serial: &[u8]) -> bool {
        let name = format!("{}.crt", hex(serial));
        self.path.join("issued").join(name).is_file()
    }

    /// Remembers that a certificate is revoked. It stays as it was revoked first.
    pub fn revoke(&self, revoked: &Revoked) -> Result<()> {
        let path = self.path.join("revoked").join(hex(&revoked.serial));
        if path.is_file() {
            return Ok(());
        }
        let line = format!("{} {}\n", revoked.date, reason_name(revoked.reason));
        let target = Target::new(Some(&path), false, Secrecy::Public);
        match target.write(line.as_bytes()) {
            // Another program was faster.
            Err(_) if path.is_file() => Ok(()),
            result => result,
        }
    }

    /// When and why a certificate was revoked, if it was.
    pub fn is_revoked(&self, serial: &[u8]) -> Result<Option<Revoked>> {
        let path = self.path.join("revoked").join(hex(serial));
        match fs::read_to_string(&path) {
            Ok(line) => read_revoked(&path, serial, &line).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(&path, &error)),
        }
    }

    /// All certificates that are revoked, in the order of their serial numbers.
    pub fn revoked(&self) -> Result<Vec<Revoked>> {
        let folder = self.path.join("revoked");
        let mut all = Vec::new();
        for entry in fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))? {
            let name = entry
                .map_err(|error| unreadable(&folder, &error))?
                .file_name();
            // What else is there, such as what a program that was killed left, is no fact.
            let Some(serial) = name.to_str().and_then(digits) else {
                continue;
            };
            all.extend(self.is_revoked(&serial)?);
        }
        all.sort_by(|one, other| one.serial.cmp(&other.serial));
        Ok(all)
    }

    /// The last list.
    pub fn list(&self) -> Result<Option<Crl>> {
        let path = self.path.join("ca.crl");
        match fs::read(&path) {
            Ok(content) => {
                let mut all =
                    Crl::read_all(&content).map_err(|error| failed(show(&path), &error))?;
                Ok(Some(all.swap_remove(0)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(&path, &error)),
        }
    }

    /// Waits until no other program makes a list. The lock ends with the file, or the program.
    pub fn lock(&self) -> Result<fs::File> {
        let path = self.path.join("lock");
        let opened = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        opened
            .and_then(|file| file.lock().map(|()| file))
            .map_err(|error| {
                Failure::file(show(&path), format_args!("cannot lock: {}", reason(&error)))
            })
    }
}

fn read_revoked(path: &Path, serial: &[u8], line: &str) -> Result<Revoked> {
    let parsed = line.trim().split_once(' ').and_then(|(date, reason)| {
        let (reason, _) = REASONS.iter().find(|(_, name)| *name == reason)?;
        Some((date.parse().ok()?, *reason))
    });
    let (date, reason) = parsed.ok_or_else(|| {
        Failure::file(
            show(path),
            "is no time and reason, such as 2026-11-26T12:00:00Z keyCompromise; write it so",
        )
    })?;
    Ok(Revoked {
        serial: serial.to_vec(),
        date,
        reason,
    })
}
