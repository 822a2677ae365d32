//! `kuaimi sm9 exchange respond`: B's first step.

use std::path::PathBuf;

use clap::Args;
use kuaimi::sm9::exchange::Responder;

use super::{Parties, failed};
use crate::cli::Context;
use crate::exit::{Answer, Failure, Result};
use crate::output::print;
use crate::sm2::exchange::message::{Received, confirmation_line, point_line};
use crate::sm2::exchange::{KeyOutput, SharedKeyArgs, state};

/// Side B, first step: takes R_A, prints R_B and S_B, and keeps a state for `confirm`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm9 exchange respond --key bob.pem --id bob --peer-id alice \\
      --message from-alice.txt --out-state b.state > to-alice.txt
  kuaimi sm9 exchange respond --key bob.pem --message from-alice.txt \\
      --unconfirmed --out key.bin

`kuaimi help sm9 exchange` shows the whole exchange.")]
pub struct Respond {
    #[command(flatten)]
    parties: Parties,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    shared: SharedKeyArgs,
    /// Keep the state for `confirm` in FILE: a secret, mode 0600.
    #[arg(long, value_name = "FILE", required_unless_present = "unconfirmed")]
    out_state: Option<PathBuf>,
    /// Do without confirmation: write the key at once, with no proof that the other side has it.
    #[arg(long, conflicts_with = "out_state", requires = "out")]
    unconfirmed: bool,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl Respond {
    pub fn run(self, context: Context) -> Result<Answer> {
        let state = match &self.out_state {
            Some(path) => Some(state::target(path, self.key_output.output.force)?),
            None => None,
        };
        let target = self.key_output.target();
        if state.is_some() && self.key_output.output.out.is_some() {
            return Err(Failure::usage(
                "--out: the key comes out of `confirm`; leave --out to it, or give --unconfirmed",
            ));
        }
        if self.unconfirmed && target.is_stdout() {
            return Err(Failure::usage(
                "--out: standard output is for R_B; give a file for the key",
            ));
        }
        target.check()?;
        let message = self.received.read('A')?;
        let r_a = message.point("R_A")?;
        let (party, peer) = self.parties.load(context)?;
        let response = Responder::new(party, self.parties.peer(&peer))
            .map_err(|error| Failure::usage(error.to_string()))?
            .respond(&r_a, self.shared.length())
            .map_err(|error| failed(message.name(), error))?;
        let mut lines = point_line("R_B", response.point());
        match state {
            Some(state) => {
                state.write(&response.to_bytes())?;
                lines += &confirmation_line("S_B", &response.confirmation());
            }
            None => target.write(&self.key_output.encode(&response.key_unconfirmed()))?,
        }
        print(lines)?;
        Ok(Answer::Yes)
    }
}
