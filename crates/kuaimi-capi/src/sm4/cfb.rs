//! Cipher feedback (GB/T 17964-2021; NIST SP 800-38A).

use kuaimi::sm4::Sm4Cfb;

use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::state::State;

/// SM4 in CFB mode, with whole blocks fed back (CFB-128), at a place in a message, for protocols
/// and files that require it. It does not detect altered data: use SM4-GCM if you can choose.
pub struct kuaimi_sm4_cfb {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm4_cfb: State<Sm4Cfb>);

/// SM4-CFB with the key of 16 bytes at `key` and the initialization vector of 16 bytes at `iv`, at
/// `*out`: for one message, which may come in pieces of any lengths. **Never use an initialization
/// vector twice with a key.** Free it with `kuaimi_sm4_cfb_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cfb_new(
    key: *const u8,
    iv: *const u8,
    out: *mut *mut kuaimi_sm4_cfb,
) -> kuaimi_error {
    call!(out = new_handle(out), key = array(key), iv = array(iv) => {
        out.put(State::new(Sm4Cfb::new(key, iv)));
        Ok(())
    })
}

/// Encrypts the next `len` bytes of the message, from `data` to `out`, which may be the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cfb_encrypt(
    state: *mut kuaimi_sm4_cfb,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(state = handle(state), out = in_place(data, out, len) => {
        state.with(|state| state.encrypt(out.copy()))
    })
}

/// The inverse of `kuaimi_sm4_cfb_encrypt`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cfb_decrypt(
    state: *mut kuaimi_sm4_cfb,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(state = handle(state), out = in_place(data, out, len) => {
        state.with(|state| state.decrypt(out.copy()))
    })
}

/// A copy of `state`, at the same place, at `*out`. Free it with `kuaimi_sm4_cfb_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cfb_clone(
    state: *const kuaimi_sm4_cfb,
    out: *mut *mut kuaimi_sm4_cfb,
) -> kuaimi_error {
    call!(out = new_handle(out), state = handle(state) => {
        out.put(State::new(state.with(|state| state.clone())?));
        Ok(())
    })
}

/// Wipes and frees the state of a message. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_cfb_free(state: *mut kuaimi_sm4_cfb) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(state) }
}
