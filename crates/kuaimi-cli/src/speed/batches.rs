//! What is measured with the tables of keys, and in batches.

use std::hint::black_box;
use std::sync::Arc;

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{
    DecryptItem, EncryptItem, VerifyItem, decrypt_batch, encrypt_batch, generate_batch,
    verify_batch,
};
use kuaimi::sm2::{EncryptionKey, Error, PrivateKey, SigningKey, VerifyingKey};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::operations::{INPUTS, MESSAGE, Operation, Work, next};
use super::{Algorithm, Variant};

/// Operations of a batch for each thread.
const BATCH: usize = 256;

type Start = Box<dyn Fn() -> Work + Send + Sync>;

pub fn sm2(threads: usize) -> Result<Vec<Operation>, Box<dyn std::error::Error>> {
    let mut operations = prepared()?;
    // The threads of a batch are as many as were asked for, whatever the machine has.
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).build()?);
    operations.extend(batches(&pool, BATCH * threads)?);
    Ok(operations)
}

fn operation(name: &'static str, variant: Variant, batch: usize, start: Start) -> Operation {
    Operation {
        variant,
        batch,
        spreads: batch > 1,
        algorithm: Algorithm::Sm2,
        name,
        message_bytes: MESSAGE,
        backend: kuaimi::backend().name(),
        start,
    }
}

fn messages() -> Vec<[u8; MESSAGE]> {
    (0..INPUTS).map(|i| [i as u8; MESSAGE]).collect()
}

fn prepared() -> Result<Vec<Operation>, Error> {
    let signer = SigningKey::new(PrivateKey::generate()?);
    let key = signer.verifying_key().clone();
    key.prepare();
    let recipient = key.encryption_key();
    let mut signed = Vec::new();
    for message in messages() {
        signed.push((message, signer.sign(&message)?));
    }
    let verify: Start = Box::new(move || {
        let (key, signed, mut turn) = (key.clone(), signed.clone(), 0);
        Box::new(move || {
            let (message, signature) = black_box(&signed[next(&mut turn)]);
            assert!(key.verify(message, signature).is_ok());
        })
    });
    let encrypt: Start = Box::new(move || {
        let (recipient, messages, mut turn) = (recipient.clone(), messages(), 0);
        Box::new(move || {
            drop(black_box(
                recipient.encrypt(black_box(&messages[next(&mut turn)])),
            ));
        })
    });
    Ok(vec![
        operation("verify", Variant::Prepared, 1, verify),
        operation("encrypt", Variant::Prepared, 1, encrypt),
    ])
}

fn batches(pool: &Arc<ThreadPool>, count: usize) -> Result<Vec<Operation>, Error> {
    let secrets = pool
        .install(|| generate_batch(count, Threads::Pool))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let messages: Arc<Vec<[u8; MESSAGE]>> =
        Arc::new((0..count).map(|i| [i as u8; MESSAGE]).collect());
    let own = SigningKey::new(PrivateKey::generate()?);
    let mut operations = Vec::new();
    let mut add = |name, variant, work: Arc<dyn Fn() + Send + Sync>| {
        let pool = pool.clone();
        let start: Start = Box::new(move || {
            let (pool, work) = (pool.clone(), work.clone());
            Box::new(move || pool.install(|| work()))
        });
        operations.push(operation(name, variant, count, start));
    };

    add(
        "keygen",
        Variant::Batch,
        Arc::new(move || drop(black_box(generate_batch(count, Threads::Pool)))),
    );
    add("sign", Variant::Batch, {
        let (own, messages) = (own.clone(), messages.clone());
        Arc::new(move || {
            assert!(
                black_box(own.sign_batch(&messages, Threads::Pool))
                    .iter()
                    .all(Result::is_ok)
            )
        })
    });

    let mut signed = Vec::new();
    for (secret, message) in secrets.iter().zip(messages.iter()) {
        let signer = SigningKey::new(secret.clone());
        let key = signer.verifying_key().with_precompute(Precompute::Never);
        signed.push((key, *message, signer.sign(message)?));
    }
    // Few, as tables are large, and those of a server's usual keys are near.
    let prepared: Vec<VerifyingKey> = signed
        .iter()
        .take(INPUTS)
        .map(|(key, ..)| key.with_precompute(Precompute::AtOnce))
        .collect();
    let recipients: Vec<EncryptionKey> =
        prepared.iter().map(VerifyingKey::encryption_key).collect();
    let of_prepared: Vec<_> = signed.iter().take(INPUTS).cloned().collect();
    add(
        "verify",
        Variant::Batch,
        Arc::new(move || {
            let items: Vec<_> = signed
                .iter()
                .map(|(key, message, signature)| VerifyItem::new(key, message, signature))
                .collect();
            assert!(
                verify_batch(black_box(&items), Threads::Pool)
                    .iter()
                    .all(Result::is_ok)
            );
        }),
    );
    add(
        "verify",
        Variant::BatchPrepared,
        Arc::new(move || {
            let items: Vec<_> = prepared
                .iter()
                .zip(&of_prepared)
                .cycle()
                .take(count)
                .map(|(key, (_, message, signature))| VerifyItem::new(key, message, signature))
                .collect();
            assert!(
                verify_batch(black_box(&items), Threads::Pool)
                    .iter()
                    .all(Result::is_ok)
            );
        }),
    );

    add("encrypt", Variant::Batch, {
        let messages = messages.clone();
        Arc::new(move || {
            let items: Vec<_> = secrets
                .iter()
                .zip(messages.iter())
                .map(|(secret, message)| EncryptItem::new(secret.public_key(), message))
                .collect();
            assert!(
                encrypt_batch(black_box(&items), Threads::Pool)
                    .iter()
                    .all(Result::is_ok)
            );
        })
    });
    add("encrypt", Variant::BatchPrepared, {
        let messages = messages.clone();
        Arc::new(move || {
            let items: Vec<_> = recipients
                .iter()
                .cycle()
                .zip(messages.iter())
                .map(|(recipient, message)| EncryptItem::new(recipient, message))
                .collect();
            assert!(
                encrypt_batch(black_box(&items), Threads::Pool)
                    .iter()
                    .all(Result::is_ok)
            );
        })
    });

    let mut encrypted = Vec::new();
    for message in messages.iter() {
        encrypted.push(own.public_key().encrypt(message)?);
    }
    let own = own.private_key().clone();
    add(
        "decrypt",
        Variant::Batch,
        Arc::new(move || {
            let items: Vec<_> = encrypted
                .iter()
                .map(|ciphertext| DecryptItem::new(&own, ciphertext))
                .collect();
            assert!(
                decrypt_batch(black_box(&items), Threads::Pool)
                    .iter()
                    .all(Result::is_ok)
            );
        }),
    );
    Ok(operations)
}
