//! SM4 and its modes: key and data secret, initialisation vectors and nonces public.

use anyhow::{Result, ensure};
use kuaimi::Threads;
use kuaimi::sm4::batch::{
    OpenItem, OpenMessage, SealItem, SealMessage, open_batch, open_batch_with, seal_batch,
    seal_batch_with,
};
use kuaimi::sm4::{
    Error, Sm4, Sm4Cbc, Sm4Ccm, Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4GcmStream, Sm4Ofb, Sm4Xts, XtsStandard,
};
use kuaimi_platform::memcheck::classify;

use super::{Checks, messages, publish, same, secret};

const IV: [u8; 16] = [0xfe; 16];

/// The first half of a secret, as a key.
fn key(seed: u8) -> [u8; 16] {
    let mut key = [0; 16];
    key.copy_from_slice(&secret(seed)[..16]);
    key
}

/// Secrets of whole blocks: fewer than any code has at a time, and more.
fn blocks() -> impl Iterator<Item = Vec<u8>> {
    messages().map(|message| message.repeat(16)).chain([vec![]])
}

/// Records of TLS after CBC, with paddings that are right and wrong: contents, MAC, padding and its
/// length are secret.
fn tls_records() -> Result<()> {
    for contents in [0, 1, 40, 300] {
        for padding in [1, 16, 255, 256] {
            for wrong in [0, 1] {
                let mut record = secret(34).repeat(1 + contents / 32);
                record.resize(contents + 32, 0x5a);
                record.extend(vec![(padding - 1) as u8; padding]);
                // Of the shortest padding, that byte is the MAC's last.
                let before = record.len() - 2;
                record[before] ^= wrong;
                classify(&mut record);
                let mut mac = [0; 32];
                let opened = kuaimi_provider::open_tls_record(&record, &mut mac);
                let mut length = opened.unwrap_or(usize::MAX).to_ne_bytes();
                publish(&mut length)?;
                let found = same(&mac, &record[contents..contents + 32])?;
                let taken = found && usize::from_ne_bytes(length) == contents;
                ensure!(
                    taken == (wrong == 0 || padding == 1),
                    "{contents} bytes, padding {padding}, wrong {wrong}"
                );
            }
        }
    }
    Ok(())
}

pub(super) fn ciphers(checks: &mut Checks) -> Result<()> {
    checks.check("SM4, blocks", || -> Result<()> {
        let cipher = Sm4::new(&key(30));
        for message in blocks() {
            let mut data = message.clone();
            cipher.encrypt_ecb(&mut data)?;
            cipher.decrypt_ecb(&mut data)?;
            back(&data, &message)?;
        }
        let mut block = key(31);
        cipher.encrypt(&mut block);
        cipher.decrypt(&mut block);
        back(&block, &key(31))
    })?;
    checks.check("SM4-CBC", || -> Result<()> {
        let cipher = Sm4Cbc::new(&key(32));
        for message in messages() {
            let ciphertext = cipher.encrypt_padded(&IV, &message);
            back(&cipher.decrypt_padded(&IV, &ciphertext)?, &message)?;
        }
        for message in blocks().filter(|message| !message.is_empty()) {
            let mut data = message.clone();
            cipher.encrypt(&IV, &mut data)?;
            cipher.decrypt(&IV, &mut data)?;
            back(&data, &message)?;
        }
        Ok(())
    })?;
    checks.check("SM4-CBC with a wrong padding", || {
        let cipher = Sm4Cbc::new(&key(32));
        let mut ciphertext = cipher.encrypt_padded(&IV, &secret(33)[..15]);
        // The padding, which was 1, becomes 0.
        let mut iv = IV;
        iv[15] ^= 1;
        publish(&mut ciphertext)?;
        ensure!(
            cipher.decrypt_padded(&iv, &ciphertext).is_err(),
            "a wrong padding is refused"
        );
        Ok(())
    })?;
    checks.check("TLS records: padding and MAC", tls_records)?;
    checks.check("SM4-CTR", || -> Result<()> {
        for message in messages().chain(blocks()) {
            let mut data = message.clone();
            Sm4Ctr::new(&key(34), &IV).apply(&mut data);
            let mut stream = Sm4Ctr::new(&key(34), &IV);
            for piece in data.chunks_mut(301) {
                stream.apply(piece);
            }
            back(&data, &message)?;
        }
        Ok(())
    })?;
    checks.check("SM4-CFB", || -> Result<()> {
        for message in messages().chain(blocks()) {
            let mut data = message.clone();
            Sm4Cfb::new(&key(37), &IV).encrypt(&mut data);
            let mut state = Sm4Cfb::new(&key(37), &IV);
            for piece in data.chunks_mut(301) {
                state.decrypt(piece);
            }
            back(&data, &message)?;
            let mut state = Sm4Cfb::new(&key(37), &IV);
            for piece in data.chunks_mut(301) {
                state.encrypt(piece);
            }
            Sm4Cfb::new(&key(37), &IV).decrypt(&mut data);
            back(&data, &message)?;
        }
        Ok(())
    })?;
    checks.check("SM4-OFB", || -> Result<()> {
        for message in messages().chain(blocks()) {
            let mut data = message.clone();
            Sm4Ofb::new(&key(38), &IV).apply(&mut data);
            let mut stream = Sm4Ofb::new(&key(38), &IV);
            for piece in data.chunks_mut(301) {
                stream.apply(piece);
            }
            back(&data, &message)?;
        }
        Ok(())
    })?;
    checks.check("SM4-GCM in pieces", || -> Result<()> {
        let cipher = Sm4Gcm::new(&key(35));
        for message in messages().chain(blocks()) {
            let mut data = message.clone();
            let mut stream = Sm4GcmStream::new(&cipher, &IV[..12])?;
            stream.associated_data(&message[..message.len().min(40)])?;
            for piece in data.chunks_mut(301) {
                stream.encrypt(piece)?;
            }
            let tag = stream.tag();
            let mut stream = Sm4GcmStream::new(&cipher, &IV[..12])?;
            stream.associated_data(&message[..message.len().min(40)])?;
            for piece in data.chunks_mut(299) {
                stream.decrypt_unverified(piece)?;
            }
            stream.verify(&tag)?;
            back(&data, &message)?;
        }
        Ok(())
    })?;
    let gcm = Sm4Gcm::new(&key(35));
    authenticated(
        checks,
        ["SM4-GCM", "SM4-GCM that fails"],
        |beside, message| gcm.seal(&IV[..12], beside, message),
        |beside, sealed| gcm.open(&IV[..12], beside, sealed),
    )?;
    gcm_batches(checks)?;
    gcm_batches_with(checks, &gcm)?;
    let ccm = Sm4Ccm::new(&key(39));
    authenticated(
        checks,
        ["SM4-CCM", "SM4-CCM that fails"],
        |beside, message| ccm.seal(&IV[..12], beside, message),
        |beside, sealed| ccm.open(&IV[..12], beside, sealed),
    )?;
    for (name, standard) in [
        ("SM4-XTS, GB/T 17964", XtsStandard::Gb),
        ("SM4-XTS, IEEE 1619", XtsStandard::Ieee),
    ] {
        checks.check(name, || -> Result<()> {
            let cipher = Sm4Xts::new(&secret(36), standard)?;
            // A message shorter than a block has no ciphertext in this mode.
            for message in messages().chain(blocks()).filter(|m| m.len() >= 16) {
                let mut data = message.clone();
                cipher.encrypt(&IV, &mut data)?;
                cipher.decrypt(&IV, &mut data)?;
                back(&data, &message)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// An authenticated mode, for messages there and back, and for an altered tag.
fn authenticated(
    checks: &mut Checks,
    [name, failing]: [&str; 2],
    seal: impl Fn(&[u8], &[u8]) -> Result<Vec<u8>, Error>,
    open: impl Fn(&[u8], &[u8]) -> Result<Vec<u8>, Error>,
) -> Result<()> {
    let sealed = checks.check(name, || -> Result<_> {
        let mut last = Vec::new();
        for message in messages().chain(blocks()) {
            let beside = &message[..message.len().min(40)];
            let mut sealed = seal(beside, &message)?;
            back(&open(beside, &sealed)?, &message)?;
            publish(&mut sealed)?;
            last = sealed;
        }
        Ok(last)
    })?;
    checks.check(failing, || {
        let mut other = sealed.clone();
        if let Some(byte) = other.last_mut() {
            *byte ^= 1;
        }
        ensure!(open(&[], &other).is_err(), "an altered tag is refused");
        Ok(())
    })
}

/// Messages of several lengths, more than one pass takes, under one key.
fn gcm_batches_with(checks: &mut Checks, gcm: &Sm4Gcm) -> Result<()> {
    let messages: Vec<Vec<u8>> = std::iter::repeat_with(|| messages().chain(blocks()))
        .flatten()
        .take(80)
        .collect();
    let items: Vec<SealMessage<'_>> = messages
        .iter()
        .map(|message| SealMessage::new(&IV[..12], &message[..message.len() / 2], message))
        .collect();
    let mut public = checks.check("SM4-GCM in a batch under one key", || {
        seal_batch_with(gcm, &items, Threads::One)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
    })?;
    public.iter_mut().try_for_each(|sealed| publish(sealed))?;
    let open = |sealed: &[Vec<u8>]| {
        let items: Vec<OpenMessage<'_>> = messages
            .iter()
            .zip(sealed)
            .map(|(message, sealed)| {
                OpenMessage::new(&IV[..12], &message[..message.len() / 2], sealed)
            })
            .collect();
        open_batch_with(gcm, &items, Threads::One)
    };
    let opened = checks.check("SM4-GCM in a batch under one key, opened", || open(&public));
    for (opened, message) in opened.into_iter().zip(&messages) {
        back(&opened?, message)?;
    }
    for sealed in public.iter_mut().step_by(2) {
        if let Some(byte) = sealed.last_mut() {
            *byte ^= 1;
        }
    }
    checks.check("SM4-GCM in a batch under one key that fails", || {
        let right = open(&public).iter().filter(|one| one.is_ok()).count();
        ensure!(right == messages.len() / 2);
        Ok(())
    })
}

/// Messages of several lengths, more than one group of lanes takes, each under a key of its own.
fn gcm_batches(checks: &mut Checks) -> Result<()> {
    let messages: Vec<([u8; 16], Vec<u8>)> = (0..40)
        .zip(std::iter::repeat_with(|| messages().chain(blocks())).flatten())
        .map(|(i, message)| (key(100 + i), message))
        .collect();
    let items: Vec<SealItem<'_>> = messages
        .iter()
        .map(|(key, message)| SealItem::new(key, &IV[..12], &message[..message.len() / 2], message))
        .collect();
    let sealed = checks.check("SM4-GCM in a batch", || {
        seal_batch(&items, Threads::One)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
    })?;
    let mut public = sealed;
    public.iter_mut().try_for_each(|sealed| publish(sealed))?;
    // What was authenticated is public, too.
    let besides: Vec<Vec<u8>> = messages
        .iter()
        .map(|(_, message)| message[..message.len() / 2].to_vec())
        .collect();
    let open = |sealed: &[Vec<u8>]| {
        let items: Vec<OpenItem<'_>> = messages
            .iter()
            .zip(&besides)
            .zip(sealed)
            .map(|(((key, _), beside), sealed)| OpenItem::new(key, &IV[..12], beside, sealed))
            .collect();
        open_batch(&items, Threads::One)
    };
    let opened = checks.check("SM4-GCM in a batch, opened", || open(&public));
    for (opened, (_, message)) in opened.into_iter().zip(&messages) {
        back(&opened?, message)?;
    }
    let mut altered = public.clone();
    for sealed in altered.iter_mut().step_by(2) {
        if let Some(byte) = sealed.last_mut() {
            *byte ^= 1;
        }
    }
    checks.check("SM4-GCM in a batch that fails", || {
        let right = open(&altered).iter().filter(|one| one.is_ok()).count();
        ensure!(right == messages.len() / 2, "an altered tag is refused");
        Ok(())
    })
}

/// What was encrypted must come back.
fn back(decrypted: &[u8], message: &[u8]) -> Result<()> {
    if message.is_empty() {
        return Ok(());
    }
    ensure!(
        same(decrypted, message)?,
        "it decrypts to what was encrypted"
    );
    Ok(())
}
