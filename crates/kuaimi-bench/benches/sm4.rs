//! SM4 on short messages: keys made, and GCM under a key that is kept (`kept 64`: in a batch), made
//! for one message, or made for each message of a batch.
//!
//! `cargo bench -p kuaimi-bench --bench sm4`. Each time is the least of many, so other work on the
//! machine changes little.

use std::hint::black_box;
use std::time::Instant;

use kuaimi::Threads;
use kuaimi::sm4::batch::{SealItem, SealMessage, seal_batch, seal_batch_with};
use kuaimi::sm4::{Sm4, Sm4Ctr, Sm4Gcm};

const KEY: [u8; 16] = [0x5a; 16];
const NONCE: [u8; 12] = [0xa5; 12];
/// Lengths of messages.
const LENGTHS: [usize; 6] = [16, 64, 256, 512, 1 << 10, 16 << 10];
const SAMPLES: usize = 2_000;

/// The least time of one call, in nanoseconds.
fn least(mut work: impl FnMut()) -> f64 {
    const CALLS: u32 = 16;
    let sample = |work: &mut dyn FnMut()| {
        let began = Instant::now();
        for _ in 0..CALLS {
            work();
        }
        began.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..SAMPLES)
        .map(|_| sample(&mut work))
        .fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("{:?}", kuaimi::backend());
    println!("ns for one, the least of {SAMPLES} samples");
    println!(
        "Sm4::new {:8.0}",
        least(|| drop(black_box(Sm4::new(black_box(&KEY)))))
    );
    println!(
        "Sm4Gcm::new {:5.0}",
        least(|| drop(black_box(Sm4Gcm::new(black_box(&KEY)))))
    );
    println!(
        "{:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "bytes", "CTR", "GCM seal", "GCM open", "new+seal", "of 16", "of 64", "to a Vec", "kept 64"
    );
    for length in LENGTHS {
        let mut data = vec![0; length];
        let mut ctr = Sm4Ctr::new(&KEY, &KEY);
        let kept = Sm4Gcm::new(&KEY);
        let stream = least(|| ctr.apply(black_box(&mut data)));
        let seal = least(|| {
            let _ = black_box(kept.seal_in_place(&NONCE, &[], black_box(&mut data)));
        });
        let mut opened = data.clone();
        let tag = kept
            .seal_in_place(&NONCE, &[], &mut data)
            .unwrap_or_default();
        let open = least(|| {
            opened.copy_from_slice(&data);
            let _ = black_box(kept.open_in_place(&NONCE, &[], black_box(&mut opened), &tag));
        });
        let fresh = least(|| {
            let cipher = Sm4Gcm::new(black_box(&KEY));
            let _ = black_box(cipher.seal_in_place(&NONCE, &[], black_box(&mut data)));
        });
        // Results are allocated, too.
        let keys: Vec<[u8; 16]> = (0..64).map(|i| [i; 16]).collect();
        let items: Vec<SealItem<'_>> = keys
            .iter()
            .map(|key| SealItem::new(key, &NONCE, &[], &data))
            .collect();
        let [of_16, of_64] = [16, 64].map(|count| {
            let items = &items[..count];
            least(|| drop(black_box(seal_batch(black_box(items), Threads::One)))) / count as f64
        });
        let alone = least(|| drop(black_box(kept.seal(&NONCE, &[], black_box(&data)))));
        let items = vec![SealMessage::new(&NONCE, &[], &data); 64];
        let batch = || seal_batch_with(&kept, black_box(&items), Threads::One);
        let kept_64 = least(|| drop(black_box(batch()))) / 64.0;
        println!(
            "{length:8} {stream:8.0} {seal:8.0} {open:8.0} {fresh:8.0} {of_16:8.0} {of_64:8.0} {alone:8.0} {kept_64:8.0}"
        );
    }
}
