//! A table as JSON Lines, as CSV and as columns in memory: the verdicts are the same.

use arbitrary::{Arbitrary, Unstructured};
use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_bulk::{Options, Table, Values, Verifier};
use kuaimi_table::Format;

use crate::rows::verdicts;

#[derive(Arbitrary, Debug)]
struct Row<'a> {
    /// Whether the key and the signature are right, and how they are written.
    shape: u8,
    id: &'a str,
    message: &'a str,
    text: &'a str,
}

/// Columns `key`, `id`, `message`, `signature`.
type Written = [String; 4];

impl Row<'_> {
    fn written(&self, signer: &SigningKey) -> Written {
        let key = signer.public_key();
        let key = match self.shape & 3 {
            0 => hex(&key.to_sec1_bytes()),
            1 => hex(&key.to_compressed_bytes()),
            2 => hex(&key.to_xy_bytes()).to_uppercase(),
            _ => self.text.to_owned(),
        };
        let signature = signer.sign_deterministic(self.message.as_bytes());
        let signature = match self.shape >> 2 & 3 {
            0 => hex(&signature.to_bytes()),
            1 => hex(signature.to_der().as_bytes()),
            2 => {
                let mut bytes = signature.to_bytes();
                bytes[usize::from(self.shape >> 4)] ^= 1;
                hex(&bytes)
            }
            _ => self.text.to_owned(),
        };
        [key, self.id.to_owned(), self.message.to_owned(), signature]
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn check(data: &[u8]) {
    let Ok(rows) = <Vec<Row<'_>>>::arbitrary(&mut Unstructured::new(data)) else {
        return;
    };
    if rows.is_empty() {
        return;
    }
    let signer = SigningKey::new(PrivateKey::from_bytes(&[7; 32]).expect("in range"));
    let rows: Vec<Written> = rows
        .iter()
        .take(20)
        .map(|row| row.written(&signer))
        .collect();
    let options = || Options::new().empty_id_is_none(true);

    let columns: Vec<Vec<Option<&[u8]>>> = (0..4)
        .map(|column| {
            rows.iter()
                .map(|row| Some(row[column].as_bytes()))
                .collect()
        })
        .collect();
    let slices = |column: usize| Values::Slices {
        text: true,
        slices: &columns[column],
    };
    let table = Table {
        rows: rows.len(),
        columns: [
            slices(0),
            slices(1),
            slices(2),
            Values::default(),
            slices(3),
        ],
        faults: &[],
    };
    let expected = Verifier::new(options()).verify(&table);

    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(["key", "id", "message", "signature"])
        .expect("memory");
    rows.iter()
        .for_each(|row| csv.write_record(row).expect("memory"));
    let csv = csv.into_inner().expect("memory");
    assert_eq!(verdicts(&csv, Format::Csv, options()), expected, "CSV");

    let mut json = Vec::new();
    for [key, id, message, signature] in &rows {
        let row =
            serde_json::json!({ "key": key, "id": id, "message": message, "signature": signature });
        json.extend(row.to_string().bytes());
        json.push(b'\n');
    }
    assert_eq!(
        verdicts(&json, Format::Jsonl, options()),
        expected,
        "JSON Lines"
    );
}
