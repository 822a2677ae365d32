//! Counts the instructions of some operations under callgrind and compares them with a baseline,
//! for `make bench-check`: a change that makes one slower or faster is seen on any machine, however
//! busy it is.
//!
//! Counted are this program's own instructions, on implementations that valgrind can run. Those of
//! the C library are not: which of its functions run depends on the CPU. The compiler is part of
//! the baseline.

mod baseline;
mod callgrind;
mod operations;

use std::path::PathBuf;
use std::process::ExitCode;

use self::baseline::Baseline;
use self::operations::Result;

const USAGE: &str = "usage: instructions check BASELINE RUSTC [--update]    (make bench-check)
       instructions run    does each operation twice, under callgrind";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["run"] => operations::run(),
        ["check", baseline, rustc] => check(&PathBuf::from(baseline), rustc),
        ["check", baseline, rustc, "--update"] => update(&PathBuf::from(baseline), rustc),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn check(path: &std::path::Path, rustc: &str) -> Result<()> {
    let baseline = Baseline::read(path)?;
    let now = Baseline::new(rustc, callgrind::count()?);
    let comparison = baseline.compare(&now);
    print!("{}", comparison.text);
    if comparison.differences > 0 {
        return Err(format!(
            "error: {} of the instruction counts differ from {} by more than {} %. If that is meant, run `make bench-check \
             UPDATE=1`, commit the baseline together with the change, and say why in the commit's message.",
            comparison.differences,
            path.display(),
            baseline::PERCENT
        )
        .into());
    }
    Ok(())
}

fn update(path: &std::path::Path, rustc: &str) -> Result<()> {
    let now = Baseline::new(rustc, callgrind::count()?);
    if let Ok(old) = Baseline::read(path) {
        print!("{}", old.compare(&now).text);
    }
    now.write(path)?;
    println!("{} is written", path.display());
    Ok(())
}
