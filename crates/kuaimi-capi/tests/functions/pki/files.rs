//! Private keys with their certificates in one file.

use std::ptr::null;

use kuaimi_pki::pkcs12::{Content, Entry, Key, Pkcs12, Profile, Protection};

use super::*;

fn open(bytes: &[u8], password: &[u8]) -> Result<*mut kuaimi_pkcs12, kuaimi_error> {
    let mut file = null_mut();
    match error!(kuaimi_pkcs12_read(
        bytes.as_ptr(),
        bytes.len(),
        password.as_ptr(),
        password.len(),
        &mut file
    )) {
        KUAIMI_OK => Ok(file),
        error => Err(error),
    }
}

fn raw(key: *mut kuaimi_sm2_private_key) -> Vec<u8> {
    let raw = output!(|out, len| kuaimi_sm2_private_key_write(key, KUAIMI_KEY_RAW, out, len));
    free!(kuaimi_sm2_private_key_free(key));
    raw
}

fn chain_of(file: *mut kuaimi_pkcs12, index: usize) -> Vec<Vec<u8>> {
    let count: usize = number!(kuaimi_pkcs12_certificate_count(file, index));
    (0..count)
        .map(|place| der_of(new!(kuaimi_pkcs12_certificate(file, index, place))))
        .collect()
}

#[test]
fn files_are_written_and_read() {
    let root = Holder::root();
    let authority = Purpose::Authority { path_len: None };
    let middle = Holder::new("middle", authority, Some(&root));
    let leaf = Holder::new("leaf", Purpose::General, Some(&middle));
    let above = [root.handle, middle.handle];
    let password = "密码".as_bytes();
    for profile in [
        KUAIMI_PKCS12_COMPATIBLE,
        KUAIMI_PKCS12_SM,
        KUAIMI_PKCS12_SM_OPENSSL,
        KUAIMI_PKCS12_LEGACY,
    ] {
        let bytes = output!(|out, len| kuaimi_pkcs12_write(
            leaf.key,
            leaf.handle,
            above.as_ptr(),
            2,
            password.as_ptr(),
            password.len(),
            profile,
            out,
            len,
        ));
        let file = open(&bytes, password).expect("a file");
        let keys: usize = number!(kuaimi_pkcs12_key_count(file));
        assert_eq!(keys, 1);
        let key = new!(kuaimi_pkcs12_key(file, 0));
        assert_eq!(raw(key), sm3::digest(b"leaf"));
        // In their order, whatever the file's is.
        let expected = [&leaf, &middle, &root].map(|it| it.certificate.as_der().to_vec());
        assert_eq!(chain_of(file, 0), expected);
        for error in [
            error!(kuaimi_pkcs12_key(file, 1, &mut null_mut())),
            error!(kuaimi_pkcs12_certificate_count(file, 1, &mut 0)),
            error!(kuaimi_pkcs12_certificate(file, 1, 0, &mut null_mut())),
            error!(kuaimi_pkcs12_certificate(file, 0, 3, &mut null_mut())),
        ] {
            assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
        }
        free!(kuaimi_pkcs12_free(file));
        if profile == KUAIMI_PKCS12_LEGACY {
            let mut altered = bytes.clone();
            altered[bytes.len() / 2] ^= 1;
            for (bytes, password, error) in [
                (&bytes, &b"password"[..], KUAIMI_ERROR_WRONG_PASSWORD),
                (&bytes, b"", KUAIMI_ERROR_WRONG_PASSWORD),
                (&bytes, b"\xff", KUAIMI_ERROR_INVALID_ARGUMENT),
                (&altered, password, KUAIMI_ERROR_WRONG_PASSWORD),
                (&b"text".to_vec(), password, KUAIMI_ERROR_DER),
            ] {
                assert_eq!(open(bytes, password), Err(error), "{password:?}");
            }
        }
    }
}

#[test]
fn the_certificate_must_be_of_the_key() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::General, Some(&root));
    for (certificate, password, profile) in [
        (root.handle, &b"a"[..], KUAIMI_PKCS12_LEGACY),
        (leaf.handle, b"\xff", KUAIMI_PKCS12_LEGACY),
        (leaf.handle, b"a", 0),
    ] {
        let (mut buffer, mut size) = ([0; 8192], 8192);
        let error = error!(kuaimi_pkcs12_write(
            leaf.key,
            certificate,
            null(),
            0,
            password.as_ptr(),
            password.len(),
            profile,
            buffer.as_mut_ptr(),
            &mut size,
        ));
        assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
    }
}

/// A pair, and a key without a certificate between its two.
#[test]
fn a_file_may_have_several_keys() {
    let root = Holder::root();
    let signing = Holder::new("signing", Purpose::Signing, Some(&root));
    let encrypting = Holder::new("encrypting", Purpose::Encryption, Some(&root));
    let alone = PrivateKey::from_bytes(&[7; 32]).expect("a key");
    let mut file = Pkcs12::new();
    let push = |file: &mut Pkcs12, holder: &Holder| {
        let key = holder.signer.private_key();
        let pushed = file.push_identity(key, &holder.certificate, None);
        pushed.expect("its own certificate");
    };
    push(&mut file, &signing);
    let key = Key::of_sm2(&alone).expect("a key");
    file.push(Entry::new(Content::Key(key)));
    push(&mut file, &encrypting);
    let protection = Protection::from(Profile::ShangMi).with_iterations(10);
    let bytes = file.to_der("", protection, &mut getrandom::SysRng);
    // Without a byte of a password.
    let file = open(&bytes.expect("a file"), b"").expect("a file");
    let keys: usize = number!(kuaimi_pkcs12_key_count(file));
    assert_eq!(keys, 3);
    let mut found: Vec<_> = (0..3)
        .map(|i| (raw(new!(kuaimi_pkcs12_key(file, i))), chain_of(file, i)))
        .collect();
    let of = |holder: &Holder, name: &[u8]| {
        let chain = vec![holder.certificate.as_der().to_vec()];
        (sm3::digest(name).to_vec(), chain)
    };
    let mut expected = vec![
        of(&signing, b"signing"),
        (vec![7; 32], Vec::new()),
        of(&encrypting, b"encrypting"),
    ];
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    free!(kuaimi_pkcs12_free(file));
}

#[test]
fn files_of_cfca_are_read() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::General, Some(&root));
    let key = leaf.signer.private_key();
    let text = kuaimi_pki::cfca::write_key_file(key, &leaf.certificate, "密码").expect("a file");
    let read = |text: &[u8], password: &[u8]| {
        let (mut key, mut certificate) = (null_mut(), null_mut());
        let error = error!(kuaimi_cfca_read_key_file(
            text.as_ptr(),
            text.len(),
            password.as_ptr(),
            password.len(),
            &mut key,
            &mut certificate
        ));
        (error, key, certificate)
    };
    let (error, key, certificate) = read(text.as_bytes(), "密码".as_bytes());
    assert_eq!(error, KUAIMI_OK);
    assert_eq!(raw(key), sm3::digest(b"leaf"));
    assert_eq!(der_of(certificate), leaf.certificate.as_der());
    for (text, password, error) in [
        (text.as_bytes(), &b"123456"[..], KUAIMI_ERROR_WRONG_PASSWORD),
        (text.as_bytes(), b"\xff", KUAIMI_ERROR_INVALID_ARGUMENT),
    ] {
        assert_eq!(read(text, password), (error, null_mut(), null_mut()));
    }
    assert_ne!(read(b"text", b"123456").0, KUAIMI_OK);
}

#[test]
fn a_pair_of_keys_in_one_file() {
    let root = Holder::root();
    let signing = Holder::new("signing", Purpose::Signing, Some(&root));
    let encrypting = Holder::new("encrypting", Purpose::Encryption, Some(&root));
    let (keys, holders) = (
        [signing.key, encrypting.key],
        [signing.handle, encrypting.handle],
    );
    let write = |count, out, len| {
        error!(kuaimi_pkcs12_write_all(
            keys.as_ptr(),
            holders.as_ptr(),
            count,
            &root.handle,
            1,
            b"password".as_ptr(),
            8,
            KUAIMI_PKCS12_LEGACY,
            out,
            len,
        ))
    };
    let (mut bytes, mut size) = (vec![0; 1 << 14], 1 << 14);
    assert_eq!(write(2, bytes.as_mut_ptr(), &mut size), KUAIMI_OK);
    let file = open(&bytes[..size], b"password").expect("a file");
    let count: usize = number!(kuaimi_pkcs12_key_count(file));
    assert_eq!(count, 2);
    for (index, holder) in [&signing, &encrypting].into_iter().enumerate() {
        let chain = [holder, &root].map(|it| it.certificate.as_der().to_vec());
        assert_eq!(chain_of(file, index), chain);
        let secret = holder.signer.private_key().to_bytes();
        assert_eq!(
            raw(new!(kuaimi_pkcs12_key(file, index)))[..],
            secret.as_ref()[..]
        );
    }
    free!(kuaimi_pkcs12_free(file));
    let error = write(0, bytes.as_mut_ptr(), &mut size);
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);
}

#[test]
fn forms_of_cfca_are_written_and_opened() {
    let root = Holder::root();
    let leaf = Holder::new("leaf", Purpose::General, Some(&root));
    let text = output!(|out, len| kuaimi_cfca_write_key_file(
        leaf.key,
        leaf.handle,
        b"password".as_ptr(),
        8,
        out,
        len
    ));
    let (mut key, mut certificate) = (null_mut(), null_mut());
    call!(kuaimi_cfca_read_key_file(
        text.as_ptr(),
        text.len(),
        b"password".as_ptr(),
        8,
        &mut key,
        &mut certificate
    ));
    assert_eq!(
        raw(key)[..],
        leaf.signer.private_key().to_bytes().as_ref()[..]
    );
    assert_eq!(der_of(certificate), leaf.certificate.as_der());
    let mut size = 0;
    let error = error!(kuaimi_cfca_write_key_file(
        root.key,
        leaf.handle,
        null(),
        0,
        null_mut(),
        &mut size
    ));
    assert_eq!(error, KUAIMI_ERROR_INVALID_ARGUMENT);

    let returned = kuaimi_pki::cfca::return_key(
        leaf.signer.private_key(),
        root.signer.public_key(),
        &mut getrandom::SysRng,
    );
    let text = returned.expect("a key");
    let opened = new!(kuaimi_cfca_open_returned_key(
        root.key,
        text.as_ptr(),
        text.len()
    ));
    assert_eq!(
        raw(opened)[..],
        leaf.signer.private_key().to_bytes().as_ref()[..]
    );
    let mut none = null_mut();
    let error = error!(kuaimi_cfca_open_returned_key(
        leaf.key,
        text.as_ptr(),
        text.len(),
        &mut none
    ));
    assert_eq!(error, KUAIMI_ERROR_DECRYPTION_FAILED);
    assert!(none.is_null());
}
