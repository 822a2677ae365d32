//! `kuaimi sm9 exchange`: what the exchange needs of SM9.

use clap::Args;
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder, Response};
use kuaimi::sm9::{Error, G1Point, Identity};

use super::identity::{self, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::exchange::scheme::Scheme;
use crate::failure::{Failure, Result};

#[derive(Debug)]
pub enum Sm9 {}

impl Scheme for Sm9 {
    const NAME: &'static str = "sm9";
    const ABOUT: &'static str = "Agree on a secret key with someone whose name you know";

    const HELP: &'static str = "\
Example. The centre made keys for exchange, and gave Alice and Bob theirs:
  kuaimi sm9 extract --key enc.pem --id alice --for-exchange --out alice.pem
  kuaimi sm9 extract --key enc.pem --id bob --for-exchange --out bob.pem
They need nothing of each other but the names.
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

The lines are not secret. The state files are: they have mode 0600, serve once, and are deleted when
they are used.";

    const START: &'static str = "\
Example:
  kuaimi sm9 exchange start --key alice.pem --id alice --peer-id bob \\
      --out-state a.state > to-bob.txt";

    const RESPOND: &'static str = "\
Examples:
  kuaimi sm9 exchange respond --key bob.pem --id bob --peer-id alice \\
      --message from-alice.txt --out-state b.state > to-alice.txt
  kuaimi sm9 exchange respond --key bob.pem --id bob --peer-id alice \\
      --message from-alice.txt --unconfirmed --out key.bin";

    type Point = G1Point;
    type Error = Error;
    type Initiator = Initiator;
    type Response = Response;
    type Parties = Parties;
    type OwnKey = OwnKey;

    fn start(parties: &Parties, context: Context) -> Result<(Initiator, G1Point)> {
        let (party, peer) = parties.load(context)?;
        Initiator::start(party, peer).map_err(|error| Failure::usage(error.to_string()))
    }

    fn respond(
        parties: &Parties,
        r_a: &G1Point,
        length: usize,
        context: Context,
    ) -> Result<Result<Response, Error>> {
        let (party, peer) = parties.load(context)?;
        Ok(Responder::new(party, peer).respond(r_a, length))
    }

    fn resume(key: &OwnKey, state: &[u8], context: Context) -> Result<Result<Initiator, Error>> {
        let unbound = key.key.unbound(context)?;
        let resume = || {
            // The state names the identity that the key is for.
            let identity = Initiator::identity_in(state)?;
            let key = unbound.exchange_key(identity);
            Initiator::from_bytes(state, &key.map_err(|_| Error::ExchangeKey)?)
        };
        Ok(resume())
    }
}

/// The own key.
#[derive(Args, Debug)]
#[command(mut_arg("key", |key| key.help("Your key, as `extract --for-exchange` made it: PEM or DER, encrypted or not")))]
pub struct OwnKey {
    #[command(flatten)]
    key: KeyArgs,
}

/// Who takes part.
#[derive(Args, Debug)]
pub struct Parties {
    #[command(flatten)]
    own: OwnKey,
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
    fn load(&self, context: Context) -> Result<(Party, Peer)> {
        let id = self.id.bytes()?;
        let peer = identity::bytes(
            "--peer-id",
            self.peer_id.as_deref(),
            self.peer_id_hex.as_deref(),
        )?;
        let key = self.own.key.exchange(self.identity(&id), context)?;
        let peer =
            Peer::new(self.identity(&peer)).map_err(|error| Failure::usage(error.to_string()))?;
        Ok((Party::new(&key), peer))
    }

    /// An identity in this exchange.
    fn identity<'a>(&self, id: &'a [u8]) -> Identity<'a> {
        identity::with_hid(id, self.hid)
    }
}
