//! Keys, signatures, ciphertexts, exchanges and batches of SM2.

use std::ptr::null;

use kuaimi_c as k;

use super::Calls;

pub(super) fn call(calls: &mut Calls<'_>) {
    match calls.number() % 4 {
        0 => keys(calls),
        1 => signatures(calls),
        2 => exchange(calls),
        _ => ciphertexts(calls),
    }
}

// SAFETY of all calls below: handles came from the library or are null, and each pointer is to as
// many bytes as the length beside it says, or as the header says where there is none.

fn keys(calls: &mut Calls<'_>) {
    let data = calls.data();
    let (start, len) = (data.as_ptr(), data.len());
    let form = calls.constant();
    match calls.number() % 12 {
        0 | 1 => calls.handle(k::kuaimi_sm2_private_key_free, |it| unsafe {
            k::kuaimi_sm2_private_key_from_bytes([7; 32].as_ptr(), 32, it)
        }),
        // Without a password: the cost that a file may ask for is minutes. The check `passwords`
        // has small ones.
        2 => calls.handle(k::kuaimi_sm2_private_key_free, |it| unsafe {
            k::kuaimi_sm2_private_key_read(start, len, null(), 0, it)
        }),
        3 => calls.handle(k::kuaimi_sm2_public_key_free, |it| unsafe {
            k::kuaimi_sm2_public_key_read(start, len, it)
        }),
        4 => {
            let key = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_private_key_write(key, form, out, out_len)
            });
        }
        5 => {
            let key = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_public_key_write(key, form, out, out_len)
            });
        }
        6 => {
            let key = calls.any();
            calls.handle(k::kuaimi_sm2_public_key_free, |it| unsafe {
                k::kuaimi_sm2_private_key_public_key(key, it)
            });
        }
        7 => {
            let key = calls.any();
            calls.done(unsafe { k::kuaimi_sm2_public_key_prepare(key) });
        }
        8 => {
            let encryption = k::kuaimi_password_encryption {
                cipher: calls.constant(),
                kdf: calls.constant(),
                iterations: calls.constant() % 13,
                scrypt_log_n: calls.constant() % 13 % 6,
                scrypt_r: calls.constant() % 13,
                scrypt_p: calls.constant() % 13,
            };
            let key = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_private_key_write_encrypted(
                    key,
                    start,
                    len,
                    &encryption,
                    form,
                    out,
                    out_len,
                )
            });
        }
        9 => {
            let (key, recipient) = (calls.any(), calls.any());
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_private_key_write_enveloped(key, recipient, out, out_len)
            });
        }
        10 => {
            let key = calls.any();
            calls.handle(k::kuaimi_sm2_private_key_free, |it| unsafe {
                k::kuaimi_sm2_private_key_open_enveloped(key, start, len, it)
            });
        }
        _ => calls.handle(k::kuaimi_sm2_public_key_free, |it| unsafe {
            k::kuaimi_sm2_public_key_from_bytes(start, len, it)
        }),
    }
}

fn signatures(calls: &mut Calls<'_>) {
    let (data, other) = (calls.data(), calls.data());
    let (start, len) = (data.as_ptr(), data.len());
    let (second, second_len) = (other.as_ptr(), other.len());
    let digest = calls.array::<32>();
    let (form, to) = (calls.constant(), calls.constant());
    match calls.number() % 10 {
        0 => {
            let key = calls.any();
            calls.handle(k::kuaimi_sm2_signing_key_free, |it| unsafe {
                k::kuaimi_sm2_signing_key_new(key, start, len, it)
            });
        }
        1 => {
            let key = calls.any();
            calls.handle(k::kuaimi_sm2_verifying_key_free, |it| unsafe {
                k::kuaimi_sm2_verifying_key_new(key, start, len, it)
            });
        }
        2 => {
            let key = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_sign(key, start, len, form, out, out_len)
            });
        }
        3 => {
            let key = calls.any();
            let mut id = Box::new(0);
            let id: *mut u8 = &mut *id;
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_sign_digest_recoverable(key, digest.as_ptr(), form, out, out_len, id)
            });
        }
        4 => {
            let key = calls.any();
            calls.done(unsafe { k::kuaimi_sm2_verify(key, start, len, second, second_len, form) });
        }
        5 => {
            let key = calls.any();
            calls.done(unsafe { k::kuaimi_sm2_verifying_key_prepare(key) });
        }
        6 => calls.output(|out, out_len| unsafe {
            k::kuaimi_sm2_signature_convert(start, len, form, to, out, out_len)
        }),
        7 => {
            let id = calls.number() as u8;
            calls.handle(k::kuaimi_sm2_public_key_free, |it| unsafe {
                k::kuaimi_sm2_recover(digest.as_ptr(), start, len, id, form, it)
            });
        }
        8 => {
            let items: Vec<_> = (0..calls.number() % 10)
                .map(|_| k::kuaimi_sm2_verify_item {
                    key: calls.any(),
                    content: k::kuaimi_bytes { data: start, len },
                    content_kind: calls.constant() % 3,
                    form: calls.constant(),
                    signature: k::kuaimi_bytes {
                        data: second,
                        len: second_len,
                    },
                })
                .collect();
            let mut results = vec![k::kuaimi_error::KUAIMI_OK; items.len()];
            calls.done(unsafe {
                k::kuaimi_sm2_verify_batch(items.as_ptr(), items.len(), results.as_mut_ptr())
            });
            results.into_iter().for_each(|error| calls.done(error));
        }
        _ => {
            let key = calls.any();
            calls.handle(k::kuaimi_sm3_free, |it| unsafe {
                k::kuaimi_sm2_verifying_key_hash(key, it)
            });
        }
    }
}

fn ciphertexts(calls: &mut Calls<'_>) {
    let data = calls.data();
    let (start, len) = (data.as_ptr(), data.len());
    let (form, to) = (calls.constant(), calls.constant());
    match calls.number() % 4 {
        0 => {
            let key = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_encrypt(key, start, len, form, out, out_len)
            });
        }
        1 => {
            let key = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_decrypt(key, start, len, form, out, out_len)
            });
        }
        2 => calls.output(|out, out_len| unsafe {
            k::kuaimi_sm2_ciphertext_convert(start, len, form, to, out, out_len)
        }),
        _ => {
            let mut outputs: Vec<_> = (0..calls.number() % 6)
                .map(|_| vec![0u8; calls.number()])
                .collect();
            let mut items: Vec<_> = outputs
                .iter_mut()
                .map(|out| k::kuaimi_sm2_decrypt_item {
                    key: calls.any(),
                    ciphertext: k::kuaimi_bytes { data: start, len },
                    out: out.as_mut_ptr(),
                    out_len: out.len(),
                })
                .collect();
            let mut results = vec![k::kuaimi_error::KUAIMI_OK; items.len()];
            calls.done(unsafe {
                k::kuaimi_sm2_decrypt_batch(
                    items.as_mut_ptr(),
                    items.len(),
                    form,
                    results.as_mut_ptr(),
                )
            });
            results.into_iter().for_each(|error| calls.done(error));
            let items: Vec<_> = (0..items.len())
                .map(|_| k::kuaimi_sm2_diffie_hellman_item {
                    key: calls.any(),
                    peer: calls.any(),
                })
                .collect();
            let mut secrets = vec![0; 32 * items.len()];
            let mut results = vec![k::kuaimi_error::KUAIMI_OK; items.len()];
            calls.done(unsafe {
                k::kuaimi_sm2_diffie_hellman_batch(
                    items.as_ptr(),
                    items.len(),
                    secrets.as_mut_ptr(),
                    results.as_mut_ptr(),
                )
            });
            results.into_iter().for_each(|error| calls.done(error));
        }
    }
}

fn exchange(calls: &mut Calls<'_>) {
    let data = calls.data();
    let (start, len) = (data.as_ptr(), data.len());
    let confirmation = calls.array::<32>();
    let confirmation = confirmation.as_ptr();
    let mut point = Box::new([0; 65]);
    let mut other = Box::new([0; 32]);
    let mut shared = vec![0; calls.number()];
    let (place, shared_len) = (shared.as_mut_ptr(), shared.len());
    match calls.number() % 8 {
        0 => {
            let (key, peer) = (calls.any(), calls.any());
            calls.handle(k::kuaimi_sm2_initiator_free, |it| unsafe {
                k::kuaimi_sm2_exchange_start(
                    key,
                    peer,
                    null(),
                    0,
                    null(),
                    0,
                    it,
                    point.as_mut_ptr(),
                )
            });
        }
        1 => {
            let (key, peer) = (calls.any(), calls.any());
            calls.handle(k::kuaimi_sm2_response_free, |it| unsafe {
                k::kuaimi_sm2_exchange_respond(
                    key,
                    peer,
                    null(),
                    0,
                    null(),
                    0,
                    start,
                    len,
                    shared_len,
                    it,
                    point.as_mut_ptr(),
                    other.as_mut_ptr(),
                )
            });
            let none = k::kuaimi_bytes {
                data: null(),
                len: 0,
            };
            let mut item = k::kuaimi_sm2_respond_item {
                key,
                peer,
                id: none,
                peer_id: none,
                r_a: k::kuaimi_bytes { data: start, len },
                r_b: [0; 65],
                s_b: [0; 32],
            };
            calls.handle(k::kuaimi_sm2_response_free, |it| unsafe {
                let mut result = k::kuaimi_error::KUAIMI_OK;
                k::kuaimi_sm2_exchange_respond_batch(&mut item, 1, shared_len, it, &mut result)
            });
        }
        2 => {
            let it = calls.any();
            calls.done(unsafe {
                k::kuaimi_sm2_initiator_finish(
                    it,
                    start,
                    len,
                    confirmation,
                    place,
                    shared_len,
                    other.as_mut_ptr(),
                )
            });
        }
        3 => {
            let it = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_initiator_to_bytes(it, out, out_len)
            });
        }
        4 => {
            let key = calls.any();
            calls.handle(k::kuaimi_sm2_initiator_free, |it| unsafe {
                k::kuaimi_sm2_initiator_from_bytes(key, start, len, it)
            });
        }
        5 => {
            let it = calls.any();
            calls.done(unsafe {
                k::kuaimi_sm2_response_confirm(it, confirmation, place, shared_len)
            });
        }
        6 => {
            let it = calls.any();
            calls.output(|out, out_len| unsafe {
                k::kuaimi_sm2_response_to_bytes(it, out, out_len)
            });
        }
        _ => calls.handle(k::kuaimi_sm2_response_free, |it| unsafe {
            k::kuaimi_sm2_response_from_bytes(start, len, it)
        }),
    }
    calls.keep(&*point);
    calls.keep(&*other);
}
