//! A peer that is a program: one JSON object a line goes to it, and one comes back.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Map, Value};

/// A running peer, which ends when this is dropped.
pub(crate) struct Lines {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// For messages: the Go peer.
    name: &'static str,
}

impl Lines {
    pub(crate) fn start(command: &mut Command, name: &'static str) -> Self {
        let process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process =
            process.unwrap_or_else(|error| panic!("{name} was built but does not start: {error}"));
        let requests = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().expect("stdout is piped"));
        Self {
            process,
            requests,
            answers,
            name,
        }
    }

    /// Sends one request; the answer's fields, as an error where they say so.
    pub(crate) fn ask(
        &mut self,
        op: &str,
        mut fields: Value,
    ) -> Result<Map<String, Value>, Map<String, Value>> {
        let name = self.name;
        let request = fields
            .as_object_mut()
            .expect("the fields of a request are a JSON object");
        request.insert("op".into(), op.into());
        let input = self
            .requests
            .as_mut()
            .expect("the peer's input is open until it is dropped");
        let sent = writeln!(input, "{fields}").and_then(|()| input.flush());
        sent.unwrap_or_else(|error| panic!("{name} has ended early: {error}"));
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        read.unwrap_or_else(|error| panic!("{name}'s answer cannot be read: {error}"));
        let answer: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("{name} answered {line:?}, which is not JSON: {error}"));
        match answer {
            Value::Object(answer) if answer["ok"] == true => Ok(answer),
            Value::Object(answer) => Err(answer),
            other => panic!("{name} answered {other}, which is not an object"),
        }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        // The peer ends when its input does.
        drop(self.requests.take());
        let _ = self.process.wait();
    }
}

/// Bytes in an answer.
pub(crate) fn octets(answer: &Map<String, Value>, field: &str) -> Vec<u8> {
    let digits = answer.get(field).and_then(Value::as_str);
    let digits =
        digits.unwrap_or_else(|| panic!("the peer's answer has no field {field}: {answer:?}"));
    hex::decode(digits).expect("peers write bytes in hexadecimal")
}
