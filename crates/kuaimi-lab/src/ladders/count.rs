//! Instruction counts of the rungs, beside their times: this program runs itself under callgrind,
//! which counts what a rung does between the beginning and the end of one function.
//!
//! Valgrind computes the instructions of `adx` and of AVX2, but not those of AVX-512. So rungs that
//! take whatever is fastest on this CPU have no count, nor have those of AVX-512. Rungs with one
//! implementation run the same code as when they are timed.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::report::Report;
use super::rung::{Ladder, Work};
use super::{multiplication, reduction};

/// The function that is counted, as callgrind names it.
const COUNTED: &str = "kuaimi_lab::ladders::count::counted";

/// Operations of a rung, so that all items of a list and all lanes of a vector have their turn.
const OPERATIONS: u64 = 64;

/// Ladders whose rungs do not compute with the chosen backend.
const ANY_BACKEND: [&str; 2] = [multiplication::NAME, reduction::NAME];

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
        "under valgrind: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let mut counts = Vec::new();
    // Callgrind numbers its files: one at each end of the function, which each rung calls twice.
    for (number, rung) in (0..).zip(String::from_utf8(output.stdout)?.lines()) {
        let count = |number: u32| {
            let path = folder.path().join(format!("counts.{number}"));
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("callgrind wrote no counts of {rung}"))?;
            total(&text).with_context(|| format!("no total for {rung}"))
        };
        let instructions = count(2 * number + 2)? - count(2 * number + 1)?;
        counts.push((rung.to_owned(), instructions / OPERATIONS as f64));
    }
    Ok(counts)
}

/// The sum of a file of callgrind's.
fn total(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals: "));
    line?.trim().parse().ok()
}

/// What runs under callgrind: of each rung an operation that is not counted, none at all, whose
/// count is what the call costs, and some that are counted. Prints the names.
pub(super) fn under_callgrind(ladders: &mut [Ladder]) -> Result<()> {
    let any_backend = |ladder: &Ladder| ANY_BACKEND.contains(&ladder.name);
    ensure!(
        kuaimi::backend().name() == "adx" || ladders.iter().all(any_backend),
        "the backend is {}, not adx: build with the feature memcheck (make count-ladders)",
        kuaimi::backend().name()
    );
    for rung in ladders.iter_mut().flat_map(|ladder| &mut ladder.rungs) {
        if rung.depends_on_cpu {
            continue;
        }
        // Tables that are made at the first use are not a part of it.
        (rung.work)(1);
        counted(&mut rung.work, 0);
        counted(&mut rung.work, OPERATIONS);
        println!("{}", rung.name);
    }
    Ok(())
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
