//! Files of the crate `parquet`, in all forms that it writes, are read as what was written; and cut
//! or altered ones are errors, or other values, but never a panic.

use std::io::{Seek as _, Write as _};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArrayType, Int64Type};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::*;
use crate::Names;

/// `None` for null; the columns in the order of [`Column::ALL`].
type Values = [Option<Vec<u8>>; 4];

const WIDTH: usize = 9;

/// Rows with values that are long, short, empty, null, repeated, alike in their beginnings.
fn rows(count: usize, seed: u64) -> Vec<Values> {
    let mut state = seed;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let kinds = next(3);
    (0..count)
        .map(|i| {
            let key = match kinds {
                0 => vec![next(3) as u8; WIDTH],
                _ => (0..WIDTH).map(|_| next(256) as u8).collect(),
            };
            let message = match next(8) {
                0 => None,
                1 => Some(Vec::new()),
                2 => Some(vec![7; next(5000)]),
                kind if kinds == 1 => Some(format!("shared beginning {}", kind % 3).into()),
                _ => Some(format!("shared beginning {i} {}", next(1000)).into()),
            };
            // All null for some hundred rows at a time.
            let id = (i / 300 % 2 == 0).then(|| vec![b'i'; next(4)]);
            [Some(key), id, message, Some(b"signature".to_vec())]
        })
        .collect()
}

/// Writes rows in groups of `group`.
fn written(rows: &[Values], group: usize, properties: WriterProperties) -> fs::File {
    let schema = parse_message_type(&format!(
        "message m {{
            required fixed_len_byte_array({WIDTH}) key;
            optional group who {{ optional binary id (string); }}
            required int64 other;
            optional binary message;
            required binary signature;
        }}"
    ))
    .unwrap();
    let mut file = tempfile::tempfile().unwrap();
    let mut writer =
        SerializedFileWriter::new(&mut file, Arc::new(schema), Arc::new(properties)).unwrap();
    for rows in rows.chunks(group) {
        let bytes = |column: usize| -> Vec<ByteArray> {
            rows.iter()
                .filter_map(|row| row[column].clone().map(ByteArray::from))
                .collect()
        };
        let levels = |column: usize, there: i16| -> Vec<i16> {
            rows.iter()
                .map(|row| if row[column].is_some() { there } else { 0 })
                .collect()
        };
        let mut group = writer.next_row_group().unwrap();
        let mut place = 0;
        while let Some(mut column) = group.next_column().unwrap() {
            match place {
                0 => {
                    let keys: Vec<_> = bytes(0).into_iter().map(Into::into).collect();
                    column
                        .typed::<FixedLenByteArrayType>()
                        .write_batch(&keys, None, None)
                }
                1 => column.typed::<ByteArrayType>().write_batch(
                    &bytes(1),
                    Some(&levels(1, 2)),
                    None,
                ),
                2 => column
                    .typed::<Int64Type>()
                    .write_batch(&vec![7; rows.len()], None, None),
                3 => column.typed::<ByteArrayType>().write_batch(
                    &bytes(2),
                    Some(&levels(2, 1)),
                    None,
                ),
                _ => column
                    .typed::<ByteArrayType>()
                    .write_batch(&bytes(3), None, None),
            }
            .unwrap();
            column.close().unwrap();
            place += 1;
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    file.rewind().unwrap();
    file
}

fn wanted() -> Wanted {
    let names = Names {
        id: Some("who.id".to_owned()),
        ..Names::default()
    };
    Wanted::to_verify(&names, false, false).unwrap()
}

/// The rows of a file.
fn read(file: fs::File) -> Result<Vec<Values>> {
    let mut file = File::new(file, &wanted())?;
    let mut out = Vec::new();
    loop {
        let mut chunk = Chunk::default();
        let limits = Limits {
            rows: 1000,
            bytes: 1 << 20,
        };
        let more = file.fill(&mut chunk, limits)?;
        for (_, cells) in chunk.rows() {
            let cells = cells.unwrap();
            let value = |column: Column| {
                let cell = cells[column as usize].as_ref()?;
                Some(cell.as_ref().unwrap().1.clone())
            };
            out.push([Column::Key, Column::Id, Column::Message, Column::Signature].map(value));
        }
        if !more {
            assert_eq!(out.len() as u64, file.len());
            return Ok(out);
        }
    }
}

/// All encodings for the columns of bytes and of fixed length, in both versions, with every
/// compression.
fn forms() -> Vec<(String, WriterPropertiesBuilder)> {
    let zstd = |level| Compression::ZSTD(ZstdLevel::try_new(level).unwrap());
    let encodings = [
        None,
        Some((Encoding::PLAIN, Encoding::PLAIN)),
        Some((
            Encoding::DELTA_LENGTH_BYTE_ARRAY,
            Encoding::BYTE_STREAM_SPLIT,
        )),
        Some((Encoding::DELTA_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY)),
    ];
    let mut forms = Vec::new();
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        for compression in [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            zstd(1),
            zstd(19),
        ] {
            for encoding in encodings {
                let mut builder = WriterProperties::builder()
                    .set_writer_version(version)
                    .set_compression(compression);
                if let Some((bytes, fixed)) = encoding {
                    builder = builder
                        .set_dictionary_enabled(false)
                        .set_encoding(bytes)
                        .set_column_encoding(ColumnPath::from("key"), fixed)
                        .set_column_encoding(ColumnPath::from("other"), Encoding::PLAIN);
                }
                forms.push((format!("{version:?} {compression} {encoding:?}"), builder));
            }
        }
    }
    forms
}

#[test]
fn every_form_is_read_as_it_was_written() {
    for (i, (form, builder)) in forms().into_iter().enumerate() {
        for (count, group, page) in [
            (0, 1, 100),
            (1, 1, 100),
            (2500, 1000, 77),
            (5000, 5000, 100_000),
        ] {
            let rows = rows(count, (i + count) as u64);
            let properties = builder
                .clone()
                .set_data_page_row_count_limit(page)
                // So that some columns begin with a dictionary and go on without.
                .set_dictionary_page_size_limit(if page < 100 { 1000 } else { 1 << 20 })
                .set_write_batch_size(50)
                .build();
            let found = read(written(&rows, group, properties)).unwrap_or_else(|error| {
                panic!("{form}, {count} rows: {error}");
            });
            assert!(found == rows, "{form}, {count} rows");
        }
    }
}

/// Cut anywhere, a file is an error; with a bit altered, it may be.
#[test]
fn damaged_files() {
    for (form, builder) in forms().into_iter().step_by(3) {
        let rows = rows(40, 1);
        let mut file = written(&rows, 25, builder.set_data_page_row_count_limit(10).build());
        let mut whole = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut whole).unwrap();
        let reread = |bytes: &[u8]| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(bytes).unwrap();
            read(file)
        };
        for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
            assert!(reread(&whole[..length]).is_err(), "{form} {length}");
        }
        for place in (0..whole.len()).step_by(whole.len() / 400 + 1) {
            let mut altered = whole.clone();
            altered[place] ^= 1 << (place % 8);
            if let Ok(found) = reread(&altered) {
                assert_eq!(found.len(), rows.len(), "{form} {place}");
            }
        }
    }
}
