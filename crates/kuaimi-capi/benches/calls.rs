//! What a call through the C functions costs beside the same call in Rust: `cargo bench -p
//! kuaimi-capi`.
//!
//! Both take turns, and each figure is the least of many rounds, in nanoseconds.

use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::time::Instant;

use kuaimi::precompute::Precompute;
use kuaimi::sm2::{PrivateKey, Signature, SigningKey};
use kuaimi_c::kuaimi_error::KUAIMI_OK;
use kuaimi_c::*;

const ROUNDS: u32 = 200;

/// Prints the least time of each.
fn compare(name: &str, count: u32, mut rust: impl FnMut(), mut c: impl FnMut()) {
    let mut least = [u128::MAX; 2];
    for _ in 0..ROUNDS {
        let both: [&mut dyn FnMut(); 2] = [&mut rust, &mut c];
        for (least, call) in least.iter_mut().zip(both) {
            let start = Instant::now();
            for _ in 0..count {
                call();
            }
            *least = start.elapsed().as_nanos().min(*least);
        }
    }
    let [rust, c] = least.map(|nanoseconds| nanoseconds as f64 / f64::from(count));
    let more = (c / rust - 1.0) * 100.0;
    println!("{name:24} Rust {rust:10.1}   C {c:10.1}   {more:+.1} %");
}

/// A call that must succeed.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: slices with their lengths, and handles that are never freed.
        assert_eq!(unsafe { $name($($argument),*) }, KUAIMI_OK)
    };
}

fn main() {
    println!("libkuaimi with {}", kuaimi::backend().name());
    let message = [7; 32];
    let secret = PrivateKey::from_bytes(&[3; 32]).expect("a key");
    let signing = SigningKey::new(secret.clone());
    // One key without a table, and one with it.
    kuaimi_set_table_limit(0);
    let verifying = signing.verifying_key().with_precompute(Precompute::Never);
    let prepared = verifying.with_precompute(Precompute::AtOnce);
    let raw = signing.sign(&message).expect("a signature").to_bytes();

    let (mut c_secret, mut c_public) = (null_mut(), null_mut());
    let (mut c_signing, mut c_verifying, mut c_prepared) = (null_mut(), null_mut(), null_mut());
    call!(kuaimi_sm2_private_key_from_bytes(
        [3; 32].as_ptr(),
        32,
        &mut c_secret
    ));
    call!(kuaimi_sm2_private_key_public_key(c_secret, &mut c_public));
    call!(kuaimi_sm2_signing_key_new(
        c_secret,
        null(),
        0,
        &mut c_signing
    ));
    call!(kuaimi_sm2_verifying_key_new(
        c_public,
        null(),
        0,
        &mut c_verifying
    ));
    call!(kuaimi_sm2_private_key_public_key(c_secret, &mut c_public));
    call!(kuaimi_sm2_verifying_key_new(
        c_public,
        null(),
        0,
        &mut c_prepared
    ));
    call!(kuaimi_sm2_verifying_key_prepare(c_prepared));

    compare(
        "SM2 sign",
        100,
        || {
            black_box(
                signing
                    .sign(black_box(&message))
                    .expect("a signature")
                    .to_bytes(),
            );
        },
        || {
            let (mut out, mut len) = ([0; 64], 64);
            let message = black_box(&message);
            call!(kuaimi_sm2_sign(
                c_signing,
                message.as_ptr(),
                32,
                KUAIMI_SIGNATURE_RAW,
                out.as_mut_ptr(),
                &mut len
            ));
            black_box(out);
        },
    );
    compare(
        "SM2 verify",
        50,
        || {
            let signature = Signature::from_bytes(black_box(&raw)).expect("a signature");
            verifying
                .verify(&message, &signature)
                .expect("a valid signature");
        },
        || {
            let raw = black_box(&raw);
            call!(kuaimi_sm2_verify(
                c_verifying,
                message.as_ptr(),
                32,
                raw.as_ptr(),
                64,
                KUAIMI_SIGNATURE_RAW
            ));
        },
    );
    compare(
        "SM2 verify, prepared",
        100,
        || {
            let signature = Signature::from_bytes(black_box(&raw)).expect("a signature");
            prepared
                .verify(&message, &signature)
                .expect("a valid signature");
        },
        || {
            let raw = black_box(&raw);
            call!(kuaimi_sm2_verify(
                c_prepared,
                message.as_ptr(),
                32,
                raw.as_ptr(),
                64,
                KUAIMI_SIGNATURE_RAW
            ));
        },
    );
    compare(
        "SM3 of 32 bytes",
        1000,
        || {
            black_box(kuaimi::sm3::digest(black_box(&message)));
        },
        || {
            let mut digest = [0; 32];
            call!(kuaimi_sm3_digest(
                black_box(&message).as_ptr(),
                32,
                digest.as_mut_ptr()
            ));
            black_box(digest);
        },
    );
    let mut data = vec![5; 4096];
    let cipher = kuaimi::sm4::Sm4Gcm::new(&[1; 16]);
    let mut c_cipher = null_mut();
    call!(kuaimi_sm4_gcm_new([1; 16].as_ptr(), &mut c_cipher));
    let mut c_data = data.clone();
    compare(
        "SM4-GCM of 4 KiB",
        100,
        || {
            black_box(
                cipher
                    .seal_in_place(&[0; 12], b"", &mut data)
                    .expect("a tag"),
            );
        },
        || {
            let mut tag = [0; 16];
            call!(kuaimi_sm4_gcm_seal(
                c_cipher,
                [0; 12].as_ptr(),
                12,
                null(),
                0,
                c_data.as_ptr(),
                4096,
                c_data.as_mut_ptr(),
                tag.as_mut_ptr()
            ));
            black_box(tag);
        },
    );
}
