//! Batches on one thread and on several: slices of both take turns within one run, a ratio is formed of neighbours, and the
//! median of the ratios reported.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use kuaimi::sm2::batch::{
    DecryptItem, EncryptItem, SignItem, VerifyItem, decrypt_batch, encrypt_batch, keygen_batch,
    sign_batch, verify_batch,
};
use kuaimi::sm2::{Ciphertext, Error, SigningKey};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::environment::{self, Environment};
use crate::peers::{progress_bar, show};
use crate::report::{Cell, Document, Goal, Library, Output, Row};

/// Operations in a batch.
const BATCH: usize = 2048;
const TEXT: &[u8; 32] = &[0x5A; 32];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many threads to compare with one.
    #[arg(long, default_value_t = 2, value_name = "N")]
    threads: usize,
    /// Seconds a slice.
    #[arg(long, default_value_t = 0.2, value_name = "S")]
    seconds: f64,
    /// How many times one and several threads take turns.
    #[arg(long, default_value_t = 7, value_name = "N")]
    rounds: usize,
    #[command(flatten)]
    output: Output,
}

/// A whole batch.
type Batch<'a> = dyn Fn() -> Result<(), Error> + Sync + 'a;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        (2..=1024).contains(&arguments.threads) && (1..=1000).contains(&arguments.rounds),
        "--threads must be from 2 to 1024, and --rounds from 1 to 1000"
    );
    ensure!(
        arguments.seconds > 0.0 && arguments.seconds <= 60.0,
        "--seconds must be above 0 and at most 60"
    );
    arguments.output.prepare()?;
    environment::warn_if_slow();
    let environment = Environment::here();
    ensure!(
        environment.cpus >= arguments.threads,
        "this process may use only {} CPUs: compare at most as many --threads",
        environment.cpus
    );
    let rows = measure(arguments)?;
    let library = |id: &str, name: String| Library {
        id: id.to_owned(),
        name,
    };
    let document = Document {
        name: "threads".to_owned(),
        title: format!("SM2 on {} threads", arguments.threads),
        environment,
        core: None,
        seconds: arguments.seconds,
        rounds: arguments.rounds,
        libraries: vec![
            library("several", format!("{} threads", arguments.threads)),
            library("one", "one thread".to_owned()),
        ],
        goals_against: "one".to_owned(),
        rows,
    };
    arguments.output.write(std::slice::from_ref(&document))?;
    show(&document.text()?)
}

fn measure(arguments: &Arguments) -> Result<Vec<Row>> {
    let slice = Duration::from_secs_f64(arguments.seconds);
    let (one, several) = (pool(1)?, pool(arguments.threads)?);
    let keys: Vec<SigningKey> = keygen_batch(BATCH)
        .into_iter()
        .map(|key| key.map(SigningKey::new))
        .collect::<Result<_, _>>()?;
    let to_sign: Vec<_> = keys.iter().map(|key| SignItem::new(key, TEXT)).collect();
    let signatures = sign_batch(&to_sign)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let to_verify: Vec<_> = keys
        .iter()
        .zip(&signatures)
        .map(|(key, signature)| VerifyItem::new(key.verifying_key(), TEXT, signature))
        .collect();
    let to_encrypt: Vec<_> = keys
        .iter()
        .map(|key| EncryptItem::new(key.secret_key().public_key(), TEXT))
        .collect();
    let ciphertexts: Vec<Ciphertext> = encrypt_batch(&to_encrypt)
        .into_iter()
        .collect::<Result<_, _>>()?;
    let to_decrypt: Vec<_> = keys
        .iter()
        .zip(&ciphertexts)
        .map(|(key, ciphertext)| DecryptItem::new(key.secret_key(), ciphertext))
        .collect();

    let keygen = || {
        keygen_batch(BATCH)
            .into_iter()
            .try_for_each(|key| key.map(drop))
    };
    let sign = || {
        sign_batch(black_box(&to_sign))
            .into_iter()
            .try_for_each(|signature| signature.map(drop))
    };
    let verify = || verify_batch(black_box(&to_verify)).into_iter().collect();
    let encrypt = || {
        encrypt_batch(black_box(&to_encrypt))
            .into_iter()
            .try_for_each(|ciphertext| ciphertext.map(drop))
    };
    let decrypt = || {
        decrypt_batch(black_box(&to_decrypt))
            .into_iter()
            .try_for_each(|message| message.map(drop))
    };
    let work: [(&str, &Batch<'_>); 5] = [
        ("key pair", &keygen),
        ("sign", &sign),
        ("verify, all keys different", &verify),
        ("encrypt 32 B", &encrypt),
        ("decrypt 32 B", &decrypt),
    ];
    let progress = progress_bar(work.len() * arguments.rounds);
    let mut rows = Vec::new();
    for (label, work) in work {
        progress.set_message(label);
        let (mut of_several, mut of_one) = (Vec::new(), Vec::new());
        for round in 0..arguments.rounds {
            if round % 2 == 0 {
                of_several.push(rate(&several, slice, work)?);
                of_one.push(rate(&one, slice, work)?);
            } else {
                of_one.push(rate(&one, slice, work)?);
                of_several.push(rate(&several, slice, work)?);
            }
            progress.inc(1);
        }
        let cell = |rates| {
            Some(Cell {
                condition: format!("batches of {BATCH}, a key for each item"),
                operations_per_second: rates,
            })
        };
        rows.push(Row {
            id: format!(
                "threads-{}",
                label.split_whitespace().next().unwrap_or(label)
            ),
            label: label.to_owned(),
            bytes: None,
            goal: goal(arguments.threads),
            cells: vec![cell(of_several), cell(of_one)],
        });
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// Two threads should do nearly twice as much as one; nothing is asked of more.
fn goal(threads: usize) -> Option<Goal> {
    (threads == 2).then_some(Goal {
        at_least: 1.9,
        aim: None,
    })
}

fn pool(threads: usize) -> Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .with_context(|| format!("the system does not give {threads} threads"))
}

/// Operations a second.
fn rate(pool: &ThreadPool, slice: Duration, work: &Batch<'_>) -> Result<f64> {
    let rate = pool.install(|| {
        let start = Instant::now();
        let mut count = 0;
        loop {
            work()?;
            count += BATCH;
            let elapsed = start.elapsed();
            if elapsed >= slice {
                return Ok(count as f64 / elapsed.as_secs_f64());
            }
        }
    });
    rate.map_err(|error: Error| anyhow!(error).context("a batch failed"))
}
