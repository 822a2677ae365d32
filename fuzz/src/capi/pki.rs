//! Certificates, chains, messages and PKCS #12.

use std::ptr::{null, null_mut};

use kuaimi_c as k;

use super::Calls;

const CERTIFICATE: &[u8] =
    include_bytes!("../../../crates/kuaimi-pki/tests/data/message/alice.pem");
const KEY: &[u8] = include_bytes!("../../../crates/kuaimi-pki/tests/data/message/alice.key");
/// 2026-06-01 00:00:00 UTC.
const NOW: u64 = 1_780_272_000;

// SAFETY of all calls below: handles came from the library or are null, and each pointer is to as
// many bytes as the length beside it says, or as the header says where there is none.

pub(super) fn call(calls: &mut Calls<'_>) {
    match calls.number() % 5 {
        0 => read(calls),
        1 => look(calls),
        2 => chain(calls),
        3 => signed(calls),
        _ => encrypted(calls),
    }
}

/// Handles of any type.
fn list(calls: &mut Calls<'_>) -> Box<[*mut k::kuaimi_certificate]> {
    let count = calls.number() % 3;
    (0..count).map(|_| calls.any()).collect()
}

fn read(calls: &mut Calls<'_>) {
    let data = calls.data();
    let (start, len) = (data.as_ptr(), data.len());
    let (certificate, key) = (CERTIFICATE, KEY);
    match calls.number() % 7 {
        0 | 1 => calls.handle(k::kuaimi_certificate_free, |it| unsafe {
            k::kuaimi_certificate_read(certificate.as_ptr(), certificate.len(), it)
        }),
        2 => calls.handle(k::kuaimi_sm2_private_key_free, |it| unsafe {
            k::kuaimi_sm2_private_key_read(key.as_ptr(), key.len(), null(), 0, it)
        }),
        3 => calls.handle(k::kuaimi_certificate_free, |it| unsafe {
            k::kuaimi_certificate_read(start, len, it)
        }),
        4 => {
            let (mut count, mut all) = (0, [null_mut(); 4]);
            let error = unsafe { k::kuaimi_certificate_count(start, len, &mut count) };
            calls.done(error);
            let count = count.min(4);
            let error =
                unsafe { k::kuaimi_certificate_read_all(start, len, all.as_mut_ptr(), count) };
            calls.done(error);
            for it in all {
                unsafe { k::kuaimi_certificate_free(it) };
            }
        }
        5 => {
            let (mut key, mut certificate) = (null_mut(), null_mut());
            let error = unsafe {
                k::kuaimi_cfca_read_key_file(
                    start,
                    len,
                    b"a".as_ptr(),
                    1,
                    &mut key,
                    &mut certificate,
                )
            };
            calls.done(error);
            assert_eq!(key.is_null(), certificate.is_null());
            unsafe { k::kuaimi_sm2_private_key_free(key) };
            unsafe { k::kuaimi_certificate_free(certificate) };
        }
        // Bytes that were changed may ask for millions of iterations: what was just written does
        // not.
        _ => {
            let (key, certificate) = (calls.any(), calls.any());
            let above = list(calls);
            let profile = k::KUAIMI_PKCS12_LEGACY;
            let (mut file, mut length) = (vec![0; 1 << 14], 1 << 14);
            let error = unsafe {
                k::kuaimi_pkcs12_write(
                    key,
                    certificate,
                    above.as_ptr(),
                    above.len(),
                    start,
                    len,
                    profile,
                    file.as_mut_ptr(),
                    &mut length,
                )
            };
            calls.done(error);
            if error == k::kuaimi_error::KUAIMI_OK {
                calls.handle(k::kuaimi_pkcs12_free, |it| unsafe {
                    k::kuaimi_pkcs12_read(file.as_ptr(), length, start, len, it)
                });
            }
        }
    }
}

fn look(calls: &mut Calls<'_>) {
    let (form, index, place) = (calls.constant(), calls.number() % 3, calls.number() % 3);
    let (mut number, mut moments) = (0, [0; 2]);
    match calls.number() % 9 {
        0 => {
            let it = calls.any();
            calls.output(|out, len| unsafe { k::kuaimi_certificate_write(it, form, out, len) });
        }
        1 => {
            let it = calls.any();
            calls.output(|out, len| unsafe { k::kuaimi_certificate_subject(it, out, len) });
            calls.output(|out, len| unsafe { k::kuaimi_certificate_issuer(it, out, len) });
            calls.output(|out, len| unsafe { k::kuaimi_certificate_serial(it, out, len) });
        }
        2 => {
            let it = calls.any();
            let [from, until] = &mut moments;
            calls.done(unsafe { k::kuaimi_certificate_validity(it, from, until) });
        }
        3 => {
            let it = calls.any();
            calls.handle(k::kuaimi_sm2_public_key_free, |new| unsafe {
                k::kuaimi_certificate_public_key(it, new)
            });
        }
        4 => {
            let (it, issuer) = (calls.any(), calls.any());
            calls.done(unsafe { k::kuaimi_certificate_verify_signature(it, issuer, form) });
        }
        5 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_pkcs12_key_count(it, &mut number) });
            calls.done(unsafe { k::kuaimi_pkcs12_certificate_count(it, index, &mut number) });
        }
        6 => {
            let it = calls.any();
            calls.handle(k::kuaimi_sm2_private_key_free, |new| unsafe {
                k::kuaimi_pkcs12_key(it, index, new)
            });
        }
        7 => {
            let it = calls.any();
            calls.handle(k::kuaimi_certificate_free, |new| unsafe {
                k::kuaimi_pkcs12_certificate(it, index, place, new)
            });
        }
        _ => {
            let it = calls.any();
            calls.output(|out, len| unsafe { k::kuaimi_cms_verified_content(it, out, len) });
            calls.done(unsafe { k::kuaimi_cms_verified_signer_count(it, &mut number) });
            calls.done(unsafe { k::kuaimi_cms_verified_certificate_count(it, &mut number) });
            let [time, _] = &mut moments;
            calls.done(unsafe { k::kuaimi_cms_verified_signing_time(it, index, time) });
            calls.handle(k::kuaimi_certificate_free, |new| unsafe {
                k::kuaimi_cms_verified_signer(it, index, new)
            });
            calls.handle(k::kuaimi_certificate_free, |new| unsafe {
                k::kuaimi_cms_verified_certificate(it, index, new)
            });
        }
    }
}

fn chain(calls: &mut Calls<'_>) {
    let data = calls.data();
    let (start, len) = (data.as_ptr(), data.len());
    match calls.number() % 6 {
        0 => calls.handle(k::kuaimi_verifier_free, |it| unsafe {
            k::kuaimi_verifier_new(it)
        }),
        1 => {
            let (it, certificate) = (calls.any(), calls.any());
            calls.done(unsafe { k::kuaimi_verifier_add_anchor(it, certificate) });
        }
        2 => {
            let (it, certificate) = (calls.any(), calls.any());
            calls.done(unsafe { k::kuaimi_verifier_add_intermediate(it, certificate) });
        }
        3 => {
            let it = calls.any();
            calls.done(unsafe { k::kuaimi_verifier_add_crl(it, start, len) });
        }
        _ => {
            let (it, end, others) = (calls.any(), calls.any(), list(calls));
            let (purpose, revocation, identities) =
                (calls.constant(), calls.constant(), calls.constant());
            calls.done(unsafe {
                k::kuaimi_verifier_verify(
                    it,
                    end,
                    others.as_ptr(),
                    others.len(),
                    start,
                    len,
                    purpose,
                    revocation,
                    identities,
                    NOW,
                )
            });
            calls.output(|out, out_len| unsafe {
                k::kuaimi_verifier_explain(
                    it,
                    end,
                    others.as_ptr(),
                    others.len(),
                    start,
                    len,
                    purpose,
                    revocation,
                    identities,
                    NOW,
                    out,
                    out_len,
                )
            });
        }
    }
}

fn signed(calls: &mut Calls<'_>) {
    let (data, others) = (calls.data(), list(calls));
    let (start, len) = (data.as_ptr(), data.len());
    let form = calls.constant();
    if calls.number().is_multiple_of(2) {
        let (key, certificate) = (calls.any(), calls.any());
        let options = k::kuaimi_cms_sign_options {
            signing_time: calls.input.arbitrary().unwrap_or(0),
            content: calls.constant(),
            attributes: calls.constant(),
            identity: calls.constant(),
            id: calls.constant(),
        };
        let options: *const _ = match calls.number() % 2 {
            0 => null(),
            _ => &options,
        };
        calls.output(|out, out_len| unsafe {
            k::kuaimi_cms_sign(
                key,
                certificate,
                others.as_ptr(),
                others.len(),
                start,
                len,
                form,
                options,
                out,
                out_len,
            )
        });
        return;
    }
    let content = calls.data();
    let (content, content_len) = match calls.number() % 2 {
        0 => (null(), 0),
        _ => (content.as_ptr(), content.len()),
    };
    calls.handle(k::kuaimi_cms_verified_free, |it| unsafe {
        k::kuaimi_cms_verify(
            others.as_ptr(),
            others.len(),
            start,
            len,
            content,
            content_len,
            form,
            it,
        )
    });
}

fn encrypted(calls: &mut Calls<'_>) {
    let (data, recipients) = (calls.data(), list(calls));
    let (start, len) = (data.as_ptr(), data.len());
    let (form, cipher, id) = (calls.constant(), calls.constant(), calls.constant());
    if calls.number().is_multiple_of(2) {
        calls.output(|out, out_len| unsafe {
            k::kuaimi_cms_encrypt(
                recipients.as_ptr(),
                recipients.len(),
                start,
                len,
                form,
                cipher,
                id,
                out,
                out_len,
            )
        });
        return;
    }
    let (key, certificate) = (calls.any(), calls.any());
    calls.output(|out, out_len| unsafe {
        k::kuaimi_cms_decrypt(key, certificate, start, len, out, out_len)
    });
}
