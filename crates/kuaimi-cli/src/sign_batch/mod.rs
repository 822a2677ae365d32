//! `kuaimi sign-batch`: a signature for every row of a file of messages or digests, under one key.
//!
//! | room | what it does |
//! | --- | --- |
//! | `rows` | a chunk of rows to rows with signatures |
//!
//! Files are read and written by the crate `kuaimi-table`.
//!
//! A file is signed whole or not at all: a row that cannot be read ends the job, and no file is
//! written.

mod rows;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use kuaimi::Threads;
use kuaimi::sm2::SigningKey;
use kuaimi_bulk::Signer;
use kuaimi_table::{Format, SIGNATURE, SignatureStyle, Signatures, Wanted, map};

use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::{OutputArgs, Secrecy, is_stdout};
use crate::say::{say, show};
use crate::sm2::Form;
use crate::sm2::identity::IdArgs;
use crate::sm2::keys::PrivateKeyArgs;
use crate::table;
use crate::table::arguments::{FormatArg, FormatArgs, written};
use crate::table::encodings::{Plain, Written};
use crate::table::progress::{Progress, grouped};
use crate::text::Encoding;
use crate::threads::ThreadArgs;
use rows::{Signed, Style, sign};

const HELP: &str = "\
Examples:
  kuaimi sign-batch --key alice.pem --out signed.jsonl messages.jsonl
  kuaimi sign-batch --key alice.pem --out signed.parquet --message-column body ledger.parquet
  kuaimi sign-batch --key alice.pem --digest-column e --out signed.csv digests.csv
  kuaimi verify-batch --key alice.pub signed.jsonl

FILE has a message in each row: JSON Lines ({\"message\":\"hello\"}), CSV with a line that names its
columns, or Parquet. Other columns are ignored. The output has a row for each, in order, with
two columns: the message (or digest) as it stands in FILE, under its name, and its signature. It
is what `kuaimi verify-batch --key` reads.

Messages are signed as they stand unless --message-encoding says that they are hex or base64. A
digest is e = SM3(Z || M) in hexadecimal, Base64, or bytes in Parquet.

A row that cannot be read ends the job, and the error names it: no file is written, and what
went to standard output is not complete.

Exit status: 0 all rows are signed, 2 the file, a row of it or the key cannot be read.";

/// Sign many messages: all rows of a JSON Lines, CSV or Parquet file.
#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct SignBatch {
    #[command(flatten)]
    key: PrivateKeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// The format of the output [default: by the output file's name, else jsonl].
    #[arg(long, value_enum, value_name = "FORMAT")]
    out_format: Option<FormatArg>,
    /// The column with the messages [default: message].
    #[arg(long, value_name = "NAME", conflicts_with = "digest_column")]
    message_column: Option<String>,
    /// The column with digests e = SM3(Z || M), which are signed in place of messages.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["id", "id_hex", "message_encoding"])]
    digest_column: Option<String>,
    /// What messages are: text, as it stands; or bytes written as hex or base64.
    #[arg(long, value_enum, default_value_t = Plain::Text, value_name = "ENCODING", hide_possible_values = true)]
    message_encoding: Plain,
    /// How digests are written: auto, hex, base64, or binary (in Parquet).
    #[arg(long, value_enum, default_value_t = Written::Auto, value_name = "ENCODING", hide_possible_values = true)]
    digest_encoding: Written,
    /// How signatures are written [default: binary in Parquet, else hex].
    #[arg(long, value_enum, value_name = "ENCODING")]
    signature_encoding: Option<Encoding>,
    /// The structure of the signatures.
    #[arg(long, value_enum, default_value_t = Form::Der, value_name = "FORM")]
    signature_form: Form,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print neither summary nor progress.
    #[arg(long, short, conflicts_with = "progress")]
    quiet: bool,
    /// Report progress without a terminal, too: a line every ten seconds.
    #[arg(long)]
    progress: bool,
    /// The rows; `-` is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
}

impl SignBatch {
    pub fn run(self, context: Context) -> Result<Answer> {
        input::stdin_once(&[("--key", &self.key.key), ("FILE", &self.file)])?;
        let target = self.output.target(Secrecy::Public);
        target.check()?;
        let path = self.output.out.as_deref().unwrap_or(Path::new("-"));
        let is_read = [&self.file, &self.key.key]
            .into_iter()
            .any(|file| input::same_file(path, file));
        if !is_stdout(path) && is_read {
            return Err(Failure::usage(
                "--out is a file that is read; give another name",
            ));
        }
        let format = written(self.out_format, self.output.out.as_deref());
        let encoding = match (self.signature_encoding, format) {
            (Some(Encoding::Binary), Format::Jsonl | Format::Csv) => {
                return Err(Failure::usage(format!(
                    "--signature-encoding binary: {} is text and cannot hold bytes as they are; use hex or base64, or write Parquet",
                    format.name()
                )));
            }
            (Some(encoding), _) => encoding,
            (None, Format::Parquet) => Encoding::Binary,
            (None, _) => Encoding::Hex,
        };
        let id = self.id.bytes()?;
        let key = SigningKey::with_id(self.key.load(context)?, &id)
            .map_err(|error| Failure::usage(error.to_string()))?;
        let signer = Signer::new(key)
            .threads(Threads::Pool)
            .message_encoding(self.message_encoding.into())
            .digest_encoding(self.digest_encoding.into());

        let name = show(&self.file);
        let hints = self.format.hints(&self.file, false);
        let wanted = Wanted::to_sign(
            self.message_column.as_deref(),
            self.digest_column.as_deref(),
        );
        let reader = table::open(&self.file, &hints, wanted)?;
        let style = Style {
            of_digests: self.digest_column.is_some(),
            form: self.signature_form.into(),
            written: SignatureStyle {
                format,
                column: self
                    .digest_column
                    .as_deref()
                    .or(self.message_column.as_deref())
                    .unwrap_or("message")
                    .to_owned(),
                text: reader.format() != Format::Parquet,
                encoding: encoding.into(),
            },
        };
        if style.written.column == SIGNATURE {
            return Err(Failure::usage(
                "the column \"signature\" is what is written; the messages must have another name",
            ));
        }
        let sink = target.create()?;
        let whole = sink.appears_whole();
        let cannot_write = |error| target.cannot_write(&error);
        let mut signatures = Signatures::create(sink, &style.written).map_err(cannot_write)?;
        let started = Instant::now();
        let mut progress = Progress::new("signing", reader.length(), self.quiet, self.progress);
        let mut rows = 0;
        let of_file = |error| table::failure::of_file(&self.file, error);
        let work = move |chunk: &mut _| sign(&signer, &style, chunk);
        for signed in map(reader, self.threads.count(), work).map_err(of_file)? {
            let Signed {
                position,
                count,
                written,
            } = signed.map_err(of_file)?;
            let written = written.map_err(|fault| fault.of_file(&self.file, rows, whole))?;
            signatures.write(written).map_err(cannot_write)?;
            rows += count;
            progress.update(position, rows, started.elapsed());
        }
        drop(progress);
        if rows == 0 {
            return Err(Failure::file(name, "has no rows, so nothing was signed"));
        }
        signatures.finish().map_err(cannot_write)?.commit()?;
        if !self.quiet {
            let seconds = started.elapsed().as_secs_f64().max(1e-9);
            say(format_args!(
                "{name}: {} rows signed in {seconds:.2} s ({} rows/s)",
                grouped(rows),
                grouped((rows as f64 / seconds) as u64)
            ));
        }
        Ok(Answer::Yes)
    }
}
