//! Passwords: from a prompt, a file or the environment, never from the arguments, which every user
//! of a machine can read.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;
use zeroize::Zeroizing;

use crate::failure::{Failure, Result, reason};
use crate::input;
use crate::interrupt;
use crate::say::show;

/// Where a password comes from.
#[derive(Args, Debug, Clone, Default)]
pub struct PasswordArgs {
    /// Read the password from the first line of FILE.
    #[arg(long, value_name = "FILE", conflicts_with = "password_env")]
    pub password_file: Option<PathBuf>,
    /// Read the password from the environment variable VAR.
    #[arg(long, value_name = "VAR")]
    pub password_env: Option<String>,
}

pub type Password = Zeroizing<Vec<u8>>;

impl PasswordArgs {
    pub fn is_given(&self) -> bool {
        self.password_file.is_some() || self.password_env.is_some()
    }

    /// The password that opens `name`.
    pub fn to_open(&self, name: &str) -> Result<Password> {
        self.to_open_by(name, OPTIONS)
    }

    /// As [`to_open`](Self::to_open), for a command that has other options for it.
    pub fn to_open_by(&self, name: &str, options: &str) -> Result<Password> {
        match self.given()? {
            Some(password) => Ok(password),
            None => prompt(name, &format!("Password for {name}: "), options),
        }
    }

    /// The password under which `name` is to be encrypted: asked for twice.
    pub fn to_protect(&self, name: &str) -> Result<Password> {
        self.to_protect_by(name, OPTIONS)
    }

    /// As [`to_protect`](Self::to_protect), for a command that has other options for it.
    pub fn to_protect_by(&self, name: &str, options: &str) -> Result<Password> {
        let password = match self.given()? {
            Some(password) => password,
            None => {
                let password = prompt(name, &format!("New password for {name}: "), options)?;
                if *password != *prompt(name, "The same password again: ", options)? {
                    return Err(Failure::file(name, "the two passwords differ; try again"));
                }
                password
            }
        };
        if password.is_empty() {
            return Err(Failure::file(
                name,
                "an empty password protects nothing; give another",
            ));
        }
        Ok(password)
    }

    fn given(&self) -> Result<Option<Password>> {
        if let Some(path) = &self.password_file {
            let content = input::read_all(path, 1 << 16)?;
            let line = content.split(|&byte| byte == b'\n').next().unwrap_or(&[]);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() {
                return Err(Failure::file(
                    show(path),
                    "the first line is empty; put the password there",
                ));
            }
            return Ok(Some(Zeroizing::new(line.to_vec())));
        }
        if let Some(variable) = &self.password_env {
            return match std::env::var_os(variable) {
                Some(value) => Ok(Some(Zeroizing::new(value.into_encoded_bytes()))),
                None => Err(Failure::file(
                    variable,
                    "there is no such environment variable; set and export it",
                )),
            };
        }
        Ok(None)
    }
}

/// The options that give a password where nobody can be asked.
const OPTIONS: &str = "--password-file or --password-env";

fn prompt(name: &str, text: &str, options: &str) -> Result<Password> {
    let nobody = || {
        Failure::file(
            name,
            format_args!("needs a password, and there is no terminal to ask at; give {options}"),
        )
    };
    // The prompt goes to the terminal itself, so that standard input and output stay free for data.
    if cfg!(not(unix)) && !io::stdin().is_terminal() {
        return Err(nobody());
    }
    match interrupt::asking(|| rpassword::prompt_password(text)) {
        Ok(password) => Ok(Zeroizing::new(password.into_bytes())),
        // Ctrl-C was typed. The signal may be on its way still, or ignored.
        Err(error) if error.kind() == io::ErrorKind::Interrupted => interrupt::end(),
        Err(error) if matches!(error.raw_os_error(), Some(2 | 6 | 25)) => Err(nobody()),
        Err(error) => Err(Failure::file(
            name,
            format_args!("the password could not be read: {}", reason(&error)),
        )),
    }
}
