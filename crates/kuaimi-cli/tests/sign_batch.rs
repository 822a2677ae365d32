//! The other bulk job: signatures for all rows, in every format, which `verify-batch` accepts.

mod common;

use common::Lab;
use kuaimi::encoding::DecodePrivateKey as _;
use kuaimi::sm2::PrivateKey;
use kuaimi::sm2::SigningKey;
use serde_json::{Value, json};

const FORMATS: [&str; 3] = ["jsonl", "csv", "parquet"];

fn lab() -> Lab {
    let lab = Lab::new();
    for name in ["alice", "bob"] {
        lab.sh(&format!("sm2 keygen --out {name}.pem --pubout {name}.pub"))
            .ok();
    }
    lab
}

/// Messages that each format must keep as they are.
fn messages() -> Vec<String> {
    let mut messages: Vec<String> = (0..3000).map(|i| format!("message {i}")).collect();
    for odd in [
        "",
        " ",
        "a,b",
        "\"quoted\"",
        "two\nlines",
        "转账",
        "{\"a\":1}",
        "\\",
        "'",
    ] {
        messages.insert(odd.len() * 100, odd.to_owned());
    }
    messages
}

fn jsonl(column: &str, values: &[String]) -> String {
    values
        .iter()
        .map(|value| json!({"other": 1, column: value}).to_string() + "\n")
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// From any format to any format, under the usual identity and another one: what is signed is what
/// verify-batch accepts.
#[test]
fn what_is_signed_is_valid_in_every_format() {
    let lab = lab();
    let messages = messages();
    lab.write("in.jsonl", jsonl("message", &messages));
    for from in FORMATS {
        for to in FORMATS {
            // The first round makes the inputs of the others.
            let source = if from == "jsonl" {
                "in.jsonl".to_owned()
            } else {
                format!("jsonl.{from}")
            };
            let out = format!("{from}.{to}");
            lab.sh(&format!("sign-batch --key alice.pem --out {out} {source}"))
                .ok()
                .says(&["3,009 rows signed"]);
            lab.sh(&format!("verify-batch --key alice.pub {out}")).ok();
            lab.sh(&format!("verify-batch --key bob.pub --quiet {out}"))
                .status(1);
        }
    }
    let line = "sign-batch --key alice.pem --id a@b.c --signature-form raw --signature-encoding base64 --out id.csv in.jsonl";
    lab.sh(line).ok();
    lab.sh("verify-batch --key alice.pub --id a@b.c --signature-form raw --signature-encoding base64 id.csv")
        .ok();
    lab.sh("verify-batch --key alice.pub --quiet id.csv")
        .status(1);
    lab.assert_clean();
}

/// Each row has the signature of its own message, in order, and no two nonces are the same.
#[test]
fn rows_keep_their_order_and_their_messages() {
    let lab = lab();
    let messages = messages();
    lab.write("in.jsonl", jsonl("body", &messages));
    let ran = lab
        .sh("sign-batch --key alice.pem --message-column body --threads 5 --quiet in.jsonl")
        .ok();
    assert_eq!(ran.stderr, "");
    let rows: Vec<Value> = ran
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), messages.len());
    let mut nonces = std::collections::HashSet::new();
    for (row, message) in rows.iter().zip(&messages) {
        assert_eq!(row.as_object().unwrap().len(), 2);
        assert_eq!(row["body"], json!(message));
        assert!(nonces.insert(row["signature"].to_string()));
    }
    // The same message twice has two signatures.
    lab.write("same.jsonl", jsonl("message", &vec!["m".to_owned(); 500]));
    let ran = lab.sh("sign-batch --key alice.pem --quiet same.jsonl").ok();
    let lines: std::collections::HashSet<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 500);
}

#[test]
fn digests_and_encoded_messages() {
    let lab = lab();
    let pem = String::from_utf8(lab.read("alice.pem")).unwrap();
    let key = SigningKey::new(PrivateKey::from_pkcs8_pem(&pem).unwrap());
    let messages = messages();
    let digests: Vec<String> = messages
        .iter()
        .map(|message| {
            let mut hash = key.message_hash();
            hash.update(message.as_bytes());
            hex(&hash.finalize())
        })
        .collect();
    lab.write("digests.jsonl", jsonl("e", &digests));
    for to in FORMATS {
        lab.sh(&format!(
            "sign-batch --key alice.pem --digest-column e --out digests.{to}.{to} digests.jsonl"
        ))
        .ok();
        lab.sh(&format!(
            "verify-batch --key alice.pub --digest-column e digests.{to}.{to}"
        ))
        .ok();
    }
    // A digest of the wrong length is no digest.
    lab.write("short.jsonl", jsonl("e", &["ab".repeat(31)]));
    lab.sh("sign-batch --key alice.pem --digest-column e --out no.jsonl short.jsonl")
        .status(2)
        .says(&["row 1 (line 1)", "31 bytes"]);

    let encoded: Vec<String> = messages
        .iter()
        .map(|message| hex(message.as_bytes()))
        .collect();
    lab.write("hex.jsonl", jsonl("message", &encoded));
    lab.sh("sign-batch --key alice.pem --message-encoding hex --out hex.csv hex.jsonl")
        .ok();
    lab.sh("verify-batch --key alice.pub --message-encoding hex hex.csv")
        .ok();
    lab.sh("verify-batch --key alice.pub --quiet hex.csv")
        .status(1);
    assert!(!lab.exists("no.jsonl"));
    lab.assert_clean();
}

/// One bad row, wherever it is: the error names it, and nothing is written.
#[test]
fn signed_whole_or_not_at_all() {
    let lab = lab();
    let good = json!({"message": "m"}).to_string() + "\n";
    for (bad, words) in [
        ("{\"other\":1}\n", "has neither a message nor a digest"),
        ("{\"message\":7}\n", "is a number"),
        ("{\"message\":\"m\"\n", "JSON"),
        ("{\"message\":\"m\",\"message\":\"n\"}\n", "twice"),
    ] {
        for before in [1, 40_000] {
            let text = good.repeat(before) + bad + &good.repeat(10);
            lab.write("in.jsonl", text);
            for out in ["out.jsonl", "out.parquet"] {
                lab.sh(&format!("sign-batch --key alice.pem --out {out} in.jsonl"))
                    .status(2)
                    .says(&[
                        &format!("row {0} (line {0})", before + 1),
                        words,
                        "nothing is written",
                    ]);
                assert!(!lab.exists(out));
            }
            // What went to standard output cannot be taken back, and the error does not say that it
            // was.
            let ran = lab.sh("sign-batch --key alice.pem in.jsonl").status(2);
            assert!(ran.stdout.is_empty() == (before == 1));
            assert!(!ran.stderr.contains("nothing is written"));
            ran.says(&[words, "is not complete"]);
        }
    }
    lab.assert_clean();
}

#[test]
fn wrong_use() {
    let lab = lab();
    lab.write("in.jsonl", jsonl("message", &["m".to_owned()]));
    lab.write("empty.csv", "message\n");
    lab.write("there.jsonl", "old");
    for (line, words) in [
        ("--key alice.pem --out there.jsonl in.jsonl", "--force"),
        ("--key alice.pem --out in.jsonl --force in.jsonl", "--out"),
        ("--key alice.pem --out alice.pem --force in.jsonl", "--out"),
        ("--key alice.pub --out o.jsonl in.jsonl", "public key"),
        ("--key none.pem --out o.jsonl in.jsonl", "none.pem"),
        ("--key alice.pem --out o.jsonl none.jsonl", "none.jsonl"),
        ("--key alice.pem --out o.jsonl empty.csv", "no rows"),
        (
            "--key alice.pem --out o.jsonl --message-column text in.jsonl",
            "text",
        ),
        (
            "--key alice.pem --out o.csv --signature-encoding binary in.jsonl",
            "Parquet",
        ),
        (
            "--key alice.pem --out o.jsonl --message-column a --digest-column b in.jsonl",
            "cannot be used with",
        ),
        ("--key - --out o.jsonl", "standard input"),
    ] {
        lab.sh(&format!("sign-batch {line}"))
            .status(2)
            .says(&[words]);
    }
    assert_eq!(lab.read("there.jsonl"), b"old");
    assert!(!lab.exists("o.jsonl") && !lab.exists("o.csv"));
    // Bytes that are no text need a format that can hold them.
    lab.sh("sign-batch --key alice.pem --force --out there.jsonl in.jsonl")
        .ok();
    lab.sh("verify-batch --key alice.pub there.jsonl").ok();
    lab.assert_clean();
}
