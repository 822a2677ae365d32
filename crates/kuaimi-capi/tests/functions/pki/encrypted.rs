//! Encrypted messages.

use std::ptr::null;

use super::*;

fn encrypt(
    holders: &[&Holder],
    content: &[u8],
    form: kuaimi_cms_form,
    cipher: kuaimi_cms_cipher,
    id: kuaimi_cms_id,
) -> Vec<u8> {
    let holders: Vec<_> = holders.iter().map(|it| it.handle).collect();
    output!(|out, len| kuaimi_cms_encrypt(
        holders.as_ptr(),
        holders.len(),
        content.as_ptr(),
        content.len(),
        form,
        cipher,
        id,
        out,
        len,
    ))
}

fn decrypt(
    key: *const kuaimi_sm2_private_key,
    certificate: *const kuaimi_certificate,
    message: &[u8],
) -> Result<Vec<u8>, kuaimi_error> {
    let (mut buffer, mut size) = (vec![0xa5; message.len()], message.len());
    match error!(kuaimi_cms_decrypt(
        key,
        certificate,
        message.as_ptr(),
        message.len(),
        buffer.as_mut_ptr(),
        &mut size,
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

#[test]
fn messages_are_encrypted_and_decrypted() {
    let root = Holder::root();
    let [alice, bob, eve] =
        ["alice", "bob", "eve"].map(|name| Holder::new(name, Purpose::Encryption, Some(&root)));
    for text in [b"".to_vec(), b"a secret".to_vec(), vec![7; 1 << 20]] {
        for form in [
            KUAIMI_CMS_FORM_CMS,
            KUAIMI_CMS_FORM_GM,
            KUAIMI_CMS_FORM_GMSSL,
        ] {
            for cipher in [
                KUAIMI_CMS_CIPHER_SM4_CBC,
                KUAIMI_CMS_CIPHER_SM4_GCM,
                KUAIMI_CMS_CIPHER_SM4_CBC_SADK,
            ] {
                for id in [KUAIMI_CMS_ID_ISSUER, KUAIMI_CMS_ID_KEY] {
                    let message = encrypt(&[&alice, &bob], &text, form, cipher, id);
                    for holder in [&alice, &bob] {
                        let key = holder.key;
                        assert_eq!(decrypt(key, holder.handle, &message), Ok(text.clone()));
                        assert_eq!(decrypt(key, null(), &message), Ok(text.clone()));
                    }
                    let refused = decrypt(eve.key, eve.handle, &message);
                    assert_eq!(refused, Err(KUAIMI_ERROR_OTHER_KEY));
                    for certificate in [null(), alice.handle.cast_const()] {
                        let refused = decrypt(eve.key, certificate, &message);
                        assert_eq!(refused, Err(KUAIMI_ERROR_DECRYPTION_FAILED));
                    }
                }
            }
        }
    }
}

#[test]
fn what_was_altered_is_not_decrypted() {
    let root = Holder::root();
    let bob = Holder::new("bob", Purpose::Encryption, Some(&root));
    let (form, id) = (KUAIMI_CMS_FORM_CMS, KUAIMI_CMS_ID_ISSUER);
    let message = encrypt(&[&bob], b"a secret", form, KUAIMI_CMS_CIPHER_SM4_GCM, id);
    for place in 0..message.len() {
        let mut altered = message.clone();
        altered[place] ^= 4;
        if let Ok(content) = decrypt(bob.key, bob.handle, &altered) {
            assert_eq!(content, b"a secret", "byte {place}");
        }
    }
    let mut altered = message.clone();
    let last = altered.last_mut().expect("a tag");
    *last ^= 1;
    for certificate in [null(), bob.handle.cast_const()] {
        let refused = decrypt(bob.key, certificate, &altered);
        assert_eq!(refused, Err(KUAIMI_ERROR_DECRYPTION_FAILED));
    }
    for wrong in [&b""[..], b"text", &message[..40], root.certificate.as_der()] {
        for certificate in [null(), bob.handle.cast_const()] {
            assert_eq!(decrypt(bob.key, certificate, wrong), Err(KUAIMI_ERROR_DER));
        }
    }
}

#[test]
fn there_must_be_a_recipient() {
    let mut size = 4096;
    let mut buffer = [0; 4096];
    let error = error!(kuaimi_cms_encrypt(
        null(),
        0,
        b"text".as_ptr(),
        4,
        KUAIMI_CMS_FORM_CMS,
        KUAIMI_CMS_CIPHER_SM4_CBC,
        KUAIMI_CMS_ID_ISSUER,
        buffer.as_mut_ptr(),
        &mut size,
    ));
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
}
