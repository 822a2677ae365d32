//! `kuaimi sm9 extract`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;
use kuaimi::Threads;
use kuaimi::sm9::{Error, HID_EXCHANGE, Identity};
use zeroize::Zeroizing;

use super::file_name;
use super::identity::{self, HidArgs};
use super::keys::{self, KeyArgs, Master};
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::key_file::WriteArgs;
use crate::output::{OutputArgs, Secrecy, Target};
use crate::password::PasswordArgs;
use crate::progress::Progress;
use crate::say::show;

/// Make a user's key, or those of many users, from a master key.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("The master key, as `setup` made it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Examples:
  kuaimi sm9 extract --key sign.pem --id alice@example.com --out alice-sign.pem
  kuaimi sm9 extract --key enc.pem --id bob --out bob-enc.pem --encrypt --cipher sm4
  kuaimi sm9 extract --key enc.pem --id bob --for-exchange --out bob-exchange.pem
  kuaimi sm9 extract --key sign.pem --ids staff.txt --out-dir keys

Whether the key signs or decrypts depends on the master key. --ids reads one identity from each
line and writes a file for each: its name is the identity, with every character that is unsafe in a
file name as % and two hexadecimal digits. Key files have mode 0600; give each user only their own,
over a confidential channel.")]
pub struct Extract {
    #[command(flatten)]
    key: KeyArgs,
    /// The user's identity, as text: a mail address, a number, a name. Every character counts.
    #[arg(long, value_name = "ID", conflicts_with_all = ["id_hex", "ids"], required_unless_present_any = ["id_hex", "ids"])]
    id: Option<String>,
    /// The same, as bytes in hexadecimal.
    #[arg(long, value_name = "HEX", conflicts_with = "ids")]
    id_hex: Option<String>,
    /// Make a key for each line of FILE.
    #[arg(long, value_name = "FILE", requires = "out_dir")]
    ids: Option<PathBuf>,
    /// Where the key files go, with --ids: a directory, which is created if it does not exist.
    #[arg(long, value_name = "DIR", requires = "ids", conflicts_with = "out")]
    out_dir: Option<PathBuf>,
    #[command(flatten)]
    hid: HidArgs,
    /// Make a key for key exchange in place of encryption: the same as --hid 2.
    #[arg(long, conflicts_with = "hid")]
    for_exchange: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    write: WriteArgs,
    /// Read the password for the new keys from the first line of FILE (--password-file opens the
    /// master key).
    #[arg(long, value_name = "FILE", requires = "encrypt")]
    new_password_file: Option<PathBuf>,
}

/// Keys made at a time, which share what can be shared.
const AT_ONCE: usize = 256;

/// The most that a list may have.
const LONGEST_LIST: u64 = 1 << 30;

impl Extract {
    pub fn run(self, context: Context) -> Result<Answer> {
        match (&self.ids, &self.out_dir) {
            (Some(list), Some(directory)) => self.many(list, directory, context),
            _ => self.one(context),
        }
    }

    fn one(&self, context: Context) -> Result<Answer> {
        let target = self.output.target(Secrecy::Secret);
        target.check()?;
        let id = identity::bytes("--id", self.id.as_deref(), self.id_hex.as_deref())?;
        let master = self.master(context)?;
        let password = self.new_password(&target.name())?;
        let mut files = self.files(&master, &[self.identity(&id)], &password);
        let file = files
            .pop()
            .ok_or_else(|| Failure::usage("no key was made"))?;
        target.write(&file.map_err(|error| refused(&id, &error))?)?;
        context.note(format_args!(
            "{}: the key of {}",
            target.name(),
            identity::show(&id)
        ));
        Ok(Answer::Yes)
    }

    fn many(&self, list: &Path, directory: &Path, context: Context) -> Result<Answer> {
        input::stdin_once(&[("--key", &self.key.key), ("--ids", list)])?;
        let content = input::read_all(list, LONGEST_LIST)?;
        let users = users(list, &content)?;
        let master = self.master(context)?;
        std::fs::create_dir_all(directory).map_err(|error| {
            if directory.is_file() {
                return Failure::file(show(directory), "is a file; give a directory");
            }
            Failure::file(
                show(directory),
                format_args!("cannot be made: {}", crate::failure::reason(&error)),
            )
        })?;
        let extension = if self.write.der { "der" } else { "pem" };
        let targets: Vec<Target> = users
            .iter()
            .map(|(_, name)| {
                let path = directory.join(format!("{name}.{extension}"));
                Target::new(Some(&path), self.output.force, Secrecy::Secret)
            })
            .collect();
        // Nothing is written where something would be in the way in the end.
        for target in &targets {
            target.check()?;
        }
        let password = self.new_password("the new keys")?;
        let progress = Progress::counting("extracting", users.len());
        for (users, targets) in users.chunks(AT_ONCE).zip(targets.chunks(AT_ONCE)) {
            let identities: Vec<Identity<'_>> =
                users.iter().map(|(id, _)| self.identity(id)).collect();
            // An encrypted key takes a while: one at a time, so that the bar moves.
            let at_once = if self.write.encrypt { 1 } else { AT_ONCE };
            let made = identities
                .chunks(at_once)
                .flat_map(|identities| self.files(&master, identities, &password));
            for ((target, (id, _)), file) in targets.iter().zip(users).zip(made) {
                target.write(&file.map_err(|error| refused(id, &error))?)?;
                progress.advance();
            }
        }
        drop(progress);
        context.note(format_args!("{}: {} keys", show(directory), users.len()));
        Ok(Answer::Yes)
    }

    fn master(&self, context: Context) -> Result<Master> {
        let master = self.key.master(context)?;
        if self.for_exchange && matches!(master, Master::Signing(_)) {
            return Err(Failure::usage(
                "--for-exchange: keys for exchange are made of the encryption master key; give that as --key",
            ));
        }
        Ok(master)
    }

    fn identity<'a>(&self, id: &'a [u8]) -> Identity<'a> {
        let identity = identity::with_hid(id, self.hid);
        match self.for_exchange {
            true => identity.with_hid(HID_EXCHANGE),
            false => identity,
        }
    }

    /// The password for what is written.
    fn new_password(&self, name: &str) -> Result<Zeroizing<Vec<u8>>> {
        if !self.write.encrypt {
            return Ok(Zeroizing::default());
        }
        let from = PasswordArgs {
            password_file: self.new_password_file.clone(),
            password_env: None,
        };
        from.to_protect_by(name, "--new-password-file")
    }

    /// The files of many users' keys.
    fn files(
        &self,
        master: &Master,
        identities: &[Identity<'_>],
        password: &[u8],
    ) -> Vec<Result<Zeroizing<Vec<u8>>, Unmade>> {
        let write = &self.write;
        match master {
            Master::Signing(master) => master
                .extract_batch(identities, Threads::Pool)
                .iter()
                .map(|key| Ok(keys::file_of_signing(made(key)?, write, password)?))
                .collect(),
            Master::Encryption(master) if self.for_exchange => master
                .extract_exchange_batch(identities, Threads::Pool)
                .iter()
                .map(|key| Ok(keys::file_of_exchange(made(key)?, write, password)?))
                .collect(),
            Master::Encryption(master) => master
                .extract_batch(identities, Threads::Pool)
                .iter()
                .map(|key| Ok(keys::file_of_decryption(made(key)?, write, password)?))
                .collect(),
        }
    }
}

/// By reference: a key that is moved out of the batch's results leaves a copy in their memory.
fn made<K>(key: &Result<K, Error>) -> Result<&K, Error> {
    key.as_ref().map_err(|error| *error)
}

/// Why there is no key file.
enum Unmade {
    Key(Error),
    File(Failure),
}

impl From<Error> for Unmade {
    fn from(error: Error) -> Self {
        Self::Key(error)
    }
}

impl From<Failure> for Unmade {
    fn from(failure: Failure) -> Self {
        Self::File(failure)
    }
}

fn refused(id: &[u8], error: &Unmade) -> Failure {
    match error {
        Unmade::Key(error) => Failure::file(identity::show(id), error),
        Unmade::File(failure) => Failure::file(identity::show(id), failure),
    }
}

/// The identities in a list, and their files' names.
fn users<'a>(list: &Path, content: &'a [u8]) -> Result<Vec<(&'a [u8], String)>> {
    let mut users = Vec::new();
    let mut lines: HashMap<String, usize> = HashMap::new();
    // What some editors put in front of a text.
    let content = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    for (line, id) in content.split(|&byte| byte == b'\n').enumerate() {
        let id = id.strip_suffix(b"\r").unwrap_or(id);
        if id.is_empty() {
            continue;
        }
        if id.trim_ascii() != id {
            return Err(Failure::file(
                show(list),
                format_args!(
                    "line {}: there is white space around {}, and every letter counts; remove it",
                    line + 1,
                    identity::show(id)
                ),
            ));
        }
        let name = file_name::for_identity(id);
        // Some file systems take capital and small letters for the same.
        if let Some(before) = lines.insert(name.to_lowercase(), line) {
            return Err(Failure::file(
                show(list),
                format_args!(
                    "line {}: {} has the same file name as line {}; remove one of the two, or make two lists",
                    line + 1,
                    identity::show(id),
                    before + 1
                ),
            ));
        }
        users.push((id, name));
    }
    if users.is_empty() {
        return Err(Failure::file(
            show(list),
            "has no identity in it; put one on each line",
        ));
    }
    Ok(users)
}
