//! What the C library does with secrets beside the operations: it copies, compares and wipes them.
//! The other bindings are made of the same functions, or of the Rust library's.

#![allow(unsafe_code, reason = "calls of the C library")]

use std::ptr::null_mut;

use anyhow::{Result, ensure};
use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;
use kuaimi_platform::memcheck::declassify;

use super::{Checks, publish, same, secret};

/// Calls a function of the C library, which must succeed.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: arrays of the lengths that are passed, and handles that are not freed yet.
        let error = unsafe { $name($($argument),*) };
        ensure!(error == KUAIMI_OK, "{}: {error:?}", stringify!($name));
    }};
}

pub(super) fn c_library(checks: &mut Checks) -> Result<()> {
    checks.check("C library: a private key in and out", || {
        let (bytes, mut out, mut length) = (secret(100), [0; 32], 32);
        let mut key = null_mut();
        call!(kuaimi_sm2_private_key_from_bytes(
            bytes.as_ptr(),
            32,
            &mut key
        ));
        call!(kuaimi_sm2_private_key_write(
            key,
            KUAIMI_KEY_RAW,
            out.as_mut_ptr(),
            &mut length
        ));
        // SAFETY: a handle that is not used again.
        unsafe { kuaimi_sm2_private_key_free(key) };
        ensure!(same(&out, &bytes)?, "the same key comes out");
        // SAFETY: a buffer with its length.
        unsafe { kuaimi_wipe(out.as_mut_ptr(), 32) };
        ensure!(out == [0; 32], "it is wiped");
        Ok(())
    })?;
    checks.check("C library: a signature", || {
        let (bytes, message) = (secret(101), secret(102));
        let (mut key, mut signing) = (null_mut(), null_mut());
        call!(kuaimi_sm2_private_key_from_bytes(
            bytes.as_ptr(),
            32,
            &mut key
        ));
        call!(kuaimi_sm2_signing_key_new(
            key,
            b"alice".as_ptr(),
            5,
            &mut signing
        ));
        let (mut signature, mut length) = ([0; 64], 64);
        call!(kuaimi_sm2_sign_deterministic(
            signing,
            message.as_ptr(),
            32,
            KUAIMI_SIGNATURE_RAW,
            signature.as_mut_ptr(),
            &mut length
        ));
        publish(&mut signature)?;
        // SAFETY: handles that are not used again.
        unsafe {
            kuaimi_sm2_signing_key_free(signing);
            kuaimi_sm2_private_key_free(key);
        }
        Ok(())
    })?;
    checks.check("C library: encryption and decryption by SM2", || {
        let (bytes, message) = (secret(103), secret(104));
        let mut public = kuaimi::sm2::PrivateKey::from_bytes(&bytes)?
            .public_key()
            .to_xy_bytes();
        publish(&mut public)?;
        let (mut key, mut recipient) = (null_mut(), null_mut());
        call!(kuaimi_sm2_private_key_from_bytes(
            bytes.as_ptr(),
            32,
            &mut key
        ));
        call!(kuaimi_sm2_public_key_from_bytes(
            public.as_ptr(),
            64,
            &mut recipient
        ));
        let (mut sealed, mut length) = ([0; 200], 200);
        call!(kuaimi_sm2_encrypt(
            recipient,
            message.as_ptr(),
            32,
            KUAIMI_SM2_CIPHERTEXT_C1C3C2,
            sealed.as_mut_ptr(),
            &mut length
        ));
        declassify(&mut sealed);
        let (mut opened, mut opened_length) = ([0; 200], 200);
        call!(kuaimi_sm2_decrypt(
            key,
            sealed.as_ptr(),
            length,
            KUAIMI_SM2_CIPHERTEXT_C1C3C2,
            opened.as_mut_ptr(),
            &mut opened_length
        ));
        ensure!(same(&opened[..opened_length], &message)?, "it decrypts");
        // SAFETY: handles that are not used again.
        unsafe {
            kuaimi_sm2_public_key_free(recipient);
            kuaimi_sm2_private_key_free(key);
        }
        Ok(())
    })?;
    // Whether each of the two tags is right: `hmac` branches on it.
    checks.check_verdicts(
        "C library: HMAC-SM3, and tags that are right and wrong",
        2,
        || {
            let (key, message) = (secret(105), secret(106));
            let (mut hmac, mut mac) = (null_mut(), [0; 32]);
            call!(kuaimi_hmac_sm3_new(key.as_ptr(), 32, &mut hmac));
            call!(kuaimi_hmac_sm3_update(hmac, message.as_ptr(), 32));
            call!(kuaimi_hmac_sm3_finish(hmac, mac.as_mut_ptr()));
            call!(kuaimi_hmac_sm3_update(hmac, message.as_ptr(), 32));
            call!(kuaimi_hmac_sm3_verify(hmac, mac.as_ptr()));
            mac[31] ^= 1;
            call!(kuaimi_hmac_sm3_update(hmac, message.as_ptr(), 32));
            // SAFETY: an array of the length that is read; then the handle is not used again.
            let wrong = unsafe { kuaimi_hmac_sm3_verify(hmac, mac.as_ptr()) };
            // SAFETY: as above.
            unsafe { kuaimi_hmac_sm3_free(hmac) };
            ensure!(wrong == KUAIMI_ERROR_INVALID_SIGNATURE, "a wrong tag");
            Ok(())
        },
    )?;
    checks.check("C library: SM4-GCM", || {
        let (key, message, nonce) = (secret(107), secret(108), [1; 12]);
        let (mut cipher, mut out, mut tag) = (null_mut(), [0; 32], [0; 16]);
        call!(kuaimi_sm4_gcm_new(key.as_ptr(), &mut cipher));
        call!(kuaimi_sm4_gcm_seal(
            cipher,
            nonce.as_ptr(),
            12,
            nonce.as_ptr(),
            12,
            message.as_ptr(),
            32,
            out.as_mut_ptr(),
            tag.as_mut_ptr()
        ));
        publish(&mut out)?;
        publish(&mut tag)?;
        let mut opened = [0; 32];
        call!(kuaimi_sm4_gcm_open(
            cipher,
            nonce.as_ptr(),
            12,
            nonce.as_ptr(),
            12,
            out.as_ptr(),
            32,
            tag.as_ptr(),
            opened.as_mut_ptr()
        ));
        // SAFETY: a handle that is not used again.
        unsafe { kuaimi_sm4_gcm_free(cipher) };
        ensure!(same(&opened, &message)?, "it decrypts");
        Ok(())
    })
}
