//! Identities that are kept with their tables, for servers that see the same signers again and
//! again.

use kuaimi::Threads;
use kuaimi::sm9::IdentityCache;

use super::batch::{kuaimi_sm9_verify_item, verify_items};
use super::master_signing::kuaimi_sm9_master_signing_public_key;
use super::signature::signature_to_verify;
use super::verifying_key::kuaimi_sm9_verifying_key;
use crate::cache::kuaimi_cache_stats;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::signature_form::kuaimi_signature_form;

/// A bounded store of identities under one master public key, with their tables, for verifying keys
/// that come and go. An identity gets a table at its second use, and loses it when the memory is
/// needed for others that were used later. Threads may share it.
pub struct kuaimi_sm9_identity_cache {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm9_identity_cache: IdentityCache);

/// A cache of at most `capacity` bytes, at `*out`; an identity takes 10 KiB. Free it with
/// `kuaimi_sm9_identity_cache_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_identity_cache_new(
    master: *const kuaimi_sm9_master_signing_public_key,
    capacity: usize,
    out: *mut *mut kuaimi_sm9_identity_cache,
) -> kuaimi_error {
    call!(out = new_handle(out), master = handle(master) => {
        out.put(IdentityCache::new(master, capacity));
        Ok(())
    })
}

/// Verifies as `kuaimi_sm9_verify`, with a table from the second use of the identity on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_identity_cache_verify(
    cache: *const kuaimi_sm9_identity_cache,
    key: *const kuaimi_sm9_verifying_key,
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

/// Verifies as `kuaimi_sm9_verify_batch`, with the tables of the cache. Identities that come back,
/// in this batch or in another, get one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_identity_cache_verify_batch(
    cache: *const kuaimi_sm9_identity_cache,
    items: *const kuaimi_sm9_verify_item,
    count: usize,
    results: *mut kuaimi_error,
) -> kuaimi_error {
    call!(cache = handle(cache), items = items(items, count), results = results(results, count) => {
        verify_items(items, results, |items| cache.verify_batch(items, Threads::One))
    })
}

/// What the cache holds and has done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_identity_cache_get_stats(
    cache: *const kuaimi_sm9_identity_cache,
    stats: *mut kuaimi_cache_stats,
) -> kuaimi_error {
    call!(cache = handle(cache), stats = place(stats) => {
        stats.put(cache.stats().into());
        Ok(())
    })
}

/// Drops all tables, and forgets which identities were seen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_identity_cache_clear(
    cache: *const kuaimi_sm9_identity_cache,
) -> kuaimi_error {
    call!(cache = handle(cache) => {
        cache.clear();
        Ok(())
    })
}

/// Frees a cache. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm9_identity_cache_free(cache: *mut kuaimi_sm9_identity_cache) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(cache) }
}
