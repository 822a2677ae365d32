//! `kuaimi sm9 exchange respond`: B's first step.

use clap::Args;
use kuaimi::sm9::exchange::Responder;

use super::Parties;
use crate::context::Context;
use crate::exchange::steps::RespondArgs;
use crate::exit::{Answer, Failure, Result};

/// Side B, first step: takes R_A, prints R_B and S_B, and keeps a state for `confirm`.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("Your key, as `extract --for-exchange` made it: PEM or DER, encrypted or not")))]
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
    step: RespondArgs,
}

impl Respond {
    pub fn run(self, context: Context) -> Result<Answer> {
        self.step.run(|r_a, length| {
            let (party, peer) = self.parties.load(context)?;
            let responder = Responder::new(party, self.parties.peer(&peer))
                .map_err(|error| Failure::usage(error.to_string()))?;
            Ok(responder.respond(r_a, length))
        })
    }
}
