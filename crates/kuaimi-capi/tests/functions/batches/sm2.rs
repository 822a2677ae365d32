//! SM2's batches, its cache of keys and its pool of nonces.

use std::ptr::{null, null_mut};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

use super::{COUNT, expected, messages, of};

struct Sm2Keys {
    private: Vec<*mut kuaimi_sm2_private_key>,
    public: Vec<*mut kuaimi_sm2_public_key>,
    signing: Vec<*mut kuaimi_sm2_signing_key>,
    verifying: Vec<*mut kuaimi_sm2_verifying_key>,
}

fn sm2_keys() -> Sm2Keys {
    let mut private = vec![null_mut(); COUNT];
    let made = batch!(kuaimi_sm2_private_key_generate_batch(
        private.as_mut_ptr(),
        COUNT
    ));
    assert_eq!(made, expected(&[]));
    let (mut public, mut signing, mut verifying) = (
        vec![null_mut(); COUNT],
        vec![null_mut(); COUNT],
        vec![null_mut(); COUNT],
    );
    for i in 0..COUNT {
        call!(kuaimi_sm2_private_key_public_key(
            private[i],
            &mut public[i]
        ));
        call!(kuaimi_sm2_signing_key_new(
            private[i],
            null(),
            0,
            &mut signing[i]
        ));
        call!(kuaimi_sm2_verifying_key_new(
            public[i],
            null(),
            0,
            &mut verifying[i]
        ));
        if i % 2 == 1 {
            call!(kuaimi_sm2_verifying_key_prepare(verifying[i]));
        }
    }
    Sm2Keys {
        private,
        public,
        signing,
        verifying,
    }
}

impl Drop for Sm2Keys {
    fn drop(&mut self) {
        for i in 0..COUNT {
            free!(
                kuaimi_sm2_private_key_free(self.private[i]);
                kuaimi_sm2_public_key_free(self.public[i]);
                kuaimi_sm2_signing_key_free(self.signing[i]);
                kuaimi_sm2_verifying_key_free(self.verifying[i])
            );
        }
    }
}

#[test]
fn sm2_signatures() {
    let (keys, messages) = (sm2_keys(), messages());
    let digest = [5; 32];
    let mut signing: Vec<kuaimi_sm2_sign_item> = (0..COUNT)
        .map(|i| kuaimi_sm2_sign_item {
            key: keys.signing[i],
            content: of(&messages[i]),
            content_kind: KUAIMI_CONTENT_MESSAGE,
        })
        .collect();
    signing[3].content = of(&digest);
    signing[3].content_kind = KUAIMI_CONTENT_DIGEST;
    let mut signatures = vec![[0; 64]; COUNT];
    let made = batch!(kuaimi_sm2_sign_batch(
        signing.as_ptr(),
        COUNT,
        signatures.as_mut_ptr().cast()
    ));
    assert_eq!(made, expected(&[]));

    let item = |i: usize| kuaimi_sm2_verify_item {
        key: keys.verifying[i],
        content: signing[i].content,
        signature: of(&signatures[i]),
        content_kind: signing[i].content_kind,
        form: KUAIMI_SIGNATURE_RAW,
    };
    let mut items: Vec<kuaimi_sm2_verify_item> = (0..COUNT).map(item).collect();
    assert_eq!(
        batch!(kuaimi_sm2_verify_batch(items.as_ptr(), COUNT)),
        expected(&[])
    );
    items[7].signature = of(&signatures[8]);
    items[9].key = null();
    items[10].key = keys.signing[10].cast();
    items[11].content_kind = 2;
    items[12].content_kind = KUAIMI_CONTENT_DIGEST;
    items[13].signature.len = 63;
    items[14].signature.data = null();
    items[15].form = KUAIMI_SIGNATURE_DER;
    let wrong = [
        (7, KUAIMI_ERROR_INVALID_SIGNATURE),
        (9, KUAIMI_ERROR_NULL_POINTER),
        (10, KUAIMI_ERROR_INVALID_HANDLE),
        (11, KUAIMI_ERROR_INVALID_ARGUMENT),
        (12, KUAIMI_ERROR_INVALID_ARGUMENT),
        (13, KUAIMI_ERROR_INVALID_SIGNATURE),
        (14, KUAIMI_ERROR_NULL_POINTER),
        (15, KUAIMI_ERROR_INVALID_SIGNATURE),
    ];

    // With a cache, which gives tables to keys that have none of their own.
    let (mut cache, mut stats) = (null_mut(), kuaimi_cache_stats::default());
    call!(kuaimi_sm2_key_cache_new(16 << 20, &mut cache));
    for _ in 0..3 {
        let found = batch!(kuaimi_sm2_key_cache_verify_batch(
            cache,
            items.as_ptr(),
            COUNT
        ));
        assert_eq!(found, expected(&wrong));
    }
    let (message, signature) = (&messages[2], &signatures[2]);
    call!(kuaimi_sm2_key_cache_verify(
        cache,
        keys.verifying[2],
        message.as_ptr(),
        message.len(),
        signature.as_ptr(),
        64,
        KUAIMI_SIGNATURE_RAW
    ));
    call!(kuaimi_sm2_key_cache_verify_digest(
        cache,
        keys.verifying[3],
        digest.as_ptr(),
        signatures[3].as_ptr(),
        64,
        KUAIMI_SIGNATURE_RAW
    ));
    // SAFETY: slices with their lengths, and handles that are not freed yet.
    let other = unsafe {
        kuaimi_sm2_key_cache_verify(
            cache,
            keys.verifying[4],
            message.as_ptr(),
            message.len(),
            signature.as_ptr(),
            64,
            KUAIMI_SIGNATURE_RAW,
        )
    };
    assert_eq!(other, KUAIMI_ERROR_INVALID_SIGNATURE);
    call!(kuaimi_sm2_key_cache_get_stats(cache, &mut stats));
    assert!(
        stats.entries > 10 && stats.hits > 10 && stats.bytes > 10 << 10,
        "{stats:?}"
    );
    // Without a cache.
    assert_eq!(
        batch!(kuaimi_sm2_verify_batch(items.as_ptr(), COUNT)),
        expected(&wrong)
    );
    call!(kuaimi_sm2_key_cache_clear(cache));
    call!(kuaimi_sm2_key_cache_get_stats(cache, &mut stats));
    assert_eq!(stats.entries, 0);
    free!(kuaimi_sm2_key_cache_free(cache));
}

#[test]
fn sm2_recovery() {
    let keys = sm2_keys();
    let digests: Vec<[u8; 32]> = (0..COUNT).map(|i| [i as u8; 32]).collect();
    let mut signatures = vec![[0; 64]; COUNT];
    let mut items: Vec<kuaimi_sm2_recover_item> = (0..COUNT)
        .map(|i| {
            let (mut len, mut recovery_id) = (64, 0);
            call!(kuaimi_sm2_sign_digest_recoverable(
                keys.signing[i],
                digests[i].as_ptr(),
                KUAIMI_SIGNATURE_RAW,
                signatures[i].as_mut_ptr(),
                &mut len,
                &mut recovery_id
            ));
            kuaimi_sm2_recover_item {
                digest: of(&digests[i]),
                signature: of(&signatures[i]),
                recovery_id,
                form: KUAIMI_SIGNATURE_RAW,
            }
        })
        .collect();
    items[4].recovery_id = 4;
    items[5].digest.len = 31;
    items[6].signature.len = 60;
    items[7].form = 0;
    let wrong = [
        (4, KUAIMI_ERROR_RECOVERY_ID),
        (5, KUAIMI_ERROR_INVALID_ARGUMENT),
        (6, KUAIMI_ERROR_SIGNATURE_ENCODING),
        (7, KUAIMI_ERROR_INVALID_ARGUMENT),
    ];
    let mut recovered = vec![null_mut(); COUNT];
    let found = batch!(kuaimi_sm2_recover_batch(
        items.as_ptr(),
        COUNT,
        recovered.as_mut_ptr()
    ));
    assert_eq!(found, expected(&wrong));
    let point =
        |key| output!(|out, len| kuaimi_sm2_public_key_write(key, KUAIMI_KEY_RAW, out, len));
    for (i, key) in recovered.into_iter().enumerate() {
        assert_eq!(key.is_null(), (4..8).contains(&i));
        if !key.is_null() {
            assert_eq!(point(key), point(keys.public[i]), "item {i}");
        }
        free!(kuaimi_sm2_public_key_free(key));
    }
}

#[test]
fn sm2_encryption() {
    let (keys, messages) = (sm2_keys(), messages());
    for form in 1..=5 {
        let mut buffers = vec![vec![0; 400]; COUNT];
        let mut items: Vec<kuaimi_sm2_encrypt_item> = (0..COUNT)
            .map(|i| kuaimi_sm2_encrypt_item {
                key: keys.public[i],
                message: of(&messages[i]),
                out: buffers[i].as_mut_ptr(),
                out_len: 400,
            })
            .collect();
        items[3].out_len = 50;
        items[4].out = null_mut();
        items[5].message.len = 0;
        let wrong = [
            (3, KUAIMI_ERROR_BUFFER_TOO_SMALL),
            (4, KUAIMI_ERROR_NULL_POINTER),
            (5, KUAIMI_ERROR_EMPTY_MESSAGE),
        ];
        let found = batch!(kuaimi_sm2_encrypt_batch(items.as_mut_ptr(), COUNT, form));
        assert_eq!(found, expected(&wrong));
        assert!(
            items[3].out_len > 96 && items[3].out_len <= 16 + 124,
            "{}",
            items[3].out_len
        );

        let mut plaintexts = vec![vec![0; 400]; COUNT];
        let mut opening: Vec<kuaimi_sm2_decrypt_item> = (0..COUNT)
            .map(|i| kuaimi_sm2_decrypt_item {
                key: keys.private[i],
                ciphertext: of(&buffers[i][..items[i].out_len.min(400)]),
                out: plaintexts[i].as_mut_ptr(),
                out_len: 400,
            })
            .collect();
        opening[6].out_len = 1;
        opening[7].key = keys.private[8];
        let wrong = [
            (3, KUAIMI_ERROR_DECRYPTION_FAILED),
            (4, KUAIMI_ERROR_DECRYPTION_FAILED),
            (5, KUAIMI_ERROR_DECRYPTION_FAILED),
            (6, KUAIMI_ERROR_BUFFER_TOO_SMALL),
            (7, KUAIMI_ERROR_DECRYPTION_FAILED),
        ];
        let found = batch!(kuaimi_sm2_decrypt_batch(opening.as_mut_ptr(), COUNT, form));
        assert_eq!(found, expected(&wrong));
        assert_eq!(opening[6].out_len, messages[6].len());
        for i in (0..3).chain(8..COUNT) {
            assert_eq!(plaintexts[i][..opening[i].out_len], messages[i]);
        }
    }
    let (all, _) = batch!(kuaimi_sm2_decrypt_batch(
        null_mut(),
        0,
        KUAIMI_SM2_CIPHERTEXT_ANY
    ));
    assert_eq!(all, KUAIMI_ERROR_INVALID_ARGUMENT);
}

#[test]
fn sm2_diffie_hellman() {
    let keys = sm2_keys();
    // Each with the next one's public key, and the other way round.
    let next = |i: usize| (i + 1) % COUNT;
    let mut secrets = [[0xff; 32 * COUNT]; 2];
    let mut found = Vec::new();
    for (secrets, swapped) in secrets.iter_mut().zip([false, true]) {
        let mut items: Vec<kuaimi_sm2_diffie_hellman_item> = (0..COUNT)
            .map(|i| {
                let (key, peer) = if swapped { (next(i), i) } else { (i, next(i)) };
                kuaimi_sm2_diffie_hellman_item {
                    key: keys.private[key],
                    peer: keys.public[peer],
                }
            })
            .collect();
        items[3].key = null();
        items[4].peer = null();
        found.push(batch!(kuaimi_sm2_diffie_hellman_batch(
            items.as_ptr(),
            COUNT,
            secrets.as_mut_ptr()
        )));
    }
    let wrong = [
        (3, KUAIMI_ERROR_NULL_POINTER),
        (4, KUAIMI_ERROR_NULL_POINTER),
    ];
    assert_eq!(found, [expected(&wrong), expected(&wrong)]);
    assert_eq!(secrets[0], secrets[1]);
    for (i, secret) in secrets[0].chunks(32).enumerate() {
        let private = output!(|out, len| kuaimi_sm2_private_key_write(
            keys.private[i],
            KUAIMI_KEY_RAW,
            out,
            len
        ));
        let public = output!(|out, len| kuaimi_sm2_public_key_write(
            keys.public[next(i)],
            KUAIMI_KEY_RAW,
            out,
            len
        ));
        let alone = kuaimi::sm2::PrivateKey::from_slice(&private)
            .expect("a key")
            .diffie_hellman(
                &kuaimi::sm2::PublicKey::from_sec1_bytes(&[&[4], &public[..]].concat())
                    .expect("a point"),
            );
        let expected = if (3..5).contains(&i) { [0; 32] } else { *alone };
        assert_eq!(secret, expected, "item {i}");
    }
}

/// Each exchange is finished by its initiator; those with something wrong have no response.
#[test]
fn sm2_exchange() {
    let keys = sm2_keys();
    let mut initiators = vec![null_mut(); COUNT];
    let mut points = vec![[0; 65]; COUNT];
    let id = |i: usize| {
        if i.is_multiple_of(2) {
            None
        } else {
            Some(&b"alice"[..])
        }
    };
    for i in 0..COUNT {
        let own = id(i).map_or((null(), 0), |id| (id.as_ptr(), id.len()));
        call!(kuaimi_sm2_exchange_start(
            keys.private[i],
            keys.public[0],
            own.0,
            own.1,
            b"bob".as_ptr(),
            3,
            &mut initiators[i],
            points[i].as_mut_ptr()
        ));
    }
    let long = [0; 8192];
    let mut items: Vec<kuaimi_sm2_respond_item> = (0..COUNT)
        .map(|i| kuaimi_sm2_respond_item {
            key: keys.private[0],
            peer: keys.public[i],
            id: of(b"bob"),
            peer_id: id(i).map_or(
                kuaimi_bytes {
                    data: null(),
                    len: 0,
                },
                of,
            ),
            // With the first byte and without, in turn.
            r_a: of(&points[i][i % 3 / 2..]),
            r_b: [7; 65],
            s_b: [7; 32],
        })
        .collect();
    items[3].key = null();
    items[4].r_a = of(&points[4][..60]);
    items[5].id = of(&long);
    let mut responses = vec![null_mut(); COUNT];
    let found = batch!(kuaimi_sm2_exchange_respond_batch(
        items.as_mut_ptr(),
        COUNT,
        48,
        responses.as_mut_ptr()
    ));
    let wrong = [
        (3, KUAIMI_ERROR_NULL_POINTER),
        (4, KUAIMI_ERROR_POINT_ENCODING),
        (5, KUAIMI_ERROR_IDENTITY_TOO_LONG),
    ];
    assert_eq!(found, expected(&wrong));
    for (i, item) in items.iter().enumerate() {
        if (3..6).contains(&i) {
            assert!(responses[i].is_null());
            assert_eq!((item.r_b, item.s_b), ([0; 65], [0; 32]));
            // SAFETY: a handle of this test.
            unsafe { kuaimi_sm2_initiator_free(initiators[i]) };
            continue;
        }
        let (mut shared, mut theirs, mut s_a) = ([0; 48], [0; 48], [0; 32]);
        call!(kuaimi_sm2_initiator_finish(
            initiators[i],
            item.r_b.as_ptr(),
            65,
            item.s_b.as_ptr(),
            shared.as_mut_ptr(),
            48,
            s_a.as_mut_ptr()
        ));
        call!(kuaimi_sm2_response_confirm(
            responses[i],
            s_a.as_ptr(),
            theirs.as_mut_ptr(),
            48
        ));
        assert_eq!(shared, theirs, "item {i}");
        assert_ne!(shared, [0; 48]);
        // SAFETY: handles of this test.
        unsafe {
            kuaimi_sm2_initiator_free(initiators[i]);
            kuaimi_sm2_response_free(responses[i]);
        }
    }
    let found = batch!(kuaimi_sm2_exchange_respond_batch(
        items.as_mut_ptr(),
        3,
        0,
        responses.as_mut_ptr()
    ));
    assert_eq!(found.0, KUAIMI_ERROR_DERIVED_KEY_LENGTH);
}

#[test]
fn nonce_pool() {
    let keys = sm2_keys();
    let (mut pool, mut stats) = (null_mut(), kuaimi_sm2_nonce_pool_stats::default());
    call!(kuaimi_sm2_nonce_pool_new(64, &mut pool));
    let digest = [7; 32];
    for i in 0..COUNT {
        let signature = output!(|out, len| kuaimi_sm2_nonce_pool_sign(
            pool,
            keys.signing[i],
            b"message".as_ptr(),
            7,
            KUAIMI_SIGNATURE_DER,
            out,
            len
        ));
        call!(kuaimi_sm2_verify(
            keys.verifying[i],
            b"message".as_ptr(),
            7,
            signature.as_ptr(),
            signature.len(),
            KUAIMI_SIGNATURE_DER
        ));
        let signature = output!(|out, len| kuaimi_sm2_nonce_pool_sign_digest(
            pool,
            keys.signing[i],
            digest.as_ptr(),
            KUAIMI_SIGNATURE_RAW,
            out,
            len
        ));
        call!(kuaimi_sm2_verify_digest(
            keys.verifying[i],
            digest.as_ptr(),
            signature.as_ptr(),
            64,
            KUAIMI_SIGNATURE_RAW
        ));
    }
    call!(kuaimi_sm2_nonce_pool_get_stats(pool, &mut stats));
    // Asking for the size takes no nonce.
    assert_eq!(stats.served + stats.missed, 2 * COUNT as u64);
    free!(kuaimi_sm2_nonce_pool_free(pool));
}
