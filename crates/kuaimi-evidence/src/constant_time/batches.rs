//! Batches and prepared keys.

use anyhow::{Result, ensure};
use kuaimi::Threads;
use kuaimi::sm2::batch::{
    DecryptItem, EncryptItem, FinishItem, Recipient, RespondItem, SignItem, decrypt_batch,
    diffie_hellman_batch, encrypt_batch_with_rng, finish_batch, generate_batch_with_rng,
    respond_batch_with_rng, sign_batch_with_rng, start_batch_with_rng,
};
use kuaimi::sm2::exchange::{Opening, Party, Peer};
use kuaimi::sm2::{EncryptionKey, PrivateKey, PublicKey, SigningKey, VerifyingKey};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{KeyTable, Point, implementations};
use kuaimi_platform::memcheck::declassify;

use super::{
    Checks, Secrets, messages, public, public_ciphertext, public_point, public_signature, publish,
    same, secret,
};

/// Many operations at a time: enough to fill the lanes, and a few that do not.
const MANY: usize = 11;

pub(super) fn batches(checks: &mut Checks) -> Result<()> {
    let keys = checks.check("generate_batch", || {
        generate_batch_with_rng(&mut Secrets(20), MANY, Threads::Pool)
    });
    let keys = keys.into_iter().collect::<Result<Vec<_>, _>>()?;
    let publics = keys
        .iter()
        .map(|key| public_point(key.public_key()))
        .collect::<Result<Vec<PublicKey>>>()?;
    let messages: Vec<Vec<u8>> = messages().take(MANY).collect();

    let signers: Vec<SigningKey> = keys.iter().cloned().map(SigningKey::new).collect();
    let to_sign: Vec<SignItem<'_>> = signers
        .iter()
        .zip(&messages)
        .map(|(key, message)| SignItem::new(key, message))
        .collect();
    let signatures = checks.check("sign_batch", || {
        sign_batch_with_rng(&mut Secrets(21), &to_sign, Threads::Pool)
    });
    let signatures = signatures.into_iter().collect::<Result<Vec<_>, _>>()?;
    for ((key, message), signature) in publics.iter().zip(&messages).zip(&signatures) {
        let mut message = message.clone();
        declassify(&mut message);
        let verifier = VerifyingKey::new(*key);
        verifier.verify(&message, &public_signature(signature)?)?;
    }

    let prepared: Vec<EncryptionKey> = publics.iter().map(EncryptionKey::from).collect();
    prepared.iter().for_each(EncryptionKey::prepare);
    let mut made = checks.check("encryption for a prepared recipient", || {
        let encrypted = prepared.iter().zip(&messages).zip(0..);
        encrypted
            .map(|((key, message), seed)| key.encrypt_with_rng(&mut Secrets(seed), message))
            .collect::<Result<Vec<_>, _>>()
    })?;
    for (name, recipients) in [
        (
            "encrypt_batch",
            publics.iter().map(Recipient::from).collect::<Vec<_>>(),
        ),
        (
            "encrypt_batch, prepared",
            prepared.iter().map(Recipient::from).collect(),
        ),
    ] {
        let items: Vec<EncryptItem<'_>> = recipients
            .into_iter()
            .zip(&messages)
            .map(|(key, message)| EncryptItem::new(key, message))
            .collect();
        let ciphertexts = checks.check(name, || {
            encrypt_batch_with_rng(&mut Secrets(22), &items, Threads::Pool)
                .into_iter()
                .collect::<Result<Vec<_>, _>>()
        })?;
        made.extend(ciphertexts);
    }

    let ciphertexts = made
        .iter()
        .map(public_ciphertext)
        .collect::<Result<Vec<_>>>()?;
    let to_decrypt: Vec<DecryptItem<'_>> = keys
        .iter()
        .cycle()
        .zip(&ciphertexts)
        .map(|(key, ciphertext)| DecryptItem::new(key, ciphertext))
        .collect();
    let decrypted = checks.check("decrypt_batch", || {
        decrypt_batch(&to_decrypt, Threads::Pool)
    });
    for (plaintext, message) in decrypted.iter().zip(messages.iter().cycle()) {
        let plaintext = plaintext.as_ref().map_err(|error| *error)?;
        ensure!(
            same(plaintext, message)?,
            "it decrypts to what was encrypted"
        );
    }
    let pairs: Vec<_> = keys.iter().zip(publics.iter().cycle().skip(1)).collect();
    checks.check("diffie_hellman_batch", || {
        diffie_hellman_batch(&pairs, Threads::Pool)
    });
    exchanges(checks, &keys, &publics)?;
    // Each with the next one's key.
    let to_fail: Vec<DecryptItem<'_>> = keys
        .iter()
        .cycle()
        .skip(1)
        .zip(&ciphertexts)
        .map(|(key, ciphertext)| DecryptItem::new(key, ciphertext))
        .collect();
    checks.check("decrypt_batch that fails", || {
        let failed = decrypt_batch(&to_fail, Threads::Pool)
            .iter()
            .all(Result::is_err);
        ensure!(failed, "nothing decrypts with another's key");
        Ok(())
    })
}

/// Exchanges of each party with the first one.
fn exchanges(checks: &mut Checks, keys: &[PrivateKey], publics: &[PublicKey]) -> Result<()> {
    let parties = keys
        .iter()
        .map(|key| Party::new(key, b"alice"))
        .collect::<Result<Vec<_>, _>>()?;
    let peers = publics
        .iter()
        .map(|public| Peer::new(public, b"alice"))
        .collect::<Result<Vec<_>, _>>()?;
    let starting: Vec<&Party> = parties.iter().collect();
    let started = checks.check("key exchange: start_batch", || {
        start_batch_with_rng(&mut Secrets(24), &starting, Threads::Pool)
    });
    let (openings, points): (Vec<Opening>, Vec<PublicKey>) = started
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .unzip();
    let points = points
        .iter()
        .map(public_point)
        .collect::<Result<Vec<PublicKey>>>()?;
    let items: Vec<RespondItem<'_>> = peers
        .iter()
        .zip(&points)
        .map(|(peer, r_a)| RespondItem::new(&parties[0], peer, r_a))
        .collect();
    let responses = checks.check("key exchange: respond_batch", || {
        respond_batch_with_rng(&mut Secrets(25), &items, 48, Threads::Pool)
    });
    let responses = responses.into_iter().collect::<Result<Vec<_>, _>>()?;
    let answers = responses
        .iter()
        .map(|response| {
            let point = public_point(response.point())?;
            Ok((point, public(response.confirmation())?))
        })
        .collect::<Result<Vec<_>>>()?;
    let items = openings.into_iter().zip(&answers);
    let items = items.map(|(opening, (r_b, s_b))| {
        FinishItem::new(opening.with_peer(peers[0].clone()), r_b, s_b)
    });
    let items = items.collect();
    let finished = checks.check("key exchange: finish_batch", || {
        finish_batch(items, 48, Threads::Pool)
    });
    for (finished, response) in finished.into_iter().zip(responses) {
        let key = response.key_unconfirmed();
        ensure!(same(&finished?.key, &key)?, "both sides have the same key");
    }
    Ok(())
}

/// The products of points that batches are made of, with every implementation that this CPU can
/// run: also those that batches do not use here, as lanes are not faster at everything.
pub(super) fn products(checks: &mut Checks) -> Result<()> {
    // Secret numbers below 2²⁵⁵, so below n.
    let k: Vec<U256> = (0..MANY as u8)
        .map(|seed| {
            let U256([k0, k1, k2, k3]) = U256::from_be_bytes(&secret(60 + seed));
            U256([k0 | 1, k1, k2, k3 >> 1])
        })
        .collect();
    let mut expected: Option<Vec<Point>> = None;
    for implementation in implementations() {
        let name = |what: &str| {
            format!(
                "{what}, {} on {}",
                implementation.name[0], implementation.name[1]
            )
        };
        let multiples = checks.check(&name("generator_mul_many"), || {
            let mut out = vec![Point::default(); MANY];
            (implementation.generator_mul_many)(&k, &mut out);
            out
        });
        let points = multiples
            .iter()
            .map(public_entry)
            .collect::<Result<Vec<_>>>()?;
        let products = checks.check(&name("point_mul_many"), || {
            let mut out = vec![Point::default(); MANY];
            (implementation.point_mul_many)(&k, &points, &mut out);
            out
        });
        let tables: Vec<KeyTable> = points.iter().map(KeyTable::build_vartime).collect();
        let tables: Vec<&KeyTable> = tables.iter().collect();
        let prepared = checks.check(&name("prepared_mul_many"), || {
            let mut out = vec![Point::default(); MANY];
            (implementation.prepared_mul_many)(&k, &tables, &mut out);
            out
        });
        let all = points
            .into_iter()
            .map(Ok)
            .chain(products.iter().map(public_entry))
            .chain(prepared.iter().map(public_entry))
            .collect::<Result<Vec<Point>>>()?;
        let expected = expected.get_or_insert_with(|| all.clone());
        ensure!(
            *expected == all,
            "all implementations give the same products"
        );
    }
    Ok(())
}

fn public_entry(point: &Point) -> Result<Point> {
    let mut bytes: Vec<u8> = point
        .as_flattened()
        .iter()
        .flat_map(|word| word.to_ne_bytes())
        .collect();
    publish(&mut bytes)?;
    let mut public = Point::default();
    let words = bytes.as_chunks().0;
    for (word, bytes) in public.as_flattened_mut().iter_mut().zip(words) {
        *word = u64::from_ne_bytes(*bytes);
    }
    Ok(public)
}
