//! Measurements. How fast anything is, is nobody's business here.

mod common;

use common::{Lab, PORTABLE};
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
        let many = text("variant").starts_with("batch");
        assert_eq!(result["batch_size"].as_u64() > Some(1), many, "{result}");
        assert!(!text("backend").is_empty());
        if ["sm3", "sm4"].contains(&&*text("algorithm")) {
            let throughput = result["bytes_per_second"].as_f64().expect("a throughput");
            assert!((throughput / (rate * bytes as f64) - 1.0).abs() < 0.01);
        }
        found.push(format!(
            "{} {} {} {bytes}",
            text("algorithm"),
            text("operation"),
            text("variant")
        ));
    }
    assert_eq!(
        found,
        [
            "sm2 keygen single 32",
            "sm2 keygen batch 32",
            "sm2 sign single 32",
            "sm2 sign batch 32",
            "sm2 verify single 32",
            "sm2 verify prepared 32",
            "sm2 verify batch 32",
            "sm2 verify batch-prepared 32",
            "sm2 encrypt single 32",
            "sm2 encrypt prepared 32",
            "sm2 encrypt batch 32",
            "sm2 encrypt batch-prepared 32",
            "sm2 decrypt single 32",
            "sm2 decrypt batch 32",
            "sm2 exchange single 32",
            "sm3 hash single 64",
            "sm3 hash single 1024",
            "sm3 hash single 16384",
            "sm3 hash single 1048576",
            "sm3 hash batch 64",
            "sm3 hash batch 1024",
            "sm4 ctr single 64",
            "sm4 ctr single 1024",
            "sm4 ctr single 16384",
            "sm4 gcm single 64",
            "sm4 gcm single 1024",
            "sm4 gcm single 16384",
            "sm4 xts single 64",
            "sm4 xts single 1024",
            "sm4 xts single 16384",
            "sm4 cbc-decrypt single 64",
            "sm4 cbc-decrypt single 1024",
            "sm4 cbc-decrypt single 16384",
            "sm9 extract-sign single 32",
            "sm9 extract-sign batch 32",
            "sm9 extract-enc single 32",
            "sm9 extract-enc batch 32",
            "sm9 sign single 32",
            "sm9 sign prepared 32",
            "sm9 sign batch 32",
            "sm9 sign batch-prepared 32",
            "sm9 verify single 32",
            "sm9 verify prepared 32",
            "sm9 verify batch 32",
            "sm9 verify batch-prepared 32",
            "sm9 encrypt single 32",
            "sm9 encrypt prepared 32",
            "sm9 encrypt batch 32",
            "sm9 encrypt batch-prepared 32",
            "sm9 decrypt single 32",
            "sm9 decrypt prepared 32",
            "sm9 decrypt batch 32",
            "sm9 decrypt batch-prepared 32",
            "sm9 encap single 32",
            "sm9 encap prepared 32",
            "sm9 encap batch 32",
            "sm9 encap batch-prepared 32",
            "sm9 decap single 32",
            "sm9 decap prepared 32",
            "sm9 decap batch 32",
            "sm9 decap batch-prepared 32",
            "sm9 exchange single 32",
            "sm9 exchange prepared 32",
            "sm9 pairing single 32",
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
        .env("KUAIMI_BACKEND", PORTABLE)
        .args("speed --json --seconds 0.01".split(' '));
    let ran = common::ran(command.output().unwrap()).ok();
    let report: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(report["machine"]["backend"], PORTABLE);
    for result in report["results"].as_array().unwrap() {
        let name = match (result["algorithm"].as_str(), result["variant"].as_str()) {
            (Some("sm3"), Some("single")) => "portable",
            (Some("sm3"), _) => "one-by-one",
            (Some("sm4"), _) => "portable",
            _ => PORTABLE,
        };
        assert_eq!(result["backend"], name);
    }
}

#[test]
fn a_choice_of_variants_and_backend() {
    let report = json(&format!(
        "speed --variant batch,prepared --backend {PORTABLE} --threads 2 --json --seconds 0.01"
    ));
    assert_eq!(report["machine"]["backend"], PORTABLE);
    let mut found = Vec::new();
    for result in report["results"].as_array().unwrap() {
        let text = |name: &str| result[name].as_str().unwrap().to_owned();
        // SM2's batches spread over the threads; each thread hashes many messages of its own.
        let (backend, size) = match (text("algorithm").as_str(), text("variant").as_str()) {
            ("sm3", _) => ("one-by-one", 64),
            ("sm9", "batch") => (PORTABLE, 128),
            (_, "batch") => (PORTABLE, 512),
            _ => (PORTABLE, 1),
        };
        assert_eq!(text("backend"), backend);
        assert_eq!(
            (&result["threads"], &result["batch_size"]),
            (&2.into(), &size.into())
        );
        let threads = result["ops_per_second"].as_f64().unwrap()
            * result["ns_per_op"].as_f64().unwrap()
            / 1e9;
        assert!((threads - 2.0).abs() < 0.02);
        found.push(format!("{} {}", text("operation"), text("variant")));
    }
    assert_eq!(
        found,
        [
            "keygen batch",
            "sign batch",
            "verify prepared",
            "verify batch",
            "encrypt prepared",
            "encrypt batch",
            "decrypt batch",
            "hash batch",
            "hash batch",
            "extract-sign batch",
            "extract-enc batch",
            "sign prepared",
            "sign batch",
            "verify prepared",
            "verify batch",
            "encrypt prepared",
            "encrypt batch",
            "decrypt prepared",
            "decrypt batch",
            "encap prepared",
            "encap batch",
            "decap prepared",
            "decap batch",
            "exchange prepared",
        ]
    );
    let lab = Lab::new();
    lab.sh("speed --backend abacus")
        .status(2)
        .says(&["--backend", "abacus", PORTABLE]);
    lab.sh("speed sm3 --variant prepared --seconds 0.01")
        .status(2)
        .says(&["--variant"]);
    lab.sh("speed --variant nonsense").status(2);
}

#[test]
fn a_choice_of_operations() {
    let names = |options: &str| -> Vec<String> {
        let report = json(&format!("speed --json --seconds 0.01 {options}"));
        let results = report["results"].as_array().unwrap();
        let text = |result: &Value, name: &str| result[name].as_str().unwrap().to_owned();
        let mut names: Vec<String> = results
            .iter()
            .map(|result| {
                format!(
                    "{} {}",
                    text(result, "algorithm"),
                    text(result, "operation")
                )
            })
            .collect();
        names.dedup();
        names
    };
    assert_eq!(
        names("--operation sign,decap"),
        ["sm2 sign", "sm9 sign", "sm9 decap"]
    );
    assert_eq!(
        names("sm4 --operation gcm --operation cbc-decrypt"),
        ["sm4 gcm", "sm4 cbc-decrypt"]
    );
    // Every operation can be chosen by its name.
    let all = names("");
    assert_eq!(all.len(), 21);
    let chosen: Vec<&str> = all
        .iter()
        .map(|name| name.split(' ').nth(1).unwrap())
        .collect();
    assert_eq!(names(&format!("--operation {}", chosen.join(","))), all);
    let lab = Lab::new();
    lab.sh("speed --operation nonsense")
        .status(2)
        .says(&["nonsense", "decap"]);
    lab.sh("speed sm2 --operation gcm --seconds 0.01")
        .status(2)
        .says(&["--operation"]);
    lab.sh("speed --operation sign --variant prepared sm2 --seconds 0.01")
        .status(2);
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
    let table = lab.sh("speed sm4 --operation ctr --seconds 0.01").ok();
    let line = |start: &str| {
        let mut lines = table.text().lines();
        lines.find(|line| line.starts_with(start)).expect(start)
    };
    assert!(line("SM4").contains("OpenSSL 3") && line("SM4").contains("MB/s"));
    for length in ["64 B", "1 KiB", "16 KiB"] {
        let line = line(&format!("ctr {length} "));
        assert!(line.ends_with('x'), "{line}");
    }
    assert!(!table.text().contains("gcm"));
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
