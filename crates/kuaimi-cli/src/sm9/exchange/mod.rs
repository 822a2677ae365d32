//! `kuaimi sm9 exchange`: two users of one centre agree on a key over files or copy and paste, as with `kuaimi sm2 exchange`.
//!
//! ```text
//! A: start   ── R_A ──────▶ B: respond
//! A: finish  ◀── R_B, S_B ──
//!    has the key ── S_A ──▶ B: confirm
//!                              has the key
//! ```

mod confirm;
mod finish;
mod respond;
mod start;

use clap::{Args, Subcommand};
use kuaimi::sm9::Identity;
use kuaimi::sm9::exchange::Party;

use super::identity::{self, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::exit::{Answer, Failure, Result};

const EXAMPLE: &str = "\
Example. The centre made keys for exchange, and gave Alice and Bob theirs:
  kuaimi sm9 extract --key enc.pem --id alice --for-exchange --out alice.pem
  kuaimi sm9 extract --key enc.pem --id bob --for-exchange --out bob.pem
They need nothing else of each other than the names.
  Alice: kuaimi sm9 exchange start --key alice.pem --id alice --peer-id bob --out-state a.state
         It prints a line R_A, which she sends to Bob.
  Bob:   kuaimi sm9 exchange respond --key bob.pem --id bob --peer-id alice \\
             --out-state b.state --received 'R_A 04...'
         It prints R_B and S_B, which he sends to Alice.
  Alice: kuaimi sm9 exchange finish --key alice.pem --state a.state \\
             --received 'R_B 04... S_B 5f...' --out key.bin
         It writes the key, and prints S_A, which she sends to Bob.
  Bob:   kuaimi sm9 exchange confirm --state b.state --received 'S_A 7c...' --out key.bin
         It writes the same key.

The lines are no secrets. The state files are: they have mode 0600, serve once, and are deleted when
used.";

/// Agree on a secret key with someone whose name you know.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct ExchangeCommand {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand, Debug)]
enum Step {
    Start(start::Start),
    Respond(respond::Respond),
    Finish(finish::Finish),
    Confirm(confirm::Confirm),
}

impl ExchangeCommand {
    pub fn run(self, context: Context) -> Result<Answer> {
        match self.step {
            Step::Start(step) => step.run(context),
            Step::Respond(step) => step.run(context),
            Step::Finish(step) => step.run(context),
            Step::Confirm(step) => step.run(context),
        }
    }
}

/// Who takes part.
#[derive(Args, Debug)]
struct Parties {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    /// The other side's identity, as text.
    #[arg(
        long,
        value_name = "ID",
        conflicts_with = "peer_id_hex",
        required_unless_present = "peer_id_hex"
    )]
    peer_id: Option<String>,
    /// The other side's identity, as bytes in hexadecimal.
    #[arg(long, value_name = "HEX")]
    peer_id_hex: Option<String>,
    #[command(flatten)]
    hid: identity::HidArgs,
}

impl Parties {
    /// The own side, and the peer's identity.
    fn load(&self, context: Context) -> Result<(Party, Vec<u8>)> {
        let id = self.id.bytes()?;
        let peer = identity::bytes(
            "--peer-id",
            self.peer_id.as_deref(),
            self.peer_id_hex.as_deref(),
        )?;
        let key = self.key.user_encryption(context)?;
        // A key for encryption, or someone else's, would show only in the end, and as the other side's mistake.
        if key.check(self.peer(&id)).is_err() {
            return Err(Failure::file(
                crate::exit::show(&self.key.key),
                format_args!(
                    "is not {}'s key for exchange (hid {}); give that, as `kuaimi sm9 extract --for-exchange` makes it",
                    identity::show(&id),
                    self.hid()
                ),
            ));
        }
        let party = Party::new(&key, &id[..]).map_err(|error| Failure::usage(error.to_string()))?;
        Ok((party, peer))
    }

    /// An identity in this exchange.
    fn peer<'a>(&self, id: &'a [u8]) -> Identity<'a> {
        Identity::new(id).with_hid(self.hid())
    }

    fn hid(&self) -> u8 {
        self.hid.hid.unwrap_or(kuaimi::sm9::HID_EXCHANGE)
    }
}
