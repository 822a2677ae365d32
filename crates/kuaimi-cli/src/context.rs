//! What every command is told of how it is run.

use std::fmt::Display;

use crate::say::say;

#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// `--verbose`.
    pub verbose: bool,
}

impl Context {
    /// Says something that is only of interest with `--verbose`.
    pub fn note(self, line: impl Display) {
        if self.verbose {
            say(line);
        }
    }
}
