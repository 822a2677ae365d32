//! libsm.

use libsm::sm2::encrypt::{DecryptCtx, EncryptCtx};
use libsm::sm2::signature::{Pubkey, Seckey, SigCtx, Signature};
use libsm::sm3::hash::Sm3Hash;
use libsm::sm4::{Cipher, Mode};

use crate::line::{Inputs, Once, Operation, Result, once};

/// Its errors are texts that are no errors.
fn text(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

fn secret(inputs: &Inputs) -> Result<Seckey> {
    Ok(SigCtx::new()
        .load_seckey(&inputs.get("secret")?)
        .map_err(text)?)
}

fn public(inputs: &Inputs) -> Result<Pubkey> {
    Ok(SigCtx::new()
        .load_pubkey(&inputs.get("public")?)
        .map_err(text)?)
}

fn cipher(inputs: &Inputs, mode: Mode) -> Result<Once> {
    let cipher = Cipher::new(&inputs.get("key")?, mode).map_err(text)?;
    let (iv, message) = (inputs.get("iv")?, inputs.get("message")?);
    // It pads in the mode CBC, which adds a block.
    once(move || {
        let mut sealed = cipher.encrypt(&[], &message, &iv).map_err(text)?;
        sealed.truncate(message.len());
        Ok(sealed)
    })
}

pub const OPERATIONS: &[Operation] = &[
    ("sm2-keygen", |_| {
        let context = SigCtx::new();
        once(move || {
            let (public, _) = context.new_keypair().map_err(text)?;
            Ok(context.serialize_pubkey(&public, false).map_err(text)?)
        })
    }),
    ("sm2-sign", |inputs| {
        let (context, secret, public) = (SigCtx::new(), secret(inputs)?, public(inputs)?);
        let message = inputs.get("message")?;
        once(move || {
            Ok(context
                .sign(&message, &secret, &public)
                .map_err(text)?
                .der_encode())
        })
    }),
    ("sm2-verify", |inputs| {
        let (context, public, message) = (SigCtx::new(), public(inputs)?, inputs.get("message")?);
        let given = inputs.get("signature")?;
        once(move || {
            let Ok(signature) = Signature::der_decode(&given) else {
                return Ok(vec![0]);
            };
            Ok(vec![
                context
                    .verify(&message, &public, &signature)
                    .unwrap_or(false)
                    .into(),
            ])
        })
    }),
    ("sm2-encrypt", |inputs| {
        let message = inputs.get("message")?;
        let context = EncryptCtx::new(message.len(), public(inputs)?);
        once(move || Ok(context.encrypt(&message).map_err(text)?))
    }),
    ("sm2-decrypt", |inputs| {
        let given = inputs.get("ciphertext")?;
        let context = DecryptCtx::new(given.len().saturating_sub(97), secret(inputs)?);
        once(move || Ok(context.decrypt(&given).map_err(text)?))
    }),
    ("sm3", |inputs| {
        let message = inputs.get("message")?;
        once(move || Ok(Sm3Hash::new(&message).get_hash().to_vec()))
    }),
    ("sm4-cbc", |inputs| cipher(inputs, Mode::Cbc)),
    ("sm4-ctr", |inputs| cipher(inputs, Mode::Ctr)),
];
