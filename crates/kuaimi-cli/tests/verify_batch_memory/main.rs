//! The bulk job keeps within its memory, whatever a file holds or says of itself.

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod refused;
mod rows;
mod values;

use common::crafted::{self, Column, Kind, Page, Thrift, plain};
use common::ledger::{self, Row};
use common::{Lab, Ran, feed};
use serde_json::Value;
use std::process::{Command, Stdio};

/// What `docs/verify-batch.md` promises, in KiB.
const BOUND: usize = 200 << 10;
const GIB: u64 = 1 << 30;
const MIB: usize = 1 << 20;

/// Runs `verify-batch` with no more memory than was promised; with more, it would abort.
#[track_caller]
fn bounded(lab: &Lab, line: &str) -> Ran {
    let mut shell = lab.command("sh");
    shell.args(["-c", &format!("ulimit -d {BOUND} && exec \"$0\" \"$@\"")]);
    shell.arg(env!("CARGO_BIN_EXE_kuaimi"));
    shell.args("verify-batch --threads 2".split(' '));
    shell.args(line.split_whitespace());
    let ran = feed(&mut shell, b"");
    assert!((0..=2).contains(&ran.status), "{line}: {ran:?}");
    assert!(!ran.stderr.contains("panicked"), "{line}: {ran:?}");
    ran
}

/// Signed rows, with the columns of the first one's values replaced.
struct Ledger {
    keys: Vec<Vec<u8>>,
    messages: Vec<Vec<u8>>,
    signatures: Vec<Vec<u8>>,
}

impl Ledger {
    fn new(rows: usize) -> Self {
        let signer = ledger::Signer::new("1234567812345678");
        let rows: Vec<Row> = (0..rows)
            .map(|i| signer.row(&format!("message {i}")))
            .collect();
        Self {
            keys: rows.iter().map(|row| row.key.clone()).collect(),
            messages: rows
                .iter()
                .map(|row| row.message.clone().into_bytes())
                .collect(),
            signatures: rows.iter().map(|row| row.signature.clone()).collect(),
        }
    }

    /// A file whose messages are in this column.
    fn file(&self, messages: Column) -> Vec<u8> {
        fn slices(values: &[Vec<u8>]) -> Vec<&[u8]> {
            values.iter().map(Vec::as_slice).collect()
        }
        let columns = [
            Column::plain("key", &slices(&self.keys)),
            messages,
            Column::plain("signature", &slices(&self.signatures)),
        ];
        crafted::file(self.keys.len() as i64, &columns)
    }

    /// Pages of all messages in which the one at `place` has `length` zeros, as parts to compress.
    fn with_zeros(&self, place: usize, length: u64) -> Vec<(Vec<u8>, u64)> {
        let head = |i: usize| -> Vec<u8> {
            if i == place {
                (length as u32).to_le_bytes().to_vec()
            } else {
                plain(&self.messages[i])
            }
        };
        (0..self.messages.len())
            .map(|i| (head(i), if i == place { length } else { 0 }))
            .collect()
    }
}

fn parts(parts: &[(Vec<u8>, u64)]) -> Vec<(&[u8], u64)> {
    parts
        .iter()
        .map(|(bytes, zeros)| (&bytes[..], *zeros))
        .collect()
}

/// The numbers of rows: valid, invalid, malformed.
#[track_caller]
fn counts(lab: &Lab, name: &str) -> [u64; 3] {
    let ran = bounded(lab, &format!("--summary-json - {name}"));
    assert_ne!(ran.status, 2, "{ran:?}");
    let summary: Value = serde_json::from_slice(&ran.stdout).expect("a summary");
    ["valid", "invalid", "malformed"].map(|name| summary[name].as_u64().expect("a number"))
}

/// A column of messages, compressed by zstd, in one page.
fn messages(kind: Kind, rows: usize, encoding: i64, content: &[(&[u8], u64)]) -> Column {
    let page = Page::zstd(kind, rows as i64, encoding, content);
    Column::new("message", crafted::ZSTD, vec![page])
}

/// Three rows, whose messages are a page that begins as `body` and goes on with 1 GiB of zeros,
/// which the disk does not hold.
fn hole(lab: &Lab, ledger: &Ledger, body: &[u8]) {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let mut page = Page::new(Kind::Data, 3, crafted::PLAIN, body.to_vec());
    page.size += GIB as i64;
    let three =
        |values: &[Vec<u8>]| -> Vec<u8> { values[..3].iter().flat_map(|v| plain(v)).collect() };
    let column = |name, values| {
        let page = Page::new(Kind::Data, 3, crafted::PLAIN, three(values));
        Column::new(name, crafted::UNCOMPRESSED, vec![page])
    };
    let whole = crafted::file(
        3,
        &[
            column("key", &ledger.keys),
            column("signature", &ledger.signatures),
            Column::new("message", crafted::UNCOMPRESSED, vec![page]),
        ],
    );
    // The last column's page ends where the footer begins.
    let length = u32::from_le_bytes(whole[whole.len() - 8..][..4].try_into().unwrap()) as usize;
    let (pages, footer) = whole.split_at(whole.len() - 8 - length);
    let mut file = std::fs::File::create(lab.path("a.parquet")).unwrap();
    file.write_all(pages).unwrap();
    file.seek(SeekFrom::Current(GIB as i64)).unwrap();
    file.write_all(footer).unwrap();
}
