//! Many messages at once in GCM, each under a key of its own, or all under one.

use kuaimi::Threads;
use kuaimi::sm4::batch::{
    OpenItem, OpenMessage, SealItem, SealMessage, open_batch, open_batch_with, seal_batch,
    seal_batch_with,
};
use kuaimi::sm4::{KEY_LEN, Sm4Gcm};
use zeroize::Zeroizing;

use crate::buffer::{array, array_out, copy_out, kuaimi_bytes};
use crate::error::{Error, kuaimi_error};
use crate::sm2::run;
use crate::sm4::gcm::kuaimi_sm4_gcm;

/// One message to be encrypted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm4_gcm_seal_item {
    /// The key of 16 bytes. Not read where all items have one key.
    pub key: *const u8,
    /// The nonce.
    pub nonce: kuaimi_bytes,
    /// What is authenticated and not encrypted.
    pub associated_data: kuaimi_bytes,
    /// The message.
    pub data: kuaimi_bytes,
    /// Where the ciphertext goes, as long as the message. It may be the message's own memory.
    pub out: *mut u8,
    /// Where the tag of 16 bytes goes.
    pub tag: *mut u8,
}

/// One message to be decrypted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm4_gcm_open_item {
    /// The key of 16 bytes. Not read where all items have one key.
    pub key: *const u8,
    /// The nonce.
    pub nonce: kuaimi_bytes,
    /// What is authenticated and not encrypted.
    pub associated_data: kuaimi_bytes,
    /// The ciphertext.
    pub data: kuaimi_bytes,
    /// The tag of 16 bytes.
    pub tag: *const u8,
    /// Where the message goes, as long as the ciphertext. It may be the ciphertext's own memory.
    pub out: *mut u8,
}

/// A key where each item has one, a nonce, what is authenticated, and the message.
type Plain<'a, K> = (K, &'a [u8], &'a [u8], &'a [u8]);
/// The same with the ciphertext and its tag.
type Sealed<'a, K> = (K, &'a [u8], &'a [u8], Vec<u8>);
type Made = Vec<Result<Vec<u8>, kuaimi::sm4::Error>>;

/// Encrypts the messages of all items, each as `kuaimi_sm4_gcm_seal` with a key of its own: much
/// faster than one by one for messages of up to 1 KiB. Memory that an item writes may be its own
/// message, and no other that an item reads or writes. If an item fails, nothing is written for it.
/// `results` has one result for each item; the function returns `KUAIMI_OK` if all are, and else
/// the first that is not. **Never use a nonce twice with a key.**
///
/// For an item, `KUAIMI_ERROR_EMPTY_NONCE`, `KUAIMI_ERROR_MESSAGE_TOO_LONG`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_seal_batch(
    items: *const kuaimi_sm4_gcm_seal_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(items = items(items, count), results = results(results, count) => {
        seal(items, results, |item| key(item.key), |items| {
            let items: Vec<SealItem<'_>> = items
                .iter()
                .map(|(key, nonce, associated, data)| SealItem::new(key, nonce, associated, data))
                .collect();
            seal_batch(&items, Threads::One)
        })
    })
}

/// Encrypts the messages of all items under the key of `cipher`, each as `kuaimi_sm4_gcm_seal`:
/// faster than one by one for messages of up to 768 bytes. The `key` of an item is not read. All
/// else is as for `kuaimi_sm4_gcm_seal_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_seal_batch_with(
    cipher: *const kuaimi_sm4_gcm,
    items: *const kuaimi_sm4_gcm_seal_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(cipher = handle(cipher), items = items(items, count), results = results(results, count) => {
        seal(items, results, |_| Ok(()), |items| {
            let items: Vec<SealMessage<'_>> = items
                .iter()
                .map(|((), nonce, associated, data)| SealMessage::new(nonce, associated, data))
                .collect();
            seal_batch_with(cipher, &items, Threads::One)
        })
    })
}

fn seal<'a, K>(
    items: &'a [kuaimi_sm4_gcm_seal_item],
    results: &mut [Error],
    key: impl Fn(&'a kuaimi_sm4_gcm_seal_item) -> Result<K, Error>,
    batch: impl FnOnce(&[Plain<'a, K>]) -> Made,
) -> Result<(), Error> {
    let read = items.iter().map(|item| -> Result<Plain<'_, K>, Error> {
        let (key, data) = (key(item)?, item.data.get()?);
        if item.tag.is_null() || (item.out.is_null() && !data.is_empty()) {
            return Err(Error::KUAIMI_ERROR_NULL_POINTER);
        }
        Ok((key, item.nonce.get()?, item.associated_data.get()?, data))
    });
    let mut sealed = Vec::new();
    let all = run(read, results, batch, |place, made| {
        sealed.push((place, std::mem::take(made)));
        Ok(())
    });
    for (place, sealed) in sealed {
        let (item, (ciphertext, tag)) = (
            &items[place],
            sealed
                .split_last_chunk()
                .ok_or(Error::KUAIMI_ERROR_INTERNAL)?,
        );
        // SAFETY: the structure is the caller's, who keeps the rules for pointers at the head of
        // the header.
        unsafe {
            copy_out(ciphertext, item.out)?;
            array_out::<{ Sm4Gcm::TAG_LEN }>(item.tag)?.put(*tag);
        }
    }
    all
}

/// Decrypts the messages of all items whose tags are right, each as `kuaimi_sm4_gcm_open` with a
/// key of its own. Memory that an item writes may be its own ciphertext, and no other that an item
/// reads or writes. If an item fails, nothing is written for it. `results` has one result for each
/// item; the function returns `KUAIMI_OK` if all are, and else the first that is not.
///
/// For an item, `KUAIMI_ERROR_DECRYPTION_FAILED`, `KUAIMI_ERROR_EMPTY_NONCE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_open_batch(
    items: *const kuaimi_sm4_gcm_open_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(items = items(items, count), results = results(results, count) => {
        open(items, results, |item| key(item.key), |items| {
            let items: Vec<OpenItem<'_>> = items
                .iter()
                .map(|(key, nonce, associated, sealed)| OpenItem::new(key, nonce, associated, sealed))
                .collect();
            open_batch(&items, Threads::One)
        })
    })
}

/// Decrypts the messages of all items whose tags are right under the key of `cipher`, each as
/// `kuaimi_sm4_gcm_open`. The `key` of an item is not read. All else is as for
/// `kuaimi_sm4_gcm_open_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_gcm_open_batch_with(
    cipher: *const kuaimi_sm4_gcm,
    items: *const kuaimi_sm4_gcm_open_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(cipher = handle(cipher), items = items(items, count), results = results(results, count) => {
        open(items, results, |_| Ok(()), |items| {
            let items: Vec<OpenMessage<'_>> = items
                .iter()
                .map(|((), nonce, associated, sealed)| OpenMessage::new(nonce, associated, sealed))
                .collect();
            open_batch_with(cipher, &items, Threads::One)
        })
    })
}

fn open<'a, K>(
    items: &'a [kuaimi_sm4_gcm_open_item],
    results: &mut [Error],
    key: impl Fn(&'a kuaimi_sm4_gcm_open_item) -> Result<K, Error>,
    batch: impl FnOnce(&[Sealed<'a, K>]) -> Made,
) -> Result<(), Error> {
    // The ciphertext with its tag behind it, as the library takes it, read once.
    let read = items.iter().map(|item| -> Result<Sealed<'_, K>, Error> {
        let (key, data) = (key(item)?, item.data.get()?);
        // SAFETY: as above.
        let tag = unsafe { array::<{ Sm4Gcm::TAG_LEN }>(item.tag) }?;
        if item.out.is_null() && !data.is_empty() {
            return Err(Error::KUAIMI_ERROR_NULL_POINTER);
        }
        let sealed = [data, tag].concat();
        Ok((key, item.nonce.get()?, item.associated_data.get()?, sealed))
    });
    let mut opened = Vec::new();
    let all = run(read, results, batch, |place, made| {
        opened.push((place, Zeroizing::new(std::mem::take(made))));
        Ok(())
    });
    for (place, message) in opened {
        // SAFETY: as above.
        unsafe { copy_out(&message, items[place].out)? };
    }
    all
}

fn key<'a>(key: *const u8) -> Result<&'a [u8; KEY_LEN], Error> {
    // SAFETY: as above.
    unsafe { array(key) }
}
