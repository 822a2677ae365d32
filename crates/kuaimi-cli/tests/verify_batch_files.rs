//! The bulk job and files that are not as they should be: wrong, cut short, huge, empty.

mod common;

use std::io::Write as _;
use std::process::Stdio;

use common::ledger;
use common::{Lab, PORTABLE, feed};
use serde_json::Value;

/// The numbers of rows: valid, invalid, malformed.
fn counts(lab: &Lab, line: &str, status: i32) -> [u64; 3] {
    lab.sh(&format!("verify-batch --force --summary-json s {line}"))
        .status(status);
    let summary: Value = serde_json::from_slice(&lab.read("s")).unwrap();
    ["valid", "invalid", "malformed"].map(|name| summary[name].as_u64().unwrap())
}

/// Text in fields that are not read is whatever it is.
#[test]
fn only_what_is_read_must_be_utf8() {
    let lab = Lab::new();
    let rows = ledger::rows(3);
    let lines = |text: &str, first: &[u8], more: &[u8]| -> Vec<u8> {
        let line = |(i, line): (usize, &str)| {
            let line = line.strip_suffix('}').unwrap_or(line);
            [line.as_bytes(), if i == 0 { first } else { more }, b"\n"].concat()
        };
        text.lines().enumerate().flat_map(line).collect()
    };
    let jsonl = |more: &[u8]| lines(&ledger::jsonl(&rows), b"}", more);
    let csv = lines(&ledger::csv(&rows), b",note", b",\xff");
    for (name, content, expected) in [
        ("a.jsonl", jsonl(b",\"note\":\"\xff\"}"), [3, 0, 0]),
        (
            "a.jsonl",
            jsonl(b",\"note\":[{\"key\":\"\xff\"}]}"),
            [3, 0, 0],
        ),
        ("a.jsonl", jsonl(b",\"\xff\":\"\"}"), [1, 0, 2]),
        ("a.csv", csv, [3, 0, 0]),
    ] {
        lab.write(name, content);
        assert_eq!(
            counts(&lab, name, u8::from(expected[2] > 0).into()),
            expected
        );
    }
}

#[test]
fn line_ends_marks_and_quotes() {
    let lab = Lab::new();
    let mut rows = ledger::rows(4);
    let signer = ledger::Signer::new("1234567812345678");
    rows.push(signer.row("a \"quoted\", comma'd\nmessage\r\nof three lines; ünïcødé 快密"));
    rows.push(signer.row(""));
    rows.push(signer.row(" \"\" "));
    let (csv, jsonl) = (ledger::csv(&rows), ledger::jsonl(&rows));
    // As lines ends, so that those in quotes stay as they are.
    let crlf = |text: &str| {
        text.replace("message,id,key\n", "message,id,key\r\n")
            .replace("}\n", "}\r\n")
    };
    for (name, text) in [("a.csv", &csv), ("a.jsonl", &jsonl)] {
        for variant in [
            text.clone(),
            crlf(text),
            format!("\u{feff}{text}"),
            text.trim_end_matches('\n').to_owned(),
            format!("{text}\n\r\n\n"),
        ] {
            lab.write(name, &variant);
            assert_eq!(counts(&lab, name, 0), [7, 0, 0], "{variant}");
        }
    }
    // Every record of CSV with CRLF, and lines counted right behind one of three.
    let plain = ledger::csv(&ledger::rows(3)).replace('\n', "\r\n");
    lab.write("a.csv", &plain);
    assert_eq!(counts(&lab, "a.csv", 0), [3, 0, 0]);
    let bad = rows[1].clone().malformed();
    rows.push(bad);
    lab.write("a.csv", ledger::csv(&rows));
    lab.sh("verify-batch a.csv")
        .status(1)
        .says(&["row 8: malformed: line 11: signature"]);
    // An identity that is empty: in CSV, none.
    rows.truncate(2);
    rows[1].id.clear();
    lab.write("a.csv", ledger::csv(&rows));
    assert_eq!(counts(&lab, "a.csv", 0), [2, 0, 0]);
    lab.write("a.jsonl", ledger::jsonl(&rows));
    assert_eq!(counts(&lab, "a.jsonl", 1), [1, 1, 0]);
}

#[test]
fn other_separators() {
    let lab = Lab::new();
    let text = ledger::csv(&ledger::rows(2));
    lab.write("a.csv", text.replace(',', ";"));
    lab.sh("verify-batch a.csv")
        .status(2)
        .says(&["no column \"key\"", "--delimiter ';'"]);
    assert_eq!(counts(&lab, "--delimiter ; a.csv", 0), [2, 0, 0]);
    for name in ["a.tsv", "a.csv", "a.data"] {
        lab.write(name, text.replace(',', "\t"));
        assert_eq!(
            counts(&lab, &format!("--delimiter tab {name}"), 0),
            [2, 0, 0]
        );
    }
    assert_eq!(counts(&lab, "a.tsv", 0), [2, 0, 0]);
    lab.sh("verify-batch --delimiter ab a.csv").status(2);
}

/// A malformed row is a verdict, and what follows it is read.
#[test]
fn rows_that_are_none() {
    let lab = Lab::new();
    let good = ledger::rows(2);
    let line = ledger::jsonl(&good[..1]);
    let object = line.trim_end();
    for (bad, word) in [
        ("", ""),
        ("nonsense", "is not JSON"),
        ("[1, 2]", "not a JSON object"),
        ("\"text\"", "not a JSON object"),
        ("{\"key\": ", "ends too early"),
        (&object[..object.len() - 1], "ends too early"),
        (&format!("{object}}}"), "is not JSON"),
        (&format!("{object} {object}"), "is not JSON"),
        (
            &object.replace("\"key\":\"", "\"key\":\"zz"),
            "no public key",
        ),
        (
            &object.replace("\"signature\"", "\"nature\""),
            "signature: is missing",
        ),
        (
            &object.replace("\"message\"", "\"massage\""),
            "message: is missing",
        ),
        (
            &object.replace("{\"other\"", "{\"key\":\"\",\"other\""),
            "\"key\" is there twice",
        ),
        (
            &object.replace("\"message 0\"", "17"),
            "message: is a number",
        ),
        (
            &object.replace("\"message 0\"", "null"),
            "message: is missing",
        ),
        (
            &object.replace("\"message 0\"", "[[1]]"),
            "message: is a list",
        ),
        (&object.replace("message 0", "\\ud800"), "is not JSON"),
        (
            &object.replace("\"message\"", "\"digest\":\"00\",\"message\""),
            "a message and a digest",
        ),
    ] {
        for position in 0..3 {
            let mut lines = vec![object; 2];
            lines.insert(position, bad);
            lab.write("a.jsonl", lines.join("\n"));
            let blank = bad.is_empty();
            let expected = if blank { [2, 0, 0] } else { [2, 0, 1] };
            assert_eq!(
                counts(&lab, "a.jsonl", i32::from(!blank)),
                expected,
                "{bad}"
            );
            if !blank {
                lab.sh("verify-batch a.jsonl").status(1).says(&[
                    &format!("row {}: malformed: line {}", position + 1, position + 1),
                    word,
                ]);
            }
        }
    }
    let mut bytes = object.replace("message 0", "message \u{1}").into_bytes();
    if let Some(byte) = bytes.iter_mut().find(|byte| **byte == 1) {
        *byte = 0xff;
    }
    lab.write("a.jsonl", [object.as_bytes(), b"\n", &bytes].concat());
    assert_eq!(counts(&lab, "a.jsonl", 1), [1, 0, 1]);

    let csv = ledger::csv(&good);
    let record = csv.lines().nth(1).unwrap();
    for (bad, word) in [
        ("nonsense", "has 1 field in place of 5 fields"),
        (",,,,", "signature: is empty"),
        (&format!("{record},"), "has 6 fields"),
        (&record[1..], "signature: "),
        (&record.replace("\"message 0\"", "5\" pipe"), "double quote"),
    ] {
        let lines: Vec<&str> = csv.lines().collect();
        for position in 1..=3 {
            let mut lines = lines.clone();
            lines.insert(position, bad);
            lab.write("a.csv", lines.join("\n"));
            lab.sh("verify-batch a.csv").status(1).says(&[
                &format!("row {position}: malformed: line {}", position + 1),
                word,
            ]);
            assert_eq!(counts(&lab, "a.csv", 1), [2, 0, 1], "{bad}");
        }
    }
    // A quote that is never closed swallows what follows. That is seen, and said.
    lab.write("a.csv", csv.replacen("\"message 0\"", "\"message 0", 1));
    lab.sh("verify-batch a.csv")
        .status(1)
        .says(&["row 1: malformed: line 2", "the row goes to line 3"]);
    lab.write("a.csv", csv.replacen("\"message 1\"", "\"message 1", 1));
    assert_eq!(counts(&lab, "a.csv", 1), [1, 0, 1]);
}

#[test]
fn wrong_columns() {
    let lab = Lab::new();
    let rows = ledger::rows(3);
    lab.write("a.csv", ledger::csv(&rows).replace("signature,", "sig,"));
    lab.write(
        "a.jsonl",
        ledger::jsonl(&rows).replace("\"signature\"", "\"sig\""),
    );
    for name in ["a.csv", "a.jsonl"] {
        lab.sh(&format!("verify-batch --out o.csv {name}"))
            .status(2)
            .says(&[
                name,
                "no column \"signature\"",
                "\"sig\"",
                "\"other\"",
                "--signature-column NAME (is it \"sig\"?)",
            ]);
        assert!(!lab.exists("o.csv"));
        lab.sh(&format!("verify-batch --signature-column sig {name}"))
            .ok();
    }
    ledger::parquet(&lab.path("a.parquet"), &rows, 2);
    lab.sh("verify-batch --signature-column sig a.parquet")
        .status(2)
        .says(&["no column \"sig\"", "\"signature\""]);
    lab.sh("verify-batch --signature-column other a.parquet")
        .status(2)
        .says(&["\"other\" is of type INT64"]);
    lab.sh("verify-batch --key-column message a.csv")
        .status(2)
        .says(&["\"message\" is given for two things"]);
    lab.sh("verify-batch --id-column signer a.jsonl --signature-column sig")
        .status(2)
        .says(&["no column \"signer\"", "--id ID"]);
    lab.write("b.csv", "key,key,message,signature\n1,2,3,4\n");
    lab.sh("verify-batch b.csv")
        .status(2)
        .says(&["two columns \"key\""]);
}

#[test]
fn wrong_files() {
    let lab = Lab::new();
    let rows = ledger::rows(1);
    let jsonl = ledger::jsonl(&rows);
    lab.write("lines", &jsonl);
    lab.write("table", ledger::csv(&rows));
    ledger::parquet(&lab.path("columns"), &rows, 2);
    for name in ["lines", "table", "columns"] {
        assert_eq!(counts(&lab, name, 0), [1, 0, 0], "{name}");
    }
    let utf16: Vec<u8> = "\u{feff}key,message"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (name, content, words) in [
        (
            "a.json",
            format!("[{}]", jsonl.trim_end()).into_bytes(),
            &["JSON array", "jq"][..],
        ),
        ("a.jsonl", b"\x1f\x8b\x08\0".to_vec(), &["gzip", "-dc"]),
        ("a.csv", b"PK\x03\x04".to_vec(), &["spreadsheet"]),
        ("b.csv", utf16, &["UTF-16", "UTF-8"]),
        ("c.csv", lab.read("columns"), &["--format parquet"]),
        (
            "a.parquet",
            jsonl.clone().into_bytes(),
            &["not a Parquet file", "--format jsonl"],
        ),
        (
            "c.jsonl",
            ledger::csv(&rows).into_bytes(),
            &["not JSON Lines", "--format"],
        ),
        ("noise", common::noise(5000, 3), &["--format"]),
        ("d.csv", common::noise(5000, 3), &["d.csv"]),
        ("d.jsonl", common::noise(5000, 3), &["not JSON Lines"]),
        (
            "short.parquet",
            b"PAR1PAR1".to_vec(),
            &["short.parquet", "Parquet"],
        ),
    ] {
        lab.write(name, content);
        lab.sh(&format!("verify-batch {name}"))
            .status(2)
            .says(&[name])
            .says(words);
    }
    lab.sh("verify-batch nowhere.csv")
        .status(2)
        .says(&["nowhere.csv", "check the name"]);
    lab.sh("verify-batch .").status(2).says(&["directory"]);
}

#[test]
fn nothing_to_verify() {
    let lab = Lab::new();
    ledger::parquet(&lab.path("a.parquet"), &[], 2);
    lab.write("a.csv", "key,message,signature\n");
    lab.write("a.jsonl", "\n\n");
    for name in ["b.csv", "b.jsonl", "b.parquet", "b"] {
        lab.write(name, "");
    }
    for name in [
        "a.parquet",
        "a.csv",
        "a.jsonl",
        "b.csv",
        "b.jsonl",
        "b.parquet",
        "b",
    ] {
        lab.sh(&format!("verify-batch --out o.csv {name}"))
            .status(2)
            .says(&[name]);
        assert!(!lab.exists("o.csv"));
        assert_eq!(counts(&lab, &format!("--allow-empty {name}"), 0), [0, 0, 0]);
    }
    lab.pipe("verify-batch", b"")
        .status(2)
        .says(&["standard input"]);
}

/// Cut anywhere, a Parquet file is unreadable; altered anywhere, it may be, and nothing breaks.
#[test]
fn damaged_parquet() {
    let lab = Lab::new();
    ledger::parquet(&lab.path("a.parquet"), &ledger::rows(5), 2);
    let whole = lab.read("a.parquet");
    let step = whole.len() / 60 + 1;
    for length in (4..whole.len()).step_by(step).chain([whole.len() - 1]) {
        lab.write("cut.parquet", &whole[..length]);
        lab.sh("verify-batch --out o.csv cut.parquet")
            .status(2)
            .says(&["cut.parquet", "cannot be read as Parquet", "fetch it again"]);
        assert!(!lab.exists("o.csv"));
    }
    for place in (4..whole.len()).step_by(step / 3 + 1) {
        let mut altered = whole.clone();
        altered[place] ^= 1 << (place % 8);
        lab.write("altered.parquet", &altered);
        let ran = lab.sh("verify-batch --summary-json - altered.parquet");
        assert!((0..=2).contains(&ran.status), "{place}: {ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{place}: {ran:?}");
        // Where there is a verdict, it is on all rows.
        if ran.status != 2 {
            let summary: Value = serde_json::from_slice(&ran.stdout).unwrap();
            assert_eq!(summary["total"], 5, "{place}: {summary}");
        }
    }
    lab.assert_clean();
}

#[test]
fn output_that_cannot_be_written() {
    let lab = Lab::new();
    lab.write("a.csv", ledger::csv(&ledger::rows(1)));
    lab.write("there", "something");
    for (line, words) in [
        (
            "--out nowhere/o.csv",
            &["nowhere/o.csv", "make it first"][..],
        ),
        ("--summary-json nowhere/s", &["nowhere/s", "make it first"]),
        ("--out there", &["there", "--force"]),
        ("--summary-json there", &["there", "--force"]),
        ("--out .", &["directory"]),
        (
            "--out /dev/full --out-format csv",
            &["/dev/full", "cannot write"],
        ),
        (
            "--out /dev/full --out-format parquet",
            &["/dev/full", "cannot write"],
        ),
        ("--out a.csv --force", &["--out and FILE"]),
        ("--out o --summary-json o", &["--out and --summary-json"]),
        ("--failures-only", &["--out"]),
        ("--out-format csv", &["--out"]),
        ("--threads 0", &["--threads"]),
        ("--quiet --progress", &["--progress"]),
    ] {
        lab.sh(&format!("verify-batch {line} a.csv"))
            .status(2)
            .says(words);
    }
    assert_eq!(lab.read("there"), b"something");
    lab.sh("verify-batch --out there --force a.csv").ok();
    assert!(lab.read("there").starts_with(b"{\"row\":1"));
    lab.assert_clean();
}

#[test]
fn the_backend_is_the_one_asked_for() {
    let lab = Lab::new();
    lab.write("a.csv", ledger::csv(&ledger::rows(2)));
    lab.sh(&format!(
        "verify-batch --backend {PORTABLE} --summary-json s a.csv"
    ))
    .ok();
    let summary: Value = serde_json::from_slice(&lab.read("s")).unwrap();
    assert_eq!(summary["backend"], PORTABLE);
    lab.sh("verify-batch --backend abacus a.csv")
        .status(2)
        .says(&["--backend", "abacus", PORTABLE]);
    let text = lab.read("a.csv");
    lab.pipe("verify-batch --backend portable -", &text).ok();
}

#[test]
fn progress_in_a_log() {
    let lab = Lab::new();
    lab.write("a.csv", ledger::csv(&ledger::rows(2)));
    lab.sh("verify-batch --progress a.csv")
        .ok()
        .says(&["2 rows, ", " rows/s, 100 %, ", " left"]);
    let text = lab.read("a.csv");
    lab.pipe("verify-batch --progress", &text)
        .ok()
        .says(&["2 rows, "]);
}

/// Ctrl-C leaves no half file.
#[cfg(unix)]
#[test]
fn interrupted() {
    let lab = Lab::new();
    let mut child = lab
        .kuaimi()
        .args("verify-batch --format jsonl --out o.csv -".split(' '))
        .stdin(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let row = ledger::jsonl(&[ledger::rows(1).remove(0).malformed()]);
    // More than a chunk, so that something is written; and no end.
    stdin
        .write_all(row.repeat(10_000).as_bytes())
        .expect("it reads");
    lab.wait_for_unfinished(&child, 1);
    common::interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(stdin);
    lab.assert_clean();
    assert!(!lab.exists("o.csv"));
}

/// Who reads the verdicts may have read enough.
#[cfg(unix)]
#[test]
fn a_closed_pipe() {
    let lab = Lab::new();
    let row = ledger::jsonl(&[ledger::rows(1).remove(0).malformed()]);
    lab.write("a.jsonl", row.repeat(20_000));
    let mut command = lab.command("bash");
    command.args([
        "-c",
        "\"$0\" verify-batch --out - a.jsonl | head -n 1; echo ${PIPESTATUS[0]}",
        env!("CARGO_BIN_EXE_kuaimi"),
    ]);
    let ran = feed(&mut command, b"").ok();
    assert!(ran.text().ends_with("141\n"), "{}", ran.text());
}
