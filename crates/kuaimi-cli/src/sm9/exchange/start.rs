//! `kuaimi sm9 exchange start`: A's first step.

use std::path::PathBuf;

use clap::Args;
use kuaimi::sm9::exchange::Initiator;

use super::Parties;
use crate::context::Context;
use crate::exchange::message::point_line;
use crate::exchange::state;
use crate::exit::{Answer, Failure, Result};
use crate::output::{check_stdout, print};

/// Side A, first step: prints R_A for the other side and keeps a state for `finish`.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("Your key, as `extract --for-exchange` made it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Example:
  kuaimi sm9 exchange start --key alice.pem --id alice --peer-id bob \\
      --out-state a.state > to-bob.txt

`kuaimi help sm9 exchange` shows the whole exchange.")]
pub struct Start {
    #[command(flatten)]
    parties: Parties,
    /// Keep the state for `finish` in FILE: a secret, mode 0600.
    #[arg(long, value_name = "FILE")]
    out_state: PathBuf,
    /// Overwrite the state file if it exists.
    #[arg(long)]
    force: bool,
}

impl Start {
    pub fn run(self, context: Context) -> Result<Answer> {
        let state = state::target(&self.out_state, self.force)?;
        check_stdout()?;
        let (party, peer) = self.parties.load(context)?;
        let (initiator, r_a) = Initiator::start(party, self.parties.peer(&peer))
            .map_err(|error| Failure::usage(error.to_string()))?;
        state.write(&initiator.to_bytes())?;
        print(point_line("R_A", &r_a))?;
        Ok(Answer::Yes)
    }
}
