//! `--threads`.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use clap::Args;

/// How many threads work.
#[derive(Args, Debug, Clone, Copy)]
pub struct ThreadArgs {
    /// How many threads work [default: as many as there are CPUs].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
}

impl ThreadArgs {
    pub fn count(self) -> usize {
        count(self.threads)
    }
}

/// As many as were asked for, else as many as there are CPUs.
pub fn count(asked: Option<u16>) -> usize {
    match asked {
        Some(threads) => threads.into(),
        None => available_parallelism().map_or(1, NonZeroUsize::get),
    }
}
