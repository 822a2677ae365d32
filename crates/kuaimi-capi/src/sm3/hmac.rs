//! HMAC with SM3 (GB/T 15852.2-2012, RFC 2104).

use std::mem;

use kuaimi::external::digest::{KeyInit, Mac};
use kuaimi::sm3::{self, HmacSm3};

use crate::error::{Error, kuaimi_error};
use crate::handle::{free, objects};
use crate::state::State;

/// An HMAC in progress: `kuaimi_hmac_sm3_new`, `kuaimi_hmac_sm3_update` any number of times, then
/// `kuaimi_hmac_sm3_finish` or `kuaimi_hmac_sm3_verify`.
pub struct kuaimi_hmac_sm3 {
    _opaque: [u8; 0],
}
objects!(kuaimi_hmac_sm3: State<Hmac>);

/// An HMAC that begins again under the same key.
#[derive(Clone)]
pub(crate) struct Hmac {
    keyed: HmacSm3,
    absorbing: HmacSm3,
}

impl Hmac {
    /// The HMAC of all that was absorbed, to be finished.
    fn take(&mut self) -> HmacSm3 {
        mem::replace(&mut self.absorbing, self.keyed.clone())
    }
}

/// The HMAC-SM3 of `data` under a key of any length: 32 bytes at `mac`. Constant time but for the
/// lengths. To compare it with one that was received, use `kuaimi_hmac_sm3_verify`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_hmac_sm3_digest(
    key: *const u8,
    key_len: usize,
    data: *const u8,
    len: usize,
    mac: *mut u8,
) -> kuaimi_error {
    call!(key = input(key, key_len), data = input(data, len), mac = array_out(mac) => {
        mac.put(sm3::hmac_sm3(key, data));
        Ok(())
    })
}

/// A new HMAC under a key of any length at `*out`. Free it with `kuaimi_hmac_sm3_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_hmac_sm3_new(
    key: *const u8,
    key_len: usize,
    out: *mut *mut kuaimi_hmac_sm3,
) -> kuaimi_error {
    call!(out = new_handle(out), key = input(key, key_len) => {
        // A key of any length is allowed.
        let keyed = HmacSm3::new_from_slice(key).map_err(|_| Error::KUAIMI_ERROR_KEY_LENGTH)?;
        let absorbing = keyed.clone();
        out.put(State::new(Hmac { keyed, absorbing }));
        Ok(())
    })
}

/// Absorbs `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_hmac_sm3_update(
    hmac: *mut kuaimi_hmac_sm3,
    data: *const u8,
    len: usize,
) -> kuaimi_error {
    call!(hmac = handle(hmac), data = input(data, len) => {
        hmac.with(|hmac| hmac.absorbing.update(data))
    })
}

/// The HMAC of all that was absorbed: 32 bytes at `mac`. It can then take another message under the
/// same key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_hmac_sm3_finish(
    hmac: *mut kuaimi_hmac_sm3,
    mac: *mut u8,
) -> kuaimi_error {
    call!(hmac = handle(hmac), mac = array_out::<32>(mac) => {
        mac.put(hmac.with(Hmac::take)?.finalize().into_bytes().into());
        Ok(())
    })
}

/// Compares the HMAC of all that was absorbed with the 32 bytes at `mac`, in constant time. It can
/// then take another message under the same key.
///
/// `KUAIMI_ERROR_INVALID_SIGNATURE`: they differ.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_hmac_sm3_verify(
    hmac: *mut kuaimi_hmac_sm3,
    mac: *const u8,
) -> kuaimi_error {
    call!(hmac = handle(hmac), mac = array::<32>(mac) => {
        hmac.with(Hmac::take)?
            .verify(mac.into())
            .map_err(|_| Error::KUAIMI_ERROR_INVALID_SIGNATURE)
    })
}

/// A copy of `hmac`, with its key and all that it has absorbed, at `*out`: to have the HMAC so far
/// and go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_hmac_sm3_clone(
    hmac: *const kuaimi_hmac_sm3,
    out: *mut *mut kuaimi_hmac_sm3,
) -> kuaimi_error {
    call!(out = new_handle(out), hmac = handle(hmac) => {
        out.put(State::new(hmac.with(|hmac| hmac.clone())?));
        Ok(())
    })
}

/// Wipes and frees an HMAC. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_hmac_sm3_free(hmac: *mut kuaimi_hmac_sm3) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(hmac) }
}
