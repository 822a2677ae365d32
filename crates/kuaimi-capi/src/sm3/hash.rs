//! The hash, and the key derivation function that is made of it.

use kuaimi::Threads;
use kuaimi::sm3::{self, Sm3};

use crate::buffer::kuaimi_bytes;
use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::state::State;

/// The length of a digest in bytes.
pub const KUAIMI_SM3_DIGEST_LEN: usize = 32;

/// A hash in progress: `kuaimi_sm3_new`, `kuaimi_sm3_update` any number of times,
/// `kuaimi_sm3_finish`.
pub struct kuaimi_sm3 {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm3: State<Sm3>);

/// The digest of `data`: 32 bytes at `digest`. Constant time in the content.
///
/// Source: GB/T 32905-2016, clause 5.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_digest(
    data: *const u8,
    len: usize,
    digest: *mut u8,
) -> kuaimi_error {
    call!(data = input(data, len), digest = array_out(digest) => {
        digest.put(sm3::digest(data));
        Ok(())
    })
}

/// The digests of `count` messages, 32 bytes each, one after another at `digests`. Faster than one
/// by one on CPUs with vector instructions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_digest_many(
    messages: *const kuaimi_bytes,
    count: usize,
    digests: *mut u8,
) -> kuaimi_error {
    call!(
        messages = items(messages, count),
        digests = region(digests, count.saturating_mul(KUAIMI_SM3_DIGEST_LEN)) => {
            let messages = crate::buffer::inputs(messages.iter())?;
            digests.copy_from_slice(sm3::digest_many(&messages, Threads::One).as_flattened());
            Ok(())
        }
    )
}

/// A new hash at `*out`. Free it with `kuaimi_sm3_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_new(out: *mut *mut kuaimi_sm3) -> kuaimi_error {
    call!(out = new_handle(out) => {
        out.put(State::new(Sm3::new()));
        Ok(())
    })
}

/// Absorbs `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_update(
    hash: *mut kuaimi_sm3,
    data: *const u8,
    len: usize,
) -> kuaimi_error {
    call!(hash = handle(hash), data = input(data, len) => {
        hash.with(|hash| hash.update(data))
    })
}

/// The digest of all that was absorbed: 32 bytes at `digest`. The hash is then as new: it can take
/// another message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_finish(hash: *mut kuaimi_sm3, digest: *mut u8) -> kuaimi_error {
    call!(hash = handle(hash), digest = array_out(digest) => {
        digest.put(hash.with(Sm3::finalize_reset)?);
        Ok(())
    })
}

/// Forgets all that was absorbed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_reset(hash: *mut kuaimi_sm3) -> kuaimi_error {
    call!(hash = handle(hash) => {
        hash.with(Sm3::reset)
    })
}

/// A copy of `hash`, with all that it has absorbed, at `*out`: for several messages that begin
/// alike.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_clone(
    hash: *const kuaimi_sm3,
    out: *mut *mut kuaimi_sm3,
) -> kuaimi_error {
    call!(out = new_handle(out), hash = handle(hash) => {
        out.put(State::new(hash.with(|hash| hash.clone())?));
        Ok(())
    })
}

/// Wipes and frees a hash. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_free(hash: *mut kuaimi_sm3) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(hash) }
}

/// The compression function alone, over `count` blocks of 64 bytes at `blocks`. The 32 bytes at
/// `state` are the words A to H, most significant byte first: those of clause 4.1 at the start, the
/// digest after the last block, which has the padding of clause 5.2. For programs that keep the
/// state of a hash themselves, to save it or to copy it: all others take `kuaimi_sm3`, which also
/// wipes it. The state of a hash says as much as what was hashed: where that is a secret, so is the
/// state. Constant time.
///
/// Source: GB/T 32905-2016, clause 5.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_compress(
    state: *mut u8,
    blocks: *const u8,
    count: usize,
) -> kuaimi_error {
    call!(
        state = array_mut(state),
        blocks = items(blocks.cast::<[u8; sm3::BLOCK_LEN]>(), count) => {
            sm3::compress(state, blocks);
            Ok(())
        }
    )
}

/// Fills `out_len` bytes at `out` with the key derivation function's output for the secret `z`.
/// Constant time but for the lengths.
///
/// `KUAIMI_ERROR_DERIVED_KEY_LENGTH`: more than about 128 GiB.
///
/// Source: GB/T 32918.4-2016, clause 5.4.3.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm3_kdf(
    z: *const u8,
    z_len: usize,
    out: *mut u8,
    out_len: usize,
) -> kuaimi_error {
    call!(z = input(z, z_len), out = region(out, out_len) => { Ok(sm3::kdf(z, out)?) })
}
