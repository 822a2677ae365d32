//! `kuaimi sm9 exchange confirm`: B's second step.

use std::path::PathBuf;

use clap::Args;
use kuaimi::sm9::G1Point;
use kuaimi::sm9::exchange::Response;

use super::failed;
use crate::cli::Context;
use crate::exit::{Answer, Failure, Result};
use crate::sm2::exchange::KeyOutput;
use crate::sm2::exchange::message::Received;
use crate::sm2::exchange::state::State;

/// Side B, second step: takes S_A and writes the key.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  kuaimi sm9 exchange confirm --state b.state --message from-alice.txt --out key.bin

The state serves once: it is deleted before the key is written, also when the other side turns
out to have another key. `kuaimi help sm9 exchange` shows the whole exchange.

Exit status: 1 when the two sides do not have the same key.")]
pub struct Confirm {
    /// The state that `respond` kept.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl Confirm {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.key_output.target();
        target.check()?;
        let message = self.received.read::<G1Point>('A')?;
        let s_a = message.confirmation("S_A")?;
        let state = State::read(&self.state)?;
        let response = Response::from_bytes(&state.bytes)
            .map_err(|error| Failure::file(state.name(), error))?;
        state.spend()?;
        let key = response
            .confirm(&s_a)
            .map_err(|error| failed(message.name(), error))?;
        target.write(&self.key_output.encode(&key))?;
        context.note(format_args!(
            "{}: the other side has the same key",
            message.name()
        ));
        Ok(Answer::Yes)
    }
}
