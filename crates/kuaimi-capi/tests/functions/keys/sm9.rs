//! SM9's keys.

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

use super::QUICK;

/// Writes a key in each form, reads it, and compares the raw form.
macro_rules! round_trips {
    ($key:expr, $write:ident, $free:ident, $forms:expr, |$file:ident, $read:ident| $read_call:expr) => {
        let raw = output!(|out, len| $write($key, KUAIMI_KEY_RAW, out, len));
        for form in $forms {
            let ($file, mut $read) = (output!(|out, len| $write($key, form, out, len)), null_mut());
            $read_call;
            assert_eq!(
                output!(|out, len| $write($read, KUAIMI_KEY_RAW, out, len)),
                raw,
                "form {form}"
            );
            free!($free($read));
        }
        // The plain DER of GB/T 41389 has a form of its own.
        assert_ne!(
            output!(|out, len| $write($key, KUAIMI_KEY_DER, out, len)),
            raw
        );
    };
}

/// As `round_trips!`, for the encrypted form.
macro_rules! encrypted {
    ($key:expr, $write:ident, $write_encrypted:ident, $free:ident, |$file:ident, $read:ident| $read_call:expr) => {
        let raw = output!(|out, len| $write($key, KUAIMI_KEY_RAW, out, len));
        for form in [KUAIMI_KEY_PKCS8_PEM, KUAIMI_KEY_PKCS8_DER] {
            let $file = output!(|out, len| $write_encrypted(
                $key,
                b"secret".as_ptr(),
                6,
                &QUICK,
                form,
                out,
                len
            ));
            let mut $read = null_mut();
            $read_call;
            assert_eq!(
                output!(|out, len| $write($read, KUAIMI_KEY_RAW, out, len)),
                raw
            );
            free!($free($read));
        }
    };
}

const PRIVATE: [u32; 2] = [KUAIMI_KEY_PKCS8_PEM, KUAIMI_KEY_PKCS8_DER];
const PUBLIC: [u32; 3] = [
    KUAIMI_KEY_SPKI_PEM,
    KUAIMI_KEY_SPKI_DER,
    KUAIMI_KEY_GMSSL_PEM,
];
const ID: &[u8] = b"alice";

#[test]
fn sm9_signing_keys() {
    let (mut master, mut public, mut user) = (null_mut(), null_mut(), null_mut());
    call!(kuaimi_sm9_master_signing_key_generate(&mut master));
    call!(kuaimi_sm9_master_signing_key_public_key(
        master,
        &mut public
    ));
    call!(kuaimi_sm9_master_signing_key_extract(
        master,
        ID.as_ptr(),
        ID.len(),
        0,
        &mut user
    ));
    round_trips!(
        master,
        kuaimi_sm9_master_signing_key_write,
        kuaimi_sm9_master_signing_key_free,
        PRIVATE,
        |file, read| call!(kuaimi_sm9_master_signing_key_read(
            file.as_ptr(),
            file.len(),
            null(),
            0,
            &mut read
        ))
    );
    encrypted!(
        master,
        kuaimi_sm9_master_signing_key_write,
        kuaimi_sm9_master_signing_key_write_encrypted,
        kuaimi_sm9_master_signing_key_free,
        |file, read| call!(kuaimi_sm9_master_signing_key_read(
            file.as_ptr(),
            file.len(),
            b"secret".as_ptr(),
            6,
            &mut read
        ))
    );
    round_trips!(
        public,
        kuaimi_sm9_master_signing_public_key_write,
        kuaimi_sm9_master_signing_public_key_free,
        PUBLIC,
        |file, read| call!(kuaimi_sm9_master_signing_public_key_read(
            file.as_ptr(),
            file.len(),
            &mut read
        ))
    );
    let points = [KUAIMI_KEY_RAW, KUAIMI_KEY_UNCOMPRESSED];
    round_trips!(
        public,
        kuaimi_sm9_master_signing_public_key_write,
        kuaimi_sm9_master_signing_public_key_free,
        points,
        |file, read| call!(kuaimi_sm9_master_signing_public_key_from_bytes(
            file.as_ptr(),
            file.len(),
            &mut read
        ))
    );
    round_trips!(
        user,
        kuaimi_sm9_signing_key_write,
        kuaimi_sm9_signing_key_free,
        PRIVATE,
        |file, read| call!(kuaimi_sm9_signing_key_read(
            file.as_ptr(),
            file.len(),
            null(),
            0,
            ID.as_ptr(),
            ID.len(),
            0,
            &mut read
        ))
    );
    encrypted!(
        user,
        kuaimi_sm9_signing_key_write,
        kuaimi_sm9_signing_key_write_encrypted,
        kuaimi_sm9_signing_key_free,
        |file, read| call!(kuaimi_sm9_signing_key_read(
            file.as_ptr(),
            file.len(),
            b"secret".as_ptr(),
            6,
            ID.as_ptr(),
            ID.len(),
            1,
            &mut read
        ))
    );
    // Another user's key is refused.
    let (raw, mut read) = (
        output!(|out, len| kuaimi_sm9_signing_key_write(user, KUAIMI_KEY_RAW, out, len)),
        null_mut(),
    );
    call!(kuaimi_sm9_signing_key_from_bytes(
        public,
        raw.as_ptr(),
        64,
        ID.as_ptr(),
        ID.len(),
        0,
        &mut read
    ));
    free!(kuaimi_sm9_signing_key_free(read));
    // SAFETY: slices with their lengths, and handles that are not freed yet.
    let other = unsafe {
        kuaimi_sm9_signing_key_from_bytes(
            public,
            raw.as_ptr(),
            64,
            b"bob".as_ptr(),
            3,
            0,
            &mut read,
        )
    };
    assert_eq!(
        (other, read.is_null()),
        (KUAIMI_ERROR_USER_KEY_MISMATCH, true)
    );
    // A key of another kind is refused, too.
    let (file, mut mistaken) = (
        output!(|out, len| kuaimi_sm9_master_signing_key_write(
            master,
            KUAIMI_KEY_PKCS8_PEM,
            out,
            len
        )),
        null_mut(),
    );
    // SAFETY: a slice with its length.
    let other = unsafe {
        kuaimi_sm9_master_encryption_key_read(file.as_ptr(), file.len(), null(), 0, &mut mistaken)
    };
    assert_eq!(other, KUAIMI_ERROR_OTHER_KEY);
    free!(
        kuaimi_sm9_master_signing_key_free(master);
        kuaimi_sm9_master_signing_public_key_free(public);
        kuaimi_sm9_signing_key_free(user)
    );
}

#[test]
fn sm9_encryption_keys() {
    let (mut master, mut public) = (null_mut(), null_mut());
    let (mut decryption, mut exchange) = (null_mut(), null_mut());
    call!(kuaimi_sm9_master_encryption_key_generate(&mut master));
    call!(kuaimi_sm9_master_encryption_key_public_key(
        master,
        &mut public
    ));
    call!(kuaimi_sm9_master_encryption_key_extract(
        master,
        ID.as_ptr(),
        ID.len(),
        0,
        &mut decryption
    ));
    call!(kuaimi_sm9_master_encryption_key_extract_exchange(
        master,
        ID.as_ptr(),
        ID.len(),
        0,
        &mut exchange
    ));
    round_trips!(
        master,
        kuaimi_sm9_master_encryption_key_write,
        kuaimi_sm9_master_encryption_key_free,
        PRIVATE,
        |file, read| call!(kuaimi_sm9_master_encryption_key_read(
            file.as_ptr(),
            file.len(),
            null(),
            0,
            &mut read
        ))
    );
    encrypted!(
        master,
        kuaimi_sm9_master_encryption_key_write,
        kuaimi_sm9_master_encryption_key_write_encrypted,
        kuaimi_sm9_master_encryption_key_free,
        |file, read| call!(kuaimi_sm9_master_encryption_key_read(
            file.as_ptr(),
            file.len(),
            b"secret".as_ptr(),
            6,
            &mut read
        ))
    );
    round_trips!(
        public,
        kuaimi_sm9_master_encryption_public_key_write,
        kuaimi_sm9_master_encryption_public_key_free,
        PUBLIC,
        |file, read| call!(kuaimi_sm9_master_encryption_public_key_read(
            file.as_ptr(),
            file.len(),
            &mut read
        ))
    );
    let points = [KUAIMI_KEY_RAW, KUAIMI_KEY_UNCOMPRESSED];
    round_trips!(
        public,
        kuaimi_sm9_master_encryption_public_key_write,
        kuaimi_sm9_master_encryption_public_key_free,
        points,
        |file, read| call!(kuaimi_sm9_master_encryption_public_key_from_bytes(
            file.as_ptr(),
            file.len(),
            &mut read
        ))
    );
    round_trips!(
        decryption,
        kuaimi_sm9_decryption_key_write,
        kuaimi_sm9_decryption_key_free,
        PRIVATE,
        |file, read| call!(kuaimi_sm9_decryption_key_read(
            file.as_ptr(),
            file.len(),
            null(),
            0,
            ID.as_ptr(),
            ID.len(),
            0,
            &mut read
        ))
    );
    encrypted!(
        decryption,
        kuaimi_sm9_decryption_key_write,
        kuaimi_sm9_decryption_key_write_encrypted,
        kuaimi_sm9_decryption_key_free,
        |file, read| call!(kuaimi_sm9_decryption_key_read(
            file.as_ptr(),
            file.len(),
            b"secret".as_ptr(),
            6,
            ID.as_ptr(),
            ID.len(),
            0,
            &mut read
        ))
    );
    round_trips!(
        exchange,
        kuaimi_sm9_exchange_key_write,
        kuaimi_sm9_exchange_key_free,
        PRIVATE,
        |file, read| call!(kuaimi_sm9_exchange_key_read(
            file.as_ptr(),
            file.len(),
            null(),
            0,
            ID.as_ptr(),
            ID.len(),
            0,
            &mut read
        ))
    );
    encrypted!(
        exchange,
        kuaimi_sm9_exchange_key_write,
        kuaimi_sm9_exchange_key_write_encrypted,
        kuaimi_sm9_exchange_key_free,
        |file, read| call!(kuaimi_sm9_exchange_key_read(
            file.as_ptr(),
            file.len(),
            b"secret".as_ptr(),
            6,
            ID.as_ptr(),
            ID.len(),
            0,
            &mut read
        ))
    );
    // Tables go with their own keys only.
    let (mut other, mut read) = (null_mut(), null_mut());
    call!(kuaimi_sm9_master_encryption_key_extract(
        master,
        b"bob".as_ptr(),
        3,
        0,
        &mut other
    ));
    let table = output!(|out, len| kuaimi_sm9_decryption_key_write_table(other, out, len));
    call!(kuaimi_sm9_decryption_key_read_table(
        other,
        table.as_ptr(),
        table.len(),
        &mut read
    ));
    free!(kuaimi_sm9_decryption_key_free(read));
    // SAFETY: a slice with its length, and handles that are not freed yet.
    let result = unsafe {
        kuaimi_sm9_decryption_key_read_table(decryption, table.as_ptr(), table.len(), &mut read)
    };
    assert_eq!(result, KUAIMI_ERROR_TABLE);
    free!(
        kuaimi_sm9_master_encryption_key_free(master);
        kuaimi_sm9_master_encryption_public_key_free(public);
        kuaimi_sm9_decryption_key_free(decryption, other);
        kuaimi_sm9_exchange_key_free(exchange)
    );
}
