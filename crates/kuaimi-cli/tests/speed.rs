//! Measurements. How fast anything is, is nobody's business here.

mod common;

use common::Lab;
use serde_json::Value;

fn json(line: &str) -> Value {
    let ran = Lab::new().sh(line).ok();
    assert!(ran.stderr.is_empty());
    serde_json::from_slice(&ran.stdout).expect("one JSON object and nothing else")
}

#[test]
fn every_operation_is_there() {
    let report = json("speed --json --seconds 0.01");
    let machine = report["machine"].as_object().expect("a machine");
    for name in ["cpu", "os", "architecture", "kuaimi", "backend"] {
        assert!(
            machine[name]
                .as_str()
                .is_some_and(|value| !value.is_empty()),
            "{name}"
        );
    }
    let results = report["results"].as_array().expect("results");
    let mut found = Vec::new();
    for result in results {
        let text = |name: &str| result[name].as_str().expect("text").to_owned();
        let bytes = result["message_bytes"].as_u64().expect("a length");
        let rate = result["ops_per_second"].as_f64().expect("a rate");
        let time = result["ns_per_op"].as_f64().expect("a time");
        assert!(rate > 0.0 && time > 0.0);
        // One thread: the one is the other's inverse, but for rounding.
        assert!((rate * time / 1e9 - 1.0).abs() < 0.01, "{result}");
        assert_eq!(result["threads"].as_u64(), Some(1));
        assert!(!text("backend").is_empty());
        if text("algorithm") == "sm3" {
            let throughput = result["bytes_per_second"].as_f64().expect("a throughput");
            assert!((throughput / (rate * bytes as f64) - 1.0).abs() < 0.01);
        }
        found.push(format!(
            "{} {} {bytes} {}",
            text("algorithm"),
            text("operation"),
            text("variant")
        ));
    }
    assert_eq!(
        found,
        [
            "sm2 keygen 32 single",
            "sm2 sign 32 single",
            "sm2 verify 32 single",
            "sm2 encrypt 32 single",
            "sm2 decrypt 32 single",
            "sm2 exchange 32 single",
            "sm3 hash 64 single",
            "sm3 hash 1024 single",
            "sm3 hash 16384 single",
            "sm3 hash 1048576 single",
            "sm3 hash 64 batch",
            "sm3 hash 1024 batch",
        ]
    );
}

#[test]
fn a_choice_of_algorithms_and_threads() {
    let report = json("speed sm3 --json --seconds 0.01 --threads 2");
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 6);
    for result in results {
        assert_eq!(
            (result["algorithm"].as_str(), result["threads"].as_u64()),
            (Some("sm3"), Some(2))
        );
        let threads = result["ops_per_second"].as_f64().unwrap()
            * result["ns_per_op"].as_f64().unwrap()
            / 1e9;
        assert!((threads - 2.0).abs() < 0.02);
    }
}

#[test]
fn the_backend_is_the_one_asked_for() {
    let lab = Lab::new();
    let mut command = lab.kuaimi();
    command
        .env("KUAIMI_BACKEND", "portable32")
        .args("speed --json --seconds 0.01".split(' '));
    let ran = common::ran(command.output().unwrap()).ok();
    let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(report["machine"]["backend"], "portable32");
    for result in report["results"].as_array().unwrap() {
        let name = if result["algorithm"] == "sm2" {
            "portable32"
        } else {
            "portable"
        };
        assert_eq!(result["backend"], name);
    }
}

#[test]
fn a_table_for_people() {
    let lab = Lab::new();
    let table = lab.sh("speed sm2 --seconds 0.01").ok();
    for word in ["SM2", "ops/s", "sign", "exchange", "OpenSSL 3", "ratio"] {
        assert!(table.text().contains(word), "{word}: {}", table.text());
    }
    let sign = table
        .text()
        .lines()
        .find(|line| line.starts_with("sign"))
        .unwrap();
    assert!(sign.ends_with('x'), "{sign}");
    let alone = lab.sh("speed sm2 --seconds 0.01 --no-openssl").ok();
    assert!(!alone.text().contains("OpenSSL"));
    // Where there is none, its column is missing and nothing else.
    let mut command = lab.kuaimi();
    command
        .env("PATH", "")
        .args("speed sm2 --seconds 0.01".split(' '));
    let alone = common::ran(command.output().unwrap()).ok();
    assert!(alone.text().contains("sign") && !alone.text().contains("OpenSSL"));
    for wrong in [
        "--seconds 0",
        "--seconds -1",
        "--seconds x",
        "--threads 0",
        "sm1",
    ] {
        lab.sh(&format!("speed {wrong}")).status(2);
    }
}
