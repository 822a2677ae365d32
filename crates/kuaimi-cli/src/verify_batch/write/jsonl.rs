//! `{"row":1,"valid":true,"reason":null}`, a line each.

use std::io::{self, BufWriter, Write as _};

use serde_json::json;

use super::Rows;
use crate::output::Sink;
use kuaimi_bulk::Verdict;

pub struct Lines(BufWriter<Sink>);

impl Lines {
    pub fn new(sink: Sink) -> Self {
        Self(BufWriter::with_capacity(1 << 16, sink))
    }
}

impl Rows for Lines {
    fn write(&mut self, row: u64, verdict: &Verdict, reason: Option<&str>) -> io::Result<()> {
        match (verdict, reason) {
            (Verdict::Valid, _) => {
                writeln!(self.0, r#"{{"row":{row},"valid":true,"reason":null}}"#)
            }
            (_, reason) => writeln!(
                self.0,
                r#"{{"row":{row},"valid":false,"reason":{}}}"#,
                json!(reason)
            ),
        }
    }

    fn finish(self: Box<Self>) -> io::Result<Sink> {
        self.0.into_inner().map_err(io::IntoInnerError::into_error)
    }
}
