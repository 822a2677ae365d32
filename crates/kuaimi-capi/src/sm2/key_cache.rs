//! Public keys that are kept with their tables, for servers that see the same signers again and
//! again.

use kuaimi::Threads;
use kuaimi::sm2::KeyCache;

use super::batch::{kuaimi_sm2_verify_item, verify_items};
use super::signature::signature_to_verify;
use super::verify::kuaimi_sm2_verifying_key;
use crate::cache::kuaimi_cache_stats;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::signature_form::kuaimi_signature_form;

/// A bounded store of tables of public keys, for keys that come as bytes with each message. A key
/// gets a table at its second use, and loses it when the memory is needed for others that were used
/// later. Threads may share it.
pub struct kuaimi_sm2_key_cache {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm2_key_cache: KeyCache);

/// A cache of at most `capacity` bytes, at `*out`; a key takes 52 KiB. Free it with
/// `kuaimi_sm2_key_cache_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_key_cache_new(
    capacity: usize,
    out: *mut *mut kuaimi_sm2_key_cache,
) -> kuaimi_error {
    call!(out = new_handle(out) => {
        out.put(KeyCache::new(capacity));
        Ok(())
    })
}

/// Verifies as `kuaimi_sm2_verify`, with a table from the second use of the public key on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_key_cache_verify(
    cache: *const kuaimi_sm2_key_cache,
    key: *const kuaimi_sm2_verifying_key,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    form: kuaimi_signature_form,
) -> kuaimi_error {
    call!(
        cache = handle(cache),
        key = handle(key),
        message = input(message, message_len),
        signature = input(signature, signature_len) => {
            let signature = signature_to_verify(form, signature)?;
            Ok(cache.verify(key, message, &signature)?)
        }
    )
}

/// Verifies as `kuaimi_sm2_verify_digest`, with a table from the second use of the public key on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_key_cache_verify_digest(
    cache: *const kuaimi_sm2_key_cache,
    key: *const kuaimi_sm2_verifying_key,
    digest: *const u8,
    signature: *const u8,
    signature_len: usize,
    form: kuaimi_signature_form,
) -> kuaimi_error {
    call!(
        cache = handle(cache),
        key = handle(key),
        digest = digest(digest),
        signature = input(signature, signature_len) => {
            let signature = signature_to_verify(form, signature)?;
            Ok(cache.verify_digest(key, &digest, &signature)?)
        }
    )
}

/// Verifies as `kuaimi_sm2_verify_batch`, with the tables of the cache. Keys that come back, in
/// this batch or in another, get one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_key_cache_verify_batch(
    cache: *const kuaimi_sm2_key_cache,
    items: *const kuaimi_sm2_verify_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(cache = handle(cache), items = items(items, count), results = results(results, count) => {
        verify_items(items, results, |items| cache.verify_batch(items, Threads::One))
    })
}

/// What the cache holds and has done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_key_cache_get_stats(
    cache: *const kuaimi_sm2_key_cache,
    stats: *mut kuaimi_cache_stats,
) -> kuaimi_error {
    call!(cache = handle(cache), stats = place(stats) => {
        stats.put(cache.stats().into());
        Ok(())
    })
}

/// Drops all tables, and forgets which keys were seen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_key_cache_clear(
    cache: *const kuaimi_sm2_key_cache,
) -> kuaimi_error {
    call!(cache = handle(cache) => {
        cache.clear();
        Ok(())
    })
}

/// Frees a cache. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_key_cache_free(cache: *mut kuaimi_sm2_key_cache) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(cache) }
}
