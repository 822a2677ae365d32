//! The statuses of the program.
//!
//! | status | meaning |
//! | --- | --- |
//! | 0 | done |
//! | 1 | an invalid signature, a failed decryption, a failed key exchange, a checksum that does not match |
//! | 2 | wrong use, unreadable input, unwritable output |
//! | 130 | interrupted |
//! | 141 | the reader of standard output went away: what a shell reports of a program that SIGPIPE ended |

use std::process::ExitCode;

use crate::failure::Kind;

/// How a command that ran to its end answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Status 0.
    Yes,
    /// Status 1: the command did its work, and the answer is no.
    No,
    /// Status 2, after errors that were already printed.
    Incomplete,
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> Self {
        Self::from(match answer {
            Answer::Yes => 0,
            Answer::No => 1,
            Answer::Incomplete => 2,
        })
    }
}

impl From<Kind> for ExitCode {
    fn from(kind: Kind) -> Self {
        Self::from(match kind {
            Kind::Refused => 1,
            Kind::Usage | Kind::File => 2,
            Kind::ClosedPipe => 141,
        })
    }
}

/// The status of a program that was told to end: by Ctrl-C, a hang-up, or `kill`.
pub const INTERRUPTED: i32 = 130;
