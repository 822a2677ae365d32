//! A chunk of rows to verdicts.

use kuaimi_bulk::{Column, Item, Verdict, Verifier};
use kuaimi_table::Chunk;

/// A chunk's verdicts.
pub struct Checked {
    pub verdicts: Vec<Verdict>,
    /// The line on which each row begins, where the format has lines.
    pub lines: Vec<u64>,
    pub position: u64,
    /// No row is valid, and all messages are text that looks like hexadecimal.
    pub hexadecimal: bool,
    /// No row is valid, and some row has an identity.
    pub identities: bool,
}

pub fn check(verifier: &Verifier, chunk: &mut Chunk) -> Checked {
    let table = chunk.table();
    let verdicts = verifier.verify(&table);
    let none_valid = !verdicts.contains(&Verdict::Valid);
    let ids = table.columns[Column::Id as usize];
    Checked {
        hexadecimal: none_valid && messages_look_hexadecimal(chunk),
        identities: none_valid && (0..table.rows).any(|row| ids.get(row) != Item::Absent),
        verdicts,
        position: chunk.position,
        lines: std::mem::take(&mut chunk.lines),
    }
}

/// Whether every message of the chunk is text that looks like hexadecimal: then it usually stands
/// for other bytes.
fn messages_look_hexadecimal(chunk: &Chunk) -> bool {
    let mut any = false;
    let table = chunk.table();
    let faulty = |row: usize| {
        table
            .faults
            .binary_search_by_key(&row, |(row, _)| *row)
            .is_ok()
    };
    let messages = table.columns[Column::Message as usize];
    (0..table.rows).all(|row| match messages.get(row) {
        Item::Text(bytes) => {
            any |= bytes.len() >= 8;
            bytes.len().is_multiple_of(2) && bytes.iter().all(u8::is_ascii_hexdigit)
        }
        _ => faulty(row),
    }) && any
}
