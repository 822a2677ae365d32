//! `kuaimi sm2 exchange` and `kuaimi sm9 exchange`: two people agree on a key over files or copy
//! and paste.
//!
//! ```text
//! A: start   ── R_A ──────▶ B: respond
//! A: finish  ◀── R_B, S_B ──
//!    has the key ── S_A ──▶ B: confirm
//!                              has the key
//! ```
//!
//! | room | what it does |
//! | --- | --- |
//! | `steps` | the four steps, in either scheme |
//! | `scheme` | what they need of a scheme; `sm2/exchange.rs` and `sm9/exchange.rs` have the rest |
//! | `message` | the lines that are sent |
//! | `state` | the files between two steps of a side |

pub mod message;
pub mod scheme;
mod state;
mod steps;

use clap::{Args, Subcommand};
use zeroize::Zeroizing;

use crate::context::Context;
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::output::{OutputArgs, Secrecy, Target};
use crate::text::Encoding;
use scheme::Scheme;
use steps::{Confirm, Finish, Respond, Start};

#[derive(Args, Debug)]
#[command(about = S::ABOUT, after_help = S::HELP)]
pub struct ExchangeCommand<S: Scheme> {
    #[command(subcommand)]
    step: Step<S>,
}

#[derive(Subcommand, Debug)]
enum Step<S: Scheme> {
    Start(Start<S>),
    Respond(Respond<S>),
    Finish(Finish<S>),
    Confirm(Confirm<S>),
}

impl<S: Scheme> ExchangeCommand<S> {
    pub fn run(self, context: Context) -> Result<Answer> {
        match self.step {
            Step::Start(step) => step.run(context),
            Step::Respond(step) => step.run(context),
            Step::Finish(step) => step.run(context),
            Step::Confirm(step) => step.run(context),
        }
    }
}

/// What comes out in the end.
#[derive(Args, Debug)]
pub struct SharedKeyArgs {
    /// Length of the shared key in bytes; both sides must use the same.
    #[arg(long, value_name = "BYTES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    length: u32,
}

impl SharedKeyArgs {
    pub fn length(&self) -> usize {
        self.length as usize
    }
}

/// Where the shared key goes.
#[derive(Args, Debug)]
pub struct KeyOutput {
    #[command(flatten)]
    pub output: OutputArgs,
    /// How the key is written [default: binary, and hex on a terminal].
    #[arg(long, value_enum, value_name = "ENCODING")]
    encoding: Option<Encoding>,
}

impl KeyOutput {
    pub fn target(&self) -> Target {
        self.output.target(Secrecy::Secret)
    }

    pub fn encode(&self, key: &[u8]) -> Zeroizing<Vec<u8>> {
        let encoding = self.target().encoding(self.encoding, Encoding::Hex);
        encoding.encode(key)
    }
}

/// An error of an exchange, about the message or the file of that name.
fn failed(name: &str, error: impl scheme::Error) -> Failure {
    if error.is_mismatch() {
        return Failure::refused(
            name,
            "the two sides do not have the same key: other keys or identities than agreed, or altered lines; start again",
        );
    }
    Failure::file(name, error)
}
