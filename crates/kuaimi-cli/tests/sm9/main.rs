//! SM9 from the key generation centre to its users.

#[path = "../common/mod.rs"]
mod common;
mod encryption;
mod exchange;
mod keys;
mod signatures;

use common::Lab;

/// A centre with both master keys, Alice's signing key, Bob's encryption key, and a file `m`.
fn centre() -> Lab {
    let lab = Lab::new();
    for line in [
        "sm9 setup --for sign --out s.pem --pubout s.pub",
        "sm9 setup --for encrypt --out e.pem --pubout e.pub",
        "sm9 extract --key s.pem --id alice@example.com --out alice.pem",
        "sm9 extract --key e.pem --id bob --out bob.pem",
    ] {
        let nothing = lab.sh(line).ok();
        assert!(
            nothing.stdout.is_empty() && nothing.stderr.is_empty(),
            "{nothing:?}"
        );
    }
    lab.write("m", b"a message\n");
    lab
}
