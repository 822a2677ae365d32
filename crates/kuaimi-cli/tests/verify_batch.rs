//! The bulk job: verdicts on all rows, in every format.

mod common;

use common::Lab;
use common::ledger::{self, ALICE, Row, Signer};
use serde_json::Value;

/// Writes rows in a format, as a file whose name says which.
fn save(lab: &Lab, format: &str, rows: &[Row]) -> String {
    let name = format!("rows.{format}");
    match format {
        "jsonl" => lab.write(&name, ledger::jsonl(rows)),
        "csv" => lab.write(&name, ledger::csv(rows)),
        _ => ledger::parquet(&lab.path(&name), rows, 3),
    }
    name
}

/// Reads verdicts from the file: numbers, what was found, and why.
fn verdicts(lab: &Lab, name: &str) -> Vec<(u64, bool, String)> {
    if name.ends_with(".csv") {
        let content = lab.read(name);
        let mut reader = csv::Reader::from_reader(content.as_slice());
        assert_eq!(reader.headers().unwrap(), vec!["row", "valid", "reason"]);
        return reader
            .records()
            .map(|record| {
                let record = record.unwrap();
                (
                    record[0].parse().unwrap(),
                    record[1].parse().unwrap(),
                    record[2].to_owned(),
                )
            })
            .collect();
    }
    if name.ends_with(".parquet") {
        use parquet::file::reader::{FileReader as _, SerializedFileReader};
        use parquet::record::RowAccessor as _;
        let file = std::fs::File::open(lab.path(name)).unwrap();
        return SerializedFileReader::new(file)
            .unwrap()
            .get_row_iter(None)
            .unwrap()
            .map(|row| {
                let row = row.unwrap();
                (
                    row.get_long(0).unwrap() as u64,
                    row.get_bool(1).unwrap(),
                    row.get_string(2).cloned().unwrap_or_default(),
                )
            })
            .collect();
    }
    let content = String::from_utf8(lab.read(name)).unwrap();
    content
        .lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            assert_eq!(row.as_object().unwrap().len(), 3);
            (
                row["row"].as_u64().unwrap(),
                row["valid"].as_bool().unwrap(),
                row["reason"].as_str().unwrap_or_default().to_owned(),
            )
        })
        .collect()
}

const FORMATS: [&str; 3] = ["jsonl", "csv", "parquet"];

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

#[test]
fn keys_and_signatures_in_all_forms() {
    use base64::Engine as _;
    let base64 = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let url = |bytes: &[u8]| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes);
    let lab = Lab::new();
    let signer = Signer::new(ALICE);
    let row = signer.row("hello");
    let public = signer.key.public_key();
    lab.write("point", hex::encode(&row.key));
    lab.sh("sm2 convert --to pem --out key.pem point").ok();
    lab.sh("sm2 convert --to der --out key.der point").ok();
    let pem = String::from_utf8(lab.read("key.pem")).unwrap();
    let der = lab.read("key.der");
    let mut keys = vec![pem.clone(), format!("\n{}", pem.replace('\n', "\r\n"))];
    for bytes in [
        &row.key[..],
        &row.key[1..],
        &public.to_compressed_bytes(),
        &der,
    ] {
        let digits = hex::encode(bytes);
        keys.extend([
            digits.to_uppercase(),
            format!("0x{digits}"),
            digits,
            base64(bytes),
            url(bytes),
        ]);
    }
    let mut signatures = Vec::new();
    for bytes in [&row.signature, &row.der()] {
        signatures.extend([hex::encode(bytes), base64(bytes), url(bytes)]);
    }
    let mut text = String::new();
    for key in &keys {
        for signature in &signatures {
            let object = serde_json::json!({"key": key, "id": ALICE, "message": "hello", "signature": signature});
            text += &format!("{object}\n");
        }
    }
    lab.write("all.jsonl", &text);
    lab.sh("verify-batch all.jsonl").ok();
    // An option that says how they are written holds for all of them.
    let malformed = |line: &str| {
        lab.sh(&format!(
            "verify-batch --force --summary-json s {line} all.jsonl"
        ))
        .status(1);
        let summary: Value = serde_json::from_slice(&lab.read("s")).unwrap();
        assert_eq!(summary["invalid"], 0);
        summary["malformed"].as_u64().unwrap() as usize
    };
    assert_eq!(malformed("--key-encoding hex"), (2 + 8) * 6);
    assert_eq!(malformed("--key-encoding base64"), (2 + 12) * 6);
    assert_eq!(malformed("--signature-encoding hex"), 4 * keys.len());
    assert_eq!(malformed("--signature-encoding base64"), 2 * keys.len());
    assert_eq!(malformed("--signature-form der"), 3 * keys.len());
    assert_eq!(malformed("--signature-form raw"), 3 * keys.len());
    lab.sh("verify-batch --key-encoding binary all.jsonl")
        .status(2)
        .says(&["--key-encoding", "Parquet"]);
}

#[test]
fn keys_that_are_none() {
    let lab = Lab::with_keys();
    let row = ledger::rows(1).remove(0);
    let private = String::from_utf8(lab.read("a.pem")).unwrap();
    let mut off_curve = row.key.clone();
    off_curve[64] ^= 1;
    let twice = hex::encode(hex::encode(&row.key));
    for (key, word) in [
        (private.as_str(), "private key"),
        (&hex::encode(&row.key[..63]), "no public key"),
        (&hex::encode(&off_curve), "curve"),
        (&twice, "no public key"),
        ("", "empty"),
        ("  ", "empty"),
        ("not a key", "hexadecimal or Base64"),
        ("-----BEGIN PUBLIC KEY-----", "PEM"),
    ] {
        let good = ledger::jsonl(std::slice::from_ref(&row));
        let object = serde_json::json!({"key": key, "id": row.id, "message": row.message, "signature": hex::encode(&row.signature)});
        lab.write("k.jsonl", format!("{good}{object}\n"));
        let ran = lab
            .sh("verify-batch k.jsonl")
            .status(1)
            .says(&["row 2: malformed: line 2: key: ", word]);
        assert!(!ran.stderr.contains("row 1"));
    }
}

/// A message is what stands there. That it might stand for other bytes is never guessed.
#[test]
fn messages_are_not_guessed() {
    use base64::Engine as _;
    let lab = Lab::new();
    let signer = Signer::new(ALICE);
    let text = "68656c6c6f21";
    let as_text = signer.row(text);
    let mut as_bytes = signer.row("hello!");
    as_bytes.message = text.to_owned();
    lab.write("text.jsonl", ledger::jsonl(&[as_text]));
    lab.write("hex.jsonl", ledger::jsonl(&[as_bytes.clone()]));
    as_bytes.message = base64::engine::general_purpose::STANDARD.encode("hello!");
    lab.write("base64.jsonl", ledger::jsonl(&[as_bytes]));
    lab.sh("verify-batch text.jsonl").ok();
    lab.sh("verify-batch hex.jsonl")
        .status(1)
        .says(&["--message-encoding hex"]);
    lab.sh("verify-batch --message-encoding hex hex.jsonl").ok();
    lab.sh("verify-batch --message-encoding hex text.jsonl")
        .status(1);
    lab.sh("verify-batch --message-encoding base64 base64.jsonl")
        .ok();
    lab.sh("verify-batch --message-encoding hex base64.jsonl")
        .status(1)
        .says(&["malformed", "message: is not hexadecimal"]);
    let hex_id = ledger::jsonl(&[signer.row("m")]).replace(ALICE, &hex::encode(ALICE));
    lab.write("id.jsonl", hex_id);
    lab.sh("verify-batch id.jsonl").status(1);
    lab.sh("verify-batch --id-encoding hex id.jsonl").ok();
}

#[test]
fn digests_in_place_of_messages() {
    use base64::Engine as _;
    let lab = Lab::new();
    let signer = Signer::new(ALICE);
    let row = signer.row("hello");
    let mut hash = signer.key.verifying_key().message_hash();
    hash.update(b"hello");
    let e = hash.finalize();
    let (key, signature) = (hex::encode(&row.key), hex::encode(&row.signature));
    let mut text = "key,digest,signature\n".to_owned();
    text += &format!("{key},{},{signature}\n", hex::encode(e));
    text += &format!(
        "{key},{},{signature}\n",
        base64::engine::general_purpose::STANDARD.encode(e)
    );
    lab.write("e.csv", &text);
    lab.sh("verify-batch e.csv").ok();
    lab.write("h.csv", text.replace("digest", "hash"));
    lab.sh("verify-batch h.csv")
        .status(2)
        .says(&["--digest-column"]);
    lab.sh("verify-batch --digest-column hash h.csv").ok();
    lab.write(
        "short.csv",
        text.replace(&hex::encode(e), &hex::encode(&e[1..])),
    );
    lab.sh("verify-batch short.csv")
        .status(1)
        .says(&["row 1: malformed", "31 bytes in place of 32"]);
    // The identity is in the digest already: to give one means something else.
    lab.sh("verify-batch --id x --digest-column digest e.csv")
        .status(2);
    // Which of the two is meant is not guessed.
    lab.write(
        "both.csv",
        format!(
            "key,digest,signature,message\n{key},{},{signature},hello\n",
            hex::encode(e)
        ),
    );
    lab.sh("verify-batch both.csv")
        .status(2)
        .says(&["--message-column message", "--digest-column digest"]);
    lab.sh("verify-batch --digest-column digest both.csv").ok();
    lab.sh(&format!(
        "verify-batch --message-column message --id {ALICE} both.csv"
    ))
    .ok();
    lab.write(
        "both.jsonl",
        format!(
            "{}\n",
            serde_json::json!({"key": key, "digest": hex::encode(e), "message": "hello", "signature": signature})
        ),
    );
    lab.sh("verify-batch both.jsonl")
        .status(2)
        .says(&["--message-column message", "--digest-column digest"]);
}

/// A signature that is well-formed in two ways is refused until someone says which.
#[test]
fn two_readings_are_none() {
    let lab = Lab::new();
    let row = ledger::rows(1).remove(0);
    // DER of 64 bytes: r of 32 and s of 26. Of these bytes, the halves are in range, too.
    let mut der = vec![0x30, 62, 2, 32, 0x11];
    der.extend([0x22; 31]);
    der.extend([2, 26, 0x33]);
    der.extend([0x44; 25]);
    assert_eq!(der.len(), 64);
    // DER of 43 bytes, whose 86 hexadecimal digits are Base64 of 64 bytes, too.
    let mut short = vec![0x30, 41, 2, 19, 0x11];
    short.extend([0x22; 18]);
    short.extend([2, 18, 0x33]);
    short.extend([0x44; 16]);
    short.push(0x4a);
    for (signature, word, settled) in [
        (
            hex::encode(&der),
            "--signature-form",
            "--signature-form der",
        ),
        (
            hex::encode_upper(&short),
            "--signature-encoding",
            "--signature-encoding hex",
        ),
    ] {
        let object = serde_json::json!({"key": hex::encode(&row.key), "message": "m", "signature": signature});
        lab.write("two.jsonl", format!("{object}\n"));
        lab.sh("verify-batch two.jsonl").status(1).says(&[
            "malformed: line 1: signature: can be read in two ways",
            word,
        ]);
        lab.sh(&format!("verify-batch {settled} two.jsonl"))
            .status(1)
            .says(&["invalid: "]);
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
