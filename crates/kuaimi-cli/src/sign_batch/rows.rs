//! A chunk of rows to rows with signatures, which the threads that sign also write as text or as
//! columns.

use std::path::Path;

use kuaimi::encoding::SignatureForm;
use kuaimi_bulk::{Column, Signer};
use kuaimi_table::{Block, Chunk, Error, SignatureStyle};

use crate::failure::Failure;
use crate::say::show;
use crate::table;
use crate::table::encodings::cause;

/// What is signed, and how it is written.
#[derive(Clone, Debug)]
pub struct Style {
    pub of_digests: bool,
    pub form: SignatureForm,
    pub written: SignatureStyle,
}

/// What came of a chunk.
pub struct Signed {
    pub position: u64,
    pub count: u64,
    pub written: Result<Block, RowFault>,
}

/// A row that cannot be signed.
pub struct RowFault {
    /// Its place in the chunk.
    row: u64,
    line: Option<u64>,
    reason: String,
}

impl RowFault {
    /// As an error about the file `path`. `before` rows came before the chunk; they are written,
    /// unless the output appears `whole` or not at all.
    pub fn of_file(&self, path: &Path, before: u64, whole: bool) -> Failure {
        let row = before + self.row + 1;
        let line = self
            .line
            .map_or(String::new(), |line| format!(" (line {line})"));
        let written = if whole {
            "nothing is written"
        } else {
            "what was written is not complete"
        };
        Failure::file(
            show(path),
            format_args!(
                "row {row}{line}: {}; {written}: correct this row, or remove it",
                self.reason
            ),
        )
    }
}

pub fn sign(signer: &Signer, style: &Style, chunk: &mut Chunk) -> Signed {
    let table = chunk.table();
    let mut signatures = Vec::with_capacity(table.rows);
    let mut fault = None;
    let fault_of = |row: usize, reason: String| RowFault {
        row: row as u64,
        line: chunk.lines.get(row).copied(),
        reason,
    };
    for (row, result) in signer.sign(&table).into_iter().enumerate() {
        match result {
            Ok(signature) => signatures.push(signature),
            Err(found) => {
                fault = Some(fault_of(row, cause(&found).into_owned()));
                break;
            }
        }
    }
    let column = if style.of_digests {
        Column::Digest
    } else {
        Column::Message
    };
    let values = table.columns[column as usize];
    let contents = (0..table.rows).map(|row| values.get(row).bytes());
    let bytes = signatures
        .iter()
        .map(|signature| signature.to_form(style.form));
    let written = match fault {
        Some(fault) => Err(fault),
        None => style.written.block(contents, bytes).map_err(|error| {
            let row = match error {
                Error::NotText { row, .. } => row,
                _ => 0,
            };
            fault_of(row, table::failure::text(&error))
        }),
    };
    Signed {
        position: chunk.position,
        count: signatures.len() as u64,
        written,
    }
}
