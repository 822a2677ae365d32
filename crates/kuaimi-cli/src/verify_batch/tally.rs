//! Verdicts one after the other: counted, written, and the first failures said.

use super::check::{Verdict, messages_look_hexadecimal};
use super::progress::Progress;
use super::rows::{Cell, Chunk, Column};
use super::summary::Counts;
use super::write::Verdicts;
use crate::exit::Result;

/// Failures that are printed; the others are counted.
pub const FAILURES: u64 = 10;

const INVALID: &str = "invalid: the signature does not fit this row's message, key and identity";

pub struct Tally {
    pub counts: Counts,
    verdicts: Option<Verdicts>,
    to_print: u64,
    /// All messages so far look as if they stood for other bytes.
    hexadecimal: bool,
    /// Some row has an identity of its own.
    identities: bool,
}

impl Tally {
    pub fn new(verdicts: Option<Verdicts>, to_print: u64) -> Self {
        Self {
            counts: Counts::default(),
            verdicts,
            to_print,
            hexadecimal: true,
            identities: false,
        }
    }

    /// Takes the verdicts on the next chunk.
    pub fn take(&mut self, chunk: &Chunk, verdicts: &[Verdict], progress: &Progress) -> Result<()> {
        for (row, verdict) in chunk.rows.iter().zip(verdicts) {
            self.counts.add(verdict);
            let number = self.counts.total();
            let reason = reason(verdict, row.line);
            if let Some(reason) = &reason
                && self.to_print > 0
            {
                let line = match (verdict, row.line) {
                    (Verdict::Invalid, Some(line)) => format!("row {number} (line {line})"),
                    _ => format!("row {number}"),
                };
                progress.say(&format!("{line}: {reason}"));
                self.to_print -= 1;
                if self.to_print == 0 {
                    progress.say("further failures are counted only; --out FILE has them all");
                }
            }
            if let Some(out) = &mut self.verdicts {
                out.write(number, verdict, reason.as_deref())?;
            }
        }
        self.identities |= chunk
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .any(|cells| cells[Column::Id as usize] != Cell::Absent);
        self.hexadecimal &= self.counts.valid == 0 && messages_look_hexadecimal(chunk);
        Ok(())
    }

    /// Lets the file of verdicts appear. Returns advice, where all rows fail in a way that has a usual cause.
    pub fn finish(self) -> Result<Option<&'static str>> {
        if let Some(verdicts) = self.verdicts {
            verdicts.commit()?;
        }
        if self.counts.valid > 0 || self.counts.invalid == 0 {
            return Ok(None);
        }
        Ok(Some(if self.hexadecimal {
            "no signature is valid, and all messages are hexadecimal digits: if those stand for bytes, say --message-encoding hex"
        } else if self.identities {
            "no signature is valid, under the identities of the file's own column: if that is something else, say --id 1234567812345678 for the usual one, or --id-column NAME; if messages stand for bytes, --message-encoding"
        } else {
            "no signature is valid: mostly this means another identity (--id, --id-column), or that messages stand for bytes (--message-encoding)"
        }))
    }
}

/// Why a row is not valid.
fn reason(verdict: &Verdict, line: Option<u64>) -> Option<String> {
    match (verdict, line) {
        (Verdict::Valid, _) => None,
        (Verdict::Invalid, _) => Some(INVALID.to_owned()),
        (Verdict::Malformed(cause), Some(line)) => Some(format!("malformed: line {line}: {cause}")),
        (Verdict::Malformed(cause), None) => Some(format!("malformed: {cause}")),
    }
}
