//! `kuaimi sm2 exchange`: what the exchange needs of SM2.

use std::path::PathBuf;

use clap::Args;
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder, Response};
use kuaimi::sm2::{Error, PublicKey};

use super::identity::{IdArgs, identity};
use super::keys::{self, PrivateKeyArgs};
use crate::context::Context;
use crate::exchange::scheme::Scheme;
use crate::failure::{Failure, Result};
use crate::say::show;

#[derive(Debug)]
pub enum Sm2 {}

impl Scheme for Sm2 {
    const NAME: &'static str = "sm2";
    const ABOUT: &'static str = "Agree on a secret key with someone whose public key you have";

    const HELP: &'static str = "\
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

The lines are not secret, but each side must be sure that the public key is the other side's. The
state files are secret: they have mode 0600, serve once, and are deleted when they are used.";

    const START: &'static str = "\
Example:
  kuaimi sm2 exchange start --key alice.pem --id alice --peer bob.pub --peer-id bob \\
      --out-state a.state > to-bob.txt";

    const RESPOND: &'static str = "\
Examples:
  kuaimi sm2 exchange respond --key bob.pem --id bob --peer alice.pub --peer-id alice \\
      --message from-alice.txt --out-state b.state > to-alice.txt
  kuaimi sm2 exchange respond --key bob.pem --peer alice.pub --message from-alice.txt \\
      --unconfirmed --out key.bin";

    type Point = PublicKey;
    type Error = Error;
    type Initiator = Initiator;
    type Response = Response;
    type Parties = Parties;
    type OwnKey = PrivateKeyArgs;

    fn start(parties: &Parties, context: Context) -> Result<(Initiator, PublicKey)> {
        let (party, peer) = parties.load(context)?;
        Initiator::start(party, peer).map_err(|error| Failure::usage(error.to_string()))
    }

    fn respond(
        parties: &Parties,
        r_a: &PublicKey,
        length: usize,
        context: Context,
    ) -> Result<Result<Response, Error>> {
        let (party, peer) = parties.load(context)?;
        Ok(Responder::new(party, peer).respond(r_a, length))
    }

    fn resume(
        key: &PrivateKeyArgs,
        state: &[u8],
        context: Context,
    ) -> Result<Result<Initiator, Error>> {
        let key = key.load(context)?;
        Ok(Initiator::from_bytes(state, &key))
    }
}

/// Who takes part.
#[derive(Args, Debug)]
pub struct Parties {
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
                show(&self.peer),
                "is your own public key; give the other side's",
            ));
        }
        let party = Party::new(&secret, &id).map_err(|error| Failure::usage(error.to_string()))?;
        let peer = Peer::new(&peer, &peer_id).map_err(|error| Failure::usage(error.to_string()))?;
        Ok((party, peer))
    }
}
