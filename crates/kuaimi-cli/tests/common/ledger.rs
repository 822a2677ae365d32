//! Rows with signatures, in every format.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use kuaimi::sm2::{PrivateKey, SigningKey};
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::json;

pub const ALICE: &str = "alice@example.com";

/// A row's values; the key as 65 bytes, the signature as 64.
#[derive(Clone, Debug)]
pub struct Row {
    pub key: Vec<u8>,
    pub id: String,
    pub message: String,
    pub signature: Vec<u8>,
}

/// Who signs.
pub struct Signer {
    pub key: SigningKey,
    pub id: &'static str,
}

impl Signer {
    pub fn new(id: &'static str) -> Self {
        let secret = PrivateKey::generate().expect("a key");
        Self {
            key: SigningKey::with_id(secret, id.as_bytes()).expect("a signer"),
            id,
        }
    }

    pub fn row(&self, message: &str) -> Row {
        let signature = self.key.sign(message.as_bytes()).expect("a signature");
        Row {
            key: self.key.public_key().to_sec1_bytes().to_vec(),
            id: self.id.to_owned(),
            message: message.to_owned(),
            signature: signature.to_bytes().to_vec(),
        }
    }
}

impl Row {
    /// With a message that was not signed.
    pub fn invalid(mut self) -> Self {
        self.message.push('!');
        self
    }

    /// With a signature that is none.
    pub fn malformed(mut self) -> Self {
        self.signature.truncate(63);
        self
    }

    pub fn der(&self) -> Vec<u8> {
        let signature = kuaimi::sm2::Signature::from_slice(&self.signature).expect("a signature");
        signature.to_der().as_bytes().to_vec()
    }
}

/// Different rows of two signers, all of them valid.
pub fn rows(count: usize) -> Vec<Row> {
    let signers = [Signer::new(ALICE), Signer::new("1234567812345678")];
    (0..count)
        .map(|i| signers[i % 2].row(&format!("message {i}")))
        .collect()
}

pub fn jsonl(rows: &[Row]) -> String {
    rows.iter()
        .map(|row| {
            let object = json!({
                "other": [1, {"key": 2}],
                "key": hex::encode(&row.key),
                "id": row.id,
                "message": row.message,
                "signature": hex::encode(&row.signature),
            });
            format!("{object}\n")
        })
        .collect()
}

pub fn csv(rows: &[Row]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut out = "signature,other,message,id,key\n".to_owned();
    for row in rows {
        out += &format!(
            "{},x,{},{},{}\n",
            hex::encode(&row.signature),
            quoted(&row.message),
            row.id,
            hex::encode(&row.key)
        );
    }
    out
}

/// Columns of bytes, but for those of text; rows in groups of `group`.
pub fn parquet(path: &Path, rows: &[Row], group: usize) {
    let schema = "message ledger {
        required fixed_len_byte_array(65) key;
        optional binary id (string);
        required binary message (string);
        required int64 other;
        optional binary signature;
    }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let file = fs::File::create(path).expect("a file");
    let properties = WriterProperties::builder()
        .set_compression(parquet::basic::Compression::SNAPPY)
        .build();
    let mut writer =
        SerializedFileWriter::new(file, schema, Arc::new(properties)).expect("a writer");
    for rows in rows.chunks(group) {
        let mut group = writer.next_row_group().expect("a group");
        let bytes = |of: &dyn Fn(&Row) -> Vec<u8>| -> Vec<ByteArray> {
            rows.iter().map(|row| ByteArray::from(of(row))).collect()
        };
        let always: Vec<i16> = vec![1; rows.len()];
        let mut place = 0;
        while let Some(mut column) = group.next_column().expect("a column") {
            match place {
                0 => {
                    let keys: Vec<FixedLenByteArray> = rows
                        .iter()
                        .map(|row| ByteArray::from(row.key.clone()).into())
                        .collect();
                    column
                        .typed::<FixedLenByteArrayType>()
                        .write_batch(&keys, None, None)
                }
                // An identity that is the default one is null.
                1 => {
                    let is = |row: &&Row| row.id == ALICE;
                    let levels: Vec<i16> = rows.iter().map(|row| i16::from(is(&row))).collect();
                    let ids: Vec<ByteArray> = rows
                        .iter()
                        .filter(is)
                        .map(|row| ByteArray::from(row.id.as_str()))
                        .collect();
                    column
                        .typed::<ByteArrayType>()
                        .write_batch(&ids, Some(&levels), None)
                }
                2 => column.typed::<ByteArrayType>().write_batch(
                    &bytes(&|row| row.message.clone().into_bytes()),
                    None,
                    None,
                ),
                3 => column.typed::<parquet::data_type::Int64Type>().write_batch(
                    &vec![7; rows.len()],
                    None,
                    None,
                ),
                _ => column.typed::<ByteArrayType>().write_batch(
                    &bytes(&|row| row.signature.clone()),
                    Some(&always),
                    None,
                ),
            }
            .expect("values");
            column.close().expect("a column's end");
            place += 1;
        }
        group.close().expect("a group's end");
    }
    writer.close().expect("a file's end");
}
