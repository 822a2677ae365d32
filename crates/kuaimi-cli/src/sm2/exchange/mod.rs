//! `kuaimi sm2 exchange`: two people agree on a key over files or copy and paste.
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

use std::path::PathBuf;

use clap::{Args, Subcommand};
use kuaimi::sm2::PublicKey;
use kuaimi::sm2::exchange::{Party, Peer};

use crate::context::Context;
use crate::exit::{Answer, Failure, Result};
use crate::sm2::identity::{IdArgs, identity};
use crate::sm2::keys::{self, PrivateKeyArgs};

const EXAMPLE: &str = "\
Example. Alice and Bob each have a private key and the other's public key.
  Alice: kuaimi sm2 exchange start --key alice.pem --id alice \\
             --peer bob.pub --peer-id bob --out-state a.state
         It prints a line R_A, which she sends to Bob.
  Bob:   kuaimi sm2 exchange respond --key bob.pem --id bob \\
             --peer alice.pub --peer-id alice --out-state b.state --received 'R_A 04...'
         It prints R_B and S_B, which he sends to Alice.
  Alice: kuaimi sm2 exchange finish --key alice.pem --state a.state \\
             --received 'R_B 04... S_B 5f...' --out key.bin
         It writes the key, and prints S_A, which she sends to Bob.
  Bob:   kuaimi sm2 exchange confirm --state b.state --received 'S_A 7c...' --out key.bin
         It writes the same key.

The lines are no secrets, but both sides must be sure of the other's public key. The state files
are secrets: they have mode 0600, serve once, and are deleted when used.";

/// Agree on a secret key with someone whose public key you have.
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
    key: PrivateKeyArgs,
    #[command(flatten)]
    id: IdArgs,
    /// The other side's public key (or certificate).
    #[arg(long, value_name = "FILE")]
    peer: PathBuf,
    /// The other side's identity, as text [default: 1234567812345678].
    #[arg(long, value_name = "ID", conflicts_with = "peer_id_hex")]
    peer_id: Option<String>,
    /// The other side's identity, as bytes in hexadecimal.
    #[arg(long, value_name = "HEX")]
    peer_id_hex: Option<String>,
}

impl Parties {
    fn load(&self, context: Context) -> Result<(Party, Peer)> {
        let peer_id = identity(
            "--peer-id",
            self.peer_id.as_deref(),
            self.peer_id_hex.as_deref(),
        )?;
        let id = self.id.bytes()?;
        let peer: PublicKey = keys::public(&self.peer, context)?;
        let secret = self.key.load(context)?;
        if *secret.public_key() == peer {
            return Err(Failure::file(
                crate::exit::show(&self.peer),
                "is your own public key; give the other side's",
            ));
        }
        let party = Party::new(&secret, &id).map_err(|error| Failure::usage(error.to_string()))?;
        let peer = Peer::new(&peer, &peer_id).map_err(|error| Failure::usage(error.to_string()))?;
        Ok((party, peer))
    }
}
