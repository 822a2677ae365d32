//! A batch in the child of a fork, where the threads of the parent's pool do not exist: the calling thread does all.
#![cfg(all(target_os = "linux", feature = "rayon"))]

use kuaimi::sm2::{SecretKey, SigningKey};

/// After so many seconds the system ends a child that hangs.
const PATIENCE: u32 = 30;

#[test]
fn a_child_waits_for_no_thread_of_its_parent() {
    let key = SigningKey::new(SecretKey::from_bytes(&[3; 32]).expect("in range"));
    let messages: Vec<[u8; 4]> = (0..1000u32).map(u32::to_be_bytes).collect();
    let signs = || {
        let signatures = key.sign_batch(&messages);
        messages.iter().zip(signatures).all(|(message, signature)| {
            signature.is_ok_and(|signature| key.verifying_key().verify(message, &signature).is_ok())
        })
    };
    assert!(signs());
    assert!(rayon::current_num_threads() > 1, "there is a pool");
    // SAFETY: the child has one thread and the system's allocator, which glibc keeps usable over a fork, and leaves by `_exit`.
    let id = unsafe { libc::fork() };
    assert!(id >= 0);
    if id == 0 {
        // SAFETY: the system ends this child, if it has not ended by then.
        unsafe { libc::alarm(PATIENCE) };
        // SAFETY: ends the child.
        unsafe { libc::_exit(i32::from(!signs())) };
    }
    let mut status = 0;
    // SAFETY: waits for the child.
    assert_eq!(unsafe { libc::waitpid(id, &raw mut status, 0) }, id);
    assert!(libc::WIFEXITED(status), "the child hung");
    assert_eq!(libc::WEXITSTATUS(status), 0);
}
