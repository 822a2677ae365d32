//! Many operations at once: each item has a result of its own.

use kuaimi::Threads;
use kuaimi::sm9::batch::{
    DecapsulateItem, DecryptItem, EncapsulateItem, EncryptItem, SignItem, VerifyItem,
    decapsulate_batch, decrypt_batch, encapsulate_batch, encrypt_batch, sign_batch, verify_batch,
};
use kuaimi::sm9::{Ciphertext, DecryptionKey, Error as Sm9Error, G1Point};

use super::decryption_key::kuaimi_sm9_decryption_key;
use super::encapsulation::encapsulation;
use super::encryption::*;
use super::encryption_key::kuaimi_sm9_encryption_key;
use super::signature::*;
use super::signing_key::kuaimi_sm9_signing_key;
use super::verifying_key::kuaimi_sm9_verifying_key;
use crate::buffer::kuaimi_bytes;
use crate::error::{Error, kuaimi_error};
use crate::signature_form::kuaimi_signature_form;
use crate::sm2::{object, room, run, write_item};

/// One signature to be made.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm9_sign_item {
    /// Who signs.
    pub key: *const kuaimi_sm9_signing_key,
    /// The message.
    pub message: kuaimi_bytes,
}

/// One signature to be verified.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm9_verify_item {
    /// Whose signature it should be.
    pub key: *const kuaimi_sm9_verifying_key,
    /// The message.
    pub message: kuaimi_bytes,
    /// The signature.
    pub signature: kuaimi_bytes,
    /// The form of the signature.
    pub form: kuaimi_signature_form,
}

/// One message to be encrypted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm9_encrypt_item {
    /// To whom.
    pub key: *const kuaimi_sm9_encryption_key,
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
pub struct kuaimi_sm9_decrypt_item {
    /// By whom.
    pub key: *const kuaimi_sm9_decryption_key,
    /// The ciphertext.
    pub ciphertext: kuaimi_bytes,
    /// A buffer for the plaintext.
    pub out: *mut u8,
    /// The length of the buffer; afterwards that of the plaintext.
    pub out_len: usize,
}

/// One key to be encapsulated.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm9_encapsulate_item {
    /// To whom.
    pub key: *const kuaimi_sm9_encryption_key,
    /// A place for the key.
    pub derived: *mut u8,
    /// The length of the key.
    pub derived_len: usize,
    /// A place for 65 bytes, the point to send.
    pub c: *mut u8,
}

/// One key to be decapsulated.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm9_decapsulate_item {
    /// By whom.
    pub key: *const kuaimi_sm9_decryption_key,
    /// The point: 33, 64 or 65 bytes.
    pub c: kuaimi_bytes,
    /// A place for the key.
    pub derived: *mut u8,
    /// The length of the key.
    pub derived_len: usize,
}

/// Makes the signatures of all items: 96 bytes each, h and S, one after another at `signatures`.
/// `results` has one result for each item; the function returns `KUAIMI_OK` if all are, and else
/// the first that is not. Constant time as `kuaimi_sm9_sign`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_sign_batch(
    items: *const kuaimi_sm9_sign_item,
    count: usize,
    signatures: *mut u8,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        items = items(items, count),
        signatures = region(signatures, count.saturating_mul(KUAIMI_SM9_SIGNATURE_LEN)),
        results = results(results, count) => {
            let read = items.iter().map(|item| {
                let key = object(item.key)?;
                let message = item.message.get()?;
                Ok(SignItem::new(key, message))
            });
            let (signatures, _) = signatures.as_chunks_mut::<KUAIMI_SM9_SIGNATURE_LEN>();
            run(read, results, |items| sign_batch(items, Threads::One), |place, signature| {
                signatures[place] = signature.to_bytes();
                Ok(())
            })
        }
    )
}

/// Verifies all items. `results` has one result for each, `KUAIMI_OK` or
/// `KUAIMI_ERROR_INVALID_SIGNATURE` if the item's other fields are right; the function returns
/// `KUAIMI_OK` if all are, and else the first that is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_verify_batch(
    items: *const kuaimi_sm9_verify_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(items = items(items, count), results = results(results, count) => {
        verify_items(items, results, |items| verify_batch(items, Threads::One))
    })
}

/// Verifies items with or without a cache.
pub(crate) fn verify_items(
    items: &[kuaimi_sm9_verify_item],
    results: &mut [Error],
    verify: impl FnOnce(&[VerifyItem<'_>]) -> Vec<Result<(), Sm9Error>>,
) -> Result<(), Error> {
    let read = items.iter().map(|item| {
        let key = object(item.key)?;
        let message = item.message.get()?;
        let signature = signature_to_verify(item.form, item.signature.get()?)?;
        Ok(VerifyItem::new(key, message, signature))
    });
    run(read, results, verify, |_, _| Ok(()))
}

/// Encrypts the messages of all items into their buffers, with the same options, which may be null:
/// see `kuaimi_sm9_encrypt`. `results` has one result for each; the function returns `KUAIMI_OK` if
/// all are, and else the first that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`, the item's
/// `out_len` is what it needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_encrypt_batch(
    items: *mut kuaimi_sm9_encrypt_item,
    count: usize,
    options: *const kuaimi_sm9_options,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(
        items = items_mut(items, count),
        options = optional_structure(options),
        results = results(results, count) => {
            let options = Options::try_from(options)?;
            let read = items.iter_mut().map(|item| -> Result<_, Error> {
                let key = object(item.key)?;
                // SAFETY: the structure is the caller's, who keeps the rules for pointers at the
                // head of the header.
                let message = unsafe { crate::buffer::input(item.message.data, item.message.len) }?;
                room(item.out, &mut item.out_len, ciphertext_bound(message.len())?)?;
                Ok(EncryptItem::new(key, message).with_options(options.to_encrypt()))
            });
            let mut ciphertexts = Vec::new();
            let mut all = run(read, results, |items| encrypt_batch(items, Threads::One), |place, ciphertext| {
                ciphertexts.push((place, options.write(ciphertext)));
                Ok(())
            });
            for (place, ciphertext) in ciphertexts {
                let item = &mut items[place];
                if let Err(error) = write_item(item.out, &mut item.out_len, &ciphertext) {
                    (results[place], all) = (error, Err(error));
                }
            }
            all
        }
    )
}

/// Decrypts the ciphertexts of all items into their buffers, with the same options, which may be
/// null: see `kuaimi_sm9_decrypt`. `results` has one result for each; the function returns
/// `KUAIMI_OK` if all are, and else the first that is not. With `KUAIMI_ERROR_BUFFER_TOO_SMALL`,
/// the item's `out_len` is what it needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_decrypt_batch(
    items: *mut kuaimi_sm9_decrypt_item,
    count: usize,
    options: *const kuaimi_sm9_options,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    type Read<'a> = (&'a DecryptionKey, Ciphertext);
    call!(
        items = items_mut(items, count),
        options = optional_structure(options),
        results = results(results, count) => {
            let options = Options::try_from(options)?;
            let read = items.iter_mut().map(|item| -> Result<Read<'_>, Error> {
                let key = object(item.key)?;
                let ciphertext = options.read(item.ciphertext.get()?)?;
                room(item.out, &mut item.out_len, ciphertext.c2().len())?;
                Ok((key, ciphertext))
            });
            let decrypt = |read: &[Read<'_>]| {
                let items: Vec<DecryptItem<'_>> = read
                    .iter()
                    .map(|(key, ciphertext)| {
                        DecryptItem::new(key, ciphertext).with_options(options.to_decrypt())
                    })
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
        }
    )
}

/// Encapsulates a fresh key for each item: see `kuaimi_sm9_encapsulate`. `results` has one result
/// for each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_encapsulate_batch(
    items: *const kuaimi_sm9_encapsulate_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(items = items(items, count), results = results(results, count) => {
        let read = items.iter().map(|item| {
            let key = object(item.key)?;
            if item.derived.is_null() || item.c.is_null() {
                return Err(Error::KUAIMI_ERROR_NULL_POINTER);
            }
            Ok(EncapsulateItem::new(key, item.derived_len))
        });
        run(read, results, |items| encapsulate_batch(items, Threads::One), |place, (fresh, point)| {
            let item = &items[place];
            // SAFETY: the structure is the caller's, who keeps the rules for pointers at the head
            // of the header.
            let derived = unsafe { crate::buffer::region(item.derived, item.derived_len) }?;
            derived.copy_from_slice(fresh);
            // SAFETY: as above.
            unsafe { crate::buffer::array_out(item.c) }?.put(point.to_sec1_bytes());
            Ok(())
        })
    })
}

/// Decapsulates the key of each item: see `kuaimi_sm9_decapsulate`. `results` has one result for
/// each; the function returns `KUAIMI_OK` if all are, and else the first that is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_decapsulate_batch(
    items: *const kuaimi_sm9_decapsulate_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    type Read<'a> = (&'a DecryptionKey, G1Point, usize);
    call!(items = items(items, count), results = results(results, count) => {
        let read = items.iter().map(|item| -> Result<Read<'_>, Error> {
            let key = object(item.key)?;
            if item.derived.is_null() {
                return Err(Error::KUAIMI_ERROR_NULL_POINTER);
            }
            Ok((key, encapsulation(item.c.get()?)?, item.derived_len))
        });
        let decapsulate = |read: &[Read<'_>]| {
            let items: Vec<DecapsulateItem<'_>> = read
                .iter()
                .map(|(key, c, length)| DecapsulateItem::new(key, c, *length))
                .collect();
            decapsulate_batch(&items, Threads::One)
        };
        run(read, results, decapsulate, |place, derived| {
            let item = &items[place];
            // SAFETY: the structure is the caller's, who keeps the rules for pointers at the head
            // of the header.
            unsafe { crate::buffer::region(item.derived, item.derived_len) }?.copy_from_slice(derived);
            Ok(())
        })
    })
}
