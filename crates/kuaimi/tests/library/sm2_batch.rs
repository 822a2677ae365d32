//! Batches give each item what the single operation gives, whatever else is in the batch.

use crate::common::numbers::{Broken, bytes, number, order, secret};
use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{
    Content, DecryptItem, EncryptItem, FinishItem, Recipient, RecoverItem, RespondItem, SignItem,
    SignatureInput, Signer, VerifyItem, decrypt_batch, diffie_hellman_batch, encrypt_batch,
    encrypt_batch_with_rng, finish_batch, generate_batch, generate_batch_with_rng, recover_batch,
    respond_batch, respond_batch_with_rng, sign_batch, sign_batch_with_rng, start_batch_with_rng,
    verify_batch,
};
use kuaimi::sm2::exchange::{Initiator, Opening, Party, Peer, Responder};
use kuaimi::sm2::{
    Ciphertext, EncryptionKey, Error, KeyCache, PrivateKey, PublicKey, RecoveryId, Signature,
    SigningKey, VerifyingKey,
};
use num_bigint::BigUint;
use rand_core::{TryCryptoRng, TryRng};

/// A recipient's key with its table.
fn prepared(key: &PublicKey) -> EncryptionKey {
    EncryptionKey::new(*key).with_precompute(Precompute::AtOnce)
}

/// A generator whose output depends only on how much of it was taken: what a batch draws at once
/// can be drawn item by item.
struct Tape(u64);

impl TryRng for Tape {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut word = [0; 4];
        self.try_fill_bytes(&mut word)
            .map(|()| u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut word = [0; 8];
        self.try_fill_bytes(&mut word)
            .map(|()| u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for byte in out {
            let z = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            *byte = (z >> 56) as u8;
            self.0 += 1;
        }
        Ok(())
    }
}

impl TryCryptoRng for Tape {}

/// A small generator for shuffling.
fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut tape = Tape(seed << 32);
    for i in (1..count).rev() {
        let Ok(word) = tape.try_next_u64();
        order.swap(i, word as usize % (i + 1));
    }
    order
}

/// What a verification is about, so that it can be asked for in every way.
#[derive(Clone)]
struct Case {
    signer: SignerKind,
    key: SigningKey,
    id: Vec<u8>,
    point: Vec<u8>,
    message: Vec<u8>,
    digest: Option<[u8; 32]>,
    signature: SignatureInput,
}

#[derive(Clone)]
enum SignerKind {
    Key,
    Prepared(Box<VerifyingKey>),
    Identity,
    Sec1,
}

impl Case {
    /// A good one: key, way and length of the message vary with `i`.
    fn good(i: usize) -> Self {
        let id = [b"alice".as_slice(), b"", &[7; 300]][i % 3].to_vec();
        let key = SigningKey::with_id(secret(1 + (i % 11) as u8), &id).expect("short");
        let message = vec![i as u8; [0, 1, 31, 55, 64, 200][i % 6]];
        let signature = key.sign_deterministic(&message);
        let point = match i % 2 {
            0 => key.public_key().to_sec1_bytes().to_vec(),
            _ => key.public_key().to_compressed_bytes().to_vec(),
        };
        let mut hash = key.message_hash();
        hash.update(&message);
        Self {
            signer: match i % 4 {
                0 => SignerKind::Key,
                1 => {
                    let key = key.verifying_key();
                    SignerKind::Prepared(Box::new(key.with_precompute(Precompute::AtOnce)))
                }
                2 => SignerKind::Identity,
                _ => SignerKind::Sec1,
            },
            digest: i.is_multiple_of(5).then(|| hash.finalize()),
            key,
            id,
            point,
            message,
            signature: signature.into(),
        }
    }

    /// With one of the faults a batch can meet.
    fn spoilt(mut self, how: usize) -> Self {
        let good = self.key.sign_deterministic(&self.message);
        let mut raw = good.to_bytes();
        match how % 10 {
            0 => {
                self.message.push(1);
                self.digest = None;
            }
            1 => self.signature = secret_key_of(99).sign_deterministic(&self.message).into(),
            2 => {
                raw[63] ^= 1;
                self.signature = Signature::from_bytes(&raw).into();
            }
            3 => {
                raw[5] ^= 1;
                self.signature = Signature::from_bytes(&raw).into();
            }
            4 => self.signature = Signature::from_bytes(&[0; 64]).into(),
            5 => self.signature = Signature::from_slice(&raw[1..]).into(),
            6 => self.signature = Signature::from_der(&raw).into(),
            7 => {
                let der = good.to_der();
                let cut = &der.as_bytes()[..der.as_bytes().len() - 1];
                self.signature = Signature::from_der(cut).into();
            }
            8 => {
                self.signer = SignerKind::Sec1;
                self.point = vec![5; 65];
            }
            _ => {
                self.signer = SignerKind::Identity;
                self.id = vec![0; 8192];
                self.digest = None;
            }
        }
        self
    }

    fn item(&self) -> VerifyItem<'_> {
        let signer = match &self.signer {
            SignerKind::Key => Signer::Key(self.key.verifying_key()),
            SignerKind::Prepared(key) => Signer::from(key.as_ref()),
            SignerKind::Identity => Signer::Identity {
                key: self.key.public_key(),
                id: &self.id,
            },
            SignerKind::Sec1 => Signer::Sec1 {
                point: &self.point,
                id: &self.id,
            },
        };
        let content = match &self.digest {
            Some(digest) => Content::Digest(digest),
            None => Content::from(&self.message),
        };
        VerifyItem::new(signer, content, self.signature)
    }
}

fn secret_key_of(seed: u8) -> SigningKey {
    SigningKey::new(secret(seed))
}

/// What the single operations say of a case; the decoded signature comes in as its bytes did.
fn alone(case: &Case, decoded: Result<Signature, Error>) -> Result<(), Error> {
    let signature = decoded?;
    let key = match &case.signer {
        SignerKind::Key | SignerKind::Prepared(_) => case.key.verifying_key().clone(),
        SignerKind::Identity => VerifyingKey::with_id(*case.key.public_key(), &case.id)?,
        SignerKind::Sec1 => {
            VerifyingKey::with_id(PublicKey::from_sec1_bytes(&case.point)?, &case.id)?
        }
    };
    match &case.digest {
        Some(digest) => key.verify_digest(digest, &signature),
        None => key.verify(&case.message, &signature),
    }
}

/// The faults of `Case::spoilt`, and what they lead to.
const FAULTS: [Error; 10] = [
    Error::InvalidSignature,
    Error::InvalidSignature,
    Error::InvalidSignature,
    Error::InvalidSignature,
    Error::SignatureR,
    Error::SignatureLength(63),
    Error::SignatureEncoding,
    Error::SignatureEncoding,
    Error::PointFormat(5),
    Error::IdTooLong(8192),
];

#[test]
fn verification_of_every_size_with_errors_at_every_position() {
    let good: Vec<Case> = (0..41).map(Case::good).collect();
    for (i, case) in good.iter().enumerate() {
        let signature = case.key.sign_deterministic(&case.message);
        assert_eq!(alone(case, Ok(signature)), Ok(()), "item {i} alone");
    }
    for size in 0..=40 {
        let items: Vec<VerifyItem<'_>> = good[..size].iter().map(Case::item).collect();
        assert_eq!(
            verify_batch(&items, Threads::Pool),
            vec![Ok(()); size],
            "{size} good ones"
        );
        for position in 0..size {
            // Another fault at each position of a size, and at each size in a position.
            let fault = (position + size) % 10;
            let spoilt = good[position].clone().spoilt(fault);
            let mut items = items.clone();
            items[position] = spoilt.item();
            let mut expected = vec![Ok(()); size];
            expected[position] = Err(FAULTS[fault]);
            assert_eq!(
                verify_batch(&items, Threads::Pool),
                expected,
                "{size} items, fault {fault} at {position}"
            );
        }
    }
}

/// Half of the items are bad; in whatever order they come, each keeps its own result, and it is the
/// single operation's.
#[test]
fn results_follow_their_items() {
    let faults = |i: usize| (i % 2 == 1).then_some(i / 2);
    let cases: Vec<Case> = (0..97)
        .map(|i| match faults(i) {
            Some(fault) => Case::good(i).spoilt(fault),
            None => Case::good(i),
        })
        .collect();
    let expected: Vec<Result<(), Error>> = (0..97)
        .map(|i| faults(i).map_or(Ok(()), |fault| Err(FAULTS[fault % 10])))
        .collect();
    for seed in 0..6 {
        let order = shuffled(cases.len(), seed);
        let items: Vec<VerifyItem<'_>> = order.iter().map(|&i| cases[i].item()).collect();
        let found = verify_batch(&items, Threads::Pool);
        for (place, &i) in order.iter().enumerate() {
            assert_eq!(found[place], expected[i], "item {i} at {place}");
        }
    }
}

/// A signature is right for its own place only.
#[test]
fn exchanged_signatures_are_noticed() {
    let keys: Vec<SigningKey> = (1..21).map(secret_key_of).collect();
    let signatures: Vec<Signature> = keys.iter().map(|k| k.sign_deterministic(b"same")).collect();
    for (i, j) in [(0, 1), (3, 19), (7, 8)] {
        let mut exchanged = signatures.clone();
        exchanged.swap(i, j);
        let items: Vec<VerifyItem<'_>> = keys
            .iter()
            .zip(&exchanged)
            .map(|(key, signature)| VerifyItem::new(key.verifying_key(), b"same", signature))
            .collect();
        for (place, result) in verify_batch(&items, Threads::Pool).into_iter().enumerate() {
            assert_eq!(result.is_ok(), place != i && place != j, "item {place}");
        }
    }
}

/// Keys that come often enough get a table: with every number of signatures for a key, among
/// others, good and bad.
#[test]
fn repeated_keys() {
    let policies = [Precompute::Never, Precompute::AtSecondUse];
    let repeats = [1, 2, 5, 6, 7, 40, 100];
    for (repeats, policy) in repeats.into_iter().flat_map(|n| policies.map(|p| (n, p))) {
        let keys: Vec<SigningKey> = (1..4).map(secret_key_of).collect();
        let verifying = |key: &SigningKey| key.verifying_key().with_precompute(policy);
        let verifying: Vec<VerifyingKey> = keys.iter().map(verifying).collect();
        let messages: Vec<[u8; 4]> = (0..repeats).map(|i: u32| i.to_be_bytes()).collect();
        let mut items = Vec::new();
        let mut expected = Vec::new();
        let mut signers = std::collections::HashSet::new();
        for (i, message) in messages.iter().enumerate() {
            for (j, key) in keys.iter().enumerate() {
                let signature = key.sign_deterministic(message);
                let bad = (i + j) % 3 == 0;
                let signer = &verifying[if bad { (j + 1) % 3 } else { j }];
                signers.insert(*signer.public_key());
                items.push(VerifyItem::new(signer, message, signature));
                expected.push(if bad {
                    Err(Error::InvalidSignature)
                } else {
                    Ok(())
                });
            }
        }
        assert_eq!(
            verify_batch(&items, Threads::Pool),
            expected,
            "{repeats} repeats"
        );
        let cache = KeyCache::new(1 << 20);
        for turn in 0..3 {
            assert_eq!(
                cache.verify_batch(&items, Threads::Pool),
                expected,
                "{repeats}, turn {turn}"
            );
        }
        // A key that has a table of its own needs none of the cache's.
        if policy == Precompute::Never {
            assert_eq!(cache.stats().entries, signers.len());
        }
    }
}

#[test]
fn signatures_are_those_of_single_signing() {
    let keys: Vec<SigningKey> = (1..8).map(secret_key_of).collect();
    let messages: Vec<Vec<u8>> = (0..70).map(|i| vec![i as u8; i]).collect();
    for size in (0..=40).chain([64, 70]) {
        let items: Vec<SignItem<'_>> = messages[..size]
            .iter()
            .enumerate()
            .map(|(i, message)| {
                let key = &keys[i % 7];
                match message.as_slice().try_into() {
                    // The message of 32 bytes as a digest.
                    Ok(digest) => SignItem::new(key, Content::Digest(digest)),
                    Err(_) => SignItem::new(key, message),
                }
            })
            .collect();
        let Ok(signatures) = sign_batch_with_rng(&mut Tape(5), &items, Threads::Pool)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
        else {
            panic!("the tape does not fail");
        };
        let mut tape = Tape(5);
        for (i, signature) in signatures.iter().enumerate() {
            let key = &keys[i % 7];
            let expected = match messages[i].as_slice().try_into() {
                Ok(digest) => key.sign_digest_with_rng(&mut tape, digest),
                Err(_) => key.sign_with_rng(&mut tape, &messages[i]),
            };
            assert_eq!(Ok(*signature), expected, "{size} items, item {i}");
        }
        assert_eq!(signatures.len(), size);
    }
    let one = keys[0]
        .sign_batch(&messages, Threads::Pool)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()
        .expect("random");
    for (message, signature) in messages.iter().zip(&one) {
        assert_eq!(keys[0].verifying_key().verify(message, signature), Ok(()));
    }
    assert_eq!(
        sign_batch_with_rng(
            &mut Broken::Fails,
            &[SignItem::new(&keys[0], b""); 2],
            Threads::Pool
        ),
        [Err(Error::Random); 2]
    );
}

/// Even with a generator that gives the same bytes again and again, two messages have two nonces:
/// as r is x₁ + e, two signatures with one nonce would have r − e in common.
#[test]
fn nonces_are_hedged() {
    let key = secret_key_of(3);
    let digests: Vec<[u8; 32]> = (0..40).map(|i| [i; 32]).collect();
    let items: Vec<SignItem<'_>> = digests
        .iter()
        .map(|digest| SignItem::new(&key, Content::Digest(digest)))
        .collect();
    let signatures = sign_batch_with_rng(&mut Broken::Constant(9), &items, Threads::Pool)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()
        .expect("no failure");
    let n = order();
    let mut x1: Vec<_> = signatures
        .iter()
        .zip(&digests)
        .map(|(signature, e)| {
            let number = |bytes: &[u8]| num_bigint::BigUint::from_bytes_be(bytes);
            (number(&signature.r()) + &n + &n - number(e)) % &n
        })
        .collect();
    x1.sort();
    x1.dedup();
    assert_eq!(x1.len(), digests.len());
}

#[test]
fn keys_are_those_of_single_generation() {
    for size in (0..=40).chain([64, 65]) {
        let keys = generate_batch_with_rng(&mut Tape(6), size, Threads::Pool)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
            .expect("the tape does not fail");
        let mut tape = Tape(6);
        let expected: Vec<PrivateKey> = (0..size)
            .map(|_| PrivateKey::generate_with_rng(&mut tape).expect("the tape does not fail"))
            .collect();
        assert!(keys == expected, "{size} keys");
        let publics =
            |keys: &[PrivateKey]| keys.iter().map(|k| *k.public_key()).collect::<Vec<_>>();
        assert_eq!(publics(&keys), publics(&expected), "{size} keys");
    }
    let mut drawn = generate_batch(3, Threads::Pool)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()
        .expect("random");
    drawn.extend(
        generate_batch(3, Threads::Pool)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
            .expect("random"),
    );
    for (i, key) in drawn.iter().enumerate() {
        assert!(!drawn[..i].contains(key), "key {i} is another");
    }
    // Zeros are no key, and neither is what comes after them; the generator's third answer serves.
    let answers = vec![[0; 32], [0xff; 32], [7; 32]];
    let keys = generate_batch_with_rng(&mut Broken::Gives(answers), 1, Threads::Pool);
    let key = keys[0].as_ref().expect("the third");
    assert_eq!(*key.to_bytes(), [7; 32]);
    for broken in [Broken::Fails, Broken::Constant(0)] {
        let mut broken = broken;
        assert_eq!(
            generate_batch_with_rng(&mut broken, 2, Threads::Pool),
            [Err(Error::Random), Err(Error::Random)]
        );
    }
}

#[test]
fn ciphertexts_are_those_of_single_encryption() {
    let keys: Vec<PrivateKey> = (1..6).map(secret).collect();
    let prepared: Vec<_> = keys.iter().map(|k| prepared(k.public_key())).collect();
    let messages: Vec<Vec<u8>> = (0..70).map(|i| vec![i as u8; (i * 7) % 130]).collect();
    for size in (0..=40).chain([64, 70]) {
        for kinds in [1, 2, 3] {
            let items: Vec<EncryptItem<'_>> = messages[..size]
                .iter()
                .enumerate()
                .map(|(i, message)| {
                    let recipient: Recipient<'_> = match i % kinds {
                        0 => keys[i % 5].public_key().into(),
                        _ => (&prepared[i % 5]).into(),
                    };
                    EncryptItem::new(recipient, message)
                })
                .collect();
            let results = encrypt_batch_with_rng(&mut Tape(7), &items, Threads::Pool);
            assert_eq!(results.len(), size);
            for (i, result) in results.iter().enumerate() {
                let recipient = keys[i % 5].public_key();
                let expected =
                    recipient.encrypt_with_rng(&mut Tape(7 + 32 * i as u64), &messages[i]);
                // A message of no bytes is an error; one of a few may have needed another nonce.
                if messages[i].is_empty() || messages[i].len() > 6 {
                    assert_eq!(*result, expected, "{size} items, item {i}");
                }
            }
        }
    }
    let items = [
        EncryptItem::new(&prepared[0], b"text"),
        EncryptItem::new(keys[0].public_key(), b""),
    ];
    assert_eq!(
        encrypt_batch_with_rng(&mut Broken::Fails, &items, Threads::Pool),
        [Err(Error::Random), Err(Error::EmptyMessage)]
    );
}

/// One key stream in 256 does not hide a message of one byte; those items get another nonce.
#[test]
fn short_messages_are_never_sent_in_the_clear() {
    let key = secret(9);
    let prepared = prepared(key.public_key());
    let items: Vec<EncryptItem<'_>> = (0..1500)
        .map(|i| match i % 2 {
            0 => EncryptItem::new(&prepared, b"?"),
            _ => EncryptItem::new(key.public_key(), b"?"),
        })
        .collect();
    let ciphertexts: Vec<Ciphertext> = encrypt_batch(&items, Threads::Pool)
        .into_iter()
        .map(|result| result.expect("a nonce is found"))
        .collect();
    assert!(ciphertexts.iter().all(|c| c.masked() != b"?"));
    let items: Vec<DecryptItem<'_>> = ciphertexts
        .iter()
        .map(|c| DecryptItem::new(&key, c))
        .collect();
    for result in decrypt_batch(&items, Threads::Pool) {
        assert_eq!(**result.as_ref().expect("it decrypts"), *b"?");
    }
}

#[test]
fn decryption_of_every_size_with_errors_at_every_position() {
    let keys: Vec<PrivateKey> = (1..6).map(secret).collect();
    let messages: Vec<Vec<u8>> = (0..41).map(|i| vec![i as u8; 1 + (i * 5) % 70]).collect();
    let good: Vec<Ciphertext> = messages
        .iter()
        .enumerate()
        .map(|(i, message)| keys[i % 5].public_key().encrypt(message).expect("random"))
        .collect();
    let altered = |c: &Ciphertext, how: usize| {
        let (mut point, mut digest, mut masked) = (*c.point(), *c.digest(), c.masked().to_vec());
        match how % 3 {
            0 => point = *keys[0].public_key(),
            1 => digest[how % 32] ^= 1,
            _ => masked[0] ^= 0x80,
        }
        Ciphertext::from_parts(point, digest, masked).expect("not empty")
    };
    for size in 0..=40 {
        for position in 0..size {
            let bad = altered(&good[position], position + size);
            let items: Vec<DecryptItem<'_>> = good[..size]
                .iter()
                .enumerate()
                .map(|(i, c)| DecryptItem::new(&keys[i % 5], if i == position { &bad } else { c }))
                .collect();
            for (i, result) in decrypt_batch(&items, Threads::Pool).into_iter().enumerate() {
                match result {
                    Ok(plain) => assert!(i != position && *plain == messages[i], "item {i}"),
                    Err(error) => {
                        assert_eq!((i, error), (position, Error::DecryptionFailed));
                    }
                }
            }
        }
    }
    assert!(decrypt_batch(&[], Threads::Pool).is_empty());
}

#[test]
fn recovery_of_every_size() {
    let keys: Vec<SigningKey> = (1..6).map(secret_key_of).collect();
    let digests: Vec<[u8; 32]> = (0..41).map(|i| [i; 32]).collect();
    let made: Vec<(Signature, RecoveryId)> = digests
        .iter()
        .enumerate()
        .map(|(i, e)| {
            let made = keys[i % 5].sign_digest_recoverable(e).expect("random");
            // Every third with an identifier that mostly belongs to no point.
            match i % 3 {
                0 => (made.0, RecoveryId::ALL[2 + i % 2]),
                1 => (made.0, RecoveryId::ALL[i % 2]),
                _ => made,
            }
        })
        .collect();
    let mut failures = 0;
    for size in 0..=40 {
        let items: Vec<RecoverItem<'_>> = digests[..size]
            .iter()
            .zip(&made)
            .map(|(e, (signature, id))| RecoverItem::new(e, signature, *id))
            .collect();
        let expected: Vec<_> = digests[..size]
            .iter()
            .zip(&made)
            .map(|(e, (signature, id))| PublicKey::recover(e, signature, *id))
            .collect();
        failures += expected.iter().filter(|result| result.is_err()).count();
        assert_eq!(
            recover_batch(&items, Threads::Pool),
            expected,
            "{size} items"
        );
        for i in (2..size).step_by(3) {
            assert_eq!(expected[i], Ok(*keys[i % 5].public_key()));
        }
    }
    assert!(failures > 100, "some have no key");
}

#[test]
fn batches_of_signatures_verify_as_batches() {
    let keys: Vec<SigningKey> = (1..50).map(secret_key_of).collect();
    let to_sign: Vec<SignItem<'_>> = keys.iter().map(|k| SignItem::new(k, b"text")).collect();
    let signatures = sign_batch(&to_sign, Threads::Pool)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()
        .expect("random");
    let items: Vec<VerifyItem<'_>> = keys
        .iter()
        .zip(&signatures)
        .map(|(key, signature)| VerifyItem::new(key.public_key(), b"text", signature))
        .collect();
    assert_eq!(verify_batch(&items, Threads::Pool), vec![Ok(()); 49]);
}

/// Every number of pairs up to some lanes, and one that takes threads: each as alone.
#[test]
fn diffie_hellman_as_alone() {
    let keys: Vec<PrivateKey> = (0..9).map(|i| secret(100 + i)).collect();
    for count in (0..20).chain([63, 64, 65, 200]) {
        let pairs: Vec<_> = (0..count)
            .map(|i| (&keys[i % 9], keys[(i * i + 1) % 9].public_key()))
            .collect();
        for threads in [Threads::One, Threads::Pool] {
            let secrets = diffie_hellman_batch(&pairs, threads);
            assert_eq!(secrets.len(), count);
            for ((key, peer), secret) in pairs.iter().zip(secrets.iter()) {
                assert_eq!(*secret, *key.diffie_hellman(peer), "{count} pairs");
            }
        }
    }
}

/// Parties, and what their peers know of them.
fn parties(count: u8) -> (Vec<Party>, Vec<Peer>) {
    let keys = (0..count).map(|i| secret(100 + i));
    keys.map(|key| {
        let id = key.public_key().to_xy_bytes();
        let party = Party::new(&key, &id).expect("short");
        (party, Peer::new(key.public_key(), &id).expect("short"))
    })
    .unzip()
}

/// Every number of exchanges up to some lanes, and one that takes threads: each as alone, with the
/// ephemeral keys that it would draw alone.
#[test]
fn exchanges_as_alone() {
    let (parties, peers) = parties(9);
    for count in (0..20).chain([63, 64, 65, 200]) {
        let side = |i: usize| i * i % 9;
        let starting: Vec<&Party> = (0..count).map(|i| &parties[i % 9]).collect();
        for threads in [Threads::One, Threads::Pool] {
            let started = start_batch_with_rng(&mut Tape(1), &starting, threads);
            let mut tape = Tape(1);
            let alone = starting
                .iter()
                .map(|party| Opening::start_with_rng(&mut tape, (*party).clone()).expect("drawn"));
            let (mut openings, mut points) = (Vec::new(), Vec::new());
            for (started, (_, alone)) in started.into_iter().zip(alone) {
                let (opening, point) = started.expect("drawn");
                assert_eq!(point, alone, "{count}");
                openings.push(opening);
                points.push(point);
            }

            let items: Vec<RespondItem<'_>> = (0..count)
                .map(|i| RespondItem::new(&parties[side(i)], &peers[i % 9], &points[i]))
                .collect();
            let responses = respond_batch_with_rng(&mut Tape(2), &items, 48, threads);
            assert_eq!(responses.len(), count);
            let mut tape = Tape(2);
            let mut confirmed = Vec::new();
            for (i, response) in responses.into_iter().enumerate() {
                let response = response.expect("an answer");
                let alone = Responder::new(parties[side(i)].clone(), peers[i % 9].clone())
                    .respond_with_rng(&mut tape, &points[i], 48)
                    .expect("an answer");
                assert_eq!(response.to_bytes(), alone.to_bytes(), "{count}");
                confirmed.push((response.confirmation(), response));
            }

            // Every third is not confirmed, every fifth has another's confirmation.
            let mut states = Vec::new();
            let items = openings.into_iter().zip(&confirmed).enumerate();
            let items = items.map(|(i, (opening, (s_b, response)))| {
                let initiator = opening.with_peer(peers[side(i)].clone());
                states.push(initiator.to_bytes());
                match i {
                    _ if i % 3 == 2 => FinishItem::unconfirmed(initiator, response.point()),
                    _ if i % 5 == 4 => FinishItem::new(initiator, response.point(), &[7; 32]),
                    _ => FinishItem::new(initiator, response.point(), s_b),
                }
            });
            let finished = finish_batch(items.collect(), 48, threads);
            assert_eq!(finished.len(), count);
            for (i, (finished, (s_b, response))) in finished.into_iter().zip(confirmed).enumerate()
            {
                let alone = Initiator::from_bytes(&states[i], &secret(100 + (i % 9) as u8));
                let alone = alone.expect("its state");
                if i % 3 == 2 {
                    let finished = finished.expect("a key");
                    assert_eq!(finished.confirmation, None);
                    assert_eq!(finished.key, response.key_unconfirmed());
                } else if i % 5 == 4 {
                    assert_eq!(finished, Err(Error::ConfirmationFailed));
                } else {
                    let (key, s_a) = alone.finish(response.point(), &s_b, 48).expect("a key");
                    let finished = finished.expect("a key");
                    assert_eq!(finished.key, key, "{count}");
                    assert_eq!(finished.confirmation, Some(s_a), "{count}");
                    assert_eq!(response.confirm(&s_a), Ok(key));
                }
            }
        }
    }
}

/// One bad exchange among good ones, a length of nothing, and a generator that fails.
#[test]
fn exchanges_that_fail_fail_alone() {
    // R of the eleventh, and a peer whose key is −x̄·r: the sum P' + [x̄]R is infinity.
    let r = BigUint::from(0xABCDu32);
    let point = *PrivateKey::from_bytes(&bytes(&r))
        .expect("in range")
        .public_key();
    let low = BigUint::from(1u32) << 127;
    let x_bar = &low + number(&point.to_xy_bytes()[..32]) % &low;
    let bad = bytes(&(&order() - x_bar * &r % &order()));
    let bad = PrivateKey::from_bytes(&bad).expect("in range");
    let bad = Peer::new(bad.public_key(), b"bad").expect("short");

    let (parties, peers) = parties(2);
    for count in [11, 40] {
        let items: Vec<RespondItem<'_>> = (0..count)
            .map(|i| RespondItem::new(&parties[0], if i == 10 { &bad } else { &peers[1] }, &point))
            .collect();
        for (i, response) in respond_batch(&items, 16, Threads::One).iter().enumerate() {
            assert_eq!(
                response.as_ref().err(),
                (i == 10).then_some(&Error::ConfirmationFailed)
            );
        }
        let none = respond_batch(&items[..10], 0, Threads::One);
        let errors = none.iter().map(|response| response.as_ref().err());
        assert!(errors.eq([Some(&Error::SharedKeyLength); 10]));
        let failed = respond_batch_with_rng(&mut Broken::Fails, &items, 16, Threads::One);
        let errors = failed.iter().map(|response| response.as_ref().err());
        assert!(errors.eq((0..count).map(|_| Some(&Error::Random))));
        let failed =
            start_batch_with_rng(&mut Broken::Fails, &vec![&parties[0]; count], Threads::One);
        assert!(
            failed
                .iter()
                .all(|started| matches!(started, Err(Error::Random)))
        );
    }

    // The same on the other side: the responder's point and key cancel.
    let starting = vec![&parties[0]; 11];
    let started = start_batch_with_rng(&mut Tape(3), &starting, Threads::One);
    let items = started.into_iter().enumerate().map(|(i, started)| {
        let (opening, _) = started.expect("drawn");
        let peer = if i == 10 { &bad } else { &peers[1] };
        FinishItem::unconfirmed(opening.with_peer(peer.clone()), &point)
    });
    for (i, finished) in finish_batch(items.collect(), 16, Threads::One)
        .iter()
        .enumerate()
    {
        let failed = (i == 10).then_some(&Error::ConfirmationFailed);
        assert_eq!(finished.as_ref().err(), failed);
    }
}
