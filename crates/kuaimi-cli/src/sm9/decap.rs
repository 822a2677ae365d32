//! `kuaimi sm9 decap`.

use clap::Args;
use kuaimi::sm9::{Error, G1Point};

use super::identity::{self, HidArgs, IdArgs};
use super::keys::KeyArgs;
use crate::context::Context;
use crate::exchange::message::Received;
use crate::exchange::{KeyOutput, SharedKeyArgs};
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::text;

/// Make the secret key again that a sender made with `encap`.
#[derive(Args, Debug)]
#[command(mut_arg("received", |received| received.help("The line C that the sender's `encap` printed")))]
#[command(mut_arg("message", |message| message.help("Read the line C from FILE [default: standard input]")))]
#[command(mut_arg("key", |key| key.help("Your encryption key, as `extract` made it: PEM or DER, encrypted or not")))]
#[command(after_help = "\
Examples:
  kuaimi sm9 decap --key bob-enc.pem --id bob@example.com --length 32 --message c.txt --out key.bin
  kuaimi sm9 decap --key bob-enc.pem --id bob --length 32 --received 'C 04...'

The length must be the one that the sender gave: with another, the key has another length, and there
is no error.")]
pub struct Decap {
    #[command(flatten)]
    key: KeyArgs,
    #[command(flatten)]
    id: IdArgs,
    #[command(flatten)]
    hid: HidArgs,
    #[command(flatten)]
    received: Received,
    #[command(flatten)]
    shared: SharedKeyArgs,
    #[command(flatten)]
    key_output: KeyOutput,
}

impl Decap {
    pub fn run(self, context: Context) -> Result<Answer> {
        let target = self.key_output.target();
        target.check()?;
        let id = self.id.bytes()?;
        let c = self.point()?;
        let key = self
            .key
            .decryption(identity::with_hid(&id, self.hid), context)?;
        let opened = key
            .decapsulate(&c, self.shared.length())
            .map_err(|error| match error {
                Error::DecryptionFailed => Failure::refused("C", error),
                error => Failure::usage(error.to_string()),
            })?;
        target.write(&self.key_output.encode(&opened))?;
        Ok(Answer::Yes)
    }

    fn point(&self) -> Result<G1Point> {
        if self.received.is_read() {
            input::stdin_once(&[
                ("--key", &self.key.key),
                ("--message", self.received.path()),
            ])?;
        }
        let (name, content) = self.received.content()?;
        // What gmsm sends: DER of the point.
        match G1Point::from_der(&content) {
            Ok(point) => Ok(point),
            Err(_) => parse(&name, &String::from_utf8_lossy(&content)),
        }
    }
}

fn parse(name: &str, text: &str) -> Result<G1Point> {
    let mut words = text
        .split(|letter: char| letter.is_whitespace() || ":=,>".contains(letter))
        .filter(|word| !word.is_empty())
        .peekable();
    words.next_if(|word| word.eq_ignore_ascii_case("c"));
    let digits: String = words.collect();
    let bad = |what: String| Failure::file(name, what);
    let bytes = text::digits(&digits).ok_or_else(|| {
        bad(
            "is not the line C, which is the letter C and hexadecimal digits; copy all of it again"
                .to_owned(),
        )
    })?;
    G1Point::from_slice(&bytes).map_err(|error| bad(format!("{error}; copy all of the line again")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_people_paste_it() {
        let master = kuaimi::sm9::MasterEncryptionKey::from_bytes(&[7; 32]).unwrap();
        let bytes = master.public_key().to_sec1_bytes();
        let point = G1Point::from_sec1_bytes(&bytes).unwrap();
        let digits = text::hex(bytes);
        let short = text::hex(point.to_compressed_bytes());
        for text in [
            format!("C {digits}\n"),
            format!("> C: {}\n> {}", &digits[..50], &digits[50..]),
            digits.clone(),
            digits[2..].to_owned(),
            format!("c={short}"),
        ] {
            assert_eq!(parse("it", &text).unwrap(), point, "{text}");
        }
        for text in ["", "C", "hello", &digits[..100], &digits.repeat(2)] {
            assert!(parse("it", text).is_err(), "{text}");
        }
    }
}
