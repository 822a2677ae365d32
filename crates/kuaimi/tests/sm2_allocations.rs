//! Signing and verifying allocate nothing on the heap.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use kuaimi::sm2::{SecretKey, SigningKey, VerifyingKey};

/// Counts the allocations of the current thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are the ones asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
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

#[test]
fn signing_and_verifying_allocate_nothing() {
    let secret = SecretKey::from_bytes(&[7; 32]).expect("in range");
    // The first use of the arithmetic, which was the line above, and of SM3 chooses their backends, and reads the
    // environment for that.
    kuaimi::sm3::digest(b"");
    let (count, boxed) = allocations(|| Box::new(1));
    assert_eq!((count, *boxed), (1, 1), "the counter counts");

    let (count, key) = allocations(|| SigningKey::new(secret.clone()));
    assert_eq!(count, 0, "a signing key");
    let (count, verifier) = allocations(|| VerifyingKey::with_id(*key.public_key(), b"alice"));
    assert_eq!(count, 0, "a verifying key");
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
}
