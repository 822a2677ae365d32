//! `kuaimi sm2 exchange respond`: B's first step.

use clap::Args;
use kuaimi::sm2::exchange::Responder;

use super::Parties;
use crate::context::Context;
use crate::exchange::steps::RespondArgs;
use crate::exit::{Answer, Result};

/// Side B, first step: takes R_A, prints R_B and S_B, and keeps a state for `confirm`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  kuaimi sm2 exchange respond --key bob.pem --id bob --peer alice.pub --peer-id alice \\
      --message from-alice.txt --out-state b.state > to-alice.txt
  kuaimi sm2 exchange respond --key bob.pem --peer alice.pub --message from-alice.txt \\
      --unconfirmed --out key.bin

`kuaimi help sm2 exchange` shows the whole exchange.")]
pub struct Respond {
    #[command(flatten)]
    parties: Parties,
    #[command(flatten)]
    step: RespondArgs,
}

impl Respond {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.step.run(|r_a, length| {
            let (party, peer) = self.parties.load(context)?;
            Ok(Responder::new(party, peer).respond(r_a, length))
        })
    }
}
