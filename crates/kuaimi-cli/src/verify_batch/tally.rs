//! Verdicts one after the other: counted, written, and the first failures said.

use std::borrow::Cow;

use kuaimi_bulk::{INVALID, Verdict};
use kuaimi_table::Format;

use super::check::Checked;
use super::summary::Counts;
use crate::failure::Result;
use crate::output::{Sink, Target};
use crate::table::encodings::cause;
use crate::table::progress::Progress;

/// Failures that are printed; the others are counted.
pub const FAILURES: u64 = 10;

/// The file of verdicts.
pub struct Verdicts {
    target: Target,
    file: kuaimi_table::Verdicts<Sink>,
    failures_only: bool,
}

impl Verdicts {
    pub fn create(target: &Target, format: Format, failures_only: bool) -> Result<Self> {
        let file = kuaimi_table::Verdicts::create(target.create()?, format);
        Ok(Self {
            file: file.map_err(|error| target.cannot_write(&error))?,
            target: target.clone(),
            failures_only,
        })
    }

    fn write(&mut self, row: u64, verdict: &Verdict, reason: Option<&str>) -> Result<()> {
        if self.failures_only && *verdict == Verdict::Valid {
            return Ok(());
        }
        self.file
            .write(row, verdict, reason)
            .map_err(|error| self.target.cannot_write(&error))
    }

    /// Makes the file appear.
    fn commit(self) -> Result<()> {
        let finished = self.file.finish();
        finished
            .map_err(|error| self.target.cannot_write(&error))?
            .commit()
    }
}

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
    pub fn take(&mut self, checked: &Checked, progress: &Progress) -> Result<()> {
        let mut lines = checked.lines.iter().copied();
        for verdict in &checked.verdicts {
            let line = lines.next();
            self.counts.add(verdict);
            let number = self.counts.total();
            let reason = reason(verdict, line);
            if let Some(reason) = &reason
                && self.to_print > 0
            {
                let line = match (verdict, line) {
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
        if !checked.verdicts.is_empty() {
            self.identities |= checked.identities;
            self.hexadecimal &= checked.hexadecimal;
        }
        Ok(())
    }

    /// Lets the file of verdicts appear. Returns advice, where all rows fail in a way that has a
    /// usual cause.
    pub fn finish(self) -> Result<Option<&'static str>> {
        if let Some(verdicts) = self.verdicts {
            verdicts.commit()?;
        }
        if self.counts.valid > 0 || self.counts.invalid == 0 {
            return Ok(None);
        }
        Ok(Some(if self.hexadecimal {
            "no signature is valid, and all messages are hexadecimal digits: if those stand for bytes, use --message-encoding hex"
        } else if self.identities {
            "no signature is valid, under the identities of the file's own column: if that is something else, use --id 1234567812345678 for the usual one, or --id-column NAME; if messages stand for bytes, --message-encoding"
        } else {
            "no signature is valid: usually this means another identity (--id, --id-column), or that messages stand for bytes (--message-encoding)"
        }))
    }
}

/// Why a row is not valid.
fn reason(verdict: &Verdict, line: Option<u64>) -> Option<Cow<'static, str>> {
    match (verdict, line) {
        (Verdict::Valid, _) => None,
        (Verdict::Invalid, _) => Some(INVALID.into()),
        (Verdict::Malformed(fault), Some(line)) => {
            Some(format!("malformed: line {line}: {}", cause(fault)).into())
        }
        (Verdict::Malformed(fault), None) => Some(format!("malformed: {}", cause(fault)).into()),
    }
}
