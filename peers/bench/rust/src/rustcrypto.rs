//! RustCrypto's sm2 and sm3.

use sm2::dsa::signature::{RandomizedSigner, Verifier};
use sm2::dsa::{Signature, SigningKey, VerifyingKey};
use sm2::elliptic_curve::Generate;
use sm2::pke::{DecryptingKey, EncryptingKey};
use sm3::{Digest, Sm3};

use crate::line::{Inputs, Operation, Result, once};

const ID: &str = "1234567812345678";

fn signer(inputs: &Inputs) -> Result<SigningKey> {
    Ok(SigningKey::from_slice(ID, &inputs.get("secret")?)?)
}

pub const OPERATIONS: &[Operation] = &[
    ("sm2-keygen", |_| {
        once(|| {
            Ok(sm2::SecretKey::generate()
                .public_key()
                .to_sec1_bytes()
                .to_vec())
        })
    }),
    ("sm2-sign", |inputs| {
        let (key, message) = (signer(inputs)?, inputs.get("message")?);
        once(move || {
            Ok(key
                .try_sign_with_rng(&mut getrandom::SysRng, &message)?
                .to_vec())
        })
    }),
    ("sm2-verify", |inputs| {
        let key = VerifyingKey::from_sec1_bytes(ID, &inputs.get("public")?)?;
        let (message, given) = (inputs.get("message")?, inputs.get("signature")?);
        once(move || {
            let good = Signature::from_slice(&given)
                .and_then(|signature| key.verify(&message, &signature));
            Ok(vec![good.is_ok().into()])
        })
    }),
    ("sm2-encrypt", |inputs| {
        let key = EncryptingKey::from_sec1_bytes(&inputs.get("public")?)?;
        let message = inputs.get("message")?;
        once(move || Ok(key.encrypt(&mut getrandom::SysRng, &message)?))
    }),
    ("sm2-decrypt", |inputs| {
        let key = DecryptingKey::from_slice(&inputs.get("secret")?)?;
        let given = inputs.get("ciphertext")?;
        once(move || Ok(key.decrypt(&given)?))
    }),
    ("sm3", |inputs| {
        let message = inputs.get("message")?;
        once(move || Ok(Sm3::digest(&message).to_vec()))
    }),
];
