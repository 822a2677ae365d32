//! What `inspect` prints: names and values, for people or as one JSON object.

use serde_json::{Map, Value};

use crate::failure::Result;
use crate::output::print;
use crate::text;

/// What was found, in the order in which it is said.
pub struct Description {
    entries: Map<String, Value>,
    json: bool,
    show_secret: bool,
}

impl Description {
    pub fn new(json: bool, show_secret: bool) -> Self {
        Self {
            entries: Map::new(),
            json,
            show_secret,
        }
    }

    pub fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.entries.insert(name.to_owned(), value.into());
    }

    /// Bytes, in hexadecimal.
    pub fn put_hex(&mut self, name: &str, bytes: impl AsRef<[u8]>) {
        self.put(name, text::hex(bytes));
    }

    /// The same of a secret, if it is to be shown.
    pub fn put_secret(&mut self, name: &str, bytes: impl AsRef<[u8]>) {
        if self.show_secret {
            self.put(name, text::hex_of_secret(bytes).as_str());
        } else if !self.json {
            self.put(name, "hidden; --show-secret shows it");
        }
    }

    /// What was put, for a larger object.
    pub fn into_entries(self) -> Map<String, Value> {
        self.entries
    }

    pub fn print(self) -> Result<()> {
        if self.json {
            return print(format!("{:#}\n", Value::Object(self.entries)));
        }
        let mut lines = String::new();
        for (name, value) in &self.entries {
            let name = name.replace('_', " ");
            match value {
                // Each on a line of its own.
                Value::Array(values) => {
                    for (i, value) in values.iter().enumerate() {
                        lines += &line(if i == 0 { &name } else { "" }, value);
                    }
                }
                value => lines += &line(&name, value),
            }
        }
        print(lines)
    }
}

fn line(name: &str, value: &Value) -> String {
    let value = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    format!("{name:<22}{value}\n")
}
