//! What is measured. A library does an operation in one way, which its peer knows by name
//! (`peers/bench/README.md`); Kuaimi may have several ways to do the same, such as batches and
//! prepared keys, each of which is compared with it.
//!
//! A new operation is an entry here, its ways in `ours`, and a function of the peers that have it.

use anyhow::{Result, ensure};

use crate::harness::record::Goal;

/// What a library is asked for.
#[derive(Debug)]
pub(crate) struct Operation {
    /// The record that it belongs to.
    pub(crate) section: &'static str,
    /// Its name in the protocol.
    pub(crate) name: &'static str,
    /// The message's length in bytes.
    pub(crate) message: usize,
    /// Speed is told in bytes, not in operations.
    pub(crate) bytes: bool,
    /// What it includes with the other libraries.
    pub(crate) condition: &'static str,
    pub(crate) ways: &'static [Way],
}

/// A way in which Kuaimi does it.
#[derive(Debug)]
pub(crate) struct Way {
    /// Its name in `ours`; `--operations` finds it by this.
    pub(crate) id: &'static str,
    pub(crate) label: &'static str,
    /// How many times as fast as emmansun/gmsm.
    pub(crate) goal: Option<Goal>,
}

const fn way(id: &'static str, label: &'static str) -> Way {
    Way {
        id,
        label,
        goal: None,
    }
}

impl Way {
    const fn goal(mut self, at_least: f64, aim: f64) -> Self {
        self.goal = Some(Goal {
            at_least,
            aim: Some(aim),
        });
        self
    }
}

const fn sm2(name: &'static str, condition: &'static str, ways: &'static [Way]) -> Operation {
    Operation {
        section: "sm2",
        name,
        message: 32,
        bytes: false,
        condition,
        ways,
    }
}

const fn sm9(name: &'static str, condition: &'static str, ways: &'static [Way]) -> Operation {
    Operation {
        section: "sm9",
        ..sm2(name, condition, ways)
    }
}

const fn sm3(message: usize, ways: &'static [Way]) -> Operation {
    Operation {
        section: "sm3",
        message,
        bytes: true,
        ..sm2("sm3", "one message at a time", ways)
    }
}

const fn sm4(
    name: &'static str,
    message: usize,
    condition: &'static str,
    ways: &'static [Way],
) -> Operation {
    Operation {
        section: "sm4",
        message,
        bytes: true,
        ..sm2(name, condition, ways)
    }
}

impl Operation {
    const fn message(mut self, message: usize) -> Self {
        self.message = message;
        self
    }
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;
const SIGNED: &str = "message 32 bytes, digest and Z included";
const LONG: &str = "message 1 MiB, digest and Z included";
const TEXT: &str = "message 32 bytes";
const STREAM: &str = "message 32 bytes, as a stream";
const KEY: &str = "the key expanded before";

/// All of them, in the records' order.
#[rustfmt::skip]
pub(crate) const OPERATIONS: &[Operation] = &[
    sm2("sm2-keygen", "a key pair", &[
        way("sm2-keygen", "key pair").goal(2.8, 3.5),
        way("sm2-keygen-batch", "key pair, batch").goal(5.0, 8.0)]),
    sm2("sm2-sign", SIGNED, &[
        way("sm2-sign", "sign").goal(4.5, 6.0),
        way("sm2-sign-pool", "sign, nonce pool"),
        way("sm2-sign-batch", "sign, batch").goal(9.0, 13.0)]),
    sm2("sm2-verify", SIGNED, &[
        way("sm2-verify", "verify, unknown key").goal(1.8, 2.0),
        way("sm2-verify-prepared", "verify, prepared key").goal(8.0, 10.0),
        way("sm2-verify-batch", "verify, batch, all keys different").goal(9.0, 11.0),
        way("sm2-verify-batch-prepared", "verify, batch, prepared keys").goal(20.0, 26.0)]),
    sm2("sm2-sign", LONG, &[way("sm2-sign-1m", "sign, 1 MiB")]).message(MIB),
    sm2("sm2-verify", LONG, &[way("sm2-verify-1m", "verify, 1 MiB")]).message(MIB),
    sm2("sm2-encrypt", TEXT, &[
        way("sm2-encrypt", "encrypt 32 B").goal(1.6, 1.8),
        way("sm2-encrypt-prepared", "encrypt 32 B, prepared recipient").goal(5.0, 7.0),
        way("sm2-encrypt-batch", "encrypt 32 B, batch"),
        way("sm2-encrypt-batch-prepared", "encrypt 32 B, batch, prepared")]),
    sm2("sm2-decrypt", TEXT, &[
        way("sm2-decrypt", "decrypt 32 B").goal(1.5, 1.7),
        way("sm2-decrypt-batch", "decrypt 32 B, batch")]),
    sm2("sm2-exchange", "both sides, both ephemeral keys, 16-byte key", &[
        way("sm2-exchange", "key exchange"),
        way("sm2-exchange-batch", "key exchange, batch")]),
    sm2("sm2-exchange-confirmed", "both sides, both ephemeral keys, 16-byte key, SA and SB made and checked", &[
        way("sm2-exchange-confirmed", "key exchange, confirmed")]),
    sm3(64, &[way("sm3-64", "one stream, 64 B"), way("sm3-many-64", "many streams, 64 B")]),
    sm3(KIB, &[way("sm3-1k", "one stream, 1 KiB"), way("sm3-many-1k", "many streams, 1 KiB")]),
    sm3(16 * KIB, &[
        way("sm3-16k", "one stream, 16 KiB").goal(1.1, 1.3),
        way("sm3-many-16k", "many streams, 16 KiB").goal(6.0, 10.0)]),
    sm3(MIB, &[way("sm3-1m", "one stream, 1 MiB")]),
    sm4("sm4-ctr", KIB, KEY, &[way("sm4-ctr-1k", "CTR, 1 KiB")]),
    sm4("sm4-ctr", 16 * KIB, KEY, &[way("sm4-ctr-16k", "CTR, 16 KiB").goal(4.0, 8.0)]),
    sm4("sm4-gcm", KIB, KEY, &[way("sm4-gcm-1k", "GCM, 1 KiB")]),
    sm4("sm4-gcm", 16 * KIB, KEY, &[way("sm4-gcm-16k", "GCM, 16 KiB").goal(2.5, 5.0)]),
    sm4("sm4-gcm-open", 16 * KIB, KEY, &[way("sm4-gcm-open-16k", "GCM, open 16 KiB")]),
    sm4("sm4-xts", KIB, "one data unit, IEEE 1619, the keys expanded before", &[way("sm4-xts-1k", "XTS, 1 KiB")]),
    sm4("sm4-xts", 16 * KIB, "one data unit, IEEE 1619, the keys expanded before", &[way("sm4-xts-16k", "XTS, 16 KiB")]),
    sm4("sm4-xts-decrypt", 16 * KIB, "one data unit, IEEE 1619, the keys expanded before", &[
        way("sm4-xts-decrypt-16k", "XTS, decrypt 16 KiB")]),
    sm4("sm4-cbc", 16 * KIB, KEY, &[way("sm4-cbc-encrypt-16k", "CBC, encrypt 16 KiB")]),
    sm4("sm4-cbc-decrypt", KIB, KEY, &[way("sm4-cbc-decrypt-1k", "CBC, decrypt 1 KiB")]),
    sm4("sm4-cbc-decrypt", 16 * KIB, KEY, &[way("sm4-cbc-decrypt-16k", "CBC, decrypt 16 KiB")]),
    sm4("sm4-ecb", KIB, KEY, &[way("sm4-ecb-1k", "ECB, 1 KiB")]),
    sm4("sm4-ecb", 16 * KIB, KEY, &[way("sm4-ecb-16k", "ECB, 16 KiB")]),
    sm9("sm9-extract", "a signing key of an identity, hash included", &[
        way("sm9-extract-sign", "extract a signing key").goal(8.0, 12.0),
        way("sm9-extract-sign-batch", "extract signing keys, batch")]),
    sm9("sm9-extract-encryption", "an encryption key of an identity, hash included", &[
        way("sm9-extract-enc", "extract an encryption key").goal(8.0, 12.0),
        way("sm9-extract-enc-batch", "extract encryption keys, batch")]),
    sm9("sm9-sign", TEXT, &[
        way("sm9-sign", "sign, nothing prepared by hand").goal(8.0, 15.0),
        way("sm9-sign-prepared", "sign").goal(11.0, 18.0),
        way("sm9-sign-batch", "sign, batch").goal(25.0, 40.0)]),
    sm9("sm9-verify", "message 32 bytes, the identity hashed each time", &[
        way("sm9-verify", "verify, nothing prepared by hand"),
        way("sm9-verify-prepared", "verify").goal(5.5, 7.0),
        way("sm9-verify-known", "verify, known identity").goal(8.0, 10.0),
        way("sm9-verify-batch", "verify, batch").goal(10.0, 14.0)]),
    sm9("sm9-encrypt", STREAM, &[
        way("sm9-encrypt", "encrypt 32 B, nothing prepared by hand"),
        way("sm9-encrypt-prepared", "encrypt 32 B").goal(9.0, 14.0)]),
    sm9("sm9-decrypt", STREAM, &[
        way("sm9-decrypt", "decrypt 32 B, nothing prepared by hand"),
        way("sm9-decrypt-prepared", "decrypt 32 B, key prepared").goal(2.0, 4.0)]),
    sm9("sm9-encapsulate", "32-byte key", &[
        way("sm9-encap", "encapsulate, nothing prepared by hand").goal(8.0, 15.0),
        way("sm9-encap-prepared", "encapsulate").goal(9.0, 14.0),
        way("sm9-encap-batch", "encapsulate, batch").goal(20.0, 30.0)]),
    sm9("sm9-decapsulate", "32-byte key", &[
        way("sm9-decap", "decapsulate, nothing prepared by hand"),
        way("sm9-decap-prepared", "decapsulate, key prepared").goal(6.0, 8.0),
        way("sm9-decap-batch", "decapsulate, batch").goal(10.0, 14.0)]),
    sm9("sm9-exchange", "both sides, 16-byte key, no confirmation", &[
        way("sm9-exchange", "key exchange, nothing prepared by hand"),
        way("sm9-exchange-prepared", "key exchange").goal(2.5, 5.0)]),
    sm9("sm9-pairing", "decapsulation with a key just read: point checked, lines, Miller loop, final exponentiation, key derived", &[
        way("sm9-pairing", "pairing").goal(4.0, 5.0)]),
    Operation { section: "integers",
        ..sm2("integers-thousand-products", "1000 products of 256 × 256 bits, each of which needs the one before", &[
            way("integers-thousand-products", "1000 products of 256 bits")]) },
];

/// The names of the sections, in their order.
#[cfg(test)]
pub(crate) fn sections() -> Vec<&'static str> {
    let mut names: Vec<&str> = OPERATIONS.iter().map(|one| one.section).collect();
    names.dedup();
    names
}

/// A section's heading.
pub(super) fn title(section: &str) -> String {
    match section {
        "integers" => "Products of integers".to_owned(),
        _ => section.to_uppercase(),
    }
}

/// The operations with a way whose name contains one of these words, and those ways; all of them
/// where there are no words.
pub(super) fn chosen(words: &[String]) -> Result<Vec<(&'static Operation, Vec<&'static Way>)>> {
    let has = |way: &Way, word: &String| way.id.contains(word.as_str());
    let ways = || OPERATIONS.iter().flat_map(|one| one.ways);
    for word in words {
        ensure!(
            !word.is_empty() && ways().any(|way| has(way, word)),
            "--operations {word:?} is in no operation's name; the names are {}",
            ways().map(|way| way.id).collect::<Vec<_>>().join(", ")
        );
    }
    let wanted = |way: &&Way| words.is_empty() || words.iter().any(|word| has(way, word));
    Ok(OPERATIONS
        .iter()
        .map(|operation| (operation, operation.ways.iter().filter(wanted).collect()))
        .filter(|(_, ways): &(_, Vec<_>)| !ways.is_empty())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{OPERATIONS, chosen, sections};

    fn ids(words: &[&str]) -> Vec<&'static str> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let chosen = chosen(&words).unwrap();
        let ways = chosen.iter().flat_map(|(_, ways)| ways);
        ways.map(|way| way.id).collect()
    }

    #[test]
    fn names_are_told_apart() {
        assert_eq!(sections(), ["sm2", "sm3", "sm4", "sm9", "integers"]);
        let ways: Vec<_> = OPERATIONS
            .iter()
            .flat_map(|one| one.ways.iter().map(|way| (one.section, way)))
            .collect();
        for (place, (section, way)) in ways.iter().enumerate() {
            assert!(way.id.starts_with(section), "{}", way.id);
            let rest = &ways[place + 1..];
            assert!(rest.iter().all(|(_, other)| other.id != way.id));
            let same = |(other, label): &&(&str, &super::Way)| {
                other == section && label.label == way.label
            };
            assert_eq!(rest.iter().filter(same).count(), 0, "{}", way.id);
        }
        for operation in OPERATIONS {
            assert!(operation.name.starts_with(operation.section));
        }
    }

    #[test]
    fn words_choose() {
        let all: usize = OPERATIONS.iter().map(|one| one.ways.len()).sum();
        assert_eq!(ids(&[]).len(), all);
        assert_eq!(ids(&["exchange-conf"]), ["sm2-exchange-confirmed"]);
        // In the list's order, each once.
        assert_eq!(
            ids(&["sm2-decrypt", "keygen-b", "decrypt-batch"]),
            ["sm2-keygen-batch", "sm2-decrypt", "sm2-decrypt-batch"]
        );
        let error = chosen(&["sm5".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("\"sm5\"") && error.contains("sm4-ctr-16k"));
        assert!(chosen(&[String::new()]).is_err());
    }

    /// No aim lies below what is asked at least, and the page of goals has each of them.
    #[test]
    fn goals_can_be_judged() {
        let ways = OPERATIONS
            .iter()
            .flat_map(|one| one.ways.iter().map(|way| (one.section, way)));
        let goals: Vec<_> = ways.filter(|(_, way)| way.goal.is_some()).collect();
        assert_eq!(goals.len(), 32);
        let page = include_str!("../../../../docs/goals.md");
        for (section, way) in goals {
            let goal = way.goal.unwrap();
            assert!(goal.aim.is_some_and(|aim| aim > goal.at_least));
            let label = format!("| {}: {} ", section.to_uppercase(), way.label);
            let line = page.lines().find(|line| line.starts_with(&label));
            let cells: Vec<&str> = line
                .unwrap_or_else(|| panic!("docs/goals.md has no line {label:?}"))
                .split('|')
                .map(str::trim)
                .collect();
            let asked = [goal.at_least, goal.aim.unwrap()].map(|figure| figure.to_string());
            assert_eq!(cells[4..6], asked, "{label}");
        }
    }
}
