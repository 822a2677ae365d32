//! Verdicts and summaries, in every format.

use super::*;

#[test]
fn all_valid_in_every_format() {
    let lab = Lab::new();
    let rows = ledger::rows(7);
    for format in FORMATS {
        let name = save(&lab, format, &rows);
        let ran = lab.sh(&format!("verify-batch {name}")).ok();
        assert!(ran.stderr.is_empty(), "{}", ran.stderr);
        let numbers: Vec<_> = ran
            .text()
            .lines()
            .take(4)
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(numbers, ["rows 7", "valid 7", "invalid 0", "malformed 0"]);
        let quiet = lab.sh(&format!("verify-batch --quiet {name}")).ok();
        assert!(quiet.stdout.is_empty() && quiet.stderr.is_empty());
    }
}

/// One bad row in each position, and each kind of bad: all other rows keep their verdict.
#[test]
fn a_bad_row_in_each_position() {
    let lab = Lab::new();
    let good = ledger::rows(7);
    for (number, format) in FORMATS.into_iter().enumerate() {
        for position in 0..good.len() {
            for malformed in [false, true] {
                let mut rows = good.clone();
                let row = rows[position].clone();
                rows[position] = if malformed {
                    row.malformed()
                } else {
                    row.invalid()
                };
                let name = save(&lab, format, &rows);
                // Verdicts in another format than the rows'.
                let out = format!("out.{}", FORMATS[(number + position) % 3]);
                let line = format!("verify-batch --force --out {out} {name}");
                let ran = lab.sh(&line).status(1);
                let found = verdicts(&lab, &out);
                assert_eq!(found.len(), rows.len());
                for (i, (row, valid, reason)) in found.into_iter().enumerate() {
                    assert_eq!(row, i as u64 + 1);
                    assert_eq!(valid, i != position, "{line}: {row}");
                    let kind = match (valid, malformed) {
                        (true, _) => "",
                        (false, true) => "malformed: ",
                        (false, false) => "invalid: ",
                    };
                    assert!(reason.starts_with(kind), "{reason}");
                    assert_eq!(reason.is_empty(), valid);
                    if !valid && malformed {
                        assert!(reason.contains("signature"), "{reason}");
                        let line = match format {
                            "jsonl" => format!("line {}", position + 1),
                            "csv" => format!("line {}", position + 2),
                            _ => String::new(),
                        };
                        assert!(reason.contains(&line), "{reason}");
                    }
                }
                ran.says(&[&format!("row {}", position + 1)]);
            }
        }
    }
    lab.assert_clean();
}

#[test]
fn failures_only_and_the_summary() {
    let lab = Lab::new();
    let mut rows = ledger::rows(9);
    rows[3] = rows[3].clone().invalid();
    rows[8] = rows[8].clone().malformed();
    for format in FORMATS {
        let name = save(&lab, format, &rows);
        let line = format!(
            "verify-batch --force --failures-only --out out.csv --summary-json s.json {name}"
        );
        lab.sh(&line).status(1);
        let found: Vec<_> = verdicts(&lab, "out.csv").iter().map(|row| row.0).collect();
        assert_eq!(found, [4, 9]);
        let summary: Value = serde_json::from_slice(&lab.read("s.json")).unwrap();
        for (field, value) in [("total", 9), ("valid", 7), ("invalid", 1), ("malformed", 1)] {
            assert_eq!(summary[field], value, "{field}");
        }
        assert_eq!(summary["all_valid"], false);
        assert_eq!(summary["format"], format);
        assert!(summary["seconds"].is_number() && summary["rows_per_second"].is_number());
    }
}

/// To standard output go the verdicts or the summary's JSON, and nothing else.
#[test]
fn standard_output_and_input() {
    let lab = Lab::new();
    let mut rows = ledger::rows(3);
    rows[1] = rows[1].clone().invalid();
    for (text, format) in [(ledger::jsonl(&rows), "jsonl"), (ledger::csv(&rows), "csv")] {
        for line in [
            "verify-batch --out -".to_owned(),
            format!("verify-batch --format {format} --out - --threads 1 -"),
        ] {
            let ran = lab.pipe(&line, text.as_bytes()).status(1);
            let lines: Vec<&str> = ran.text().lines().collect();
            assert_eq!(lines.len(), 3, "{lines:?}");
            assert_eq!(lines[0], r#"{"row":1,"valid":true,"reason":null}"#);
            assert!(lines[1].starts_with(r#"{"row":2,"valid":false,"reason":"invalid: "#));
            assert!(ran.stderr.contains("rows/s"), "the summary");
        }
        let ran = lab
            .pipe("verify-batch --summary-json -", text.as_bytes())
            .status(1);
        let summary: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(
            (&summary["total"], &summary["file"]),
            (&3.into(), &"standard input".into())
        );
    }
    lab.pipe("verify-batch --format parquet", b"PAR1 and so on")
        .status(2)
        .says(&["Parquet", "save it"]);
    lab.pipe("verify-batch --out - --summary-json -", b"{}")
        .status(2)
        .says(&["--out and --summary-json"]);
}

#[test]
fn one_key_and_one_identity_for_all() {
    let lab = Lab::new();
    let signer = Signer::new(ALICE);
    let rows: Vec<_> = (0..3).map(|i| signer.row(&i.to_string())).collect();
    lab.write("key", hex::encode(&rows[0].key));
    let mut text = "message,signature\n".to_owned();
    for row in &rows {
        text += &format!("{},{}\n", row.message, hex::encode(&row.signature));
    }
    lab.write("a.csv", &text);
    lab.sh(&format!("verify-batch --key key --id {ALICE} a.csv"))
        .ok();
    lab.sh(&format!(
        "verify-batch --key key --id-hex {} a.csv",
        hex::encode(ALICE)
    ))
    .ok();
    lab.sh("verify-batch --key key a.csv")
        .status(1)
        .says(&["--id"]);
    // What the file says of keys and identities counts for nothing then.
    lab.write("b.csv", ledger::csv(&rows).replace(ALICE, "bob"));
    lab.sh("verify-batch b.csv")
        .status(1)
        .says(&["the file's own column", "--id 1234567812345678"]);
    lab.sh(&format!("verify-batch --id {ALICE} b.csv")).ok();
    lab.sh("verify-batch --id x --id-column id b.csv").status(2);
    lab.sh("verify-batch --key key --key-column key b.csv")
        .status(2);
    lab.sh("verify-batch --key nowhere b.csv")
        .status(2)
        .says(&["nowhere"]);
}

/// One key under several identities: what is remembered of the one is not used for the other.
#[test]
fn one_key_under_many_identities() {
    let lab = Lab::new();
    let row = Signer::new(ALICE).row("hello");
    let rows: Vec<Row> = (0..20)
        .map(|i| {
            let mut row = row.clone();
            if i % 3 != 0 {
                row.id = format!("{}{ALICE}", i % 3);
            }
            row
        })
        .collect();
    lab.write("a.jsonl", ledger::jsonl(&rows));
    lab.sh("verify-batch --out o.jsonl a.jsonl").status(1);
    for (i, (_, valid, _)) in verdicts(&lab, "o.jsonl").into_iter().enumerate() {
        assert_eq!(valid, i % 3 == 0, "{i}");
    }
}

/// Files of other programs that write Parquet; `tests/files/README.md` says how they were made.
#[test]
fn parquet_of_other_writers() {
    let lab = Lab::new();
    let files = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for name in ["pyarrow", "duckdb", "polars", "fastparquet"] {
        let content = std::fs::read(files.join(format!("{name}.parquet"))).unwrap();
        lab.write("a.parquet", content);
        let ran = lab
            .sh("verify-batch --failures-only --out - a.parquet")
            .status(1);
        let verdict: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(
            (&verdict["row"], &verdict["valid"]),
            (&6.into(), &false.into()),
            "{name}"
        );
        assert!(
            ran.stderr.starts_with("rows                   12\n"),
            "{name}: {ran:?}"
        );
    }
}
