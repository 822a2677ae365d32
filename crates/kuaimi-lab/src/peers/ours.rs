//! Kuaimi itself, in this process, with whatever backend it chooses on this machine (`KUAIMI_BACKEND` overrides it).

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{Ciphertext, DEFAULT_ID, Error, SecretKey, Signature, SigningKey};
use kuaimi::sm3;

use super::Contender;
use super::operation::Operation;

const KEY_LENGTH: usize = 16;
/// How many messages are hashed at once.
const MANY: usize = 64;

pub(crate) struct Ours {
    signer: SigningKey,
    /// 32 bytes, for SM2.
    message: [u8; 32],
    signature: Signature,
    ciphertext: Ciphertext,
    initiator: (Party, Peer),
    responder: (Party, Peer),
    /// The longest message for SM3.
    text: Vec<u8>,
}

impl Ours {
    pub(crate) fn new() -> Result<Self> {
        Self::with_new_keys().context("Kuaimi cannot make its keys")
    }

    fn with_new_keys() -> Result<Self, Error> {
        let (a, b) = (SecretKey::generate()?, SecretKey::generate()?);
        let signer = SigningKey::new(a.clone());
        let message = [0x5A; 32];
        Ok(Self {
            signature: signer.sign(&message)?,
            ciphertext: a.public_key().encrypt(&message)?,
            initiator: (
                Party::new(&a, DEFAULT_ID)?,
                Peer::new(b.public_key(), DEFAULT_ID)?,
            ),
            responder: (
                Party::new(&b, DEFAULT_ID)?,
                Peer::new(a.public_key(), DEFAULT_ID)?,
            ),
            signer,
            message,
            text: vec![0x5A; 1 << 20],
        })
    }

    /// A whole exchange, from two parties that know each other's key and identity to one key on both sides.
    fn exchange(&self, confirmed: bool) -> Result<(), Error> {
        let (party, peer) = self.initiator.clone();
        let (initiator, r_a) = Initiator::start(party, peer)?;
        let (party, peer) = self.responder.clone();
        let response = Responder::new(party, peer).respond(&r_a, KEY_LENGTH)?;
        if confirmed {
            let (key, s_a) =
                initiator.finish(response.point(), &response.confirmation(), KEY_LENGTH)?;
            black_box((key, response.confirm(&s_a)?));
        } else {
            let key = initiator.finish_unconfirmed(response.point(), KEY_LENGTH)?;
            black_box((key, response.key_unconfirmed()));
        }
        Ok(())
    }

    fn once(&self, operation: Operation) -> Result<(), Error> {
        let secret = self.signer.secret_key();
        match operation {
            Operation::Keygen => drop(black_box(SecretKey::generate()?)),
            Operation::Sign => {
                black_box(self.signer.sign(black_box(&self.message))?);
            }
            Operation::Verify => {
                let key = self.signer.verifying_key();
                key.verify(black_box(&self.message), black_box(&self.signature))?;
            }
            Operation::Encrypt => {
                let message = black_box(&self.message);
                drop(black_box(secret.public_key().encrypt(message)?));
            }
            Operation::Decrypt => drop(black_box(secret.decrypt(black_box(&self.ciphertext))?)),
            Operation::Exchange => self.exchange(false)?,
            Operation::ExchangeConfirmed => self.exchange(true)?,
            Operation::Sm3OfMany64 | Operation::Sm3OfMany1K => {
                let length = operation.sm3_bytes().unwrap_or_default();
                let messages: [&[u8]; MANY] =
                    std::array::from_fn(|i| self.text.get(i..i + length).unwrap_or_default());
                black_box(sm3::digest_many(black_box(&messages)));
            }
            Operation::Sm3Of64 | Operation::Sm3Of1K | Operation::Sm3Of16K | Operation::Sm3Of1M => {
                let length = operation.sm3_bytes().unwrap_or_default();
                let text = self.text.get(..length).unwrap_or_default();
                black_box(sm3::digest(black_box(text)));
            }
        }
        Ok(())
    }
}

impl Contender for Ours {
    fn name(&self) -> String {
        concat!("Kuaimi ", env!("CARGO_PKG_VERSION")).to_owned()
    }

    fn condition(&self, operation: Operation) -> Option<&'static str> {
        Some(match operation {
            Operation::Keygen => "the operating system's random generator at each",
            Operation::Sign => {
                "32-byte message, SM3 included, nonce hedged with the operating system's random generator at each, \
                 r || s; (1+d)^-1 and SM3's state after Z kept in the key"
            }
            Operation::Verify => {
                "32-byte message, default ID, SM3 included, r || s; SM3's state after Z kept in the key, no table kept \
                 for it"
            }
            Operation::Encrypt => {
                "nonce from the operating system's random generator at each; one key, nothing kept for it"
            }
            Operation::Decrypt => "the ciphertext parsed before",
            Operation::Exchange => "both sides, both ephemeral keys made, 16-byte key; both Z kept",
            Operation::ExchangeConfirmed => {
                "the same with SA and SB made and compared on both sides"
            }
            Operation::Sm3OfMany64 | Operation::Sm3OfMany1K => {
                "64 messages at once, in the lanes of vectors"
            }
            _ => "one message at a time",
        })
    }

    fn measure(&mut self, operation: Operation, slice: Duration) -> Result<f64> {
        let at_once = match operation {
            Operation::Sm3OfMany64 | Operation::Sm3OfMany1K => MANY,
            _ => 1,
        };
        rate(slice, || self.once(operation))
            .map(|repetitions| repetitions * at_once as f64)
            .with_context(|| format!("Kuaimi failed at {}", operation.label()))
    }
}

/// Repetitions a second. Warms up, finds how many fill about a millisecond so that reading the clock costs nothing, and counts
/// whole batches until the time is over: the same way as the Go peer's.
fn rate(slice: Duration, mut once: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    let warm_up = (slice / 4).min(Duration::from_millis(50));
    let begun = Instant::now();
    let mut batch = 1_u64;
    loop {
        let start = Instant::now();
        for _ in 0..batch {
            once()?;
        }
        if start.elapsed() < Duration::from_millis(1) {
            batch *= 2;
        } else if begun.elapsed() >= warm_up {
            break;
        }
    }
    let mut count = 0_u64;
    let start = Instant::now();
    loop {
        for _ in 0..batch {
            once()?;
        }
        count += batch;
        let elapsed = start.elapsed();
        if elapsed >= slice {
            return Ok(count as f64 / elapsed.as_secs_f64());
        }
    }
}
