//! A pool of nonces over a `fork`: parent and child have copies of the same nonces, and must not both use them. In a program of
//! its own, as the child has no thread but the one that forked.
#![cfg(target_os = "linux")]

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::FromRawFd as _;

use kuaimi::sm2::{NoncePool, SecretKey, Signature, SigningKey};

/// How many signatures each process makes; fewer than the pool holds.
const COUNT: usize = 40;

/// A child's own pool serves after the thread has filled it: how long it may take before the test gives up.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

fn signatures(pool: &NoncePool, key: &SigningKey) -> Vec<u8> {
    (0..COUNT)
        .flat_map(|_| {
            let signature = key.sign_with_pool(pool, b"text");
            signature.map_or([0; 64], |s| s.to_bytes())
        })
        .collect()
}

/// Waits until the pool of this process holds `COUNT`.
fn wait_until_filled(pool: &NoncePool) -> bool {
    let begun = std::time::Instant::now();
    while pool.stats().ready < COUNT {
        if begun.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    true
}

/// In the child: at once, when there can be nothing but what was inherited, and once more from its own pool.
fn child(pool: NoncePool, key: &SigningKey, mut out: File) -> bool {
    let mut bytes = signatures(&pool, key);
    let filled = wait_until_filled(&pool);
    let before = pool.stats().served;
    bytes.extend(signatures(&pool, key));
    let served = pool.stats().served - before;
    // Ends the child's own thread, and waits for none of the parent's.
    drop(pool);
    filled && served > 0 && out.write_all(&bytes).is_ok()
}

#[test]
fn a_forked_child_uses_none_of_its_parents_nonces() {
    let pool = NoncePool::new(4 * COUNT).expect("random");
    let key = SigningKey::new(SecretKey::from_bytes(&[3; 32]).expect("in range"));
    assert!(wait_until_filled(&pool));

    let mut ends = [0; 2];
    // SAFETY: the array has room for the two descriptors.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: the descriptors are new and belong to nobody else.
    let [mut from, to] = ends.map(|end| unsafe { File::from_raw_fd(end) });
    // SAFETY: the child runs what follows on its one thread, with the system's allocator, which glibc keeps usable over a
    // fork, and leaves by `_exit`.
    let id = unsafe { libc::fork() };
    assert!(id >= 0);
    if id == 0 {
        let outcome =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| child(pool, &key, to)));
        let status = i32::from(!matches!(outcome, Ok(true)));
        // SAFETY: ends the process.
        unsafe { libc::_exit(status) };
    }
    drop(to);
    let mut all = signatures(&pool, &key);
    assert!(pool.stats().served > 0, "the parent goes on with its pool");
    let mut childs = Vec::new();
    from.read_to_end(&mut childs).expect("the pipe can be read");
    let mut status = 0;
    // SAFETY: waits for the child made above.
    assert_eq!(unsafe { libc::waitpid(id, &raw mut status, 0) }, id);
    assert_eq!(
        status, 0,
        "the child signs, fills a pool of its own, and ends"
    );
    assert_eq!(childs.len(), 2 * COUNT * 64);
    all.extend(childs);

    let mut seen = HashSet::new();
    for bytes in all.chunks(64) {
        let signature = Signature::from_slice(bytes).expect("a signature");
        assert_eq!(key.verifying_key().verify(b"text", &signature), Ok(()));
        assert!(
            seen.insert(signature.r()),
            "a nonce was used in both processes"
        );
    }
    assert_eq!(seen.len(), 3 * COUNT);
}
