//! Batches on one thread, on several, and in as many processes: slices of them take turns within
//! one run, a ratio is formed of neighbours, and the median of the ratios reported. What processes
//! gain, each kept on a core of its own, is what the machine has to give; threads should gain as
//! much.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{
    DecryptItem, EncryptItem, SignItem, VerifyItem, decrypt_batch, encrypt_batch, generate_batch,
    sign_batch, verify_batch,
};
use kuaimi::sm2::{Ciphertext, SigningKey};
use kuaimi::sm9;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::harness::environment::{self, Environment};
use crate::harness::folder::Output;
use crate::harness::record::{Contender, Figures, Goal, Operation, Record, Run};
use crate::harness::{check, cores, progress_bar, show};
use crate::report::text;

/// Operations in a batch.
const BATCHES: [usize; 3] = [32, 256, 2048];
const TEXT: &[u8; 32] = &[0x5A; 32];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many threads to compare with one, and with as many processes.
    #[arg(long, default_value_t = 2, value_name = "N")]
    threads: usize,
    /// Seconds a slice.
    #[arg(long, default_value_t = 0.1, value_name = "S")]
    seconds: f64,
    /// How many times they take turns.
    #[arg(long, default_value_t = 7, value_name = "N")]
    rounds: usize,
    /// One of the processes: an operation and a batch, as `verify:256`.
    #[arg(long, hide = true)]
    worker: Option<String>,
    #[command(flatten)]
    output: Output,
}

/// A whole batch.
pub(crate) type Batch = Box<dyn Fn() -> Result<()> + Send + Sync>;

/// The operations, by their names.
pub(crate) const OPERATIONS: [(&str, &str); 8] = [
    ("keygen", "SM2 key pair"),
    ("sign", "SM2 sign"),
    ("verify", "SM2 verify, all keys different"),
    ("encrypt", "SM2 encrypt 32 B"),
    ("decrypt", "SM2 decrypt 32 B"),
    ("sm3", "SM3 of 1 KiB"),
    ("sm9-sign", "SM9 sign"),
    ("sm9-verify", "SM9 verify"),
];

fn all<T, E: std::error::Error + Send + Sync + 'static>(
    results: impl IntoIterator<Item = Result<T, E>>,
) -> Result<()> {
    Ok(results
        .into_iter()
        .try_for_each(|result| result.map(drop))?)
}

/// The operation of this name, on batches of `count`.
pub(crate) fn batch(name: &str, count: usize) -> Result<Batch> {
    let keys: Vec<SigningKey> = generate_batch(count, Threads::Pool)
        .into_iter()
        .map(|key| key.map(SigningKey::new))
        .collect::<Result<_, _>>()?;
    Ok(match name {
        "keygen" => Box::new(move || all(generate_batch(count, Threads::Pool))),
        "sign" => Box::new(move || {
            let items: Vec<_> = keys.iter().map(|key| SignItem::new(key, TEXT)).collect();
            all(sign_batch(black_box(&items), Threads::Pool))
        }),
        "verify" => {
            let items: Vec<_> = keys.iter().map(|key| SignItem::new(key, TEXT)).collect();
            let signatures = sign_batch(&items, Threads::Pool)
                .into_iter()
                .collect::<Result<Vec<_>, _>>()?;
            // Keys that are met once: from the second round on, others would have their tables.
            let keys: Vec<_> = keys
                .iter()
                .map(|key| key.verifying_key().with_precompute(Precompute::Never))
                .collect();
            Box::new(move || {
                let items: Vec<_> = keys
                    .iter()
                    .zip(&signatures)
                    .map(|(key, signature)| VerifyItem::new(key, TEXT, signature))
                    .collect();
                all(verify_batch(black_box(&items), Threads::Pool))
            })
        }
        "encrypt" => Box::new(move || {
            let items: Vec<_> = keys
                .iter()
                .map(|key| EncryptItem::new(key.private_key().public_key(), TEXT))
                .collect();
            all(encrypt_batch(black_box(&items), Threads::Pool))
        }),
        "decrypt" => {
            let items: Vec<_> = keys
                .iter()
                .map(|key| EncryptItem::new(key.private_key().public_key(), TEXT))
                .collect();
            let ciphertexts: Vec<Ciphertext> = encrypt_batch(&items, Threads::Pool)
                .into_iter()
                .collect::<Result<_, _>>()?;
            Box::new(move || {
                let items: Vec<_> = keys
                    .iter()
                    .zip(&ciphertexts)
                    .map(|(key, ciphertext)| DecryptItem::new(key.private_key(), ciphertext))
                    .collect();
                all(decrypt_batch(black_box(&items), Threads::Pool))
            })
        }
        "sm3" => {
            let messages = vec![[0x5A; 1024]; count];
            Box::new(move || {
                let digests = kuaimi::sm3::digest_many(black_box(&messages), Threads::Pool);
                ensure!(digests.len() == messages.len(), "a digest is missing");
                Ok(())
            })
        }
        "sm9-sign" | "sm9-verify" => {
            let master = sm9::MasterSigningKey::generate()?;
            let key = master.extract("alice")?;
            let verifying = key.verifying_key().clone();
            let sign = move || {
                let items: Vec<_> = (0..count)
                    .map(|_| sm9::batch::SignItem::new(&key, TEXT))
                    .collect();
                sm9::batch::sign_batch(black_box(&items), Threads::Pool)
            };
            if name == "sm9-sign" {
                return Ok(Box::new(move || all(sign())));
            }
            let signatures = sign().into_iter().collect::<Result<Vec<_>, _>>()?;
            Box::new(move || {
                let items: Vec<_> = signatures
                    .iter()
                    .map(|signature| sm9::batch::VerifyItem::new(&verifying, TEXT, signature))
                    .collect();
                all(sm9::batch::verify_batch(black_box(&items), Threads::Pool))
            })
        }
        _ => return Err(anyhow!("{name:?} is no operation")),
    })
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    ensure!(
        (2..=1024).contains(&arguments.threads),
        "--threads must be from 2 to 1024"
    );
    check(arguments.seconds, arguments.rounds)?;
    let slice = Duration::from_secs_f64(arguments.seconds);
    if let Some(worker) = &arguments.worker {
        let (name, count) = worker.split_once(':').context("--worker NAME:COUNT")?;
        let count = count.parse()?;
        let work = batch(name, count)?;
        println!("{}", rate(&pool(1)?, slice, count, &work)?);
        return Ok(());
    }
    arguments.output.prepare()?;
    environment::warn_if_slow();
    let environment = Environment::here();
    ensure!(
        environment.cpus >= arguments.threads,
        "this process may use only {} CPUs: compare at most as many --threads",
        environment.cpus
    );
    let operations = measure(arguments, slice)?;
    let record = Record {
        name: "threads".to_owned(),
        title: format!("Batches on {} threads", arguments.threads),
        run: Run {
            environment,
            core: None,
            seconds: Some(arguments.seconds),
            rounds: arguments.rounds,
        },
        contenders: vec![
            Contender::new("threads", format!("{} threads", arguments.threads)),
            Contender::new("one", "one thread"),
            Contender::new("processes", format!("{} processes", arguments.threads)),
        ],
        goals_against: "processes".to_owned(),
        operations,
    };
    arguments.output.write(std::slice::from_ref(&record))?;
    show(&text::record(&record)?)
}

fn measure(arguments: &Arguments, slice: Duration) -> Result<Vec<Operation>> {
    let (one, several) = (pool(1)?, pool(arguments.threads)?);
    let cores = cores::available();
    let progress = progress_bar(OPERATIONS.len() * BATCHES.len() * arguments.rounds);
    let mut operations = Vec::new();
    for (name, label) in OPERATIONS {
        for count in BATCHES {
            progress.set_message(format!("{label}, {count}"));
            let work = batch(name, count)?;
            let mut rates: [Vec<f64>; 3] = Default::default();
            for _ in 0..arguments.rounds {
                rates[0].push(rate(&several, slice, count, &work)?);
                rates[1].push(rate(&one, slice, count, &work)?);
                rates[2].push(processes(arguments, &cores, name, count)?);
                progress.inc(1);
            }
            operations.push(Operation {
                id: format!("threads-{name}-{count}"),
                label: format!("{label}, batches of {count}"),
                bytes: None,
                goal: (count >= 256).then_some(Goal {
                    at_least: 0.97,
                    aim: None,
                }),
                figures: rates
                    .map(|rates| {
                        let condition = "each batch is finished before the next one";
                        Some(Figures::new(condition, rates))
                    })
                    .into(),
            });
        }
    }
    progress.finish_and_clear();
    Ok(operations)
}

/// What processes that run at the same time reach together, each kept on a core.
fn processes(arguments: &Arguments, cores: &[usize], name: &str, count: usize) -> Result<f64> {
    let program = std::env::current_exe()?;
    let mut children = Vec::new();
    for core in cores.iter().take(arguments.threads) {
        let child = Command::new("taskset")
            .args(["-c", &core.to_string()])
            .arg(&program)
            .args(["scaling", "--worker", &format!("{name}:{count}")])
            .args(["--seconds", &arguments.seconds.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot run taskset (util-linux)")?;
        children.push(child);
    }
    let mut sum = 0.0;
    for child in children {
        let output = child.wait_with_output()?;
        let rate = String::from_utf8(output.stdout)?;
        sum += rate.trim().parse::<f64>().context("a process has failed")?;
    }
    Ok(sum)
}

pub(crate) fn pool(threads: usize) -> Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .with_context(|| format!("the system does not give {threads} threads"))
}

/// Operations a second.
pub(crate) fn rate(pool: &ThreadPool, slice: Duration, count: usize, work: &Batch) -> Result<f64> {
    pool.install(|| {
        let start = Instant::now();
        let mut done = 0;
        loop {
            work()?;
            done += count;
            let elapsed = start.elapsed();
            if elapsed >= slice {
                return Ok(done as f64 / elapsed.as_secs_f64());
            }
        }
    })
}
