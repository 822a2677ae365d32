//! Certificates, keys and passwords from files.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use kuaimi::encoding::{self, FileKind, PrivateKeyFile};
use kuaimi::sm2::PrivateKey;
use kuaimi_pki::Certificate;
use kuaimi_pki::pkcs12::Pkcs12;
use zeroize::Zeroizing;

use crate::Error;
use crate::config::KeyFiles;

/// A password, which is wiped when it is dropped.
pub type Password = Zeroizing<Vec<u8>>;

/// Keys and certificates are smaller than this.
const MAX_FILE: u64 = 4 << 20;

type Ask = dyn Fn(&Path) -> Result<Password, String> + Send + Sync;

/// Where passwords come from that the configuration gives no source for. One that somebody was
/// asked for is kept in memory, so that a reload can open the same file again.
#[derive(Clone, Default)]
pub struct Passwords(Option<Arc<Asking>>);

struct Asking {
    ask: Box<Ask>,
    /// Whether nobody is there any more to be asked.
    alone: AtomicBool,
    known: Mutex<HashMap<PathBuf, Password>>,
}

impl Passwords {
    /// Asks by this function, which is given the file that the password opens.
    pub fn ask(ask: impl Fn(&Path) -> Result<Password, String> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(Asking {
            ask: Box::new(ask),
            alone: AtomicBool::new(false),
            known: Mutex::default(),
        })))
    }

    /// The password of `file`.
    fn of(&self, file: &Path, keys: &KeyFiles<'_>) -> Result<Password, Error> {
        let missing = |what: String| Error::Password(file.to_owned(), what);
        if let Some(variable) = keys.password_env {
            return match std::env::var_os(variable) {
                Some(value) => Ok(Zeroizing::new(value.into_encoded_bytes())),
                None => Err(missing(format!(
                    "its password is said to be in the environment variable {}, which is not there",
                    variable.escape_debug()
                ))),
            };
        }
        if let Some(source) = keys.password_file {
            let content = read(source)?;
            let line = content.split(|&byte| byte == b'\n').next().unwrap_or(&[]);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            return match line.is_empty() {
                true => Err(Error::file(
                    source,
                    "the first line is empty; put the password there",
                )),
                false => Ok(Zeroizing::new(line.to_vec())),
            };
        }
        let Some(asking) = &self.0 else {
            let advice = "is under a password; give password_env or password_file";
            return Err(missing(advice.to_owned()));
        };
        // Locked meanwhile: one question at a time.
        let mut known = asking.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(password) = known.get(file) {
            return Ok(password.clone());
        }
        if asking.alone.load(Relaxed) {
            let what = "is under a password that was not asked for at the start";
            return Err(missing(what.to_owned()));
        }
        let password = (asking.ask)(file).map_err(missing)?;
        known.insert(file.to_owned(), password.clone());
        Ok(password)
    }

    /// From now on only what is known already is used.
    pub(crate) fn ask_no_more(&self) {
        if let Some(asking) = &self.0 {
            asking.alone.store(true, Relaxed);
        }
    }

    /// Forgets a password that did not open `file`, so that somebody is asked again. Once nobody is
    /// there, the one of the file that was there before is kept.
    fn forget(&self, file: &Path) {
        if let Some(asking) = &self.0
            && !asking.alone.load(Relaxed)
        {
            let mut known = asking.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.remove(file);
        }
    }
}

impl core::fmt::Debug for Passwords {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Passwords").finish_non_exhaustive()
    }
}

/// The content of a small file; wiped when dropped, as it may be a key.
pub(crate) fn read(path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
    let failed = |error| Error::file(path, format_args!("cannot read: {error}"));
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > MAX_FILE {
        return Err(Error::file(path, "is too large for a key or certificates"));
    }
    // With the right size from the start, growing leaves no copy of a secret behind.
    let mut content = Zeroizing::new(Vec::with_capacity(length as usize + 64));
    let count = file.take(MAX_FILE + 1).read_to_end(&mut content);
    match count.map_err(failed)? {
        count if count as u64 > MAX_FILE => {
            Err(Error::file(path, "is too large for a key or certificates"))
        }
        _ => Ok(content),
    }
}

/// The certificates in a file: at least one.
pub(crate) fn certificates(path: &Path) -> Result<Vec<Certificate>, Error> {
    let all = Certificate::read_all(&read(path)?).map_err(|error| Error::file(path, error))?;
    match all.is_empty() {
        true => Err(Error::file(path, "has no certificate")),
        false => Ok(all),
    }
}

/// A private key with its certificate, and those of its authorities.
pub(crate) struct Holder {
    pub(crate) key: PrivateKey,
    pub(crate) chain: Vec<Certificate>,
    /// The certificate's file, for errors.
    pub(crate) file: PathBuf,
}

/// What one side has: who it is.
#[derive(Default)]
pub(crate) struct Own {
    /// That signs: for TLCP and for TLS 1.3.
    pub(crate) signing: Option<Holder>,
    /// That receives keys: for TLCP.
    pub(crate) encrypting: Option<Holder>,
}

impl Own {
    /// Reads the files of one side.
    pub(crate) fn read(keys: &KeyFiles<'_>, passwords: &Passwords) -> Result<Self, Error> {
        let mut own = Self::default();
        match (keys.cert, keys.key) {
            (Some(cert), Some(key)) => {
                own.signing = Some(holder(cert, key, keys, passwords)?);
            }
            (None, Some(store)) => own = store_of(store, keys, passwords)?,
            _ => {}
        }
        if let (Some(cert), Some(key)) = (keys.enc_cert, keys.enc_key) {
            own.encrypting = Some(holder(cert, key, keys, passwords)?);
        }
        Ok(own)
    }
}

fn holder(
    certificate: &Path,
    key: &Path,
    keys: &KeyFiles<'_>,
    passwords: &Passwords,
) -> Result<Holder, Error> {
    let chain = certificates(certificate)?;
    let key_file = key;
    let key = private_key(key_file, keys, passwords)?;
    let is_mine = |one: &Certificate| {
        let found = one.public_key().sm2();
        found.is_ok_and(|found| found.public_key() == key.public_key())
    };
    let wrong = |what: String| Error::file(certificate, what);
    match chain.iter().position(is_mine) {
        Some(0) => Ok(Holder {
            key,
            chain,
            file: certificate.to_owned(),
        }),
        Some(place) => Err(wrong(format!(
            "the key belongs to certificate {} of the file, which has to come first",
            place + 1
        ))),
        None if chain[0].public_key().sm2().is_err() => Err(wrong(
            "is no certificate of SM2; an ordinary one is given as tls_cert and tls_key".to_owned(),
        )),
        None => Err(wrong(format!(
            "belongs to another key than that in {}",
            key_file.display().to_string().escape_debug()
        ))),
    }
}

/// An SM2 key in any form, or in PKCS #12.
fn private_key(
    path: &Path,
    keys: &KeyFiles<'_>,
    passwords: &Passwords,
) -> Result<PrivateKey, Error> {
    let content = read(path)?;
    let encrypted = match PrivateKeyFile::open(&content) {
        Ok(PrivateKeyFile::Key(key, _)) => return Ok(key),
        Ok(PrivateKeyFile::Encrypted(encrypted)) => encrypted,
        Err(encoding::Error::Other(FileKind::Pkcs12)) => {
            return Err(Error::file(
                path,
                "is PKCS #12, which has the certificates, too; give it as key alone",
            ));
        }
        Err(error) => return Err(Error::file(path, error)),
    };
    let password = passwords.of(path, keys)?;
    match encrypted.decrypt(&password) {
        Ok((key, _)) => Ok(key),
        Err(error) => {
            passwords.forget(path);
            Err(Error::file(path, error))
        }
    }
}

/// The keys and certificates of a PKCS #12 file: one that signs, and perhaps one that receives
/// keys, told apart by their keyUsage.
fn store_of(path: &Path, keys: &KeyFiles<'_>, passwords: &Passwords) -> Result<Own, Error> {
    use kuaimi_pki::external::x509_cert::ext::pkix::KeyUsage;

    let content = read(path)?;
    if !matches!(
        PrivateKeyFile::open(&content),
        Err(encoding::Error::Other(FileKind::Pkcs12))
    ) {
        return Err(Error::file(
            path,
            "is a key alone; give its certificate as cert",
        ));
    }
    let password = passwords.of(path, keys)?;
    let password = str::from_utf8(&password)
        .map_err(|_| Error::file(path, "the password is not UTF-8 text, which PKCS #12 needs"))?;
    let store = Pkcs12::from_bytes(&content, password).map_err(|error| {
        passwords.forget(path);
        Error::file(path, error)
    })?;
    let mut own = Own::default();
    for identity in store.identities() {
        let (Ok(key), Some(certificate)) = (identity.key.sm2(), identity.certificate) else {
            continue;
        };
        let mut chain = vec![certificate.clone()];
        chain.extend(identity.chain.iter().map(|one| (*one).clone()));
        let usage = certificate.extension::<KeyUsage>();
        let usage = usage.map_err(|error| Error::file(path, error))?;
        let signs =
            usage.is_none_or(|(_, usage)| usage.digital_signature() || usage.non_repudiation());
        let place = match signs {
            true => &mut own.signing,
            false => &mut own.encrypting,
        };
        if place.is_some() {
            let what = "has several keys of one use; take one out with `kuaimi p12 extract`";
            return Err(Error::file(path, what));
        }
        *place = Some(Holder {
            key,
            chain,
            file: path.to_owned(),
        });
    }
    match own.signing {
        Some(_) => Ok(own),
        None => Err(Error::file(
            path,
            "has no signing key of SM2 with its certificate",
        )),
    }
}
