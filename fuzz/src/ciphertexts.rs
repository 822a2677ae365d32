//! Decryption of SM2: every backend, alone, in a batch, and OpenSSL.

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::Threads;
use kuaimi::encoding::EncodePrivateKey;
use kuaimi::sm2::batch::{DecryptItem, decrypt_batch};
use kuaimi::sm2::{Ciphertext, PrivateKey};
use kuaimi_testing::Repeatable;
use openssl::pkey::PKey;
use openssl::pkey_ctx::PkeyCtx;

use crate::backends::agree;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    secret: u8,
    nonce: u64,
    message: &'a [u8],
    edits: Vec<(u16, u8)>,
}

pub fn check(data: &[u8]) {
    let Ok(input) = Input::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    if input.message.is_empty() {
        return;
    }
    let secret = PrivateKey::from_bytes(&[input.secret.clamp(1, 254); 32]).expect("in range");
    let right = agree(|| {
        let mut rng = Repeatable(input.nonce);
        secret
            .public_key()
            .encrypt_with_rng(&mut rng, input.message)
    })
    .expect("numbers");
    let mut der = right.to_der();
    let length = der.len();
    for &(place, change) in &input.edits {
        der[usize::from(place) % length] ^= change;
    }
    let Ok(ciphertext) = Ciphertext::from_der(&der) else {
        return;
    };
    let plaintext = agree(|| {
        let alone = secret.decrypt(&ciphertext).ok().map(|it| it.to_vec());
        let items: Vec<DecryptItem<'_>> = (0..9)
            .map(|i| DecryptItem::new(&secret, if i == 4 { &ciphertext } else { &right }))
            .collect();
        for (i, result) in decrypt_batch(&items, Threads::One).into_iter().enumerate() {
            match i {
                4 => assert_eq!(result.ok().map(|it| it.to_vec()), alone),
                _ => assert_eq!(*result.expect("it is right"), input.message),
            }
        }
        alone
    });
    assert_eq!(
        plaintext,
        by_openssl(&secret, &der),
        "OpenSSL says otherwise"
    );
    if ciphertext != right {
        assert_eq!(plaintext, None, "an altered ciphertext is accepted");
    }
}

fn by_openssl(secret: &PrivateKey, der: &[u8]) -> Option<Vec<u8>> {
    let key = secret.to_pkcs8_der().expect("written");
    let key = PKey::private_key_from_der(key.as_bytes()).expect("OpenSSL reads our keys");
    let mut context = PkeyCtx::new(&key).expect("memory");
    context.decrypt_init().expect("OpenSSL has SM2");
    let mut plaintext = Vec::new();
    context.decrypt_to_vec(der, &mut plaintext).ok()?;
    Some(plaintext)
}
