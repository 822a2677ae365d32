//! SM4-GCM of many messages, a key each.

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

use super::{COUNT, expected, messages, of};

#[test]
fn sm4_gcm() {
    let mut messages = messages();
    messages[0].clear();
    let keys: Vec<[u8; 16]> = (0..COUNT).map(|i| [i as u8; 16]).collect();
    let (nonce, beside) = ([9; 12], b"a header");
    let mut tags = vec![[0; 16]; COUNT];
    let mut ciphertexts: Vec<Vec<u8>> = messages.iter().map(|m| vec![0xee; m.len()]).collect();
    let mut items: Vec<kuaimi_sm4_gcm_seal_item> = (0..COUNT)
        .map(|i| kuaimi_sm4_gcm_seal_item {
            key: keys[i].as_ptr(),
            nonce: of(&nonce),
            associated_data: of(beside),
            data: of(&messages[i]),
            out: ciphertexts[i].as_mut_ptr(),
            tag: tags[i].as_mut_ptr(),
        })
        .collect();
    items[0].out = null_mut(); // nothing to write
    items[3].nonce.len = 0;
    items[4].out = null_mut();
    items[5].key = null();
    items[6].tag = null_mut();
    items[7].data.data = null();
    let wrong = [
        (3, KUAIMI_ERROR_EMPTY_NONCE),
        (4, KUAIMI_ERROR_NULL_POINTER),
        (5, KUAIMI_ERROR_NULL_POINTER),
        (6, KUAIMI_ERROR_NULL_POINTER),
        (7, KUAIMI_ERROR_NULL_POINTER),
    ];
    let found = batch!(kuaimi_sm4_gcm_seal_batch(items.as_ptr(), COUNT));
    assert_eq!(found, expected(&wrong));
    for i in 0..COUNT {
        if (3..8).contains(&i) {
            assert!(ciphertexts[i].iter().all(|&byte| byte == 0xee), "item {i}");
            assert_eq!(tags[i], [0; 16]);
            continue;
        }
        let (mut cipher, mut alone, mut tag) = (null_mut(), messages[i].clone(), [0; 16]);
        call!(kuaimi_sm4_gcm_new(keys[i].as_ptr(), &mut cipher));
        call!(kuaimi_sm4_gcm_seal(
            cipher,
            nonce.as_ptr(),
            12,
            beside.as_ptr(),
            8,
            messages[i].as_ptr(),
            messages[i].len(),
            alone.as_mut_ptr(),
            tag.as_mut_ptr()
        ));
        free!(kuaimi_sm4_gcm_free(cipher));
        assert_eq!((&ciphertexts[i], tags[i]), (&alone, tag), "item {i}");
    }

    // In place; wrong are the items without a ciphertext, and some that are altered.
    tags[9][15] ^= 1;
    ciphertexts[10][0] ^= 1;
    let before = ciphertexts.clone();
    let mut items: Vec<kuaimi_sm4_gcm_open_item> = (0..COUNT)
        .map(|i| kuaimi_sm4_gcm_open_item {
            key: keys[i].as_ptr(),
            nonce: of(&nonce),
            associated_data: of(beside),
            data: of(&ciphertexts[i]),
            tag: tags[i].as_ptr(),
            out: ciphertexts[i].as_mut_ptr(),
        })
        .collect();
    items[7].tag = null();
    items[8].associated_data.len -= 1;
    let mut wrong: Vec<(usize, kuaimi_error)> = (3..11)
        .map(|i| (i, KUAIMI_ERROR_DECRYPTION_FAILED))
        .collect();
    wrong[4].1 = KUAIMI_ERROR_NULL_POINTER;
    let found = batch!(kuaimi_sm4_gcm_open_batch(items.as_ptr(), COUNT));
    assert_eq!(found, expected(&wrong));
    for i in 0..COUNT {
        let left = if (3..11).contains(&i) {
            &before[i]
        } else {
            &messages[i]
        };
        assert_eq!(ciphertexts[i], *left, "item {i}");
    }

    let (all, results) = batch!(kuaimi_sm4_gcm_open_batch(null(), COUNT));
    assert_eq!(all, KUAIMI_ERROR_NULL_POINTER);
    assert!(
        results
            .iter()
            .all(|&one| one == KUAIMI_ERROR_INVALID_ARGUMENT)
    );
    // SAFETY: nothing is read.
    let none = unsafe { kuaimi_sm4_gcm_seal_batch(null(), 0, null_mut()) };
    assert_eq!(none, KUAIMI_OK);
}

/// As single calls with the same handle; the items have no keys.
#[test]
fn sm4_gcm_under_one_key() {
    let messages = messages();
    let beside = b"a header";
    let nonces: Vec<[u8; 12]> = (0..COUNT).map(|i| [i as u8; 12]).collect();
    let mut cipher = null_mut();
    call!(kuaimi_sm4_gcm_new([7; 16].as_ptr(), &mut cipher));
    let mut tags = vec![[0; 16]; COUNT];
    let mut data = messages.clone();
    let mut items: Vec<kuaimi_sm4_gcm_seal_item> = (0..COUNT)
        .map(|i| kuaimi_sm4_gcm_seal_item {
            key: null(),
            nonce: of(&nonces[i]),
            associated_data: of(beside),
            data: of(&data[i]),
            out: data[i].as_mut_ptr(),
            tag: tags[i].as_mut_ptr(),
        })
        .collect();
    items[3].nonce.len = 0;
    items[4].out = null_mut();
    let wrong = [
        (3, KUAIMI_ERROR_EMPTY_NONCE),
        (4, KUAIMI_ERROR_NULL_POINTER),
    ];
    let found = batch!(kuaimi_sm4_gcm_seal_batch_with(
        cipher,
        items.as_ptr(),
        COUNT
    ));
    assert_eq!(found, expected(&wrong));
    for i in 0..COUNT {
        if (3..5).contains(&i) {
            assert_eq!((&data[i], tags[i]), (&messages[i], [0; 16]));
            continue;
        }
        let (mut alone, mut tag) = (messages[i].clone(), [0; 16]);
        call!(kuaimi_sm4_gcm_seal(
            cipher,
            nonces[i].as_ptr(),
            12,
            beside.as_ptr(),
            8,
            messages[i].as_ptr(),
            messages[i].len(),
            alone.as_mut_ptr(),
            tag.as_mut_ptr()
        ));
        assert_eq!((&data[i], tags[i]), (&alone, tag), "item {i}");
    }

    tags[9][15] ^= 1;
    data[10][0] ^= 1;
    let before = data.clone();
    let mut items: Vec<kuaimi_sm4_gcm_open_item> = (0..COUNT)
        .map(|i| kuaimi_sm4_gcm_open_item {
            key: null(),
            nonce: of(&nonces[i]),
            associated_data: of(beside),
            data: of(&data[i]),
            tag: tags[i].as_ptr(),
            out: data[i].as_mut_ptr(),
        })
        .collect();
    items[7].tag = null();
    let failed = [3, 4, 9, 10].map(|i| (i, KUAIMI_ERROR_DECRYPTION_FAILED));
    let mut wrong = failed.to_vec();
    wrong.insert(2, (7, KUAIMI_ERROR_NULL_POINTER));
    let found = batch!(kuaimi_sm4_gcm_open_batch_with(
        cipher,
        items.as_ptr(),
        COUNT
    ));
    assert_eq!(found, expected(&wrong));
    for i in 0..COUNT {
        let is_wrong = wrong.iter().any(|&(place, _)| place == i);
        let left = if is_wrong { &before[i] } else { &messages[i] };
        assert_eq!(data[i], *left, "item {i}");
    }
    let (all, _) = batch!(kuaimi_sm4_gcm_open_batch_with(
        null(),
        items.as_ptr(),
        COUNT
    ));
    assert_eq!(all, KUAIMI_ERROR_NULL_POINTER);
    free!(kuaimi_sm4_gcm_free(cipher));
}
