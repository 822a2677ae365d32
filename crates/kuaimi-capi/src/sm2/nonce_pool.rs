//! Nonces computed in advance.

use kuaimi::sm2::NoncePool;

use super::sign::kuaimi_sm2_signing_key;
use super::signature::write_signature;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::signature_form::kuaimi_signature_form;

/// A store of nonces with their points, which a thread of its own computes: a signature with one
/// costs little more than hashing the message. Threads may share it, and one pool serves any number
/// of keys.
///
/// **Use a pool only where the machine's random generator is good, and the memory of the process is
/// never restored from a snapshot**: two signatures with one nonce give the private key away. Forks
/// are detected on Linux 4.14 and newer.
pub struct kuaimi_sm2_nonce_pool {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm2_nonce_pool: NoncePool);

/// What a pool holds and has done.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct kuaimi_sm2_nonce_pool_stats {
    /// Nonces that are ready.
    pub ready: usize,
    /// Nonces that signatures have taken.
    pub served: u64,
    /// Signatures that found no nonce ready, and were computed without the pool.
    pub missed: u64,
}

/// A pool of at most `capacity` nonces of 128 bytes each, and never more than 2²⁰ of them, at
/// `*out`. Its thread starts to fill it at once. Free it with `kuaimi_sm2_nonce_pool_free`.
///
/// `KUAIMI_ERROR_RANDOM`: the operating system's random generator failed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_nonce_pool_new(
    capacity: usize,
    out: *mut *mut kuaimi_sm2_nonce_pool,
) -> kuaimi_error {
    call!(out = new_handle(out) => {
        out.put(NoncePool::new(capacity)?);
        Ok(())
    })
}

/// Signs as `kuaimi_sm2_sign`, with a nonce of the pool if one is ready. Does not wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_nonce_pool_sign(
    pool: *const kuaimi_sm2_nonce_pool,
    key: *const kuaimi_sm2_signing_key,
    message: *const u8,
    message_len: usize,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        pool = handle(pool),
        key = handle(key),
        message = input(message, message_len),
        out = output(out, out_len) => {
            write_signature(form, out, || Ok(key.sign_with_pool(pool, message)?))
        }
    )
}

/// Signs as `kuaimi_sm2_sign_digest`, with a nonce of the pool if one is ready. Does not wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_nonce_pool_sign_digest(
    pool: *const kuaimi_sm2_nonce_pool,
    key: *const kuaimi_sm2_signing_key,
    digest: *const u8,
    form: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        pool = handle(pool),
        key = handle(key),
        digest = digest(digest),
        out = output(out, out_len) => {
            write_signature(form, out, || Ok(key.sign_digest_with_pool(pool, &digest)?))
        }
    )
}

/// What the pool holds and has done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_nonce_pool_get_stats(
    pool: *const kuaimi_sm2_nonce_pool,
    stats: *mut kuaimi_sm2_nonce_pool_stats,
) -> kuaimi_error {
    call!(pool = handle(pool), stats = place(stats) => {
        let found = pool.stats();
        stats.put(kuaimi_sm2_nonce_pool_stats {
            ready: found.ready,
            served: found.served,
            missed: found.missed,
        });
        Ok(())
    })
}

/// Wipes the nonces, ends the pool's thread and frees it. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_nonce_pool_free(pool: *mut kuaimi_sm2_nonce_pool) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(pool) }
}
