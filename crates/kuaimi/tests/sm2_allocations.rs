//! Signing and verifying allocate nothing on the heap; batches allocate a fixed number of times a
//! chunk, and little memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{SignItem, VerifyItem, sign_batch, verify_batch};
use kuaimi::sm2::{PrivateKey, SigningKey, VerifyingKey};

/// Counts the allocations of the current thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    /// Bytes allocated and not yet given back, and the most there were.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        let live = LIVE.get() + layout.size() as isize;
        LIVE.set(live);
        PEAK.set(PEAK.get().max(live));
        // SAFETY: the caller's promises are the ones asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size() as isize);
        // SAFETY: the caller's promises are the ones asked for.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations<T>(operation: impl FnOnce() -> T) -> (usize, T) {
    let before = COUNT.with(Cell::get);
    let result = operation();
    (COUNT.with(Cell::get) - before, result)
}

/// The number of allocations, and the most bytes that were in use at a time beyond those before.
fn peak<T>(operation: impl FnOnce() -> T) -> (usize, usize, T) {
    let before = LIVE.get();
    PEAK.set(before);
    let (count, result) = allocations(operation);
    (count, (PEAK.get() - before) as usize, result)
}

#[test]
fn signing_and_verifying_allocate_nothing() {
    let secret = PrivateKey::from_bytes(&[7; 32]).expect("in range");
    // The first use of the arithmetic, which was the line above, and of SM3 chooses their backends,
    // and reads the environment for that.
    kuaimi::sm3::digest(b"");
    let (count, boxed) = allocations(|| Box::new(1));
    assert_eq!((count, *boxed), (1, 1), "the counter counts");

    let (count, key) = allocations(|| SigningKey::new(secret.clone()));
    assert_eq!(count, 2, "a signing key: its box, and the place of a table");
    let (count, verifier) = allocations(|| VerifyingKey::with_id(*key.public_key(), b"alice"));
    assert_eq!(count, 1, "a verifying key: the place of a table");
    let message = [1u8; 1000];
    let (count, signature) = allocations(|| key.sign(&message));
    assert_eq!(count, 0, "signing");
    let signature = signature.expect("the system's generator works");
    let (count, deterministic) = allocations(|| key.sign_deterministic(&message));
    assert_eq!(count, 0, "signing deterministically");
    let (count, result) = allocations(|| key.verifying_key().verify(&message, &signature));
    assert_eq!((count, result), (0, Ok(())), "verifying");
    let (count, result) = allocations(|| verifier.expect("short").verify(&message, &deterministic));
    assert_eq!(count, 0, "refusing");
    assert!(result.is_err());
    let (_, bytes, prepared) = peak(|| key.verifying_key().with_precompute(Precompute::AtOnce));
    assert!(
        bytes < 6 * VerifyingKey::TABLE_BYTES,
        "{bytes} to prepare a key"
    );
    let (count, result) = allocations(|| prepared.verify(&message, &signature));
    assert_eq!((count, result), (0, Ok(())), "verifying with a table");
}

/// What a batch allocates grows by a fixed number of allocations a chunk, and by its results and a
/// few hundred bytes an item.
#[test]
fn batches_allocate_little() {
    // Where batches spread over threads (feature `rayon`), all of it on one, whose allocations are
    // counted.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    one.expect("a thread can be had")
        .install(batches_on_one_thread);
}

fn batches_on_one_thread() {
    let keys: Vec<SigningKey> = (1..=16)
        .map(|i| SigningKey::new(PrivateKey::from_bytes(&[i; 32]).expect("in range")))
        .collect();
    let to_sign = |count: usize| -> Vec<SignItem<'_>> {
        let keys = keys.iter().cycle();
        keys.take(count)
            .map(|key| SignItem::new(key, b"text"))
            .collect()
    };
    let all = to_sign(1024);
    let signatures = sign_batch(&all, Threads::One)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()
        .expect("random");
    let to_verify: Vec<VerifyItem<'_>> = signatures
        .iter()
        .zip(keys.iter().cycle())
        .map(|(signature, key)| VerifyItem::new(key.verifying_key(), b"text", signature))
        .collect();

    let (small_count, small_bytes, _) = peak(|| sign_batch(&all[..64], Threads::One));
    let (count, bytes, _) = peak(|| sign_batch(&all, Threads::One));
    assert!(
        small_count <= 64 / 8 * 16 && count <= 1024 / 8 * 16,
        "{small_count}, {count} to sign"
    );
    assert!(small_bytes < 512 << 10, "{small_bytes} bytes to sign 64");
    assert!(
        bytes < (512 << 10) + 1024 * 512,
        "{bytes} bytes to sign 1024"
    );

    let (count, bytes, results) = peak(|| verify_batch(&to_verify[..16], Threads::One));
    assert!(results.iter().all(Result::is_ok));
    assert!(
        count <= 64,
        "{count} allocations to verify 16 of different keys"
    );
    assert!(bytes < 512 << 10, "{bytes} bytes to verify 16");
    let (count, bytes, results) = peak(|| verify_batch(&to_verify, Threads::One));
    assert!(results.iter().all(Result::is_ok));
    assert!(
        count <= 1024,
        "{count} allocations to verify 1024 of 16 keys"
    );
    let tables = 16 * VerifyingKey::TABLE_BYTES;
    assert!(
        bytes < tables + (768 << 10) + 1024 * 512,
        "{bytes} bytes to verify 1024"
    );
}
