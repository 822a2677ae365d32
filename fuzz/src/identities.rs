//! SM9: signatures and ciphertexts with every backend, alone, in batches and with tables.

use std::sync::OnceLock;

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm9::batch::{DecryptItem, VerifyItem, decrypt_batch, verify_batch};
use kuaimi::sm9::{Ciphertext, MasterEncryptionKey, MasterSigningKey, Signature};
use kuaimi_testing::Repeatable;

use crate::backends::agree;

pub fn signing_master() -> &'static MasterSigningKey {
    static KEY: OnceLock<MasterSigningKey> = OnceLock::new();
    KEY.get_or_init(|| MasterSigningKey::from_bytes(&[7; 32]).expect("in range"))
}

pub fn encryption_master() -> &'static MasterEncryptionKey {
    static KEY: OnceLock<MasterEncryptionKey> = OnceLock::new();
    KEY.get_or_init(|| MasterEncryptionKey::from_bytes(&[8; 32]).expect("in range"))
}

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    decrypts: bool,
    nonce: u64,
    identity: &'a [u8],
    edits: Vec<(u16, u8)>,
    message: &'a [u8],
}

impl Input<'_> {
    fn edited(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let length = bytes.len().max(1);
        for &(place, change) in &self.edits {
            bytes[usize::from(place) % length] ^= change;
        }
        bytes
    }
}

pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    if input.identity.is_empty() || input.message.is_empty() {
        return;
    }
    if input.decrypts {
        decrypts(&input);
    } else {
        verifies(&input);
    }
}

fn verifies(input: &Input<'_>) {
    let message = input.message;
    let right = agree(|| {
        let key = signing_master()
            .extract(input.identity)
            .expect("an identity");
        let mut rng = Repeatable(input.nonce);
        key.sign_with_rng(&mut rng, message)
            .expect("numbers")
            .to_bytes()
    });
    let bytes = input.edited(right.to_vec());
    let right = Signature::from_bytes(&right).expect("it is right");
    let altered = Signature::from_slice(&bytes);
    let valid = agree(|| {
        let key = signing_master()
            .extract(input.identity)
            .expect("an identity");
        let key = &key.verifying_key().with_precompute(Precompute::Never);
        let alone = altered.and_then(|it| key.verify(message, &it)).is_ok();
        let prepared = key.with_precompute(Precompute::AtOnce);
        assert_eq!(
            altered.and_then(|it| prepared.verify(message, &it)).is_ok(),
            alone
        );
        let items: Vec<VerifyItem<'_>> = (0..9)
            .map(|i| VerifyItem::new(key, message, if i == 4 { altered } else { Ok(right) }))
            .collect();
        for (i, result) in verify_batch(&items, Threads::One).into_iter().enumerate() {
            assert_eq!(result.is_ok(), i != 4 || alone, "item {i}");
        }
        alone
    });
    assert_eq!(valid, altered == Ok(right), "an altered signature");
}

fn decrypts(input: &Input<'_>) {
    let message = input.message;
    let mode = kuaimi::sm9::Mode::ALL[(input.nonce % 5) as usize];
    let options = kuaimi::sm9::EncryptOptions::new().with_mode(mode);
    let right = agree(|| {
        let key = encryption_master()
            .extract(input.identity)
            .expect("an identity");
        let mut rng = Repeatable(input.nonce);
        let made = key
            .encryption_key()
            .encrypt_with_rng(&mut rng, message, options);
        made.expect("numbers").to_bytes()
    });
    let altered = Ciphertext::from_bytes(mode, &input.edited(right.clone()));
    let right = Ciphertext::from_bytes(mode, &right).expect("it is right");
    let Ok(altered) = altered else { return };
    let plaintext = agree(|| {
        let key = encryption_master()
            .extract(input.identity)
            .expect("an identity")
            .with_precompute(Precompute::Never);
        let alone = key.decrypt(&altered).ok().map(|it| it.to_vec());
        let prepared = key.with_precompute(Precompute::AtOnce);
        let prepared = prepared.decrypt(&altered).ok().map(|it| it.to_vec());
        assert_eq!(prepared, alone);
        let items: Vec<DecryptItem<'_>> = (0..9)
            .map(|i| DecryptItem::new(&key, if i == 4 { &altered } else { &right }))
            .collect();
        for (i, result) in decrypt_batch(&items, Threads::One).into_iter().enumerate() {
            let result = result.ok().map(|it| it.to_vec());
            assert_eq!(
                result.as_deref(),
                if i == 4 {
                    alone.as_deref()
                } else {
                    Some(message)
                }
            );
        }
        alone
    });
    let expected = (altered == right).then_some(message);
    assert_eq!(plaintext.as_deref(), expected, "an altered ciphertext");
}
