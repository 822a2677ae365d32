//! `kuaimi sm3`: checksums in the manner of `sha256sum`.

mod check;
mod in_order;
mod line;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Args;
use hmac::{KeyInit, Mac};
use kuaimi::sm3::{HmacSm3, Sm3};
use zeroize::Zeroizing;

use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input::{self, Source, each_chunk, unreadable};
use crate::output::print;
use crate::progress::Progress;
use crate::say::{say, show};
use crate::threads;
use in_order::{Worker, in_order};
use line::Style;

const EXAMPLE: &str = "\
Examples:
  kuaimi sm3 *.iso > SM3SUMS          one line for each file
  kuaimi sm3 --check SM3SUMS          do the files still have these digests?
  printf abc | kuaimi sm3             of standard input
  find . -type f -print0 | xargs -0 kuaimi sm3 > SM3SUMS

Several files are hashed at the same time, one on each thread; the lines are in the order of the
files. One file takes one thread, however long it is.

The lines are those of sha256sum: 64 hexadecimal digits, a space, a space or `*`, the name. A
name with a line feed, a carriage return or a backslash is written with \\n, \\r, \\\\, and
its line starts with a backslash.

Exit status: 0; 1 when a file does not match or --check cannot read it; 2 when something else
cannot be read.";

/// Print or check SM3 checksums.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct Sm3Command {
    /// The files; `-` or none is standard input. With --check, files with lines that this command
    /// printed.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Read checksums from the FILEs and check them.
    #[arg(long, short)]
    check: bool,
    /// Write `SM3 (NAME) = DIGEST`, as BSD does.
    #[arg(long, conflicts_with_all = ["check", "binary"])]
    tag: bool,
    /// Mark names with `*` instead of a space. The digest is the same: no system's line ends are
    /// converted.
    #[arg(long, short, conflicts_with = "check")]
    binary: bool,
    /// End each line with a zero byte and escape no names.
    #[arg(long, short, conflicts_with = "check")]
    zero: bool,
    /// Compute HMAC-SM3 under the bytes of this file (all of them, a line end too) instead of the
    /// plain digest. To HMAC, a key followed by zero bytes is the same key.
    #[arg(long, value_name = "FILE")]
    hmac_key_file: Option<PathBuf>,
    /// How many files are hashed at the same time [default: as many as there are CPUs].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// With --check: print no line for a file that matches.
    #[arg(long, requires = "check")]
    quiet: bool,
    /// With --check: print nothing; the exit status is the answer.
    #[arg(long, requires = "check")]
    status: bool,
    /// With --check: skip files that do not exist.
    #[arg(long, requires = "check")]
    ignore_missing: bool,
    /// With --check: fail if a line is malformed.
    #[arg(long, requires = "check")]
    strict: bool,
    /// With --check: report every malformed line.
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
        let threads = self.threads_for(self.files.len());
        let progress = Progress::new("hashing", total(threads, &self.files));
        let mut answer = Answer::Yes;
        in_order(
            threads,
            self.files.iter(),
            |path, worker| hash.ahead(path, worker, &progress),
            |path, result| match result.unwrap_or_else(|| hash.of_file(path)) {
                Ok(digest) => {
                    progress.aside(|| print(line::format(&digest, path, style, self.zero)))
                }
                Err(failure) => {
                    progress.aside(|| say(failure));
                    answer = Answer::Incomplete;
                    Ok(())
                }
            },
        )?;
        Ok(answer)
    }

    /// How many threads are of use for so many files.
    fn threads_for(&self, files: usize) -> usize {
        if files < 2 {
            return 1;
        }
        threads::count(self.threads).min(files)
    }
}

/// The bytes of all files, if a bar over them may be wanted: with one thread each file has its own.
fn total(threads: usize, files: &[PathBuf]) -> Option<u64> {
    if threads <= 1 || !Progress::may_show() {
        return None;
    }
    let sizes = files.iter().filter_map(|path| std::fs::metadata(path).ok());
    Some(
        sizes
            .filter(|found| found.is_file())
            .map(|found| found.len())
            .sum(),
    )
}

/// Whether a file may be read at any time, by any thread. Standard input and pipes are read in
/// their turn: they may be given twice, and their writers may wait for something.
fn is_regular(path: &Path) -> bool {
    path != Path::new("-") && std::fs::metadata(path).is_ok_and(|found| found.is_file())
}

/// A reader that ends when nobody waits for what is read any more.
struct UntilStopped<'a, R>(R, &'a AtomicBool);

impl<R: Read> Read for UntilStopped<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.load(Relaxed) {
            return Ok(0);
        }
        self.0.read(buffer)
    }
}

/// What is computed over each file: the digest, or the MAC under a key.
#[derive(Clone)]
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
        let mut running = self.clone();
        input::hash_source(path, Source::open_listed(path)?, |bytes| {
            running.update(bytes)
        })?;
        Ok(running.finish())
    }

    /// The same on another thread and before its turn; nothing where that must not be.
    fn ahead(
        &self,
        path: &Path,
        worker: &mut Worker<'_>,
        progress: &Progress,
    ) -> Option<Result<[u8; 32]>> {
        if !is_regular(path) {
            return None;
        }
        let mut running = self.clone();
        let read = Source::open(path).and_then(|source| {
            let reader = UntilStopped(progress.reading(source), worker.stop);
            each_chunk(reader, &mut worker.buffer, |bytes| running.update(bytes))
                .map_err(|error| unreadable(path, &error))
        });
        Some(read.map(|()| running.finish()))
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Plain(hash) => hash.update(bytes),
            Self::Keyed(mac) => mac.update(bytes),
        }
    }

    fn finish(self) -> [u8; 32] {
        match self {
            Self::Plain(hash) => hash.finalize(),
            Self::Keyed(mac) => mac.finalize().into_bytes().into(),
        }
    }
}
