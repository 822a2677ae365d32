//! A batch where the system does not let threads start, as in a container with a limit: the calling
//! thread does all.
#![cfg(all(target_os = "linux", feature = "rayon", panic = "unwind"))]

use std::process::Command;

use kuaimi::Threads;
use kuaimi::sm2::{PrivateKey, SigningKey};

/// Set in the process that gets no threads.
const CHILD: &str = "KUAIMI_TEST_WITHOUT_THREADS";

#[test]
fn a_batch_needs_no_threads() {
    if std::env::var_os(CHILD).is_some() {
        return without_threads();
    }
    // Stacks for so many threads, two gigabytes, do not fit into these addresses.
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 400000 && exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().expect("a path"))
        .args(["--exact", "a_batch_needs_no_threads", "--nocapture"])
        .envs([(CHILD, "1"), ("RAYON_NUM_THREADS", "1000")])
        .output()
        .expect("sh runs");
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
    assert!(printed.contains("1 passed"), "{printed}");
}

fn without_threads() {
    let key = SigningKey::new(PrivateKey::from_bytes(&[3; 32]).expect("in range"));
    let messages: Vec<[u8; 4]> = (0..1000u32).map(u32::to_be_bytes).collect();
    // A second batch finds the pool as the first has left it.
    for _ in 0..2 {
        let signatures = key.sign_batch(&messages, Threads::Pool);
        for (message, signature) in messages.iter().zip(signatures) {
            let signature = signature.expect("a signature");
            key.verifying_key()
                .verify(message, &signature)
                .expect("valid");
        }
    }
    assert!(
        std::panic::catch_unwind(rayon::current_num_threads).is_err(),
        "there were threads after all"
    );
}
