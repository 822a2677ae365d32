//! `row,valid,reason`: RFC 4180, with a header; the reason is empty for a valid row.

use std::io::{self, Write};

use csv::Writer;
use kuaimi_bulk::Verdict;

use super::verdicts::Rows;

pub struct Table<W: Write>(Writer<W>);

impl<W: Write> Table<W> {
    pub fn new(sink: W) -> io::Result<Self> {
        let mut writer = Writer::from_writer(sink);
        writer
            .write_record(["row", "valid", "reason"])
            .map_err(of_csv)?;
        Ok(Self(writer))
    }
}

/// The error of the file below, as it was: what its kind is decides what is said.
fn of_csv(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

impl<W: Write> Rows<W> for Table<W> {
    fn write(&mut self, row: u64, verdict: &Verdict, reason: Option<&str>) -> io::Result<()> {
        let valid = if *verdict == Verdict::Valid {
            "true"
        } else {
            "false"
        };
        let row = row.to_string();
        self.0
            .write_record([row.as_str(), valid, reason.unwrap_or_default()])
            .map_err(of_csv)
    }

    fn finish(self: Box<Self>) -> io::Result<W> {
        self.0.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}
