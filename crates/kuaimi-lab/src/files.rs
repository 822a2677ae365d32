//! Files of signatures: what the program makes of a file, beside what the library makes of the same
//! items in memory; and two threads of it beside two processes.
//!
//! The file and the items take turns on one core. Then two threads take turns with two processes,
//! each of which has half of the file and a core of its own: what those gain is what the machine
//! has to give.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::ValueEnum;
use kuaimi::Threads;
use kuaimi::sm2::batch::{SignItem, VerifyItem, generate_batch, sign_batch, verify_batch};
use kuaimi::sm2::{Signature, SigningKey};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use rayon::ThreadPoolBuilder;

use crate::harness::environment::{self, Environment};
use crate::harness::folder::Output;
use crate::harness::record::{Contender, Figures, Goal, Operation, Record, Run};
use crate::harness::{cores, progress_bar, show};
use crate::report::text;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Rows of each file.
    #[arg(long, default_value_t = 300_000, value_name = "N")]
    rows: usize,
    /// How many times those that are compared take turns.
    #[arg(long, default_value_t = 3, value_name = "N")]
    rounds: usize,
    /// These formats only.
    #[arg(long, value_enum, value_delimiter = ',')]
    format: Vec<Format>,
    /// The program [default: `kuaimi` beside this one].
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Keep the files in this folder.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// JSON Lines, values in hexadecimal.
    Jsonl,
    /// CSV, values in Base64.
    Csv,
    /// Parquet, values as bytes.
    Parquet,
}

impl Format {
    fn label(self) -> &'static str {
        match self {
            Self::Jsonl => "JSON Lines, hexadecimal",
            Self::Csv => "CSV, Base64",
            Self::Parquet => "Parquet, bytes",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }

    /// What of the library's speed must arrive.
    fn goal(self) -> f64 {
        if self == Self::Parquet { 0.9 } else { 0.75 }
    }
}

/// How many rows a key has.
const KEYS: [(&str, Option<usize>); 3] = [
    ("all keys different", None),
    ("1,000 keys", Some(1000)),
    ("ten keys", Some(10)),
];

fn id(keys: Option<usize>) -> String {
    keys.map_or("different".to_owned(), |keys| keys.to_string())
}

/// What the second thread must add, of what a second process adds.
const SECOND: f64 = 0.93;

/// Signed rows in memory.
struct Ledger {
    keys: Vec<SigningKey>,
    messages: Vec<String>,
    signatures: Vec<Signature>,
}

impl Ledger {
    fn new(rows: usize, keys: usize) -> Result<Self> {
        let keys: Vec<SigningKey> = generate_batch(keys, Threads::Pool)
            .into_iter()
            .map(|key| key.map(SigningKey::new))
            .collect::<Result<_, _>>()?;
        // Keys in no order, as in a ledger.
        let of_row = |row: usize| (row * 7919 + row / 3) % keys.len();
        let messages: Vec<String> = (0..rows)
            .map(|row| format!("transfer {row}: 100.00 to account {}", of_row(row)))
            .collect();
        let items: Vec<_> = messages
            .iter()
            .enumerate()
            .map(|(row, message)| SignItem::new(&keys[of_row(row)], message.as_bytes()))
            .collect();
        let signatures = sign_batch(&items, Threads::Pool)
            .into_iter()
            .collect::<Result<_, _>>()?;
        let keys = (0..rows).map(|row| keys[of_row(row)].clone()).collect();
        Ok(Self {
            keys,
            messages,
            signatures,
        })
    }

    /// Seconds that the library takes for all items.
    fn verify(&self) -> Result<f64> {
        let items: Vec<_> = self
            .keys
            .iter()
            .zip(&self.messages)
            .zip(&self.signatures)
            .map(|((key, message), signature)| {
                VerifyItem::new(key.verifying_key(), message.as_bytes(), signature)
            })
            .collect();
        let start = Instant::now();
        let results = verify_batch(&items, Threads::Pool);
        let seconds = start.elapsed().as_secs_f64();
        ensure!(
            results.iter().all(Result::is_ok),
            "a signature is not valid"
        );
        Ok(seconds)
    }

    /// The rows of a range as a file.
    fn write(&self, path: &Path, format: Format, range: std::ops::Range<usize>) -> Result<()> {
        let mut text = String::new();
        let hex = |bytes: &[u8]| {
            bytes.iter().fold(String::new(), |mut out, byte| {
                let _ = write!(out, "{byte:02x}");
                out
            })
        };
        if format == Format::Csv {
            text += "key,message,signature\n";
        }
        for row in range.clone() {
            let key = self.keys[row].public_key().to_sec1_bytes();
            let (message, signature) = (&self.messages[row], self.signatures[row]);
            match format {
                Format::Jsonl => writeln!(
                    text,
                    r#"{{"key":"{}","message":"{message}","signature":"{}"}}"#,
                    hex(&key),
                    hex(signature.to_der().as_bytes())
                )?,
                Format::Csv => {
                    let base64 = |bytes: &[u8]| BASE64_STANDARD.encode(bytes);
                    writeln!(
                        text,
                        "{},{message},{}",
                        base64(&key),
                        base64(signature.to_der().as_bytes())
                    )?;
                }
                Format::Parquet => {}
            }
        }
        if format == Format::Parquet {
            return self.write_parquet(path, range);
        }
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    fn write_parquet(&self, path: &Path, range: std::ops::Range<usize>) -> Result<()> {
        let schema = "message ledger {
            required binary key; required binary message (string); required binary signature;
        }";
        let properties = WriterProperties::builder().build();
        let mut writer = SerializedFileWriter::new(
            File::create(path)?,
            Arc::new(parse_message_type(schema)?),
            Arc::new(properties),
        )?;
        for start in range.clone().step_by(1 << 16) {
            let rows = start..range.end.min(start + (1 << 16));
            let columns: [Vec<ByteArray>; 3] = [
                rows.clone()
                    .map(|row| self.keys[row].public_key().to_sec1_bytes().to_vec().into())
                    .collect(),
                rows.clone()
                    .map(|row| self.messages[row].as_str().into())
                    .collect(),
                rows.map(|row| self.signatures[row].to_bytes().to_vec().into())
                    .collect(),
            ];
            let mut group = writer.next_row_group()?;
            for values in columns {
                let mut column = group.next_column()?.context("too few columns")?;
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&values, None, None)?;
                column.close()?;
            }
            group.close()?;
        }
        writer.close()?;
        Ok(())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        (1..=1000).contains(&arguments.rounds) && (1000..=100_000_000).contains(&arguments.rows),
        "--rounds must be from 1 to 1000, and --rows from 1000 to 100000000"
    );
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => std::env::current_exe()?.with_file_name("kuaimi"),
    };
    ensure!(
        program.is_file(),
        "{} is not there: build it with cargo build --release -p kuaimi-cli, or say --program",
        program.display()
    );
    arguments.output.prepare()?;
    environment::warn_if_slow();
    let environment = Environment::here();
    let cores = cores::available();
    let (Some(&first), second) = (cores.first(), cores.get(1).copied()) else {
        anyhow::bail!("this system does not say which cores may be used: measure on Linux");
    };
    let pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .start_handler(move |_| drop(cores::stay_on_one(Some(first))))
        .build()?;
    let formats = match arguments.format.as_slice() {
        [] => Format::value_variants(),
        some => some,
    };
    let temporary = tempfile::tempdir()?;
    let folder = arguments.keep.as_deref().unwrap_or(temporary.path());
    let progress = progress_bar(formats.len() * KEYS.len());
    let (mut files, mut threads) = (Vec::new(), Vec::new());
    for (label, keys) in KEYS {
        let ledger = Ledger::new(arguments.rows, keys.unwrap_or(arguments.rows))?;
        for &format in formats {
            progress.set_message(format!("{}, {label}", format.label()));
            let file = |name: &str| folder.join(format!("{name}-{}.{}", id(keys), format.name()));
            let (whole, halves) = (file("all"), [file("one"), file("two")]);
            let middle = arguments.rows / 2;
            ledger.write(&whole, format, 0..arguments.rows)?;
            ledger.write(&halves[0], format, 0..middle)?;
            ledger.write(&halves[1], format, middle..arguments.rows)?;
            let rate = |seconds: f64| arguments.rows as f64 / seconds;
            let mut rates: [Vec<f64>; 4] = Default::default();
            for _ in 0..arguments.rounds {
                rates[0].push(rate(time([Program::new(&program, &whole, &[first])])?));
                rates[1].push(rate(pool.install(|| ledger.verify())?));
                if let Some(second) = second {
                    rates[2].push(rate(time([Program::new(
                        &program,
                        &whole,
                        &[first, second],
                    )])?));
                    rates[3].push(rate(time([
                        Program::new(&program, &halves[0], &[first]),
                        Program::new(&program, &halves[1], &[second]),
                    ])?));
                }
            }
            let [of_file, of_items, of_threads, of_processes] = rates;
            let operation = |what: &str, at_least, figures: [(&str, Vec<f64>); 2]| Operation {
                id: format!("{what}-{}-{}", format.name(), id(keys)),
                label: format!("{}, {label}", format.label()),
                bytes: None,
                goal: Some(Goal {
                    at_least,
                    aim: None,
                }),
                figures: figures
                    .map(|(condition, rates)| Some(Figures::new(condition, rates)))
                    .into(),
            };
            files.push(operation(
                "file",
                format.goal(),
                [
                    ("kuaimi verify-batch, one thread, one core", of_file),
                    ("verify_batch, all items in memory, the same core", of_items),
                ],
            ));
            if second.is_some() {
                threads.push(operation(
                    "file-threads",
                    SECOND,
                    [
                        ("two threads on two cores", of_threads),
                        (
                            "two processes, half of the file and a core each",
                            of_processes,
                        ),
                    ],
                ));
            }
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    let record = |name: &str, title: &str, one: &str, other: &str, operations| Record {
        name: name.to_owned(),
        title: title.to_owned(),
        run: Run {
            environment: environment.clone(),
            core: None,
            // A slice is a whole file.
            seconds: None,
            rounds: arguments.rounds,
        },
        contenders: vec![Contender::new("ours", one), Contender::new("other", other)],
        goals_against: "other".to_owned(),
        operations,
    };
    let mut records = vec![record(
        "files",
        &format!("Files of {} signatures", arguments.rows),
        "the file",
        "the items in memory",
        files,
    )];
    if second.is_some() {
        records.push(record(
            "files-threads",
            &format!("Files of {} signatures on two cores", arguments.rows),
            "two threads",
            "two processes",
            threads,
        ));
    }
    arguments.output.write(&records)?;
    records
        .iter()
        .try_for_each(|record| show(&text::record(record)?))
}

/// The program on a file, kept on some cores.
struct Program(Command);

impl Program {
    fn new(program: &Path, file: &Path, cores: &[usize]) -> Self {
        let list: Vec<String> = cores.iter().map(usize::to_string).collect();
        let mut command = Command::new("taskset");
        command
            .args(["-c", &list.join(",")])
            .arg(program)
            .args(["verify-batch", "--quiet", "--threads"])
            .arg(cores.len().to_string())
            .arg(file)
            .stdin(Stdio::null());
        Self(command)
    }
}

/// Seconds until all of them have ended.
fn time<const N: usize>(programs: [Program; N]) -> Result<f64> {
    let start = Instant::now();
    let mut children: Vec<Child> = Vec::new();
    for Program(mut command) in programs {
        children.push(command.spawn().context("cannot run taskset (util-linux)")?);
    }
    for mut child in children {
        let status = child.wait()?;
        ensure!(status.success(), "kuaimi verify-batch has failed: {status}");
    }
    Ok(start.elapsed().as_secs_f64())
}
