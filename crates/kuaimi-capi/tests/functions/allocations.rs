//! Inputs and outputs that are allocations of just the lengths that are passed, so that a tool that
//! looks at every access (`make miri`, `make sanitizers`) sees a byte too many. Few operations, as
//! Miri takes seconds for each.

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

/// An allocation of these bytes alone.
fn allocated(bytes: &[u8]) -> Box<[u8]> {
    bytes.into()
}

/// An allocation of `length` bytes to be written.
fn room(length: usize) -> Box<[u8]> {
    vec![0xa5; length].into()
}

fn listed(bytes: &[u8]) -> kuaimi_bytes {
    kuaimi_bytes {
        data: bytes.as_ptr(),
        len: bytes.len(),
    }
}

/// A private key, its public key, and a signer and a verifier with the usual identity.
struct Keys {
    private: *mut kuaimi_sm2_private_key,
    public: *mut kuaimi_sm2_public_key,
    signing: *mut kuaimi_sm2_signing_key,
    verifying: *mut kuaimi_sm2_verifying_key,
}

impl Keys {
    fn new() -> Self {
        let mut keys = Self {
            private: null_mut(),
            public: null_mut(),
            signing: null_mut(),
            verifying: null_mut(),
        };
        let d = allocated(&[7; 32]);
        call!(kuaimi_sm2_private_key_from_bytes(
            d.as_ptr(),
            32,
            &mut keys.private
        ));
        call!(kuaimi_sm2_private_key_public_key(
            keys.private,
            &mut keys.public
        ));
        call!(kuaimi_sm2_signing_key_new(
            keys.private,
            null(),
            0,
            &mut keys.signing
        ));
        let id = allocated(b"1234567812345678");
        call!(kuaimi_sm2_verifying_key_new(
            keys.public,
            id.as_ptr(),
            16,
            &mut keys.verifying
        ));
        keys
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        free!(
            kuaimi_sm2_verifying_key_free(self.verifying);
            kuaimi_sm2_signing_key_free(self.signing);
            kuaimi_sm2_public_key_free(self.public);
            kuaimi_sm2_private_key_free(self.private)
        );
    }
}

#[test]
fn sm3_and_hmac() {
    for length in [0, 1, 55, 64, 65, 200] {
        let message = allocated(&vec![3; length]);
        let mut digest = room(32);
        call!(kuaimi_sm3_digest(
            message.as_ptr(),
            length,
            digest.as_mut_ptr()
        ));
        assert_eq!(digest[..], kuaimi::sm3::digest(&message));
        let mut mac = room(32);
        call!(kuaimi_hmac_sm3_digest(
            message.as_ptr(),
            length,
            message.as_ptr(),
            length,
            mac.as_mut_ptr()
        ));
        assert_eq!(mac[..], kuaimi::sm3::hmac_sm3(&message, &message));
        let (mut derived, mut expected) = (room(length), room(length));
        call!(kuaimi_sm3_kdf(
            mac.as_ptr(),
            32,
            derived.as_mut_ptr(),
            length
        ));
        kuaimi::sm3::kdf(&mac, &mut expected).expect("a key");
        assert_eq!(derived, expected);
    }
    let messages = [&b"a"[..], b"", &[5; 130]].map(allocated);
    let list: Box<[_]> = messages.iter().map(|it| listed(it)).collect();
    let mut digests = room(96);
    call!(kuaimi_sm3_digest_many(
        list.as_ptr(),
        3,
        digests.as_mut_ptr()
    ));
    let expected = messages.map(|it| kuaimi::sm3::digest(&it));
    assert_eq!(digests[..], *expected.as_flattened());
    // SAFETY: a buffer with its length.
    unsafe { kuaimi_wipe(digests.as_mut_ptr(), 96) };
    assert_eq!(digests[..], [0; 96]);
}

#[test]
fn sm4() {
    use kuaimi::sm4::{Sm4Cbc, Sm4Ctr, Sm4Gcm};
    let (key, iv) = ([1; 16], [2; 16]);
    let (key_bytes, iv_bytes) = (allocated(&key), allocated(&iv));
    let (mut gcm, mut cbc, mut ctr) = (null_mut(), null_mut(), null_mut());
    call!(kuaimi_sm4_gcm_new(key_bytes.as_ptr(), &mut gcm));
    call!(kuaimi_sm4_cbc_new(key_bytes.as_ptr(), &mut cbc));
    call!(kuaimi_sm4_ctr_new(
        key_bytes.as_ptr(),
        iv_bytes.as_ptr(),
        &mut ctr
    ));
    let mut stream = Sm4Ctr::new(&key, &iv);
    // SM4 in plain Rust computes many blocks at once, with or without that many.
    let lengths: &[usize] = if cfg!(miri) {
        &[17]
    } else {
        &[0, 1, 16, 17, 37]
    };
    for &length in lengths {
        let message = allocated(&vec![9; length]);
        let (nonce, header) = (allocated(&[4; 12]), allocated(b"head"));
        let (mut out, mut tag) = (room(length), room(16));
        call!(kuaimi_sm4_gcm_seal(
            gcm,
            nonce.as_ptr(),
            12,
            header.as_ptr(),
            4,
            message.as_ptr(),
            length,
            out.as_mut_ptr(),
            tag.as_mut_ptr()
        ));
        let sealed = Sm4Gcm::new(&key).seal(&nonce, &header, &message);
        assert_eq!([&out[..], &tag].concat(), sealed.expect("a nonce"));
        let mut opened = room(length);
        call!(kuaimi_sm4_gcm_open(
            gcm,
            nonce.as_ptr(),
            12,
            header.as_ptr(),
            4,
            out.as_ptr(),
            length,
            tag.as_ptr(),
            opened.as_mut_ptr()
        ));
        assert_eq!(opened, message);

        let sealed = output!(|out, len| kuaimi_sm4_cbc_encrypt_padded(
            cbc,
            iv_bytes.as_ptr(),
            message.as_ptr(),
            length,
            out,
            len
        ));
        assert_eq!(sealed, Sm4Cbc::new(&key).encrypt_padded(&iv, &message));
        let sealed = allocated(&sealed);
        let opened = output!(|out, len| kuaimi_sm4_cbc_decrypt_padded(
            cbc,
            iv_bytes.as_ptr(),
            sealed.as_ptr(),
            sealed.len(),
            out,
            len
        ));
        assert_eq!(opened[..], message[..]);

        let mut expected = message.clone();
        stream.apply(&mut expected);
        // The result in the place of the message.
        let mut place = message.clone();
        call!(kuaimi_sm4_ctr_apply(
            ctr,
            place.as_ptr(),
            length,
            place.as_mut_ptr()
        ));
        assert_eq!(place, expected);
    }
    free!(kuaimi_sm4_gcm_free(gcm); kuaimi_sm4_cbc_free(cbc); kuaimi_sm4_ctr_free(ctr));
}

fn key_files(keys: &Keys) {
    for form in [KUAIMI_KEY_PKCS8_PEM, KUAIMI_KEY_SEC1_DER] {
        let written =
            output!(|out, len| kuaimi_sm2_private_key_write(keys.private, form, out, len));
        let written = allocated(&written);
        let mut read = null_mut();
        call!(kuaimi_sm2_private_key_read(
            written.as_ptr(),
            written.len(),
            null(),
            0,
            &mut read
        ));
        let raw = output!(|out, len| kuaimi_sm2_private_key_write(read, KUAIMI_KEY_RAW, out, len));
        assert_eq!(raw, [7; 32], "form {form}");
        free!(kuaimi_sm2_private_key_free(read));
    }
    for form in [KUAIMI_KEY_SPKI_DER, KUAIMI_KEY_COMPRESSED] {
        let written = output!(|out, len| kuaimi_sm2_public_key_write(keys.public, form, out, len));
        let written = allocated(&written);
        let mut read = null_mut();
        call!(kuaimi_sm2_public_key_read(
            written.as_ptr(),
            written.len(),
            &mut read
        ));
        let again = output!(|out, len| kuaimi_sm2_public_key_write(read, form, out, len));
        assert_eq!(again[..], written[..], "form {form}");
        free!(kuaimi_sm2_public_key_free(read));
    }
}

fn signatures(keys: &Keys) {
    let message = allocated(b"a message");
    let signature = output!(|out, len| kuaimi_sm2_sign(
        keys.signing,
        message.as_ptr(),
        9,
        KUAIMI_SIGNATURE_DER,
        out,
        len
    ));
    let signature = allocated(&signature);
    call!(kuaimi_sm2_verify(
        keys.verifying,
        message.as_ptr(),
        9,
        signature.as_ptr(),
        signature.len(),
        KUAIMI_SIGNATURE_ANY
    ));
}

fn ciphertexts(keys: &Keys) {
    let message = allocated(b"a message");
    let sealed = output!(|out, len| kuaimi_sm2_encrypt(
        keys.public,
        message.as_ptr(),
        9,
        KUAIMI_SM2_CIPHERTEXT_DER,
        out,
        len
    ));
    let sealed = allocated(&sealed);
    let opened = output!(|out, len| kuaimi_sm2_decrypt(
        keys.private,
        sealed.as_ptr(),
        sealed.len(),
        KUAIMI_SM2_CIPHERTEXT_ANY,
        out,
        len
    ));
    assert_eq!(opened[..], message[..]);
}

fn batches(keys: &Keys) {
    let messages = [&b"one"[..], b"another"].map(allocated);
    let items: Box<[_]> = messages
        .iter()
        .map(|message| kuaimi_sm2_sign_item {
            key: keys.signing,
            content: listed(message),
            content_kind: KUAIMI_CONTENT_MESSAGE,
        })
        .collect();
    let mut signatures = room(128);
    let mut results: Box<[_]> = vec![KUAIMI_ERROR_INTERNAL; 2].into();
    call!(kuaimi_sm2_sign_batch(
        items.as_ptr(),
        2,
        signatures.as_mut_ptr(),
        results.as_mut_ptr()
    ));
    assert_eq!(results[..], [KUAIMI_OK; 2]);
    let parts: Vec<_> = signatures.chunks(64).map(allocated).collect();
    let items: Box<[_]> = messages
        .iter()
        // The second signature is that of the first message.
        .zip([&parts[0], &parts[0]])
        .map(|(message, signature)| kuaimi_sm2_verify_item {
            key: keys.verifying,
            content: listed(message),
            signature: listed(signature),
            content_kind: KUAIMI_CONTENT_MESSAGE,
            form: KUAIMI_SIGNATURE_RAW,
        })
        .collect();
    // SAFETY: arrays with their lengths, and a handle that is not freed yet.
    let error = unsafe { kuaimi_sm2_verify_batch(items.as_ptr(), 2, results.as_mut_ptr()) };
    assert_eq!(error, KUAIMI_ERROR_INVALID_SIGNATURE);
    assert_eq!(results[..], [KUAIMI_OK, KUAIMI_ERROR_INVALID_SIGNATURE]);
}

/// Several in one test, as each key costs Miri a product of a point.
#[test]
fn sm2_signatures_and_ciphertexts() {
    let keys = Keys::new();
    signatures(&keys);
    ciphertexts(&keys);
}

#[test]
fn sm2_batches_and_key_files() {
    let keys = Keys::new();
    batches(&keys);
    key_files(&keys);
}

#[test]
fn sm9_keys() {
    let (number, id) = (allocated(&[1; 32]), allocated(b"Bob"));
    let (mut master, mut bob) = (null_mut(), null_mut());
    call!(kuaimi_sm9_master_encryption_key_from_bytes(
        number.as_ptr(),
        32,
        &mut master
    ));
    let written = output!(|out, len| kuaimi_sm9_master_encryption_key_write(
        master,
        KUAIMI_KEY_RAW,
        out,
        len
    ));
    assert_eq!(written, [1; 32]);
    call!(kuaimi_sm9_master_encryption_key_extract(
        master,
        id.as_ptr(),
        3,
        3,
        &mut bob
    ));
    let written =
        output!(|out, len| kuaimi_sm9_decryption_key_write(bob, KUAIMI_KEY_RAW, out, len));
    assert_eq!(written.len(), 128);
    free!(kuaimi_sm9_master_encryption_key_free(master); kuaimi_sm9_decryption_key_free(bob));
}
