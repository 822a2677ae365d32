//! Many messages at once in GCM, each under a key of its own.

use kuaimi::Threads;
use kuaimi::sm4::batch::{OpenItem, SealItem, open_batch, seal_batch};
use kuaimi::sm4::{KEY_LEN, Sm4Gcm};
use zeroize::Zeroizing;

use crate::buffer::{array, array_out, copy_out, kuaimi_bytes};
use crate::error::{Error, kuaimi_error};
use crate::sm2::run;

/// One message to be encrypted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct kuaimi_sm4_gcm_seal_item {
    /// The key of 16 bytes.
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
    /// The key of 16 bytes.
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

/// A key, a nonce, what is authenticated, and the ciphertext with its tag.
type Sealed<'a> = (&'a [u8; KEY_LEN], &'a [u8], &'a [u8], Vec<u8>);

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
        let read = items.iter().map(|item| -> Result<SealItem<'_>, Error> {
            let (key, data) = (key(item.key)?, item.data.get()?);
            if item.tag.is_null() || (item.out.is_null() && !data.is_empty()) {
                return Err(Error::KUAIMI_ERROR_NULL_POINTER);
            }
            Ok(SealItem::new(key, item.nonce.get()?, item.associated_data.get()?, data))
        });
        let mut sealed = Vec::new();
        let all = run(read, results, |items| seal_batch(items, Threads::One), |place, made| {
            sealed.push((place, std::mem::take(made)));
            Ok(())
        });
        for (place, sealed) in sealed {
            let (item, (ciphertext, tag)) = (
                &items[place],
                sealed.split_last_chunk().ok_or(Error::KUAIMI_ERROR_INTERNAL)?,
            );
            // SAFETY: the structure is the caller's, who keeps the rules for pointers at the head
            // of the header.
            unsafe {
                copy_out(ciphertext, item.out)?;
                array_out::<{ Sm4Gcm::TAG_LEN }>(item.tag)?.put(*tag);
            }
        }
        all
    })
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
        // The ciphertext with its tag behind it, as the library takes it, read once.
        let read = items.iter().map(|item| -> Result<Sealed<'_>, Error> {
            let (key, data) = (key(item.key)?, item.data.get()?);
            // SAFETY: as above.
            let tag = unsafe { array::<{ Sm4Gcm::TAG_LEN }>(item.tag) }?;
            if item.out.is_null() && !data.is_empty() {
                return Err(Error::KUAIMI_ERROR_NULL_POINTER);
            }
            let sealed = [data, tag].concat();
            Ok((key, item.nonce.get()?, item.associated_data.get()?, sealed))
        });
        let open = |read: &[Sealed<'_>]| {
            let items: Vec<OpenItem<'_>> = read
                .iter()
                .map(|(key, nonce, associated, sealed)| OpenItem::new(key, nonce, associated, sealed))
                .collect();
            open_batch(&items, Threads::One)
        };
        let mut opened = Vec::new();
        let all = run(read, results, open, |place, made| {
            opened.push((place, Zeroizing::new(std::mem::take(made))));
            Ok(())
        });
        for (place, message) in opened {
            // SAFETY: as above.
            unsafe { copy_out(&message, items[place].out)? };
        }
        all
    })
}

fn key<'a>(key: *const u8) -> Result<&'a [u8; KEY_LEN], Error> {
    // SAFETY: as above.
    unsafe { array(key) }
}
