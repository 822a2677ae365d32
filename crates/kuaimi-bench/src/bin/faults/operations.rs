//! The operations, with keys and inputs that are always the same, and what their results mean.

use kuaimi::sm2::{CheckedSigningKey, Ciphertext, PrivateKey, Signature, SigningKey};
use kuaimi::sm4::Sm4Gcm;
use kuaimi::sm9;
use kuaimi_testing::Repeatable;

use crate::leak;

/// What a wrong result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A signature that is valid, with another nonce.
    OtherNonce,
    /// A signature or a plaintext that is wrong; nothing follows from it as far as is tested.
    Useless,
    /// A wrong signature with the nonce of the right one. Where nonces are deterministic the two
    /// give the key.
    SameNonce,
    /// A wrong signature that tells a bit of the nonce plus a public number.
    NonceBit,
    /// A wrong signature from which the key follows.
    Key,
}

type Run = Box<dyn Fn() -> Option<Vec<u8>> + Sync>;
type Judge = Box<dyn Fn(&[u8]) -> Wrong + Sync>;

pub struct Operation {
    pub name: &'static str,
    /// The result; none where the operation itself refuses.
    pub run: Run,
    /// What a result is that is not the right one.
    pub judge: Judge,
}

const MESSAGE: &[u8] =
    b"a message of some length, longer than a block of SM3, so that the hash has more to do";

fn operation(
    name: &'static str,
    run: impl Fn() -> Option<Vec<u8>> + Sync + 'static,
    judge: impl Fn(&[u8]) -> Wrong + Sync + 'static,
) -> Operation {
    Operation {
        name,
        run: Box::new(run),
        judge: Box::new(judge),
    }
}

fn signing_key() -> SigningKey {
    let mut random = Repeatable(77);
    SigningKey::new(PrivateKey::generate_with_rng(&mut random).expect("numbers"))
}

/// Signing with SM2: by a key, and by one that verifies.
fn sm2_sign(
    names: [&'static str; 2],
    sign: fn(&SigningKey) -> Signature,
    checked: fn(&CheckedSigningKey) -> Option<Signature>,
) -> [Operation; 2] {
    let key = signing_key();
    let verifying = key.clone().verify_after_sign();
    let right = sign(&key);
    let judge = {
        let verdicts = std::sync::Arc::new(leak::Verdicts::new(&key, MESSAGE, &right));
        move || {
            let verdicts = verdicts.clone();
            move |bytes: &[u8]| verdicts.judge(bytes)
        }
    };
    [
        operation(
            names[0],
            move || Some(sign(&key).to_bytes().to_vec()),
            judge(),
        ),
        operation(
            names[1],
            move || checked(&verifying).map(|it| it.to_bytes().to_vec()),
            judge(),
        ),
    ]
}

fn useless(_: &[u8]) -> Wrong {
    Wrong::Useless
}

pub fn all() -> Vec<Operation> {
    let mut all = Vec::new();
    all.extend(sm2_sign(
        ["sm2-sign", "sm2-sign-checked"],
        |key| {
            key.sign_with_rng(&mut Repeatable(5), MESSAGE)
                .expect("numbers")
        },
        |key| key.sign_with_rng(&mut Repeatable(5), MESSAGE).ok(),
    ));
    all.extend(sm2_sign(
        ["sm2-sign-deterministic", "sm2-sign-deterministic-checked"],
        |key| key.sign_deterministic(MESSAGE),
        |key| key.sign_deterministic(MESSAGE).ok(),
    ));
    let secret = signing_key().private_key().clone();
    let ciphertext: Ciphertext = secret
        .public_key()
        .encrypt_with_rng(&mut Repeatable(6), MESSAGE)
        .expect("numbers");
    all.push(operation(
        "sm2-decrypt",
        move || secret.decrypt(&ciphertext).ok().map(|it| it.to_vec()),
        useless,
    ));
    let alice = sm9::MasterSigningKey::from_bytes(&[7; 32])
        .and_then(|master| master.extract("alice"))
        .expect("in range");
    let verifying = alice.verifying_key().clone();
    let judge = move |bytes: &[u8]| match sm9::Signature::from_slice(bytes) {
        Ok(signature) if verifying.verify(MESSAGE, &signature).is_ok() => Wrong::OtherNonce,
        _ => Wrong::Useless,
    };
    let checked = alice.clone().verify_after_sign();
    all.push(operation(
        "sm9-sign",
        move || {
            let signature = alice.sign_with_rng(&mut Repeatable(5), MESSAGE);
            signature.ok().map(|it| it.to_bytes().to_vec())
        },
        judge.clone(),
    ));
    all.push(operation(
        "sm9-sign-checked",
        move || {
            let signature = checked.sign_with_rng(&mut Repeatable(5), MESSAGE);
            signature.ok().map(|it| it.to_bytes().to_vec())
        },
        judge,
    ));
    let bob = sm9::MasterEncryptionKey::from_bytes(&[8; 32])
        .and_then(|master| master.extract("bob"))
        .expect("in range");
    let (_, c) = bob
        .encryption_key()
        .encapsulate_with_rng(&mut Repeatable(6), 32)
        .expect("numbers");
    let ciphertext = bob
        .encryption_key()
        .encrypt_with_rng(&mut Repeatable(6), MESSAGE, Default::default())
        .expect("numbers");
    let other = bob.clone();
    all.push(operation(
        "sm9-decapsulate",
        move || bob.decapsulate(&c, 32).ok().map(|it| it.to_vec()),
        useless,
    ));
    all.push(operation(
        "sm9-decrypt",
        move || other.decrypt(&ciphertext).ok().map(|it| it.to_vec()),
        useless,
    ));
    let gcm = Sm4Gcm::new(&[9; 16]);
    let long = MESSAGE.repeat(20);
    let (sealed, tag) = {
        let mut data = long.clone();
        let tag = gcm
            .seal_in_place(&[1; 12], b"header", &mut data)
            .expect("a nonce");
        (data, tag)
    };
    all.push(operation(
        "sm4-gcm-open",
        move || {
            let mut data = sealed.clone();
            gcm.open_in_place(&[1; 12], b"header", &mut data, &tag)
                .ok()?;
            Some(data)
        },
        useless,
    ));
    all
}
