//! What is measured. A peer has one operation of each kind; Kuaimi may have several ways to do the same, such as batches and prepared
//! keys, each of which is compared with it.

use anyhow::{Result, ensure};

/// What a peer is asked for.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) section: &'static str,
    /// The operation's name in the protocol.
    pub(super) peer: &'static str,
    /// The message's length in bytes.
    pub(super) message: usize,
    /// Speed is told in bytes, not in operations.
    pub(super) bytes: bool,
    /// What the operation includes, with the peers and with Kuaimi.
    pub(super) conditions: &'static str,
    pub(super) ways: &'static [Way],
}

/// A way in which Kuaimi does it.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) name: &'static str,
    /// Its name in `peers/ours`.
    pub(super) work: &'static str,
    /// How many keys or identities are in turn; the peers always use one.
    pub(super) keys: usize,
    /// What is particular to this way.
    pub(super) conditions: &'static str,
}

const fn way(name: &'static str, work: &'static str) -> Way {
    Way {
        name,
        work,
        keys: 1,
        conditions: "",
    }
}

const fn with(mut way: Way, keys: usize, conditions: &'static str) -> Way {
    way.keys = keys;
    way.conditions = conditions;
    way
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const BATCH: &str = "Kuaimi: 256 in a call";
const PREPARED: &str = "Kuaimi: a table of 52 KiB for the key, made before";
const BATCH_PREPARED: &str = "Kuaimi: 256 in a call, tables of 52 KiB for the keys, made before";
const TABLES: &str = "Kuaimi: tables made before";
const NOTHING: &str = "Kuaimi: no tables";

/// All of them, in the report's order.
#[rustfmt::skip]
pub(super) const TASKS: &[Task] = &[
    Task { section: "sm2", peer: "sm2-keygen", message: 32, bytes: false, conditions: "a key pair",
        ways: &[way("key pair", "sm2-keygen"), with(way("key pair, batch", "sm2-keygen-batch"), 1, BATCH)] },
    Task { section: "sm2", peer: "sm2-sign", message: 32, bytes: false, conditions: "message 32 bytes, digest and Z included",
        ways: &[way("sign", "sm2-sign"), with(way("sign, batch", "sm2-sign-batch"), 1, BATCH)] },
    Task { section: "sm2", peer: "sm2-verify", message: 32, bytes: false, conditions: "message 32 bytes, digest and Z included",
        ways: &[way("verify", "sm2-verify"), with(way("verify, prepared key", "sm2-verify-prepared"), 1, PREPARED),
            with(way("verify, batch", "sm2-verify-batch"), 256, BATCH),
            with(way("verify, batch, prepared keys", "sm2-verify-batch-prepared"), 256, BATCH_PREPARED)] },
    Task { section: "sm2", peer: "sm2-sign", message: MIB, bytes: false, conditions: "message 1 MiB, digest and Z included",
        ways: &[way("sign 1 MiB", "sm2-sign-1m")] },
    Task { section: "sm2", peer: "sm2-verify", message: MIB, bytes: false, conditions: "message 1 MiB, digest and Z included",
        ways: &[way("verify 1 MiB", "sm2-verify-1m")] },
    Task { section: "sm2", peer: "sm2-encrypt", message: 32, bytes: false, conditions: "message 32 bytes",
        ways: &[way("encrypt", "sm2-encrypt"), with(way("encrypt, prepared recipient", "sm2-encrypt-prepared"), 1, PREPARED),
            with(way("encrypt, batch", "sm2-encrypt-batch"), 1, BATCH)] },
    Task { section: "sm2", peer: "sm2-decrypt", message: 32, bytes: false, conditions: "message 32 bytes",
        ways: &[way("decrypt", "sm2-decrypt"), with(way("decrypt, batch", "sm2-decrypt-batch"), 1, BATCH)] },
    Task { section: "sm3", peer: "sm3", message: KIB, bytes: true, conditions: "messages of 1 KiB",
        ways: &[way("hash 1 KiB", "sm3-1k"), with(way("hash 1 KiB, many messages", "sm3-many-1k"), 1, "Kuaimi: several messages at a time")] },
    Task { section: "sm3", peer: "sm3", message: 16 * KIB, bytes: true, conditions: "messages of 16 KiB",
        ways: &[way("hash 16 KiB", "sm3-16k"), with(way("hash 16 KiB, many messages", "sm3-many-16k"), 1, "Kuaimi: several messages at a time")] },
    Task { section: "sm4", peer: "sm4-cbc", message: 16 * KIB, bytes: true, conditions: "encryption of 16 KiB, the key expanded before",
        ways: &[way("CBC", "sm4-cbc-encrypt-16k")] },
    Task { section: "sm4", peer: "sm4-ctr", message: 16 * KIB, bytes: true, conditions: "encryption of 16 KiB, the key expanded before",
        ways: &[way("CTR", "sm4-ctr-16k")] },
    Task { section: "sm4", peer: "sm4-gcm", message: 16 * KIB, bytes: true, conditions: "16 KiB sealed, the key expanded before",
        ways: &[way("GCM", "sm4-gcm-16k")] },
    Task { section: "sm9", peer: "sm9-extract", message: 32, bytes: false, conditions: "a signing key of an identity, hash included",
        ways: &[way("extract a signing key", "sm9-extract-sign"), with(way("extract signing keys, batch", "sm9-extract-sign-batch"), 256, BATCH)] },
    Task { section: "sm9", peer: "sm9-sign", message: 32, bytes: false, conditions: "message 32 bytes",
        ways: &[with(way("sign", "sm9-sign-prepared"), 1, TABLES), with(way("sign, nothing prepared", "sm9-sign"), 1, NOTHING)] },
    Task { section: "sm9", peer: "sm9-verify", message: 32, bytes: false, conditions: "message 32 bytes, the identity hashed each time",
        ways: &[with(way("verify", "sm9-verify-prepared"), 1, TABLES), with(way("verify, nothing prepared", "sm9-verify"), 1, NOTHING),
            with(way("verify, batch", "sm9-verify-batch"), 16, BATCH)] },
    Task { section: "sm9", peer: "sm9-encrypt", message: 32, bytes: false, conditions: "message 32 bytes, as a stream",
        ways: &[with(way("encrypt", "sm9-encrypt-prepared"), 1, TABLES), with(way("encrypt, nothing prepared", "sm9-encrypt"), 1, NOTHING)] },
    Task { section: "sm9", peer: "sm9-decrypt", message: 32, bytes: false, conditions: "message 32 bytes, as a stream",
        ways: &[with(way("decrypt", "sm9-decrypt-prepared"), 1, TABLES), with(way("decrypt, nothing prepared", "sm9-decrypt"), 1, NOTHING)] },
    Task { section: "integers", peer: "integers-thousand-products", message: 32, bytes: false, conditions: "1000 products of 256 × 256 bits, each of which needs the one before",
        ways: &[way("1000 products", "integers-thousand-products")] },
];

/// The names of the sections, in their order.
pub(super) fn sections() -> Vec<&'static str> {
    let mut names: Vec<&str> = TASKS.iter().map(|task| task.section).collect();
    names.dedup();
    names
}

/// The tasks of these sections; all of them where none is named.
pub(super) fn chosen(only: &[String]) -> Result<Vec<&'static Task>> {
    let names = sections();
    for name in only {
        ensure!(
            names.contains(&name.as_str()),
            "there is no section {name:?}: choose among {}",
            names.join(", ")
        );
    }
    let wanted = |task: &&Task| only.is_empty() || only.iter().any(|name| name == task.section);
    Ok(TASKS.iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::{TASKS, chosen, sections};

    #[test]
    fn names_are_told_apart() {
        assert_eq!(sections(), ["sm2", "sm3", "sm4", "sm9", "integers"]);
        let names: Vec<_> = TASKS
            .iter()
            .flat_map(|task| task.ways.iter().map(|way| (task.section, way.name)))
            .collect();
        for (place, name) in names.iter().enumerate() {
            assert!(!names[place + 1..].contains(name), "{name:?}");
        }
        for task in TASKS {
            assert!(task.peer.starts_with(task.section));
            assert!(!task.ways.is_empty());
        }
    }

    #[test]
    fn sections_are_chosen() {
        assert_eq!(chosen(&[]).unwrap().len(), TASKS.len());
        let some = chosen(&["sm4".to_owned()]).unwrap();
        assert!(!some.is_empty() && some.iter().all(|task| task.section == "sm4"));
        let error = chosen(&["sm5".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("\"sm5\"") && error.contains("sm9"));
    }
}
