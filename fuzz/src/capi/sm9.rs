//! Keys, signatures, ciphertexts and encapsulation of SM9.

use std::ptr::null;

use kuaimi_c as k;

use super::Calls;

// SAFETY of all calls below: handles came from the library or are null, and each pointer is to as
// many bytes as the length beside it says, or as the header says where there is none.

pub(super) fn call(calls: &mut Calls<'_>) {
    match calls.number() % 3 {
        0 => masters(calls),
        1 => users(calls),
        _ => use_keys(calls),
    }
}

fn masters(calls: &mut Calls<'_>) {
    let data = calls.data();
    let (start, len) = (data.as_ptr(), data.len());
    let (form, key) = (calls.constant(), [7; 32]);
    match calls.number() % 9 {
        0 => calls.handle(k::kuaimi_sm9_master_signing_key_free, |it| unsafe {
            k::kuaimi_sm9_master_signing_key_from_bytes(key.as_ptr(), 32, it)
        }),
        1 => calls.handle(k::kuaimi_sm9_master_encryption_key_free, |it| unsafe {
            k::kuaimi_sm9_master_encryption_key_from_bytes(key.as_ptr(), 32, it)
        }),
        // Without a password: as for SM2's keys.
        2 => calls.handle(k::kuaimi_sm9_master_signing_key_free, |it| unsafe {
            k::kuaimi_sm9_master_signing_key_read(start, len, null(), 0, it)
        }),
        3 => calls.handle(k::kuaimi_sm9_master_signing_public_key_free, |it| unsafe {
            k::kuaimi_sm9_master_signing_public_key_read(start, len, it)
        }),
        4 => calls.handle(
            k::kuaimi_sm9_master_encryption_public_key_free,
            |it| unsafe { k::kuaimi_sm9_master_encryption_public_key_read(start, len, it) },
        ),
        5 => {
            let it = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm9_master_signing_key_write(it, form, out, out_len)
            });
        }
        6 => {
            let it = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm9_master_encryption_public_key_write(it, form, out, out_len)
            });
        }
        7 => {
            let it = calls.any();
            calls.handle(k::kuaimi_sm9_master_signing_public_key_free, |new| unsafe {
                k::kuaimi_sm9_master_signing_key_public_key(it, new)
            });
        }
        _ => {
            let it = calls.any();
            calls.handle(
                k::kuaimi_sm9_master_encryption_public_key_free,
                |new| unsafe { k::kuaimi_sm9_master_encryption_key_public_key(it, new) },
            );
        }
    }
}

fn users(calls: &mut Calls<'_>) {
    let (data, id) = (calls.data(), calls.data());
    let (start, len) = (data.as_ptr(), data.len());
    let (id, id_len) = (id.as_ptr(), id.len());
    let (form, hid, it) = (
        calls.constant(),
        calls.number() as u8 % 5,
        calls.any::<()>(),
    );
    match calls.number() % 11 {
        0 => calls.handle(k::kuaimi_sm9_signing_key_free, |new| unsafe {
            k::kuaimi_sm9_master_signing_key_extract(it.cast(), id, id_len, hid, new)
        }),
        1 => calls.handle(k::kuaimi_sm9_decryption_key_free, |new| unsafe {
            k::kuaimi_sm9_master_encryption_key_extract(it.cast(), id, id_len, hid, new)
        }),
        2 => calls.handle(k::kuaimi_sm9_verifying_key_free, |new| unsafe {
            k::kuaimi_sm9_verifying_key_new(it.cast(), id, id_len, hid, new)
        }),
        3 => calls.handle(k::kuaimi_sm9_encryption_key_free, |new| unsafe {
            k::kuaimi_sm9_encryption_key_new(it.cast(), id, id_len, hid, new)
        }),
        4 => calls.handle(k::kuaimi_sm9_signing_key_free, |new| unsafe {
            k::kuaimi_sm9_signing_key_read(start, len, null(), 0, id, id_len, hid, new)
        }),
        5 => calls.handle(k::kuaimi_sm9_signing_key_free, |new| unsafe {
            k::kuaimi_sm9_signing_key_from_bytes(it.cast(), start, len, id, id_len, hid, new)
        }),
        6 => calls.handle(k::kuaimi_sm9_decryption_key_free, |new| unsafe {
            k::kuaimi_sm9_decryption_key_read(start, len, null(), 0, id, id_len, hid, new)
        }),
        7 => calls.output(|out, out_len| unsafe {
            k::kuaimi_sm9_signing_key_write(it.cast(), form, out, out_len)
        }),
        8 => calls.output(|out, out_len| unsafe {
            k::kuaimi_sm9_decryption_key_write(it.cast(), form, out, out_len)
        }),
        9 => calls.handle(k::kuaimi_sm9_signing_key_free, |new| unsafe {
            k::kuaimi_sm9_signing_key_read_table(it.cast(), start, len, new)
        }),
        _ => calls.handle(k::kuaimi_sm9_exchange_key_free, |new| unsafe {
            k::kuaimi_sm9_master_encryption_key_extract_exchange(it.cast(), id, id_len, hid, new)
        }),
    }
}

fn use_keys(calls: &mut Calls<'_>) {
    let (data, other) = (calls.data(), calls.data());
    let (start, len) = (data.as_ptr(), data.len());
    let (form, to) = (calls.constant(), calls.constant());
    let options = k::kuaimi_sm9_options {
        mode: calls.constant(),
        mac: calls.constant() % 3,
        form: calls.constant() % 3,
    };
    let mut shared = vec![0; calls.number()];
    let (place, shared_len) = (shared.as_mut_ptr(), shared.len());
    let mut point = Box::new([0; 65]);
    let it = calls.any::<()>();
    match calls.number() % 9 {
        0 => calls.output(|out, out_len| unsafe {
            k::kuaimi_sm9_sign(it.cast(), start, len, form, out, out_len)
        }),
        1 => calls.done(unsafe {
            k::kuaimi_sm9_verify(it.cast(), start, len, other.as_ptr(), other.len(), form)
        }),
        2 => calls.output(|out, out_len| unsafe {
            k::kuaimi_sm9_signature_convert(start, len, form, to, out, out_len)
        }),
        3 => calls.output(|out, out_len| unsafe {
            k::kuaimi_sm9_encrypt(it.cast(), start, len, &options, out, out_len)
        }),
        4 => calls.output(|out, out_len| unsafe {
            k::kuaimi_sm9_decrypt(it.cast(), start, len, &options, out, out_len)
        }),
        5 => {
            calls.done(unsafe {
                k::kuaimi_sm9_encapsulate(it.cast(), place, shared_len, point.as_mut_ptr())
            });
            calls.keep(&*point);
        }
        6 => calls
            .done(unsafe { k::kuaimi_sm9_decapsulate(it.cast(), start, len, place, shared_len) }),
        7 => {
            calls.handle(k::kuaimi_sm9_initiator_free, |new| unsafe {
                k::kuaimi_sm9_exchange_start(
                    it.cast(),
                    other.as_ptr(),
                    other.len(),
                    2,
                    new,
                    point.as_mut_ptr(),
                )
            });
            calls.keep(&*point);
        }
        _ => calls.handle(k::kuaimi_sm9_response_free, |new| unsafe {
            k::kuaimi_sm9_response_from_bytes(start, len, new)
        }),
    }
}
