//! Output feedback (GB/T 17964-2021; NIST SP 800-38A).

use kuaimi::sm4::Sm4Ofb;

use crate::error::kuaimi_error;
use crate::handle::{free, objects};
use crate::state::State;

/// A key stream of SM4 in OFB mode, for protocols and files that require it. It does not detect
/// altered data: use SM4-GCM if you can choose.
pub struct kuaimi_sm4_ofb {
    _opaque: [u8; 0],
}
objects!(kuaimi_sm4_ofb: State<Sm4Ofb>);

/// The key stream of the key of 16 bytes at `key` and the initialization vector of 16 bytes at
/// `iv`, at `*out`. **Never use an initialization vector twice with a key.** Free it with
/// `kuaimi_sm4_ofb_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ofb_new(
    key: *const u8,
    iv: *const u8,
    out: *mut *mut kuaimi_sm4_ofb,
) -> kuaimi_error {
    call!(out = new_handle(out), key = array(key), iv = array(iv) => {
        out.put(State::new(Sm4Ofb::new(key, iv)));
        Ok(())
    })
}

/// Encrypts or decrypts the next `len` bytes, from `data` to `out`, which may be the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ofb_apply(
    stream: *mut kuaimi_sm4_ofb,
    data: *const u8,
    len: usize,
    out: *mut u8,
) -> kuaimi_error {
    call!(stream = handle(stream), out = in_place(data, out, len) => {
        stream.with(|stream| stream.apply(out.copy()))
    })
}

/// A copy of `stream`, at the same place, at `*out`. Free it with `kuaimi_sm4_ofb_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ofb_clone(
    stream: *const kuaimi_sm4_ofb,
    out: *mut *mut kuaimi_sm4_ofb,
) -> kuaimi_error {
    call!(out = new_handle(out), stream = handle(stream) => {
        out.put(State::new(stream.with(|stream| stream.clone())?));
        Ok(())
    })
}

/// Wipes and frees a key stream. Null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm4_ofb_free(stream: *mut kuaimi_sm4_ofb) {
    // SAFETY: the caller keeps the rules for handles at the head of the header.
    unsafe { free(stream) }
}
