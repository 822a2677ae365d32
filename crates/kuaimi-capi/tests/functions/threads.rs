//! Threads that share handles.

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use kuaimi_c::kuaimi_error::*;
use kuaimi_c::*;

const THREADS: usize = 4;
const ROUNDS: usize = 100;

/// A handle that another thread may use: the header says so of all handles.
struct Shared<T>(*mut T);
// SAFETY: what is shared here is used through the library's functions alone, which may be called
// from any thread.
unsafe impl<T> Sync for Shared<T> {}

#[test]
fn keys_caches_and_pools_are_shared() {
    let (mut private, mut public, mut signing, mut verifying) =
        (null_mut(), null_mut(), null_mut(), null_mut());
    let (mut cache, mut pool) = (null_mut(), null_mut());
    call!(kuaimi_sm2_private_key_generate(&mut private));
    call!(kuaimi_sm2_private_key_public_key(private, &mut public));
    call!(kuaimi_sm2_signing_key_new(private, null(), 0, &mut signing));
    call!(kuaimi_sm2_verifying_key_new(
        public,
        null(),
        0,
        &mut verifying
    ));
    call!(kuaimi_sm2_key_cache_new(1 << 20, &mut cache));
    call!(kuaimi_sm2_nonce_pool_new(64, &mut pool));
    let shared = (
        Shared(signing),
        Shared(verifying),
        Shared(cache),
        Shared(pool),
    );
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let shared = &shared;
            scope.spawn(move || {
                let (Shared(signing), Shared(verifying), Shared(cache), Shared(pool)) = shared;
                for round in 0..ROUNDS {
                    let message = [thread as u8, round as u8];
                    let signature = output!(|out, len| kuaimi_sm2_nonce_pool_sign(
                        *pool,
                        *signing,
                        message.as_ptr(),
                        2,
                        KUAIMI_SIGNATURE_DER,
                        out,
                        len
                    ));
                    call!(kuaimi_sm2_key_cache_verify(
                        *cache,
                        *verifying,
                        message.as_ptr(),
                        2,
                        signature.as_ptr(),
                        signature.len(),
                        KUAIMI_SIGNATURE_DER
                    ));
                    // Handles come and go on all threads.
                    let mut hash = null_mut();
                    let mut digest = [0; 32];
                    call!(kuaimi_sm3_new(&mut hash));
                    call!(kuaimi_sm3_update(hash, message.as_ptr(), 2));
                    call!(kuaimi_sm3_finish(hash, digest.as_mut_ptr()));
                    assert_eq!(digest, kuaimi::sm3::digest(&message));
                    free!(kuaimi_sm3_free(hash));
                }
            });
        }
    });
    free!(
        kuaimi_sm2_private_key_free(private);
        kuaimi_sm2_public_key_free(public);
        kuaimi_sm2_signing_key_free(signing);
        kuaimi_sm2_verifying_key_free(verifying);
        kuaimi_sm2_key_cache_free(cache);
        kuaimi_sm2_nonce_pool_free(pool)
    );
}

/// Each call of a key stream takes the next bytes of it: none is given out twice, and none is left
/// out.
#[test]
fn a_key_stream_is_shared() {
    let (key, iv) = ([7; 16], [9; 16]);
    let mut stream = null_mut();
    call!(kuaimi_sm4_ctr_new(key.as_ptr(), iv.as_ptr(), &mut stream));
    let shared = Shared(stream);
    let mut taken: Vec<[u8; 16]> = std::thread::scope(|scope| {
        let take = || {
            let Shared(stream) = &shared;
            (0..10 * ROUNDS)
                .map(|_| {
                    let mut block = [0; 16];
                    call!(kuaimi_sm4_ctr_apply(
                        *stream,
                        block.as_ptr(),
                        16,
                        block.as_mut_ptr()
                    ));
                    block
                })
                .collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(take)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    free!(kuaimi_sm4_ctr_free(stream));
    let mut expected = vec![[0; 16]; taken.len()];
    kuaimi::sm4::Sm4Ctr::new(&key, &iv).apply(expected.as_flattened_mut());
    taken.sort_unstable();
    expected.sort_unstable();
    assert!(
        taken == expected,
        "the threads did not take the stream block by block"
    );
}

/// Each step of a key exchange is taken by one thread.
#[test]
fn an_exchange_finishes_once() {
    let (mut private, mut public, mut initiator, mut r_a) =
        (null_mut(), null_mut(), null_mut(), [0; 65]);
    call!(kuaimi_sm2_private_key_generate(&mut private));
    call!(kuaimi_sm2_private_key_public_key(private, &mut public));
    call!(kuaimi_sm2_exchange_start(
        private,
        public,
        null(),
        0,
        null(),
        0,
        &mut initiator,
        r_a.as_mut_ptr()
    ));
    let shared = Shared(initiator);
    let results: Vec<kuaimi_error> = std::thread::scope(|scope| {
        let finish = || {
            let (Shared(initiator), mut key) = (&shared, [0; 16]);
            // SAFETY: arrays with their lengths, and a handle that is not freed yet.
            unsafe {
                kuaimi_sm2_initiator_finish_unconfirmed(
                    *initiator,
                    r_a.as_ptr(),
                    65,
                    key.as_mut_ptr(),
                    16,
                )
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(finish)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .collect()
    });
    let count = |error| results.iter().filter(|&&result| result == error).count();
    assert_eq!(
        (count(KUAIMI_OK), count(KUAIMI_ERROR_ALREADY_USED)),
        (1, THREADS - 1)
    );
    free!(
        kuaimi_sm2_initiator_free(initiator);
        kuaimi_sm2_private_key_free(private);
        kuaimi_sm2_public_key_free(public)
    );
}

/// A name that another thread, or another process, changes while a key is made of it: the key is
/// that of the name that a cache finds it by.
#[test]
fn a_key_is_kept_under_its_own_name() {
    const LEN: usize = 4096;
    let (mut master, mut public, mut key) = (null_mut(), null_mut(), null_mut());
    let (mut cache, mut verifying) = (null_mut(), null_mut());
    let (mut signature, mut signature_len) =
        ([0; KUAIMI_SM9_SIGNATURE_LEN], KUAIMI_SM9_SIGNATURE_LEN);
    let name = [b'b'; LEN];
    call!(kuaimi_sm9_master_signing_key_generate(&mut master));
    call!(kuaimi_sm9_master_signing_key_public_key(
        master,
        &mut public
    ));
    call!(kuaimi_sm9_master_signing_key_extract(
        master,
        name.as_ptr(),
        LEN,
        0,
        &mut key
    ));
    call!(kuaimi_sm9_sign(
        key,
        name.as_ptr(),
        7,
        KUAIMI_SIGNATURE_RAW,
        signature.as_mut_ptr(),
        &mut signature_len
    ));
    call!(kuaimi_sm9_identity_cache_new(public, 1 << 20, &mut cache));
    let verify = |key| {
        // SAFETY: arrays with their lengths, and handles that are not freed yet.
        unsafe {
            kuaimi_sm9_identity_cache_verify(
                cache,
                key,
                name.as_ptr(),
                7,
                signature.as_ptr(),
                signature_len,
                KUAIMI_SIGNATURE_RAW,
            )
        }
    };
    // A new key each time: one that has its own table would not ask the cache.
    let verify_bob = || {
        let mut bob = null_mut();
        call!(kuaimi_sm9_verifying_key_new(
            public,
            name.as_ptr(),
            LEN,
            0,
            &mut bob
        ));
        let error = verify(bob);
        free!(kuaimi_sm9_verifying_key_free(bob));
        error
    };
    let (changing, done) = (
        Shared(Box::into_raw(Box::new(name))),
        AtomicBool::new(false),
    );
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let Shared(changing) = &changing;
            for byte in [b'a', b'b'].into_iter().cycle() {
                // SAFETY: memory that lives as long as the threads. The library reads it through a
                // pointer alone, as it reads what is shared with another process.
                unsafe { changing.write_volatile([byte; LEN]) };
                if done.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        for _ in 0..1000 {
            let Shared(changing) = &changing;
            call!(kuaimi_sm9_verifying_key_new(
                public,
                (*changing).cast(),
                LEN,
                0,
                &mut verifying
            ));
            // Twice, so that the cache keeps the key, and nothing from before.
            call!(kuaimi_sm9_identity_cache_clear(cache));
            verify(verifying);
            verify(verifying);
            free!(kuaimi_sm9_verifying_key_free(verifying));
            if verify_bob() != KUAIMI_OK {
                break;
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(
        verify_bob(),
        KUAIMI_OK,
        "another key is kept under this name"
    );
    free!(
        kuaimi_sm9_identity_cache_free(cache);
        kuaimi_sm9_signing_key_free(key);
        kuaimi_sm9_master_signing_public_key_free(public);
        kuaimi_sm9_master_signing_key_free(master)
    );
    let Shared(changing) = changing;
    // SAFETY: it came from a box, and nothing uses it any more.
    drop(unsafe { Box::from_raw(changing) });
}
