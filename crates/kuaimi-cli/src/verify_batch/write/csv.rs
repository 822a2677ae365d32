//! `row,valid,reason`: RFC 4180, with a header; the reason is empty for a valid row.

use std::io;

use csv::Writer;

use super::Rows;
use crate::output::Sink;
use kuaimi_bulk::Verdict;

pub struct Table(Writer<Sink>);

impl Table {
    pub fn new(sink: Sink) -> io::Result<Self> {
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

impl Rows for Table {
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

    fn finish(self: Box<Self>) -> io::Result<Sink> {
        self.0.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}
