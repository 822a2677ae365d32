//! Chains verified by this library and by others, in turns: a slice of each, and again, so that a
//! machine that is busy for a while is so for all of them. What counts is processor time of one
//! thread.
//!
//! A peer is a program that is given the folder of the certificates. It reads numbers, one a line,
//! verifies so many chains, and answers with the nanoseconds of processor time that they took.
//! Every program has read the certificates before, each chain with its own copy of the
//! intermediate.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use kuaimi::Threads;
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{Policy, Presented, Verifier};

use crate::Failure;

/// Chains in a slice: a tenth of a second or more for the slowest.
const SLICE: usize = 1000;

struct Peer {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    fn start(argument: &str, folder: &str) -> Result<Self, Failure> {
        let (name, program) = argument.split_once('=').ok_or("a peer is NAME=PROGRAM")?;
        let mut child = Command::new(program)
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Self {
            name: name.to_owned(),
            child,
            input,
            output,
        })
    }

    /// Chains in a second.
    fn slice(&mut self) -> Result<f64, Failure> {
        writeln!(self.input, "{SLICE}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let nanoseconds: f64 = line
            .trim()
            .parse()
            .map_err(|_| format!("{}: {line}", self.name))?;
        Ok(SLICE as f64 / nanoseconds * 1e9)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}

/// Nanoseconds of processor time of this thread.
fn thread_time() -> Result<f64, Failure> {
    // The kernel brings the file up to date when the thread is not running.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let first = text.split(' ').next().ok_or("no time")?;
    Ok(first.parse()?)
}

/// Chains in a second, of chains that are all good.
fn timed(mut work: impl FnMut() -> usize) -> Result<f64, Failure> {
    let start = thread_time()?;
    let good = work();
    let took = thread_time()? - start;
    if good != SLICE {
        return Err(format!("{good} of {SLICE} chains are good").into());
    }
    Ok(SLICE as f64 / took * 1e9)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Verifies as others do, for some rounds, and prints the medians.
pub(crate) fn run(
    verifier: &Verifier,
    policy: &Policy,
    folder: &str,
    rounds: usize,
    peers: &[String],
) -> Result<(), Failure> {
    let read = |name: &str| -> Result<Vec<Certificate>, Failure> {
        let file = fs::read(Path::new(folder).join(name))?;
        Ok(Certificate::read_all(&file)?)
    };
    let (ends, middle) = (read("ends.pem")?, read("middle.pem")?);
    let middle = middle.first().ok_or("no intermediate")?;
    let own: Vec<[Certificate; 1]> = ends
        .iter()
        .map(|_| Ok([Certificate::from_der(middle.as_der())?]))
        .collect::<Result<_, kuaimi_pki::Error>>()?;
    let chains: Vec<Presented<'_>> = ends
        .iter()
        .zip(&own)
        .map(|(end, given)| Presented::new(end).intermediates(given))
        .collect();
    let chains = chains.get(..SLICE).ok_or("too few chains")?;
    let batch = |size: usize| {
        let batches = chains.chunks(size);
        let results = batches.flat_map(|batch| verifier.verify_batch(batch, policy, Threads::One));
        results.filter(Result::is_ok).count()
    };

    let mut peers: Vec<Peer> = peers
        .iter()
        .map(|peer| Peer::start(peer, folder))
        .collect::<Result<_, _>>()?;
    let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
    for name in [
        "Kuaimi, one by one",
        "Kuaimi, batches of 100",
        "Kuaimi, batches of 1000",
    ] {
        rows.push((name.to_owned(), Vec::new()));
    }
    rows.extend(peers.iter().map(|peer| (peer.name.clone(), Vec::new())));
    // The first round fills caches and makes tables, everywhere, and does not count.
    for round in 0..=rounds {
        let one_by_one = timed(|| {
            let results = chains.iter();
            let results = results.map(|chain| verifier.verify_presented(chain, policy));
            results.filter(Result::is_ok).count()
        })?;
        let mut found = vec![one_by_one, timed(|| batch(100))?, timed(|| batch(1000))?];
        for peer in &mut peers {
            found.push(peer.slice()?);
        }
        if round > 0 {
            for ((_, values), value) in rows.iter_mut().zip(found) {
                values.push(value);
            }
        }
    }

    let medians: Vec<(String, f64)> = rows
        .iter_mut()
        .map(|(name, values)| (name.clone(), median(values)))
        .collect();
    let others: Vec<&(String, f64)> = medians.iter().skip(3).collect();
    print!("| chains of three, in a second of one thread's processor time | |");
    for (name, _) in &others {
        print!(" × {name} |");
    }
    print!("\n| --- | ---: |");
    println!("{}", " ---: |".repeat(others.len()));
    for (name, value) in &medians {
        print!("| {name} | {value:.0} |");
        for (_, other) in &others {
            print!(" {:.1} |", value / other);
        }
        println!();
    }
    Ok(())
}
