//! SM3 and SM4.

use std::ptr::null_mut;

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

use super::{bytes, vectors};

#[test]
fn sm3() {
    for example in vectors("sm3_sm4.json")["sm3"].as_array().expect("a list") {
        let (message, expected) = (bytes(&example["message"]), bytes(&example["digest"]));
        let mut digest = [0; 32];
        call!(kuaimi_sm3_digest(
            message.as_ptr(),
            message.len(),
            digest.as_mut_ptr()
        ));
        assert_eq!(digest[..], expected);

        let (mut hash, mut copy) = (null_mut(), null_mut());
        call!(kuaimi_sm3_new(&mut hash));
        call!(kuaimi_sm3_update(hash, message.as_ptr(), 1));
        call!(kuaimi_sm3_clone(hash, &mut copy));
        for hash in [hash, copy] {
            digest = [0; 32];
            call!(kuaimi_sm3_update(
                hash,
                message[1..].as_ptr(),
                message.len() - 1
            ));
            call!(kuaimi_sm3_finish(hash, digest.as_mut_ptr()));
            assert_eq!(digest[..], expected);
            // It is as new, after the end and after a reset.
            for is_reset in [false, true] {
                if is_reset {
                    call!(kuaimi_sm3_update(hash, b"forgotten".as_ptr(), 9));
                    call!(kuaimi_sm3_reset(hash));
                }
                call!(kuaimi_sm3_update(hash, message.as_ptr(), message.len()));
                digest = [0; 32];
                call!(kuaimi_sm3_finish(hash, digest.as_mut_ptr()));
                assert_eq!(digest[..], expected);
            }
            free!(kuaimi_sm3_free(hash));
        }
    }
}

#[test]
fn sm3_block_by_block() {
    // 200 bytes are three whole blocks and the last one, which has the padding.
    let message: [u8; 200] = std::array::from_fn(|i| i as u8);
    let mut blocks = [0; 256];
    blocks[..200].copy_from_slice(&message);
    blocks[200] = 0x80;
    blocks[248..].copy_from_slice(&1600u64.to_be_bytes());
    let mut state = kuaimi::sm3::INITIAL_STATE;
    call!(kuaimi_sm3_compress(state.as_mut_ptr(), null_mut(), 0));
    assert_eq!(state, kuaimi::sm3::INITIAL_STATE);
    call!(kuaimi_sm3_compress(state.as_mut_ptr(), blocks.as_ptr(), 1));
    let rest = blocks[64..].as_ptr();
    call!(kuaimi_sm3_compress(state.as_mut_ptr(), rest, 3));
    assert_eq!(state, kuaimi::sm3::digest(&message));
}

#[test]
fn sm3_of_many_and_kdf_and_hmac() {
    let messages: [&[u8]; 3] = [b"abc", b"", b"a longer message"];
    let list = messages.map(|message| kuaimi_bytes {
        data: message.as_ptr(),
        len: message.len(),
    });
    let mut digests = [0; 96];
    call!(kuaimi_sm3_digest_many(
        list.as_ptr(),
        3,
        digests.as_mut_ptr()
    ));
    assert_eq!(digests, *messages.map(kuaimi::sm3::digest).as_flattened());

    let (mut derived, mut expected) = ([0; 100], [0; 100]);
    call!(kuaimi_sm3_kdf(
        b"secret".as_ptr(),
        6,
        derived.as_mut_ptr(),
        100
    ));
    kuaimi::sm3::kdf(b"secret", &mut expected).expect("a key");
    assert_eq!(derived, expected);

    let expected = kuaimi::sm3::hmac_sm3(b"key", b"a message");
    let mut mac = [0; 32];
    call!(kuaimi_hmac_sm3_digest(
        b"key".as_ptr(),
        3,
        b"a message".as_ptr(),
        9,
        mac.as_mut_ptr()
    ));
    assert_eq!(mac, expected);
    let mut hmac = null_mut();
    call!(kuaimi_hmac_sm3_new(b"key".as_ptr(), 3, &mut hmac));
    for _ in 0..2 {
        call!(kuaimi_hmac_sm3_update(hmac, b"a mess".as_ptr(), 6));
        // A copy has its own end, and the key for the message after it.
        let mut copy = null_mut();
        call!(kuaimi_hmac_sm3_clone(hmac, &mut copy));
        for begin in [b"".as_slice(), b"a mess"] {
            call!(kuaimi_hmac_sm3_update(copy, begin.as_ptr(), begin.len()));
            call!(kuaimi_hmac_sm3_update(copy, b"age".as_ptr(), 3));
            mac = [0; 32];
            call!(kuaimi_hmac_sm3_finish(copy, mac.as_mut_ptr()));
            assert_eq!(mac, expected);
        }
        free!(kuaimi_hmac_sm3_free(copy));
        call!(kuaimi_hmac_sm3_update(hmac, b"age".as_ptr(), 3));
        mac = [0; 32];
        call!(kuaimi_hmac_sm3_finish(hmac, mac.as_mut_ptr()));
        assert_eq!(mac, expected);
    }
    call!(kuaimi_hmac_sm3_update(hmac, b"a message".as_ptr(), 9));
    call!(kuaimi_hmac_sm3_verify(hmac, mac.as_ptr()));
    // SAFETY: the handle is not freed yet; then it is, once.
    unsafe {
        assert_eq!(
            kuaimi_hmac_sm3_verify(hmac, mac.as_ptr()),
            KUAIMI_ERROR_INVALID_SIGNATURE
        );
        kuaimi_hmac_sm3_free(hmac);
    }
}

#[test]
fn sm4() {
    for example in vectors("sm3_sm4.json")["sm4"].as_array().expect("a list") {
        let (key, expected) = (bytes(&example["key"]), bytes(&example["ciphertext"]));
        let plaintext = bytes(&example["plaintext"]);
        let mut block = plaintext.clone();
        let mut cipher = null_mut();
        call!(kuaimi_sm4_new(key.as_ptr(), &mut cipher));
        for _ in 0..example["rounds_applied"].as_u64().expect("a number") {
            call!(kuaimi_sm4_ecb_encrypt(
                cipher,
                block.as_ptr(),
                16,
                block.as_mut_ptr()
            ));
        }
        assert_eq!(block, expected);
        for _ in 0..example["rounds_applied"].as_u64().expect("a number") {
            call!(kuaimi_sm4_ecb_decrypt(
                cipher,
                block.as_ptr(),
                16,
                block.as_mut_ptr()
            ));
        }
        assert_eq!(block, plaintext);
        free!(kuaimi_sm4_free(cipher));
    }
}

/// RFC 8998, appendix A.1.
#[test]
fn sm4_gcm() {
    let key = hex::decode("0123456789abcdeffedcba9876543210").expect("hexadecimal");
    let nonce = hex::decode("00001234567800000000abcd").expect("hexadecimal");
    let associated = hex::decode("feedfacedeadbeeffeedfacedeadbeefabaddad2").expect("hexadecimal");
    let plaintext = hex::decode(
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd\
         eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa",
    )
    .expect("hexadecimal");
    let expected = "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735\
                    d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d";
    let mut cipher = null_mut();
    call!(kuaimi_sm4_gcm_new(key.as_ptr(), &mut cipher));
    let (mut out, mut tag) = (vec![0; plaintext.len()], [0; 16]);
    call!(kuaimi_sm4_gcm_seal(
        cipher,
        nonce.as_ptr(),
        12,
        associated.as_ptr(),
        associated.len(),
        plaintext.as_ptr(),
        plaintext.len(),
        out.as_mut_ptr(),
        tag.as_mut_ptr(),
    ));
    assert_eq!(hex::encode(&out), expected);
    assert_eq!(hex::encode(tag), "83de3541e4c2b58177e065a9bf7b62ec");
    let open = |tag: &[u8; 16], out: &mut [u8]| {
        // SAFETY: slices with their lengths, of which input and output are the same.
        unsafe {
            kuaimi_sm4_gcm_open(
                cipher,
                nonce.as_ptr(),
                12,
                associated.as_ptr(),
                associated.len(),
                out.as_ptr(),
                out.len(),
                tag.as_ptr(),
                out.as_mut_ptr(),
            )
        }
    };
    tag[0] ^= 1;
    assert_eq!(open(&tag, &mut out), KUAIMI_ERROR_DECRYPTION_FAILED);
    assert_eq!(hex::encode(&out), expected, "nothing was decrypted");
    tag[0] ^= 1;
    assert_eq!(open(&tag, &mut out), KUAIMI_OK);
    assert_eq!(out, plaintext);
    free!(kuaimi_sm4_gcm_free(cipher));
}

/// The modes whose tests are in the Rust library, against it.
#[test]
fn sm4_cbc_ctr_xts() {
    use kuaimi::sm4::{Sm4Cbc, Sm4Ctr, Sm4Xts, XtsStandard};
    let (key, iv, data) = ([7; 16], [9; 16], [3; 80]);
    let mut out = [0; 80];

    let mut expected = data;
    Sm4Cbc::new(&key)
        .encrypt(&iv, &mut expected)
        .expect("whole blocks");
    let mut cbc = null_mut();
    call!(kuaimi_sm4_cbc_new(key.as_ptr(), &mut cbc));
    call!(kuaimi_sm4_cbc_encrypt(
        cbc,
        iv.as_ptr(),
        data.as_ptr(),
        80,
        out.as_mut_ptr()
    ));
    assert_eq!(out, expected);
    call!(kuaimi_sm4_cbc_decrypt(
        cbc,
        iv.as_ptr(),
        out.as_ptr(),
        80,
        out.as_mut_ptr()
    ));
    assert_eq!(out, data);
    for length in [0, 1, 15, 16, 17] {
        let sealed = output!(|out, len| kuaimi_sm4_cbc_encrypt_padded(
            cbc,
            iv.as_ptr(),
            data.as_ptr(),
            length,
            out,
            len
        ));
        assert_eq!(
            sealed,
            Sm4Cbc::new(&key).encrypt_padded(&iv, &data[..length])
        );
        let opened = output!(|out, len| kuaimi_sm4_cbc_decrypt_padded(
            cbc,
            iv.as_ptr(),
            sealed.as_ptr(),
            sealed.len(),
            out,
            len
        ));
        assert_eq!(opened, data[..length]);
        for wrong in [&sealed[..0], &sealed[..sealed.len() - 1]] {
            let (mut buffer, mut len) = ([0; 80], 80);
            // SAFETY: slices with their lengths.
            let result = unsafe {
                kuaimi_sm4_cbc_decrypt_padded(
                    cbc,
                    iv.as_ptr(),
                    wrong.as_ptr(),
                    wrong.len(),
                    buffer.as_mut_ptr(),
                    &mut len,
                )
            };
            assert_eq!(result, KUAIMI_ERROR_DECRYPTION_FAILED);
        }
    }

    let mut expected = data;
    Sm4Ctr::new(&key, &iv).apply(&mut expected);
    let mut ctr = null_mut();
    call!(kuaimi_sm4_ctr_new(key.as_ptr(), iv.as_ptr(), &mut ctr));
    call!(kuaimi_sm4_ctr_apply(
        ctr,
        data.as_ptr(),
        33,
        out.as_mut_ptr()
    ));
    call!(kuaimi_sm4_ctr_apply(
        ctr,
        data[33..].as_ptr(),
        47,
        out[33..].as_mut_ptr()
    ));
    assert_eq!(out, expected);

    let mut key = [1; 32];
    let mut xts = null_mut();
    // SAFETY: an array of the length that is read.
    let equal = unsafe { kuaimi_sm4_xts_new(key.as_ptr(), KUAIMI_SM4_XTS_GB, &mut xts) };
    assert_eq!((equal, xts.is_null()), (KUAIMI_ERROR_EQUAL_HALVES, true));
    key[0] = 2;
    let standards = [
        (KUAIMI_SM4_XTS_GB, XtsStandard::Gb),
        (KUAIMI_SM4_XTS_IEEE, XtsStandard::Ieee),
    ];
    for (number, standard) in standards {
        let mut expected = data;
        let cipher = Sm4Xts::new(&key, standard).expect("a key");
        cipher.encrypt(&iv, &mut expected).expect("enough data");
        call!(kuaimi_sm4_xts_new(key.as_ptr(), number, &mut xts));
        call!(kuaimi_sm4_xts_encrypt(
            xts,
            iv.as_ptr(),
            data.as_ptr(),
            80,
            out.as_mut_ptr()
        ));
        assert_eq!(out, expected);
        call!(kuaimi_sm4_xts_decrypt(
            xts,
            iv.as_ptr(),
            out.as_ptr(),
            80,
            out.as_mut_ptr()
        ));
        assert_eq!(out, data);
        free!(kuaimi_sm4_xts_free(xts));
    }
    free!(kuaimi_sm4_cbc_free(cbc); kuaimi_sm4_ctr_free(ctr));
}
