//! SM9: keys as they are, with what is kept of them, and in batches.

use std::hint::black_box;

use anyhow::Result;
use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm9::batch::{
    DecapsulateItem, EncapsulateItem, SignItem, VerifyItem, decapsulate_batch, encapsulate_batch,
    sign_batch, verify_batch,
};
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm9::{
    EncryptionKey, Error, Identity, MasterEncryptionKey, MasterEncryptionPublicKey,
    MasterSigningKey, MasterSigningPublicKey, Signature, VerifyingKey,
};

use super::Work;

const ALICE: &[u8] = b"alice@example.com";
const BOB: &[u8] = b"bob@example.com";
const KEY_LENGTH: usize = 16;
const MESSAGE: [u8; 32] = [0x5A; 32];
/// Operations in a batch.
const BATCH: usize = 256;
/// Identities in a batch of verifications.
const IDENTITIES: usize = 16;

pub(super) fn works() -> Result<Vec<Work>> {
    let signing = MasterSigningKey::generate()?;
    let encryption = MasterEncryptionKey::generate()?;
    let mut works = extraction(&signing, &encryption);
    works.extend(signatures(&signing)?);
    works.extend(ciphertexts(&encryption)?);
    works.extend(exchanges(&encryption)?);
    Ok(works)
}

fn names() -> Vec<Vec<u8>> {
    (0..BATCH)
        .map(|i| format!("user{i}@example.com").into_bytes())
        .collect()
}

fn identities(names: &[Vec<u8>]) -> Vec<Identity<'_>> {
    names.iter().map(|name| Identity::new(name)).collect()
}

fn extraction(signing: &MasterSigningKey, encryption: &MasterEncryptionKey) -> Vec<Work> {
    let one = "H1 and the key; one identity";
    let many = "256 at a time on one thread, 256 identities";
    let (sign, sign_many) = (signing.clone(), signing.clone());
    let (encrypt, encrypt_many) = (encryption.clone(), encryption.clone());
    let (to_sign, to_encrypt) = (names(), names());
    vec![
        Work::new("sm9-extract-sign", one, move || {
            black_box(sign.extract(black_box(ALICE))?);
            Ok(())
        }),
        Work::many("sm9-extract-sign-batch", BATCH, many, move || {
            black_box(sign_many.extract_batch(&identities(&to_sign), Threads::Pool));
            Ok(())
        }),
        Work::new("sm9-extract-enc", one, move || {
            black_box(encrypt.extract(black_box(BOB))?);
            Ok(())
        }),
        Work::many("sm9-extract-enc-batch", BATCH, many, move || {
            black_box(encrypt_many.extract_batch(&identities(&to_encrypt), Threads::Pool));
            Ok(())
        }),
    ]
}

fn signatures(signing: &MasterSigningKey) -> Result<Vec<Work>> {
    let signer = signing.extract(ALICE)?;
    let prepared = signer.with_precompute(Precompute::AtOnce);
    let prepared_too = prepared.clone();
    // With nothing computed in advance, and with all that a master public key keeps.
    let master = MasterSigningPublicKey::from_bytes(&signing.public_key().to_bytes())?;
    let pairing = MasterSigningPublicKey::from_bytes(&signing.public_key().to_bytes())?;
    pairing.prepare();
    let (verifier, many) = (pairing.clone(), pairing.clone());
    let known = VerifyingKey::new(&verifier, ALICE)?.with_precompute(Precompute::AtOnce);
    let signature = signer.sign(&MESSAGE)?;
    let c = *signature.s();
    let signers = names()
        .into_iter()
        .take(IDENTITIES)
        .map(|name| {
            Ok((
                name.clone(),
                signing
                    .extract(&name[..])?
                    .with_precompute(Precompute::AtOnce),
            ))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let signed: Vec<(Vec<u8>, Signature)> = signers
        .iter()
        .cycle()
        .take(BATCH)
        .map(|(name, key)| Ok((name.clone(), key.sign(&MESSAGE)?)))
        .collect::<Result<_, Error>>()?;
    Ok(vec![
        Work::new(
            "sm9-sign",
            "32-byte message, hedged nonce, h || S; what the second use of the key made",
            move || {
                black_box(signer.sign(black_box(&MESSAGE))?);
                Ok(())
            },
        ),
        Work::new(
            "sm9-sign-prepared",
            "the same; tables of the key and of powers of g, made before",
            move || {
                black_box(prepared.sign(black_box(&MESSAGE))?);
                Ok(())
            },
        ),
        Work::many(
            "sm9-sign-batch",
            BATCH,
            "the same; 256 at a time on one thread, by one key",
            move || {
                let items: Vec<_> = (0..BATCH)
                    .map(|_| SignItem::new(&prepared_too, black_box(&MESSAGE)))
                    .collect();
                let results: Result<Vec<_>, Error> =
                    sign_batch(&items, Threads::Pool).into_iter().collect();
                black_box(results?);
                Ok(())
            },
        ),
        Work::new(
            "sm9-verify",
            "32-byte message, h || S; what the second use of the master public key made",
            move || {
                let key = VerifyingKey::new(&master, ALICE)?;
                Ok(key.verify(black_box(&MESSAGE), &signature)?)
            },
        ),
        Work::new(
            "sm9-verify-prepared",
            "the same, with what the master public key keeps made before",
            move || {
                let key = VerifyingKey::new(&verifier, ALICE)?;
                Ok(key.verify(black_box(&MESSAGE), &signature)?)
            },
        ),
        Work::new(
            "sm9-verify-known",
            "the same; the identity's lines and powers of g, made before",
            move || Ok(known.verify(black_box(&MESSAGE), &signature)?),
        ),
        Work::many(
            "sm9-verify-batch",
            BATCH,
            "the same; 256 at a time on one thread, 16 identities not seen before, the master key prepared",
            move || {
                let keys = signed
                    .iter()
                    .map(|(name, _)| VerifyingKey::new(&many, &name[..]))
                    .collect::<Result<Vec<_>, Error>>()?;
                let items: Vec<VerifyItem<'_>> = keys
                    .iter()
                    .zip(&signed)
                    .map(|(key, (_, signature))| VerifyItem::new(key, &MESSAGE, signature))
                    .collect();
                let results: Result<(), Error> =
                    verify_batch(&items, Threads::Pool).into_iter().collect();
                Ok(results?)
            },
        ),
        Work::new(
            "sm9-pairing",
            "Miller loop and final exponentiation, 384 bytes out",
            move || {
                black_box(pairing.pair_with(black_box(&c)));
                Ok(())
            },
        ),
    ])
}

fn ciphertexts(encryption: &MasterEncryptionKey) -> Result<Vec<Work>> {
    let plain =
        "32 bytes; H1 and the identity's point; what the second use of the master public key made";
    let kept = "the same; tables of the master public key and of powers of g, none of the identity";
    let lines = "the same; lines of the key, made before";
    let many = "the same; 256 at a time on one thread, with one key";
    // With nothing computed in advance, and with all that a master public key keeps.
    let fresh = || MasterEncryptionPublicKey::from_bytes(&encryption.public_key().to_bytes());
    let (master, sender) = (fresh()?, fresh()?);
    sender.prepare();
    let (master_too, sender_too) = (master.clone(), sender.clone());
    let reader = encryption.extract(BOB)?;
    let (reader_too, prepared) = (reader.clone(), reader.with_precompute(Precompute::AtOnce));
    let (prepared_too, prepared_many) = (prepared.clone(), prepared.clone());
    let recipient = EncryptionKey::new(&sender, BOB)?;
    let sender_many = sender.clone();
    let ciphertext = recipient.encrypt(&MESSAGE)?;
    let ciphertext_too = ciphertext.clone();
    let (_, c) = recipient.encapsulate(32)?;
    let points = (0..BATCH)
        .map(|_| Ok(recipient.encapsulate(32)?.1))
        .collect::<Result<Vec<_>, Error>>()?;
    Ok(vec![
        Work::new("sm9-encrypt", plain, move || {
            black_box(EncryptionKey::new(&master, BOB)?.encrypt(black_box(&MESSAGE))?);
            Ok(())
        }),
        Work::new("sm9-encrypt-prepared", kept, move || {
            black_box(EncryptionKey::new(&sender, BOB)?.encrypt(black_box(&MESSAGE))?);
            Ok(())
        }),
        Work::new(
            "sm9-decrypt",
            "32 bytes; what the second use of the key made",
            move || {
                black_box(reader.decrypt(black_box(&ciphertext))?);
                Ok(())
            },
        ),
        Work::new("sm9-decrypt-prepared", lines, move || {
            black_box(prepared.decrypt(black_box(&ciphertext_too))?);
            Ok(())
        }),
        Work::new("sm9-encap", plain, move || {
            black_box(EncryptionKey::new(&master_too, BOB)?.encapsulate(32)?);
            Ok(())
        }),
        Work::new("sm9-encap-prepared", kept, move || {
            black_box(EncryptionKey::new(&sender_too, BOB)?.encapsulate(32)?);
            Ok(())
        }),
        Work::many("sm9-encap-batch", BATCH, many, move || {
            let key = EncryptionKey::new(&sender_many, BOB)?;
            let items: Vec<_> = (0..BATCH).map(|_| EncapsulateItem::new(&key, 32)).collect();
            let results: Result<Vec<_>, Error> = encapsulate_batch(&items, Threads::Pool)
                .into_iter()
                .collect();
            black_box(results?);
            Ok(())
        }),
        Work::new(
            "sm9-decap",
            "32 bytes; what the second use of the key made",
            move || {
                black_box(reader_too.decapsulate(black_box(&c), 32)?);
                Ok(())
            },
        ),
        Work::new("sm9-decap-prepared", lines, move || {
            black_box(prepared_too.decapsulate(black_box(&c), 32)?);
            Ok(())
        }),
        Work::many("sm9-decap-batch", BATCH, many, move || {
            let items: Vec<_> = points
                .iter()
                .map(|c| DecapsulateItem::new(&prepared_many, c, 32))
                .collect();
            let results: Result<Vec<_>, Error> = decapsulate_batch(&items, Threads::Pool)
                .into_iter()
                .collect();
            black_box(results?);
            Ok(())
        }),
    ])
}

fn exchanges(encryption: &MasterEncryptionKey) -> Result<Vec<Work>> {
    let (a, b) = (
        encryption.extract_exchange(ALICE)?,
        encryption.extract_exchange(BOB)?,
    );
    let plain = [Party::new(&a), Party::new(&b)];
    // The same keys under a master public key that has computed in advance what it keeps.
    let sender = MasterEncryptionKey::from_bytes(&encryption.to_bytes())?;
    sender.public_key().prepare();
    let prepared = [
        sender.extract_exchange(ALICE)?,
        sender.extract_exchange(BOB)?,
    ]
    .map(|key| Party::new(&key.with_precompute(Precompute::AtOnce)));
    let work = |id, condition, [a, b]: [Party; 2]| {
        Work::new(id, condition, move || {
            let (initiator, r_a) = Initiator::start(a.clone(), Peer::new(BOB)?)?;
            let response =
                Responder::new(b.clone(), Peer::new(ALICE)?).respond(&r_a, KEY_LENGTH)?;
            let key = initiator.finish_unconfirmed(response.point(), KEY_LENGTH)?;
            black_box((key, response.key_unconfirmed()));
            Ok(())
        })
    };
    Ok(vec![
        work(
            "sm9-exchange",
            "both sides, both ephemeral keys made, 16-byte key; what the second use of the keys made",
            plain,
        ),
        work(
            "sm9-exchange-prepared",
            "the same; tables of the master public key and of powers of g, lines of the keys",
            prepared,
        ),
    ])
}
