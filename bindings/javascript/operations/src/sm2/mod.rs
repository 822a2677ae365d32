//! SM2 (GB/T 32918-2016).

mod batch;
mod exchange;
mod form;
mod key;

#[cfg(feature = "native")]
pub(crate) use batch::{as_many, column};
pub use batch::{sm2_generate_batch, sm2_sign_batch, sm2_verify_batch, sm2_verify_batch_with};
pub use exchange::{
    sm2_exchange_answer, sm2_exchange_confirm, sm2_exchange_finish, sm2_exchange_point,
    sm2_exchange_respond, sm2_exchange_start,
};
pub use form::{sm2_convert_ciphertext, sm2_convert_signature, sm2_detect_ciphertext};
pub use key::{
    sm2_generate, sm2_identity_digest, sm2_message_hash, sm2_private_equal, sm2_private_of_bytes,
    sm2_private_to_bytes, sm2_public_of_bytes, sm2_public_of_private, sm2_public_prepare,
    sm2_public_to_bytes, sm2_recover,
};

use alloc::vec::Vec;

use kuaimi::sm2::{SigningKey, VerifyingKey};
use zeroize::Zeroizing;

use self::form::CiphertextReading;
use crate::Result;
use crate::object::Handle;
use crate::random::Random;
use crate::signature_form::{SignatureReading, written};

/// A bit of `settings` beside the form of the signature: the nonce comes from the key and the
/// message alone.
const DETERMINISTIC: u32 = 8;

/// The key under an identity; under the usual one it is the key itself.
fn signer(key: &Handle, id: Option<&[u8]>) -> Result<SigningKey> {
    let key = key.sm2_private()?;
    match id {
        None => Ok(key),
        Some(id) => Ok(SigningKey::with_id(key.private_key().clone(), id)?),
    }
}

/// The same of a public key. It shares the key's table.
fn verifier(key: &Handle, id: Option<&[u8]>) -> Result<VerifyingKey> {
    let key = key.sm2_public()?;
    match id {
        None => Ok(key),
        Some(id) => Ok(key.under_id(id)?),
    }
}

/// `e = SM3(Z ‖ M)`.
fn prehash(digest: &[u8]) -> Result<[u8; 32]> {
    digest
        .try_into()
        .map_err(|_| argument!("a digest has 32 bytes"))
}

/// Signs a message under an identity (GB/T 32918.2-2016, clause 6).
pub fn sm2_sign(key: &Handle, message: &[u8], id: Option<&[u8]>, settings: u32) -> Result<Vec<u8>> {
    let signer = signer(key, id)?;
    let signature = match settings & DETERMINISTIC {
        0 => signer.sign_with_rng(&mut Random, message)?,
        _ => signer.sign_deterministic(message),
    };
    written(&signature, settings & !DETERMINISTIC)
}

/// Signs a digest `e = SM3(Z ‖ M)`.
pub fn sm2_sign_digest(key: &Handle, digest: &[u8], settings: u32) -> Result<Vec<u8>> {
    let (key, digest) = (key.sm2_private()?, prehash(digest)?);
    let signature = match settings & DETERMINISTIC {
        0 => key.sign_digest_with_rng(&mut Random, &digest)?,
        _ => key.sign_digest_deterministic(&digest),
    };
    written(&signature, settings & !DETERMINISTIC)
}

/// Signs a digest. The last byte of the result is the recovery identifier.
pub fn sm2_sign_recoverable(key: &Handle, digest: &[u8], settings: u32) -> Result<Vec<u8>> {
    let (key, digest) = (key.sm2_private()?, prehash(digest)?);
    let (signature, id) = key.sign_digest_recoverable_with_rng(&mut Random, &digest)?;
    let mut out = written(&signature, settings)?;
    out.push(id.to_byte());
    Ok(out)
}

/// Whether a signature is the key's over a message under an identity (clause 7). What is no
/// signature is not.
pub fn sm2_verify(
    key: &Handle,
    signature: &[u8],
    message: &[u8],
    id: Option<&[u8]>,
    form: u32,
) -> Result<bool> {
    let (reading, key) = (SignatureReading::of(form)?, verifier(key, id)?);
    let Ok(signature) = reading.read(signature) else {
        return Ok(false);
    };
    Ok(key.verify(message, &signature).is_ok())
}

/// The same over a digest `e`.
pub fn sm2_verify_digest(key: &Handle, signature: &[u8], digest: &[u8], form: u32) -> Result<bool> {
    let (reading, key) = (SignatureReading::of(form)?, key.sm2_public()?);
    let digest = prehash(digest)?;
    let Ok(signature) = reading.read(signature) else {
        return Ok(false);
    };
    Ok(key.verify_digest(&digest, &signature).is_ok())
}

/// Encrypts a message (GB/T 32918.4-2016, clause 6).
pub fn sm2_encrypt(key: &Handle, message: &[u8], form: u32) -> Result<Vec<u8>> {
    let form = form::ciphertext_form(form)?;
    let key = key.sm2_public()?.encryption_key();
    Ok(key.encrypt_with_rng(&mut Random, message)?.to_bytes(form))
}

/// Decrypts a ciphertext (clause 7). One failure, whatever is wrong.
pub fn sm2_decrypt(key: &Handle, ciphertext: &[u8], form: u32) -> Result<Zeroizing<Vec<u8>>> {
    let (key, reading) = (key.sm2_private()?, CiphertextReading::of(form)?);
    reading.decrypt(key.private_key(), ciphertext)
}

/// The x-coordinate of `[d]P`, for TLS 1.3 (RFC 8998).
pub fn sm2_diffie_hellman(key: &Handle, peer: &Handle) -> Result<Zeroizing<[u8; 32]>> {
    let (key, peer) = (key.sm2_private()?, peer.sm2_public()?);
    Ok(key.private_key().diffie_hellman(peer.public_key()))
}

/// The whole point `[d]P`, `x ‖ y`, for what other packages make of both coordinates.
pub fn sm2_diffie_hellman_point(key: &Handle, peer: &Handle) -> Result<Zeroizing<[u8; 64]>> {
    let (key, peer) = (key.sm2_private()?, peer.sm2_public()?);
    Ok(key.private_key().diffie_hellman_point(peer.public_key()))
}
