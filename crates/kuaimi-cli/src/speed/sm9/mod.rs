//! SM9's operations: with keys that have no tables of their own, with tables, and in batches.

mod batches;

use std::hint::black_box;
use std::sync::Arc;

use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm9::{Error, G1Point, MasterEncryptionKey, MasterSigningKey};
use rayon::ThreadPoolBuilder;

use super::operations::{MESSAGE, Operation, Work};
use super::{Algorithm, Variant};
use batches::Batches;

const ALICE: &[u8] = b"alice@example.com";
const BOB: &[u8] = b"bob@example.com";
/// Operations of a batch for each thread.
const BATCH: usize = 64;
/// Bytes of a key that is agreed on or encapsulated.
const KEY: usize = 32;
/// In the table's order.
pub const NAMES: [&str; 10] = [
    "extract-sign",
    "extract-enc",
    "sign",
    "verify",
    "encrypt",
    "decrypt",
    "encap",
    "decap",
    "exchange",
    "pairing",
];

pub fn operations(threads: usize) -> Result<Vec<Operation>, Box<dyn std::error::Error>> {
    let centre = Centre::new()?;
    let mut operations = centre.users()?;
    operations.extend(centre.exchanges()?);
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).build()?);
    let batches = Batches {
        pool,
        count: BATCH * threads,
    };
    operations.extend(batches.operations(&centre.signing, &centre.encryption)?);
    let order = |operation: &Operation| NAMES.iter().position(|name| *name == operation.name);
    operations.sort_by_key(|operation| (order(operation), operation.variant as u8));
    Ok(operations)
}

/// One operation, of which every thread has a copy.
fn operation<W: Fn() + Clone + Send + Sync + 'static>(
    name: &'static str,
    variant: Variant,
    batch: usize,
    work: W,
) -> Operation {
    Operation {
        variant,
        batch,
        spreads: batch > 1,
        algorithm: Algorithm::Sm9,
        name,
        message_bytes: MESSAGE,
        backend: kuaimi::backend().name(),
        start: Box::new(move || -> Work { Box::new(work.clone()) }),
    }
}

/// Gives a result to nobody, if it is one.
fn done<T>(result: Result<T, Error>) {
    assert!(black_box(result).is_ok());
}

struct Centre {
    signing: MasterSigningKey,
    encryption: MasterEncryptionKey,
}

impl Centre {
    fn new() -> Result<Self, Error> {
        Ok(Self {
            signing: MasterSigningKey::generate()?,
            encryption: MasterEncryptionKey::generate()?,
        })
    }

    /// The same keys, without what others have computed of them.
    fn apart(&self) -> Result<(MasterSigningKey, MasterEncryptionKey), Error> {
        Ok((
            MasterSigningKey::from_bytes(&self.signing.to_bytes())?,
            MasterEncryptionKey::from_bytes(&self.encryption.to_bytes())?,
        ))
    }

    /// Keys and what a user does with one.
    fn users(&self) -> Result<Vec<Operation>, Error> {
        use Variant::{Prepared, Single};
        let message = [0x5A; MESSAGE];
        let (signing, encryption) = self.apart()?;
        let alice = signing.extract(ALICE)?;
        let bob = encryption.extract(BOB)?;
        let (verifier, sender) = (
            signing.public_key().clone(),
            encryption.public_key().clone(),
        );
        let signature = alice.sign(&message)?;
        let ciphertext = bob.encryption_key().encrypt(&message)?;
        let (_, c) = bob.encryption_key().encapsulate(KEY)?;
        let (prepared_alice, prepared_bob) =
            (self.signing.extract(ALICE)?, self.encryption.extract(BOB)?);
        prepared_alice.prepare();
        prepared_bob.prepare();
        let known = prepared_alice.verifying_key().clone();
        known.prepare();
        let recipient = prepared_bob.encryption_key().clone();
        recipient.prepare();
        let (sent, sent_too) = (ciphertext.clone(), ciphertext);
        let (to_bob, to_bob_too) = (recipient.clone(), recipient);
        let (prepared_bob_too, bob_too) = (prepared_bob.clone(), bob.clone());
        let (verifier_too, sender_too) = (verifier.clone(), sender.clone());
        Ok(vec![
            operation("extract-sign", Single, 1, move || {
                done(signing.extract(black_box(ALICE)));
            }),
            operation("extract-enc", Single, 1, move || {
                done(encryption.extract(black_box(BOB)));
            }),
            operation("sign", Single, 1, move || {
                done(alice.sign(black_box(&message)));
            }),
            operation("sign", Prepared, 1, move || {
                done(prepared_alice.sign(black_box(&message)));
            }),
            operation("verify", Single, 1, move || {
                let key = verifier.verifying_key(ALICE);
                done(key.and_then(|key| key.verify(black_box(&message), &signature)));
            }),
            operation("verify", Prepared, 1, move || {
                done(known.verify(black_box(&message), &signature));
            }),
            operation("encrypt", Single, 1, move || {
                let key = sender.encryption_key(BOB);
                done(key.and_then(|key| key.encrypt(black_box(&message))));
            }),
            operation("encrypt", Prepared, 1, move || {
                done(to_bob.encrypt(black_box(&message)));
            }),
            operation("decrypt", Single, 1, move || {
                done(bob.decrypt(black_box(&sent)));
            }),
            operation("decrypt", Prepared, 1, move || {
                done(prepared_bob.decrypt(black_box(&sent_too)));
            }),
            operation("encap", Single, 1, move || {
                let key = sender_too.encryption_key(BOB);
                done(key.and_then(|key| key.encapsulate(KEY)));
            }),
            operation("encap", Prepared, 1, move || {
                done(to_bob_too.encapsulate(KEY));
            }),
            operation("decap", Single, 1, move || {
                done(bob_too.decapsulate(black_box(&c), KEY));
            }),
            operation("decap", Prepared, 1, move || {
                done(prepared_bob_too.decapsulate(black_box(&c), KEY));
            }),
            operation("pairing", Single, 1, move || {
                black_box(verifier_too.pair_with(black_box(&c)));
            }),
        ])
    }

    /// Both sides of a key exchange without confirmation.
    fn exchanges(&self) -> Result<Vec<Operation>, Error> {
        let (_, apart) = self.apart()?;
        let keys = |master: &MasterEncryptionKey| {
            Ok::<_, Error>((
                master.extract_exchange(ALICE)?,
                master.extract_exchange(BOB)?,
            ))
        };
        let (a, b) = keys(&apart)?;
        let plain = (Party::new(&a), Party::new(&b));
        let (a, b) = keys(&self.encryption)?;
        a.prepare();
        b.prepare();
        let prepared = (Party::new(&a), Party::new(&b));
        let of = |variant, (a, b): (Party, Party)| {
            operation("exchange", variant, 1, move || {
                done(exchange(a.clone(), b.clone()));
            })
        };
        Ok(vec![
            of(Variant::Single, plain),
            of(Variant::Prepared, prepared),
        ])
    }
}

/// Both keys, which are equal.
fn exchange(a: Party, b: Party) -> Result<G1Point, Error> {
    let (initiator, r_a) = Initiator::start(a, Peer::new(BOB)?)?;
    let response = Responder::new(b, Peer::new(ALICE)?).respond(&r_a, KEY)?;
    let r_b = *response.point();
    let key = initiator.finish_unconfirmed(&r_b, KEY)?;
    assert!(key == response.key_unconfirmed());
    Ok(r_b)
}
