//! `kuaimi sm9 exchange finish`: A's second step.

use clap::Args;
use kuaimi::sm9::exchange::Initiator;

use crate::context::Context;
use crate::exchange::steps::FinishArgs;
use crate::exit::{Answer, Result};
use crate::sm9::keys::KeyArgs;

/// Side A, second step: takes R_B and S_B, writes the key, and prints S_A for the other side.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("Your key, as `extract --for-exchange` made it: PEM or DER, encrypted or not")))]
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
    #[command(flatten)]
    step: FinishArgs,
}

impl Finish {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.step.run(|state| {
            let key = self.key.user_encryption(context)?;
            Ok(Initiator::from_bytes(state, &key))
        })
    }
}
