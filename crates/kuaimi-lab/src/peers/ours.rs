//! Kuaimi itself, in this process, with whatever backend it chooses on this machine (`KUAIMI_BACKEND` overrides it).

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use kuaimi::sm2::batch::{
    DecryptItem, EncryptItem, SignItem, VerifyItem, decrypt_batch, encrypt_batch, keygen_batch,
    sign_batch, verify_batch,
};
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{
    Ciphertext, DEFAULT_ID, Error, NoncePool, PreparedVerifyingKey, SecretKey, Signature,
    SigningKey,
};
use kuaimi::sm3;

use super::Contender;
use super::operation::Operation;

const KEY_LENGTH: usize = 16;
/// Operations in a batch. Their keys' tables, where they are prepared, are more than the caches hold.
const BATCH: usize = 256;
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
    /// The signer's key with its table.
    prepared: PreparedVerifyingKey,
    /// Signers with keys of their own, their tables, and a signature by each over the message.
    many: Vec<SigningKey>,
    many_prepared: Vec<PreparedVerifyingKey>,
    many_signatures: Vec<Signature>,
}

impl Ours {
    pub(crate) fn new() -> Result<Self> {
        Self::with_new_keys().context("Kuaimi cannot make its keys")
    }

    fn with_new_keys() -> Result<Self, Error> {
        let (a, b) = (SecretKey::generate()?, SecretKey::generate()?);
        let signer = SigningKey::new(a.clone());
        let message = [0x5A; 32];
        let many: Vec<SigningKey> = keygen_batch(BATCH)?
            .into_iter()
            .map(SigningKey::new)
            .collect();
        let to_sign: Vec<SignItem<'_>> = many.iter().map(|k| SignItem::new(k, &message)).collect();
        Ok(Self {
            many_signatures: sign_batch(&to_sign)?,
            many_prepared: many.iter().map(|k| k.verifying_key().prepare()).collect(),
            many,
            prepared: signer.verifying_key().prepare(),
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

    /// Signatures a second with nonces that are ready: the pool fills before each run of them, off the clock.
    fn pool_rate(&self, slice: Duration) -> Result<f64, Error> {
        let pool = NoncePool::new(2 * BATCH)?;
        let (mut count, mut spent) = (0, Duration::ZERO);
        let begun = Instant::now();
        while begun.elapsed() < slice || count == 0 {
            while pool.stats().ready < 2 * BATCH {
                std::thread::sleep(Duration::from_micros(100));
            }
            let start = Instant::now();
            // The pool's thread begins to work when half of it is gone.
            for _ in 0..BATCH - 1 {
                black_box(
                    self.signer
                        .sign_with_pool(&pool, black_box(&self.message))?,
                );
                count += 1;
            }
            spent += start.elapsed();
            // And then the rest, so that it fills up again.
            self.signer.sign_with_pool(&pool, &self.message)?;
            self.signer.sign_with_pool(&pool, &self.message)?;
        }
        Ok(count as f64 / spent.as_secs_f64())
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
            Operation::VerifyPrepared => {
                self.prepared
                    .verify(black_box(&self.message), black_box(&self.signature))?;
            }
            Operation::EncryptPrepared => {
                let recipient = self.prepared.prepared_public_key();
                drop(black_box(recipient.encrypt(black_box(&self.message))?));
            }
            Operation::SignPool => {}
            Operation::KeygenBatch => drop(black_box(keygen_batch(BATCH)?)),
            Operation::SignBatch => {
                let items = [SignItem::new(&self.signer, black_box(&self.message)); BATCH];
                drop(black_box(sign_batch(&items)?));
            }
            Operation::VerifyBatch => {
                let keys = self.many.iter().map(SigningKey::verifying_key);
                let items: Vec<VerifyItem<'_>> = keys
                    .zip(&self.many_signatures)
                    .map(|(key, signature)| {
                        VerifyItem::new(key, black_box(&self.message), signature)
                    })
                    .collect();
                verify_batch(&items)
                    .into_iter()
                    .collect::<Result<(), Error>>()?;
            }
            Operation::VerifyBatchPrepared => {
                let items: Vec<VerifyItem<'_>> = self
                    .many_prepared
                    .iter()
                    .zip(&self.many_signatures)
                    .map(|(key, signature)| {
                        VerifyItem::new(key, black_box(&self.message), signature)
                    })
                    .collect();
                verify_batch(&items)
                    .into_iter()
                    .collect::<Result<(), Error>>()?;
            }
            Operation::EncryptBatch => {
                let items =
                    [EncryptItem::new(secret.public_key(), black_box(&self.message)); BATCH];
                drop(black_box(encrypt_batch(&items)));
            }
            Operation::EncryptBatchPrepared => {
                let recipient = self.prepared.prepared_public_key();
                let items = [EncryptItem::new(recipient, black_box(&self.message)); BATCH];
                drop(black_box(encrypt_batch(&items)));
            }
            Operation::DecryptBatch => {
                let items = [DecryptItem::new(secret, black_box(&self.ciphertext)); BATCH];
                drop(black_box(decrypt_batch(&items)));
            }
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
            Operation::VerifyPrepared => "as verify; one key with its table of 52 KiB, made before",
            Operation::EncryptPrepared => {
                "as encrypt; one recipient with its table of 52 KiB, made before"
            }
            Operation::SignPool => {
                "as sign; the nonce and its point made before, which is not counted"
            }
            Operation::KeygenBatch => "256 at a time on one thread; randomness drawn at once",
            Operation::SignBatch => {
                "as sign; 256 at a time on one thread, one key; randomness drawn at once"
            }
            Operation::VerifyBatch => "as verify; 256 at a time on one thread, 256 keys",
            Operation::VerifyBatchPrepared => {
                "as verify; 256 at a time on one thread, 256 keys with their tables of 52 KiB, made before"
            }
            Operation::EncryptBatch => {
                "as encrypt; 256 at a time on one thread, one recipient; randomness drawn at once"
            }
            Operation::EncryptBatchPrepared => {
                "the same, the recipient with its table of 52 KiB, made before"
            }
            Operation::DecryptBatch => "as decrypt; 256 at a time on one thread, one key",
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
        let measured = match operation {
            Operation::SignPool => self.pool_rate(slice),
            _ => rate(slice, || self.once(operation)).map(|rate| rate * operations_of(operation)),
        };
        measured.with_context(|| format!("Kuaimi failed at {}", operation.label()))
    }
}

/// How many operations one call makes.
fn operations_of(operation: Operation) -> f64 {
    match operation {
        Operation::KeygenBatch
        | Operation::SignBatch
        | Operation::VerifyBatch
        | Operation::VerifyBatchPrepared
        | Operation::EncryptBatch
        | Operation::EncryptBatchPrepared
        | Operation::DecryptBatch => BATCH as f64,
        Operation::Sm3OfMany64 | Operation::Sm3OfMany1K => MANY as f64,
        _ => 1.0,
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
