//! SM9: keys as they are, with what is kept of them, and in batches.

use std::hint::black_box;

use anyhow::Result;
use kuaimi::sm9::exchange::{Initiator, Party, Responder};
use kuaimi::sm9::{
    EncryptOptions, Error, Identity, MasterEncryptionKey, MasterSigningKey, Signature, VerifyItem,
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
            black_box(sign.user_key(black_box(ALICE))?);
            Ok(())
        }),
        Work::many("sm9-extract-sign-batch", BATCH, many, move || {
            black_box(sign_many.user_keys(&identities(&to_sign)));
            Ok(())
        }),
        Work::new("sm9-extract-enc", one, move || {
            black_box(encrypt.user_key(black_box(BOB))?);
            Ok(())
        }),
        Work::many("sm9-extract-enc-batch", BATCH, many, move || {
            black_box(encrypt_many.user_keys(&identities(&to_encrypt)));
            Ok(())
        }),
    ]
}

fn signatures(signing: &MasterSigningKey) -> Result<Vec<Work>> {
    let signer = signing.user_key(ALICE)?;
    let prepared = signer.prepare();
    let master = signing.public_key().clone();
    let (verifier, many, pairing) = (master.prepare(), master.prepare(), master.clone());
    let known = verifier.identity(ALICE)?;
    let signature = signer.sign(&MESSAGE)?;
    let c = *signature.s();
    let signers = names()
        .into_iter()
        .take(IDENTITIES)
        .map(|name| Ok((name.clone(), signing.user_key(&name[..])?.prepare())))
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
            "32-byte message, hedged nonce, h || S; g kept, no tables",
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
        Work::new(
            "sm9-verify",
            "32-byte message, h || S; lines kept by the master public key",
            move || Ok(master.verify(ALICE, black_box(&MESSAGE), &signature)?),
        ),
        Work::new(
            "sm9-verify-prepared",
            "the same, with what the master public key keeps made before",
            move || Ok(verifier.verify(ALICE, black_box(&MESSAGE), &signature)?),
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
                let items: Vec<VerifyItem<'_>> = signed
                    .iter()
                    .map(|(name, signature)| VerifyItem::new(&name[..], &MESSAGE, signature))
                    .collect();
                let results: Result<(), Error> = many.verify_batch(&items).into_iter().collect();
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
    let plain = "32 bytes; H1 and the identity's point; g kept, no tables";
    let kept = "the same; tables of the master public key and of powers of g, none of the identity";
    let lines = "the same; lines of the key, made before";
    let master = encryption.public_key().clone();
    let (sender, sender_too) = (master.prepare(), master.prepare());
    let master_too = master.clone();
    let reader = encryption.user_key(BOB)?;
    let (reader_too, prepared) = (reader.clone(), reader.prepare());
    let prepared_too = prepared.clone();
    let options = EncryptOptions::default();
    let ciphertext = sender.encrypt(BOB, &MESSAGE, options)?;
    let ciphertext_too = ciphertext.clone();
    let (_, c) = sender.encapsulate(BOB, 32)?;
    Ok(vec![
        Work::new("sm9-encrypt", plain, move || {
            black_box(master.encrypt(BOB, black_box(&MESSAGE))?);
            Ok(())
        }),
        Work::new("sm9-encrypt-prepared", kept, move || {
            black_box(sender.encrypt(BOB, black_box(&MESSAGE), options)?);
            Ok(())
        }),
        Work::new("sm9-decrypt", "32 bytes; nothing kept", move || {
            black_box(reader.decrypt(BOB, black_box(&ciphertext))?);
            Ok(())
        }),
        Work::new("sm9-decrypt-prepared", lines, move || {
            black_box(prepared.decrypt(BOB, black_box(&ciphertext_too))?);
            Ok(())
        }),
        Work::new("sm9-encap", plain, move || {
            black_box(master_too.encapsulate(BOB, 32)?);
            Ok(())
        }),
        Work::new("sm9-encap-prepared", kept, move || {
            black_box(sender_too.encapsulate(BOB, 32)?);
            Ok(())
        }),
        Work::new("sm9-decap", "32 bytes; nothing kept", move || {
            black_box(reader_too.decapsulate(BOB, black_box(&c), 32)?);
            Ok(())
        }),
        Work::new("sm9-decap-prepared", lines, move || {
            black_box(prepared_too.decapsulate(BOB, black_box(&c), 32)?);
            Ok(())
        }),
    ])
}

fn exchanges(encryption: &MasterEncryptionKey) -> Result<Vec<Work>> {
    let (a, b) = (
        encryption.user_exchange_key(ALICE)?,
        encryption.user_exchange_key(BOB)?,
    );
    let sender = encryption.public_key().prepare();
    let plain = [Party::new(&a, ALICE)?, Party::new(&b, BOB)?];
    let prepared = [
        Party::with_prepared(&a.prepare(), &sender, ALICE)?,
        Party::with_prepared(&b.prepare(), &sender, BOB)?,
    ];
    let work = |id, condition, [a, b]: [Party; 2]| {
        Work::new(id, condition, move || {
            let (initiator, r_a) = Initiator::start(a.clone(), BOB)?;
            let response = Responder::new(b.clone(), ALICE)?.respond(&r_a, KEY_LENGTH)?;
            let key = initiator.finish_unconfirmed(response.point(), KEY_LENGTH)?;
            black_box((key, response.key_unconfirmed()));
            Ok(())
        })
    };
    Ok(vec![
        work(
            "sm9-exchange",
            "both sides, both ephemeral keys made, 16-byte key; g kept, no tables",
            plain,
        ),
        work(
            "sm9-exchange-prepared",
            "the same; tables of the master public key and of powers of g, lines of the keys",
            prepared,
        ),
    ])
}
