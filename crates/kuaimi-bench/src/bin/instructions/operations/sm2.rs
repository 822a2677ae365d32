//! SM2, messages of 32 bytes.

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{SignItem, VerifyItem, sign_batch_with_rng, verify_batch};
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{EncryptionKey, PrivateKey, PublicKey, Signature, SigningKey};
use kuaimi_testing::Repeatable;

use super::{Operation, Result, fixed, new};

/// Few enough for batches to stay on the thread that calls.
const MANY: usize = 16;

pub(super) fn operations() -> Result<Vec<Operation>> {
    let mut all = signatures()?;
    all.extend(encryption()?);
    all.extend(exchange()?);
    Ok(all)
}

fn secret(seed: u64) -> Result<PrivateKey> {
    Ok(PrivateKey::from_bytes(&fixed(seed))?)
}

fn signatures() -> Result<Vec<Operation>> {
    let message: [u8; 32] = fixed(1);
    let key = SigningKey::new(secret(2)?);
    let verifier = key.verifying_key().with_precompute(Precompute::Never);
    let prepared = verifier.with_precompute(Precompute::AtOnce);
    let signature = key.sign_with_rng(&mut Repeatable(3), &message)?;
    let digest: [u8; 32] = fixed(4);
    let (recoverable, id) = key.sign_digest_recoverable_with_rng(&mut Repeatable(5), &digest)?;

    let signers: Vec<SigningKey> = (0..MANY as u64)
        .map(|seed| Ok(SigningKey::new(secret(100 + seed)?)))
        .collect::<Result<_>>()?;
    let signatures: Vec<Signature> = signers
        .iter()
        .map(|signer| signer.sign_with_rng(&mut Repeatable(6), &message))
        .collect::<std::result::Result<_, _>>()?;
    let verifiers: Vec<_> = signers
        .iter()
        .map(|signer| signer.verifying_key().with_precompute(Precompute::Never))
        .collect();
    let (public, preparing) = (*key.public_key(), verifier.clone());
    Ok(vec![
        new("sm2 keygen", || {
            PrivateKey::generate_with_rng(&mut Repeatable(7))
        }),
        new("sm2 sign", move || {
            key.sign_with_rng(&mut Repeatable(8), &message)
        }),
        new("sm2 sign_batch of 16", move || {
            let items: Vec<_> = signers
                .iter()
                .map(|key| SignItem::new(key, &message))
                .collect();
            let made = sign_batch_with_rng(&mut Repeatable(9), &items, Threads::One);
            made.into_iter().collect::<std::result::Result<Vec<_>, _>>()
        }),
        new("sm2 verify", move || verifier.verify(&message, &signature)),
        new("sm2 prepare", move || {
            Ok::<_, std::fmt::Error>(preparing.with_precompute(Precompute::AtOnce))
        }),
        new("sm2 verify prepared", move || {
            prepared.verify(&message, &signature)
        }),
        new("sm2 verify_batch of 16 keys", move || {
            let items: Vec<_> = verifiers
                .iter()
                .zip(&signatures)
                .map(|(key, signature)| VerifyItem::new(key, &message, signature))
                .collect();
            let verdicts = verify_batch(&items, Threads::One);
            verdicts.into_iter().collect::<std::result::Result<(), _>>()
        }),
        new("sm2 recover", move || -> Result<()> {
            if PublicKey::recover(&digest, &recoverable, id)? != public {
                return Err("another key was recovered".into());
            }
            Ok(())
        }),
    ])
}

fn encryption() -> Result<Vec<Operation>> {
    let message: [u8; 32] = fixed(10);
    let key = secret(11)?;
    let recipient = *key.public_key();
    let prepared = EncryptionKey::new(recipient).with_precompute(Precompute::AtOnce);
    let ciphertext = recipient.encrypt_with_rng(&mut Repeatable(12), &message)?;
    let bytes = recipient.to_sec1_bytes();
    Ok(vec![
        new("sm2 encrypt", move || {
            recipient.encrypt_with_rng(&mut Repeatable(13), &message)
        }),
        new("sm2 encrypt prepared", move || {
            prepared.encrypt_with_rng(&mut Repeatable(14), &message)
        }),
        new("sm2 decrypt", move || key.decrypt(&ciphertext)),
        new("sm2 public key from bytes", move || {
            PublicKey::from_sec1_bytes(&bytes)
        }),
    ])
}

fn exchange() -> Result<Vec<Operation>> {
    let (a, b) = (secret(15)?, secret(16)?);
    Ok(vec![new(
        "sm2 exchange, both sides",
        move || -> Result<()> {
            let (a_public, b_public) = (a.public_key(), b.public_key());
            let (initiator, point) = Initiator::start_with_rng(
                &mut Repeatable(17),
                Party::new(&a, b"alice")?,
                Peer::new(b_public, b"bob")?,
            )?;
            let responder = Responder::new(Party::new(&b, b"bob")?, Peer::new(a_public, b"alice")?);
            let response = responder.respond_with_rng(&mut Repeatable(18), &point, 16)?;
            let (key, confirmation) =
                initiator.finish(response.point(), &response.confirmation(), 16)?;
            if response.confirm(&confirmation)? != key {
                return Err("both sides have another key".into());
            }
            Ok(())
        },
    )])
}
