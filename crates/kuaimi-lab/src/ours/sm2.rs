//! SM2. One key pair is used again and again, as with the Go peer; batches of verifications have a
//! key for each item.

use std::hint::black_box;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{
    DecryptItem, EncryptItem, FinishItem, RespondItem, SignItem, VerifyItem, decrypt_batch,
    encrypt_batch, finish_batch, generate_batch, respond_batch, sign_batch, start_batch,
    verify_batch,
};
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{
    Ciphertext, DEFAULT_ID, Error, NoncePool, PrivateKey, Signature, SigningKey, VerifyingKey,
};

use super::{Run, Work};

const KEY_LENGTH: usize = 16;
/// Operations in a batch. Their keys' tables, where they are prepared, are more than the caches
/// hold.
const BATCH: usize = 256;

/// What the operations work with.
struct Keys {
    signer: SigningKey,
    message: [u8; 32],
    signature: Signature,
    ciphertext: Ciphertext,
    initiator: (Party, Peer),
    responder: (Party, Peer),
    /// The signer's key without a table, which it would make at its second use, and with one.
    unknown: VerifyingKey,
    prepared: VerifyingKey,
    /// Keys of other signers, without and with tables, and a signature by each over the message.
    many_unknown: Vec<VerifyingKey>,
    many_prepared: Vec<VerifyingKey>,
    many_signatures: Vec<Signature>,
}

impl Keys {
    fn new() -> Result<Self, Error> {
        let (a, b) = (PrivateKey::generate()?, PrivateKey::generate()?);
        let signer = SigningKey::new(a.clone());
        let message = [0x5A; 32];
        let many: Vec<SigningKey> = generate_batch(BATCH, Threads::Pool)
            .into_iter()
            .map(|key| key.map(SigningKey::new))
            .collect::<Result<_, _>>()?;
        let to_sign: Vec<SignItem<'_>> = many.iter().map(|k| SignItem::new(k, &message)).collect();
        Ok(Self {
            many_signatures: sign_batch(&to_sign, Threads::Pool)
                .into_iter()
                .collect::<Result<Vec<_>, _>>()?,
            many_unknown: verifying(&many, Precompute::Never),
            many_prepared: verifying(&many, Precompute::AtOnce),
            unknown: signer.verifying_key().with_precompute(Precompute::Never),
            prepared: signer.verifying_key().with_precompute(Precompute::AtOnce),
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
        })
    }

    /// A whole exchange, from two parties that know each other's key and identity to one key on
    /// both sides.
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

    /// As [`exchange`](Self::exchange), many at a time on both sides.
    fn exchange_batch(&self) -> Result<(), Error> {
        let [(alice, to_bob), (bob, to_alice)] = [&self.initiator, &self.responder];
        let started = start_batch(&[alice; BATCH], Threads::Pool)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
        let items: Vec<RespondItem<'_>> = started
            .iter()
            .map(|(_, r_a)| RespondItem::new(bob, to_alice, r_a))
            .collect();
        let responses = respond_batch(&items, KEY_LENGTH, Threads::Pool)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()?;
        let items = started
            .into_iter()
            .zip(&responses)
            .map(|((opening, _), response)| {
                FinishItem::unconfirmed(opening.with_peer(to_bob.clone()), response.point())
            });
        for finished in finish_batch(items.collect(), KEY_LENGTH, Threads::Pool) {
            black_box(finished?);
        }
        for response in responses {
            black_box(response.key_unconfirmed());
        }
        Ok(())
    }

    /// Signatures a second with nonces that are ready: the pool fills before each run of them, off
    /// the clock.
    fn pool_rate(&self, slice: Duration) -> Result<f64> {
        let pool = NoncePool::new(2 * BATCH)?;
        let (mut count, mut spent) = (0, Duration::ZERO);
        let begun = Instant::now();
        while begun.elapsed() < slice || count == 0 {
            let waiting = Instant::now();
            while pool.stats().ready < 2 * BATCH {
                ensure!(
                    waiting.elapsed() < Duration::from_secs(20),
                    "the nonce pool does not become full"
                );
                std::thread::sleep(Duration::from_micros(100));
            }
            let start = Instant::now();
            // The pool's thread begins to work when half of it is gone, and then fills it.
            for _ in 0..BATCH - 1 {
                black_box(
                    self.signer
                        .sign_with_pool(&pool, black_box(&self.message))?,
                );
                count += 1;
            }
            spent += start.elapsed();
            // Now half of it is gone. Not one more: the pool may be full again by then, and would
            // stay one short of that.
            self.signer.sign_with_pool(&pool, &self.message)?;
        }
        Ok(count as f64 / spent.as_secs_f64())
    }
}

fn verifying(signers: &[SigningKey], precompute: Precompute) -> Vec<VerifyingKey> {
    signers
        .iter()
        .map(|signer| signer.verifying_key().with_precompute(precompute))
        .collect()
}

pub(super) fn works() -> Result<Vec<Work>> {
    let keys = Rc::new(Keys::new()?);
    let mut works = Vec::new();
    let mut add = |id, count, condition, once: fn(&Keys) -> Result<(), Error>| {
        let keys = Rc::clone(&keys);
        works.push(Work::many(id, count, condition, move || Ok(once(&keys)?)));
    };
    add(
        "sm2-keygen",
        1,
        "the operating system's random generator at each",
        |_| {
            drop(black_box(PrivateKey::generate()?));
            Ok(())
        },
    );
    add(
        "sm2-sign",
        1,
        "32-byte message, SM3 included, nonce hedged with the operating system's random generator at each, r || s; \
         (1+d)^-1 and SM3's state after Z kept in the key",
        |keys| {
            black_box(keys.signer.sign(black_box(&keys.message))?);
            Ok(())
        },
    );
    add(
        "sm2-verify",
        1,
        "32-byte message, default ID, SM3 included, r || s; SM3's state after Z kept in the key, no table kept for it",
        |keys| {
            let (message, signature) = (black_box(&keys.message), black_box(&keys.signature));
            keys.unknown.verify(message, signature)
        },
    );
    add(
        "sm2-verify-prepared",
        1,
        "as verify; one key with its table of 52 KiB, made before",
        |keys| {
            let (message, signature) = (black_box(&keys.message), black_box(&keys.signature));
            keys.prepared.verify(message, signature)
        },
    );
    add(
        "sm2-encrypt",
        1,
        "nonce from the operating system's random generator at each; one key, nothing kept for it",
        |keys| {
            let recipient = keys.signer.private_key().public_key();
            drop(black_box(recipient.encrypt(black_box(&keys.message))?));
            Ok(())
        },
    );
    add(
        "sm2-encrypt-prepared",
        1,
        "as encrypt; one recipient with its table of 52 KiB, made before",
        |keys| {
            let recipient = &keys.prepared.encryption_key();
            drop(black_box(recipient.encrypt(black_box(&keys.message))?));
            Ok(())
        },
    );
    add("sm2-decrypt", 1, "the ciphertext parsed before", |keys| {
        let secret = keys.signer.private_key();
        drop(black_box(secret.decrypt(black_box(&keys.ciphertext))?));
        Ok(())
    });
    add(
        "sm2-exchange",
        1,
        "both sides, both ephemeral keys made, 16-byte key; both Z kept",
        |keys| keys.exchange(false),
    );
    add(
        "sm2-exchange-confirmed",
        1,
        "the same with SA and SB made and compared on both sides",
        |keys| keys.exchange(true),
    );
    add(
        "sm2-keygen-batch",
        BATCH,
        "256 at a time on one thread; randomness drawn at once",
        |_| {
            drop(black_box(generate_batch(BATCH, Threads::Pool)));
            Ok(())
        },
    );
    add(
        "sm2-sign-batch",
        BATCH,
        "as sign; 256 at a time on one thread, one key; randomness drawn at once",
        |keys| {
            let items = [SignItem::new(&keys.signer, black_box(&keys.message)); BATCH];
            drop(black_box(sign_batch(&items, Threads::Pool)));
            Ok(())
        },
    );
    add(
        "sm2-verify-batch",
        BATCH,
        "as verify; 256 at a time on one thread, 256 keys",
        |keys| {
            let signers = keys.many_unknown.iter();
            let items: Vec<VerifyItem<'_>> = signers
                .zip(&keys.many_signatures)
                .map(|(key, signature)| VerifyItem::new(key, black_box(&keys.message), signature))
                .collect();
            verify_batch(&items, Threads::Pool).into_iter().collect()
        },
    );
    add(
        "sm2-verify-batch-prepared",
        BATCH,
        "as verify; 256 at a time on one thread, 256 keys with their tables of 52 KiB, made before",
        |keys| {
            let signers = keys.many_prepared.iter();
            let items: Vec<VerifyItem<'_>> = signers
                .zip(&keys.many_signatures)
                .map(|(key, signature)| VerifyItem::new(key, black_box(&keys.message), signature))
                .collect();
            verify_batch(&items, Threads::Pool).into_iter().collect()
        },
    );
    add(
        "sm2-encrypt-batch",
        BATCH,
        "as encrypt; 256 at a time on one thread, one recipient; randomness drawn at once",
        |keys| {
            let recipient = keys.signer.private_key().public_key();
            let items = [EncryptItem::new(recipient, black_box(&keys.message)); BATCH];
            encrypt_batch(&items, Threads::Pool)
                .into_iter()
                .try_for_each(|ciphertext| ciphertext.map(|ciphertext| drop(black_box(ciphertext))))
        },
    );
    add(
        "sm2-encrypt-batch-prepared",
        BATCH,
        "the same, the recipient with its table of 52 KiB, made before",
        |keys| {
            let recipient = &keys.prepared.encryption_key();
            let items = [EncryptItem::new(recipient, black_box(&keys.message)); BATCH];
            encrypt_batch(&items, Threads::Pool)
                .into_iter()
                .try_for_each(|ciphertext| ciphertext.map(|ciphertext| drop(black_box(ciphertext))))
        },
    );
    add(
        "sm2-decrypt-batch",
        BATCH,
        "as decrypt; 256 at a time on one thread, one key",
        |keys| {
            let secret = keys.signer.private_key();
            let items = [DecryptItem::new(secret, black_box(&keys.ciphertext)); BATCH];
            decrypt_batch(&items, Threads::Pool)
                .into_iter()
                .try_for_each(|message| message.map(|message| drop(black_box(message))))
        },
    );
    add(
        "sm2-exchange-batch",
        BATCH,
        "as key exchange; 256 at a time on one thread, one key on each side; randomness drawn at once",
        Keys::exchange_batch,
    );
    works.push(Work {
        id: "sm2-sign-pool",
        condition: "as sign; the nonce and its point made before, which is not counted",
        run: Run::Rate(Box::new(move |slice| keys.pool_rate(slice))),
    });
    works.extend(long_messages()?);
    Ok(works)
}

/// Signatures over long messages, whose hash takes longer than the curve.
fn long_messages() -> Result<Vec<Work>> {
    let signer = SigningKey::new(PrivateKey::generate()?);
    let message: Rc<[u8]> = vec![0x5A; 1 << 20].into();
    let signature = signer.sign(&message)?;
    let (verifier, signed) = (signer.verifying_key().clone(), Rc::clone(&message));
    let condition = "1 MiB, SM3 included";
    Ok(vec![
        Work::new("sm2-sign-1m", condition, move || {
            black_box(signer.sign(black_box(&message))?);
            Ok(())
        }),
        Work::new("sm2-verify-1m", condition, move || {
            Ok(verifier.verify(black_box(&signed), black_box(&signature))?)
        }),
    ])
}
