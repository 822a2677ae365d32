//! The commands, and what they share.

use clap::{Args, Parser, Subcommand};
use kuaimi::sm2::DEFAULT_ID;

use crate::exit::{Answer, Failure, Result};
use crate::{backend, shell, sm2, sm3, sm9, speed, text, verify_batch};

const EXAMPLE: &str = "\
Examples:
  kuaimi sm2 keygen --out alice.pem --pubout alice.pub
  kuaimi sm2 sign --key alice.pem --out report.sig report.pdf
  kuaimi sm2 verify --key alice.pub --signature report.sig report.pdf
  kuaimi sm2 encrypt --key alice.pub --out report.enc report.pdf
  kuaimi sm2 decrypt --key alice.pem --out report.pdf report.enc
  kuaimi sm3 report.pdf
  kuaimi verify-batch ledger.csv
  kuaimi speed

Exit status: 0; 1 for an invalid signature or a failed decryption; 2 for wrong use or unreadable
input.
`kuaimi help COMMAND` says more of each, with an example.";

/// ShangMi cryptography: SM2 and SM9 signatures, encryption and key exchange, SM3 checksums.
#[derive(Parser, Debug)]
#[command(name = "kuaimi", version, after_help = EXAMPLE, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Say what was found and done, on standard error.
    #[arg(long, short, global = true, display_order = 1000)]
    verbose: bool,
}

#[derive(Subcommand, Debug)]
enum Command {
    Sm2(Box<sm2::Sm2Command>),
    Sm3(sm3::Sm3Command),
    Sm9(Box<sm9::Sm9Command>),
    VerifyBatch(Box<verify_batch::VerifyBatch>),
    Speed(speed::SpeedCommand),
    Completions(shell::CompletionsCommand),
    Man(shell::ManCommand),
}

/// What every command may ask.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    verbose: bool,
}

impl Context {
    /// Says something that only those who asked for it want to hear.
    pub fn note(self, line: impl std::fmt::Display) {
        if self.verbose {
            crate::exit::say(line);
        }
    }
}

impl Cli {
    pub fn run(self) -> Result<Answer> {
        backend::check()?;
        let context = Context {
            verbose: self.verbose,
        };
        match self.command {
            Command::Sm2(command) => command.run(context),
            Command::Sm3(command) => command.run(),
            Command::Sm9(command) => command.run(context),
            Command::VerifyBatch(command) => command.run(context),
            Command::Speed(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}

/// Under which identity a key signs or agrees.
#[derive(Args, Debug, Clone, Default)]
pub struct IdArgs {
    /// The identity that goes with the key, as text [default: 1234567812345678].
    #[arg(long, value_name = "ID", conflicts_with = "id_hex")]
    pub id: Option<String>,
    /// The same, as bytes in hexadecimal.
    #[arg(long, value_name = "HEX")]
    pub id_hex: Option<String>,
}

impl IdArgs {
    pub fn bytes(&self) -> Result<Vec<u8>> {
        identity("--id", self.id.as_deref(), self.id_hex.as_deref())
    }
}

/// The identity given as text or in hexadecimal, or the default one.
pub fn identity(option: &str, id: Option<&str>, id_hex: Option<&str>) -> Result<Vec<u8>> {
    let (option, bytes) = match (id, id_hex) {
        (_, Some("")) => (format!("{option}-hex"), Vec::new()),
        (_, Some(digits)) => {
            let bytes = text::decode_hex(digits.as_bytes()).ok_or_else(|| {
                Failure::usage(format!(
                    "{option}-hex: {digits:?} is not hexadecimal; give two digits a byte"
                ))
            })?;
            (format!("{option}-hex"), bytes.to_vec())
        }
        (Some(id), None) => (option.to_owned(), id.as_bytes().to_vec()),
        (None, None) => (option.to_owned(), DEFAULT_ID.to_vec()),
    };
    if bytes.len() > kuaimi::sm2::MAX_ID_LEN {
        return Err(Failure::usage(format!(
            "{option}: an identity has at most {} bytes, not {}; give a shorter one",
            kuaimi::sm2::MAX_ID_LEN,
            bytes.len()
        )));
    }
    Ok(bytes)
}
