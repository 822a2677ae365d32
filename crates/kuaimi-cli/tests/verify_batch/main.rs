//! The bulk job: verdicts on all rows, in every format.

#[path = "../common/mod.rs"]
mod common;
mod results;
mod values;

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
