//! Instruction counts of the rungs, beside their times: this program runs itself under callgrind, which counts what a rung does between the
//! beginning and the end of one function.
//!
//! Valgrind computes the instructions of `adx` and of AVX2, but not those of AVX-512. So rungs that take whatever is fastest on this
//! CPU have no count, nor have those of AVX-512. Rungs with one implementation run the same code as when they are timed.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::report::Report;
use super::rung::{Ladder, Work};

/// The function that is counted, as callgrind names it.
const COUNTED: &str = "kuaimi_lab::ladders::count::counted";

/// Operations of a rung, so that all items of a list and all lanes of a vector have their turn; fewer where one takes long.
const OPERATIONS: u64 = 64;
const FEW: u64 = 4;
const LONG: Duration = Duration::from_millis(20);

/// Counts the rungs of ladders that a folder has figures of, and writes them into its files.
pub(super) fn into(folder: &Path, ladders: &[Ladder]) -> Result<()> {
    let mut report = Report::read(folder)?
        .with_context(|| format!("{} has no figures of ladders", folder.display()))?;
    for ladder in ladders {
        let of_name = |one: &&mut super::report::LadderReport| one.name == ladder.name;
        let Some(figures) = report.ladders.iter_mut().find(of_name) else {
            bail!(
                "{} has no figures of {}: measure it first",
                folder.display(),
                ladder.name
            );
        };
        let counts = ladder_counts(ladder.name)?;
        for rung in &mut figures.rungs {
            let found = counts.iter().find(|(name, _)| *name == rung.name);
            rung.instructions = found.map(|(_, count)| *count);
        }
    }
    report.write(folder)
}

/// The names of rungs, and the instructions of an operation.
fn ladder_counts(name: &str) -> Result<Vec<(String, f64)>> {
    eprintln!("counting the instructions of {name}");
    let folder = tempfile::tempdir()?;
    let output = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(format!("--dump-after={COUNTED}"))
        .arg(format!(
            "--callgrind-out-file={}",
            folder.path().join("counts").display()
        ))
        .arg(std::env::current_exe()?)
        .args(["ladders", "--under-callgrind", "--only", name])
        .env("KUAIMI_BACKEND", "adx")
        .output()
        .context("valgrind cannot be run (Debian: apt-get install valgrind)")?;
    ensure!(
        output.status.success(),
        "under valgrind, which needs this program built with the feature memcheck (make count-ladders): {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let mut counts = Vec::new();
    // Callgrind numbers its files: one at each end of the function.
    for (number, line) in (1..).zip(String::from_utf8(output.stdout)?.lines()) {
        let (rung, operations) = line.split_once('\t').context("a rung and a number")?;
        let path = folder.path().join(format!("counts.{number}"));
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("callgrind wrote no counts of {rung}"))?;
        let instructions = total(&text).with_context(|| format!("no total for {rung}"))?;
        counts.push((rung.to_owned(), instructions / operations.parse::<f64>()?));
    }
    Ok(counts)
}

/// The sum of a file of callgrind's.
fn total(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals: "));
    line?.trim().parse().ok()
}

/// What runs under callgrind: each rung once, not counted, then some operations that are. Says how many.
pub(super) fn under_callgrind(ladders: &mut [Ladder]) {
    for rung in ladders.iter_mut().flat_map(|ladder| &mut ladder.rungs) {
        if rung.depends_on_cpu {
            continue;
        }
        // Tables that are made at the first use are not a part of it.
        let start = Instant::now();
        (rung.work)(1);
        let operations = if start.elapsed() < LONG {
            OPERATIONS
        } else {
            FEW
        };
        (rung.work)(operations);
        counted(&mut rung.work, operations);
        println!("{}\t{operations}", rung.name);
    }
}

/// Callgrind knows it by its name.
#[inline(never)]
fn counted(work: &mut Work, operations: u64) {
    std::hint::black_box(work)(operations);
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn totals_are_read() {
        let text = "version: 1\nsummary: 7\n\nfn=one\n0 640\n\ntotals: 640\n";
        assert_eq!(total(text), Some(640.0));
        assert_eq!(total("summary: 7\n"), None);
    }
}
