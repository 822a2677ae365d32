//! A progress bar, for a person who waits: on a terminal, and for input of a few hundred megabytes
//! or more.

use std::io::{self, IsTerminal, Read, Seek, SeekFrom};

use indicatif::{ProgressBar, ProgressStyle};

/// From how many bytes on a bar is shown.
const WORTH_SHOWING: u64 = 256 << 20;

/// From how many things on a bar is shown.
const WORTH_COUNTING: usize = 50;

/// A bar over `total` bytes, or nothing where none is wanted.
#[derive(Clone)]
pub struct Progress(Option<ProgressBar>);

impl Progress {
    pub fn new(what: &'static str, total: Option<u64>) -> Self {
        let Some(total) = total.filter(|&total| total >= WORTH_SHOWING) else {
            return Self(None);
        };
        if !Self::may_show() {
            return Self(None);
        }
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template(
            "{msg} {wide_bar} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
        ) {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self(Some(bar))
    }

    /// No bar.
    pub fn none() -> Self {
        Self(None)
    }

    /// Whether there is anybody to see a bar.
    pub fn may_show() -> bool {
        io::stderr().is_terminal()
    }

    /// A bar over `total` things of which each takes a while, from a few dozen of them on.
    pub fn counting(what: &'static str, total: usize) -> Self {
        if total < WORTH_COUNTING || !Self::may_show() {
            return Self(None);
        }
        let bar = ProgressBar::new(total as u64);
        if let Ok(style) =
            ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {per_sec}, {eta} left")
        {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self(Some(bar))
    }

    /// Prints something, without the bar in between.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// One more of the things is done.
    pub fn advance(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Counts what is read from `reader`.
    pub fn reading<R>(&self, reader: R) -> Counted<R> {
        Counted {
            reader,
            bar: self.0.clone(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// A reader that moves a bar.
pub struct Counted<R> {
    reader: R,
    bar: Option<ProgressBar>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        if let Some(bar) = &self.bar {
            bar.inc(count as u64);
        }
        Ok(count)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = self.reader.seek(to)?;
        if let Some(bar) = &self.bar {
            bar.set_position(position);
        }
        Ok(position)
    }
}
