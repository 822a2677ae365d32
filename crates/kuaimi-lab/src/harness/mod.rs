//! What all measurements share: who is measured beside whom, in slices that take turns, and what is
//! recorded of it.
//!
//! The words of this crate, each for one thing:
//!
//! | word | meaning |
//! | --- | --- |
//! | *operation* | what is timed: a signature, a batch of them, a hash |
//! | *library* | Kuaimi, OpenSSL, gmsm …: a product that others could use |
//! | *peer* | the process around another library that answers requests (folder `peers/`) |
//! | *implementation* | an entry of Kuaimi's own table, such as `adx` |
//! | *contender* | what is measured beside others in a run: a library, a number of threads, a file |
//! | *slice* | some operations of one contender, timed as a whole |
//! | *round* | one slice of each contender, in turn; ratios are formed within a round |
//! | *run* | all rounds of one command, with the machine that they ran on |
//! | *record* | the figures of a run as a file of JSON |
//!
//! | module | what it does |
//! | --- | --- |
//! | [`slices`] | turns, the length of slices, the processor's time |
//! | [`statistics`] | medians, quantiles, ratios |
//! | [`cores`] | keeping a process or a thread on a core |
//! | [`environment`] | the machine, the compilers, the commit, the command |
//! | [`implementation`] | another entry of Kuaimi's table for a while |
//! | [`record`], [`folder`] | records, and folders of them |
//!
//! Nothing here knows what is measured: the libraries, the ladders and the rest build on this
//! module, never the other way round.

pub(crate) mod cores;
pub(crate) mod environment;
pub(crate) mod folder;
pub(crate) mod implementation;
pub(crate) mod record;
pub(crate) mod slices;
pub(crate) mod statistics;

use std::io::{ErrorKind, IsTerminal, Write as _};

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};

/// An error for slices or rounds that make no sense.
pub(crate) fn check(seconds: f64, rounds: usize) -> Result<()> {
    ensure!(
        seconds > 0.0 && seconds <= 60.0,
        "--seconds must be above 0 and at most 60, but is {seconds}"
    );
    ensure!(
        (1..=1000).contains(&rounds),
        "--rounds must be from 1 to 1000, but is {rounds}"
    );
    Ok(())
}

/// Writes to standard output.
pub(crate) fn show(text: &str) -> Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        // The reader has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("the report cannot be written"),
    }
}

/// On standard error and only for a person: pipes and logs see none of it.
pub(crate) fn progress_bar(steps: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps as u64);
    let style = ProgressStyle::with_template("measuring {bar:40} {percent}%, {eta} left  {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
