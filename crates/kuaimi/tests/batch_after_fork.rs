//! A batch in the child of a fork, where the threads of the parent's pool do not exist: the calling
//! thread does all.
#![cfg(all(target_os = "linux", feature = "rayon"))]

use kuaimi::Threads;
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_testing::forks::ends_well;

#[test]
fn a_child_waits_for_no_thread_of_its_parent() {
    let key = SigningKey::new(PrivateKey::from_bytes(&[3; 32]).expect("in range"));
    let messages: Vec<[u8; 4]> = (0..1000u32).map(u32::to_be_bytes).collect();
    let signs = || {
        let signatures = key.sign_batch(&messages, Threads::Pool);
        messages.iter().zip(signatures).all(|(message, signature)| {
            signature.is_ok_and(|signature| key.verifying_key().verify(message, &signature).is_ok())
        })
    };
    assert!(signs());
    assert!(rayon::current_num_threads() > 1, "there is a pool");
    assert!(ends_well(signs), "the child hung");
}
