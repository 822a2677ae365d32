//! `kuaimi sm9 exchange finish`: A's second step.

use std::path::PathBuf;

use clap::Args;
use kuaimi::sm9::exchange::Initiator;

use super::super::keys::KeyArgs;
use super::failed;
use crate::cli::Context;
use crate::exit::{Answer, Failure, Result};
use crate::output::print;
use crate::sm2::exchange::message::{Received, confirmation_line};
use crate::sm2::exchange::state::State;
use crate::sm2::exchange::{KeyOutput, SharedKeyArgs};

/// Side A, second step: takes R_B and S_B, writes the key, and prints S_A for the other side.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm9 exchange finish --key alice.pem --state a.state --message from-bob.txt \\
      --out key.bin > to-bob.txt
  kuaimi sm9 exchange finish --key alice.pem --state a.state --message from-bob.txt \\
      --unconfirmed --out key.bin

The state serves once: it is deleted before the key is computed, also when the other side turns
out to have another key. `kuaimi help sm9 exchange` shows the whole exchange.

Exit status: 1 when the two sides do not have the same key.")]
pub struct Finish {
    #[command(flatten)]
    key: KeyArgs,
    /// The state that `start` kept.
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    shared: SharedKeyArgs,
    /// Do without confirmation: no S_B is needed, and there is no proof that the other side has the key.
    #[arg(long)]
    unconfirmed: bool,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl Finish {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.key_output.target();
        if target.is_stdout() {
            return Err(Failure::usage(
                "--out: standard output is for S_A; give a file for the key",
            ));
        }
        target.check()?;
        let message = self.received.read('B')?;
        let r_b = message.point("R_B")?;
        let s_b = match self.unconfirmed {
            true => None,
            false => Some(message.confirmation("S_B")?),
        };
        let state = State::read(&self.state)?;
        let secret = self.key.user_encryption(context)?;
        let initiator = Initiator::from_bytes(&state.bytes, &secret)
            .map_err(|error| Failure::file(state.name(), error))?;
        state.spend()?;
        let length = self.shared.length();
        let (key, s_a) = match s_b {
            Some(s_b) => initiator
                .finish(&r_b, &s_b, length)
                .map(|(key, s_a)| (key, Some(s_a))),
            None => initiator
                .finish_unconfirmed(&r_b, length)
                .map(|key| (key, None)),
        }
        .map_err(|error| failed(message.name(), error))?;
        target.write(&self.key_output.encode(&key))?;
        if let Some(s_a) = s_a {
            print(confirmation_line("S_A", &s_a))?;
        }
        Ok(Answer::Yes)
    }
}
