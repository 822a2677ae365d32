//! What was found, for people or as one JSON object.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::socket::Target;
use super::{Outcome, Probe, Seen};
use crate::cert::describe;
use crate::describe::Description;
use crate::exit::Answer;
use crate::failure::Result;
use crate::output::print;

/// What a server was found to be.
pub struct Report {
    server: Map<String, Value>,
    probes: Vec<Probe>,
    /// The certificates of each protocol.
    certificates: Vec<(&'static str, Vec<Map<String, Value>>)>,
    problems: Vec<String>,
    notes: Vec<String>,
    /// The protocol that problems are about at present.
    about: &'static str,
    json: bool,
}

impl Report {
    pub fn new(target: &Target, json: bool) -> Self {
        let mut server = Map::new();
        server.insert("host".to_owned(), target.host.as_str().into());
        server.insert("port".to_owned(), target.port.into());
        server.insert("address".to_owned(), target.address.to_string().into());
        Self {
            server,
            probes: Vec::new(),
            certificates: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
            about: "",
            json,
        }
    }

    /// Adds what was seen of a protocol, and what `judge` finds in it.
    pub fn add(&mut self, about: &'static str, seen: Seen, judge: impl FnOnce(&Seen, &mut Self)) {
        self.about = about;
        if !seen.certificates.is_empty() {
            let described = seen.certificates.iter().map(|certificate| {
                let mut out = Description::new(true, false);
                describe(certificate, &mut out);
                out.into_entries()
            });
            self.certificates.push((about, described.collect()));
        }
        self.problems.extend_from_slice(&seen.problems);
        judge(&seen, self);
        self.probes.extend(seen.probes);
    }

    /// Something is wrong.
    pub fn problem(&mut self, what: impl Into<String>) {
        let what = format!("{}: {}", self.about, what.into());
        if !self.problems.contains(&what) {
            self.problems.push(what);
        }
    }

    /// Something is to be known.
    pub fn note(&mut self, what: String) {
        if !self.notes.contains(&what) {
            self.notes.push(what);
        }
    }

    pub fn print(mut self) -> Result<Answer> {
        if !self.probes.iter().any(Probe::is_spoken) {
            let what = "the server speaks none of the protocols".to_owned();
            self.problems.push(what);
        }
        let good = self.problems.is_empty();
        match self.json {
            true => print(self.object(good))?,
            false => print(self.lines(good))?,
        }
        Ok(if good { Answer::Yes } else { Answer::No })
    }

    fn object(self, good: bool) -> String {
        let mut object = self.server;
        let protocols = self.probes.iter().map(|probe| {
            let (spoken, detail) = match &probe.outcome {
                Outcome::Spoken(detail) => (true, detail),
                Outcome::Not(detail) => (false, detail),
            };
            json!({
                "protocol": probe.protocol,
                "offered": probe.what,
                "spoken": spoken,
                "detail": detail,
            })
        });
        object.insert("protocols".to_owned(), protocols.collect());
        let mut certificates = Map::new();
        for (about, all) in self.certificates {
            certificates.insert(
                about.to_owned(),
                all.into_iter().map(Value::Object).collect(),
            );
        }
        object.insert("certificates".to_owned(), Value::Object(certificates));
        object.insert("problems".to_owned(), self.problems.into());
        object.insert("notes".to_owned(), self.notes.into());
        object.insert("good".to_owned(), good.into());
        format!("{:#}\n", Value::Object(object))
    }

    fn lines(&self, good: bool) -> String {
        let mut out = String::new();
        // Writing to memory does not fail.
        for probe in &self.probes {
            let (word, detail) = match &probe.outcome {
                Outcome::Spoken(detail) => ("yes", detail),
                Outcome::Not(detail) => ("no", detail),
            };
            let line = format!("{:<20}{:<20}{word:<5}{detail}", probe.protocol, probe.what);
            let _ = writeln!(out, "{}", line.trim_end());
        }
        for (about, all) in &self.certificates {
            for (i, certificate) in all.iter().enumerate() {
                let _ = writeln!(out, "\n{about}, certificate {}", i + 1);
                for name in SHOWN {
                    if let Some(value) = certificate.get(name) {
                        let value = match value {
                            Value::Array(all) => {
                                all.iter().map(text).collect::<Vec<_>>().join(", ")
                            }
                            one => text(one),
                        };
                        let _ = writeln!(out, "  {:<18}{value}", name.replace('_', " "));
                    }
                }
            }
        }
        let _ = writeln!(out);
        for note in &self.notes {
            let _ = writeln!(out, "note: {note}");
        }
        for problem in &self.problems {
            let _ = writeln!(out, "PROBLEM: {problem}");
        }
        if good {
            let _ = writeln!(out, "no problem was found");
        }
        out
    }
}

/// What is shown of a certificate; JSON has all.
const SHOWN: [&str; 8] = [
    "subject",
    "issuer",
    "not_before",
    "not_after",
    "algorithm",
    "key_usage",
    "extended_key_usage",
    "names",
];

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
