//! `kuaimi sm3`: checksums in the manner of `sha256sum`.

mod check;
mod line;

use std::path::{Path, PathBuf};

use clap::Args;
use hmac::{KeyInit, Mac};
use kuaimi::sm3::{HmacSm3, Sm3};
use zeroize::Zeroizing;

use crate::exit::{Answer, Failure, Result, say, show};
use crate::input;
use crate::output::print;
use line::Style;

const EXAMPLE: &str = "\
Examples:
  kuaimi sm3 *.iso > SM3SUMS          one line for each file
  kuaimi sm3 --check SM3SUMS          do the files still have these digests?
  printf abc | kuaimi sm3             of standard input

The lines are those of sha256sum: 64 hexadecimal digits, a space, a space or `*`, the name. A
name with a line feed, a carriage return or a backslash is written with \\n, \\r, \\\\, and
its line starts with a backslash.

Exit status: 0; 1 when a file does not match or --check cannot read it; 2 when something else
cannot be read.";

/// Print or check SM3 checksums.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct Sm3Command {
    /// The files; `-` or none is standard input. With --check, files with lines that this command printed.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read checksums from the FILEs and check them.
    #[arg(long, short)]
    check: bool,
    /// Write `SM3 (NAME) = DIGEST`, as BSD does.
    #[arg(long, conflicts_with_all = ["check", "binary"])]
    tag: bool,
    /// Mark names with `*` in place of a space. The digest is the same: no system's line ends are converted.
    #[arg(long, short, conflicts_with = "check")]
    binary: bool,
    /// End each line with a zero byte and escape no names.
    #[arg(long, short, conflicts_with = "check")]
    zero: bool,
    /// Compute HMAC-SM3 under the bytes of this file (all of them, a line end too) in place of the plain digest.
    #[arg(long, value_name = "FILE")]
    hmac_key_file: Option<PathBuf>,
    /// With --check: no line for a file that matches.
    #[arg(long, requires = "check")]
    quiet: bool,
    /// With --check: print nothing; the exit status says it all.
    #[arg(long, requires = "check")]
    status: bool,
    /// With --check: pass over files that do not exist.
    #[arg(long, requires = "check")]
    ignore_missing: bool,
    /// With --check: an ill-formed line is a failure.
    #[arg(long, requires = "check")]
    strict: bool,
    /// With --check: name every ill-formed line.
    #[arg(long, short, requires = "check")]
    warn: bool,
}

impl Sm3Command {
    pub fn run(mut self) -> Result<Answer> {
        let hash = match &self.hmac_key_file {
            None => Hash::Plain(Sm3::new()),
            Some(path) => Hash::keyed(path)?,
        };
        if self.files.is_empty() {
            self.files.push(PathBuf::from("-"));
        }
        if self.check {
            return check::run(&self, &hash);
        }
        let style = match (self.tag, self.binary) {
            (true, _) => Style::Tag(hash.name()),
            (_, true) => Style::Binary,
            _ => Style::Text,
        };
        let mut answer = Answer::Yes;
        for path in &self.files {
            match hash.of_file(path) {
                Ok(digest) => print(line::format(&digest, path, style, self.zero))?,
                Err(failure) => {
                    say(failure);
                    answer = Answer::Incomplete;
                }
            }
        }
        Ok(answer)
    }
}

/// What is computed over each file: the digest, or the MAC under a key.
enum Hash {
    Plain(Sm3),
    Keyed(Box<HmacSm3>),
}

impl Hash {
    fn keyed(path: &Path) -> Result<Self> {
        let key: Zeroizing<Vec<u8>> = input::read_all(path, input::SMALL)?;
        if key.is_empty() {
            return Err(Failure::file(
                show(path),
                "an HMAC key cannot be empty; put the key's bytes there",
            ));
        }
        let mac =
            HmacSm3::new_from_slice(&key).map_err(|error| Failure::file(show(path), error))?;
        Ok(Self::Keyed(Box::new(mac)))
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Plain(_) => "SM3",
            Self::Keyed(_) => "HMAC-SM3",
        }
    }

    fn of_file(&self, path: &Path) -> Result<[u8; 32]> {
        match self {
            Self::Plain(start) => {
                let mut hash = start.clone();
                input::hash(path, |bytes| hash.update(bytes))?;
                Ok(hash.finalize())
            }
            Self::Keyed(start) => {
                let mut mac = start.clone();
                input::hash(path, |bytes| mac.update(bytes))?;
                Ok(mac.finalize().into_bytes().into())
            }
        }
    }
}
