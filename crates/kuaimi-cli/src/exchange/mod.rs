//! What the key exchanges of SM2 and SM9 have in common on the command line: the lines that are sent, the states that are kept, the
//! steps, and where the key goes.

pub mod message;
pub mod sides;
pub mod state;
pub mod steps;

use clap::Args;
use zeroize::Zeroizing;

use crate::exit::Failure;
use crate::output::{OutputArgs, Secrecy, Target};
use crate::text::Encoding;

/// What comes out in the end.
#[derive(Args, Debug)]
pub struct SharedKeyArgs {
    /// Bytes of the shared key; both sides must say the same.
    #[arg(long, value_name = "BYTES", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    length: u32,
}

impl SharedKeyArgs {
    pub fn length(&self) -> usize {
        self.length as usize
    }
}

/// Where the shared key goes.
#[derive(Args, Debug)]
pub struct KeyOutput {
    #[command(flatten)]
    pub output: OutputArgs,
    /// How the key is written [default: binary, and hex on a terminal].
    #[arg(long, value_enum, value_name = "ENCODING")]
    encoding: Option<Encoding>,
}

impl KeyOutput {
    pub fn target(&self) -> Target {
        self.output.target(Secrecy::Secret)
    }

    pub fn encode(&self, key: &[u8]) -> Zeroizing<Vec<u8>> {
        let encoding = self.target().encoding(self.encoding, Encoding::Hex);
        encoding.encode(key)
    }
}

/// An error of an exchange, about the message or the file of that name.
pub fn failed(name: &str, error: impl sides::Error) -> Failure {
    if error.is_mismatch() {
        return Failure::refused(
            name,
            "the two sides do not have the same key: other keys or identities than agreed, or altered lines; start again",
        );
    }
    Failure::file(name, error)
}
