//! SM9, messages of 32 bytes.

use kuaimi::precompute::Precompute;
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm9::{
    EncryptOptions, EncryptionKey, MasterEncryptionKey, MasterSigningKey, VerifyingKey,
};
use kuaimi_testing::Repeatable;

use super::{Operation, Result, fixed, new};

pub(super) fn operations() -> Result<Vec<Operation>> {
    let mut all = signatures()?;
    all.extend(encryption()?);
    Ok(all)
}

/// A number below `N`.
fn secret(seed: u64) -> [u8; 32] {
    let mut bytes: [u8; 32] = fixed(seed);
    bytes[0] &= 0x7f;
    bytes
}

fn signatures() -> Result<Vec<Operation>> {
    let message: [u8; 32] = fixed(20);
    let master = MasterSigningKey::from_bytes(&secret(21))?;
    let user = master.extract("alice")?;
    // At the second use a key makes its table, which is not what is counted.
    for seed in [32, 33] {
        user.sign_with_rng(&mut Repeatable(seed), &message)?;
    }
    let prepared = user.with_precompute(Precompute::AtOnce);
    let verifier = VerifyingKey::new(master.public_key(), "alice")?;
    let verifier = verifier.with_precompute(Precompute::Never);
    let known = verifier.with_precompute(Precompute::AtOnce);
    let signature = prepared.sign_with_rng(&mut Repeatable(22), &message)?;
    Ok(vec![
        new("sm9 extract a signing key", move || master.extract("bob")),
        new("sm9 sign", move || {
            user.sign_with_rng(&mut Repeatable(23), &message)
        }),
        new("sm9 sign prepared", move || {
            prepared.sign_with_rng(&mut Repeatable(24), &message)
        }),
        new("sm9 verify", move || verifier.verify(&message, &signature)),
        new("sm9 verify prepared", move || {
            known.verify(&message, &signature)
        }),
    ])
}

fn encryption() -> Result<Vec<Operation>> {
    let message: [u8; 32] = fixed(25);
    let master = MasterEncryptionKey::from_bytes(&secret(26))?;
    let user = master.extract("bob")?;
    let prepared = user.with_precompute(Precompute::AtOnce);
    let recipient = EncryptionKey::new(master.public_key(), "bob")?;
    let recipient = recipient.with_precompute(Precompute::Never);
    let options = EncryptOptions::new();
    let ciphertext = recipient.encrypt_with_rng(&mut Repeatable(27), &message, options)?;
    let again = ciphertext.clone();
    let encapsulating = recipient.clone();
    let (a, b) = (
        master.extract_exchange("alice")?,
        master.extract_exchange("bob")?,
    );
    Ok(vec![
        new("sm9 extract an encryption key", move || {
            master.extract("carol")
        }),
        new("sm9 encrypt", move || {
            recipient.encrypt_with_rng(&mut Repeatable(28), &message, options)
        }),
        new("sm9 encapsulate", move || {
            encapsulating.encapsulate_with_rng(&mut Repeatable(29), 32)
        }),
        new("sm9 decrypt", move || user.decrypt(&ciphertext)),
        new("sm9 decrypt prepared", move || prepared.decrypt(&again)),
        new("sm9 exchange, both sides", move || -> Result<()> {
            let (initiator, point) =
                Initiator::start_with_rng(&mut Repeatable(30), Party::new(&a), Peer::new("bob")?)?;
            let responder = Responder::new(Party::new(&b), Peer::new("alice")?);
            let response = responder.respond_with_rng(&mut Repeatable(31), &point, 16)?;
            let (key, confirmation) =
                initiator.finish(response.point(), &response.confirmation(), 16)?;
            if response.confirm(&confirmation)? != key {
                return Err("both sides have another key".into());
            }
            Ok(())
        }),
    ])
}
