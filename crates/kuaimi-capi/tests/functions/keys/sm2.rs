//! SM2's keys.

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

use super::QUICK;

#[test]
fn sm2_private_keys() {
    let mut key = null_mut();
    call!(kuaimi_sm2_private_key_generate(&mut key));
    let write = |key, form| output!(|out, len| kuaimi_sm2_private_key_write(key, form, out, len));
    let raw = write(key, KUAIMI_KEY_RAW);
    let read_as_raw = |bytes: &[u8], password: Option<&[u8]>| {
        let (password, len) =
            password.map_or((null(), 0), |password| (password.as_ptr(), password.len()));
        let mut found = null_mut();
        // SAFETY: slices with their lengths.
        let result = unsafe {
            kuaimi_sm2_private_key_read(bytes.as_ptr(), bytes.len(), password, len, &mut found)
        };
        if result != KUAIMI_OK {
            assert!(found.is_null());
            return Err(result);
        }
        let raw = write(found, KUAIMI_KEY_RAW);
        free!(kuaimi_sm2_private_key_free(found));
        Ok(raw)
    };
    for form in [
        KUAIMI_KEY_RAW,
        KUAIMI_KEY_PKCS8_PEM,
        KUAIMI_KEY_PKCS8_DER,
        KUAIMI_KEY_SEC1_PEM,
        KUAIMI_KEY_SEC1_DER,
    ] {
        assert_eq!(
            read_as_raw(&write(key, form), None),
            Ok(raw.clone()),
            "form {form}"
        );
    }
    assert!(write(key, KUAIMI_KEY_PKCS8_PEM).starts_with(b"-----BEGIN PRIVATE KEY-----\n"));
    assert!(write(key, KUAIMI_KEY_SEC1_PEM).starts_with(b"-----BEGIN EC PRIVATE KEY-----\n"));

    let scrypt = kuaimi_password_encryption {
        kdf: KUAIMI_SCRYPT,
        scrypt_log_n: 4,
        scrypt_r: 8,
        scrypt_p: 1,
        ..QUICK
    };
    for cipher in 1..=4 {
        for kdf in 1..=7 {
            for form in [KUAIMI_KEY_PKCS8_PEM, KUAIMI_KEY_PKCS8_DER] {
                let how = kuaimi_password_encryption {
                    cipher,
                    kdf,
                    ..scrypt
                };
                let file = output!(|out, len| kuaimi_sm2_private_key_write_encrypted(
                    key,
                    b"secret".as_ptr(),
                    6,
                    &how,
                    form,
                    out,
                    len
                ));
                assert_eq!(read_as_raw(&file, Some(b"secret")), Ok(raw.clone()));
                assert_eq!(
                    read_as_raw(&file, Some(b"Secret")),
                    Err(KUAIMI_ERROR_WRONG_PASSWORD)
                );
                assert_eq!(read_as_raw(&file, None), Err(KUAIMI_ERROR_PASSWORD_NEEDED));
            }
        }
    }
    // A null pointer means the default, which readers elsewhere know by these names.
    let file = output!(|out, len| kuaimi_sm2_private_key_write_encrypted(
        key,
        b"".as_ptr(),
        0,
        null(),
        KUAIMI_KEY_PKCS8_DER,
        out,
        len
    ));
    let (_, form) = kuaimi::encoding::read_private_key(&file, Some(b"")).expect("a key");
    assert_eq!(
        form.to_string(),
        "encrypted PKCS#8 (SM4-CBC, PBKDF2 with HMAC-SM3 and 600000 iterations), binary"
    );
    let wrong = [
        (
            kuaimi_password_encryption { cipher: 0, ..QUICK },
            KUAIMI_ERROR_INVALID_ARGUMENT,
        ),
        (
            kuaimi_password_encryption { kdf: 8, ..QUICK },
            KUAIMI_ERROR_INVALID_ARGUMENT,
        ),
        (
            kuaimi_password_encryption {
                iterations: 0,
                ..QUICK
            },
            KUAIMI_ERROR_ENCRYPTION_COST,
        ),
        (
            kuaimi_password_encryption {
                scrypt_log_n: 256,
                ..scrypt
            },
            KUAIMI_ERROR_ENCRYPTION_COST,
        ),
        (
            kuaimi_password_encryption {
                scrypt_log_n: 40,
                ..scrypt
            },
            KUAIMI_ERROR_ENCRYPTION_COST,
        ),
    ];
    for (how, expected) in wrong {
        let (mut out, mut len) = ([0; 1024], 1024);
        // SAFETY: slices with their lengths, and a handle that is not freed yet.
        let result = unsafe {
            kuaimi_sm2_private_key_write_encrypted(
                key,
                b"secret".as_ptr(),
                6,
                &how,
                KUAIMI_KEY_PKCS8_DER,
                out.as_mut_ptr(),
                &mut len,
            )
        };
        assert_eq!(result, expected);
    }

    let files: [(&[u8], _); 7] = [
        (b"no key, at all", KUAIMI_ERROR_NOT_A_KEY),
        // These letters could be Base64.
        (b"no key at all", KUAIMI_ERROR_NOT_A_KEY),
        (b"", KUAIMI_ERROR_NOT_A_KEY),
        (&[0; 32], KUAIMI_ERROR_PRIVATE_KEY_RANGE),
        (b"-----BEGIN PRIVATE KEY-----\nMA", KUAIMI_ERROR_TEXT),
        (b"-----BEGIN PUBLIC KEY-----\nMAA=\n-----END PUBLIC KEY-----\n", KUAIMI_ERROR_OTHER_KEY),
        // RSA, by its algorithm.
        (b"\x30\x14\x02\x01\x00\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00\x04\x00", KUAIMI_ERROR_OTHER_ALGORITHM),
    ];
    for (file, expected) in files {
        assert_eq!(read_as_raw(file, None), Err(expected), "{file:?}");
    }

    // An enveloped key goes to one recipient.
    let (mut recipient, mut public, mut opened) = (null_mut(), null_mut(), null_mut());
    call!(kuaimi_sm2_private_key_generate(&mut recipient));
    call!(kuaimi_sm2_private_key_public_key(recipient, &mut public));
    for _ in 0..50 {
        let enveloped =
            output!(|out, len| kuaimi_sm2_private_key_write_enveloped(key, public, out, len));
        call!(kuaimi_sm2_private_key_open_enveloped(
            recipient,
            enveloped.as_ptr(),
            enveloped.len(),
            &mut opened
        ));
        assert_eq!(write(opened, KUAIMI_KEY_RAW), raw);
        free!(kuaimi_sm2_private_key_free(opened));
        // SAFETY: a slice with its length, and a handle that is not freed yet.
        let other = unsafe {
            kuaimi_sm2_private_key_open_enveloped(
                key,
                enveloped.as_ptr(),
                enveloped.len(),
                &mut opened,
            )
        };
        assert_eq!(
            (other, opened.is_null()),
            (KUAIMI_ERROR_DECRYPTION_FAILED, true)
        );
    }
    free!(kuaimi_sm2_private_key_free(key, recipient); kuaimi_sm2_public_key_free(public));
}

#[test]
fn sm2_public_keys() {
    let (mut private, mut key) = (null_mut(), null_mut());
    call!(kuaimi_sm2_private_key_generate(&mut private));
    call!(kuaimi_sm2_private_key_public_key(private, &mut key));
    let write = |key, form| output!(|out, len| kuaimi_sm2_public_key_write(key, form, out, len));
    let raw = write(key, KUAIMI_KEY_RAW);
    let forms = [
        (KUAIMI_KEY_RAW, Some(64)),
        (KUAIMI_KEY_UNCOMPRESSED, Some(65)),
        (KUAIMI_KEY_COMPRESSED, Some(33)),
        (KUAIMI_KEY_SPKI_DER, None),
        (KUAIMI_KEY_SPKI_PEM, None),
    ];
    for (form, length) in forms {
        let (file, mut read) = (write(key, form), null_mut());
        call!(kuaimi_sm2_public_key_read(
            file.as_ptr(),
            file.len(),
            &mut read
        ));
        assert_eq!(write(read, KUAIMI_KEY_RAW), raw);
        free!(kuaimi_sm2_public_key_free(read));
        // SAFETY: a slice with its length.
        let from_bytes =
            unsafe { kuaimi_sm2_public_key_from_bytes(file.as_ptr(), file.len(), &mut read) };
        if length.is_some() {
            assert_eq!((from_bytes, Some(file.len())), (KUAIMI_OK, length));
            assert_eq!(write(read, KUAIMI_KEY_RAW), raw);
            free!(kuaimi_sm2_public_key_free(read));
        } else {
            assert_eq!(
                (from_bytes, read.is_null()),
                (KUAIMI_ERROR_POINT_ENCODING, true)
            );
        }
    }
    let mut off = raw.clone();
    off[63] ^= 1;
    let mut read = null_mut();
    // SAFETY: a slice with its length.
    let result = unsafe { kuaimi_sm2_public_key_from_bytes(off.as_ptr(), 64, &mut read) };
    assert_eq!(result, KUAIMI_ERROR_POINT_NOT_ON_CURVE);
    // SAFETY: as above.
    let result = unsafe { kuaimi_sm2_public_key_from_bytes([0xff; 64].as_ptr(), 64, &mut read) };
    assert_eq!(result, KUAIMI_ERROR_POINT_ENCODING);
    free!(kuaimi_sm2_public_key_free(key); kuaimi_sm2_private_key_free(private));
}
