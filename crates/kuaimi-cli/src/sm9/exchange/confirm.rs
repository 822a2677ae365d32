//! `kuaimi sm9 exchange confirm`: B's second step.

use clap::Args;
use kuaimi::sm9::exchange::Response;

use crate::context::Context;
use crate::exchange::steps::ConfirmArgs;
use crate::exit::{Answer, Result};

/// Side B, second step: takes S_A and writes the key.
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  kuaimi sm9 exchange confirm --state b.state --message from-alice.txt --out key.bin

The state serves once: it is deleted before the key is written, also when the other side turns
out to have another key. `kuaimi help sm9 exchange` shows the whole exchange.

Exit status: 1 when the two sides do not have the same key.")]
pub struct Confirm {
    #[command(flatten)]
    step: ConfirmArgs,
}

impl Confirm {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.step.run::<Response>(context)
    }
}
