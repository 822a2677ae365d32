//! SM4 in the modes whose messages come in pieces, and CCM: against the published examples, and the
//! Rust library.

use std::ptr::null_mut;

use kuaimi::sm4::{Sm4Cfb, Sm4Ctr, Sm4Gcm, Sm4Ofb};
use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

use super::{bytes, vectors};

/// RFC 8998, appendix A.2.
#[test]
fn ccm() {
    let examples = vectors("sm4_modes.json");
    let example = &examples["aead"][1];
    assert_eq!(example["mode"], "ccm");
    let [key, nonce, beside, plaintext, ciphertext, tag] = [
        "key",
        "nonce",
        "associated_data",
        "plaintext",
        "ciphertext",
        "tag",
    ]
    .map(|name| bytes(&example[name]));
    let mut cipher = null_mut();
    call!(kuaimi_sm4_ccm_new(key.as_ptr(), &mut cipher));
    let seal = |nonce: &[u8], out: &mut [u8], tag: &mut [u8]| {
        // SAFETY: slices with their lengths, of which input and output are the same.
        unsafe {
            kuaimi_sm4_ccm_seal(
                cipher,
                nonce.as_ptr(),
                nonce.len(),
                beside.as_ptr(),
                beside.len(),
                out.as_ptr(),
                out.len(),
                out.as_mut_ptr(),
                tag.as_mut_ptr(),
                tag.len(),
            )
        }
    };
    let open = |tag: &[u8], out: &mut [u8]| {
        // SAFETY: as above.
        unsafe {
            kuaimi_sm4_ccm_open(
                cipher,
                nonce.as_ptr(),
                nonce.len(),
                beside.as_ptr(),
                beside.len(),
                out.as_ptr(),
                out.len(),
                tag.as_ptr(),
                tag.len(),
                out.as_mut_ptr(),
            )
        }
    };
    let (mut out, mut made) = (plaintext.clone(), [0; 16]);
    assert_eq!(seal(&nonce, &mut out, &mut made), KUAIMI_OK);
    assert_eq!((&out[..], &made[..]), (&ciphertext[..], &tag[..]));
    made[0] ^= 1;
    assert_eq!(open(&made, &mut out), KUAIMI_ERROR_DECRYPTION_FAILED);
    assert_eq!(out, ciphertext, "nothing was decrypted");
    assert_eq!(open(&tag[..5], &mut out), KUAIMI_ERROR_TAG_LENGTH);
    assert_eq!(open(&tag, &mut out), KUAIMI_OK);
    assert_eq!(out, plaintext);

    let mut short = [0; 8];
    assert_eq!(seal(&nonce, &mut out, &mut short), KUAIMI_OK);
    assert_eq!(open(&short, &mut out), KUAIMI_OK);
    assert_eq!(out, plaintext);
    assert_eq!(
        seal(&nonce, &mut out, &mut [0; 17]),
        KUAIMI_ERROR_TAG_LENGTH
    );
    assert_eq!(
        seal(&nonce[..6], &mut out, &mut made),
        KUAIMI_ERROR_NONCE_LENGTH
    );
    assert_eq!(
        seal(&[0; 13], &mut vec![0; 65536], &mut made),
        KUAIMI_ERROR_MESSAGE_TOO_LONG
    );
    assert_eq!(out, plaintext);
    free!(kuaimi_sm4_ccm_free(cipher));
}

/// The result of one of the functions for the next bytes, given in two pieces, of which a copy of
/// the state gets the second, too.
macro_rules! in_pieces {
    ($handle:expr, $apply:ident, $clone:ident, $free:ident, $data:expr) => {{
        let data: &[u8] = &$data;
        let (mut out, mut copied) = (vec![0; data.len()], vec![0; data.len() - 37]);
        let mut copy = null_mut();
        call!($apply($handle, data.as_ptr(), 37, out.as_mut_ptr()));
        call!($clone($handle, &mut copy));
        for (handle, out) in [($handle, &mut out[37..]), (copy, &mut copied[..])] {
            call!($apply(
                handle,
                data[37..].as_ptr(),
                data.len() - 37,
                out.as_mut_ptr()
            ));
        }
        assert_eq!(copied, out[37..], "a copy goes on at the same place");
        free!($free(copy); $free($handle));
        out
    }};
}

#[test]
fn cfb_ofb_and_ctr() {
    let (key, iv, data) = ([7; 16], [9; 16], [3; 300]);
    let mut state = null_mut();

    let mut expected = data;
    Sm4Cfb::new(&key, &iv).encrypt(&mut expected);
    call!(kuaimi_sm4_cfb_new(key.as_ptr(), iv.as_ptr(), &mut state));
    let out = in_pieces!(
        state,
        kuaimi_sm4_cfb_encrypt,
        kuaimi_sm4_cfb_clone,
        kuaimi_sm4_cfb_free,
        data
    );
    assert_eq!(out, expected);
    call!(kuaimi_sm4_cfb_new(key.as_ptr(), iv.as_ptr(), &mut state));
    let back = in_pieces!(
        state,
        kuaimi_sm4_cfb_decrypt,
        kuaimi_sm4_cfb_clone,
        kuaimi_sm4_cfb_free,
        out
    );
    assert_eq!(back, data);

    let (mut state, mut expected) = (null_mut(), data);
    Sm4Ofb::new(&key, &iv).apply(&mut expected);
    call!(kuaimi_sm4_ofb_new(key.as_ptr(), iv.as_ptr(), &mut state));
    let out = in_pieces!(
        state,
        kuaimi_sm4_ofb_apply,
        kuaimi_sm4_ofb_clone,
        kuaimi_sm4_ofb_free,
        data
    );
    assert_eq!(out, expected);

    let (mut state, mut expected) = (null_mut(), data);
    Sm4Ctr::new(&key, &iv).apply(&mut expected);
    call!(kuaimi_sm4_ctr_new(key.as_ptr(), iv.as_ptr(), &mut state));
    let out = in_pieces!(
        state,
        kuaimi_sm4_ctr_apply,
        kuaimi_sm4_ctr_clone,
        kuaimi_sm4_ctr_free,
        data
    );
    assert_eq!(out, expected);
}

#[test]
fn gcm_in_pieces() {
    let (key, nonce, data) = ([7; 16], [9; 12], [3; 300]);
    let sealed = Sm4Gcm::new(&key)
        .seal(&nonce, b"a header", &data)
        .expect("a nonce");
    let mut cipher = null_mut();
    call!(kuaimi_sm4_gcm_new(key.as_ptr(), &mut cipher));
    let start = || {
        let mut stream = null_mut();
        call!(kuaimi_sm4_gcm_stream_new(
            cipher,
            nonce.as_ptr(),
            12,
            &mut stream
        ));
        for piece in [&b"a hea"[..], b"der"] {
            call!(kuaimi_sm4_gcm_stream_associated_data(
                stream,
                piece.as_ptr(),
                piece.len()
            ));
        }
        stream
    };
    let (encryption, decryption) = (start(), start());
    // The key is inside.
    free!(kuaimi_sm4_gcm_free(cipher));
    let (mut out, mut tag) = (data, [0; 16]);
    for piece in out.chunks_mut(77) {
        call!(kuaimi_sm4_gcm_stream_encrypt(
            encryption,
            piece.as_ptr(),
            piece.len(),
            piece.as_mut_ptr()
        ));
    }
    // SAFETY: a handle, and bytes with their number.
    unsafe {
        assert_eq!(
            kuaimi_sm4_gcm_stream_associated_data(encryption, data.as_ptr(), 1),
            KUAIMI_ERROR_ASSOCIATED_DATA_LATE
        );
    }
    call!(kuaimi_sm4_gcm_stream_tag(encryption, tag.as_mut_ptr()));
    assert_eq!([&out[..], &tag].concat(), sealed);
    for piece in out.chunks_mut(99) {
        call!(kuaimi_sm4_gcm_stream_decrypt_unverified(
            decryption,
            piece.as_ptr(),
            piece.len(),
            piece.as_mut_ptr()
        ));
    }
    assert_eq!(out, data);
    let mut copy = null_mut();
    call!(kuaimi_sm4_gcm_stream_clone(decryption, &mut copy));
    call!(kuaimi_sm4_gcm_stream_verify(decryption, tag.as_ptr()));
    tag[15] ^= 1;
    // SAFETY: handles, and bytes with their number.
    unsafe {
        assert_eq!(
            kuaimi_sm4_gcm_stream_verify(copy, tag.as_ptr()),
            KUAIMI_ERROR_DECRYPTION_FAILED
        );
        // All three have ended.
        for stream in [encryption, decryption, copy] {
            for result in [
                kuaimi_sm4_gcm_stream_associated_data(stream, data.as_ptr(), 1),
                kuaimi_sm4_gcm_stream_encrypt(stream, data.as_ptr(), 1, out.as_mut_ptr()),
                kuaimi_sm4_gcm_stream_decrypt_unverified(
                    stream,
                    data.as_ptr(),
                    1,
                    out.as_mut_ptr(),
                ),
                kuaimi_sm4_gcm_stream_tag(stream, tag.as_mut_ptr()),
                kuaimi_sm4_gcm_stream_verify(stream, tag.as_ptr()),
            ] {
                assert_eq!(result, KUAIMI_ERROR_ALREADY_USED);
            }
        }
    }
    free!(kuaimi_sm4_gcm_stream_free(encryption); kuaimi_sm4_gcm_stream_free(decryption));
    free!(kuaimi_sm4_gcm_stream_free(copy));
}
