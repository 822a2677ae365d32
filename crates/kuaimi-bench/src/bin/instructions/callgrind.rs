//! Runs this program under callgrind, once with each backend, and reads what it counted.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::operations::{self, Result};

/// Implementations that valgrind can run, in assembly and without.
const BACKENDS: [&str; 2] = ["portable64", "adx"];

/// The function that is counted, as callgrind names it: `--dump-after` takes no pattern.
const COUNTED: &str = "instructions::operations::counted_operation";

/// The counts of each backend, by operation.
pub(super) type Counts = BTreeMap<String, BTreeMap<String, u64>>;

pub(super) fn count() -> Result<Counts> {
    let names: Vec<&str> = operations::all()?
        .iter()
        .map(|operation| operation.name)
        .collect();
    let mut counts = Counts::new();
    for backend in BACKENDS {
        eprintln!(
            "counting the instructions of {} operations: {backend}",
            names.len()
        );
        let folder = tempfile::tempdir()?;
        let program = std::env::current_exe()?;
        run(&program, backend, folder.path())?;
        let mut figures = BTreeMap::new();
        for (number, name) in (1..).zip(&names) {
            // Callgrind numbers its files: one at each end of the function.
            let path = folder.path().join(format!("counts.{number}"));
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("callgrind wrote no counts of {name:?}: {error}"))?;
            let count = own_instructions(&text, &program.to_string_lossy());
            if count == 0 {
                return Err(format!("callgrind counted no instruction of {name:?}").into());
            }
            figures.insert((*name).to_owned(), count);
        }
        counts.insert(backend.to_owned(), figures);
    }
    Ok(counts)
}

fn run(program: &Path, backend: &str, folder: &Path) -> Result<()> {
    let output = Command::new("valgrind")
        .args(["--quiet", "--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(format!("--dump-after={COUNTED}"))
        // Names in full: each line is then understood by itself.
        .args(["--compress-strings=no", "--compress-pos=no"])
        .arg(format!(
            "--callgrind-out-file={}",
            folder.join("counts").display()
        ))
        .arg(program)
        .arg("run")
        .env("KUAIMI_BACKEND", backend)
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .map_err(|error| {
            format!("valgrind cannot be run (Debian: apt-get install valgrind): {error}")
        })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("under valgrind, with {backend}: {}\n{said}", output.status).into());
    }
    Ok(())
}

/// The instructions in a file of callgrind's that belong to this program, not to the C library.
///
/// After the line `ob=` of a program or library come lines of its functions, each a position and a
/// count. The count on the line after `calls=` is that of a called function, which has lines of its
/// own.
fn own_instructions(text: &str, program: &str) -> u64 {
    let mut sum = 0;
    let mut own = false;
    let mut called = false;
    for line in text.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            own = object == program;
        } else if line.starts_with("calls=") {
            called = true;
        } else if line.starts_with(|c: char| c.is_ascii_digit()) {
            let count = line
                .split_whitespace()
                .nth(1)
                .and_then(|word| word.parse().ok());
            if own && !called {
                sum += count.unwrap_or(0);
            }
            called = false;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::own_instructions;

    /// What is below a call belongs to the called function; what the C library does is left out,
    /// and what follows it is not.
    #[test]
    fn only_this_program_is_counted() {
        let text = "\
version: 1
positions: line
events: Ir
summary: 1000

ob=/a/program
fl=a.rs
fn=one
0 100
cfn=two
calls=3 0
0 500
0 20
cob=/lib/libc.so.6
cfn=memcpy
calls=1 0
0 77

fn=two
16 3

ob=/lib/libc.so.6
fn=memcpy
0 77

ob=/a/program
fn=three
0 1000
";
        assert_eq!(own_instructions(text, "/a/program"), 100 + 20 + 3 + 1000);
        assert_eq!(own_instructions(text, "/lib/libc.so.6"), 77);
        assert_eq!(own_instructions("", "/a/program"), 0);
    }
}
