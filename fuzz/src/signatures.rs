//! Verification of SM2: every backend, alone, with a table, in a batch, and OpenSSL.

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{Content, VerifyItem, verify_batch};
use kuaimi::sm2::explain::{explain, explain_digest};
use kuaimi::sm2::{PrivateKey, PublicKey, RecoveryId, Signature, SigningKey};
use openssl::pkey::PKey;
use openssl::pkey_ctx::PkeyCtx;

use crate::backends::agree;
use crate::der::value;

#[derive(Arbitrary, Debug)]
struct Input {
    secret: u8,
    digest: [u8; 32],
    /// Bytes of `r ‖ s` that are changed.
    edits: Vec<(u8, u8)>,
    /// Instead of a signature.
    raw: Option<[u8; 64]>,
    /// How many of the items beside it in the batch are right.
    others: u8,
}

pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    let secret = PrivateKey::from_bytes(&[input.secret.clamp(1, 254); 32]).expect("in range");
    let public = *secret.public_key();
    let signer = SigningKey::new(secret);
    let e = &input.digest;
    let right = agree(|| signer.sign_digest_deterministic(e));
    let mut bytes = input.raw.unwrap_or(right.to_bytes());
    for &(place, change) in &input.edits {
        bytes[usize::from(place) % 64] ^= change;
    }
    let signature = Signature::from_bytes(&bytes);
    let expected = by_openssl(&public, e, &bytes);
    let valid = agree(|| {
        let key = &signer.verifying_key().with_precompute(Precompute::Never);
        let alone = signature.and_then(|it| key.verify_digest(e, &it)).is_ok();
        let prepared = key.with_precompute(Precompute::AtOnce);
        let with_table = signature
            .and_then(|it| prepared.verify_digest(e, &it))
            .is_ok();
        assert_eq!(alone, with_table);
        let wrong = [0x55; 32];
        let items: Vec<VerifyItem<'_>> = (0..9u8)
            .map(|i| match i {
                4 => VerifyItem::new(key, Content::Digest(e), signature),
                _ if i < input.others => VerifyItem::new(key, Content::Digest(e), right),
                _ => VerifyItem::new(key, Content::Digest(&wrong), right),
            })
            .collect();
        for (i, result) in verify_batch(&items, Threads::One).into_iter().enumerate() {
            let expected = match i {
                4 => alone,
                _ => i < input.others.into() || e == &wrong,
            };
            assert_eq!(result.is_ok(), expected, "item {i}");
        }
        alone
    });
    assert_eq!(valid, expected, "OpenSSL says otherwise");
    if valid {
        assert!(
            !input.edits.iter().any(|edit| edit.1 != 0)
                || bytes == right.to_bytes()
                || input.raw.is_some()
        );
    }
    // A recovered key verifies, and what fits needs no explanation.
    if let Ok(signature) = signature {
        assert!(!valid || explain_digest(&[public], e, &signature).is_none());
        let _ = explain(&[public], e, data, &signature);
        for id in 0..4 {
            let Ok(id) = RecoveryId::try_from(id) else {
                continue;
            };
            let recovered = agree(|| PublicKey::recover(e, &signature, id));
            if let Ok(recovered) = recovered {
                let key = kuaimi::sm2::VerifyingKey::new(recovered);
                assert!(key.verify_digest(e, &signature).is_ok());
            }
        }
    }
}

/// The verdict of OpenSSL's library on `r ‖ s` over a digest.
fn by_openssl(public: &PublicKey, e: &[u8; 32], signature: &[u8; 64]) -> bool {
    use kuaimi::encoding::EncodePublicKey;
    let integer = |bytes: &[u8]| {
        let start = bytes.iter().take(31).take_while(|byte| **byte == 0).count();
        let mut content = Vec::new();
        if bytes[start] >= 0x80 {
            content.push(0);
        }
        content.extend_from_slice(&bytes[start..]);
        value(2, &content)
    };
    let der = value(
        0x30,
        &[integer(&signature[..32]), integer(&signature[32..])].concat(),
    );
    let key = public.to_public_key_der().expect("written");
    let key = PKey::public_key_from_der(key.as_bytes()).expect("OpenSSL reads our keys");
    let mut context = PkeyCtx::new(&key).expect("memory");
    context.verify_init().expect("OpenSSL has SM2");
    context.verify(e, &der).unwrap_or(false)
}
