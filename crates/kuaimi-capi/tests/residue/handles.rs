//! What the child does with a secret.

use std::ptr::{null, null_mut};

use kuaimi::sm2::parameters;
use kuaimi::sm9::{HID_ENCRYPT, HID_EXCHANGE, HID_SIGN};
use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;
use kuaimi_testing::child_memory::INPUT_LEN;

/// Frees the handle that was made.
type Free = Box<dyn FnOnce()>;

/// `call!(kuaimi_sm3_new(&mut hash))` fails the test where the function does.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the arguments are references, slices with their lengths, and handles that are not
        // freed yet.
        assert_eq!(unsafe { $name($($argument),*) }, KUAIMI_OK, stringify!($name))
    };
}

/// `new!(function(…))`: the handle that a function puts behind its last argument.
macro_rules! new {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        let mut handle = null_mut();
        call!($name($($argument,)* &mut handle));
        handle
    }};
}

/// `free!(function(handle))`: that, later.
macro_rules! free {
    ($name:ident($handle:expr)) => {{
        let handle = $handle;
        // SAFETY: the handle is the test's own, and not used again.
        Box::new(move || unsafe { $name(handle) }) as Free
    }};
}

pub(crate) fn wipe(bytes: &mut [u8]) {
    // SAFETY: a slice with its length.
    unsafe { kuaimi_wipe(bytes.as_mut_ptr(), bytes.len()) };
}

/// Makes the handle and uses it.
pub(crate) fn make(name: &str, input: &[u8; INPUT_LEN]) -> Free {
    let secret: &[u8; 32] = input.first_chunk().expect("32 bytes");
    let length = usize::from(u16::from_be_bytes([input[32], input[33]]));
    let state = &input[34..][..length];
    match name.split_once(' ').unwrap_or((name, "")) {
        ("sm2", name) => sm2(name, secret, state),
        ("sm9", name) => sm9(name, secret, state),
        ("sm4", mode) => sm4(mode, secret),
        ("file", name) => file(name, state),
        ("sm3", _) => {
            let hash = new!(kuaimi_sm3_new());
            call!(kuaimi_sm3_update(hash, secret.as_ptr(), 32));
            free!(kuaimi_sm3_free(hash))
        }
        _ => {
            let (hmac, mut mac) = (new!(kuaimi_hmac_sm3_new(secret.as_ptr(), 32)), [0; 32]);
            call!(kuaimi_hmac_sm3_update(hmac, b"text".as_ptr(), 4));
            call!(kuaimi_hmac_sm3_finish(hmac, mac.as_mut_ptr()));
            free!(kuaimi_hmac_sm3_free(hmac))
        }
    }
}

fn sm2(name: &str, secret: &[u8; 32], state: &[u8]) -> Free {
    let private = new!(kuaimi_sm2_private_key_from_bytes(secret.as_ptr(), 32));
    let mut shared = [0; 16];
    let (state, state_len) = (state.as_ptr(), state.len());
    let free = match name {
        "private key" => return free!(kuaimi_sm2_private_key_free(private)),
        "signing key" => {
            let key = new!(kuaimi_sm2_signing_key_new(private, null(), 0));
            let (mut bytes, mut size) = ([0; KUAIMI_SM2_SIGNATURE_LEN], KUAIMI_SM2_SIGNATURE_LEN);
            let out = bytes.as_mut_ptr();
            let form = KUAIMI_SIGNATURE_RAW;
            call!(kuaimi_sm2_sign(
                key,
                b"text".as_ptr(),
                4,
                form,
                out,
                &mut size
            ));
            free!(kuaimi_sm2_signing_key_free(key))
        }
        "initiator" | "initiator, used" => {
            let initiator = new!(kuaimi_sm2_initiator_from_bytes(private, state, state_len));
            if name.ends_with("used") {
                // Any point will do: the generator.
                let point = [&[4][..], &parameters::gx(), &parameters::gy()].concat();
                let (point, out) = (point.as_ptr(), shared.as_mut_ptr());
                call!(kuaimi_sm2_initiator_finish_unconfirmed(
                    initiator, point, 65, out, 16
                ));
            }
            free!(kuaimi_sm2_initiator_free(initiator))
        }
        _ => {
            let response = new!(kuaimi_sm2_response_from_bytes(state, state_len));
            if name.ends_with("used") {
                let out = shared.as_mut_ptr();
                call!(kuaimi_sm2_response_key_unconfirmed(response, out, 16));
            }
            free!(kuaimi_sm2_response_free(response))
        }
    };
    wipe(&mut shared);
    // The other handle alone is looked for.
    free!(kuaimi_sm2_private_key_free(private))();
    free
}

fn file(name: &str, state: &[u8]) -> Free {
    let (start, len) = (state.as_ptr(), state.len());
    if name == "pkcs12" {
        let file = new!(kuaimi_pkcs12_read(start, len, b"text".as_ptr(), 4));
        free!(kuaimi_sm2_private_key_free(new!(kuaimi_pkcs12_key(
            file, 0
        ))))();
        return free!(kuaimi_pkcs12_free(file));
    }
    let (mut key, mut certificate) = (null_mut(), null_mut());
    call!(kuaimi_cfca_read_key_file(
        start,
        len,
        b"text".as_ptr(),
        4,
        &mut key,
        &mut certificate
    ));
    free!(kuaimi_certificate_free(certificate))();
    free!(kuaimi_sm2_private_key_free(key))
}

fn sm9(name: &str, secret: &[u8; 32], state: &[u8]) -> Free {
    let (id, text) = (b"alice".as_ptr(), b"text".as_ptr());
    let (state, state_len) = (state.as_ptr(), state.len());
    if name.contains("signing") {
        let master = new!(kuaimi_sm9_master_signing_key_from_bytes(
            secret.as_ptr(),
            32
        ));
        if name.starts_with("master") {
            return free!(kuaimi_sm9_master_signing_key_free(master));
        }
        let key = new!(kuaimi_sm9_master_signing_key_extract(
            master, id, 5, HID_SIGN
        ));
        free!(kuaimi_sm9_master_signing_key_free(master))();
        if name.ends_with("prepared") {
            call!(kuaimi_sm9_signing_key_prepare(key));
        }
        let (mut bytes, mut size) = ([0; 96], 96);
        let (form, out) = (KUAIMI_SIGNATURE_RAW, bytes.as_mut_ptr());
        call!(kuaimi_sm9_sign(key, text, 4, form, out, &mut size));
        return free!(kuaimi_sm9_signing_key_free(key));
    }
    if name == "response" {
        return free!(kuaimi_sm9_response_free(new!(
            kuaimi_sm9_response_from_bytes(state, state_len)
        )));
    }
    let master = new!(kuaimi_sm9_master_encryption_key_from_bytes(
        secret.as_ptr(),
        32
    ));
    let prepared = name.ends_with("prepared");
    match name.trim_end_matches(", prepared") {
        "master encryption key" => free!(kuaimi_sm9_master_encryption_key_free(master)),
        "decryption key" => {
            let hid = HID_ENCRYPT;
            let key = new!(kuaimi_sm9_master_encryption_key_extract(master, id, 5, hid));
            if prepared {
                call!(kuaimi_sm9_decryption_key_prepare(key));
            }
            free!(kuaimi_sm9_master_encryption_key_free(master))();
            free!(kuaimi_sm9_decryption_key_free(key))
        }
        _ => {
            let hid = HID_EXCHANGE;
            let key = new!(kuaimi_sm9_master_encryption_key_extract_exchange(
                master, id, 5, hid
            ));
            if prepared {
                call!(kuaimi_sm9_exchange_key_prepare(key));
            }
            free!(kuaimi_sm9_master_encryption_key_free(master))();
            if name == "initiator" {
                let initiator = new!(kuaimi_sm9_initiator_from_bytes(key, state, state_len));
                free!(kuaimi_sm9_exchange_key_free(key))();
                return free!(kuaimi_sm9_initiator_free(initiator));
            }
            free!(kuaimi_sm9_exchange_key_free(key))
        }
    }
}

fn sm4(mode: &str, secret: &[u8; 32]) -> Free {
    let (iv, data, mut out, mut tag) = ([1; 16], [2; 64], [0; 64], [0; 16]);
    let (key, iv, data) = (secret.as_ptr(), iv.as_ptr(), data.as_ptr());
    let (out, tag) = (out.as_mut_ptr(), tag.as_mut_ptr());
    match mode {
        "" => {
            let cipher = new!(kuaimi_sm4_new(key));
            call!(kuaimi_sm4_ecb_encrypt(cipher, data, 64, out));
            free!(kuaimi_sm4_free(cipher))
        }
        "cbc" => {
            let cipher = new!(kuaimi_sm4_cbc_new(key));
            call!(kuaimi_sm4_cbc_encrypt(cipher, iv, data, 64, out));
            free!(kuaimi_sm4_cbc_free(cipher))
        }
        "ccm" => {
            let cipher = new!(kuaimi_sm4_ccm_new(key));
            call!(kuaimi_sm4_ccm_seal(
                cipher,
                iv,
                12,
                null(),
                0,
                data,
                64,
                out,
                tag,
                16
            ));
            free!(kuaimi_sm4_ccm_free(cipher))
        }
        "cfb" => {
            let cipher = new!(kuaimi_sm4_cfb_new(key, iv));
            call!(kuaimi_sm4_cfb_encrypt(cipher, data, 64, out));
            free!(kuaimi_sm4_cfb_free(cipher))
        }
        "ctr" => {
            let cipher = new!(kuaimi_sm4_ctr_new(key, iv));
            call!(kuaimi_sm4_ctr_apply(cipher, data, 64, out));
            free!(kuaimi_sm4_ctr_free(cipher))
        }
        "gcm" => {
            let cipher = new!(kuaimi_sm4_gcm_new(key));
            call!(kuaimi_sm4_gcm_seal(
                cipher,
                iv,
                12,
                null(),
                0,
                data,
                64,
                out,
                tag
            ));
            free!(kuaimi_sm4_gcm_free(cipher))
        }
        "gcm stream" => {
            let cipher = new!(kuaimi_sm4_gcm_new(key));
            let stream = new!(kuaimi_sm4_gcm_stream_new(cipher, iv, 12));
            call!(kuaimi_sm4_gcm_stream_encrypt(stream, data, 40, out));
            free!(kuaimi_sm4_gcm_free(cipher))();
            free!(kuaimi_sm4_gcm_stream_free(stream))
        }
        "xts" => {
            let cipher = new!(kuaimi_sm4_xts_new(key, KUAIMI_SM4_XTS_IEEE));
            call!(kuaimi_sm4_xts_encrypt(cipher, iv, data, 64, out));
            free!(kuaimi_sm4_xts_free(cipher))
        }
        _ => {
            let cipher = new!(kuaimi_sm4_ofb_new(key, iv));
            call!(kuaimi_sm4_ofb_apply(cipher, data, 64, out));
            free!(kuaimi_sm4_ofb_free(cipher))
        }
    }
}
