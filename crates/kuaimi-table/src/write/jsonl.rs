//! `{"row":1,"valid":true,"reason":null}`, a line each.

use std::io::{self, BufWriter, Write};

use kuaimi_bulk::Verdict;
use serde_json::json;

use super::verdicts::Rows;

pub struct Lines<W: Write>(BufWriter<W>);

impl<W: Write> Lines<W> {
    pub fn new(sink: W) -> Self {
        Self(BufWriter::with_capacity(1 << 16, sink))
    }
}

impl<W: Write> Rows<W> for Lines<W> {
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

    fn finish(self: Box<Self>) -> io::Result<W> {
        self.0.into_inner().map_err(io::IntoInnerError::into_error)
    }
}
