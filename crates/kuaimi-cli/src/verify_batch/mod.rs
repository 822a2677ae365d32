//! `kuaimi verify-batch`: the signatures of a ledger or an archive, row by row.
//!
//! | room | what it does |
//! | --- | --- |
//! | `check` | a chunk of rows to verdicts |
//! | `tally`, `summary` | the verdicts counted, written, printed and summed up |
//!
//! Files are read and written by the crate `kuaimi-table`. Rows are verified by the crate
//! `kuaimi-bulk`, which knows no formats.

mod check;
mod summary;
mod tally;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use kuaimi::Threads;
use kuaimi_bulk::Verifier;
use kuaimi_table::{Format, Wanted, map};

use crate::backend::BackendArgs;
use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{Secrecy, Target, check_stdout, is_stdout, print};
use crate::say::{eprint, say, show};
use crate::sm2::identity::identity;
use crate::sm2::keys::public;
use crate::table;
use crate::table::arguments::{ColumnArgs, FormatArg, FormatArgs, written};
use crate::table::encodings::EncodingArgs;
use crate::table::progress::Progress;
use crate::threads::ThreadArgs;
use check::check;
use summary::Summary;
use tally::{FAILURES, Tally, Verdicts};

const HELP: &str = "\
Examples:
  kuaimi verify-batch ledger.jsonl
  kuaimi verify-batch --out verdicts.csv --failures-only ledger.parquet
  kuaimi verify-batch --key-column pubkey --signature-column sig --message-encoding hex a.csv
  kuaimi verify-batch --key alice.pub --id alice@example.com archive.csv
  zstd -dc ledger.jsonl.zst | kuaimi verify-batch --format jsonl --summary-json result.json

Rows of JSON Lines look like this:
  {\"key\":\"04…\",\"id\":\"alice@example.com\",\"message\":\"hello\",\"signature\":\"MEUC…\"}
CSV begins with a line that names its columns. Other columns are ignored. Parquet columns
are text or bytes. FILE's format is given by --format, else by its name, else by its first bytes.

Keys are points (04 x y; 02 or 03 x; x y), or DER (SubjectPublicKeyInfo), in hexadecimal or
Base64, or PEM. Signatures are DER or r and s. How these are written (hex, base64, and binary in
Parquet) is detected: a value is accepted if exactly one way gives something well-formed; if two do,
the row is malformed, and the options above decide. How messages and identities are written (text,
hex, base64) is never guessed: they are plain text unless an option says otherwise.
A row without an identity, or in CSV with an empty one, has the identity 1234567812345678.

Verdicts have a row number (the first is 1; headers and empty lines do not count), valid (true or
false), and the reason: `invalid: …`, or `malformed: …` for a row that cannot be read; the others
are verified all the same. Without --out, the first failures are printed and the summary counts the
rest.

Exit status: 0 all signatures are valid, 1 some are not, 2 the file cannot be read or has no
rows (but see --allow-empty).";

/// Verify many signatures: all rows of a JSON Lines, CSV or Parquet file.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct VerifyBatch {
    /// One public key for all rows: PEM, DER, hexadecimal or base64; or a certificate.
    #[arg(long, short, value_name = "KEYFILE")]
    key: Option<PathBuf>,
    /// One identity for all rows, as text.
    #[arg(long, value_name = "ID", conflicts_with = "id_hex")]
    id: Option<String>,
    /// The same, as bytes in hexadecimal.
    #[arg(long, value_name = "HEX")]
    id_hex: Option<String>,
    #[command(flatten)]
    format: FormatArgs,
    /// Where to write the verdicts; `-` is standard output.
    #[arg(long, short, visible_alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
    /// The format of the verdicts [default: by the output file's name, else jsonl].
    #[arg(long, value_enum, value_name = "FORMAT", requires = "out")]
    out_format: Option<FormatArg>,
    /// Overwrite output files if they exist.
    #[arg(long)]
    force: bool,
    /// Write verdicts on invalid and malformed rows only.
    #[arg(long, requires = "out")]
    failures_only: bool,
    /// Write the summary as one JSON object to a file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    summary_json: Option<PathBuf>,
    /// Accept a file without rows.
    #[arg(long)]
    allow_empty: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    backend: BackendArgs,
    /// Print neither summary nor failures nor progress; the exit status is the answer.
    #[arg(long, short, conflicts_with = "progress")]
    quiet: bool,
    /// Report progress without a terminal, too: a line every ten seconds.
    #[arg(long)]
    progress: bool,
    #[command(flatten)]
    columns: ColumnArgs,
    #[command(flatten)]
    encodings: EncodingArgs,
    /// The rows; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl VerifyBatch {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.backend.apply()?;
        let target = self.target(self.out.as_ref());
        let report = self.target(self.summary_json.as_ref());
        self.check_outputs(target.as_ref(), report.as_ref())?;
        let key = match &self.key {
            Some(path) => Some(public(path, context)?),
            None => None,
        };
        let one_id = self.id.is_some() || self.id_hex.is_some();
        let id = if one_id {
            Some(identity(
                "--id",
                self.id.as_deref(),
                self.id_hex.as_deref(),
            )?)
        } else {
            None
        };
        let wanted = Wanted::to_verify(&self.columns.names(), key.is_some(), one_id)
            .map_err(|error| table::failure::of_file(&self.file, error))?;
        let threads = self.threads.count();
        let name = show(&self.file);
        let hints = self.format.hints(&self.file, self.allow_empty);
        let reader = table::open(&self.file, &hints, wanted)?;
        let format = reader.format();
        self.encodings.check(format)?;
        context.note(format_args!("{name}: {}", format.name()));
        let mut options = self
            .encodings
            .options()
            .empty_id_is_none(format == Format::Csv);
        if let Some(key) = key {
            options = options.key(key);
        }
        if let Some(id) = &id {
            options = options.id(id);
        }
        let verdicts = match &target {
            Some(target) => {
                let format = written(self.out_format, self.out.as_deref());
                Some(Verdicts::create(target, format, self.failures_only)?)
            }
            None => None,
        };
        // Failures must not be mixed into verdicts on standard output.
        let to_print = match &target {
            _ if self.quiet => 0,
            Some(target) if target.is_stdout() => 0,
            _ => FAILURES,
        };
        let mut tally = Tally::new(verdicts, to_print);
        let started = Instant::now();
        let mut progress = Progress::new("verifying", reader.length(), self.quiet, self.progress);
        let verifier = Verifier::new(options.threads(Threads::Pool));
        let of_file = |error| table::failure::of_file(&self.file, error);
        let work = move |chunk: &mut _| check(&verifier, chunk);
        for checked in map(reader, threads, work).map_err(of_file)? {
            let checked = checked.map_err(of_file)?;
            tally.take(&checked, &progress)?;
            progress.update(checked.position, tally.counts.total(), started.elapsed());
        }
        drop(progress);
        let summary = Summary {
            file: &name,
            format: format.name(),
            counts: tally.counts,
            took: started.elapsed(),
            threads,
        };
        if summary.counts.total() == 0 && !self.allow_empty {
            return Err(Failure::file(
                name,
                "has no rows, so nothing was verified; if that is expected, use --allow-empty",
            ));
        }
        let advice = tally.finish()?;
        if let Some(report) = &report {
            report.write(format!("{}\n", summary.json()).as_bytes())?;
        }
        if !self.quiet {
            if let Some(advice) = advice {
                say(advice);
            }
            if [&target, &report]
                .into_iter()
                .flatten()
                .any(Target::is_stdout)
            {
                eprint(&summary.text());
            } else {
                print(summary.text())?;
            }
        }
        Ok(if summary.counts.failures() == 0 {
            Answer::Yes
        } else {
            Answer::No
        })
    }

    fn target(&self, path: Option<&PathBuf>) -> Option<Target> {
        path.map(|path| Target::new(Some(path), self.force, Secrecy::Public))
    }

    /// Refuses what would be refused at the end, before hours are spent.
    fn check_outputs(&self, target: Option<&Target>, report: Option<&Target>) -> Result<()> {
        let key = self.key.as_deref().unwrap_or(Path::new(""));
        input::stdin_once(&[("--key", key), ("FILE", &self.file)])?;
        let targets = || [target, report].into_iter().flatten();
        for target in targets() {
            target.check()?;
        }
        if !self.quiet && !targets().any(Target::is_stdout) {
            // The summary comes last.
            check_stdout()?;
        }
        let twice = |what| {
            Err(Failure::usage(format!(
                "{what} are the same file; give another name"
            )))
        };
        match (&self.out, &self.summary_json) {
            (Some(out), Some(report)) if input::same_file(out, report) => {
                twice("--out and --summary-json")
            }
            (Some(out), _) if !is_stdout(out) && input::same_file(out, &self.file) => {
                twice("--out and FILE")
            }
            (_, Some(report)) if !is_stdout(report) && input::same_file(report, &self.file) => {
                twice("--summary-json and FILE")
            }
            _ => Ok(()),
        }
    }
}
