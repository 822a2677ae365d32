//! SM9's batches and its cache of identities.

use std::ptr::null_mut;

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

use super::{COUNT, expected, messages, of};

#[test]
fn sm9_signatures() {
    let messages = messages();
    let names: Vec<String> = (0..COUNT).map(|i| format!("user {i}")).collect();
    let mut identities: Vec<kuaimi_sm9_identity> = names
        .iter()
        .map(|name| kuaimi_sm9_identity {
            id: of(name.as_bytes()),
            hid: 0,
        })
        .collect();
    let (mut master, mut public, mut keys) = (null_mut(), null_mut(), vec![null_mut(); COUNT]);
    call!(kuaimi_sm9_master_signing_key_generate(&mut master));
    call!(kuaimi_sm9_master_signing_key_public_key(
        master,
        &mut public
    ));
    identities[2].id.len = 0;
    let made = batch!(kuaimi_sm9_master_signing_key_extract_batch(
        master,
        identities.as_ptr(),
        COUNT,
        keys.as_mut_ptr()
    ));
    assert_eq!(made, expected(&[(2, KUAIMI_ERROR_EMPTY_IDENTITY)]));
    assert!(keys[2].is_null());

    let items: Vec<kuaimi_sm9_sign_item> = (0..COUNT)
        .map(|i| kuaimi_sm9_sign_item {
            key: keys[i],
            message: of(&messages[i]),
        })
        .collect();
    let mut signatures = vec![[0; 96]; COUNT];
    let made = batch!(kuaimi_sm9_sign_batch(
        items.as_ptr(),
        COUNT,
        signatures.as_mut_ptr().cast()
    ));
    assert_eq!(made, expected(&[(2, KUAIMI_ERROR_NULL_POINTER)]));

    let mut verifying = vec![null_mut(); COUNT];
    for (name, key) in names.iter().zip(&mut verifying) {
        call!(kuaimi_sm9_verifying_key_new(
            public,
            name.as_ptr(),
            name.len(),
            0,
            key
        ));
    }
    let mut items: Vec<kuaimi_sm9_verify_item> = (0..COUNT)
        .map(|i| kuaimi_sm9_verify_item {
            key: verifying[i],
            message: of(&messages[i]),
            signature: of(&signatures[i]),
            form: KUAIMI_SIGNATURE_RAW,
        })
        .collect();
    items[5].signature = of(&signatures[6]);
    items[7].form = KUAIMI_SIGNATURE_ANY;
    let wrong = [
        (2, KUAIMI_ERROR_INVALID_SIGNATURE),
        (5, KUAIMI_ERROR_INVALID_SIGNATURE),
        (7, KUAIMI_ERROR_INVALID_ARGUMENT),
    ];
    let (mut cache, mut stats) = (null_mut(), kuaimi_cache_stats::default());
    call!(kuaimi_sm9_identity_cache_new(public, 1 << 20, &mut cache));
    for _ in 0..2 {
        let found = batch!(kuaimi_sm9_identity_cache_verify_batch(
            cache,
            items.as_ptr(),
            COUNT
        ));
        assert_eq!(found, expected(&wrong));
    }
    call!(kuaimi_sm9_identity_cache_verify(
        cache,
        verifying[0],
        messages[0].as_ptr(),
        messages[0].len(),
        signatures[0].as_ptr(),
        96,
        KUAIMI_SIGNATURE_RAW
    ));
    call!(kuaimi_sm9_identity_cache_get_stats(cache, &mut stats));
    assert!(stats.entries > 10 && stats.hits > 0, "{stats:?}");
    // Without a cache.
    assert_eq!(
        batch!(kuaimi_sm9_verify_batch(items.as_ptr(), COUNT)),
        expected(&wrong)
    );
    call!(kuaimi_sm9_identity_cache_clear(cache));
    call!(kuaimi_sm9_identity_cache_get_stats(cache, &mut stats));
    assert_eq!(stats.entries, 0);
    for i in 0..COUNT {
        free!(kuaimi_sm9_signing_key_free(keys[i]); kuaimi_sm9_verifying_key_free(verifying[i]));
    }
    free!(
        kuaimi_sm9_identity_cache_free(cache);
        kuaimi_sm9_master_signing_key_free(master);
        kuaimi_sm9_master_signing_public_key_free(public)
    );
}

#[test]
fn sm9_encryption_and_encapsulation() {
    let messages = messages();
    let names: Vec<String> = (0..COUNT).map(|i| format!("user {i}")).collect();
    let identities: Vec<kuaimi_sm9_identity> = names
        .iter()
        .map(|name| kuaimi_sm9_identity {
            id: of(name.as_bytes()),
            hid: 0,
        })
        .collect();
    let (mut master, mut public) = (null_mut(), null_mut());
    let (mut to, mut by) = (vec![null_mut(); COUNT], vec![null_mut(); COUNT]);
    call!(kuaimi_sm9_master_encryption_key_generate(&mut master));
    call!(kuaimi_sm9_master_encryption_key_public_key(
        master,
        &mut public
    ));
    let made = batch!(kuaimi_sm9_master_encryption_key_extract_batch(
        master,
        identities.as_ptr(),
        COUNT,
        by.as_mut_ptr()
    ));
    assert_eq!(made, expected(&[]));
    for (name, key) in names.iter().zip(&mut to) {
        call!(kuaimi_sm9_encryption_key_new(
            public,
            name.as_ptr(),
            name.len(),
            0,
            key
        ));
    }

    let options = kuaimi_sm9_options {
        mode: KUAIMI_SM9_MODE_CBC,
        mac: 0,
        form: KUAIMI_SM9_CIPHERTEXT_RAW,
    };
    let mut buffers = vec![vec![0; 500]; COUNT];
    let mut items: Vec<kuaimi_sm9_encrypt_item> = (0..COUNT)
        .map(|i| kuaimi_sm9_encrypt_item {
            key: to[i],
            message: of(&messages[i]),
            out: buffers[i].as_mut_ptr(),
            out_len: 500,
        })
        .collect();
    items[3].out_len = 10;
    let found = batch!(kuaimi_sm9_encrypt_batch(
        items.as_mut_ptr(),
        COUNT,
        &options
    ));
    assert_eq!(found, expected(&[(3, KUAIMI_ERROR_BUFFER_TOO_SMALL)]));
    assert_eq!(
        items[3].out_len,
        messages[3].len() + KUAIMI_SM9_CIPHERTEXT_OVERHEAD
    );
    let mut plaintexts = vec![vec![0; 500]; COUNT];
    let mut opening: Vec<kuaimi_sm9_decrypt_item> = (0..COUNT)
        .map(|i| kuaimi_sm9_decrypt_item {
            key: by[i],
            ciphertext: of(&buffers[i][..items[i].out_len]),
            out: plaintexts[i].as_mut_ptr(),
            out_len: 500,
        })
        .collect();
    opening[4].key = by[5];
    let found = batch!(kuaimi_sm9_decrypt_batch(
        opening.as_mut_ptr(),
        COUNT,
        &options
    ));
    let wrong = [
        (3, KUAIMI_ERROR_DECRYPTION_FAILED),
        (4, KUAIMI_ERROR_DECRYPTION_FAILED),
    ];
    assert_eq!(found, expected(&wrong));
    for i in (0..3).chain(5..COUNT) {
        assert_eq!(plaintexts[i][..opening[i].out_len], messages[i]);
    }

    let (mut fresh, mut points) = (vec![[0; 40]; COUNT], vec![[0; 65]; COUNT]);
    let mut items: Vec<kuaimi_sm9_encapsulate_item> = (0..COUNT)
        .map(|i| kuaimi_sm9_encapsulate_item {
            key: to[i],
            derived: fresh[i].as_mut_ptr(),
            derived_len: 1 + i,
            c: points[i].as_mut_ptr(),
        })
        .collect();
    items[6].derived_len = 0;
    items[7].c = null_mut();
    let found = batch!(kuaimi_sm9_encapsulate_batch(items.as_ptr(), COUNT));
    let wrong = [
        (6, KUAIMI_ERROR_DERIVED_KEY_LENGTH),
        (7, KUAIMI_ERROR_NULL_POINTER),
    ];
    assert_eq!(found, expected(&wrong));
    let mut derived = vec![[0; 40]; COUNT];
    let opening: Vec<kuaimi_sm9_decapsulate_item> = (0..COUNT)
        .map(|i| kuaimi_sm9_decapsulate_item {
            key: by[i],
            c: of(&points[i]),
            derived: derived[i].as_mut_ptr(),
            derived_len: items[i].derived_len,
        })
        .collect();
    let found = batch!(kuaimi_sm9_decapsulate_batch(opening.as_ptr(), COUNT));
    let wrong = [
        (6, KUAIMI_ERROR_DECRYPTION_FAILED),
        (7, KUAIMI_ERROR_DECRYPTION_FAILED),
    ];
    assert_eq!(found, expected(&wrong));
    assert_eq!(derived, fresh);
    assert_ne!(fresh[20], [0; 40]);
    for i in 0..COUNT {
        free!(kuaimi_sm9_encryption_key_free(to[i]); kuaimi_sm9_decryption_key_free(by[i]));
    }
    free!(
        kuaimi_sm9_master_encryption_key_free(master);
        kuaimi_sm9_master_encryption_public_key_free(public)
    );
}
