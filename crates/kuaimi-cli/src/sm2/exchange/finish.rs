//! `kuaimi sm2 exchange finish`: A's second step.

use clap::Args;
use kuaimi::sm2::exchange::Initiator;

use crate::context::Context;
use crate::exchange::steps::FinishArgs;
use crate::exit::{Answer, Result};
use crate::sm2::keys::PrivateKeyArgs;

/// Side A, second step: takes R_B and S_B, writes the key, and prints S_A for the other side.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 exchange finish --key alice.pem --state a.state --message from-bob.txt \\
      --out key.bin > to-bob.txt
  kuaimi sm2 exchange finish --key alice.pem --state a.state --message from-bob.txt \\
      --unconfirmed --out key.bin

The state serves once: it is deleted before the key is computed, also when the other side turns
out to have another key. `kuaimi help sm2 exchange` shows the whole exchange.

Exit status: 1 when the two sides do not have the same key.")]
pub struct Finish {
    #[command(flatten)]
    key: PrivateKeyArgs,
    #[command(flatten)]
    step: FinishArgs,
}

impl Finish {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.step.run(|state| {
            let key = self.key.load(context)?;
            Ok(Initiator::from_bytes(state, &key))
        })
    }
}
