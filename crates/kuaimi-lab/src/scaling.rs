//! Batches on one thread and on several: slices of both take turns within one run, a ratio is formed of neighbours, and the
//! median of the ratios reported.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use kuaimi::sm2::SigningKey;
use kuaimi::sm2::batch::{SignItem, VerifyItem, keygen_batch, sign_batch, verify_batch};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Operations in a batch.
const BATCH: usize = 4096;

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
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        (1..=1024).contains(&arguments.threads) && (1..=1000).contains(&arguments.rounds),
        "--threads must be from 1 to 1024, and --rounds from 1 to 1000"
    );
    ensure!(
        arguments.seconds > 0.0 && arguments.seconds <= 60.0,
        "--seconds must be above 0 and at most 60"
    );
    let slice = Duration::from_secs_f64(arguments.seconds);
    let (one, several) = (pool(1)?, pool(arguments.threads)?);
    let keys: Vec<SigningKey> = keygen_batch(BATCH)?
        .into_iter()
        .map(SigningKey::new)
        .collect();
    let to_sign: Vec<SignItem<'_>> = keys.iter().map(|key| SignItem::new(key, b"text")).collect();
    let signatures = sign_batch(&to_sign)?;
    let to_verify: Vec<VerifyItem<'_>> = keys
        .iter()
        .zip(&signatures)
        .map(|(key, signature)| VerifyItem::new(key.verifying_key(), b"text", signature))
        .collect();

    let sign = || drop(black_box(sign_batch(black_box(&to_sign))));
    let verify = || drop(black_box(verify_batch(black_box(&to_verify))));
    let work: [(&str, &(dyn Fn() + Sync)); 2] = [("sign", &sign), ("verify", &verify)];
    for (name, work) in work {
        let mut rounds: Vec<(f64, f64)> = (0..arguments.rounds)
            .map(|_| (rate(&one, slice, work), rate(&several, slice, work)))
            .collect();
        rounds.sort_by(|(a1, a2), (b1, b2)| (a2 / a1).total_cmp(&(b2 / b1)));
        let (one, several) = rounds.get(rounds.len() / 2).context("no round")?;
        println!(
            "{name}, batches of {BATCH}: {one:.0}/s on one thread, {several:.0}/s on {}, {:.2} times as many",
            arguments.threads,
            several / one
        );
    }
    Ok(())
}

fn pool(threads: usize) -> Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .with_context(|| format!("the system does not give {threads} threads"))
}

/// Operations a second.
fn rate(pool: &ThreadPool, slice: Duration, work: &(dyn Fn() + Sync)) -> f64 {
    pool.install(|| {
        let start = Instant::now();
        let mut count = 0;
        loop {
            work();
            count += BATCH;
            let elapsed = start.elapsed();
            if elapsed >= slice {
                return count as f64 / elapsed.as_secs_f64();
            }
        }
    })
}
