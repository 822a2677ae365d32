//! Messages in steps and in pieces.

use std::ptr::null;

use super::*;

fn signing(
    signers: &[&Holder],
    options: &kuaimi_cms_sign_options,
) -> Result<*mut kuaimi_cms_signing, kuaimi_error> {
    let signers: Vec<_> = signers.iter().map(|it| it.handle).collect();
    let mut made = null_mut();
    match error!(kuaimi_cms_signing_new(
        signers.as_ptr(),
        signers.len(),
        null(),
        0,
        KUAIMI_CMS_FORM_GM,
        options,
        &mut made
    )) {
        KUAIMI_OK => Ok(made),
        error => Err(error),
    }
}

fn update(signing: *mut kuaimi_cms_signing, content: &[u8]) -> kuaimi_error {
    error!(kuaimi_cms_signing_update(
        signing,
        content.as_ptr(),
        content.len()
    ))
}

fn put(signing: *mut kuaimi_cms_signing, index: usize, holder: &Holder) -> kuaimi_error {
    let mut digest = [0; 32];
    call!(kuaimi_cms_signing_digest(
        signing,
        index,
        digest.as_mut_ptr()
    ));
    let signature = holder
        .signer
        .sign_digest(&digest)
        .expect("a signature")
        .to_bytes();
    error!(kuaimi_cms_signing_put(
        signing,
        signature.as_ptr(),
        64,
        index,
        KUAIMI_SIGNATURE_RAW
    ))
}

fn finish(signing: *mut kuaimi_cms_signing) -> Result<Vec<u8>, kuaimi_error> {
    let (mut buffer, mut size) = (vec![0xa5; 1 << 16], 1 << 16);
    match error!(kuaimi_cms_signing_finish(
        signing,
        buffer.as_mut_ptr(),
        &mut size
    )) {
        KUAIMI_OK => {
            buffer.truncate(size);
            Ok(buffer)
        }
        error => {
            assert!(
                buffer.iter().all(|byte| *byte == 0xa5),
                "something was written"
            );
            Err(error)
        }
    }
}

/// The signers of a message whose content came in two pieces.
fn verify_detached(message: &[u8], pieces: [&[u8]; 2]) -> Result<usize, kuaimi_error> {
    let usual = KUAIMI_IDENTITIES_USUAL;
    let mut detached = null_mut();
    let error = error!(kuaimi_cms_detached_new(
        null(),
        0,
        message.as_ptr(),
        message.len(),
        usual,
        &mut detached
    ));
    if error != KUAIMI_OK {
        return Err(error);
    }
    for piece in pieces {
        call!(kuaimi_cms_detached_update(
            detached,
            piece.as_ptr(),
            piece.len()
        ));
    }
    let mut verified = null_mut();
    let error = error!(kuaimi_cms_detached_finish(detached, &mut verified));
    let again = error!(kuaimi_cms_detached_finish(detached, &mut null_mut()));
    assert_eq!(again, KUAIMI_ERROR_ALREADY_USED);
    let after = error!(kuaimi_cms_detached_update(detached, null(), 0));
    assert_eq!(after, KUAIMI_ERROR_ALREADY_USED);
    free!(kuaimi_cms_detached_free(detached));
    if error != KUAIMI_OK {
        assert!(verified.is_null());
        return Err(error);
    }
    let count = number!(kuaimi_cms_verified_signer_count(verified));
    free!(kuaimi_cms_verified_free(verified));
    Ok(count)
}

#[test]
fn several_sign_in_steps() {
    let root = Holder::root();
    let first = Holder::new("first", Purpose::Signing, Some(&root));
    let second = Holder::new("second", Purpose::Signing, Some(&root));
    for content in [KUAIMI_CMS_CONTENT_INSIDE, KUAIMI_CMS_CONTENT_DETACHED] {
        let options = kuaimi_cms_sign_options {
            content,
            signing_time: NOW,
            ..Default::default()
        };
        let message = signing(&[&first, &second], &options).expect("a message");
        assert_eq!(update(message, b"a pay"), KUAIMI_OK);
        assert_eq!(update(message, b"ment"), KUAIMI_OK);
        assert_eq!(put(message, 0, &first), KUAIMI_OK);
        // The content ended, and the second has not signed.
        assert_eq!(update(message, b"!"), KUAIMI_ERROR_ALREADY_USED);
        assert_eq!(finish(message), Err(KUAIMI_ERROR_INVALID_ARGUMENT));
        assert_eq!(put(message, 1, &second), KUAIMI_OK);
        let mut digest = [0; 32];
        let error = error!(kuaimi_cms_signing_digest(message, 2, digest.as_mut_ptr()));
        assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
        let signed = finish(message).expect("a message");
        assert_eq!(finish(message), Err(KUAIMI_ERROR_ALREADY_USED));
        free!(kuaimi_cms_signing_free(message));

        if content == KUAIMI_CMS_CONTENT_INSIDE {
            let verified = new!(kuaimi_cms_verify(
                null(),
                0,
                signed.as_ptr(),
                signed.len(),
                null(),
                0,
                KUAIMI_IDENTITIES_USUAL
            ));
            let inside = output!(|out, len| kuaimi_cms_verified_content(verified, out, len));
            assert_eq!(inside, b"a payment");
            let count: usize = number!(kuaimi_cms_verified_signer_count(verified));
            assert_eq!(count, 2);
            free!(kuaimi_cms_verified_free(verified));
            let wrong = Err(KUAIMI_ERROR_INVALID_ARGUMENT);
            assert_eq!(verify_detached(&signed, [b"a pay", b"ment"]), wrong);
        } else {
            assert_eq!(verify_detached(&signed, [b"a pay", b"ment"]), Ok(2));
            let text = kuaimi_pki::message::to_pem(&signed);
            assert_eq!(verify_detached(text.as_bytes(), [b"a payment", b""]), Ok(2));
            let refused = Err(KUAIMI_ERROR_INVALID_SIGNATURE);
            assert_eq!(verify_detached(&signed, [b"a pay", b""]), refused);
        }
    }
    let usual = kuaimi_cms_sign_options::default();
    assert_eq!(signing(&[], &usual), Err(KUAIMI_ERROR_INVALID_ARGUMENT));
    // A signature of another key does not get into a message.
    let message = signing(&[&first], &usual).expect("a message");
    assert_eq!(put(message, 0, &second), KUAIMI_OK);
    assert_eq!(finish(message), Err(KUAIMI_ERROR_INVALID_SIGNATURE));
    free!(kuaimi_cms_signing_free(message));
}

#[test]
fn a_content_is_encrypted_in_pieces() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::General, Some(&root));
    let content = vec![7; 200_000];
    for cipher in [KUAIMI_CMS_CIPHER_SM4_CBC, KUAIMI_CMS_CIPHER_SM4_GCM] {
        for length in [KUAIMI_CMS_LENGTH_UNKNOWN, content.len() as u64] {
            let writer = new!(kuaimi_cms_encryption_new(
                &leaf.handle,
                1,
                KUAIMI_CMS_FORM_CMS,
                cipher,
                KUAIMI_CMS_ID_ISSUER,
                length
            ));
            let mut message = Vec::new();
            for piece in content.chunks(70_001) {
                message.extend(output!(|out, len| kuaimi_cms_encryption_update(
                    writer,
                    piece.as_ptr(),
                    piece.len(),
                    out,
                    len
                )));
            }
            message.extend(output!(|out, len| kuaimi_cms_encryption_finish(
                writer, out, len
            )));
            let mut size = 0;
            let again = error!(kuaimi_cms_encryption_finish(writer, null_mut(), &mut size));
            assert_eq!(again, KUAIMI_ERROR_ALREADY_USED);
            free!(kuaimi_cms_encryption_free(writer));
            assert_eq!(message[1] == 0x80, length == KUAIMI_CMS_LENGTH_UNKNOWN);
            let decrypted = output!(|out, len| kuaimi_cms_decrypt(
                leaf.key,
                leaf.handle,
                message.as_ptr(),
                message.len(),
                out,
                len
            ));
            assert_eq!(decrypted, content);
        }
    }
    // Another length than was said.
    let writer = new!(kuaimi_cms_encryption_new(
        &leaf.handle,
        1,
        KUAIMI_CMS_FORM_CMS,
        KUAIMI_CMS_CIPHER_SM4_CBC,
        KUAIMI_CMS_ID_ISSUER,
        5
    ));
    let (mut buffer, mut size) = ([0; 4096], 4096);
    let error = error!(kuaimi_cms_encryption_update(
        writer,
        content.as_ptr(),
        6,
        buffer.as_mut_ptr(),
        &mut size
    ));
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
    let error = error!(kuaimi_cms_encryption_finish(
        writer,
        buffer.as_mut_ptr(),
        &mut size
    ));
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
    free!(kuaimi_cms_encryption_free(writer));
}
