//! SM3, HMAC, the KDF, SM4 and its modes.

use kuaimi_c as k;

use super::Calls;

pub(super) fn call(calls: &mut Calls<'_>) {
    match calls.number() % 3 {
        0 => hash(calls),
        1 => cipher(calls),
        _ => stream(calls),
    }
}

// SAFETY of all calls below: handles came from the library or are null, and each pointer is to as
// many bytes as the length beside it says, or as the header says where there is none.

fn hash(calls: &mut Calls<'_>) {
    let data = calls.data();
    let (start, len) = (data.as_ptr(), data.len());
    let mut out = Box::new([0; 32]);
    match calls.number() % 9 {
        0 => calls.handle(k::kuaimi_sm3_free, |it| unsafe { k::kuaimi_sm3_new(it) }),
        1 => {
            let hash = calls.any();
            calls.done(unsafe { k::kuaimi_sm3_update(hash, start, len) });
        }
        2 => {
            let hash = calls.any();
            calls.done(unsafe { k::kuaimi_sm3_finish(hash, out.as_mut_ptr()) });
        }
        3 => {
            let hash = calls.any();
            calls.handle(k::kuaimi_sm3_free, |it| unsafe {
                k::kuaimi_sm3_clone(hash, it)
            });
        }
        4 => calls.handle(k::kuaimi_hmac_sm3_free, |it| unsafe {
            k::kuaimi_hmac_sm3_new(start, len, it)
        }),
        5 => {
            let hmac = calls.any();
            calls.done(unsafe { k::kuaimi_hmac_sm3_update(hmac, start, len) });
        }
        6 => {
            let (hmac, mac) = (calls.any(), calls.array::<32>());
            calls.done(unsafe { k::kuaimi_hmac_sm3_verify(hmac, mac.as_ptr()) });
        }
        7 => {
            let blocks = calls.data();
            let mut state = Box::new([0; 32]);
            calls.done(unsafe {
                k::kuaimi_sm3_compress(state.as_mut_ptr(), blocks.as_ptr(), blocks.len() / 64)
            });
        }
        _ => {
            let mut out = vec![0; calls.number() * 5];
            calls.done(unsafe { k::kuaimi_sm3_kdf(start, len, out.as_mut_ptr(), out.len()) });
            calls.keep(&out);
        }
    }
    calls.keep(&*out);
}

fn cipher(calls: &mut Calls<'_>) {
    let (key, iv) = (calls.array::<32>(), calls.array::<16>());
    let (key, iv) = (key.as_ptr(), iv.as_ptr());
    let standard = calls.constant();
    match calls.number() % 12 {
        0 => calls.handle(k::kuaimi_sm4_free, |it| unsafe {
            k::kuaimi_sm4_new(key, it)
        }),
        1 => calls.handle(k::kuaimi_sm4_gcm_free, |it| unsafe {
            k::kuaimi_sm4_gcm_new(key, it)
        }),
        2 => calls.handle(k::kuaimi_sm4_ccm_free, |it| unsafe {
            k::kuaimi_sm4_ccm_new(key, it)
        }),
        3 => calls.handle(k::kuaimi_sm4_cbc_free, |it| unsafe {
            k::kuaimi_sm4_cbc_new(key, it)
        }),
        4 => calls.handle(k::kuaimi_sm4_xts_free, |it| unsafe {
            k::kuaimi_sm4_xts_new(key, standard, it)
        }),
        number => {
            let data = calls.data();
            let (start, len) = (data.as_ptr(), data.len());
            let mut out = vec![0; len].into_boxed_slice();
            let place = out.as_mut_ptr();
            let (nonce, associated) = (calls.data(), calls.data());
            let (n, n_len) = (nonce.as_ptr(), nonce.len());
            let (a, a_len) = (associated.as_ptr(), associated.len());
            let mut tag = calls.data();
            let tag_len = tag.len();
            let mut whole_tag = calls.array::<16>();
            match number {
                5 => {
                    let it = calls.any();
                    calls.done(unsafe { k::kuaimi_sm4_ecb_encrypt(it, start, len, place) });
                }
                6 => {
                    let it = calls.any();
                    calls.done(unsafe {
                        k::kuaimi_sm4_gcm_seal(
                            it,
                            n,
                            n_len,
                            a,
                            a_len,
                            start,
                            len,
                            place,
                            whole_tag.as_mut_ptr(),
                        )
                    });
                    calls.keep(&*whole_tag);
                }
                7 => {
                    let it = calls.any();
                    calls.done(unsafe {
                        k::kuaimi_sm4_gcm_open(
                            it,
                            n,
                            n_len,
                            a,
                            a_len,
                            start,
                            len,
                            whole_tag.as_ptr(),
                            place,
                        )
                    });
                    let bytes = |data, len| k::kuaimi_bytes { data, len };
                    let opening = k::kuaimi_sm4_gcm_open_item {
                        key,
                        nonce: bytes(n, n_len),
                        associated_data: bytes(a, a_len),
                        data: bytes(start, len),
                        tag: whole_tag.as_ptr(),
                        out: place,
                    };
                    let sealing = k::kuaimi_sm4_gcm_seal_item {
                        key,
                        nonce: opening.nonce,
                        associated_data: opening.associated_data,
                        data: opening.data,
                        out: place,
                        tag: whole_tag.as_mut_ptr(),
                    };
                    let mut results = [k::kuaimi_error::KUAIMI_OK; 2];
                    let (first, second) = results.split_at_mut(1);
                    calls.done(unsafe {
                        k::kuaimi_sm4_gcm_open_batch(&opening, 1, first.as_mut_ptr())
                    });
                    calls.done(unsafe {
                        k::kuaimi_sm4_gcm_seal_batch(&sealing, 1, second.as_mut_ptr())
                    });
                    results.into_iter().for_each(|error| calls.done(error));
                    calls.keep(&*whole_tag);
                }
                8 => {
                    let (it, tag) = (calls.any(), tag.as_mut_ptr());
                    calls.done(unsafe {
                        k::kuaimi_sm4_ccm_seal(
                            it, n, n_len, a, a_len, start, len, place, tag, tag_len,
                        )
                    });
                }
                9 => {
                    let (it, tag) = (calls.any(), tag.as_ptr());
                    calls.done(unsafe {
                        k::kuaimi_sm4_ccm_open(
                            it, n, n_len, a, a_len, start, len, tag, tag_len, place,
                        )
                    });
                }
                10 => {
                    let it = calls.any();
                    calls.output(|out, out_len| unsafe {
                        k::kuaimi_sm4_cbc_encrypt_padded(it, iv, start, len, out, out_len)
                    });
                    calls.output(|out, out_len| unsafe {
                        k::kuaimi_sm4_cbc_decrypt_padded(it, iv, start, len, out, out_len)
                    });
                }
                _ => {
                    let it = calls.any();
                    calls.done(unsafe { k::kuaimi_sm4_xts_encrypt(it, iv, start, len, place) });
                }
            }
            calls.keep(&out);
        }
    }
}

fn stream(calls: &mut Calls<'_>) {
    let (key, iv) = (calls.array::<16>(), calls.array::<16>());
    let (key, iv) = (key.as_ptr(), iv.as_ptr());
    let data = calls.data();
    let (start, len) = (data.as_ptr(), data.len());
    let mut out = vec![0; len].into_boxed_slice();
    let place = out.as_mut_ptr();
    let mut tag = calls.array::<16>();
    match calls.number() % 13 {
        0 => {
            let gcm = calls.any();
            calls.handle(k::kuaimi_sm4_gcm_stream_free, |it| unsafe {
                k::kuaimi_sm4_gcm_stream_new(gcm, start, len, it)
            });
        }
        1 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_sm4_gcm_stream_associated_data(it, start, len) });
        }
        2 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_sm4_gcm_stream_encrypt(it, start, len, place) });
        }
        3 => {
            let it = calls.any();
            calls.done(unsafe {
                k::kuaimi_sm4_gcm_stream_decrypt_unverified(it, start, len, place)
            });
        }
        4 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_sm4_gcm_stream_tag(it, tag.as_mut_ptr()) });
            calls.keep(&*tag);
        }
        5 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_sm4_gcm_stream_verify(it, tag.as_ptr()) });
        }
        6 => calls.handle(k::kuaimi_sm4_cfb_free, |it| unsafe {
            k::kuaimi_sm4_cfb_new(key, iv, it)
        }),
        7 => calls.handle(k::kuaimi_sm4_ofb_free, |it| unsafe {
            k::kuaimi_sm4_ofb_new(key, iv, it)
        }),
        8 => calls.handle(k::kuaimi_sm4_ctr_free, |it| unsafe {
            k::kuaimi_sm4_ctr_new(key, iv, it)
        }),
        9 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_sm4_cfb_decrypt(it, start, len, place) });
        }
        10 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_sm4_ofb_apply(it, start, len, place) });
        }
        11 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_sm4_ctr_apply(it, start, len, place) });
        }
        _ => {
            let it = calls.any();
            calls.handle(k::kuaimi_sm4_ctr_free, |new| unsafe {
                k::kuaimi_sm4_ctr_clone(it, new)
            });
        }
    }
    calls.keep(&out);
}
