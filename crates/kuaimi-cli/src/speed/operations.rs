//! The operations that are measured.
//!
//! Each thread starts its own copy of an operation, on the same keys. Inputs change from one
//! repetition to the next where a repetition on equal input would be faster than work on real
//! input.

use std::hint::black_box;

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{Error, PrivateKey, SigningKey};
use kuaimi::sm3;

use super::{Algorithm, Variant, batches, sm4, sm9};

/// One repetition.
pub type Work = Box<dyn FnMut()>;

/// An operation to measure.
pub struct Operation {
    pub variant: Variant,
    /// How many are done in one repetition.
    pub batch: usize,
    /// A repetition takes all threads, and not one of them.
    pub spreads: bool,
    pub algorithm: Algorithm,
    pub name: &'static str,
    pub message_bytes: usize,
    /// What computes it.
    pub backend: &'static str,
    /// A thread's own copy, ready to repeat.
    pub start: Box<dyn Fn() -> Work + Send + Sync>,
}

/// Bytes of an SM2 message.
pub const MESSAGE: usize = 32;
/// SM2's operations, in the table's order.
pub const NAMES: [&str; 6] = ["keygen", "sign", "verify", "encrypt", "decrypt", "exchange"];
/// Different inputs in turn.
pub const INPUTS: usize = 16;
/// SM3's only operation.
pub const HASH: &str = "hash";
/// Lengths of SM3 messages.
pub const LENGTHS: [usize; 4] = [64, 1 << 10, 16 << 10, 1 << 20];
/// Lengths of messages that are hashed many at once, and how many on each thread.
const MANY_LENGTHS: [usize; 2] = [64, 1 << 10];
const MANY: usize = 64;

pub fn of(
    algorithm: Algorithm,
    threads: usize,
) -> Result<Vec<Operation>, Box<dyn std::error::Error>> {
    match algorithm {
        Algorithm::Sm2 => {
            // The ways of one operation side by side.
            let mut operations = sm2()?;
            operations.extend(batches::sm2(threads)?);
            let order =
                |operation: &Operation| NAMES.iter().position(|name| *name == operation.name);
            operations.sort_by_key(|operation| (order(operation), operation.variant as u8));
            Ok(operations)
        }
        Algorithm::Sm3 => Ok(sm3()),
        Algorithm::Sm4 => Ok(sm4::operations()),
        Algorithm::Sm9 => sm9::operations(threads),
    }
}

fn sm2() -> Result<Vec<Operation>, Error> {
    let secret = PrivateKey::generate()?;
    let public = *secret.public_key();
    let signer = SigningKey::new(secret.clone());
    let verifier = signer.verifying_key().with_precompute(Precompute::Never);

    let messages: Vec<[u8; MESSAGE]> = (0..INPUTS).map(|i| [i as u8; MESSAGE]).collect();
    let mut signed = Vec::new();
    let mut encrypted = Vec::new();
    for message in &messages {
        signed.push((*message, signer.sign(message)?));
        encrypted.push(public.encrypt(message)?);
    }

    let mut operations = Vec::new();
    let mut add = |name, start: Box<dyn Fn() -> Work + Send + Sync>| {
        operations.push(Operation {
            variant: Variant::Single,
            batch: 1,
            spreads: false,
            algorithm: Algorithm::Sm2,
            name,
            message_bytes: MESSAGE,
            backend: kuaimi::backend().name(),
            start,
        });
    };
    add(
        "keygen",
        Box::new(|| Box::new(|| drop(black_box(PrivateKey::generate())))),
    );
    add("sign", {
        let messages = messages.clone();
        Box::new(move || {
            let (signer, messages, mut turn) = (signer.clone(), messages.clone(), 0);
            Box::new(move || {
                let signature = signer.sign(black_box(&messages[next(&mut turn)]));
                assert!(black_box(signature).is_ok());
            })
        })
    });
    add(
        "verify",
        Box::new(move || {
            let (verifier, signed, mut turn) = (verifier.clone(), signed.clone(), 0);
            Box::new(move || {
                let (message, signature) = black_box(&signed[next(&mut turn)]);
                assert!(verifier.verify(message, signature).is_ok());
            })
        }),
    );
    add("encrypt", {
        Box::new(move || {
            let (messages, mut turn) = (messages.clone(), 0);
            Box::new(move || {
                drop(black_box(
                    public.encrypt(black_box(&messages[next(&mut turn)])),
                ));
            })
        })
    });
    add("decrypt", {
        let secret = secret.clone();
        Box::new(move || {
            let (secret, encrypted, mut turn) = (secret.clone(), encrypted.clone(), 0);
            Box::new(move || {
                assert!(
                    secret
                        .decrypt(black_box(&encrypted[next(&mut turn)]))
                        .is_ok()
                );
            })
        })
    });
    let peer_secret = PrivateKey::generate()?;
    let a = Party::new(&secret, b"alice")?;
    let b = Party::new(&peer_secret, b"bob")?;
    let a_peer = Peer::new(&public, b"alice")?;
    let b_peer = Peer::new(peer_secret.public_key(), b"bob")?;
    add(
        "exchange",
        Box::new(move || {
            let (a, b, a_peer, b_peer) = (a.clone(), b.clone(), a_peer.clone(), b_peer.clone());
            Box::new(move || {
                let agreed =
                    Initiator::start(a.clone(), b_peer.clone()).and_then(|(initiator, r_a)| {
                        let responder = Responder::new(b.clone(), a_peer.clone());
                        let response = responder.respond(&r_a, MESSAGE)?;
                        let r_b = *response.point();
                        let key = initiator.finish_unconfirmed(&r_b, MESSAGE)?;
                        Ok(key == response.key_unconfirmed())
                    });
                assert_eq!(black_box(agreed), Ok(true));
            })
        }),
    );
    Ok(operations)
}

fn sm3() -> Vec<Operation> {
    let single = LENGTHS.into_iter().map(|length| Operation {
        variant: Variant::Single,
        batch: 1,
        spreads: false,
        algorithm: Algorithm::Sm3,
        name: HASH,
        message_bytes: length,
        backend: implementation("sm3"),
        start: Box::new(move || {
            let message = vec![0x5a; length];
            Box::new(move || {
                black_box(sm3::digest(black_box(&message)));
            })
        }),
    });
    let many = MANY_LENGTHS.into_iter().map(|length| Operation {
        variant: Variant::Batch,
        batch: MANY,
        spreads: false,
        algorithm: Algorithm::Sm3,
        name: HASH,
        message_bytes: length,
        backend: implementation("sm3_many"),
        start: Box::new(move || {
            let messages: Vec<_> = (0..MANY).map(|i| vec![i as u8; length]).collect();
            Box::new(move || {
                black_box(sm3::digest_many(black_box(&messages), Threads::Pool));
            })
        }),
    });
    single.chain(many).collect()
}

pub fn next(turn: &mut usize) -> usize {
    *turn = (*turn + 1) % INPUTS;
    *turn
}

/// The name of what computes a kind of operation.
pub fn implementation(kind: &str) -> &'static str {
    kuaimi::backend().implementation(kind).unwrap_or_default()
}
