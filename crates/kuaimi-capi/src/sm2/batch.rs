//! Many operations at once, in vector lanes: each item has a result of its own.

use kuaimi::Threads;
use kuaimi::sm2::batch::{
    Content, DecryptItem, EncryptItem, RecoverItem, RespondItem, SignItem, VerifyItem,
    decrypt_batch, diffie_hellman_batch, encrypt_batch, generate_batch, recover_batch,
    respond_batch, sign_batch, verify_batch,
};
use kuaimi::sm2::exchange::{Party, Peer};
use kuaimi::sm2::{
    Ciphertext, EncryptionKey, Error as Sm2Error, PrivateKey, PublicKey, RecoveryId, Signature,
};
use zeroize::Zeroizing;

use super::ciphertext::*;
use super::exchange::kuaimi_sm2_response;
use super::private_key::kuaimi_sm2_private_key;
use super::public_key::{identity, kuaimi_sm2_public_key, point};
use super::sign::kuaimi_sm2_signing_key;
use super::signature::*;
use super::verify::kuaimi_sm2_verifying_key;
use crate::buffer::{handle, kuaimi_bytes};
use crate::error::{Error, kuaimi_error};
use crate::handle::Object;
use crate::signature_form::kuaimi_signature_form;
use crate::state::State;

/// The length of a shared secret in bytes.
pub const KUAIMI_SM2_SHARED_SECRET_LEN: usize = 32;

options! {
    /// What is signed, of one item of a batch.
    pub enum kuaimi_content_kind {
        /// The bytes are a message.
        KUAIMI_CONTENT_MESSAGE = 0,
        /// The bytes are the 32 bytes of a digest `SM3(Z, message)`.
        KUAIMI_CONTENT_DIGEST = 1,
    }
}

/// One signature to be made.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm2_sign_item {
    /// Who signs.
    pub key: *const kuaimi_sm2_signing_key,
    /// The message, or its digest.
    pub content: kuaimi_bytes,
    /// Whether `content` is the message or the digest.
    pub content_kind: kuaimi_content_kind,
}

/// One signature to be verified.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm2_verify_item {
    /// Whose signature it should be.
    pub key: *const kuaimi_sm2_verifying_key,
    /// The message, or its digest.
    pub content: kuaimi_bytes,
    /// The signature.
    pub signature: kuaimi_bytes,
    /// Whether `content` is the message or the digest.
    pub content_kind: kuaimi_content_kind,
    /// The form of the signature.
    pub form: kuaimi_signature_form,
}

/// One signature whose public key is to be recovered.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm2_recover_item {
    /// The digest, 32 bytes.
    pub digest: kuaimi_bytes,
    /// The signature.
    pub signature: kuaimi_bytes,
    /// What `kuaimi_sm2_sign_digest_recoverable` gave.
    pub recovery_id: u8,
    /// The form of the signature.
    pub form: kuaimi_signature_form,
}

/// One message to be encrypted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm2_encrypt_item {
    /// To whom.
    pub key: *const kuaimi_sm2_public_key,
    /// The message.
    pub message: kuaimi_bytes,
    /// A buffer for the ciphertext.
    pub out: *mut u8,
    /// The length of the buffer; afterwards that of the ciphertext.
    pub out_len: usize,
}

/// One ciphertext to be decrypted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm2_decrypt_item {
    /// By whom.
    pub key: *const kuaimi_sm2_private_key,
    /// The ciphertext.
    pub ciphertext: kuaimi_bytes,
    /// A buffer for the plaintext.
    pub out: *mut u8,
    /// The length of the buffer; afterwards that of the plaintext.
    pub out_len: usize,
}

/// One shared secret to be computed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm2_diffie_hellman_item {
    /// One party's private key.
    pub key: *const kuaimi_sm2_private_key,
    /// The other party's public key.
    pub peer: *const kuaimi_sm2_public_key,
}

/// One key exchange to be answered.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm2_respond_item {
    /// The responder's private key.
    pub key: *const kuaimi_sm2_private_key,
    /// The initiator's public key.
    pub peer: *const kuaimi_sm2_public_key,
    /// The responder's identity; null data mean the default one.
    pub id: kuaimi_bytes,
    /// The initiator's identity; null data mean the default one.
    pub peer_id: kuaimi_bytes,
    /// The initiator's point, 33, 64 or 65 bytes.
    pub r_a: kuaimi_bytes,
    /// Is set to the responder's point, to send to the initiator.
    pub r_b: [u8; 65],
    /// Is set to the responder's confirmation, to send to the initiator.
    pub s_b: [u8; 32],
}

/// The value behind a handle in an item.
pub(crate) fn object<'a, T: Object>(pointer: *const T) -> Result<&'a T::Value, Error> {
    // SAFETY: the structure is the caller's, who keeps the rules for handles at the head of the
    // header.
    unsafe { handle(pointer) }
}

/// A message or a digest.
fn content(bytes: &kuaimi_bytes, kind: kuaimi_content_kind) -> Result<Content<'_>, Error> {
    let bytes = bytes.get()?;
    match kind {
        KUAIMI_CONTENT_MESSAGE => Ok(Content::Message(bytes)),
        KUAIMI_CONTENT_DIGEST => match bytes.try_into() {
            Ok(digest) => Ok(Content::Digest(digest)),
            Err(_) => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        },
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    }
}

/// Runs a batch over the items that can be read, and gives each of them its result; the others have
/// the reason as theirs. `done` gets the number of an item and what was computed for it, in its
/// place: keys that are moved out of a vector leave copies in its memory.
pub(crate) fn run<I, O, E: Clone + Into<Error>>(
    read: impl Iterator<Item = Result<I, Error>>,
    results: &mut [Error],
    batch: impl FnOnce(&[I]) -> Vec<Result<O, E>>,
    mut done: impl FnMut(usize, &mut O) -> Result<(), Error>,
) -> Result<(), Error> {
    let (mut items, mut places) = (Vec::new(), Vec::new());
    for (place, item) in read.enumerate() {
        match item {
            Ok(item) => {
                items.push(item);
                places.push(place);
            }
            Err(error) => results[place] = error,
        }
    }
    for (place, computed) in places.into_iter().zip(&mut batch(&items)) {
        let result = match computed {
            Ok(computed) => done(place, computed),
            Err(error) => Err(error.clone().into()),
        };
        results[place] = result.err().unwrap_or(Error::KUAIMI_OK);
    }
    match results.iter().find(|&&result| result != Error::KUAIMI_OK) {
        Some(&error) => Err(error),
        None => Ok(()),
    }
}

/// Makes `count` private keys from the operating system's random generator, with handles at
/// `keys[0]` to `keys[count - 1]`. An item that fails has a null handle. `results` has one result
/// for each; the function returns `KUAIMI_OK` if all are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_private_key_generate_batch(
    keys: *mut *mut kuaimi_sm2_private_key,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(keys = new_handles(keys, count), results = results(results, count) => {
        let mut keys = keys;
        run((0..count).map(Ok), results, |numbers| generate_batch(numbers.len(), Threads::One), |place, key| {
            keys.put(place, key.clone());
            Ok(())
        })
    })
}

/// Makes the signatures of all items: 64 bytes each, r and s, one after another at `signatures`.
/// `results` has one result for each item; the function returns `KUAIMI_OK` if all are, and else
/// the first that is not. Constant time as `kuaimi_sm2_sign`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_sign_batch(
    items: *const kuaimi_sm2_sign_item,
    count: usize,
    signatures: *mut u8,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        items = items(items, count),
        signatures = region(signatures, count.saturating_mul(KUAIMI_SM2_SIGNATURE_LEN)),
        results = results(results, count) => {
            let read = items.iter().map(|item| {
                Ok(SignItem::new(object(item.key)?, content(&item.content, item.content_kind)?))
            });
            let (signatures, _) = signatures.as_chunks_mut::<KUAIMI_SM2_SIGNATURE_LEN>();
            run(read, results, |items| sign_batch(items, Threads::One), |place, signature| {
                signatures[place] = signature.to_bytes();
                Ok(())
            })
        }
    )
}

/// Verifies all items. `results` has one result for each, `KUAIMI_OK` or
/// `KUAIMI_ERROR_INVALID_SIGNATURE` if the item's other fields are right; the function returns
/// `KUAIMI_OK` if all are, and else the first that is not. Any mixture of keys, messages
/// and digests. A key with six signatures or more in the batch gets a table for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_verify_batch(
    items: *const kuaimi_sm2_verify_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(items = items(items, count), results = results(results, count) => {
        verify_items(items, results, |items| verify_batch(items, Threads::One))
    })
}

/// Verifies items with or without a cache.
pub(crate) fn verify_items(
    items: &[kuaimi_sm2_verify_item],
    results: &mut [Error],
    verify: impl FnOnce(&[VerifyItem<'_>]) -> Vec<Result<(), Sm2Error>>,
) -> Result<(), Error> {
    let read = items.iter().map(|item| {
        let key = object(item.key)?;
        let content = content(&item.content, item.content_kind)?;
        let signature = signature_to_verify(item.form, item.signature.get()?)?;
        Ok(VerifyItem::new(key, content, signature))
    });
    run(read, results, verify, |_, _| Ok(()))
}

/// Recovers the public keys of all items, with handles at `keys[0]` to `keys[count - 1]`. An item
/// that fails has a null handle. `results` has one result for each; the function returns
/// `KUAIMI_OK` if all are, and else the first that is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_recover_batch(
    items: *const kuaimi_sm2_recover_item,
    count: usize,
    keys: *mut *mut kuaimi_sm2_public_key,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        keys = new_handles(keys, count),
        items = items(items, count),
        results = results(results, count) => {
            let mut keys = keys;
            let read = items.iter().map(|item| -> Result<(_, Signature, _), Error> {
                let digest = item.digest.get()?.try_into();
                let digest = digest.map_err(|_| Error::KUAIMI_ERROR_INVALID_ARGUMENT)?;
                let signature = read_signature(item.form, item.signature.get()?)??;
                Ok((digest, signature, RecoveryId::try_from(item.recovery_id)?))
            });
            let recover = |read: &[(&[u8; 32], Signature, RecoveryId)]| {
                let items: Vec<RecoverItem<'_>> = read
                    .iter()
                    .map(|(digest, signature, id)| RecoverItem::new(digest, signature, *id))
                    .collect();
                recover_batch(&items, Threads::One)
            };
            run(read, results, recover, |place, key| {
                keys.put(place, EncryptionKey::new(*key));
                Ok(())
            })
        }
    )
}

/// Encrypts the messages of all items into their buffers, in one form: see `kuaimi_sm2_encrypt`.
/// `results` has one result for each; the function returns `KUAIMI_OK` if all are, and else the
/// first that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's `out_len` is what it needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_encrypt_batch(
    items: *mut kuaimi_sm2_encrypt_item,
    count: usize,
    form: kuaimi_sm2_ciphertext_form,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(items = items_mut(items, count), results = results(results, count) => {
        let (form, overhead) = written_form(form)?;
        let read = items.iter_mut().map(|item| -> Result<_, Error> {
            let key = object(item.key)?;
            // SAFETY: the structure is the caller's, who keeps the rules for pointers at the head
            // of the header.
            let message = unsafe { crate::buffer::input(item.message.data, item.message.len) }?;
            room(item.out, &mut item.out_len, ciphertext_bound(message.len(), overhead)?)?;
            Ok(EncryptItem::new(key, message))
        });
        let mut ciphertexts = Vec::new();
        let mut all = run(read, results, |items| encrypt_batch(items, Threads::One), |place, ciphertext| {
            ciphertexts.push((place, ciphertext.to_bytes(form)));
            Ok(())
        });
        for (place, ciphertext) in ciphertexts {
            let item = &mut items[place];
            if let Err(error) = write_item(item.out, &mut item.out_len, &ciphertext) {
                (results[place], all) = (error, Err(error));
            }
        }
        all
    })
}

/// Decrypts the ciphertexts of all items into their buffers, from one form: see
/// `kuaimi_sm2_decrypt`; not `KUAIMI_SM2_CIPHERTEXT_ANY`. `results` has one result for each; the
/// function returns `KUAIMI_OK` if all are, and else the first that is not. With
/// `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's `out_len` is what it needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_decrypt_batch(
    items: *mut kuaimi_sm2_decrypt_item,
    count: usize,
    form: kuaimi_sm2_ciphertext_form,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(items = items_mut(items, count), results = results(results, count) => {
        // An unknown form is wrong in the call, not in an item.
        let _ = read_ciphertext(form, &[])?;
        let read = items.iter_mut().map(|item| -> Result<_, Error> {
            let key = object(item.key)?;
            let ciphertext = read_ciphertext(form, item.ciphertext.get()?)?
                .map_err(|_| Error::KUAIMI_ERROR_DECRYPTION_FAILED)?;
            room(item.out, &mut item.out_len, ciphertext.masked().len())?;
            Ok((key, ciphertext))
        });
        let decrypt = |read: &[(&kuaimi::sm2::PrivateKey, Ciphertext)]| {
            let items: Vec<DecryptItem<'_>> = read
                .iter()
                .map(|(key, ciphertext)| DecryptItem::new(key, ciphertext))
                .collect();
            decrypt_batch(&items, Threads::One)
        };
        let mut plaintexts = Vec::new();
        let mut all = run(read, results, decrypt, |place, plaintext| {
            plaintexts.push((place, std::mem::take(plaintext)));
            Ok(())
        });
        for (place, plaintext) in plaintexts {
            let item = &mut items[place];
            if let Err(error) = write_item(item.out, &mut item.out_len, &plaintext) {
                (results[place], all) = (error, Err(error));
            }
        }
        all
    })
}

/// Computes the shared secrets of plain Diffie-Hellman of all items: the x-coordinate of the
/// product of the private key and the public key, 32 bytes each, one after another at `secrets`.
/// This is what TLS 1.3 does with the group `curveSM2` (RFC 8998); the standard's key exchange,
/// which authenticates both parties, is `kuaimi_sm2_initiator`. Use a fresh private key for each
/// exchange, and derive keys from the secret with a KDF that also takes in both public keys.
/// `results` has one result for each item; the function returns `KUAIMI_OK` if all are, and else
/// the first that is not. The secret of an item that fails is zeros. Constant time in the private
/// keys.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_diffie_hellman_batch(
    items: *const kuaimi_sm2_diffie_hellman_item,
    count: usize,
    secrets: *mut u8,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        items = items(items, count),
        secrets = region(secrets, count.saturating_mul(KUAIMI_SM2_SHARED_SECRET_LEN)),
        results = results(results, count) => {
            let read = items.iter().map(|item| -> Result<(&PrivateKey, &PublicKey), Error> {
                Ok((object(item.key)?, object(item.peer)?.public_key()))
            });
            let (secrets, _) = secrets.as_chunks_mut::<KUAIMI_SM2_SHARED_SECRET_LEN>();
            let shared = |pairs: &[(&PrivateKey, &PublicKey)]| -> Vec<Result<_, Error>> {
                let shared = diffie_hellman_batch(pairs, Threads::One);
                shared.iter().map(|secret| Ok(Zeroizing::new(*secret))).collect()
            };
            run(read, results, shared, |place, secret| {
                secrets[place] = **secret;
                Ok(())
            })
        }
    )
}

/// Answers all items: for each what `kuaimi_sm2_exchange_respond` does, with shared keys of
/// `shared_len` bytes, and handles at `responses[0]` to `responses[count - 1]`. For servers that
/// have many initiators. An item that fails has a null handle, and zeros for the initiator.
/// `results` has one result for each; the function returns `KUAIMI_OK` if all are, and else the
/// first that is not. Constant time as `kuaimi_sm2_exchange_respond`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_exchange_respond_batch(
    items: *mut kuaimi_sm2_respond_item,
    count: usize,
    shared_len: usize,
    responses: *mut *mut kuaimi_sm2_response,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        responses = new_handles(responses, count),
        items = items_mut(items, count),
        results = results(results, count) => {
            let mut responses = responses;
            for item in items.iter_mut() {
                (item.r_b, item.s_b) = ([0; 65], [0; 32]);
            }
            let read = items.iter().map(|item| -> Result<_, Error> {
                let party = Party::new(object(item.key)?, identity(item.id.get_optional()?))?;
                let peer = object(item.peer)?.public_key();
                let peer = Peer::new(peer, identity(item.peer_id.get_optional()?))?;
                // Read once, and not at all beyond the length of a point.
                let r_a: Vec<u8> = item.r_a.get()?.iter().take(66).copied().collect();
                Ok((party, peer, point(&r_a)?))
            });
            let respond = |read: &[(Party, Peer, PublicKey)]| {
                let items: Vec<RespondItem<'_>> = read
                    .iter()
                    .map(|(party, peer, r_a)| RespondItem::new(party, peer, r_a))
                    .collect();
                respond_batch(&items, shared_len, Threads::One)
                    .into_iter()
                    .map(|response| response.map(Some))
                    .collect()
            };
            let mut answers = Vec::new();
            let all = run(read, results, respond, |place, response| {
                let response = response.take().ok_or(Error::KUAIMI_ERROR_INTERNAL)?;
                answers.push((place, response.point().to_sec1_bytes(), response.confirmation()));
                responses.put(place, State::new(Some(response)));
                Ok(())
            });
            for (place, r_b, s_b) in answers {
                (items[place].r_b, items[place].s_b) = (r_b, s_b);
            }
            all
        }
    )
}

/// Whether an item's buffer takes `bound` bytes. If not, the item is told so.
pub(crate) fn room(out: *mut u8, out_len: &mut usize, bound: usize) -> Result<(), Error> {
    if out.is_null() {
        return Err(Error::KUAIMI_ERROR_NULL_POINTER);
    }
    if *out_len < bound {
        *out_len = bound;
        return Err(Error::KUAIMI_ERROR_BUFFER_TOO_SMALL);
    }
    Ok(())
}

/// Writes an item's result into its buffer.
pub(crate) fn write_item(out: *mut u8, out_len: &mut usize, result: &[u8]) -> Result<(), Error> {
    // SAFETY: the structure is the caller's, who keeps the rules for pointers at the head of the
    // header.
    unsafe { crate::buffer::output(out, out_len) }?.write_bytes(result)
}
