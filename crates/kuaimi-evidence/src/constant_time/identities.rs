//! SM9: master keys, users' keys and nonces are secret; identities and what is sent are not.

use std::hint::black_box;

use anyhow::{Context as _, Result, ensure};
use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm9::batch::{
    DecapsulateItem, DecryptItem, EncapsulateItem, EncryptItem, Recipient, SignItem,
    decapsulate_batch, decrypt_batch, encapsulate_batch_with_rng, encrypt_batch_with_rng,
    sign_batch_with_rng,
};
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder, Response};
use kuaimi::sm9::{
    Ciphertext, DecryptionKey, EncryptOptions, EncryptionKey, Error, G1Point, MasterEncryptionKey,
    MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey, Mode, Signature,
    SigningKey, VerifyingKey,
};
use kuaimi_platform::memcheck::{classify, declassify};

use super::{Checks, Secrets, messages, public, publish, same};

/// 32 secret bytes below `N`.
fn secret(seed: u8) -> [u8; 32] {
    let mut bytes = super::secret(seed);
    declassify(&mut bytes);
    bytes[0] &= 0x7f;
    classify(&mut bytes);
    bytes
}

fn public_point(point: &G1Point) -> Result<G1Point> {
    Ok(G1Point::from_bytes(&public(point.to_bytes())?)?)
}

fn public_signature(signature: &Signature) -> Result<Signature> {
    let s = public_point(signature.s())?;
    Ok(Signature::from_parts(&public(signature.h())?, s)?)
}

fn public_ciphertext(ciphertext: &Ciphertext) -> Result<Ciphertext> {
    let mut c2 = ciphertext.c2().to_vec();
    publish(&mut c2)?;
    Ok(Ciphertext::from_parts(
        ciphertext.mode(),
        public_point(ciphertext.c1())?,
        public(*ciphertext.c3())?,
        c2,
    )?)
}

pub(super) fn identities(checks: &mut Checks) -> Result<()> {
    signatures(checks)?;
    encryption(checks)?;
    batches(checks)?;
    exchanges(checks)
}

fn signatures(checks: &mut Checks) -> Result<()> {
    let made = checks.check("SM9: signing master key", || {
        MasterSigningKey::from_bytes(&secret(31))
    })?;
    let bytes = public(made.public_key().to_bytes())?;
    let verifier = MasterSigningPublicKey::from_bytes(&bytes)?;
    checks.check("SM9: signing master key from random numbers", || {
        MasterSigningKey::generate_with_rng(&mut Secrets(32)).map(black_box)
    })?;
    let user = checks.check("SM9: extracting a signing key", || made.extract("alice"))?;
    let many = checks.check("SM9: extracting many signing keys", || {
        made.extract_batch(
            &["alice".into(), "bob".into(), "carol".into()],
            Threads::Pool,
        )
        .into_iter()
        .collect::<Result<Vec<SigningKey>, Error>>()
    })?;
    let first = many.first().map(SigningKey::to_bytes);
    let first = first.context("three keys were asked for")?;
    ensure!(
        same(first.as_ref(), user.to_bytes().as_ref())?,
        "one of many is the one alone"
    );
    // The master public key that goes with it is public.
    let user = user.under(&verifier);
    checks.check("SM9: reading a signing key", || -> Result<()> {
        let bytes = user.to_bytes();
        black_box(SigningKey::from_bytes(&bytes, "alice", &verifier)?);
        black_box(SigningKey::from_slice(&bytes[..], "alice", &verifier)?);
        let mut altered = bytes;
        altered[63] ^= 1;
        let read = SigningKey::from_bytes(&altered, "alice", &verifier);
        ensure!(read.err() == Some(Error::NotOnCurve), "it was altered");
        Ok(())
    })?;
    let mut signed = Vec::new();
    checks.check("SM9: signing with nothing prepared", || -> Result<()> {
        for (i, message) in messages().take(3).enumerate() {
            signed.push((
                user.sign_with_rng(&mut Secrets(i as u64), &message)?,
                message,
            ));
        }
        Ok(())
    })?;
    let prepared = user.with_precompute(Precompute::Never);
    checks.check("SM9: preparing a signing key", || prepared.prepare());
    checks.check("SM9: signing with a prepared key", || -> Result<()> {
        for (i, message) in messages().take(3).enumerate() {
            let signature = prepared.sign_with_rng(&mut Secrets(i as u64), &message)?;
            signed.push((signature, message));
        }
        Ok(())
    })?;
    checks.check(
        "SM9: tables of a signing key, kept and read",
        || -> Result<()> {
            let bytes = prepared.tables_to_bytes();
            black_box(user.with_tables(&bytes)?);
            Ok(())
        },
    )?;
    let verifier = VerifyingKey::new(&verifier, "alice")?;
    for (signature, mut message) in signed {
        declassify(&mut message);
        verifier.verify(&message, &public_signature(&signature)?)?;
    }
    Ok(())
}

fn encryption(checks: &mut Checks) -> Result<()> {
    let master = checks.check("SM9: encryption master key", || {
        MasterEncryptionKey::from_bytes(&secret(33))
    })?;
    let sender = MasterEncryptionPublicKey::from_bytes(&public(master.public_key().to_bytes())?)?;
    let user = checks.check("SM9: extracting an encryption key", || {
        master.extract("bob")
    })?;
    checks.check("SM9: extracting many encryption keys", || {
        master
            .extract_batch(&["alice".into(), "bob".into()], Threads::Pool)
            .into_iter()
            .collect::<Result<Vec<DecryptionKey>, Error>>()
    })?;
    let user = user.under(&sender);
    checks.check("SM9: reading an encryption key", || -> Result<()> {
        let bytes = user.to_bytes();
        black_box(DecryptionKey::from_bytes(&bytes, "bob", &sender)?);
        black_box(DecryptionKey::from_slice(&bytes[..], "bob", &sender)?);
        let mut altered = bytes;
        altered[127] ^= 1;
        let read = DecryptionKey::from_bytes(&altered, "bob", &sender);
        ensure!(read.err() == Some(Error::NotOnCurve), "it was altered");
        Ok(())
    })?;
    let kept = user.with_precompute(Precompute::Never);
    checks.check("SM9: lines of an encryption key", || kept.prepare());
    let recipient = EncryptionKey::new(&sender, "bob")?;
    let known = recipient.with_precompute(Precompute::AtOnce);
    let mut made = Vec::new();
    checks.check("SM9: encapsulation", || -> Result<()> {
        made.push(recipient.encapsulate_with_rng(&mut Secrets(34), 48)?);
        // The tables are made at the second use.
        made.push(recipient.encapsulate_with_rng(&mut Secrets(35), 48)?);
        made.push(recipient.encapsulate_with_rng(&mut Secrets(42), 48)?);
        made.push(known.encapsulate_with_rng(&mut Secrets(36), 48)?);
        Ok(())
    })?;
    for (key, c) in made {
        let c = public_point(&c)?;
        let opened = checks.check("SM9: decapsulation", || user.decapsulate(&c, 48))?;
        ensure!(same(&key, &opened)?, "both sides have the key");
        let opened = checks.check("SM9: decapsulation with precomputed lines", || {
            kept.decapsulate(&c, 48)
        })?;
        ensure!(same(&key, &opened)?, "both sides have the key");
    }
    for &mode in Mode::ALL {
        let options = EncryptOptions::new().with_mode(mode);
        let mut message = vec![0; 40];
        Secrets(37).fill(&mut message);
        let ciphertext = checks.check(&format!("SM9: encryption, {mode}"), || {
            known.encrypt_with_rng(&mut Secrets(38), &message, options)
        })?;
        let ciphertext = public_ciphertext(&ciphertext)?;
        let plain = checks.check(&format!("SM9: decryption, {mode}"), || {
            kept.decrypt(&ciphertext)
        })?;
        ensure!(same(&plain, &message)?, "it decrypts to what was encrypted");
        let mut c3 = *ciphertext.c3();
        c3[0] ^= 1;
        let altered = Ciphertext::from_parts(mode, *ciphertext.c1(), c3, ciphertext.c2().to_vec())?;
        checks.check("SM9: decryption that fails", || {
            ensure!(kept.decrypt(&altered).is_err(), "it was altered");
            Ok(())
        })?;
    }
    Ok(())
}

/// More items than a vector has lanes, the first two before there are tables, some with prepared
/// keys.
fn batches(checks: &mut Checks) -> Result<()> {
    const MANY: usize = 11;
    let messages: Vec<Vec<u8>> = messages().take(MANY).collect();

    let master = MasterSigningKey::from_bytes(&secret(43))?;
    let verifier = MasterSigningPublicKey::from_bytes(&public(master.public_key().to_bytes())?)?;
    let users = ["alice", "bob"].map(|id| Ok::<_, Error>(master.extract(id)?.under(&verifier)));
    let [alice, bob] = users;
    let (alice, bob) = (alice?, bob?.with_precompute(Precompute::AtOnce));
    let items: Vec<SignItem<'_>> = messages
        .iter()
        .enumerate()
        .map(|(i, message)| match i % 4 {
            3 => SignItem::new(&bob, message),
            _ => SignItem::new(&alice, message),
        })
        .collect();
    let signatures = checks.check("SM9: sign_batch", || {
        sign_batch_with_rng(&mut Secrets(44), &items, Threads::Pool)
    });
    for (i, (signature, message)) in signatures.into_iter().zip(&messages).enumerate() {
        let mut message = message.clone();
        declassify(&mut message);
        let verifier = VerifyingKey::new(&verifier, if i % 4 == 3 { "bob" } else { "alice" })?;
        verifier.verify(&message, &public_signature(&signature?)?)?;
    }

    let master = MasterEncryptionKey::from_bytes(&secret(45))?;
    let sender = MasterEncryptionPublicKey::from_bytes(&public(master.public_key().to_bytes())?)?;
    let user = master.extract("bob")?.under(&sender);
    let kept = user.with_precompute(Precompute::AtOnce);
    let known = EncryptionKey::new(&sender, "bob")?.with_precompute(Precompute::AtOnce);
    let identity = Recipient::Identity {
        master: &sender,
        identity: "bob".into(),
    };
    let recipient = |i: usize| match i % 4 {
        3 => Recipient::from(&known),
        _ => identity,
    };
    let items: Vec<EncapsulateItem<'_>> = (0..MANY)
        .map(|i| EncapsulateItem::new(recipient(i), 48))
        .collect();
    let made = checks.check("SM9: encapsulate_batch", || {
        encapsulate_batch_with_rng(&mut Secrets(46), &items, Threads::Pool)
            .into_iter()
            .collect::<Result<Vec<_>, Error>>()
    })?;
    let points = made
        .iter()
        .map(|(_, c)| public_point(c))
        .collect::<Result<Vec<G1Point>>>()?;
    let items: Vec<DecapsulateItem<'_>> = points
        .iter()
        .enumerate()
        .map(|(i, c)| match i % 4 {
            3 => DecapsulateItem::new(&kept, c, 48),
            _ => DecapsulateItem::new(&user, c, 48),
        })
        .collect();
    let opened = checks.check("SM9: decapsulate_batch", || {
        decapsulate_batch(&items, Threads::Pool)
    });
    for (opened, (key, _)) in opened.into_iter().zip(&made) {
        ensure!(same(key, &opened?)?, "both sides have the key");
    }

    let items: Vec<EncryptItem<'_>> = messages
        .iter()
        .enumerate()
        .map(|(i, message)| EncryptItem::new(recipient(i), message))
        .collect();
    let ciphertexts = checks.check("SM9: encrypt_batch", || {
        encrypt_batch_with_rng(&mut Secrets(47), &items, Threads::Pool)
            .into_iter()
            .collect::<Result<Vec<_>, Error>>()
    })?;
    let ciphertexts = ciphertexts
        .iter()
        .map(public_ciphertext)
        .collect::<Result<Vec<Ciphertext>>>()?;
    let items: Vec<DecryptItem<'_>> = ciphertexts
        .iter()
        .map(|ciphertext| DecryptItem::new(&kept, ciphertext))
        .collect();
    let decrypted = checks.check("SM9: decrypt_batch", || {
        decrypt_batch(&items, Threads::Pool)
    });
    for (plain, message) in decrypted.into_iter().zip(&messages) {
        ensure!(same(&plain?, message)?, "it decrypts to what was encrypted");
    }
    Ok(())
}

fn exchanges(checks: &mut Checks) -> Result<()> {
    let master = MasterEncryptionKey::from_bytes(&secret(39))?;
    let sender = MasterEncryptionPublicKey::from_bytes(&public(master.public_key().to_bytes())?)?;
    // The master public key that goes with them is public.
    let (a, b) = (
        master.extract_exchange("alice")?.under(&sender),
        master.extract_exchange("bob")?.under(&sender),
    );
    let (initiator, r_a) = checks.check("SM9: starting an exchange", || {
        Initiator::start_with_rng(&mut Secrets(40), Party::new(&a), Peer::new("bob")?)
    })?;
    let r_a = public_point(&r_a)?;
    let response: Response = checks.check("SM9: responding in an exchange", || {
        Responder::new(Party::new(&b), Peer::new("alice")?).respond_with_rng(
            &mut Secrets(41),
            &r_a,
            32,
        )
    })?;
    let r_b = public_point(response.point())?;
    let s_b = public(response.confirmation())?;
    let initiator = checks.check("SM9: the initiator kept as bytes, and read", || {
        Initiator::from_bytes(&initiator.to_bytes(), &a)
    })?;
    let response = checks.check("SM9: the responder kept as bytes, and read", || {
        Response::from_bytes(&response.to_bytes())
    })?;
    let (key, s_a) = checks.check("SM9: finishing an exchange", || {
        initiator.finish(&r_b, &s_b, 32)
    })?;
    let s_a = public(s_a)?;
    let other = checks.check("SM9: confirming an exchange", || response.confirm(&s_a))?;
    ensure!(same(&key, &other)?, "both sides have the key");
    Ok(())
}
